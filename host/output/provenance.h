/* host/output/provenance.h -- records how a file of results was made: version, build, seed, command. */
#ifndef HOST_OUTPUT_PROVENANCE_H
#define HOST_OUTPUT_PROVENANCE_H

#include "sim/base/types.h"
#include <stdio.h>

#define PROVENANCE_NOTES 8          /* at most */
#define PROVENANCE_NOTE  "# note: " /* before each, at the top of a text */

struct provenance {
	const char *command;           /* as the user typed it; NULL: none */
	uint64_t seed;                 /* gpu.seed */
	char *notes[PROVENANCE_NOTES]; /* on what the results depend besides */
	unsigned note_count;
};

/* Prints two lines that begin with #, for the top of a text:
 *   # lockstep 0.1.0, build 5784490f431724a5, seed 1
 *   # command: lockstep run -- ./program
 * and one for each note; if the results are incomplete because the user interrupted the run, another that
 * says so. The lines are valid comments of YAML too: characters of the command that YAML refuses become '?',
 * and ends of lines are replaced. */
void provenance_text(const struct provenance *provenance, bool is_interrupted, FILE *stream);
/* Prints the members "version", "build", "seed" and "command" of an object, one a line, each followed by a
 * comma. */
void provenance_json(const struct provenance *provenance, FILE *stream);

#endif
