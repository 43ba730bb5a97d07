/* core/sm/timing_wheel.h -- the wheel of an SM: what is due at a known cycle.
 *
 * Most of it is due soon: each of the next cycles has a line of the host's cache with its events. What is due
 * later, or finds its cycle's line full, goes to linked lists; as time goes on, those of a cycle that has
 * come near move to its line. What is due in one cycle happens in the reverse order of scheduling. */
#ifndef CORE_SM_TIMING_WHEEL_H
#define CORE_SM_TIMING_WHEEL_H

#include "sim/base/types.h"

#define WHEEL_NEAR   32   /* cycles, bits of a word: an event that is due in fewer is near */
#define WHEEL_EVENTS 8    /* in a line */
#define WHEEL_SIZE   2048 /* cycles of the lists: more than any latency */
#define WHEEL_MASK   (WHEEL_SIZE - 1)

enum timing_wheel_kind {
	WHEEL_RESULT,
	WHEEL_WRITTEN,
	WHEEL_FETCHED,
	WHEEL_MEMORY,
	WHEEL_AWAKE,   /* the warp issues again: from a sleep, or behind a barrier */
	WHEEL_FENCE,   /* the fence of the warp ends */
	WHEEL_GUARD,   /* the guard of the warp's instruction can be used */
	WHEEL_CLUSTER, /* a phase of a cluster's barrier ends */
	WHEEL_BULK,    /* a bulk copy's next step */
	WHEEL_PRODUCT, /* the warp's oldest product of a warpgroup is done */
	WHEEL_CANCELLED
};

struct timing_wheel_event {
	uint32_t value; /* RESULT, WRITTEN: micro-operation; FETCHED: instructions; MEMORY: operation */
	uint16_t slot;
	uint16_t kind; /* enum timing_wheel_kind */
};
struct timing_wheel_line {
	struct timing_wheel_event event[WHEEL_EVENTS];
} __attribute__((aligned(64)));
_Static_assert(sizeof(struct timing_wheel_line) == 64, "one line of the host's cache");

/* In a list. */
struct timing_wheel_entry {
	uint32_t turns; /* of the lists before it is due: what is due later than they reach */
	uint32_t next;  /* index of an entry; 0 ends */
	struct timing_wheel_event event;
};

struct timing_wheel {
	cycles now; /* it has been run up to this cycle */
	/* bit c % WHEEL_NEAR: something is due in the near cycle c; more than its line holds */
	uint32_t busy, overflows;
	uint8_t count[WHEEL_NEAR]; /* events in each line */
	struct timing_wheel_entry *entries;
	uint32_t free_entry, far_count; /* entries in far[] */
	struct timing_wheel_line line[WHEEL_NEAR];
	/* lists of what is due in near cycles, and came after the events in the line */
	uint32_t more[WHEEL_NEAR];
	uint8_t bus_taken[WHEEL_SIZE]; /* results due in each cycle to come */
	uint32_t far[WHEEL_SIZE];      /* lists of what is due in cycles that are not near */
	uint64_t far_busy[WHEEL_SIZE / 64];
	uint32_t fresh; /* the first of the entries that were never in use, which are not in the list of free
			   ones */
} __attribute__((aligned(64)));

void timing_wheel_init(struct timing_wheel *w);
/* The next cycle after now in which something is due; SIM_NEVER: nothing is. */
cycles timing_wheel_next(const struct timing_wheel *w, cycles now);
/* The wheel has been run up to cycle `before`: those behind `before` + WHEEL_NEAR, up to now + WHEEL_NEAR,
 * exclusive, come near. */
void timing_wheel_advance(struct timing_wheel *w, cycles before, cycles now);
/* Takes one of the events that the line of the near cycle does not hold. false: there are no more. */
bool timing_wheel_take_more(struct timing_wheel *w, uint32_t at, struct timing_wheel_event *e);
/* Cancels the only event of this kind that the slot has. */
void timing_wheel_cancel(struct timing_wheel *w, uint32_t slot, enum timing_wheel_kind kind);
/* timing_wheel_add for what does not fit in a line. */
void timing_wheel_add_far(struct timing_wheel *w, cycles when, struct timing_wheel_event e);

/* Something happens in cycle `when`, which is after now. */
static inline void timing_wheel_add(
	struct timing_wheel *w, cycles when, enum timing_wheel_kind kind, uint32_t slot, uint32_t value)
{
	struct timing_wheel_event e = { value, (uint16_t)slot, (uint16_t)kind };
	uint32_t at = when % WHEEL_NEAR, count = w->count[at];

	if (__builtin_expect(when - w->now >= WHEEL_NEAR || count == WHEEL_EVENTS, 0)) {
		timing_wheel_add_far(w, when, e);
		return;
	}
	w->line[at].event[count] = e;
	w->count[at] = (uint8_t)(count + 1);
	w->busy |= UINT32_C(1) << at;
}

/* Reserves a result bus in the first cycle from `due` on in which one is free; a result is due there. */
static inline cycles timing_wheel_take_bus(struct timing_wheel *w, cycles due, uint32_t buses)
{
	while (w->bus_taken[due & WHEEL_MASK] >= buses)
		due++;
	w->bus_taken[due & WHEEL_MASK]++;
	return due;
}

#endif
