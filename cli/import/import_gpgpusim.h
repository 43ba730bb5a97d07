/* cli/import/import_gpgpusim.h -- GPGPU-Sim's configuration files as a configuration of ours: lockstep config
 * import.
 *
 * gpgpusim.config holds "-option value" pairs, apart by blanks and line ends, a # begins a comment, a value
 * with blanks stands in quotes;
 * *.icnt, its network's (BookSim's form), holds "name = value;", and // begins a comment. import_gpgpusim.def
 * says what becomes of each option. */
#ifndef CLI_IMPORT_IMPORT_GPGPUSIM_H
#define CLI_IMPORT_IMPORT_GPGPUSIM_H

#include "sim/base/diag.h"
#include <stdio.h>

/* Reads the files, a later one's options over an earlier one's, and writes the YAML to stream: every
 * parameter, with the option that it comes from or "default"; behind it, as comments, what was changed on the
 * way and what was left out, each with its reason. summary: lines for people (stderr). false, with
 * diagnostics and nothing written, if a file cannot be read, a value is malformed, or the whole fits no
 * machine. */
bool import_gpgpusim(char *const *paths, size_t count, FILE *stream, FILE *summary, struct diag_list *diags);

/* --- for the files of the import only --- */

struct import_file {
	const char *path;
	char *text; /* malloc'ed; its lines are quoted in messages */
	size_t size;
};

struct import_option {
	const struct import_file *file;
	char *name, *value; /* malloc'ed. The value: without quotes, comments and line ends, */
	size_t *at;         /* whose byte i stands at text[at[i]], the place behind it at the end */
	size_t name_at;
	bool is_overridden; /* said again later */
	bool is_carried;
};

enum import_kind { IMPORT_CHANGED, IMPORT_LEFT_OUT, IMPORT_UNKNOWN, IMPORT_KINDS };

struct import_remark {
	enum import_kind kind;
	const struct import_option *option;
	char *text;
};

/* One parameter of ours. */
struct import_setting {
	char *path, *value;
	const struct import_option *option;
	bool is_dropped; /* our parameter does not take the value */
};

struct import {
	struct import_file *files;
	size_t file_count;
	struct import_option *options;
	size_t option_count;
	struct import_setting *settings;
	size_t setting_count;
	struct import_remark *remarks;
	size_t remark_count;
	struct diag_list *diags;
};

/* import_read.c: false with diagnostics. */
bool import_read(struct import *import, char *const *paths, size_t count);
void import_files_free(struct import *import);
/* The option that counts, or NULL; its value as a number, or the one GPGPU-Sim takes if it is not given. */
struct import_option *import_find(const struct import *import, const char *name);
double import_number(struct import *import, const char *name, double otherwise);
/* Whether a switch is on, or what it is if it is not given; L2 slices of a controller. */
bool import_is_on(struct import *import, const char *name, bool otherwise);
double import_sub_partitions(struct import *import);
/* The place of byte `at` of the value. */
struct diag_location import_location(const struct import_option *option, size_t at);

/* import_value.c: reading a value from front to back. What is wrong is reported once, with its location; from
 * then on everything fails. */
struct import_cursor {
	struct import *import;
	struct import_option *option;
	size_t at;
	bool failed;
};
struct import_cursor import_cursor(struct import *import, struct import_option *option);
double take_number(struct import_cursor *c, const char *what);
/* One of these letters, or 0. */
char take_letter(struct import_cursor *c, const char *letters, const char *what);
bool take_if(struct import_cursor *c, char letter);
void take_end(struct import_cursor *c);
void expected(struct import_cursor *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What one number of a list becomes. */
struct import_part {
	const char *what; /* in messages; NULL: the end */
	const char *path; /* NULL: nothing */
	double more;      /* added to the number */
};

/* All of the value is a list of numbers with separators between them: at least so many, which are set. */
void take_list(struct import *import, struct import_option *option, char separator,
	const struct import_part *parts, size_t least);

/* Our parameter gets this value; the option counts as carried over. The latter: a remark about an option. */
void import_set(struct import *import, struct import_option *option, const char *path, const char *format,
	...) __attribute__((format(printf, 4, 5)));
void import_set_number(struct import *import, struct import_option *option, const char *path, double value);
void import_remark(struct import *import, enum import_kind kind, const struct import_option *option,
	const char *format, ...) __attribute__((format(printf, 4, 5)));

/* import_print.c: the result with its remarks; counts, and what was left out, for people. */
struct config;
void import_print_yaml(const struct import *import, const struct config *config, FILE *stream);
void import_print_summary(const struct import *import, FILE *stream);

/* What becomes of options whose values have parts: import_parts.c, import_sm.c,
 * import_cache.c, import_dram.c, import_map.c. */
typedef void import_function(struct import *import, struct import_option *option);
import_function import_clocks, import_cores, import_pipeline, import_widths, import_latency_int,
	import_latency_fp, import_latency_dp, import_interval_int, import_interval_fp, import_interval_dp,
	import_latency_sfu, import_latency_tensor, import_scheduler, import_queues, import_capability,
	import_skip_l1, import_perfect, import_network, import_allocator, import_units_dp, import_coalescing,
	import_flush_l1, import_flush_l2, import_launch;
import_function import_l1d, import_l2, import_constant, import_instruction, import_texture;
import_function import_partitions, import_bus, import_timing, import_mapping, import_dram_scheduler,
	import_dram_queue, import_write_queue, import_bank_index, import_group_index;

#endif
