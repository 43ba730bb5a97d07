/* core/exec/arithmetic/exec_logic.c -- logic, shifts, bit fields, byte permutation. */
#include "core/exec/lanes.h"

#define LOGIC(op, expression) \
	EXEC2(op##_B16, U16, U16, expression) \
	EXEC2(op##_B32, U32, U32, expression) \
	EXEC2(op##_B64, U64, U64, expression)

LOGIC(AND, a &b)
LOGIC(OR, a | b)
LOGIC(XOR, a ^ b)
EXEC1(NOT_B16, U16, U16, ~a)
EXEC1(NOT_B32, U32, U32, ~a)
EXEC1(NOT_B64, U64, U64, ~a)
EXEC1(CNOT_B16, U16, U16, a == 0)
EXEC1(CNOT_B32, U32, U32, a == 0)
EXEC1(CNOT_B64, U64, U64, a == 0)

EXEC(AND_PRED)
{
	put_predicate(x, u->dst[0], predicate(x, u->src[0]) & predicate(x, u->src[1]), active);
}

EXEC(OR_PRED)
{
	put_predicate(x, u->dst[0], predicate(x, u->src[0]) | predicate(x, u->src[1]), active);
}

EXEC(XOR_PRED)
{
	put_predicate(x, u->dst[0], predicate(x, u->src[0]) ^ predicate(x, u->src[1]), active);
}

/* Shift counts are full 32-bit values: from the width on nothing but zeros, or signs, is left. */
EXEC2_MIXED(SHL_B16, U16, U16, U32, b < 16 ? (uint32_t)a << (b & 15) : 0)
EXEC2_MIXED(SHL_B32, U32, U32, U32, b < 32 ? a << (b & 31) : 0)
EXEC2_MIXED(SHL_B64, U64, U64, U32, b < 64 ? a << (b & 63) : 0)
EXEC2_MIXED(SHR_U16, U16, U16, U32, b < 16 ? a >> (b & 15) : 0)
EXEC2_MIXED(SHR_U32, U32, U32, U32, b < 32 ? a >> (b & 31) : 0)
EXEC2_MIXED(SHR_U64, U64, U64, U32, b < 64 ? a >> (b & 63) : 0)
EXEC2_MIXED(SHR_S16, S16, S16, U32, a >> (b < 15 ? b : 15))
EXEC2_MIXED(SHR_S32, S32, S32, U32, a >> (b < 31 ? b : 31))
EXEC2_MIXED(SHR_S64, S64, S64, U32, a >> (b < 63 ? b : 63))

/* Funnel shifts of {b, a}; MOD_HI: the count is clamped to 32, else taken modulo 32. */
static inline uint32_t shift_count(uint32_t c, bool clamp)
{
	return clamp ? (c < 32 ? c : 32) : c & 31;
}

EXEC(SHF_L_B32)
{
	bool clamp = u->mods & MOD_HI;
	SOURCE(a, U32, 0);
	SOURCE(b, U32, 1);
	SOURCE(c, U32, 2);

	COMPUTE(true, U32, OPERAND(a, U32); OPERAND(b, U32);
		OPERAND(c, U32), (uint32_t)(((uint64_t)b << 32 | a) << shift_count(c, clamp) >> 32))
}

EXEC(SHF_R_B32)
{
	bool clamp = u->mods & MOD_HI;
	SOURCE(a, U32, 0);
	SOURCE(b, U32, 1);
	SOURCE(c, U32, 2);

	COMPUTE(true, U32, OPERAND(a, U32); OPERAND(b, U32);
		OPERAND(c, U32), (uint32_t)(((uint64_t)b << 32 | a) >> shift_count(c, clamp)))
}

static inline uint32_t reverse32(uint32_t v)
{
	v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
	v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
	v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
	return __builtin_bswap32(v);
}

static inline uint32_t popcount32(uint32_t v)
{
	v -= v >> 1 & 0x55555555;
	v = (v & 0x33333333) + (v >> 2 & 0x33333333);
	return ((v + (v >> 4)) & 0x0f0f0f0f) * 0x01010101u >> 24;
}

static inline uint32_t clz64(uint64_t v)
{
	return v ? (uint32_t)__builtin_clzll(v) : 64;
}

static inline uint32_t clz32(uint32_t v)
{
	return v ? (uint32_t)__builtin_clz(v) : 32;
}

EXEC1(POPC_B32, U32, U32, popcount32(a))
EXEC1(POPC_B64, U32, U64, popcount32((uint32_t)a) + popcount32((uint32_t)(a >> 32)))
EXEC1(CLZ_B32, U32, U32, clz32(a))
EXEC1(CLZ_B64, U32, U64, clz64(a))
EXEC1(BREV_B32, U32, U32, reverse32(a))
EXEC1(BREV_B64, U64, U64, (uint64_t)reverse32((uint32_t)a) << 32 | reverse32((uint32_t)(a >> 32)))

/* The highest 1 of an unsigned value, the highest bit unlike the sign of a signed one; MOD_HI: counted from
 * the top. All ones if there is none. zeros: in front of that bit, `width` if there is none. */
static inline uint32_t bfind(uint32_t zeros, uint32_t width, bool from_top)
{
	return zeros == width ? UINT32_MAX : from_top ? zeros : width - 1 - zeros;
}

#define BFIND(id, T, zeros, width) \
	EXEC(id) \
	{ \
		bool from_top = u->mods & MOD_HI; \
		SOURCE(a, T, 0); \
		COMPUTE(IS_ROW(T), U32, OPERAND(a, T), bfind(zeros, width, from_top)) \
	}

BFIND(BFIND_U32, U32, clz32(a), 32)
BFIND(BFIND_S32, S32, clz32((uint32_t)(a ^ a >> 31)), 32)
BFIND(BFIND_U64, U64, clz64(a), 64)
BFIND(BFIND_S64, S64, clz64((uint64_t)(a ^ a >> 63)), 64)

/* Bit fields: what lies past the most significant bit reads as fill. Of 32 bits, position and length count
 * modulo 256; of 64 bits, for which there is no instruction, the compiler's code takes them whole (measured
 * on an H200). */
static inline uint32_t field_number(uint32_t value, uint32_t width)
{
	return width == 32 ? value & 255 : value < 255 ? value : 255;
}

static inline uint64_t field_mask(uint32_t length)
{
	return length < 64 ? (UINT64_C(1) << length) - 1 : UINT64_MAX;
}

static inline uint64_t extract(uint64_t a, uint32_t position, uint32_t length, uint32_t width, bool is_signed)
{
	uint32_t last, sign;
	uint64_t field;

	position = field_number(position, width), length = field_number(length, width);
	if (!length)
		return 0;
	last = position + length - 1 < width - 1 ? position + length - 1 : width - 1;
	sign = is_signed ? a >> last & 1 : 0;
	field = position < width ? a >> position : 0;
	if (position >= width)
		return sign ? UINT64_MAX : 0;
	length = last - position + 1;
	return (field & field_mask(length)) | (sign ? ~field_mask(length) : 0);
}

static inline uint64_t insert_bits(uint64_t a, uint64_t b, uint32_t position, uint32_t length, uint32_t width)
{
	uint64_t mask;

	position = field_number(position, width), length = field_number(length, width);
	if (position >= width)
		return b;
	mask = field_mask(length) << position;
	return (b & ~mask) | (a << position & mask);
}

EXEC3(BFE_U32, U32, U32, (uint32_t)extract(a, b, c, 32, false))
EXEC3(BFE_S32, U32, U32, (uint32_t)extract(a, b, c, 32, true))
EXEC3_MIXED(BFE_U64, U64, U64, U32, U32, extract(a, b, c, 64, false))
EXEC3_MIXED(BFE_S64, U64, U64, U32, U32, extract(a, b, c, 64, true))
EXEC4_MIXED(BFI_B32, U32, U32, U32, U32, U32, (uint32_t)insert_bits(a, b, c, e, 32))
EXEC4_MIXED(BFI_B64, U64, U64, U64, U32, U32, insert_bits(a, b, c, e, 64))

/* prmt: bytes of {b, a} numbered 0 to 7, a low. */
static inline uint32_t permute(uint64_t bytes, uint32_t selector)
{
	uint32_t result = 0;

	for (unsigned n = 0; n < 4; n++) {
		uint32_t nibble = selector >> 4 * n & 15, byte = (uint32_t)(bytes >> 8 * (nibble & 7)) & 255;

		result |= (nibble & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * n;
	}
	return result;
}

EXEC3(PRMT_B32, U32, U32, permute((uint64_t)b << 32 | a, c))

EXEC(PRMT_MODE_B32)
{
	/* the default-mode selector that each mode stands for, by c & 3 */
	static const uint16_t selectors[6][4] = {
		{ 0x3210, 0x4321, 0x5432, 0x6543 }, /* f4e */
		{ 0x5670, 0x6701, 0x7012, 0x0123 }, /* b4e */
		{ 0x0000, 0x1111, 0x2222, 0x3333 }, /* rc8 */
		{ 0x3210, 0x3211, 0x3222, 0x3333 }, /* ecl */
		{ 0x0000, 0x1110, 0x2210, 0x3210 }, /* ecr */
		{ 0x1010, 0x3232, 0x1010, 0x3232 }, /* rc16 */
	};
	const uint16_t *mode = selectors[u->imm];
	SOURCE(a, U32, 0);
	SOURCE(b, U32, 1);
	SOURCE(c, U32, 2);

	bug_if(u->imm < 0 || u->imm > 5, "prmt mode %d", (int)u->imm);
	COMPUTE(true, U32, OPERAND(a, U32); OPERAND(b, U32);
		OPERAND(c, U32), permute((uint64_t)b << 32 | a, mode[c & 3]))
}

EXEC(LOP3_B32)
{
	uint32_t term[8];
	SOURCE(a, U32, 0);
	SOURCE(b, U32, 1);
	SOURCE(c, U32, 2);

	for (unsigned n = 0; n < 8; n++)
		term[n] = u->imm >> n & 1 ? UINT32_MAX : 0;
#define TERM(n, p, q, r) (term[n] & (p) & (q) & (r))
	COMPUTE(true, U32, OPERAND(a, U32); OPERAND(b, U32); OPERAND(c, U32),
		TERM(0, ~a, ~b, ~c) | TERM(1, ~a, ~b, c) | TERM(2, ~a, b, ~c) | TERM(3, ~a, b, c) |
			TERM(4, a, ~b, ~c) | TERM(5, a, ~b, c) | TERM(6, a, b, ~c) | TERM(7, a, b, c))
#undef TERM
}
