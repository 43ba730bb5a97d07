/* core/diagnose/profile.h -- counters of a launch by micro-operation, from which the annotated listing is
 * made (host/output/line_profile.c).
 *
 * A launch is profiled if launch->profile points to line_counts_size(kernel) counters: one set for each
 * micro-operation and one more, number kernel->uop_count, for issue slots that no instruction lost. The model
 * never reads them. Every increment goes through the functions below; without a profile each costs the test
 * of a pointer. */
#ifndef CORE_DIAGNOSE_PROFILE_H
#define CORE_DIAGNOSE_PROFILE_H

#include "core/kernel/slot_cause.h"
#include "core/exec/lane_types.h"
#include "core/kernel/kernel_run.h"

#define PROFILE_PRODUCERS 4

/* Whose result a micro-operation waited for. */
struct line_wait {
	uint32_t producer; /* micro-operation; meaningless while slots is 0 */
	uint64_t slots;
};

struct line_counts {
	uint64_t executions, lanes; /* warp and thread instructions */
	uint64_t slots[SLOT_COUNT]; /* issue slots: its own, and those lost while a warp waited to issue it */
	uint64_t l1_hits, l1_misses, l1_merged; /* outcomes of its line requests that are cached loads */
	uint64_t accesses, requests; /* warp instructions that sent line requests to the L1; those requests */
	uint64_t conflict_cycles;    /* of shared memory, beyond one for each access */
	uint64_t loads;              /* results that the load/store unit delivered ... */
	uint64_t latency;            /* ... and the cycles from issue to the last datum of each */
	uint64_t attributed;         /* slots that others lost because they waited for its result */
	struct line_wait waits[PROFILE_PRODUCERS]; /* the producers it waited for most ... */
	uint64_t waits_other; /* ... and what was lost to producers that had to leave that list */
};

/* How many sets of counters a profile of the kernel has. */
static inline size_t line_counts_size(const struct ptx_kernel *kernel)
{
	return (size_t)kernel->uop_count + 1;
}

/* Notes that `slots` were lost before consumer for the lack of a result of producer: of its list, the one
 * with the least makes way for a producer that is new. waits[] and waits_other together are exact, and so is
 * waits[] for up to PROFILE_PRODUCERS producers. */
void line_counts_wait(struct line_counts *consumer, uint32_t producer, uint64_t slots);
/* Adds what `from` counted; producers are translated by map (NULL: as they are). */
void line_counts_add(struct line_counts *to, const struct line_counts *from, const uint32_t *map);

/* --- events, in the core --- */

/* A warp instruction was executed in these lanes (none, if its guard was false everywhere). */
static inline void profile_execution(const struct kernel_run *run, uint32_t uop, lane_mask active)
{
	if (__builtin_expect(!run->profile, 1))
		return;
	run->profile[uop].executions++;
	run->profile[uop].lanes += (uint64_t)__builtin_popcount(active);
}

/* Issue slots that went to a micro-operation (SLOT_issued), or were lost while the warp that they are
 * attributed to waited to issue it. For those that no instruction lost (no warp, drained): uop is
 * run->kernel->uop_count. */
static inline void profile_slots(
	const struct kernel_run *run, uint32_t uop, enum slot_cause cause, uint64_t slots)
{
	if (__builtin_expect(run->profile != NULL, 0))
		run->profile[uop].slots[cause] += slots;
}

/* The same, and it is known which micro-operation's result was awaited. */
static inline void profile_wait(const struct kernel_run *run, uint32_t consumer, uint32_t producer,
	enum slot_cause cause, uint64_t slots)
{
	if (__builtin_expect(!run->profile, 1))
		return;
	run->profile[consumer].slots[cause] += slots;
	run->profile[producer].attributed += slots;
	line_counts_wait(&run->profile[consumer], producer, slots);
}

enum profile_outcome { PROFILE_HIT, PROFILE_MISS, PROFILE_MERGED, PROFILE_SENT };

/* The L1 has taken a line request; is_first: of the instruction. */
static inline void profile_request(
	const struct kernel_run *run, uint32_t uop, enum profile_outcome outcome, bool is_first)
{
	struct line_counts *c;

	if (__builtin_expect(!run->profile, 1))
		return;
	c = &run->profile[uop];
	c->requests++;
	c->accesses += is_first;
	c->l1_hits += outcome == PROFILE_HIT;
	c->l1_misses += outcome == PROFILE_MISS;
	c->l1_merged += outcome == PROFILE_MERGED;
}

static inline void profile_conflicts(const struct kernel_run *run, uint32_t uop, uint64_t extra_cycles)
{
	if (__builtin_expect(run->profile != NULL, 0))
		run->profile[uop].conflict_cycles += extra_cycles;
}

/* The last datum of an instruction of the load/store unit is there; those without a result do not count. */
static inline void profile_loaded(const struct kernel_run *run, uint32_t uop, uint64_t latency)
{
	if (__builtin_expect(!run->profile, 1) || !run->uops[uop].writes)
		return;
	run->profile[uop].loads++;
	run->profile[uop].latency += latency;
}

#endif
