/* The estimate of energy against sums made by hand, and models that are wrong. */
#include "core/energy/energy.h"
#include "tests/unit/core/machine_rig.h"
#include <inttypes.h>
#include <math.h>
#include <unistd.h>

static const char body[] = ".visible .entry work(.param .u64 p)\n{\n.reg .u32 %r<5>; .reg .f32 %f<3>; .reg "
			   ".u64 %rd<5>;\n.reg .pred %q;\n"
			   "ld.param.u64 %rd1, [p];\nmov.u32 %r1, 0;\nmov.f32 %f1, 0f3f800000;\n"
			   "again: fma.rn.f32 %f1, %f1, %f1, %f1;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %q, "
			   "%r1, 50;\n@%q bra again;\n"
			   "st.global.f32 [%rd1], %f1;\nret;\n}\n";

#define MODEL(items)  "chip: test\nmodel_error: 0.05\ncoefficients:\n" items
#define CONSTANT_ITEM "  - { name: constant, component: board, unit: W, value: 20, error: 2 }\n"
#define FMA_ITEM \
	"  - { name: fma, component: execution, event: \"activity.thread_instructions::fp_fma\", unit: pJ, " \
	"value: 10, error: 1 }\n"
#define IDLE_ITEM \
	"  - { name: idle, component: static, event: activity.idle_sm_cycles, unit: W, value: 0.5, error: " \
	"0.1 }\n"

static char *write_model(const char *text)
{
	char *path = strdup("/tmp/lockstep-model-XXXXXX");
	int file = mkstemp(path);

	cr_assert(file >= 0);
	cr_assert_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
	close(file);
	return path;
}

static struct machine *machine_with(const char *model, const char *setting)
{
	char *path = write_model(model), set[128];
	const char *sets[4] = { set, "gpu.sms=3", setting, NULL };
	struct machine *m;

	snprintf(set, sizeof(set), "energy.model=%s", path);
	m = machine_new(body, sets);
	unlink(path);
	free(path);
	return m;
}

static void work(struct machine *m)
{
	uint64_t buffer = memory_allocate(gpu_memory(m->gpu), 4096, 256);

	machine_launch(m, 2, 64, &buffer);
	cr_assert_eq(m->result.outcome, GPU_DONE);
}

static double value(struct machine *m, const char *name)
{
	return stat_value(gpu_stats(m->gpu), NULL, name);
}

Test(energy, watts_of_levels_and_energies_of_events_add_up)
{
	struct machine *m = machine_with(MODEL(CONSTANT_ITEM FMA_ITEM IDLE_ITEM), NULL);
	double time, fma, idle, total;

	work(m);
	time = value(m, "gpu.picoseconds");
	fma = 10.0 * 50 * 128;
	idle = 0.5 * value(m, "activity.idle_sm_cycles") * 1e6 / 700; /* 700 MHz */
	total = 20 * time + fma + idle;
	cr_assert_float_eq(value(m, "energy.component::board"), 20 * time, 1);
	cr_assert_float_eq(value(m, "energy.component::execution"), fma, 1);
	cr_assert_float_eq(value(m, "energy.component::static"), idle, 1);
	cr_assert_float_eq(value(m, "energy.total"), total, 1);
	cr_assert_float_eq(value(m, "energy.watts"), total / time, 1e-6);
	/* errors are independent: 10 %, 10 %, 20 %, and 5 % of the total by the model */
	cr_assert_float_eq(value(m, "energy.interval") * 1e12,
		1.96 * sqrt(pow(2 * time, 2) + pow(0.1 * fma, 2) + pow(0.2 * idle, 2) + pow(0.05 * total, 2)),
		10);
	cr_assert_float_eq(value(m, "energy.ipc_per_joule"),
		value(m, "gpu.thread_instructions") / value(m, "gpu.cycles") / (total * 1e-12),
		1e-6 * value(m, "energy.ipc_per_joule"));
	machine_free(m);
}

#define DRAM_ITEMS \
	"  - { name: dram, component: dram, event: dram.bytes, unit: pJ, value: 3 }\n" \
	"  - { name: standby, component: dram, event: gpu.cycles, unit: W, value: 6, place: dram }\n" \
	"  - { name: leakage, component: static, event: gpu.cycles, unit: W, value: 7 }\n" \
	"  - { name: flits, component: network, event: xbar.request.flits, unit: pJ, value: 11 }\n" \
	"  - { name: l2, component: l2, event: \"l2.accesses + l2.replies\", unit: pJ, value: 13 }\n" \
	"  - { name: ratio, component: l2, event: l2.miss_rate, unit: pJ, value: 1000 }\n"

static uint64_t sum_of_places(struct machine *m, const char *kind, uint32_t count)
{
	uint64_t sum = 0;
	char name[64];

	for (uint32_t i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%s[%" PRIu32 "].energy.total", kind, i);
		sum += machine_stat(m, name);
	}
	return sum;
}

static uint32_t channels_of(struct machine *m)
{
	uint32_t count = 0;
	char name[64];

	while (snprintf(name, sizeof(name), "dram[%" PRIu32 "].bytes", count), !isnan(value(m, name)))
		count++;
	return count;
}

Test(energy, places_add_up_to_the_total_to_the_picojoule)
{
	struct machine *m = machine_with(MODEL(CONSTANT_ITEM FMA_ITEM IDLE_ITEM DRAM_ITEMS), NULL);
	uint32_t channels = channels_of(m);
	uint64_t all;

	cr_assert_gt(channels, 1);
	for (int i = 0; i < 2; i++) {
		work(m);
		cr_assert_eq(sum_of_places(m, "sm", 3), machine_stat(m, "energy.place::sm"));
		cr_assert_eq(sum_of_places(m, "l2", channels), machine_stat(m, "energy.place::l2"));
		cr_assert_eq(sum_of_places(m, "dram", channels), machine_stat(m, "energy.place::dram"));
		all = machine_stat(m, "energy.place::sm") + machine_stat(m, "energy.place::l2") +
			machine_stat(m, "energy.place::dram") + machine_stat(m, "energy.place::network") +
			machine_stat(m, "energy.place::chip") + machine_stat(m, "energy.place::board");
		cr_assert_eq(all, machine_stat(m, "energy.total"));
	}
	machine_free(m);
}

Test(energy, each_place_has_the_energy_of_what_it_counted)
{
	struct machine *m = machine_with(MODEL(CONSTANT_ITEM FMA_ITEM IDLE_ITEM DRAM_ITEMS), NULL);
	double time, cycle = 1e6 / 700, total = 0;
	uint32_t channels = channels_of(m);

	work(m);
	time = value(m, "gpu.picoseconds");
	for (int i = 0; i < 3; i++) { /* a CTA of 64 threads on two of the SMs */
		char ctas[32], idle[64], energy[32], watts[32];
		double expected;

		snprintf(ctas, sizeof(ctas), "sm[%d].ctas", i);
		snprintf(idle, sizeof(idle), "activity[%d].idle_sm_cycles", i);
		snprintf(energy, sizeof(energy), "sm[%d].energy.total", i);
		snprintf(watts, sizeof(watts), "sm[%d].energy.watts", i);
		expected = value(m, ctas) * 64 * 50 * 10 + 0.5 * cycle * value(m, idle);
		cr_assert_float_eq(value(m, energy), expected, 1);
		cr_assert_float_eq(value(m, watts), expected / time, 1e-4);
		total += value(m, ctas);
	}
	cr_assert_eq(total, 2);
	cr_assert_float_eq(value(m, "dram[1].energy.total"),
		3 * value(m, "dram[1].bytes") + 6 * cycle * value(m, "gpu.cycles") / channels, 1);
	cr_assert_float_eq(value(m, "l2[0].energy.total"),
		13 * (value(m, "l2[0].accesses") + value(m, "l2[0].replies")), 1);
	cr_assert_float_eq(value(m, "energy.place::network"), 11 * value(m, "xbar.request.flits"), 1);
	cr_assert_float_eq(value(m, "energy.place::chip"),
		7 * cycle * value(m, "gpu.cycles") + 1000 * value(m, "l2.miss_rate"), 1);
	cr_assert_float_eq(value(m, "energy.place::board"), 20 * time, 1);
	machine_free(m);
}

Test(energy, the_parts_of_two_kernels_are_the_whole)
{
	struct machine *m = machine_with(MODEL(CONSTANT_ITEM FMA_ITEM IDLE_ITEM), NULL);
	struct energy_counts first, second;

	work(m);
	first = energy_since(gpu_energy(m->gpu), NULL);
	work(m);
	second = energy_since(gpu_energy(m->gpu), &first);
	cr_assert_eq(first.total + second.total, machine_stat(m, "energy.total"));
	cr_assert_eq(second.activity[1], 50 * 128);
	cr_assert_gt(second.component[0], 0);
	machine_free(m);
}

static struct energy_counts counts_at(const char *voltage)
{
	struct machine *m = machine_with(MODEL(CONSTANT_ITEM FMA_ITEM IDLE_ITEM), voltage);
	struct energy_counts c;

	work(m);
	c = energy_since(gpu_energy(m->gpu), NULL);
	machine_free(m);
	return c;
}

Test(energy, voltage_scales_what_hangs_on_it)
{
	struct energy_counts low = counts_at("energy.voltage=0.5"), full = counts_at(NULL);

	cr_assert_eq(low.coefficient[0], full.coefficient[0]);
	cr_assert_float_eq((double)low.coefficient[1], (double)full.coefficient[1] / 4, 1);
	cr_assert_float_eq((double)low.coefficient[2], (double)full.coefficient[2] / 2, 1);
}

/* 1 V at 700 MHz, 0.5 V at 350: half way, at 525 MHz, 0.75 V. */
#define CURVE "clock: 700\nvoltages:\n  - { MHz: 350, V: 0.5 }\n  - { MHz: 700, V: 1, source: \"a test\" }\n"
#define CLOCKED_ITEM \
	"  - { name: tree, component: static, event: activity.active_sm_cycles::total, unit: W, value: 3, " \
	"scale: clocked }\n"

Test(energy, a_clock_changes_time_and_power_together)
{
	struct machine *m =
		machine_with(CURVE MODEL(CONSTANT_ITEM FMA_ITEM IDLE_ITEM CLOCKED_ITEM), "gpu.core_mhz=525");
	double cycle = 1e6 / 525;

	work(m);
	cr_assert_float_eq(energy_voltage(gpu_energy(m->gpu)), 0.75, 1e-12);
	cr_assert_not(energy_clock_is_beyond(gpu_energy(m->gpu)));
	cr_assert_float_eq(value(m, "energy.component::board"), 20 * value(m, "gpu.picoseconds"), 1);
	cr_assert_float_eq(value(m, "energy.component::execution"), 10.0 * 50 * 128 * 0.75 * 0.75, 1);
	cr_assert_float_eq(value(m, "energy.coefficient::idle"),
		0.5 * 0.75 * value(m, "activity.idle_sm_cycles") * cycle, 1);
	/* three quarters of the clock at three quarters of the voltage */
	cr_assert_float_eq(value(m, "energy.coefficient::tree"),
		3 * 0.75 * 0.75 * 0.75 * value(m, "activity.active_sm_cycles::total") * cycle, 1);
	machine_free(m);
}

static double voltage_with(const char *setting)
{
	struct machine *m = machine_with(CURVE MODEL(FMA_ITEM), setting);
	double voltage = energy_voltage(gpu_energy(m->gpu));

	cr_assert_eq(energy_clock_is_beyond(gpu_energy(m->gpu)), strstr(setting, "00") != NULL);
	machine_free(m);
	return voltage;
}

Test(energy, beyond_the_curve_the_voltage_is_that_of_its_end)
{
	cr_assert_float_eq(voltage_with("gpu.core_mhz=200"), 0.5, 1e-12);
	cr_assert_float_eq(voltage_with("gpu.core_mhz=350"), 0.5, 1e-12);
	cr_assert_float_eq(voltage_with("gpu.core_mhz=420"), 0.6, 1e-12);
	cr_assert_float_eq(voltage_with("gpu.core_mhz=1400"), 1, 1e-12);
	cr_assert_float_eq(voltage_with("energy.voltage=0.9"), 0.9, 1e-12);
}

Test(energy, sums_and_differences_of_statistics)
{
	struct machine *m = machine_with(
		MODEL(CONSTANT_ITEM
			"  - { name: rest, unit: pJ, value: 1, event: \"gpu.thread_instructions - "
			"activity.thread_instructions::fp_fma + gpu.ctas\" }\n"),
		NULL);

	work(m);
	cr_assert_eq(machine_stat(m, "energy.activity::rest"),
		machine_stat(m, "gpu.thread_instructions") - 50 * 128 + 2);
	machine_free(m);
}

Test(energy, what_the_machine_lacks_may_be_optional)
{
	struct machine *m =
		machine_with(MODEL(CONSTANT_ITEM "  - { name: warppool, unit: pJ, value: 1, event: "
						 "\"sm.coalescer.merged\", optional: true }\n"),
			NULL);

	work(m);
	cr_assert_eq(machine_stat(m, "energy.activity::warppool"), 0);
	machine_free(m);
}

/* The message that a model causes. */
static void refuses(const char *text, const char *message)
{
	char *path = write_model(text), set[128], *found;
	struct config *config = config_new();
	struct diag_list diags;

	diag_init(&diags);
	snprintf(set, sizeof(set), "energy.model=%s", path);
	cr_assert(config_set(config, set, &diags));
	cr_assert_null(gpu_new(config, &diags));
	found = diag_render(&diags, DIAG_ERROR);
	cr_assert(strstr(found, message), "expected: %s\nfound: %s", message, found);
	cr_assert(strstr(found, path), "no place in: %s", found);
	free(found);
	diag_fini(&diags);
	config_free(config);
	unlink(path);
	free(path);
}

Test(energy, wrong_models_are_refused_with_their_place)
{
	refuses(MODEL("  - { name: a, unit: pJ, value: 1, event: sm.l1d.hist }\n"),
		"4: error: coefficient a: there is no statistic sm.l1d.hist (did you mean sm.l1d.hits?)");
	refuses(MODEL("  - { name: a, unit: pJ, value: 1, event: sm.issue_slots }\n"),
		"one number is needed");
	refuses(MODEL("  - { name: a, unit: pJ, value: 1, event: \"gpu.cycles +\" }\n"),
		"names of statistics joined by");
	refuses(MODEL("  - { name: a, unit: pJ, value: 1 }\n"), "coefficient a has no event");
	refuses(MODEL("  - { name: a, unit: pJ, value: -1, event: gpu.cycles }\n"), "not negative");
	refuses(MODEL("  - { name: a, unit: pJ, value: .nan, event: gpu.cycles }\n"), "finite number");
	refuses(MODEL("  - { name: a, unit: pJ, value: 1e300, event: gpu.cycles }\n"),
		"4:33: error: value: 1e+300 is more than 1e+09");
	refuses(MODEL("  - { name: a, unit: J, value: 1, event: gpu.cycles }\n"), "pJ or W");
	refuses(MODEL("  - { name: a b, unit: pJ, value: 1, event: gpu.cycles }\n"), "letters, digits and _");
	refuses(MODEL("  - { name: constant, unit: pJ, value: 1 }\n"), "constant is not in W");
	refuses(MODEL("  - { name: a, unit: pJ, value: 1, event: gpu.cycles, scale: cubic }\n"),
		"there is no cubic");
	refuses(MODEL("  - { name: a, unit: pJ, value: 1, event: gpu.cycles, place: l1 }\n"),
		"place: there is no l1");
	refuses("voltages:\n  - { MHz: 1, V: 1 }\n" MODEL(FMA_ITEM), "voltages need clock: the one");
	refuses("clock: 700\nvoltages: 3\n" MODEL(FMA_ITEM), "error: voltages: a list of points");
	refuses("clock: 700\nvoltages:\n  - { MHz: 7, V: 1 }\n  - { MHz: 7, V: 1 }\n" MODEL(FMA_ITEM),
		"error: clocks of voltages must grow");
	refuses("clock: 700\nvoltages:\n  - { MHz: 7, V: 1 }\n  - { MHz: 8, V: 0.9 }\n" MODEL(FMA_ITEM),
		"no voltage may fall");
	refuses("clock: 700\nvoltages:\n  - { MHz: 7, V: -1 }\n" MODEL(FMA_ITEM),
		"needs V, above 0 and at most 3");
	refuses("clock: 700\nvoltages:\n  - { MHz: nan, V: 1 }\n" MODEL(FMA_ITEM), "needs MHz, above 0");
	refuses("clock: 700\nvoltages:\n  - { MHz: 7, v: 1 }\n" MODEL(FMA_ITEM), "unknown key");
	refuses("voltage_slope: 0.5\n" CURVE MODEL(FMA_ITEM), "say the same");
	refuses(MODEL(CLOCKED_ITEM), "scale: clocked is for W, and needs the model's clock");
	refuses("clock: 1\n" MODEL(
			"  - { name: a, unit: pJ, value: 1, event: gpu.cycles, scale: clocked }\n"),
		"scale: clocked is for W");
	refuses(MODEL("  - { name: a, unit: pJ, value: 1, evnt: gpu.cycles }\n"), "evnt");
}

Test(energy, a_model_that_is_not_there)
{
	struct config *config = config_new();
	struct diag_list diags;
	char *found;

	diag_init(&diags);
	cr_assert(config_set(config, "energy.model=gtx48", &diags));
	cr_assert_null(gpu_new(config, &diags));
	found = diag_render(&diags, DIAG_ERROR);
	cr_assert(strstr(found, "there is no model gtx48"));
	free(found);
	diag_fini(&diags);
	config_free(config);
}
