/* core/energy/energy_stats.h -- the statistics of group "energy", which depend on the model: components and
 * coefficients have its names. */
#ifndef CORE_ENERGY_ENERGY_STATS_H
#define CORE_ENERGY_ENERGY_STATS_H

#include "core/energy/energy.h"

#define ENERGY_STATS 20

struct energy_layout {
	struct sim_stat stats[ENERGY_STATS]; /* with its end */
	const char *components[ENERGY_COMPONENTS + 1];
	size_t component_count;
	uint8_t component_of[ENERGY_COEFFICIENTS];
	const char *coefficients[ENERGY_COEFFICIENTS + 1], *scales[ENERGY_SCALES + 1];
};

/* The model must outlive the layout. False, with diagnostics: the model has too many components. */
bool energy_layout_make(struct energy_layout *layout, const struct coefficients *model, const char *path,
	struct diag_list *diags);

#endif
