/* cli/tune/rules.c -- one line for each parameter that probes tell: which rows, and by which rule. */
#include "cli/tune/tune.h"
#include "sim/base/xalloc.h"
#include <math.h>
#include <string.h>

enum {
	LANES_OF_WARP = 32,
	LINE = 128,
	HEADER = 8 /* bytes that a reply has beside its data (interconnect) */
};

/* Rows of which the first that was measured counts. */
struct source {
	const char *row;
	double per;       /* instructions of which the figure is; 0: 1 */
	const char *rate; /* the row with the rate of the same, by which a latency may be hidden; NULL: none
			   */
	bool is_alike; /* all lanes have the same values, for which chips since 7.5 have a unit of their own
			*/
};

struct rule {
	const char *path;
	bool (*find)(struct tune *t, const struct rule *r, struct finding *f);
	struct source sources[3];
	double scale;      /* parameter over row */
	const char *units; /* of an interval: the parameter that counts them */
	const char *clock; /* of a trial: the clock in whose cycles the parameter is */
};

/* ---- what rules share ---- */

const struct finding *finding_of(const struct tune *t, const char *path)
{
	for (size_t i = 0; i < t->count; i++)
		if (!strcmp(t->findings[i].path, path))
			return &t->findings[i];
	return NULL;
}

/* What the machine that is written has. */
static double number_of(const struct tune *t, const char *path)
{
	const struct finding *f = finding_of(t, path);

	return f && f->text ? f->number : base_number(t, path);
}

static double row_or(const struct tune *t, const char *name, double otherwise)
{
	const struct tune_row *row = tune_rows_find(&t->rows, name);

	return row ? row->value : otherwise;
}

/* Shader cycles of a core cycle: chips of compute capability 2.x have a hot clock (CUDA C Programming Guide).
 */
static double clock_ratio(const struct tune *t)
{
	return row_or(t, "device compute capability major", base_number(t, "gpu.compute_major")) == 2 ? 2 : 1;
}

static bool has_uniform_units(const struct tune *t)
{
	return 10 * row_or(t, "device compute capability major", base_number(t, "gpu.compute_major")) +
		row_or(t, "device compute capability minor", 0) >=
		75;
}

static bool has_halves(const struct tune *t)
{
	struct ring_curve c = ring_curve(&t->rows, "L2", 1);
	double told = row_or(t, "device L2", 0), part = told ? c.lines * LINE / told : 0;

	return part > 0.45 && part < 0.55;
}

void finding_set(struct tune *t, struct finding *f, double number)
{
	f->number = number;
	f->text = keep_print(&t->keeper, "%.12g", number);
}

static bool untold(struct tune *t, struct finding *f, const char *why)
{
	f->probe = keep_copy(&t->keeper, why);
	return false;
}

static bool unmeasured(struct tune *t, const struct rule *r, struct finding *f)
{
	f->probe = keep_print(&t->keeper, "no row \"%s\"", r->sources[0].row);
	return false;
}

/* The first source that was measured and may be trusted. */
static const struct source *find_source(const struct tune *t, const struct rule *r)
{
	for (size_t i = 0; i < sizeof(r->sources) / sizeof(*r->sources) && r->sources[i].row; i++)
		if (tune_rows_find(&t->rows, r->sources[i].row) &&
			!(r->sources[i].is_alike && has_uniform_units(t)))
			return &r->sources[i];
	return NULL;
}

static double per(const struct source *s)
{
	return s->per ? s->per : 1;
}

/* "latency int add" 4 cycles */
static const char *quote_row(struct tune *t, const char *name)
{
	const struct tune_row *row = tune_rows_find(&t->rows, name);

	return keep_print(&t->keeper, "\"%s\" %.10g%s%s", name, row->value, *row->unit ? " " : "", row->unit);
}

/* ---- what the driver says ---- */

static bool find_told(struct tune *t, const struct rule *r, struct finding *f)
{
	const struct source *s = find_source(t, r);

	if (!s)
		return unmeasured(t, r, f);
	finding_set(t, f, row_or(t, s->row, 0) * (r->scale ? r->scale : 1));
	f->probe = quote_row(t, s->row);
	return true;
}

/* The model has one for each direction. */
static bool find_copy_engines(struct tune *t, const struct rule *r, struct finding *f)
{
	if (!find_told(t, r, f))
		return false;
	finding_set(t, f, fmin(f->number, 2));
	return true;
}

static bool find_core_clock(struct tune *t, const struct rule *r, struct finding *f)
{
	if (!find_told(t, r, f))
		return false;
	finding_set(t, f, f->number / clock_ratio(t));
	return true;
}

/* Clocks that no probe tells keep their ratio to the SMs'. */
static bool find_other_clock(struct tune *t, const struct rule *r, struct finding *f)
{
	if (!find_told(t, r, f))
		return false;
	finding_set(t, f, f->number * base_number(t, r->path) / base_number(t, "gpu.shader_mhz"));
	f->probe = keep_print(&t->keeper, "%s, at the ratio of %s", f->probe, t->base);
	return true;
}

/* The driver's clock is that of a bus with two transfers a cycle. */
static bool find_memory_clock(struct tune *t, const struct rule *r, struct finding *f)
{
	if (!find_told(t, r, f))
		return false;
	finding_set(t, f, f->number * 2 / base_number(t, "dram.data_rate"));
	return true;
}

static bool find_memory(struct tune *t, const struct rule *r, struct finding *f)
{
	if (!find_told(t, r, f))
		return false;
	f->text = keep_print(&t->keeper, "%.0fM", f->number);
	return true;
}

static bool find_bus(struct tune *t, const struct rule *r, struct finding *f)
{
	if (!find_told(t, r, f))
		return false;
	finding_set(t, f, f->number / 8 / number_of(t, "gpu.partitions"));
	f->probe = keep_print(&t->keeper, "%s, over the slices", f->probe);
	return f->number >= 1 || untold(t, f, "the bus has fewer bytes than there are slices");
}

/* ---- instructions ---- */

/* Cycles for which an instruction of one warp keeps its unit, by the rate of all warps. */
static double busy_cycles(const struct tune *t, const struct source *s)
{
	double rate = s->rate ? row_or(t, s->rate, INFINITY) * per(s) : INFINITY;
	const char *blocks = strstr(t->values, "\nsm.sub_cores = true");

	return LANES_OF_WARP / (rate / (blocks ? number_of(t, "sm.schedulers") : 1));
}

static bool find_latency(struct tune *t, const struct rule *r, struct finding *f)
{
	const struct source *s = find_source(t, r);
	double taken;

	if (!s)
		return unmeasured(t, r, f);
	taken = row_or(t, s->row, 0) / per(s);
	if (busy_cycles(t, s) > 0.98 * taken)
		return untold(t, f,
			keep_print(&t->keeper,
				"%s is how long the unit is busy; the latency may be anything below",
				quote_row(t, s->row)));
	finding_set(t, f, fmax(1, round(taken / clock_ratio(t))));
	f->probe = quote_row(t, s->row);
	f->doubt = fabs(f->number * clock_ratio(t) - taken) / taken;
	return true;
}

/* The least of some functions: compilers put instructions around others, such as the sine. */
static bool find_function_latency(struct tune *t, const struct rule *r, struct finding *f)
{
	struct rule one = { .path = r->path };
	double least = INFINITY;

	for (size_t i = 0; i < 3 && r->sources[i].row; i++)
		if (row_or(t, r->sources[i].row, INFINITY) < least) {
			least = row_or(t, r->sources[i].row, INFINITY);
			one.sources[0] = r->sources[i];
		}
	return one.sources[0].row ? find_latency(t, &one, f) : unmeasured(t, r, f);
}

/* A comparison stands before each. */
static bool find_vote_latency(struct tune *t, const struct rule *r, struct finding *f)
{
	if (!find_latency(t, r, f))
		return false;
	finding_set(t, f, f->number - number_of(t, "sm.latency.int_add"));
	f->probe = keep_print(&t->keeper, "%s, of which a comparison takes as long as an addition", f->probe);
	return f->number > 0;
}

static double best_rate(const struct tune *t, const struct rule *r, const char **row)
{
	double most = 0;

	for (size_t i = 0; i < 3 && r->sources[i].row; i++)
		if (row_or(t, r->sources[i].row, 0) > most) {
			most = row_or(t, r->sources[i].row, 0);
			*row = r->sources[i].row;
		}
	return most * clock_ratio(t);
}

/* Units have 32 lanes; one that is slower than that has an interval. */
static bool find_units(struct tune *t, const struct rule *r, struct finding *f)
{
	const char *row = NULL;
	double rate = best_rate(t, r, &row);

	if (!row)
		return unmeasured(t, r, f);
	finding_set(t, f, fmax(1, round(rate / LANES_OF_WARP)));
	f->probe = quote_row(t, row);
	f->doubt = rate < LANES_OF_WARP ? NAN : fabs(rate / LANES_OF_WARP - f->number) / f->number;
	return true;
}

/* There are units for integers of their own if f32 and logic together come faster than either. */
static bool find_integer_units(struct tune *t, const struct rule *r, struct finding *f)
{
	double both = row_or(t, "issue f32 mul + logic", 0), single = row_or(t, "issue f32 mul: 32 warps", 0);
	const struct source *s = find_source(t, r);

	if (!s || !both || !single)
		return untold(
			t, f, "no rows \"issue f32 mul + logic\", \"issue f32 mul: 32 warps\" and a rate");
	finding_set(t, f,
		both > 1.3 * single ? fmax(1, round(row_or(t, s->row, 0) * clock_ratio(t) / LANES_OF_WARP))
				    : 0);
	f->probe = keep_print(&t->keeper, "%s, %s, %s", quote_row(t, "issue f32 mul + logic"),
		quote_row(t, "issue f32 mul: 32 warps"), quote_row(t, s->row));
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

static bool find_interval(struct tune *t, const struct rule *r, struct finding *f)
{
	const struct source *s = find_source(t, r);
	const char *units = units_of(t, r);
	double interval;

	if (!s)
		return unmeasured(t, r, f);
	if (!units)
		return untold(t, f, "which units these are, the rows do not tell");
	interval = LANES_OF_WARP * number_of(t, units) / (row_or(t, s->row, 0) * per(s) * clock_ratio(t));
	finding_set(t, f, fmax(1, round(interval)));
	f->probe = keep_print(&t->keeper, "%s, %s %.0f", quote_row(t, s->row), strrchr(units, '.') + 1,
		number_of(t, units));
	f->doubt = fabs(interval - f->number) / f->number;
	return true;
}

/* Warps of one scheduler alone are as slow as it is. */
static bool find_schedulers(struct tune *t, const struct rule *r, struct finding *f)
{
	double all = row_or(t, "issue f32 mul: 32 warps", 0), few = row_or(t, r->sources[0].row, 0);

	if (!all || !few)
		return unmeasured(t, r, f);
	finding_set(t, f, exp2(round(log2(all / few))));
	f->probe = keep_print(&t->keeper, "%s, %s", quote_row(t, "issue f32 mul: 32 warps"),
		quote_row(t, r->sources[0].row));
	f->doubt = fabs(all / few - f->number) / f->number;
	return true;
}

static bool find_barrier_interval(struct tune *t, const struct rule *r, struct finding *f)
{
	double many = row_or(t, "barrier 32 warps", NAN), one = row_or(t, "barrier 1 warps", NAN), each;

	if (isnan(many) || isnan(one))
		return unmeasured(t, r, f);
	each = (many - one) / 31 / clock_ratio(t);
	finding_set(t, f, fmax(1, round(each)));
	f->probe = keep_print(
		&t->keeper, "%s, %s", quote_row(t, "barrier 1 warps"), quote_row(t, "barrier 32 warps"));
	f->doubt = fabs(each - f->number) / f->number;
	return true;
}

/* ---- shared memory and the L1 ---- */

static double at_stride(const struct tune *t, unsigned stride)
{
	char name[32];

	snprintf(name, sizeof(name), "shared stride %u", stride);
	return row_or(t, name, NAN);
}

/* The stride that is as bad as any: all lanes are in one bank. */
static bool find_banks(struct tune *t, const struct rule *r, struct finding *f)
{
	double worst = 0;
	unsigned stride = 1;

	for (unsigned s = 1; s <= LANES_OF_WARP; s++)
		worst = fmax(worst, at_stride(t, s));
	while (stride < LANES_OF_WARP && !(at_stride(t, stride) > 0.95 * worst))
		stride *= 2;
	if (!worst)
		return unmeasured(t, r, f);
	finding_set(t, f, stride);
	f->probe = keep_print(&t->keeper,
		"\"shared stride\" 1, 2, 4, 8, 16, 32: %.4g, %.4g, %.4g, %.4g, %.4g, %.4g cycles an access",
		at_stride(t, 1), at_stride(t, 2), at_stride(t, 4), at_stride(t, 8), at_stride(t, 16),
		at_stride(t, 32));
	f->doubt = fabs(at_stride(t, stride) / at_stride(t, 1) - LANES_OF_WARP) / LANES_OF_WARP;
	return true;
}

/* What a lane in a bank that is taken costs, beyond the cycle for which it takes it. */
static bool find_conflict(struct tune *t, const struct rule *r, struct finding *f)
{
	double one = row_or(t, "shared latency 1-way", NAN), all = row_or(t, "shared latency 32-way", NAN),
	       each;

	if (isnan(one) || isnan(all))
		return unmeasured(t, r, f);
	each = (all - one) / (LANES_OF_WARP - 1) / clock_ratio(t);
	finding_set(t, f, fmax(0, round(each - 1)));
	f->probe = keep_print(&t->keeper, "%s, %s", quote_row(t, "shared latency 1-way"),
		quote_row(t, "shared latency 32-way"));
	f->doubt = fabs(each - 1 - f->number) / each;
	return true;
}

/* Further cycles of an access of 16 bytes a lane, which needs four. */
static bool find_wide_load(struct tune *t, const struct rule *r, struct finding *f)
{
	const struct source *s = find_source(t, r);
	double times;

	if (!s)
		return unmeasured(t, r, f);
	times = LANES_OF_WARP / (4 * clock_ratio(t) * row_or(t, s->row, 0));
	finding_set(t, f, fmax(0, round(times) - 1));
	f->probe = quote_row(t, s->row);
	f->doubt = fabs(times - 1 - f->number) / times;
	return true;
}

/* Bytes a cycle; a port has a multiple of 16. */
static bool find_data_port(struct tune *t, const struct rule *r, struct finding *f)
{
	const struct source *s = find_source(t, r);
	double bytes;

	if (!s)
		return unmeasured(t, r, f);
	bytes = row_or(t, s->row, 0) * clock_ratio(t);
	finding_set(t, f, 16 * round(bytes / 16));
	f->probe = quote_row(t, s->row);
	f->doubt = fabs(bytes - f->number) / f->number;
	return f->number > 0;
}

/* Of an array that the L1 shares with shared memory, kernels without any leave what their CTAs hold in
 * reserve, in one of the sizes that the chip can set aside. */
static double bytes_set_aside(struct tune *t)
{
	double held = row_or(t, "device CTAs an SM", 0) * row_or(t, "device shared memory reserved", 0);
	const char *sizes = base_text(t, "sm.shared_carve_outs");
	char *end;

	for (const char *at = sizes && strchr(sizes, '"') ? sizes + 1 : "none"; *at; at = end) {
		double bytes = strtod(at, &end);

		if (end == at)
			return 0;
		if (*end == 'K')
			bytes *= 1024, end++;
		if (bytes >= held)
			return bytes;
	}
	return 0;
}

static const char *quote_ring(struct tune *t, const struct ring_curve *c, const char *cache)
{
	return keep_print(&t->keeper,
		"%s rings: %.5g cycles up to %.0f lines of 128 bytes, more from %.0f on, %.5g beyond; %.3g "
		"lines lost "
		"for one too many (%zu points)",
		cache, c->hit, c->lines, c->first_miss, c->miss, c->evictions, c->points);
}

static bool find_ring(struct tune *t, const char *cache, struct finding *f, struct ring_curve *c)
{
	*c = ring_curve(&t->rows, cache, !strcmp(cache, "L2") && has_halves(t) ? 2 : 1);
	if (!c->lines || !c->ways || !c->line)
		return untold(t, f,
			keep_print(&t->keeper, "no rings through the %s, or not enough of them", cache));
	f->probe = quote_ring(t, c, cache);
	return true;
}

static bool find_l1_sets(struct tune *t, const struct rule *r, struct finding *f)
{
	struct ring_curve c;

	if (!find_ring(t, "L1", f, &c))
		return false;
	finding_set(t, f, round(c.lines * LINE / (c.ways * c.line)));
	f->doubt = c.ways_doubt;
	return f->number >= 1;
}

static bool find_l1_ways(struct tune *t, const struct rule *r, struct finding *f)
{
	struct ring_curve c;
	double aside = bytes_set_aside(t);

	if (!find_ring(t, "L1", f, &c))
		return false;
	finding_set(t, f, round((c.lines * LINE + aside) / (number_of(t, "sm.l1d.sets") * c.line)));
	if (aside)
		f->probe = keep_print(
			&t->keeper, "%s; %.0f KB of the array were shared memory", f->probe, aside / 1024);
	f->doubt = c.ways_doubt;
	return true;
}

static bool find_l1_line(struct tune *t, const struct rule *r, struct finding *f)
{
	struct ring_curve c;

	if (!find_ring(t, "L1", f, &c))
		return false;
	finding_set(t, f, c.line);
	f->probe = keep_print(&t->keeper,
		"L1 rings in steps of 288, 416 and 544 bytes: the most lines fit at %.0f", c.line);
	return true;
}

static bool find_l1_sectors(struct tune *t, const struct rule *r, struct finding *f)
{
	struct ring_curve c;

	if (!find_ring(t, "L1", f, &c))
		return false;
	if (!c.sector)
		return untold(t, f, "no rings of twice the size in steps of 32 and 128 bytes");
	finding_set(t, f, c.line / fmin(c.sector, c.line));
	f->probe = keep_print(&t->keeper, "L1 rings of twice its size: a miss brings %.0f bytes", c.sector);
	return true;
}

/* ---- L2, network, DRAM ---- */

/* Without a count of the slices: as many as the bus has channels as wide as the base's. */
static bool find_channels(struct tune *t, struct finding *f)
{
	double bits = row_or(t, "device memory bus", 0), bytes = base_number(t, "dram.bus_bytes");

	if (!bits || !bytes)
		return untold(t, f, "no row \"slices owned N x STEP\", and none of the memory's bus");
	finding_set(t, f, round(bits / 8 / bytes));
	f->probe = keep_print(&t->keeper,
		"%s, in channels of %.0f bytes as %s has them; slices were not counted",
		quote_row(t, "device memory bus"), bytes, t->base);
	return true;
}

/* Of the longest list of blocks, how many are in the slice of the first. In an L2 of two halves only those of
 * the SM's own half are seen. */
static bool find_slices(struct tune *t, const struct rule *r, struct finding *f)
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
	finding_set(t, f, round(blocks / owned) * (has_halves(t) ? 2 : 1));
	f->probe = keep_print(&t->keeper, "%s%s", quote_row(t, row),
		has_halves(t) ? "; two halves, of which an SM uses one" : "");
	f->doubt = 1 / owned;
	return true;
}

static bool find_interleave(struct tune *t, const struct rule *r, struct finding *f)
{
	if (has_halves(t))
		return untold(t, f, "blocks of two slices come to one in an L2 of halves");
	return find_told(t, r, f);
}

static bool find_halves(struct tune *t, const struct rule *r, struct finding *f)
{
	struct ring_curve c;

	if (!find_ring(t, "L2", f, &c))
		return false;
	f->number = has_halves(t);
	f->text = keep_copy(&t->keeper, has_halves(t) ? "true" : "false");
	f->probe = keep_print(&t->keeper, "%s, and rings of %.0f KB stay", quote_row(t, "device L2"),
		c.lines * LINE / 1024);
	return true;
}

static bool find_l2_ways(struct tune *t, const struct rule *r, struct finding *f)
{
	struct ring_curve c;

	if (!find_ring(t, "L2", f, &c))
		return false;
	finding_set(t, f, c.ways);
	f->doubt = c.ways_doubt;
	return true;
}

static bool find_l2_sets(struct tune *t, const struct rule *r, struct finding *f)
{
	double slices = number_of(t, "gpu.partitions") * number_of(t, "l2.banks"),
	       ways = number_of(t, "l2.ways");

	if (!find_told(t, r, f))
		return false;
	finding_set(t, f, fmax(1, round(f->number / (slices * ways * LINE))));
	f->probe = keep_print(&t->keeper, "%s over %.0f slices of %.0f ways", f->probe, slices, ways);
	return true;
}

/* One: slices are counted one by one. */
static bool find_l2_banks(struct tune *t, const struct rule *r, struct finding *f)
{
	const struct finding *slices = finding_of(t, "gpu.partitions");

	if (!slices || !slices->text || isnan(slices->doubt))
		return untold(t, f, "slices were not counted");
	finding_set(t, f, 1);
	f->probe = "slices are counted one by one";
	return true;
}

/* Bytes of a fill from DRAM; an L1 whose misses bring more hides it. */
static bool find_l2_fetch(struct tune *t, const struct rule *r, struct finding *f)
{
	struct ring_curve l1 = ring_curve(&t->rows, "L1", 1), c;

	if (!find_ring(t, "L2", f, &c))
		return false;
	if (l1.sector != 32 || has_halves(t) || (c.sector != 32 && c.sector != 64))
		return untold(t, f,
			"the L1 brings whole lines, or half of the lines come from the other half of the L2");
	f->text = keep_copy(&t->keeper, c.sector == 64 ? "pairs" : "sectors");
	f->number = c.sector;
	f->probe = keep_print(&t->keeper, "L2 rings of twice its size: a miss brings %.0f bytes", c.sector);
	return true;
}

static bool find_port(struct tune *t, const struct rule *r, struct finding *f)
{
	double bytes;

	if (!find_told(t, r, f))
		return false;
	bytes = f->number * number_of(t, "gpu.shader_mhz") / number_of(t, "gpu.l2_mhz") /
		(has_halves(t) ? 2 : 1);
	finding_set(t, f, round(bytes));
	f->doubt = fabs(bytes - f->number) / f->number;
	return true;
}

/* A line's reply, with its header, takes a whole number of cycles of a link: the narrowest link for which it
 * is so many, in steps of 8 bytes. */
static bool find_link(struct tune *t, const struct rule *r, struct finding *f)
{
	double taken;

	if (!find_told(t, r, f))
		return false;
	taken = LINE / (f->number * number_of(t, "gpu.shader_mhz") / number_of(t, "gpu.xbar_mhz"));
	finding_set(t, f, 8 * ceil((LINE + HEADER) / fmax(1, round(taken)) / 8));
	f->doubt = fabs(taken - fmax(1, round(taken))) / taken;
	return true;
}

/* ---- by trial: what passes before and behind is not known until the machine has been tried ---- */

static bool find_by_trial(struct tune *t, const struct rule *r, struct finding *f)
{
	const struct source *s = find_source(t, r);

	if (!s)
		return unmeasured(t, r, f);
	finding_set(t, f, base_number(t, r->path));
	f->probe = quote_row(t, s->row);
	return true;
}

/* What DRAM needs in nanoseconds, the base has in cycles of its own clock. */
static bool find_dram_time(struct tune *t, const struct rule *r, struct finding *f)
{
	double before = base_number(t, "gpu.dram_mhz"), now = number_of(t, "gpu.dram_mhz");

	if (fabs(now / before - 1) < 1e-3)
		return untold(t, f, "no probe of single commands; the clock is that of the base");
	finding_set(t, f, fmax(1, round(base_number(t, r->path) * now / before)));
	f->probe = keep_print(&t->keeper, "as long as the %.0f cycles of %s at %.0f MHz",
		base_number(t, r->path), t->base, before);
	return true;
}

static bool find_dram_latency(struct tune *t, const struct rule *r, struct finding *f)
{
	if (!find_source(t, r))
		return find_dram_time(t, r, f);
	return find_by_trial(t, r, f);
}

double rule_trial(const struct tune *t, const struct finding *f, const char **row)
{
	const struct rule *r = f->rule;

	if (!r->clock || !f->text || !find_source(t, r))
		return 0;
	*row = find_source(t, r)->row;
	return number_of(t, "gpu.shader_mhz") / number_of(t, r->clock);
}

/* ---- the table ---- */

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
		.path = path_, .find = find_told, .sources = { ONE(row_) }, .scale = scale_ \
	}
#define CLOCK(path_, find_, row_) \
	{ \
		.path = path_, .find = find_, .sources = { ONE(row_) }, .scale = 1e-3 \
	}
#define LATENCY(name, label) \
	RULE("sm.latency." name, find_latency, LIKE("latency " label, "throughput " label))
#define LANES(name, label) \
	RULE("sm.latency." name, find_latency, LIKE("lanes latency " label, "lanes rate " label))
#define INTERVAL(name, units_, ...) \
	{ \
		.path = "sm.interval." name, .find = find_interval, .sources = { __VA_ARGS__ }, \
		.units = units_ \
	}
#define TRIAL(path_, clock_, ...) \
	{ \
		.path = path_, .find = find_by_trial, .sources = { __VA_ARGS__ }, .clock = clock_ \
	}
#define DRAM_TIME(name) RULE("dram." name, find_dram_time, ONE("device memory clock"))

static const struct rule rules[] = {
	TOLD("gpu.compute_major", "device compute capability major", 1),
	TOLD("gpu.compute_minor", "device compute capability minor", 1),
	TOLD("gpu.sms", "device SMs", 1),
	RULE("gpu.partitions", find_slices, ONE("slices owned N x STEP")),
	RULE("gpu.interleave", find_interleave, ONE("slices interleave")),
	CLOCK("gpu.core_mhz", find_core_clock, "device clock"),
	CLOCK("gpu.shader_mhz", find_told, "device clock"),
	CLOCK("gpu.xbar_mhz", find_other_clock, "device clock"),
	CLOCK("gpu.l2_mhz", find_other_clock, "device clock"),
	CLOCK("gpu.dram_mhz", find_memory_clock, "device memory clock"),
	RULE("gpu.memory", find_memory, ONE("device memory")),
	TOLD("gpu.max_grid_x", "device grid x", 1),
	RULE("gpu.copy_engines", find_copy_engines, ONE("device copy engines")),
	TOLD("sm.max_threads", "device threads an SM", 1),
	TOLD("sm.max_warps", "device threads an SM", 1.0 / LANES_OF_WARP),
	TOLD("sm.max_ctas", "device CTAs an SM", 1),
	TOLD("sm.registers", "device registers an SM", 1),
	TOLD("sm.max_registers_per_cta", "device registers a CTA", 1),
	TOLD("sm.shared_bytes", "device shared memory an SM", 1),
	TOLD("sm.max_shared_per_cta", "device shared memory a CTA", 1),
	TOLD("sm.shared_reserved", "device shared memory reserved", 1),
	RULE("sm.schedulers", find_schedulers, ONE("issue f32 mul: every 8th of 32 warps")),
	RULE("sm.sp_units", find_units, ONE("throughput f32 add"), ONE("throughput f32 mul"),
		ONE("throughput f32 mad")),
	RULE("sm.int_units", find_integer_units, ONE("lanes rate shift"), ONE("throughput int shift")),
	RULE("sm.sfu_units", find_units, ONE("throughput sfu rcp")),
	RULE("sm.dp_units", find_units, ONE("throughput f64 add"), ONE("throughput f64 mul"),
		ONE("throughput f64 mad")),
	RULE("sm.shared_banks", find_banks, ONE("shared stride 1")),
	RULE("sm.shared_wide_load", find_wide_load, ONE("shared load 128-bit")),
	TRIAL("sm.shared_latency", "gpu.core_mhz", ONE("latency load shared")),
	RULE("sm.shared_conflict_latency", find_conflict, ONE("shared latency 1-way")),
	LATENCY("int_add", "int add"),
	RULE("sm.latency.int_bits", find_latency, ONE("lanes latency shift"), ONE("latency int shift")),
	LANES("int_count", "popc"),
	RULE("sm.latency.int_max", find_latency, PART("lanes latency min max", 2), ALIKE("latency int max")),
	LATENCY("int_mul", "int mul"),
	LATENCY("int_mad", "int mad"),
	LATENCY("int_div", "int div"),
	LATENCY("fp_add", "f32 add"),
	LATENCY("fp_max", "f32 max"),
	LATENCY("fp_mul", "f32 mul"),
	LATENCY("fp_mad", "f32 mad"),
	LATENCY("fp_div", "f32 div"),
	LATENCY("dp_add", "f64 add"),
	LATENCY("dp_mul", "f64 mul"),
	LATENCY("dp_mad", "f64 mad"),
	LATENCY("dp_div", "f64 div"),
	RULE("sm.latency.sfu", find_function_latency, LIKE("latency sfu rcp", "throughput sfu rcp"),
		LIKE("latency sfu sqrt", "throughput sfu rcp")),
	RULE("sm.latency.convert", find_latency, LIKE("lanes latency s32 to f32", "lanes rate s32 to f32"),
		LIKE("latency convert", "throughput convert")),
	LANES("int_high", "mul high"),
	LANES("convert_int", "f32 to s32"),
	LANES("convert_half", "f32 to f16x2"),
	LANES("shuffle", "shuffle"),
	RULE("sm.latency.vote", find_vote_latency, ONE("lanes latency compare and vote")),
	LANES("reduce", "reduce"),
	RULE("sm.latency.barrier", find_latency, ONE("barrier 1 warps")),
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
	RULE("sm.interval.barrier", find_barrier_interval, ONE("barrier 32 warps")),
	RULE("sm.l1d.sets", find_l1_sets, ONE("L1 ring N x 128")),
	RULE("sm.l1d.ways", find_l1_ways, ONE("L1 ring N x 128")),
	RULE("sm.l1d.line", find_l1_line, ONE("L1 ring N x 288")),
	RULE("sm.l1d.sectors", find_l1_sectors, ONE("L1 ring N x 32")),
	RULE("sm.l1d.data_port_bytes", find_data_port, ONE("L1 load 128-bit")),
	TRIAL("sm.l1d.hit_latency", "gpu.core_mhz", ONE("chase 8 KB"), ONE("latency load L1")),
	TRIAL("sm.constant.hit_latency", "gpu.core_mhz", ONE("latency load constant")),
	RULE("xbar.flit", find_link, ONE("SM bandwidth from the L2")),
	RULE("l2.ways", find_l2_ways, ONE("L2 ring N x 128")),
	RULE("l2.banks", find_l2_banks, ONE("slices owned N x STEP")),
	RULE("l2.sets", find_l2_sets, ONE("device L2")),
	RULE("l2.halves", find_halves, ONE("L2 ring N x 128")),
	RULE("l2.fetch", find_l2_fetch, ONE("L2 ring N x 32")),
	RULE("l2.port_bytes", find_port, ONE("slice bandwidth")),
	TRIAL("l2.rop_latency", "gpu.l2_mhz", ONE("latency load L2"), ONE("chase 512 KB"),
		ONE("chase 1024 KB")),
	RULE("dram.bus_bytes", find_bus, ONE("device memory bus")),
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
		.find = find_dram_latency,
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
