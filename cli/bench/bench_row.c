/* cli/bench/bench_row.c -- from a run's output folder to a line. */
#include "cli/bench/bench_row.h"
#include "experiment/runs/stats_file.h"
#include "sim/text/csv.h"
#include "sim/base/xalloc.h"
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

/* -- columns -- */

static const char *const shown[BENCH_SHOWN_OF_SAMPLE] = {
	[BENCH_KERNELS] = "gpu.kernels",
	[BENCH_CTAS] = "gpu.ctas",
	[BENCH_INSTRUCTIONS] = "gpu.thread_instructions",
	[BENCH_WARP_INSTRUCTIONS] = "gpu.warp_instructions",
	[BENCH_CYCLES] = "gpu.cycles",
	[BENCH_PICOSECONDS] = "gpu.picoseconds",
	[BENCH_IPC] = "gpu.ipc",
	[BENCH_L1_MISS] = "sm.l1d.miss_rate",
	[BENCH_L2_MISS] = "l2.miss_rate",
	[BENCH_DRAM_BYTES] = "dram.bytes",
	[BENCH_SAMPLE_CYCLES] = "sample.cycles",
	[BENCH_SAMPLE_THREADS] = "sample.threads",
	[BENCH_SAMPLE_IPC] = "sample.ipc",
	[BENCH_SAMPLE_IPC_LOW] = "sample.ipc_low",
	[BENCH_SAMPLE_IPC_HIGH] = "sample.ipc_high",
	[BENCH_SAMPLE_TIMED] = "sample.timed_share",
	[BENCH_SAMPLE_TIMED_WARPS] = "sample.timed_warps",
	[BENCH_SAMPLE_SKIPPED_WARPS] = "sample.skipped_warps",
};

bool bench_columns_init(struct bench_columns *c, const char *asked, bool is_sampled)
{
	char *rest, *name;

	*c = (struct bench_columns){ .asked = asked ? xstrdup(asked) : NULL };
	c->count = c->shown = is_sampled ? BENCH_SHOWN_OF_SAMPLE : BENCH_SHOWN;
	memcpy(c->names, shown, c->shown * sizeof(*shown));
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
	total = file ? stats_file_results(file) : NULL;
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
		!strncmp(line, "lockstep: note: sampling: ", 26) || !strncmp(line, "lockstep: energy", 16) ||
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
			row->values[BENCH_KERNELS] ? "; the statistics are those up to then"
						   : ", without statistics");
}

void bench_row_fini(struct bench_row *row)
{
	for (size_t i = 0; i < BENCH_MOST_COLUMNS; i++)
		free(row->values[i]);
}

/* -- figures that follow from others, and CSV -- */

double bench_row_rate(const struct bench_row *row)
{
	return row->seconds > 0 ? row->instructions / row->seconds * 1e-6 : 0;
}

double bench_row_number(const struct bench_row *row, int column)
{
	return row->values[column] ? strtod(row->values[column], NULL) : 0;
}

/* bytes a picosecond are TB/s */
double bench_row_bandwidth(const struct bench_row *row)
{
	return bench_row_number(row, BENCH_PICOSECONDS) > 0
		? bench_row_number(row, BENCH_DRAM_BYTES) / bench_row_number(row, BENCH_PICOSECONDS) * 1e3
		: 0;
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
	fprintf(to, ",%.3f,%.4f,%.3f,", bench_row_bandwidth(row), row->seconds, bench_row_rate(row));
	if (!row->verified)
		csv_put(to, row->why);
	fputc('\n', to);
	fflush(to);
}
