/* frontend/lower/memory/lower_wmma.c -- wmma.load and wmma.store.
 *
 * They become what a compiler makes of them: one operation that finds where a lane's elements begin, then
 * plain loads or stores, with packing where elements of one register do not lie side by side. */
#include "frontend/lower/lower.h"
#include "frontend/tables/matrix.h"

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
	return sum_of_offsets(t->address.offset,
		(int64_t)along * t->bits / 8 +
			(t->stride == REF_NONE ? (int64_t)(*line * t->constant_stride * t->bits / 8) : 0));
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
	d->uop.combine = code == UOP_LD ? CACHE_DEFAULT : CACHE_WB;
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

/* Marks the registers of an operand. */
static void mark_registers(const struct ptx_operand *o, bool *marks)
{
	if (o->kind == PTX_OP_REG)
		for (unsigned i = 0; i < (o->component < 0 ? o->variable->vector : 1); i++)
			marks[register_number(o) + i] = true;
	if (o->kind == PTX_OP_ADDRESS && o->base)
		mark_registers(o->base, marks);
	for (uint32_t i = 0; i < o->element_count; i++)
		mark_registers(&o->elements[i], marks);
}

/* ... of an instruction; of A and B of a product, only those that it reads. */
static void mark_instruction(const struct ptx_insn *insn, bool *marks)
{
	struct matrix_form f;
	const char *why, *hint;
	bool is_wmma = insn->opcode == PTX_WMMA && matrix_decode(insn, &f, &why, &hint);

	for (uint32_t i = 0; i < insn->operand_count; i++) {
		const struct ptx_operand *o = &insn->operands[i];

		if (is_wmma && f.what == MATRIX_LOADS && i == 0)
			continue;
		if (is_wmma && f.what == MATRIX_MULTIPLIES && (i == 1 || i == 2))
			for (unsigned e = 0; e < matrix_distinct(f.product, i - 1, f.a); e++)
				mark_registers(&o->elements[e], marks);
		else
			mark_registers(o, marks);
	}
}

/* Is a register read by anything that would miss a repeated element? */
static bool is_read(struct lower *l, ref r)
{
	if (!l->other_reads) {
		l->other_reads = arena_alloc(l->scratch, l->vreg_count);
		for (uint32_t i = 0; i < l->function->insn_count; i++)
			mark_instruction(&l->function->insns[i], l->other_reads);
	}
	return l->other_reads[r];
}

static void repeat_elements(struct lower *l, const ref *to, unsigned distinct, unsigned count)
{
	for (unsigned i = distinct; i < count; i++) {
		const struct ptx_operand *o = &operand(l, 0)->elements[i];
		struct draft *d;

		if (o->kind != PTX_OP_REG || !is_read(l, register_number(o)))
			continue;
		d = emit(l, UOP_MOV_B32);
		d->dst[0] = to[i];
		d->src[0] = to[i % distinct];
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
	repeat_elements(l, to, distinct, count);
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

	lower_matrix_sources(t->l, 1, count, f->c, from);
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

void lower_matrix_transfer(struct lower *l, const struct matrix_form *f)
{
	struct transfer t = { .form = f, .l = l };

	if (!lower_find_address(l, operand(l, f->what == MATRIX_LOADS ? 1 : 0), &t.address))
		return;
	find_stride(&t);
	t.bits = ptx_type_bits(f->c);
	t.each = f->fragment == FRAGMENT_C ? 2 : (t.bits == 64 ? 64 : 32) / t.bits;
	t.groups_are_lines = f->fragment == FRAGMENT_B ? f->is_column : !f->is_column;
	for (unsigned i = 0; i < sizeof(t.base) / sizeof(*t.base); i++)
		t.base[i] = REF_NONE;
	if (f->what == MATRIX_LOADS)
		lower_load(&t);
	else
		lower_store(&t);
}
