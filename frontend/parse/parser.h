/* frontend/parse/parser.h -- internal to frontend/: the state of one parse, and the functions with which
 * the grammar's actions build the tree.
 *
 * Data flow: ptx.l -> ptx.y -> declare.c, instruction.c, expression.c (build the tree) -> scope.c
 * (resolves names) -> frontend/check. */
#ifndef FRONTEND_PARSE_PARSER_H
#define FRONTEND_PARSE_PARSER_H

#include "frontend/parse/arena.h"
#include "frontend/module.h"
#include "frontend/tables/names.h"
#include "frontend/tables/opcode.h"
#include "sim/base/diag.h"

#define MAX_REGISTERS (1u << 22) /* of one function */

/* Performance directives, values of the LIMIT token. */
enum limit {
	LIMIT_MAXNTID,
	LIMIT_REQNTID,
	LIMIT_MAXNREG,
	LIMIT_MINNCTAPERSM,
	LIMIT_MAXNCTAPERSM,
	LIMIT_NORETURN,
	LIMIT_REQNCTAPERCLUSTER,
	LIMIT_MAXCLUSTERRANK,
	LIMIT_EXPLICITCLUSTER,
	LIMIT_BLOCKSARECLUSTERS,
	LIMIT_ABI_PRESERVE,
	LIMIT_ABI_PRESERVE_CONTROL,
	LIMIT_COUNT
};

/* Text in the scanner's buffer. */
struct ptx_text {
	const char *start;
	size_t length;
};

/* `function_name` and `inlined_at` of a .loc: no keywords, so that they are compared afterwards. */
struct loc_words {
	const struct ptx_name *first, *second;
	struct ptx_location first_location, second_location;
};

/* An operand or an expression while its statement is parsed; allocated in the scratch arena. */
struct node {
	struct ptx_operand operand;
	struct node *next, *last; /* lists: the first node points to the last */
	uint32_t list_count;      /* of the first node: length of the list */
	bool is_generic;          /* generic(x) */
	bool is_literal;          /* a number or a word, and no operator */
	uint64_t mask;            /* 0xff00(x) */
	int depth;
};

/* An initialiser list while it is being read. */
struct init_list {
	struct ptx_init *first, *last;
	uint32_t count;
	int depth;
};

/* Attributes of the declaration that is being read. */
struct declaration {
	enum ptx_space space;
	enum ptx_type type;
	enum ptx_linkage linkage;
	unsigned vector;
	uint64_t align;
	bool is_managed, is_pointer;
	enum ptx_space pointer_space;
	unsigned pointer_align;
	const uint64_t *unified;
	struct ptx_location location;
};

/* One meaning of a name in one scope. */
struct ptx_binding {
	struct ptx_binding *outer;    /* the meaning that this one hides */
	struct ptx_binding *in_scope; /* next of the same scope */
	struct ptx_binding **slot;    /* of the name: variables, ranges or labels */
	void *thing;                  /* struct ptx_var * or struct ptx_label * */
	uint32_t depth;
};

/* A name that could not be resolved where it was used: a label, or a function that is defined later. */
struct pending {
	struct pending *next;
	struct ptx_operand *operand; /* NULL: *label of a .branchtargets */
	struct ptx_label **label;
	struct ptx_name *name;
	struct ptx_init *init;
	struct ptx_function *function; /* the function in which it was used; NULL: module level */
	struct ptx_location location;
	bool wants_label;
};

/* .alias alias, target; */
struct alias {
	struct alias *next;
	struct ptx_name *alias, *target;
	struct ptx_location location;
};

struct scope {
	struct scope *outer;
	uint32_t depth; /* 0: module */
	struct ptx_binding *bindings;
	struct pending *pending, **pending_end;
	struct ptx_var **variables; /* where the first variable of the scope is linked */
};

struct ptx_parser {
	struct ptx_module *module;
	struct ptx_arena *arena;   /* the module's */
	struct ptx_arena *scratch; /* freed after each statement */
	struct ptx_names names;
	struct diag_list *diags;
	/* scanner */
	const char *line_start; /* in the scanner's buffer */
	uint32_t line;
	const char *token; /* the last one, for messages */
	size_t token_length;
	char *cut, cut_char; /* where the scanner has terminated the token with a zero, and the character that
				was there */
	struct ptx_location comment;       /* location of the comment or section that is being read */
	const char *section;               /* its text */
	bool is_section_wrong;             /* reported already */
	int last_token, token_before_last; /* of the grammar */
	uint32_t vector_depth;             /* open braces of vectors and initialisers */
	bool wants_version;
	/* tree */
	struct scope *scope;
	struct ptx_function *function; /* the function that is being parsed; NULL at module level */
	struct declaration declaration;
	struct ptx_var **variables_end; /* where the next variable is linked: of the module, or of the
					   function */
	struct ptx_var **module_variables_end, **params_end;
	struct ptx_remark **remarks_end, **module_remarks_end, *last_loc;
	struct ptx_label **labels_end;
	struct ptx_label *last_label; /* .branchtargets and its like belong to it */
	struct ptx_insn *insns;       /* of the function being read; malloc'ed, used again for the next */
	uint32_t insn_capacity;
	struct ptx_function **functions;
	uint32_t function_count;
	struct alias *aliases;
	bool has_version, has_target, has_address_size;
	bool saw_version, saw_target; /* the words, whatever follows them */
	bool has_errors;              /* before the checks */
	bool is_quiet; /* within a body whose header was wrong: only syntax errors are reported */
	struct ptx_location last_error;
	bool is_return_list;            /* the parameters being read are a function's results */
	struct ptx_function *enclosing; /* of a .callprototype */
	struct ptx_var **enclosing_variables_end;
};

/* messages */
void parse_error(struct ptx_parser *p, struct ptx_location location, const char *hint, const char *format,
	...) __attribute__((format(printf, 4, 5)));
void parse_warning(struct ptx_parser *p, struct ptx_location location, const char *hint, const char *format,
	...) __attribute__((format(printf, 4, 5)));

void parse_syntax_error(
	struct ptx_parser *p, struct ptx_location location, bool at_end, const char *expected);
void parse_bad_byte(struct ptx_parser *p, struct ptx_location location, unsigned char byte);
/* The interned spelling of the last token that was read. */
struct ptx_name *last_word(struct ptx_parser *p);

/* header.c: the head of the module. Versions are numbers: 31 is PTX ISA 3.1. */
void set_version(struct ptx_parser *p, struct ptx_location location, unsigned major, unsigned minor);
void set_target(struct ptx_parser *p, struct ptx_location location, struct ptx_name *word, bool is_first);
void set_address_size(struct ptx_parser *p, struct ptx_location location, uint64_t bits);
void target_end(struct ptx_parser *p, struct ptx_location location);
void add_alias(
	struct ptx_parser *p, struct ptx_location location, struct ptx_name *alias, struct ptx_name *target);
void resolve_aliases(struct ptx_parser *p); /* once all functions are known */
bool is_same_signature(const struct ptx_function *a, const struct ptx_function *b);
bool is_older(const struct ptx_parser *p, unsigned version);
/* Report features that the module's .version or .target does not have yet, or no longer has. suffix: 'a'
 * for features of exactly that chip, 'f' for those of its family, else 0. needs: both. They return true if
 * the feature may be used; is_gone returns true if it may not. */
bool needs_version(struct ptx_parser *p, struct ptx_location location, const char *what, unsigned version);
bool needs_target(
	struct ptx_parser *p, struct ptx_location location, const char *what, unsigned sm, char suffix);
bool needs(
	struct ptx_parser *p, struct ptx_location location, const char *what, unsigned version, unsigned sm);
bool is_gone(struct ptx_parser *p, struct ptx_location location, const char *what, unsigned version);

/* remark.c: pragmas, source locations, debug sections */
void add_pragma(struct ptx_parser *p, struct ptx_location location, const struct node *strings);
void add_file(struct ptx_parser *p, struct ptx_location location, uint64_t index, const struct ptx_name *name,
	const uint64_t *rest, int count);
void add_loc(
	struct ptx_parser *p, struct ptx_location location, uint64_t file, uint64_t line, uint64_t column);
void add_inlined(struct ptx_parser *p, const struct loc_words *words, const struct ptx_name *label,
	uint64_t offset, const uint64_t at[3]);
void add_text(struct ptx_parser *p, struct ptx_location location, int kind, const struct ptx_text *text);

/* attributes.c: what stands before the names of a declaration */
void declaration_begin(struct ptx_parser *p, struct ptx_location location, int linkage, int space);
/* The state space of a declaration that has begun with PTX_NO_SPACE. */
void declaration_place(struct ptx_parser *p, struct ptx_location location, int space);
void declaration_type(struct ptx_parser *p, struct ptx_location location, int type);
void declaration_space(struct ptx_parser *p, struct ptx_location location, int space);
void declaration_vector(struct ptx_parser *p, struct ptx_location location, int vector);
void declaration_managed(struct ptx_parser *p, struct ptx_location location);
/* An error if the declaration is .managed and its state space is not .global; a function has none. */
void declaration_check_managed(struct ptx_parser *p, struct ptx_location location);
void declaration_unified(struct ptx_parser *p, struct ptx_location location, uint64_t first, uint64_t second);
void declaration_pointer(struct ptx_parser *p, struct ptx_location location);
int linkage_join(struct ptx_parser *p, struct ptx_location location, int before, int linkage);
void declaration_align(struct ptx_parser *p, struct ptx_location location, uint64_t align);
/* section.c: what a debug section holds; `text` from its name on */
void check_section(struct ptx_parser *p, struct ptx_location location, const struct ptx_text *text);

/* declare.c: variables */
struct ptx_var *declare_variable(struct ptx_parser *p, struct ptx_location location, struct ptx_name *name);
/* A parameter without a name, or named `_`. */
struct ptx_var *declare_unnamed(struct ptx_parser *p, struct ptx_location location, bool is_sink);
void declare_range(
	struct ptx_parser *p, struct ptx_location location, struct ptx_var *variable, uint64_t count);
void declare_dimension(
	struct ptx_parser *p, struct ptx_location location, struct ptx_var *variable, struct node *size);
void declare_done(struct ptx_parser *p, struct ptx_var *variable, struct ptx_init *init);
void declare_param(struct ptx_parser *p, struct ptx_var *variable);
struct ptx_init *init_value(struct ptx_parser *p, struct node *value);
struct ptx_init *init_braces(struct ptx_parser *p, struct ptx_location location, struct init_list list);
/* reference.c: properties of opaque references */
struct ptx_init *init_property(
	struct ptx_parser *p, struct ptx_location location, struct ptx_name *name, struct node *value);
void reference_init(struct ptx_parser *p, struct ptx_var *v, struct ptx_init *init);
/* A sampler needs a module that has textures apart from samplers; an array of them does not, as for ptxas. */
void check_sampler(struct ptx_parser *p, const struct ptx_var *variable);
void check_reference_declaration(struct ptx_parser *p, struct ptx_location location, const char *shown);
struct init_list init_append(struct ptx_parser *p, struct init_list list, struct ptx_init *item);

/* function.c */
void function_begin(struct ptx_parser *p, struct ptx_location location, int linkage, bool is_entry);
void function_params_begin(struct ptx_parser *p, bool is_return);
void function_name(struct ptx_parser *p, struct ptx_location location, struct ptx_name *name);
void function_unified(struct ptx_parser *p);
void function_limit(
	struct ptx_parser *p, struct ptx_location location, int limit, const uint64_t *values, int count);
void function_body(struct ptx_parser *p);
void function_end(struct ptx_parser *p, bool has_body);
void orphan_begin(struct ptx_parser *p, struct ptx_location location);
void orphan_end(struct ptx_parser *p);
void prototype_begin(struct ptx_parser *p, struct ptx_location location);
void prototype_end(struct ptx_parser *p, struct ptx_location location);
void module_begin(struct ptx_parser *p);
void module_end(struct ptx_parser *p);

/* scope.c */
void scope_open(struct ptx_parser *p, struct ptx_location location);
void scope_close(struct ptx_parser *p);
void bind_variable(struct ptx_parser *p, struct ptx_name *name, struct ptx_var *variable);
void bind_range(struct ptx_parser *p, struct ptx_name *name, struct ptx_var *variable);
void bind_label(struct ptx_parser *p, struct ptx_name *name, struct ptx_label *label);
/* The binding that a range of the innermost scope gives this name, or NULL. */
/* A variable or function of the module has that name; the first time counts. */
void note_declared(struct ptx_name *name, struct ptx_location location);
struct ptx_binding *find_range_here(struct ptx_parser *p, struct ptx_name *name);
struct ptx_var *find_variable(struct ptx_parser *p, struct ptx_name *name, uint32_t *index);
/* Resolves a NAME, or leaves it for the end of the scope, where errors are reported. */
void resolve_operand(struct ptx_parser *p, struct ptx_operand *operand, bool wants_label);
void resolve_init(struct ptx_parser *p, struct ptx_init *init, struct ptx_name *name);
void resolve_target(
	struct ptx_parser *p, struct ptx_label **label, struct ptx_name *name, struct ptx_location location);
/* Resolves the remaining names at the end of the module: functions and variables that are defined later;
 * reports names that are not defined. */
void resolve_rest(struct ptx_parser *p);

/* expression.c */
struct node *node_new(struct ptx_parser *p, struct ptx_location location, enum ptx_operand_kind kind);
struct node *node_value(struct ptx_parser *p, struct ptx_location location, struct ptx_value value);
struct node *node_name(struct ptx_parser *p, struct ptx_location location, struct ptx_name *name);
struct node *node_unary(struct ptx_parser *p, struct ptx_location location, int operator, struct node * a);
struct node *node_binary(
	struct ptx_parser *p, struct ptx_location location, int operator, struct node * a, struct node *b);
struct node *node_choice(struct ptx_parser *p, struct node *condition, struct node *a, struct node *b);
struct node *node_cast(struct ptx_parser *p, struct ptx_location location, int type, struct node *a);
struct node *node_apply(
	struct ptx_parser *p, struct ptx_location location, struct ptx_name *name, struct node *argument);
struct node *node_mask(
	struct ptx_parser *p, struct ptx_location location, struct ptx_value mask, struct node *argument);
struct node *node_parenthesised(struct ptx_parser *p, struct ptx_location location, struct node *a);
struct node *node_element(
	struct ptx_parser *p, struct ptx_location location, struct ptx_name *name, struct node *index);

/* instruction.c */
struct node *node_list(
	struct ptx_parser *p, struct ptx_location location, enum ptx_operand_kind kind, struct node *list);
struct node *node_pair(struct ptx_parser *p, struct node *a, struct node *b);
struct node *node_address(
	struct ptx_parser *p, struct ptx_location location, struct node *base, struct node *rest);
struct node *node_append(struct node *list, struct node *item);
struct ptx_name *join_words(struct ptx_parser *p, struct ptx_name *word, struct ptx_name *suffix);
void add_label(struct ptx_parser *p, struct ptx_location location, struct ptx_name *name);
void add_targets(struct ptx_parser *p, struct ptx_location location, struct node *names, bool is_call);
void add_instruction(struct ptx_parser *p, struct ptx_location location, struct node *guard,
	struct ptx_name *word, struct node *operands);

/* check.c */
void check_module(struct ptx_parser *p);

#endif
