/* frontend/lower/lower_syscall.c -- functions that every program may call though no module defines them: one
 * micro-operation each, with the arguments as values. */
#include "frontend/link/call.h"

#include <string.h>

static const struct ptx_syscall_form forms[] = {
#define SYSCALL(id, name, result, ...) { name, result, { __VA_ARGS__ } },
#include "frontend/syscalls.def"
#undef SYSCALL
};

const struct ptx_syscall_form *ptx_syscall_form(unsigned which)
{
	return &forms[which];
}

static const struct ptx_syscall_form *form_named(const char *name)
{
	for (unsigned s = 0; s < PTX_SYSCALLS; s++)
		if (!strcmp(forms[s].name, name))
			return &forms[s];
	return NULL;
}

static uint32_t argument_count(const struct ptx_syscall_form *form)
{
	uint32_t count = 0;

	while (form->argument_bits[count])
		count++;
	return count;
}

static bool is_narrow(const struct lower *l)
{
	return l->module->address_bits == 32;
}

/* Addresses and sizes of a module with 32-bit addresses. */
static ref with_zeros(struct lower *l, ref from)
{
	struct draft *d = emit(l, UOP_CVT_U64_U32);

	d->src[0] = from;
	return d->dst[0] = new_vreg(l, 64);
}

static ref argument_of(struct lower *l, const struct ptx_operand *o, unsigned bits)
{
	const struct ptx_var *v = param_variable(l, o);
	ref value;

	if (!v)
		return source(l, o, bits, false);
	if (v->bytes != 4 && v->bytes != 8)
		lower_refuse(l, &o->location, "'%s' has %llu bytes, the parameter %u", v->name,
			(unsigned long long)v->bytes, bits / 8);
	value = new_vreg(l, bits);
	access_slot(l, UOP_LD, slot_of(v), bits)->dst[0] = value;
	return value;
}

static ref argument_value(struct lower *l, const struct ptx_operand *o, unsigned bits)
{
	return bits == 64 && is_narrow(l) ? with_zeros(l, argument_of(l, o, 32)) : argument_of(l, o, bits);
}

/* The words of a block; how many. */
static uint32_t block_words(struct lower *l, const struct ptx_operand *o, unsigned bits, ref *words)
{
	const struct ptx_var *v = param_variable(l, o);

	if (!v || v->bytes != bits / 8) {
		lower_refuse(l, &o->location, "a parameter of %u bytes must be passed in .param", bits / 8);
		return 0;
	}
	for (uint32_t i = 0; i < bits / 32; i++) {
		struct ptx_slot word = { slot_of(v).offset + 4 * i, 4 };

		words[i] = new_vreg(l, 32);
		access_slot(l, UOP_LD, word, 32)->dst[0] = words[i];
	}
	return bits / 32;
}

static uint32_t all_arguments(
	struct lower *l, const struct ptx_operand *list, const struct ptx_syscall_form *form, ref *values)
{
	uint32_t count = 0;

	for (uint32_t i = 0; form->argument_bits[i]; i++) {
		const struct ptx_operand *o = &list->elements[i];
		unsigned bits = form->argument_bits[i];

		if (bits > 64)
			count += block_words(l, o, bits, values + count);
		else
			values[count++] = argument_value(l, o, bits);
	}
	return count;
}

static void store_result(
	struct lower *l, const struct ptx_operand *to, const struct ptx_syscall_form *form, ref value)
{
	struct ptx_slot slot = slot_of(param_variable(l, to));

	if (slot.bytes > form->result_bits / 8)
		slot.bytes = form->result_bits / 8;
	store_value(l, slot, value);
}

static void emit_with(struct lower *l, const struct ptx_syscall_form *form, const ref *values, uint32_t count,
	ref result_ref)
{
	struct draft *d = emit(l, UOP_SYSCALL);

	d->uop.imm = form - forms;
	for (uint32_t i = 0; i < count && i < 4; i++)
		d->src[i] = values[i];
	if (count > 4)
		memcpy(add_extras(l, d, count - 4, 0), values + 4, (count - 4) * sizeof *values);
	d->dst[0] = result_ref;
	d->uop.mods |= is_narrow(l) ? MOD_SAT : 0;
	d->is_early = true;
}

static void emit_syscall(struct lower *l, const struct call *call, const struct ptx_syscall_form *form)
{
	uint32_t count = call->arguments ? call->arguments->element_count : 0;
	const struct ptx_operand *to = call->results && call->results->element_count && form->result_bits
		? &call->results->elements[0]
		: NULL;
	unsigned bits = form->result_bits == 64 && is_narrow(l) ? 32 : form->result_bits;
	ref values[PTX_SYSCALL_ROWS], result_ref = REF_NONE;

	if (is_narrow(l) && form - forms > PTX_SYSCALL_ASSERTFAIL) {
		lower_refuse(l, &l->insn->location, "'%s' in a module with 32-bit addresses is not executed",
			form->name);
		return;
	}
	if (count != argument_count(form)) {
		lower_refuse(l, &l->insn->location, "'%s' has %u parameters, not %u", form->name,
			argument_count(form), count);
		return;
	}
	count = all_arguments(l, call->arguments, form, values);
	if (to)
		result_ref = param_variable(l, to) ? new_vreg(l, bits) : result(l, to, bits);
	emit_with(l, form, values, count, result_ref);
	if (to && param_variable(l, to))
		store_result(l, to, form, result_ref);
}

bool lower_syscall(struct lower *l, const struct call *call)
{
	const struct ptx_syscall_form *form = form_named(call->type->name);

	if (form)
		emit_syscall(l, call, form);
	return form != NULL;
}
