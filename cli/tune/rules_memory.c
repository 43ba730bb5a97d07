/* cli/tune/rules_memory.c -- the L1, slices of the L2, network and DRAM; latencies that are found by trial.
 */
#include "cli/tune/rule.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 128, HEADER = 8 /* bytes that a reply has beside its data (interconnect) */ };

/* The next of the sizes "0 8K 16K" that the chip can set aside for shared memory, in bytes; *at moves behind
 * it. NAN: there is none. */
static double next_size(const char **at)
{
	char *end;
	double bytes = strtod(*at, &end);

	if (end == *at)
		return NAN;
	*at = *end == 'K' ? end + 1 : end;
	return *end == 'K' ? 1024 * bytes : bytes;
}

/* Without the quotes; "none" if shared memory is an array of its own. */
static const char *base_sizes(struct tune *t)
{
	const char *sizes = base_text(t, "sm.shared_carve_outs");

	return sizes && *sizes == '"' ? sizes + 1 : "none";
}

/* Of an array that the L1 shares with shared memory, kernels without any leave what their CTAs hold in
 * reserve, in one of the sizes that the chip can set aside. */
static double bytes_set_aside(struct tune *t)
{
	double held =
		tune_row_or(t, "device CTAs an SM", 0) * tune_row_or(t, "device shared memory reserved", 0);
	const char *sizes = base_sizes(t);
	double bytes;

	while (!isnan(bytes = next_size(&sizes)))
		if (bytes >= held)
			return bytes;
	return 0;
}

/* The base's as far as they are less than all of shared memory, and that. */
bool rule_carve_outs(struct tune *t, const struct rule *r, struct finding *f)
{
	double most = tune_number(t, "sm.shared_bytes"), bytes;
	const char *sizes = base_sizes(t);

	if (most == base_number(t, "sm.shared_bytes") || !strncmp(sizes, "none", 4))
		return finding_untold(
			t, f, "shared memory is as large as the base's, or an array of its own");
	f->text = keep_copy(&t->keeper, "");
	while (!isnan(bytes = next_size(&sizes)))
		if (bytes < most)
			f->text = keep_print(&t->keeper, "%s%.0f ", f->text, bytes);
	f->text = keep_print(&t->keeper, "%s%.0f", f->text, most);
	f->probe = keep_print(
		&t->keeper, "those of %s below the largest, %s", t->base, tune_quote(t, r->sources[0].row));
	return true;
}

static const char *quote_ring(struct tune *t, const struct ring_curve *c, const char *cache)
{
	return keep_print(&t->keeper,
		"%s rings: %.5g cycles up to %.0f lines of 128 bytes, more from %.0f on, %.5g beyond; "
		"%.3g lines lost for one too many (%zu points)",
		cache, c->hit, c->lines, c->first_miss, c->miss, c->evictions, c->points);
}

static bool find_ring(struct tune *t, const char *cache, struct finding *f, struct ring_curve *c)
{
	*c = ring_curve(&t->rows, cache, !strcmp(cache, "L2") && tune_has_halves(t) ? 2 : 1);
	if (!c->lines || !c->ways || !c->line)
		return finding_untold(t, f,
			keep_print(&t->keeper, "no rings through the %s, or not enough of them", cache));
	f->probe = quote_ring(t, c, cache);
	return true;
}

bool rule_l1_sets(struct tune *t, const struct rule *r, struct finding *f)
{
	struct ring_curve c;

	if (!find_ring(t, "L1", f, &c))
		return false;
	finding_set(t, f, round(c.lines * LINE / (c.ways * c.line)));
	f->doubt = c.ways_doubt;
	return f->number >= 1;
}

/* Without rings: what the L1 has beside all of shared memory is as much as in the base. */
static bool guess_l1_ways(struct tune *t, struct finding *f)
{
	double more = tune_number(t, "sm.shared_bytes") - base_number(t, "sm.shared_bytes");
	double set = tune_number(t, "sm.l1d.sets") * base_number(t, "sm.l1d.line");

	if (!more || !strncmp(base_sizes(t), "none", 4))
		return false;
	finding_set(t, f, base_number(t, "sm.l1d.ways") + round(more / set));
	f->probe = keep_print(&t->keeper,
		"%s; the array is as much larger than that of %s as shared memory is", f->probe, t->base);
	return true;
}

bool rule_l1_ways(struct tune *t, const struct rule *r, struct finding *f)
{
	struct ring_curve c;
	double aside = bytes_set_aside(t);

	if (!find_ring(t, "L1", f, &c))
		return guess_l1_ways(t, f);
	finding_set(t, f, round((c.lines * LINE + aside) / (tune_number(t, "sm.l1d.sets") * c.line)));
	if (aside)
		f->probe = keep_print(
			&t->keeper, "%s; %.0f KB of the array were shared memory", f->probe, aside / 1024);
	f->doubt = c.ways_doubt;
	return true;
}

bool rule_l1_line(struct tune *t, const struct rule *r, struct finding *f)
{
	struct ring_curve c;

	if (!find_ring(t, "L1", f, &c))
		return false;
	finding_set(t, f, c.line);
	f->probe = keep_print(&t->keeper,
		"L1 rings in steps of 288, 416 and 544 bytes: the most lines fit at %.0f", c.line);
	return true;
}

bool rule_l1_sectors(struct tune *t, const struct rule *r, struct finding *f)
{
	struct ring_curve c;

	if (!find_ring(t, "L1", f, &c))
		return false;
	if (!c.sector)
		return finding_untold(t, f, "no rings of twice the size in steps of 32 and 128 bytes");
	finding_set(t, f, c.line / fmin(c.sector, c.line));
	f->probe = keep_print(&t->keeper, "L1 rings of twice its size: a miss brings %.0f bytes", c.sector);
	return true;
}

/* ---- L2, network, DRAM ---- */

/* Without a count of the slices: as many as the bus has channels as wide as the base's. */
static bool find_channels(struct tune *t, struct finding *f)
{
	double bits = tune_row_or(t, "device memory bus", 0), bytes = base_number(t, "dram.bus_bytes");

	if (!bits || !bytes)
		return finding_untold(t, f, "no row \"slices owned N x STEP\", and none of the memory's bus");
	finding_set(t, f, round(bits / 8 / bytes));
	f->probe = keep_print(&t->keeper,
		"%s, in channels of %.0f bytes as %s has them; slices were not counted",
		tune_quote(t, "device memory bus"), bytes, t->base);
	return true;
}

/* Of the longest list of blocks, how many are in the slice of the first. In an L2 of two halves only those of
 * the SM's own half are seen. */
bool rule_slices(struct tune *t, const struct rule *r, struct finding *f)
{
	double blocks = 0, owned = 0, n, step;
	const char *row = NULL;

	for (size_t i = 0; i < t->rows.count; i++)
		if (sscanf(t->rows.items[i].name, "slices owned %lf x %lf", &n, &step) == 2 && n >= blocks) {
			blocks = n;
			owned = t->rows.items[i].value;
			row = t->rows.items[i].name;
		}
	if (!row || !owned)
		return find_channels(t, f);
	finding_set(t, f, round(blocks / owned) * (tune_has_halves(t) ? 2 : 1));
	f->probe = keep_print(&t->keeper, "%s%s", tune_quote(t, row),
		tune_has_halves(t) ? "; two halves, of which an SM uses one" : "");
	f->doubt = 1 / owned;
	return true;
}

bool rule_interleave(struct tune *t, const struct rule *r, struct finding *f)
{
	if (tune_has_halves(t))
		return finding_untold(t, f, "blocks of two slices come to one in an L2 of halves");
	return rule_told(t, r, f);
}

bool rule_halves(struct tune *t, const struct rule *r, struct finding *f)
{
	struct ring_curve c;

	if (!find_ring(t, "L2", f, &c))
		return false;
	f->number = tune_has_halves(t);
	f->text = keep_copy(&t->keeper, tune_has_halves(t) ? "true" : "false");
	f->probe = keep_print(&t->keeper, "%s, and rings of %.0f KB stay", tune_quote(t, "device L2"),
		c.lines * LINE / 1024);
	return true;
}

bool rule_l2_ways(struct tune *t, const struct rule *r, struct finding *f)
{
	struct ring_curve c;

	if (!find_ring(t, "L2", f, &c))
		return false;
	finding_set(t, f, c.ways);
	f->doubt = c.ways_doubt;
	return true;
}

bool rule_l2_sets(struct tune *t, const struct rule *r, struct finding *f)
{
	double slices = tune_number(t, "gpu.partitions") * tune_number(t, "l2.banks"),
	       ways = tune_number(t, "l2.ways");

	if (!rule_told(t, r, f))
		return false;
	finding_set(t, f, fmax(1, round(f->number / (slices * ways * LINE))));
	f->probe = keep_print(&t->keeper, "%s over %.0f slices of %.0f ways", f->probe, slices, ways);
	return true;
}

/* One: slices are counted one by one. */
bool rule_l2_banks(struct tune *t, const struct rule *r, struct finding *f)
{
	const struct finding *slices = finding_of(t, "gpu.partitions");

	if (!slices || !slices->text || isnan(slices->doubt))
		return finding_untold(t, f, "slices were not counted");
	finding_set(t, f, 1);
	f->probe = "slices are counted one by one";
	return true;
}

/* Bytes of a fill from DRAM; an L1 whose misses bring more hides it. */
bool rule_l2_fetch(struct tune *t, const struct rule *r, struct finding *f)
{
	struct ring_curve l1 = ring_curve(&t->rows, "L1", 1), c;

	if (!find_ring(t, "L2", f, &c))
		return false;
	if (l1.sector != 32 || tune_has_halves(t) || (c.sector != 32 && c.sector != 64))
		return finding_untold(t, f,
			"the L1 brings whole lines, or half of the lines come from the other half of the L2");
	f->text = keep_copy(&t->keeper, c.sector == 64 ? "pairs" : "sectors");
	f->number = c.sector;
	f->probe = keep_print(&t->keeper, "L2 rings of twice its size: a miss brings %.0f bytes", c.sector);
	return true;
}

bool rule_port(struct tune *t, const struct rule *r, struct finding *f)
{
	double bytes;

	if (!rule_told(t, r, f))
		return false;
	bytes = f->number * tune_number(t, "gpu.shader_mhz") / tune_number(t, "gpu.l2_mhz") /
		(tune_has_halves(t) ? 2 : 1);
	finding_set(t, f, round(bytes));
	f->doubt = fabs(bytes - f->number) / f->number;
	return true;
}

/* A line's reply, with its header, takes a whole number of cycles of a link: the narrowest link for which it
 * is so many, in steps of 8 bytes. */
bool rule_link(struct tune *t, const struct rule *r, struct finding *f)
{
	double taken;

	if (!rule_told(t, r, f))
		return false;
	taken = LINE / (f->number * tune_number(t, "gpu.shader_mhz") / tune_number(t, "gpu.xbar_mhz"));
	finding_set(t, f, 8 * ceil((LINE + HEADER) / fmax(1, round(taken)) / 8));
	f->doubt = fabs(taken - fmax(1, round(taken))) / taken;
	return true;
}

/* ---- by trial: what passes before and behind is not known until the machine has been tried ---- */

bool rule_by_trial(struct tune *t, const struct rule *r, struct finding *f)
{
	const struct source *s = rule_source(t, r);

	if (!s)
		return finding_unmeasured(t, r, f);
	finding_set(t, f, base_number(t, r->path));
	f->probe = tune_quote(t, s->row);
	return true;
}

/* What DRAM needs in nanoseconds, the base has in cycles of its own clock. */
bool rule_dram_time(struct tune *t, const struct rule *r, struct finding *f)
{
	double before = base_number(t, "gpu.dram_mhz"), now = tune_number(t, "gpu.dram_mhz");

	if (!base_number(t, r->path))
		return finding_untold(t, f, "as the base has it: another time in its place");
	if (fabs(now / before - 1) < 1e-3)
		return finding_untold(t, f, "no probe of single commands; the clock is that of the base");
	finding_set(t, f, fmax(1, round(base_number(t, r->path) * now / before)));
	f->probe = keep_print(&t->keeper, "as long as the %.0f cycles of %s at %.0f MHz",
		base_number(t, r->path), t->base, before);
	return true;
}

bool rule_dram_latency(struct tune *t, const struct rule *r, struct finding *f)
{
	if (!rule_source(t, r))
		return rule_dram_time(t, r, f);
	return rule_by_trial(t, r, f);
}
