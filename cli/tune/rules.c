/* cli/tune/rules.c -- one line for each parameter that probes tell: which rows, and by which rule. */
#include "cli/tune/rule.h"
#include "sim/base/xalloc.h"
#include <math.h>

#define ONE(name) \
	{ \
		.row = name \
	}
#define LIKE(name, speed) \
	{ \
		.row = name, .rate = speed \
	}
#define PART(name, n) \
	{ \
		.row = name, .per = n \
	}
#define ALIKE(name) \
	{ \
		.row = name, .is_alike = true \
	}
#define RULE(path_, find_, ...) \
	{ \
		.path = path_, .find = find_, .sources = { __VA_ARGS__ } \
	}
#define TOLD(path_, row_, scale_) \
	{ \
		.path = path_, .find = rule_told, .sources = { ONE(row_) }, .scale = scale_ \
	}
#define CLOCK(path_, find_, row_) \
	{ \
		.path = path_, .find = find_, .sources = { ONE(row_) }, .scale = 1e-3 \
	}
#define LATENCY(name, label) \
	RULE("sm.latency." name, rule_latency, LIKE("latency " label, "throughput " label))
#define LANES(name, label) \
	RULE("sm.latency." name, rule_latency, LIKE("lanes latency " label, "lanes rate " label))
#define INTERVAL(name, units_, ...) \
	{ \
		.path = "sm.interval." name, .find = rule_interval, .sources = { __VA_ARGS__ }, \
		.units = units_ \
	}
#define TRIAL(path_, clock_, ...) \
	{ \
		.path = path_, .find = rule_by_trial, .sources = { __VA_ARGS__ }, .clock = clock_ \
	}
#define DRAM_TIME(name) RULE("dram." name, rule_dram_time, ONE("device memory clock"))

static const struct rule rules[] = {
	TOLD("gpu.compute_major", "device compute capability major", 1),
	TOLD("gpu.compute_minor", "device compute capability minor", 1),
	TOLD("gpu.sms", "device SMs", 1),
	RULE("gpu.partitions", rule_slices, ONE("slices owned N x STEP")),
	RULE("gpu.interleave", rule_interleave, ONE("slices interleave")),
	CLOCK("gpu.core_mhz", rule_core_clock, "device clock"),
	CLOCK("gpu.shader_mhz", rule_told, "device clock"),
	CLOCK("gpu.xbar_mhz", rule_other_clock, "device clock"),
	CLOCK("gpu.l2_mhz", rule_other_clock, "device clock"),
	CLOCK("gpu.dram_mhz", rule_memory_clock, "device memory clock"),
	RULE("gpu.memory", rule_memory, ONE("device memory")),
	TOLD("gpu.max_grid_x", "device grid x", 1),
	RULE("gpu.copy_engines", rule_copy_engines, ONE("device copy engines")),
	TOLD("sm.max_threads", "device threads an SM", 1),
	TOLD("sm.max_warps", "device threads an SM", 1.0 / LANES),
	TOLD("sm.max_ctas", "device CTAs an SM", 1),
	TOLD("sm.registers", "device registers an SM", 1),
	TOLD("sm.max_registers_per_cta", "device registers a CTA", 1),
	TOLD("sm.shared_bytes", "device shared memory an SM", 1),
	RULE("sm.shared_carve_outs", rule_carve_outs, ONE("device shared memory an SM")),
	TOLD("sm.max_shared_per_cta", "device shared memory a CTA", 1),
	TOLD("sm.shared_reserved", "device shared memory reserved", 1),
	RULE("sm.schedulers", rule_schedulers, ONE("issue f32 mul: every 8th of 32 warps")),
	RULE("sm.sp_units", rule_units, ONE("throughput f32 add"), ONE("throughput f32 mul"),
		ONE("throughput f32 mad")),
	RULE("sm.int_units", rule_integer_units, ONE("lanes rate shift"), ONE("throughput int shift")),
	RULE("sm.sfu_units", rule_units, ONE("throughput sfu rcp")),
	RULE("sm.dp_units", rule_units, ONE("throughput f64 add"), ONE("throughput f64 mul"),
		ONE("throughput f64 mad")),
	RULE("sm.shared_banks", rule_banks, ONE("shared stride 1")),
	RULE("sm.shared_wide_load", rule_wide_load, ONE("shared load 128-bit")),
	TRIAL("sm.shared_latency", "gpu.core_mhz", ONE("latency load shared")),
	RULE("sm.shared_conflict_latency", rule_conflict, ONE("shared latency 1-way")),
	LATENCY("int_add", "int add"),
	RULE("sm.latency.int_bits", rule_latency, ONE("lanes latency shift"), ONE("latency int shift")),
	LANES("int_count", "popc"),
	RULE("sm.latency.int_max", rule_latency, PART("lanes latency min max", 2), ALIKE("latency int max")),
	LATENCY("int_mul", "int mul"),
	LATENCY("int_mad", "int mad"),
	RULE("sm.latency.int_div", rule_division, ONE("latency int div")),
	LATENCY("fp_add", "f32 add"),
	LATENCY("fp_max", "f32 max"),
	LATENCY("fp_mul", "f32 mul"),
	LATENCY("fp_mad", "f32 mad"),
	RULE("sm.latency.fp_div", rule_division, ONE("latency f32 div")),
	LATENCY("dp_add", "f64 add"),
	LATENCY("dp_mul", "f64 mul"),
	LATENCY("dp_mad", "f64 mad"),
	RULE("sm.latency.dp_div", rule_division, ONE("latency f64 div")),
	RULE("sm.latency.sfu", rule_function_latency, LIKE("latency sfu rcp", "throughput sfu rcp"),
		LIKE("latency sfu sqrt", "throughput sfu rcp")),
	RULE("sm.latency.convert", rule_latency, LIKE("lanes latency s32 to f32", "lanes rate s32 to f32"),
		LIKE("latency convert", "throughput convert")),
	LANES("int_high", "mul high"),
	LANES("convert_int", "f32 to s32"),
	LANES("convert_half", "f32 to f16x2"),
	LANES("shuffle", "shuffle"),
	RULE("sm.latency.vote", rule_vote_latency, ONE("lanes latency compare and vote")),
	LANES("reduce", "reduce"),
	RULE("sm.latency.barrier", rule_latency, ONE("barrier 1 warps")),
	INTERVAL("int_add", "integer", ONE("throughput int add")),
	INTERVAL("int_bits", "integer", ONE("lanes rate shift"), ONE("throughput int shift")),
	INTERVAL("int_count", "by sm.count_unit", ONE("lanes rate popc"), ALIKE("throughput int popc")),
	INTERVAL("int_max", "integer", PART("lanes rate min max", 2), ALIKE("throughput int min max")),
	INTERVAL("int_mul", "sm.sp_units", ONE("throughput int mul")),
	INTERVAL("int_mad", "sm.sp_units", ONE("throughput int mad")),
	INTERVAL("fp_add", "sm.sp_units", ONE("throughput f32 add")),
	INTERVAL("fp_mul", "sm.sp_units", ONE("throughput f32 mul")),
	INTERVAL("fp_mad", "sm.sp_units", ONE("throughput f32 mad")),
	INTERVAL("dp_add", "sm.dp_units", ONE("throughput f64 add")),
	INTERVAL("dp_mul", "sm.dp_units", ONE("throughput f64 mul")),
	INTERVAL("dp_mad", "sm.dp_units", ONE("throughput f64 mad")),
	INTERVAL("sfu", "sm.sfu_units", ONE("throughput sfu rcp")),
	INTERVAL("convert", "by sm.convert_unit", ONE("throughput convert")),
	RULE("sm.interval.barrier", rule_barrier_interval, ONE("barrier 32 warps")),
	RULE("sm.l1d.sets", rule_l1_sets, ONE("L1 ring N x 128")),
	RULE("sm.l1d.ways", rule_l1_ways, ONE("L1 ring N x 128")),
	RULE("sm.l1d.line", rule_l1_line, ONE("L1 ring N x 288")),
	RULE("sm.l1d.sectors", rule_l1_sectors, ONE("L1 ring N x 32")),
	RULE("sm.l1d.data_port_bytes", rule_data_port, ONE("L1 load 128-bit")),
	TRIAL("sm.l1d.hit_latency", "gpu.core_mhz", ONE("chase 8 KB"), ONE("latency load L1")),
	TRIAL("sm.constant.hit_latency", "gpu.core_mhz", ONE("latency load constant")),
	RULE("xbar.flit", rule_link, ONE("SM bandwidth from the L2")),
	RULE("l2.ways", rule_l2_ways, ONE("L2 ring N x 128")),
	RULE("l2.banks", rule_l2_banks, ONE("slices owned N x STEP")),
	RULE("l2.sets", rule_l2_sets, ONE("device L2")),
	RULE("l2.halves", rule_halves, ONE("L2 ring N x 128")),
	RULE("l2.fetch", rule_l2_fetch, ONE("L2 ring N x 32")),
	RULE("l2.port_bytes", rule_port, ONE("slice bandwidth")),
	TRIAL("l2.rop_latency", "gpu.l2_mhz", ONE("latency load L2"), ONE("chase 512 KB"),
		ONE("chase 1024 KB")),
	RULE("dram.bus_bytes", rule_bus, ONE("device memory bus")),
	DRAM_TIME("tCL"),
	DRAM_TIME("tRP"),
	DRAM_TIME("tRC"),
	DRAM_TIME("tRAS"),
	DRAM_TIME("tRCD"),
	DRAM_TIME("tRCDWR"),
	DRAM_TIME("tRRD"),
	DRAM_TIME("tRRDL"),
	DRAM_TIME("tWL"),
	DRAM_TIME("tWTR"),
	DRAM_TIME("tWTRL"),
	DRAM_TIME("tWR"),
	DRAM_TIME("tRTP"),
	DRAM_TIME("tFAW"),
	DRAM_TIME("tREFI"),
	DRAM_TIME("tRFC"),
	{
		.path = "dram.latency",
		.find = rule_dram_latency,
		.sources = { ONE("latency load DRAM") },
		.clock = "gpu.dram_mhz",
	},
};
#define RULES (sizeof(rules) / sizeof(*rules))

void rules_apply(struct tune *t)
{
	t->findings = xcalloc(RULES, sizeof(*t->findings));
	for (size_t i = 0; i < RULES; i++) {
		struct finding *f = &t->findings[t->count];

		*f = (struct finding){ .path = rules[i].path, .doubt = NAN, .rule = &rules[i] };
		t->count++;
		if (!rules[i].find(t, &rules[i], f))
			f->text = NULL;
	}
}

double rule_trial(const struct tune *t, const struct finding *f, const char **row)
{
	const struct rule *r = f->rule;

	if (!r->clock || !f->text || !rule_source(t, r))
		return 0;
	*row = rule_source(t, r)->row;
	return tune_number(t, "gpu.shader_mhz") / tune_number(t, r->clock);
}
