/* core/lsu/bulk_engine.h -- the unit of an SM that performs bulk copies (the tensor memory accelerator): one
 * copy after the other, in the order of their instructions.
 *
 * A copy from or to global memory is cut into line requests (bulk_lines.h), which go to the L2 past the L1,
 * one a cycle, if the port has room, and so many under way (bulk_requests.c). What comes is written to shared
 * memory, and with the last reply the copy lands: its data move, and its mbarrier or group is told. What goes
 * is read from shared memory when its last request is made, so that the writes of threads until then are
 * seen, and wait_group.read ends there; it is written with the last acknowledgement. A copy within a cluster
 * takes the unit until the network of clusters has sent its last byte, when it is read, and lands when that
 * arrives (cluster_access.h). Data move in the commit phase of the
 * cycle, in the order of SMs. */
#ifndef CORE_LSU_BULK_ENGINE_H
#define CORE_LSU_BULK_ENGINE_H

#include "core/lsu/bulk_lines.h"
#include "core/lsu/tensor_pipe.h"
#include "core/exec/lane_types.h"
#include "sim/event/requester.h"

struct device_fault;
struct sm;
struct uop;

struct bulk_flight {
	struct bulk_copy copy;
	struct bulk_lines lines; /* of global memory, from `started` on */
	struct requester by;
	cycles ready;      /* the unit can take it */
	cycles started;    /* the unit has taken it; SIM_NEVER: not yet */
	cycles due;        /* of its next step; SIM_NEVER: replies decide that */
	uint32_t number;   /* the token of its requests */
	uint32_t pending;  /* requests under way */
	uint32_t group;    /* of its thread, from 1 on; 0: it tells an mbarrier, or nobody */
	uint16_t slot;     /* of its warp */
	uint8_t direction; /* enum bulk_direction */
	bool is_sent;      /* the unit has done with it */
	bool missed;       /* a line came from DRAM */
	bool is_read, has_landed;
	uint8_t *bytes; /* that have been read from shared memory, or NULL */
};

/* A warp at BULK_WAIT: each of its threads waits for its groups up to this one. */
struct bulk_wait {
	lane_mask lanes;
	bool reads;
	uint32_t until[WARP_SIZE];
};

struct bulk_engine {
	struct bulk_queue asked;     /* by the instruction that has just issued */
	struct bulk_flight *flights; /* in the order of their instructions */
	uint32_t count, capacity;
	struct tensor_pipe tensor;
	cycles free;      /* the unit takes the next copy */
	cycles ran;       /* it has worked in this cycle */
	cycles call;      /* it works again in this cycle */
	uint32_t number;  /* of the next copy, below STORE_TOKEN */
	bool is_due;      /* steps are to be done in the commit phase of this cycle */
	bool has_stepped; /* some copies have landed or been read */
	bool sent_last;   /* it, not the load/store unit, took the last place of the port */
	/* under way since `changed`: */
	uint32_t requests, bytes;
	cycles changed;
	/* by slot, made with the first copy */
	uint32_t (*groups)[WARP_SIZE]; /* that each thread has committed */
	struct bulk_wait *waits;
};

void bulk_engine_init(struct sm *sm);
/* Whom clusterlaunchcontrol.try_cancel asks; called in commit phases. */
void bulk_engine_control(struct sm *sm, struct launch_control control);
void bulk_engine_fini(struct sm *sm);
/* The warp has just executed a BULK: its copies are under way. */
void bulk_engine_take(struct sm *sm, uint32_t slot, cycles now);
/* BULK_COMMIT and BULK_WAIT of the lanes in mask; the latter may stop the warp. */
void bulk_engine_commit_groups(struct sm *sm, uint32_t slot, lane_mask mask);
void bulk_engine_await(struct sm *sm, uint32_t slot, const struct uop *u, lane_mask mask);
/* In the SM's cycle: copies that have landed are forgotten, warps go on, steps that are due are announced. */
void bulk_engine_run(struct sm *sm, cycles now);
/* In the commit phase: the steps that are due. True after a fault, which *fault then explains. */
bool bulk_engine_step(struct sm *sm, cycles now, struct device_fault *fault);
/* In the commit phase: of a copy to the cluster the last byte has left, has arrived. A fault is in
 * sm->state.fault. */
void bulk_engine_sent(struct sm *sm, uint32_t number, cycles now);
void bulk_engine_arrived(struct sm *sm, uint32_t number, cycles now);
/* Between two cycles: all copies under way are performed, since their CTAs go on without timing. */
void bulk_engine_flush(struct sm *sm);

static inline bool bulk_engine_is_idle(const struct bulk_engine *engine)
{
	return !engine->count;
}

#endif
