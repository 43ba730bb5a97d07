/* cli/tune/rules_sm.c -- instructions, units and shared memory of an SM. */
#include "cli/tune/rule.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cycles for which an instruction of one warp keeps its unit, by the rate of all warps. */
static double busy_cycles(const struct tune *t, const struct source *s)
{
	double rate = s->rate ? tune_row_or(t, s->rate, INFINITY) * source_per(s) : INFINITY;
	const char *blocks = strstr(t->values, "\nsm.sub_cores = true");

	return LANES / (rate / (blocks ? tune_number(t, "sm.schedulers") : 1));
}

bool rule_latency(struct tune *t, const struct rule *r, struct finding *f)
{
	const struct source *s = rule_source(t, r);
	double taken;

	if (!s)
		return finding_unmeasured(t, r, f);
	taken = tune_row_or(t, s->row, 0) / source_per(s);
	if (busy_cycles(t, s) > 0.98 * taken)
		return finding_untold(t, f,
			keep_print(&t->keeper,
				"%s is how long the unit is busy; the latency may be anything below",
				tune_quote(t, s->row)));
	finding_set(t, f, fmax(1, round(taken / tune_clock_ratio(t))));
	f->probe = tune_quote(t, s->row);
	f->doubt = fabs(f->number * tune_clock_ratio(t) - taken) / taken;
	return true;
}

/* No probe has the rate of divisions, which may be what their chain shows. */
bool rule_division(struct tune *t, const struct rule *r, struct finding *f)
{
	if (!rule_latency(t, r, f))
		return false;
	f->probe =
		keep_print(&t->keeper, "%s, or less, if a division keeps its unit busy for longer", f->probe);
	return true;
}

/* The least of some functions: compilers put instructions around others, such as the sine. */
bool rule_function_latency(struct tune *t, const struct rule *r, struct finding *f)
{
	struct rule one = { .path = r->path };
	double least = INFINITY;

	for (size_t i = 0; i < 3 && r->sources[i].row; i++)
		if (tune_row_or(t, r->sources[i].row, INFINITY) < least) {
			least = tune_row_or(t, r->sources[i].row, INFINITY);
			one.sources[0] = r->sources[i];
		}
	return one.sources[0].row ? rule_latency(t, &one, f) : finding_unmeasured(t, r, f);
}

/* A comparison stands before each. */
bool rule_vote_latency(struct tune *t, const struct rule *r, struct finding *f)
{
	if (!rule_latency(t, r, f))
		return false;
	finding_set(t, f, f->number - tune_number(t, "sm.latency.int_add"));
	f->probe = keep_print(&t->keeper, "%s, of which a comparison takes as long as an addition", f->probe);
	return f->number > 0;
}

static double best_rate(const struct tune *t, const struct rule *r, const char **row)
{
	double most = 0;

	for (size_t i = 0; i < 3 && r->sources[i].row; i++)
		if (tune_row_or(t, r->sources[i].row, 0) > most) {
			most = tune_row_or(t, r->sources[i].row, 0);
			*row = r->sources[i].row;
		}
	return most * tune_clock_ratio(t);
}

/* Units have 32 lanes; one that is slower than that has an interval. */
bool rule_units(struct tune *t, const struct rule *r, struct finding *f)
{
	const char *row = NULL;
	double rate = best_rate(t, r, &row);

	if (!row)
		return finding_unmeasured(t, r, f);
	finding_set(t, f, fmax(1, round(rate / LANES)));
	f->probe = tune_quote(t, row);
	f->doubt = rate < LANES ? NAN : fabs(rate / LANES - f->number) / f->number;
	return true;
}

/* There are units for integers of their own if f32 and logic together come faster than either. */
bool rule_integer_units(struct tune *t, const struct rule *r, struct finding *f)
{
	double both = tune_row_or(t, "issue f32 mul + logic", 0),
	       single = tune_row_or(t, "issue f32 mul: 32 warps", 0);
	const struct source *s = rule_source(t, r);

	if (!s || !both || !single)
		return finding_untold(
			t, f, "no rows \"issue f32 mul + logic\", \"issue f32 mul: 32 warps\" and a rate");
	finding_set(t, f,
		both > 1.3 * single ? fmax(1, round(tune_row_or(t, s->row, 0) * tune_clock_ratio(t) / LANES))
				    : 0);
	f->probe = keep_print(&t->keeper, "%s, %s, %s", tune_quote(t, "issue f32 mul + logic"),
		tune_quote(t, "issue f32 mul: 32 warps"), tune_quote(t, s->row));
	return true;
}

/* The parameter that counts the units of an interval; NULL: no probe tells which units these are. */
static const char *units_of(struct tune *t, const struct rule *r)
{
	const struct finding *integer = finding_of(t, "sm.int_units");
	const char *kind = r->units, *chosen;

	if (!strncmp(kind, "by ", 3)) {
		chosen = base_text(t, kind + 3);
		kind = chosen && strstr(chosen, "sfu")      ? "sm.sfu_units"
			: chosen && strstr(chosen, "mixed") ? NULL
			: !strcmp(kind, "by sm.count_unit") ? "integer"
							    : "sm.sp_units";
	}
	if (!kind || strcmp(kind, "integer") != 0)
		return kind;
	if (!integer || !integer->text)
		return NULL;
	return integer->number > 0 ? "sm.int_units" : "sm.sp_units";
}

bool rule_interval(struct tune *t, const struct rule *r, struct finding *f)
{
	const struct source *s = rule_source(t, r);
	const char *units = units_of(t, r);
	double interval;

	if (!s)
		return finding_unmeasured(t, r, f);
	if (!units)
		return finding_untold(t, f, "which units these are, the rows do not tell");
	interval = LANES * tune_number(t, units) /
		(tune_row_or(t, s->row, 0) * source_per(s) * tune_clock_ratio(t));
	finding_set(t, f, fmax(1, round(interval)));
	f->probe = keep_print(&t->keeper, "%s, %s %.0f", tune_quote(t, s->row), strrchr(units, '.') + 1,
		tune_number(t, units));
	f->doubt = fabs(interval - f->number) / f->number;
	return true;
}

/* Warps of one scheduler alone are as slow as it is. */
bool rule_schedulers(struct tune *t, const struct rule *r, struct finding *f)
{
	double all = tune_row_or(t, "issue f32 mul: 32 warps", 0), few = tune_row_or(t, r->sources[0].row, 0);

	if (!all || !few)
		return finding_unmeasured(t, r, f);
	finding_set(t, f, exp2(round(log2(all / few))));
	f->probe = keep_print(&t->keeper, "%s, %s", tune_quote(t, "issue f32 mul: 32 warps"),
		tune_quote(t, r->sources[0].row));
	f->doubt = fabs(all / few - f->number) / f->number;
	return true;
}

bool rule_barrier_interval(struct tune *t, const struct rule *r, struct finding *f)
{
	double many = tune_row_or(t, "barrier 32 warps", NAN), one = tune_row_or(t, "barrier 1 warps", NAN),
	       each;

	if (isnan(many) || isnan(one))
		return finding_unmeasured(t, r, f);
	each = (many - one) / 31 / tune_clock_ratio(t);
	finding_set(t, f, fmax(1, round(each)));
	f->probe = keep_print(
		&t->keeper, "%s, %s", tune_quote(t, "barrier 1 warps"), tune_quote(t, "barrier 32 warps"));
	f->doubt = fabs(each - f->number) / f->number;
	return true;
}

/* ---- shared memory, the L1's port ---- */

static double at_stride(const struct tune *t, unsigned stride)
{
	char name[32];

	snprintf(name, sizeof(name), "shared stride %u", stride);
	return tune_row_or(t, name, NAN);
}

/* The stride that is as bad as any: all lanes are in one bank. */
bool rule_banks(struct tune *t, const struct rule *r, struct finding *f)
{
	double worst = 0;
	unsigned stride = 1;

	for (unsigned s = 1; s <= LANES; s++)
		worst = fmax(worst, at_stride(t, s));
	while (stride < LANES && !(at_stride(t, stride) > 0.95 * worst))
		stride *= 2;
	if (!worst)
		return finding_unmeasured(t, r, f);
	finding_set(t, f, stride);
	f->probe = keep_print(&t->keeper,
		"\"shared stride\" 1, 2, 4, 8, 16, 32: %.4g, %.4g, %.4g, %.4g, %.4g, %.4g cycles an access",
		at_stride(t, 1), at_stride(t, 2), at_stride(t, 4), at_stride(t, 8), at_stride(t, 16),
		at_stride(t, 32));
	f->doubt = fabs(at_stride(t, stride) / at_stride(t, 1) - LANES) / LANES;
	return true;
}

/* What a lane in a bank that is taken costs, beyond the cycle for which it takes it. */
bool rule_conflict(struct tune *t, const struct rule *r, struct finding *f)
{
	double one = tune_row_or(t, "shared latency 1-way", NAN),
	       all = tune_row_or(t, "shared latency 32-way", NAN), each;

	if (isnan(one) || isnan(all))
		return finding_unmeasured(t, r, f);
	each = (all - one) / (LANES - 1) / tune_clock_ratio(t);
	finding_set(t, f, fmax(0, round(each - 1)));
	f->probe = keep_print(&t->keeper, "%s, %s", tune_quote(t, "shared latency 1-way"),
		tune_quote(t, "shared latency 32-way"));
	f->doubt = fabs(each - 1 - f->number) / each;
	return true;
}

/* Further cycles of an access of 16 bytes a lane, which needs four. */
bool rule_wide_load(struct tune *t, const struct rule *r, struct finding *f)
{
	const struct source *s = rule_source(t, r);
	double times;

	if (!s)
		return finding_unmeasured(t, r, f);
	times = LANES / (4 * tune_clock_ratio(t) * tune_row_or(t, s->row, 0));
	finding_set(t, f, fmax(0, round(times) - 1));
	f->probe = tune_quote(t, s->row);
	f->doubt = fabs(times - 1 - f->number) / times;
	return true;
}

/* Bytes a cycle; a port has a multiple of 16. */
bool rule_data_port(struct tune *t, const struct rule *r, struct finding *f)
{
	const struct source *s = rule_source(t, r);
	double bytes;

	if (!s)
		return finding_unmeasured(t, r, f);
	bytes = tune_row_or(t, s->row, 0) * tune_clock_ratio(t);
	finding_set(t, f, 16 * round(bytes / 16));
	f->probe = tune_quote(t, s->row);
	f->doubt = fabs(bytes - f->number) / f->number;
	return f->number > 0;
}
