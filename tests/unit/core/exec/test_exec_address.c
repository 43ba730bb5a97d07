/* tests/unit/core/exec/test_exec_address.c -- addresses between spaces, from PTX text to results: the windows
 * of shared memory, local memory and parameters in the generic space, and which of them an address lies in.
 */
#include "memsys/memory.h"
#include "tests/unit/core/bench_rig.h"

static uint8_t shared[4096] __attribute__((aligned(256)));
static struct rig rig;

/* Runs a text that leaves a 32-bit result in %r9; every lane must give `want`. */
static void check(const char *text, uint32_t (*want)(unsigned lane))
{
	char whole[2048];
	struct ptx_rig p;

	snprintf(whole, sizeof whole, "%s\nst.shared.b32 [%%d0+64], %%r9;", text);
	ptx_rig_init(&p, whole);
	for_each_level(table)
	{
		for (unsigned i = 0; i < sizeof shared; i++)
			shared[i] = (uint8_t)(i / 128 + i % 128);
		ptx_rig_run(&p, table, &rig, shared);
		for (unsigned l = 0; l < 32; l++)
			cr_assert_eq(bench_get(shared, l, 64, 4), want(l), "%s: lane %u gives %lx, not %x",
				text, l, bench_get(shared, l, 64, 4), want(l));
	}
	ptx_rig_fini(&p);
}

/* A little-endian word of consecutive parameter bytes. */
static uint32_t parameter_word(unsigned offset)
{
	uint32_t word = 0;

	for (unsigned i = 0; i < 4; i++)
		word |= (uint32_t)(uint8_t)(3 * (offset + i) + 1) << 8 * i;
	return word;
}

static uint32_t word_20(unsigned lane)
{
	(void)lane;
	return parameter_word(20);
}

static uint32_t word_by_lane(unsigned lane)
{
	return parameter_word(16 + 4 * (lane % 8));
}

static uint32_t first_word_of_lane(unsigned lane)
{
	uint32_t word = 0;

	for (unsigned i = 0; i < 4; i++)
		word |= (uint32_t)(uint8_t)(lane + i) << 8 * i;
	return word;
}

static uint32_t parameter_or_shared(unsigned lane)
{
	return lane & 1 ? parameter_word(20) : first_word_of_lane(lane);
}

#define BY_LANE "and.b32 %r1, %lane, 7; shl.b32 %r1, %r1, 2; "

Test(exec_address, parameters_have_addresses)
{
	check("mov.u64 %d1, pc; ld.param.b32 %r9, [%d1+4];", word_20);
	check("mov.u64 %d1, pc+4; cvta.param.u64 %d2, %d1; ld.b32 %r9, [%d2];", word_20);
	check("cvta.param.u64 %d2, pc; ld.global.b32 %r9, [%d2+4];", word_20);
	check("cvta.param::entry.u64 %d2, pc+4; cvta.to.param.u64 %d3, %d2; ld.param.b32 %r9, [%d3];",
		word_20);
	check("cvta.param.u64 %d2, pc+4; cvta.to.global.u64 %d3, %d2; ld.global.nc.b32 %r9, [%d3];", word_20);
}

Test(exec_address, parameters_are_read_at_an_offset_of_each_lane)
{
	check(BY_LANE
		"cvt.u64.u32 %d1, %r1; mov.u64 %d2, pc; add.u64 %d1, %d1, %d2; ld.param.b32 %r9, [%d1];",
		word_by_lane);
	check(BY_LANE
		"mov.b64 %d2, pc; cvt.u32.u64 %r2, %d2; add.u32 %r1, %r1, %r2; ld.param.b32 %r9, [%r1];",
		word_by_lane);
	check(BY_LANE
		"cvt.u64.u32 %d1, %r1; cvta.param.u64 %d2, pc; add.u64 %d1, %d1, %d2; ld.b32 %r9, [%d1];",
		word_by_lane);
	check(BY_LANE "cvt.u64.u32 %d1, %r1; cvta.param.u64 %d2, pc; add.u64 %d1, %d1, %d2; @%p7 "
		      "ld.global.b32 %r9, [%d1]; "
		      "@!%p7 ld.global.b32 %r9, [%d1];",
		word_by_lane);
}

Test(exec_address, one_access_reads_parameters_and_memory)
{
	check("cvta.param.u64 %d1, pc+4; cvta.shared.u64 %d2, %d0; selp.b64 %d3, %d1, %d2, %p7; ld.b32 %r9, "
	      "[%d3];",
		parameter_or_shared);
	check("cvta.param.u64 %d1, pc+4; ld.param.u64 %d2, [pb]; add.u64 %d2, %d2, %d0; selp.b64 %d3, %d1, "
	      "%d2, %p7; "
	      "ld.global.b32 %r9, [%d3];",
		parameter_or_shared);
	check("cvta.param.u64 %d1, pc+4; ld.param.u64 %d2, [pb]; add.u64 %d2, %d2, %d0; selp.b64 %d3, %d1, "
	      "%d2, %p7; "
	      "ld.b32 %r9, [%d3];",
		parameter_or_shared);
}

Test(exec_address, parameters_cannot_be_written)
{
	static const char *const texts[] = { "cvta.param.u64 %d1, pc; st.b32 [%d1], %r1;",
		"cvta.param.u64 %d1, pc; st.global.b32 [%d1], %r1;",
		"cvta.param.u64 %d1, pc; atom.add.u32 %r1, [%d1], %r1;" };

	for (unsigned i = 0; i < 3; i++) {
		struct ptx_rig p;

		ptx_rig_init(&p, texts[i]);
		for_each_level(table)
		{
			rig_init(&rig);
			static _Alignas(64) uint32_t rows[64][32];
			struct device_memory *memory = memory_new(4096);
			const struct ptx_kernel *k = p.kernel;

			cr_assert_leq(k->rows, 64);
			rig.x.registers = rows;
			rig.x.constants = (const uint32_t(*)[32])k->constants;
			rig.x.memory = memory;
			rig.x.shared = shared;
			for (uint32_t u = 0;
				u < k->uop_count && k->uops[u].code != UOP_EXIT && !rig.x.faulted; u++)
				rig_run(&rig, table, &k->uops[u], UINT32_MAX);
			cr_assert(rig.x.faulted, "%s", texts[i]);
			cr_assert_eq(rig.fault.kind, FAULT_OUT_OF_BOUNDS);
			memory_free(memory);
		}
		ptx_rig_fini(&p);
	}
}

static uint32_t one(unsigned lane)
{
	(void)lane;
	return 1;
}

static uint32_t zero(unsigned lane)
{
	(void)lane;
	return 0;
}

static uint32_t odd(unsigned lane)
{
	return lane & 1;
}

#define IN(space) "isspacep." space " %p1, %d1; selp.b32 %r9, 1, 0, %p1;"

Test(exec_address, spaces_are_told_apart)
{
	check("cvta.param.u64 %d1, pc; " IN("param"), one);
	check("cvta.param.u64 %d1, pc; " IN("param::entry"), one);
	check("cvta.param.u64 %d1, pc; " IN("global"), one);
	check("cvta.param.u64 %d1, pc; " IN("shared"), zero);
	check("cvta.shared.u64 %d1, %d0; " IN("shared"), one);
	check("cvta.shared.u64 %d1, %d0; " IN("shared::cta"), one);
	check("cvta.shared::cluster.u64 %d1, %d0; " IN("shared::cluster"), one);
	check("cvta.shared.u64 %d1, %d0; " IN("global"), zero);
	check("mov.u64 %d2, mine; cvta.local.u64 %d1, %d2; " IN("local"), one);
	check("cvta.local.u64 %d1, mine; " IN("param"), zero);
	check("cvta.param.u64 %d1, pc; cvta.shared.u64 %d2, %d0; selp.b64 %d1, %d1, %d2, %p7; " IN("global"),
		odd);
	check("ld.param.u64 %d1, [pb]; " IN("const"), zero);
}

Test(exec_address, a_cluster_has_one_cta)
{
	check("cvt.u32.u64 %r1, %d0; mapa.shared::cluster.u32 %r2, %r1, 0; ld.shared::cluster.b32 %r9, "
	      "[%r2];",
		first_word_of_lane);
	check("cvta.shared.u64 %d1, %d0; mapa.u64 %d2, %d1, 0; ld.b32 %r9, [%d2];", first_word_of_lane);
	check("cvta.shared.u64 %d1, %d0; getctarank.u64 %r9, %d1;", zero);
	check("getctarank.shared::cluster.u32 %r9, %r0;", zero);
}

Test(exec_address, constants_are_marked_until_they_are_freed)
{
	struct device_memory *memory = memory_new(1 << 20);
	addr first = memory_allocate(memory, 100, 0), second = memory_allocate(memory, 100, 0);

	memory_mark_constant(memory, second);
	memory_mark_constant(memory, second);
	cr_assert(!memory_is_constant(memory, first));
	cr_assert(memory_is_constant(memory, second) && memory_is_constant(memory, second + 99));
	cr_assert(!memory_is_constant(memory, second + 100));
	memory_release(memory, second);
	cr_assert_eq(memory_allocate(memory, 100, 0), second);
	cr_assert(!memory_is_constant(memory, second));
	memory_free(memory);
}
