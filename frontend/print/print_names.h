/* frontend/print/print_names.h -- names for printing: scopes are flattened when a module is printed, so
 * that equal names of different scopes must be made different. */
#ifndef FRONTEND_PRINT_PRINT_NAMES_H
#define FRONTEND_PRINT_PRINT_NAMES_H

#include "frontend/parse/arena.h"
#include "frontend/module.h"

struct print_names {
	struct ptx_arena *arena;
	const struct ptx_module *module;
	struct print_name *used;   /* hash table of names, by text */
	struct print_name *things; /* the same entries, by variable or label */
	uint32_t capacity, count;
};

/* Starts anew with the names of the module and of one function (NULL: none). */
void print_names_begin(struct print_names *names, const struct ptx_function *function);
void print_names_fini(struct print_names *names);
/* The name under which a variable (the prefix of a range) or a label is printed. */
const char *printed_name(const struct print_names *names, const void *thing, const char *written);

#endif
