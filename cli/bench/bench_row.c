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
	return !strncmp(line, "lockstep: statistics in", 23) ||
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

/* "-" for what was not measured: --functional has no time. */
static void print_timed(
	const struct bench_row *row, int column, int width, int digits, double scale, FILE *to)
{
	if (row->values[column] && number(row, CYCLES) > 0)
		fprintf(to, " %*.*f", width, digits, number(row, column) * scale);
	else
		fprintf(to, " %*s", width, "-");
}

void bench_row_print_head(FILE *to)
{
	fprintf(to, "%-28s %-8s %7s %13s %11s %7s %6s %6s %6s %8s %7s\n", "workload", "", "kernels",
		"thread-instr.", "cycles", "IPC", "L1miss", "L2miss", "GB/s", "Minstr/s", "seconds");
}

void bench_row_print(
	const struct bench_row *row, const struct bench_columns *c, const struct workload *w, FILE *to)
{
	fprintf(to, "%-28s %-*s %*.0f %13.0f", w->label, row->interrupted ? 11 : 8, verdict(row),
		row->interrupted ? 4 : 7, number(row, KERNELS), number(row, INSTRUCTIONS));
	print_timed(row, CYCLES, 11, 0, 1, to);
	print_timed(row, IPC, 7, 1, 1, to);
	print_timed(row, L1_MISS, 5, 1, 100, to);
	fputs(row->values[L1_MISS] ? "%" : " ", to);
	print_timed(row, L2_MISS, 5, 1, 100, to);
	fputs(row->values[L2_MISS] ? "%" : " ", to);
	fprintf(to, " %6.1f %8.1f %7.1f\n", bandwidth(row), rate(row), row->seconds);
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
