/* experiment/workload.h -- the benchmark programs in build/bench/<suite>/<name>, as they describe themselves
 * (--describe). */
#ifndef EXPERIMENT_WORKLOAD_H
#define EXPERIMENT_WORKLOAD_H

#include "sim/base/diag.h"

enum { WORKLOAD_SIZES = 8, WORKLOAD_PRESETS = 4 };

/* The sizes that every benchmark has, from the smallest, and how a message lists them. */
extern const char *const workload_presets[WORKLOAD_PRESETS];
#define WORKLOAD_PRESET_LIST "tiny, small, repro or paper"

struct workload_size {
	char *name, *help;
	uint64_t preset[WORKLOAD_PRESETS], max; /* in the order of workload_presets[] */
};

struct workload {
	char *path;  /* of the program */
	char *label; /* suite/name */
	char *suite, *name, *help, *source, *tags;
	char *ptx;   /* its kernels; NULL: unknown */
	char *chip;  /* the configuration that it is run with unless another is named; NULL: any */
	char *repro; /* why its size repro is what it is; NULL: it does not say */
	struct workload_size sizes[WORKLOAD_SIZES];
	uint32_t size_count;
	/* thread instructions of a run that are timed at the paper's size, as in the papers, and at the size
	 * repro; 0: all */
	uint64_t limit, repro_limit;
};

struct workload_list {
	struct workload *items; /* by label */
	size_t count;
};

/* All that were built; they must be able to find libcuda.so.1 (process_use_libcuda). false, with diagnostics,
 * if there are none or one does not describe itself. */
bool workloads_find(struct workload_list *list, struct diag_list *diags);
void workloads_fini(struct workload_list *list);

/* Whether text is one of workload_presets[]. */
bool workload_is_preset(const char *text);
/* How many thread instructions of a run are timed at the preset of this name; 0: all. */
uint64_t workload_limit(const struct workload *w, const char *preset);
/* Whether a word selects it: "all", its suite, its name, suite/name, or one of its tags. */
bool workload_is(const struct workload *w, const char *word);
/* The suite, name or suite/name nearest to a word that selects nothing; NULL if none is near. */
const char *workload_nearest(const struct workload_list *all, const char *word);

#endif
