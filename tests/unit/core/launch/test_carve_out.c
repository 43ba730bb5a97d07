/* How an array is divided between L1 and shared memory (sm.shared_carve_outs): the list, the choice, and what
 * a kernel finds in its L1. */
#include "core/kernel/carve_out.h"
#include "core/kernel/occupancy.h"
#include "tests/unit/core/machine_rig.h"

static struct carve_outs read(const char *list)
{
	struct carve_outs sizes;
	char message[256] = "";

	cr_assert(carve_outs_read(&sizes, list, message, sizeof(message)), "%s", message);
	return sizes;
}

Test(carve_out, the_smallest_size_with_room_for_the_ctas_and_the_preference)
{
	struct carve_outs volta = read("0 8K 16K 32K 64K 96K");

	cr_assert_eq(volta.count, 6);
	cr_expect_eq(carve_out_for(&volta, 0, 0), 0);
	cr_expect_eq(carve_out_for(&volta, 1, 0), 8192);
	cr_expect_eq(carve_out_for(&volta, 8192, 0), 8192);
	cr_expect_eq(carve_out_for(&volta, 8193, 0), 16384);
	cr_expect_eq(carve_out_for(&volta, 98304, 0), 98304);
	cr_expect_eq(carve_out_for(&volta, 0, 50), 65536, "48K are asked for");
	cr_expect_eq(carve_out_for(&volta, 0, 100), 98304);
	cr_expect_eq(carve_out_for(&volta, 65537, 10), 98304, "a preference takes nothing from the CTAs");
	cr_expect_eq(read("none").count, 0);
	cr_expect_eq(read(" 100  2K ").bytes[1], 2048);
}

static void refused(const char *list, const char *why)
{
	struct carve_outs sizes;
	char message[256] = "";

	cr_expect_not(carve_outs_read(&sizes, list, message, sizeof(message)), "%s", list);
	cr_expect(strstr(message, why), "%s: %s", list, message);
}

Test(carve_out, a_list_that_is_none_is_refused_with_its_place)
{
	refused("0 8K x", "character 6");
	refused("-8", "character 1");
	refused("8M", "character 1");
	refused("1025K", "character 1");
	refused("99999999999999999999999", "character 1");
	refused("8K 8K", "each larger than the one before");
	refused("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17", "at most 16");
}

Test(carve_out, sizes_are_whole_ways_and_leave_one)
{
	struct carve_outs sizes = read("0 1K 3K");
	char message[256] = "";

	cr_expect(carve_outs_check(&sizes, 4096, 128, 3072, message, sizeof(message)), "%s", message);
	cr_expect_not(
		carve_outs_check(&sizes, 4096, 128, 4096, message, sizeof(message)), "another largest size");
	cr_expect_not(carve_outs_check(&sizes, 3072, 128, 3072, message, sizeof(message)), "nothing is left");
	cr_expect_not(carve_outs_check(&sizes, 8192, 2048, 3072, message, sizeof(message)), "half a way");
}

/* Twice through 24 lines by the first lane; of an array of 32 lines, in one set. */
#define TWICE(shared) \
	".visible .entry k(.param .u64 p)\n{\n.shared .align 4 .b8 s[" shared "];\n.reg .b32 %r<5>;\n" \
	".reg .b64 %rd<4>;\n.reg .pred %q;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, 0;\n" \
	"L:\nrem.u32 %r2, %r1, 24;\nmul.wide.u32 %rd2, %r2, 128;\nadd.s64 %rd3, %rd1, %rd2;\n" \
	"ld.global.u32 %r3, [%rd3];\nadd.u32 %r1, %r1, %r3;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %q, %r1, " \
	"48;\n" \
	"@%q bra L;\nst.shared.u32 [s], %r1;\nret;\n}\n"

static uint64_t misses_with(const char *sms, const char *body, const char *carve_outs, uint32_t percent)
{
	const char *sets[] = { sms, "sm.l1d.sets=1", "sm.l1d.index=linear", "sm.l1d.streaming=true",
		"sm.shared_bytes=3K", "sm.max_shared_per_cta=3K", "sm.max_ctas=1", "sm.l1d.ways=32",
		carve_outs, NULL };
	struct machine *m = machine_new(body, sets);
	uint64_t p = memory_allocate(gpu_memory(m->gpu), 24 * 128, 256), n;
	struct launch launch = { .kernel = &m->image->kernels[0],
		.grid = { 1, 1, 1 },
		.block = { 1, 1, 1 },
		.shared_percent = percent,
		.params = (const uint8_t *)&p };

	memset(memory_host(p), 0, 24 * 128);
	run_launch(m->gpu, &launch, false, &m->result);
	cr_assert_eq(m->result.outcome, GPU_DONE);
	n = machine_stat(m, "sm.l1d.misses");
	machine_free(m);
	return n;
}

static uint64_t misses(const char *body, const char *carve_outs, uint32_t percent)
{
	return misses_with("gpu.sms=1", body, carve_outs, percent);
}

#define SIZES "sm.shared_carve_outs=0 1K 3K"

Test(carve_out, the_l1_has_what_shared_memory_leaves)
{
	cr_expect_eq(misses(TWICE("4"), "sm.shared_carve_outs=none", 0), 24, "two arrays");
	cr_expect_eq(misses(TWICE("4"), SIZES, 0), 24, "24 lines are left of 32");
	cr_expect_eq(misses(TWICE("1024"), SIZES, 0), 24);
	cr_expect_eq(misses(TWICE("1028"), SIZES, 0), 48, "8 lines are left");
	cr_expect_eq(misses(TWICE("4"), SIZES, 100), 48, "as many, as the kernel prefers shared memory");
	cr_expect_eq(misses(TWICE("4"), SIZES, 30), 24, "922 bytes are preferred");
	cr_expect_eq(
		misses_with("gpu.sms=16", TWICE("4"), SIZES, 0), 24, "the CTAs of one SM count, not of all");
}

/* A load through the texture cache, then an ordinary one of the same line, which waits for the first. */
static const char both_ways[] =
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<3>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [p];\n"
	"ld.global.nc.u32 %r1, [%rd1];\ncvt.u64.u32 %rd2, %r1;\nadd.s64 %rd3, %rd1, %rd2;\n"
	"ld.global.u32 %r2, [%rd3];\nst.global.u32 [%rd1+4], %r2;\nret;\n}\n";

static uint64_t misses_both_ways(const char *where, uint64_t *of_textures)
{
	const char *sets[] = { "gpu.sms=1", "sm.l1d.sectors=4", "sm.nc_through_texture=true", where, NULL };
	struct machine *m = machine_new_for("sm_35", both_ways, sets);
	uint64_t p = memory_allocate(gpu_memory(m->gpu), 128, 256), n;

	memset(memory_host(p), 0, 128);
	machine_launch(m, 1, 1, &p);
	cr_assert_eq(m->result.outcome, GPU_DONE);
	n = machine_stat(m, "sm.l1d.misses");
	*of_textures = machine_stat(m, "sm.texture.misses");
	machine_free(m);
	return n;
}

Test(carve_out, textures_may_have_the_l1_as_their_cache)
{
	uint64_t of_textures;

	cr_expect_eq(misses_both_ways("sm.texture_in_l1=false", &of_textures), 1);
	cr_expect_eq(of_textures, 1);
	cr_expect_eq(misses_both_ways("sm.texture_in_l1=true", &of_textures), 1, "the second load hits");
	cr_expect_eq(of_textures, 0);
}

Test(carve_out, a_cta_beside_others_does_with_what_there_is)
{
	struct sm_limits limits = { .threads = 1536,
		.warps = 48,
		.ctas = 8,
		.shared_bytes = 3072,
		.barriers = 16,
		.registers = 32768,
		.warp_granularity = 1,
		.has_carve_outs = true };
	struct sm_use use = { .ctas = 1, .warps = 1, .carve_out = 1024 };
	struct cta_allocation fits = { .warps = 1, .shared = 1024 }, large = { .warps = 1, .shared = 1152 };

	cr_expect(occupancy_has_room(&limits, &use, &fits));
	cr_expect_not(occupancy_has_room(&limits, &use, &large));
	limits.has_carve_outs = false;
	cr_expect(occupancy_has_room(&limits, &use, &large));
}
