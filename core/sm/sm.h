/* core/sm/sm.h -- one streaming multiprocessor: warps, instruction buffers, scoreboard, schedulers, units and
 * the load/store unit (core/lsu) with its caches.
 *
 * A component of PHASE_SM. One tick follows the pipeline from its end: results that are due (timing_wheel.h),
 * replies from the crossbar, the load/store unit, issue, fetch. The SM sleeps when no warp can issue and
 * nothing moves, until a result is due or a port wakes it. Which warps are ready is kept in masks, which are
 * updated only for a warp to which something has happened. */
#ifndef CORE_SM_SM_H
#define CORE_SM_SM_H

#include "core/exec/device_fault.h"
#include "core/exec/exec.h"
#include "core/kernel/occupancy.h"
#include "core/simt/control.h"
#include "core/sm/lsu_state.h"
#include "core/sm/load_counts.h"
#include "core/sm/collector.h"
#include "core/sm/issue_counts.h"
#include "core/sm/sm_config.h"
#include "core/sm/sm_stats.h"
#include "core/sm/sm_warp.h"
#include "core/sm/timing_wheel.h"
#include "core/sched/warp_mask.h"
#include "memsys/coalescer/gates.h"
#include "memsys/listener.h"
#include "sim/event/clock.h"
#include "sim/event/packet.h"

struct bulk_engine;
struct cluster_access;
struct cache_config;
struct gpu;
struct guards;
struct phase_waits;
struct products;
struct l15;
struct limiter;
struct occupancy_observer;
struct partition_map;
struct request_observer;
struct role_observer;
struct warp_timeline;
struct instruction_observer;
struct sched;

struct sm_cta {
	struct cta cta;
	bool used;
	bool is_lent;       /* goes on without timing for a while, and then perhaps here */
	bool has_left;      /* goes on without timing, or has come back elsewhere: what is here only drains */
	bool has_triggered; /* grids that depend on its own may start, as far as it goes */
	uint16_t barriers;  /* passed, modulo 2^16; counted if there is a request buffer */
	uint32_t warps_left;              /* that have not given back their slots */
	struct cta_allocation allocation; /* resources taken */
	cycles started;
};

/* A CTA that has ended. What it has taken is free when the machine has counted it (core/gpu/commit.c). */
struct ended_cta {
	struct kernel_run *run;
	bool has_left, has_triggered;
	struct cta_allocation allocation;
	struct cluster *cluster; /* NULL: none; else the CTA's rank in it */
	uint32_t rank;
	uint32_t place; /* its index among the SM's CTAs */
};

/* Memory that is kept when its user ends, and grown when a larger one comes. */
struct sm_storage {
	void *memory; /* aligned as registers are */
	uint64_t size;
};

/* Fetches instructions for some warps, one of them in a cycle. */
struct fetcher {
	struct cache *cache;
	struct cache *operands; /* constants that are operands (core/issue/operands.h); NULL: they are always
				   here */
	warp_mask warps;
	uint32_t last; /* for which it fetched last */
};

/* What the other schedulers have issued in this cycle, as far as instructions of f64 and others exclude each
 * other. */
enum dp_lock {
	DP_FREE,
	DP_LOCKED, /* another has issued: no f64 instruction may */
	DP_LOCKS   /* it was an f64 instruction: nothing else may issue */
};

/* What the idle slots of one scheduler go to. */
struct stall_attribution {
	uint8_t cause; /* enum slot_cause */
	uint8_t slot;  /* the warp that is charged, unless the cause is no_warp */
	/* What changes the cause, besides a change of the scheduler's warps or of the gates: time; nothing,
	 * since all warps wait; room in the load/store unit, for which all that can issue wait. */
	enum { LASTS_NOT, LASTS, LASTS_WITHOUT_ROOM } lasts : 8;
	/* with a profile: */
	uint32_t uop;
	uint32_t producer; /* the instruction whose result the warp awaits; NO_PRODUCER: none */
};
#define NO_PRODUCER UINT32_MAX

/* What an SM is: fixed when it is built, but for what a change of policies exchanges (core/gpu/change.h). The
 * parts that it points to have state of their own. */
struct sm_spec {
	/* what each instruction uses: one cache line, and the beginnings of two more */
	const struct sm_config *config;
	struct exec *exec;
	const exec_function *table; /* exec_table(), or the livelock detector's (livelock.h) */
	cycles (*cycle)(struct sm *sm, cycles now, cycles due); /* sm_cycle, or the same for SMs like this one
								   (core/pipeline/specialise.h) */
	struct cache *l1d;
	uint32_t clock_ratio; /* shader cycles in a cycle: %clock counts those */
	uint32_t own_units;   /* units (bits) of which each scheduler has its own */
	uint32_t fetch_below; /* while the buffer of a warp has no more, a fetch has room in it */
	uint16_t fetch_line;  /* bytes of a line of the instruction cache */
	uint16_t number;
	bool notifies_schedulers;        /* of long waits, since their policy asks for it */
	bool is_limited;                 /* the limiter decides something */
	bool has_gates;                  /* the coalescer decides when warps may access memory */
	bool counts_of_warps;            /* each warp's instructions are counted */
	bool fetches_ahead;              /* before the buffer is empty */
	warp_mask owned[MAX_SCHEDULERS]; /* the warps of each scheduler */
	struct sched *schedulers[MAX_SCHEDULERS];

	struct gpu *gpu;
	control_function control; /* control_execute, or the livelock detector's */
	uint32_t fetchers;        /* of struct sm_state, so many */
	struct cache *constants, *texture;
	uint32_t l1d_lookups, l1d_banks; /* sm.l1d.lookups and banks */
	uint32_t l1d_fill_bytes; /* sm.l1d.fill_port_bytes, if its banks are modelled; 0: fills do not use
				    them */
	struct limiter *limiter;
	struct sched *former_schedulers[MAX_SCHEDULERS]; /* exchanged (core/gpu/change.h); NULL: none */
	struct l15 *l15;           /* behind the constants and instructions; NULL: the L2 is */
	struct cache *own_texture; /* texture, unless textures use the L1 (sm.texture_in_l1) */
	double cycles_per_ps;
	cycles longest_load;                               /* that timestamps can divide into stages: 4 ms */
	struct request_observer *requests;                 /* NULL: requests are not observed */
	struct instruction_observer *instruction_observer; /* NULL: nor loads by instruction */
	struct occupancy_observer *occupancy_observer;     /* NULL: occupancy is not observed */
	struct role_observer *role_observer;               /* NULL: nor roles of warps */
	struct warp_timeline *warp_timeline;               /* NULL: nor each cycle of each warp */
	bool watches_warps;                                /* one of these two does */
} __attribute__((aligned(64)));

/* What the SM would have to be given to go on from a cycle. What a cycle touches comes first. */
struct sm_state {
	struct local_time local;   /* of the tick; of the last one, while it sleeps */
	uint8_t dp_lock;           /* enum dp_lock, within a cycle */
	bool barrier_taken;        /* one has issued, and another cannot in this cycle */
	bool slots_on;             /* issue slots are accounted */
	bool fetch_waits_for_room; /* some of fetch_blocked wait for the miss queue */
	uint32_t first_scheduler;  /* the one that is asked first in the next cycle */

	/* each warp is in one of these; in the first READY_COUNT are those that can issue */
	warp_mask warps_in_state[WARP_STATES];
	warp_mask ready; /* those */
	warp_mask present, fetch_wanted;
	warp_mask replaying; /* have replays to issue (replays.h) */
	warp_mask starved;   /* have not issued for long: they go first */
	struct warp *warps;
	cycles starvation_check;       /* when to look for starved warps again */
	cycles barrier_free;           /* when a warp may arrive at a barrier again */
	cycles slots_from, slots_next; /* issue slots are accounted from ... up to, exclusive */
	warp_mask fetch_blocked; /* the instruction cache had no room for their fetch (MSHRs, miss queue) */
	warp_mask allowed;       /* by the limiter to issue (throttle.c) ... */
	warp_mask allowed_loads; /* ... and to load through the L1 */
	struct port response, request;        /* from and to the crossbars */
	struct device_fault fault;            /* every tick reads its kind */
	struct fetcher fetch[MAX_SCHEDULERS]; /* of the SM, or of each scheduler */
	struct products *products;
	struct guards *guards;           /* NULL: predicates guard as soon as they are operands */
	warp_mask at_phase;              /* asleep until a phase is over: ... */
	struct phase_waits *phase_waits; /* ... core/issue/phase_waits.h; NULL: none ever is */
	warp_mask polls; /* warps of kernels with loops that wait for a phase (core/issue/poll_loops.h) */
	warp_mask operand_waits;      /* wait for a constant that is an operand */
	struct coalescer_gates gates; /* by the coalescer to access memory */

	struct collectors collectors __attribute__((aligned(64)));
	struct collectors *sub_cores; /* those of each scheduler; NULL: all are the SM's */
	struct timing_wheel wheel;
	struct lsu lsu;
	uint32_t tensor_columns;        /* that are free (core/simt/tensor_columns.h) */
	struct bulk_engine *bulk;       /* core/lsu/bulk_engine.h */
	struct cluster_access *cluster; /* core/lsu/cluster_access.h */

	struct sm_warp timing[MAX_WARPS];
	struct sm_warp_rest timing_rest[MAX_WARPS];
	uint32_t replays[MAX_WARPS], replay_uop[MAX_WARPS]; /* to issue, of which instruction */

	struct sm_cta *ctas;
	struct sm_use use;    /* by resident CTAs */
	warp_mask bypass;     /* their loads go past the L1 */
	warp_mask long_waits; /* schedulers have been notified that these wait for something long */
	cycles limited_since; /* the limiter's statistics are counted up to here */
	uint64_t slots_before;
	cycles room_due; /* in which a CTA that has ended gives up what it had; SIM_NEVER: none has it yet
			    (core/gpu/cta_turnaround.h) */
	warp_mask empties_l1;  /* at fences: the L1 is emptied when their stores have been acknowledged */
	warp_mask left_stores; /* slots of warps that have ended before their stores were acknowledged */
	bool stores_drained;   /* in this cycle: the last of some slot of those was */
	bool has_warnings;     /* from this cycle */
	bool has_triggered;    /* CTAs have, in this cycle */
	bool cluster_changed;  /* threads have arrived at a cluster's barrier in this cycle, or exited */
	uint32_t ctas_ended;
	struct ended_cta *ended;   /* in this cycle */
	struct warnings *warnings; /* of this cycle (warnings.h) */

	/* registers, predicates and scoreboard of the warp in each slot; shared memory of each CTA */
	struct sm_storage warp_storage[MAX_WARPS], *cta_storage;
} __attribute__((aligned(64)));

/* What only serves the host's speed, or the order of its work: the model would be the same without. */
struct sm_host {
	uint8_t *needs_commit; /* in gpu->needs_commit: the commit phase is to look at it */
	bool asks;       /* in this cycle there are stores to commit, a CTA that ended, a fault, warnings */
	bool called;     /* by the machine, since its last tick: there may be something to do at once */
	bool more_ready; /* after this cycle of issue warps are left that could have issued */
	bool quiet;      /* in the last cycle of issue no warp could issue, and nothing has happened since */
	bool never_sleeps; /* for tests: with warps, it ticks in each cycle, which must change nothing */
	warp_mask changed; /* have changed since the cause of their scheduler's lost slots was found */
	struct kernel_run *sole_run; /* the kernel of all warps; NULL: there are none, or several kernels */
	struct sm_window *window;    /* what the SM may do ahead of the machine (core/lookahead/window.h) */
	const bool *is_profiled;     /* some launch has been: slots without a warp may be its kernel's */
	uint32_t *fill_tokens;
	struct issue_counts counts;                           /* not yet in the statistics */
	struct stall_attribution attribution[MAX_SCHEDULERS]; /* of lost issue slots, and during a sleep */
	struct packet_pool pool;
	struct memory_range range_cache[RANGE_CACHE];
} __attribute__((aligned(64)));

/* SMs evict each other from the host's cache, so that in each part what every tick reads comes first. */
struct sm {
	struct component component; /* first */
	struct sm_spec spec;
	struct sm_state state;
	struct sm_host host;
	struct sm_stats stats __attribute__((aligned(64)));
	struct load_counts load_counts;
};

/* What an SM is made of. */
struct sm_parts {
	struct gpu *gpu;
	struct simulator *sim;
	struct stat_tree *stats;
	const struct sm_config *config;
	const struct cache_config *l1d, *constants, *instructions, *texture, *l15;
	const struct tlb_config *tlb;
	/* policies, as they are configured */
	const struct sched *scheduler;
	const struct limiter *limiter;
	const struct coalescer *coalescer;
	const struct request_buffer *request_buffer;
	const struct bypass *bypass, *stall_bypass;
	const struct partition_map *map;
	struct device_memory *memory;
	struct services *services;
	const struct warnings *warnings; /* the machine's */
	uint8_t *needs_commit;           /* the SM's flag */
	const bool *is_profiled;         /* some launch has been */
	void (*tick)(struct component *sm, cycles now);
	double clock_ratio; /* of the shader clock and the SM's */
};
struct sm *sm_new(const struct sm_parts *parts, uint16_t number);
void sm_free(struct sm *sm);

/* One cycle of the SM, at sm->state.local (core/pipeline/pipeline.c). The next one in which something can
 * happen by itself; `due`, in which there will be a reply, if that is earlier (SIM_NEVER: that is not known).
 */
cycles sm_cycle(struct sm *sm, cycles now, cycles due);
/* Gives the warp's slot back if the warp has exited and nothing of it is in flight
 * (core/pipeline/residency.c). */
void sm_retire_if_done(struct sm *sm, uint32_t slot);

/* In this cycle there are stores to commit, a CTA has ended, or something has gone wrong. */
static inline void sm_ask_commit(struct sm *sm)
{
	sm->host.asks = true;
}

/* What timing adds to the warp in a slot. The compiler is not told where the pointer comes from, since it
 * would rather work the address out anew for each field. */
static inline struct sm_warp *sm_timing(struct sm *sm, uint32_t slot)
{
	struct sm_warp *t = &sm->state.timing[slot];

	__asm__("" : "+r"(t));
	return t;
}

/* Whether issue slots of the cycle are accounted. */
static inline bool sm_counts_slots(const struct sm *sm, cycles now)
{
	return sm->state.slots_on && now >= sm->state.slots_from;
}

#include "core/sm/specialised.h"

#endif
