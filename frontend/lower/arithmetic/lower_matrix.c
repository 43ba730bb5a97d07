/* frontend/lower/arithmetic/lower_matrix.c -- matrix instructions: products, ldmatrix, stmatrix, movmatrix.
 */
#include "frontend/lower/lower.h"
#include "frontend/tables/matrix.h"

static void mark_modifiers(struct lower *l)
{
	l->used_modifiers = (1u << l->insn->modifier_count) - 1;
}

static bool decode_matrix_form(struct lower *l, struct matrix_form *f)
{
	const char *why, *hint;

	if (matrix_decode(l->insn, f, &why, &hint))
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
	unsigned flags = (has_modifier(l, PTX_MOD_AND) ? MATRIX_AND : 0) |
		(f->product->family == MATRIX_FP4 ? MATRIX_FOUR_BITS : 0) |
		(unsigned)f->scales << MATRIX_SCALES | (f->scale == PTX_UE4M3 ? MATRIX_UE4M3 : 0);
	uint64_t selector;

	if (f->product->selectors) {
		constant_operand(operand(l, 5), &selector);
		return flags | MATRIX_SPARSE | (unsigned)selector % f->product->selectors << MATRIX_SELECTOR;
	}
	if (f->product->opcode != PTX_MMA || f->product->shape != PTX_MOD_M8N8K4 || f->a != PTX_F16)
		return flags;
	return flags | MATRIX_QUADS | (f->is_column ? MATRIX_A_BY_COLUMNS : 0) |
		(f->second_is_column ? 0 : MATRIX_B_BY_ROWS);
}

/* The elements of operand `index`, each a register; constants of C too. */
void lower_matrix_sources(struct lower *l, uint32_t index, unsigned count, unsigned type, ref *list)
{
	const struct ptx_operand *o = operand(l, index);
	bool is_wide = type == PTX_F64, is_float = type == PTX_F64 || type == PTX_F32;

	for (unsigned i = 0; i < count && i < o->element_count; i++)
		list[i] = source(l, &o->elements[i], is_wide ? 64 : 32, is_float);
}

ref lower_metadata(struct lower *l, const struct ptx_operand *o)
{
	return source(l, o->kind == PTX_OP_VECTOR ? &o->elements[0] : o, 32, false);
}

/* The scales from operand `index` on, in the order of frontend/tables/matrix.h. */
static void lower_scales(struct lower *l, uint32_t index, ref *list)
{
	for (unsigned side = 0; side < 2; side++) {
		const struct ptx_operand *ids = operand(l, index + 2 * side + 1);

		list[SCALE_A + side] = lower_metadata(l, operand(l, index + 2 * side));
		list[SCALE_BYTE_A + 2 * side] = source(l, &ids->elements[0], 16, false);
		list[SCALE_THREAD_A + 2 * side] = source(l, &ids->elements[1], 16, false);
	}
}

static void lower_product(struct lower *l, const struct matrix_form *f)
{
	const struct matrix_product *p = f->product;
	unsigned a = matrix_distinct(p, FRAGMENT_A, f->a), b = matrix_distinct(p, FRAGMENT_B, f->b);
	unsigned c = matrix_registers(p, FRAGMENT_C, f->c), d_count = matrix_registers(p, FRAGMENT_C, f->d);
	unsigned own = a + b + c + (p->selectors > 0), sources = own + (f->scales ? SCALE_SOURCES : 0);
	ref from[24 + SCALE_SOURCES], *extra;
	struct draft *d;

	lower_matrix_sources(l, 1, a, f->a, from);
	lower_matrix_sources(l, 2, b, f->b, from + a);
	lower_matrix_sources(l, 3, c, f->c, from + a + b);
	if (p->selectors)
		from[a + b + c] = lower_metadata(l, operand(l, 4));
	if (f->scales)
		lower_scales(l, p->selectors ? 6 : 4, from + own);
	d = emit(l, product_code(p));
	extra = add_extras(l, d, sources, d_count);
	for (unsigned i = 0; i < sources; i++)
		extra[i] = from[i];
	for (unsigned i = 0; i < d_count && i < operand(l, 0)->element_count; i++)
		extra[sources + i] = destination(l, &operand(l, 0)->elements[i]);
	d->uop.imm = matrix_pack(p->m, p->n, p->k, product_flags(l, f));
	d->uop.type = f->a;
	d->uop.compare = f->b;
	d->uop.combine = f->d;
	d->uop.reg_bytes = f->c;
	d->uop.round = rounding_modifier(l);
	d->uop.mods = has_modifier(l, PTX_MOD_SATFINITE) ? MOD_SAT : 0;
	d->is_early = true;
	mark_modifiers(l);
}

void lower_mma(struct lower *l)
{
	struct matrix_form f;

	if (decode_matrix_form(l, &f))
		lower_product(l, &f);
}

void lower_wmma(struct lower *l)
{
	struct matrix_form f;

	if (!decode_matrix_form(l, &f))
		return;
	if (f.what == MATRIX_MULTIPLIES)
		lower_product(l, &f);
	else
		lower_matrix_transfer(l, &f);
	mark_modifiers(l);
}

/* ---- ldmatrix, stmatrix, movmatrix ---- */

static void set_rows(struct lower *l, struct draft *d, const struct address *a)
{
	d->src[0] = a->base;
	d->uop.imm = a->offset;
	d->uop.space = a->space;
	d->uop.bytes = 16;
	d->uop.reg_bytes = 4;
	d->uop.vector = has_modifier(l, PTX_MOD_X4) ? 4 : has_modifier(l, PTX_MOD_X2) ? 2 : 1;
	d->uop.vector = (uint8_t)(d->uop.vector << has_modifier(l, PTX_MOD_M16N16)); /* 8 rows each */
	d->uop.type = has_modifier(l, PTX_MOD_M8N8) ? PTX_B16 : PTX_B8;
	d->uop.compare = has_modifier(l, PTX_MOD_B6X16_P32) ? 6 : has_modifier(l, PTX_MOD_B4X16_P64) ? 4 : 8;
	d->uop.mods = (uint8_t)((a->is_narrow ? MOD_SAT : 0) | (has_modifier(l, PTX_MOD_TRANS) ? MOD_HI : 0));
	mark_modifiers(l);
}

void lower_ldmatrix(struct lower *l)
{
	const struct ptx_operand *to = operand(l, 0);
	struct address address;
	struct draft *d;

	if (!lower_find_address(l, operand(l, 1), &address))
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

	if (!lower_find_address(l, operand(l, 0), &address))
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
