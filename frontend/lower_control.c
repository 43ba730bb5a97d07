/* frontend/lower_control.c -- branches, exits, and what else has no values. */
#include "frontend/lower.h"

/* The target stays an instruction's index until assemble() knows all micro-operations. */
void lower_bra(struct lower *l)
{
	const struct ptx_operand *to = operand(l, 0);
	struct draft *d;

	if (to->kind != PTX_OP_LABEL || !to->label) {
		lower_refuse_form(l);
		return;
	}
	d = emit(l, UOP_BRA);
	d->uop.target = to->label->target;
	if (has_modifier(l, PTX_MOD_UNI))
		d->uop.flags |= UOP_BRANCH_UNI;
}

void lower_exit(struct lower *l)
{
	has_modifier(l, PTX_MOD_UNI);
	emit(l, UOP_EXIT);
}

void lower_trap(struct lower *l)
{
	emit(l, UOP_TRAP);
}

void lower_nop(struct lower *l)
{
	has_modifier(l, PTX_MOD_MASK);
	emit(l, UOP_NOP);
}
