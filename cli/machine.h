/* cli/machine.h -- the options that choose and configure the machine, the same for every command that has
 * one. */
#ifndef CLI_MACHINE_H
#define CLI_MACHINE_H

#include "cli/options.h"
#include "core/gpu/machine_config.h"
#include "host/session/session.h"

struct machine_options {
	struct option_list configs; /* each overlays those before it */
	struct option_list sets;
	const char *series; /* N:NAMES, as session_config_series takes it */
};

/* Rows for an option table; prefix: the path of the field in `type`, as in MACHINE_OPTIONS(struct x,
 * run.machine.). */
#define MACHINE_OPTIONS(type, prefix) \
	OPTION_LIST(type, prefix configs, 'c', "config", "FILE", \
		"configuration of the machine: a name of 'lockstep list configs', or else a file\n" \
		"(default: gtx480); several: later ones, with their bases, override earlier ones"), \
		OPTION_LIST(type, prefix sets, 's', "set", "PATH=VALUE", \
			"set one parameter, as in --set sm.l1d.ways=8; may be repeated"), \
		OPTION_SET_FILE(type, prefix sets, 0, "plugin", "plugins.files", \
			"load this plug-in, whose policies can then be chosen (docs/user/policies.md); may " \
			"be\n" \
			"repeated (adds to plugins.files)")

#define SAMPLE_OPTION(type, field) \
	OPTION_SET_ERROR(type, field, 0, "sample", "sample.error", \
		"time a sample of the CTAs of large kernels and execute the others without timing; the\n" \
		"error is half a 95 % interval of a kernel's time (docs/user/sampling.md; sets " \
		"sample.error)")

/* How a program or a kernel is run. */
struct run_options {
	struct machine_options machine;
	const char *output;
	bool functional, quiet, profile, host_profile;
	const char *stats_style, *threads; /* as session_style, as session_threads takes it */
	const char *kernel_lines;          /* as session_kernel_lines takes it */
	const char *stats_launches;        /* as session_stats_launches takes it */
	const char *sanitize, *error_exitcode, *timeline;
	const char *monitor;                 /* as monitor_start takes it */
	const char *at, *then, *branch_jobs; /* as host/branch takes them */
	struct option_list branches;
};

/* Of commands that run a program. */
#define MONITOR_OPTION(type, field) \
	OPTION_TEXT(type, field, 0, "monitor", "PORT", \
		"show the run at work on a page at this port of the loopback address (0: any that is\n" \
		"free), whose address is printed: progress, IPC, queues, what warps wait for; pause,\n" \
		"stop (docs/user/timeline.md)")

#define DEFAULT_OUTPUT "lockstep-out"
#define RUN_OPTIONS(type, prefix) \
	MACHINE_OPTIONS(type, prefix machine.), \
		OPTION_TEXT(type, prefix output, 'o', "output", "DIR", \
			"folder for stats.txt, stats.json, latency.txt and config.yaml\n" \
			"(default: " DEFAULT_OUTPUT "; \"\" writes no files)"), \
		OPTION_FLAG(type, prefix functional, 'f', "functional", \
			"compute the values only, without timing"), \
		OPTION_SET(type, prefix machine.sets, 0, "seed", "gpu.seed", \
			"seed of every random choice of the model (gpu.seed)"), \
		OPTION_SET(type, prefix machine.sets, 0, "max-instructions", \
			"gpu.timing_limit.instructions", \
			"time the first N thread instructions of each kernel, and execute the rest " \
			"without\n" \
			"timing (K, M, G are powers of two; sets gpu.timing_limit.instructions)"), \
		OPTION_SET(type, prefix machine.sets, 0, "max-cycles", "gpu.timing_limit.cycles", \
			"time the first N core cycles of each kernel (gpu.timing_limit.cycles)"), \
		OPTION_SET(type, prefix machine.sets, 0, "max-ctas", "gpu.timing_limit.ctas", \
			"time the first N CTAs of each kernel (gpu.timing_limit.ctas)"), \
		OPTION_SET(type, prefix machine.sets, 0, "max-run-instructions", \
			"gpu.timing_limit.run_instructions", \
			"time the first N thread instructions of all kernels together\n" \
			"(gpu.timing_limit.run_instructions)"), \
		OPTION_SET(type, prefix machine.sets, 0, "warmup", "gpu.warmup.kernels", \
			"execute the first N kernels without timing (gpu.warmup.kernels)"), \
		OPTION_SET(type, prefix machine.sets, 0, "warmup-ctas", "gpu.warmup.ctas", \
			"execute the first N CTAs of each kernel without timing, before the " \
			"others\n(gpu.warmup.ctas)"), \
		SAMPLE_OPTION(type, prefix machine.sets), \
		OPTION_FLAG(type, prefix profile, 0, "profile", \
			"also write profile.txt and profile.json: the PTX of the kernels with what each " \
			"line\n" \
			"executed and what it cost"), \
		OPTION_FLAG(type, prefix host_profile, 0, "host-profile", \
			"also write host.txt: where the simulator itself spent its time"), \
		OPTION_TEXT(type, prefix machine.series, 0, "series", "N:NAMES", \
			"also write series.csv: these statistics (separated by commas, with * and ? in\n" \
			"names) every N core cycles; sets observe.series.period and " \
			"observe.series.statistics"), \
		OPTION_TEXT(type, prefix timeline, 0, "timeline", "FILE", \
			"also write what happened when, for Perfetto and 'lockstep report --timeline': " \
			"kernels,\n" \
			"copies, CTAs, counters; compressed if FILE ends in .gz or .zst " \
			"(docs/user/timeline.md)"), \
		OPTION_SET_TEXT(type, prefix machine.sets, 0, "timeline-detail", "sm=N,cycles=A:B", \
			"observe.timeline.detail", \
			"of these SMs and core cycles the timeline also has warps, instructions, waits " \
			"and\n" \
			"memory requests (sets observe.timeline.detail)"), \
		OPTION_SET(type, prefix machine.sets, 0, "timeline-limit", "observe.timeline.limit", \
			"most events of each kind in the timeline (sets observe.timeline.limit)"), \
		OPTION_SET_TEXT(type, prefix machine.sets, 0, "energy", "MODEL", "energy.model", \
			"estimate energy with this model: a name of configs/energy (gtx480), or else a " \
			"file;\n" \
			"also writes energy.txt and energy.csv (sets energy.model)"), \
		OPTION_TEXT(type, prefix stats_style, 0, "stats-style", "STYLE", \
			"gpgpusim: also print lines in GPGPU-Sim's format on standard output and write " \
			"them\n" \
			"to gpgpusim.txt (default: gem5, which is stats.txt alone)"), \
		OPTION_TEXT(type, prefix threads, 0, "threads", "N", \
			"simulate with N threads of the host (1 to 64; default: 1); the statistics are the " \
			"same\n" \
			"to the last digit. --profile, --host-profile, dram.trace and observers of all L2 " \
			"slices\n" \
			"keep the parts that they watch on one thread"), \
		OPTION_TEXT(type, prefix kernel_lines, 0, "kernels", "N", \
			"print a line for each of the first N launches of a kernel, and one for all " \
			"others\n" \
			"at the end; all: a line for each launch (default: 3)"), \
		OPTION_TEXT(type, prefix stats_launches, 0, "stats-launches", "N", \
			"write all statistics of each of the first N launches of a kernel, too; all: of " \
			"each\n" \
			"launch; none (the default): of each kernel, all its launches added up"), \
		OPTION_TEXT(type, prefix sanitize, 0, "sanitize", "CHECKS", \
			"look for faults of the program: memory,race,init,sync,leak, or all; also writes\n" \
			"sanitize.txt and sanitize.csv (docs/user/sanitizer.md)"), \
		OPTION_TEXT(type, prefix error_exitcode, 0, "error-exitcode", "N", \
			"exit status if --sanitize finds something (default: 86; 0: the program's own)"), \
		OPTION_TEXT(type, prefix at, 0, "at", "POINT", \
			"where --then and --branch take effect: kernel:N (before launch N), cycle:N (when " \
			"N core\n" \
			"cycles have passed) or instructions:N (thread instructions with timing); for " \
			"replay\n" \
			"--save also kernel:N:M (after M warp instructions of launch N)"), \
		OPTION_TEXT(type, prefix then, 0, "then", "CHANGES", \
			"from there on other policies, as in sm.scheduler.policy=lrr; several with commas"), \
		OPTION_LIST(type, prefix branches, 0, "branch", "NAME:CHANGES", \
			"from there on a copy of the run with these changes, too, which writes into " \
			"DIR/NAME; may\n" \
			"be repeated (docs/user/branches.md)"), \
		OPTION_TEXT(type, prefix branch_jobs, 0, "branch-jobs", "N", \
			"run N of these copies at a time, and the run itself after them (default: all at " \
			"once,\n" \
			"as many as the host has processors)"), \
		OPTION_FLAG( \
			type, prefix quiet, 'q', "quiet", "print no line for each kernel on the terminal")

/* The paths of the configurations that options name, one a line; malloc'ed. NULL if nothing is named and the
 * default is not found. */
char *machine_config_paths(const struct option_list *options);

/* The configuration with its overrides, not yet read by any component. NULL, with diagnostics, if it cannot
 * be loaded. */
struct config *machine_load(const struct machine_options *options, struct diag_list *diags);

/* Loads the configuration, reads every section into *machine and refuses unknown keys. NULL, with
 * diagnostics, if something is wrong. Ends with machine_config_fini and config_free. */
struct config *machine_configure(
	const struct machine_options *options, struct machine_config *machine, struct diag_list *diags);

/* The same options for host/session/session.h; config is the caller's text from machine_config_paths. */
void run_options_for_session(
	const struct run_options *options, const char *config, struct session_options *session);

/* STATUS_USAGE if a message is about a value on the command line or in the environment, else STATUS_FAILED.
 */
int refusal_status(const struct diag_list *diags);
/* Prints all messages on stderr and empties the list. Returns their refusal_status. */
int failed(struct diag_list *diags);

#endif
