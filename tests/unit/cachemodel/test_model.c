/* tests/unit/cachemodel/test_model.c -- properties of the cache model on random streams. */
#include "cachemodel/model.h"
#include "cachemodel/stack_distance.h"
#include "memsys/index/index.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct model_config whole(void)
{
	return (struct model_config){ .sets = 8,
		.ways = 4,
		.line_bytes = 128,
		.mshrs = 8,
		.mshrs_per_warp = 3,
		.cores = 1,
		.active_ctas = 2,
		.latencies = true,
		.associativity = true,
		.mshr_limit = true,
		.divergence = true,
		.clipping = true,
		.miss_latency = 10,
		.sigma = 7,
		.delay = 1,
		.seed = 3 };
}

static struct stream *random_stream(unsigned seed, size_t ctas, uint32_t warps, uint32_t lines)
{
	struct stream *s = stream_new(128, ctas, warps);

	srand(seed);
	for (size_t c = 0; c < ctas; c++)
		for (uint32_t w = 0; w < warps; w++)
			for (int i = rand() % 200; i > 0; i--) {
				int count = rand() % 4 ? 1 : 1 + rand() % 32;
				uint64_t first = (uint64_t)rand() % lines;

				for (int k = 0; k < count; k++)
					stream_add(s, c, w, (uint32_t)rand() % 5,
						(first + (uint64_t)k * 3) % lines, k + 1 == count);
			}
	return s;
}

static struct model_result run(const struct stream *s, const struct model_config *config)
{
	struct model_result r;

	model_run(s, config, NULL, &r);
	return r;
}

Test(model, every_access_has_one_outcome_and_one_distance)
{
	for (unsigned seed = 1; seed < 30; seed++) {
		struct stream *s = random_stream(seed, 6, 3, 20 + 40 * (seed % 5));
		struct model_config config = whole();
		struct model_result r = run(s, &config);
		struct model_counts sum = { 0 };
		uint64_t distances = r.infinite;

		cr_assert_eq(model_accesses(&r.total), s->requests);
		for (uint32_t p = 0; p < s->pc_count; p++)
			for (int o = 0; o < MODEL_OUTCOMES; o++)
				sum.of[o] += r.pcs[p].of[o];
		cr_assert_arr_eq(&sum, &r.total, sizeof(sum));
		for (uint32_t d = 0; d < r.distance_count; d++)
			distances += r.distances[d];
		cr_assert_eq(distances, s->requests);
		/* each line is fetched for the first time once */
		cr_assert_eq(r.total.of[MODEL_COMPULSORY], s->line_count);
		model_result_free(&r);
		stream_free(s);
	}
}

Test(model, an_unlimited_cache_leaves_compulsory_misses_alone)
{
	for (unsigned seed = 1; seed < 20; seed++) {
		struct stream *s = random_stream(seed, 4, 4, 300);
		struct model_config config = whole();
		struct model_result r;

		config.ways = 512;
		r = run(s, &config);
		cr_assert_eq(r.total.of[MODEL_COMPULSORY], s->line_count);
		cr_assert_eq(r.total.of[MODEL_CAPACITY] + r.total.of[MODEL_ASSOCIATIVITY], 0);
		model_result_free(&r);
		stream_free(s);
	}
}

Test(model, one_set_is_fully_associative)
{
	for (unsigned seed = 1; seed < 20; seed++) {
		struct stream *s = random_stream(seed, 4, 4, 100);
		struct model_config config = whole(), one = whole();
		struct model_result r, of_one;

		config.associativity = false;
		one.sets = 1;
		one.ways = config.sets * config.ways;
		r = run(s, &config);
		of_one = run(s, &one);
		cr_assert_arr_eq(&r.total, &of_one.total, sizeof(r.total));
		cr_assert_eq(r.total.of[MODEL_ASSOCIATIVITY], 0);
		cr_assert_eq(r.steps, of_one.steps);
		model_result_free(&r);
		model_result_free(&of_one);
		stream_free(s);
	}
}

/* Sets of LRU lines, searched from the top, for one warp: no order is left to the model. */
static uint64_t direct_hits(const struct stream *s, const struct model_config *c)
{
	uint32_t lines[64][64], counts[64] = { 0 };
	const struct stream_warp *w = &s->ctas[0].warps[0];
	uint64_t hits = 0;

	for (size_t i = 0; i < w->count; i++) {
		uint32_t line = w->requests[i].line, set = model_set(c, s->lines[line]), at = 0;

		while (at < counts[set] && lines[set][at] != line)
			at++;
		if (at < counts[set])
			hits++;
		else if (counts[set] < c->ways)
			counts[set]++;
		else
			at--;
		memmove(&lines[set][1], &lines[set][0], at * sizeof(lines[set][0]));
		lines[set][0] = line;
	}
	return hits;
}

Test(model, one_warp_without_latencies_is_a_cache_with_lru)
{
	for (unsigned seed = 1; seed < 40; seed++) {
		struct stream *s = stream_new(128, 1, 1);
		struct model_config config = whole();
		struct model_result r;

		srand(seed);
		for (int i = 0; i < 5000; i++)
			stream_add(s, 0, 0, 0, (uint64_t)(rand() % (30 + 10 * (int)seed)), true);
		config.latencies = false;
		r = run(s, &config);
		cr_assert_eq(r.total.of[MODEL_HIT], direct_hits(s, &config));
		cr_assert_eq(r.total.of[MODEL_LATENCY], 0);
		model_result_free(&r);
		stream_free(s);
	}
}

Test(model, miss_ratio_curve_of_one_pass_is_that_of_each_size)
{
	for (unsigned seed = 1; seed < 10; seed++) {
		struct stream *s = random_stream(seed, 4, 4, 200);
		struct model_config config = whole();
		struct model_result all;

		config.latencies = config.associativity = false;
		all = run(s, &config);
		for (uint32_t ways = 1; ways <= 256; ways *= 2) {
			struct model_result r;

			config.sets = 1;
			config.ways = ways;
			r = run(s, &config);
			cr_assert_float_eq(model_miss_ratio_at(&all, ways), model_miss_rate(&r.total), 1e-12);
			model_result_free(&r);
		}
		model_result_free(&all);
		stream_free(s);
	}
}

Test(model, a_seed_gives_the_same_result_and_another_one_another)
{
	struct stream *s = random_stream(5, 6, 4, 120);
	struct model_config config = whole();
	struct model_result a = run(s, &config), b = run(s, &config), other;

	config.seed++;
	other = run(s, &config);
	cr_assert_arr_eq(&a.total, &b.total, sizeof(a.total));
	cr_assert_eq(a.steps, b.steps);
	cr_assert_neq(a.steps, other.steps);
	model_result_free(&a);
	model_result_free(&b);
	model_result_free(&other);
	stream_free(s);
}

/* -- MSHRs -- */

struct use {
	uint32_t most, most_of_a_warp[16], of_a_warp[16];
	uint64_t last_time;
};

static void looked_up(void *user, const struct model_event *e)
{
	struct use *u = user;

	if (e->mshrs_before > u->most)
		u->most = e->mshrs_before;
}

static void took_effect(void *user, uint64_t time, uint32_t line)
{
	struct use *u = user;

	cr_assert_geq(time, u->last_time, "effects come in the order of time");
	u->last_time = time;
}

Test(model, no_instruction_begins_while_all_mshrs_are_taken)
{
	struct use use = { 0 };
	struct model_watcher watcher = { looked_up, took_effect, &use };
	struct stream *s = stream_new(128, 1, 8);
	struct model_config config = whole();
	struct model_result r;

	for (uint32_t w = 0; w < 8; w++)
		for (uint32_t i = 0; i < 50; i++)
			stream_add(s, 0, w, 0, w * 1000 + i, true);
	config.mshrs = 3;
	model_run(s, &config, &watcher, &r);
	cr_assert_eq(use.most, 3, "%u", use.most);
	cr_assert_gt(r.cancelled, 0);
	model_result_free(&r);
	config.mshr_limit = false;
	use = (struct use){ 0 };
	model_run(s, &config, &watcher, &r);
	cr_assert_gt(use.most, 3);
	cr_assert_eq(r.cancelled, 0);
	model_result_free(&r);
	stream_free(s);
}

/* Section 5.2: a warp alone has at most six loads under way, where its loads do not wait for each other. */
Test(model, mshrs_of_a_warp)
{
	for (uint32_t limit = 1; limit <= 6; limit++) {
		struct use use = { 0 };
		struct model_watcher watcher = { looked_up, took_effect, &use };
		struct stream *s = stream_new(128, 1, 1);
		struct model_config config = whole();
		struct model_result r;

		for (uint32_t i = 0; i < 20; i++)
			stream_add(s, 0, 0, 0, i, true);
		config.divergence = false;
		config.mshrs = 64;
		config.mshrs_per_warp = limit;
		config.miss_latency = 1000;
		model_run(s, &config, &watcher, &r);
		cr_assert_eq(use.most, limit);
		model_result_free(&r);
		stream_free(s);
	}
}

/* -- CTAs and cores -- */

Test(model, all_cores_together_see_every_cta_once)
{
	struct stream *s = random_stream(9, 23, 2, 100);
	struct model_config config = whole();
	struct model_result r;

	config.cores = 4;
	r = run(s, &config);
	cr_assert_eq(model_accesses(&r.total), s->requests);
	model_result_free(&r);
	/* only those whose number modulo 4 is 0 or 1 */
	config.modelled_cores = 2;
	r = run(s, &config);
	cr_assert_lt(model_accesses(&r.total), s->requests);
	cr_assert_gt(model_accesses(&r.total), s->requests / 4);
	model_result_free(&r);
	stream_free(s);
}

/* -- sets -- */

Test(model, sets_by_the_hash_of_section_5_1)
{
	struct model_config config = whole();
	struct index *index = index_new(INDEX_FERMI, NULL, 32);

	config.sets = 32;
	config.index = index;
	/* address bits 7 to 11, XOR bits 13, 14, 15, 17, 19 */
	for (unsigned bit = 7; bit < 24; bit++) {
		static const int of[24] = { [7] = 1, 2, 4, 8, 16, 0, 1, 2, 4, 0, 8, 0, 16 };

		cr_assert_eq(
			model_set(&config, (UINT64_C(1) << bit) / 128), (uint32_t)of[bit], "bit %u", bit);
	}
	/* continued: fewer sets keep the low bits, more have bits 12 and 16 in front */
	config.sets = 8;
	cr_assert_eq(model_set(&config, 31), 7);
	config.sets = 128;
	cr_assert_eq(model_set(&config, (UINT64_C(1) << 12) / 128), 32);
	cr_assert_eq(model_set(&config, (UINT64_C(1) << 16) / 128), 64);
	cr_assert_eq(model_set(&config, (UINT64_C(1) << 13) / 128), 1);
	free(index);
}
