/* sim/config/config_find.h -- what the user wrote where a name or a file is expected: the configurations and
 * energy models that come with Lockstep go by their names.
 *
 * The rule is one for every option, key of a file and argument: a bare name (without a / and without .yaml at
 * its end) of something that comes with Lockstep is that, whatever lies in the current folder; everything
 * else is a file. */
#ifndef SIM_CONFIG_CONFIG_FIND_H
#define SIM_CONFIG_CONFIG_FIND_H

#define CONFIG_ENERGY "energy" /* the folder of the energy models, as config_find takes it */

/* The path of configs/NAME.yaml, or of configs/FOLDER/NAME.yaml (found from the path of this library), to be
 * freed by the caller; NULL if text is no bare name or there is none: text is a file then. folder: NULL for
 * the configurations themselves. */
char *config_find(const char *folder, const char *text);

/* The same, or what `text` means as a file: malloc'ed, never NULL. */
char *config_path(const char *folder, const char *text);

#endif
