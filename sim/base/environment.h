/* sim/base/environment.h -- variables of the environment by which `lockstep run`, or the user, tells the
 * library what to do. A program may empty its environment before it calls us. */
#ifndef SIM_BASE_ENVIRONMENT_H
#define SIM_BASE_ENVIRONMENT_H

/* The value as the program has set it; or, if it has no such variable any more, as the process was given it.
 * Only for names that begin with LOCKSTEP_. NULL: there is none. It is valid until the variable is changed.
 */
const char *environment_get(const char *name);

#endif
