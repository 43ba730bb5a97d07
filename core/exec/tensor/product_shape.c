/* core/exec/tensor/product_shape.c -- see product_shape.h. */
#include "core/exec/tensor/product_shape.h"

#define NO_TYPE PRODUCT_TYPES
#define NARROW \
	{ \
		PRODUCT_E4M3, PRODUCT_E5M2, NO_TYPE, PRODUCT_E2M3, PRODUCT_E3M2, PRODUCT_E2M1, NO_TYPE, \
			NO_TYPE \
	}
#define ONLY(second) \
	{ \
		NO_TYPE, second, NO_TYPE, NO_TYPE, NO_TYPE, NO_TYPE, NO_TYPE, NO_TYPE \
	}

static const struct kind_rule {
	uint8_t types[8]; /* by their number in the descriptor */
	uint8_t k;        /* dense */
	uint8_t results;  /* bit n: enum product_result; with scales it is f32 */
	bool transposes, negates;
} kind_rules[TENSOR_KINDS] = {
	[TENSOR_F16] = { { PRODUCT_F16, PRODUCT_BF16, NO_TYPE, NO_TYPE, NO_TYPE, NO_TYPE, NO_TYPE, NO_TYPE },
		16, 3, true, true },
	[TENSOR_TF32] = { { NO_TYPE, NO_TYPE, PRODUCT_TF32, NO_TYPE, NO_TYPE, NO_TYPE, NO_TYPE, NO_TYPE }, 8,
		2, true, true },
	[TENSOR_F8F6F4] = { NARROW, 32, 3, true, true },
	[TENSOR_I8] = { { PRODUCT_U8, PRODUCT_S8, NO_TYPE, NO_TYPE, NO_TYPE, NO_TYPE, NO_TYPE, NO_TYPE }, 32,
		4, true, false },
	[TENSOR_MXF8F6F4] = { NARROW, 32, 2, true, true },
	[TENSOR_MXF4] = { ONLY(PRODUCT_E2M1_PACKED), 64, 2, false, true },
	[TENSOR_MXF4NVF4] = { ONLY(PRODUCT_E2M1_PACKED), 64, 2, false, true },
};

unsigned product_type_bits(enum product_type type)
{
	return type == PRODUCT_TF32 ? 32 : type <= PRODUCT_BF16 ? 16 : type == PRODUCT_E2M1_PACKED ? 4 : 8;
}

static void read_bits(const struct tensor_operation *o, struct product_shape *s)
{
	uint32_t bits = o->idesc;
	const struct kind_rule *rule = &kind_rules[o->code.kind];
	bool is_sparse = o->code.flags & TENSOR_SPARSE;

	s->n = (bits >> 17 & 63) * 8;
	s->k = rule->k * (is_sparse ? 2u : 1u);
	s->a = rule->types[bits >> 7 & 7];
	s->b = rule->types[bits >> 10 & (o->code.kind >= TENSOR_MXF4 ? 3 : 7)];
	s->negates_a = bits >> 13 & 1;
	s->negates_b = bits >> 14 & 1;
	s->transposes_a = bits >> 15 & 1;
	s->transposes_b = bits >> 16 & 1;
	if (o->code.count) {
		s->m = (bits >> 27 & 3) * 128;
		s->d = PRODUCT_TO_F32;
		s->scale_b_id = bits >> 4 & 3;
		s->scale_a_id = bits >> 29 & 3;
		s->scales_are_e4m3 = !(bits >> 23 & 1);
		return;
	}
	s->m = (bits >> 24 & 31) * 16;
	s->d = (enum product_result)(bits >> 4 & 3);
	s->clamps = bits >> 3 & 1;
	s->selector = bits & 3;
}

static const char *check_types(const struct tensor_operation *o, const struct product_shape *s)
{
	const struct kind_rule *rule = &kind_rules[o->code.kind];

	if (s->a == NO_TYPE || s->b == NO_TYPE)
		return "the instruction descriptor has a type of A or B that the kind does not have";
	if (s->d > PRODUCT_TO_S32 || !(rule->results >> s->d & 1))
		return "the instruction descriptor has a type of D that the kind does not have";
	if (o->code.kind == TENSOR_F16 && (s->a != s->b || (s->d == PRODUCT_TO_F16 && s->a != PRODUCT_F16)))
		return "the types of A, B and D in the instruction descriptor do not go together";
	if (!rule->transposes && (s->transposes_a || s->transposes_b))
		return "matrices of this kind cannot be transposed";
	if (!rule->negates && (s->negates_a || s->negates_b))
		return "integers cannot be negated";
	if (s->transposes_a && o->code.flags & TENSOR_A_IN_TENSOR)
		return "a matrix A in tensor memory cannot be transposed";
	return s->clamps && o->code.kind != TENSOR_I8 ? "saturation is for integers" : NULL;
}

static const char *check_scales(const struct tensor_operation *o, const struct product_shape *s)
{
	unsigned step = o->code.count;

	if (!step)
		return NULL;
	if (s->scales_are_e4m3 && (o->code.kind != TENSOR_MXF4NVF4 || step != 4))
		return "scale factors of ue4m3 are for kind::mxf4nvf4 with four of them";
	if (o->code.kind != TENSOR_MXF8F6F4 && o->idesc >> 31)
		return "K of 96 does not exist on this chip";
	return s->scale_a_id % step || s->scale_b_id % step
		? "the scale factors do not begin at a multiple of their number"
		: NULL;
}

static const char *check_n(const struct tensor_operation *o, const struct product_shape *s)
{
	bool is_sparse = o->code.flags & TENSOR_SPARSE, is_pair = o->code.flags & TENSOR_PAIR;
	unsigned step = is_pair ? 16 : 8;

	if (o->code.flags & TENSOR_WS)
		return s->n == 64 || s->n == 128 || (s->n == 256 && !is_sparse)
			? NULL
			: "N is 64, 128 or, of a dense A, 256";
	if (o->code.kind == TENSOR_I8)
		step = is_pair ? 32 : s->n > 32 ? 16 : 8;
	if (s->transposes_b && product_type_bits(s->b) == 8 && step < 32)
		step = is_pair ? 32 : 16;
	return s->n && s->n <= 256 && s->n % step == 0 ? NULL
						       : "the instruction descriptor has an N that the "
							 "kind does not have";
}

/* Of one CTA, 64 or 128 rows, weight stationary 32, too; of a pair 128 or 256. With scales only the larger.
 */
static const char *check_m(const struct tensor_operation *o, const struct product_shape *s)
{
	bool is_sparse = o->code.flags & TENSOR_SPARSE, is_ws = o->code.flags & TENSOR_WS;
	unsigned sides = tensor_sides(o), least = is_ws ? 32 : sides == 2 ? 128 : 64;

	if (o->code.count)
		least = sides == 2 && is_sparse ? 256 : 128;
	if (s->m < least || s->m > 128 * sides || s->m & (s->m - 1))
		return "the instruction descriptor has an M that the kind does not have";
	return o->code.flags & TENSOR_SHIFTS_A && s->m < 128 ? "a shift of A takes 128 rows or 256" : NULL;
}

static const char *check_sparsity(const struct tensor_operation *o, const struct product_shape *s)
{
	bool is_sparse = o->code.flags & TENSOR_SPARSE;

	if ((o->idesc >> 2 & 1) != is_sparse)
		return "the instruction and its descriptor differ in whether A is sparse";
	return s->selector > (is_sparse && o->code.kind <= TENSOR_TF32 ? 1u : 0u)
		? "the instruction descriptor selects metadata that the kind does not have"
		: NULL;
}

static void set_layout(const struct tensor_operation *o, struct product_shape *s)
{
	bool is_sparse = o->code.flags & TENSOR_SPARSE, is_ws = o->code.flags & TENSOR_WS;
	bool is_pair = o->code.flags & TENSOR_PAIR;

	s->rows = s->m / tensor_sides(o);
	s->is_scattered = s->rows == 64 && !is_ws && (!is_pair || is_sparse);
	s->bands = s->is_scattered ? 1 : TENSOR_LANES / s->rows;
}

const char *product_shape_read(const struct tensor_operation *o, struct product_shape *s)
{
	const char *wrong;

	*s = (struct product_shape){ 0 };
	read_bits(o, s);
	wrong = check_types(o, s);
	wrong = wrong ? wrong : check_scales(o, s);
	wrong = wrong ? wrong : check_m(o, s);
	wrong = wrong ? wrong : check_n(o, s);
	wrong = wrong ? wrong : check_sparsity(o, s);
	if (!wrong)
		set_layout(o, s);
	return wrong;
}
