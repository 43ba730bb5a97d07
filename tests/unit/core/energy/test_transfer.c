/* Models made from those of other chips: values by hand, errors that are common, and what is wrong. */
#include "core/energy/energy.h"
#include "tests/unit/core/machine_rig.h"
#include <math.h>
#include <unistd.h>

#define BASE \
	"chip: base\nmodel_error: 0.1\nclock: 1000\nvoltage_slope: 0.5\ncoefficients:\n" \
	"  - { name: constant, component: board, unit: W, value: 20, error: 2 }\n" \
	"  - { name: fma, component: execution, event: \"activity.thread_instructions::fp_fma\", unit: pJ, " \
	"value: 10, error: 1 }\n" \
	"  - { name: adds, component: execution, event: \"activity.thread_instructions::int_add\", unit: " \
	"pJ, " \
	"value: 4, error: 0.4 }\n" \
	"  - { name: idle, component: static, event: activity.idle_sm_cycles, unit: W, value: 0.5, error: " \
	"0.1 }\n" \
	"  - { name: dram, component: dram, event: dram.bytes, column: BYTES, unit: pJ, value: 50, error: " \
	"5, " \
	"scale: none, source: there }\n"

static char folder[] = "/tmp/lockstep-transfer-XXXXXX";

static char *write_file(const char *name, const char *text)
{
	char *path;
	FILE *f;

	cr_assert(asprintf(&path, "%s/%s", folder, name) > 0);
	f = fopen(path, "w");
	cr_assert(f);
	fputs(text, f);
	fclose(f);
	return path;
}

static void begin(void)
{
	cr_assert(mkdtemp(folder));
	free(write_file("base.yaml", BASE));
}

static struct coefficients *read_model(const char *text, struct diag_list *diags)
{
	char *path = write_file("model.yaml", text);
	struct coefficients *m;

	diag_init(diags);
	m = coefficients_read(path, diags);
	free(path);
	return m;
}

static const struct coefficient *item(const struct coefficients *m, const char *name)
{
	for (size_t i = 0; i < m->count; i++)
		if (!strcmp(m->items[i].name, name))
			return &m->items[i];
	cr_assert_fail("no coefficient %s", name);
	return NULL;
}

#define SCALES \
	"chip: other\nbase: base\nscales:\n" \
	"  - { name: process, of: \"execution idle\", value: 0.5, error: 0.05, source: s }\n" \
	"  - { name: voltage, of: \"fma idle dram\", as: voltage, value: 1.2, error: 0.12, source: s }\n"

TestSuite(transfer, .init = begin);

Test(transfer, scales_multiply_what_they_name)
{
	struct diag_list diags;
	struct coefficients *m = read_model(SCALES, &diags);

	cr_assert(m);
	cr_assert_str_eq(m->chip, "other");
	cr_assert_eq(m->count, 5);
	cr_assert_float_eq(item(m, "fma")->value, 10 * 0.5 * 1.2 * 1.2, 1e-12);
	cr_assert_float_eq(item(m, "fma")->error, 1 * 0.5 * 1.2 * 1.2, 1e-12);
	cr_assert_float_eq(item(m, "adds")->value, 4 * 0.5, 1e-12);
	cr_assert_float_eq(item(m, "idle")->value, 0.5 * 0.5 * 1.2, 1e-12);
	cr_assert_float_eq(item(m, "constant")->value, 20, 1e-12);
	cr_assert_float_eq(item(m, "dram")->value, 50, 1e-12); /* of another supply */
	cr_assert_float_eq(m->model_error, 0.1, 1e-12);
	cr_assert_float_eq(m->clock, 1000, 1e-12);
	cr_assert_float_eq(m->voltage_slope, 0.5, 1e-12);
	/* the voltage's 10 % are 20 % of an energy */
	coefficients_widen(m);
	cr_assert_float_eq(item(m, "fma")->error, 7.2 * sqrt(0.1 * 0.1 + 0.1 * 0.1 + 0.2 * 0.2), 1e-12);
	cr_assert_float_eq(item(m, "dram")->error, 5, 1e-12);
	coefficients_free(m);
	diag_fini(&diags);
}

Test(transfer, coefficients_of_its_own_stand_in_the_base_s_place)
{
	struct diag_list diags;
	struct coefficients *m = read_model(SCALES
		"coefficients:\n  - { name: dram, unit: pJ, value: 30, error: 3, source: here }\n"
		"  - { name: fma, unit: pJ, value: 7, event: \"activity.thread_instructions::fp_mul\" }\n"
		"  - { name: more, unit: pJ, value: 1, event: dram.bytes }\n",
		&diags);

	cr_assert(m);
	cr_assert_eq(m->count, 6);
	cr_assert_str_eq(m->items[4].name, "dram"); /* where it was */
	cr_assert_float_eq(m->items[4].value, 30, 1e-12);
	cr_assert_str_eq(m->items[4].event, "dram.bytes");
	cr_assert_str_eq(m->items[4].component, "dram");
	cr_assert_str_eq(m->items[4].column, "BYTES");
	cr_assert_str_eq(m->items[4].source, "here");
	cr_assert_eq(coefficient_exponent(&m->items[4]), 0);
	cr_assert_float_eq(item(m, "fma")->value, 7, 1e-12);
	cr_assert_str_eq(item(m, "fma")->event, "activity.thread_instructions::fp_mul");
	cr_assert_str_eq(m->items[5].name, "more");
	cr_assert(strstr(coefficient_file(m, item(m, "adds")), "/base.yaml"));
	cr_assert(strstr(coefficient_file(m, item(m, "fma")), "/model.yaml"));
	coefficients_free(m);
	diag_fini(&diags);
}

Test(transfer, a_base_may_have_a_base)
{
	struct diag_list diags;
	struct coefficients *m;

	free(write_file(
		"middle.yaml", SCALES "coefficients:\n  - { name: adds, unit: pJ, value: 8, error: 1 }\n"));
	m = read_model("base: middle\nmodel_error: 0.2\nscales:\n"
		       "  - { name: later, of: execution, value: 2, error: 0.1, source: s }\n",
		&diags);
	cr_assert(m);
	cr_assert_float_eq(item(m, "fma")->value, 14.4, 1e-12);
	cr_assert_float_eq(item(m, "adds")->value, 16, 1e-12); /* the middle's own, scaled by the last alone
								*/
	cr_assert_float_eq(m->model_error, 0.2, 1e-12);
	cr_assert_eq(m->scale_count, 3);
	cr_assert_eq(m->file_count, 3);
	coefficients_free(m);
	diag_fini(&diags);
}

/* What one scale multiplies is off together: its errors add up before they are squared. */
Test(transfer, the_error_of_a_scale_is_common_to_all_that_it_multiplies)
{
	static const char body[] =
		".visible .entry work(.param .u64 p)\n{\n.reg .u32 %r<5>; .reg .f32 %f<3>;\n"
		".reg .u64 %rd<2>;\nld.param.u64 %rd1, [p];\nmov.f32 %f1, 0f3f800000;\n"
		"mov.u32 %r1, %tid.x;\nfma.rn.f32 %f1, %f1, %f1, %f1;\nadd.u32 %r2, %r1, 5;\n"
		"add.u32 %r2, %r2, %r1;\nst.global.f32 [%rd1], %f1;\nst.global.u32 [%rd1], %r2;\n"
		"ret;\n}\n";
	char *path = write_file("model.yaml", SCALES), set[128];
	const char *sets[] = { set, "gpu.sms=3", NULL };
	struct machine *m;
	double time, fma, adds, idle, dram, total, process, voltage;
	uint64_t buffer;

	snprintf(set, sizeof(set), "energy.model=%s", path);
	m = machine_new(body, sets);
	buffer = memory_allocate(gpu_memory(m->gpu), 4096, 256);
	machine_launch(m, 2, 64, &buffer);
	time = stat_value(gpu_stats(m->gpu), NULL, "gpu.picoseconds");
	fma = 7.2 * 128 * 0.7225; /* 700 of 1000 MHz: a voltage of 0.85 */
	adds = 2.0 * 256 * 0.7225;
	idle = 0.3 * 0.85 * stat_value(gpu_stats(m->gpu), NULL, "activity.idle_sm_cycles") * 1e6 / 700;
	dram = 50 * stat_value(gpu_stats(m->gpu), NULL, "dram.bytes");
	total = 20 * time + fma + adds + idle + dram;
	process = 0.1 * (fma + adds + idle);
	voltage = 0.2 * fma + 0.1 * idle;
	cr_assert_float_eq(stat_value(gpu_stats(m->gpu), NULL, "energy.total"), total, 2);
	cr_assert_float_eq(
		stat_value(gpu_stats(m->gpu), NULL, "energy.scale_deviation::process"), process, 2);
	cr_assert_float_eq(
		stat_value(gpu_stats(m->gpu), NULL, "energy.scale_deviation::voltage"), voltage, 2);
	cr_assert_float_eq(stat_value(gpu_stats(m->gpu), NULL, "energy.interval") * 1e12,
		1.96 *
			sqrt(pow(2 * time, 2) + pow(0.1 * fma, 2) + pow(0.1 * adds, 2) + pow(0.2 * idle, 2) +
				pow(0.1 * dram, 2) + process * process + voltage * voltage +
				pow(0.1 * total, 2)),
		10);
	machine_free(m);
	free(path);
}

static void refuse(const char *text, const char *message)
{
	struct diag_list diags;
	struct coefficients *m = read_model(text, &diags);
	char *said = NULL;
	size_t size;
	FILE *f = open_memstream(&said, &size);

	diag_print(&diags, f);
	fclose(f);
	cr_assert_null(m, "%s", text);
	cr_assert(strstr(said, message), "%s\nwhere %s was expected", said, message);
	free(said);
	diag_fini(&diags);
}

#define ONE(rest) "base: base\nscales:\n  - { name: one, " rest " }\n"

Test(transfer, mistakes_have_their_places)
{
	refuse(ONE("of: executoin, value: 1, error: 0, source: s"), "executoin (did you mean execution?)");
	refuse(ONE("of: fma, value: 0, error: 0, source: s"), "model.yaml:3");
	refuse(ONE("of: fma, value: 1, source: s"), "error: a number was expected, and there is none");
	refuse(ONE("of: fma, value: 1, error: 0"), "a scale {");
	refuse(ONE("of: \" \", value: 1, error: 0, source: s"), "a scale {");
	refuse(ONE("of: fma, value: 1, error: 0, source: s, as: current"), "there is no current");
	refuse(ONE("of: fma, value: 1, error: 0, source: s, kind: x"), "unknown key");
	refuse(ONE("of: fma, value: 1, error: 0, source: s") "  - { name: one, of: fma, value: 1, error: 0, "
							     "source: s }\n",
		"the scale one is there twice");
	refuse("scales:\n  - { name: one, of: fma, value: 1, error: 0, source: s }\n" BASE, "and a base");
	refuse("base: nothing\n", "nothing");
	refuse("base: model\n", "more than 8 bases");
	refuse("base: base\ncoefficients: []\n", "a list of coefficients");
}
