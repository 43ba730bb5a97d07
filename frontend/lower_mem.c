/* frontend/lower_mem.c -- loads, stores, atomics, addresses. */
#include "frontend/lower.h"

#include <stdio.h>

/* What has no effect on values and none, or none yet, on timing. */
static void allow_hints(struct lower *l)
{
	static const uint16_t hints[] = { PTX_MOD_WEAK, PTX_MOD_CTA, PTX_MOD_GPU, PTX_MOD_GL, PTX_MOD_SYS,
		PTX_MOD_CLUSTER, PTX_MOD_SHARED_CTA, PTX_MOD_PARAM_ENTRY, PTX_MOD_UNIFIED,
		PTX_MOD_L1_EVICT_NORMAL, PTX_MOD_L1_EVICT_UNCHANGED, PTX_MOD_L1_EVICT_FIRST,
		PTX_MOD_L1_EVICT_LAST, PTX_MOD_L1_NO_ALLOCATE, PTX_MOD_L2_EVICT_NORMAL,
		PTX_MOD_L2_EVICT_UNCHANGED, PTX_MOD_L2_EVICT_FIRST, PTX_MOD_L2_EVICT_LAST,
		PTX_MOD_L2_CACHE_HINT, PTX_MOD_L2_64B, PTX_MOD_L2_128B, PTX_MOD_L2_256B };

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
	a->offset += (int64_t)symbol->value.bits;
	if (v && (v->space == PTX_GLOBAL || v->space == PTX_CONST)) {
		a->base = source(l,
			&(struct ptx_operand){ .kind = PTX_OP_SYMBOL,
				.variable = symbol->variable,
				.component = -1,
				.place = symbol->place,
				.name = symbol->name },
			64, false);
		return true;
	}
	if (!v || (v->space == PTX_PARAM && !is_kernel_parameter(l, v))) {
		lower_refuse_form(l);
		return false;
	}
	a->offset += (int64_t)variable_offset(v);
	return true;
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
		a->offset += (int64_t)base->value.bits;
		return true;
	}
	if (base->kind == PTX_OP_SYMBOL)
		return symbol_base(l, base, a);
	if (base->kind != PTX_OP_REG) {
		lower_refuse_form(l);
		return false;
	}
	a->base = source_register(l, base);
	a->is_narrow = bits_of(l, a->base) <= 32;
	return true;
}

bool lower_find_address(struct lower *l, const struct ptx_operand *o, struct address *address)
{
	return find_address(l, o, address);
}

static void set_address(struct draft *d, const struct address *a)
{
	d->src[0] = a->base;
	d->uop.imm = a->offset;
	d->uop.space = a->space;
	if (a->is_narrow)
		d->uop.mods |= MOD_SAT;
}

/* The elements of a data operand: those of a list, or itself. */
static const struct ptx_operand *elements(const struct ptx_operand *o, uint32_t *count)
{
	*count = o->kind == PTX_OP_VECTOR ? o->element_count : 1;
	return o->kind == PTX_OP_VECTOR ? o->elements : o;
}

static bool is_shape_known(struct lower *l, const struct ptx_operand *data, unsigned bits)
{
	uint32_t count;

	elements(data, &count);
	if (bits >= 8 && bits <= 64 && count == l->insn->vector && count <= 4)
		return true;
	lower_refuse_form(l);
	return false;
}

/* The width of a load's destination registers, 4 or 8 bytes; 0 if they differ (refused). */
static uint8_t register_bytes(struct lower *l, const ref *to, uint32_t count, unsigned bits)
{
	uint8_t bytes = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (to[i] == REF_NONE)
			continue;
		unsigned have = bits_of(l, to[i]);
		uint8_t now = have == 64 ? 8 : 4;

		if (have < bits || have > 64 || (bytes && now != bytes)) {
			lower_refuse_form(l);
			return 0;
		}
		bytes = now;
	}
	return bytes ? bytes : bits == 64 ? 8 : 4;
}

/* ld.s8 into a 16-bit register: sign-extended in a scratch row, then cut. */
static void redirect_narrow(struct lower *l, ref *to, ref *final, uint32_t count)
{
	unsigned type = l->insn->types[0];

	for (uint32_t i = 0; i < count; i++) {
		final[i] = REF_NONE;
		if (to[i] == REF_NONE || bits_of(l, to[i]) >= 32 ||
			bits_of(l, to[i]) == ptx_type_bits(type) || !ptx_type_is_signed(type))
			continue;
		final[i] = to[i];
		to[i] = new_vreg(l, 32);
	}
}

void lower_ld(struct lower *l)
{
	unsigned type = l->insn->types[0], bits = ptx_type_bits(type);
	const struct ptx_operand *data = operand(l, 0), *each;
	struct address address;
	ref to[4], final[4];
	uint32_t count;
	uint8_t bytes;
	struct draft *d;
	bool widens = false;

	if (!is_shape_known(l, data, bits) || !find_address(l, operand(l, 1), &address))
		return;
	each = elements(data, &count);
	for (uint32_t i = 0; i < count; i++)
		to[i] = destination(l, &each[i]);
	bytes = register_bytes(l, to, count, bits);
	if (!bytes)
		return;
	for (uint32_t i = 0; i < count; i++)
		widens |= to[i] != REF_NONE && bits_of(l, to[i]) > bits;
	redirect_narrow(l, to, final, count);
	d = emit(l, address.space == SPACE_PARAM ? UOP_LD_PARAM : UOP_LD);
	set_address(d, &address);
	for (uint32_t i = 0; i < count; i++)
		d->dst[i] = to[i];
	d->is_early = count > 1;
	d->uop.bytes = (uint8_t)(bits / 8);
	d->uop.vector = (uint8_t)count;
	d->uop.reg_bytes = bytes;
	d->uop.type = (uint8_t)type;
	d->uop.combine = cache_operator(l, CACHE_CA);
	if (widens && ptx_type_is_signed(type))
		d->uop.flags |= UOP_SIGN_EXTEND;
	if (is_volatile(l))
		d->uop.flags |= UOP_VOLATILE;
	allow_hints(l);
	for (uint32_t i = 0; i < count; i++)
		if (final[i] != REF_NONE)
			cut_to_register(l, final[i], to[i]);
}

void lower_st(struct lower *l)
{
	unsigned type = l->insn->types[0], bits = ptx_type_bits(type);
	const struct ptx_operand *data = operand(l, 1), *each;
	struct address address;
	ref from[4];
	uint32_t count;
	struct draft *d;

	if (!is_shape_known(l, data, bits) || !find_address(l, operand(l, 0), &address))
		return;
	if (address.space == SPACE_PARAM || address.space == SPACE_CONST) {
		lower_refuse_form(l);
		return;
	}
	each = elements(data, &count);
	for (uint32_t i = 0; i < count; i++)
		from[i] = source(l, &each[i], bits == 64 ? 64 : 32, ptx_type_is_float(type));
	d = emit(l, UOP_ST);
	set_address(d, &address);
	for (uint32_t i = 0; i < count && i < 3; i++)
		d->src[i + 1] = from[i];
	if (count == 4)
		add_extras(l, d, 1, 0)[0] = from[3];
	d->uop.bytes = (uint8_t)(bits / 8);
	d->uop.vector = (uint8_t)count;
	d->uop.reg_bytes = bits == 64 ? 8 : 4;
	d->uop.type = (uint8_t)type;
	d->uop.combine = cache_operator(l, CACHE_WB);
	if (is_volatile(l))
		d->uop.flags |= UOP_VOLATILE;
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

void lower_atom(struct lower *l)
{
	unsigned type = l->insn->types[0], bits = ptx_type_bits(type);
	uint32_t first = l->insn->opcode == PTX_ATOM;
	const struct atomic *atomic = find_atomic(l);
	bool is_float = ptx_type_is_float(type), is_single = type == PTX_F32 || type == PTX_F64;
	struct address address;
	ref to = REF_NONE, a, b = REF_NONE;
	struct draft *d;

	if (!atomic || (bits != 32 && bits != 64) || type == PTX_F16X2 || type == PTX_BF16X2 ||
		l->insn->vector > 1 || (is_float && !(is_single && atomic->has_float)) ||
		!find_address(l, operand(l, first), &address)) {
		lower_refuse_form(l);
		return;
	}
	if (address.space != SPACE_GLOBAL && address.space != SPACE_SHARED &&
		address.space != SPACE_GENERIC) {
		lower_refuse_form(l);
		return;
	}
	if (first && operand(l, 0)->kind != PTX_OP_SINK)
		to = result(l, operand(l, 0), bits);
	a = source(l, operand(l, first + 1), bits, is_float);
	if (atomic->operation == ATOM_CAS)
		b = source(l, operand(l, first + 2), bits, is_float);
	d = emit(l, UOP_ATOM);
	set_address(d, &address);
	d->dst[0] = to;
	d->src[1] = a;
	d->src[2] = b;
	d->uop.bytes = d->uop.reg_bytes = (uint8_t)(bits / 8);
	d->uop.vector = 1;
	d->uop.type = (uint8_t)type;
	d->uop.compare = atomic->operation;
	if (is_volatile(l))
		d->uop.flags |= UOP_VOLATILE;
	allow_hints(l);
}

void lower_cvta(struct lower *l)
{
	bool to_space = has_modifier(l, PTX_MOD_TO);
	unsigned bits = ptx_type_bits(l->insn->types[0]);
	uint8_t space;
	ref to, from;
	struct draft *d;

	has_modifier(l, PTX_MOD_SHARED_CTA);
	if (!find_space(l, l->insn->space, &space))
		return;
	if (space == SPACE_PARAM || space == SPACE_GENERIC ||
		(bits == 32 && space != SPACE_GLOBAL && space != SPACE_CONST)) {
		lower_refuse_form(l);
		return;
	}
	to = result(l, operand(l, 0), bits);
	from = source(l, operand(l, 1), bits, false);
	d = emit(l, bits == 32 ? UOP_MOV_B32 : to_space ? UOP_CVTA_TO : UOP_CVTA);
	d->uop.imm = bits == 32 ? 0 : space;
	d->uop.space = space;
	d->dst[0] = to;
	d->src[0] = from;
}

void lower_isspacep(struct lower *l)
{
	uint8_t space;
	ref to, from;
	struct draft *d;

	has_modifier(l, PTX_MOD_SHARED_CTA);
	if (!find_space(l, l->insn->space, &space) || space == SPACE_PARAM) {
		lower_refuse_form(l);
		return;
	}
	to = result(l, operand(l, 0), 0);
	from = source(l, operand(l, 1), 64, false);
	d = emit(l, UOP_ISSPACEP);
	d->uop.imm = space;
	d->dst[0] = to;
	d->src[0] = from;
}

void lower_prefetch(struct lower *l)
{
	static const uint16_t levels[] = { PTX_MOD_L1, PTX_MOD_L2 };
	struct address address;

	allow_modifiers(l, levels, 2);
	allow_hints(l);
	if (!find_address(l, operand(l, 0), &address))
		return;
	set_address(emit(l, UOP_PREFETCH), &address);
}
