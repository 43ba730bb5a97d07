/* cli/import_parts.c -- options of GPGPU-Sim with several parts, or that go together: the chip, the SM, the network, queues. */
#include "cli/import_gpgpusim.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What one number of a list becomes. */
struct part {
	const char *what;          /* in messages; NULL: the end */
	const char *path;          /* NULL: nothing */
	double more;               /* added to the number */
};

/* Numbers with separators between them; so many must be there, others may. */
static void take_list(struct import *i, struct import_option *o, char separator, const struct part *parts, size_t least)
{
	struct import_cursor c = import_cursor(i, o);

	for (size_t n = 0; parts[n].what; n++) {
		double value;

		if (n && !take_if(&c, separator)) {
			if (n < least)
				expected(&c, "%c and %s", separator, parts[n].what);
			break;
		}
		value = take_number(&c, parts[n].what);
		if (!c.failed && parts[n].path)
			import_set_number(i, o, parts[n].path, value + parts[n].more);
	}
	take_end(&c);
}

/* -- the chip -- */

void import_clocks(struct import *i, struct import_option *o)
{
	static const struct part parts[] = { { "the core's MHz", "gpu.core_mhz", 0 }, { "the interconnect's MHz", "gpu.xbar_mhz", 0 },
		{ "the L2's MHz", "gpu.l2_mhz", 0 }, { "the DRAM's MHz", "gpu.dram_mhz", 0 }, { 0 } };
	static const struct part core[] = { { "the core's MHz", "gpu.shader_mhz", 0 }, { 0 } };
	size_t errors = i->diags->errors;

	take_list(i, o, ':', parts, 4);
	if (i->diags->errors == errors)
		import_set(i, o, core->path, "%.*s", (int)strcspn(o->value, ":"), o->value); /* %clock counts core cycles there */
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

/* Rules that follow from the generation: what an instruction can name, and how registers are given out there, by fours of each thread. */
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
		"not 2: registers per thread and grids of that generation, registers in units of 128 for a warp, as there; f64 beside other instructions");
}

/* -- the SM -- */

void import_pipeline(struct import *i, struct import_option *o)
{
	struct import_cursor c = import_cursor(i, o);
	double threads = take_number(&c, "threads of an SM");

	if (!take_if(&c, ':'))
		expected(&c, ": and the warp size");
	if (take_number(&c, "the warp size") != 32 && !c.failed) {
		c.at -= 1;
		expected(&c, "32: warps have 32 threads here");
	}
	take_end(&c);
	if (c.failed)
		return;
	import_set_number(i, o, "sm.max_threads", threads);
	import_set_number(i, o, "sm.max_warps", floor((threads + 31) / 32));
	if (threads < 1024)
		import_set_number(i, o, "sm.max_threads_per_cta", threads);
	if (!import_find(i, "gpgpu_registers_per_block") && import_find(i, "gpgpu_shader_registers"))
		import_set_number(i, import_find(i, "gpgpu_shader_registers"), "sm.max_registers_per_cta",
			import_number(i, "gpgpu_shader_registers", 8192));
}

/* ID_OC_SP, _DP, _INT, _SFU, _MEM; OC_EX_ the same; EX_WB. */
void import_widths(struct import *i, struct import_option *o)
{
	static const struct part parts[] = { { "ID_OC_SP", 0, 0 }, { "ID_OC_DP", 0, 0 }, { "ID_OC_INT", 0, 0 }, { "ID_OC_SFU", 0, 0 }, { "ID_OC_MEM", 0, 0 },
		{ "OC_EX_SP", 0, 0 }, { "OC_EX_DP", 0, 0 }, { "OC_EX_INT", 0, 0 }, { "OC_EX_SFU", 0, 0 }, { "OC_EX_MEM", 0, 0 },
		{ "EX_WB", "sm.result_buses", 0 }, { "ID_OC_TENSOR_CORE", 0, 0 }, { "OC_EX_TENSOR_CORE", 0, 0 }, { 0 } };
	/* before there were DP and INT pipelines: SP, SFU, MEM twice, EX_WB */
	static const struct part old[] = { { "ID_OC_SP", 0, 0 }, { "ID_OC_SFU", 0, 0 }, { "ID_OC_MEM", 0, 0 }, { "OC_EX_SP", 0, 0 }, { "OC_EX_SFU", 0, 0 },
		{ "OC_EX_MEM", 0, 0 }, { "EX_WB", "sm.result_buses", 0 }, { 0 } };
	size_t commas = 0;

	for (const char *v = o->value; *v; v++)
		commas += *v == ',';
	if (commas == 6)
		take_list(i, o, ',', old, 7);
	else
		take_list(i, o, ',', parts, 11);
	import_remark(i, IMPORT_CHANGED, o, "only EX_WB (sm.result_buses); registers between the other stages are as many as there are units and collectors");
}

/* Ours is counted from issue to where a dependent instruction can issue; theirs is of the unit alone, and those dependent on each other
 * issue 3 cycles more apart (SM2_GTX480: 7 cycles with latency 4). */
#define BESIDE_THE_UNIT 3
#define LATENCY_REMARK "3 cycles more: ours is from issue to a dependent issue, theirs of the unit alone"

void import_latency_int(struct import *i, struct import_option *o)
{
	static const struct part parts[] = { { "ADD", "sm.latency.int_add", BESIDE_THE_UNIT }, { "MAX", "sm.latency.int_max", BESIDE_THE_UNIT },
		{ "MUL", "sm.latency.int_mul", BESIDE_THE_UNIT }, { "MAD", "sm.latency.int_mad", BESIDE_THE_UNIT },
		{ "DIV", "sm.latency.int_div", BESIDE_THE_UNIT }, { "SHFL", 0, 0 }, { 0 } };
	double add = strtod(o->value, NULL);

	take_list(i, o, ',', parts, 5);
	import_set_number(i, o, "sm.latency.int_bits", add + BESIDE_THE_UNIT);
	import_set_number(i, o, "sm.latency.convert", add + BESIDE_THE_UNIT);
	import_remark(i, IMPORT_CHANGED, o, LATENCY_REMARK "; shifts and conversions as ADD, SHFL not at all");
}

void import_latency_fp(struct import *i, struct import_option *o)
{
	static const struct part parts[] = { { "ADD", "sm.latency.fp_add", BESIDE_THE_UNIT }, { "MAX", "sm.latency.fp_max", BESIDE_THE_UNIT },
		{ "MUL", "sm.latency.fp_mul", BESIDE_THE_UNIT }, { "MAD", "sm.latency.fp_mad", BESIDE_THE_UNIT },
		{ "DIV", "sm.latency.fp_div", BESIDE_THE_UNIT }, { 0 } };

	take_list(i, o, ',', parts, 5);
	import_remark(i, IMPORT_CHANGED, o, LATENCY_REMARK);
}

void import_latency_dp(struct import *i, struct import_option *o)
{
	static const struct part parts[] = { { "ADD", "sm.latency.dp_add", BESIDE_THE_UNIT }, { "MAX", "sm.latency.dp_max", BESIDE_THE_UNIT },
		{ "MUL", "sm.latency.dp_mul", BESIDE_THE_UNIT }, { "MAD", "sm.latency.dp_mad", BESIDE_THE_UNIT },
		{ "DIV", "sm.latency.dp_div", BESIDE_THE_UNIT }, { 0 } };

	take_list(i, o, ',', parts, 5);
	import_remark(i, IMPORT_CHANGED, o, LATENCY_REMARK);
}

void import_latency_sfu(struct import *i, struct import_option *o)
{
	static const struct part parts[] = { { "the latency", "sm.latency.sfu", BESIDE_THE_UNIT }, { 0 } };

	take_list(i, o, ',', parts, 1);
	import_remark(i, IMPORT_CHANGED, o, LATENCY_REMARK);
}

void import_latency_tensor(struct import *i, struct import_option *o)
{
	static const struct part parts[] = { { "the latency", "sm.latency.matrix", BESIDE_THE_UNIT }, { 0 } };

	take_list(i, o, ',', parts, 1);
	import_remark(i, IMPORT_CHANGED, o, LATENCY_REMARK);
}

void import_interval_int(struct import *i, struct import_option *o)
{
	static const struct part parts[] = { { "ADD", "sm.interval.int_add", 0 }, { "MAX", "sm.interval.int_max", 0 }, { "MUL", "sm.interval.int_mul", 0 },
		{ "MAD", "sm.interval.int_mad", 0 }, { "DIV", "sm.interval.int_div", 0 }, { "SHFL", 0, 0 }, { 0 } };
	double add = strtod(o->value, NULL);

	take_list(i, o, ',', parts, 5);
	import_set_number(i, o, "sm.interval.int_bits", add);
	import_set_number(i, o, "sm.interval.convert", add);
	import_remark(i, IMPORT_CHANGED, o, "shifts and conversions as ADD, SHFL not at all");
}

void import_interval_fp(struct import *i, struct import_option *o)
{
	static const struct part parts[] = { { "ADD", "sm.interval.fp_add", 0 }, { "MAX", "sm.interval.fp_max", 0 }, { "MUL", "sm.interval.fp_mul", 0 },
		{ "MAD", "sm.interval.fp_mad", 0 }, { "DIV", "sm.interval.fp_div", 0 }, { 0 } };

	take_list(i, o, ',', parts, 5);
}

void import_interval_dp(struct import *i, struct import_option *o)
{
	static const struct part parts[] = { { "ADD", "sm.interval.dp_add", 0 }, { "MAX", "sm.interval.dp_max", 0 }, { "MUL", "sm.interval.dp_mul", 0 },
		{ "MAD", "sm.interval.dp_mad", 0 }, { "DIV", "sm.interval.dp_div", 0 }, { 0 } };

	take_list(i, o, ',', parts, 5);
}

void import_units_dp(struct import *i, struct import_option *o)
{
	struct import_cursor c = import_cursor(i, o);
	double units = take_number(&c, "how many");

	take_end(&c);
	if (c.failed)
		return;
	if (units > 0)
		import_set_number(i, o, "sm.dp_units", units);
	else
		import_remark(i, IMPORT_LEFT_OUT, o, "0: f64 goes through the SFUs there; here it has a unit of its own, with the intervals given (sm.interval.dp_*)");
}

/* The number behind a colon. */
static double take_next(struct import_cursor *c, const char *what)
{
	if (!take_if(c, ':'))
		expected(c, ": and %s", what);
	return take_number(c, what);
}

static void limiting(struct import *i, struct import_option *o, struct import_cursor *c)
{
	double inner = take_next(c, "what goes first (0: lrr, 2: gto)"), warps = take_next(c, "how many warps");

	take_end(c);
	if (c->failed)
		return;
	import_set(i, o, "sm.scheduler.policy", "%s", inner == 0 ? "lrr" : "gto");
	import_set(i, o, "sm.limiter.policy", "swl");
	import_set_number(i, o, "sm.limiter.swl.warps", warps);
}

static void two_level(struct import *i, struct import_option *o, struct import_cursor *c)
{
	double warps = take_next(c, "the size of the active set");

	take_next(c, "the inner prioritization");
	take_next(c, "the outer prioritization");
	take_end(c);
	if (c->failed)
		return;
	import_set(i, o, "sm.scheduler.policy", "two_level");
	import_set_number(i, o, "sm.scheduler.two_level.active_warps", warps);
	import_remark(i, IMPORT_CHANGED, o, "without the prioritizations: round robin among the active warps here");
}

void import_scheduler(struct import *i, struct import_option *o)
{
	static const char *const plain[] = { "lrr", "gto", "oldest" };
	static const char *const names[] = { "lrr", "gto", "old", "oldest", "two_level_active", "warp_limiting" };
	struct import_cursor c = import_cursor(i, o);
	size_t size = strcspn(o->value, ":");
	char name[64];
	const char *nearest;

	snprintf(name, sizeof(name), "%.*s", (int)size, o->value);
	c.at = size;
	if (!strcmp(name, "two_level_active")) {
		two_level(i, o, &c);
		return;
	}
	if (!strcmp(name, "warp_limiting")) {
		limiting(i, o, &c);
		return;
	}
	for (size_t n = 0; n < 3; n++)
		if (!strcmp(name, plain[n]) || (n == 2 && !strcmp(name, "old"))) {
			take_end(&c);
			import_set(i, o, "sm.scheduler.policy", "%s", plain[n]);
			return;
		}
	c.at = 0;
	nearest = diag_nearest(name, names, sizeof(names) / sizeof(*names));
	expected(&c, "lrr, gto, old, two_level_active:... or warp_limiting:...%s%s%s", nearest ? " (did you mean " : "", nearest ? nearest : "",
		nearest ? "?)" : "");
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
	import_remark(i, IMPORT_LEFT_OUT, o, flushes ? "1: always so here, when a kernel's first CTA comes to an SM" : "0: an L1 here never keeps its lines from kernel to kernel");
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
		import_remark(i, IMPORT_LEFT_OUT, o, "%g: half warps and segments of 1.x; warps are coalesced into lines here", arch);
	else
		import_remark(i, IMPORT_LEFT_OUT, o, "%g: a warp's accesses become lines, as here; sectors are a matter of the caches", arch);
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
		import_remark(i, IMPORT_CHANGED, o, "with virtual output queues, which iSLIP is made for (xbar.voq)");
	} else if (is_local && !strcmp(o->value, "0")) {
		import_set(i, o, "xbar.arbiter", "round_robin");
	} else {
		import_remark(i, IMPORT_LEFT_OUT, o, "%s: arbiters here are round_robin, age and islip", o->value);
	}
}

void import_queues(struct import *i, struct import_option *o)
{
	static const struct part parts[] = { { "interconnect to L2", "l2.request_queue", 0 }, { "L2 to DRAM", "l2.dram_queue", 0 },
		{ "DRAM to L2", "l2.fill_queue", 0 }, { "L2 to interconnect", "l2.reply_queue", 0 }, { 0 } };

	take_list(i, o, ':', parts, 4);
}
