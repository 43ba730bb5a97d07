/* tests/ptx/conformance/arithmetic/integer.c -- integer arithmetic: add sub mul mad mul24 mad24 sad div rem
 * abs neg min max dp4a dp2a, and the carry chains. */
#include "../suite/conform.h"

typedef __int128 wide;
typedef unsigned __int128 uwide;

static const enum type integers[] = { U16, S16, U32, S32, U64, S64 };
enum { INTEGERS = 6 };

static wide operand(const struct form *f, const uint64_t *in, int k)
{
	return number_of(f->in[k], in[k]);
}

/* Writes the low bits of a result. */
static bool give(const struct form *f, uint64_t *out, wide value)
{
	out[0] = (uint64_t)value & type_mask(f->out[0]);
	return true;
}

static wide least(enum type type)
{
	return type_is_signed(type) ? -((wide)1 << (type_bits(type) - 1)) : 0;
}

static wide largest(enum type type)
{
	return type_is_signed(type) ? ((wide)1 << (type_bits(type) - 1)) - 1
				    : ((wide)1 << type_bits(type)) - 1;
}

static wide clamp(wide value, enum type type)
{
	return value < least(type) ? least(type) : value > largest(type) ? largest(type) : value;
}

/* -- sums and differences -- */

static bool ref_add(const struct form *f, const uint64_t *in, uint64_t *out)
{
	return give(f, out, operand(f, in, 0) + operand(f, in, 1));
}

static bool ref_sub(const struct form *f, const uint64_t *in, uint64_t *out)
{
	return give(f, out, operand(f, in, 0) - operand(f, in, 1));
}

static bool ref_add_sat(const struct form *f, const uint64_t *in, uint64_t *out)
{
	return give(f, out, clamp(operand(f, in, 0) + operand(f, in, 1), S32));
}

static bool ref_sub_sat(const struct form *f, const uint64_t *in, uint64_t *out)
{
	return give(f, out, clamp(operand(f, in, 0) - operand(f, in, 1), S32));
}

static bool ref_abs(const struct form *f, const uint64_t *in, uint64_t *out)
{
	wide a = operand(f, in, 0);

	return give(f, out, a < 0 ? -a : a);
}

static bool ref_neg(const struct form *f, const uint64_t *in, uint64_t *out)
{
	return give(f, out, -operand(f, in, 0));
}

static bool ref_sad(const struct form *f, const uint64_t *in, uint64_t *out)
{
	wide difference = operand(f, in, 0) - operand(f, in, 1);

	return give(f, out, operand(f, in, 2) + (difference < 0 ? -difference : difference));
}

static bool ref_min(const struct form *f, const uint64_t *in, uint64_t *out)
{
	wide a = operand(f, in, 0), b = operand(f, in, 1);

	return give(f, out, a < b ? a : b);
}

static bool ref_max(const struct form *f, const uint64_t *in, uint64_t *out)
{
	wide a = operand(f, in, 0), b = operand(f, in, 1);

	return give(f, out, a > b ? a : b);
}

/* min.relu, max.relu: what is below zero becomes zero. */
static bool ref_relu(const struct form *f, const uint64_t *in, uint64_t *out)
{
	wide a = operand(f, in, 0), b = operand(f, in, 1), d = (a < b) == !f->tag[0] ? a : b;

	return give(f, out, d < 0 ? 0 : d);
}

enum pair_operation { PAIR_ADD, PAIR_MIN, PAIR_MAX };

/* Two 16-bit halves, each on its own. tag: operation, signed, relu. */
static bool ref_pair(const struct form *f, const uint64_t *in, uint64_t *out)
{
	enum type half = f->tag[1] ? S16 : U16;

	out[0] = 0;
	for (int at = 0; at < 32; at += 16) {
		wide a = number_of(half, in[0] >> at), b = number_of(half, in[1] >> at), d;

		d = f->tag[0] == PAIR_ADD ? a + b : (a < b) == (f->tag[0] == PAIR_MIN) ? a : b;
		if (f->tag[2] && d < 0)
			d = 0;
		out[0] |= ((uint64_t)d & 0xffff) << at;
	}
	return true;
}

/* -- products -- */

static bool ref_mul_lo(const struct form *f, const uint64_t *in, uint64_t *out)
{
	return give(f, out, (wide)((uwide)operand(f, in, 0) * (uwide)operand(f, in, 1)));
}

/* The upper half of the double-width product: of 64 bits, built from 128-bit arithmetic that wraps. */
static uint64_t high(const struct form *f, const uint64_t *in)
{
	unsigned bits = type_bits(f->in[0]);
	uwide product;

	if (type_is_signed(f->in[0]))
		product = (uwide)(operand(f, in, 0) * operand(f, in, 1));
	else
		product = (uwide)operand(f, in, 0) * (uwide)operand(f, in, 1);
	return (uint64_t)(product >> bits);
}

static bool ref_mul_hi(const struct form *f, const uint64_t *in, uint64_t *out)
{
	return give(f, out, high(f, in));
}

static bool ref_mad_lo(const struct form *f, const uint64_t *in, uint64_t *out)
{
	ref_mul_lo(f, in, out);
	return give(f, out, (wide)out[0] + operand(f, in, 2));
}

static bool ref_mad_hi(const struct form *f, const uint64_t *in, uint64_t *out)
{
	return give(f, out, (wide)high(f, in) + operand(f, in, 2));
}

/* The sum is clamped, not the product. */
static bool ref_mad_hi_sat(const struct form *f, const uint64_t *in, uint64_t *out)
{
	return give(f, out, clamp(sign_extend(high(f, in), 32) + operand(f, in, 2), S32));
}

/* The low 24 bits of the operands; hi is bits 47 to 16 of the product. */
static wide product_24(const struct form *f, const uint64_t *in)
{
	bool is_signed = type_is_signed(f->in[0]);
	wide a = is_signed ? (wide)sign_extend(in[0], 24) : (wide)zero_extend(in[0], 24);
	wide b = is_signed ? (wide)sign_extend(in[1], 24) : (wide)zero_extend(in[1], 24);

	return f->tag[0] ? a * b >> 16 : a * b;
}

static bool ref_mul24(const struct form *f, const uint64_t *in, uint64_t *out)
{
	return give(f, out, product_24(f, in));
}

static bool ref_mad24(const struct form *f, const uint64_t *in, uint64_t *out)
{
	return give(f, out, product_24(f, in) + operand(f, in, 2));
}

static bool ref_mad24_sat(const struct form *f, const uint64_t *in, uint64_t *out)
{
	return give(f, out, clamp(sign_extend((uint64_t)product_24(f, in), 32) + operand(f, in, 2), S32));
}

/* -- quotients -- */

/* Zero divisors give something unspecified. */
static bool ref_div(const struct form *f, const uint64_t *in, uint64_t *out)
{
	wide a = operand(f, in, 0), b = operand(f, in, 1);

	return b != 0 && give(f, out, a / b);
}

static bool ref_rem(const struct form *f, const uint64_t *in, uint64_t *out)
{
	wide a = operand(f, in, 0), b = operand(f, in, 1);

	return b != 0 && give(f, out, a % b);
}

/* -- dot products: tag: a signed, b signed, hi -- */

static bool ref_dp4a(const struct form *f, const uint64_t *in, uint64_t *out)
{
	wide sum = number_of(f->tag[0] || f->tag[1] ? S32 : U32, in[2]);

	for (int at = 0; at < 32; at += 8)
		sum += number_of(f->tag[0] ? S8 : U8, in[0] >> at) *
			number_of(f->tag[1] ? S8 : U8, in[1] >> at);
	return give(f, out, sum);
}

/* The halves of a times two bytes of b: the lower two, or the upper two with .hi. */
static bool ref_dp2a(const struct form *f, const uint64_t *in, uint64_t *out)
{
	wide sum = number_of(f->tag[0] || f->tag[1] ? S32 : U32, in[2]);
	uint64_t b = f->tag[2] ? in[1] >> 16 : in[1];

	for (int i = 0; i < 2; i++)
		sum += number_of(f->tag[0] ? S16 : U16, in[0] >> 16 * i) *
			number_of(f->tag[1] ? S8 : U8, b >> 8 * i);
	return give(f, out, sum);
}

static void sum_forms(enum type t)
{
	const char *n = type_name(t);

	form_add(ref_add, OUT(t), IN(t, t), "add.%s", n);
	form_add(ref_sub, OUT(t), IN(t, t), "sub.%s", n);
	form_add(ref_sad, OUT(t), IN(t, t, t), "sad.%s", n);
	form_add(ref_div, OUT(t), IN(t, t), "div.%s", n);
	form_add(ref_rem, OUT(t), IN(t, t), "rem.%s", n);
	form_add(ref_min, OUT(t), IN(t, t), "min.%s", n);
	form_add(ref_max, OUT(t), IN(t, t), "max.%s", n);
	if (!type_is_signed(t))
		return;
	form_add(ref_abs, OUT(t), IN(t), "abs.%s", n);
	form_add(ref_neg, OUT(t), IN(t), "neg.%s", n);
}

static void product_forms(enum type t)
{
	static const enum type twice[TYPE_COUNT] = { [U16] = U32, [S16] = S32, [U32] = U64, [S32] = S64 };
	const char *n = type_name(t);
	enum type w = twice[t];

	form_add(ref_mul_lo, OUT(t), IN(t, t), "mul.lo.%s", n);
	form_add(ref_mul_hi, OUT(t), IN(t, t), "mul.hi.%s", n);
	form_add(ref_mad_lo, OUT(t), IN(t, t, t), "mad.lo.%s", n);
	form_add(ref_mad_hi, OUT(t), IN(t, t, t), "mad.hi.%s", n);
	if (w) {
		form_add(ref_mul_lo, OUT(w), IN(t, t), "mul.wide.%s", n);
		form_add(ref_mad_lo, OUT(w), IN(t, t, w), "mad.wide.%s", n);
	}
	if (type_bits(t) != 32)
		return;
	for (int hi = 0; hi < 2; hi++) {
		form_add(ref_mul24, OUT(t), IN(t, t), "mul24.%s.%s", hi ? "hi" : "lo", n)->tag[0] = hi;
		form_add(ref_mad24, OUT(t), IN(t, t, t), "mad24.%s.%s", hi ? "hi" : "lo", n)->tag[0] = hi;
	}
}

static void dot_forms(void)
{
	for (int i = 0; i < 12; i++) {
		bool is_a_signed = i & 1, is_b_signed = i & 2, is_hi = i >> 2 == 2, is_dp4a = i >> 2 == 0;
		const char *a = is_a_signed ? "s32" : "u32", *b = is_b_signed ? "s32" : "u32";
		struct form *f = is_dp4a ? form_add(ref_dp4a, OUT(B32), IN(B32, B32, B32), "dp4a.%s.%s", a, b)
					 : form_add(ref_dp2a, OUT(B32), IN(B32, B32, B32), "dp2a.%s.%s.%s",
						   is_hi ? "hi" : "lo", a, b);

		f->tag[0] = is_a_signed;
		f->tag[1] = is_b_signed;
		f->tag[2] = is_hi;
	}
}

static void pair_form(const char *name, enum pair_operation operation, bool is_signed, bool is_relu)
{
	enum type t = is_signed ? S16X2 : U16X2;
	struct form *f = form_add(ref_pair, OUT(t), IN(t, t), "%s", name);

	f->tag[0] = operation;
	f->tag[1] = is_signed;
	f->tag[2] = is_relu;
	f->target = "sm_90";
}

static void pair_forms(void)
{
	struct form *f;

	pair_form("add.u16x2", PAIR_ADD, false, false);
	pair_form("add.s16x2", PAIR_ADD, true, false);
	pair_form("min.u16x2", PAIR_MIN, false, false);
	pair_form("min.s16x2", PAIR_MIN, true, false);
	pair_form("max.u16x2", PAIR_MAX, false, false);
	pair_form("max.s16x2", PAIR_MAX, true, false);
	pair_form("min.relu.s16x2", PAIR_MIN, true, true);
	pair_form("max.relu.s16x2", PAIR_MAX, true, true);
	for (int is_max = 0; is_max < 2; is_max++) {
		f = form_add(ref_relu, OUT(S32), IN(S32, S32), "%s.relu.s32", is_max ? "max" : "min");
		f->tag[0] = is_max;
		f->target = "sm_90";
	}
}

void integer_forms(void)
{
	for (int i = 0; i < INTEGERS; i++) {
		sum_forms(integers[i]);
		product_forms(integers[i]);
	}
	form_add(ref_add_sat, OUT(S32), IN(S32, S32), "add.sat.s32");
	form_add(ref_sub_sat, OUT(S32), IN(S32, S32), "sub.sat.s32");
	form_add(ref_mad_hi_sat, OUT(S32), IN(S32, S32, S32), "mad.hi.sat.s32");
	form_add(ref_mad24_sat, OUT(S32), IN(S32, S32, S32), "mad24.hi.sat.s32")->tag[0] = 1;
	dot_forms();
	pair_forms();
}
