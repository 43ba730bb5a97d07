/* sim/config/config_find.h -- the configurations and energy models that come with Lockstep, by name. */
#ifndef SIM_CONFIG_CONFIG_FIND_H
#define SIM_CONFIG_CONFIG_FIND_H

#include <stdbool.h>

/* The path of configs/NAME.yaml (found from the path of this library), to be freed by the caller; NULL if
 * there is none. */
char *config_find(const char *name);

/* Whether what the user wrote as an energy model is a path: it has a / or ends in .yaml. */
bool config_is_model_path(const char *text);

#endif
