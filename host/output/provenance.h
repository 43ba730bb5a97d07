/* host/output/provenance.h -- where a file of results comes from: version, build, seed, command. */
#ifndef HOST_OUTPUT_PROVENANCE_H
#define HOST_OUTPUT_PROVENANCE_H

#include "sim/base/types.h"
#include <stdio.h>

struct provenance {
	const char *command; /* as the user typed it; NULL: none */
	uint64_t seed;       /* gpu.seed */
};

/* Two lines that begin with #, for the top of a text:
 *   # lockstep 0.1.0, build 5784490f431724a5, seed 1
 *   # command: lockstep run -- ./program
 * and, if what follows is incomplete for the user's Ctrl-C, a third one that says so. They are comments of
 * YAML too: of the command what YAML refuses becomes '?', and there is no end of line in it. */
void provenance_text(const struct provenance *provenance, bool is_interrupted, FILE *stream);
/* The members "version", "build", "seed" and "command" of an object, a line each, with a comma behind each.
 */
void provenance_json(const struct provenance *provenance, FILE *stream);

#endif
