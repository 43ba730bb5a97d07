/* sim/config/config.h -- a configuration: YAML text with positions, inheritance through `base:`, overrides,
 * and what was read from it.
 *
 * Use: config_new, config_load (a file; its `base: other.yaml`, relative to the file, is loaded first and
 * overlaid key by key), config_set for each --set, then config_read for every component, then
 * config_check_unknown. Mappings and scalars only; a sequence is an error with its place.
 *
 * Files whose names begin with + are overlays: parts of a machine that go on any base, in any order. So two
 * of them may not give a key different values; config_read says so where it finds that. What comes behind
 * them and is no overlay, a file or --set, overrides both. A base is its overlay's own, which may override
 * it. */
#ifndef SIM_CONFIG_CONFIG_H
#define SIM_CONFIG_CONFIG_H

#include "sim/base/diag.h"
#include "sim/config/param.h"
#include <stdio.h>

struct config;

struct config *config_new(void);
void config_free(struct config *config);

/* Whether a file is an overlay, by its name. */
bool config_is_overlay(const char *path);

/* Overlays a YAML file. false, with diagnostics, if it cannot be read or parsed (a loop of bases included).
 */
bool config_load(struct config *config, const char *path, struct diag_list *diags);
/* The same from memory; name stands for the file in messages. */
bool config_load_text(struct config *config, const char *name, const char *text, struct diag_list *diags);
/* Overlays one "path.to.key=value"; origin names it in messages ("--set l1.ways=4"). */
bool config_set(struct config *config, const char *assignment, struct diag_list *diags);

/* Reads the parameters of one component at a dotted path ("sm.l1") into object: the configured value where
 * there is one, else the default. Wrong types and values out of range are diagnosed with place, range,
 * default and unit, and leave the default. object may be NULL: the values are only checked and remembered as
 * known (a policy that was not chosen). Numbers may be written 32768, 0x8000, 32K, 1M, 1G (powers of two) or
 * 700.5. Remembers (path, table, resolved values) in order for the printers below. */
void config_read(struct config *config, const char *path, const struct sim_param *table, void *object,
	struct diag_list *diags);
/* Fills an object with the defaults of its table. */
void config_defaults(const struct sim_param *table, void *object);
/* Every key that no config_read asked for is an error, with the nearest known key. */
void config_check_unknown(struct config *config, struct diag_list *diags);

/* The place of path.key's value if it was configured (text quoted too), else a place without file. For errors
 * that a component finds by itself after reading (sizes that do not fit together). */
struct diag_location config_location(const struct config *config, const char *path, const char *key);

/* Printers, in order of reading. resolved: YAML, one key a line, each with "# origin" (default, file:line,
 * --set). doc: per section a table of key, default, range, unit, help. A resolved file can be loaded again
 * and gives the same values. */
void config_print_resolved(const struct config *config, FILE *stream);
/* "path = value" lines, values as in YAML, without origins: two configurations that do the same print the
 * same. */
void config_print_flat(const struct config *config, FILE *stream);
void config_print_doc(const struct config *config, FILE *stream);
/* A text in one line of a YAML comment: what YAML refuses even there (a line's end, other control characters,
 * what is no UTF-8), as the names of files may hold it, becomes '?'. */
void config_print_comment(const char *text, FILE *stream);

#endif
