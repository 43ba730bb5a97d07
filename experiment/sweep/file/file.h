/* experiment/sweep/file/file.h -- a sweep file as it was read (docs/user/sweeps.md): what is asked for, not
 * yet what it comes to.
 *
 * Texts are the document's and live as long as the file; nodes are kept for messages with a place. */
#ifndef EXPERIMENT_SWEEP_FILE_H
#define EXPERIMENT_SWEEP_FILE_H

#include "sim/config/document.h"

struct sweep_texts {
	const char **items;
	doc_node *nodes;
	size_t count;
};

/* What a level, or the sweep itself, changes in the base configuration: configurations over it, then
 * parameters. */
struct sweep_changes {
	struct sweep_texts configs;
	struct sweep_texts paths, values; /* of parameters; of one length */
	struct sweep_texts arguments;     /* of a level: behind those of the program */
};

/* What makes a level the best of others of its factor. */
struct sweep_best {
	bool *of;       /* by level of the factor: whether it is one of those */
	const char *by; /* a statistic */
	bool least;     /* else the greatest value is best */
};

struct sweep_level {
	const char *name;
	doc_node node;
	struct sweep_changes changes;
	struct sweep_best *best; /* NULL: a machine of its own */
};

struct sweep_factor {
	const char *name;
	doc_node node;
	struct sweep_level *levels;
	size_t count;
};

/* Workloads: those that a word selects, or one program. */
struct sweep_item {
	doc_node node;
	const char *word;  /* of 'lockstep bench list'; NULL: a program */
	const char *label; /* of a program; NULL: its file's name */
	const char *program;
	const char *size; /* NULL: the sweep's */
	struct sweep_texts arguments, inputs;
	struct sweep_texts kernels; /* that matter: numbers, from 1 in the order of first launch, and names;
				       none: all */
	struct sweep_changes own;   /* parameters of its points: over the sweep's, under those of levels */
	size_t own_number;          /* from 1 among the items that have such; 0: none */
	bool has_arguments;
	bool allow_untimed_kernels;
};

/* A part of the space: each key (workload, size, base, seed or a factor) has one of its values. */
struct sweep_rule {
	doc_node node;
	struct sweep_texts keys;
	struct sweep_texts *values; /* one list a key */
};

struct sweep_derived {
	const char *name, *formula, *unit, *mean;
	const char *kernels; /* the mean over the kernels of a point; NULL: the formula is of the whole run,
				or: */
	bool is_each;        /* of each kernel, without a mean over them */
	doc_node node;
};

struct sweep_file {
	char *path, *folder, *text; /* folder: of the file, absolute */
	size_t size_of_text;
	struct document *document;
	char *name;
	const char *size, *series;
	doc_node series_node;
	struct sweep_item *items;
	size_t item_count;
	size_t own_count; /* of items with parameters of their own */
	struct sweep_texts bases;
	struct sweep_changes common;
	struct sweep_factor *factors;
	size_t factor_count;
	struct sweep_rule *excludes;
	size_t exclude_count;
	struct sweep_rule baseline; /* node 0: none */
	doc_node design_node;       /* 0: all combinations of levels */
	uint32_t design_runs, design_seed;
	uint32_t *seeds;
	size_t seed_count; /* 0: the programs' own */
	uint32_t seconds, mebibytes, retries;
	bool allow_untimed_kernels; /* a limit may leave kernels without any timing */
	bool forks;                 /* jobs that begin alike do that once */
	const char *at; /* the point of each run from which levels' policies are on; NULL: from the beginning
			 */
	doc_node at_node;
	struct sweep_derived *derived;
	size_t derived_count;
	char **made; /* texts that ranges of levels came to */
	size_t made_count;
};

/* NULL, with diagnostics (all of them, not the first only). */
struct sweep_file *sweep_file_read(const char *path, struct diag_list *diags);
/* Another size (of workload_presets[], not copied) in place of the file's. Where it is another one,
 * benchmarks that have a size or arguments of their own have this size, too; arguments beside --size stay. */
void sweep_file_resize(struct sweep_file *file, const char *size);
void sweep_file_free(struct sweep_file *file);

/* The factor of that name, or NULL; likewise its level. */
const struct sweep_factor *sweep_factor_find(const struct sweep_file *file, const char *name);
const struct sweep_level *sweep_level_find(const struct sweep_factor *factor, const char *name);

#endif
