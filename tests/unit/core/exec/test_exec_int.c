/* Integer operations against scalar definitions written another way: in __int128, or bit by bit. */
#include "tests/unit/core/exec_rig.h"

typedef __int128 wide;
typedef unsigned __int128 uwide;
typedef uint64_t (*reference)(uint64_t a, uint64_t b, uint64_t c, uint64_t e);

static wide sx(uint64_t v, unsigned bits)
{
	wide value = v & (bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1);

	return value >> (bits - 1) & 1 ? value - ((wide)1 << bits) : value;
}

static wide clamp32(wide v)
{
	return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
}

/* Positions and lengths: of 32-bit fields modulo 256, of 64-bit ones whole, as measured on an H200. */
static unsigned number_of(unsigned value, unsigned width)
{
	return width == 32 ? value & 255 : value > 255 ? 255 : value;
}

static uint64_t bits_of(uint64_t a, unsigned width, unsigned pos, unsigned len, bool is_signed)
{
	uint64_t result = 0;
	unsigned msb = width - 1, last;
	bool fill;

	pos = number_of(pos, width), len = number_of(len, width);
	last = pos + len - 1 < msb ? pos + len - 1 : msb;
	fill = is_signed && len && (a >> last & 1);
	for (unsigned i = 0; i <= msb; i++)
		if (i < len && pos + i <= msb ? a >> (pos + i) & 1 : fill)
			result |= UINT64_C(1) << i;
	return result;
}

static uint64_t bits_into(uint64_t a, uint64_t b, unsigned width, unsigned pos, unsigned len)
{
	pos = number_of(pos, width), len = number_of(len, width);
	for (unsigned i = 0; i < len && pos + i < width; i++)
		b = (b & ~(UINT64_C(1) << (pos + i))) | (a >> i & 1) << (pos + i);
	return b;
}

static uint64_t top_bit(uint64_t a, unsigned width, bool is_signed, bool from_top)
{
	bool unlike = is_signed && (a >> (width - 1) & 1);

	for (int i = (int)width - 1; i >= 0; i--)
		if ((a >> i & 1) != unlike)
			return from_top ? width - 1 - (unsigned)i : (unsigned)i;
	return UINT32_MAX;
}

static uint64_t permute(uint64_t a, uint64_t b, uint64_t c)
{
	uint8_t bytes[8];
	uint64_t v = (b & UINT32_MAX) << 32 | (a & UINT32_MAX), result = 0;

	memcpy(bytes, &v, 8);
	for (int n = 3; n >= 0; n--) {
		unsigned s = c >> 4 * n & 15, byte = bytes[s & 7];

		result = result << 8 | (s & 8 ? (byte > 127 ? 255 : 0) : byte);
	}
	return result;
}

#define R(expression) \
	({ \
		uint64_t f(uint64_t a, uint64_t b, uint64_t c, uint64_t e) \
		{ \
			return (uint64_t)(expression); \
		} \
		f; \
	})
#define S16(v)                sx(v, 16)
#define S32(v)                sx(v, 32)
#define S64(v)                sx(v, 64)
#define DIFF(x, y)            ((x) > (y) ? (x) - (y) : (y) - (x))
#define TRUNCATED(x, y, none) ((y) == 0 ? (wide)(none) : (x) / (y))
#define REMAINDER(x, y)       ((y) == 0 ? (x) : (x) % (y))
#define SHR(x, n, w)          ((x) >> ((n) < (w) ? (n) : (w)-1))
#define M24U                  ((uwide)(a & 0xffffff) * (b & 0xffffff))
#define M24S                  (sx(a, 24) * sx(b, 24))

static void check(
	const char *name, struct uop u, unsigned d, unsigned wa, unsigned wb, unsigned wc, reference f)
{
	static struct rig r, before;
	uint64_t state = 3;
	unsigned widths[4] = { wa, wb, wc, 32 };
	uint64_t mask = d == 64 ? UINT64_MAX : (UINT64_C(1) << d) - 1;

	u.dst[0] = 16, u.dst[1] = UOP_NONE, u.src[0] = 0, u.src[1] = 2, u.src[2] = 4, u.src[3] = 6;
	for_each_level(table) for (unsigned round = 0; round < 200; round++)
	{
		lane_mask active = round % 2 ? (uint32_t)rig_random(&state) : UINT32_MAX;

		rig_init(&r);
		for (unsigned n = 0; n < 4; n++)
			for (unsigned l = 0; l < 32; l++) {
				uint64_t v = widths[n] == 64 ? rig_double(&state) : rig_word(&state);

				rig_set(&r, 2 * n, widths[n] / 8, l, widths[n] == 16 ? v & 0xffff : v);
			}
		before = r;
		rig_run(&r, table, &u, active);
		for (unsigned l = 0; l < 32; l++) {
			uint64_t a = rig_get(&before, 0, wa / 8, l), b = rig_get(&before, 2, wb / 8, l);
			uint64_t c = rig_get(&before, 4, wc / 8, l), e = rig_get(&before, 6, 4, l);
			uint64_t want = active >> l & 1 ? f(a, b, c, e) & mask : 0,
				 got = rig_get(&r, 16, d / 8, l);

			cr_assert_eq(got, want, "%s(%lx, %lx, %lx, %lx) = %lx, not %lx", name, a, b, c, e,
				got, want);
		}
	}
}

#define CHECK(id, d, wa, wb, wc, expression, ...) \
	check(#id, (struct uop){ .code = UOP_##id, __VA_ARGS__ }, d, wa, wb, wc, R(expression))

Test(exec_int, adds_multiplies_and_wraps)
{
	CHECK(ADD_B16, 16, 16, 16, 16, a + b);
	CHECK(ADD_B32, 32, 32, 32, 32, a + b);
	CHECK(ADD_B64, 64, 64, 64, 64, a + b);
	CHECK(SUB_B16, 16, 16, 16, 16, a - b);
	CHECK(SUB_B32, 32, 32, 32, 32, a - b);
	CHECK(SUB_B64, 64, 64, 64, 64, a - b);
	CHECK(ADD_SAT_S32, 32, 32, 32, 32, clamp32(S32(a) + S32(b)));
	CHECK(SUB_SAT_S32, 32, 32, 32, 32, clamp32(S32(a) - S32(b)));
	CHECK(MUL_LO_B16, 16, 16, 16, 16, a * b);
	CHECK(MUL_LO_B32, 32, 32, 32, 32, a * b);
	CHECK(MUL_LO_B64, 64, 64, 64, 64, a * b);
	CHECK(MUL_HI_U16, 16, 16, 16, 16, (a * b) >> 16);
	CHECK(MUL_HI_S16, 16, 16, 16, 16, (S16(a) * S16(b)) >> 16);
	CHECK(MUL_HI_U32, 32, 32, 32, 32, (a * b) >> 32);
	CHECK(MUL_HI_S32, 32, 32, 32, 32, (S32(a) * S32(b)) >> 32);
	CHECK(MUL_HI_U64, 64, 64, 64, 64, ((uwide)a * b) >> 64);
	CHECK(MUL_HI_S64, 64, 64, 64, 64, (S64(a) * S64(b)) >> 64);
	CHECK(MUL_WIDE_U16, 32, 16, 16, 16, a * b);
	CHECK(MUL_WIDE_S16, 32, 16, 16, 16, S16(a) * S16(b));
	CHECK(MUL_WIDE_U32, 64, 32, 32, 32, a * b);
	CHECK(MUL_WIDE_S32, 64, 32, 32, 32, S32(a) * S32(b));
	CHECK(MAD_LO_B16, 16, 16, 16, 16, a * b + c);
	CHECK(MAD_LO_B32, 32, 32, 32, 32, a * b + c);
	CHECK(MAD_LO_B64, 64, 64, 64, 64, a * b + c);
	CHECK(SHR_ADD_U32, 32, 32, 32, 32, ((uint32_t)a >> (b & 31)) + c);
	CHECK(SHR_ADD_S32, 32, 32, 32, 32, (S32(a) >> (b & 31)) + c);
	CHECK(MAD_HI_U16, 16, 16, 16, 16, ((a * b) >> 16) + c);
	CHECK(MAD_HI_S16, 16, 16, 16, 16, ((S16(a) * S16(b)) >> 16) + c);
	CHECK(MAD_HI_U32, 32, 32, 32, 32, ((a * b) >> 32) + c);
	CHECK(MAD_HI_S32, 32, 32, 32, 32, ((S32(a) * S32(b)) >> 32) + c);
	CHECK(MAD_HI_U64, 64, 64, 64, 64, (((uwide)a * b) >> 64) + c);
	CHECK(MAD_HI_S64, 64, 64, 64, 64, ((S64(a) * S64(b)) >> 64) + c);
	CHECK(MAD_HI_SAT_S32, 32, 32, 32, 32, clamp32(((S32(a) * S32(b)) >> 32) + S32(c)));
	CHECK(MAD_WIDE_U16, 32, 16, 16, 32, a * b + c);
	CHECK(MAD_WIDE_S16, 32, 16, 16, 32, S16(a) * S16(b) + c);
	CHECK(MAD_WIDE_U32, 64, 32, 32, 64, (uwide)a * b + c);
	CHECK(MAD_WIDE_S32, 64, 32, 32, 64, S32(a) * S32(b) + c);
	CHECK(MUL24_LO_U32, 32, 32, 32, 32, M24U);
	CHECK(MUL24_LO_S32, 32, 32, 32, 32, M24S);
	CHECK(MUL24_HI_U32, 32, 32, 32, 32, M24U >> 16);
	CHECK(MUL24_HI_S32, 32, 32, 32, 32, M24S >> 16);
	CHECK(MAD24_LO_U32, 32, 32, 32, 32, M24U + c);
	CHECK(MAD24_LO_S32, 32, 32, 32, 32, M24S + c);
	CHECK(MAD24_HI_U32, 32, 32, 32, 32, (M24U >> 16) + c);
	CHECK(MAD24_HI_S32, 32, 32, 32, 32, (M24S >> 16) + c);
	CHECK(MAD24_HI_S32, 32, 32, 32, 32, clamp32((M24S >> 16) + S32(c)), .mods = MOD_SAT);
}

Test(exec_int, divides_and_survives_zero)
{
	CHECK(DIV_U16, 16, 16, 16, 16, TRUNCATED((wide)a, (wide)b, -1));
	CHECK(DIV_S16, 16, 16, 16, 16, TRUNCATED(S16(a), S16(b), -1));
	CHECK(DIV_U32, 32, 32, 32, 32, TRUNCATED((wide)a, (wide)b, -1));
	CHECK(DIV_S32, 32, 32, 32, 32, TRUNCATED(S32(a), S32(b), -1));
	CHECK(DIV_U64, 64, 64, 64, 64, TRUNCATED((wide)a, (wide)b, -1));
	CHECK(DIV_S64, 64, 64, 64, 64, TRUNCATED(S64(a), S64(b), -1));
	CHECK(REM_U16, 16, 16, 16, 16, REMAINDER(a, b));
	CHECK(REM_S16, 16, 16, 16, 16, REMAINDER(S16(a), S16(b)));
	CHECK(REM_U32, 32, 32, 32, 32, REMAINDER(a, b));
	CHECK(REM_S32, 32, 32, 32, 32, REMAINDER(S32(a), S32(b)));
	CHECK(REM_U64, 64, 64, 64, 64, REMAINDER(a, b));
	CHECK(REM_S64, 64, 64, 64, 64, REMAINDER(S64(a), S64(b)));
}

#define CHECK_US(op, unsigned_expression, s16, s32, s64) \
	CHECK(op##_U16, 16, 16, 16, 16, unsigned_expression); \
	CHECK(op##_U32, 32, 32, 32, 32, unsigned_expression); \
	CHECK(op##_U64, 64, 64, 64, 64, unsigned_expression); \
	CHECK(op##_S16, 16, 16, 16, 16, s16); \
	CHECK(op##_S32, 32, 32, 32, 32, s32); \
	CHECK(op##_S64, 64, 64, 64, 64, s64)
#define LEAST(x, y)  ((x) < (y) ? (x) : (y))
#define MOST(x, y)   ((x) > (y) ? (x) : (y))
#define MAGNITUDE(x) ((x) < 0 ? -(x) : (x))

Test(exec_int, compares_and_takes_differences)
{
	CHECK_US(MIN, LEAST(a, b), LEAST(S16(a), S16(b)), LEAST(S32(a), S32(b)), LEAST(S64(a), S64(b)));
	CHECK_US(MAX, MOST(a, b), MOST(S16(a), S16(b)), MOST(S32(a), S32(b)), MOST(S64(a), S64(b)));
	CHECK_US(SAD, c + DIFF(a, b), c + DIFF(S16(a), S16(b)), c + DIFF(S32(a), S32(b)),
		c + DIFF(S64(a), S64(b)));
	CHECK(ABS_S16, 16, 16, 16, 16, MAGNITUDE(S16(a)));
	CHECK(ABS_S32, 32, 32, 32, 32, MAGNITUDE(S32(a)));
	CHECK(ABS_S64, 64, 64, 64, 64, MAGNITUDE(S64(a)));
	CHECK(NEG_S16, 16, 16, 16, 16, -a);
	CHECK(NEG_S32, 32, 32, 32, 32, -a);
	CHECK(NEG_S64, 64, 64, 64, 64, -a);
}

Test(exec_int, shifts_by_any_count)
{
	CHECK(SHL_B16, 16, 16, 32, 32, b < 16 ? a << b : 0);
	CHECK(SHL_B32, 32, 32, 32, 32, b < 32 ? a << b : 0);
	CHECK(SHL_B64, 64, 64, 32, 32, b < 64 ? a << b : 0);
	CHECK(SHR_U16, 16, 16, 32, 32, b < 16 ? a >> b : 0);
	CHECK(SHR_U32, 32, 32, 32, 32, b < 32 ? a >> b : 0);
	CHECK(SHR_U64, 64, 64, 32, 32, b < 64 ? a >> b : 0);
	CHECK(SHR_S16, 16, 16, 32, 32, SHR(S16(a), b, 16));
	CHECK(SHR_S32, 32, 32, 32, 32, SHR(S32(a), b, 32));
	CHECK(SHR_S64, 64, 64, 32, 32, SHR(S64(a), b, 64));
	CHECK(SHF_L_B32, 32, 32, 32, 32, ((b << 32 | a) << (c & 31)) >> 32);
	CHECK(SHF_R_B32, 32, 32, 32, 32, (b << 32 | a) >> (c & 31));
	CHECK(SHF_L_B32, 32, 32, 32, 32, c >= 32 ? a : ((b << 32 | a) << c) >> 32, .mods = MOD_HI);
	CHECK(SHF_R_B32, 32, 32, 32, 32, c >= 32 ? b : (b << 32 | a) >> c, .mods = MOD_HI);
}

Test(exec_int, counts_and_moves_bits)
{
	CHECK(POPC_B32, 32, 32, 32, 32, __builtin_popcountll(a));
	CHECK(POPC_B64, 32, 64, 32, 32, __builtin_popcountll(a));
	CHECK(CLZ_B32, 32, 32, 32, 32, 31 - (uint32_t)top_bit(a, 32, false, false));
	CHECK(CLZ_B64, 32, 64, 32, 32, a ? top_bit(a, 64, false, true) : 64);
	CHECK(BREV_B32, 32, 32, 32, 32, ({
		uint64_t v = 0;
		for (int i = 0; i < 32; i++)
			v |= (a >> i & 1) << (31 - i);
		v;
	}));
	CHECK(BREV_B64, 64, 64, 64, 64, ({
		uint64_t v = 0;
		for (int i = 0; i < 64; i++)
			v |= (a >> i & 1) << (63 - i);
		v;
	}));
	CHECK(BFIND_U32, 32, 32, 32, 32, top_bit(a, 32, false, false));
	CHECK(BFIND_S32, 32, 32, 32, 32, top_bit(a, 32, true, false));
	CHECK(BFIND_U64, 32, 64, 32, 32, top_bit(a, 64, false, false));
	CHECK(BFIND_S64, 32, 64, 32, 32, top_bit(a, 64, true, false));
	CHECK(BFIND_S32, 32, 32, 32, 32, top_bit(a, 32, true, true), .mods = MOD_HI);
	CHECK(BFIND_U64, 32, 64, 32, 32, top_bit(a, 64, false, true), .mods = MOD_HI);
	CHECK(BFE_U32, 32, 32, 32, 32, bits_of(a, 32, (unsigned)b, (unsigned)c, false));
	CHECK(BFE_S32, 32, 32, 32, 32, bits_of(a, 32, (unsigned)b, (unsigned)c, true));
	CHECK(BFE_U64, 64, 64, 32, 32, bits_of(a, 64, (unsigned)b, (unsigned)c, false));
	CHECK(BFE_S64, 64, 64, 32, 32, bits_of(a, 64, (unsigned)b, (unsigned)c, true));
	CHECK(BFI_B32, 32, 32, 32, 32, bits_into(a, b, 32, (unsigned)c, (unsigned)e));
	CHECK(BFI_B64, 64, 64, 64, 32, bits_into(a, b, 64, (unsigned)c, (unsigned)e));
	CHECK(CNOT_B16, 16, 16, 16, 16, !a);
	CHECK(CNOT_B64, 64, 64, 64, 64, !a);
	CHECK(NOT_B16, 16, 16, 16, 16, ~a);
	CHECK(LOP3_B32, 32, 32, 32, 32, (a & b) ^ c, .imm = (0xf0 & 0xcc) ^ 0xaa);
	CHECK(LOP3_B32, 32, 32, 32, 32, (a | ~b) & ~c, .imm = (0xf0 | (0xff & ~0xcc)) & (0xff & ~0xaa));
}

Test(exec_int, permutes_bytes)
{
	CHECK(PRMT_B32, 32, 32, 32, 32, permute(a, b, c));
	CHECK(PRMT_MODE_B32, 32, 32, 32, 32, (b << 32 | a) >> 8 * (c & 3), .imm = 0);
	CHECK(PRMT_MODE_B32, 32, 32, 32, 32, permute(a, b, ({
		unsigned s = 0;
		for (unsigned n = 0; n < 4; n++)
			s |= (((c & 3) - n) & 7) << 4 * n;
		s;
	})),
		.imm = 1);
	CHECK(PRMT_MODE_B32, 32, 32, 32, 32, (a >> 8 * (c & 3) & 255) * 0x01010101, .imm = 2);
	CHECK(PRMT_MODE_B32, 32, 32, 32, 32, permute(a, b, ({
		uint64_t s = 0;
		for (unsigned n = 0; n < 4; n++)
			s |= MOST(c & 3, n) << 4 * n;
		s;
	})),
		.imm = 3);
	CHECK(PRMT_MODE_B32, 32, 32, 32, 32, permute(a, b, ({
		uint64_t s = 0;
		for (unsigned n = 0; n < 4; n++)
			s |= LEAST(c & 3, n) << 4 * n;
		s;
	})),
		.imm = 4);
	CHECK(PRMT_MODE_B32, 32, 32, 32, 32, (a >> 16 * (c & 1) & 0xffff) * 0x10001, .imm = 5);
}

static wide dot(uint64_t a, uint64_t b, unsigned parts, unsigned a_bits, unsigned first, unsigned is_signed)
{
	wide sum = 0;

	for (unsigned n = 0; n < parts; n++) {
		uint64_t p = a >> n * a_bits, q = b >> 8 * (n + first);

		sum += (is_signed & 1 ? sx(p, a_bits) : (wide)(p & ((1u << a_bits) - 1))) *
			(is_signed & 2 ? sx(q, 8) : (wide)(q & 255));
	}
	return sum;
}

Test(exec_int, multiplies_and_sums_bytes)
{
	CHECK(DP4A, 32, 32, 32, 32, c + dot(a, b, 4, 8, 0, 0));
	CHECK(DP4A, 32, 32, 32, 32, c + dot(a, b, 4, 8, 0, 1), .imm = 1);
	CHECK(DP4A, 32, 32, 32, 32, c + dot(a, b, 4, 8, 0, 2), .imm = 2);
	CHECK(DP4A, 32, 32, 32, 32, c + dot(a, b, 4, 8, 0, 3), .imm = 3);
	CHECK(DP2A, 32, 32, 32, 32, c + dot(a, b, 2, 16, 0, 3), .imm = 3);
	CHECK(DP2A, 32, 32, 32, 32, c + dot(a, b, 2, 16, 2, 1), .imm = 1, .mods = MOD_HI);
}

static void check_carry(unsigned code, unsigned bits, bool is_sub)
{
	static struct rig r;
	uint64_t state = 5;

	for_each_level(table) for (unsigned round = 0; round < 200; round++)
	{
		bool has_in = round & 1;
		struct uop u = {
			.code = (uint16_t)code, .dst = { 16, 3 }, .src = { 0, 2, has_in ? 1 : UOP_NONE }
		};

		rig_init(&r);
		r.predicates[1] = (uint32_t)rig_random(&state);
		for (unsigned l = 0; l < 32; l++)
			for (unsigned row = 0; row < 4; row += 2)
				rig_set(&r, row, bits / 8, l,
					bits == 64 ? rig_double(&state) : rig_word(&state));
		rig_run(&r, table, &u, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			uint64_t a = rig_get(&r, 0, bits / 8, l), b = rig_get(&r, 2, bits / 8, l);
			uint64_t mask = bits == 64 ? UINT64_MAX : UINT32_MAX;
			uwide sum = (uwide)a + (is_sub ? ~b & mask : b) +
				(has_in ? r.predicates[1] >> l & 1 : is_sub);

			cr_assert_eq(rig_get(&r, 16, bits / 8, l), (uint64_t)sum & mask);
			cr_assert_eq(r.predicates[3] >> l & 1, (unsigned)(sum >> bits));
		}
	}
}

Test(exec_int, carries_and_borrows_pass_through_words_of_both_widths)
{
	check_carry(UOP_ADD_CC_B32, 32, false);
	check_carry(UOP_ADD_CC_B64, 64, false);
	check_carry(UOP_SUB_CC_B32, 32, true);
	check_carry(UOP_SUB_CC_B64, 64, true);
}
