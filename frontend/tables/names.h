/* frontend/tables/names.h -- interned words: every spelling of a module exists once, so that equal words are
 * equal pointers, and what a word means (a keyword, an opcode, a variable in the scope that is open) hangs on
 * it.
 */
#ifndef FRONTEND_TABLES_NAMES_H
#define FRONTEND_TABLES_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptx_arena;
struct ptx_form;
struct ptx_binding;
struct ptx_function;

/* What a word behind a dot can be within an instruction. */
enum ptx_role { ROLE_NONE, ROLE_TYPE, ROLE_SPACE, ROLE_VECTOR, ROLE_MODIFIER };

struct ptx_name {
	uint32_t declared_line, declared_column; /* first, at module level; 0: not */
	struct ptx_name *next;                   /* same bucket */
	uint32_t hash, length;
	/* the language's own words; filled in when the table is made */
	int16_t token;      /* of the grammar: directives, types, spaces; 0: none */
	int16_t value;      /* of the token */
	uint8_t role;       /* behind an opcode */
	uint8_t role_space; /* `shared::cta` also sets a space */
	uint16_t role_value;
	uint16_t opcode; /* id + 1; 0: none */
	uint16_t sreg;   /* id + 1; 0: none */
	/* the module's own */
	struct ptx_binding *variables; /* innermost first */
	struct ptx_binding *ranges;    /* of .reg name<N> */
	struct ptx_binding *labels;
	struct ptx_function *function;
	struct ptx_form *form;   /* decoded instruction word: ld.global.u32 */
	struct ptx_name *prefix; /* %r of %r17 */
	uint32_t prefix_index;   /* 17 */
	bool prefix_known;
	bool is_section_label; /* of a debug section */
	bool is_reported;      /* an error about this name was given, in this function: */
	struct ptx_function *reported_in;
	char text[];
};

struct ptx_names {
	struct ptx_arena *arena;
	struct ptx_name **buckets;
	uint32_t bucket_count, count;
};

/* An empty table with the language's words in it. */
void names_init(struct ptx_names *names, struct ptx_arena *arena);
void names_fini(struct ptx_names *names);

/* The one entry of this spelling, made if it is new. It lives as long as the arena. */
struct ptx_name *names_intern(struct ptx_names *names, const char *text, size_t length);
/* NULL if there is none yet. */
struct ptx_name *names_find(const struct ptx_names *names, const char *text, size_t length);
/* The entry whose text this is: every name in a module's tree is interned. */
struct ptx_name *name_of(const char *text);

/* For hints: the language's words nearest to a misspelt one, or NULL. */
const char *nearest_opcode(const char *text);
const char *nearest_modifier(const char *text);  /* types and spaces too; without the dot */
const char *nearest_directive(const char *text); /* with the dot */
const char *nearest_sreg(const char *text);

#endif
