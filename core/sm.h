/* core/sm.h -- one streaming multiprocessor: warps, instruction buffers, scoreboard, schedulers, units and
 * the load/store unit (lsu.c) with its caches.
 *
 * A component of PHASE_SM. One tick, in the order of a pipeline read from its end: results due (wheel),
 * replies from the crossbar, the load/store unit, issue, fetch. It sleeps when no warp can issue and nothing
 * moves, until a result is due or a port wakes it. Readiness is kept in masks, renewed only for a warp to
 * which something happened. */
#ifndef CORE_SM_H
#define CORE_SM_H

#include "core/sched/sched.h"
#include "core/sm_config.h"
#include "core/warp.h"
#include "memsys/cache.h"
#include "memsys/coalesce.h"
#include "sim/packet.h"

struct gpu;

/* Results that are due at a known cycle, in a ring of lists. */
#define WHEEL_SIZE 2048 /* more than any latency */
enum wheel_kind { WHEEL_RESULT, WHEEL_FETCHED, WHEEL_MEMORY, WHEEL_AWAKE };
struct wheel_entry {
	uint32_t next; /* index in the SM's entries; 0 ends */
	uint16_t kind, slot;
	uint32_t value; /* RESULT: micro-operation; FETCHED: instructions; MEMORY: operation */
};

/* A memory instruction from issue to its last reply. */
struct memory_op {
	uint32_t next_free;
	uint32_t uop;
	uint16_t slot;
	uint16_t pending; /* replies to come */
	bool sent;        /* all its requests have left the load/store unit */
	uint32_t group;   /* cp.async: the group that it belongs to, from 1; else 0 */
	cycles ready;     /* when the hits among its lines deliver */
	cycles issued;
};

/* Local memory is interleaved by words: each of the up to eight words of a 32-byte access lies in lines of its
 * own. */
#define MAX_ACCESS_LINES (8 * MAX_LINE_REQUESTS)

/* A memory instruction that waits for, or goes through, the coalescer. */
struct lsu_entry {
	uint32_t op;
	uint8_t kind;   /* enum lsu_kind */
	uint8_t packet; /* enum packet_kind */
	bool uncached, wants_data;
	uint16_t bytes;        /* of a packet: line or segment; 0: by byte mask */
	uint32_t count, next;  /* line requests, the next to go */
	uint32_t extra_cycles; /* shared memory, cp.async: bank conflicts; constants: distinct addresses */
	struct line_request lines[MAX_ACCESS_LINES];
};
enum lsu_kind { LSU_GLOBAL, LSU_SHARED, LSU_CONSTANT, LSU_PARAM };

struct lsu {
	struct lsu_entry *queue; /* ring */
	uint32_t capacity, head, count;
	cycles busy_until; /* the head entry's last service */
	bool stalled;      /* the head was refused and waits for ... */
	uint8_t outcome;   /* ... (enum cache_outcome) */
	cycles stalled_since;
	bool retry; /* ... and what it waits for may be there */
	struct cache *stalled_at;
	struct memory_op *ops; /* index 0 is not used */
	uint32_t free_op, ops_free;
};

struct sm_stats {
	uint64_t warp_instructions, thread_instructions;
	uint64_t issued[UNIT_COUNT + 1];
	uint64_t issue_cycles;
	uint64_t fetches, branches, divergent_branches, barriers;
	uint64_t loads, stores, atomics, shared_accesses, constant_accesses, parameter_accesses;
	uint64_t line_requests, shared_conflict_cycles, lsu_stall_cycles;
	uint64_t ctas, warp_cycles;
	struct sim_histogram lines_per_access, load_latency;
};
extern const struct sim_stat sm_stats[];

struct sm_warp {          /* what timing adds to a warp */
	uint8_t buffered; /* decoded instructions, from the warp's pc on */
	bool fetching;
	uint8_t ready_unit; /* in which ready mask its bit may stand */
	uint16_t in_flight; /* instructions whose results are to come */
	uint16_t stores;    /* store packets not yet acknowledged */
	uint32_t copy_groups; /* of cp.async, committed */
	uint32_t copies_until; /* WARP_AT_COPIES: waits for groups up to this one */
	uint64_t *pending;  /* scoreboard: run->words words */
	cycles started, issued; /* when it started, last issued */
	uint8_t favours;        /* instructions that it still goes first with, once starved */
	cycles awake; /* while ASLEEP: when it may issue again */
};

struct sm_cta {
	struct cta cta;
	bool used;
	uint32_t warps_left;        /* slots not yet given back */
	struct cta_share share;     /* resources taken */
	cycles started;
};

struct sm {
	struct component component; /* first */
	struct gpu *gpu;
	const struct sm_config *config;
	uint16_t number;

	/* warps: bit w of every mask is slot w */
	warp_mask present, fetch_wanted;
	warp_mask ready[UNIT_COUNT];
	struct warp *warps;
	struct sm_warp timing[MAX_WARPS];
	struct sm_cta *ctas;
	struct sm_use use; /* by resident CTAs */
	uint32_t fetch_last;
	struct sched *schedulers[MAX_SCHEDULERS];
	warp_mask owned[MAX_SCHEDULERS];
	uint32_t first_scheduler; /* asks first in the next cycle */
	warp_mask starved;        /* have not issued for long: go first */
	cycles starvation_check;  /* when to look for such warps again */

	cycles unit_free[UNIT_COUNT][MAX_UNIT_COPIES];
	uint32_t unit_copies[UNIT_COUNT];

	uint32_t wheel[WHEEL_SIZE];
	uint64_t wheel_busy[WHEEL_SIZE / 64];
	struct wheel_entry *entries;
	uint32_t free_entry, entry_count;

	struct lsu lsu;
	struct cache *l1d, *constants;
	struct port request, response; /* to and from the crossbars */
	struct packet_pool pool;
	uint32_t *fill_tokens;

	/* storage of the resident warps, for the kernel that runs */
	void *register_memory, *predicate_memory, *pending_memory, *shared_memory;
	uint64_t register_size, predicate_size, pending_size, shared_size;
	uint32_t cta_shared_stride;

	struct exec *exec;
	const exec_function *table; /* exec_table(), kept */
	struct memory_range range_cache[2];
	struct device_fault fault;
	bool needs_commit; /* this cycle: stores to commit, a CTA that ended, a fault */
	uint32_t ctas_ended;

	struct sm_stats stats;
};

struct sm *sm_new(struct gpu *gpu, struct simulator *sim, const struct sm_config *config,
	const struct sched *prototype, const struct cache_config *l1d, const struct cache_config *constants,
	const struct partition_map *map, struct device_memory *memory, uint16_t number,
	struct stat_tree *stats);
void sm_free(struct sm *sm);

/* Before the first CTA of a kernel: storage, range cache, L1 invalidated. The SM is empty. */
void sm_prepare(struct sm *sm, const struct kernel_run *run);
/* Whether another CTA of the kernel fits, and starting it. */
bool sm_has_room(const struct sm *sm, const struct kernel_run *run);
void sm_start_cta(struct sm *sm, struct kernel_run *run, uint64_t number, cycles now);
bool sm_is_empty(const struct sm *sm);
/* Throws away what runs (after a fault): warps, queues, replies to come. Only for a machine that is torn down
 * afterwards. */
void sm_describe_waiting(const struct sm *sm, struct device_fault *fault, uint32_t *limit);

/* --- for the files of the SM only --- */
/* scoreboard.c */
void sm_renew(struct sm *sm, uint32_t slot); /* readiness of a warp */
/* wheel.c */
void wheel_init(struct sm *sm);
void wheel_run(struct sm *sm, cycles now); /* what is due now happens */
cycles wheel_next(const struct sm *sm, cycles now); /* the next cycle after now at which something is due, or SIM_NEVER */
/* fetch.c */
void fetch_arrived(struct sm *sm, uint32_t slot, uint32_t count);
void fetch_next(struct sm *sm, cycles now);
void sm_schedule(struct sm *sm, cycles when, enum wheel_kind kind, uint32_t slot, uint32_t value);
void sm_sleep(struct sm *sm, uint32_t slot, uint32_t nanoseconds, cycles now); /* the warp does not issue for so long */
void sm_release(struct sm *sm, uint32_t slot, uint32_t uop); /* a result has arrived */
void sm_retire_if_done(
	struct sm *sm, uint32_t slot); /* gives the slot back once the warp has exited and drained */
void sm_issue(struct sm *sm, cycles now);
bool sm_issue_pending(const struct sm *sm, cycles now, cycles *next); /* something can issue at *next */

void lsu_init(struct sm *sm);
void lsu_fini(struct sm *sm);
bool lsu_has_room(const struct sm *sm);
/* The instruction has executed (addresses are in sm->exec): enters the queue. active is not 0. */
void lsu_accept(struct sm *sm, uint32_t slot, uint32_t uop, lane_mask active, cycles now);
void lsu_tick(struct sm *sm, cycles now);
void lsu_receive(struct sm *sm, cycles now); /* one reply from the crossbar */
/* The warp has come to a CP_WAIT: stops it if copies that it waits for are on the way. */
void lsu_await_copies(struct sm *sm, uint32_t slot, int64_t groups);
void lsu_complete(struct sm *sm, uint32_t op, cycles now);
cycles lsu_next(
	const struct sm *sm, cycles now); /* when it can next do something by itself; SIM_NEVER: when woken */
const char *lsu_waits_for(const struct sm *sm);

#endif
