/* cli/energy/show.h -- lockstep energy show. */
#ifndef CLI_ENERGY_SHOW_H
#define CLI_ENERGY_SHOW_H

/* Prints a model, which is named as --energy names it: its scales, and its coefficients with their origin.
 * The status of the command. */
int show_model(const char *name);

#endif
