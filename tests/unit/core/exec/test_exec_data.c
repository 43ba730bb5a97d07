/* tests/unit/core/exec/test_exec_data.c -- data movement from PTX text to results: braces, vector and 128-bit
 * registers, every type into every register that may hold it, accesses of 32 bytes, elements left out. */
#include "tests/unit/core/bench_rig.h"

static uint8_t shared[4096] __attribute__((aligned(256)));
static struct rig rig;

static void fill(uint64_t seed)
{
	for (unsigned i = 0; i < sizeof shared; i++)
		shared[i] = (uint8_t)(rig_random(&seed) >> 24);
}

typedef void checker(const uint8_t *before, const uint8_t *after, const char *text);

/* Runs a text at each level on random bytes; compare sees the 128 bytes of each lane, before and after. */
static void check(const char *text, checker *compare)
{
	static uint8_t before[4096];
	struct ptx_rig p;

	ptx_rig_init(&p, text);
	for_each_level(table) for (uint64_t seed = 1; seed < 20; seed++)
	{
		fill(seed);
		memcpy(before, shared, sizeof before);
		ptx_rig_run(&p, table, &rig, shared);
		for (unsigned l = 0; l < 32; l++)
			compare(before + 128 * l, shared + 128 * l, text);
	}
	ptx_rig_fini(&p);
}

/* after[to ..] = before[from ..], `bytes` of them; the rest, from 64 on, is as it was but for what is
 * written. */
static void expect(const uint8_t *before, const uint8_t *after, const char *text, unsigned to, unsigned from,
	unsigned bytes)
{
	cr_assert_arr_eq(after + to, before + from, bytes, "%s: bytes %u to %u", text, to, to + bytes);
}

static void moved_16(const uint8_t *before, const uint8_t *after, const char *text)
{
	expect(before, after, text, 64, 0, 16);
}

static void swapped_halves(const uint8_t *before, const uint8_t *after, const char *text)
{
	expect(before, after, text, 64, 8, 8);
	expect(before, after, text, 72, 0, 8);
}

Test(exec_data, wide_registers_pack_and_unpack)
{
	check("ld.shared.b128 %q1, [%d0]; mov.b128 %q2, %q1; st.shared.b128 [%d0+64], %q2;", moved_16);
	check("ld.shared.v2.b64 {%d1, %d2}, [%d0]; mov.b128 %q1, {%d1, %d2}; st.shared.b128 [%d0+64], %q1;",
		moved_16);
	check("ld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [%d0]; mov.b128 %q1, {%r1, %r2, %r3, %r4}; "
	      "st.shared.b128 [%d0+64], %q1;",
		moved_16);
	check("ld.shared.b128 %q1, [%d0]; mov.b128 {%d1, %d2}, %q1; st.shared.v2.b64 [%d0+64], {%d2, %d1};",
		swapped_halves);
	check("ld.shared.b128 %q1, [%d0]; mov.b128 {%r1, %r2, %r3, %r4}, %q1; "
	      "st.shared.v4.b32 [%d0+64], {%r3, %r4, %r1, %r2};",
		swapped_halves);
	check("ld.shared.b128 %q1, [%d0]; mov.b128 {_, %d2}, %q1; mov.b128 {%d1, _}, %q1; mov.b128 %q1, "
	      "{%d2, %d1}; "
	      "st.shared.b128 [%d0+64], %q1;",
		swapped_halves);
	check("ld.shared.b128 {%q1}, [%d0]; mov.b128 %q2, {%q1}; st.shared.b128 [%d0+64], {%q2};", moved_16);
}

static void low_then_ones(const uint8_t *before, const uint8_t *after, const char *text)
{
	static const uint8_t ones[8] = { 255, 255, 255, 255, 255, 255, 255, 255 };

	expect(before, after, text, 64, 0, 8);
	cr_assert_arr_eq(after + 72, ones, 8, "%s", text);
}

static void number_five(const uint8_t *before, const uint8_t *after, const char *text)
{
	static const uint8_t five[16] = { 5 };

	(void)before;
	cr_assert_arr_eq(after + 64, five, 16, "%s", text);
}

Test(exec_data, wide_registers_take_literals_and_keep_inactive_lanes)
{
	check("mov.b128 %q1, 5; st.shared.b128 [%d0+64], %q1;", number_five);
	check("st.shared.b128 [%d0+64], 5;", number_five);
	check("ld.shared.b64 %d1, [%d0]; mov.b128 %q1, {%d1, -1}; st.shared.b128 [%d0+64], %q1;",
		low_then_ones);
	check("ld.shared.b128 %q1, [%d0]; ld.shared.b128 %q2, [%d0+16]; @%p7 mov.b128 %q2, %q1; @!%p7 "
	      "mov.b128 %q2, %q1; "
	      "st.shared.b128 [%d0+64], %q2;",
		moved_16);
}

static void moved_4(const uint8_t *before, const uint8_t *after, const char *text)
{
	expect(before, after, text, 64, 0, 4);
}

static void reversed_4(const uint8_t *before, const uint8_t *after, const char *text)
{
	for (unsigned n = 0; n < 4; n++)
		cr_assert_eq(after[64 + n], before[3 - n], "%s: byte %u", text, n);
}

static void swapped_2(const uint8_t *before, const uint8_t *after, const char *text)
{
	cr_assert(after[64] == before[1] && after[65] == before[0], "%s", text);
}

Test(exec_data, bytes_and_halves_pack)
{
	check("ld.shared.v4.b8 {%x0, %x1, %x2, %x3}, [%d0]; mov.b32 %r1, {%x0, %x1, %x2, %x3}; st.shared.b32 "
	      "[%d0+64], %r1;",
		moved_4);
	check("ld.shared.b32 %r1, [%d0]; mov.b32 {%x0, %x1, %x2, %x3}, %r1; "
	      "st.shared.v4.b8 [%d0+64], {%x3, %x2, %x1, %x0};",
		reversed_4);
	check("ld.shared.b16 %h1, [%d0]; mov.b16 {%x0, %x1}, %h1; mov.b16 %h2, {%x1, %x0}; st.shared.b16 "
	      "[%d0+64], %h2;",
		swapped_2);
	check("ld.shared.b32 %r1, [%d0]; mov.b32 {%x0, _, _, _}, %r1; mov.b32 {_, %x1, _, %x3}, %r1; "
	      "mov.b32 {_, _, %x2, _}, %r1; mov.b32 %r2, {%x0, %x1, %x2, %x3}; st.shared.b32 [%d0+64], %r2;",
		moved_4);
	check("ld.shared.b32 %r1, [%d0]; mov.b32 {%h1, %h2}, %r1; mov.b32 %r2, {%h1, %h2}; st.shared.b32 "
	      "[%d0+64], %r2;",
		moved_4);
}

static void rotated(const uint8_t *before, const uint8_t *after, const char *text)
{
	for (unsigned n = 0; n < 4; n++)
		expect(before, after, text, 64 + 4 * n, 4 * ((n + 1) % 4), 4);
}

Test(exec_data, vector_registers_move_whole_and_by_component)
{
	check("ld.shared.v4.b32 %v4, [%d0]; st.shared.v4.b32 [%d0+64], %v4;", moved_16);
	check("ld.shared.v4.b32 %v4, [%d0]; mov.v4.b32 {%r1, %r2, %r3, %r4}, %v4; "
	      "st.shared.v4.b32 [%d0+64], {%r2, %r3, %r4, %r1};",
		rotated);
	check("ld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [%d0]; mov.v4.b32 {%r1, %r2, %r3, %r4}, {%r2, %r3, "
	      "%r4, %r1}; "
	      "st.shared.v4.b32 [%d0+64], {%r1, %r2, %r3, %r4};",
		rotated);
	check("ld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [%d0]; mov.b32 %v4.x, %r2; mov.b32 %v4.g, %r3; mov.b32 "
	      "%v4.z, %r4; "
	      "mov.b32 %v4.a, %r1; st.shared.v4.b32 [%d0+64], %v4;",
		rotated);
	check("ld.shared.v2.b32 %v2, [%d0]; mov.b64 %d1, %v2; ld.shared.b64 %d2, [%d0+8]; mov.b64 %v2, %d2; "
	      "mov.b64 %d3, %v2; mov.v2.b64 %w2, {%d1, %d3}; st.shared.v2.b64 [%d0+64], %w2;",
		moved_16);
}

static void lanes_as_tid(const uint8_t *before, const uint8_t *after, const char *text)
{
	static const uint8_t zero[16];

	(void)before;
	cr_assert_arr_eq(after + 64, zero, 16, "%s", text); /* the bench starts all but the lane number at 0
							     */
}

Test(exec_data, special_vectors_are_read_whole)
{
	check("mov.v4.u32 %v4, %tid; st.shared.v4.b32 [%d0+64], %v4;", lanes_as_tid);
	check("mov.v4.u16 {%h1, %h2, %h3, %h4}, %ctaid; cvt.u32.u16 %r1, %h1; mov.v4.u32 {_, %r2, %r3, _}, "
	      "%ntid; "
	      "st.shared.v4.b32 [%d0+64], {%r1, %r2, %r3, %r1};",
		lanes_as_tid);
}

/* Every type into every register that may hold it: loaded, then stored as wide as the register. */
static const struct {
	const char *type;
	unsigned bits;
	bool is_signed;
} types[] = { { "b8", 8, false }, { "u8", 8, false }, { "s8", 8, true }, { "b16", 16, false },
	{ "u16", 16, false }, { "s16", 16, true }, { "b32", 32, false }, { "u32", 32, false },
	{ "s32", 32, true }, { "b64", 64, false }, { "u64", 64, false }, { "s64", 64, true },
	{ "b128", 128, false }, { "f32", 32, false }, { "f64", 64, false } };
static const struct {
	const char *name;
	unsigned bits;
} registers[] = { { "%x1", 8 }, { "%h1", 16 }, { "%r1", 32 }, { "%d1", 64 }, { "%q1", 128 } };

static unsigned load_bits, load_register;
static bool load_signed;

static void extended(const uint8_t *before, const uint8_t *after, const char *text)
{
	uint8_t want[16];
	bool fill_ones = load_signed && before[load_bits / 8 - 1] >> 7;

	memset(want, fill_ones ? 255 : 0, sizeof want);
	memcpy(want, before, load_bits / 8);
	cr_assert_arr_eq(after + 64, want, load_register / 8, "%s", text);
}

static void cut(const uint8_t *before, const uint8_t *after, const char *text)
{
	expect(before, after, text, 64, 0, load_bits / 8);
	expect(before, after, text, 64 + load_bits / 8, 64 + load_bits / 8, 16); /* nothing else is written */
}

Test(exec_data, loads_extend_to_their_register_and_stores_cut)
{
	char text[256];

	for (size_t t = 0; t < sizeof types / sizeof *types; t++)
		for (size_t g = 0; g < sizeof registers / sizeof *registers; g++) {
			if (registers[g].bits < types[t].bits)
				continue;
			load_bits = types[t].bits;
			load_register = registers[g].bits;
			load_signed = types[t].is_signed;
			snprintf(text, sizeof text, "ld.shared.%s %s, [%%d0]; st.shared.b%u [%%d0+64], %s;",
				types[t].type, registers[g].name, load_register, registers[g].name);
			check(text, extended);
			snprintf(text, sizeof text, "ld.shared.b%u %s, [%%d0]; st.shared.%s [%%d0+64], %s;",
				load_register, registers[g].name, types[t].type, registers[g].name);
			check(text, cut);
		}
}

static void extended_pairs(const uint8_t *before, const uint8_t *after, const char *text)
{
	int64_t want[2] = { (int8_t)before[0], (int8_t)before[1] };

	cr_assert_arr_eq((const uint8_t *)want, after + 64, 16, "%s", text);
}

static void extended_halves(const uint8_t *before, const uint8_t *after, const char *text)
{
	int16_t want[4] = { (int8_t)before[0], (int8_t)before[1], (int8_t)before[2], (int8_t)before[3] };

	cr_assert_arr_eq((const uint8_t *)want, after + 64, 8, "%s", text);
}

Test(exec_data, vector_loads_extend_every_element)
{
	check("ld.shared.v2.s8 {%d1, %d2}, [%d0]; st.shared.v2.b64 [%d0+64], {%d1, %d2};", extended_pairs);
	check("ld.shared.v4.s8 {%h1, %h2, %h3, %h4}, [%d0]; st.shared.v4.b16 [%d0+64], {%h1, %h2, %h3, %h4};",
		extended_halves);
}

static void moved_32(const uint8_t *before, const uint8_t *after, const char *text)
{
	expect(before, after, text, 64, 0, 32);
}

static void moved_but_two(const uint8_t *before, const uint8_t *after, const char *text)
{
	expect(before, after, text, 64, 0, 4);
	expect(before, after, text, 68, 68, 4); /* `_` leaves memory as it was */
	expect(before, after, text, 72, 8, 16);
	expect(before, after, text, 88, 88, 4);
	expect(before, after, text, 92, 28, 4);
}

#define EIGHT  "{%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}"
#define ALL_32 "ld.param.u64 %d1, [pb]; add.u64 %d1, %d1, %d0; "

Test(exec_data, accesses_of_32_bytes_and_elements_left_out)
{
	check(ALL_32 "ld.global.v8.b32 " EIGHT ", [%d1]; st.global.v8.b32 [%d1+64], " EIGHT ";", moved_32);
	check(ALL_32 "ld.v8.f32 " EIGHT ", [%d1]; st.v8.b32 [%d1+64], " EIGHT ";", moved_32);
	check(ALL_32 "ld.global.v4.b64 {%d2, %d3, %d4, %d5}, [%d1]; st.global.v4.b64 [%d1+64], {%d2, %d3, "
		     "%d4, %d5};",
		moved_32);
	check("cvta.shared.u64 %d1, %d0; ld.v8.b32 " EIGHT ", [%d1]; st.v8.b32 [%d1+64], " EIGHT ";",
		moved_32);
	check(ALL_32 "ld.global.v8.b32 " EIGHT ", [%d1]; "
		     "st.global.v8.b32 [%d1+64], {%r1, _, %r3, %r4, %r5, %r6, _, %r8};",
		moved_but_two);
	check(ALL_32 "ld.global.v8.b32 {%r1, _, %r3, %r4, %r5, %r6, _, %r8}, [%d1]; "
		     "st.v8.b32 [%d1+64], {%r1, _, %r3, %r4, %r5, %r6, _, %r8};",
		moved_but_two);
	check("ld.shared.v8.b16 {%h1, %h2, %h3, %h4, %h5, %h6, %h7, %h8}, [%d0]; "
	      "st.shared.v8.b16 [%d0+64], {%h1, %h2, %h3, %h4, %h5, %h6, %h7, %h8};",
		moved_16);
	check("cvta.shared.u64 %d1, %d0; ld.b128 %q1, [%d1]; st.b128 [%d1+64], %q1;", moved_16);
	check(ALL_32 "ld.global.b128 %q1, [%d1]; @%p7 st.global.b128 [%d1+64], %q1; @!%p7 st.global.b128 "
		     "[%d1+64], %q1;",
		moved_16);
}

static void parameter_bytes(const uint8_t *before, const uint8_t *after, const char *text)
{
	(void)before;
	for (unsigned n = 0; n < 16; n++) /* pc lies from byte 16 on */
		cr_assert_eq(after[64 + n], (uint8_t)(3 * (16 + n) + 1), "%s: byte %u", text, n);
}

Test(exec_data, parameters_are_read_at_any_width)
{
	check("ld.param.b128 %q1, [pc]; st.shared.b128 [%d0+64], %q1;", parameter_bytes);
	check("ld.param.v4.b32 %v4, [pc]; st.shared.v4.b32 [%d0+64], %v4;", parameter_bytes);
	check("ld.param.v8.b16 {%h1, %h2, %h3, %h4, %h5, %h6, %h7, %h8}, [pc]; "
	      "st.shared.v8.b16 [%d0+64], {%h1, %h2, %h3, %h4, %h5, %h6, %h7, %h8};",
		parameter_bytes);
}
