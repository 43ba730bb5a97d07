/* cachemicro -- host side of the micro-benchmarks with which Nugteren et al. (HPCA 2014, Figures 3, 7, 9)
 * measured the L1 of a GTX 470: `cachemicro TOPIC [OPTION]... [size]...`. Results are checked for equality.
 * What the L1 missed is not seen from here: the simulator's statistics have it, a GPU's profiler. */
#include "bench.h"

enum { WARP = 32, LINE = 128 };

/* -- Figure 3: one CTA copies a matrix, a row of 1024 words a thread -- */

enum { COLUMNS = 1024 };

static const struct bench_program rowcopy_program = {
	.help = "One CTA copies a matrix of 1024 columns, a row a thread.",
	.source = "Nugteren et al., HPCA 2014, Figure 3",
	.tags = "",
	.sizes = { { "threads", "rows of the matrix", { 32, 128, 256, 1024 }, 1024 } },
	.ptx = "validate/kernel.ptx",
};

static void rowcopy(struct bench *b)
{
	size_t n = b->size[0] * COLUMNS;
	float *image = bench_random_floats(b, n);
	CUdeviceptr from = BENCH_COPY(b, image, n), to = bench_device(b, n, sizeof *image);

	bench_work(b, "%zu threads", b->size[0]);
	bench_start(b);
	bench_launch(b, "row_copy", DIM(1), DIM(b->size[0]), ARGS(&from, &to));
	bench_stop(b);
	bench_verify_f32(b, "word", to, image, n);
}

/* Memory that is not set, from an address that is a multiple of `bytes`, a power of two. */
static CUdeviceptr aligned(CUdeviceptr *allocated, size_t bytes)
{
	*allocated = bench_device_alloc(2 * bytes, 1);
	return (*allocated + bytes - 1) & ~(CUdeviceptr)(bytes - 1);
}

/* -- Figure 7: one warp goes twice over some lines, which lie a stride apart -- */

enum { FEWEST_LINES = 4, MOST_LINES = 128 };

static const struct bench_program setindex_program = {
	.help = "One warp loads 4, 8 ... 128 lines, a stride apart, twice; a launch for each number.",
	.source = "Nugteren et al., HPCA 2014, Figure 7",
	.tags = "",
	.sizes = { { "log2_stride", "distance of the lines, as a power of two", { 12, 12, 12, 12 }, 20, 7 } },
	.ptx = "cachemicro/kernel.ptx",
};

/* Every word of a line gets the place of the next line, and those of the last one that of the first. */
static void link_lines(CUdeviceptr lines, uint32_t stride, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		CHECK(cuMemsetD32(lines + (size_t)i * stride, (i + 1) % count * stride, LINE / 4));
}

static void setindex(struct bench *b)
{
	uint32_t stride = 1u << b->size[0], want[3 * WARP] = { 0 };
	CUdeviceptr allocated, lines = aligned(&allocated, (size_t)MOST_LINES * stride);

	bench_work(b, "stride 2^%zu", b->size[0]);
	for (uint32_t count = FEWEST_LINES; count <= MOST_LINES; count *= 2) {
		CUdeviceptr out = bench_device(b, 3 * WARP, 4);

		link_lines(lines, stride, count);
		bench_start(b);
		bench_launch(b, "set_index", DIM(1), DIM(WARP), ARGS(&lines, &out, INT(count)));
		bench_stop(b);
		for (size_t i = WARP; i < 3 * WARP; i++)
			want[i] = count * (count - 1) / 2 * stride;
		bench_verify_u32(b, "value", out, want, 3 * WARP);
	}
	CHECK(cuMemFree(allocated));
}

/* -- Figure 9: how long it takes until loads of different lines have all come -- */

enum { MOST_WARPS = 32, MOST_LOADS = 20, ALIGNED = 1 << 18 };

static const struct bench_program mshrs_program = {
	.help = "The first thread of each warp does some independent loads: cycles until all have come.",
	.source = "Nugteren et al., HPCA 2014, Figures 8 and 9",
	.tags = "",
	.sizes = { { "warps", "warps, in one CTA", { 1, 1, 1, 1 }, MOST_WARPS },
		{ "loads", "1 to so many loads, a launch for each number", { 20, 20, 20, 20 }, MOST_LOADS } },
	.choices = { { "apart", "bytes from one line to the next", "4096|128", "4096" } },
	.ptx = "cachemicro/mshrs.ptx",
};

struct timing {
	uint32_t start, stop, sum, unused;
};

/* One launch: it reads two regions, of which the second one counts. data: what is there, on the host. Returns
 * the cycles of the warp that took longest. */
static uint32_t time_loads(
	struct bench *b, uint32_t loads, CUdeviceptr on_device, const uint32_t *data, size_t region)
{
	uint32_t warps = (uint32_t)b->size[0], apart = (uint32_t)atoi(b->choice[0]) / 4, longest = 0;
	uint32_t got[MOST_WARPS], want[MOST_WARPS] = { 0 };
	struct timing timing[MOST_WARPS];
	CUdeviceptr out = bench_device(b, MOST_WARPS, sizeof *timing);
	char kernel[32];

	snprintf(kernel, sizeof kernel, "loads_%u_apart_%s", loads, b->choice[0]);
	bench_start(b);
	bench_launch(b, kernel, DIM(1), DIM(warps * WARP), ARGS(&on_device, &out, &region));
	bench_stop(b);
	BENCH_READ(timing, out, warps);
	for (uint32_t w = 0; w < warps; w++) {
		uint32_t cycles = timing[w].stop - timing[w].start;

		longest = cycles > longest ? cycles : longest;
		got[w] = timing[w].sum;
		for (uint32_t i = 0; i < loads; i++)
			want[w] += data[region / 4 + (w * loads + i) * apart];
	}
	bench_expect_u32(b, "sum of warp", got, want, warps);
	return longest;
}

/* Every launch has memory of its own, which no cache holds yet. */
static void mshrs(struct bench *b)
{
	size_t warps = b->size[0], most = b->size[1], apart = (size_t)atoi(b->choice[0]);
	size_t region = (warps * most * apart + ALIGNED - 1) / ALIGNED * ALIGNED, bytes = 2 * most * region;
	uint32_t *data = bench_host(b, bytes / 4 + ALIGNED / 4, sizeof *data);
	CUdeviceptr on_device;

	for (size_t i = 0; i < bytes / 4; i++)
		data[i] = bench_random(&b->seed);
	on_device = bench_device(b, bytes + ALIGNED, 1);
	on_device = (on_device + ALIGNED - 1) & ~(CUdeviceptr)(ALIGNED - 1);
	CHECK(cuMemcpyHtoD(on_device, data, bytes));
	bench_work(b, "%zu warps, lines %s bytes apart", warps, b->choice[0]);
	for (uint32_t loads = 1; loads <= most; loads++) {
		size_t from = 2 * (loads - 1) * region;

		printf("%zu warps, %u loads: %u cycles\n", warps, loads,
			time_loads(b, loads, on_device + from, data + from / 4, region));
	}
}

static const struct {
	const char *name;
	const struct bench_program *program;
	void (*run)(struct bench *b);
} topics[] = {
	{ "rowcopy", &rowcopy_program, rowcopy },
	{ "setindex", &setindex_program, setindex },
	{ "mshrs", &mshrs_program, mshrs },
};
enum { TOPICS = sizeof topics / sizeof *topics };

static int usage(FILE *stream, int status)
{
	fprintf(stream, "usage: cachemicro TOPIC [OPTION]... [size]...; cachemicro TOPIC --help says more\n");
	for (size_t i = 0; i < TOPICS; i++)
		fprintf(stream, "  %-8s %s\n", topics[i].name, topics[i].program->help);
	return status;
}

int main(int argc, char **argv)
{
	size_t i = 0;
	struct bench b;
	char folder[64];

	if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return usage(argc < 2 ? stderr : stdout, argc < 2 ? 2 : 0);
	while (i < TOPICS && strcmp(topics[i].name, argv[1]))
		i++;
	if (i == TOPICS) {
		fprintf(stderr, "cachemicro: %s: no such topic\n", argv[1]);
		return usage(stderr, 2);
	}
	snprintf(folder, sizeof folder, "cachemicro/%s", topics[i].name);
	bench_begin(&b, folder, topics[i].program, argc - 1, argv + 1);
	topics[i].run(&b);
	return bench_end(&b);
}
