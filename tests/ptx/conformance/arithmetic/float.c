/* tests/ptx/conformance/arithmetic/float.c -- f32 and f64: arithmetic in all roundings, min max abs neg
 * copysign testp, and the approximations with their bounds. */
#include "round.h"
#include <math.h>
#include <stdlib.h>

static const char *const ftz_name[] = { "", ".ftz" }, *const sat_name[] = { "", ".sat" };

/* Flushed if the exact result is subnormal, also if the rounded one is not any more, as the hardware does
 * (H200). */
static uint64_t flush_exact(enum type type, uint64_t rounded, enum operation op, const uint64_t *x)
{
	uint64_t below = rounded;

	if (type == F32)
		below = bits_of_f32(compute_f32(op, RZ, f32_of(x[0]), f32_of(x[1]), f32_of(x[2])));
	return flush(type, below) != below ? rounded & sign_bit(type) : flush(type, rounded);
}

/* -- arithmetic. tag: operation, rounding, ftz, sat -- */

static bool ref_arithmetic(const struct form *f, const uint64_t *in, uint64_t *out)
{
	enum type type = f->out[0];
	uint64_t x[3] = { 0 }, d;

	for (uint32_t k = 0; k < f->ins; k++)
		x[k] = f->tag[2] ? flush(type, in[k]) : in[k];
	if (type == F32)
		d = bits_of_f32(compute_f32((enum operation)f->tag[0], (enum rounding)f->tag[1], f32_of(x[0]),
			f32_of(x[1]), f32_of(x[2])));
	else
		d = bits_of_f64(compute_f64((enum operation)f->tag[0], (enum rounding)f->tag[1], f64_of(x[0]),
			f64_of(x[1]), f64_of(x[2])));
	if (f->tag[2])
		d = flush_exact(type, d, (enum operation)f->tag[0], x);
	out[0] = f->tag[3] ? saturate(type, d) : d;
	return !f->tag[3] || d != sign_bit(type); /* whether -0 saturates to +0 or stays is not said */
}

static struct form *add_arithmetic(enum operation op, int rounding, bool ftz, bool sat, enum type type,
	uint32_t ins, const char *name, const char *rounding_text)
{
	const enum type in[4] = { type, ins > 1 ? type : NONE, ins > 2 ? type : NONE, NONE };
	struct form *f = form_add(ref_arithmetic, OUT(type), in, "%s%s%s%s.%s", name, rounding_text,
		ftz_name[ftz], sat_name[sat], type_name(type));

	f->tag[0] = op;
	f->tag[1] = rounding;
	f->tag[2] = ftz;
	f->tag[3] = sat;
	f->compare[0] = COMPARE_NAN;
	return f;
}

/* One operation in all roundings, with and without .ftz and .sat (f32). */
static void add_operation(const char *name, enum operation op, uint32_t ins, bool has_sat, bool has_default)
{
	for (int r = has_default ? -1 : 0; r < ROUNDINGS; r++) {
		const char *text = r < 0 ? "" : rounding_name[r];

		for (int what = 0; what < (has_sat ? 4 : 2); what++)
			add_arithmetic(op, r < 0 ? RN : r, what & 1, what & 2, F32, ins, name, text);
		add_arithmetic(op, r < 0 ? RN : r, false, false, F64, ins, name, text);
	}
}

static void add_arithmetics(void)
{
	add_operation("add", OP_ADD, 2, true, true);
	add_operation("sub", OP_SUB, 2, true, true);
	add_operation("mul", OP_MUL, 2, true, true);
	add_operation("fma", OP_FMA, 3, true, false);
	add_operation("mad", OP_FMA, 3, true, false);
	add_operation("div", OP_DIV, 2, false, false);
	add_operation("rcp", OP_RCP, 1, false, false);
	add_operation("sqrt", OP_SQRT, 1, false, false);
}

/* -- two f32 in a 64-bit register. tag: operation, rounding, ftz -- */

static bool ref_packed(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = 0;
	for (int at = 0; at < 64; at += 32) {
		uint64_t x[3] = { 0 }, d;

		for (uint32_t k = 0; k < f->ins; k++) {
			x[k] = in[k] >> at & UINT32_MAX;
			x[k] = f->tag[2] ? flush(F32, x[k]) : x[k];
		}
		d = bits_of_f32(compute_f32((enum operation)f->tag[0], (enum rounding)f->tag[1], f32_of(x[0]),
			f32_of(x[1]), f32_of(x[2])));
		out[0] |= (f->tag[2] ? flush_exact(F32, d, (enum operation)f->tag[0], x) : d) << at;
	}
	return true;
}

static void add_packed(void)
{
	static const struct {
		const char *name;
		enum operation op;
		uint32_t ins;
	} list[] = { { "add", OP_ADD, 2 }, { "sub", OP_SUB, 2 }, { "mul", OP_MUL, 2 }, { "fma", OP_FMA, 3 } };

	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		for (int r = 0; r < ROUNDINGS; r++)
			for (int ftz = 0; ftz < 2; ftz++) {
				struct form *f = form_add(ref_packed, OUT(F32X2),
					list[i].ins == 3 ? IN(F32X2, F32X2, F32X2) : IN(F32X2, F32X2),
					"%s%s%s.f32x2", list[i].name, rounding_name[r], ftz_name[ftz]);

				f->tag[0] = list[i].op;
				f->tag[1] = r;
				f->tag[2] = ftz;
				f->compare[0] = COMPARE_NAN;
				f->version = 86;
				f->target = "sm_100";
			}
}

/* -- sign and order. tag: what, ftz -- */

static bool ref_min_max(const struct form *f, const uint64_t *in, uint64_t *out)
{
	enum type type = f->out[0];
	uint64_t x[3];

	for (uint32_t k = 0; k < f->ins; k++)
		x[k] = f->tag[1] ? flush(type, in[k]) : in[k];
	out[0] = min_max(type, x[0], x[1], (unsigned)f->tag[0]);
	if (f->ins == 3)
		out[0] = min_max(type, out[0], x[2], (unsigned)f->tag[0]);
	return true;
}

static struct form *add_min_max(unsigned what, bool ftz, enum type type, uint32_t ins)
{
	struct form *f = form_add(ref_min_max, OUT(type), ins == 3 ? IN(type, type, type) : IN(type, type),
		"%s%s%s%s.%s%s", what & MINMAX_MAX ? "max" : "min", ftz_name[ftz],
		what & MINMAX_NAN ? ".NaN" : "",
		what & MINMAX_XORSIGN       ? ".xorsign.abs"
			: what & MINMAX_ABS ? ".abs"
					    : "",
		type_name(type), ins == 3 ? " of three" : "");

	f->tag[0] = what;
	f->tag[1] = ftz;
	f->compare[0] = COMPARE_NAN;
	if (what & (MINMAX_NAN | MINMAX_XORSIGN))
		f->target = "sm_86";
	if (ins == 3) {
		f->version = 88;
		f->target = "sm_100";
	}
	return f;
}

static void add_min_maxes(void)
{
	for (unsigned what = 0; what < 8; what++)
		for (int ftz = 0; ftz < 2; ftz++)
			add_min_max(what, ftz, F32, 2);
	add_min_max(0, false, F64, 2);
	add_min_max(MINMAX_MAX, false, F64, 2);
	for (unsigned what = 0; what < 4; what++)
		for (int ftz = 0; ftz < 2; ftz++) {
			add_min_max(what, ftz, F32, 3);
			add_min_max(what | MINMAX_ABS, ftz, F32, 3);
		}
}

/* tag: abs (else neg), ftz. */
static bool ref_sign(const struct form *f, const uint64_t *in, uint64_t *out)
{
	enum type type = f->out[0];
	uint64_t x = f->tag[1] ? flush(type, in[0]) : in[0];

	out[0] = f->tag[0] ? x & ~sign_bit(type) : x ^ sign_bit(type);
	return true;
}

static bool ref_copysign(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t sign = sign_bit(f->out[0]);

	out[0] = (in[0] & sign) | (in[1] & ~sign);
	return true;
}

enum { FINITE, INFINITE, NUMBER, NOTANUMBER, NORMAL, SUBNORMAL, PROPERTIES };

static bool ref_testp(const struct form *f, const uint64_t *in, uint64_t *out)
{
	double value = value_of(f->in[0], in[0]);
	bool is_subnormal = value != 0 && flush(f->in[0], in[0]) != in[0];
	const bool answers[PROPERTIES] = { [FINITE] = isfinite(value),
		[INFINITE] = isinf(value),
		[NUMBER] = !isnan(value),
		[NOTANUMBER] = isnan(value),
		[NORMAL] = isfinite(value) && !is_subnormal,
		[SUBNORMAL] = is_subnormal };

	out[0] = answers[f->tag[0]];
	return true;
}

static void add_signs(void)
{
	static const char *const properties[PROPERTIES] = { "finite", "infinite", "number", "notanumber",
		"normal", "subnormal" };

	for (int i = 0; i < 6; i++) {
		enum type type = i < 4 ? F32 : F64;
		struct form *f = form_add(ref_sign, OUT(type), IN(type), "%s%s.%s", i & 1 ? "abs" : "neg",
			ftz_name[i / 2 & 1 & (i < 4)], type_name(type));

		f->tag[0] = i & 1;
		f->tag[1] = i / 2 & 1 & (i < 4);
		f->compare[0] = COMPARE_NAN;
	}
	form_add(ref_copysign, OUT(F32), IN(F32, F32), "copysign.f32")->compare[0] = COMPARE_NAN;
	form_add(ref_copysign, OUT(F64), IN(F64, F64), "copysign.f64")->compare[0] = COMPARE_NAN;
	for (int i = 0; i < PROPERTIES; i++)
		for (int wide = 0; wide < 2; wide++) {
			enum type type = wide ? F64 : F32;

			form_add(
				ref_testp, OUT(PRED), IN(type), "testp.%s.%s", properties[i], type_name(type))
				->tag[0] = i;
		}
}

/* -- approximations: the true value goes to the comparison. tag: function, ftz, direction of monotony -- */

enum { RCP, SQRT, RSQRT, SIN, COS, LG2, EX2, TANH };

static double true_value(int function, double x)
{
	switch (function) {
	case RCP:
		return 1 / x;
	case SQRT:
		return sqrt(x);
	case RSQRT:
		return x == 0 ? copysign(INFINITY, x) : (double)(1 / sqrtl(x));
	case SIN:
		return sin(x);
	case COS:
		return cos(x);
	case LG2:
		return x == 0 ? -INFINITY : log2(x);
	case EX2:
		return exp2(x);
	default:
		return tanh(x);
	}
}

static bool ref_approximation(const struct form *f, const uint64_t *in, uint64_t *out)
{
	double x = f32_of(f->tag[1] ? flush(F32, in[0]) : in[0]), y = true_value((int)f->tag[0], x);

	if (f->tag[1] && fabs(y) < 0x1p-126)
		y = copysign(0, y);
	out[0] = bits_of_f64(y);
	if (f->tag[0] == SIN || f->tag[0] == COS) /* no bound is promised beyond 100 pi */
		return !(fabs(x) > 314.15) || isinf(x);
	return true;
}

struct point {
	double x, y;
};

static int by_x(const void *a, const void *b)
{
	double x = ((const struct point *)a)->x, y = ((const struct point *)b)->x;

	return x < y ? -1 : x > y;
}

/* Over positive arguments, and over negative ones, the results never turn round. */
static const char *is_monotone(const struct form *f, const struct tuples *t)
{
	struct point *points = malloc(t->count * sizeof *points);
	const char *wrong = NULL;
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		struct point p = { f32_of(t->in[0][i]), f32_of(t->got[0][i]) };

		if (!isnan(p.x) && !isnan(p.y) && p.x != 0)
			points[n++] = p;
	}
	qsort(points, n, sizeof *points, by_x);
	for (uint32_t i = 1; i < n && !wrong; i++)
		if ((points[i].x < 0) == (points[i - 1].x < 0) &&
			(points[i].y - points[i - 1].y) * (double)f->tag[2] < 0)
			wrong = "not monotone";
	free(points);
	return wrong;
}

static void add_approximation(
	const char *name, int function, enum compare compare, double bound, int direction)
{
	for (int ftz = 0; ftz < 2; ftz++) {
		struct form *f = form_add(
			ref_approximation, OUT(F32), IN(F32), "%s.approx%s.f32", name, ftz_name[ftz]);

		f->tag[0] = function;
		f->tag[1] = ftz;
		f->tag[2] = direction;
		f->compare[0] = compare;
		f->bound[0] = bound;
		f->samples = 20000;
		if (direction)
			f->property = is_monotone;
	}
}

/* Within two pi the bound is tighter than further out: own values for that form. */
static uint64_t angles[4096];
static const struct values near_angles = { angles, 4096, true };

static void add_angles(void)
{
	static const char *const names[] = { "sin", "cos" };
	uint64_t state = 7;

	for (uint32_t i = 0; i < 4096; i++)
		angles[i] = bits_of_f32((float)(sign_extend(random_word(&state), 32) * (6.2831 / 0x1p31)));
	for (int i = 0; i < 2; i++) {
		struct form *f = form_add(
			ref_approximation, OUT(F32), IN(F32), "%s.approx.f32 within two pi", names[i]);

		f->tag[0] = i ? COS : SIN;
		f->values[0] = &near_angles;
		f->compare[0] = COMPARE_ABS;
		f->bound[0] = 0x1p-20 * 0.70710678; /* 2^-20.5 */
		f->samples = 20000;
	}
}

/* lg2: relative 2^-22 outside (0.5, 2), absolute 2^-22 inside. */
static bool ref_lg2(const struct form *f, const uint64_t *in, uint64_t *out)
{
	double x = f32_of(in[0]);

	ref_approximation(f, in, out);
	return f->tag[3] ? x > 0.5 && x < 2 : !(x > 0.5 && x < 2);
}

static void add_logarithms(void)
{
	for (int what = 0; what < 4; what++) {
		struct form *f = form_add(ref_lg2, OUT(F32), IN(F32), "lg2.approx%s.f32%s",
			ftz_name[what & 1], what & 2 ? " near one" : "");

		f->tag[0] = LG2;
		f->tag[1] = what & 1;
		f->tag[2] = 1;
		f->tag[3] = what & 2;
		f->compare[0] = what & 2 ? COMPARE_ABS : COMPARE_REL;
		f->bound[0] = 0x1p-22;
		f->samples = 20000;
		f->property = is_monotone;
	}
}

/* tag: full, ftz. */
static bool ref_div(const struct form *f, const uint64_t *in, uint64_t *out)
{
	double a = f32_of(f->tag[1] ? flush(F32, in[0]) : in[0]),
	       b = f32_of(f->tag[1] ? flush(F32, in[1]) : in[1]), d = a / b;

	if (!f->tag[0] && fabs(b) > 0x1p126 && fabs(b) < INFINITY)
		d = isinf(a) ? NAN : isnan(a) ? NAN : copysign(0, d);
	if (f->tag[1] && fabs(d) < 0x1p-126)
		d = copysign(0, d);
	out[0] = bits_of_f64(d);
	/* subnormal divisors of .approx are outside its bound; what is nearly normal may round to it */
	return (f->tag[0] || !(fabs(b) < 0x1p-126 && b != 0)) &&
		!(fabs(a / b) < 0x1p-126 && fabs(a / b) > 0x1.fffffp-127);
}

static void add_divisions(void)
{
	for (int what = 0; what < 4; what++) {
		struct form *f = form_add(ref_div, OUT(F32), IN(F32, F32), "div.%s%s.f32",
			what & 2 ? "full" : "approx", ftz_name[what & 1]);

		f->tag[0] = what & 2;
		f->tag[1] = what & 1;
		f->compare[0] = COMPARE_ULP;
		f->bound[0] = 2;
	}
}

/* f64: subnormals count as zeros; the low word of the result is zero; 20 bits of fraction are left. */
static bool ref_coarse(const struct form *f, const uint64_t *in, uint64_t *out)
{
	double y = true_value((int)f->tag[0], f64_of(flush(F64, in[0] & ~UINT64_C(0xffffffff))));

	if (fabs(y) < 0x1p-1022)
		y = copysign(0, y);
	out[0] = bits_of_f64(y);
	return !is_nan(F64, in[0]);
}

static const char *low_word_is_zero(const struct form *f, const struct tuples *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (!is_nan(F64, t->got[0][i]) && (t->got[0][i] & UINT32_MAX))
			return "the low word is not zero";
	return NULL;
}

static void add_coarse(const char *name, int function)
{
	struct form *f = form_add(ref_coarse, OUT(F64), IN(F64), "%s.approx.ftz.f64", name);

	f->tag[0] = function;
	f->compare[0] = COMPARE_REL;
	f->bound[0] = 0x1p-19;
	f->property = low_word_is_zero;
}

static void add_approximations(void)
{
	add_approximation("rcp", RCP, COMPARE_ULP, 1, -1);
	add_approximation("sqrt", SQRT, COMPARE_REL, 0x1p-23, 1);
	add_approximation("rsqrt", RSQRT, COMPARE_REL, 0x1p-23 * 1.0717734625, -1); /* 2^-22.9 */
	add_approximation("sin", SIN, COMPARE_ABS, 0x1p-15 * 1.2311444133, 0);      /* 2^-14.7 */
	add_approximation("cos", COS, COMPARE_ABS, 0x1p-15 * 1.2311444133, 0);
	add_approximation("ex2", EX2, COMPARE_ULP, 2, 1);
	add_logarithms();
	add_angles();
	add_divisions();
	add_coarse("rcp", RCP);
	add_coarse("rsqrt", RSQRT);
	struct form *f = form_add(ref_approximation, OUT(F32), IN(F32), "tanh.approx.f32");

	f->tag[0] = TANH;
	f->tag[2] = 1;
	f->compare[0] = COMPARE_REL;
	f->bound[0] = 0x1p-11;
	f->samples = 20000;
	f->property = is_monotone;
}

void float_forms(void)
{
	add_arithmetics();
	add_packed();
	add_min_maxes();
	add_signs();
	add_approximations();
}
