/* cli/import/import_parts.c -- options of GPGPU-Sim with several parts, or that go together: the chip, the
 * network, queues, switches. */
#include "cli/import/import_gpgpusim.h"
#include <stdlib.h>
#include <string.h>

#define DEFAULT_CORE_MHZ 500 /* what GPGPU-Sim takes if it is not told */

/* -- the chip -- */

/* A kernel's start-up there: the same for each launch, and none unless it is asked for. */
static void set_launch(struct import *i, struct import_option *o, double microseconds)
{
	import_set_number(i, o, "gpu.launch.first", microseconds);
	import_set_number(i, o, "gpu.launch.queued", microseconds);
	import_set_number(i, o, "gpu.launch.drain", 0);
}

void import_clocks(struct import *i, struct import_option *o)
{
	static const struct import_part parts[] = { { "the core's MHz", "gpu.core_mhz", 0 },
		{ "the interconnect's MHz", "gpu.xbar_mhz", 0 }, { "the L2's MHz", "gpu.l2_mhz", 0 },
		{ "the DRAM's MHz", "gpu.dram_mhz", 0 }, { 0 } };
	static const struct import_part core[] = { { "the core's MHz", "gpu.shader_mhz", 0 }, { 0 } };
	size_t errors = i->diags->errors;

	take_list(i, o, ':', parts, 4);
	if (i->diags->errors != errors)
		return;
	import_set(i, o, core->path, "%.*s", (int)strcspn(o->value, ":"), o->value); /* %clock counts core
											cycles there */
	if (!import_find(i, "gpgpu_kernel_launch_latency"))
		set_launch(i, o, 0);
}

/* Core cycles from any launch to its first CTA, there; here they are a time. */
void import_launch(struct import *i, struct import_option *o)
{
	struct import_cursor c = import_cursor(i, o);
	const struct import_option *clocks = import_find(i, "gpgpu_clock_domains");
	double latency = take_number(&c, "core cycles"), mhz = clocks ? strtod(clocks->value, NULL) : 0;

	take_end(&c);
	if (!c.failed)
		set_launch(i, o, mhz > 0 ? latency / mhz : latency / DEFAULT_CORE_MHZ);
}

/* Both options come here; what they make together is set once. */
void import_cores(struct import *i, struct import_option *o)
{
	struct import_cursor c = import_cursor(i, o);
	double value = take_number(&c, "how many");
	bool is_first = !strcmp(o->name, "gpgpu_n_clusters") || !import_find(i, "gpgpu_n_clusters");

	take_end(&c);
	if (c.failed)
		return;
	o->is_carried = true;
	if (!is_first)
		return;
	if (!strcmp(o->name, "gpgpu_n_clusters"))
		import_set_number(i, o, "gpu.sms", value * import_number(i, "gpgpu_n_cores_per_cluster", 3));
	else
		import_set_number(i, o, "gpu.sms", value * 10); /* what GPGPU-Sim takes if it is not told */
}

/* Rules that follow from the generation: what an instruction can name, and how registers are given out there,
 * by fours of each thread. */
void import_capability(struct import *i, struct import_option *o)
{
	struct import_cursor c = import_cursor(i, o);
	double major = take_number(&c, "the compute capability before the point");

	take_end(&c);
	if (c.failed)
		return;
	import_set_number(i, o, "gpu.compute_major", major);
	if (major == 2)
		return;
	import_set(i, o, "sm.max_registers_per_thread", major >= 3 ? "255" : "127");
	import_set(i, o, "sm.register_granularity", "128");
	import_set(i, o, "sm.warp_granularity", "1");
	import_set(i, o, "sm.register_double_units", "false");
	if (major >= 3)
		import_set(i, o, "gpu.max_grid_x", "2147483647");
	import_set(i, o, "sm.dp_exclusive", "false");
	import_remark(i, IMPORT_CHANGED, o,
		"not 2: registers per thread and grids of that generation, registers in units of 128 for a "
		"warp, as there; f64 beside other instructions");
}

/* A switch: 0 or 1. */
static bool take_switch(struct import *i, struct import_option *o, bool *is_on)
{
	struct import_cursor c = import_cursor(i, o);

	*is_on = take_number(&c, "0 or 1") != 0;
	take_end(&c);
	return !c.failed;
}

void import_skip_l1(struct import *i, struct import_option *o)
{
	bool skips;

	if (take_switch(i, o, &skips))
		import_set(i, o, "sm.global_loads", "%s", skips ? "cg" : "ca");
}

void import_flush_l1(struct import *i, struct import_option *o)
{
	bool flushes;

	if (!take_switch(i, o, &flushes))
		return;
	import_remark(i, IMPORT_LEFT_OUT, o,
		flushes ? "1: always so here, when a kernel's first CTA comes to an SM"
			: "0: an L1 here never keeps its lines from kernel to kernel");
}

void import_flush_l2(struct import *i, struct import_option *o)
{
	bool flushes;

	if (take_switch(i, o, &flushes))
		import_set(i, o, "l2.flush", "%s", flushes ? "true" : "false");
}

void import_perfect(struct import *i, struct import_option *o)
{
	bool is_perfect;

	if (!take_switch(i, o, &is_perfect))
		return;
	import_set(i, o, "sm.instruction.enabled", "%s", is_perfect ? "false" : "true");
	if (is_perfect)
		import_remark(i, IMPORT_CHANGED, o, "for instructions alone: the constant cache misses here");
}

void import_coalescing(struct import *i, struct import_option *o)
{
	struct import_cursor c = import_cursor(i, o);
	double arch = take_number(&c, "a compute capability times 10");

	take_end(&c);
	if (c.failed)
		return;
	if (arch < 20)
		import_remark(i, IMPORT_LEFT_OUT, o,
			"%g: half warps and segments of 1.x; warps are coalesced into lines here", arch);
	else
		import_remark(i, IMPORT_LEFT_OUT, o,
			"%g: a warp's accesses become lines, as here; sectors are a matter of the caches",
			arch);
}

/* -- network and queues -- */

void import_network(struct import *i, struct import_option *o)
{
	struct import_cursor c = import_cursor(i, o);
	double mode = take_number(&c, "1 (BookSim) or 2 (local crossbar)");

	take_end(&c);
	if (c.failed)
		return;
	import_set(i, o, "xbar.network", "crossbar");
	if (mode == 1)
		import_remark(i, IMPORT_CHANGED, o, "a crossbar in any case");
}

/* sw_allocator of *.icnt; icnt_arbiter_algo: 0 round robin, 1 iSLIP. */
void import_allocator(struct import *i, struct import_option *o)
{
	bool is_local = !strcmp(o->name, "icnt_arbiter_algo");

	if (!strcmp(o->value, is_local ? "1" : "islip")) {
		import_set(i, o, "xbar.arbiter", "islip");
		import_set(i, o, "xbar.voq", "true");
		import_remark(i, IMPORT_CHANGED, o,
			"with virtual output queues, which iSLIP is made for (xbar.voq)");
	} else if (is_local && !strcmp(o->value, "0")) {
		import_set(i, o, "xbar.arbiter", "round_robin");
	} else {
		import_remark(
			i, IMPORT_LEFT_OUT, o, "%s: arbiters here are round_robin, age and islip", o->value);
	}
}

void import_queues(struct import *i, struct import_option *o)
{
	static const struct import_part parts[] = { { "interconnect to L2", "l2.request_queue", 0 },
		{ "L2 to DRAM", "l2.dram_queue", 0 }, { "DRAM to L2", "l2.fill_queue", 0 },
		{ "L2 to interconnect", "l2.reply_queue", 0 }, { 0 } };

	take_list(i, o, ':', parts, 4);
}
