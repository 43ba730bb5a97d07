/* experiment/sweep/file/program.h -- the programs of a sweep: benchmarks that its words select, at a size, or
 * others. */
#ifndef EXPERIMENT_SWEEP_PROGRAM_H
#define EXPERIMENT_SWEEP_PROGRAM_H

#include "experiment/hash.h"
#include "experiment/sweep/file/file.h"
#include "experiment/workload.h"

struct sweep_program {
	const struct sweep_item *item;
	const struct workload *workload; /* NULL: none of ours */
	char *path, *label, *size;       /* size: a preset, or the arguments in one text */
	bool is_recording;               /* path: a file of lockstep record */
	char **arguments;                /* NULL-terminated; each malloc'ed */
	uint64_t limit;                  /* thread instructions that are timed; 0: all */
	char limit_text[24];
	struct hash hash; /* of the program, its PTX, its input files */
};

/* All that the file asks for, each workload and size once; malloc'ed. NULL, with diagnostics, if something is
 * not there. */
struct sweep_program *sweep_programs_find(const struct sweep_file *file,
	const struct workload_list *workloads, size_t *count, struct diag_list *diags);
void sweep_programs_free(struct sweep_program *programs, size_t count);

#endif
