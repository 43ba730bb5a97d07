/* tests/unit/cachemodel/test_paper_figures.c -- the micro-benchmarks of HPCA 2014 whose accesses are known
 * without a program: Figure 3 (copying rows) and Figure 7 (the set index). */
#include "cachemodel/model.h"
#include "memsys/index/index.h"
#include "sim/config/config.h"
#include "tests/unit/part.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

/* The L1 of a GTX 470 with 16 KB, and the model as it is by default. */
static struct model_config gtx470(struct index **index)
{
	struct model_config c = { 0 };

	config_defaults(model_params, &c);
	*index = index_new(INDEX_FERMI, NULL, 32);
	c.index = *index;
	c.sets = 32;
	c.ways = 4;
	c.line_bytes = 128;
	c.mshrs = 64;
	c.mshrs_per_warp = 6;
	c.cores = 14;
	c.active_ctas = 8;
	return c;
}

static double miss_rate(struct stream *s, const struct model_config *config)
{
	struct model_result r;
	double rate;

	model_run(s, config, NULL, &r);
	rate = 100 * model_miss_rate(&r.total);
	model_result_free(&r);
	stream_free(s);
	return rate;
}

/* Each thread copies a row of 1024 words. */
static struct stream *row_copy(uint32_t threads)
{
	struct stream *s = stream_new(128, 1, threads / 32);

	for (uint32_t w = 0; w < threads / 32; w++)
		for (uint32_t column = 0; column < 1024; column++)
			for (uint32_t lane = 0; lane < 32; lane++)
				stream_add(
					s, 0, w, 0, ((w * 32 + lane) * 4096 + column * 4) / 128, lane == 31);
	return s;
}

/* The default latencies are those that come nearest to these measurements, and nothing else was fitted. */
Test(paper_figures, figure_3_copying_rows)
{
	static const double measured[] = { 3.13, 3.77, 32.71, 42.05, 67.20, 82.28 };
	static const double in_turn[] = { 3.13, 3.13, 3.13, 100, 100, 100 };
	struct model_config ideal;
	struct index *index;
	struct model_config config = gtx470(&index);
	double error = 0;

	/* the paper's "expected" column: fully associative, warps in turn, no latencies */
	ideal = config;
	ideal.latencies = ideal.associativity = ideal.divergence = false;
	for (uint32_t i = first_of(one_in(3)); i < 6; i += one_in(3)) {
		cr_assert_float_eq(
			miss_rate(row_copy(32u << i), &ideal), in_turn[i], 0.006, "%d threads", 32 << i);
		for (config.seed = 1; config.seed <= 3; config.seed++)
			error += fabs(miss_rate(row_copy(32u << i), &config) - measured[i]) / 18;
	}
	cr_assert_lt(error, 3.5, "mean difference %.2f points", error);
	free(index);
}

/* One warp, two loops over so many lines: 50 % if the second one hits. */
static double two_loops(unsigned stride_bits, uint32_t loads, const struct model_config *config)
{
	struct stream *s = stream_new(128, 1, 1);

	for (uint32_t loop = 0; loop < 2; loop++)
		for (uint64_t i = 0; i < loads; i++)
			stream_add(s, 0, 0, 0, (i << stride_bits) / 128, true);
	return miss_rate(s, config);
}

Test(paper_figures, figure_7_set_index)
{
	static const unsigned hashed[] = { 13, 14, 15, 17, 19 };
	struct index *index;
	struct model_config config = gtx470(&index);

	for (unsigned stride = 12; stride <= 20; stride++) {
		int fits = 0, bits = 0;

		for (uint32_t loads = 4; loads <= 128; loads *= 2) {
			double rate = two_loops(stride, loads, &config);

			cr_assert(rate == 50 || rate == 100, "stride 2^%u, %u loads: %.2f %%", stride, loads,
				rate);
			fits += rate == 50;
		}
		/* bits of the hash that 128 loads vary */
		for (int i = 0; i < 5; i++)
			bits += hashed[i] >= stride && hashed[i] < stride + 7;
		cr_assert_eq(fits - 1, bits, "stride 2^%u: %d", stride, fits);
	}
	/* the paper's example; and neighbouring lines fill the whole cache */
	cr_assert_eq(two_loops(12, 64, &config), 50);
	cr_assert_eq(two_loops(12, 128, &config), 100);
	cr_assert_eq(two_loops(7, 128, &config), 50);
	free(index);
}
