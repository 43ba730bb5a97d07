/* tests/ptx/conformance/arithmetic/bits.c -- bits and bytes: logic, shifts, shf, popc clz bfind brev bfe bfi
 * fns bmsk szext, prmt, lop3. */
#include "../suite/conform.h"

static unsigned bits_of(const struct form *f)
{
	return type_bits(f->in[0]);
}

static bool bit(uint64_t word, unsigned position)
{
	return word >> position & 1;
}

/* -- logic; predicates count as one bit -- */

static bool ref_and(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = in[0] & in[1];
	return true;
}

static bool ref_or(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = in[0] | in[1];
	return true;
}

static bool ref_xor(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = in[0] ^ in[1];
	return true;
}

static bool ref_not(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = ~in[0] & type_mask(f->in[0]);
	return true;
}

static bool ref_cnot(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = in[0] == 0;
	return true;
}

/* Bit i of the table is the result for operand bits a b c with i = a b c in binary. */
static uint64_t lop3(unsigned table, const uint64_t *in)
{
	uint64_t d = 0;

	for (unsigned i = 0; i < 32; i++)
		d |= (uint64_t)bit(table, bit(in[0], i) << 2 | bit(in[1], i) << 1 | bit(in[2], i)) << i;
	return d;
}

static bool ref_lop3(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = lop3((unsigned)f->tag[0], in);
	return true;
}

/* The predicate is (d != 0) or/and q. */
static bool ref_lop3_predicate(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = lop3((unsigned)f->tag[0], in);
	out[1] = f->tag[1] ? out[0] != 0 && in[3] : out[0] != 0 || in[3];
	return true;
}

/* -- shifts: the count is a 32-bit unsigned number, whatever the type -- */

static bool ref_shl(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = in[1] >= bits_of(f) ? 0 : in[0] << in[1] & type_mask(f->in[0]);
	return true;
}

static bool ref_shr(const struct form *f, const uint64_t *in, uint64_t *out)
{
	unsigned count = in[1] >= bits_of(f) ? bits_of(f) : (unsigned)in[1];

	out[0] = (uint64_t)(number_of(f->in[0], in[0]) >> count) & type_mask(f->in[0]);
	return true;
}

/* A funnel over {b, a}. tag: right, wrap. */
static bool ref_shf(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t both = in[1] << 32 | in[0];
	unsigned count = f->tag[1] ? in[2] & 31 : in[2] > 32 ? 32 : (unsigned)in[2];

	out[0] = (f->tag[0] ? both >> count : both << count >> 32) & 0xffffffff;
	return true;
}

/* -- counting and finding -- */

static bool ref_popc(const struct form *f, const uint64_t *in, uint64_t *out)
{
	for (unsigned i = 0; i < bits_of(f); i++)
		out[0] += bit(in[0], i);
	return true;
}

static bool ref_clz(const struct form *f, const uint64_t *in, uint64_t *out)
{
	while (out[0] < bits_of(f) && !bit(in[0], bits_of(f) - 1 - (unsigned)out[0]))
		out[0]++;
	return true;
}

/* The highest bit unlike the sign. tag: shiftamt. */
static bool ref_bfind(const struct form *f, const uint64_t *in, uint64_t *out)
{
	unsigned top = bits_of(f) - 1;
	bool sign = type_is_signed(f->in[0]) && bit(in[0], top);

	out[0] = 0xffffffff;
	for (unsigned i = 0; i <= top; i++)
		if (bit(in[0], i) != sign)
			out[0] = f->tag[0] ? top - i : i;
	return true;
}

static bool ref_brev(const struct form *f, const uint64_t *in, uint64_t *out)
{
	for (unsigned i = 0; i < bits_of(f); i++)
		out[0] |= (uint64_t)bit(in[0], i) << (bits_of(f) - 1 - i);
	return true;
}

/* The offset-th set bit, counted from base upward or downward, base included. */
static bool ref_fns(const struct form *f, const uint64_t *in, uint64_t *out)
{
	int64_t offset = sign_extend(in[2], 32), left = offset < 0 ? -offset : offset;
	int step = offset < 0 ? -1 : 1;

	if (in[1] > 31)
		return false;
	out[0] = offset == INT32_MIN ? 0 : 0xffffffff; /* the compiler's code negates it (H200) */
	if (offset == INT32_MIN)
		return true;
	if (offset == 0) {
		if (bit(in[0], (unsigned)in[1]))
			out[0] = in[1];
		return true;
	}
	for (int at = (int)in[1]; at >= 0 && at < 32; at += step)
		if (bit(in[0], (unsigned)at) && --left == 0) {
			out[0] = (uint64_t)at;
			break;
		}
	return true;
}

/* -- fields. The ISA counts position and length modulo 256; of 64 bits the compiler's code takes them whole
 * (H200) -- */

static unsigned field_number(const struct form *f, uint64_t value)
{
	return bits_of(f) == 64 ? (value < 255 ? (unsigned)value : 255) : value & 255;
}

static bool ref_bfe(const struct form *f, const uint64_t *in, uint64_t *out)
{
	unsigned top = bits_of(f) - 1, position = field_number(f, in[1]), length = field_number(f, in[2]);
	unsigned last = position + length - 1 > top ? top : position + length - 1;
	bool sign = type_is_signed(f->in[0]) && length != 0 && bit(in[0], last);

	for (unsigned i = 0; i <= top; i++)
		out[0] |= (uint64_t)(i < length && position + i <= top ? bit(in[0], position + i) : sign)
			<< i;
	return true;
}

static bool ref_bfi(const struct form *f, const uint64_t *in, uint64_t *out)
{
	unsigned top = bits_of(f) - 1, position = field_number(f, in[2]), length = field_number(f, in[3]);

	out[0] = in[1];
	for (unsigned i = 0; i < length && position + i <= top; i++) {
		out[0] &= ~(1ull << (position + i));
		out[0] |= (uint64_t)bit(in[0], i) << (position + i);
	}
	return true;
}

/* Ones at positions a to a + b - 1. tag: wrap. */
static bool ref_bmsk(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t from = f->tag[0] ? in[0] & 31 : in[0], width = f->tag[0] ? in[1] & 31 : in[1];

	for (uint64_t i = 0; i < 32; i++)
		if (i >= from && i < from + width)
			out[0] |= 1ull << i;
	return true;
}

/* The low b bits of a, extended by the type. tag: wrap. */
static bool ref_szext(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t width = f->tag[0] ? in[1] & 31 : in[1];

	if (width == 0)
		out[0] = 0;
	else if (width >= 32)
		out[0] = in[0];
	else if (type_is_signed(f->in[0]))
		out[0] = (uint64_t)sign_extend(in[0], (unsigned)width) & 0xffffffff;
	else
		out[0] = zero_extend(in[0], (unsigned)width);
	return true;
}

/* -- prmt: bytes 0 to 7 are those of {b, a} -- */

enum permute { INDEX, F4E, B4E, RC8, ECL, ECR, RC16 };

/* The source of destination byte i. */
static unsigned permuted(enum permute mode, unsigned c, unsigned i)
{
	switch (mode) {
	case F4E:
		return c + i;
	case B4E:
		return (c - i) & 7;
	case RC8:
		return c;
	case ECL:
		return i > c ? i : c;
	case ECR:
		return i < c ? i : c;
	default: /* RC16 */
		return (c & 1) * 2 + (i & 1);
	}
}

static bool ref_prmt(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t bytes = in[1] << 32 | in[0];

	for (unsigned i = 0; i < 4; i++) {
		unsigned selector = (unsigned)(in[2] >> 4 * i) & 15;
		unsigned source =
			f->tag[0] == INDEX ? selector & 7 : permuted((enum permute)f->tag[0], in[2] & 3, i);
		uint64_t byte = bytes >> 8 * source & 255;

		if (f->tag[0] == INDEX && selector & 8)
			byte = byte & 128 ? 255 : 0;
		out[0] |= byte << 8 * i;
	}
	return true;
}

/* -- the tables -- */

static void logic_forms(void)
{
	static const enum type types[] = { PRED, B16, B32, B64 };

	for (int i = 0; i < 4; i++) {
		enum type t = types[i];
		const char *n = type_name(t);

		form_add(ref_and, OUT(t), IN(t, t), "and.%s", n);
		form_add(ref_or, OUT(t), IN(t, t), "or.%s", n);
		form_add(ref_xor, OUT(t), IN(t, t), "xor.%s", n);
		form_add(ref_not, OUT(t), IN(t), "not.%s", n);
		if (t != PRED)
			form_add(ref_cnot, OUT(t), IN(t), "cnot.%s", n);
	}
	for (unsigned table = 0; table < 256; table += table < 0x80 ? 13 : 7) {
		struct form *f = form_add(ref_lop3, OUT(B32), IN(B32, B32, B32), "lop3.b32 0x%02x", table);

		form_body(f, "lop3.b32 %%r, %%a, %%b, %%c, 0x%02x; ", table)->tag[0] = table;
		f->samples = 256;
	}
	for (int is_and = 0; is_and < 2; is_and++) {
		struct form *f = form_add(ref_lop3_predicate, OUT(B32, PRED), IN(B32, B32, B32, PRED),
			"lop3.%s.b32", is_and ? "and" : "or");

		form_body(f, "lop3.%s.b32 %%r|%%s, %%a, %%b, %%c, 0x80, %%d; ", is_and ? "and" : "or");
		f->tag[0] = 0x80;
		f->tag[1] = is_and;
		f->version = 82;
	}
}

static void shift_forms(void)
{
	static const enum type types[] = { B16, U16, S16, B32, U32, S32, B64, U64, S64 };

	for (int i = 0; i < 9; i++) {
		enum type t = types[i];

		if (i % 3 == 0)
			form_add(ref_shl, OUT(t), IN(t, COUNT), "shl.%s", type_name(t));
		form_add(ref_shr, OUT(t), IN(t, COUNT), "shr.%s", type_name(t));
	}
	for (int i = 0; i < 4; i++) {
		struct form *f = form_add(ref_shf, OUT(B32), IN(B32, B32, COUNT), "shf.%s.%s.b32",
			i & 1 ? "r" : "l", i & 2 ? "wrap" : "clamp");

		f->tag[0] = i & 1;
		f->tag[1] = i & 2;
	}
}

static void count_forms(void)
{
	static const enum type types[] = { U32, S32, U64, S64 };

	for (int i = 0; i < 4; i++) {
		const char *n = type_name(types[i]);

		form_add(ref_bfind, OUT(U32), IN(types[i]), "bfind.%s", n);
		form_add(ref_bfind, OUT(U32), IN(types[i]), "bfind.shiftamt.%s", n)->tag[0] = 1;
		form_add(ref_bfe, OUT(types[i]), IN(types[i], COUNT, COUNT), "bfe.%s", n)->samples = 2048;
	}
	for (int i = 0; i < 2; i++) {
		enum type t = i ? B64 : B32;

		form_add(ref_popc, OUT(U32), IN(t), "popc.%s", type_name(t));
		form_add(ref_clz, OUT(U32), IN(t), "clz.%s", type_name(t));
		form_add(ref_brev, OUT(t), IN(t), "brev.%s", type_name(t));
		form_add(ref_bfi, OUT(t), IN(t, t, COUNT, COUNT), "bfi.%s", type_name(t))->samples = 2048;
	}
}

static void field_forms(void)
{
	static const uint64_t positions[] = { 0, 1, 2, 7, 15, 16, 30, 31 };
	static const uint64_t offsets[] = { 0, 1, 2, 3, 5, 16, 31, 32, 33, 0x7fffffff, 0x80000000, 0xffffffff,
		0xfffffffe, 0xfffffffd, 0xfffffff0, 0xffffffe0 };
	static const struct values position_list = { positions, 8, true },
				   offset_list = { offsets, 16, true };
	struct form *f = form_add(ref_fns, OUT(B32), IN(B32, B32, S32), "fns.b32");

	f->values[1] = &position_list;
	f->values[2] = &offset_list;
	f->samples = 2048;
	for (int wrap = 0; wrap < 2; wrap++) {
		const char *mode = wrap ? "wrap" : "clamp";

		f = form_add(ref_bmsk, OUT(B32), IN(COUNT, COUNT), "bmsk.%s.b32", mode);
		f->tag[0] = wrap;
		f->version = 76;
		for (int is_signed = 0; is_signed < 2; is_signed++) {
			enum type t = is_signed ? S32 : U32;

			f = form_add(ref_szext, OUT(t), IN(t, COUNT), "szext.%s.%s", mode, type_name(t));
			f->tag[0] = wrap;
			f->version = 76;
		}
	}
}

static void permute_forms(void)
{
	static const char *const modes[] = { "", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16" };

	for (int mode = INDEX; mode <= RC16; mode++) {
		enum type selector = mode == INDEX ? B32 : COUNT;
		struct form *f =
			form_add(ref_prmt, OUT(B32), IN(B32, B32, selector), "prmt.b32%s", modes[mode]);

		f->tag[0] = mode;
	}
}

void bits_forms(void)
{
	logic_forms();
	shift_forms();
	count_forms();
	field_forms();
	permute_forms();
}
