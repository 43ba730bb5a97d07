/* counters.c -- launches whose profiler counters others published (counters.cu). Each runs twice, so that the
 * L2 holds what it can, as it does when a profiler replays a launch to collect more counters than fit at a
 * time; the second counts. The counters are in the simulator's statistics; the figure here is the time. */
#include "validate.h"

enum { TILE = 16, STEPS = 2, HIDDEN = 16, ROW = HIDDEN + 1, LAUNCHES = 2 };

/* Launches a kernel LAUNCHES times with CTAs of TILE x TILE threads; the milliseconds of the last. */
static double launches(struct micro *m, const char *kernel, unsigned grid_x, unsigned grid_y, void **args)
{
	CUfunction function;
	float ms = 0;

	bench_check(cuModuleGetFunction(&function, m->module, kernel), kernel, __FILE__, __LINE__);
	for (int i = 0; i < LAUNCHES; i++) {
		CHECK(cuCtxSynchronize());
		CHECK(cuEventRecord(m->begin, NULL));
		CHECK(cuLaunchKernel(function, grid_x, grid_y, 1, TILE, TILE, 1, 0, NULL, args, NULL));
		CHECK(cuEventRecord(m->end, NULL));
		CHECK(cuEventSynchronize(m->end));
		CHECK(cuEventElapsedTime(&ms, m->begin, m->end));
	}
	return (double)ms;
}

static CUdeviceptr upload(const float *values, size_t count)
{
	CUdeviceptr at = bench_device_alloc(count, sizeof *values);

	CHECK(cuMemcpyHtoD(at, values, count * sizeof *values));
	return at;
}

static float *random_values(size_t count, float least, float range)
{
	uint32_t seed = 1;
	float *values = bench_alloc(count, sizeof *values);

	for (size_t i = 0; i < count; i++)
		values[i] = least + range * bench_random_f32(&seed);
	return values;
}

/* Frees both, after a comparison: a compiler may fuse f64 operations, which rounding to f32 nearly always
 * hides. */
static void compare(struct micro *m, const char *what, CUdeviceptr at, float *want, size_t count)
{
	float *got = bench_alloc(count, sizeof *got);
	size_t i = 0;

	CHECK(cuMemcpyDtoH(got, at, count * sizeof *got));
	while (i < count && fabsf(got[i] - want[i]) <= 1e-5f * fabsf(want[i]) + 1e-7f)
		i++;
	expect(m, i == count, "%s, element %zu: %g instead of %g", what, i, i < count ? (double)got[i] : 0,
		i < count ? (double)want[i] : 0);
	CHECK(cuMemFree(at));
	free(got);
	free(want);
}

/* -- hotspot: n x n cells, two steps a launch -- */

struct flow {
	float capacity, rx, ry, rz, step;
};

static void hotspot_step(const float *power, const float *from, float *to, int n, const struct flow *f)
{
	for (int y = 0; y < n; y++)
		for (int x = 0; x < n; x++) {
			int at = y * n + x;
			float t = from[at];
			float north = from[y ? at - n : at], south = from[y < n - 1 ? at + n : at];
			float west = from[x ? at - 1 : at], east = from[x < n - 1 ? at + 1 : at];
			double sum = (double)power[at] +
				((double)(south + north) - 2.0 * (double)t) * (double)(1 / f->ry) +
				((double)(east + west) - 2.0 * (double)t) * (double)(1 / f->rx) +
				(double)((80.0f - t) * (1 / f->rz));

			to[at] = (float)((double)t + (double)(f->step / f->capacity) * sum);
		}
}

static void hotspot(struct micro *m, int n)
{
	struct flow f = { .capacity = 0.5f, .rx = 1.25f, .ry = 1.75f, .rz = 40.0f, .step = 0.0625f };
	size_t count = (size_t)n * (size_t)n;
	unsigned tiles = (unsigned)(n + TILE - 2 * STEPS - 1) / (TILE - 2 * STEPS);
	float *from = random_values(count, 323.0f, 20.0f), *power = random_values(count, 0.0f, 1.0f);
	float *middle = bench_alloc(count, sizeof *middle), *want = bench_alloc(count, sizeof *want);
	CUdeviceptr dfrom = upload(from, count), dpower = upload(power, count), dto = upload(want, count);
	int steps = STEPS;
	void *args[] = { &steps, &dpower, &dfrom, &dto, &n, &n, &steps, &steps, &f.capacity, &f.rx, &f.ry,
		&f.rz, &f.step };

	report(m, launches(m, "hotspot", tiles, tiles, args), "ms", "hotspot %d", n);
	hotspot_step(power, from, middle, n, &f);
	hotspot_step(power, middle, want, n, &f);
	compare(m, "hotspot", dto, want, count);
	CHECK(cuMemFree(dfrom));
	CHECK(cuMemFree(dpower));
	free(from);
	free(power);
	free(middle);
}

/* -- backprop: a layer of `inputs` inputs before 16 hidden units -- */

static void forward_once(const float *input, float *weight, float *partial, size_t inputs)
{
	for (size_t first = 1; first <= inputs; first += TILE)
		for (size_t x = 1; x <= HIDDEN; x++) {
			float tile[TILE];

			for (size_t y = 0; y < TILE; y++)
				tile[y] = weight[(first + y) * ROW + x] * input[first + y];
			for (size_t half = 1; half < TILE; half *= 2)
				for (size_t y = 0; y < TILE; y += 2 * half)
					tile[y] += tile[y + half];
			for (size_t y = 0; y < TILE; y++)
				weight[(first + y) * ROW + x] = tile[y];
			partial[first / TILE * HIDDEN + x - 1] = tile[0];
		}
}

static void adjust_once(const float *delta, const float *input, float *weight, float *change, size_t inputs)
{
	for (size_t y = 0; y <= inputs; y++)
		for (size_t x = 1; x <= HIDDEN; x++) {
			double factor = y ? (double)input[y] : 1;
			double by = 0.3 * (double)delta[x] * factor + 0.3 * (double)change[y * ROW + x];

			weight[y * ROW + x] = (float)((double)weight[y * ROW + x] + by);
			change[y * ROW + x] = (float)by;
		}
}

static void backprop(struct micro *m, size_t inputs)
{
	size_t count = (inputs + 1) * ROW, sums = inputs / TILE * HIDDEN;
	unsigned ctas = (unsigned)(inputs / TILE);
	int hidden = HIDDEN;
	float *input = random_values(inputs + 1, 0.5f, 0.5f), *delta = random_values(ROW, 0.0f, 0.125f);
	float *weight = random_values(count, 0.5f, 0.5f), *change = random_values(count, 0.0f, 0.25f);
	float *partial = bench_alloc(sums, sizeof *partial);
	CUdeviceptr dinput = upload(input, inputs + 1), ddelta = upload(delta, ROW);
	CUdeviceptr dweight = upload(weight, count), dchange = upload(change, count);
	CUdeviceptr dpartial = upload(partial, sums);
	void *forward_args[] = { &dinput, &dweight, &dpartial, &hidden };
	void *adjust_args[] = { &ddelta, &hidden, &dinput, &dweight, &dchange };

	report(m, launches(m, "forward", 1, ctas, forward_args), "ms", "forward %zu", inputs);
	report(m, launches(m, "adjust", 1, ctas, adjust_args), "ms", "adjust %zu", inputs);
	for (int i = 0; i < LAUNCHES; i++)
		forward_once(input, weight, partial, inputs);
	for (int i = 0; i < LAUNCHES; i++)
		adjust_once(delta, input, weight, change, inputs);
	compare(m, "backprop, sums", dpartial, partial, sums);
	compare(m, "backprop, weights", dweight, weight, count);
	compare(m, "backprop, changes", dchange, change, count);
	CHECK(cuMemFree(dinput));
	CHECK(cuMemFree(ddelta));
	free(input);
	free(delta);
}

void topic_hotspot(struct micro *m)
{
	for (int n = 64; n <= 1024; n *= 2)
		hotspot(m, n);
}

void topic_backprop(struct micro *m)
{
	for (size_t inputs = 16384; inputs <= 65536; inputs *= 2)
		backprop(m, inputs);
}
