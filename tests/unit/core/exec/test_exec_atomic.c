/* tests/unit/core/exec/test_exec_atomic.c -- integer atomics from PTX text to results, in shared and global
 * memory and through generic addresses: every operation and type, and lanes that meet at one address, which
 * take turns. */
#include "tests/unit/core/bench_rig.h"

typedef uint64_t operation(uint64_t old, uint64_t b, uint64_t c);

static uint8_t shared[4096] __attribute__((aligned(256))), before[4096];
static struct rig rig;

static const uint64_t edges[] = { 0, 1, 2, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
	0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff };

static uint64_t value_of(uint64_t *state)
{
	uint64_t random = rig_random(state);

	return random & 1 ? rig_random(state) : edges[(random >> 8) % (sizeof edges / sizeof *edges)];
}

/* Into %d8: the address of the lane's own memory, or of lane 0's. */
static const char *address_of(const char *space, bool spread)
{
	if (!strcmp(space, ".global"))
		return spread ? "add.u64 %d8, %d9, %d0;" : "mov.u64 %d8, %d9;";
	if (!*space)
		return spread ? "cvta.shared.u64 %d8, %d0;" : "cvta.shared.u64 %d8, bench;";
	return spread ? "mov.u64 %d8, %d0;" : "mov.u64 %d8, bench;";
}

/* Lane l's memory is at byte 0 of its 128, b and c at 16 and 32; results go to 64. spread: false: all lanes
 * meet at the memory of lane 0. Every third round b equals the memory, so that cas succeeds. */
static void run(
	const char *space, const char *op, const char *type, unsigned bits, bool spread, operation *want)
{
	const char *reg = bits == 64 ? "d" : bits == 16 ? "h" : "r";
	bool is_cas = !strcmp(op, "cas");
	char text[1024], third[16] = "";
	uint64_t state = 5;
	struct ptx_rig p;

	if (is_cas)
		snprintf(third, sizeof third, ", %%%s3", reg);
	snprintf(text, sizeof text,
		"ld.shared.b%u %%%s2, [%%d0+16]; ld.shared.b%u %%%s3, [%%d0+32]; ld.param.u64 %%d9, [pb]; "
		"%s\n"
		"atom%s.%s.%s %%%s1, [%%d8], %%%s2%s; st.shared.b%u [%%d0+64], %%%s1;",
		bits, reg, bits, reg, address_of(space, spread), space, op, type, reg, reg, third, bits, reg);
	ptx_rig_init(&p, text);
	for_each_level(table) for (unsigned round = 0; round < 30; round++)
	{
		uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1, memory;

		memset(shared, 0, sizeof shared);
		for (unsigned l = 0; l < 32; l++) {
			bench_set(shared, l, 0, 8, value_of(&state));
			bench_set(shared, l, 16, 8, value_of(&state));
			bench_set(shared, l, 32, 8, value_of(&state));
			if (round % 3 == 0)
				bench_set(shared, l, 16, 8, bench_get(shared, l, 0, 8));
		}
		memcpy(before, shared, sizeof before);
		ptx_rig_run(&p, table, &rig, shared);
		memory = bench_get(before, 0, 0, bits / 8);
		for (unsigned l = 0; l < 32; l++) {
			uint64_t b = bench_get(before, l, 16, bits / 8),
				 c = bench_get(before, l, 32, bits / 8);

			if (spread)
				memory = bench_get(before, l, 0, bits / 8);
			cr_assert_eq(bench_get(shared, l, 64, bits / 8), memory,
				"%s: lane %u reads %lx, not %lx", text, l, bench_get(shared, l, 64, bits / 8),
				memory);
			memory = want(memory, b, c) & mask;
			if (spread)
				cr_assert_eq(
					bench_get(shared, l, 0, bits / 8), memory, "%s: lane %u", text, l);
		}
		if (!spread)
			cr_assert_eq(bench_get(shared, 0, 0, bits / 8), memory, "%s", text);
	}
	ptx_rig_fini(&p);
}

static void check(const char *op, const char *type, unsigned bits, operation *want)
{
	static const char *const spaces[] = { ".shared", ".global", "", ".shared::cta" };

	for (unsigned s = 0; s < 4; s++) {
		run(spaces[s], op, type, bits, true, want);
		run(spaces[s], op, type, bits, false, want);
	}
}

#define CHECK(op, type, bits, expression) \
	check(op, type, bits, ({ \
		uint64_t f(uint64_t old, uint64_t b, uint64_t c) \
		{ \
			(void)old, (void)b, (void)c; \
			return (uint64_t)(expression); \
		} \
		f; \
	}))

Test(exec_atomic, sums_and_exchanges)
{
	CHECK("add", "u32", 32, old + b);
	CHECK("add", "s32", 32, old + b);
	CHECK("add", "u64", 64, old + b);
	CHECK("exch", "b32", 32, b);
	CHECK("exch", "b64", 64, b);
	CHECK("cas", "b16", 16, old == b ? c : old);
	CHECK("cas", "b32", 32, old == b ? c : old);
	CHECK("cas", "b64", 64, old == b ? c : old);
}

Test(exec_atomic, extremes_go_by_sign)
{
	CHECK("min", "u32", 32, old < b ? old : b);
	CHECK("max", "u32", 32, old > b ? old : b);
	CHECK("min", "s32", 32, (int32_t)old < (int32_t)b ? old : b);
	CHECK("max", "s32", 32, (int32_t)old > (int32_t)b ? old : b);
	CHECK("min", "u64", 64, old < b ? old : b);
	CHECK("max", "u64", 64, old > b ? old : b);
	CHECK("min", "s64", 64, (int64_t)old < (int64_t)b ? old : b);
	CHECK("max", "s64", 64, (int64_t)old > (int64_t)b ? old : b);
}

Test(exec_atomic, logic_and_counting_within_bounds)
{
	CHECK("and", "b32", 32, old & b);
	CHECK("or", "b64", 64, old | b);
	CHECK("xor", "b32", 32, old ^ b);
	CHECK("and", "b64", 64, old & b);
	CHECK("or", "b32", 32, old | b);
	CHECK("xor", "b64", 64, old ^ b);
	CHECK("inc", "u32", 32, old >= b ? 0 : old + 1);
	CHECK("dec", "u32", 32, old == 0 || old > b ? b : old - 1);
}

/* 128 bits: lane l exchanges its own 16 bytes, or all those of lane 0. */
static void check_wide(const char *address, bool spread)
{
	char text[512];
	struct ptx_rig p;

	snprintf(text, sizeof text,
		"ld.param.u64 %%d9, [pb]; %s ld.shared.b128 %%q1, [%%d0+16]; ld.shared.b128 %%q2, [%%d0+32]; "
		"atom.cas.b128 %%q3, [%%d8], %%q1, %%q2; st.shared.b128 [%%d0+64], %%q3; "
		"atom.exch.b128 %%q3, [%%d8], %%q1; st.shared.b128 [%%d0+80], %%q3;",
		address);
	ptx_rig_init(&p, text);
	for_each_level(table)
	{
		uint8_t memory[16], cas[32][16];

		for (unsigned i = 0; i < sizeof shared; i++)
			shared[i] = (uint8_t)(i * 7 + i / 128);
		for (unsigned l = 0; l < 32; l += 2) /* every other compares equal */
			memcpy(shared + 128 * l + 16, shared + (spread ? 128 * l : 0), 16);
		memcpy(before, shared, sizeof before);
		ptx_rig_run(&p, table, &rig, shared);
		memcpy(memory, before, 16);
		for (unsigned l = 0; l < 32; l++) { /* first all lanes compare and swap */
			const uint8_t *lane = before + 128 * l;

			if (spread)
				memcpy(memory, lane, 16);
			cr_assert_arr_eq(shared + 128 * l + 64, memory, 16, "%s: lane %u", text, l);
			if (!memcmp(memory, lane + 16, 16))
				memcpy(memory, lane + 32, 16);
			memcpy(cas[l], memory, 16);
		}
		for (unsigned l = 0; l < 32; l++) { /* then all exchange */
			if (spread)
				memcpy(memory, cas[l], 16);
			cr_assert_arr_eq(shared + 128 * l + 80, memory, 16, "%s: lane %u", text, l);
			memcpy(memory, before + 128 * l + 16, 16);
		}
		cr_assert_arr_eq(shared + (spread ? 128 * 31 : 0), memory, 16, "%s", text);
	}
	ptx_rig_fini(&p);
}

Test(exec_atomic, of_128_bits_exchange_and_compare)
{
	check_wide("cvta.shared.u64 %d8, %d0;", true);
	check_wide("cvta.shared.u64 %d8, bench;", false);
	check_wide("add.u64 %d8, %d9, %d0;", true);
	check_wide("mov.u64 %d8, %d9;", false);
}

Test(exec_atomic, reductions_return_nothing)
{
	struct ptx_rig p;

	ptx_rig_init(&p,
		"mov.u64 %d8, bench; red.shared.add.u32 [%d8], 3; ld.param.u64 %d9, [pb]; "
		"red.relaxed.gpu.global.max.s64 [%d9+8], 5; atom.shared.exch.b32 _, [%d8+16], %lane; "
		"@%p7 red.shared::cta.or.b32 [%d8+20], 0x100;");
	for_each_level(table)
	{
		memset(shared, 0, sizeof shared);
		bench_set(shared, 0, 8, 8, (uint64_t)-7);
		ptx_rig_run(&p, table, &rig, shared);
		cr_assert_eq(bench_get(shared, 0, 0, 4), 96);
		cr_assert_eq(bench_get(shared, 0, 8, 8), 5);
		cr_assert_eq(bench_get(shared, 0, 16, 4), 31);
		cr_assert_eq(bench_get(shared, 0, 20, 4), 0x100);
	}
	ptx_rig_fini(&p);
}
