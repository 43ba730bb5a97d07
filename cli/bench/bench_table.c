/* cli/bench/bench_table.c -- see bench_table.h. */
#include "cli/bench/bench_table.h"
#include <string.h>

static const char *row_verdict(const struct bench_row *row)
{
	return row->verified ? "verified" : row->interrupted ? "interrupted" : "FAILED";
}

/* One column of the table. */
enum {
	T_KERNELS,
	T_INSTRUCTIONS,
	T_CYCLES,
	T_IPC,
	T_HALF,
	T_TIMED,
	T_L1_MISS,
	T_L2_MISS,
	T_BANDWIDTH,
	T_RATE,
	T_SECONDS,
	T_COUNT
};
static const struct table_column {
	const char *title;
	int width;
} table_columns[T_COUNT] = {
	[T_KERNELS] = { "kernels", 7 },
	[T_INSTRUCTIONS] = { "thread-instr.", 13 },
	[T_CYCLES] = { "cycles", 11 },
	[T_IPC] = { "IPC", 7 },
	[T_HALF] = { "+-", 6 },
	[T_TIMED] = { "timed", 6 },
	[T_L1_MISS] = { "L1miss", 6 },
	[T_L2_MISS] = { "L2miss", 6 },
	[T_BANDWIDTH] = { "GB/s", 6 },
	[T_RATE] = { "Minstr/s", 8 },
	[T_SECONDS] = { "seconds", 7 },
};
enum { VERDICT_WIDTH = 11, LABEL_WIDTH = 28 };

/* Whether the table is about it: with --sample no rates of what was timed alone. */
static bool is_column(const struct bench_table *table, int column)
{
	bool of_sample = column == T_HALF || column == T_TIMED;

	return table->is_sampled ? column != T_RATE && column != T_BANDWIDTH : !of_sample;
}

static bool has_column(const struct bench_table *table, int column)
{
	return is_column(table, column) && !(table->left_out >> column & 1);
}

struct bench_table bench_table_fit(size_t longest_label, int width, bool is_sampled)
{
	static const int least_first[] = { T_RATE, T_KERNELS, T_INSTRUCTIONS, T_BANDWIDTH, T_L2_MISS,
		T_L1_MISS, T_SECONDS, T_TIMED, T_CYCLES };
	struct bench_table table = { .label = LABEL_WIDTH, .is_sampled = is_sampled };
	int needed = VERDICT_WIDTH + 1;

	for (int i = 0; i < T_COUNT; i++)
		needed += is_column(&table, i) ? table_columns[i].width + 1 : 0;
	if (!width || table.label + needed <= width)
		return table;
	table.label = (int)longest_label;
	for (size_t i = 0; i < sizeof(least_first) / sizeof(*least_first) && table.label + needed > width;
		i++) {
		if (!is_column(&table, least_first[i]))
			continue;
		table.left_out |= 1u << least_first[i];
		needed -= table_columns[least_first[i]].width + 1;
	}
	return table;
}

void bench_table_print_head(const struct bench_table *table, FILE *to)
{
	const char *comma = "";

	fprintf(to, "%-*s %-*s", table->label, "workload", VERDICT_WIDTH, "");
	for (int i = 0; i < T_COUNT; i++)
		if (has_column(table, i))
			fprintf(to, " %*s", table_columns[i].width, table_columns[i].title);
	fputc('\n', to);
	if (!table->left_out)
		return;
	fputs("(left out on this terminal: ", to);
	for (int i = 0; i < T_COUNT; i++)
		if (is_column(table, i) && !has_column(table, i)) {
			fprintf(to, "%s%s", comma, table_columns[i].title);
			comma = ", ";
		}
	fputs("; bench.csv has all)\n", to);
}

/* "-" for what was not measured: --functional has no time. */
static void format_timed(
	const struct bench_row *row, int column, int digits, double scale, const char *unit, char text[32])
{
	if (row->values[column] && bench_row_number(row, BENCH_CYCLES) > 0)
		snprintf(text, 32, "%.*f%s", digits, bench_row_number(row, column) * scale, unit);
	else
		snprintf(text, 32, "-");
}

/* Half the 95 % interval of the BENCH_IPC, relative to it. */
static double half_interval(const struct bench_row *row)
{
	double ipc = bench_row_number(row, BENCH_SAMPLE_IPC);

	return ipc > 0 ? (bench_row_number(row, BENCH_SAMPLE_IPC_HIGH) -
				 bench_row_number(row, BENCH_SAMPLE_IPC_LOW)) /
			2 / ipc
		       : 0;
}

/* What --sample knows of a run of which something was not timed; all of any other was measured. */
static bool is_estimated(const struct bench_row *row)
{
	return bench_row_number(row, BENCH_SAMPLE_SKIPPED_WARPS) > 0;
}

static void format_of_sample(const struct bench_row *row, int column, char text[32])
{
	if (column == T_TIMED)
		format_timed(row, BENCH_SAMPLE_TIMED, 1, 100, "%", text);
	else if (is_estimated(row))
		snprintf(text, 32, "%.2f%%", 100 * half_interval(row));
	else
		snprintf(text, 32, "-");
}

static void format_column(
	const struct bench_table *table, const struct bench_row *row, int column, char text[32])
{
	bool sampled = table->is_sampled;

	switch (column) {
	case T_KERNELS:
		snprintf(text, 32, "%.0f", bench_row_number(row, BENCH_KERNELS));
		break;
	case T_INSTRUCTIONS:
		snprintf(text, 32, "%.0f",
			bench_row_number(row, sampled ? BENCH_SAMPLE_THREADS : BENCH_INSTRUCTIONS));
		break;
	case T_CYCLES:
		format_timed(row, sampled ? BENCH_SAMPLE_CYCLES : BENCH_CYCLES, 0, 1, "", text);
		break;
	case T_IPC:
		format_timed(row, sampled ? BENCH_SAMPLE_IPC : BENCH_IPC, 1, 1, "", text);
		break;
	case T_HALF:
	case T_TIMED:
		format_of_sample(row, column, text);
		break;
	case T_L1_MISS:
		format_timed(row, BENCH_L1_MISS, 1, 100, "%", text);
		break;
	case T_L2_MISS:
		format_timed(row, BENCH_L2_MISS, 1, 100, "%", text);
		break;
	case T_BANDWIDTH:
		snprintf(text, 32, "%.1f", bench_row_bandwidth(row));
		break;
	case T_RATE:
		snprintf(text, 32, "%.1f", bench_row_rate(row));
		break;
	case T_SECONDS:
		snprintf(text, 32, "%.1f", row->seconds);
		break;
	}
}

void bench_table_print(const struct bench_table *table, const struct bench_row *row,
	const struct bench_columns *c, const struct workload *w, FILE *to)
{
	char text[32];

	fprintf(to, "%-*s %-*s", table->label, w->label, VERDICT_WIDTH, row_verdict(row));
	for (int i = 0; i < T_COUNT; i++) {
		if (!has_column(table, i))
			continue;
		format_column(table, row, i, text);
		fprintf(to, " %*s", table_columns[i].width, text);
	}
	fputc('\n', to);
	if (!row->verified)
		fprintf(to, "    %s\n", row->why);
	for (size_t i = c->shown; i < c->count; i++)
		fprintf(to, "    %s %s\n", c->names[i], row->values[i] ? row->values[i] : "-");
	fflush(to);
}

void bench_sample_add(struct bench_sample *sum, const struct bench_row *row, const struct workload *w)
{
	double half = half_interval(row);

	sum->timed += bench_row_number(row, BENCH_SAMPLE_TIMED_WARPS);
	sum->all += bench_row_number(row, BENCH_SAMPLE_TIMED_WARPS) +
		bench_row_number(row, BENCH_SAMPLE_SKIPPED_WARPS);
	if (!is_estimated(row))
		return;
	sum->runs++;
	if (half >= sum->widest) {
		sum->widest = half;
		snprintf(sum->label, sizeof(sum->label), "%s", w->label);
	}
}

void bench_sample_print(const struct bench_sample *sum, FILE *to)
{
	if (sum->all > 0)
		fprintf(to,
			"sampling: %zu sampled, the others timed whole; %.1f %% of all warp instructions "
			"timed\n",
			sum->runs, 100 * sum->timed / sum->all);
	if (sum->runs)
		fprintf(to, "sampling: the widest interval is that of %s, +- %.2f %% of its IPC\n",
			sum->label, 100 * sum->widest);
}
