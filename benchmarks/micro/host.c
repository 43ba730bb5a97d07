/* micro -- host side: what one instruction, one unit, one SM and the chip cost, measured by small PTX kernels
 * through the driver API, on the simulator or on a GPU; beside it the figures that others measured. README.md
 * says how to read it. */
#include "micro.h"

static const struct topic {
	const char *name, *about;
	void (*run)(struct micro *m);
} topics[] = {
	{ "latency", "cycles from an instruction to the next that needs its result, one warp",
		topic_latency },
	{ "throughput", "results a shader cycle and SM with all warps; rates of the chip by events",
		topic_throughput },
	{ "issue", "both schedulers against one; several units at once", topic_issue },
	{ "banks", "register operands that fall on one bank", topic_banks },
	{ "occupancy", "a dependent chain in each warp: warps that hide the latency", topic_occupancy },
	{ "shared", "shared memory by stride and by width", topic_shared },
	{ "constant", "the constant cache by width and by distinct words", topic_constant },
	{ "l1", "loads that hit in the L1, by width", topic_l1 },
	{ "barrier", "bar.sync by warps in the CTA", topic_barrier },
	{ "divergence", "paths that a warp takes one after the other", topic_divergence },
	{ "control", "special registers, branches, guards that are false", topic_control },
};
enum { TOPICS = sizeof topics / sizeof topics[0] };

static void usage(FILE *out)
{
	fprintf(out,
		"usage: micro [--csv] [topic...]\nMeasures latencies, throughput and conflicts, and prints "
		"published figures beside "
		"them.\n\n");
	for (size_t i = 0; i < TOPICS; i++)
		fprintf(out, "  %-12s %s\n", topics[i].name, topics[i].about);
	fprintf(out, "  %-12s comma-separated values\n  %-12s this text\n", "--csv", "--help");
}

static const struct topic *find(const char *name)
{
	for (size_t i = 0; i < TOPICS; i++)
		if (!strcmp(topics[i].name, name))
			return &topics[i];
	return NULL;
}

/* wanted[]: topics to run; all, if none is named. */
static void arguments(int argc, char **argv, bool wanted[TOPICS], bool *csv)
{
	size_t named = 0;

	for (int i = 1; i < argc; i++) {
		const struct topic *t = find(argv[i]);

		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
			usage(stdout);
			exit(0);
		}
		if (!strcmp(argv[i], "--csv")) {
			*csv = true;
		} else if (t) {
			wanted[t - topics] = true;
			named++;
		} else {
			fprintf(stderr, "micro: %s: no such topic or option; --help shows them\n", argv[i]);
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
	m->data = bench_device_alloc(DATA_BYTES, 1);
	CHECK(cuMemsetD32(m->data, 0, DATA_BYTES / 4));
}

static void end(struct micro *m)
{
	CHECK(cuMemFree(m->data));
	if (m->capacity)
		CHECK(cuMemFree(m->out));
	free(m->records);
	CHECK(cuEventDestroy(m->begin));
	CHECK(cuEventDestroy(m->end));
	CHECK(cuDevicePrimaryCtxRelease(m->device));
}

static void say_device(const struct micro *m)
{
	char name[128] = "";

	CHECK(cuDeviceGetName(name, sizeof name, m->device));
	printf("micro on %s: %u SMs, shader clock %.0f MHz; cycles are shader cycles\n\n", name, m->sms,
		m->mhz);
}

int main(int argc, char **argv)
{
	bool wanted[TOPICS] = { false }, csv = false;
	struct micro m = { 0 };

	arguments(argc, argv, wanted, &csv);
	begin(&m);
	if (!csv)
		say_device(&m);
	report_begin(BENCHMARKS_FOLDER "/micro/published.csv", csv);
	for (size_t i = 0; i < TOPICS; i++) {
		if (!wanted[i])
			continue;
		report_topic(topics[i].name, topics[i].about);
		micro_load(&m, topics[i].name);
		topics[i].run(&m);
		CHECK(cuModuleUnload(m.module));
	}
	end(&m);
	fprintf(csv ? stderr : stdout, "%smicro: %zu figures, %zu values checked: %s%s\n", csv ? "" : "\n",
		m.figures, m.checks, *m.failure ? "FAIL: " : "PASS", m.failure);
	return *m.failure ? 1 : 0;
}
