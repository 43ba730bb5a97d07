/* frontend/lower_matrix.c -- matrix instructions: products, fragments from and to memory.
 *
 * wmma.load and wmma.store become what a compiler makes of them: one operation that finds where a lane's
 * elements begin, then plain loads or stores, with packing where elements of one register do not lie side by
 * side. */
#include "frontend/lower.h"
#include "frontend/matrix.h"

static void mark_modifiers(struct lower *l)
{
	l->used_modifiers = (1u << l->insn->modifier_count) - 1;
}

static bool decode(struct lower *l, struct matrix_form *f)
{
	const char *why, *hint;

	if (!matrix_is_special(l->insn) && matrix_decode(l->insn, f, &why, &hint))
		return true;
	lower_refuse_form(l);
	return false;
}

/* ---- products ---- */

static unsigned product_code(const struct matrix_product *p)
{
	switch (p->family) {
	case MATRIX_F64:
		return UOP_MMA_F64;
	case MATRIX_INT8:
	case MATRIX_INT4:
		return UOP_MMA_INT;
	case MATRIX_B1:
		return UOP_MMA_BIT;
	default:
		return UOP_MMA_FLOAT;
	}
}

static unsigned product_flags(struct lower *l, const struct matrix_form *f)
{
	unsigned flags = has_modifier(l, PTX_MOD_AND) ? MATRIX_AND : 0;

	if (f->product->opcode != PTX_MMA || f->product->shape != PTX_MOD_M8N8K4 || f->a != PTX_F16)
		return flags;
	return flags | MATRIX_QUADS | (f->is_column ? MATRIX_A_BY_COLUMNS : 0) |
	       (f->second_is_column ? 0 : MATRIX_B_BY_ROWS);
}

static uint8_t rounding(struct lower *l)
{
	return has_modifier(l, PTX_MOD_RZ)   ? ROUND_RZ
	       : has_modifier(l, PTX_MOD_RM) ? ROUND_RM
	       : has_modifier(l, PTX_MOD_RP) ? ROUND_RP
					     : ROUND_RN;
}

/* The elements of operand `index`, each a register; constants of C too. */
static void list_sources(struct lower *l, uint32_t index, unsigned count, unsigned type, ref *list)
{
	const struct ptx_operand *o = operand(l, index);
	bool is_wide = type == PTX_F64, is_float = type == PTX_F64 || type == PTX_F32;

	for (unsigned i = 0; i < count && i < o->element_count; i++)
		list[i] = source(l, &o->elements[i], is_wide ? 64 : 32, is_float);
}

static void lower_product(struct lower *l, const struct matrix_form *f)
{
	const struct matrix_product *p = f->product;
	unsigned a = matrix_distinct(p, FRAGMENT_A, f->a), b = matrix_distinct(p, FRAGMENT_B, f->b);
	unsigned c = matrix_registers(p, FRAGMENT_C, f->c), d_count = matrix_registers(p, FRAGMENT_C, f->d);
	ref from[24], *extra;
	struct draft *d;

	list_sources(l, 1, a, f->a, from);
	list_sources(l, 2, b, f->b, from + a);
	list_sources(l, 3, c, f->c, from + a + b);
	d = emit(l, product_code(p));
	extra = add_extras(l, d, a + b + c, d_count);
	for (unsigned i = 0; i < a + b + c; i++)
		extra[i] = from[i];
	for (unsigned i = 0; i < d_count && i < operand(l, 0)->element_count; i++)
		extra[a + b + c + i] = destination(l, &operand(l, 0)->elements[i]);
	d->uop.imm = matrix_pack(p->m, p->n, p->k, product_flags(l, f));
	d->uop.type = f->a;
	d->uop.compare = f->b;
	d->uop.combine = f->d;
	d->uop.reg_bytes = f->c;
	d->uop.round = rounding(l);
	d->uop.mods = has_modifier(l, PTX_MOD_SATFINITE) ? MOD_SAT : 0;
	d->is_early = true;
	mark_modifiers(l);
}

void lower_mma(struct lower *l)
{
	struct matrix_form f;

	if (decode(l, &f))
		lower_product(l, &f);
}

/* ---- wmma.load, wmma.store ---- */

/* How a fragment lies in memory. Lines are rows (by rows) or columns; in a tile, lane l / 4 or l % 4 counts
 * lines. */
struct transfer {
	const struct matrix_form *form;
	struct lower *l;
	struct address address;
	ref stride;               /* REF_NONE: constant ... */
	uint64_t constant_stride; /* ... this, in elements */
	unsigned bits;            /* of an element */
	unsigned each;            /* elements in a register; accumulators: in a tile, 2 */
	bool groups_are_lines;    /* l / 4 counts lines, l % 4 goes along one */
	ref base[32]; /* first address, by line (constant strides: [0] alone); REF_NONE until needed */
};

/* The tile of a register or, of accumulators, of two: where its first element lies. */
struct tile {
	unsigned line, along; /* elements */
};

static struct tile tile_of(const struct transfer *t, unsigned number)
{
	const struct matrix_product *p = t->form->product;
	unsigned group, lane; /* what l / 4 and what l % 4 count */

	if (t->form->fragment == FRAGMENT_C) {
		group = number % (p->m / 8u) * 8;
		lane = number / (p->m / 8u) * 8;
	} else {
		unsigned across = (t->form->fragment == FRAGMENT_A ? p->m : p->n) / 8u, step = 4 * t->each;
		unsigned along = p->k / step;

		group = (t->form->fragment == FRAGMENT_A ? number % across : number / along) * 8;
		lane = (t->form->fragment == FRAGMENT_A ? number / across : number % along) * step;
	}
	return t->groups_are_lines ? (struct tile){ group, lane } : (struct tile){ lane, group };
}

static ref tile_base(struct transfer *t, unsigned line)
{
	unsigned lane = t->each * t->bits;
	struct matrix_address a = { 0 };
	struct draft *d;
	ref *base = &t->base[t->stride == REF_NONE ? 0 : line];

	if (*base != REF_NONE)
		return *base;
	if (t->groups_are_lines) {
		a.group_stride = t->bits;
		a.lane = lane;
	} else {
		a.group = t->bits;
		a.lane_stride = lane;
	}
	a.offset_stride = t->stride == REF_NONE ? 0 : line * t->bits;
	*base = new_vreg(t->l, 64);
	d = emit(t->l, UOP_MATRIX_ADDRESS);
	d->dst[0] = *base;
	d->src[0] = t->address.base;
	d->src[1] = t->stride == REF_NONE ? constant_ref(t->l, t->constant_stride, 32) : t->stride;
	d->uop.mods = t->address.is_narrow ? MOD_SAT : 0;
	d->uop.imm = matrix_address_pack(a);
	return *base;
}

/* The byte behind the base where element e of a tile lies; element e is e along, or e lines on. */
static int64_t element_offset(const struct transfer *t, struct tile tile, unsigned e, unsigned *line)
{
	unsigned along = tile.along + (t->groups_are_lines ? e : 0);

	*line = tile.line + (t->groups_are_lines ? 0 : e);
	return t->address.offset + (int64_t)along * t->bits / 8 +
	       (t->stride == REF_NONE ? (int64_t)(*line * t->constant_stride * t->bits / 8) : 0);
}

/* A load or store of one or two words, halves or bytes at element e of the tile. */
static struct draft *emit_access(
	struct transfer *t, unsigned code, struct tile tile, unsigned e, unsigned bytes, unsigned vector)
{
	unsigned line;
	int64_t offset = element_offset(t, tile, e, &line);
	ref base = tile_base(t, line);
	struct draft *d = emit(t->l, code);

	d->src[0] = base;
	d->uop.imm = offset;
	d->uop.space = t->address.space;
	d->uop.bytes = (uint8_t)bytes;
	d->uop.vector = (uint8_t)vector;
	d->uop.reg_bytes = bytes == 8 ? 8 : 4;
	d->uop.type = bytes == 8 ? PTX_B64 : bytes == 4 ? PTX_B32 : bytes == 2 ? PTX_B16 : PTX_B8;
	d->uop.combine = code == UOP_LD ? CACHE_CA : CACHE_WB;
	return d;
}

static ref load_one(struct transfer *t, struct tile tile, unsigned e, unsigned bytes, ref to)
{
	struct draft *d = emit_access(t, UOP_LD, tile, e, bytes, 1);

	return d->dst[0] = to;
}

static void pack_bytes(struct lower *l, const ref *bytes, ref to)
{
	ref low = new_vreg(l, 32), high = new_vreg(l, 32);

	for (unsigned i = 0; i < 2; i++) {
		struct draft *d = emit(l, UOP_PRMT_B32);

		d->dst[0] = i ? high : low;
		d->src[0] = bytes[2 * i];
		d->src[1] = bytes[2 * i + 1];
		d->src[2] = constant_ref(l, 0x7740, 32);
	}
	struct draft *d = emit(l, UOP_PACK_B32_2);

	d->dst[0] = to;
	d->src[0] = low;
	d->src[1] = high;
}

/* One register of A or B, or of f16 accumulators. */
static void load_register(struct transfer *t, unsigned number, ref to)
{
	struct tile tile = tile_of(t, number);
	unsigned bytes = t->bits / 8;
	ref parts[4];

	if (t->groups_are_lines || t->each == 1) {
		load_one(t, tile, 0, t->bits == 64 ? 8 : 4, to);
		return;
	}
	for (unsigned e = 0; e < t->each; e++)
		parts[e] = load_one(t, tile, e, bytes, new_vreg(t->l, 32));
	if (t->each == 4) {
		pack_bytes(t->l, parts, to);
	} else {
		struct draft *d = emit(t->l, UOP_PACK_B32_2);

		d->dst[0] = to;
		d->src[0] = parts[0];
		d->src[1] = parts[1];
	}
}

/* A register for each element of a fragment; sinks get one too. */
static void find_destinations(
	struct lower *l, const struct ptx_operand *o, unsigned bits, ref *to, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		to[i] = result(l, &o->elements[i], bits);
}

/* Accumulators of 32 and 64 bits: two registers a tile. */
static void move_pair(struct transfer *t, unsigned code, unsigned number, const ref *registers)
{
	struct tile tile = tile_of(t, number);
	unsigned accesses = t->groups_are_lines ? 1 : 2;

	for (unsigned i = 0; i < accesses; i++) {
		struct draft *d = emit_access(t, code, tile, i, t->bits / 8, 2 / accesses);

		for (unsigned e = 0; e < 2 / accesses; e++) {
			if (code == UOP_LD)
				d->dst[e] = registers[i + e];
			else
				d->src[1 + e] = registers[i + e];
		}
		d->is_early = code == UOP_LD && accesses == 1;
	}
}

static void lower_load(struct transfer *t)
{
	struct lower *l = t->l;
	const struct matrix_form *f = t->form;
	unsigned count = matrix_registers(f->product, f->fragment, f->c);
	unsigned distinct = matrix_distinct(f->product, f->fragment, f->c);
	bool pairs = f->fragment == FRAGMENT_C && t->bits >= 32;
	ref to[8];

	find_destinations(l, operand(l, 0), t->bits == 64 ? 64 : 32, to, count);
	for (unsigned i = 0; i < distinct; i += pairs ? 2 : 1) {
		if (pairs)
			move_pair(t, UOP_LD, i / 2, &to[i]);
		else
			load_register(t, i, to[i]);
	}
	for (unsigned i = distinct; i < count; i++) {
		struct draft *d = emit(l, UOP_MOV_B32);

		d->dst[0] = to[i];
		d->src[0] = to[i % distinct];
	}
}

static void store_halves(struct transfer *t, unsigned number, ref from)
{
	struct tile tile = tile_of(t, number);
	ref halves[2] = { new_vreg(t->l, 32), new_vreg(t->l, 32) };
	struct draft *d;

	if (t->groups_are_lines) {
		emit_access(t, UOP_ST, tile, 0, 4, 1)->src[1] = from;
		return;
	}
	d = emit(t->l, UOP_UNPACK_B32_2);
	d->dst[0] = halves[0];
	d->dst[1] = halves[1];
	d->src[0] = from;
	d->is_early = true;
	for (unsigned e = 0; e < 2; e++)
		emit_access(t, UOP_ST, tile, e, 2, 1)->src[1] = halves[e];
}

static void lower_store(struct transfer *t)
{
	const struct matrix_form *f = t->form;
	unsigned count = matrix_registers(f->product, FRAGMENT_C, f->c);
	ref from[8];

	list_sources(t->l, 1, count, f->c, from);
	for (unsigned i = 0; i < count; i += t->bits >= 32 ? 2 : 1) {
		if (t->bits >= 32)
			move_pair(t, UOP_ST, i / 2, &from[i]);
		else
			store_halves(t, i, from[i]);
	}
}

/* Elements from one line to the next, if it is not given: lines one behind the other. */
static uint64_t natural_stride(const struct matrix_form *f)
{
	const struct matrix_product *p = f->product;
	unsigned rows = f->fragment == FRAGMENT_B ? p->k : p->m,
		 columns = f->fragment == FRAGMENT_A ? p->k : p->n;

	return f->is_column ? rows : columns;
}

static void find_stride(struct transfer *t)
{
	const struct ptx_operand *o = operand(t->l, 2);

	t->stride = REF_NONE;
	t->constant_stride = natural_stride(t->form);
	if (t->l->insn->operand_count > 2 && !constant_operand(o, &t->constant_stride))
		t->stride = source(t->l, o, 32, false);
}

void lower_wmma(struct lower *l)
{
	struct matrix_form f;
	struct transfer t = { .form = &f, .l = l };

	if (!decode(l, &f))
		return;
	if (f.what == MATRIX_MULTIPLIES) {
		lower_product(l, &f);
		return;
	}
	if (!lower_find_address(l, operand(l, f.what == MATRIX_LOADS ? 1 : 0), &t.address))
		return;
	find_stride(&t);
	t.bits = ptx_type_bits(f.c);
	t.each = f.fragment == FRAGMENT_C ? 2 : (t.bits == 64 ? 64 : 32) / t.bits;
	t.groups_are_lines = f.fragment == FRAGMENT_B ? f.is_column : !f.is_column;
	for (unsigned i = 0; i < sizeof(t.base) / sizeof(*t.base); i++)
		t.base[i] = REF_NONE;
	if (f.what == MATRIX_LOADS)
		lower_load(&t);
	else
		lower_store(&t);
	mark_modifiers(l);
}

/* ---- ldmatrix, stmatrix, movmatrix ---- */

static bool is_plain_rows(struct lower *l, struct address *address, uint32_t index)
{
	if (!has_modifier(l, PTX_MOD_M8N8) || l->insn->types[0] != PTX_B16) {
		lower_refuse_form(l);
		return false;
	}
	return lower_find_address(l, operand(l, index), address);
}

static void set_rows(struct lower *l, struct draft *d, const struct address *a)
{
	d->src[0] = a->base;
	d->uop.imm = a->offset;
	d->uop.space = a->space;
	d->uop.bytes = 16;
	d->uop.reg_bytes = 4;
	d->uop.vector = has_modifier(l, PTX_MOD_X4) ? 4 : has_modifier(l, PTX_MOD_X2) ? 2 : 1;
	d->uop.mods = (uint8_t)((a->is_narrow ? MOD_SAT : 0) | (has_modifier(l, PTX_MOD_TRANS) ? MOD_HI : 0));
	mark_modifiers(l);
}

void lower_ldmatrix(struct lower *l)
{
	const struct ptx_operand *to = operand(l, 0);
	struct address address;
	struct draft *d;

	if (!is_plain_rows(l, &address, 1))
		return;
	d = emit(l, UOP_LDMATRIX);
	set_rows(l, d, &address);
	for (unsigned i = 0; i < d->uop.vector; i++)
		d->dst[i] = destination(l, &to->elements[i]);
	d->is_early = true;
}

void lower_stmatrix(struct lower *l)
{
	const struct ptx_operand *from = operand(l, 1);
	struct address address;
	struct draft *d;

	if (!is_plain_rows(l, &address, 0))
		return;
	d = emit(l, UOP_STMATRIX);
	set_rows(l, d, &address);
	for (unsigned i = 0; i < d->uop.vector && i < 3; i++)
		d->src[1 + i] = source_register(l, &from->elements[i]);
	if (d->uop.vector == 4)
		add_extras(l, d, 1, 0)[0] = source_register(l, &from->elements[3]);
}

void lower_movmatrix(struct lower *l)
{
	ref to = result(l, operand(l, 0), 32), from = source(l, operand(l, 1), 32, false);
	struct draft *d = emit(l, UOP_MOVMATRIX);

	d->dst[0] = to;
	d->src[0] = from;
	d->is_early = true;
	mark_modifiers(l);
}
