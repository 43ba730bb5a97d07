/* measure.c -- launching a kernel and reading what its threads recorded. */
#include "micro.h"

enum { VALUES = 1 << 20 }; /* where the values begin, behind the warps' clocks */

static void make_room(struct micro *m, size_t threads)
{
	if (threads <= m->capacity)
		return;
	if (m->capacity)
		CHECK(cuMemFree(m->out));
	free(m->records);
	if (threads / WARP * 16 > VALUES) {
		fprintf(stderr, "micro: %zu threads are more than there is room for\n", threads);
		exit(1);
	}
	m->capacity = threads;
	m->records = bench_alloc(threads, sizeof *m->records);
	m->out = bench_device_alloc(VALUES + threads * sizeof(uint64_t), 1);
}

static CUfunction find_kernel(const struct micro *m, const char *prefix, const char *name)
{
	CUfunction kernel;
	char full[128];

	snprintf(full, sizeof full, "%s%s", prefix, name);
	bench_check(cuModuleGetFunction(&kernel, m->module, full), full, __FILE__, __LINE__);
	return kernel;
}

/* CTAs in the grid: all reside at once, so that none begins after others have ended. */
static unsigned grid_of(const struct micro *m, CUfunction kernel, const struct shape *s)
{
	int fit = 0;

	if (!s->ctas)
		return 1;
	CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, (int)s->threads, 0));
	return (fit < 1 ? 1 : (unsigned)fit < s->ctas ? (unsigned)fit : s->ctas) * m->sms;
}

static void launch(struct micro *m, CUfunction kernel, unsigned grid, const struct shape *s)
{
	uint32_t repeats = s->repeats, x = s->x, y = s->y;
	void *args[] = { &m->out, &m->data, &repeats, &x, &y };
	float ms;

	CHECK(cuMemsetD32(m->out, 0, (m->count + WARP - 1) / WARP * 4));
	CHECK(cuEventRecord(m->begin, NULL));
	CHECK(cuLaunchKernel(kernel, grid, 1, 1, s->threads, 1, 1, 0, NULL, args, NULL));
	CHECK(cuEventRecord(m->end, NULL));
	CHECK(cuEventSynchronize(m->end));
	CHECK(cuEventElapsedTime(&ms, m->begin, m->end));
	m->ms = ms;
}

/* Records of the threads that ran, in order; warps that left early have no clocks. */
static void read_records(struct micro *m)
{
	size_t warps = (m->count + WARP - 1) / WARP, kept = 0;
	uint32_t(*clocks)[4] = bench_alloc(warps, sizeof *clocks);
	uint64_t *values = bench_alloc(m->count, sizeof *values);

	CHECK(cuMemcpyDtoH(clocks, m->out, warps * sizeof *clocks));
	CHECK(cuMemcpyDtoH(values, m->out + VALUES, m->count * sizeof *values));
	for (size_t i = 0; i < m->count; i++) {
		const uint32_t *c = clocks[i / WARP];

		if (c[0] != c[1])
			m->records[kept++] = (struct record){ c[0], c[1], c[2], c[3], values[i] };
	}
	m->count = kept;
	free(clocks);
	free(values);
}

/* Threads of the SM, and from its first start to its last stop. The clock may wrap: times count from the
 * first record. */
static size_t span(const struct micro *m, uint32_t sm, double *cycles)
{
	int32_t first = 0, last = 0;
	uint32_t origin = 0;
	size_t threads = 0;

	for (size_t i = 0; i < m->count; i++) {
		const struct record *r = &m->records[i];

		if (r->sm != sm)
			continue;
		if (!threads++)
			origin = r->start;
		if ((int32_t)(r->start - origin) < first)
			first = (int32_t)(r->start - origin);
		if ((int32_t)(r->stop - origin) > last)
			last = (int32_t)(r->stop - origin);
	}
	*cycles = (double)last - first;
	return threads;
}

static void summarize(struct micro *m, unsigned repeats)
{
	uint32_t highest = 0;
	unsigned used = 0;

	m->cycles = m->rate = 0;
	for (size_t i = 0; i < m->count; i++)
		if (m->records[i].sm > highest)
			highest = m->records[i].sm;
	for (uint32_t sm = 0; sm <= highest; sm++) {
		double cycles;
		size_t threads = span(m, sm, &cycles);

		if (!threads)
			continue;
		used++;
		m->cycles += cycles;
		m->rate += (double)threads * repeats / cycles;
	}
	m->cycles /= used ? used : 1;
	m->rate /= used ? used : 1;
}

void micro_run(struct micro *m, const char *prefix, const char *name, const struct shape *shape)
{
	CUfunction kernel = find_kernel(m, prefix, name);
	unsigned grid = grid_of(m, kernel, shape);

	m->count = (size_t)grid * shape->threads;
	make_room(m, m->count);
	launch(m, kernel, grid, shape);
	read_records(m);
	if (!m->count && !*m->failure)
		snprintf(m->failure, sizeof m->failure, "%s%s: no thread left a record", prefix, name);
	summarize(m, shape->repeats);
}

double micro_first(const struct micro *m)
{
	return m->count ? (double)(m->records[0].stop - m->records[0].start) : 0;
}

void micro_expect(struct micro *m, const char *what, uint64_t value)
{
	for (size_t i = 0; i < m->count; i++) {
		m->checks++;
		if (m->records[i].value == value || *m->failure)
			continue;
		snprintf(m->failure, sizeof m->failure, "%s: thread %zu has %#llx, expected %#llx", what, i,
			(unsigned long long)m->records[i].value, (unsigned long long)value);
	}
}

void micro_expect_near(struct micro *m, const char *what, float value, float tolerance)
{
	for (size_t i = 0; i < m->count; i++) {
		uint32_t bits = (uint32_t)m->records[i].value;
		float got;

		memcpy(&got, &bits, sizeof got);
		m->checks++;
		if (fabsf(got - value) <= tolerance * fabsf(value) || *m->failure)
			continue;
		snprintf(m->failure, sizeof m->failure, "%s: thread %zu has %g, expected about %g", what, i,
			(double)got, (double)value);
	}
}

uint32_t float_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

uint64_t double_bits(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}
