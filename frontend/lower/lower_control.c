/* frontend/lower/lower_control.c -- branches, exits, and what else has no values. */
#include "frontend/lower/lower.h"
#include "frontend/parse/form.h"

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

/* The targets stay instructions' indices as well. */
void lower_brx(struct lower *l)
{
	const struct ptx_operand *list = operand(l, 1);
	struct unit *u = &l->units[l->unit];
	uint32_t first = u->target_count;
	ref index;
	struct draft *d;

	has_modifier(l, PTX_MOD_IDX);
	has_modifier(l, PTX_MOD_UNI);
	if (list->kind != PTX_OP_LABEL || !list->label->target_labels) {
		lower_refuse_form(l);
		return;
	}
	for (uint32_t t = 0; t < list->label->target_count; t++) {
		u->targets = arena_grow(l->scratch, u->targets, u->target_count, sizeof *u->targets);
		u->targets[u->target_count++] = list->label->target_labels[t]->target;
	}
	index = source(l, operand(l, 0), 32, false);
	d = emit(l, UOP_BRX);
	d->src[0] = index;
	d->uop.imm = first;
	d->uop.target = list->label->target_count;
}

void lower_exit(struct lower *l)
{
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

/* What has no effect here: events for profilers, registers handed between warps, and grids that start before
 * the one before has ended. */
/* How many registers the warp's threads may use. */
void lower_setmaxnreg(struct lower *l)
{
	static const uint16_t modifiers[] = { PTX_MOD_DEC, PTX_MOD_SYNC, PTX_MOD_ALIGNED };
	struct draft *d = emit(l, UOP_SETMAXNREG);
	uint64_t registers = 0;

	constant_operand(operand(l, 0), &registers);
	d->uop.imm = (int64_t)registers;
	d->uop.combine = has_modifier(l, PTX_MOD_INC);
	allow_modifiers(l, modifiers, sizeof modifiers / sizeof modifiers[0]);
	l->kernel->changes_registers = true;
	if (d->uop.combine && registers > l->kernel->most_registers)
		l->kernel->most_registers = (uint16_t)registers;
}

void lower_multimem(struct lower *l)
{
	lower_refuse(l, &l->insn->location,
		"'%s' accesses the memory of several GPUs at once, and one GPU is simulated",
		l->insn->form->spelling);
}

void lower_griddepcontrol(struct lower *l)
{
	emit(l, has_modifier(l, PTX_MOD_LAUNCH_DEPENDENTS) ? UOP_GRID_TRIGGER : UOP_GRID_WAIT);
	has_modifier(l, PTX_MOD_WAIT);
}

void lower_nop(struct lower *l)
{
	static const uint16_t modifiers[] = { PTX_MOD_MASK };

	allow_modifiers(l, modifiers, sizeof modifiers / sizeof modifiers[0]);
	emit(l, UOP_NOP);
}
