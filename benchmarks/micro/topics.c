/* topics.c -- the frame of a program that measures by topics: the command line, the device, the report and
 * the verdict. */
#include "micro.h"

static void usage(const struct topics *p)
{
	printf("usage: %s [--csv] [topic...]\n%s\n\n", p->name, p->help);
	for (size_t i = 0; i < p->count; i++)
		printf("  %-12s %s\n", p->topic[i].name, p->topic[i].about);
	printf("  %-12s comma-separated values\n  %-12s this text\n", "--csv", "--help");
}

/* Marks the topic of that name; false: there is none. */
static bool want(const struct topics *p, bool *wanted, const char *name)
{
	for (size_t i = 0; i < p->count; i++)
		if (!strcmp(p->topic[i].name, name))
			return wanted[i] = true;
	return false;
}

/* wanted[]: topics to run; all, if none is named. Returns whether any is. */
static bool arguments(const struct topics *p, int argc, char **argv, bool *wanted, bool *csv)
{
	bool named = false;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
			usage(p);
			exit(0);
		}
		if (!strcmp(argv[i], "--csv")) {
			*csv = true;
		} else if (want(p, wanted, argv[i])) {
			named = true;
		} else {
			fprintf(stderr, "%s: %s: no such topic or option; --help shows them\n", p->name,
				argv[i]);
			exit(2);
		}
	}
	for (size_t i = 0; i < p->count && !named; i++)
		wanted[i] = true;
	return named;
}

static int attribute(const struct micro *m, CUdevice_attribute which)
{
	int value = 0;

	CHECK(cuDeviceGetAttribute(&value, which, m->device));
	return value;
}

static void begin(struct micro *m)
{
	CHECK(cuInit(0));
	CHECK(cuDeviceGet(&m->device, 0));
	CHECK(cuDevicePrimaryCtxRetain(&m->context, m->device));
	CHECK(cuCtxSetCurrent(m->context));
	CHECK(cuEventCreate(&m->begin, CU_EVENT_DEFAULT));
	CHECK(cuEventCreate(&m->end, CU_EVENT_DEFAULT));
	m->sms = (unsigned)attribute(m, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
	m->threads_per_sm = (unsigned)attribute(m, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
	m->mhz = attribute(m, CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1000.0;
	m->capability = 10 * attribute(m, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
		attribute(m, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
}

static void end(struct micro *m)
{
	if (m->data)
		CHECK(cuMemFree(m->data));
	if (m->capacity)
		CHECK(cuMemFree(m->out));
	free(m->records);
	CHECK(cuEventDestroy(m->begin));
	CHECK(cuEventDestroy(m->end));
	CHECK(cuDevicePrimaryCtxRelease(m->device));
}

int topics_main(const struct topics *p, int argc, char **argv)
{
	bool *wanted = bench_alloc(p->count, sizeof *wanted), csv = false, named;
	struct micro m = { 0 };
	char path[256];

	named = arguments(p, argc, argv, wanted, &csv);
	begin(&m);
	if (p->begin)
		p->begin(&m, csv);
	snprintf(path, sizeof path, "%s/published.csv", p->name);
	report_begin(bench_find_file(path), csv);
	for (size_t i = 0; i < p->count; i++) {
		if (!wanted[i] || (!named && p->topic[i].needs > m.capability))
			continue;
		report_topic(p->topic[i].name, p->topic[i].about);
		m.module = bench_load(bench_find_file(p->topic[i].ptx));
		p->topic[i].run(&m);
		CHECK(cuModuleUnload(m.module));
	}
	end(&m);
	free(wanted);
	fprintf(csv ? stderr : stdout, "%s%s: %zu figures, %zu values checked: %s%s\n", csv ? "" : "\n",
		p->name, m.figures, m.checks, *m.failure ? "FAIL: " : "PASS", m.failure);
	return *m.failure ? 1 : 0;
}
