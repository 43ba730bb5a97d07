/* frontend/lower.h -- internal to the lowering: what its files share.
 *
 * The way of an entry: each PTX instruction becomes one draft or a few (lower_*.c), whose operands are
 * references to virtual registers; control flow, liveness and allocation number the registers; assemble.c
 * turns drafts into micro-operations. What cannot be executed is refused by name and place. */
#ifndef FRONTEND_LOWER_H
#define FRONTEND_LOWER_H

#include "frontend/allocate.h"
#include "frontend/arena.h"
#include "frontend/bank.h"
#include "frontend/module.h"
#include "frontend/opcode.h"
#include "frontend/ptx.h"
#include "frontend/uop.h"

/* A reference to an operand: a virtual register (its plain number), or one of these. */
typedef uint32_t ref;
#define REF_NONE     0xffffffffu
#define REF_CONSTANT 0x80000000u /* + row of the constant bank; for predicates + 0 (false) or 1 (true) */
#define REF_PRELOAD  0x40000000u /* + enum ptx_sreg */
#define REF_KIND     0xc0000000u

struct draft {
	struct uop uop; /* all but registers, branch indices and hazards */
	ref dst[4], src[4];
	ref *extra;    /* further operands: uop.extra_sources of them, then uop.extra_dests */
	ref guard;     /* predicate register or REF_NONE */
	bool is_early; /* writes results before it has read everything */
};

struct vreg {
	uint8_t bits; /* 0: predicate; else 8 .. 128 */
};

/* Rows that a register takes; 0 for predicates, which have a file of their own. */
static inline uint8_t rows_of(unsigned bits)
{
	return (uint8_t)((bits + 31) / 32);
}

struct lower {
	struct ptx_image *image;
	struct ptx_module *module;
	struct diag_list *diags;
	struct ptx_arena *arena;   /* the image's */
	struct ptx_arena *scratch; /* the entry's, freed after it */
	struct ptx_kernel *kernel;
	const struct ptx_function *function;
	const struct ptx_insn *insn; /* being lowered */
	uint32_t used_modifiers;     /* bit i: modifier i of it has been understood */
	bool is_refused;             /* it has been refused already */
	bool wants_profile;          /* keep how many registers are live at each instruction */

	struct draft *drafts;
	uint32_t draft_count, draft_capacity;
	uint32_t *first_draft; /* of each instruction; one more at the end */
	struct vreg *vregs;
	uint32_t vreg_count, vreg_capacity;
	ref carry; /* CC.CF, REF_NONE until used */
	struct bank bank;
};

typedef void lower_function(struct lower *l);

/* lower.c */
void lower_refuse(struct lower *l, const struct ptx_place *place, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void lower_refuse_form(struct lower *l);               /* "'fma.rn.relu.f16' is not executed yet" */
bool has_modifier(struct lower *l, unsigned modifier); /* and marks it as understood */
void allow_modifiers(struct lower *l, const uint16_t *list, uint32_t count); /* those without effect here */
struct draft *emit(struct lower *l, unsigned code); /* with the instruction's guard; unit and class by code */
/* Room for operands beyond four, all REF_NONE: returns d->extra, sources first. The pointer d is good until
 * the next emit. */
ref *add_extras(struct lower *l, struct draft *d, uint32_t sources, uint32_t dests);
ref new_vreg(struct lower *l, unsigned bits);

/* lower_operand.c: operands of the current instruction as references. bits: 16, 32 or 64, the width at which
 * the operation reads; wider registers are cut, narrower ones widened with zeros. */
const struct ptx_operand *operand(
	const struct lower *l, uint32_t index); /* an empty one if there are fewer */
ref source(struct lower *l, const struct ptx_operand *o, unsigned bits, bool is_float);
ref source_register(struct lower *l, const struct ptx_operand *o); /* as wide as it is */
ref predicate_source(struct lower *l, const struct ptx_operand *o, bool *negated);
ref destination(struct lower *l, const struct ptx_operand *o); /* REF_NONE for a sink */
ref result(
	struct lower *l, const struct ptx_operand *o, unsigned bits); /* a sink becomes a scratch register */
unsigned bits_of(const struct lower *l, ref r);
ref constant_ref(struct lower *l, uint64_t value, unsigned bits);
bool constant_operand(const struct ptx_operand *o, uint64_t *value);
uint64_t value_bits(const struct ptx_value *value, unsigned bits, bool is_float);
uint64_t variable_offset(const struct ptx_var *v); /* shared, local, param: in its block */
bool is_kernel_parameter(const struct lower *l, const struct ptx_var *v);

/* timing.c */
unsigned uop_unit_of(unsigned code);
unsigned uop_class_of(unsigned code);

/* lower_int.c */
bool lower_arithmetic(struct lower *l); /* from the table of one-type forms; false: not in it */
struct draft *emit_form(
	struct lower *l, unsigned code, uint32_t sources, const uint8_t *bits, unsigned result_bits);
void float_modifiers(struct lower *l, struct draft *d, unsigned type);
lower_function lower_add_sub, lower_mul, lower_mad, lower_mul24, lower_carry, lower_prmt, lower_lop3,
	lower_shf, lower_bfind, lower_dp;

/* lower_fp.c, lower_compare.c */
lower_function lower_float, lower_div, lower_testp;
lower_function lower_setp, lower_set, lower_selp, lower_slct, lower_logic;
void move_predicate(struct lower *l, bool invert);

/* lower_mov.c, lower_cvt.c, lower_mem.c */
lower_function lower_mov, lower_cvt;
void cut_to_register(struct lower *l, ref to, ref from); /* a 32-bit row into a register of 8 or 16 bits */
lower_function lower_ld, lower_st, lower_atom, lower_cvta, lower_isspacep, lower_prefetch;

/* lower_control.c */
lower_function lower_bra, lower_exit, lower_trap, lower_bar, lower_membar, lower_nop;
lower_function lower_vote, lower_shfl, lower_activemask;

/* layout.c */
void layout_params(struct lower *l);
void layout_memory(struct lower *l); /* shared and local variables of the entry */
void image_symbols(struct lower *l); /* once per image */
uint32_t symbol_index(const struct ptx_var *v);

/* assemble.c */
void assemble(struct lower *l);

/* estimate.c */
uint32_t estimate_registers(struct lower *l, const struct liveness *live);

#endif
