/* frontend/module.h -- a PTX module as a tree: the grammar builds it, the checks complete it, and the
 * lowering reads it. Everything is allocated in the module's arena; strings are interned (equal names are
 * equal pointers). */
#ifndef FRONTEND_MODULE_H
#define FRONTEND_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptx_arena;
struct ptx_form;

enum ptx_space {
	PTX_NO_SPACE,
	PTX_REG,
	PTX_SREG,
	PTX_CONST,
	PTX_GLOBAL,
	PTX_LOCAL,
	PTX_PARAM,
	PTX_SHARED,
	PTX_TEX
};

enum ptx_type {
	PTX_NO_TYPE,
	PTX_PRED,
	PTX_B8,
	PTX_B16,
	PTX_B32,
	PTX_B64,
	PTX_B128,
	PTX_U8,
	PTX_U16,
	PTX_U32,
	PTX_U64,
	PTX_S8,
	PTX_S16,
	PTX_S32,
	PTX_S64,
	PTX_F16,
	PTX_F16X2,
	PTX_F32,
	PTX_F64,
	PTX_BF16,
	PTX_BF16X2,
	PTX_TF32,
	PTX_U16X2,
	PTX_S16X2,
	PTX_F32X2,
	PTX_E4M3,
	PTX_E5M2,
	PTX_E2M1, /* as elements of matrices; UE8M0 and UE4M3 scale blocks of them */
	PTX_E2M3,
	PTX_E3M2,
	PTX_UE8M0,
	PTX_UE4M3,
	PTX_E4M3X2,
	PTX_E5M2X2,
	PTX_E2M1X2,
	PTX_E2M3X2,
	PTX_E3M2X2,
	PTX_UE8M0X2,
	PTX_E4M3X4,
	PTX_E5M2X4,
	PTX_E2M1X4,
	PTX_E2M3X4,
	PTX_E3M2X4,
	PTX_B1,
	PTX_U4,
	PTX_S4,
	PTX_U2,
	PTX_S2,
	PTX_TEXREF,
	PTX_SAMPLERREF,
	PTX_SURFREF,
	PTX_TYPE_COUNT
};
/* Bits of one element (B1..B128), 1 for PRED; 0 for NO_TYPE, 64 for the references. */
unsigned ptx_type_bits(enum ptx_type type);
const char *ptx_type_name(enum ptx_type type); /* "u32" */
bool ptx_type_is_float(enum ptx_type type);
bool ptx_type_is_signed(enum ptx_type type);
const char *ptx_space_name(enum ptx_space space);

struct ptx_location {
	uint32_t line, column;
}; /* from 1 */

enum ptx_linkage { PTX_NO_LINKAGE, PTX_EXTERN, PTX_VISIBLE, PTX_WEAK, PTX_COMMON };

/* A constant: an integer (64 bits) or the bits of a float. */
struct ptx_value {
	enum {
		PTX_INT,
		PTX_UINT,
		PTX_FLOAT32_BITS,
		PTX_FLOAT64_BITS
	} kind; /* FLOAT64_BITS also for decimal floats */
	uint64_t bits;
};

/* An initialiser element: a value, or the address of a symbol. */
struct ptx_init {
	struct ptx_init *next;
	const char *property; /* of a reference: `addr_mode_0 = wrap`; the word is in symbol, or value is set
			       */
	bool is_list;
	struct ptx_init *list; /* nested braces */
	struct ptx_value value;
	const char *symbol;       /* NULL: a number */
	struct ptx_var *variable; /* set by the checks; NULL if the symbol is a function */
	struct ptx_function *function;
	int64_t addend;
	bool is_generic; /* generic(symbol) */
	uint64_t mask;   /* mask(expression): 0xFF, 0xFF00 ...; 0 if none */
	int depth;       /* of nested braces; 0: a value */
	struct ptx_location location;
};

/* Directives without effect on execution, kept in order so that they can be printed.
 * - FILE: number index [, time, size], text: the name.
 * - LOC: file, line, column [, inlined: file, line, column, offset], text: the label of the function's
 *   name.
 * - PRAGMA: text in quotes. HEAD_PRAGMA: one before a function's body.
 * - SECTION and DWARF: text as written. */
enum ptx_remark_kind { PTX_FILE, PTX_LOC, PTX_PRAGMA, PTX_HEAD_PRAGMA, PTX_SECTION, PTX_DWARF };
struct ptx_remark {
	struct ptx_remark *next;
	const char *text;
	uint64_t number[7];
	uint32_t insn;       /* before this instruction of the function */
	uint8_t kind, count; /* enum ptx_remark_kind; numbers given */
};

/* A variable in any space, parameters and registers included. */
struct ptx_var {
	struct ptx_var *next; /* in its scope, in order of declaration */
	const char *name;
	enum ptx_space space;
	enum ptx_type type;
	unsigned vector; /* 1, 2, 4 or 8 elements */
	uint64_t align;  /* bytes; natural if not given */
	uint32_t dimensions;
	uint64_t dimension[8]; /* 0 for the first: unsized [] */
	uint64_t bytes;        /* total size; 0 if unsized */
	enum ptx_linkage linkage;
	struct ptx_init *init;
	struct ptx_init *properties; /* of a .texref, .samplerref or .surfref */
	uint32_t range;              /* .reg %r<range>; 0: a single register; the name is then the prefix */
	struct ptx_location location;
	struct ptx_function *owner; /* NULL: module scope */
	bool is_param_in, is_param_out, is_managed, is_scope_closed;
	const uint64_t *unified; /* .attribute(.unified(a, b)): both numbers; else NULL */
	bool is_pointer;         /* parameters: .ptr, with the space and alignment it states */
	enum ptx_space pointer_space;
	unsigned pointer_align;
	uint64_t offset; /* assigned by the checks: offset of .param in the block, of .shared and .local in
			    the kernel */
	uint32_t index;  /* registers: first virtual register number in the function */
	uint32_t scope_begin, scope_end; /* in a body: the instructions of its scope from its declaration on,
					    end not included */
	struct ptx_var *definition; /* module scope: the definition to which the name refers in the program
				       (linking) */
	void *user;                 /* free for the lowering */
};

enum ptx_operand_kind {
	PTX_OP_NONE,
	PTX_OP_REG,
	PTX_OP_VALUE,
	PTX_OP_SREG,
	PTX_OP_SYMBOL,
	PTX_OP_ADDRESS,
	PTX_OP_VECTOR,
	PTX_OP_LABEL,
	PTX_OP_FUNCTION,
	PTX_OP_SINK,
	PTX_OP_PAIR,
	PTX_OP_LIST,
	PTX_OP_NAME /* not yet resolved */,
	PTX_OP_TEXTURE
};

/* REG: variable + index in its range, component .x.. of a vector register or -1: virtual register
 * variable->index + index * variable->vector + component.
 * SYMBOL: a variable's address plus value.bits. ADDRESS: [base + offset]: base REG, SYMBOL or NONE
 * (absolute), offset in value.bits. VECTOR {a,b,c,d}, PAIR a|b (elements[2]), LIST (...) of call arguments,
 * TEXTURE [a, {b..}] : elements. */
#define PTX_LANES 7 /* %r1.b3210: read it from the end of the name */
struct ptx_operand {
	enum ptx_operand_kind kind;
	bool negated;     /* !p or -r */
	bool is_element;  /* table[3]: a SYMBOL with the offset in value.bits */
	int8_t component; /* of a vector register or special register, 0..3; -1: none; selectors .b0... in
			     selector */
	uint8_t selector; /* video: 0 none, 1..4 b0..b3, 5,6 h0,h1, PTX_LANES: several, as in name */
	struct ptx_var *variable;
	uint32_t index;
	uint16_t sreg; /* enum ptx_sreg */
	struct ptx_value value;
	const char *name; /* as written */
	struct ptx_label *label;
	struct ptx_function *function;
	struct ptx_operand *base; /* ADDRESS */
	struct ptx_operand *elements;
	uint32_t element_count;
	struct ptx_location location;
};

/* Opcodes and modifiers are listed in frontend/tables/opcodes.def and frontend/tables/modifiers.def: enum
 * PTX_ADD, ... and PTX_MOD_SAT, ... (declared in frontend/tables/opcode.h). Types and the state space are
 * not modifiers: they have fields of their own, in the order in which they are written. */
#define PTX_MAX_MODIFIERS 12
#define PTX_MAX_TYPES     5
#define PTX_MAX_OPERANDS  12

/* Operands are in the order in which they are written. call: [LIST of results,] FUNCTION or REG [, LIST of
 * arguments [, LABEL of a prototype or of targets]]. `_` is a SINK. A special register is an SREG; %tid.x
 * has its component in the id. */
struct ptx_insn {
	uint16_t opcode;
	const char *opcode_name; /* "ld" */
	struct ptx_form *form;   /* the whole word decoded (frontend/parse/form.h); form->spelling:
				    "ld.global.u32" */
	uint16_t modifiers[PTX_MAX_MODIFIERS];
	uint8_t modifier_count;
	uint8_t type_count;
	uint8_t types[PTX_MAX_TYPES];
	uint8_t space;  /* enum ptx_space; PTX_NO_SPACE: generic or not a memory instruction */
	uint8_t space2; /* cp.async and similar: the second space */
	uint8_t vector; /* .v2 .v4 .v8; else 1 */
	uint8_t operand_count;
	bool has_guard, guard_negated;
	struct ptx_operand guard;
	struct ptx_operand *operands;
	struct ptx_location location;
};

struct ptx_label {
	struct ptx_label *next;
	const char *name;
	uint32_t target; /* index into the function's instructions; == insn_count at the very end */
	struct ptx_location location;
	/* .branchtargets, .calltargets or .callprototype with a label */
	const char **targets;
	struct ptx_label **target_labels;
	uint32_t target_count;
	bool is_call_list; /* .calltargets: functions, by name */
	struct ptx_function *prototype;
};

struct ptx_function {
	struct ptx_function *next;
	const char *name;
	bool is_entry, has_body, is_noreturn;
	bool has_syntax_errors; /* something in it was not read */
	enum ptx_linkage linkage;
	struct ptx_var *params; /* in order */
	struct ptx_var *returns;
	struct ptx_var *variables; /* declared in the body, all scopes flattened, registers included */
	struct ptx_label *labels;
	struct ptx_insn *insns;
	uint32_t insn_count;
	uint32_t register_count; /* virtual registers */
	uint32_t maxntid[3], reqntid[3], maxnreg, minnctapersm, maxnctapersm;
	uint32_t reqnctapercluster[3], maxclusterrank;
	bool is_explicit_cluster, blocks_are_clusters;
	bool has_abi_preserve, has_abi_preserve_control;
	uint32_t abi_preserve, abi_preserve_control;
	const uint64_t *unified; /* see struct ptx_var */
	struct ptx_remark *remarks;
	uint64_t param_bytes;  /* of the parameter block (entries) */
	uint64_t local_bytes;  /* static .local of the body */
	uint64_t shared_bytes; /* static .shared that the body declares itself */
	struct ptx_location location;
	uint32_t last_line;           /* of the text: that of the brace that closes the body */
	struct ptx_function *aliasee; /* .alias: this is a declaration, and another name of that function */
	struct ptx_function *definition; /* the definition with a body to which the name refers in the program
					    (linking); NULL: none */
	void *user;
};

struct ptx_module {
	struct ptx_arena *arena;
	const char *file;
	const char *text; /* own copy, NUL-terminated */
	size_t text_size;
	unsigned version_major, version_minor;
	const char *target;  /* "sm_20" */
	unsigned sm;         /* 20 */
	char target_suffix;  /* of sm_90a, sm_100f; else 0 */
	const char *texmode; /* "texmode_independent", "texmode_unified" or NULL */
	bool target_debug, target_map_f64;
	bool is_independent;       /* .target texmode_independent: samplers apart from textures */
	unsigned address_bits;     /* 64; 32 if .address_size 32 */
	bool has_narrow_addresses; /* of device memory, in 32 bits: .address_size is 32, or not given */
	bool has_thread_variables; /* .reg or .local at module level */
	const struct ptx_function *without_abi; /* a function of several results, which rules out the ABI; or
						   NULL */
	struct ptx_var *variables;              /* module scope, in order */
	struct ptx_function *functions;         /* in order, prototypes merged with definitions */
	struct ptx_remark *remarks;
};

#endif
