/* validate -- host side: bandwidths, latencies and copies that others measured on hardware, through the
 * driver API, on the simulator or on a GPU. Values are checked; figures are printed beside the published ones
 * of the same name. README.md says which program measured what, and validate.sh which configuration runs
 * which topic. */
#include "validate.h"

static const char kernels[] = BENCHMARKS_FOLDER "/validate/kernel.ptx";
static const char sweeps[] = GENERATED_FOLDER "/validate/sweep.ptx"; /* which generate.sh writes */

static const struct topic {
	const char *name, *about, *ptx;
	void (*run)(struct micro *m);
} topics[] = {
	{ "latency", "cycles from one load of a pointer to the next, by footprint", kernels, topic_latency },
	{ "sweep", "read bandwidth of the whole chip over the footprint, as gpumembench", sweeps,
		topic_sweep },
	{ "peaks", "best bandwidth by width, reading and copying, as gpumembench", sweeps, topic_peaks },
	{ "memory", "device memory, coalesced and strided, as SHOC", kernels, topic_memory },
	{ "shared", "shared memory, as SHOC", kernels, topic_shared_memory },
	{ "rows", "copying rows of 1024 words, one thread each", kernels, topic_rows },
};
enum { TOPICS = sizeof topics / sizeof topics[0] };

static void usage(FILE *out)
{
	fprintf(out,
		"usage: validate [--csv] [topic...]\nMeasures what others measured on hardware, and prints "
		"their figures beside.\n\n");
	for (size_t i = 0; i < TOPICS; i++)
		fprintf(out, "  %-12s %s\n", topics[i].name, topics[i].about);
	fprintf(out, "  %-12s comma-separated values\n  %-12s this text\n", "--csv", "--help");
}

/* Marks the topic of that name; false: there is none. */
static bool want(bool wanted[TOPICS], const char *name)
{
	for (size_t i = 0; i < TOPICS; i++)
		if (!strcmp(topics[i].name, name))
			return wanted[i] = true;
	return false;
}

/* wanted[]: topics to run; all, if none is named. */
static void arguments(int argc, char **argv, bool wanted[TOPICS], bool *csv)
{
	bool named = false;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
			usage(stdout);
			exit(0);
		}
		if (!strcmp(argv[i], "--csv")) {
			*csv = true;
		} else if (want(wanted, argv[i])) {
			named = true;
		} else {
			fprintf(stderr, "validate: %s: no such topic or option; --help shows them\n",
				argv[i]);
			exit(2);
		}
	}
	for (size_t i = 0; i < TOPICS && !named; i++)
		wanted[i] = true;
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
}

static void end(struct micro *m)
{
	CHECK(cuEventDestroy(m->begin));
	CHECK(cuEventDestroy(m->end));
	CHECK(cuDevicePrimaryCtxRelease(m->device));
}

double launch_ms(struct micro *m, const char *kernel, unsigned ctas, unsigned threads, void **args)
{
	CUfunction function;
	float ms;

	bench_check(cuModuleGetFunction(&function, m->module, kernel), kernel, __FILE__, __LINE__);
	CHECK(cuEventRecord(m->begin, NULL));
	CHECK(cuLaunchKernel(function, ctas, 1, 1, threads, 1, 1, 0, NULL, args, NULL));
	CHECK(cuEventRecord(m->end, NULL));
	CHECK(cuEventSynchronize(m->end));
	CHECK(cuEventElapsedTime(&ms, m->begin, m->end));
	return ms;
}

void expect(struct micro *m, bool right, const char *format, ...)
{
	va_list args;

	m->checks++;
	if (right || *m->failure)
		return;
	va_start(args, format);
	vsnprintf(m->failure, sizeof m->failure, format, args);
	va_end(args);
}

int main(int argc, char **argv)
{
	bool wanted[TOPICS] = { false }, csv = false;
	struct micro m = { 0 };

	arguments(argc, argv, wanted, &csv);
	begin(&m);
	report_begin(BENCHMARKS_FOLDER "/validate/published.csv", csv);
	for (size_t i = 0; i < TOPICS; i++) {
		if (!wanted[i])
			continue;
		report_topic(topics[i].name, topics[i].about);
		m.module = bench_load(topics[i].ptx);
		topics[i].run(&m);
		CHECK(cuModuleUnload(m.module));
	}
	end(&m);
	fprintf(csv ? stderr : stdout, "%svalidate: %zu figures, %zu values checked: %s%s\n", csv ? "" : "\n",
		m.figures, m.checks, *m.failure ? "FAIL: " : "PASS", m.failure);
	return *m.failure ? 1 : 0;
}
