/* experiment/interactions/effects.h -- main effects and two-way interactions of factors on a response, with
 * workloads as blocks.
 *
 * Each workload is measured at the same combinations of levels. For each a linear model with all main effects
 * and two-way interactions is fitted (sum-to-zero coding, least squares), and of it contrasts with the
 * baseline's levels are taken:
 *
 *   main effect of level a:         mean over the other factors of y(a) - y(a0)
 *   interaction of levels a and b:  mean over the others of y(a, b) - y(a, b0) - y(a0, b) + y(a0, b0)
 *
 * where a0 and b0 are the baseline's. Their means over the workloads are the effects. Workloads are a sample
 * of those that there could be: an effect's interval is Student's over them, a second one is of the bootstrap
 * over workloads; p-values are corrected after Holm ("A simple sequentially rejective multiple test
 * procedure", Scandinavian Journal of Statistics 1979). The statistics are GSL's. */
#ifndef EXPERIMENT_INTERACTIONS_EFFECTS_H
#define EXPERIMENT_INTERACTIONS_EFFECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct study {
	size_t factors;
	const size_t *levels;   /* of each factor */
	const size_t *baseline; /* the level of each */
	size_t combinations;
	const size_t *at; /* combination by combination: the level of each factor */
	size_t blocks;
	const double *y; /* block by block, of each combination; NAN: no value */
};

struct effect {
	bool is_pair;
	size_t factor[2], level[2]; /* one of a main effect */
	double value;               /* mean over the blocks that could be fitted */
	double low, high;           /* 95 %, Student's t over these */
	double boot_low, boot_high; /* 95 %, percentiles of the bootstrap over these */
	double p, adjusted;         /* that there is none; after Holm, over all effects of the study */
	double *of_block;           /* NAN: the block could not be fitted */
};

struct effects {
	struct effect *items; /* main effects, then pairs, in the order of the factors and levels */
	size_t count;
	size_t blocks, fitted; /* of the study; that have values enough for the model */
	size_t parameters;     /* of the model */
	/* How well combinations tell parameters apart: the largest standard error of a contrast, by that of a
	 * full design of as many runs; 1: nothing is lost */
	double inflation;
	/* Aliasing: the largest correlation, without its sign, between the estimates of two effects of
	 * different factors or pairs of factors (0 in a full design), and of which two */
	double alias;
	size_t aliased[2];
	double residual; /* standard deviation of what the model leaves, over all blocks */
};

/* NULL: the combinations cannot tell main effects and interactions apart, or fewer than two blocks have
 * values enough. draws: of the bootstrap, whose random numbers begin with seed. */
struct effects *effects_find(const struct study *study, size_t draws, uint64_t seed);
void effects_free(struct effects *effects);

/* Whether an effect differs between classes of blocks (class_of: by block; one-way analysis of variance): the
 * p-value; NAN: there are fewer than two classes with two blocks each. */
double effects_differ(const struct effect *effect, size_t blocks, const size_t *class_of, size_t classes);
/* Adjusts p-values after Holm; NANs stay and do not count. */
void effects_adjust(double *p, size_t count);

#endif
