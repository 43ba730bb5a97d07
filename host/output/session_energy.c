/* host/output/session_energy.c -- the estimate of energy in the output folder, kernel by kernel and of the
 * whole run: energy.txt for people; energy.csv, the activity by coefficient, as `lockstep energy fit` reads
 * it; the part of stats.json; the last line on the terminal. */
#include "sim/text/json.h"
#include "host/session/session_internal.h"
#include "sim/text/c_locale.h"
#include "sim/text/csv.h"
#include "sim/files/whole_file.h"
#include "sim/stats/stat_estimate.h"
#include <inttypes.h>
#include <math.h>

#define JOULES 1e-12 /* of a pJ */

struct energy_counts *session_energy_now(struct session *s)
{
	const struct energy *e = gpu_energy(s->gpu);
	struct energy_counts *now;

	if (!e)
		return NULL;
	now = xmalloc(sizeof *now);
	*now = energy_since(e, NULL);
	return now;
}

/* Watts; 0 if no time has passed. */
static double power(double pj, const struct energy_counts *c)
{
	return c->picoseconds ? pj / (double)c->picoseconds : 0;
}

/* ---- energy.txt ---- */

static void text_line(FILE *f, const char *name, double pj, double interval, const struct energy_counts *c)
{
	fprintf(f, "  %-16s %12.6g J %11.2g %10.3f W %9.2g %7.1f %%\n", name, pj * JOULES, interval * JOULES,
		power(pj, c), power(interval, c), c->total ? 100 * pj / (double)c->total : 0);
}

static void text_counts(const struct session *s, FILE *f, const struct energy_counts *c)
{
	const struct energy *e = gpu_energy(s->gpu);
	double seconds = (double)c->picoseconds * 1e-12, joules = (double)c->total * JOULES;

	fprintf(f, "  %-16s %14s %11s %12s %9s %9s\n", "component", "energy", "+- (95 %)", "power", "+-",
		"share");
	for (size_t i = 0; i < energy_component_count(e); i++)
		text_line(f, energy_component(e, i), (double)c->component[i], energy_interval(e, c, i), c);
	for (int i = 0; i < PLACE_KINDS; i++)
		fprintf(f, "  at %-13s %12.6g J %11s %10.3f W %9s %7.1f %%\n", energy_place_names[i],
			(double)c->place[i] * JOULES, "", power((double)c->place[i], c), "",
			c->total ? 100 * (double)c->place[i] / (double)c->total : 0);
	text_line(f, "total", (double)c->total, energy_interval(e, c, SIZE_MAX), c);
	fprintf(f, "  time %.6g s, energy-delay product %.6g J s, energy-delay-squared product %.6g J s2\n",
		seconds, joules * seconds, joules * seconds * seconds);
	if (c->core_cycles && c->total)
		fprintf(f, "  %.6g thread instructions per joule, IPC per joule %.6g\n",
			(double)c->thread_instructions / joules,
			(double)c->thread_instructions / (double)c->core_cycles / joules);
	fputc('\n', f);
}

/* ---- energy.csv ---- */

static void csv_head(const struct session *s)
{
	const struct coefficients *m = energy_model(gpu_energy(s->gpu));

	fputs("kernel,launch,cycles,seconds", s->output.energy_csv);
	for (size_t i = 0; i < m->count; i++)
		if (m->items[i].event)
			fprintf(s->output.energy_csv, ",%s", m->items[i].name);
	fputc('\n', s->output.energy_csv);
}

/* Events are counts; levels are means over the core cycles. */
static void csv_row(
	const struct session *s, const char *name, const char *launch, const struct energy_counts *c)
{
	const struct coefficients *m = energy_model(gpu_energy(s->gpu));
	FILE *f = s->output.energy_csv;

	csv_put(f, name);
	fprintf(f, ",%s,%" PRIu64 ",%.12g", launch, c->core_cycles, (double)c->picoseconds * 1e-12);
	for (size_t i = 0; i < m->count; i++) {
		if (m->items[i].event && m->items[i].is_watts)
			fprintf(f, ",%.9g",
				c->core_cycles ? (double)c->activity[i] / (double)c->core_cycles : 0);
		else if (m->items[i].event)
			fprintf(f, ",%" PRIu64, c->activity[i]);
	}
	fputc('\n', f);
}

/* ---- the parts of a run ---- */

void energy_output_begin(struct session *s)
{
	const struct energy *e = gpu_energy(s->gpu);
	const struct coefficients *m = energy_model(e);

	provenance_text(&s->provenance, false, s->output.energy_text);
	fprintf(s->output.energy_text, "# model %s%s%s%s, machine %s\n", energy_model_path(e),
		m->chip ? " (" : "", m->chip ? m->chip : "", m->chip ? ")" : "",
		gpu_properties(s->gpu)->name);
	fprintf(s->output.energy_text, "# core at %.6g MHz and %.4g of the model's voltage\n\n",
		gpu_properties(s->gpu)->core_mhz, energy_voltage(e));
	csv_head(s);
}

void energy_output_kernel(struct session *s, const struct launch *launch, const struct launch_result *r,
	const struct session_kernel *kernel)
{
	struct energy_counts c;
	locale_t before;
	char id[24];

	if (!s->output.energy_text || !kernel->before)
		return;
	before = c_locale_enter();
	c = energy_since(gpu_energy(s->gpu), kernel->energy_before);
	snprintf(id, sizeof id, "%" PRIu64, r->id);
	fprintf(s->output.energy_text, "kernel %s %s%s\n", id, launch->kernel->name,
		kernel->overlaps ? ", with the other kernels that ran during its time" : "");
	text_counts(s, s->output.energy_text, &c);
	csv_row(s, launch->kernel->name, id, &c);
	whole_file_flush(s->output.energy_text);
	c_locale_leave(before);
}

/* All launches of a kernel; overlapping: so many of them ran beside others. */
static void kernel_output(const struct session *s, const char *name, uint64_t launches, uint64_t overlapping,
	const struct energy_counts *c)
{
	fprintf(s->output.energy_text, "%" PRIu64 " launch%s of %s%s\n", launches, launches == 1 ? "" : "es",
		name, overlapping ? ", with the other kernels that ran during their time" : "");
	text_counts(s, s->output.energy_text, c);
	if (!s->stats_launches)
		csv_row(s, name, "all", c);
}

/* Of the whole run: what was counted or, with sampling, what is estimated. True: it is. half: half the 95 %
 * interval of the energy for the latter, in pJ. */
static bool whole_run(struct session *s, struct energy_counts *c, double *half)
{
	struct stat_estimate estimate;
	struct stat_trust trust;
	double low, high;
	bool is_sampled = gpu_estimates(s->gpu, &estimate, &trust);

	*c = energy_since(gpu_energy(s->gpu), NULL);
	*half = 0;
	if (is_sampled) {
		*c = energy_estimated(gpu_energy(s->gpu), &estimate);
		stat_estimate_value(gpu_stats(s->gpu), &estimate, trust, "energy.total", &low, &high);
		*half = (high - low) / 2;
	}
	stat_estimate_free(&estimate);
	return is_sampled;
}

void energy_output_end(struct session *s)
{
	struct energy_counts c;
	double half;
	bool is_sampled = whole_run(s, &c, &half);
	locale_t before = c_locale_enter();

	kernel_sums_energy(s, kernel_output);
	fprintf(s->output.energy_text, "total of %" PRIu64 " kernel%s%s", s->output.kernels,
		s->output.kernels == 1 ? "" : "s", s->is_interrupted ? ", interrupted" : "");
	if (is_sampled)
		fprintf(s->output.energy_text,
			", estimated from a sample, which adds +- %.2g J (95 %%); of kernels, above, what "
			"was timed",
			half * JOULES);
	fputc('\n', s->output.energy_text);
	text_counts(s, s->output.energy_text, &c);
	c_locale_leave(before);
}

static void json_value(FILE *f, const char *name, double pj, double interval, const struct energy_counts *c)
{
	json_string(name, f);
	fprintf(f, ": { \"joules\": %.9g, \"interval\": %.4g, \"watts\": %.9g, \"watts_interval\": %.4g }",
		pj * JOULES, interval * JOULES, power(pj, c), power(interval, c));
}

void energy_json(struct session *s, const struct session_kernel *kernel, FILE *f)
{
	const struct energy *e = gpu_energy(s->gpu);
	struct energy_counts c;

	if (!e || s->is_functional)
		return;
	c = energy_since(e, kernel->energy_before);
	fputs("      \"energy\": { ", f);
	json_value(f, "total", (double)c.total, energy_interval(e, &c, SIZE_MAX), &c);
	for (size_t i = 0; i < energy_component_count(e); i++) {
		fputs(", ", f);
		json_value(f, energy_component(e, i), (double)c.component[i], energy_interval(e, &c, i), &c);
	}
	fputs(" },\n", f);
}

/* Whether the model is one of another chip than the machine, by their names. */
static bool is_of_another_chip(const struct session *s)
{
	const char *chip = energy_model(gpu_energy(s->gpu))->chip;

	return chip && strncmp(gpu_properties(s->gpu)->name, chip, strlen(chip)) != 0;
}

void energy_print(struct session *s, FILE *f)
{
	const struct energy *e = gpu_energy(s->gpu);
	struct energy_counts c;
	double interval, half;
	locale_t before;
	bool is_sampled;

	if (!e)
		return;
	if (s->is_functional) {
		fputs("lockstep: energy: not estimated, since there is no timing\n", f);
		return;
	}
	is_sampled = whole_run(s, &c, &half);
	interval = hypot(energy_interval(e, &c, SIZE_MAX), isnan(half) ? 0 : half);
	before = c_locale_enter();
	if (is_of_another_chip(s))
		fprintf(f, "lockstep: note: the energy model is of another chip (%s) than the machine (%s)\n",
			energy_model(e)->chip, gpu_properties(s->gpu)->name);
	if (energy_clock_is_beyond(e))
		fprintf(f,
			"lockstep: note: the model has no voltage for a core of %.6g MHz: that of the "
			"nearest clock that it knows was taken (energy.voltage sets another)\n",
			gpu_properties(s->gpu)->core_mhz);
	fprintf(f, "lockstep: energy %.6g +- %.2g J, power %.4g +- %.2g W (95 %%) in %.6g ms simulated%s\n",
		(double)c.total * JOULES, interval * JOULES, power((double)c.total, &c), power(interval, &c),
		(double)c.picoseconds * 1e-9, is_sampled ? ", estimated from a sample" : "");
	c_locale_leave(before);
}
