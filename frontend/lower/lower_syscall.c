/* frontend/lower/lower_syscall.c -- functions that every program may call though no module defines them: one
 * micro-operation each, with the arguments as values. */
#include "frontend/link/call.h"

#include <string.h>

static const struct syscall {
	const char *name;
	uint8_t arguments, argument_bits[5], result_bits;
} syscalls[] = {
	[PTX_SYSCALL_VPRINTF] = { "vprintf", 2, { 64, 64 }, 32 },
	[PTX_SYSCALL_MALLOC] = { "malloc", 1, { 64 }, 64 },
	[PTX_SYSCALL_FREE] = { "free", 1, { 64 }, 0 },
	[PTX_SYSCALL_ASSERTFAIL] = { "__assertfail", 5, { 64, 64, 32, 64, 64 }, 0 },
};

static const struct syscall *syscall_named(const char *name)
{
	for (size_t s = 0; s < sizeof syscalls / sizeof *syscalls; s++)
		if (!strcmp(syscalls[s].name, name))
			return &syscalls[s];
	return NULL;
}

static ref argument_value(struct lower *l, const struct ptx_operand *o, unsigned bits)
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

static void emit_syscall(struct lower *l, const struct call *call, const struct syscall *s)
{
	uint32_t count = call->arguments ? call->arguments->element_count : 0;
	const struct ptx_operand *to = call->results && call->results->element_count && s->result_bits
		? &call->results->elements[0]
		: NULL;
	ref arguments[5], result_ref = REF_NONE;
	struct draft *d;

	if (l->module->address_bits == 32) {
		lower_refuse(l, &l->insn->location, "'%s' in a module with 32-bit addresses is not executed",
			s->name);
		return;
	}
	if (count != s->arguments) {
		lower_refuse(l, &l->insn->location, "'%s' has %u parameters, not %u", s->name, s->arguments,
			count);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		arguments[i] = argument_value(l, &call->arguments->elements[i], s->argument_bits[i]);
	if (to)
		result_ref =
			param_variable(l, to) ? new_vreg(l, s->result_bits) : result(l, to, s->result_bits);
	d = emit(l, UOP_SYSCALL);
	d->uop.imm = s - syscalls;
	for (uint32_t i = 0; i < count && i < 4; i++)
		d->src[i] = arguments[i];
	if (count == 5)
		add_extras(l, d, 1, 0)[0] = arguments[4];
	d->dst[0] = result_ref;
	d->is_early = true;
	if (to && param_variable(l, to)) {
		struct ptx_slot slot = slot_of(param_variable(l, to));

		if (slot.bytes > s->result_bits / 8)
			slot.bytes = s->result_bits / 8;
		store_value(l, slot, result_ref);
	}
}

bool lower_syscall(struct lower *l, const struct call *call)
{
	const struct syscall *s = syscall_named(call->type->name);

	if (s)
		emit_syscall(l, call, s);
	return s != NULL;
}
