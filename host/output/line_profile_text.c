/* host/output/line_profile_text.c -- the annotated listing of a kernel: counters on the left, its PTX on the
 * right. */
#include "host/output/line_profile.h"
#include <inttypes.h>
#include <string.h>

struct cell {
	char text[64]; /* empty: nothing to say */
};

/* -- columns -- */

static void print_lost(const struct profile_kernel *k, const struct profile_line *l, struct cell *cell)
{
	uint64_t lost = profile_lost(&l->counts);

	if (lost)
		snprintf(cell->text, sizeof(cell->text), "%.2f",
			profile_percent(lost, profile_lost(&k->total)));
}

static void print_causes(const struct profile_kernel *k, const struct profile_line *l, struct cell *cell)
{
	profile_format_causes(&l->counts, cell->text, sizeof(cell->text));
}

static void print_attributed(const struct profile_kernel *k, const struct profile_line *l, struct cell *cell)
{
	if (l->counts.attributed)
		snprintf(cell->text, sizeof(cell->text), "%.2f",
			profile_percent(l->counts.attributed, profile_lost(&k->total)));
}

static void print_executions(const struct profile_kernel *k, const struct profile_line *l, struct cell *cell)
{
	if (l->uops)
		snprintf(cell->text, sizeof(cell->text), "%" PRIu64, l->counts.executions);
}

static void print_mean(struct cell *cell, const char *format, uint64_t sum, uint64_t count)
{
	if (count)
		snprintf(cell->text, sizeof(cell->text), format, (double)sum / (double)count);
}

static void print_lanes(const struct profile_kernel *k, const struct profile_line *l, struct cell *cell)
{
	print_mean(cell, "%.1f", l->counts.lanes, l->counts.executions);
}

static void print_hits(const struct profile_kernel *k, const struct profile_line *l, struct cell *cell)
{
	print_mean(cell, "%.1f", 100 * l->counts.l1_hits, profile_l1_loads(&l->counts));
}

static void print_requests(const struct profile_kernel *k, const struct profile_line *l, struct cell *cell)
{
	print_mean(cell, "%.2f", l->counts.requests, l->counts.accesses);
}

static void print_conflicts(const struct profile_kernel *k, const struct profile_line *l, struct cell *cell)
{
	if (l->counts.conflict_cycles)
		snprintf(cell->text, sizeof(cell->text), "%" PRIu64, l->counts.conflict_cycles);
}

static void print_latency(const struct profile_kernel *k, const struct profile_line *l, struct cell *cell)
{
	print_mean(cell, "%.0f", l->counts.latency, l->counts.loads);
}

static void print_line_origin(const struct profile_kernel *k, const struct profile_line *l, struct cell *cell)
{
	if (l->origin)
		snprintf(cell->text, sizeof(cell->text), "%.50s:%u", profile_file_name(l->origin),
			l->origin_line);
}

/* A column stands in the listing if some line of the kernel has something to say in it. */
static const struct column {
	const char *title;
	bool is_left;
	const char *help;
	void (*print)(const struct profile_kernel *k, const struct profile_line *l, struct cell *cell);
} columns[] = {
	{ "lost %", false, "share of all lost issue slots that were lost while a warp waited at this line",
		print_lost },
	{ "caused %", false,
		"share of all lost issue slots that were lost at other lines that waited for the result of "
		"this line",
		print_attributed },
	{ "executions", false, "warp instructions", print_executions },
	{ "lanes", false, "mean number of active lanes", print_lanes },
	{ "lost to", true, "the main causes of the slots lost at this line", print_causes },
	{ "L1 hit %", false, "share of the line requests of cached loads that hit in the L1", print_hits },
	{ "req/acc", false, "mean number of line requests of an access to global or local memory",
		print_requests },
	{ "conflicts", false, "cycles lost to conflicts in shared memory", print_conflicts },
	{ "latency", false, "mean number of cycles from issue to the last data", print_latency },
	{ "source", true, "what the line was compiled from (.loc)", print_line_origin },
};
#define COLUMNS (sizeof(columns) / sizeof(*columns))

static struct cell cell_of(const struct profile_kernel *k, const struct profile_line *l, size_t column)
{
	struct cell cell = { "" };

	columns[column].print(k, l, &cell);
	return cell;
}

/* As wide as the widest of its cells, its title included; negative: to the left; 0: it has nothing to say. */
static int column_width(const struct profile_kernel *k, size_t column)
{
	int width = 0, title = (int)strlen(columns[column].title);

	for (uint32_t i = 0; i < k->line_count; i++) {
		int cell = (int)strlen(cell_of(k, &k->lines[i], column).text);

		width = cell > width ? cell : width;
	}
	if (width && width < title)
		width = title;
	return columns[column].is_left ? -width : width;
}

/* -- the listing -- */

static void print_legend(const int widths[COLUMNS], FILE *stream)
{
	fputs("columns:\n", stream);
	for (size_t i = 0; i < COLUMNS; i++)
		if (widths[i])
			fprintf(stream, "  %-10s  %s\n", columns[i].title, columns[i].help);
}

static void print_titles(const int widths[COLUMNS], FILE *stream)
{
	for (size_t i = 0; i < COLUMNS; i++)
		if (widths[i])
			fprintf(stream, "%*s  ", widths[i], columns[i].title);
	fprintf(stream, "%6s  %s\n", "line", "PTX");
}

static void print_profile_line(
	const struct profile_kernel *k, const struct profile_line *l, const int widths[COLUMNS], FILE *stream)
{
	size_t length;
	const char *text = profile_source_line(k->functions[l->function].source, l->number, &length);

	for (size_t i = 0; i < COLUMNS; i++)
		if (widths[i])
			fprintf(stream, "%*s  ", widths[i], cell_of(k, l, i).text);
	fprintf(stream, "%6u%s%.*s\n", l->number, length ? "  " : "", (int)length, text);
}

static void print_function(
	const struct profile_kernel *k, uint32_t number, const int widths[COLUMNS], FILE *stream)
{
	const struct profile_function *f = &k->functions[number];
	uint32_t end = number + 1 < k->function_count ? k->functions[number + 1].start : k->line_count;

	fprintf(stream, "\n%s %s, %s:\n", number ? "function" : "entry", f->name, f->source->file);
	print_titles(widths, stream);
	for (uint32_t i = f->start; i < end; i++)
		print_profile_line(k, &k->lines[i], widths, stream);
}

static void print_profile_slots(const struct profile_kernel *k, FILE *stream)
{
	struct line_counts all = { 0 };
	enum slot_cause order[SLOT_COUNT];
	uint64_t sum = 0;
	uint32_t count;

	for (uint32_t i = 0; i < SLOT_COUNT; i++)
		sum += all.slots[i] = k->slots[i];
	if (!sum)
		return;
	count = profile_causes(&all, order);
	fprintf(stream, "issue slots: %" PRIu64 "\n  %5.1f %%  %-14s  %s\n", sum,
		profile_percent(all.slots[SLOT_issued], sum), slot_names[SLOT_issued],
		slot_help[SLOT_issued]);
	for (uint32_t i = 0; i < count; i++)
		fprintf(stream, "  %5.1f %%  %-14s  %s\n", profile_percent(all.slots[order[i]], sum),
			slot_names[order[i]], slot_help[order[i]]);
}

static void print_profile_head(const struct profile_kernel *k, FILE *stream)
{
	fprintf(stream, "========== kernel %s, %s ==========\n", k->name, k->functions[0].source->file);
	fprintf(stream, "%" PRIu64 " launch%s", k->launches, k->launches == 1 ? "" : "es");
	if (k->unfinished)
		fprintf(stream, " (%" PRIu64 " not to the end)", k->unfinished);
	fprintf(stream, ", %" PRIu64 " CTAs", k->ctas);
	if (k->cycles)
		fprintf(stream, ", %" PRIu64 " cycles", k->cycles);
	fprintf(stream, ", %" PRIu64 " warp instructions, %" PRIu64 " thread instructions\n",
		k->total.executions, k->total.lanes);
	print_profile_slots(k, stream);
}

void profile_print_text(const struct profile_kernel *k, FILE *stream)
{
	int widths[COLUMNS];

	for (size_t i = 0; i < COLUMNS; i++)
		widths[i] = column_width(k, i);
	print_profile_head(k, stream);
	print_legend(widths, stream);
	for (uint32_t i = 0; i < k->function_count; i++)
		print_function(k, i, widths, stream);
	profile_print_hints(k, stream);
	fputc('\n', stream);
}
