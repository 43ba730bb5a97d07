/* frontend/check.h -- the checks of one module, split over check*.c; private to them. */
#ifndef FRONTEND_CHECK_H
#define FRONTEND_CHECK_H

#include "frontend/form.h"
#include "frontend/parser.h"

/* What opcodes.def says about one opcode. */
struct opcode_row {
	const char *operands;
	uint64_t types[3];              /* masks of 1 << enum ptx_type; 0 ends them */
	const uint16_t *modifiers;      /* ended by MODIFIERS_END */
};
#define MODIFIERS_END 0xffff
#define ANY_TYPE      UINT64_MAX

extern const struct opcode_row opcode_rows[PTX_OPCODE_COUNT];

/* check_form.c: types and modifiers of an instruction word against its row, then check_rules. */
bool check_form(struct ptx_parser *p, const struct ptx_insn *insn);
/* check_rules.c: what is required and what excludes each other. */
bool check_rules(struct ptx_parser *p, const struct ptx_insn *insn);
/* check_operands.c: number, kinds and types of the operands. */
void check_operands(struct ptx_parser *p, const struct ptx_insn *insn);
/* check_call.c */
void check_call(struct ptx_parser *p, const struct ptx_insn *insn);
void check_branch_table(struct ptx_parser *p, const struct ptx_insn *insn);
/* check_variables.c: initialisers; offsets of .param, .shared and .local variables. */
void check_initialiser(struct ptx_parser *p, const struct ptx_var *variable);
void place_variables(struct ptx_function *f);

#endif
