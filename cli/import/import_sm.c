/* cli/import/import_sm.c -- options of GPGPU-Sim with several parts: the SM's pipeline, units, latencies,
 * scheduler.
 */
#include "cli/import/import_gpgpusim.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
	import_set(i, o, "sm.latency.barrier", "0"); /* barriers release warps at once there */
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
	static const struct import_part parts[] = { { "ID_OC_SP", 0, 0 }, { "ID_OC_DP", 0, 0 },
		{ "ID_OC_INT", 0, 0 }, { "ID_OC_SFU", 0, 0 }, { "ID_OC_MEM", 0, 0 }, { "OC_EX_SP", 0, 0 },
		{ "OC_EX_DP", 0, 0 }, { "OC_EX_INT", 0, 0 }, { "OC_EX_SFU", 0, 0 }, { "OC_EX_MEM", 0, 0 },
		{ "EX_WB", "sm.result_buses", 0 }, { "ID_OC_TENSOR_CORE", 0, 0 },
		{ "OC_EX_TENSOR_CORE", 0, 0 }, { 0 } };
	/* before there were DP and INT pipelines: SP, SFU, MEM twice, EX_WB */
	static const struct import_part old[] = { { "ID_OC_SP", 0, 0 }, { "ID_OC_SFU", 0, 0 },
		{ "ID_OC_MEM", 0, 0 }, { "OC_EX_SP", 0, 0 }, { "OC_EX_SFU", 0, 0 }, { "OC_EX_MEM", 0, 0 },
		{ "EX_WB", "sm.result_buses", 0 }, { 0 } };
	size_t commas = 0;

	for (const char *v = o->value; *v; v++)
		commas += *v == ',';
	if (commas == 6)
		take_list(i, o, ',', old, 7);
	else
		take_list(i, o, ',', parts, 11);
	import_remark(i, IMPORT_CHANGED, o,
		"only EX_WB (sm.result_buses); registers between the other stages are as many as there are "
		"units and collectors");
}

/* Ours is counted from issue to where a dependent instruction can issue; theirs is of the unit alone, and
 * those dependent on each other issue 3 cycles more apart (SM2_GTX480: 7 cycles with latency 4). */
#define BESIDE_THE_UNIT 3
#define LATENCY_REMARK  "3 cycles more: ours is from issue to a dependent issue, theirs of the unit alone"

void import_latency_int(struct import *i, struct import_option *o)
{
	static const struct import_part parts[] = { { "ADD", "sm.latency.int_add", BESIDE_THE_UNIT },
		{ "MAX", "sm.latency.int_max", BESIDE_THE_UNIT },
		{ "MUL", "sm.latency.int_mul", BESIDE_THE_UNIT },
		{ "MAD", "sm.latency.int_mad", BESIDE_THE_UNIT },
		{ "DIV", "sm.latency.int_div", BESIDE_THE_UNIT }, { "SHFL", 0, 0 }, { 0 } };
	double add = strtod(o->value, NULL);

	take_list(i, o, ',', parts, 5);
	import_set_number(i, o, "sm.latency.int_bits", add + BESIDE_THE_UNIT);
	import_set_number(i, o, "sm.latency.int_count", add + BESIDE_THE_UNIT);
	import_set_number(i, o, "sm.latency.convert", add + BESIDE_THE_UNIT);
	import_remark(
		i, IMPORT_CHANGED, o, LATENCY_REMARK "; shifts and conversions as ADD, SHFL not at all");
}

void import_latency_fp(struct import *i, struct import_option *o)
{
	static const struct import_part parts[] = { { "ADD", "sm.latency.fp_add", BESIDE_THE_UNIT },
		{ "MAX", "sm.latency.fp_max", BESIDE_THE_UNIT },
		{ "MUL", "sm.latency.fp_mul", BESIDE_THE_UNIT },
		{ "MAD", "sm.latency.fp_mad", BESIDE_THE_UNIT },
		{ "DIV", "sm.latency.fp_div", BESIDE_THE_UNIT }, { 0 } };

	take_list(i, o, ',', parts, 5);
	import_remark(i, IMPORT_CHANGED, o, LATENCY_REMARK);
}

void import_latency_dp(struct import *i, struct import_option *o)
{
	static const struct import_part parts[] = { { "ADD", "sm.latency.dp_add", BESIDE_THE_UNIT },
		{ "MAX", "sm.latency.dp_max", BESIDE_THE_UNIT },
		{ "MUL", "sm.latency.dp_mul", BESIDE_THE_UNIT },
		{ "MAD", "sm.latency.dp_mad", BESIDE_THE_UNIT },
		{ "DIV", "sm.latency.dp_div", BESIDE_THE_UNIT }, { 0 } };

	take_list(i, o, ',', parts, 5);
	import_remark(i, IMPORT_CHANGED, o, LATENCY_REMARK);
}

void import_latency_sfu(struct import *i, struct import_option *o)
{
	static const struct import_part parts[] = { { "the latency", "sm.latency.sfu", BESIDE_THE_UNIT },
		{ 0 } };

	take_list(i, o, ',', parts, 1);
	import_remark(i, IMPORT_CHANGED, o, LATENCY_REMARK);
}

void import_latency_tensor(struct import *i, struct import_option *o)
{
	static const struct import_part parts[] = { { "the latency", "sm.latency.matrix", BESIDE_THE_UNIT },
		{ 0 } };

	take_list(i, o, ',', parts, 1);
	import_remark(i, IMPORT_CHANGED, o, LATENCY_REMARK);
}

void import_interval_int(struct import *i, struct import_option *o)
{
	static const struct import_part parts[] = { { "ADD", "sm.interval.int_add", 0 },
		{ "MAX", "sm.interval.int_max", 0 }, { "MUL", "sm.interval.int_mul", 0 },
		{ "MAD", "sm.interval.int_mad", 0 }, { "DIV", "sm.interval.int_div", 0 }, { "SHFL", 0, 0 },
		{ 0 } };
	double add = strtod(o->value, NULL);

	take_list(i, o, ',', parts, 5);
	import_set_number(i, o, "sm.interval.int_bits", add);
	import_set_number(i, o, "sm.interval.int_count", add);
	import_set_number(i, o, "sm.interval.convert", add);
	import_remark(i, IMPORT_CHANGED, o, "shifts and conversions as ADD, SHFL not at all");
}

void import_interval_fp(struct import *i, struct import_option *o)
{
	static const struct import_part parts[] = { { "ADD", "sm.interval.fp_add", 0 },
		{ "MAX", "sm.interval.fp_max", 0 }, { "MUL", "sm.interval.fp_mul", 0 },
		{ "MAD", "sm.interval.fp_mad", 0 }, { "DIV", "sm.interval.fp_div", 0 }, { 0 } };

	take_list(i, o, ',', parts, 5);
}

void import_interval_dp(struct import *i, struct import_option *o)
{
	static const struct import_part parts[] = { { "ADD", "sm.interval.dp_add", 0 },
		{ "MAX", "sm.interval.dp_max", 0 }, { "MUL", "sm.interval.dp_mul", 0 },
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
		import_remark(i, IMPORT_LEFT_OUT, o,
			"0: f64 goes through the SFUs there; here it has a unit of its own, with the "
			"intervals given (sm.interval.dp_*)");
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
	double inner = take_next(c, "what goes first (0: lrr, 2: gto)"),
	       warps = take_next(c, "how many warps");

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
	import_remark(
		i, IMPORT_CHANGED, o, "without the prioritizations: round robin among the active warps here");
}

void import_scheduler(struct import *i, struct import_option *o)
{
	static const char *const single_level[] = { "lrr", "gto", "oldest" };
	static const char *const names[] = { "lrr", "gto", "old", "oldest", "two_level_active",
		"warp_limiting" };
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
		if (!strcmp(name, single_level[n]) || (n == 2 && !strcmp(name, "old"))) {
			take_end(&c);
			import_set(i, o, "sm.scheduler.policy", "%s", single_level[n]);
			return;
		}
	c.at = 0;
	nearest = diag_nearest(name, names, sizeof(names) / sizeof(*names));
	expected(&c, "lrr, gto, old, two_level_active:... or warp_limiting:...%s%s%s",
		nearest ? " (did you mean " : "", nearest ? nearest : "", nearest ? "?)" : "");
}
