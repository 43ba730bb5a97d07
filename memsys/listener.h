/* memsys/listener.h -- notification of what happens in a cache. The L1s and the L2 slices send the same
 * events.
 *
 * Observers (memsys/observe) and policies register as listeners. A cache does not know what its listeners do,
 * and they cannot change anything in it. Without listeners, a look-up costs one branch. Events come in the
 * order in which things happen; an eviction caused by a miss comes before the miss. */
#ifndef MEMSYS_LISTENER_H
#define MEMSYS_LISTENER_H

#include "sim/event/requester.h"

#define NO_LINE_INDEX    UINT32_MAX
#define LINE_SECTORS_ALL 0xfu /* all four sectors of 32 bytes */

enum access_outcome {
	ACCESS_HIT,      /* a load whose bytes are in the cache; at the L2 also an atomic */
	ACCESS_MISS,     /* a load (at the L2 also an atomic) that fetches bytes from the next level */
	ACCESS_MERGED,   /* the same, but the bytes are in flight already */
	ACCESS_STORE,    /* a store: an L1 sends it on, the L2 writes it */
	ACCESS_BYPASSED, /* a load that bypasses the cache; at an L1 also an atomic */
	ACCESS_REFUSED,  /* a resource is missing. The request will be retried; each retry that fails is
			    another event */
	ACCESS_OUTCOME_COUNT
};

enum eviction_cause {
	EVICTED_BY_REPLACEMENT, /* another line replaced it */
	EVICTED_BY_STORE,       /* a store or an atomic hit the line, and this cache evicts such lines */
	EVICTED_BY_INVALIDATION /* all lines are invalidated when a kernel starts */
};

/* A request was looked up. */
struct access_event {
	picoseconds now;
	struct requester by;
	addr line;             /* offset into device memory of its line */
	uint8_t kind;          /* enum packet_kind */
	uint8_t outcome;       /* enum access_outcome */
	uint8_t refusal;       /* ACCESS_REFUSED: enum cache_outcome of an L1, enum l2_stall of the L2 */
	uint8_t warp_type;     /* that of the packet (MeDiC) */
	uint8_t sectors;       /* that it reads or writes; bit i: bytes 32 i to 32 i + 31 of the line */
	uint8_t fetched;       /* ACCESS_MISS, and a store that fetches its line: sectors that are fetched */
	uint8_t unit;          /* the cache of the SM (enum packet_unit); at the L2: from which it comes */
	bool is_local;         /* of local memory */
	bool is_write_back;    /* dirty bytes of a line that an L1 evicts */
	bool is_found;         /* before the access its line was present or reserved */
	bool is_bypass;        /* at the L2: a store that bypasses the slice */
	bool is_written;       /* stores and atomics: the written bytes are in this cache now */
	bool is_coalesced;     /* it shares the look-up of the event before, which is that of another warp's
				  instruction for the same line (memsys/coalescer) */
	bool is_in_flight;     /* a fetch for this line is in flight, this request's own included */
	uint32_t byte_mask[4]; /* bytes of the line that it reads or writes; loads of whole sectors: all
				  zero */
	uint32_t line_index;   /* of its line, after the access: set * ways + way, or NO_LINE_INDEX */
};

/* Sectors that a miss fetched have arrived. */
struct fill_event {
	picoseconds now;
	struct requester by; /* the first request that missed, or the store that fetches */
	addr line;
	uint8_t sectors;
	uint32_t line_index; /* as in access_event */
};

/* A line was evicted. Lines that are reserved for a fetch are never evicted. */
struct eviction_event {
	picoseconds now;
	addr line;
	uint32_t line_index; /* where the line was */
	uint8_t cause;       /* enum eviction_cause */
	bool is_dirty;
	struct requester owner; /* whose miss or store brought the line in */
	struct requester by;    /* whose request evicted it; EVICTED_BY_INVALIDATION: all zero */
};

/* Filled in by the listener, which keeps it alive as long as the cache. Any function may be NULL. */
struct cache_listener {
	void *user;
	void (*accessed)(void *user, const struct access_event *event);
	void (*filled)(void *user, const struct fill_event *event);
	void (*evicted)(void *user, const struct eviction_event *event);
	/* This line will survive the invalidation that follows. Called before `invalidated` for each such
	 * line that is not in flight. */
	void (*kept)(void *user, addr line);
	/* All lines except those kept or in flight are about to be invalidated. An event with cause
	 * EVICTED_BY_INVALIDATION follows for each. */
	void (*invalidated)(void *user, picoseconds now);
	/* L2: a request has been served. From its arrival on it had waited for so many L2 cycles, the ROP
	 * latency not included; so long ago an SM had sent it. Called after `accessed`. */
	void (*served)(void *user, const struct requester *by, cycles waited, picoseconds since_sent);
	/* L1: the request that was refused last has waited for so many further cycles, which count as if it
	 * had been retried and refused in each. */
	void (*repeated)(void *user, uint8_t refusal, cycles repeated);
	struct cache_listener *next; /* used by the cache */
};

/* What a policy wants to hear of its cache: a part of its class. Any may be NULL; `policy` is the policy's
 * object. A cache without listeners costs less: where all are NULL the policy is none. */
struct cache_hooks {
	void (*accessed)(void *policy, const struct access_event *event);
	void (*filled)(void *policy, const struct fill_event *event);
	void (*evicted)(void *policy, const struct eviction_event *event);
};
/* Makes a listener of them; false: there are none. */
bool listener_of_policy(struct cache_listener *listener, void *policy, const struct cache_hooks *hooks);

/* The listeners of a cache. Embedded in the cache; zeroed at first. */
struct listeners {
	struct cache_listener *first;
	struct requester *owner; /* by line index: whose miss or store brought the line in; NULL without
				    listeners */
};

/* Appends a listener, before the first access. lines: number of lines of the cache. */
void listeners_add(struct listeners *l, struct cache_listener *listener, uint32_t lines);
void listeners_fini(struct listeners *l);

/* These notify all listeners. listeners_evicted fills in event->owner from event->line_index. */
void listeners_accessed(const struct listeners *l, const struct access_event *event);
void listeners_filled(const struct listeners *l, const struct fill_event *event);
void listeners_evicted(const struct listeners *l, struct eviction_event *event);
void listeners_kept(const struct listeners *l, addr line);
void listeners_served(
	const struct listeners *l, const struct requester *by, cycles waited, picoseconds since_sent);
void listeners_repeated(const struct listeners *l, uint8_t refusal, cycles repeated);
void listeners_invalidated(const struct listeners *l, picoseconds now);

static inline bool listeners_any(const struct listeners *l)
{
	return __builtin_expect(l->first != NULL, 0);
}
/* The line at this index was brought in by `by`. To be called only if there are listeners. */
static inline void listeners_set_owner(struct listeners *l, uint32_t index, const struct requester *by)
{
	l->owner[index] = *by;
}

#endif
