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

/* A breakpoint with no debugger to go on from it ends the kernel. */
void lower_brkpt(struct lower *l)
{
	emit(l, UOP_TRAP)->uop.imm = 1;
}

void lower_nanosleep(struct lower *l)
{
	ref duration = source(l, operand(l, 0), 32, false);

	emit(l, UOP_NANOSLEEP)->src[0] = duration;
}

/* What has no effect here: events for profilers, registers handed between warps, and grids that start before the one
 * before has ended. */
void lower_nop(struct lower *l)
{
	static const uint16_t modifiers[] = { PTX_MOD_MASK, PTX_MOD_INC, PTX_MOD_DEC, PTX_MOD_SYNC, PTX_MOD_ALIGNED,
		PTX_MOD_WAIT, PTX_MOD_LAUNCH_DEPENDENTS };

	allow_modifiers(l, modifiers, sizeof modifiers / sizeof modifiers[0]);
	emit(l, UOP_NOP);
}
