/* sim/stats/sample_estimate.h -- the statistics of sampling (sampling.h). */
#ifndef SIM_STATS_SAMPLE_ESTIMATE_H
#define SIM_STATS_SAMPLE_ESTIMATE_H

#include "sim/base/types.h"

/* The estimate of a kernel, or the sum of several. */
struct sample_estimate {
	uint64_t kernels, sampled_kernels, repeated_kernels, units, skipped_ctas;
	uint64_t timed_warps, skipped_warps; /* warp instructions */
	uint64_t threads;                    /* thread instructions, timed and skipped */
	uint64_t cycles;                     /* core cycles, those of the CTAs skipped estimated */
	/* The square of half the 95 % interval of `cycles`. The half intervals of kernels are added up, and
	 * not their squares, since their errors have a common cause: caches are colder behind every jump. */
	uint64_t squares;
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
	double spread;    /* standard deviation of a chunk's residual, relative to the mean */
	double warps;     /* of a chunk, on average */
	double effective; /* number of chunks of equal weight that would be as much worth */
	uint32_t degrees; /* of freedom of `deviation` and `spread` */
};
/* The standard deviation of the cycles that so many more warp instructions take, of which nothing was
 * measured: that of the ratio, and that of the instructions' own parts about it. */
double sample_deviation(const struct sample_ratio *ratio, double warps);
struct sample_ratio sample_ratio_of(const struct sample_chunk *chunk, uint32_t count);

/* What is known of standard deviations before anything is measured: those of most kernels' parts and launches
 * are SAMPLE_PRIOR of the mean or less. As if that had been found from SAMPLE_PRIOR_DEGREES parts more, it is
 * pooled with what was found (a scaled inverse chi-squared prior of the variance; A. Gelman et al., Bayesian
 * Data Analysis, 3rd edition, 2.6 and 3.3). So two or three that agree by chance do not count as certainty,
 * and few are enough where they differ little. */
#define SAMPLE_PRIOR         0.01
#define SAMPLE_PRIOR_DEGREES 3
double sample_pooled(double variance, uint32_t degrees, double mean);
/* The ratio with what is known before. */
struct sample_ratio sample_ratio_pooled(const struct sample_ratio *ratio);

/* The line through cycles by warp instructions, and what it says about another one. Its slope is that of
 * least squares where the warp instructions differ by more than some percent; else it is near what it would
 * be if cycles were proportional to them, and may be off that by a half (ridge regression towards that
 * slope). */
struct sample_line {
	double warps, cycles, slope; /* means, and cycles by warp instruction about them */
	double scatter;              /* standard deviation about the line */
	double extent; /* sum of squares of the warp instructions about their mean, and what the slope's prior
			  is worth */
	uint32_t count, degrees; /* of freedom */
};
struct sample_line sample_line_of(const struct sample_chunk *chunk, uint32_t count); /* 1 at least */
/* With what is known before of the scatter. */
struct sample_line sample_line_pooled(const struct sample_chunk *chunk, uint32_t count);
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
