/* core/sm/sm.h -- one streaming multiprocessor: warps, instruction buffers, scoreboard, schedulers, units and
 * the load/store unit (lsu.c) with its caches.
 *
 * A component of PHASE_SM. One tick, in the order of a pipeline read from its end: results due (timing
 * wheel), replies from the crossbar, the load/store unit, issue, fetch. It sleeps when no warp can issue and
 * nothing moves, until a result is due or a port wakes it. Readiness is kept in masks, renewed only for a
 * warp to which something happened. */
#ifndef CORE_SM_SM_H
#define CORE_SM_SM_H

#include "core/sm/collector.h"
#include "core/sm/issue_counts.h"
#include "core/sm/issue_table.h"
#include "core/limiter/limiter.h"
#include "core/lsu/load_time.h"
#include "core/sched/sched.h"
#include "core/sm/sm_config.h"
#include "core/simt/warp.h"
#include "core/sm/timing_wheel.h"
#include "memsys/bypass/bypass.h"
#include "memsys/l1/cache.h"
#include "memsys/coalesce.h"
#include "memsys/request_buffer/request_buffer.h"
#include "sim/event/packet.h"

struct gpu;

/* A memory instruction from issue to its last reply. */
struct memory_op {
	uint32_t next_free;
	uint32_t uop;
	uint16_t slot;
	uint16_t pending; /* replies to come */
	bool sent;        /* all its requests have left the load/store unit */
	bool is_load;     /* ld */
	uint8_t cause;    /* enum slot_cause: what a warp that needs its data waits for */
	uint32_t group;   /* cp.async: the group that it belongs to, from 1; else 0 */
	cycles ready;     /* when the hits among its lines deliver */
	cycles issued;
	timestamp entered, offered; /* the last of those hits left the coalescer; the request buffer (without
				    one the same) */
};

/* Local memory is interleaved by words: each of the up to eight words of a 32-byte access lies in lines of
 * its own. */
#define MAX_ACCESS_LINES (8 * MAX_LINE_REQUESTS)

/* A memory instruction that waits for, or goes through, the coalescer. */
struct lsu_entry {
	uint32_t op;
	uint8_t kind; /* enum lsu_kind */
	bool more;    /* the next entry is of the same instruction, whose lanes fell into several spaces */
	timestamp offered;    /* its next request left the coalescer; 0: it has not */
	cycles ready;         /* its addresses are there: not served before */
	uint32_t count, next; /* line requests; how many have gone */
	uint32_t at;    /* which of lines[] is the next to go: after the last, the first of those kept */
	uint32_t kept;  /* with replays: so many at the front of lines[] have been refused, and let the others
			   go first */
	uint32_t tried; /* with replays: how many have been offered at least once, but for those that the miss
			   queue refused */
	uint32_t extra_cycles; /* shared memory, cp.async: bank conflicts; constants: distinct addresses */
	struct buffered_request request; /* what its line requests have in common; then the one that goes
					    (take_line) */
	struct line_request lines[MAX_ACCESS_LINES];
};
enum lsu_kind { LSU_GLOBAL, LSU_TEXTURE, LSU_CONSTANT, LSU_SHARED, LSU_PARAM };

/* A request that a cache has refused: it tries again when what was lacking may be there. */
struct lsu_refusal {
	bool is_refused, retry;
	bool port_too;              /* entries that were deferred for it wait for the miss queue */
	uint8_t outcome;            /* enum cache_outcome */
	cycles since, failed_since; /* lost cycles, failed retries: not yet counted from here on */
	struct cache *at;
};

#define MORE_PARTS 3 /* beyond the first, of an instruction whose lanes fall into several spaces */

/* Memory instructions in order: one head at a time. What every tick looks at stands first. */
struct lsu_pipe {
	struct lsu_entry *entry; /* `places`; of these `capacity` are there for what may issue, the rest for
				    parts */
	struct lsu_order {
		uint16_t entry, slot; /* slot: of its warp, if the place is in use */
	} * order; /* ring of all of them; `count` from `head` on are in use, behind them those used last come
		      first */
	uint32_t capacity, order_size, head, count;
	cycles busy_until; /* the head entry's last service */
	uint32_t deferred; /* the last so many have been refused since what they lack may last have come
			       (lsu_replay.c) */
	bool port_too;     /* a deferred entry waits for the miss queue */
	bool waits;        /* the head's next request finds no room in the request buffer ... */
	struct lsu_refusal refusal; /* of the head's next request */
	cycles waits_since;
	cycles unit_until; /* texture: the units are busy with its addresses */
};

/* The so manieth place from the head. */
static inline struct lsu_order *lsu_order_at(const struct lsu_pipe *p, uint32_t at)
{
	uint32_t index = p->head + at;

	return &p->order[index >= p->order_size ? index - p->order_size : index];
}
/* And the entry there. */
static inline struct lsu_entry *lsu_entry_at(const struct lsu_pipe *p, uint32_t at)
{
	return &p->entry[lsu_order_at(p, at)->entry];
}
/* The entry that gave up its place at the head is the next to be used again, while the host's cache has it.
 */
static inline void lsu_pop_order(struct lsu_pipe *p)
{
	struct lsu_order *head = lsu_order_at(p, 0), *behind = lsu_order_at(p, p->count), freed = *head;

	if (p->count < p->order_size) {
		*head = *behind;
		*behind = freed;
	}
	if (++p->head == p->order_size)
		p->head = 0;
	p->count--;
}

/* Hits of the head of `memory` that are known beforehand (lsu_batched_hits.c). */
struct lsu_batched_hits {
	uint32_t count; /* lines not yet looked up and counted ... */
	cycles from;    /* ... the first of them is in this cycle */
};

struct lsu {
	struct lsu_pipe memory; /* everything but textures */
	struct memory_op *ops;  /* index 0 is not used */
	uint32_t free_op, ops_free;
	struct request_buffer *buffer; /* between coalescer and L1; NULL: none */
	struct lsu_pipe texture;       /* the texture units */
	cycles buffer_changed;         /* when count changed last */
	struct lsu_refusal drain;      /* of the request that the buffer offers */
	timestamp drain_offered;       /* and since when it does; 0: it has not yet */
	struct bypass *bypass;         /* NULL: none */
	struct bypass *stall_bypass;   /* asked of refusals, after it; NULL: none */
	bool bypasses;                 /* there is one of the two */
	struct lsu_batched_hits batch;
	const struct packet *reply;    /* being received, and ... */
	const struct cache_wait *wait; /* ... how the request came that it serves now; NULL: as the reply says
					*/
} __attribute__((aligned(64)));

struct sm_stats {
	uint64_t issue_cycles, fetches, bank_conflict_cycles, write_conflict_cycles, result_bus_cycles,
		flushes, line_requests, lsu_waiting_cycles; /* one line of the host's cache */
	uint64_t warp_instructions, thread_instructions;
	uint64_t issued[UNIT_COUNT];
	uint64_t issue_slots[SLOT_COUNT];
	uint64_t branches, divergent_branches, barriers;
	uint64_t loads, stores, atomics, shared_accesses, constant_accesses, parameter_accesses;
	uint64_t shared_conflict_cycles, lsu_stall_cycles, lsu_in_flight_cycles;
	uint64_t texture_accesses, texture_lines;
	uint64_t ctas, warp_cycles;
	uint64_t dual_issues, prefetches;
	struct sim_histogram lines_per_access, load_latency;
};
extern const struct sim_stat sm_stats[];

/* What timing adds to a warp: what each instruction needs stands in the first cache line. */
struct sm_warp {
	const struct issue_entry *entry; /* the run's: of each micro-operation */
	struct kernel_run *run;          /* the warp's */
	uint64_t pending;                /* scoreboard, the first word: results to come, and ... */
	uint64_t from_memory;            /* ... of them, those that the load/store unit delivers */
	uint64_t awaited; /* of them, those that the next instruction needs; up to date while `cause` says
			     that it waits for data */
	cycles issued;    /* when it last issued */
	uint16_t words;   /* of the scoreboard */
	uint8_t buffered; /* decoded instructions, from the warp's pc on */
	bool fetching;
	bool flushed;             /* the buffer is empty because of a branch */
	uint8_t cause;            /* enum slot_cause: what it waits for; SLOT_issued: it can issue */
	uint8_t state;            /* in which of the SM's masks its bit stands */
	uint16_t in_flight;       /* instructions whose results are to come */
	uint16_t stores;          /* store packets not yet acknowledged */
	uint8_t priority_credits; /* instructions that it still goes first with, once starved */
	uint8_t index;            /* of its local memory, among those of its kernel on this SM */

	const uint64_t *more_banks;  /* the run's */
	uint32_t *producer;          /* of each pending bit: PRODUCER_IS_MEMORY + its memory_op; if the run is
					profiled, or else the instruction */
	uint64_t *more;              /* the other words of pending, then of from_memory */
	struct kernel_stats *counts; /* of its kernel on this SM */
	uint64_t instructions;       /* that it has issued, if there is a limiter */
	cycles started, counted;     /* when it started; its residence is counted up to there */
	uint32_t copy_groups;        /* of cp.async, committed */
	uint32_t copies_until;       /* WARP_AT_COPIES: waits for groups up to this one */
} __attribute__((aligned(64)));
_Static_assert(sizeof(void *) != 8 || sizeof(struct sm_warp) == 128, "two cache lines");

/* The mask in which a warp stands: if it can issue, by its instruction's unit (UNIT_SP ... UNIT_CONTROL, or
 * one of these two), else by what it waits for. */
enum {
	READY_LOAD = UNIT_COUNT, /* UNIT_LDST: a load through the L1 */
	READY_BARRIER,           /* UNIT_CONTROL: a barrier instruction */
	READY_COUNT,
	WARP_STATE_WAITING = READY_COUNT - SLOT_arithmetic, /* + enum slot_cause, from SLOT_arithmetic on */
	WARP_STATES = WARP_STATE_WAITING + SLOT_COUNT,
};

/* What the other schedulers have issued in this cycle, as far as f64 instructions and others exclude each
 * other. */
enum dp_lock { DP_FREE, DP_LOCKED /* another has issued: no f64 */, DP_LOCKS /* it was f64: nothing else */ };

#define PRODUCER_IS_MEMORY 0x80000000u

struct sm_cta {
	struct cta cta;
	bool used;
	uint16_t epoch;      /* barriers passed, modulo 2^16; counted if there is a request buffer */
	uint32_t warps_left; /* slots not yet given back */
	struct cta_allocation allocation; /* resources taken */
	cycles started;
};

struct sm_storage {
	void *memory; /* of the alignment of registers */
	uint64_t size;
};

struct request_observer;
struct occupancy_observer;

/* What every tick looks at stands first and close together, ordered by lines of the host's cache: SMs take
 * turns in it. */
struct sm {
	struct component component; /* first */
	const struct sm_config *config;
	struct gpu *gpu;
	uint16_t number;
	uint8_t dp_lock;          /* enum dp_lock, within a cycle */
	bool barrier_taken;       /* one has issued in this cycle, and another cannot */
	bool notifies_schedulers; /* of long waits, since they want to know */
	bool is_limited;          /* the limiter decides something */
	bool slots_on;
	bool has_warnings;     /* this cycle */
	uint8_t *needs_commit; /* in gpu->needs_commit: this cycle it has stores to commit, a CTA that ended,
				  a fault, or warnings */

	/* warps: bit w of every mask is slot w */
	warp_mask warps_in_state[WARP_STATES]; /* each warp in one of them; up to READY_COUNT: those that can
						  issue */
	warp_mask present, fetch_wanted;
	warp_mask fetch_blocked; /* their fetch found no room in the instruction cache's MSHRs or miss queue
				  */
	warp_mask starved;       /* have not issued for long: go first */
	warp_mask allowed;       /* by the limiter to issue (throttle.c) ... */
	warp_mask allowed_loads; /* ... and to load through the L1 */
	cycles starvation_check; /* when to look for starved warps again */
	cycles slots_from, slots_next; /* issue slots are accounted from ... up to, exclusive */
	warp_mask owned[MAX_SCHEDULERS];
	struct sched *schedulers[MAX_SCHEDULERS];
	struct warp *warps;
	struct exec *exec;
	const exec_function *table; /* exec_table(), kept; or the watch's (livelock.h) */
	control_function control;   /* control_execute, or the watch's */
	uint32_t first_scheduler;   /* asks first in the next cycle */
	uint32_t fetch_last;
	struct cache *instructions;
	struct limiter *limiter;
	struct request_observer *requests; /* NULL: nobody observes them */
	uint16_t fetch_line;               /* bytes of a line of the instruction cache */
	bool fetch_waits_for_room;         /* some of fetch_blocked do, in the miss queue */
	uint32_t clock_ratio;              /* %clock counts so many for each cycle: shader cycles */
	struct device_fault fault;         /* its kind is looked at */

	struct port request, response;                 /* to and from the crossbars */
	struct occupancy_observer *occupancy_observer; /* NULL: nobody observes occupancy */
	struct kernel_run *sole_run; /* whose all warps are; NULL: there are none, or of several */
	struct issue_counts counts;  /* not yet in the statistics */
	struct sm_stats stats __attribute__((aligned(64)));
	struct collectors collectors;
	struct timing_wheel wheel;
	struct lsu lsu;
	struct cache *l1d, *constants, *texture;

	struct sm_warp timing[MAX_WARPS];

	struct sm_cta *ctas;
	struct sm_use use;    /* by resident CTAs */
	warp_mask bypass;     /* their loads go past the L1 */
	warp_mask long_waits; /* schedulers have been told that these wait for something long */
	cycles limited_since; /* the limiter's statistics are counted up to here */
	struct cache_listener l1_listener;
	struct stall_attribution attribution[MAX_SCHEDULERS]; /* what the issue slots of a sleep go to */
	uint64_t slots_before;

	struct packet_pool pool;
	uint32_t *fill_tokens;

	/* registers, predicates and scoreboard of the warp in each slot; shared memory of each CTA: kept, and
	 * grown when a larger one comes */
	struct sm_storage warp_storage[MAX_WARPS], *cta_storage;

	struct memory_range range_cache[RANGE_CACHE];
	uint32_t ctas_ended;
	struct kernel_run **ended; /* this cycle: the kernel of each CTA that has ended */
	struct warnings *warnings; /* of this cycle (warnings.h) */

	struct load_counts load_counts;
	double cycles_per_ps;
	cycles longest_load; /* that moments can divide: 4 ms */
};

struct sm *sm_new(struct gpu *gpu, struct simulator *sim, const struct sm_config *config,
	const struct sched *prototype, const struct limiter *limiter, const struct cache_config *l1d,
	const struct cache_config *constants, const struct cache_config *instructions,
	const struct partition_map *map, struct device_memory *memory, uint16_t number,
	struct stat_tree *stats);
void sm_free(struct sm *sm);

/* Whether so many more CTAs of the kernel fit, beside those of other kernels; and starting one. The kernel's
 * first on this SM finds the L1 without lines: it is not coherent, and what the kernel reads may have been
 * written since they came. */
bool sm_has_room(const struct sm *sm, const struct kernel_run *run, uint32_t ctas);
void sm_start_cta(struct sm *sm, struct kernel_run *run, uint64_t number, cycles now);

/* --- for the files of the SM only --- */
/* scoreboard.c */
void sm_renew(struct sm *sm, uint32_t slot);                                /* readiness of a warp */
void sm_write_back(struct sm *sm, uint32_t slot, uint32_t uop, cycles now); /* a result goes to the register
									       banks */
/* Whether the access goes to global or local memory, be it through the caches: what it brings takes long. */
static inline bool sm_goes_to_memory(const struct uop *u)
{
	if (u->unit != UNIT_LDST || u->code == UOP_LD_PARAM)
		return false;
	return (u->code >= UOP_TEX && u->code <= UOP_SURED) || u->code == UOP_CP_ASYNC ||
		u->space == SPACE_GLOBAL || u->space == SPACE_LOCAL || u->space == SPACE_GENERIC;
}
/* A load among these that looks into the L1, unless it asks for the L2 (.cg, .cv, volatile). */
static inline bool sm_loads_through_l1(const struct uop *u)
{
	return sm_goes_to_memory(u) && (u->code == UOP_LD || u->code == UOP_SULD || u->code == UOP_CP_ASYNC);
}
/* Warps that have an instruction without hazards, for this unit; and for any. */
static inline warp_mask sm_ready_for(const struct sm *sm, uint32_t unit)
{
	warp_mask m = sm->warps_in_state[unit];

	if (unit == UNIT_LDST)
		return m | sm->warps_in_state[READY_LOAD];
	return unit == UNIT_CONTROL ? m | sm->warps_in_state[READY_BARRIER] : m;
}
static inline warp_mask sm_ready(const struct sm *sm)
{
	warp_mask m = 0;

	for (uint32_t i = 0; i < READY_COUNT; i++)
		m |= sm->warps_in_state[i];
	return m;
}
/* The unit for which a warp that can issue is ready. */
static inline uint32_t sm_unit_of(uint32_t state)
{
	return state == READY_LOAD ? UNIT_LDST : state == READY_BARRIER ? UNIT_CONTROL : state;
}
/* Those that wait for something; cause: from SLOT_arithmetic on. */
static inline warp_mask sm_waiting(const struct sm *sm, uint32_t cause)
{
	return sm->warps_in_state[WARP_STATE_WAITING + cause];
}
/* Ready warps of a unit that the limiter lets go (one that has starved goes in any case), and that do not
 * need the barrier unit after another. */
static inline warp_mask sm_unthrottled(const struct sm *sm, uint32_t unit)
{
	warp_mask m = sm->warps_in_state[unit];

	if (unit == UNIT_LDST)
		m |= sm->warps_in_state[READY_LOAD] & (sm->allowed_loads | sm->starved);
	if (unit == UNIT_CONTROL && !sm->barrier_taken)
		m |= sm->warps_in_state[READY_BARRIER];
	return m & (sm->allowed | sm->starved);
}
/* Whether the limiter alone keeps the warp from issuing as far as the SM knows: it is ready, but throttled.
 */
static inline bool sm_is_throttled(const struct sm *sm, uint32_t slot)
{
	uint32_t state = sm->timing[slot].state;
	warp_mask may = (state == READY_LOAD ? sm->allowed & sm->allowed_loads : sm->allowed) | sm->starved;

	return state < READY_COUNT && !(may >> slot & 1);
}
/* throttle.c */
void throttle_init(struct sm *sm, const struct limiter *prototype, struct stat_tree *stats); /* the L1 is
												there */
void throttle_fini(struct sm *sm);
void throttle_decide(struct sm *sm, cycles now); /* to be called before issue once limiter->next has come */
void throttle_sync_stats(struct sm *sm, cycles until); /* the limiter's statistics are counted up to there */
cycles throttle_next(const struct sm *sm, cycles now);
void throttle_kernel(struct sm *sm, const struct kernel_run *run, cycles now); /* its first CTA is about to
										  start here */
void throttle_kernel_ended(struct sm *sm, const struct kernel_run *run, cycles now); /* anywhere */
void throttle_started(struct sm *sm, uint32_t slot, uint64_t age, cycles now);
void throttle_finished(struct sm *sm, uint32_t slot, cycles now); /* the warp has exited */
void throttle_at_barrier(struct sm *sm, uint32_t slot); /* the warp waits at one, or perhaps no longer */
/* The instruction whose result the warp's next one awaits, of several the one farthest away. */
uint32_t sm_awaited(const struct sm *sm, uint32_t slot);
/* timing_wheel.c */
void timing_wheel_init(struct sm *sm);
void timing_wheel_run(struct sm *sm, cycles now); /* what is due now happens */
void timing_wheel_forget(struct sm *sm, uint32_t slot, enum timing_wheel_kind kind); /* the one entry of that
									  kind that the slot has */
cycles timing_wheel_next(const struct sm *sm, cycles now); /* the next cycle after now at which something is
						       due, or SIM_NEVER */
/* residency.c */
void residency_sync_stats(struct sm *sm, cycles until); /* residence of warps is counted up to there */
void sm_free_storage(struct sm *sm);
/* fetch.c */
void fetch_init(struct sm *sm); /* the instruction cache is there */
void fetch_arrived(struct sm *sm, uint32_t slot, uint32_t count);
void fetch_next(struct sm *sm, cycles now);
void fetch_filled(struct sm *sm, const struct packet *reply, cycles now); /* a line for the instruction cache
									   */
bool fetch_is_pending(const struct sm *sm); /* something can be fetched in the next cycle */
/* Something happens in cycle `when`, which is after now. */
static inline void sm_schedule(
	struct sm *sm, cycles when, enum timing_wheel_kind kind, uint32_t slot, uint32_t value);
void sm_sleep(struct sm *sm, uint32_t slot, uint32_t nanoseconds, cycles now); /* the warp does not issue for
										  so long */
void sm_retire_if_done(struct sm *sm, uint32_t slot); /* gives the slot back once the warp has exited and
							 drained */
void sm_issue(struct sm *sm, cycles now);
/* Whether the unit, or a collector before it, can take an instruction now. */
static inline bool sm_unit_takes(const struct sm *sm, uint32_t unit, cycles now);
bool sm_issue_pending(const struct sm *sm, cycles now, cycles *next); /* something can issue at *next */

void lsu_init(struct sm *sm);
void lsu_fini(struct sm *sm);
/* An instruction finds a place in the queues. */
static inline bool lsu_has_room(const struct sm *sm)
{
	const struct lsu *l = &sm->lsu;

	return l->memory.count < l->memory.capacity && l->texture.count < l->texture.capacity && l->ops_free;
}
/* The instruction has executed (addresses are in sm->exec): enters the queue, to be served from `ready` on.
 * active is not 0. Returns its memory_op. */
uint32_t lsu_accept(struct sm *sm, uint32_t slot, uint32_t uop, lane_mask active, cycles ready, cycles now);
/* lsu_prepare.c: fills in the entry, whose op is set and the rest 0, with the lanes that fell into one space;
 * what a warp waits for that needs the data. lsu_count: counts the instruction. */
enum slot_cause lsu_prepare(struct sm *sm, struct lsu_entry *e, const struct uop *u, uint32_t slot,
	uint8_t space, lane_mask active);
void lsu_count(struct sm *sm, uint32_t slot, const struct uop *u);
/* lsu_cache_operator.c: what the instruction's cache operator means for its lines in this space: fills in the
 * entry. */
void lsu_operator(
	const struct sm *sm, struct cache_request *r, const struct uop *u, uint32_t slot, uint8_t space);
/* The load goes through the texture cache. */
static inline bool lsu_reads_through_texture(const struct sm *sm, const struct uop *u, uint8_t space)
{
	return u->combine == CACHE_NC && u->code == UOP_LD && space == SPACE_GLOBAL &&
		sm->config->nc_through_texture;
}
void lsu_tick(struct sm *sm, cycles now);
void lsu_receive(struct sm *sm, cycles now); /* one reply from the crossbar */
/* The warp has come to a CP_WAIT: stops it if copies that it waits for are on the way. */
void lsu_await_copies(struct sm *sm, uint32_t slot, int64_t groups);
void lsu_complete(struct sm *sm, uint32_t op, cycles now);
/* load_time.c: a load instruction has its last datum, with lsu.reply or (NULL) from the L1 or elsewhere in
 * the SM. */
void load_time_add(struct sm *sm, const struct memory_op *op, cycles now);
void lsu_op_reply(struct sm *sm, uint32_t op, cycles now); /* one of the replies that it waits for */
void lsu_store_acknowledged(struct sm *sm, uint32_t slot);
void lsu_copy_landed(struct sm *sm, struct memory_op *op);
/* lsu_path.c: the way of a line request from the coalescer to a cache. */
void lsu_path_init(struct sm *sm, const struct request_buffer *buffer, const struct bypass *bypass,
	const struct bypass *stall_bypass, struct stat_tree *stats);
void lsu_path_fini(struct sm *sm);
/* Offers a request to a cache, by way of the bypass policies, if there are any, which may change it. */
enum cache_outcome lsu_offer(struct sm *sm, struct cache *cache, struct cache_request *r, cycles now);
void lsu_refused(struct lsu_refusal *f, struct cache *at, enum cache_outcome outcome, cycles now);
/* A refused request: must it go on waiting? If not, the cycles in between count as failed retries; *lost
 * grows by the wait. */
bool lsu_still_refused(struct sm *sm, struct lsu_refusal *f, uint64_t *lost, cycles now);
/* Counts a request that a cache has taken. */
void lsu_count_gone(struct sm *sm, const struct buffered_request *b, const struct cache *cache,
	enum cache_outcome outcome);
/* A request of the instruction went on beyond its cache. */
void lsu_goes_beyond(struct sm *sm, struct memory_op *op);
enum request_verdict lsu_enter_buffer(struct sm *sm, struct buffered_request *b, cycles now); /* and says
												 where its CTA
												 is */
void lsu_drain(struct sm *sm, cycles now); /* one request from the buffer to the L1 */
cycles lsu_drain_next(const struct sm *sm, cycles now);
/* lsu_replay.c: a line of the head e has been refused: its other lines go first, or other entries;
 * false: all have been refused, so the head waits. Entries that have come behind the `had` that were there go
 * before the deferred ones. Retried entries go first again, since what they lack may have come. */
bool lsu_replay(struct sm *sm, struct lsu_pipe *p, struct lsu_entry *e);
void lsu_insert_before_deferred(struct sm *sm, struct lsu_pipe *p, uint32_t had, cycles now);
void lsu_retry_deferred(struct lsu_pipe *p);
/* lsu_batched_hits.c: the head e has more than one line to offer for the first time after this cycle: finds
 * out how many will hit, but for the last. Looks up and counts those of cycles before `until`. Forgets those
 * from cycle `now` on. */
void lsu_batch_hits(struct sm *sm, const struct lsu_entry *e, cycles now);
void lsu_sync_batch(struct sm *sm, cycles until);
void lsu_cancel_batch(struct sm *sm, cycles now);
void lsu_fence(struct sm *sm, enum request_fence kind, uint32_t slot); /* a buffer is there */
void lsu_kernel_started(struct sm *sm, const struct kernel_run *run, cycles now);
cycles lsu_next(const struct sm *sm, cycles now); /* when it can next do something by itself; SIM_NEVER: when
						     woken */
void lsu_sync_stats(struct sm *sm, cycles until); /* a wait is counted, as far as it has gone before `until`
						   */
const char *lsu_waits_for(const struct sm *sm);

/* Whether issue slots of the cycle are accounted. */
static inline bool sm_counts_slots(const struct sm *sm, cycles now)
{
	return sm->slots_on && now >= sm->slots_from;
}

static inline void sm_schedule(
	struct sm *sm, cycles when, enum timing_wheel_kind kind, uint32_t slot, uint32_t value)
{
	timing_wheel_add(&sm->wheel, when, kind, slot, value);
}

static inline bool sm_unit_takes(const struct sm *sm, uint32_t unit, cycles now)
{
	if (sm->dp_lock && (sm->dp_lock == DP_LOCKS || unit == UNIT_DP))
		return false;
	return unit == UNIT_CONTROL ||
		(collector_is_free(&sm->collectors, unit, now) && (unit != UNIT_LDST || lsu_has_room(sm)));
}

#endif
