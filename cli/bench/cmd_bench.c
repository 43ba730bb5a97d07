/* cli/bench/cmd_bench.c -- lockstep bench: the benchmarks that come with Lockstep, listed, or run side by
 * side and verified. */
#include "cli/bench/bench_batch.h"
#include "cli/command.h"
#include "experiment/process.h"
#include "sim/text/number.h"
#include "sim/text/terminal.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>
#include <unistd.h>

#define DEFAULT_FOLDER "lockstep-bench"

static const struct option bench_option_table[] = { OPTION_TEXT(struct bench_options, size, 0, "size", "NAME",
							    WORKLOAD_PRESET_LIST " (default: small)"),
	MACHINE_OPTIONS(struct bench_options, machine.), SAMPLE_OPTION(struct bench_options, machine.sets),
	OPTION_FLAG(struct bench_options, functional, 'f', "functional",
		"compute the values only, without timing"),
	OPTION_TEXT(struct bench_options, jobs, 'j', "jobs", "N",
		"run N programs at a time (default: as many as the processors can run)"),
	OPTION_TEXT(struct bench_options, threads, 0, "threads", "N",
		"simulate each with N threads of the host (1 to 64; default: 1)"),
	OPTION_TEXT(struct bench_options, output, 'o', "output", "DIR",
		"folder for bench.csv, and for SUITE/NAME/ with log.txt and the files of\n"
		"'lockstep run' (default: " DEFAULT_FOLDER ")"),
	OPTION_FLAG(struct bench_options, timeline, 0, "timeline",
		"also write SUITE/NAME/timeline.json.gz: what happened when (docs/user/timeline.md)"),
	OPTION_TEXT(struct bench_options, stats, 0, "stats", "NAME,...",
		"add columns: statistics of the whole run, by their names in stats.txt"),
	OPTION_TEXT(struct bench_options, timeout, 0, "timeout", "S",
		"stop a run after S seconds; it then counts as failed"),
	OPTION_TEXT(struct bench_options, seed, 0, "seed", "N",
		"seed of all random choices: of the input (default: each benchmark's own) and of the\n"
		"model (gpu.seed)"),
	OPTION_END };

/* -- which -- */

/* The workloads that the words select, in the list's order; the caller's to free. NULL, with a message, if a
 * word selects none. */
static const struct workload **select_workloads(const struct command *self, const struct workload_list *all,
	char **words, size_t count, size_t *selected)
{
	const struct workload **list = xcalloc(all->count + 1, sizeof(*list));

	*selected = 0;
	for (size_t k = 0; k < count; k++) {
		const char *nearest;
		bool any = false;

		for (size_t i = 0; i < all->count; i++)
			any |= workload_is(&all->items[i], words[k]);
		if (any)
			continue;
		nearest = workload_nearest(all, words[k]);
		usage_error(self,
			"%s: no benchmark, suite or tag of that name%s%s%s; 'lockstep bench list' shows them",
			words[k], nearest ? "; did you mean " : "", nearest ? nearest : "",
			nearest ? "?" : "");
		free(list);
		return NULL;
	}
	for (size_t i = 0; i < all->count; i++) {
		bool is = !count;
		for (size_t k = 0; k < count && !is; k++)
			is = workload_is(&all->items[i], words[k]);
		if (is)
			list[(*selected)++] = &all->items[i];
	}
	return list;
}

/* -- list -- */

static void print_workload(const struct workload *w, FILE *to)
{
	fprintf(to, "%s\n    %s\n    %s\n    tags:  %s\n    sizes (tiny, small, repro, paper): ", w->label,
		w->help, w->source, *w->tags ? w->tags : "none");
	for (uint32_t i = 0; i < w->size_count; i++)
		fprintf(to, "%s %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, i ? ";" : "",
			w->sizes[i].name, w->sizes[i].preset[0], w->sizes[i].preset[1], w->sizes[i].preset[2],
			w->sizes[i].preset[3]);
	for (uint32_t i = 0; i < WORKLOAD_PRESETS; i++)
		if (workload_limit(w, workload_presets[i]))
			fprintf(to,
				"; at the size %s %" PRIu64
				" thread instructions are timed, and the rest is executed without time",
				workload_presets[i], workload_limit(w, workload_presets[i]));
	fputc('\n', to);
	if (w->chip)
		fprintf(to, "    chip:  %s, unless -c names another\n", w->chip);
	if (w->repro)
		fprintf(to, "    repro:  %s\n", w->repro);
}

static void print_workloads(const struct workload **list, size_t count)
{
	struct terminal_rows rows;

	terminal_rows_begin(&rows);
	for (size_t i = 0; i < count; i++)
		print_workload(list[i], rows.text);
	terminal_rows_end(&rows, stdout);
}

/* -- run -- */

/* 0 if text is no number from 1. */
static uint32_t positive_number(const char *text)
{
	uint64_t value;

	return number_parse(text, 1, 1000000, &value) ? (uint32_t)value : 0;
}

/* 0, with a message, if text is none. */
static uint32_t count_threads(const char *text)
{
	struct diag_list diags;
	uint32_t threads;

	diag_init(&diags);
	if (!session_threads(text, &threads, &diags)) {
		failed(&diags);
		return 0;
	}
	diag_fini(&diags);
	return threads;
}

/* STATUS_FINE if the options make sense. */
static int read_options(const struct command *self, const struct bench_options *o, struct bench_batch *b)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	uint32_t threads;
	uint64_t seed;

	b->options = o;
	b->size = o->size ? o->size : "small";
	b->output = o->output ? o->output : DEFAULT_FOLDER;
	if (!workload_is_preset(b->size))
		return usage_error(self, "--size %s: expected " WORKLOAD_PRESET_LIST, b->size);
	if (!*b->output)
		return usage_error(self, "-o needs the name of a folder");
	threads = count_threads(o->threads);
	if (!threads)
		return STATUS_USAGE;
	b->at_once = o->jobs           ? positive_number(o->jobs)
		: processors > threads ? (uint32_t)processors / threads
				       : 1;
	if (!b->at_once)
		return usage_error(
			self, "--jobs %s: expected a number from 1%s", o->jobs, number_hint(o->jobs));
	b->timeout = o->timeout ? positive_number(o->timeout) : 0;
	if (o->timeout && !b->timeout)
		return usage_error(self, "--timeout %s: expected seconds, from 1%s", o->timeout,
			number_hint(o->timeout));
	if (o->seed && !number_parse(o->seed, 0, UINT32_MAX, &seed))
		return usage_error(
			self, "--seed %s: expected a number from 0 to %" PRIu32, o->seed, UINT32_MAX);
	if (o->seed)
		snprintf(b->seed, sizeof(b->seed), "%" PRIu64, seed);
	return STATUS_FINE;
}

static int run_workloads(
	const struct command *self, const struct bench_options *o, const struct workload **list, size_t count)
{
	struct bench_batch b = { .count = count };
	struct diag_list diags;
	int status = read_options(self, o, &b);

	if (status == STATUS_FINE) {
		struct machine_config machine;
		struct config *config;

		diag_init(&diags); /* so that a wrong configuration is reported once, not by each run */
		config = machine_configure(&o->machine, &machine, &diags);
		status = config ? STATUS_FINE : failed(&diags);
		if (config) {
			b.is_sampled = machine.sample.error > 0 && !o->functional;
			diag_fini(&diags);
			machine_config_fini(&machine);
			config_free(config);
		}
	}
	if (status == STATUS_FINE && !bench_columns_init(&b.columns, o->stats, b.is_sampled))
		status = usage_error(self, "--stats has too many names");
	if (status == STATUS_FINE) {
		b.self = realpath("/proc/self/exe", NULL);
		b.jobs = xcalloc(count, sizeof(*b.jobs));
		for (size_t i = 0; i < count; i++)
			b.jobs[i].workload = list[i];
		status = bench_batch_run(&b);
		for (size_t i = 0; i < count; i++)
			free(b.jobs[i].folder);
		free(b.jobs);
		free(b.self);
	}
	bench_columns_fini(&b.columns);
	return status;
}

static int run_bench_command(const struct command *self, const void *object, char **operands, size_t count)
{
	bool lists = strcmp(operands[0], "list") == 0;
	const struct workload **chosen;
	struct workload_list all;
	struct diag_list diags;
	size_t n;
	int status = STATUS_FINE;

	if (!lists && strcmp(operands[0], "run") != 0)
		return usage_error(self, "unknown action %s; expected list or run", operands[0]);
	if (!lists && count == 1)
		return usage_error(self, "run which benchmarks? 'all' runs all of them");
	diag_init(&diags);
	if (!process_use_libcuda(&diags) || !workloads_find(&all, &diags))
		return failed(&diags);
	diag_fini(&diags);
	chosen = select_workloads(self, &all, operands + 1, count - 1, &n);
	if (!chosen)
		status = STATUS_USAGE;
	else if (!lists)
		status = run_workloads(self, object, chosen, n);
	if (lists && chosen)
		print_workloads(chosen, n);
	free(chosen);
	workloads_fini(&all);
	return status;
}

const struct command command_bench = {
	.name = "bench",
	.operands = "list | run [all | SUITE | NAME | SUITE/NAME | TAG]...",
	.summary = "list the benchmarks, or run them side by side and verify them",
	.details = "  list    print what each benchmark is, where it comes from, its tags and sizes\n"
		   "  run     run benchmarks, print a line for each, and count those that verified their\n"
		   "          results; the exit status is 0 if all did\n"
		   "\n"
		   "Columns: kernel launches, thread instructions, core cycles, thread instructions per "
		   "core cycle,\n"
		   "miss rates of L1 and L2, DRAM bandwidth, million thread instructions simulated in a "
		   "second of\n"
		   "this host, and the seconds that this took. With --sample instructions, cycles and IPC "
		   "are\n"
		   "estimates of all kernels, +- is half the 95 % interval of the IPC, and timed the share\n"
		   "of warp instructions that was timed. Tags are classes and sets of the papers:\n"
		   "streaming, thrashing, divergent, mrpb ...\n"
		   "A benchmark that is for another chip than the default's runs on that chip's "
		   "configuration\n"
		   "if no other is named.\n"
		   "The size repro is for figures to hold beside those of the papers (some seconds to a "
		   "minute\n"
		   "each). At the size paper, timing ends at the limits of instructions that the papers "
		   "state,\n"
		   "unless a sample of each kernel is timed (--sample).\n"
		   "\n"
		   "  lockstep bench run polybench --size tiny -c gtx480 -j 2\n",
	.options = bench_option_table,
	.size = sizeof(struct bench_options),
	.least = 1,
	.run = run_bench_command,
};
