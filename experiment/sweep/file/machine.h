/* experiment/sweep/file/machine.h -- the machines of a sweep: one for each base configuration, combination of
 * levels and seed, and for each workload with parameters of its own. */
#ifndef EXPERIMENT_SWEEP_MACHINE_H
#define EXPERIMENT_SWEEP_MACHINE_H

#include "experiment/hash.h"
#include "experiment/sweep/file/file.h"

struct sweep_machine {
	struct hash hash; /* of the text */
	char *text;       /* every parameter in effect (config_print_flat) */
	char **arguments; /* -c FILE, --set PATH=VALUE, --series ...: for 'lockstep run'; NULL-terminated,
			     each malloc'ed */
	char *then; /* what changes at file->at, as --then takes it; NULL: nothing. It is in the text, but
		       not in the arguments */
	const char **words; /* that levels add to the program's arguments, of the sweep file; NULL-terminated.
			       The machine is the same without them */
};

/* Where it stands in the sweep's space. */
struct sweep_location {
	const struct sweep_item *item; /* the workload: some have parameters of their own */
	size_t base;                   /* of file->bases */
	const size_t *levels;          /* one a factor */
	bool has_seed;
	uint32_t seed;
};

/* false, with diagnostics at their places in the sweep file, if the machine cannot be built like this. A
 * complaint that *diags holds already is not repeated. */
bool sweep_machine_make(struct sweep_machine *machine, const struct sweep_file *file,
	const struct sweep_location *location, struct diag_list *diags);
void sweep_machine_free(struct sweep_machine *machine);

#endif
