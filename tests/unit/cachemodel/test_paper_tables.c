/* tests/unit/cachemodel/test_paper_tables.c -- Tables 1 to 5 of "A Detailed GPU Cache Model Based on Reuse
 * Distance Theory" (HPCA 2014), every number. Lines have 4 elements; a warp is one thread. */
#include "cachemodel/model.h"
#include "cachemodel/stack_distance.h"
#include <criterion/criterion.h>
#include <string.h>

#define NEVER  DISTANCE_INFINITE
#define CANCEL (-1)

struct lookup {
	uint32_t warp, line, distance;
	int outcome; /* or CANCEL */
	uint64_t effect_at;
	uint32_t mshrs_before, mshrs_after;
};

struct log {
	struct lookup lookups[16];
	size_t count;
	int effects[16][4]; /* lines by time */
	int effect_count[16];
};

static void looked_up(void *user, const struct model_event *e)
{
	struct log *log = user;

	cr_assert_eq(e->time, log->count, "one look-up in each step");
	log->lookups[log->count++] = (struct lookup){ e->warp, e->line, e->distance,
		e->is_cancelled ? CANCEL : (int)e->outcome, e->effect_at, e->mshrs_before, e->mshrs_after };
}

static void took_effect(void *user, uint64_t time, uint32_t line)
{
	struct log *log = user;

	cr_assert_lt(time, 16);
	log->effects[time][log->effect_count[time]++] = (int)line;
}

/* A fully associative cache of two lines on one core, everything off. */
static struct model_config plain(void)
{
	return (struct model_config){
		.sets = 1, .ways = 2, .line_bytes = 16, .cores = 1, .active_ctas = 1, .delay = 1
	};
}

static struct model_result run(
	const struct model_config *config, struct log *log, uint32_t warps, const uint32_t *addresses)
{
	struct model_watcher watcher = { looked_up, took_effect, log };
	struct stream *s = stream_new(16, 1, warps);
	struct model_result result;

	memset(log, 0, sizeof(*log));
	for (uint32_t i = 0; i < 2; i++)
		for (uint32_t w = 0; w < warps; w++)
			stream_add(s, 0, w, i, addresses[2 * w + i] / 4, true);
	model_run(s, config, &watcher, &result);
	stream_free(s);
	return result;
}

static void check_effects(const struct log *log, const char *const *rows, size_t count)
{
	for (size_t t = 0; t < 16; t++) {
		char found[16] = "";

		for (int i = 0; i < log->effect_count[t]; i++)
			sprintf(found + strlen(found), "%d", log->effects[t][i]);
		cr_assert_str_eq(found, t < count ? rows[t] : "", "effects at time %zu", t);
	}
}

/* x[2*tid], x[2*tid+1] of four threads */
static const uint32_t four_threads[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

static void distances_of(
	const uint32_t *numbers, size_t count, uint32_t divisor, struct log *log, struct model_result *result)
{
	struct model_watcher watcher = { looked_up, took_effect, log };
	struct model_config config = plain();
	struct stream *s = stream_new(16, 1, 1);

	memset(log, 0, sizeof(*log));
	for (size_t i = 0; i < count; i++)
		stream_add(s, 0, 0, 0, numbers[i] / divisor, true);
	model_run(s, &config, &watcher, result);
	stream_free(s);
}

Test(paper_tables, table_1_and_figure_1_reuse_distances)
{
	static const uint32_t addresses[] = { 0, 5, 3, 9, 3, 3, 5 };
	static const uint32_t by_address[] = { NEVER, NEVER, NEVER, NEVER, 1, 0, 2 };
	static const uint32_t by_line[] = { NEVER, NEVER, 1, NEVER, 1, 0, 2 };
	struct model_result result;
	struct log log;

	distances_of(addresses, 7, 1, &log, &result);
	for (size_t i = 0; i < 7; i++)
		cr_assert_eq(log.lookups[i].distance, by_address[i], "address %zu", i);
	model_result_free(&result);
	distances_of(addresses, 7, 4, &log, &result);
	for (size_t i = 0; i < 7; i++)
		cr_assert_eq(log.lookups[i].distance, by_line[i], "line %zu", i);
	/* section 3.3: with 2 lines 3 compulsory misses (42 %) and 1 capacity miss (14 %) */
	cr_assert_eq(result.total.of[MODEL_COMPULSORY], 3);
	cr_assert_eq(result.total.of[MODEL_CAPACITY], 1);
	cr_assert_eq(model_accesses(&result.total), 7);
	/* the histogram of Figure 1 */
	cr_assert_eq(result.distances[0], 1);
	cr_assert_eq(result.distances[1], 2);
	cr_assert_eq(result.distances[2], 1);
	cr_assert_eq(result.infinite, 3);
	cr_assert_float_eq(model_miss_ratio_at(&result, 2), 4 / 7., 1e-12);
	cr_assert_float_eq(model_miss_ratio_at(&result, 1), 6 / 7., 1e-12);
	cr_assert_float_eq(model_miss_ratio_at(&result, 3), 3 / 7., 1e-12);
	model_result_free(&result);
}

Test(paper_tables, table_2_threads_in_turn)
{
	static const uint32_t distances[] = { NEVER, 0, NEVER, 0, 1, 0, 1, 0 };
	struct model_config config = plain();
	struct log log;
	struct model_result result = run(&config, &log, 4, four_threads);

	for (uint32_t i = 0; i < 8; i++) {
		cr_assert_eq(log.lookups[i].warp, i % 4);
		cr_assert_eq(log.lookups[i].distance, distances[i], "time %u", i);
	}
	model_result_free(&result);
}

static void check(const struct log *log, const struct lookup *rows, size_t count)
{
	cr_assert_eq(log->count, count);
	for (size_t t = 0; t < count; t++) {
		const struct lookup *a = &log->lookups[t], *b = &rows[t];

		cr_assert_eq(a->warp, b->warp, "thread at time %zu", t);
		cr_assert_eq(a->outcome, b->outcome, "outcome at time %zu", t);
		if (b->outcome == CANCEL)
			continue;
		cr_assert_eq(a->line, b->line, "line at time %zu", t);
		cr_assert_eq(a->distance, b->distance, "distance at time %zu: %u", t, a->distance);
		cr_assert_eq(a->effect_at, b->effect_at, "effect at time %zu: %lu", t, a->effect_at);
	}
}

Test(paper_tables, table_3_fixed_latencies)
{
	/* requests 1 and 3 miss because their line is in flight; 0 and 2 for the first time */
	static const struct lookup rows[] = { { 0, 0, NEVER, MODEL_COMPULSORY, 2, 0, 0 },
		{ 1, 0, NEVER, MODEL_LATENCY, 3, 0, 0 }, { 2, 1, NEVER, MODEL_COMPULSORY, 4, 0, 0 },
		{ 3, 1, NEVER, MODEL_LATENCY, 5, 0, 0 }, { 0, 0, 0, MODEL_HIT, 6, 0, 0 },
		{ 1, 0, 1, MODEL_HIT, 7, 0, 0 }, { 2, 1, 0, MODEL_HIT, 8, 0, 0 },
		{ 3, 1, 1, MODEL_HIT, 9, 0, 0 } };
	static const char *const effects[] = { "", "", "0", "0", "1", "1", "0", "0", "1", "1" };
	struct model_config config = plain();
	struct model_result result;
	struct log log;

	config.latencies = true;
	config.hit_latency = config.miss_latency = 2;
	result = run(&config, &log, 4, four_threads);
	check(&log, rows, 8);
	check_effects(&log, effects, 10);
	model_result_free(&result);
}

Test(paper_tables, table_4_conditional_latencies)
{
	static const struct lookup rows[] = { { 0, 0, NEVER, MODEL_COMPULSORY, 2, 0, 0 },
		{ 1, 0, NEVER, MODEL_LATENCY, 3, 0, 0 }, { 2, 1, NEVER, MODEL_COMPULSORY, 4, 0, 0 },
		{ 3, 1, NEVER, MODEL_LATENCY, 5, 0, 0 }, { 0, 0, 0, MODEL_HIT, 4, 0, 0 },
		{ 1, 0, 0, MODEL_HIT, 5, 0, 0 }, { 2, 1, 1, MODEL_HIT, 6, 0, 0 },
		{ 3, 1, 0, MODEL_HIT, 7, 0, 0 } };
	static const char *const effects[] = { "", "", "0", "0", "10", "10", "1", "1" };
	struct model_config config = plain();
	struct model_result result;
	struct log log;

	config.latencies = true;
	config.miss_latency = 2;
	result = run(&config, &log, 4, four_threads);
	check(&log, rows, 8);
	check_effects(&log, effects, 8);
	model_result_free(&result);
	/* the text below the table: with clipping, what is asked for at time 1 takes effect at 2 and not 3 */
	config.clipping = true;
	result = run(&config, &log, 4, four_threads);
	cr_assert_eq(log.lookups[1].effect_at, 2);
	cr_assert_eq(log.lookups[3].effect_at, 4);
	model_result_free(&result);
}

Test(paper_tables, table_5_one_mshr)
{
	/* threads 0 and 2 of the four */
	static const uint32_t two_threads[] = { 0, 1, 4, 5 };
	static const struct lookup rows[] = { { 0, 0, NEVER, MODEL_COMPULSORY, 2, 0, 1 },
		{ 1, 1, NEVER, CANCEL, 0, 1, 1 }, { 0, 0, 0, MODEL_HIT, 2, 0, 0 },
		{ 1, 1, NEVER, MODEL_COMPULSORY, 5, 0, 1 }, { 1, 1, NEVER, MODEL_LATENCY, 6, 1, 1 } };
	static const char *const effects[] = { "", "", "00", "", "", "1", "1" };
	struct model_config config = plain();
	struct model_result result;
	struct log log;

	config.latencies = config.mshr_limit = true;
	config.miss_latency = 2;
	config.mshrs = 1;
	result = run(&config, &log, 2, two_threads);
	check(&log, rows, 5);
	for (size_t t = 0; t < 5; t++) {
		cr_assert_eq(log.lookups[t].mshrs_before, rows[t].mshrs_before, "MSHRs before time %zu", t);
		cr_assert_eq(log.lookups[t].mshrs_after, rows[t].mshrs_after, "MSHRs after time %zu", t);
	}
	check_effects(&log, effects, 7);
	cr_assert_eq(result.cancelled, 1);
	model_result_free(&result);
}
