/* core/sample/sampling_internal.h -- what sampling by CTAs and by intervals share. */
#ifndef CORE_SAMPLE_SAMPLING_INTERNAL_H
#define CORE_SAMPLE_SAMPLING_INTERNAL_H

#include "core/sample/counters.h"
#include "core/sample/sampling.h"
#include "memsys/snapshot.h"
#include "sim/stats/stat.h"

struct repeats;

struct sampling {
	struct sample_config config;
	struct sample_estimate total;
	struct repeats *repeats;
	struct counters_run counters;
	struct snapshot before; /* of memory, when the launch under way began */
	uint64_t undone_kernels;
};

extern const struct sim_stat sample_stats[];

/* Warp instructions of the kernel so far, with timing. */
uint64_t sampling_issued(const struct chip *chip, const struct kernel_run *run);
/* Lines that the L2 has evicted so far, and those that it holds. */
uint32_t sampling_evictions(const struct chip *chip);
uint32_t sampling_l2_lines(const struct chip *chip);

/* Units, and what they stand for: so many warp instructions that were skipped, or timed and not measured, the
 * latter in so many cycles. */
struct sample_measured {
	const struct sample_unit *units;
	uint32_t count;
	uint64_t warps, cycles;
};
/* They take the time of as many instructions in the units: adds to the cycles, and sets the interval. */
void sampling_extrapolate(
	struct sample_estimate *e, const struct sample_measured *m, const struct sample_config *config);

#endif
