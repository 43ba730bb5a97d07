/* tests/ptx/conformance/arithmetic/convert.c -- conversions from and to floating point: every pair, rounding,
 * .ftz, .sat, .relu; packed results; tf32, fp8. */
#include "round.h"
#include <math.h>

static const char *const ftz_name[] = { "", ".ftz" }, *const sat_name[] = { "", ".sat" };
static const char *const integral_name[] = { ".rni", ".rzi", ".rmi", ".rpi" };

static const enum type integers[] = { U8, S8, U16, S16, U32, S32, U64, S64 };
enum { INTEGERS = 8, FIRST_SHORT = 2 }; /* bf16 does not go to or from 8 bits */

/* A double may not hold a 64-bit integer: rounded to odd, which one more rounding to fewer digits cannot
 * notice. */
static double odd_double(__int128 number)
{
	double d = (double)number;
	__int128 back = (__int128)d;

	if (back == number || (bits_of_f64(d) & 1))
		return d;
	return nextafter(d, back < number ? INFINITY : -INFINITY);
}

/* -- integer to float. tag: rounding -- */

static uint64_t round_integer(enum type to, __int128 number, enum rounding mode)
{
	unsigned __int128 magnitude = (unsigned __int128)(number < 0 ? -number : number);
	int shift = 0;
	__int128 kept;
	unsigned __int128 rest, half;
	bool up;

	if (to != F64)
		return encode(to, odd_double(number), mode);
	while (magnitude >> shift >> 53)
		shift++;
	kept = (__int128)(magnitude >> shift);
	rest = magnitude - ((unsigned __int128)kept << shift);
	half = shift ? (unsigned __int128)1 << (shift - 1) : 0;
	up = mode == RN      ? shift && (rest > half || (rest == half && (kept & 1)))
		: mode == RZ ? false
			     : rest && (mode == RM) == (number < 0);
	kept += up;
	return bits_of_f64(ldexp(number < 0 ? -(double)kept : (double)kept, shift));
}

static bool ref_from_integer(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = round_integer(f->out[0], number_of(f->in[0], in[0]), (enum rounding)f->tag[0]);
	if (f->tag[1])
		out[0] = saturate(f->out[0], out[0]);
	return true;
}

static void add_from_integers(void)
{
	static const enum type to[] = { F16, F32, F64, BF16 };

	for (int t = 0; t < 4; t++)
		for (int i = to[t] == BF16 ? FIRST_SHORT : 0; i < INTEGERS; i++)
			for (int r = 0; r < ROUNDINGS; r++) {
				struct form *f;

				f = form_add(ref_from_integer, OUT(to[t]), IN(integers[i]), "cvt%s.%s.%s",
					rounding_name[r], type_name(to[t]), type_name(integers[i]));
				f->tag[0] = r;
				if (to[t] == BF16) {
					f->target = "sm_90";
					f->version = 78;
				}
			}
}

/* -- float to integer. tag: rounding, ftz -- */

static bool ref_to_integer(const struct form *f, const uint64_t *in, uint64_t *out)
{
	enum type from = f->in[0], to = f->out[0];
	double value = value_of(from, f->tag[1] ? flush(from, in[0]) : in[0]), whole;
	unsigned bits = type_bits(to);
	double high = ldexp(1, (int)bits - type_is_signed(to)), low = type_is_signed(to) ? -high : 0;

	if (isnan(value)) {
		out[0] = from != F64 && bits < 64 ? 0 : UINT64_C(1) << (bits - 1);
		return bits >= 32; /* narrow results of an f64 NaN: not said plainly */
	}
	whole = f->tag[0] == RN   ? nearbyint(value)
		: f->tag[0] == RZ ? trunc(value)
		: f->tag[0] == RM ? floor(value)
				  : ceil(value);
	if (whole >= high)
		out[0] = type_is_signed(to) ? type_mask(to) >> 1 : type_mask(to);
	else if (whole < low)
		out[0] = type_is_signed(to) ? UINT64_C(1) << (bits - 1) : 0;
	else
		out[0] = (whole < 0 ? (uint64_t)(int64_t)whole : (uint64_t)whole) & type_mask(to);
	if (bits == 8 && type_is_signed(to)) /* extended into its 16-bit register */
		out[0] = (uint64_t)sign_extend(out[0], 8) & 0xffff;
	return true;
}

static void add_to_integers(void)
{
	static const enum type from[] = { F16, F32, F64, BF16 };

	for (int t = 0; t < 4; t++)
		for (int i = from[t] == BF16 ? FIRST_SHORT : 0; i < INTEGERS; i++)
			for (int r = 0; r < ROUNDINGS; r++)
				for (int ftz = 0; ftz < (from[t] == F32 ? 2 : 1); ftz++) {
					struct form *f = form_add(ref_to_integer, OUT(integers[i]),
						IN(from[t]), "cvt%s%s.%s.%s", integral_name[r], ftz_name[ftz],
						type_name(integers[i]), type_name(from[t]));

					f->tag[0] = r;
					f->tag[1] = ftz;
					if (from[t] == BF16) {
						f->target = "sm_90";
						f->version = 78;
					}
				}
}

/* -- float to float. tag: rounding (-1: none), integral, ftz, sat, relu -- */

static bool ref_to_float(const struct form *f, const uint64_t *in, uint64_t *out)
{
	enum type from = f->in[0], to = f->out[0];
	bool flushes = f->tag[2];
	/* the hardware does not flush what becomes an f16, and flushes by the exact value (H200) */
	double value = value_of(from, flushes && from == F32 && to != F16 ? flush(from, in[0]) : in[0]);
	int mode = f->tag[0] < 0 ? RN : (int)f->tag[0];

	if (f->tag[1])
		value = mode == RN   ? nearbyint(value)
			: mode == RZ ? trunc(value)
			: mode == RM ? floor(value)
				     : ceil(value);
	out[0] = encode(to, value, (enum rounding)mode);
	if (flushes && to == F32) /* only f32 values are flushed */
		out[0] = fabs(value) < 0x1p-126 ? out[0] & sign_bit(to) : out[0];
	if (f->tag[3]) {
		if (out[0] == sign_bit(to))
			return false;
		out[0] = saturate(to, out[0]);
	}
	if (f->tag[4])
		out[0] = relu(to, out[0]);
	return true;
}

static struct form *add_to_float(
	enum type to, enum type from, int rounding, bool integral, bool ftz, bool sat, bool relu_)
{
	const char *text = rounding < 0 ? ""
		: rounding == RNA       ? ".rna"
		: integral              ? integral_name[rounding]
					: rounding_name[rounding];
	struct form *f = form_add(ref_to_float, OUT(to), IN(from), "cvt%s%s%s%s.%s.%s", text,
		relu_ ? ".relu" : "", ftz_name[ftz], sat_name[sat], type_name(to), type_name(from));

	f->tag[0] = rounding;
	f->tag[1] = integral;
	f->tag[2] = ftz;
	f->tag[3] = sat;
	f->tag[4] = relu_;
	f->compare[0] = COMPARE_NAN;
	f->samples = 2000;
	if (to == BF16 || from == BF16) {
		f->target = relu_ || (to == BF16 && from == F32) ? "sm_80" : "sm_90";
		f->version = 78;
	}
	if (to == F16 && relu_)
		f->target = "sm_80";
	return f;
}

static void add_floats(void)
{
	for (int r = 0; r < ROUNDINGS; r++) {
		for (int m = 0; m < 4; m++)
			add_to_float(F32, F64, r, false, m & 1, m & 2, false);
		add_to_float(F16, F32, r, false, false, false, false);
		add_to_float(F16, F32, r, false, true, false, false);
		add_to_float(F16, F32, r, false, false, true, false);
		add_to_float(F16, F64, r, false, false, false, false);
		for (int m = 0; m < 4; m++)
			add_to_float(F32, F32, r, true, m & 1, m & 2, false);
		add_to_float(F64, F64, r, true, false, false, false);
		add_to_float(F64, F64, r, true, false, true, false);
		add_to_float(F16, F16, r, true, false, false, false);
	}
	for (int m = 0; m < 4; m++) {
		add_to_float(F32, F32, -1, false, m & 1, m & 2, false);
		add_to_float(F64, F32, -1, false, m & 1, m & 2, false);
		add_to_float(F32, F16, -1, false, m & 1, m & 2, false);
	}
	add_to_float(F64, F64, -1, false, false, true, false);
	add_to_float(F64, F16, -1, false, false, false, false);
	for (int r = RN; r <= RZ; r++)
		for (int relu_ = 0; relu_ < 2; relu_++) {
			add_to_float(BF16, F32, r, false, false, false, relu_);
			if (relu_)
				add_to_float(F16, F32, r, false, false, false, relu_);
		}
	add_to_float(F32, BF16, -1, false, false, false, false);
	add_to_float(F64, BF16, -1, false, false, false, false);
	for (int r = 0; r < ROUNDINGS; r++) {
		add_to_float(BF16, F64, r, false, false, false, false);
		add_to_float(BF16, F16, r, false, false, false, false);
		add_to_float(BF16, BF16, r, true, false, false, false);
	}
	add_to_float(F16, BF16, RN, false, false, false, false);
}

/* -- tf32: the low 13 bits are zero -- */

static bool ref_tf32(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = encode(TF32, f32_of(in[0]), (enum rounding)f->tag[0]);
	if (f->tag[1])
		out[0] = relu(TF32, out[0]);
	return true;
}

static void add_tf32(void)
{
	static const struct {
		const char *text;
		int mode, relu;
		const char *target;
		unsigned version;
	} list[] = { { ".rna", RNA, 0, "sm_80", 70 }, { ".rn", RN, 0, "sm_90", 78 },
		{ ".rz", RZ, 0, "sm_90", 78 }, { ".rn.relu", RN, 1, "sm_90", 78 },
		{ ".rz.relu", RZ, 1, "sm_90", 78 } };

	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		struct form *f = form_add(ref_tf32, OUT(TF32), IN(F32), "cvt%s.tf32.f32", list[i].text);

		f->tag[0] = list[i].mode;
		f->tag[1] = list[i].relu;
		f->compare[0] = COMPARE_NAN;
		f->samples = 2000;
		f->target = list[i].target;
		f->version = list[i].version;
	}
}

/* -- two f32 to a pair: the first operand goes to the high half. tag: rounding, relu -- */

static bool ref_pair(const struct form *f, const uint64_t *in, uint64_t *out)
{
	enum type half = f->out[0] == F16X2 ? F16 : BF16;
	uint64_t high = encode(half, f32_of(in[0]), (enum rounding)f->tag[0]),
		 low = encode(half, f32_of(in[1]), (enum rounding)f->tag[0]);

	if (f->tag[1]) {
		high = relu(half, high);
		low = relu(half, low);
	}
	out[0] = high << 16 | low;
	return true;
}

static void add_pairs(void)
{
	for (int brain = 0; brain < 2; brain++)
		for (int r = RN; r <= RZ; r++)
			for (int relu_ = 0; relu_ < 2; relu_++) {
				struct form *f = form_add(ref_pair, OUT(brain ? BF16X2 : F16X2), IN(F32, F32),
					"cvt%s%s.%s.f32", rounding_name[r], relu_ ? ".relu" : "",
					brain ? "bf16x2" : "f16x2");

				f->tag[0] = r;
				f->tag[1] = relu_;
				f->compare[0] = COMPARE_NAN;
				f->target = "sm_80";
			}
}

/* -- fp8: e4m3 (no infinity, largest 448, one NaN 0x7f) and e5m2; always .satfinite. tag: e5m2, relu -- */

/* The value of an fp8 number; NaN if it is one. */
static double fp8_value(bool e5m2, uint64_t bits)
{
	int digits = e5m2 ? 2 : 3, bias = e5m2 ? 15 : 7, exponent = (int)(bits & 0x7f) >> digits;
	double fraction = (double)(bits & ((1u << digits) - 1)), value;

	if (e5m2 ? exponent == 31 && fraction != 0 : (bits & 0x7f) == 0x7f)
		return NAN;
	if (e5m2 && exponent == 31)
		value = INFINITY;
	else if (exponent)
		value = ldexp(1 + ldexp(fraction, -digits), exponent - bias);
	else
		value = ldexp(fraction, 1 - bias - digits);
	return bits & 0x80 ? -value : value;
}

/* By search: the nearest of the finite numbers, ties to the even one. */
static uint64_t fp8_encode(bool e5m2, double value)
{
	uint64_t best = 0, largest = e5m2 ? 0x7b : 0x7e;

	if (isnan(value))
		return 0x7f;
	for (uint64_t bits = 0; bits <= largest; bits++) {
		double off = fabs(fp8_value(e5m2, bits) - fabs(value)),
		       before = fabs(fp8_value(e5m2, best) - fabs(value));

		if (off < before || (off == before && !(bits & 1)))
			best = bits;
	}
	if (fabs(value) > fp8_value(e5m2, largest)) /* beyond what distances in double tell apart, too */
		best = largest;
	return best | (signbit(value) ? 0x80 : 0);
}

static uint64_t fp8_relu(uint64_t bits, bool nan)
{
	return nan ? 0x7f : bits & 0x80 ? 0 : bits;
}

static uint64_t to_fp8(const struct form *f, double high, double low)
{
	uint64_t h = fp8_encode(f->tag[0], high), l = fp8_encode(f->tag[0], low);

	if (f->tag[1]) {
		h = fp8_relu(h, isnan(high));
		l = fp8_relu(l, isnan(low));
	}
	return h << 8 | l;
}

static bool ref_fp8_from_f32(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = to_fp8(f, f32_of(in[0]), f32_of(in[1]));
	return true;
}

static bool ref_fp8_from_pair(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = to_fp8(f, value_of(F16, in[0] >> 16), value_of(F16, in[0] & 0xffff));
	return true;
}

static bool ref_pair_from_fp8(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t high = encode(F16, fp8_value(f->tag[0], in[0] >> 8 & 0xff), RN),
		 low = encode(F16, fp8_value(f->tag[0], in[0] & 0xff), RN);

	if (f->tag[1]) {
		high = relu(F16, high);
		low = relu(F16, low);
	}
	out[0] = high << 16 | low;
	return true;
}

static void add_fp8(void)
{
	for (int what = 0; what < 4; what++) {
		const char *name = what & 1 ? "e5m2x2" : "e4m3x2", *text = what & 2 ? ".relu" : "";
		struct form *list[3] = {
			form_add(ref_fp8_from_f32, OUT(B16), IN(F32, F32), "cvt.rn.satfinite%s.%s.f32", text,
				name),
			form_add(ref_fp8_from_pair, OUT(B16), IN(F16X2), "cvt.rn.satfinite%s.%s.f16x2", text,
				name),
			form_add(ref_pair_from_fp8, OUT(F16X2), IN(B16), "cvt.rn%s.f16x2.%s", text, name),
		};

		for (int i = 0; i < 3; i++) {
			list[i]->tag[0] = what & 1;
			list[i]->tag[1] = what & 2;
			list[i]->target = "sm_89";
			list[i]->version = 81;
			list[i]->samples = 2000;
		}
		list[2]->compare[0] = COMPARE_NAN;
	}
}

void convert_forms(void)
{
	add_from_integers();
	add_to_integers();
	add_floats();
	add_tf32();
	add_pairs();
	add_fp8();
}
