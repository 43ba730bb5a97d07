/* %clock, and with its help what loads of several words and of several constants cost. */
#include "tests/unit/core/kernel_rig.h"
#include <stdarg.h>

/* Shader cycles between START and STOP in the code, of one warp; further arguments: "path=value" until NULL.
 */
#define START "mov.u32 %r4, %clock;\n"
#define STOP  "mov.u32 %r5, %clock;\n"
#define TAIL  "sub.u32 %r3, %r5, %r4;\nst.global.u32 [%rd0], %r3;"

static uint32_t measure(const char *body, ...)
{
	struct bench *b = bench_new(".version 3.2\n.target sm_20", body, 32);
	struct gpu *first = b->gpu;
	uint32_t took;
	const char *set;
	va_list sets;

	va_start(sets, body);
	while ((set = va_arg(sets, const char *)))
		cr_assert(config_set(b->config, set, &b->diags));
	va_end(sets);
	gpu_free(first);
	b->gpu = gpu_new(b->config, &b->diags);
	cr_assert(b->gpu);
	bench_load(b);
	b->out = memory_allocate(gpu_memory(b->gpu), 128, 256);
	b->at = memory_host(b->out);
	bench_run(b, 1, 32, false);
	cr_assert_eq(b->result.outcome, GPU_DONE, "%s", b->result.fault.text);
	took = b->at[0];
	bench_free(b);
	return took;
}

/* Results stay in use behind STOP, else it would wait for one of their registers. */
#define LINK "add.u32 %r6, %r6, %r6;\n"
#define CHAIN \
	KERNEL("mov.u32 %r6, 1;\n" LINK LINK START LINK LINK LINK LINK LINK LINK LINK STOP \
	       "st.global.u32 [%rd0], %r6;\n" TAIL)

Test(clock, counts_shader_cycles)
{
	uint32_t twice = measure(CHAIN, NULL), once = measure(CHAIN, "gpu.core_mhz=1401", NULL),
		 thrice = measure(CHAIN, "gpu.core_mhz=467", NULL),
		 slower = measure(CHAIN, "gpu.core_mhz=2802", NULL);

	cr_assert_eq(once, 70, "seven additions of ten cycles: %u", once);
	cr_assert_eq(twice, 2 * once, "%u, %u", twice, once);
	cr_assert_eq(thrice, 3 * once, "%u, %u", thrice, once);
	cr_assert_eq(slower, once, "never less than one for a cycle: %u, %u", slower, once);
}

/* Eight instructions, each into registers of its own. The last one's result is waited for: they are served in
 * order. */
#define EIGHT(a)       a("0") a("1") a("2") a("3") a("4") a("5") a("6") a("7")
#define REGISTERS      ".reg .b32 %a<8>, %b<8>, %c<8>, %d<8>, %e;\n"
#define USE(k)         "xor.b32 %e, %e, %a" k ";\n"
#define USE_WIDE(k)    USE(k) "xor.b32 %e, %e, %b" k ";\nxor.b32 %e, %e, %c" k ";\nxor.b32 %e, %e, %d" k ";\n"
#define END(use)       USE("7") STOP EIGHT(use) "st.global.u32 [%rd0], %e;\n" TAIL
#define LOAD_WIDE(k)   "ld.shared.v4.u32 {%a" k ", %b" k ", %c" k ", %d" k "}, [%r1];\n"
#define STORE_WIDE(k)  "st.shared.v4.u32 [%r1], {%r2, %r2, %r2, %r2};\n"
#define LOAD_DOUBLE(k) "ld.shared.v2.u32 {%a" k ", %b" k "}, [%r1];\n"
#define SHARED(what) \
	".shared .align 16 .b8 s[512];\n" KERNEL( \
		REGISTERS "mov.u32 %e, 0;\nmov.u32 %r1, %tid.x;\n" \
			  "shl.b32 %r1, %r1, 4;\nmov.u32 %r2, s;\nadd.u32 %r1, %r1, %r2;\n" what)
#define LOADS  START EIGHT(LOAD_WIDE) END(USE_WIDE)
#define STORES START EIGHT(STORE_WIDE) EIGHT(LOAD_DOUBLE) END(USE)

Test(clock, quarter_warps_of_wide_shared_loads_take_longer_but_not_those_of_stores)
{
	uint32_t loads[3], stores[2];

	loads[0] = measure(SHARED(LOADS), "sm.shared_wide_load=0", NULL);
	loads[1] = measure(SHARED(LOADS), NULL);
	loads[2] = measure(SHARED(LOADS), "sm.shared_wide_load=2", NULL);
	cr_assert_eq(loads[1] - loads[0], 2 * 8 * 4,
		"a cycle for each of four quarters of eight loads: %u, %u", loads[1], loads[0]);
	cr_assert_eq(loads[2] - loads[1], 2 * 8 * 4, "%u, %u", loads[2], loads[1]);
	stores[0] = measure(SHARED(STORES), "sm.shared_wide_load=0", NULL);
	stores[1] = measure(SHARED(STORES), NULL);
	cr_assert_eq(stores[1], stores[0], "%u, %u", stores[1], stores[0]);
}

#define LOAD_WORD(k) "ld.shared.u32 %a" k ", [%r1];\n" /* lanes are 16 bytes apart: four in each bank */

Test(clock, bank_conflicts_lengthen_the_latency_but_occupy_the_banks_no_longer)
{
	uint32_t loads[3];

	loads[0] = measure(SHARED(START EIGHT(LOAD_WORD) END(USE)), NULL);
	loads[1] = measure(SHARED(START EIGHT(LOAD_WORD) END(USE)), "sm.shared_conflict_latency=1", NULL);
	loads[2] = measure(SHARED(START EIGHT(LOAD_WORD) END(USE)), "sm.shared_conflict_latency=5", NULL);
	cr_assert_eq(loads[1] - loads[0], 2 * 3, "three conflicts: %u, %u", loads[1], loads[0]);
	cr_assert_eq(loads[2] - loads[0], 2 * 3 * 5, "%u, %u", loads[2], loads[0]);
	loads[1] = measure(SHARED(LOADS), "sm.shared_conflict_latency=5", "sm.shared_wide_load=0", NULL);
	loads[0] = measure(SHARED(LOADS), "sm.shared_wide_load=0", NULL);
	cr_assert_eq(loads[1], loads[0], "a wide load is none: %u, %u", loads[1], loads[0]);
}

#define LOAD_CONST(k)   "ld.const.u32 %a" k ", [%rd3];\n"
#define LOAD_CONST_4(k) "ld.const.v4.u32 {%a" k ", %b" k ", %c" k ", %d" k "}, [%rd3];\n"
/* Lane l reads word l mod 2^bits. */
#define CONSTANT(bits, load, use) \
	".const .align 16 .u32 t[32];\n" KERNEL( \
		REGISTERS "mov.u32 %e, 0;\nmov.u32 %r1, %tid.x;\n" \
			  "and.b32 %r1, %r1, " #bits ";\nmul.wide.u32 %rd3, %r1, 4;\nmov.u64 %rd4, t;\n" \
			  "add.u64 %rd3, %rd3, %rd4;\nld.const.u32 %r2, [%rd3];\nxor.b32 %r2, %r2, %r2;\n" \
			  "cvt.u64.u32 %rd4, %r2;\nadd.u64 %rd3, %rd3, %rd4;\n" START EIGHT(load) END(use))

Test(clock, constants_take_a_cycle_for_each_address_and_each_word_of_a_lane)
{
	uint32_t two = measure(CONSTANT(1, LOAD_CONST, USE), NULL),
		 four = measure(CONSTANT(3, LOAD_CONST, USE), NULL),
		 eight = measure(CONSTANT(7, LOAD_CONST, USE), NULL),
		 wide = measure(CONSTANT(0, LOAD_CONST_4, USE_WIDE), NULL);

	cr_assert_eq(eight - four, 2 * 8 * 4, "eight loads: %u, %u", eight, four);
	cr_assert_eq(four - two, 2 * 8 * 2, "%u, %u", four, two);
	cr_assert_eq(wide, four, "four words of one address as one word of four: %u, %u", wide, four);
}
