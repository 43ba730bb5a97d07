/* host/session/session.h -- one run of a program (or of one kernel from the command line): configuration,
 * GPU, output folder, the lines on the terminal and the statistics of every launch. Used by libcuda.so.1
 * and by `lockstep launch`. */
#ifndef HOST_SESSION_SESSION_H
#define HOST_SESSION_SESSION_H

#include "core/gpu/gpu.h"
#include "core/observe/timeline.h"
#include <signal.h>

struct session_options {
	const char *config;      /* paths, one a line: each file overlays those before it; NULL: the default
				    (configs/gtx480.yaml of the installation) */
	const char *const *sets; /* "path=value" */
	size_t set_count;
	const char *output; /* folder; NULL: none is written */
	bool functional;
	bool quiet;               /* no line per kernel */
	const char *kernel_lines; /* how many launches of each kernel get a line (session_kernel_lines); NULL:
				     3 */
	const char *stats_launches; /* how many launches of each kernel get statistics of their own
				       (session_stats_launches); NULL: none */
	const char *series;      /* "N:NAMES": a time series (session_config_series); NULL: as configured */
	const char *monitor;     /* the beginning of the names of files for `lockstep run --monitor`
				    (session_monitor.c); NULL: nobody watches */
	const char *timeline;    /* file for a timeline (core/observe/timeline.h); NULL: none */
	bool profile;            /* write profile.txt and profile.json; needs output */
	bool host_profile;       /* write host.txt (sim/event/host_time.h); needs output */
	const char *stats_style; /* session_style; NULL: gem5 */
	const char *trace;       /* file for the memory accesses (host/trace); needs functional; NULL: none */
	bool trace_instructions; /* and for the other instructions */
	const char *trace_sample; /* "CORES:MODELLED:THREADS" (host/trace/trace_sample.h); NULL: all CTAs */
	const char *record; /* file for what the program asks of the device (host/recording); NULL: none */
	const char *record_kernels; /* only these launches (host/driver/recording/selection.h); NULL:
				       everything */
	const char *threads;  /* number of host threads that simulate, as text (session_threads); NULL: 1 */
	const char *sanitize; /* checks of the sanitizer (core/sanitize/sanitize.h), "race,init"; NULL: none
			       */
	const char *at;   /* the point of the run to which the next two belong (host/branch); NULL: none */
	const char *then; /* changes of this run from there on */
	const char *save; /* file for a checkpoint there (host/checkpoint); NULL: none */
	const char *from; /* a checkpoint to begin with; NULL: none */
	const char *recording;      /* what is replayed, to which both belong; NULL: a program runs */
	const char *branches;       /* NAME:CHANGES, one a line: copies of the run from there on */
	const char *branch_jobs;    /* how many of these run at once, as text; NULL: as many as processors */
	const char *run;            /* private folder of `lockstep run` (run_record.h); NULL: none */
	const char *error_exitcode; /* status of the process when it has found something, as text; NULL:
				       SESSION_ERROR_EXITCODE */
};

/* Writes the options to environment variables, with which `lockstep run` passes them to the library under
 * a program: LOCKSTEP_CONFIG (paths with SESSION_BETWEEN_PATHS), LOCKSTEP_SET (newline-separated),
 * LOCKSTEP_OUT, LOCKSTEP_FUNCTIONAL, LOCKSTEP_QUIET, LOCKSTEP_KERNELS,
 * LOCKSTEP_STATS_LAUNCHES, LOCKSTEP_PROFILE, LOCKSTEP_HOST_PROFILE, LOCKSTEP_SERIES, LOCKSTEP_STATS_STYLE,
 * LOCKSTEP_TIMELINE, LOCKSTEP_MONITOR,
 * LOCKSTEP_THREADS, LOCKSTEP_TRACE, LOCKSTEP_TRACE_INSTRUCTIONS, LOCKSTEP_TRACE_SAMPLE, LOCKSTEP_RECORD,
 * LOCKSTEP_RECORD_KERNELS, LOCKSTEP_SANITIZE, LOCKSTEP_ERROR_EXITCODE, LOCKSTEP_AT, LOCKSTEP_THEN,
 * LOCKSTEP_BRANCHES, LOCKSTEP_BRANCH_JOBS, LOCKSTEP_SAVE, LOCKSTEP_FROM, LOCKSTEP_RECORDING, LOCKSTEP_RUN,
 * LOCKSTEP_COMMAND. */
void session_options_to_environment(const struct session_options *options);
void session_options_from_environment(struct session_options *options); /* strings are valid as long as the
									   environment */

#define SESSION_DEFAULT_CONFIG "gtx480"
#define SESSION_BETWEEN_PATHS \
	"\037" /* separates the paths of configurations, which may have any other byte */
/* Reads the number of host threads of --threads or LOCKSTEP_THREADS; false, with diagnostics, if the text
 * is not one. */
bool session_threads(const char *text, uint32_t *threads, struct diag_list *diags);

/* Reads how many launches of each kernel get a line on the terminal, the text of --kernels or
 * LOCKSTEP_KERNELS: a number, or "all". false, with diagnostics, if the text is neither. */
bool session_kernel_lines(const char *text, uint64_t *lines, struct diag_list *diags);
/* The same of launches with statistics of their own, of --stats-launches or LOCKSTEP_STATS_LAUNCHES; also
 * "none". */
bool session_stats_launches(const char *text, uint64_t *launches, struct diag_list *diags);
#define SESSION_ERROR_EXITCODE 86
/* Reads the status of --error-exitcode, 0 to 255; false, with diagnostics, if the text is not one. */
bool session_error_exitcode(const char *text, int *status, struct diag_list *diags);

/* The style of statistics, in addition to stats.txt, which is always in gem5's: --stats-style,
 * LOCKSTEP_STATS_STYLE. STYLE_GPGPUSIM prints the lines of host/output/gpgpusim.def on standard output and
 * writes gpgpusim.txt. false, with diagnostics, if there is no style of that name. */
enum session_style { STYLE_GEM5, STYLE_GPGPUSIM };
bool session_style(const char *text, enum session_style *style, struct diag_list *diags);

/* Checks the options, and the environment; false, with diagnostics, if one is wrong or two contradict each
 * other. */
bool session_check_options(const struct session_options *options, struct diag_list *diags);

/* What else can be known to go wrong, before a program is started: --at, --then, --branch and --save, and
 * files where none can be made. false, with diagnostics. */
bool session_check_start(const struct session_options *options, struct diag_list *diags);

/* The configuration files of session_options.config, completed and to be freed by the caller: the default
 * if there are none; the default before them if the first is an overlay. NULL if the default is needed and
 * not found. */
char *session_config_paths(const char *paths);
/* Loads these files; false, with diagnostics, if one cannot be loaded. */
bool session_config_load(struct config *config, const char *paths, struct diag_list *diags);
/* Sets observe.series.period and observe.series.statistics from "N:NAMES"; false, with diagnostics, if the
 * text is not of that form. */
bool session_config_series(struct config *config, const char *series, struct diag_list *diags);

struct session;

/* NULL, with diagnostics, if the configuration is wrong. */
struct session *session_new(const struct session_options *options, struct diag_list *diags);
struct gpu *session_gpu(struct session *session);
bool session_is_functional(const struct session *session);

/* One of several PTX texts that are linked. */
struct session_part {
	char *name;       /* in messages; one line */
	const char *text; /* without a zero byte in it */
	size_t size;
};
/* Joins several texts to one, for session_load; malloc'ed and zero-terminated. */
char *session_link(const struct session_part *parts, size_t count);
/* Whether a text, linked or not, has no errors. */
bool session_check(const char *text, size_t size, const char *name, struct diag_list *diags);

/* A module loaded on the session's GPU: symbols allocated, initialised and relocated. NULL with diagnostics.
 * The text may come from session_link. register_cap: registers per thread of kernels without directives of
 * their own; 0: no cap. */
/* A line if a compiler in the process makes code for newer chips alone: oldest, as in sm_75. */
void session_say_compiler(struct session *session, const char *library, uint32_t oldest);

struct session_module;
struct session_module *session_load(struct session *session, const char *text, size_t size, const char *name,
	uint32_t register_cap, struct diag_list *diags);
void session_unload(struct session *session, struct session_module *module);
struct ptx_image *session_image(struct session_module *module);

/* Runs one launch, prints its line, appends its statistics to the output folder. A fault is explained on
 * stderr. */
void session_launch(struct session *session, const struct launch *launch, struct launch_result *result);

/* The same in two steps, for concurrent launches: between them gpu_advance (core/gpu/gpu.h) advances time
 * until the kernel has ended or the machine has stopped. *run is NULL if as many kernels are running as
 * the chip permits (try again when one has ended), or if a fault has stopped the machine: then session_end
 * takes NULL and reports that. The launch need not stay valid between the steps, but its kernel must. The
 * fault that stopped the machine is explained once. */
void session_start(struct session *session, const struct launch *launch, struct kernel_run **run);
/* To be called before session_start: the point of the options may be here. In the process of a branch the
 * function of session_on_branch has been called then, with another session, perhaps, for it to go on with. */
void session_before_launch(struct session *session);
/* What is to be done in the process of a branch, before anything else; it is also called within gpu_advance.
 */
void session_on_branch(void (*function)(struct session *session));
/* While a process is forked for a branch: for handlers of forks. */
bool session_is_branching(void);
void session_end(struct session *session, const struct launch *launch, struct kernel_run *run,
	struct launch_result *result);

/* The machine, if a fault has stopped it, works again (gpu_recover), and the next fault is explained, too. */
bool session_recover(struct session *session);

/* A line at the top of the results, once: on what they depend besides the configuration and the program.
 * false: it is there already. */
bool session_note(struct session *session, const char *text);

/* Prints the manual of the statistics that a session adds to the machine's, by kernel and by stream. */
void session_print_stat_doc(FILE *stream);

/* Whether the user wants the run to end: SIGINT (Ctrl-C), SIGTERM, SIGHUP, SIGQUIT or SIGPIPE has come since
 * session_new, and the program has no handlers of its own for them. Running kernels then stop soon and are
 * returned as interrupted. A second signal ends the process. */
bool session_interrupted(void);
/* A thread of the library's own calls begin, which may be NULL, and end once the user wants the run to end.
 * end must wait until it may write the results, and does not come back from that. */
struct interrupt_watch {
	void (*begin)(void), (*end)(void);
};
void session_watch_interrupts(const struct interrupt_watch *watch);
/* Around work that takes long and touches nothing of the session, such as the reading of PTX. */
void session_apart_begin(void);
void session_apart_end(void);
/* Whether a thread does such work. It then waits in session_apart_end for ever, so that another can end the
 * session and the process. */
bool session_apart_hold(void);
/* The exit status that shells expect after an interruption (128 + the signal: 130 for Ctrl-C). */
int session_interrupt_status(void);

/* The sanitizer of the run (core/sanitize/sanitize.h), which is to hear of device memory; NULL: none. */
struct sanitizer *session_sanitizer(const struct session *session);
/* Called first, in the handler of a SIGSEGV that ends the process. */
void session_on_fault(void (*look)(const siginfo_t *info, const void *context));
/* Ends the sanitizer's search, writes what it has found and prints it in short. Returns the exit status that
 * the process is to have therefore, 0 if there is no sanitizer or it has found nothing. To be called before
 * session_close, which does it otherwise. */
int session_end_sanitizer(struct session *session);

/* The slice in the timeline of the launch that session_end has ended last. */
struct timeline_slice session_last_slice(const struct session *session);

/* The path of a file of the program's run that the user has named: its own, or if another process of the same
 * `lockstep run` writes that, one with a number. To be freed. The file is to be closed before session_close.
 */
char *session_file(struct session *session, const char *path);

/* Writes the results (stats.txt, stats.json, config.yaml) and frees everything. If the run was
 * interrupted, the files and the terminal say so. May be called after a fault; libcuda calls it at exit.
 * Returns false, with a message on stderr, if the output folder could not be written. */
bool session_close(struct session *session);

#endif
