/* frontend/check/check_matrix.c -- matrix instructions against frontend/tables/matrix_shapes.def: shape,
 * types and layouts of the word, then fragments: how many registers, and of which types. */
#include "frontend/check/check_word.h"
#include "frontend/tables/matrix.h"

#include <stdio.h>

#define WORDS       (T(B32) | T(U32) | T(S32))
#define ANY_32      (WORDS | T(F32) | T(F16X2))
#define ANY_64      (T(B64) | T(U64) | T(S64) | T(F64))
#define COUNT(list) (sizeof(list) / sizeof(*(list)))

/* Whatever is not in the list, and neither a shape. */
static bool takes_only(struct ptx_parser *p, const struct ptx_insn *insn, const uint16_t *list, size_t count)
{
	for (uint32_t i = 0; i < insn->modifier_count; i++) {
		bool found = matrix_is_shape(insn->modifiers[i]);

		for (size_t n = 0; n < count; n++)
			found |= insn->modifiers[i] == list[n];
		if (!found) {
			parse_error(p, insn->location, NULL, "'%.100s' does not take '.%s'",
				insn->form->spelling, ptx_modifier_name(insn->modifiers[i]));
			return false;
		}
	}
	return true;
}

/* Which chips multiply floats of 4 to 8 bits by a kind; the metadata of a sparse A are ordered then. */
static bool narrow_product(struct ptx_parser *p, const struct ptx_insn *insn, const struct matrix_form *f)
{
	bool is_narrow = f->product->family == MATRIX_F8F6F4 || f->product->family == MATRIX_FP4;
	bool is_half_sparse = f->product->family == MATRIX_FP8 && f->d == PTX_F16 && f->product->selectors;

	if (!is_narrow && !is_half_sparse)
		return matrix_kind(insn) == PTX_MODIFIER_COUNT ||
			(needs_chips(p, insn, CHIPS_BLACKWELL) && is_available(p, insn, 100, 87));
	if (word_has(insn, PTX_MOD_SP))
		return wrong_word(p, insn, ".sp::ordered_metadata", "takes ordered metadata only");
	return needs_chips(p, insn,
		       f->product->family == MATRIX_FP4 && f->product->selectors ? CHIPS_120_SPECIFIC
										 : CHIPS_120) &&
		is_available(p, insn, 120, 87);
}

static bool product_modifiers(struct ptx_parser *p, const struct ptx_insn *insn, const struct matrix_form *f)
{
	static const uint16_t common[] = { PTX_MOD_SYNC, PTX_MOD_ALIGNED, PTX_MOD_ROW, PTX_MOD_COL,
		PTX_MOD_MMA, PTX_MOD_SATFINITE, PTX_MOD_XOR, PTX_MOD_AND, PTX_MOD_POPC, PTX_MOD_RN,
		PTX_MOD_RZ, PTX_MOD_RM, PTX_MOD_RP, PTX_MOD_SP, PTX_MOD_SP_ORDERED_METADATA,
		PTX_MOD_KIND_F8F6F4, PTX_MOD_KIND_MXF8F6F4, PTX_MOD_KIND_MXF4, PTX_MOD_KIND_MXF4NVF4,
		PTX_MOD_BLOCK_SCALE, PTX_MOD_SCALE_VEC_1X, PTX_MOD_SCALE_VEC_2X, PTX_MOD_SCALE_VEC_4X };
	unsigned family = f->product->family;
	int rounds = word_has(insn, PTX_MOD_RN) + word_has(insn, PTX_MOD_RZ) + word_has(insn, PTX_MOD_RM) +
		word_has(insn, PTX_MOD_RP);

	if (!takes_only(p, insn, common, COUNT(common)))
		return false;
	if (word_has(insn, PTX_MOD_SATFINITE) && family != MATRIX_INT8 && family != MATRIX_INT4)
		return wrong_word(p, insn, NULL, "cannot have '.satfinite': it is for integers");
	if (rounds && (family != MATRIX_F64 || rounds > 1))
		return wrong_word(p, insn, NULL, "takes one rounding modifier for .f64, none for others");
	if ((family == MATRIX_B1) != word_has(insn, PTX_MOD_POPC) ||
		(family == MATRIX_B1) != (word_has(insn, PTX_MOD_XOR) + word_has(insn, PTX_MOD_AND)))
		return wrong_word(p, insn, family == MATRIX_B1 ? ".xor.popc or .and.popc" : NULL,
			family == MATRIX_B1 ? "needs an operation on bits"
					    : "multiplies: no operation can be named");
	if (family == MATRIX_B1 && word_has(insn, PTX_MOD_AND))
		return is_available(p, insn, 80, 71);
	if (word_has(insn, PTX_MOD_SP) && word_has(insn, PTX_MOD_SP_ORDERED_METADATA))
		return wrong_word(p, insn, ".sp::ordered_metadata", "says twice that A is sparse");
	if (word_has(insn, PTX_MOD_SP_ORDERED_METADATA) && !is_available(p, insn, 80, 85))
		return false;
	if (family == MATRIX_FP8 && f->d == PTX_F16)
		return is_available(p, insn, 89, 87) && narrow_product(p, insn, f);
	return narrow_product(p, insn, f);
}

/* The shapes of the instruction's type, for a message. */
static void list_shapes(const struct ptx_insn *insn, char *list, size_t size)
{
	unsigned type = insn->type_count >= 4 ? insn->types[1]
		: insn->type_count == 2       ? PTX_F16
					      : insn->types[0];
	size_t used = 0;

	list[0] = 0;
	for (const struct matrix_product *m = matrix_is_sparse(insn) ? matrix_sparse_products
								     : matrix_products;
		m->opcode != PTX_OPCODE_COUNT; m++)
		if (m->opcode == insn->opcode && m->family == matrix_family_of(type) && used + 16 < size)
			used += (size_t)snprintf(list + used, size - used, "%s.%s", used ? " " : "",
				ptx_modifier_name(m->shape));
}

static bool check_product_word(struct ptx_parser *p, const struct ptx_insn *insn)
{
	static const uint16_t transfers[] = { PTX_MOD_SYNC, PTX_MOD_ALIGNED, PTX_MOD_ROW, PTX_MOD_COL,
		PTX_MOD_LOAD, PTX_MOD_STORE, PTX_MOD_A, PTX_MOD_B, PTX_MOD_C, PTX_MOD_D, PTX_MOD_SHARED_CTA };
	struct matrix_form f;
	const char *why, *hint;
	char shapes[120];

	list_shapes(insn, shapes, sizeof(shapes));
	if (!matrix_decode(insn, &f, &why, &hint))
		return wrong_word(p, insn, hint || f.product || !shapes[0] ? hint : shapes, why);
	if (f.what == MATRIX_MULTIPLIES ? !product_modifiers(p, insn, &f)
					: !takes_only(p, insn, transfers, COUNT(transfers)))
		return false;
	if (insn->space &&
		(f.what == MATRIX_MULTIPLIES || (insn->space != PTX_GLOBAL && insn->space != PTX_SHARED)))
		return wrong_word(p, insn, f.what == MATRIX_MULTIPLIES ? NULL : ".global or .shared",
			"cannot have this state space");
	return is_available(p, insn, f.product->sm, f.product->version);
}

/* ldmatrix, stmatrix: how many matrices; 0 if that is missing. */
static unsigned matrices(const struct ptx_insn *insn)
{
	int found = word_has(insn, PTX_MOD_X1) + word_has(insn, PTX_MOD_X2) + word_has(insn, PTX_MOD_X4);

	return found != 1 ? 0 : word_has(insn, PTX_MOD_X1) ? 1 : word_has(insn, PTX_MOD_X2) ? 2 : 4;
}

static bool is_narrow_format(const struct ptx_insn *insn)
{
	return word_has(insn, PTX_MOD_B8X16) &&
		word_has(insn, PTX_MOD_B6X16_P32) + word_has(insn, PTX_MOD_B4X16_P64) == 1 &&
		!insn->type_count;
}

/* Elements of 8 bits, and of 4 or 6 padded: sm_100. */
static bool check_byte_matrix(struct ptx_parser *p, const struct ptx_insn *insn)
{
	bool is_load = insn->opcode == PTX_LDMATRIX,
	     is_b8 = insn->type_count == 1 && insn->types[0] == PTX_B8;

	if (word_has(insn, PTX_MOD_M16N8)                ? is_load || !is_b8 || !word_has(insn, PTX_MOD_TRANS)
			: word_has(insn, PTX_MOD_M16N16) ? !is_load || !word_has(insn, PTX_MOD_TRANS) ||
				matrices(insn) > 2 || !(is_b8 || is_narrow_format(insn))
			: word_has(insn, PTX_MOD_M8N16)
			? !is_load || word_has(insn, PTX_MOD_TRANS) || !is_narrow_format(insn)
			: true)
		return wrong_word(p, insn, ".m8n8 and .b16", "has a shape that does not exist for this type");
	return is_available(p, insn, 100, 86) && needs_chips(p, insn, CHIPS_BLACKWELL);
}

static bool check_row_word(struct ptx_parser *p, const struct ptx_insn *insn)
{
	static const uint16_t allowed[] = { PTX_MOD_SYNC, PTX_MOD_ALIGNED, PTX_MOD_M8N8, PTX_MOD_M16N8,
		PTX_MOD_M16N16, PTX_MOD_M8N16, PTX_MOD_X1, PTX_MOD_X2, PTX_MOD_X4, PTX_MOD_TRANS,
		PTX_MOD_SHARED_CTA, PTX_MOD_B8X16, PTX_MOD_B6X16_P32, PTX_MOD_B4X16_P64 };
	bool is_load = insn->opcode == PTX_LDMATRIX;

	if (!takes_only(p, insn, allowed, COUNT(allowed)))
		return false;
	if (!word_has(insn, PTX_MOD_SYNC) || !word_has(insn, PTX_MOD_ALIGNED))
		return wrong_word(p, insn, ".sync.aligned", "needs '.sync' and '.aligned'");
	if (!matrices(insn))
		return wrong_word(p, insn, ".x1 .x2 .x4", "needs a number of matrices");
	if (insn->space && insn->space != PTX_SHARED)
		return wrong_word(p, insn, ".shared", "cannot have this state space");
	if (word_has(insn, PTX_MOD_SHARED_CTA) && !is_available(p, insn, 30, 78))
		return false;
	if (!word_has(insn, PTX_MOD_M8N8) || insn->type_count != 1 || insn->types[0] != PTX_B16)
		return check_byte_matrix(p, insn);
	return is_load ? is_available(p, insn, 75, 65) : is_available(p, insn, 90, 78);
}

static bool check_move_word(struct ptx_parser *p, const struct ptx_insn *insn)
{
	static const uint16_t allowed[] = { PTX_MOD_SYNC, PTX_MOD_ALIGNED, PTX_MOD_M8N8, PTX_MOD_TRANS };

	if (!takes_only(p, insn, allowed, COUNT(allowed)))
		return false;
	if (insn->modifier_count != 4 || insn->type_count != 1 || insn->types[0] != PTX_B16)
		return wrong_word(p, insn, "movmatrix.sync.aligned.m8n8.trans.b16", "is not defined");
	return is_available(p, insn, 75, 78);
}

bool check_matrix_word(struct ptx_parser *p, const struct ptx_insn *insn)
{
	if (insn->opcode == PTX_MMA || insn->opcode == PTX_WMMA)
		return check_product_word(p, insn);
	return insn->opcode == PTX_MOVMATRIX ? check_move_word(p, insn) : check_row_word(p, insn);
}

/* ---- operands ---- */

/* Registers that hold elements of a type. */
static uint64_t register_types(const struct matrix_form *f, enum matrix_fragment fragment, unsigned type)
{
	if (type == PTX_F64)
		return ANY_64;
	if (fragment == FRAGMENT_C)
		return type == PTX_F16 ? T(B32) | T(F16X2) : type == PTX_F32 ? T(B32) | T(F32) : WORDS;
	if (type == PTX_F16)
		return T(B32) | T(F16X2);
	if (type == PTX_BF16 || type == PTX_TF32)
		return T(B32);
	return f->product->opcode == PTX_MMA && (f->product->m > 8 || type == PTX_B1) ? ANY_32 : WORDS;
}

/* What a fragment is measured against. */
struct fragment_want {
	const char *name;
	uint64_t types; /* of its registers */
	unsigned registers;
	bool is_written, may_be_constant;
};

static void list_names(uint64_t types, char *list, size_t size)
{
	size_t used = 0;

	list[0] = 0;
	for (unsigned type = 0; type < PTX_TYPE_COUNT && used + 16 < size; type++)
		if (types >> type & 1)
			used += (size_t)snprintf(
				list + used, size - used, "%s.%s", used ? " " : "", ptx_type_name(type));
}

static void check_element(
	const struct check *c, const struct ptx_operand *o, const struct fragment_want *want)
{
	char hint[100];

	if (o->kind == PTX_OP_NAME || (o->kind == PTX_OP_SINK && want->is_written) ||
		(o->kind == PTX_OP_VALUE && want->may_be_constant))
		return;
	if (o->kind == PTX_OP_REG && want->types >> o->variable->type & 1 && !o->negated)
		return;
	list_names(want->types, hint, sizeof(hint));
	if (o->kind == PTX_OP_REG)
		parse_error(c->p, o->location, hint,
			"'%.200s' is a .%s register and does not suit %s of '%.100s'", check_shown(o),
			ptx_type_name(o->variable->type), want->name, check_word(c));
	else
		parse_error(c->p, o->location, hint, "%s of '%.100s' consists of registers", want->name,
			check_word(c));
}

static void check_fragment(
	const struct check *c, const struct ptx_operand *o, const struct fragment_want *want)
{
	if (o->kind == PTX_OP_NAME)
		return;
	if (o->kind != PTX_OP_VECTOR || o->element_count != want->registers) {
		parse_error(c->p, o->location, NULL, "%s of '%.100s' takes %u register%s in braces",
			want->name, check_word(c), want->registers, want->registers == 1 ? "" : "s");
		return;
	}
	for (uint32_t i = 0; i < o->element_count; i++)
		check_element(c, &o->elements[i], want);
}

static bool check_matrix_count(const struct check *c, unsigned least, unsigned most)
{
	unsigned have = c->insn->operand_count;

	if (have >= least && have <= most)
		return true;
	parse_error(c->p, c->insn->location, NULL, "'%.100s' takes %u%s operands, not %u", check_word(c),
		least, most > least ? " or one more" : "", have);
	return false;
}

/* The metadata and which lanes hold them. ptxas lets m16n8k32 of f16 into f32 have four selectors. */
static void check_sparsity(const struct check *c, const struct matrix_form *f)
{
	const struct ptx_operand *o = c->insn->operands;
	const struct fragment_want want = { "the metadata", WORDS | T(F32), 1, false, false };
	unsigned selectors = f->product->selectors;

	if (selectors == 2 && f->a == PTX_F16 && f->d == PTX_F32)
		selectors = 4;
	if (o[4].kind == PTX_OP_VECTOR)
		check_fragment(c, &o[4], &want);
	else
		check_element(c, &o[4], &want);
	if (o[5].kind != PTX_OP_VALUE || o[5].value.kind > PTX_UINT || o[5].value.bits >= selectors)
		parse_error(c->p, o[5].location, NULL,
			"the sparsity selector of '%.100s' is a constant below %u", check_word(c), selectors);
}

/* One of {byte-id, thread-id}: a constant or a register of 16 bits. */
static void check_scale_id(
	const struct check *c, const struct ptx_operand *o, unsigned most, unsigned step, const char *what)
{
	if (o->kind != PTX_OP_VALUE)
		check_value(c, o, &(struct want){ PTX_B16, false, false });
	else if (o->value.kind > PTX_UINT || o->value.bits > most || o->value.bits % step)
		parse_error(c->p, o->location, NULL, "%s of '%.100s' is at most %u%s", what, check_word(c),
			most, step > 1 ? " and even" : "");
}

/* A register of scales and which of them count. */
static void check_scales(
	const struct check *c, const struct ptx_operand *o, unsigned scales, unsigned threads)
{
	const struct fragment_want want = { "the scales", WORDS | T(F32), 1, false, false };

	if (o[0].kind == PTX_OP_VECTOR)
		check_fragment(c, &o[0], &want);
	else
		check_element(c, &o[0], &want);
	if (o[1].kind != PTX_OP_VECTOR || o[1].element_count != 2) {
		parse_error(c->p, o[1].location, "{0, 0}", "'%.100s' takes {byte-id, thread-id} here",
			check_word(c));
		return;
	}
	check_scale_id(c, &o[1].elements[0], 4 - scales, scales, "the byte-id");
	check_scale_id(c, &o[1].elements[1], threads, 1, "the thread-id");
}

static void check_product(const struct check *c, const struct matrix_form *f)
{
	static const char *const names[] = { "fragment D", "fragment A", "fragment B", "fragment C" };
	static const uint8_t fragments[] = { FRAGMENT_C, FRAGMENT_A, FRAGMENT_B, FRAGMENT_C };
	const uint8_t types[] = { f->d, f->a, f->b, f->c };
	unsigned first = f->product->selectors ? 6 : 4, count = first + (f->scales ? 4 : 0);

	if (!check_matrix_count(c, count, count))
		return;
	if (f->product->selectors)
		check_sparsity(c, f);
	if (f->scales) {
		check_scales(c, &c->insn->operands[first], f->scales, 1);
		check_scales(c, &c->insn->operands[first + 2], f->scales, 3);
	}
	for (unsigned i = 0; i < 4; i++)
		check_fragment(c, &c->insn->operands[i],
			&(struct fragment_want){ names[i], register_types(f, fragments[i], types[i]),
				matrix_registers(f->product, fragments[i], types[i]), i == 0, i == 3 });
}

static void check_transfer(const struct check *c, const struct matrix_form *f)
{
	bool is_store = f->what == MATRIX_STORES;
	const struct ptx_operand *o = c->insn->operands;

	if (!check_matrix_count(c, 2, 3))
		return;
	check_address_operand(c, &o[is_store ? 0 : 1]);
	check_fragment(c, &o[is_store ? 1 : 0],
		&(struct fragment_want){ "the fragment",
			register_types(f, f->fragment == FRAGMENT_C ? FRAGMENT_C : FRAGMENT_A, f->c),
			matrix_registers(f->product, f->fragment, f->c), !is_store, is_store });
	if (c->insn->operand_count > 2)
		check_value(c, &o[2], &(struct want){ PTX_B32, false, false });
}

static void check_rows(const struct check *c)
{
	bool is_store = c->insn->opcode == PTX_STMATRIX;
	const struct ptx_operand *o = c->insn->operands;
	unsigned count = matrices(c->insn) << word_has(c->insn, PTX_MOD_M16N16);

	if (!check_matrix_count(c, 2, 2))
		return;
	check_address_operand(c, &o[is_store ? 0 : 1]);
	check_fragment(c, &o[is_store ? 1 : 0],
		&(struct fragment_want){
			is_store ? "the source" : "the destination", ANY_32, count, !is_store, false });
}

void check_matrix_operands(const struct check *c)
{
	struct matrix_form f;
	const char *why, *hint;

	if (c->insn->opcode == PTX_MOVMATRIX) {
		if (check_matrix_count(c, 2, 2))
			for (unsigned i = 0; i < 2; i++)
				check_element(c, &c->insn->operands[i],
					&(struct fragment_want){ i ? "the source" : "the destination", ANY_32,
						1, false, false });
		return;
	}
	if (c->insn->opcode != PTX_MMA && c->insn->opcode != PTX_WMMA) {
		check_rows(c);
		return;
	}
	if (!matrix_decode(c->insn, &f, &why, &hint))
		return;
	if (f.what == MATRIX_MULTIPLIES)
		check_product(c, &f);
	else
		check_transfer(c, &f);
}
