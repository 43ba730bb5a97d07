/* core/sample/estimate.h -- the statistics of sampling (sampling.h). */
#ifndef CORE_SAMPLE_ESTIMATE_H
#define CORE_SAMPLE_ESTIMATE_H

#include "sim/base/types.h"

/* The estimate of a kernel, or the sum of several. */
struct sample_estimate {
	uint64_t kernels, sampled_kernels, repeated_kernels, units, skipped_ctas;
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
	double warps;  /* of a chunk, on average */
};
/* The standard deviation of the cycles that so many more warp instructions take, of which nothing was
 * measured: that of the ratio, and that of the instructions' own parts about it. */
double sample_deviation(const struct sample_ratio *ratio, double warps);
struct sample_ratio sample_ratio_of(const struct sample_chunk *chunk, uint32_t count);

/* The line of least squares through cycles by warp instructions (the mean of the cycles, where these hardly
 * differ), and what it says about another one. */
struct sample_line {
	double warps, cycles, slope; /* means, and cycles by warp instruction about them */
	double scatter;              /* standard deviation about the line */
	double extent;           /* sum of squares of the warp instructions about their mean; 0: no slope */
	uint32_t count, degrees; /* of freedom */
};
struct sample_line sample_line_of(const struct sample_chunk *chunk, uint32_t count); /* 3 at least */
double sample_line_at(const struct sample_line *line, double warps);
/* What the line says there is a sum of the chunks' cycles, each times its weight: the weights (count of
 * them). */
void sample_line_weights(const struct sample_chunk *chunk, uint32_t count, double warps, double *weights);
/* Standard deviation of the line itself there. */
double sample_line_deviation(const struct sample_line *line, double warps);

/* A part of a kernel that was measured, in two halves; it stands for `weight` such parts. */
struct sample_part {
	double cycles, warps;
};
struct sample_unit {
	struct sample_part half[2];
	double weight;
	bool continues; /* the one before, over a gap that was not timed (sample_local_of) */
};
struct sample_ratio sample_ratio_of_units(const struct sample_unit *unit, uint32_t count);
/* Cycles per warp instruction by which second halves differ from first ones on average, beyond what they
 * would by chance: its square is that of the mean less the variance of the mean. If what comes before a unit
 * was too short, as much may be wrong still. */
double sample_drift(const struct sample_unit *unit, uint32_t count);

/* The estimate of parts each of which is like the unit beside it: cycles of what was not timed, and half of
 * their 95 % interval. How much a unit is off what it stands for is found from the differences of units that
 * follow each other over a gap (the estimator of successive differences for systematic samples; K. M. Wolter,
 * Introduction to Variance Estimation, chapter 8), relative to their mean, so that what changes slowly, or
 * once and for all, does not count as chance. */
struct sample_local {
	double cycles, half;
	double deviation; /* of a unit, relative */
	uint32_t pairs;   /* from which it is known */
};
struct sample_local sample_local_of(const struct sample_unit *unit, uint32_t count);

#endif
