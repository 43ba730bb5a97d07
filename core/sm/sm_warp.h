/* core/sm/sm_warp.h -- what timing adds to a warp. */
#ifndef CORE_SM_SM_WARP_H
#define CORE_SM_SM_WARP_H

#include "core/kernel/slot_cause.h"
#include "frontend/uop.h"
#include "sim/base/types.h"

struct issue_entry;
struct kernel_run;
struct kernel_stats;

/* What issue, fetch and scoreboard need for each instruction. */
struct sm_warp {
	const struct issue_entry *entry; /* the run's: of each micro-operation */
	struct kernel_run *run;          /* the warp's */
	/* the first word of the scoreboard: results that are pending, ... */
	uint64_t pending;
	uint64_t from_memory; /* ... those of them that the load/store unit or tensor memory delivers, ... */
	uint64_t awaited;     /* ... and those that the next instruction needs: up to date while `cause` says
				 that the warp waits for data */
	cycles issued;        /* when it last issued */
	uint16_t words;       /* of the scoreboard */
	uint8_t buffered;     /* decoded instructions, from the warp's pc on */
	bool fetching;
	bool flushed;             /* the instruction buffer is empty because of a branch */
	uint8_t cause;            /* enum slot_cause: what it waits for; SLOT_issued: it can issue */
	uint8_t state;            /* which of sm->state.warps_in_state[] holds its bit */
	uint16_t in_flight;       /* instructions with pending results */
	uint16_t stores;          /* store packets that are not acknowledged yet */
	uint8_t priority_credits; /* instructions for which it still has priority, after starvation */
	uint8_t local_index;      /* of its block of local memory, among those of its kernel on this SM */
	uint16_t path;            /* counts what has made fetches that were under way useless */
} __attribute__((aligned(64)));
_Static_assert(sizeof(void *) != 8 || sizeof(struct sm_warp) == 64, "one line of the host's cache");

/* What memory and control instructions need, and the start and end of a warp. */
struct sm_warp_rest {
	/* Of each pending bit: PRODUCER_IS_MEMORY + its memory_op, PRODUCER_IS_TENSOR + its
	 * micro-operation or, if the run is profiled, the micro-operation alone. */
	uint32_t *producer;
	uint64_t *more; /* further words of the scoreboard: those of pending, then of from_memory */
	struct kernel_stats *counts; /* of its kernel on this SM */
	uint64_t instructions;       /* that it has issued; counted if sm->spec.counts_of_warps */
	cycles started, counted;     /* when it started; its residence is counted up to `counted` */
	uint32_t copy_groups;        /* of cp.async, committed */
	uint32_t copies_until;       /* WARP_AT_COPIES: it waits for groups up to this one */
	cycles fence_due; /* WARP_AT_MEMBAR: its fence ends not before; SIM_NEVER: it waits for no store */
} __attribute__((aligned(64)));
_Static_assert(sizeof(void *) != 8 || sizeof(struct sm_warp_rest) == 64, "one line of the host's cache");

/* Warp states: of a warp that can issue, the unit of its instruction (UNIT_SP ... UNIT_CONTROL, or one of the
 * those below); of any other, WARP_STATE_WAITING + what it waits for. */
enum {
	READY_LOAD = UNIT_COUNT, /* UNIT_LDST: a load through the L1 */
	/* only with a coalescer that has gates: */
	READY_ORDERED_LOAD, /* as READY_LOAD, but volatile or the like: no access of its warp may pass it */
	READY_STORE,        /* UNIT_LDST: a store, an atomic, or another access that is no load */
	READY_BARRIER,      /* UNIT_CONTROL: a barrier instruction */
	READY_FENCE,        /* UNIT_CONTROL: a membar */
	READY_COUNT,
	WARP_STATE_WAITING = READY_COUNT - SLOT_arithmetic, /* + enum slot_cause, from SLOT_arithmetic on */
	WARP_STATES = WARP_STATE_WAITING + SLOT_COUNT,
};

#endif
