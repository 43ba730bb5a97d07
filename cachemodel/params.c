/* cachemodel/params.c -- the parameters of the model, and its counts. */
#include "cachemodel/model.h"

const struct sim_param model_params[] = {
	SIM_BOOL(struct model_config, latencies, 1,
		"a request takes effect when its data come (HPCA 2014, section 4.2); off: at once"),
	SIM_BOOL(struct model_config, associativity, 1,
		"a reuse stack for each set (section 4.3); off: the cache is fully associative"),
	SIM_BOOL(struct model_config, mshr_limit, 1, "requests in flight are limited (section 4.4)"),
	SIM_BOOL(struct model_config, divergence, 1,
		"a warp is away until its data have come (section 4.5); off: warps take turns"),
	SIM_BOOL(struct model_config, clipping, 1,
		"a request for a line in flight takes effect with the first one (section 4.2)"),
	SIM_F64(struct model_config, hit_latency, 0, 0, 1e6, "steps", "latency of a hit (section 4.2)"),
	SIM_F64(struct model_config, miss_latency, 12, 0, 1e6, "steps",
		"least latency of a miss: lambda_min (section 4.2)"),
	SIM_F64(struct model_config, sigma, 4, 0, 1e6, "steps",
		"standard deviation of the normal distribution whose absolute value is added to it"),
	SIM_F64(struct model_config, delay, 1, 0, 1000, "",
		"how long a warp is away, in latencies of its request (section 4.5)"),
	SIM_U64(struct model_config, seed, 1, 0, 4294967295., "", "seed of the latencies"),
	SIM_U64(struct model_config, threads, 8192, 0, 4294967295., "threads",
		"threads that are modelled on each core, in whole CTAs (section 4.6); 0: all"),
	SIM_U32_AS(struct model_config, modelled_cores, "cores", 1, 0, 256, "cores",
		"cores that are modelled, for all of them (section 4.6); 0: all"),
	SIM_END
};

const char *model_outcome_name(enum model_outcome outcome)
{
	static const char *const names[MODEL_OUTCOMES] = { "hit", "compulsory", "capacity", "associativity",
		"latency" };

	return names[outcome];
}

uint64_t model_accesses(const struct model_counts *counts)
{
	uint64_t sum = 0;

	for (int i = 0; i < MODEL_OUTCOMES; i++)
		sum += counts->of[i];
	return sum;
}

double model_miss_rate(const struct model_counts *counts)
{
	uint64_t accesses = model_accesses(counts);
	uint64_t misses = accesses - counts->of[MODEL_HIT] - counts->of[MODEL_LATENCY];

	return accesses ? (double)misses / (double)accesses : 0;
}

double model_miss_ratio_at(const struct model_result *r, uint64_t lines)
{
	uint64_t accesses = model_accesses(&r->total), misses = r->infinite - r->infinite_in_flight;

	for (uint64_t d = lines; d < r->distance_count; d++)
		misses += r->distances[d] - r->distances_in_flight[d];
	return accesses ? (double)misses / (double)accesses : 0;
}
