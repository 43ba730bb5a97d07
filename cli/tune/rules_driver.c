/* cli/tune/rules_driver.c -- what the driver says of the device. */
#include "cli/tune/rule.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool rule_told(struct tune *t, const struct rule *r, struct finding *f)
{
	const struct source *s = rule_source(t, r);

	if (!s)
		return finding_unmeasured(t, r, f);
	finding_set(t, f, tune_row_or(t, s->row, 0) * (r->scale ? r->scale : 1));
	f->probe = tune_quote(t, s->row);
	return true;
}

/* The model has one for each direction. */
bool rule_copy_engines(struct tune *t, const struct rule *r, struct finding *f)
{
	if (!rule_told(t, r, f))
		return false;
	finding_set(t, f, fmin(f->number, 2));
	return true;
}

bool rule_core_clock(struct tune *t, const struct rule *r, struct finding *f)
{
	if (!rule_told(t, r, f))
		return false;
	finding_set(t, f, f->number / tune_clock_ratio(t));
	return true;
}

/* Clocks that no probe tells keep their ratio to the SMs'. */
bool rule_other_clock(struct tune *t, const struct rule *r, struct finding *f)
{
	if (!rule_told(t, r, f))
		return false;
	finding_set(t, f, f->number * base_number(t, r->path) / base_number(t, "gpu.shader_mhz"));
	f->probe = keep_print(&t->keeper, "%s, at the ratio of %s", f->probe, t->base);
	return true;
}

/* The driver's clock is that of a bus with two transfers a cycle. */
bool rule_memory_clock(struct tune *t, const struct rule *r, struct finding *f)
{
	if (!rule_told(t, r, f))
		return false;
	finding_set(t, f, f->number * 2 / base_number(t, "dram.data_rate"));
	return true;
}

bool rule_memory(struct tune *t, const struct rule *r, struct finding *f)
{
	if (!rule_told(t, r, f))
		return false;
	f->text = keep_print(&t->keeper, "%.0fM", f->number);
	return true;
}

/* What reads or writes get of what the bus could carry; the doubt is the rest. The probe's area is 25 MB: an
 * L2 that holds half of that keeps it from DRAM. */
static void judge_bus(struct tune *t, struct finding *f)
{
	enum { MOST_CACHED = 12 << 20 };
	double got = fmax(tune_row_or(t, "DRAM read", 0), tune_row_or(t, "DRAM write", 0));
	double most = tune_row_or(t, "device memory bus", 0) / 8 * 2 *
		tune_row_or(t, "device memory clock", 0) / 1e6;

	if (!got || !most || tune_row_or(t, "device L2", 0) > MOST_CACHED)
		return;
	f->probe =
		keep_print(&t->keeper, "%s; reads or writes get %.4g of the %.4g GB/s", f->probe, got, most);
	f->doubt = fabs(1 - got / most);
}

bool rule_bus(struct tune *t, const struct rule *r, struct finding *f)
{
	if (!rule_told(t, r, f))
		return false;
	finding_set(t, f, f->number / 8 / tune_number(t, "gpu.partitions"));
	f->probe = keep_print(&t->keeper, "%s, over the slices", f->probe);
	judge_bus(t, f);
	return f->number >= 1 || finding_untold(t, f, "the bus has fewer bytes than there are slices");
}
