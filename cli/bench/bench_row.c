/* cli/bench/bench_row.c -- from a run's output folder to a line. */
#include "cli/bench/bench_row.h"
#include "experiment/runs/stats_file.h"
#include "sim/base/xalloc.h"
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

/* -- columns -- */

enum {
	KERNELS,
	CTAS,
	INSTRUCTIONS,
	WARP_INSTRUCTIONS,
	CYCLES,
	PICOSECONDS,
	IPC,
	L1_MISS,
	L2_MISS,
	DRAM_BYTES,
	SHOWN
};
static const char *const shown[SHOWN] = {
	[KERNELS] = "gpu.kernels",
	[CTAS] = "gpu.ctas",
	[INSTRUCTIONS] = "gpu.thread_instructions",
	[WARP_INSTRUCTIONS] = "gpu.warp_instructions",
	[CYCLES] = "gpu.cycles",
	[PICOSECONDS] = "gpu.picoseconds",
	[IPC] = "gpu.ipc",
	[L1_MISS] = "sm.l1d.miss_rate",
	[L2_MISS] = "l2.miss_rate",
	[DRAM_BYTES] = "dram.bytes",
};

bool bench_columns_init(struct bench_columns *c, const char *asked)
{
	char *rest, *name;

	*c = (struct bench_columns){ .count = SHOWN, .asked = asked ? xstrdup(asked) : NULL };
	memcpy(c->names, shown, sizeof(shown));
	for (rest = c->asked; rest && (name = strsep(&rest, ","));) {
		if (!*name)
			continue;
		if (c->count == BENCH_MOST_COLUMNS)
			return false;
		c->names[c->count++] = name;
	}
	return true;
}

void bench_columns_fini(struct bench_columns *c)
{
	free(c->asked);
}

/* -- reading -- */

static FILE *open_in(const char *folder, const char *name)
{
	char *path = NULL;
	FILE *f;

	if (asprintf(&path, "%s/%s", folder, name) < 0)
		bug("out of memory");
	f = fopen(path, "r");
	free(path);
	return f;
}

static void read_statistics(struct bench_row *row, const struct bench_columns *c, const char *folder)
{
	struct diag_list diags;
	struct stats_file *file;
	struct stats_section *total;

	diag_init(&diags); /* a run that was killed has no whole file: no values */
	file = stats_file_read(folder, &diags);
	total = file ? stats_file_total(file) : NULL;
	for (size_t i = 0; i < c->count && total && stats_section_index(file, total, &diags); i++) {
		const struct stats_value *value = stats_section_find(total, c->names[i]);

		if (value)
			row->values[i] = xstrdup(value->text);
	}
	stats_file_free(file);
	diag_fini(&diags);
}

/* What the simulator says at its end. */
static bool is_of_the_end(const char *line)
{
	return !strncmp(line, "lockstep: statistics in", 23) || !strncmp(line, "lockstep: sampling: ", 20) ||
		!strncmp(line, "lockstep: energy", 16) ||
		(!strncmp(line, "lockstep: kernel ", 17) && strstr(line, " % of its "));
}

/* "... 1234 thread-instructions in 0.0123 s", once a kernel; and the last line, which says what went wrong.
 */
static void read_log(struct bench_row *row, FILE *f)
{
	char line[1024], last[sizeof(row->why)] = "";

	while (fgets(line, sizeof(line), f)) {
		const char *at = strstr(line, " thread-instructions in ");
		double seconds;

		line[strcspn(line, "\n")] = 0;
		if (at && sscanf(at, " thread-instructions in %lf s", &seconds) == 1) {
			while (at > line && at[-1] >= '0' && at[-1] <= '9')
				at--;
			row->instructions += strtod(at, NULL);
			row->seconds += seconds;
		} else if (*line && !is_of_the_end(line) &&
			!(strstr(last, "FAIL") && !strstr(line, "FAIL"))) {
			snprintf(last, sizeof(last), "%.*s", (int)sizeof(last) - 1, line);
		}
	}
	if (!row->verified && !*row->why)
		memcpy(row->why, last, sizeof(last));
	if (row->verified && !strstr(last, "PASS")) {
		row->verified = false;
		snprintf(row->why, sizeof(row->why), "it ended well without saying PASS");
	}
}

/* The user's Ctrl-C, or a batch system's wish. */
static bool is_interrupted(int status)
{
	int signal = WIFSIGNALED(status) ? WTERMSIG(status)
		: WIFEXITED(status)      ? WEXITSTATUS(status) - 128
					 : 0;

	return signal == SIGINT || signal == SIGTERM;
}

void bench_row_read(struct bench_row *row, const struct bench_columns *c, const char *folder, int status)
{
	FILE *f;

	*row = (struct bench_row){ .verified = WIFEXITED(status) && WEXITSTATUS(status) == 0 };
	if (WIFSIGNALED(status))
		snprintf(row->why, sizeof(row->why),
			WTERMSIG(status) == SIGALRM ? "it took longer than --timeout" : "killed: %s",
			strsignal(WTERMSIG(status)));
	if ((f = open_in(folder, "log.txt"))) {
		read_log(row, f);
		fclose(f);
	}
	read_statistics(row, c, folder);
	row->interrupted = is_interrupted(status);
	if (row->interrupted)
		snprintf(row->why, sizeof(row->why), "interrupted%s",
			row->values[KERNELS] ? "; the statistics are those up to then"
					     : ", without statistics");
}

static const char *verdict(const struct bench_row *row)
{
	return row->verified ? "verified" : row->interrupted ? "interrupted" : "FAILED";
}

void bench_row_fini(struct bench_row *row)
{
	for (size_t i = 0; i < BENCH_MOST_COLUMNS; i++)
		free(row->values[i]);
}

/* -- printing -- */

static double rate(const struct bench_row *row)
{
	return row->seconds > 0 ? row->instructions / row->seconds * 1e-6 : 0;
}

static double number(const struct bench_row *row, int column)
{
	return row->values[column] ? strtod(row->values[column], NULL) : 0;
}

/* bytes a picosecond are TB/s */
static double bandwidth(const struct bench_row *row)
{
	return number(row, PICOSECONDS) > 0 ? number(row, DRAM_BYTES) / number(row, PICOSECONDS) * 1e3 : 0;
}

/* One column of the table. */
enum {
	T_KERNELS,
	T_INSTRUCTIONS,
	T_CYCLES,
	T_IPC,
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
	[T_L1_MISS] = { "L1miss", 6 },
	[T_L2_MISS] = { "L2miss", 6 },
	[T_BANDWIDTH] = { "GB/s", 6 },
	[T_RATE] = { "Minstr/s", 8 },
	[T_SECONDS] = { "seconds", 7 },
};
enum { VERDICT_WIDTH = 11, LABEL_WIDTH = 28 };

struct bench_table bench_table_fit(size_t longest_label, int width)
{
	static const int least_first[] = { T_RATE, T_KERNELS, T_INSTRUCTIONS, T_BANDWIDTH, T_L2_MISS,
		T_L1_MISS, T_SECONDS, T_CYCLES };
	struct bench_table table = { .label = LABEL_WIDTH };
	int needed = VERDICT_WIDTH + 1;

	for (int i = 0; i < T_COUNT; i++)
		needed += table_columns[i].width + 1;
	if (!width || table.label + needed <= width)
		return table;
	table.label = (int)longest_label;
	for (size_t i = 0; i < sizeof(least_first) / sizeof(*least_first) && table.label + needed > width;
		i++) {
		table.left_out |= 1u << least_first[i];
		needed -= table_columns[least_first[i]].width + 1;
	}
	return table;
}

static bool has_column(const struct bench_table *table, int column)
{
	return !(table->left_out >> column & 1);
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
		if (!has_column(table, i)) {
			fprintf(to, "%s%s", comma, table_columns[i].title);
			comma = ", ";
		}
	fputs("; bench.csv has all)\n", to);
}

/* "-" for what was not measured: --functional has no time. */
static void format_timed(
	const struct bench_row *row, int column, int digits, double scale, const char *unit, char text[32])
{
	if (row->values[column] && number(row, CYCLES) > 0)
		snprintf(text, 32, "%.*f%s", digits, number(row, column) * scale, unit);
	else
		snprintf(text, 32, "-");
}

static void format_column(const struct bench_row *row, int column, char text[32])
{
	switch (column) {
	case T_KERNELS:
		snprintf(text, 32, "%.0f", number(row, KERNELS));
		break;
	case T_INSTRUCTIONS:
		snprintf(text, 32, "%.0f", number(row, INSTRUCTIONS));
		break;
	case T_CYCLES:
		format_timed(row, CYCLES, 0, 1, "", text);
		break;
	case T_IPC:
		format_timed(row, IPC, 1, 1, "", text);
		break;
	case T_L1_MISS:
		format_timed(row, L1_MISS, 1, 100, "%", text);
		break;
	case T_L2_MISS:
		format_timed(row, L2_MISS, 1, 100, "%", text);
		break;
	case T_BANDWIDTH:
		snprintf(text, 32, "%.1f", bandwidth(row));
		break;
	case T_RATE:
		snprintf(text, 32, "%.1f", rate(row));
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

	fprintf(to, "%-*s %-*s", table->label, w->label, VERDICT_WIDTH, verdict(row));
	for (int i = 0; i < T_COUNT; i++) {
		if (!has_column(table, i))
			continue;
		format_column(row, i, text);
		fprintf(to, " %*s", table_columns[i].width, text);
	}
	fputc('\n', to);
	if (!row->verified)
		fprintf(to, "    %s\n", row->why);
	for (size_t i = SHOWN; i < c->count; i++)
		fprintf(to, "    %s %s\n", c->names[i], row->values[i] ? row->values[i] : "-");
	fflush(to);
}

static void csv_text(const char *text, FILE *to)
{
	fputc('"', to);
	for (; *text; text++)
		fputs(*text == '"' ? "\"\"" : (char[]){ *text, 0 }, to);
	fputc('"', to);
}

void bench_row_csv_head(const struct bench_columns *c, FILE *to)
{
	fputs("suite,name,size,tags,verified", to);
	for (size_t i = 0; i < c->count; i++)
		fprintf(to, ",%s", c->names[i]);
	fputs(",dram_gb_per_s,host_seconds,million_thread_instructions_per_s,failure\n", to);
	fflush(to);
}

void bench_row_csv(const struct bench_row *row, const struct bench_columns *c, const struct workload *w,
	const char *size, FILE *to)
{
	fprintf(to, "%s,%s,%s,%s,%s", w->suite, w->name, size, w->tags,
		row->verified              ? "yes"
			: row->interrupted ? "interrupted"
					   : "no");
	for (size_t i = 0; i < c->count; i++)
		fprintf(to, ",%s", row->values[i] ? row->values[i] : "");
	fprintf(to, ",%.3f,%.4f,%.3f,", bandwidth(row), row->seconds, rate(row));
	if (!row->verified)
		csv_text(row->why, to);
	fputc('\n', to);
	fflush(to);
}
