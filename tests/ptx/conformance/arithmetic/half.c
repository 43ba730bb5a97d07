/* tests/ptx/conformance/arithmetic/half.c -- f16, bf16 and their pairs: arithmetic, order, sign, comparison,
 * approximations. Sums and products are formed exactly, or rounded to odd, in double and rounded once. */
#include "round.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const ftz_name[] = { "", ".ftz" };

static enum type element(enum type type)
{
	return type == F16X2 ? F16 : type == BF16X2 ? BF16 : type;
}

static bool is_pair(enum type type)
{
	return type == F16X2 || type == BF16X2;
}

static const enum type half_types[] = { F16, F16X2, BF16, BF16X2 };

/* Runs a function of 16-bit operands over both halves of a pair, or once. */
typedef uint16_t half_function(const struct form *f, enum type type, const uint64_t *x);

static bool each_half(const struct form *f, const uint64_t *in, uint64_t *out, half_function *function)
{
	enum type type = element(f->in[0]);

	out[0] = 0;
	for (int at = 0; at < (is_pair(f->in[0]) ? 32 : 16); at += 16) {
		uint64_t x[FORM_INS] = { 0 };

		for (uint32_t k = 0; k < f->ins; k++)
			x[k] = in[k] >> at & 0xffff;
		out[0] |= (uint64_t)function(f, type, x) << at;
	}
	return true;
}

/* -- arithmetic. tag: operation, ftz, sat, relu -- */

static uint16_t arithmetic(const struct form *f, enum type type, const uint64_t *in)
{
	double v[3] = { 0 }, exact;
	uint64_t d;

	for (uint32_t k = 0; k < f->ins; k++)
		v[k] = value_of(type, f->tag[1] ? flush(type, in[k]) : in[k]);
	switch (f->tag[0]) {
	case OP_ADD:
		exact = odd_sum(v[0], v[1]);
		break;
	case OP_SUB:
		exact = odd_sum(v[0], -v[1]);
		break;
	case OP_MUL:
		exact = v[0] * v[1];
		break;
	default:
		exact = odd_sum(v[0] * v[1], v[2]);
	}
	if (!exact && f->tag[4] == RM && f->tag[0] == OP_FMA && (signbit(v[0] * v[1]) || signbit(v[2])))
		exact = -0.0; /* IEEE 754, 6.3: a sum of 0, downwards */
	d = encode(type, exact, (enum rounding)f->tag[4]);
	if (f->tag[1]) /* by the exact value, as the hardware does (H200) */
		d = fabs(exact) < (type == F16 ? 0x1p-14 : 0x1p-126) ? d & sign_bit(type) : d;
	if (f->tag[2])
		d = saturate(type, d);
	return (uint16_t)(f->tag[3] ? relu(type, d) : d);
}

static bool ref_arithmetic(const struct form *f, const uint64_t *in, uint64_t *out)
{
	each_half(f, in, out, arithmetic);
	if (f->tag[2]) /* whether -0 saturates to +0 is not said: left open where the plain result is -0 */
		for (int at = 0; at < (is_pair(f->in[0]) ? 32 : 16); at += 16) {
			struct form plain = *f;
			uint64_t x[3];

			plain.tag[2] = 0;
			for (uint32_t k = 0; k < f->ins; k++)
				x[k] = in[k] >> at & 0xffff;
			if (arithmetic(&plain, element(f->in[0]), x) == 0x8000)
				return false;
		}
	return true;
}

static void needs(struct form *f, enum type type)
{
	if (element(type) == BF16) {
		f->target = "sm_90";
		f->version = 78;
	}
}

static struct form *add_arithmetic(
	const char *name, enum operation op, const char *rounding, int modifiers, enum type type)
{
	static const char *const texts[] = { "", ".sat", ".relu" };
	int ftz = modifiers & 1, last = modifiers >> 1;
	struct form *f =
		form_add(ref_arithmetic, OUT(type), op == OP_FMA ? IN(type, type, type) : IN(type, type),
			"%s%s%s%s.%s", name, rounding, ftz_name[ftz], texts[last], type_name(type));

	f->tag[0] = op;
	f->tag[1] = ftz;
	f->tag[2] = last == 1;
	f->tag[3] = last == 2;
	f->compare[0] = COMPARE_NAN;
	needs(f, type);
	if (last == 2)
		f->target = element(type) == BF16 ? "sm_90" : "sm_80";
	return f;
}

static void add_arithmetics(void)
{
	for (int t = 0; t < 4; t++) {
		bool is_brain = element(half_types[t]) == BF16;

		for (int m = 0; m < 4; m += 1 + is_brain * 3) {
			add_arithmetic("add", OP_ADD, "", m, half_types[t]);
			add_arithmetic("add", OP_ADD, ".rn", m, half_types[t]);
			add_arithmetic("sub", OP_SUB, "", m, half_types[t]);
			add_arithmetic("sub", OP_SUB, ".rn", m, half_types[t]);
			add_arithmetic("mul", OP_MUL, "", m, half_types[t]);
			add_arithmetic("mul", OP_MUL, ".rn", m, half_types[t]);
		}
		for (int m = 0; m < 6; m++)
			if (!is_brain || m == 0 || m == 4)
				add_arithmetic("fma", OP_FMA, ".rn", m, half_types[t]);
		for (int mode = RZ; is_brain && mode <= RP; mode++)
			for (int m = 0; m < 6; m += 4) {
				struct form *f =
					add_arithmetic("fma", OP_FMA, rounding_name[mode], m, half_types[t]);

				f->tag[4] = (uint32_t)mode;
				f->target = "sm_90";
			}
	}
}

/* -- sign and order. tag: what (round.h), or abs; ftz -- */

static uint16_t sign(const struct form *f, enum type type, const uint64_t *in)
{
	uint64_t x = f->tag[1] ? flush(type, in[0]) : in[0];

	return (uint16_t)(f->tag[0] ? x & 0x7fff : x ^ 0x8000);
}

static bool ref_sign(const struct form *f, const uint64_t *in, uint64_t *out)
{
	return each_half(f, in, out, sign);
}

static uint16_t order(const struct form *f, enum type type, const uint64_t *in)
{
	uint64_t a = f->tag[1] ? flush(type, in[0]) : in[0], b = f->tag[1] ? flush(type, in[1]) : in[1];

	return (uint16_t)min_max(type, a, b, (unsigned)f->tag[0]);
}

static bool ref_order(const struct form *f, const uint64_t *in, uint64_t *out)
{
	return each_half(f, in, out, order);
}

static void add_orders(enum type type)
{
	bool is_brain = element(type) == BF16;
	struct form *f;

	for (int ftz = 0; ftz < (is_brain ? 1 : 2); ftz++) {
		for (int what = 0; what < 2; what++) {
			f = form_add(ref_sign, OUT(type), IN(type), "%s%s.%s", what ? "abs" : "neg",
				ftz_name[ftz], type_name(type));
			f->tag[0] = what;
			f->tag[1] = ftz;
			f->compare[0] = COMPARE_NAN;
			needs(f, type);
		}
		for (unsigned what = 0; what < 8; what++) {
			f = form_add(ref_order, OUT(type), IN(type, type), "%s%s%s%s.%s",
				what & MINMAX_MAX ? "max" : "min", ftz_name[ftz],
				what & MINMAX_NAN ? ".NaN" : "", what & MINMAX_XORSIGN ? ".xorsign.abs" : "",
				type_name(type));
			f->tag[0] = what;
			f->tag[1] = ftz;
			f->compare[0] = COMPARE_NAN;
			f->target = is_brain ? "sm_90" : "sm_86";
		}
	}
}

/* -- comparison. tag: relation, ftz, combination -- */

enum { EQ, NE, LT, LE, GT, GE, EQU, NEU, LTU, LEU, GTU, GEU, NUM, NAN_, RELATIONS };
static const char *const relation_name[RELATIONS] = { "eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
	"leu", "gtu", "geu", "num", "nan" };

static bool relation(int which, double a, double b)
{
	bool unordered = isnan(a) || isnan(b);

	switch (which) {
	case NUM:
		return !unordered;
	case NAN_:
		return unordered;
	default:
		break;
	}
	if (unordered)
		return which >= EQU;
	switch (which % EQU) {
	case EQ:
		return a == b;
	case NE:
		return a != b;
	case LT:
		return a < b;
	case LE:
		return a <= b;
	case GT:
		return a > b;
	default:
		return a >= b;
	}
}

static bool holds(const struct form *f, const uint64_t *in, int at)
{
	enum type type = element(f->in[0]);
	uint64_t a = in[0] >> at & 0xffff, b = in[1] >> at & 0xffff;

	return relation((int)f->tag[0], value_of(type, f->tag[1] ? flush(type, a) : a),
		value_of(type, f->tag[1] ? flush(type, b) : b));
}

static bool combined(const struct form *f, bool p, uint64_t c)
{
	return f->tag[2] == 1 ? p && c : f->tag[2] == 2 ? p || c : f->tag[2] == 3 ? p != !!c : p;
}

/* Two predicates of a pair belong to its halves. */
static bool ref_setp(const struct form *f, const uint64_t *in, uint64_t *out)
{
	for (uint32_t k = 0; k < f->outs; k++)
		out[k] = combined(f, holds(f, in, 16 * (int)k), in[2]);
	return true;
}

/* One true value for each half; the destination may be a 16-bit or 32-bit integer too. */
static bool ref_set(const struct form *f, const uint64_t *in, uint64_t *out)
{
	enum type to = f->out[0];
	uint64_t one = element(to) == F16 ? 0x3c00 : element(to) == BF16 ? 0x3f80 : 0xffff;

	if (!is_pair(f->in[0])) {
		one = to == F16 || to == BF16 ? one : type_mask(to);
		out[0] = combined(f, holds(f, in, 0), in[2]) ? one : 0;
		return true;
	}
	out[0] = 0;
	for (int at = 0; at < 32; at += 16)
		out[0] |= combined(f, holds(f, in, at), in[2]) ? one << at : 0;
	return true;
}

static void add_comparisons(enum type type)
{
	static const char *const combination[] = { "", ".and", ".or", ".xor" };
	bool is_brain = element(type) == BF16, pair = is_pair(type);
	struct form *f;

	for (int which = 0; which < RELATIONS; which++)
		for (int ftz = 0; ftz < (is_brain ? 1 : 2); ftz++) {
			int with = which % 4;

			f = form_add(ref_setp, pair ? OUT(PRED, PRED) : OUT(PRED),
				with ? IN(type, type, PRED) : IN(type, type), "setp.%s%s%s.%s",
				relation_name[which], combination[with], ftz_name[ftz], type_name(type));
			f->tag[0] = which;
			f->tag[1] = ftz;
			f->tag[2] = with;
			needs(f, type);
			for (int to = 0; to < 2; to++) {
				enum type result = to ? type : pair ? U32 : which & 1 ? U16 : S32;

				f = form_add(ref_set, OUT(result),
					with ? IN(type, type, PRED) : IN(type, type), "set.%s%s%s.%s.%s",
					relation_name[which], combination[with], ftz_name[ftz],
					type_name(result), type_name(type));
				f->tag[0] = which;
				f->tag[1] = ftz;
				f->tag[2] = with;
				needs(f, type);
			}
		}
}

/* -- approximations of one half. tag: function -- */

enum { EX2, TANH };

static double true_value(int function, double x)
{
	return function == EX2 ? exp2(x) : tanh(x);
}

static bool ref_approximation(const struct form *f, const uint64_t *in, uint64_t *out)
{
	double x = value_of(f->in[0], in[0]), y;

	if (f->tag[0] == EX2 && f->in[0] == BF16)
		x = value_of(BF16, flush(BF16, in[0]));
	y = true_value((int)f->tag[0], x);
	out[0] = bits_of_f64(y);
	return !(f->in[0] == BF16 && f->tag[0] == EX2 && fabs(y) < 0x1.01p-126); /* .ftz: near the smallest
										    normal number */
}

/* A pair gives in each half what the scalar instruction gives. */
static void add_approximation(
	const char *name, int function, enum type type, enum compare compare, double bound)
{
	bool is_brain = type == BF16;
	const char *ftz = function == EX2 && is_brain ? ".ftz" : "";
	struct form *f = form_add(
		ref_approximation, OUT(type), IN(type), "%s.approx%s.%s", name, ftz, type_name(type));

	f->tag[0] = function;
	f->compare[0] = compare;
	f->bound[0] = bound;
	f->samples = 70000;
	f->target = is_brain ? "sm_90" : "sm_75";
	f->version = is_brain ? 78 : 70;
}

static bool ref_pair_agrees(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = 1;
	return true;
}

static void add_approximation_pair(const char *name, enum type type, const char *ftz)
{
	const char *scalar = type == F16X2 ? "f16" : "bf16";
	struct form *f =
		form_add(ref_pair_agrees, OUT(PRED), IN(type), "%s.approx%s.%s", name, ftz, type_name(type));

	form_body(f,
		"{ .reg .b16 %%lo, %%hi; .reg .b32 %%both, %%each;\n"
		"%s.approx%s.%s %%both, %%a;\n"
		"mov.b32 {%%lo, %%hi}, %%a;\n%s.approx%s.%s %%lo, %%lo;\n%s.approx%s.%s %%hi, %%hi;\n"
		"mov.b32 %%each, {%%lo, %%hi};\nsetp.eq.b32 %%r, %%each, %%both; }",
		name, ftz, type_name(type), name, ftz, scalar, name, ftz, scalar);
	f->target = type == F16X2 ? "sm_75" : "sm_90";
	f->version = type == F16X2 ? 70 : 78;
}

void half_forms(void)
{
	add_arithmetics();
	for (int t = 0; t < 4; t++) {
		add_orders(half_types[t]);
		add_comparisons(half_types[t]);
	}
	/* ex2: 2^-9.9 relative for f16, 2^-7 for bf16; tanh: absolute 2^-10.987, 2^-8 */
	add_approximation("ex2", EX2, F16, COMPARE_REL, 0x1p-9 * 0.5358867312681466);
	add_approximation("ex2", EX2, BF16, COMPARE_REL, 0x1p-7);
	add_approximation("tanh", TANH, F16, COMPARE_ABS, 0x1p-10 * 0.5045267629);
	add_approximation("tanh", TANH, BF16, COMPARE_ABS, 0x1p-8);
	add_approximation_pair("ex2", F16X2, "");
	add_approximation_pair("tanh", F16X2, "");
	add_approximation_pair("ex2", BF16X2, ".ftz");
	add_approximation_pair("tanh", BF16X2, "");
}
