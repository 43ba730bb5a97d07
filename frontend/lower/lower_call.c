/* frontend/lower/lower_call.c -- calls, returns, and what passes between them.
 *
 * Arguments and results pass through local memory: a call names places in the caller's frame, the callee's
 * formals are places in its own, and CALL and RET copy between the two. Formals and arguments in registers
 * are stored and loaded around that. These accesses stand for registers (the ABI passes arguments so): they
 * do not go to the load/store unit. */
#include "frontend/link/call.h"

#define NO_ARGUMENT_LIST 0xffffff00u /* an address where no thread has local memory */

void mark_param_access(struct draft *d)
{
	d->uop.unit = (uint8_t)uop_unit_of(UOP_MOV_B32);
	d->uop.latency_class = (uint8_t)uop_class_of(UOP_MOV_B32);
}

struct draft *access_slot(struct lower *l, unsigned code, struct ptx_slot slot, unsigned register_bits)
{
	struct draft *d = emit(l, code);

	mark_param_access(d);
	d->uop.space = SPACE_LOCAL;
	d->uop.imm = slot.offset;
	d->uop.bytes = (uint8_t)slot.bytes;
	d->uop.vector = 1;
	d->uop.reg_bytes = (uint8_t)(register_bits / 8);
	if (!l->function->is_entry)
		d->uop.mods = MOD_FRAME;
	return d;
}

void store_value(struct lower *l, struct ptx_slot slot, ref value)
{
	access_slot(l, UOP_ST, slot, slot.bytes < 4 ? 32 : 8 * slot.bytes)->src[1] = value;
}

void store_predicate(struct lower *l, struct ptx_slot slot, ref p, bool negated)
{
	ref one = constant_ref(l, 1, 32), zero = constant_ref(l, 0, 32), word = new_vreg(l, 32);
	struct draft *d = emit(l, UOP_SELP_B32);

	d->dst[0] = word;
	d->src[0] = negated ? zero : one;
	d->src[1] = negated ? one : zero;
	d->src[2] = p;
	store_value(l, slot, word);
}

void load_value(struct lower *l, struct ptx_slot slot, ref to)
{
	unsigned bits = bits_of(l, to);
	ref word = to;
	struct draft *d;

	if (bits < 8 * slot.bytes && bits)
		word = new_vreg(l, 8 * slot.bytes < 32 ? 32 : 8 * slot.bytes);
	if (!bits)
		word = new_vreg(l, 32);
	access_slot(l, UOP_LD, slot, bits_of(l, word) < 32 ? 32 : bits_of(l, word))->dst[0] = word;
	if (word == to)
		return;
	if (!bits) {
		ref zero = constant_ref(l, 0, 32);

		d = emit(l, UOP_SETP_U32);
		d->dst[0] = to;
		d->src[0] = word;
		d->src[1] = zero;
		d->uop.compare = CMP_NE;
	} else {
		d = emit(l, UOP_CVT_INT);
		d->dst[0] = to;
		d->src[0] = word;
		d->uop.type = bits == 8 ? PTX_U8 : bits == 16 ? PTX_U16 : PTX_U32;
		d->uop.compare = slot.bytes == 8 ? PTX_U64 : slot.bytes == 4 ? PTX_U32 : PTX_U16;
		d->uop.reg_bytes = 4;
	}
}

struct ptx_slot slot_of(const struct ptx_var *v)
{
	return (struct ptx_slot){ (uint32_t)v->offset, (uint32_t)frame_bytes(v) };
}

ref argument_list_address(struct lower *l, const struct ptx_var *v)
{
	ref address = new_vreg(l, 8 * ARGUMENT_LIST_BYTES);

	load_value(l, slot_of(v), address);
	return address;
}

/* One element of what passes in a vector register; elements lie one after the other. */
static struct ptx_slot element_slot(struct ptx_slot slot, const struct ptx_var *v, unsigned element)
{
	uint32_t bytes = slot.bytes / v->vector;

	return (struct ptx_slot){ slot.offset + element * bytes, bytes };
}

static ref formal_register(const struct ptx_var *v)
{
	return (ref)(uintptr_t)v->user;
}

void load_formals(struct lower *l)
{
	for (const struct ptx_var *v = l->function->params; v; v = v->next)
		for (unsigned i = 0; i < v->vector && v->space == PTX_REG; i++)
			load_value(l, element_slot(slot_of(v), v, i), formal_register(v) + i);
}

static void store_results(struct lower *l)
{
	for (const struct ptx_var *v = l->function->returns; v; v = v->next) {
		if (v->space != PTX_REG)
			continue;
		if (v->type == PTX_PRED)
			store_predicate(l, slot_of(v), formal_register(v), false);
		for (unsigned i = 0; i < v->vector && v->type != PTX_PRED; i++)
			store_value(l, element_slot(slot_of(v), v, i), formal_register(v) + i);
	}
}

void emit_return(struct lower *l)
{
	if (l->function->is_entry) {
		emit(l, UOP_EXIT);
		return;
	}
	store_results(l);
	emit(l, UOP_RET)->uop.target = l->unit;
}

void lower_ret(struct lower *l)
{
	has_modifier(l, PTX_MOD_UNI);
	emit_return(l);
}

const struct ptx_var *param_variable(const struct lower *l, const struct ptx_operand *o)
{
	return o->kind == PTX_OP_SYMBOL && o->variable && o->variable->space == PTX_PARAM &&
			is_in_frame(l, o->variable)
		? o->variable
		: NULL;
}

static bool is_passable(struct lower *l, const struct ptx_operand *o, const struct ptx_var *formal)
{
	const struct ptx_var *v = param_variable(l, o);

	if (is_argument_list(formal))
		return true;
	if (v && v->bytes != formal->bytes)
		lower_refuse(l, &o->location, "'%s' has %llu bytes, the parameter %llu", v->name,
			(unsigned long long)v->bytes, (unsigned long long)formal->bytes);
	else if (!v && formal->dimensions)
		lower_refuse(l, &o->location, "a parameter of %llu bytes must be passed in .param",
			(unsigned long long)formal->bytes);
	return !l->is_refused;
}

/* Room for an argument or result that is no .param variable; given back behind the call (end_call). */
static struct ptx_slot temporary(struct lower *l, const struct ptx_var *formal)
{
	uint64_t bytes = frame_bytes(formal);

	return (struct ptx_slot){ frame_slot(l, bytes, bytes), (uint32_t)bytes };
}

/* The value of an argument for a parameter of one element, or for one element of a vector. */
static void pass_value(
	struct lower *l, const struct ptx_operand *o, const struct ptx_var *formal, struct ptx_slot slot)
{
	unsigned bits = 8 * slot.bytes;

	store_value(l, slot, source(l, o, bits < 16 ? 16 : bits, ptx_type_is_float(formal->type)));
}

/* The address of what is passed for a list of any length; of nothing if that is left out. */
static struct ptx_slot pass_argument_list(
	struct lower *l, const struct ptx_operand *o, const struct ptx_var *formal)
{
	struct ptx_slot slot = temporary(l, formal);
	unsigned bits = 8 * ARGUMENT_LIST_BYTES;

	store_value(l, slot, o ? source(l, o, bits, false) : constant_ref(l, NO_ARGUMENT_LIST, bits));
	return slot;
}

static struct ptx_slot pass_argument(
	struct lower *l, const struct ptx_operand *o, const struct ptx_var *formal)
{
	const struct ptx_var *v = param_variable(l, o);
	struct ptx_operand elements[MOST_ELEMENTS];
	uint32_t count = data_elements(l, o, elements);
	struct ptx_slot slot;
	bool negated;
	ref value;

	if (is_argument_list(formal))
		return pass_argument_list(l, o, formal);
	if (v)
		return slot_of(v);
	slot = temporary(l, formal);
	if (formal->type == PTX_PRED) {
		value = predicate_source(l, o, &negated);
		store_predicate(l, slot, value, negated);
	} else {
		for (uint32_t i = 0; i < count; i++)
			pass_value(l, &elements[i], formal, element_slot(slot, formal, i));
	}
	return slot;
}

/* The elements of a list; a call without one passes nothing. False if their number is not that of the
 * formals. */
static bool has_length_of(const struct ptx_operand *list, const struct ptx_var *formal)
{
	uint32_t have = list ? list->element_count : 0, count = 0;

	for (; formal; formal = formal->next)
		if (!is_argument_list(formal) || count < have)
			count++;
	return count == have;
}

static bool find_call(struct lower *l, struct call *call)
{
	const struct ptx_insn *insn = l->insn;
	const struct ptx_operand *target = call_target(insn);

	*call = (struct call){ .target = target, .type = called_type(l, insn) };
	if (!call->type) {
		lower_refuse_form(l);
		return false;
	}
	if (target != insn->operands)
		call->results = insn->operands;
	if (target + 1 < insn->operands + insn->operand_count && target[1].kind == PTX_OP_LIST)
		call->arguments = target + 1;
	if (has_length_of(call->results, call->type->returns) &&
		has_length_of(call->arguments, call->type->params))
		return true;
	lower_refuse(l, &insn->location, "the call does not have the arguments and results of what it calls");
	return false;
}

/* --- calls --- */

/* Descriptions of the places of a list, its values passed if they are arguments. */
static struct ptx_slot *pass_list(struct lower *l, const struct ptx_operand *list,
	const struct ptx_var *formal, bool is_result, uint32_t *count)
{
	struct ptx_slot *slots;

	*count = list ? list->element_count : 0;
	slots = arena_alloc(l->arena, (*count + 1) * sizeof *slots);
	for (uint32_t i = 0; i < *count; i++, formal = formal->next) {
		const struct ptx_operand *o = &list->elements[i];

		if (!is_passable(l, o, formal))
			return slots;
		if (!is_result)
			slots[i] = pass_argument(l, o, formal);
		else
			slots[i] =
				param_variable(l, o) ? slot_of(param_variable(l, o)) : temporary(l, formal);
	}
	if (formal)
		slots[(*count)++] = pass_argument_list(l, NULL, formal);
	return slots;
}

/* Results that go to registers. */
static void take_results(struct lower *l, const struct ptx_operand *list, const struct ptx_slot *slots,
	const struct ptx_var *formal)
{
	for (uint32_t i = 0; list && i < list->element_count; i++, formal = formal->next) {
		struct ptx_operand elements[MOST_ELEMENTS];
		uint32_t count = data_elements(l, &list->elements[i], elements);

		if (param_variable(l, &list->elements[i]))
			continue;
		for (uint32_t j = 0; j < count; j++) {
			ref to = destination(l, &elements[j]);

			if (to != REF_NONE)
				load_value(l, element_slot(slots[i], formal, j), to);
		}
	}
}

static void emit_call(
	struct lower *l, const struct call *call, const struct ptx_function *callee, uint32_t index)
{
	ref address = callee ? REF_NONE : source_register(l, call->target);
	struct draft *d = emit(l, UOP_CALL);

	d->uop.imm = index;
	if (callee) {
		d->uop.target = ((struct image_function *)callee->user)->unit;
	} else {
		d->src[0] = address;
		if (bits_of(l, address) <= 32)
			d->uop.mods = MOD_SAT;
	}
}

static void lower_function_call(struct lower *l, const struct call *call, const struct ptx_function *callee)
{
	struct unit *u = &l->units[l->unit];
	uint32_t frame = u->frame, index = u->call_count;
	struct ptx_call made = { .signature = signature_of(l, call->type) };

	made.arguments = pass_list(l, call->arguments, call->type->params, false, &made.argument_count);
	made.results = pass_list(l, call->results, call->type->returns, true, &made.result_count);
	if (l->is_refused)
		return;
	u->calls = arena_grow(l->scratch, u->calls, u->call_count, sizeof *u->calls);
	u->calls[u->call_count++] = made;
	emit_call(l, call, callee, index);
	take_results(l, call->results, made.results, call->type->returns);
	if (u->frame > u->deepest)
		u->deepest = u->frame;
	u->frame = frame;
}

void lower_call(struct lower *l)
{
	const struct ptx_function *callee = NULL;
	struct call call;

	has_modifier(l, PTX_MOD_UNI);
	if (!find_call(l, &call))
		return;
	if (call.target->kind == PTX_OP_FUNCTION) {
		callee = definition_of(l, call.type);
		if (!callee && lower_syscall(l, &call))
			return;
		if (!callee) {
			lower_refuse_function(l, &call.target->location, call.type->name);
			return;
		}
	} else if (call.target->kind != PTX_OP_REG) {
		lower_refuse_form(l);
		return;
	}
	lower_function_call(l, &call, callee);
}
