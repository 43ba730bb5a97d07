/* micro -- host side: what one instruction, one unit, one SM and the chip cost, measured by small PTX kernels
 * through the driver API, on the simulator or on a GPU; beside it the figures that others measured. README.md
 * says how to read it. */
#include "micro.h"

#define PTX(topic) "micro/" topic ".ptx"

static const struct topic topic[] = {
	{ "latency", "cycles from an instruction to the next that needs its result, one warp", PTX("latency"),
		topic_latency, 0 },
	{ "throughput", "results a shader cycle and SM with all warps; rates of the chip by events",
		PTX("throughput"), topic_throughput, 0 },
	{ "issue", "both schedulers against one; several units at once", PTX("issue"), topic_issue, 0 },
	{ "banks", "register operands that fall on one bank", PTX("banks"), topic_banks, 0 },
	{ "occupancy", "a dependent chain in each warp: warps that hide the latency", PTX("occupancy"),
		topic_occupancy, 0 },
	{ "shared", "shared memory by stride and by width", PTX("shared"), topic_shared, 0 },
	{ "constant", "the constant cache by width and by distinct words", PTX("constant"), topic_constant,
		0 },
	{ "l1", "loads that hit in the L1, by width", PTX("l1"), topic_l1, 0 },
	{ "barrier", "bar.sync by warps in the CTA", PTX("barrier"), topic_barrier, 0 },
	{ "divergence", "paths that a warp takes one after the other", PTX("divergence"), topic_divergence,
		0 },
	{ "control", "special registers, branches, guards that are false", PTX("control"), topic_control, 0 },
	{ "lanes", "single instructions on values that differ by lane (sm_80 and later)", PTX("lanes"),
		topic_lanes, 80 },
};

static void begin(struct micro *m, bool csv)
{
	char name[128] = "";

	m->data = bench_device_alloc(DATA_BYTES, 1);
	CHECK(cuMemsetD32(m->data, 0, DATA_BYTES / 4));
	if (csv)
		return;
	CHECK(cuDeviceGetName(name, sizeof name, m->device));
	printf("micro on %s: %u SMs, shader clock %.0f MHz; cycles are shader cycles\n\n", name, m->sms,
		m->mhz);
}

int main(int argc, char **argv)
{
	static const struct topics topics = {
		.name = "micro",
		.help = "Measures latencies, throughput and conflicts, and prints published figures beside "
			"them.",
		.topic = topic,
		.count = sizeof topic / sizeof *topic,
		.begin = begin,
	};

	return topics_main(&topics, argc, argv);
}
