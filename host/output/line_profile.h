/* host/output/line_profile.h -- the profile of a run: for each PTX line of each kernel, what it executed
 * and cost, added up over the kernel's launches; written as an annotated listing (profile.txt) and as
 * numbers (profile.json).
 *
 * The profile has its own copies of names and texts, so that modules may be unloaded before it is written.
 * A kernel that is loaded again from another module with the same text is the same kernel. */
#ifndef HOST_OUTPUT_LINE_PROFILE_H
#define HOST_OUTPUT_LINE_PROFILE_H

#include "core/gpu/gpu.h"
#include "core/diagnose/profile.h"
#include "host/output/provenance.h"

/* The text of a module, cut into lines. */
struct profile_source {
	struct profile_source *next;
	char *file, *text; /* text: as it was */
	size_t size;
	const char **lines; /* line n begins at lines[n - 1]; lines[line_count] is the end */
	uint32_t line_count;
};

/* A line of a function that a kernel can reach. */
struct profile_line {
	uint32_t function;  /* index */
	uint32_t number;    /* in the PTX text, from 1 */
	uint32_t uops;      /* number of micro-operations of the line */
	const char *origin; /* .loc: the file that it was compiled from (owned by the kernel), or NULL */
	uint32_t origin_line;
	struct line_counts counts; /* set by profile_add_up; producers are indices of lines */
};

struct profile_function {
	char *name;
	const struct profile_source *source;
	uint32_t first, last; /* line numbers */
	uint32_t start;       /* the first one's index in the kernel's lines */
};

struct profile_kernel {
	struct profile_kernel *next;
	char *name;
	struct profile_function *functions; /* the entry first */
	uint32_t function_count;
	struct profile_line *lines; /* line_count lines, and one more for lost slots that belong to no line */
	uint32_t line_count;
	char **origins; /* names of files */
	uint32_t origin_count;
	uint32_t *line_of; /* by micro-operation, and one more: index in lines */
	uint32_t uop_count;
	struct line_counts *counts; /* the counters to which the core adds: uop_count + 1 */
	uint64_t launches, unfinished, ctas, cycles;
	struct line_counts total;   /* of all lines, without the last; set by profile_add_up */
	uint64_t slots[SLOT_COUNT]; /* of all lines and the last; set by profile_add_up */
};

/* A kernel of a loaded module, and the kernel of the profile in which it is counted. */
struct profile_known {
	struct profile_known *next;
	const struct ptx_kernel *kernel;
	struct profile_kernel *counted;
};

struct profile {
	FILE *text, *json;
	struct provenance provenance;
	bool is_functional;
	bool is_interrupted; /* the run was interrupted, so that the counts are incomplete */
	struct profile_source *sources;
	struct profile_kernel *kernels, **end; /* in the order of their first launches */
	struct profile_known *known;
};

/* Creates profile.txt and profile.json in a folder. NULL, with diagnostics, if that fails. The texts to
 * which provenance points must stay valid. */
struct profile *profile_open(
	const char *folder, const struct provenance *provenance, bool is_functional, struct diag_list *diags);
/* The counters to which a launch of the kernel adds: for launch->profile. */
struct line_counts *profile_counts(struct profile *profile, const struct ptx_kernel *kernel);
/* To be called when a launch has ended, for whatever reason. */
void profile_launched(
	struct profile *profile, const struct ptx_kernel *kernel, const struct launch_result *result);
/* To be called when an image is unloaded: its kernels are no longer recognised by their addresses. */
void profile_forget(struct profile *profile, const struct ptx_image *image);
/* Writes both files and frees everything; false if that failed (errno). */
bool profile_close(struct profile *profile);

/* --- for the files of the profile and their tests --- */
struct profile *profile_new(void);
void profile_free(struct profile *profile);
/* line_profile_source.c */
void profile_source_free(struct profile_source *source);
/* A line without its newline; *length is set. */
const char *profile_source_line(const struct profile_source *source, uint32_t number, size_t *length);
/* Functions, lines and line_of of a new kernel. */
void profile_map_lines(struct profile *profile, struct profile_kernel *k, const struct ptx_kernel *kernel);
/* Adds the counts of micro-operations up to lines: sets lines[].counts, total, slots. */
void profile_add_up(struct profile_kernel *k);
/* Number of issue slots that were lost, of all causes. */
uint64_t profile_lost(const struct line_counts *counts);
/* The causes of lost slots of a line, the largest first; returns how many are not 0. */
uint32_t profile_causes(const struct line_counts *counts, enum slot_cause order[SLOT_COUNT]);
/* line_profile_text.c, line_profile_hints.c, line_profile_json.c. After profile_add_up. */
void profile_print_text(const struct profile_kernel *k, FILE *stream);
void profile_print_hints(const struct profile_kernel *k, FILE *stream);
void profile_print_json(const struct profile *profile, FILE *stream);
/* "l1_miss 92 %, ldst_busy 5 %"; empty if nothing was lost. */
void profile_format_causes(const struct line_counts *counts, char *text, size_t size);
/* The part of a path after the last slash. */
const char *profile_file_name(const char *path);
static inline double profile_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}
/* Requests that the L1 could have served: its cached loads. */
static inline uint64_t profile_l1_loads(const struct line_counts *c)
{
	return c->l1_hits + c->l1_misses + c->l1_merged;
}

#endif
