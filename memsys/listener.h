/* memsys/listener.h -- notification of what happens in a cache, in the same form for the L1s and the L2
 * slices.
 *
 * Observers (memsys/observe) and policies listen; the caches do not know them, and listeners change nothing
 * in the cache. Without listeners a look-up costs one branch. Events are in the order in which things
 * happen; the eviction that a miss causes precedes the miss. */
#ifndef MEMSYS_LISTENER_H
#define MEMSYS_LISTENER_H

#include "sim/event/requester.h"

#define NO_LINE_INDEX    UINT32_MAX
#define LINE_SECTORS_ALL 0xfu /* all four sectors of 32 bytes */

enum access_outcome {
	ACCESS_HIT,      /* a load that found its bytes; at the L2 an atomic too */
	ACCESS_MISS,     /* likewise, that asked the next level for them */
	ACCESS_MERGED,   /* likewise, whose bytes were in flight */
	ACCESS_STORE,    /* a store: passed on by an L1, written by the L2 */
	ACCESS_BYPASSED, /* a load that bypasses the cache; at an L1 an atomic too */
	ACCESS_REFUSED,  /* something is lacking; the request will try again. Told again when it tried and
			    failed again. */
	ACCESS_OUTCOME_COUNT
};

enum eviction_cause {
	EVICTED_BY_REPLACEMENT, /* another line took its place */
	EVICTED_BY_STORE,       /* a store or an atomic hit the line, which this cache does not keep then */
	EVICTED_BY_INVALIDATION /* all lines went (a kernel comes) */
};

/* A request was looked up. */
struct access_event {
	picoseconds now;
	struct requester by;
	addr line;             /* offset into device memory of its line */
	uint8_t kind;          /* enum packet_kind */
	uint8_t outcome;       /* enum access_outcome */
	uint8_t refusal;       /* ACCESS_REFUSED: enum cache_outcome of an L1, enum l2_stall of the L2 */
	uint8_t warp_type;     /* what the packet says (MeDiC) */
	uint8_t sectors;       /* that it asks for or writes, bit i: bytes 32 i to 32 i + 31 of the line */
	uint8_t fetched;       /* ACCESS_MISS: sectors that were asked for */
	uint8_t unit;          /* which cache of the SM it comes from, or is in (enum packet_unit) */
	bool is_local;         /* of local memory */
	bool is_write_back;    /* dirty bytes of a line that an L1 gives up */
	bool is_found;         /* its line was here, or reserved, when it came */
	bool is_bypass;        /* at the L2: a store that bypasses the slice */
	bool is_written;       /* stores and atomics: this cache holds now what they wrote */
	bool is_in_flight;     /* something for this line is on its way, this request's own included */
	uint32_t byte_mask[4]; /* bytes of the line that it asks for or writes; loads: all zero for whole
				  sectors */
	uint32_t line_index;   /* where its line is now (set * ways + way), or NO_LINE_INDEX */
};

/* Sectors that a miss asked for are there. */
struct fill_event {
	picoseconds now;
	struct requester by; /* who missed first */
	addr line;
	uint8_t sectors;
	uint32_t line_index; /* as above */
};

/* A line went. Not told of lines that only were reserved: they cannot go. */
struct eviction_event {
	picoseconds now;
	addr line;
	uint32_t line_index; /* where it was */
	uint8_t cause;       /* enum eviction_cause */
	bool is_dirty;
	struct requester owner; /* whose miss or store had brought it in */
	struct requester by;    /* whose request drove it out; EVICTED_BY_INVALIDATION: all zero */
};

/* Filled in by whoever listens, who keeps it alive as long as the cache. Any function may be NULL. */
struct cache_listener {
	void *user;
	void (*accessed)(void *user, const struct access_event *event);
	void (*filled)(void *user, const struct fill_event *event);
	void (*evicted)(void *user, const struct eviction_event *event);
	/* This line will stay when the others go: told of each such line that is not in flight, before
	 * `invalidated`. */
	void (*kept)(void *user, addr line);
	/* All lines that are not in flight or kept are about to go: EVICTED_BY_INVALIDATION follows for each.
	 */
	void (*invalidated)(void *user, picoseconds now);
	/* L2: a request has been served that had waited so many L2 cycles, from its arrival on, beyond the
	 * ROP latency. Follows `accessed`. */
	void (*served)(void *user, const struct requester *by, cycles waited);
	/* L1: what was refused last has waited so many cycles more, as if it had tried in each. */
	void (*repeated)(void *user, uint8_t refusal, cycles repeated);
	struct cache_listener *next; /* the cache's */
};

/* What a cache keeps of its listeners: embedded in it, zeroed. */
struct listeners {
	struct cache_listener *first;
	struct requester *owner; /* of each place; NULL while nobody listens */
};

/* Adds one behind those that listen already; places: lines of the cache. Before the first access. */
void listeners_add(struct listeners *l, struct cache_listener *listener, uint32_t places);
void listeners_fini(struct listeners *l);

/* These tell everybody. evicted fills in event->owner from event->place. */
void listeners_accessed(const struct listeners *l, const struct access_event *event);
void listeners_filled(const struct listeners *l, const struct fill_event *event);
void listeners_evicted(const struct listeners *l, struct eviction_event *event);
void listeners_kept(const struct listeners *l, addr line);
void listeners_served(const struct listeners *l, const struct requester *by, cycles waited);
void listeners_repeated(const struct listeners *l, uint8_t refusal, cycles repeated);
void listeners_invalidated(const struct listeners *l, picoseconds now);

static inline bool listeners_any(const struct listeners *l)
{
	return __builtin_expect(l->first != NULL, 0);
}
/* The place belongs to a line that `by` brought in. Only if somebody listens. */
static inline void listeners_took(struct listeners *l, uint32_t index, const struct requester *by)
{
	l->owner[index] = *by;
}

#endif
