/* histo -- host side: the histogram of an image, each iteration in four launches, the ranges found by the
 * first read back for the third.
 *
 * All that the kernels write is checked for equality: ranges (the reference adds floats in the order of the
 * kernel's threads and its tree), places, the counters that the CTAs added up, those outside, and the
 * histogram. */
#include "bench.h"

enum { RANGE_WORDS = 6144, RANGE_BINS = 4 * RANGE_WORDS, DEVIATIONS = 10 };
enum { PRESCAN_CTA = 512, PRESCAN_CTAS = 64, ROWS = 16, MAIN_CTA = 1024, MAIN_CTAS = 14, FINAL_CTA = 512 };

struct work {
	size_t width, height, count; /* the image */
	size_t bins, all_bins;       /* of the histogram; with the rest of the last range */
	unsigned prescan_ctas;       /* PRESCAN_CTAS, or as many as get a value */
	uint32_t *input;
};

/* What the kernels write. */
struct result {
	int32_t ranges[2];
	uint32_t *place, *outside;
	uint16_t *sub;
	uint8_t *histogram;
};

static void result_init(struct bench *b, struct result *r, const struct work *w)
{
	r->place = bench_host(b, w->count, sizeof *r->place);
	r->sub = bench_host(b, w->all_bins, sizeof *r->sub);
	r->outside = bench_host(b, w->all_bins, sizeof *r->outside);
	r->histogram = bench_host(b, w->all_bins, sizeof *r->histogram);
}

/* A value about the middle: the sum of twelve random numbers is nearly normal, its deviation 1. */
static uint32_t normal(size_t bins, double deviation, uint32_t *seed)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += (double)bench_random_f32(seed);
	return (uint32_t)fmin((double)(bins - 1), fmax(0, (double)bins / 2 + deviation * sum));
}

/* normal: but for some 4 values of all that are anywhere, most of them outside all ranges. */
static void fill(struct bench *b, struct work *w, const char *kind, size_t deviation)
{
	w->input = bench_host(b, w->count, sizeof *w->input);
	for (size_t i = 0; i < w->count; i++) {
		if (!strcmp(kind, "skewed"))
			w->input[i] = (uint32_t)bench_random_skewed(&b->seed, w->bins);
		else if (!strcmp(kind, "uniform") || bench_random_below(&b->seed, w->count) < 4)
			w->input[i] = (uint32_t)bench_random_below(&b->seed, w->bins);
		else
			w->input[i] = normal(w->bins, (double)deviation, &b->seed);
	}
}

/* The ranges that one CTA of prescan() finds. */
static void reference_prescan(const struct work *w, size_t cta, int32_t *ranges)
{
	float part[PRESCAN_CTA], values = 0, mean, deviation;
	size_t step = w->prescan_ctas * PRESCAN_CTA;

	memset(part, 0, sizeof part);
	for (size_t t = 0; t < PRESCAN_CTA; t++)
		for (size_t i = cta * PRESCAN_CTA + t; i < w->count; i += step, values++)
			part[t] += (float)w->input[i];
	mean = bench_tree_sum(part, PRESCAN_CTA) / values;
	memset(part, 0, sizeof part);
	for (size_t t = 0; t < PRESCAN_CTA; t++)
		for (size_t i = cta * PRESCAN_CTA + t; i < w->count; i += step) {
			float off = (float)w->input[i] - mean;
			part[t] = fmaf(off, off, part[t]);
		}
	deviation = sqrtf(bench_tree_sum(part, PRESCAN_CTA) / values);
	int32_t low = (int32_t)fmaxf(fmaf(-DEVIATIONS, deviation, mean), 0) / RANGE_BINS;
	int32_t high = (int32_t)fminf(fmaf(DEVIATIONS, deviation, mean), (float)(w->bins - 1)) / RANGE_BINS;
	ranges[0] = low < ranges[0] ? low : ranges[0];
	ranges[1] = high > ranges[1] ? high : ranges[1];
}

/* What column `cta` of the CTAs of histogram() adds to the counters of its ranges: each cut at 255. */
static void reference_sub(const struct work *w, const struct result *r, size_t cta, uint16_t *sub)
{
	uint8_t *counter = bench_alloc(w->all_bins, 1);

	for (size_t i = 0; i < w->count; i++) {
		uint32_t bin = w->input[i], range = bin / RANGE_BINS;
		if (i / MAIN_CTA % MAIN_CTAS == cta && (int32_t)range >= r->ranges[0] &&
			(int32_t)range <= r->ranges[1] && counter[bin] < 255)
			counter[bin]++;
	}
	for (size_t i = 0; i < w->all_bins; i++)
		sub[i] = (uint16_t)(sub[i] + counter[i]);
	free(counter);
}

static void reference(const struct work *w, struct result *r)
{
	r->ranges[0] = INT32_MAX;
	for (size_t cta = 0; cta < w->prescan_ctas; cta++)
		reference_prescan(w, cta, r->ranges);
	for (size_t cta = 0; cta < MAIN_CTAS; cta++)
		reference_sub(w, r, cta, r->sub);
	for (size_t i = 0; i < w->count; i++) {
		uint32_t bin = w->input[i], range = bin / RANGE_BINS;
		r->place[i] = range << 24 | bin % RANGE_BINS / 4 << 8 | bin % 4 * 8;
		if ((int32_t)range < r->ranges[0] || (int32_t)range > r->ranges[1])
			r->outside[bin]++;
		if (r->histogram[bin] < 255)
			r->histogram[bin]++;
	}
}

/* Ranges are cut to what there is, so that a wrong device gets no grid without end. */
static void run(struct bench *b, const struct work *w, struct result *r, size_t iterations)
{
	CUdeviceptr input = BENCH_COPY(b, w->input, w->count), place = bench_device(b, w->count, 4);
	CUdeviceptr ranges = bench_device(b, 2, 4), sub = bench_device(b, w->all_bins, 2);
	CUdeviceptr outside = bench_device(b, w->all_bins, 4), histogram = bench_device(b, w->all_bins, 1);
	int words = (int)(w->all_bins / 4), most = (int)(w->all_bins / RANGE_BINS) - 1;

	for (size_t i = 0; i < iterations; i++) {
		CHECK(cuMemsetD32(ranges, INT32_MAX, 1));
		CHECK(cuMemsetD32(ranges + 4, 0, 1));
		CHECK(cuMemsetD32(sub, 0, w->all_bins / 2));
		CHECK(cuMemsetD32(outside, 0, w->all_bins));
		bench_start(b);
		bench_launch(b, "prescan", DIM(w->prescan_ctas), DIM(PRESCAN_CTA),
			ARGS(&input, INT(w->count), INT(w->bins), &ranges));
		bench_launch(b, "intermediates", DIM(bench_ctas(b, w->height, ROWS)), DIM(w->width / 2),
			ARGS(&input, &place, INT(w->width), INT(w->height)));
		bench_stop(b);
		BENCH_READ(r->ranges, ranges, 2);
		int low = r->ranges[0], high = r->ranges[1];
		low = low < 0 || low > most ? 0 : low;
		high = high < low || high > most ? most : high;
		bench_start(b);
		bench_launch(b, "histogram", DIM(MAIN_CTAS, high - low + 1), DIM(MAIN_CTA),
			ARGS(&place, INT(w->count), &low, &high, &sub, &outside));
		bench_launch(b, "final", DIM(3 * MAIN_CTAS), DIM(FINAL_CTA),
			ARGS(&sub, &outside, &histogram, &words, &low, &high));
		bench_stop(b);
	}
	BENCH_READ(r->place, place, w->count);
	BENCH_READ(r->sub, sub, w->all_bins);
	BENCH_READ(r->outside, outside, w->all_bins);
	BENCH_READ(r->histogram, histogram, w->all_bins);
}

const struct bench_program bench_program = {
	.help = "Makes a saturating histogram of an image of many values, most of them close together.",
	.source = "Parboil histo, its default image of 996x1040 and histogram of 256x8192, 2 iterations as "
		  "in the "
		  "reuse-distance model, Section 6",
	.tags = "reuse",
	.sizes = { { "width", "pixels of a row of the image", { 98, 498, 996, 996 }, 2048, 2, 2 },
		{ "height", "rows of the image", { 37, 520, 1040, 1040 }, 8192 },
		{ "bins", "bins of the histogram", { 170000, 256 * 2048, 256 * 8192, 256 * 8192 },
			256 * RANGE_BINS },
		{ "deviation", "standard deviation of normal values", { 1, 128, 1024, 1024 }, 1 << 20 },
		{ "iterations", "histograms", { 1, 1, 2, 2 }, 100000 } },
	.choices = { { "values", "how they lie", "normal|uniform|skewed", "normal" } },
	.repro = "the paper's",
};

void bench_run(struct bench *b)
{
	struct result got = { 0 }, want = { 0 };
	struct work w;

	w = (struct work){ .width = b->size[0],
		.height = b->size[1],
		.count = b->size[0] * b->size[1],
		.bins = b->size[2] };
	w.prescan_ctas = bench_ctas(b, w.count, PRESCAN_CTA);
	w.prescan_ctas = w.prescan_ctas < PRESCAN_CTAS ? w.prescan_ctas : PRESCAN_CTAS;
	w.all_bins = (w.bins + RANGE_BINS - 1) / RANGE_BINS * RANGE_BINS;
	bench_work(b, "%zux%zu %s, %zu bins, %zu iterations", w.width, w.height, b->choice[0], w.bins,
		b->size[4]);
	fill(b, &w, b->choice[0], b->size[3]);
	result_init(b, &got, &w);
	result_init(b, &want, &w);
	run(b, &w, &got, b->size[4]);

	reference(&w, &want);
	bench_expect_i32(b, "range", got.ranges, want.ranges, 2);
	bench_expect_u32(b, "place of value", got.place, want.place, w.count);
	bench_expect_u16(b, "shared counter of bin", got.sub, want.sub, w.all_bins);
	bench_expect_u32(b, "outside counter of bin", got.outside, want.outside, w.all_bins);
	bench_expect_u8(b, "bin", got.histogram, want.histogram, w.all_bins);
}
