/* tests/ptx/conformance/arithmetic/convert_int.c -- conversions from integer to integer: cvt of all pairs of
 * types, with .sat where it is legal, from and to registers wider than the type; cvt.pack. */
#include "../suite/conform.h"

static const enum type integers[] = { U8, S8, U16, S16, U32, S32, U64, S64 };
enum { INTEGERS = 8 };

static __int128 least(enum type type)
{
	return type_is_signed(type) ? -((__int128)1 << (type_bits(type) - 1)) : 0;
}

static __int128 largest(enum type type)
{
	return ((__int128)1 << (type_bits(type) - type_is_signed(type))) - 1;
}

static __int128 clamp(__int128 value, enum type type)
{
	return value < least(type) ? least(type) : value > largest(type) ? largest(type) : value;
}

/* tag: source type, destination type, saturate, width of the destination register. The source is cut to its
 * type; the result fills a wider register by its sign. */
static bool ref_cvt(const struct form *f, const uint64_t *in, uint64_t *out)
{
	enum type to = (enum type)f->tag[1];
	__int128 value = number_of((enum type)f->tag[0], in[0]);

	if (f->tag[2])
		value = clamp(value, to);
	out[0] = zero_extend((uint64_t)number_of(to, (uint64_t)value), (unsigned)f->tag[3]);
	return true;
}

/* .sat is illegal where every source value fits. */
static bool can_saturate(enum type from, enum type to)
{
	return least(from) < least(to) || largest(from) > largest(to);
}

static struct form *cvt_form(
	enum type from, enum type to, bool is_saturated, enum type source, enum type destination)
{
	const char *sat = is_saturated ? ".sat" : "", *n = type_name(to), *m = type_name(from);
	unsigned bits = type_bits(destination);
	struct form *f;

	if (source == from && destination == to)
		f = form_add(ref_cvt, OUT(to), IN(from), "cvt%s.%s.%s", sat, n, m);
	else
		f = form_add(ref_cvt, OUT(destination), IN(source), "cvt%s.%s.%s from .b%u to .b%u", sat, n,
			m, type_bits(source), bits);
	f->tag[0] = from;
	f->tag[1] = to;
	f->tag[2] = is_saturated;
	f->tag[3] = bits == 8 ? 16 : bits;
	return f;
}

static bool ref_pack(const struct form *f, const uint64_t *in, uint64_t *out)
{
	unsigned bits = (unsigned)f->tag[0];
	bool is_signed = f->tag[1];
	__int128 low = is_signed ? -((__int128)1 << (bits - 1)) : 0,
		 high = ((__int128)1 << (bits - is_signed)) - 1;

	out[0] = bits == 16 ? 0 : in[2] << 2 * bits;
	for (int k = 0; k < 2; k++) {
		__int128 value = number_of(S32, in[k]);

		value = value < low ? low : value > high ? high : value;
		out[0] |= zero_extend((uint64_t)value, bits) << (k == 0 ? bits : 0);
	}
	out[0] &= 0xffffffff;
	return true;
}

static void pack_forms(void)
{
	for (unsigned bits = 2; bits <= 16; bits *= 2)
		for (int is_signed = 0; is_signed < 2; is_signed++) {
			struct form *f = bits == 16
				? form_add(ref_pack, OUT(B32), IN(S32, S32), "cvt.pack.sat.%s.s32",
					  is_signed ? "s16" : "u16")
				: form_add(ref_pack, OUT(B32), IN(S32, S32, B32), "cvt.pack.sat.%c%u.s32.b32",
					  is_signed ? 's' : 'u', bits);

			f->tag[0] = bits;
			f->tag[1] = is_signed;
		}
}

void convert_int_forms(void)
{
	for (int i = 0; i < INTEGERS; i++)
		for (int j = 0; j < INTEGERS; j++) {
			enum type from = integers[i], to = integers[j];

			cvt_form(from, to, false, from, to);
			if (can_saturate(from, to))
				cvt_form(from, to, true, from, to);
			if (type_bits(from) < 64)
				cvt_form(from, to, false, type_bits(from) < 32 ? B32 : B64, to);
			if (type_bits(to) < 64)
				cvt_form(from, to, can_saturate(from, to), from,
					type_bits(to) < 32 ? B32 : B64);
		}
	pack_forms();
}
