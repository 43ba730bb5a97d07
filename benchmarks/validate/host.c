/* validate -- host side: bandwidths, latencies and copies that others measured on hardware, through the
 * driver API, on the simulator or on a GPU. Values are checked; figures are printed beside the published ones
 * of the same name. README.md says which program measured what, and validate.sh which configuration runs
 * which topic. */
#include "validate.h"

#define KERNELS "validate/kernel.ptx"
#define SWEEPS  "validate/sweep.ptx" /* which generate.sh writes */
#define COUNTED "validate/counters.ptx"
#define HOPPER  "validate/hopper.ptx"
#define COPIES  "validate/copies.ptx"
#define KINDS   "validate/kinds.ptx"
#define SLICES  "validate/slices.ptx"

static const struct topic topic[] = {
	{ "latency", "cycles from one load of a pointer to the next, by footprint", KERNELS, topic_latency,
		0 },
	{ "sweep", "read bandwidth of the whole chip over the footprint, as gpumembench", SWEEPS, topic_sweep,
		0 },
	{ "peaks", "best bandwidth by width, reading and copying, as gpumembench", SWEEPS, topic_peaks, 0 },
	{ "memory", "device memory, coalesced and strided, as SHOC", KERNELS, topic_memory, 0 },
	{ "shared", "shared memory, as SHOC", KERNELS, topic_shared_memory, 0 },
	{ "rows", "copying rows of 1024 words, one thread each", KERNELS, topic_rows, 0 },
	{ "hotspot", "launches of Rodinia's hotspot whose counters are published", COUNTED, topic_hotspot,
		0 },
	{ "backprop", "launches of Rodinia's backprop whose counters are published", COUNTED, topic_backprop,
		0 },
	{ "copies", "bulk copies: latency by size, bandwidth by bytes under way", COPIES, topic_copies, 90 },
	{ "rings", "bulk copies under way in 32 SMs, and in all of them, by size", COPIES, topic_rings, 100 },
	{ "kinds", "products of warps on an SM: bf16, and floats of 4 and 8 bits", KINDS, topic_kinds, 120 },
	{ "products", "matrix products of warpgroups and of warps on an SM", HOPPER, topic_products, 90 },
	{ "clusters", "shared memory of other CTAs of a cluster: latency, bandwidth", HOPPER, topic_clusters,
		90 },
	{ "barriers", "mbarriers, barriers of clusters and of the grid, atomics of all SMs", HOPPER,
		topic_barriers, 90 },
	{ "device", "what the driver says of the device", KERNELS, topic_device, 0 },
	{ "l1-rings", "the L1 by rings: size, ways, line, sector", KERNELS, topic_rings_l1, 0 },
	{ "l2-rings", "the L2 in the same way", KERNELS, topic_rings_l2, 0 },
	{ "slices", "slices of the L2: how many, how wide; the link of an SM", SLICES, topic_slices, 0 },
};

double launch_ms(struct micro *m, const char *kernel, unsigned ctas, unsigned threads, void **args)
{
	CUfunction function;
	float ms;

	bench_check(cuModuleGetFunction(&function, m->module, kernel), kernel, __FILE__, __LINE__);
	CHECK(cuCtxSynchronize()); /* a launch that has waited in the stream starts sooner than others */
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
	static const struct topics topics = {
		.name = "validate",
		.help = "Measures what others measured on hardware, and prints their figures beside.",
		.topic = topic,
		.count = sizeof topic / sizeof *topic,
	};

	return topics_main(&topics, argc, argv);
}
