/* cli/tune/probes.c -- runs the programs that measure, and keeps what they print. A topic's rows are in the
 * file, with a row "done ..." behind them, before the next topic begins, so that whatever ends the work loses
 * one topic at most. */
#include "cli/tune/tune.h"
#include "cli/command.h"
#include "experiment/files.h"
#include "experiment/paths.h"
#include "experiment/process.h"
#include "experiment/stop.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_WORDS = 64 };

static const struct probe {
	const char *program, *topic;
	int needs;        /* compute capability, 80: 8.0 */
	bool is_of_an_sm; /* a simulated chip may have fewer */
} probes[] = {
	{ "validate", "device", 0, false },
	{ "micro", "latency", 0, true },
	{ "micro", "throughput", 0, true },
	{ "micro", "issue", 0, true },
	{ "micro", "shared", 0, true },
	{ "micro", "l1", 0, true },
	{ "micro", "barrier", 0, true },
	{ "micro", "lanes", 80, true },
	{ "validate", "l1-rings", 0, true },
	{ "validate", "slices", 0, false },
	{ "validate", "l2-rings", 0, false },
	{ "validate", "memory", 0, false },
};
#define PROBES (sizeof(probes) / sizeof(*probes))

/* ---- a program ---- */

static void fill_words(const struct probing *p, const char *program, const char *const topics[], char **words)
{
	static char self[] = "/proc/self/exe", run[] = "run", quiet[] = "-q", output[] = "-o", none[] = "",
		    end[] = "--", csv[] = "--csv", set[] = "--set", few[] = "gpu.sms=2";
	size_t n = 0;

	if (p->machine) {
		char *first[] = { self, run, quiet, output, none };

		memcpy(words, first, sizeof(first));
		n = sizeof(first) / sizeof(*first);
		for (size_t i = 0; i < p->words; i++)
			words[n++] = (char *)p->machine[i];
		if (p->is_of_an_sm) {
			words[n++] = set;
			words[n++] = few;
		}
		words[n++] = end;
	}
	words[n++] = (char *)program;
	words[n++] = csv;
	while (*topics)
		words[n++] = (char *)*topics++;
	words[n] = NULL;
}

/* Waits for its end, or ends it if a signal asks for that. Returns its wait status; -1: ended so. */
static int await_program(pid_t child)
{
	static const struct timespec little = { 0, 5000000 };
	int status;
	pid_t got;

	while ((got = waitpid(child, &status, WNOHANG)) == 0 || (got < 0 && errno == EINTR)) {
		if (stop_signal()) {
			kill(child, SIGTERM);
			waitpid(child, &status, 0);
			return -1;
		}
		nanosleep(&little, NULL);
	}
	return status;
}

/* "name,unit,value,..."; what is no such line is left out. */
static void read_figure(struct tune_rows *rows, char *line)
{
	char *unit = strchr(line, ','), *value = unit ? strchr(unit + 1, ',') : NULL, *end;
	double number;

	if (!value)
		return;
	*unit++ = 0;
	*value++ = 0;
	number = strtod(value, &end);
	if (end != value && (*end == ',' || !*end) && number >= 0)
		tune_rows_add(rows, line, number, unit);
}

/* The first line with an error in it, or else the last that is not empty. */
static const char *telling_line(char *text)
{
	char *error = strstr(text, "error: "), *newline;
	size_t length = strlen(text);

	while (error && error > text && error[-1] != '\n')
		error--;
	if (error) {
		error[strcspn(error, "\n")] = 0;
		return error;
	}
	while (length && text[length - 1] == '\n')
		text[--length] = 0;
	newline = strrchr(text, '\n');
	return newline ? newline + 1 : text;
}

static int program_failed(const struct probing *p, const char *topic, int status, char *text)
{
	if (strstr(text, "libcuda.so.1"))
		fprintf(stderr,
			"lockstep tune: there is no CUDA driver here (libcuda.so.1 is not found); -c "
			"CONFIG takes a simulated chip as the card\n");
	else if (status == -1)
		fprintf(stderr,
			"lockstep tune: interrupted in %s; --resume goes on behind the topics that are in "
			"%s\n",
			topic, p->raw ? p->raw : "the file of results");
	else
		fprintf(stderr, "lockstep tune: %s could not be measured: %s\n", topic, telling_line(text));
	return status == -1 ? 128 + stop_signal() : STATUS_FAILED;
}

int probe_run(
	const struct probing *p, const char *program, const char *const topics[], struct tune_rows *rows)
{
	char *folder = paths_benchmarks(), *path = folder ? file_path(folder, program) : NULL;
	char *words[MOST_WORDS], log[] = "/tmp/lockstep-tune-XXXXXX", *text = NULL, *rest, *line;
	int file = mkstemp(log), status;
	struct diag_list diags;
	size_t size;
	pid_t child;

	diag_init(&diags);
	if (!path || access(path, X_OK) || file < 0 || p->words + 16 > MOST_WORDS) {
		fprintf(stderr,
			"lockstep tune: the program %s is not where it should be (make all builds it)\n",
			program);
		free(path);
		free(folder);
		return STATUS_FAILED;
	}
	close(file);
	fill_words(p, path, topics, words);
	child = process_start(words, log, 0);
	status = child < 0 ? 1 : await_program(child);
	text = paths_read(log, &size, &diags);
	rest = text ? text : (text = xstrdup(""));
	unlink(log);
	if (status)
		status = program_failed(p, topics[0], status, text);
	while (!status && (line = strsep(&rest, "\n")))
		read_figure(rows, line);
	diag_fini(&diags);
	free(text);
	free(path);
	free(folder);
	return status;
}

/* ---- all of them ---- */

static char *done_name(const struct probe *probe)
{
	char *name;

	bug_if(asprintf(&name, "done %s %s", probe->program, probe->topic) < 0, "out of memory");
	return name;
}

static bool append_rows(const char *path, const struct tune_rows *rows, const struct probe *probe)
{
	FILE *to = fopen(path, "a");
	bool fine;

	if (!to) {
		fprintf(stderr, "lockstep tune: %s: %s\n", path, strerror(errno));
		return false;
	}
	if (fseek(to, 0, SEEK_END) == 0 && !ftell(to))
		fprintf(to, "# %s: %s\nname,value,unit,probe\n", version_revision(),
			getenv("LOCKSTEP_COMMAND"));
	for (size_t i = 0; i < rows->count; i++)
		fprintf(to, "%s,%.10g,%s,%s %s\n", rows->items[i].name, rows->items[i].value,
			rows->items[i].unit, probe->program, probe->topic);
	fprintf(to, "done %s %s,1,,%s %s\n", probe->program, probe->topic, probe->program, probe->topic);
	fine = !ferror(to);
	return fclose(to) == 0 && fine;
}

static bool probe_is_needed(const struct probe *probe, const struct tune_rows *rows)
{
	const struct tune_row *major = tune_rows_find(rows, "device compute capability major");

	return !probe->needs || (major && 10 * major->value >= probe->needs);
}

static bool probe_is_chosen(const struct probing *p, const struct probe *probe)
{
	bool any = !p->only_count || !strcmp(probe->topic, "device");

	for (size_t i = 0; i < p->only_count; i++)
		any |= !strcmp(p->only[i], probe->topic);
	return any;
}

static int run_probe(const struct probing *p, const struct probe *probe, struct tune_rows *rows)
{
	const char *const topics[] = { probe->topic, NULL };
	struct probing one = *p;
	struct tune_rows fresh = { 0 };
	struct timespec begin, end;
	int status;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	one.is_of_an_sm = probe->is_of_an_sm;
	status = probe_run(&one, probe->program, topics, &fresh);
	clock_gettime(CLOCK_MONOTONIC, &end);
	if (!status && p->machine && !strcmp(probe->topic, "device"))
		tune_rows_add(&fresh, "run as written", 1, "");
	if (!status && !append_rows(p->raw, &fresh, probe))
		status = STATUS_FAILED;
	if (!status)
		fprintf(stderr, "tune: %s %s: %zu rows, %.1f s\n", probe->program, probe->topic, fresh.count,
			(double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec));
	for (size_t i = 0; !status && i < fresh.count; i++)
		tune_rows_add(rows, fresh.items[i].name, fresh.items[i].value, fresh.items[i].unit);
	tune_rows_fini(&fresh);
	return status;
}

bool probes_have(const char *topic)
{
	for (size_t i = 0; i < PROBES; i++)
		if (!strcmp(probes[i].topic, topic))
			return true;
	return false;
}

int probes_run(const struct probing *p, struct tune_rows *rows)
{
	int status = STATUS_FINE;

	stop_begin();
	for (size_t i = 0; i < PROBES && status == STATUS_FINE; i++) {
		char *done = done_name(&probes[i]);

		if (probe_is_chosen(p, &probes[i]) && probe_is_needed(&probes[i], rows) &&
			!tune_rows_find(rows, done))
			status = run_probe(p, &probes[i], rows);
		free(done);
	}
	stop_end();
	return status;
}
