/* frontend/check/check.h -- internal to frontend/check: the checks of one module. */
#ifndef FRONTEND_CHECK_CHECK_H
#define FRONTEND_CHECK_CHECK_H

#include "frontend/parse/form.h"
#include "frontend/parse/parser.h"

/* The row of opcodes.def for one opcode. */
struct opcode_row {
	const char *operands;
	uint64_t types[3]; /* masks of 1 << enum ptx_type for each type of the instruction; ended by 0 */
	const uint16_t *modifiers; /* ended by MODIFIERS_END */
};
#define MODIFIERS_END  0xffff
#define MODIFIERS_FREE 0xfffe /* any */
#define ANY_TYPE       UINT64_MAX

extern const struct opcode_row opcode_rows[PTX_OPCODE_COUNT];

/* check_form.c: checks types and modifiers of an instruction word against its row, then calls check_rules. */
bool check_form(struct ptx_parser *p, const struct ptx_insn *insn);
/* check_rules.c: required modifiers, and modifiers that exclude each other. */
bool check_rules(struct ptx_parser *p, const struct ptx_insn *insn);
/* check_modifiers.c: combinations of modifiers; state spaces and vector widths. Not for rows that are
 * FREE. */
bool check_modifiers_agree(struct ptx_parser *p, const struct ptx_insn *insn);
bool check_spaces(struct ptx_parser *p, const struct ptx_insn *insn);
/* The first of these checks without reporting. */
bool modifiers_agree(const struct ptx_form *form, unsigned opcode);
/* check_types.c: modifiers against types and state spaces. */
bool check_type_rules(struct ptx_parser *p, const struct ptx_insn *insn);
/* The same check without reporting: "needs '.ftz'", or NULL. */
const char *type_fault(const struct ptx_insn *insn);
/* check_gate.c: whether .version and .target are new enough. */
bool check_gates(struct ptx_parser *p, const struct ptx_insn *insn);
/* Sets of chips that alone have something; whether the module's .target is one of them (reports it if not).
 */
enum chip_sets {
	CHIPS_WGMMA,
	CHIPS_TCGEN05,
	CHIPS_PAIRS,     /* the same chips, for copies */
	CHIPS_SPECIFIC,  /* every chip from sm_90a on, by a name with a or f */
	CHIPS_BLACKWELL, /* the same from sm_100a on */
	CHIPS_100_103,
	CHIPS_RANDOM, /* those two, but not for their family */
	CHIPS_120,
	CHIPS_120_SPECIFIC,
};
bool needs_chips(struct ptx_parser *p, const struct ptx_insn *insn, enum chip_sets which);
void check_sreg_gate(struct ptx_parser *p, const struct ptx_operand *o);
/* check_float.c: which modifiers a floating-point form may have together. */
bool check_float(struct ptx_parser *p, const struct ptx_insn *insn);
/* check_cvt.c: the conversions that exist, and the rounding that they require. */
bool check_conversion(struct ptx_parser *p, const struct ptx_insn *insn);
/* check_operands.c: number, kinds and types of the operands. */
void check_operands(struct ptx_parser *p, const struct ptx_insn *insn);
/* The operand letters of opcodes.def that apply to this form. */
const char *operand_letters(const struct ptx_insn *insn);
/* Whether a destination must be a pair d|p: lop3 with a boolean operation, elect. */
bool needs_pair(const struct ptx_insn *insn);
/* check_value.c: checks one operand against its requirements. */
/* The requirements that an operand must meet. */
struct want {
	unsigned type;     /* enum ptx_type */
	bool may_be_wider; /* loads, stores and conversions */
	bool is_written;
};

struct check {
	struct ptx_parser *p;
	const struct ptx_insn *insn;
};

const char *check_word(const struct check *c);        /* the instruction as written: "ld.global.u32" */
const char *check_shown(const struct ptx_operand *o); /* the operand for a message */
bool type_is_integer(unsigned type);                  /* bits included */
bool type_is_narrow_float(unsigned type);             /* f16, bf16x2, tf32, e4m3x2 ... */
bool is_whole_vector(const struct check *c, const struct ptx_operand *o);
void check_sreg(const struct check *c, const struct ptx_operand *o, const struct want *want);
void check_value(const struct check *c, const struct ptx_operand *o, const struct want *want);
/* check_memory.c */
bool check_load_or_store(struct ptx_parser *p, const struct ptx_insn *insn);
bool check_atomic_order(struct ptx_parser *p, const struct ptx_insn *insn);
bool check_prefetch(struct ptx_parser *p, const struct ptx_insn *insn);
bool check_policy(struct ptx_parser *p, const struct ptx_insn *insn);
/* check_video.c */
bool check_video_form(struct ptx_parser *p, const struct ptx_insn *insn);
void check_video_operands(const struct check *c);
void check_address_operand(const struct check *c, const struct ptx_operand *o); /* check_operands.c: [base +
										   offset] */
void check_address_in(const struct check *c, const struct ptx_operand *o, unsigned space); /* of that space,
											      0: any */
/* check_async.c: cp and mbarrier. */
bool check_async_copy_word(struct ptx_parser *p, const struct ptx_insn *insn);
void check_async_copy(const struct check *c);
bool check_mbarrier_word(struct ptx_parser *p, const struct ptx_insn *insn);
void check_mbarrier(const struct check *c);
/* check_bulk.c: bulk copies; instructions on tensor maps. */
bool check_bulk_word(struct ptx_parser *p, const struct ptx_insn *insn);
void check_bulk(const struct check *c);
bool check_tensormap_word(struct ptx_parser *p, const struct ptx_insn *insn);
void check_tensormap(const struct check *c);
void check_bulk_store(const struct check *c); /* check_memory.c: st.bulk */
/* check_launch_control.c: clusterlaunchcontrol. */
bool check_launch_control_word(struct ptx_parser *p, const struct ptx_insn *insn);
void check_launch_control(const struct check *c);
/* check_matrix.c: mma, wmma, ldmatrix, stmatrix, movmatrix; the word, then the operands. */
bool check_matrix_word(struct ptx_parser *p, const struct ptx_insn *insn);
void check_matrix_operands(const struct check *c);
/* check_wgmma.c: wgmma; the word, then the operands. */
bool check_wgmma_word(struct ptx_parser *p, const struct ptx_insn *insn);
void check_wgmma_operands(const struct check *c);
/* check_tcgen05.c: tensor memory and its products; the word, then the operands. */
bool check_tcgen05_word(struct ptx_parser *p, const struct ptx_insn *insn);
void check_tcgen05_operands(const struct check *c);
/* check_call.c */
void check_recursion(struct ptx_parser *p);
void check_call(struct ptx_parser *p, const struct ptx_insn *insn);
void check_branch_table(struct ptx_parser *p, const struct ptx_insn *insn);
/* check_range.c */
void check_ranges(const struct check *c);
void check_pair_needed(const struct check *c);
void check_named_base(const struct check *c, const struct ptx_operand *base);
void check_signature(struct ptx_parser *p, const struct ptx_function *f);
void check_const_bytes(struct ptx_parser *p);
/* warn.c: warnings about a function that has no errors. */
void warn_function(struct ptx_parser *p, const struct ptx_function *f);
/* check_argument.c */
void check_argument(
	struct ptx_parser *p, const struct ptx_operand *o, const struct ptx_var *formal, const char *what);
void check_call_register(struct ptx_parser *p, const struct ptx_operand *o);
void check_call_list(struct ptx_parser *p, const struct ptx_label *label);
/* check_texture.c, check_texture_operands.c: textures and surfaces, whose forms and operands have shapes of
 * their own. */
/* A geometry: the number of elements of its coordinate vector (including padding), and of gradients and
 * offsets. */
struct texture_geometry {
	uint16_t modifier;
	uint8_t coordinates, gradients, offsets; /* offsets 0: it takes none */
	bool is_layered, is_float, is_multisampled;
};
const struct texture_geometry *texture_geometry_of(const struct ptx_insn *insn); /* NULL: none, or several */
bool is_texture_insn(unsigned opcode);
bool check_texture_form(struct ptx_parser *p, const struct ptx_insn *insn);
void check_texture(struct ptx_parser *p, const struct ptx_insn *insn);
/* check_variables.c: initialisers; offsets of .param, .shared and .local variables. */
void check_initialiser(struct ptx_parser *p, const struct ptx_var *variable);
void place_variables(struct ptx_function *f);

/* check_warp.c */
bool check_warp_form(struct ptx_parser *p, const struct ptx_insn *insn);
void check_warp_operands(const struct check *c);

#endif
