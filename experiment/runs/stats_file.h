/* experiment/runs/stats_file.h -- the statistics of a run, read back from its stats.txt: section by section,
 * each a list of names with their values. Made for large files (a chip of 128 SMs writes 10^6 lines): one
 * pass, texts stay where they were read. */
#ifndef EXPERIMENT_RUNS_STATS_FILE_H
#define EXPERIMENT_RUNS_STATS_FILE_H

#include "sim/base/diag.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One line: "name value # help (unit)". Texts are the file's, for as long as it is not freed. */
struct stats_value {
	const char *name; /* "sm.l1d.misses", "sm[3].issue_slots::issued" */
	const char *text; /* the value as written */
	const char *unit; /* empty: none */
	const char *help;
	double value;   /* NAN: "nan"; a whole number beyond 2^53 is rounded */
	uint64_t whole; /* if is_whole, exactly */
	bool is_whole;
	bool is_estimated; /* of STATS_ESTIMATES, and not all was counted: */
	double low, high;  /* its 95 % interval; NAN: not known. Else the value */
};

enum stats_kind {
	STATS_KERNEL,    /* in the time of one launch, and as kernel.* the launch's own */
	STATS_STREAMS,   /* stream.* and stream[N].* of the whole run */
	STATS_KERNELS,   /* kernels.*::NAME, all launches of a kernel added up */
	STATS_LAUNCHES,  /* of one kernel: all its launches added up, and the machine's during these */
	STATS_ESTIMATES, /* of the whole run, as it would be without sampling */
	STATS_TOTAL,     /* of the whole run; with sampling, of what was timed */
};

struct stats_section {
	enum stats_kind kind;
	uint32_t line;    /* where it begins */
	const char *name; /* STATS_KERNEL, STATS_LAUNCHES: of the kernel */
	/* STATS_KERNEL */
	uint64_t id;
	uint32_t grid[3], block[3];
	bool is_functional, is_timing_limited, is_warmup, is_repeated, is_fault;
	/* STATS_TOTAL, STATS_ESTIMATES */
	uint64_t kernels; /* of how many launches */
	/* STATS_KERNEL, STATS_TOTAL: by the user */
	bool is_interrupted;

	const struct stats_value *values;
	size_t count;
	uint32_t *slots; /* stats_section_index */
	size_t slot_count;
};

struct stats_file {
	char *path; /* of stats.txt itself */
	/* From the comments at the top; NULL where there is none (an older file). */
	const char *version, *build, *seed, *command;
	struct stats_section *sections; /* in the order of the file */
	size_t section_count;

	char *text; /* all texts are in it */
	struct stats_value *values;
};

/* path: stats.txt, whatever it is called, or the output folder that has it. NULL, with diagnostics and their
 * lines, if it cannot be read, or is not what Lockstep writes: a line that is none, a section without an end,
 * a second total. */
struct stats_file *stats_file_read(const char *path, struct diag_list *diags);
void stats_file_free(struct stats_file *file);

/* The section of the whole run; NULL: the run did not come to its end (its process was killed). */
struct stats_section *stats_file_total(const struct stats_file *file);
/* What the run is to be judged by: of one with sampling the section of estimates, if anything is estimated,
 * else that of the whole run. NULL as above. */
struct stats_section *stats_file_results(const struct stats_file *file);
/* The section of streams; NULL: there is none (no kernel was launched, or there is no total either). */
struct stats_section *stats_file_streams(const struct stats_file *file);

/* That of kernels by name; NULL likewise, or it is an older file. */
struct stats_section *stats_file_kernels(const struct stats_file *file);

/* Prepares stats_section_find; again: nothing. False, with a diagnostic, if a name stands there twice. */
bool stats_section_index(
	const struct stats_file *file, struct stats_section *section, struct diag_list *diags);
/* NULL: there is no such statistic. After stats_section_index. */
const struct stats_value *stats_section_find(const struct stats_section *section, const char *name);

/* Whether it is of one of several objects ("sm[3].cycles") and not of all. */
bool stats_is_instance(const char *name);

#endif
