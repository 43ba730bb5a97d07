/* host/session/session.h -- one run of a program (or of one kernel from the command line): configuration,
 * GPU, output folder, the lines on the terminal and the statistics of every launch. libcuda.so.1 and
 * `lockstep launch` both stand on it. */
#ifndef HOST_SESSION_SESSION_H
#define HOST_SESSION_SESSION_H

#include "core/gpu/gpu.h"

struct session_options {
	const char *config;      /* paths, one a line: each file overlays those before it; NULL: the built-in
				    default      (configs/gtx480.yaml as found beside the program) */
	const char *const *sets; /* "path=value" */
	size_t set_count;
	const char *output; /* folder; NULL: none is written */
	bool functional;
	bool quiet;         /* no line per kernel */
	const char *series; /* "N:NAMES": a time series (session_config_series); NULL: what the configuration
			       says */
	bool profile;       /* write profile.txt and profile.json; needs output */
	bool host_profile;  /* write host.txt (sim/event/host_time.h); needs output */
	const char *stats_style; /* session_style; NULL: gem5 */
	const char *threads;     /* of the host that simulate, a number (session_threads); NULL: 1 */
};

/* The options as environment variables, so that `lockstep run` reaches the library under a foreign program:
 * LOCKSTEP_CONFIG, LOCKSTEP_SET (both newline-separated), LOCKSTEP_OUT, LOCKSTEP_FUNCTIONAL, LOCKSTEP_QUIET,
 * LOCKSTEP_PROFILE, LOCKSTEP_HOST_PROFILE, LOCKSTEP_SERIES, LOCKSTEP_STATS_STYLE, LOCKSTEP_THREADS,
 * LOCKSTEP_COMMAND. */
void session_options_to_environment(const struct session_options *options);
void session_options_from_environment(struct session_options *options); /* strings live as long as the
									   environment */

#define SESSION_DEFAULT_CONFIG "gtx480"
/* The path of configs/NAME.yaml of those that come with Lockstep (found from where this library lies), the
 * caller's to free; NULL if there is none. */
char *session_find_config(const char *name);

/* The number of host threads that --threads or LOCKSTEP_THREADS names: false, with diagnostics, if it is
 * none. */
bool session_threads(const char *text, uint32_t *threads, struct diag_list *diags);

/* In what form statistics are shown, beside stats.txt, which is in gem5's in any case: --stats-style,
 * LOCKSTEP_STATS_STYLE. STYLE_GPGPUSIM prints the lines of host/output/gpgpusim.def on standard output, and
 * writes gpgpusim.txt. false, with diagnostics, if there is no such. */
enum session_style { STYLE_GEM5, STYLE_GPGPUSIM };
bool session_style(const char *text, enum session_style *style, struct diag_list *diags);

/* Options that are wrong by themselves, or contradict each other: false, with diagnostics. */
bool session_check_options(const struct session_options *options, struct diag_list *diags);

/* The files of session_options.config in full, the caller's to free: the default if there are none, or if the
 * first is an overlay, before it. NULL if the default is needed and does not lie beside this library. */
char *session_config_paths(const char *paths);
/* Loads these files; false, with diagnostics, if one cannot be. */
bool session_config_load(struct config *config, const char *paths, struct diag_list *diags);
/* Sets observe.series.period and observe.series.statistics from "N:NAMES"; false, with diagnostics, if it is
 * none. */
bool session_config_series(struct config *config, const char *series, struct diag_list *diags);

struct session;

/* NULL, with diagnostics, if the configuration is wrong. */
struct session *session_new(const struct session_options *options, struct diag_list *diags);
struct gpu *session_gpu(struct session *session);
bool session_is_functional(const struct session *session);

/* One of several texts that are linked. */
struct session_part {
	char *name;       /* in messages; one line */
	const char *text; /* without a zero byte in it */
	size_t size;
};
/* One text out of several, for session_load; malloc'ed and zero-terminated. */
char *session_link(const struct session_part *parts, size_t count);
/* Whether a text, linked or plain, is without errors. */
bool session_check(const char *text, size_t size, const char *name, struct diag_list *diags);

/* A module loaded on the session's GPU: symbols allocated, initialised and relocated. NULL with diagnostics.
 * The text may come from session_link.
 */
struct session_module;
struct session_module *session_load(
	struct session *session, const char *text, size_t size, const char *name, struct diag_list *diags);
void session_unload(struct session *session, struct session_module *module);
struct ptx_image *session_image(struct session_module *module);

/* Runs one launch, prints its line, appends its statistics to the output folder. A fault is explained on
 * stderr. */
void session_launch(struct session *session, const struct launch *launch, struct launch_result *result);

/* The same in two halves, for several launches at once: between them gpu_advance (core/gpu/gpu.h) lets time
 * go on until the kernel has ended or the machine has stopped. *run is NULL if as many kernels are under way
 * as the chip runs at once (try again when one has ended), or if the machine is broken: then session_end
 * takes NULL and reports that. The launch need not live in between, but its kernel must. The fault that
 * stopped the machine is explained once. */
void session_start(struct session *session, const struct launch *launch, struct kernel_run **run);
void session_end(struct session *session, const struct launch *launch, struct kernel_run *run,
	struct launch_result *result);

/* Manual: the statistics that a session adds to the machine's, by kernel and by stream. */
void session_print_stat_doc(FILE *stream);

/* Whether the user wants the run to end: SIGINT (Ctrl-C) or SIGTERM came since session_new, and the program
 * leaves them to us. Kernels under way stop by themselves soon, and come back interrupted. A second signal
 * ends the process. */
bool session_interrupted(void);
/* What is called when that happens: in a signal handler, so it may hardly do anything. NULL: nothing. */
void session_on_interrupt(void (*tell)(void));
/* The exit status that shells expect then (128 + the signal: 130 for Ctrl-C). */
int session_interrupt_status(void);

/* Writes what was gathered (stats.txt, stats.json, config.yaml) and frees everything; marked as interrupted,
 * there and on the terminal, if the run was. Safe to call after a fault; called at exit by libcuda. Returns
 * false, with a message on stderr, if the output folder could not be written. */
bool session_close(struct session *session);

#endif
