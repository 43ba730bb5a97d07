/* caches.c -- what `lockstep tune` asks beyond the figures that others measured: what the driver says of the
 * device; the size, ways, line and sector of the L1 and of the L2, by rings of pointers through them; slices
 * of the L2, what one of them carries, and an SM's link. Every probe prints its points, so that whoever reads
 * them can draw other conclusions. */
#include "validate.h"

enum { ROUND = 32 /* links, as in kernel.cu */, LINE = 128 };

/* ---- the device ---- */

void topic_device(struct micro *m)
{
	static const struct {
		CUdevice_attribute attribute;
		const char *name, *unit;
	} rows[] = {
		{ CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, "compute capability major", "" },
		{ CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, "compute capability minor", "" },
		{ CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, "SMs", "" },
		{ CU_DEVICE_ATTRIBUTE_CLOCK_RATE, "clock", "kHz" },
		{ CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, "memory clock", "kHz" },
		{ CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, "memory bus", "bits" },
		{ CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, "L2", "bytes" },
		{ CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, "threads an SM", "" },
		{ CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, "CTAs an SM", "" },
		{ CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, "registers an SM", "" },
		{ CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, "registers a CTA", "" },
		{ CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, "shared memory an SM", "bytes" },
		{ CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, "shared memory a CTA", "bytes" },
		{ CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, "shared memory reserved", "bytes" },
		{ CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, "grid x", "" },
		{ CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, "copy engines", "" },
	};
	size_t bytes;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		int value = 0;

		if (cuDeviceGetAttribute(&value, rows[i].attribute, m->device) == CUDA_SUCCESS)
			report(m, value, rows[i].unit, "device %s", rows[i].name);
	}
	CHECK(cuDeviceTotalMem(&bytes, m->device));
	report(m, (double)(bytes >> 20), "MiB", "device memory");
}

/* ---- rings ---- */

/* A ring of `links` pointers, `step` bytes apart, in order. Cycles of a link, after one round ahead of the
 * clock; whole rounds count if the ring is small. */
static double walk_ring(struct micro *m, size_t links, size_t step)
{
	CUdeviceptr ring = bench_device_alloc(links * step, 1), out = bench_device_alloc(2, 8);
	int warm = (int)((links + ROUND - 1) / ROUND), timed = links < 2048 ? (int)links : warm;
	void *args[] = { &ring, &out, &warm, &timed };
	uint64_t result[2], want = ring + (uint64_t)(warm + timed) * ROUND % links * step;
	uint64_t *image = bench_alloc(links * step, 1);

	for (size_t i = 0; i < links; i++)
		image[i * step / 8] = ring + (i + 1) % links * step;
	CHECK(cuMemcpyHtoD(ring, image, links * step));
	free(image);
	launch_ms(m, "chase", 1, 1, args);
	CHECK(cuMemcpyDtoH(result, out, sizeof result));
	expect(m, result[1] == want, "a ring of %zu links ended at %#llx, not at %#llx", links,
		(unsigned long long)result[1], (unsigned long long)want);
	CHECK(cuMemFree(ring));
	CHECK(cuMemFree(out));
	return (double)result[0] / ((double)ROUND * timed);
}

/* One cache of the two: rings of lines that its predecessor does not hold. */
struct level {
	const char *name;
	size_t lines, most; /* where to begin; beyond it there is no cache of this level */
	size_t unit;        /* lines: how exactly its size is asked */
	double hit, miss;   /* cycles */
};

static double ring_of(struct micro *m, const struct level *l, size_t links, size_t step)
{
	double cycles = walk_ring(m, links, step);

	report(m, cycles, "cycles", "%s ring %zu x %zu", l->name, links, step);
	return cycles;
}

/* The most lines that stay, by halving: from `fits` to `misses`, which does not fit. Where a fiftieth of what
 * is lost there is lost, some lines do not stay. */
static size_t find_size(struct micro *m, const struct level *l, size_t fits, size_t misses)
{
	double limit = l->hit + 0.02 * (l->miss - l->hit);

	while (misses - fits > l->unit) {
		size_t middle = (fits + misses) / 2 / l->unit * l->unit;

		if (ring_of(m, l, middle, LINE) < limit)
			fits = middle;
		else
			misses = middle;
	}
	return fits;
}

/* Beyond its size, by few lines and more: how fast it comes to nothing says how many ways a set has. */
static void overflow(struct micro *m, struct level *l, size_t lines)
{
	for (size_t more = l->unit; more <= 16 * l->unit && more <= lines; more *= 2)
		ring_of(m, l, lines + more, LINE);
	ring_of(m, l, 2 * lines, LINE);
}

static void find_lines(struct micro *m, struct level *l, size_t lines)
{
	/* three fifths of the lines that there would be if a line had 32, 64, 128 or 256 bytes, an odd number
	 * of sectors apart, which come to every set; several, since some set indices meet one of them */
	for (size_t line = 32; line <= 256; line *= 2)
		for (size_t step = 288; step <= 544; step += 128)
			ring_of(m, l, lines * LINE / line * 3 / 5, step);
	/* twice its size, ever closer: what a miss brings is there for the next */
	for (size_t step = 32; step <= LINE; step *= 2)
		ring_of(m, l, 2 * lines * LINE / step, step);
}

static void measure_level(struct micro *m, struct level *l)
{
	size_t fits = l->lines, next = fits;

	l->hit = ring_of(m, l, fits, LINE);
	while ((next *= 2) <= l->most && (l->miss = ring_of(m, l, next, LINE)) < 1.05 * l->hit)
		fits = next;
	if (next > l->most)
		return;
	fits = find_size(m, l, fits, next);
	overflow(m, l, fits);
	find_lines(m, l, fits);
}

void topic_rings_l1(struct micro *m)
{
	struct level l1 = { .name = "L1", .lines = 32, .most = 4096, .unit = 1 };

	measure_level(m, &l1);
}

void topic_rings_l2(struct micro *m)
{
	int bytes = 0;
	struct level l2 = { .name = "L2" };

	CHECK(cuDeviceGetAttribute(&bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, m->device));
	l2.unit = (size_t)bytes / LINE / 256;
	l2.lines = (size_t)bytes / LINE / 2;
	l2.most = 4 * (size_t)bytes / LINE;
	measure_level(m, &l2);
}

/* ---- slices ---- */

static int compare_cycles(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Cycles of two loads of each of `count` words, while another CTAs keep the first word's slice busy. */
static uint32_t *contend(struct micro *m, uint32_t count, uint32_t step)
{
	CUdeviceptr data = bench_device_alloc((size_t)count * step, 1), out = bench_device_alloc(count, 4);
	CUdeviceptr flag = bench_device_alloc(1, 4);
	uint32_t *cycles = bench_alloc(count, sizeof *cycles);
	unsigned others = m->sms < 9 ? m->sms - 1 : 8;
	void *args[] = { &data, &out, &flag, &step, &count };

	CHECK(cuMemsetD32(data, 0, (size_t)count * step / 4));
	CHECK(cuMemsetD32(flag, 0, 1));
	launch_ms(m, "owners", 1 + others, 256, args);
	CHECK(cuMemcpyDtoH(cycles, out, count * sizeof *cycles));
	CHECK(cuMemFree(data));
	CHECK(cuMemFree(out));
	CHECK(cuMemFree(flag));
	return cycles;
}

/* How many of so many blocks are in the first one's slice. */
static uint32_t count_owned(struct micro *m, uint32_t count, uint32_t step, double *limit)
{
	uint32_t *cycles = contend(m, count, step), *sorted = bench_alloc(count, sizeof *sorted), owned = 0;

	memcpy(sorted, cycles, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, compare_cycles);
	*limit = 1.3 * sorted[count / 2];
	for (uint32_t i = 0; i < count; i++)
		owned += cycles[i] > *limit;
	report(m, sorted[count / 2], "cycles", "slices free %u x %u", count, step);
	report(m, sorted[count - 1 - owned / 2], "cycles", "slices busy %u x %u", count, step);
	report(m, owned, "blocks", "slices owned %u x %u", count, step);
	free(cycles);
	free(sorted);
	return owned;
}

/* Bytes in a row in one slice. */
static uint32_t measure_interleave(struct micro *m, double limit)
{
	enum { STEP = 32, COUNT = 256 };
	uint32_t *cycles = contend(m, COUNT, STEP), run = 0;

	while (run < COUNT && cycles[run] > limit)
		run++;
	report(m, run * STEP, "bytes", "slices interleave");
	free(cycles);
	return run ? run * STEP : 256;
}

/* Bytes a cycle that CTAs bring from the L2 in all. */
static double stream_lines(struct micro *m, unsigned ctas, unsigned threads, uint32_t step, uint32_t apart)
{
	enum { SHORT = 16, LONG = 144 };
	size_t bytes = (size_t)ctas * threads / WARP * step + 8ull * apart + LINE;
	CUdeviceptr data = bench_device_alloc(bytes, 1);
	CUdeviceptr out = bench_device_alloc(1, 4);
	uint32_t count = SHORT;
	void *args[] = { &data, &out, &step, &apart, &count };
	double brief, ms;

	CHECK(cuMemsetD8(data, 0, bytes));
	launch_ms(m, "lines", ctas, threads, args);
	brief = launch_ms(m, "lines", ctas, threads, args);
	count = LONG;
	ms = launch_ms(m, "lines", ctas, threads, args) - brief;
	CHECK(cuMemFree(data));
	CHECK(cuMemFree(out));
	return (double)ctas * threads / WARP * 8 * (LONG - SHORT) * LINE / (ms * m->mhz * 1000);
}

void topic_slices(struct micro *m)
{
	enum { FIRST = 1024, STEP = 256 };
	double limit;
	uint32_t owned = count_owned(m, FIRST, STEP, &limit), step = measure_interleave(m, limit), slices;

	slices = owned ? FIRST / owned : FIRST;
	count_owned(m, (4 * slices * slices + FIRST - 1) / FIRST * FIRST, step, &limit);
	report(m, stream_lines(m, m->sms, 256, 0, 0), "bytes/clk", "slice bandwidth");
	report(m, stream_lines(m, 1, 1024, 8 * LINE, LINE), "bytes/clk", "SM bandwidth from the L2");
}
