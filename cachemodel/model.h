/* cachemodel/model.h -- miss rates of an L1 by cause, without timing: the extended reuse distances of
 * Nugteren, van den Braak, Corporaal and Bal, "A Detailed GPU Cache Model Based on Reuse Distance Theory",
 * HPCA 2014, section 4.
 *
 * Time is counted in steps: in each step a core looks up what one load of one warp asks for. Of the five
 * extensions of the paper the first is always on, and the others have a switch each:
 *
 *   section 4.1   CTAs on cores, active sets, warps in turn
 *   latencies     a request takes effect on the stack when its data come (section 4.2)
 *   associativity a stack for each set (section 4.3)
 *   mshr_limit    requests in flight are limited; a warp that finds no MSHR goes to the back (section 4.4)
 *   divergence    a warp comes back when its data have come, not in turn (section 4.5) */
#ifndef CACHEMODEL_MODEL_H
#define CACHEMODEL_MODEL_H

#include "cachemodel/stream.h"
#include "sim/config/param.h"

struct index;
struct sm_limits;

struct model_config {
	/* the cache: from the configuration of the machine */
	uint32_t sets, ways, line_bytes;
	const struct index *index;      /* borrowed; NULL, or not for so many sets: model_set's own rule */
	uint32_t mshrs, mshrs_per_warp; /* 0: no limit */
	uint32_t cores;                 /* of the chip */
	const struct sm_limits *limits; /* borrowed: how many CTAs a core holds at a time
					   (core/kernel/occupancy.h); NULL: active_ctas says it */
	uint32_t active_ctas;
	/* parameters: model_params */
	bool latencies, associativity, mshr_limit, divergence, clipping;
	double hit_latency, miss_latency, sigma; /* steps */
	double delay;                            /* of a warp, by its request's latency */
	uint64_t seed;
	uint64_t threads;        /* of each core, at most; 0: all */
	uint32_t modelled_cores; /* parameter `cores`; 0: all */
};
extern const struct sim_param model_params[];

enum model_outcome {
	MODEL_HIT,
	MODEL_COMPULSORY,
	MODEL_CAPACITY,
	MODEL_ASSOCIATIVITY,
	MODEL_LATENCY, /* the line is in flight: no further request to memory */
	MODEL_OUTCOMES
};
const char *model_outcome_name(enum model_outcome outcome);

struct model_counts {
	uint64_t of[MODEL_OUTCOMES];
};
uint64_t model_accesses(const struct model_counts *counts);
/* Compulsory, capacity and associativity misses of all accesses: what hardware counters see. 0 without
 * accesses. */
double model_miss_rate(const struct model_counts *counts);

/* What the model saw of one launch. */
struct model_result {
	struct model_counts total;
	struct model_counts *pcs; /* stream.pc_count of them */
	uint64_t cancelled;       /* turns of warps that found no MSHR */
	uint64_t steps;           /* of the core that was busy longest */
	/* accesses by reuse distance, over all sets together, when they were looked up; and those without any
	 */
	uint64_t *distances;
	uint32_t distance_count; /* longer distances did not occur; the last ones may be 0 */
	uint64_t infinite;
	/* of these, accesses to lines in flight */
	uint64_t *distances_in_flight;
	uint64_t infinite_in_flight;
};

/* For tests and explanations: what happened in one step. */
struct model_event {
	uint32_t core;
	uint64_t time;
	size_t cta;
	uint32_t warp;
	uint32_t line; /* place in stream.lines */
	bool is_cancelled;
	uint32_t distance; /* in the stack of its set */
	enum model_outcome outcome;
	uint32_t mshrs_before, mshrs_after;
	uint64_t latency, effect_at;
};
struct model_watcher {
	void (*looked_up)(void *user, const struct model_event *event);
	void (*took_effect)(void *user, uint64_t time, uint32_t line);
	void *user;
};

/* Runs the model for one launch, from an empty cache. watcher: NULL for none. model_result_free frees what
 * the result holds. */
void model_run(const struct stream *stream, const struct model_config *config,
	const struct model_watcher *watcher, struct model_result *result);
void model_result_free(struct model_result *result);

/* Miss ratio of a fully associative cache of so many lines, by the distances of one pass: exact if the order
 * of accesses does not depend on the cache (without latencies), else that of the modelled order. Latency
 * misses are counted as hits. */
double model_miss_ratio_at(const struct model_result *result, uint64_t lines);

/* The set of a line number: that of config->index if it serves so many sets, else Fermi's hash with fewer
 * bits, or with address bits 12, 16, 18 and 20 prefixed for more than 32 sets. */
uint32_t model_set(const struct model_config *config, uint64_t line_number);

#endif
