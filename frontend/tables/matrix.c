/* frontend/tables/matrix.c -- the table of matrix products, questions to it, and the words of mma and wmma
 * taken apart. */
#include "frontend/tables/matrix.h"
#include "frontend/parse/form.h"
#include "frontend/tables/opcode.h"

#define ROW_COL    false
#define ANY_LAYOUT true

const struct matrix_product matrix_products[] = {
#define PRODUCT(op, shape, m, n, k, family, accumulators, layouts, a, b, c, sm, version) \
	{ PTX_##op, PTX_MOD_##shape, m, n, k, MATRIX_##family, accumulators, layouts, a, b, c, sm, version, \
		0 },
#define SPARSE(shape, k, family, accumulators, a, b, sm, version, selectors)
#include "frontend/tables/matrix_shapes.def"
#undef PRODUCT
#undef SPARSE
	{ .opcode = PTX_OPCODE_COUNT },
};

const struct matrix_product matrix_sparse_products[] = {
#define PRODUCT(op, shape, m, n, k, family, accumulators, layouts, a, b, c, sm, version)
#define SPARSE(shape, k, family, accumulators, a, b, sm, version, selectors) \
	{ PTX_MMA, PTX_MOD_##shape, 16, 8, k, MATRIX_##family, accumulators, ROW_COL, a, b, 4, sm, version, \
		selectors },
#include "frontend/tables/matrix_shapes.def"
#undef PRODUCT
#undef SPARSE
	{ .opcode = PTX_OPCODE_COUNT },
};

int matrix_family_of(unsigned type)
{
	switch (type) {
	case PTX_F16:
		return MATRIX_F16;
	case PTX_BF16:
		return MATRIX_BF16;
	case PTX_TF32:
		return MATRIX_TF32;
	case PTX_F64:
		return MATRIX_F64;
	case PTX_E4M3:
	case PTX_E5M2:
		return MATRIX_FP8;
	case PTX_E3M2:
	case PTX_E2M3:
	case PTX_E2M1:
		return MATRIX_F8F6F4;
	case PTX_S8:
	case PTX_U8:
		return MATRIX_INT8;
	case PTX_S4:
	case PTX_U4:
		return MATRIX_INT4;
	case PTX_B1:
		return MATRIX_B1;
	default:
		return -1;
	}
}

/* The member of enum matrix_accumulators for D and C of these types; 0: none. */
static unsigned matrix_accumulators_of(unsigned d, unsigned c)
{
	if (d == PTX_F16 || d == PTX_F32)
		return c == PTX_F16    ? d == PTX_F16 ? ACC_16_16 : ACC_32_16
			: c == PTX_F32 ? d == PTX_F16 ? ACC_16_32 : ACC_32_32
				       : 0;
	if (d != c)
		return 0;
	return d == PTX_S32 ? ACC_S32 : d == PTX_F64 ? ACC_F64 : 0;
}

static const struct matrix_product *matrix_find_in(
	const struct matrix_product *list, unsigned opcode, unsigned shape, int family)
{
	for (const struct matrix_product *p = list; p->opcode != PTX_OPCODE_COUNT; p++)
		if (p->opcode == opcode && p->shape == shape && p->family == family)
			return p;
	return NULL;
}

const struct matrix_product *matrix_find(unsigned opcode, unsigned shape, unsigned type)
{
	return matrix_find_in(matrix_products, opcode, shape, matrix_family_of(type));
}

/* The first product of that opcode and shape modifier whose accumulators may have that type. */
static const struct matrix_product *matrix_find_accumulator(unsigned opcode, unsigned shape, unsigned type)
{
	unsigned same = matrix_accumulators_of(type, type);

	for (const struct matrix_product *p = matrix_products; p->opcode != PTX_OPCODE_COUNT; p++)
		if (p->opcode == opcode && p->shape == shape && p->accumulators & same)
			return p;
	return NULL;
}

bool matrix_is_shape(unsigned modifier)
{
	return modifier >= PTX_MOD_M16N16K16 && modifier <= PTX_MOD_M16N8K256;
}

unsigned matrix_registers(const struct matrix_product *p, enum matrix_fragment fragment, unsigned type)
{
	switch (fragment) {
	case FRAGMENT_A:
		return p->a;
	case FRAGMENT_B:
		return p->b;
	default:
		return type == PTX_F16 ? p->c / 2u : p->c;
	}
}

unsigned matrix_distinct(const struct matrix_product *p, enum matrix_fragment fragment, unsigned type)
{
	unsigned elements = fragment == FRAGMENT_A ? p->m * p->k : p->k * p->n;

	if (p->opcode != PTX_WMMA || p->family != MATRIX_F16 || fragment == FRAGMENT_C)
		return matrix_registers(p, fragment, type);
	return elements / 64; /* 32 lanes of two */
}

bool matrix_is_sparse(const struct ptx_insn *insn)
{
	return form_has(insn->form, PTX_MOD_SP) || form_has(insn->form, PTX_MOD_SP_ORDERED_METADATA);
}

unsigned matrix_kind(const struct ptx_insn *insn)
{
	static const uint16_t kinds[] = { PTX_MOD_KIND_F8F6F4, PTX_MOD_KIND_MXF8F6F4, PTX_MOD_KIND_MXF4,
		PTX_MOD_KIND_MXF4NVF4 };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (form_has(insn->form, kinds[i]))
			return kinds[i];
	return PTX_MODIFIER_COUNT;
}

/* The family of A and B of these types, which the kind may change; -1: they do not go together. */
static int family_of_factors(const struct ptx_insn *insn, unsigned a, unsigned b)
{
	int first = matrix_family_of(a), second = matrix_family_of(b);
	bool are_bytes = (first == MATRIX_FP8 || first == MATRIX_F8F6F4) &&
		(second == MATRIX_FP8 || second == MATRIX_F8F6F4);

	switch (matrix_kind(insn)) {
	case PTX_MODIFIER_COUNT:
		return first == second && first != MATRIX_F8F6F4 ? first : -1;
	case PTX_MOD_KIND_F8F6F4:
		return !are_bytes ? -1 : first == second ? first : MATRIX_F8F6F4;
	case PTX_MOD_KIND_MXF8F6F4:
		return are_bytes ? MATRIX_F8F6F4 : -1;
	default:
		return a == PTX_E2M1 && b == PTX_E2M1 ? MATRIX_FP4 : -1;
	}
}

static unsigned shape_of(const struct ptx_insn *insn)
{
	for (uint32_t i = 0; i < insn->modifier_count; i++)
		if (matrix_is_shape(insn->modifiers[i]))
			return insn->modifiers[i];
	return PTX_MODIFIER_COUNT;
}

/* How many of .row and .col there are; the first two are kept. */
static unsigned find_layouts(const struct ptx_insn *insn, struct matrix_form *f)
{
	unsigned count = 0;

	for (uint32_t i = 0; i < insn->modifier_count; i++) {
		bool is_column = insn->modifiers[i] == PTX_MOD_COL;

		if (!is_column && insn->modifiers[i] != PTX_MOD_ROW)
			continue;
		if (count++)
			f->second_is_column = is_column;
		else
			f->is_column = is_column;
	}
	return count;
}

static bool is_wrong(const char **why, const char **hint, const char *text, const char *instead)
{
	*why = text;
	*hint = instead;
	return false;
}

/* How many scales a row of A has by the word, 0 if that is wrong; given: .scale_vec. */
static unsigned scales_of(const struct ptx_insn *insn, unsigned type)
{
	unsigned kind = matrix_kind(insn);
	unsigned given = form_has(insn->form, PTX_MOD_SCALE_VEC_1X) ? 1
		: form_has(insn->form, PTX_MOD_SCALE_VEC_2X)        ? 2
		: form_has(insn->form, PTX_MOD_SCALE_VEC_4X)        ? 4
								    : 0;
	unsigned want = kind == PTX_MOD_KIND_MXF8F6F4 ? 1 : type == PTX_UE4M3 ? 4 : 2;

	if (type == PTX_UE4M3 ? kind != PTX_MOD_KIND_MXF4NVF4 : type != PTX_UE8M0)
		return 0;
	return given == want || (!given && kind != PTX_MOD_KIND_MXF4NVF4) ? want : 0;
}

static bool decode_scales(
	const struct ptx_insn *insn, struct matrix_form *f, const char **why, const char **hint)
{
	unsigned kind = matrix_kind(insn);
	bool is_scaled = form_has(insn->form, PTX_MOD_BLOCK_SCALE);

	if (is_scaled != (kind != PTX_MODIFIER_COUNT && kind != PTX_MOD_KIND_F8F6F4))
		return is_wrong(why, hint,
			is_scaled ? "scales blocks only with a kind for it" : "needs '.block_scale'",
			".kind::mxf8f6f4, .kind::mxf4 or .kind::mxf4nvf4, with .block_scale");
	if (!is_scaled)
		return true;
	if (insn->type_count != 5)
		return is_wrong(why, hint, "needs the types of D, A, B, C and of the scales", NULL);
	f->scale = insn->types[4];
	f->scales = (uint8_t)scales_of(insn, f->scale);
	return f->scales ||
		is_wrong(why, hint, "has another number or type of scales than its kind",
			".kind::mxf8f6f4.block_scale.scale_vec::1X and .ue8m0, .kind::mxf4.block_scale"
			".scale_vec::2X and .ue8m0, .kind::mxf4nvf4.block_scale with .scale_vec::2X and "
			".ue8m0 or .scale_vec::4X and .ue4m3");
}

static bool decode_product(const struct ptx_insn *insn, unsigned shape, struct matrix_form *f,
	const char **why, const char **hint)
{
	const struct matrix_product *p;
	int family;

	if (!decode_scales(insn, f, why, hint))
		return false;
	if (insn->opcode == PTX_WMMA && insn->type_count == 2) {
		f->d = insn->types[0];
		f->a = f->b = PTX_F16;
		f->c = insn->types[1];
	} else if (insn->type_count == 4u + !!f->scales &&
		!(insn->opcode == PTX_WMMA && insn->types[1] == PTX_F16)) {
		f->d = insn->types[0];
		f->a = insn->types[1];
		f->b = insn->types[2];
		f->c = insn->types[3];
	} else {
		return is_wrong(why, hint,
			insn->opcode == PTX_WMMA
				? "needs the types of D, A, B and C (.f16 matrices: of D and C)"
				: "needs the types of D, A, B and C",
			NULL);
	}
	family = family_of_factors(insn, f->a, f->b);
	if (matrix_family_of(f->a) >= 0 && (family < 0 || (insn->opcode == PTX_WMMA && f->a != f->b)))
		return is_wrong(why, hint, "has types of A and B that do not go together", NULL);
	p = f->product = matrix_find_in(matrix_is_sparse(insn) ? matrix_sparse_products : matrix_products,
		insn->opcode, shape, family);
	if (!p)
		return is_wrong(why, hint, "has a shape that does not exist for this type", NULL);
	if (!(p->accumulators & matrix_accumulators_of(f->d, f->c)) || (f->scales && f->d != PTX_F32))
		return is_wrong(why, hint, "has types of D and C that do not suit A and B",
			p->accumulators & ACC_S32             ? ".s32"
				: p->accumulators & ACC_F64   ? ".f64"
				: p->accumulators & ACC_16_16 ? ".f16 or .f32"
							      : ".f32");
	if (find_layouts(insn, f) != 2)
		return is_wrong(why, hint, "needs the layouts of A and B", ".row.col");
	if (!p->any_layout && (f->is_column || !f->second_is_column))
		return is_wrong(why, hint, "takes A by rows and B by columns only", ".row.col");
	return true;
}

static bool decode_transfer(const struct ptx_insn *insn, unsigned shape, struct matrix_form *f,
	const char **why, const char **hint)
{
	bool is_a = form_has(insn->form, PTX_MOD_A), is_b = form_has(insn->form, PTX_MOD_B);
	bool is_store = f->what == MATRIX_STORES;

	if (is_a + is_b + form_has(insn->form, PTX_MOD_C) + form_has(insn->form, PTX_MOD_D) != 1 ||
		is_store != form_has(insn->form, PTX_MOD_D))
		return is_wrong(why, hint, "does not tell which matrix", is_store ? ".d" : ".a, .b or .c");
	if (insn->type_count != 1)
		return is_wrong(why, hint, "needs one type", NULL);
	f->a = f->b = f->c = f->d = insn->types[0];
	f->fragment = is_a ? FRAGMENT_A : is_b ? FRAGMENT_B : FRAGMENT_C;
	f->product = is_a || is_b ? matrix_find(PTX_WMMA, shape, f->a)
				  : matrix_find_accumulator(PTX_WMMA, shape, f->c);
	if (!f->product)
		return is_wrong(why, hint, "has a shape that does not exist for this type", NULL);
	if (find_layouts(insn, f) != 1)
		return is_wrong(why, hint, "needs the layout in memory", ".row or .col");
	if (!f->product->any_layout && f->fragment != FRAGMENT_C && f->is_column != is_b)
		return is_wrong(
			why, hint, "has a layout that does not exist for this type", is_b ? ".col" : ".row");
	return true;
}

bool matrix_decode(const struct ptx_insn *insn, struct matrix_form *f, const char **why, const char **hint)
{
	unsigned shape = shape_of(insn);

	*f = (struct matrix_form){ 0 };
	if (!form_has(insn->form, PTX_MOD_SYNC) || !form_has(insn->form, PTX_MOD_ALIGNED))
		return is_wrong(why, hint, "needs '.sync' and '.aligned'", ".sync.aligned");
	if (shape == PTX_MODIFIER_COUNT)
		return is_wrong(why, hint, "needs a shape", NULL);
	f->what = insn->opcode == PTX_MMA || form_has(insn->form, PTX_MOD_MMA) ? MATRIX_MULTIPLIES
		: form_has(insn->form, PTX_MOD_LOAD)                           ? MATRIX_LOADS
									       : MATRIX_STORES;
	if (f->what == MATRIX_STORES && !form_has(insn->form, PTX_MOD_STORE))
		return is_wrong(why, hint, "is not defined", "wmma.load, wmma.mma or wmma.store");
	if (f->what == MATRIX_MULTIPLIES)
		return decode_product(insn, shape, f, why, hint);
	return decode_transfer(insn, shape, f, why, hint);
}
