/* core/energy/energy_place.h -- where energy is spent: the estimate by SM, L2 slice and DRAM channel
 * (groups "sm.energy", "l2.energy" and "dram.energy"), and what has no such place.
 *
 * An event belongs where its statistic is counted. Energies of places are whole picojoules, and the total of
 * the estimate is their sum. */
#ifndef CORE_ENERGY_ENERGY_PLACE_H
#define CORE_ENERGY_ENERGY_PLACE_H

#include "core/energy/energy_event.h"

/* The first three have many places. CHIP: counted for the whole chip only, such as its leakage. */
enum energy_place_kind {
	PLACE_SM,
	PLACE_L2,
	PLACE_DRAM,
	PLACE_NETWORK,
	PLACE_CHIP,
	PLACE_BOARD,
	PLACE_KINDS
};
extern const char *const energy_place_names[PLACE_KINDS + 1];

struct energy_place {
	uint64_t picoseconds, total; /* pJ */
};

struct energy_places {
	struct energy_place *of[PLACE_KINDS];
	size_t count[PLACE_KINDS];
	double *pj; /* of all places, one kind after the other */
};

/* Registers the groups. */
void energy_places_new(struct energy_places *places, struct stat_tree *tree);
void energy_places_free(struct energy_places *places);
/* The events have been brought up to date; factor: pJ of each coefficient's activity. Writes the sums of the
 * kinds, and returns their sum. */
uint64_t energy_places_account(struct energy_places *places, const struct coefficients *model,
	const struct energy_events *events, const double *factor, picoseconds time,
	uint64_t sums[PLACE_KINDS]);
/* Whole picojoules; at most what differences of counters can hold (9 MJ). */
uint64_t whole_picojoules(double pj);

#endif
