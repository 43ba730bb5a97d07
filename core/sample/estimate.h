/* core/sample/estimate.h -- the statistics of sampling (sampling.h). */
#ifndef CORE_SAMPLE_ESTIMATE_H
#define CORE_SAMPLE_ESTIMATE_H

#include "sim/base/types.h"

/* The estimate of a kernel, or the sum of several. */
struct sample_estimate {
	uint64_t kernels, sampled_kernels, chunks, skipped_ctas;
	uint64_t timed_warps, skipped_warps; /* warp instructions */
	uint64_t threads;                    /* thread instructions, timed and skipped */
	uint64_t cycles;                     /* core cycles, those of the CTAs skipped estimated */
	uint64_t squares; /* of the half-widths of the 95 % intervals of `cycles`, added up: kernels are
			     independent */
};
double sample_half_width(const struct sample_estimate *estimate);
void sample_estimate_add(struct sample_estimate *to, const struct sample_estimate *more);

/* The 95 % quantile of Student's t distribution, both sides, for so many degrees of freedom, at least 1. */
double sample_student(uint32_t degrees);

/* The ratio estimate of cycles by instructions (W. G. Cochran, Sampling Techniques, 3rd edition, 6.3
 * and 6.4), from chunks each of which stands for `weight` chunks. */
struct sample_chunk {
	double cycles, warps, weight;
};
struct sample_ratio {
	double cycles_per_warp, deviation; /* its standard deviation */
	double spread; /* standard deviation of a chunk's residual, relative to the mean */
};
struct sample_ratio sample_ratio_of(const struct sample_chunk *chunk, uint32_t count);

#endif
