/* measure.c -- launching a kernel and reading what its threads recorded. */
#include "micro.h"

void micro_load(struct micro *m, const char *topic)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/%s.ptx", MICRO_FOLDER, topic);
	m->module = bench_load(path);
}

static void make_room(struct micro *m, size_t threads)
{
	if (threads <= m->capacity)
		return;
	if (m->capacity)
		CHECK(cuMemFree(m->out));
	free(m->records);
	m->capacity = threads;
	m->records = bench_alloc(threads, sizeof *m->records);
	m->out = bench_device_alloc(threads, sizeof *m->records);
}

static void launch(struct micro *m, const char *name, unsigned grid, const struct shape *s)
{
	CUfunction kernel;
	uint32_t repeats = s->repeats, x = s->x, y = s->y;
	void *args[] = { &m->out, &m->data, &repeats, &x, &y };
	float ms;

	bench_check(cuModuleGetFunction(&kernel, m->module, name), name, __FILE__, __LINE__);
	CHECK(cuMemsetD32(m->out, 0, m->count * sizeof *m->records / 4));
	CHECK(cuEventRecord(m->begin, NULL));
	CHECK(cuLaunchKernel(kernel, grid, 1, 1, s->threads, 1, 1, 0, NULL, args, NULL));
	CHECK(cuEventRecord(m->end, NULL));
	CHECK(cuEventSynchronize(m->end));
	CHECK(cuEventElapsedTime(&ms, m->begin, m->end));
	m->ms = ms;
	CHECK(cuMemcpyDtoH(m->records, m->out, m->count * sizeof *m->records));
}

/* Records of threads that ran, in place of all. */
static void keep_written(struct micro *m)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->count; i++)
		if (m->records[i].start != m->records[i].stop)
			m->records[kept++] = m->records[i];
	m->count = kept;
}

/* Threads of the SM, and from its first start to its last stop. The clock may wrap: times count from the first record. */
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
	unsigned grid = shape->ctas ? shape->ctas * m->sms : 1;
	char kernel[128];

	snprintf(kernel, sizeof kernel, "%s%s", prefix, name);
	make_room(m, (size_t)grid * shape->threads);
	m->count = (size_t)grid * shape->threads;
	launch(m, kernel, grid, shape);
	keep_written(m);
	if (!m->count && !*m->failure)
		snprintf(m->failure, sizeof m->failure, "%s: no thread left a record", kernel);
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
