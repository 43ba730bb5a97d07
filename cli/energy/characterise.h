/* cli/energy/characterise.h -- lockstep energy characterise: the activity of the energy micro-benchmarks
 * (benchmarks/energymicro) on the configured machine. */
#ifndef CLI_ENERGY_CHARACTERISE_H
#define CLI_ENERGY_CHARACTERISE_H

#include "cli/machine.h"

struct characterise_options {
	struct machine_options machine;
	const char *model, *jobs, *only, *repeat;
	bool list;
};

/* Rows for an option table; prefix: the path of the field in `type`. */
#define CHARACTERISE_OPTIONS(type, prefix) \
	MACHINE_OPTIONS(type, prefix machine.), \
		OPTION_TEXT(type, prefix model, 0, "energy", "MODEL", \
			"characterise: the model whose coefficients are the columns (default: gtx480)"), \
		OPTION_TEXT(type, prefix jobs, 'j', "jobs", "N", \
			"characterise: run N kernels at a time (default: as many as the host has " \
			"processors)"), \
		OPTION_TEXT(type, prefix only, 0, "only", "PATTERN", \
			"characterise: kernels whose name matches, as in --only 'dram_*'"), \
		OPTION_TEXT(type, prefix repeat, 0, "repeat", "N", \
			"characterise: each kernel does N times as much, so that its launch counts less\n" \
			"(default: 4)"), \
		OPTION_FLAG(type, prefix list, 0, "list", \
			"characterise: only print the kernels and what they do")

/* Runs them, each in a process of its own, and writes a row for each to `output` (NULL: activity.csv).
 * Returns the exit status. */
int characterise(const struct characterise_options *options, const char *output);

#endif
