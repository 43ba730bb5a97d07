/* tests/ptx/conformance/arithmetic/move.c -- mov: scalars, packing and unpacking, sinks, immediates, and
 * integer constants. */
#include "../suite/conform.h"

static bool ref_copy(const struct form *f, const uint64_t *in, uint64_t *out)
{
	for (uint32_t k = 0; k < f->outs; k++)
		out[k] = in[k];
	return true;
}

/* The first element is the low one. */
static bool ref_pack(const struct form *f, const uint64_t *in, uint64_t *out)
{
	unsigned bits = type_bits(f->in[0]);

	for (uint32_t k = 0; k < f->ins; k++)
		out[0] |= zero_extend(in[k], bits) << k * bits;
	return true;
}

static bool ref_unpack(const struct form *f, const uint64_t *in, uint64_t *out)
{
	unsigned bits = type_bits(f->out[0]);

	for (uint32_t k = 0; k < f->outs; k++)
		out[k] = zero_extend(in[0] >> k * bits, bits);
	return true;
}

static bool ref_unpack_high(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = zero_extend(in[0] >> (type_bits(f->in[0]) - type_bits(f->out[0])), type_bits(f->out[0]));
	return true;
}

static bool ref_constant(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = (uint64_t)f->tag[0] & type_mask(f->out[0]);
	return true;
}

static void pack_forms(void)
{
	form_body(
		form_add(ref_pack, OUT(B32), IN(B16, B16), "mov.b32 {2 x b16}"), "mov.b32 %%r, {%%a, %%b}; ");
	form_body(
		form_add(ref_pack, OUT(B64), IN(B32, B32), "mov.b64 {2 x b32}"), "mov.b64 %%r, {%%a, %%b}; ");
	form_body(form_add(ref_pack, OUT(B64), IN(B16, B16, B16, B16), "mov.b64 {4 x b16}"),
		"mov.b64 %%r, {%%a, %%b, %%c, %%d}; ");
	form_body(form_add(ref_unpack, OUT(B16, B16), IN(B32), "mov.b32 to {2 x b16}"),
		"mov.b32 {%%r, %%s}, %%a; ");
	form_body(form_add(ref_unpack, OUT(B32, B32), IN(B64), "mov.b64 to {2 x b32}"),
		"mov.b64 {%%r, %%s}, %%a; ");
	form_body(form_add(ref_unpack, OUT(B16, B16, B16, B16), IN(B64), "mov.b64 to {4 x b16}"),
		"mov.b64 {%%r, %%s, %%t, %%u}, %%a; ");
	form_body(form_add(ref_unpack_high, OUT(B32), IN(B64), "mov.b64 to {_, b32}"),
		"mov.b64 {_, %%r}, %%a; ");
	form_body(form_add(ref_unpack_high, OUT(B16), IN(B64), "mov.b64 to {_, _, _, b16}"),
		"mov.b64 {_, _, _, %%r}, %%a; ");
	/* bytes: 8-bit registers are read and written by cvt, and by mov of four */
	form_body(form_add(ref_copy, OUT(B32), IN(B32), "mov.b32 through {4 x b8}"),
		"{ .reg .b8 %%b0, %%b1, %%b2, %%b3; mov.b32 {%%b0, %%b1, %%b2, %%b3}, %%a; "
		"mov.b32 %%r, {%%b0, %%b1, %%b2, %%b3}; } ");
	form_body(form_add(ref_copy, OUT(B64, B64), IN(B64, B64), "mov.b128 through {2 x b64}"),
		"{ .reg .b128 %%q, %%p; mov.b128 %%q, {%%a, %%b}; mov.b128 %%p, %%q; "
		"mov.b128 {%%r, %%s}, %%p; } ")
		->version = 83;
	form_body(form_add(ref_copy, OUT(B32, B32), IN(B32, B32), "mov.b64 in place"),
		"{ .reg .b64 %%q; mov.b64 %%q, {%%b, %%a}; mov.b64 {%%s, %%r}, %%q; } ");
}

static void constant(enum type t, const char *spelling, int64_t value)
{
	struct form *f = form_add(ref_constant, OUT(t), NO_INPUT, "mov.%s %s", type_name(t), spelling);

	f->tag[0] = value;
	form_body(f, "mov.%s %%r, %s; ", type_name(t), spelling);
}

/* Literals and constant expressions, with the precedence and signs of C over 64 bits. */
static void constant_forms(void)
{
	constant(B32, "017", 15);
	constant(B32, "0b1011", 11);
	constant(B32, "0xffffffff", -1);
	constant(S32, "-2147483648", -2147483647 - 1);
	constant(U32, "4294967295U", -1);
	constant(B64, "0xffffffffffffffff", -1);
	constant(S64, "-1", -1);
	constant(B64, "-1", -1);
	constant(U16, "65535", -1);
	constant(S16, "-32768", -32768);
	constant(S32, "2+3*4", 14);
	constant(S32, "(2+3)*4", 20);
	constant(S32, "7-2-1", 4);
	constant(S32, "-7/2", -3);
	constant(S32, "-7 % 3", -1);
	constant(S32, "1<<4|1", 17);
	constant(S32, "6&3^1", 3);
	constant(S32, "~5", -6);
	constant(S32, "!5", 0);
	constant(S32, "1?2:3", 2);
	constant(S32, "3>2", 1);
	constant(S32, "-1<0", 1);
	constant(S32, "1==2||3!=4&&5", 1);
	constant(S64, "-8>>1", -4);
	constant(U64, "0xfffffffffffffff8>>1", 0x7ffffffffffffffc);
	constant(U64, "(.u64)-8>>1", 0x7ffffffffffffffc);
	constant(S64, "(.s64)0xfffffffffffffff8>>1", -4);
	constant(S32, "WARP_SZ", 32);
	constant(B32, "WARP_SZ*2-1", 63);
	constant(F32, "0f3F800000", 0x3f800000);
	constant(F32, "0fC2280000", 0xc2280000);
	constant(F32, "1.5", 0x3fc00000);
	constant(F32, "-1.5e2", 0xc3160000);
	constant(F64, "0d3FF8000000000000", 0x3ff8000000000000);
	constant(F64, "0.1", 0x3fb999999999999a);
}

void move_forms(void)
{
	static const enum type types[] = { PRED, B16, U16, S16, B32, U32, S32, F32, B64, U64, S64, F64 };

	for (int i = 0; i < 12; i++)
		form_add(ref_copy, OUT(types[i]), IN(types[i]), "mov.%s", type_name(types[i]));
	pack_forms();
	constant_forms();
}
