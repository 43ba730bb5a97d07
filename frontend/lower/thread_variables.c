/* frontend/lower/thread_variables.c -- .local and .reg at module level (PTX ISA 2.3 and earlier): each thread
 * has them once, whatever function it is in.
 *
 * They lie where the thread's local memory begins, in front of the entry's frame. A register of the module is
 * loaded in front of each instruction that names it and stored behind it, as what is passed in a call is. */
#include "frontend/link/call.h"

#define REGISTER_BYTES 8u /* of each: up to 64 bits */

static bool is_thread_variable(const struct ptx_var *v)
{
	return !v->owner && (v->space == PTX_LOCAL || v->space == PTX_REG);
}

static void place_variable(struct lower *l, struct ptx_var *v)
{
	uint64_t count = (uint64_t)(v->range ? v->range : 1) * v->vector;

	if (v->space == PTX_REG)
		v->offset = frame_slot(l, count * REGISTER_BYTES, REGISTER_BYTES);
	else
		v->offset = frame_slot(l, v->bytes, v->align);
}

void place_thread_variables(struct lower *l)
{
	const struct program *p = l->program;

	for (size_t m = 0; m < p->module_count; m++)
		for (struct ptx_var *v = p->modules[m]->variables; p->modules[m]->has_thread_variables && v;
			v = v->next)
			if (is_thread_variable(v) && (!v->definition || v->definition == v))
				place_variable(l, v);
	for (size_t m = 0; m < p->module_count; m++)
		for (struct ptx_var *v = p->modules[m]->variables; p->modules[m]->has_thread_variables && v;
			v = v->next)
			if (is_thread_variable(v) && v->definition)
				v->offset = v->definition->offset;
}

typedef void access_function(struct lower *l, struct ptx_slot slot, ref r);

static void load_variable(struct lower *l, struct ptx_slot slot, ref r)
{
	load_value(l, slot, r);
}

static void store_variable(struct lower *l, struct ptx_slot slot, ref r)
{
	if (l->vregs[r].bits)
		store_value(l, slot, r);
	else
		store_predicate(l, slot, r, false);
}

/* A register, or each component of a vector. */
static void access_register(struct lower *l, const struct ptx_operand *o, access_function *access)
{
	const struct ptx_var *v = o->variable;
	bool is_component = o->component >= 0;
	uint32_t component = is_component ? (uint32_t)o->component : 0;
	uint32_t first = o->index * v->vector + component;
	uint32_t end = first + (is_component ? 1 : v->vector);

	for (uint32_t i = first; i < end; i++) {
		ref r = (ref)(uintptr_t)v->user + i;
		uint32_t bits = l->vregs[r].bits;

		access(l, (struct ptx_slot){ (uint32_t)v->offset + i * REGISTER_BYTES, bits ? bits / 8 : 1 },
			r);
	}
}

static void access_operand(struct lower *l, const struct ptx_operand *o, access_function *access)
{
	if (o->kind == PTX_OP_REG && !o->variable->owner)
		access_register(l, o, access);
	if (o->base && access == load_variable)
		access_operand(l, o->base, access);
	for (uint32_t i = 0; i < o->element_count; i++)
		access_operand(l, &o->elements[i], access);
}

/* Without the instruction's guard, and wherever the function's own frame is. */
static void access_list(struct lower *l, const struct ptx_insn *insn, const struct ptx_operand *list,
	uint32_t count, access_function *access)
{
	uint32_t first = l->draft_count;

	l->insn = NULL;
	for (uint32_t i = 0; i < count; i++)
		access_operand(l, &list[i], access);
	for (uint32_t i = first; i < l->draft_count; i++) {
		l->drafts[i].uop.line = insn->location.line;
		l->drafts[i].uop.mods &= (uint8_t)~MOD_FRAME;
	}
}

void load_thread_registers(struct lower *l, const struct ptx_insn *insn)
{
	if (insn->has_guard)
		access_list(l, insn, &insn->guard, 1, load_variable);
	access_list(l, insn, insn->operands, insn->operand_count, load_variable);
}

/* What an instruction only read is stored as it was; but a call may have given it another value. */
void store_thread_registers(struct lower *l, const struct ptx_insn *insn)
{
	switch (insn->opcode) {
	case PTX_BRA:
	case PTX_BRX:
	case PTX_RET:
	case PTX_EXIT:
	case PTX_TRAP:
		return;
	case PTX_CALL:
		if (insn->operand_count && insn->operands[0].kind == PTX_OP_LIST &&
			call_target(insn) != insn->operands)
			access_list(l, insn, insn->operands, 1, store_variable);
		return;
	default:
		access_list(l, insn, insn->operands, insn->operand_count, store_variable);
	}
}
