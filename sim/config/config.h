/* sim/config/config.h -- a configuration: YAML text with locations, inheritance through `base:`,
 * overrides, and the values that components have read from it.
 *
 * Use: config_new, config_load (a file; its `base: other.yaml`, relative to the file, or `base: gtx480`, is
 * loaded first and overlaid key by key), config_set for each --set, then config_read for every component,
 * then config_check_unknown. Only mappings and scalars are supported; a sequence is an error with its
 * location.
 *
 * Files whose names begin with + are overlays: parts of a machine that can be combined with any base, in
 * any order. Therefore two overlays may not give a key different values, which config_read reports. A file
 * that is not an overlay, or a --set, overrides all overlays before it. An overlay may have a base of its
 * own, and may override it. */
#ifndef SIM_CONFIG_CONFIG_H
#define SIM_CONFIG_CONFIG_H

#include "sim/base/diag.h"
#include "sim/config/param.h"
#include <stdio.h>

struct config;

struct config *config_new(void);
void config_free(struct config *config);

/* Whether a file is an overlay, judged by its name. */
bool config_is_overlay(const char *path);

/* Overlays a YAML file: its path, or the name of a configuration that comes with Lockstep
 * (sim/config/config_find.h), as in its `base:`. Returns false, with diagnostics, if it cannot be read or
 * parsed, or if its bases form a loop. */
bool config_load(struct config *config, const char *path, struct diag_list *diags);
/* The same for a text in memory; name stands for the file in messages. */
bool config_load_text(struct config *config, const char *name, const char *text, struct diag_list *diags);
/* Overlays one "path.to.key=value"; origin is its name in messages ("--set l1.ways=4"). */
bool config_set(struct config *config, const char *assignment, struct diag_list *diags);

/* Reads the parameters of one component at a dotted path ("sm.l1") into object: the configured value if
 * there is one, else the default. Values of the wrong type or out of range are reported with location,
 * range, default and unit, and the default is used. object may be NULL: then the values are only checked
 * and recorded as known (for a policy that was not chosen). Numbers may be written 32768, 0x8000, 32K, 1M,
 * 1G (powers of two) or 700.5. Path, table and resolved values are recorded in order, for the printers
 * below. */
void config_read(struct config *config, const char *path, const struct sim_param *table, void *object,
	struct diag_list *diags);
/* Fills an object with the defaults of its table. */
void config_defaults(const struct sim_param *table, void *object);
/* Reports every key that no config_read has read as an error, with the nearest known key. */
void config_check_unknown(struct config *config, struct diag_list *diags);

/* The location of path.key's value if it was configured (with its text, for quoting), else a location
 * without file. For errors that a component finds after reading (sizes that do not fit together). */
struct diag_location config_location(const struct config *config, const char *path, const char *key);

/* Printers, in the order of reading. resolved: YAML, one key a line, each with "# origin" (default,
 * file:line, --set). doc: for each section a table of key, default, range, unit and description. A
 * resolved file can be loaded again and gives the same values. */
void config_print_resolved(const struct config *config, FILE *stream);
/* Prints "path = value" lines, values as in YAML, without origins: two configurations with equal values
 * print the same text. */
void config_print_flat(const struct config *config, FILE *stream);
void config_print_doc(const struct config *config, FILE *stream);
/* Prints a text in one line of a YAML comment. Characters that YAML refuses even there (ends of lines,
 * other control characters, invalid UTF-8), which names of files may contain, become '?'. */
void config_print_comment(const char *text, FILE *stream);

#endif
