/* cli/correlate/launches.h -- kernel launches and what was measured of each: simulated ones (launches.csv of
 * a run) and those of a card (CSV of Nsight Compute). */
#ifndef CLI_CORRELATE_LAUNCHES_H
#define CLI_CORRELATE_LAUNCHES_H

#include "experiment/csv_table.h"
#include <stdbool.h>
#include <stdint.h>

enum metric { METRIC_CYCLES, METRIC_TIME, METRIC_INSTRUCTIONS, METRIC_DRAM, METRICS };

/* "cycles", "time", "instructions", "dram" */
extern const char *const metric_names[METRICS];
extern const char *const metric_units[METRICS]; /* cycles, ns, warp instructions, bytes */

struct measured_launch {
	const char *kernel;    /* as the file has it, mangled or not */
	const char *demangled; /* of a run: as C++ has it; empty if it is the same */
	uint32_t grid[3], block[3];
	double value[METRICS]; /* NAN: not measured */
	unsigned line;
};

/* In the order of launch. Texts are the table's. */
struct measured_launches {
	struct csv_table *table;
	struct measured_launch *launches;
	size_t count;
};

/* path: a run's output folder, or its launches.csv. Launches without timing have no cycles, time or DRAM
 * bytes. False, with diagnostics: it cannot be read. */
bool launches_of_run(const char *path, struct measured_launches *to, struct diag_list *diags);
/* path: what `ncu --csv` printed, of its page raw or details; lines before the header are passed over. False,
 * with diagnostics: it cannot be read, or has none of the metrics. */
bool launches_of_card(const char *path, struct measured_launches *to, struct diag_list *diags);
void launches_fini(struct measured_launches *launches);

#endif
