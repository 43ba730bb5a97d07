/* experiment/interactions/design.h -- a part of all combinations of levels that still tells main effects and
 * two-way interactions apart. */
#ifndef EXPERIMENT_INTERACTIONS_DESIGN_H
#define EXPERIMENT_INTERACTIONS_DESIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Chooses `runs` of the candidates (candidate by candidate the level of each factor) such that the
 * determinant of the information matrix is large (D-optimality, by Fedorov's exchange of single runs from a
 * start that `seed` decides; Fedorov, "Theory of Optimal Experiments", 1972). Candidate `keep` (SIZE_MAX:
 * none) is always chosen. The same arguments give the same choice. False: so few runs cannot tell the
 * parameters apart, of which *parameters is the number. */
bool design_choose(size_t factors, const size_t *levels, const size_t *candidates, size_t count, size_t keep,
	size_t runs, uint64_t seed, bool *chosen, size_t *parameters);

#endif
