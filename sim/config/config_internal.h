/* sim/config/config_internal.h -- shared by the files of sim/config; not included elsewhere.
 *
 * A configuration contains two trees. The tree of nodes is what the user wrote: one node for each key,
 * with its location. The tree of sections is what the components have read: one section for each component
 * path, with the tables that were read there and the resulting values. Errors arise where the two
 * disagree.
 *
 *   config_yaml.c   text -> nodes              config_value.c  one scalar <-> one declared parameter
 *   config_node.c   the tree of nodes          config_read.c   nodes + table -> object, sections
 *   config.c        files, bases, overlays
 *   config_check.c  nodes not read by any      config_print.c  sections -> resolved YAML, manual
 *
 * Everything is allocated in one arena, which config_free releases, so that the strings given to
 * components stay valid. */
#ifndef SIM_CONFIG_CONFIG_INTERNAL_H
#define SIM_CONFIG_CONFIG_INTERNAL_H

#include "sim/text/number.h"
#include "sim/config/config.h"

#define CONFIG_MAX_DEPTH 64

struct config_file {
	const char *name; /* path, label, or "--set path=value" */
	const char *text; /* NULL for --set */
	size_t size;
	const struct config_file *overlay; /* the overlay that this file belongs to: itself, or the overlay of
					      which it is a base; NULL: not part of an overlay */
};

struct config_node {
	const char *key;   /* NULL at the root */
	const char *value; /* NULL: a section */
	bool unquoted;     /* the scalar was not quoted */
	const struct config_file *file;
	uint32_t key_line, key_column; /* columns count characters from 1; line 0: --set */
	uint32_t line, column;
	const struct config_node *rival; /* the value of another overlay that this one replaced; the two must
					    be equal */
	struct config_node *parent, *first, *last, *next, *before;
	struct config_node *index; /* the children by the hash of their keys: the root of a search tree */
	struct config_node *low, *high; /* in the parent's index */
	uint64_t hash;
};

struct config_value {
	uint64_t whole;                 /* U32, U64, BOOL, ENUM */
	double real;                    /* F64 */
	const char *text;               /* STRING; may be NULL */
	const struct config_node *from; /* NULL: the default */
};

struct config_reading { /* one table, read for one section */
	const struct sim_param *table;
	struct config_value *values; /* one a row */
	struct config_reading *next;
};

struct config_section {
	const char *name, *path; /* "l1", "sm.l1"; both "" at the top */
	struct config_reading *readings;
	struct config_section *first, *next;
};

struct config_block; /* of the arena */

struct config {
	struct config_block *blocks;
	struct config_node *root;
	struct config_section *top;
};

/* arena */
void *config_alloc(struct config *config, size_t size);
char *config_format(struct config *config, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* nodes */
struct config_node *config_child(const struct config_node *section, const char *key, size_t size);
/* The section has no child of this key yet. */
void config_append(struct config_node *section, struct config_node *child);
/* Puts fresh, which has the same key, in the place of old. */
void config_replace(struct config_node *old, struct config_node *fresh);
/* Whether nothing was written after the key, or ~ or null: no value, and also an empty section. */
bool config_is_nothing(const struct config_node *node);
const char *config_node_path(struct config *config, const struct config_node *node);
struct diag_location config_key_location(const struct config_node *node);
struct diag_location config_value_location(const struct config_node *node);
struct diag_location config_text_location(const struct config_file *file, uint32_t line, uint32_t character);

/* config_yaml.c: the tree of one file, or NULL with diagnostics. */
struct config_node *config_parse(
	struct config *config, const struct config_file *file, struct diag_list *diags);

/* config_value.c */
enum number_fit config_value_parse(
	const struct sim_param *param, const struct config_node *node, struct config_value *value);
struct config_value config_value_default(const struct sim_param *param);
void config_value_store(const struct sim_param *param, const struct config_value *value, void *object);
/* These return strings in the arena. show: the value as a user expects it; range: "1 to 64" or the
 * choices. */
const char *config_show_value(
	struct config *config, const struct sim_param *param, const struct config_value *value);
const char *config_show_range(struct config *config, const struct sim_param *param);
/* Aborts if the table contradicts itself, as with a default out of its range, which could not be read
 * back. */
void config_check_table(const char *path, const struct sim_param *table);

/* config_read.c */
struct config_section *config_subsection(const struct config_section *section, const char *name, size_t size);
/* The declaration of a parameter of this name in the section's tables, or NULL. */
const struct sim_param *config_row(const struct config_section *section, const char *name);
const char *config_join(struct config *config, const char *path, const char *key);

#endif
