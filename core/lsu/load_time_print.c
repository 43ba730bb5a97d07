/* core/lsu/load_time_print.c -- where loads spent their time, as tables: cycles of a mean load, of a slow
 * one; shares by latency. */
#include "core/lsu/load_time.h"
#include <inttypes.h>

/* Loads of one or more neighbouring classes. */
struct row {
	uint64_t loads, cycles, stages[LOAD_STAGES];
};

static void add_class(struct row *row, const struct load_time *t, uint32_t class)
{
	row->loads += t->loads_from[class];
	for (int i = 0; i < LOAD_STAGES; i++) {
		row->stages[i] += t->from[class][i];
		row->cycles += t->from[class][i];
	}
}

/* The slowest classes that hold at least a twentieth of the loads; returns the first of them. */
static uint32_t slowest(struct row *row, const struct load_time *t)
{
	uint32_t class = LOAD_CLASSES;

	*row = (struct row){ 0 };
	while (class && row->loads * 20 < t->loads)
		add_class(row, t, --class);
	return class;
}

static uint32_t class_start(uint32_t class)
{
	return class ? 16u << class : 0;
}

static void print_head(const char *title, FILE *stream)
{
	fprintf(stream, "%-16s %10s %6s %9s", title, "loads", "%", "latency");
	for (int i = 0; i < LOAD_elsewhere; i++)
		fprintf(stream, " %10s", load_stage_names[i]);
	fputc('\n', stream);
}

/* In cycles a load; or, of each stage, in percent of the row's cycles. */
static void print_row(const char *title, const struct row *row, uint64_t all, bool in_percent, FILE *stream)
{
	double loads = row->loads ? (double)row->loads : 1, whole = row->cycles ? (double)row->cycles : 1;

	fprintf(stream, "%-16s %10" PRIu64 " %6.1f %9.1f", title, row->loads,
		100 * (double)row->loads / (double)all, (double)row->cycles / loads);
	for (int i = 0; i < LOAD_elsewhere; i++)
		fprintf(stream, " %10.1f",
			in_percent ? 100 * (double)row->stages[i] / whole : (double)row->stages[i] / loads);
	fputc('\n', stream);
}

static void print_means(const struct load_time *t, FILE *stream)
{
	struct row row = { 0 };
	char title[32];
	uint32_t class;

	print_head("cycles", stream);
	for (class = 0; class < LOAD_CLASSES; class ++)
		add_class(&row, t, class);
	print_row("all", &row, t->loads, false, stream);
	class = slowest(&row, t);
	snprintf(title, sizeof(title), "from %u on", class_start(class));
	print_row(title, &row, t->loads, false, stream);
}

static void print_shares(const struct load_time *t, FILE *stream)
{
	char title[32];

	print_head("% of the cycles", stream);
	for (uint32_t class = 0; class < LOAD_CLASSES; class ++) {
		struct row row = { 0 };

		add_class(&row, t, class);
		if (class < LOAD_CLASSES - 1)
			snprintf(title, sizeof(title), "%u to %u", class_start(class),
				class_start(class + 1) - 1);
		else
			snprintf(title, sizeof(title), "from %u on", class_start(class));
		if (row.loads)
			print_row(title, &row, t->loads, true, stream);
	}
}

void load_time_print(const struct load_time *t, FILE *stream)
{
	fputs("Load instructions of global and local memory: core cycles from issue to the last data, by "
	      "stage.\n"
	      "\n",
		stream);
	if (!t->loads) {
		fputs("There were none.\n", stream);
		return;
	}
	print_means(t, stream);
	fprintf(stream,
		"\nhalf of the loads take less than %.0f cycles, 95 %% less than %.0f, 99 %% less than "
		"%.0f\n\n",
		load_time_percentile(t, 0.5), load_time_percentile(t, 0.95), load_time_percentile(t, 0.99));
	print_shares(t, stream);
	fputc('\n', stream);
	for (int i = 0; i < LOAD_elsewhere; i++)
		fprintf(stream, "%-10s  %s\n", load_stage_names[i], load_stage_help[i]);
}
