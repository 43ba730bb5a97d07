/* host/session/session_internal.h -- the parts of a session: options, modules, the terminal, the output
 * folder. */
#ifndef HOST_SESSION_SESSION_INTERNAL_H
#define HOST_SESSION_SESSION_INTERNAL_H

#include "core/energy/energy.h"
#include "host/output/line_profile.h"
#include "host/output/provenance.h"
#include "host/session/run_record.h"
#include "core/sanitize/sanitize.h"
#include "host/session/session.h"
#include "sim/files/descriptor.h"
#include "sim/base/xalloc.h"

/* The files of an output folder, kept valid after every kernel. */
struct session_output {
	char *folder;           /* NULL: nothing is written */
	struct descriptor lock; /* of the folder (session_folder.c) */
	FILE *config, *text, *json;
	FILE *gpgpusim;                 /* NULL: another style */
	FILE *energy_text, *energy_csv; /* NULL: no energy model */
	FILE *trace;                    /* of DRAM commands; NULL: none */
	FILE *launches;                 /* launches.csv */
	long text_head;                 /* where notes are inserted into stats.txt */
	long text_tail, json_tail; /* where the part about the whole run begins, which is written anew now and
				      then (session_stats.c) */
	uint64_t kernels, listed;  /* launches that ended; those with a section of their own */
	uint64_t written, pending; /* launches in that part; instructions executed by later ones */
	bool is_broken;            /* a write failed */
};

/* The line on the terminal about a running kernel. */
struct session_progress {
	bool is_live, is_shown; /* is_live: stderr is a terminal; is_shown: a line is shown */
	double next;            /* host time of the next live line, seconds */
	uint32_t kernels;       /* number of running kernels: progress_begin without progress_end */
};

/* The lines on the terminal of launches that have ended. */
struct session_launches {
	uint64_t most;                     /* number of lines for each kernel */
	bool is_said;                      /* that others are counted */
	void *by_name;                     /* tsearch(3) */
	struct launch_tally *first, *last; /* NULL: none */
};

/* A running kernel. */
struct session_kernel {
	struct kernel_run *run;
	struct stat_vector counted;          /* the machine's counters at its start, then what it counted up
						to the end; empty: not wanted */
	struct stat_snapshot *before;        /* the same of each SM, slice and channel; NULL: not wanted */
	struct energy_counts *energy_before; /* NULL: no energy model */
	bool overlaps;                       /* another was under way at some time */
	struct session_kernel *next;
};

/* The totals of the kernels of a stream. */
struct session_stream {
	uint32_t number;
	uint64_t kernels, ctas, warp_instructions, thread_instructions, busy;
	picoseconds until;           /* the last end */
	struct session_stream *next; /* by number */
};

struct session {
	struct config *config;
	struct gpu *gpu;
	char *config_path;
	struct provenance provenance; /* its command is the session's */
	bool is_functional, is_quiet, is_interrupted, is_fault_reported;
	enum session_style style;
	double started;                 /* host time, seconds; for STYLE_GPGPUSIM */
	struct session_kernel *kernels; /* under way */
	struct session_stream *streams;
	struct kernel_sum *kernel_sums; /* kernel_sums.c */
	struct stat_vector constants;   /* what statistics are before the first launch; empty: not wanted */
	struct session_counters {       /* session_counters.c */
		struct stat_vector machine, spare; /* spare: memory */
		picoseconds time;
		bool is_valid;
	} counters;
	uint64_t stats_launches; /* of each kernel so many launches get sections of their own */
	struct session_output output;
	struct run_records records; /* of what this session writes */
	struct session_progress progress;
	struct session_launches launches;
	struct profile *profile;      /* NULL: none is written */
	struct trace_recorder *trace; /* NULL: none is written */
	const char *monitor;          /* the beginning of the name of the file that who watches reads; NULL */
	double monitor_next;          /* host time at which it is written again, seconds */
	struct session_timeline {
		FILE *file, *stream;        /* stream: what compresses into the file; NULL: none is written */
		struct timeline_slice last; /* of the launch that ended last */
	} timeline;
	struct session_branches *branches; /* host/branch; NULL: none */
	struct checkpoint *from;           /* host/checkpoint; NULL: the run begins at its beginning */
	uint64_t launched;                 /* launches that have started */
	uint32_t newest_code;              /* of modules for newer chips: 75 for sm_75; 0: there was none */
	struct session_sanitizer {
		struct sanitizer *checks;  /* NULL: none */
		int status;                /* of the process if something was found */
		bool is_faulty;            /* a device fault has ended the program's work */
		bool has_ended, is_broken; /* is_broken: its files could not be written */
	} sanitizer;
};

/* session_options.c. Paths are malloc'ed. */
char *session_command(void); /* the program's command line */

/* session_link.c: the texts that were joined to a text; one if none were joined; and one more that
 * these call. Names are malloc'ed, texts are parts of the argument or constant. */
size_t session_parts(const char *text, size_t size, const char *name, struct session_part **parts);
/* session_grid.c: whether a text names calls of cooperative groups; the text that has them. */
bool session_calls_grid(const char *text, size_t size);
struct session_part session_grid_calls(void);
void session_parts_free(struct session_part *parts, size_t count);

/* session_folder.c: makes the folder, or if another run or another process of this run has it the first free
 * one of NAME.2, NAME.3 ..., and locks it until the lock is closed. Its name, to be freed, and the lock;
 * NULL, with a diagnostic, if that fails. */
char *folder_take(
	const char *folder, struct run_records *records, struct descriptor *lock, struct diag_list *diags);
/* The same of a file that the user has named, which is neither made nor locked. */
char *file_take(const char *path, struct run_records *records);

/* Whether the folder can be made, or a file written at the path; errno says why not. */
bool session_folder_is_writable(const char *folder);
bool session_file_is_writable(const char *path);

/* session.c: in the process of a branch. The session goes on with another machine, which takes over memory
 * from its own; config, of the files config_path, becomes the new session's. NULL, with diagnostics, if that
 * is not possible. */
struct session *session_succeed(struct session *session, struct config *config, const char *config_path,
	const char *folder, struct diag_list *diags);
void session_forked(struct session *session);
/* The session before, whose files are the parent's, when the next one has its memory. */
void session_forget(struct session *session);

/* session_counters.c: what the machine counts during a launch. It is needed by the files, and by the line of
 * the launch on the terminal if it gets one. begin: at its start; end: at its end, when kernel->counted has
 * it. */
void counters_begin(struct session *session, const struct launch *launch, struct session_kernel *kernel);
void counters_end(struct session *session, struct session_kernel *kernel);
void counters_release(struct session *session, struct session_kernel *kernel); /* kernel->counted goes */

/* session_output.c */
/* In the process of a branch: the files go on in another folder. */
bool output_branch(struct session *session, const char *folder, struct diag_list *diags);
bool output_open(struct session *session, const char *folder, struct diag_list *diags);
void output_kernel(struct session *session, const struct launch *launch, const struct launch_result *result,
	const struct session_kernel *kernel);
void output_discard(struct session *session); /* instead of output_close: the session did not begin */
bool output_close(struct session *session);   /* false if anything could not be written */

/* session_stats.c: stats.txt and stats.json, which are open. launch: a section of the launch, if one is
 * wanted; save: the part about the whole run, if enough has happened since it was last written; end: the same
 * at the end of the run. Up to then it is marked as that of a run that was interrupted, which it is if the
 * process dies. */
void stats_begin(struct session *session);
void stats_launch(struct session *session, const struct launch *launch, const struct launch_result *result,
	const struct session_kernel *kernel);
void stats_save(struct session *session);
void stats_end(struct session *session);
/* How a launch was executed: "timed", "functional", "warm-up", "timing-limit" (in part), "repeated". */
const char *launch_timing(const struct session *session, const struct launch_result *result);
extern const char *const launch_outcomes[]; /* by enum gpu_outcome */

/* launch_table.c: launches.csv, which is open. */
void launch_table_begin(FILE *f);
void launch_table_add(const struct session *session, const struct launch *launch,
	const struct launch_result *result, const struct session_kernel *kernel, FILE *f);

/* notes.c: the elements of an array. */
void notes_json(const struct session *session, FILE *f);
void notes_free(struct session *session);

/* session_gpgpusim.c; to be called only for STYLE_GPGPUSIM. enable: switches on the observers that the
 * lines need, unless later settings of the user switch them off. kernel: a kernel has ended; end: the
 * session ends, with its file still open. */
void gpgpusim_enable(struct session *session, struct diag_list *diags);
void gpgpusim_kernel(struct session *session, const struct launch *launch, const struct launch_result *result,
	const struct stat_snapshot *since);
void gpgpusim_end(struct session *session);

/* session_energy.c: energy.txt and energy.csv, which are open; parts of stats.json and of the terminal, if
 * there is a model. */
struct energy_counts *session_energy_now(struct session *session); /* malloc'ed; NULL: no model */
void energy_output_begin(struct session *session);
void energy_output_kernel(struct session *session, const struct launch *launch,
	const struct launch_result *result, const struct session_kernel *kernel);
void energy_output_end(struct session *session);
void energy_json(struct session *session, const struct session_kernel *kernel, FILE *f);
void energy_print(struct session *session, FILE *f);

/* session_sample.c: the estimates for the whole run, if sampling was asked for. */
void sample_print(struct session *session, FILE *f);
/* All statistics of a sampled run, estimated, with their intervals: a section of stats.txt between these
 * lines, and a member of stats.json; nothing if nothing is estimated. */
void estimates_text(struct session *session, const char *begin, const char *end, FILE *f);
void estimates_json(struct session *session, FILE *f);

/* session_monitor.c: for who watches the run, if somebody does and it is time. */
void session_monitor_write(struct session *session, bool has_ended);

/* session_timeline.c: the file of --timeline. false, with diagnostics: it cannot be opened, or
 * observe.timeline is wrong; false: it could not be written. */
bool session_timeline_open(struct session *session, const char *path, struct diag_list *diags);
bool session_timeline_close(struct session *session);
void session_timeline_discard(struct session *session); /* instead: the session did not begin */
/* A launch that has ended; its slice. */
struct timeline_slice session_timeline_kernel(
	struct session *session, const struct launch *launch, const struct launch_result *result);

/* session_kernels.c: a launch's own counters; the same of several launches. */
void kernel_text(const struct session *session, const struct launch *launch,
	const struct launch_result *result, FILE *f);
void kernel_json(const struct session *session, const struct launch *launch,
	const struct launch_result *result, FILE *f);
void own_text(const struct session *session, const struct kernel_stats *stats, FILE *f);
void own_json(const struct session *session, const struct kernel_stats *stats, FILE *f);
void streams_add(struct session *session, const struct launch *launch, const struct launch_result *result);
void streams_text(const struct session *session, FILE *f);
void streams_json(const struct session *session, FILE *f);
void streams_free(struct session *session);

/* kernel_sums.c: the launches of each kernel added up, in stats.txt, stats.json, and on the terminal (if a
 * timing limit was reached). */
void kernel_sums_begin(struct session *session);                                /* before the first launch */
uint64_t kernel_sums_launches(const struct session *session, const char *name); /* that have ended */
void kernel_sums_add(struct session *session, const struct launch *launch, const struct launch_result *result,
	const struct session_kernel *kernel);
/* A section for each kernel, between these lines; a few numbers of all kernels, by name. */
void kernel_sums_sections(const struct session *session, const char *begin, const char *end, FILE *f);
void demangled_text(const char *name, FILE *f); /* a line of comment with a name of C++; of others nothing */
void kernel_sums_text(const struct session *session, FILE *f);
void kernel_sums_json(const struct session *session, FILE *f);
void kernel_sums_energy(const struct session *session,
	void (*print)(const struct session *session, const char *name, uint64_t launches,
		uint64_t overlapping, const struct energy_counts *counts));
void kernel_sums_print(const struct session *session, FILE *f);
void kernel_sums_free(struct session *session);

/* session_interrupt.c: between these calls SIGINT and SIGTERM end the run (session_interrupted) instead of
 * the process. */
void interrupt_catch(void);
void interrupt_release(void);

/* session_crash.c: between these calls a line on stderr says of which signal the process dies; if `plugins`,
 * that a plug-in may be the cause. */
void crash_catch(const char *output, bool plugins);
void crash_release(void);

/* session_chip.c: code for sm_N is loaded; a line says so if the chip is older. */
void chip_check(struct session *session, uint32_t sm);

/* session_sanitize.c: before the machine is built; after a launch. false: with diagnostics. */
bool sanitize_begin(struct session *session, const struct session_options *options, struct diag_list *diags);
void sanitize_launched(struct session *session, const struct launch_result *result);

/* session_progress.c */
void progress_begin(struct session *session); /* for each kernel */
void progress_end(struct session *session);
void progress_clear(struct session *session); /* the live line goes */

/* session_launches.c: a launch has ended; the sums of those without a line of their own. */
bool launches_has_line(const struct session *session, const char *kernel); /* whether its next launch has one
									    */
void launches_ended(struct session *session, const struct launch *launch, const struct launch_result *result,
	const struct stat_vector *counted); /* by the machine in its time; may be empty */
void launches_print_others(struct session *session);
void launches_free(struct session *session);

#endif
