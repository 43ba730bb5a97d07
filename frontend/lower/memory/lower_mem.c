/* frontend/lower/memory/lower_mem.c -- loads, stores, atomics, addresses. */
#include "frontend/lower/lower.h"

#include <stdio.h>

/* What has no effect on values and none, or none yet, on timing. */
static void allow_hints(struct lower *l)
{
	static const uint16_t hints[] = { PTX_MOD_WEAK, PTX_MOD_CTA, PTX_MOD_GPU, PTX_MOD_GL, PTX_MOD_SYS,
		PTX_MOD_CLUSTER, PTX_MOD_SHARED_CTA, PTX_MOD_SHARED_CLUSTER, PTX_MOD_PARAM_ENTRY,
		PTX_MOD_PARAM_FUNC, PTX_MOD_UNIFIED, PTX_MOD_L1_EVICT_NORMAL, PTX_MOD_L1_EVICT_UNCHANGED,
		PTX_MOD_L1_EVICT_FIRST, PTX_MOD_L1_EVICT_LAST, PTX_MOD_L1_NO_ALLOCATE,
		PTX_MOD_L2_EVICT_NORMAL, PTX_MOD_L2_EVICT_UNCHANGED, PTX_MOD_L2_EVICT_FIRST,
		PTX_MOD_L2_EVICT_LAST, PTX_MOD_L2_CACHE_HINT, PTX_MOD_L2_64B, PTX_MOD_L2_128B,
		PTX_MOD_L2_256B };

	allow_modifiers(l, hints, sizeof hints / sizeof *hints);
}

/* Memory is one, and every access takes effect in order: what asks for order or coherence only keeps out of
 * the L1. */
static bool is_volatile(struct lower *l)
{
	static const uint16_t list[] = { PTX_MOD_VOLATILE, PTX_MOD_RELAXED, PTX_MOD_ACQUIRE, PTX_MOD_RELEASE,
		PTX_MOD_ACQ_REL, PTX_MOD_SC, PTX_MOD_MMIO };
	bool found = false;

	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		found |= has_modifier(l, list[i]);
	return found;
}

/* And what it orders, which only those look at who look for races. */
static void set_order(struct lower *l, struct draft *d)
{
	bool is_both = has_modifier(l, PTX_MOD_ACQ_REL);

	if (is_volatile(l))
		d->uop.flags |= UOP_VOLATILE;
	d->uop.target = (is_both || has_modifier(l, PTX_MOD_ACQUIRE) ? ORDER_ACQUIRES : 0) |
		(is_both || has_modifier(l, PTX_MOD_RELEASE) ? ORDER_RELEASES : 0) |
		(has_modifier(l, PTX_MOD_CTA) ? ORDER_OF_CTA : 0);
}

static uint8_t cache_operator(struct lower *l, uint8_t otherwise)
{
	static const struct {
		uint16_t modifier;
		uint8_t operator;
	} table[] = { { PTX_MOD_CA, CACHE_CA }, { PTX_MOD_CG, CACHE_CG }, { PTX_MOD_CS, CACHE_CS },
		{ PTX_MOD_LU, CACHE_LU }, { PTX_MOD_CV, CACHE_CV }, { PTX_MOD_WB, CACHE_WB },
		{ PTX_MOD_WT, CACHE_WT } };

	if (has_modifier(l, PTX_MOD_NC))
		otherwise = CACHE_NC;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (has_modifier(l, table[i].modifier))
			return table[i].operator;
	return otherwise;
}

static bool find_space(struct lower *l, unsigned space, uint8_t *found)
{
	static const uint8_t spaces[] = { [PTX_NO_SPACE] = SPACE_GENERIC,
		[PTX_CONST] = SPACE_CONST,
		[PTX_GLOBAL] = SPACE_GLOBAL,
		[PTX_LOCAL] = SPACE_LOCAL,
		[PTX_PARAM] = SPACE_PARAM,
		[PTX_SHARED] = SPACE_SHARED };

	if (space == PTX_REG || space == PTX_SREG || space >= PTX_TEX) {
		lower_refuse_form(l);
		return false;
	}
	*found = spaces[space];
	return true;
}

static bool symbol_base(struct lower *l, const struct ptx_operand *symbol, struct address *a)
{
	const struct ptx_var *v = symbol->variable;

	if (a->space == SPACE_GENERIC && (!v || !find_space(l, v->space, &a->space)))
		return false;
	a->offset = sum_of_offsets(a->offset, (int64_t)symbol->value.bits);
	if (v && (v->space == PTX_GLOBAL || v->space == PTX_CONST)) {
		a->base = source(l,
			&(struct ptx_operand){ .kind = PTX_OP_SYMBOL,
				.variable = symbol->variable,
				.component = -1,
				.location = symbol->location,
				.name = symbol->name },
			64, false);
		return true;
	}
	if (!v) {
		lower_refuse_form(l);
		return false;
	}
	if (is_argument_list(v)) {
		a->is_param = a->is_narrow = true;
		a->space = SPACE_LOCAL;
		a->base = argument_list_address(l, v);
		return true;
	}
	if (is_in_frame(l, v)) {
		a->is_param = a->space == SPACE_PARAM;
		a->is_framed = !is_frame_absolute(l, v);
		a->space = SPACE_LOCAL;
	}
	a->offset = sum_of_offsets(a->offset, (int64_t)variable_offset(v));
	return true;
}

static bool is_device_wide(unsigned space)
{
	return space == SPACE_GLOBAL || space == SPACE_CONST || space == SPACE_GENERIC;
}

static bool find_address(struct lower *l, const struct ptx_operand *o, struct address *a)
{
	const struct ptx_operand *base = o->kind == PTX_OP_ADDRESS ? o->base : o;

	*a = (struct address){ .base = REF_NONE,
		.offset = o->kind == PTX_OP_ADDRESS ? (int64_t)o->value.bits : 0 };
	if (!find_space(l, l->insn->space, &a->space))
		return false;
	if (!base || base->kind == PTX_OP_NONE)
		return true;
	if (base->kind == PTX_OP_VALUE) {
		a->offset = sum_of_offsets(a->offset, (int64_t)base->value.bits);
		return true;
	}
	if (base->kind == PTX_OP_SYMBOL)
		return symbol_base(l, base, a);
	if (base->kind != PTX_OP_REG) {
		lower_refuse_form(l);
		return false;
	}
	a->base = l->module->address_bits == 32 ? source(l, base, 32, false) : source_register(l, base);
	a->is_narrow = bits_of(l, a->base) <= 32;
	if (a->space == SPACE_PARAM && !l->function->is_entry && !has_modifier(l, PTX_MOD_PARAM_ENTRY)) {
		a->space = SPACE_LOCAL; /* the address of a function's own parameter */
		a->is_param = true;
	} else if (a->is_narrow && a->space == SPACE_CONST) { /* ptxas takes those in any module */
		l->image->has_narrow_addresses = true;
	} else if (a->is_narrow && is_device_wide(a->space)) {
		accept_narrow(l, base);
	}
	return !l->is_refused;
}

bool lower_find_address(struct lower *l, const struct ptx_operand *o, struct address *address)
{
	if (!find_address(l, o, address))
		return false;
	if (address->is_framed || address->is_param)
		lower_refuse_form(l); /* in the frame of a function */
	if (address->is_narrow && is_device_wide(address->space))
		lower_refuse_form(l); /* of chips that have 64-bit addresses alone */
	return !l->is_refused;
}

static void set_address(struct lower *l, struct draft *d, const struct address *a)
{
	d->src[0] = a->base;
	d->uop.imm = a->offset;
	d->uop.space = a->space;
	if (a->is_narrow)
		d->uop.mods |= MOD_SAT;
	if (a->is_framed)
		d->uop.mods |= MOD_FRAME;
	if (has_modifier(l, PTX_MOD_SHARED_CLUSTER))
		d->uop.mods |= MOD_CLUSTER;
	if (a->is_param)
		mark_param_access(d);
}

void lower_ld(struct lower *l)
{
	unsigned type = l->insn->types[0];
	struct address address;
	struct loaded loaded;
	struct draft *d;

	if (!find_address(l, operand(l, 1), &address) || !load_targets(l, operand(l, 0), &loaded))
		return;
	d = emit(l, address.space == SPACE_PARAM ? UOP_LD_PARAM : UOP_LD);
	set_address(l, d, &address);
	set_results(l, d, &loaded);
	d->uop.bytes = (uint8_t)(ptx_type_bits(type) / 8);
	d->uop.type = (uint8_t)type;
	d->uop.combine = cache_operator(l, CACHE_DEFAULT);
	set_order(l, d);
	allow_hints(l);
	finish_loads(l, &loaded);
	if (is_device_wide(address.space))
		lower_acquire(l);
}

/* st.bulk: so many bytes of the CTA's shared memory become 0. */
static void lower_st_bulk(struct lower *l)
{
	const struct ptx_operand *size = operand(l, 1);
	bool is_wide = size->kind == PTX_OP_REG && ptx_type_bits(size->variable->type) == 64;
	struct address address;
	struct draft *d;
	ref bytes;

	if (!find_address(l, operand(l, 0), &address))
		return;
	bytes = source(l, size, is_wide ? 64 : 32, false);
	d = emit(l, UOP_ST_BULK);
	d->src[0] = address.base;
	d->src[1] = bytes;
	d->uop.imm = address.offset;
	d->uop.space = address.space;
	d->uop.reg_bytes = is_wide ? 8 : 4;
	d->uop.mods = address.is_narrow ? MOD_SAT : 0;
	l->used_modifiers = (1u << l->insn->modifier_count) - 1;
}

/* Without an mbarrier: a store or reduction of that order to global memory, which takes effect earlier than
 * it must. */
static bool is_async_global(struct lower *l)
{
	has_modifier(l, PTX_MOD_MMIO);
	return l->insn->operand_count == 2;
}

void lower_st(struct lower *l)
{
	unsigned type = l->insn->types[0];
	struct address address;
	ref from[MOST_ELEMENTS];
	uint32_t count;
	struct draft *d;

	if (has_modifier(l, PTX_MOD_BULK)) {
		lower_st_bulk(l);
		return;
	}
	if (has_modifier(l, PTX_MOD_ASYNC) && !is_async_global(l)) {
		lower_async_write(l, ATOM_EXCH);
		return;
	}
	if (!find_address(l, operand(l, 0), &address))
		return;
	if (address.space == SPACE_PARAM || address.space == SPACE_CONST) {
		lower_refuse_form(l);
		return;
	}
	count = store_sources(l, operand(l, 1), from);
	if (!count)
		return;
	lower_release(l);
	d = emit(l, UOP_ST);
	set_address(l, d, &address);
	set_stored(l, d, from, count);
	d->uop.bytes = (uint8_t)(ptx_type_bits(type) / 8);
	d->uop.type = (uint8_t)type;
	d->uop.combine = cache_operator(l, CACHE_WB);
	set_order(l, d);
	allow_hints(l);
}

static const struct atomic {
	uint16_t modifier;
	uint8_t operation;
	bool has_float; /* f32 and f64 as well */
} atomics[] = {
	{ PTX_MOD_ADD, ATOM_ADD, true },
	{ PTX_MOD_MIN, ATOM_MIN, false },
	{ PTX_MOD_MAX, ATOM_MAX, false },
	{ PTX_MOD_INC, ATOM_INC, false },
	{ PTX_MOD_DEC, ATOM_DEC, false },
	{ PTX_MOD_AND, ATOM_AND, false },
	{ PTX_MOD_OR, ATOM_OR, false },
	{ PTX_MOD_XOR, ATOM_XOR, false },
	{ PTX_MOD_EXCH, ATOM_EXCH, true },
	{ PTX_MOD_CAS, ATOM_CAS, false },
};

static const struct atomic *find_atomic(struct lower *l)
{
	const struct atomic *found = NULL;

	for (size_t i = 0; i < sizeof atomics / sizeof *atomics; i++)
		if (has_modifier(l, atomics[i].modifier))
			found = &atomics[i];
	return found;
}

/* The elements of a data operand: those of a list, or itself. */
static const struct ptx_operand *elements(const struct ptx_operand *o, uint32_t *count)
{
	*count = o->kind == PTX_OP_VECTOR ? o->element_count : 1;
	return o->kind == PTX_OP_VECTOR ? o->elements : o;
}

/* An operand as wide as the memory. */
static ref atomic_source(struct lower *l, const struct ptx_operand *o, unsigned bits, bool is_float)
{
	return bits == 128 ? wide_source(l, o) : source(l, o, bits, is_float);
}

/* Types that an operation is executed for; which it may have at all has been checked. */
static bool is_atomic_type(const struct lower *l, const struct atomic *atomic)
{
	unsigned type = l->insn->types[0], bits = ptx_type_bits(type);

	if (type_is_half(type))
		return atomic->operation <= ATOM_MAX;
	if (ptx_type_is_float(type))
		return (type == PTX_F32 || type == PTX_F64) && atomic->has_float;
	return bits == 32 || bits == 64 || (bits == 16 && atomic->operation == ATOM_CAS) ||
		(bits == 128 && (atomic->operation == ATOM_CAS || atomic->operation == ATOM_EXCH));
}

static bool is_atomic_space(unsigned space)
{
	return space == SPACE_GLOBAL || space == SPACE_SHARED || space == SPACE_GENERIC;
}

/* The elements of a vector: four in the micro-operation beside the address, then as extras. */
static void set_atomic_vector(
	struct lower *l, struct draft *d, const ref *to, const ref *from, uint32_t count, bool has_result)
{
	uint32_t sources = count > 3 ? count - 3 : 0, dests = has_result && count > 4 ? count - 4 : 0;
	ref *extra = sources + dests ? add_extras(l, d, sources, dests) : NULL;

	for (uint32_t i = 0; i < count && i < 3; i++)
		d->src[i + 1] = from[i];
	for (uint32_t i = 0; i < sources; i++)
		extra[i] = from[3 + i];
	for (uint32_t i = 0; i < count && i < 4; i++)
		d->dst[i] = to[i];
	for (uint32_t i = 0; i < dests; i++)
		extra[sources + i] = to[4 + i];
	d->uop.vector = (uint8_t)count;
}

/* The operand's elements as sources and, for atom, the places of the old values. */
static bool atomic_elements(struct lower *l, ref *to, ref *from, uint32_t *count)
{
	unsigned type = l->insn->types[0], bits = ptx_type_bits(type);
	bool has_result = l->insn->opcode == PTX_ATOM;
	const struct ptx_operand *data = elements(operand(l, has_result ? 2 : 1), count), *old;
	uint32_t old_count = *count;

	old = has_result ? elements(operand(l, 0), &old_count) : NULL;
	if (*count != l->insn->vector || *count > 8 ||
		(has_result && operand(l, 0)->kind != PTX_OP_SINK && old_count != *count))
		return false;
	for (uint32_t i = 0; i < *count; i++) {
		bool is_sink =
			!has_result || operand(l, 0)->kind == PTX_OP_SINK || old[i].kind == PTX_OP_SINK;

		to[i] = is_sink ? REF_NONE : result(l, &old[i], bits);
		from[i] = atomic_source(l, &data[i], bits, ptx_type_is_float(type));
	}
	return true;
}

void lower_atom(struct lower *l)
{
	unsigned bits = ptx_type_bits(l->insn->types[0]);
	uint32_t first = l->insn->opcode == PTX_ATOM, count = 1;
	const struct atomic *atomic = find_atomic(l);
	struct address address;
	ref to[8], from[8], b = REF_NONE;
	struct draft *d;

	if (atomic && has_modifier(l, PTX_MOD_ASYNC) && !is_async_global(l)) {
		lower_async_write(l, atomic->operation);
		return;
	}
	if (!atomic || !is_atomic_type(l, atomic) || !find_address(l, operand(l, first), &address) ||
		!is_atomic_space(address.space) || !atomic_elements(l, to, from, &count)) {
		lower_refuse_form(l);
		return;
	}
	if (atomic->operation == ATOM_CAS)
		b = atomic_source(l, operand(l, first + 2), bits, false);
	lower_release(l);
	d = emit(l, UOP_ATOM);
	set_address(l, d, &address);
	set_atomic_vector(l, d, to, from, count, first);
	if (atomic->operation == ATOM_CAS)
		d->src[2] = b;
	d->uop.bytes = d->uop.reg_bytes = (uint8_t)(bits / 8);
	d->uop.type = l->insn->types[0];
	d->uop.compare = atomic->operation;
	has_modifier(l, PTX_MOD_NOFTZ);
	set_order(l, d);
	allow_hints(l);
	if (is_device_wide(address.space))
		lower_acquire(l);
}

void lower_prefetch(struct lower *l)
{
	static const uint16_t levels[] = { PTX_MOD_L1, PTX_MOD_L2 };
	struct address address;
	struct draft *d;

	allow_modifiers(l, levels, 2);
	allow_hints(l);
	if (has_modifier(l, PTX_MOD_TENSORMAP)) { /* a descriptor may come from constants and parameters, too
						   */
		emit(l, UOP_NOP);
		return;
	}
	if (!find_address(l, operand(l, 0), &address))
		return;
	d = emit(l, UOP_PREFETCH);
	set_address(l, d, &address);
	d->uop.combine = has_modifier(l, PTX_MOD_L2) ? CACHE_CG : CACHE_CA;
}

/* applypriority, discard: the lines keep their values, and the caches choose victims as before. */
void lower_cache_line(struct lower *l)
{
	struct address address;

	has_modifier(l, PTX_MOD_L2);
	allow_hints(l);
	if (find_address(l, operand(l, 0), &address))
		emit(l, UOP_NOP);
}

/* Policies are opaque, and no cache asks for them: all are 0, but those that the host made are handed on. */
void lower_createpolicy(struct lower *l)
{
	ref to = result(l, operand(l, 0), 64), from;
	bool is_made = has_modifier(l, PTX_MOD_CVT);
	struct draft *d;

	from = is_made ? source(l, operand(l, 1), 64, false) : constant_ref(l, 0, 64);
	has_modifier(l, PTX_MOD_L2);
	has_modifier(l, PTX_MOD_FRACTIONAL);
	has_modifier(l, PTX_MOD_RANGE);
	allow_hints(l);
	d = emit(l, UOP_MOV_B64);
	d->dst[0] = to;
	d->src[0] = from;
}
