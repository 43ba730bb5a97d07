/* Conversions to and from narrow floating-point formats, against tables of all their values
 * (reference_formats.h); cvt.pack, f32x2, and minima of magnitudes. */
#include "tests/unit/core/exec_rig.h"
#include "tests/unit/core/reference_formats.h"
#include <fenv.h>

static struct rig r;

static float f32(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return f;
}

static double f64(uint64_t bits)
{
	double f;

	memcpy(&f, &bits, 8);
	return f;
}

static uint32_t bits32(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, 4);
	return bits;
}

/* f32 near where narrow formats change: a random number of a format, give or take a little. */
static uint32_t near_word(uint64_t *state, unsigned type)
{
	const struct reference *reference = reference_of(type);
	uint64_t random = rig_random(state);
	double value = reference->values[(random >> 8) % (reference->finite + 1)];
	double next =
		reference->values[((random >> 8) % (reference->finite + 1) + 1) % (reference->finite + 1)];

	if (random & 1)
		return rig_word(state);
	value = random & 2 ? (value + next) / 2 : value;
	return (bits32((float)value) + (uint32_t)(random >> 40) % 3 - 1) | (uint32_t)(random >> 60 & 1) << 31;
}

static unsigned clamped_below(const struct reference *reference, unsigned bits, unsigned mods)
{
	return mods & MOD_RELU && bits >> (reference->width - 1) & 1 ? 0 : bits;
}

/* One number to one number. */
static void check_single(unsigned type, unsigned source, unsigned round, unsigned mods)
{
	struct uop u = { .code = UOP_CVT_FORMAT,
		.type = (uint8_t)type,
		.compare = (uint8_t)source,
		.dst = { 8 },
		.src = { 0 },
		.round = (uint8_t)round,
		.mods = (uint8_t)mods };
	unsigned bytes = source == PTX_F64 || source == PTX_S64 || source == PTX_U64 ? 8 : 4;
	uint64_t state = 31 + type + source;

	for_each_level(table) for (unsigned n = 0; n < 100; n++)
	{
		rig_init(&r);
		for (unsigned l = 0; l < 32; l++) {
			uint64_t value = near_word(&state, type), shift = rig_random(&state) >> 58;

			if (source == PTX_F64)
				value = l & 1 ? rig_double(&state)
					      : (uint64_t)({
							double d = f32((uint32_t)value);
							uint64_t b;
							memcpy(&b, &d, 8);
							b;
						}) +
						rig_random(&state) % 3 - 1;
			else if (source != PTX_F32 && source != PTX_F16 && source != PTX_BF16)
				value = l & 1 ? rig_random(&state) >> shift
					      : ((UINT64_C(1) << shift) - 2 + l % 5) * (l & 2 ? -1 : 1);
			rig_set(&r, 0, bytes, l, value);
		}
		rig_run(&r, table, &u, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			uint64_t bits = rig_get(&r, 0, bytes, l);
			struct exact v = source == PTX_F32 ? (struct exact){ f32((uint32_t)bits), 0 }
				: source == PTX_F64        ? (struct exact){ f64(bits), 0 }
				: source == PTX_F16 || source == PTX_BF16
				? (struct exact){ reference_decode(source, (unsigned)bits & 0xffff), 0 }
				: source == PTX_S32 ? exact_int((int32_t)bits)
				: source == PTX_U32 ? exact_int((uint32_t)bits)
				: source == PTX_S64 ? exact_int((int64_t)bits)
						    : exact_int((__int128)bits);
			uint32_t want, got = r.registers[8][l];

			if (mods & MOD_FTZ && !(bits & 0x7f800000))
				v.high = copysign(0, v.high);
			if (mods & MOD_SAT && !(v.high > 0))
				v = (struct exact){ 0, 0 };
			else if (mods & MOD_SAT && exact_compare(v, 1) > 0)
				v = (struct exact){ 1, 0 };
			want = clamped_below(reference_of(type),
				reference_round(type, v, round, mods & MOD_SATFINITE), mods);
			if (source == PTX_F64 && isnan(f64(bits)) && !(mods & MOD_SAT)) /* quiet, as an H200
											 */
				want = (uint32_t)(bits >> 48 & 0x8000) |
					(type == PTX_F16 ? 0x7e00 | (uint32_t)(bits >> 42 & 0x3ff)
							 : 0x7fc0 | (uint32_t)(bits >> 45 & 0x7f));
			want = type == PTX_TF32 ? want << 13 : want;
			cr_assert_eq(got, want, "%u from %u round %u mods %u level %u: %lx (%a) = %x not %x",
				type, source, round, mods, level_, bits, v.high, got, want);
		}
	}
}

Test(exec_format, rounds_every_source_to_halves_once)
{
	static const uint8_t sources[] = { PTX_F32, PTX_F64, PTX_F16, PTX_BF16, PTX_S32, PTX_U32, PTX_S64,
		PTX_U64 };

	for (unsigned s = 0; s < sizeof(sources); s++)
		for (unsigned round = 0; round < 4; round++)
			for (unsigned type = 0; type < 2; type++) {
				check_single(type ? PTX_BF16 : PTX_F16, sources[s], round, 0);
				check_single(type ? PTX_BF16 : PTX_F16, sources[s], round, MOD_SAT);
			}
	for (unsigned round = 0; round < 2; round++)
		for (unsigned mods = 0; mods < 4; mods++) {
			unsigned m = (mods & 1 ? MOD_RELU : 0) | (mods & 2 ? MOD_SATFINITE : 0);

			check_single(PTX_F16, PTX_F32, round, m);
			check_single(PTX_BF16, PTX_F32, round, m);
			check_single(PTX_BF16, PTX_F32, round, m | MOD_FTZ);
			check_single(PTX_TF32, PTX_F32, round, m);
		}
	check_single(PTX_TF32, PTX_F32, ROUND_RNA, 0);
	check_single(PTX_TF32, PTX_F32, ROUND_RNA, MOD_SATFINITE);
}

static const struct {
	uint8_t type, bits;
} pairs[] = { { PTX_F16X2, 16 }, { PTX_BF16X2, 16 }, { PTX_E4M3X2, 8 }, { PTX_E5M2X2, 8 }, { PTX_E2M1X2, 4 },
	{ PTX_E2M3X2, 8 }, { PTX_E3M2X2, 8 } };

Test(exec_format, packs_two_with_the_first_on_top)
{
	uint64_t state = 5;

	for_each_level(table) for (unsigned p = 0; p < 7; p++) for (unsigned n = 0; n < 4 * 200; n++)
	{
		unsigned mods = (n & 1 ? MOD_RELU : 0) | (n & 2 || p > 1 ? MOD_SATFINITE : 0),
			 type = pairs[p].type;
		struct uop u = { .code = UOP_CVT_FORMAT,
			.type = (uint8_t)type,
			.compare = PTX_F32,
			.dst = { 8 },
			.src = { 0, 1 },
			.mods = (uint8_t)mods };

		rig_init(&r);
		for (unsigned l = 0; l < 32; l++)
			r.registers[0][l] = near_word(&state, type),
			r.registers[1][l] = near_word(&state, type);
		rig_run(&r, table, &u, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			uint32_t want = 0;

			for (unsigned e = 0; e < 2; e++)
				want |= clamped_below(reference_of(type),
						reference_round(type,
							(struct exact){ f32(r.registers[1 - e][l]), 0 },
							ROUND_RN, mods & MOD_SATFINITE),
						mods)
					<< pairs[p].bits * e;
			cr_assert_eq(r.registers[8][l], want, "type %u: %a %a = %x not %x", type,
				f32(r.registers[0][l]), f32(r.registers[1][l]), r.registers[8][l], want);
		}
	}
}

/* From all 65536 halves in the low and, in another order, in the high place; and back from all codes. */
Test(exec_format, converts_pairs_to_pairs)
{
	for_each_level(table) for (unsigned p = 2; p < 7; p++) for (unsigned half = 0; half < 2;
								    half++) for (uint32_t first = 0;
										 first < 65536; first += 32)
	{
		unsigned type = pairs[p].type, source = half ? PTX_BF16X2 : PTX_F16X2, bits = pairs[p].bits;
		struct uop u = { .code = UOP_CVT_FORMAT,
			.type = (uint8_t)type,
			.compare = (uint8_t)source,
			.dst = { 8 },
			.mods = MOD_SATFINITE };
		struct uop v = { .code = UOP_CVT_FORMAT,
			.type = (uint8_t)source,
			.compare = (uint8_t)type,
			.dst = { 9 },
			.src = { 1 } };

		r.x.registers = r.registers;
		for (unsigned l = 0; l < 32; l++) {
			r.registers[0][l] = (first + l) | (first + l) * 40503u << 16;
			r.registers[1][l] = first + l;
		}
		rig_run(&r, table, &u, UINT32_MAX);
		rig_run(&r, table, &v, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			uint32_t down = 0, up = 0;

			for (unsigned e = 0; e < 2; e++) {
				down |= reference_round(type,
						(struct exact){ reference_decode(source,
									r.registers[0][l] >> 16 * e & 0xffff),
							0 },
						ROUND_RN, true)
					<< bits * e;
				up |= reference_round(source,
					      (struct exact){
						      reference_decode(type,
							      (first + l) >> bits * e & ((1u << bits) - 1)),
						      0 },
					      ROUND_RN, false)
					<< 16 * e;
			}
			cr_assert_eq(r.registers[8][l], down, "type %u: %x", type, r.registers[0][l]);
			cr_assert_eq(r.registers[9][l], up, "type %u: %x", type, first + l);
		}
	}
}

static uint32_t power(double value, bool up, bool satfinite)
{
	int code = 0;

	if (isnan(value))
		return 0xff;
	value = fabs(value);
	while (code < 255 && (up ? ldexp(1, code - 127) < value : ldexp(1, code - 126) <= value))
		code++;
	return (uint32_t)(code == 255 && satfinite ? 254 : code);
}

Test(exec_format, rounds_to_powers_of_two)
{
	uint64_t state = 77;

	for_each_level(table) for (unsigned n = 0; n < 4 * 300; n++)
	{
		struct uop u = { .code = UOP_CVT_FORMAT,
			.type = PTX_UE8M0X2,
			.compare = PTX_F32,
			.dst = { 8 },
			.src = { 0, 1 },
			.round = n & 1 ? ROUND_RP : ROUND_RZ,
			.mods = n & 2 ? MOD_SATFINITE : 0 };
		struct uop v = { .code = UOP_CVT_FORMAT,
			.type = PTX_BF16X2,
			.compare = PTX_UE8M0X2,
			.dst = { 9 },
			.src = { 8 } };

		rig_init(&r);
		for (unsigned l = 0; l < 32; l++)
			r.registers[0][l] = rig_word(&state),
			r.registers[1][l] = (uint32_t)rig_random(&state) & (l & 1 ? 0xff800001 : ~0u);
		rig_run(&r, table, &u, UINT32_MAX);
		rig_run(&r, table, &v, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			uint32_t high = power(f32(r.registers[0][l]), n & 1, n & 2),
				 low = power(f32(r.registers[1][l]), n & 1, n & 2);

			cr_assert_eq(r.registers[8][l], high << 8 | low, "%a %a: %x", f32(r.registers[0][l]),
				f32(r.registers[1][l]), r.registers[8][l]);
			cr_assert_eq(r.registers[9][l] >> 16, high == 255 ? 0x7fff : high ? high << 7 : 0x40);
		}
	}
}

/* The classic: add the random bits to the f32's bits, and cut. */
Test(exec_format, rounds_by_the_random_bits)
{
	uint64_t state = 99;

	for_each_level(table) for (unsigned n = 0; n < 400; n++)
	{
		struct uop b = { .code = UOP_CVT_FORMAT,
			.type = PTX_BF16X2,
			.compare = PTX_F32,
			.dst = { 8 },
			.src = { 0, 1, 2 },
			.round = ROUND_RS };
		struct uop h = b;

		h.type = PTX_F16X2, h.dst[0] = 9;
		rig_init(&r);
		for (unsigned l = 0; l < 32; l++)
			for (unsigned row = 0; row < 3; row++) /* f16's normal numbers, not next to infinity
								*/
				r.registers[row][l] = (uint32_t)rig_random(&state) % 0x0e000000 + 0x38800000 +
					(row < 1 ? 0x80000000 : 0);
		rig_run(&r, table, &b, UINT32_MAX);
		rig_run(&r, table, &h, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			uint32_t low = r.registers[1][l], high = r.registers[0][l],
				 random = r.registers[2][l];

			cr_assert_eq(r.registers[8][l] & 0xffff, (low + (random & 0xffff)) >> 16);
			cr_assert_eq(r.registers[8][l] >> 16, (high + (random >> 16)) >> 16);
			cr_assert_eq(
				r.registers[9][l] & 0xffff, (low - 0x38000000 + (random & 0x1fff)) >> 13);
			cr_assert_eq(r.registers[9][l] >> 16,
				((high & 0x7fffffff) - 0x38000000 + (random >> 16 & 0x1fff)) >> 13 | 0x8000);
		}
	}
}

Test(exec_format, widens_bf16_by_sixteen_zeros)
{
	struct uop u = { .code = UOP_CVT_FORMAT, .type = PTX_F32, .compare = PTX_BF16, .dst = { 8 } };
	struct uop f = {
		.code = UOP_CVT_FORMAT, .type = PTX_F32, .compare = PTX_BF16, .dst = { 9 }, .mods = MOD_FTZ
	};

	for_each_level(table) for (uint32_t first = 0; first < 65536; first += 32)
	{
		r.x.registers = r.registers;
		for (unsigned l = 0; l < 32; l++)
			r.registers[0][l] = first + l;
		rig_run(&r, table, &u, UINT32_MAX);
		rig_run(&r, table, &f, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			uint32_t bits = (first + l) << 16;

			cr_assert_eq(r.registers[8][l], isnan(f32(bits)) ? 0x7fffffff : bits);
			cr_assert_eq(r.registers[9][l],
				isnan(f32(bits))            ? 0x7fffffff
					: bits & 0x7f800000 ? bits
							    : bits & 0x80000000);
		}
	}
}

Test(exec_format, packs_clamped_integers)
{
	static const struct {
		uint8_t type, bits;
		bool is_signed;
	} narrow[] = { { PTX_U2, 2, false }, { PTX_S2, 2, true }, { PTX_U4, 4, false }, { PTX_S4, 4, true },
		{ PTX_U8, 8, false }, { PTX_S8, 8, true }, { PTX_U16, 16, false }, { PTX_S16, 16, true } };
	uint64_t state = 3;

	for_each_level(table) for (unsigned n = 0; n < 8 * 100; n++)
	{
		unsigned bits = narrow[n & 7].bits;
		int64_t low = narrow[n & 7].is_signed ? -(1ll << (bits - 1)) : 0,
			high = (1ll << bits) - 1 + low;
		bool whole = bits == 16;
		struct uop u = { .code = UOP_CVT_PACK,
			.type = narrow[n & 7].type,
			.dst = { 8 },
			.src = { 0, 1, whole ? UOP_NONE : 2 } };

		rig_init(&r);
		for (unsigned row = 0; row < 3; row++)
			for (unsigned l = 0; l < 32; l++)
				r.registers[row][l] = row < 2 && l & 1
					? (uint32_t)(rig_random(&state) % 40) - 20
					: rig_word(&state);
		rig_run(&r, table, &u, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			int64_t a = (int32_t)r.registers[0][l], b = (int32_t)r.registers[1][l];
			uint64_t mask = (1ull << bits) - 1, want;

			a = a < low ? low : a > high ? high : a, b = b < low ? low : b > high ? high : b;
			want = ((uint64_t)b & mask) | ((uint64_t)a & mask) << bits |
				(whole ? 0 : (uint64_t)r.registers[2][l] << 2 * bits);
			cr_assert_eq(r.registers[8][l], (uint32_t)want);
		}
	}
}

static uint32_t flushed(uint32_t bits, bool ftz)
{
	return ftz && !(bits & 0x7f800000) ? bits & 0x80000000 : bits;
}

static float computed(unsigned code, volatile float a, volatile float b, volatile float c, int mode)
{
	volatile float w;

	fesetround(mode);
	w = code == UOP_ADD_F32X2       ? a + b
		: code == UOP_SUB_F32X2 ? a - b
		: code == UOP_MUL_F32X2 ? a * b
					: fmaf(a, b, c);
	fesetround(FE_TONEAREST);
	return w;
}

Test(exec_pairs, computes_both_f32_of_a_lane)
{
	static const int modes[] = { FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD };
	static const unsigned codes[] = { UOP_ADD_F32X2, UOP_SUB_F32X2, UOP_MUL_F32X2, UOP_FMA_F32X2 };
	uint64_t state = 13;

	for_each_level(table) for (unsigned n = 0; n < 4 * 4 * 2 * 60; n++)
	{
		bool ftz = n / 16 & 1;
		struct uop u = { .code = (uint16_t)codes[n & 3],
			.dst = { 8 },
			.src = { 0, 2, 4 },
			.round = n / 4 & 3,
			.mods = ftz ? MOD_FTZ : 0 };
		lane_mask active = n & 32 ? UINT32_MAX : (uint32_t)rig_random(&state);

		rig_init(&r);
		for (unsigned row = 0; row < 6; row++)
			for (unsigned l = 0; l < 32; l++)
				r.registers[row][l] = rig_word(&state);
		rig_run(&r, table, &u, active);
		for (unsigned i = 0; i < 64; i++) {
			volatile float a = f32(flushed(r.registers[i / 32][i % 32], ftz));
			volatile float b = f32(flushed(r.registers[2 + i / 32][i % 32], ftz));
			volatile float c = f32(flushed(r.registers[4 + i / 32][i % 32], ftz));
			float w = computed(u.code, a, b, c, modes[u.round]);
			/* .ftz looks at the exact result, before it is rounded (measured on an H200). */
			float cut = computed(u.code, a, b, c, FE_TOWARDZERO);
			uint32_t want, got = r.registers[8 + i / 32][i % 32];

			if (ftz && fpclassify(cut) == FP_SUBNORMAL)
				w = copysignf(0, cut);
			want = isnan(w) ? 0x7fffffff : flushed(bits32(w), ftz);
			want = active >> i / 2 & 1 ? want : 0;
			cr_assert_eq(got, want, "code %u round %u: %a %a %a = %x not %x", u.code, u.round, a,
				b, c, got, want);
		}
	}
}

Test(exec_pairs, compares_magnitudes)
{
	uint64_t state = 19;

	for_each_level(table) for (unsigned n = 0; n < 16 * 60; n++)
	{
		bool max = n & 1, nan = n & 2, xorsign = n & 4, ftz = n & 8;
		struct uop u = { .code = max ? UOP_MAX_ABS_F32 : UOP_MIN_ABS_F32,
			.dst = { 8 },
			.src = { 0, 1 },
			.mods = (uint8_t)((nan ? MOD_HI : 0) | (xorsign ? MOD_XORSIGN : 0) |
				(ftz ? MOD_FTZ : 0)) };

		rig_init(&r);
		for (unsigned l = 0; l < 32; l++)
			r.registers[0][l] = rig_word(&state), r.registers[1][l] = rig_word(&state);
		rig_run(&r, table, &u, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			uint32_t a = flushed(r.registers[0][l], ftz), b = flushed(r.registers[1][l], ftz),
				 x = a & 0x7fffffff, y = b & 0x7fffffff;
			bool x_nan = x > 0x7f800000, y_nan = y > 0x7f800000;
			uint32_t want = x_nan ? y : y_nan ? x : (x < y) != max ? x : y;

			want = (x_nan && y_nan) || (nan && (x_nan || y_nan))
				? 0x7fffffff
				: want | (xorsign ? (a ^ b) & 0x80000000 : 0);
			cr_assert_eq(r.registers[8][l], want, "%x %x mods %u: %x not %x", a, b, u.mods,
				r.registers[8][l], want);
		}
	}
}
