/* tests/unit/core/lsu/test_lsu_units.c -- constants, the texture cache, banks of the L1, lanes in several
 * state spaces. */
#include "tests/unit/core/lsu/lsu_rig.h"

/* All words are read once; then, once these are there, the lanes of a warp read `n` of them. */
static uint64_t constant_cycles_of(uint32_t n, uint64_t *misses)
{
	char text[2048];
	struct run r;
	uint64_t took;

	snprintf(text, sizeof(text),
		".const .align 64 .b32 c[32];\n.visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<20>;\n.reg "
		".b64 %%rd<20>;\n"
		"ld.param.u64 %%rd1, [p];\nmov.u32 %%r1, %%tid.x;\nmul.wide.u32 %%rd2, %%r1, 4;\nmov.u64 "
		"%%rd5, c;\nadd.s64 %%rd6, %%rd5, %%rd2;\n"
		"ld.const.u32 %%r2, [%%rd6];\nand.b32 %%r3, %%r1, %u;\nor.b32 %%r3, %%r3, "
		"%%r2;\nmul.wide.u32 %%rd7, %%r3, 4;\n"
		"add.s64 %%rd3, %%rd1, %%rd2;\nadd.s64 %%rd7, %%rd5, %%rd7;\nld.const.u32 %%r9, "
		"[%%rd7];\nst.global.u32 [%%rd3], %%r9;\nret;\n}\n",
		n - 1);
	r.m = machine_new(text, SETS("sm.instruction.enabled=false", ));
	r.m->image->symbols[0].address = memory_allocate(gpu_memory(r.m->gpu), 256, 256);
	memset(memory_host(r.m->image->symbols[0].address), 0, 256);
	ptx_image_relocate(r.m->image);
	uint64_t p = memory_allocate(gpu_memory(r.m->gpu), 4096, 256);

	machine_launch(r.m, 1, 32, &p);
	cr_assert_eq(r.m->result.outcome, GPU_DONE, "%s", r.m->result.fault.text);
	took = r.m->result.core_cycles;
	*misses = machine_stat(r.m, "sm.constant.misses");
	machine_free(r.m);
	return took;
}

Test(lsu, a_constant_access_takes_a_cycle_for_each_address)
{
	uint64_t misses, one = constant_cycles_of(1, &misses);

	for (uint32_t n = 1; n <= 32; n *= 2) {
		cr_expect_eq(constant_cycles_of(n, &misses), one + n - 1, "%u addresses: %d", n,
			(int)(constant_cycles_of(n, &misses) - one));
		cr_expect_eq(misses, 2, "128 bytes are two lines of 64, asked for once");
	}
}

/* ---- the texture cache, by way of ld.global.nc ---- */

#define NC(body) \
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<40>;\n.reg .b64 %rd<20>;\n.reg .pred %p<4>;\n" \
	"ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd1, " \
	"%rd2;\n" body "ret;\n}\n"

static struct kernel_rig *texture_run(const char *body, const char *set)
{
	struct kernel_rig *r = rig_new(body, set);
	uint64_t p = rig_buffer(r, 1 << 18);

	rig_launch(r, 1, 32, &p, false);
	rig_expect_done(r);
	return r;
}

static uint64_t stat_of(struct kernel_rig *r, const char *name)
{
	return (uint64_t)stat_value(gpu_stats(r->gpu), NULL, name);
}

#define NC_TWICE \
	NC("ld.global.nc.u32 %r2, [%rd2];\n" THEN( \
		"%r2") "ld.global.nc.u32 %r4, [%rd2];\nst.global.u32 [%rd2+4096], %r4;\n")

Test(lsu, nc_loads_go_through_the_texture_cache_if_asked_to)
{
	struct kernel_rig *r = texture_run(NC_TWICE, "sm.nc_through_texture=true");

	cr_expect(stat_of(r, "sm.texture.misses") == 1 && stat_of(r, "sm.texture.hits") == 1 &&
		stat_of(r, "sm.l1d.misses") == 0);
	cr_expect(stat_of(r, "sm.texture_accesses") == 2 && stat_of(r, "sm.texture_lines") == 2);
	cr_expect(stat_of(r, "sm.line_requests") ==
		stat_of(r, "sm.l1d.accesses") + stat_of(r, "sm.texture.accesses"));
	rig_free(r);
	r = texture_run(NC_TWICE, NULL);
	cr_expect(stat_of(r, "sm.texture.accesses") == 0 && stat_of(r, "sm.l1d.misses") == 1 &&
		stat_of(r, "sm.l1d.hits") == 1);
	rig_free(r);
}

/* Lanes read 64 bytes of a line, two sectors; then all lanes one word of the third sector, then lanes 0 and 1
 * one word of each half: the first sector hits, the third too. Five sectors looked up, three missed, in two
 * misses of which the second finds its line. */
#define NC_SECTORS \
	NC("shr.u32 %r9, %r1, 1;\nmul.wide.u32 %rd4, %r9, 4;\nadd.s64 %rd5, %rd1, %rd4;\n" \
	   "ld.global.nc.u32 %r2, [%rd5];\n" THEN("%r2") "ld.global.nc.u32 %r4, [%rd1+64];\nadd.u32 %r2, " \
							 "%r2, %r4;\n" THEN( \
								 "%r4") "and.b32 %r9, %r1, " \
									"1;\nmul.wide.u32 %rd4, %r9, " \
									"64;\nadd.s64 %rd5, %rd1, %rd4;\n" \
									"ld.global.nc.u32 %r6, " \
									"[%rd5];\nadd.u32 %r2, %r2, " \
									"%r6;\nst.global.u32 [%rd2+4096], " \
									"%r2;\n")

Test(lsu, the_texture_cache_fetches_sectors_of_32_bytes)
{
	struct kernel_rig *r = texture_run(NC_SECTORS, "sm.nc_through_texture=true");

	cr_expect_eq(stat_of(r, "sm.texture.misses"), 2);
	cr_expect_eq(stat_of(r, "sm.texture.sector_misses"), 1, "of a line that is there in part");
	cr_expect_eq(stat_of(r, "sm.texture.hits"), 1);
	cr_expect_eq(stat_of(r, "sm.texture.asked_sectors"), 5);
	cr_expect_eq(stat_of(r, "sm.texture.missed_sectors"), 3);
	cr_expect_float_eq(stat_value(gpu_stats(r->gpu), NULL, "sm.texture.sector_hit_rate"), 0.4, 1e-9);
	cr_expect_eq(stat_of(r, "sm.texture.fill_bytes"), 3 * 32);
	rig_free(r);
	r = texture_run(NC_SECTORS, "sm.nc_through_texture=true sm.texture.sectors=1");
	cr_expect_eq(stat_of(r, "sm.texture.misses"), 1);
	cr_expect_eq(stat_of(r, "sm.texture.hits"), 2);
	cr_expect_eq(stat_of(r, "sm.texture.fill_bytes"), 128);
	rig_free(r);
}

#define LOOP \
	NC("mov.u32 %r5, 0;\nmov.u32 %r7, 0;\nagain: rem.u32 %r6, %r5, NNNN;\nmul.wide.u32 %rd4, %r6, " \
	   "128;\nadd.s64 %rd5, %rd1, %rd4;\n" \
	   "ld.global.nc.u32 %r8, [%rd5];\nadd.u32 %r5, %r5, 1;\nadd.u32 %r5, %r5, %r8;\nsetp.lt.u32 %p1, " \
	   "%r5, MMMM;\n@%p1 bra again;\n")

/* n lines, one after the other, twice. */
static uint64_t texture_misses(uint32_t n)
{
	char once[16], twice[16];
	struct kernel_rig *r;
	uint64_t misses;

	sprintf(once, "%u", n);
	sprintf(twice, "%u", 2 * n);
	r = texture_run(with(with(LOOP, "NNNN", once), "MMMM", twice), "sm.nc_through_texture=true");
	misses = stat_of(r, "sm.texture.misses");
	cr_assert_eq(stat_of(r, "sm.texture.accesses"), 2 * n);
	rig_free(r);
	return misses;
}

Test(lsu, the_texture_cache_holds_96_lines_in_four_sets)
{
	cr_expect_eq(texture_misses(96), 96);
	cr_expect_eq(texture_misses(97), 97 + 25,
		"one set has 25 lines for its 24 ways: with LRU none of them is found again");
}

Test(lsu, the_texture_units_take_eight_cycles_for_a_warp)
{
	struct kernel_rig *r[2];
	uint64_t took[2];

	for (int i = 0; i < 2; i++) {
		char text[8192] =
			".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<40>;\n.reg .b64 %rd<20>;\n"
			"ld.param.u64 %rd1, [p];\nld.global.nc.u32 %r1, [%rd1];\nand.b32 %r1, %r1, "
			"0;\ncvt.u64.u32 %rd2, %r1;\n"
			"add.s64 %rd1, %rd1, %rd2;\n";

		for (int k = 0; k < (i ? 24 : 8); k++)
			sprintf(text + strlen(text), "ld.global.nc.u32 %%r%d, [%%rd1];\n", 2 + k);
		for (int k = 0; k < (i ? 24 : 8); k++)
			sprintf(text + strlen(text), "st.global.u32 [%%rd1+4096], %%r%d;\n", 2 + k);
		strcat(text, "ret;\n}\n");
		r[i] = texture_run(text, "sm.nc_through_texture=true");
		took[i] = r[i]->result.core_cycles;
		rig_free(r[i]);
	}
	cr_expect(took[1] - took[0] >= 16 * 8 && took[1] - took[0] <= 16 * 8 + 16,
		"%d cycles for 16 more fetches", (int)(took[1] - took[0]));
}

/* ---- banks of the L1 ---- */

/* A warp whose lanes are 2 KB apart, so that all meet in one bank, loads 16 words of each lane's: 32 fills of
 * each of two sectors. */
#define IN_ONE_BANK \
	KERNEL("mul.wide.u32 %rd5, %r1, 2044;\nadd.s64 %rd5, %rd5, %rd2;\nmov.u32 %r9, 0;\nmov.u32 %r8, " \
	       "16;\n" \
	       "A:\nld.global.u32 %r2, [%rd5];\nadd.u32 %r9, %r9, %r2;\nadd.s64 %rd5, %rd5, 4;\nsub.u32 " \
	       "%r8, " \
	       "%r8, 1;\nsetp.ne.u32 %p1, %r8, 0;\n@%p1 bra A;\n")

static uint64_t cycles_in_one_bank(uint32_t threads, const char *fill)
{
	const char *sets[] = { "gpu.sms=1", "sm.l1d.sectors=4", "sm.l1d.banks=32", "sm.l1d.lookups=4",
		"sm.l1d.ways=32", "sm.l1d.mshrs=256", fill, NULL };
	struct machine *m = machine_new_for("sm_70", IN_ONE_BANK, sets);
	uint64_t p = memory_allocate(gpu_memory(m->gpu), 1 << 20, 256), took;

	machine_launch(m, 1, threads, &p);
	cr_assert_eq(m->result.outcome, GPU_DONE, "%s", m->result.fault.text);
	cr_expect_eq(machine_stat(m, "sm.l1d.fills"), 2 * threads);
	took = (uint64_t)machine_stat(m, "gpu.cycles");
	machine_free(m);
	return took;
}

Test(lsu, fills_take_cycles_of_the_banks_if_told_to)
{
	uint64_t apart = cycles_in_one_bank(256, "sm.l1d.fill_port_bytes=0"),
		 shared = cycles_in_one_bank(256, "sm.l1d.fill_port_bytes=128"),
		 narrow = cycles_in_one_bank(256, "sm.l1d.fill_port_bytes=16");

	cr_expect_geq(apart, 8 * 16 * 32, "%d: 32 cycles a load", (int)apart);
	cr_expect(shared - apart > 400 && shared - apart <= 512, "%d cycles for 512 fills",
		(int)(shared - apart));
	cr_expect(narrow - apart > 900 && narrow - apart <= 1024, "%d cycles at two a fill",
		(int)(narrow - apart));
}

/* ---- lanes in several spaces ---- */

/* Generic addresses: lane % 4 is 0: global, 1: shared, 2: local, 3: global again, in another line. */
#define MIXED \
	KERNEL("mov.u64 %rd5, all;\ncvta.shared.u64 %rd5, %rd5;\nmov.u64 %rd6, own;\ncvta.local.u64 %rd6, " \
	       "%rd6;\n" \
	       "mul.wide.u32 %rd7, %r1, 4;\nadd.s64 %rd5, %rd5, %rd7;\nand.b32 %r4, %r1, 3;\nmov.u64 %rd8, " \
	       "%rd2;\n" \
	       "setp.eq.u32 %p1, %r4, 1;\nselp.b64 %rd8, %rd5, %rd8, %p1;\nsetp.eq.u32 %p2, %r4, " \
	       "2;\nselp.b64 %rd8, %rd6, %rd8, %p2;\n" \
	       "setp.eq.u32 %p3, %r4, 3;\nadd.s64 %rd9, %rd2, 1024;\nselp.b64 %rd8, %rd9, %rd8, %p3;\n" \
	       "add.u32 %r5, %r1, 77;\nst.u32 [%rd8], %r5;\nmembar.gl;\nld.u32 %r9, [%rd8];\n")

Test(lsu, every_space_of_a_mixed_access_is_timed)
{
	struct run r = run(MIXED, SETS());

	for (uint32_t i = 0; i < 32; i++)
		cr_assert_eq(r.words[16384 + i], 77 + i);
	cr_expect_eq(machine_stat(r.m, "sm.line_requests"), 2 * (2 + 1) + 1,
		"two global lines and a local one, for store and load; the last store");
	cr_expect_eq(machine_stat(r.m, "sm.shared_accesses"), 2);
	cr_expect_eq(machine_stat(r.m, "sm.loads"), 1, "it is one instruction");
	machine_free(r.m);
	r = run(MIXED, SETS("sm.lsu_queue=1", "sm.lsu_in_flight=1", ));
	cr_expect_eq(machine_stat(r.m, "sm.line_requests"), 7);
	machine_free(r.m);
}

/* cvta.param gives an address that a load may name as one of global memory: it is served as a parameter, and
 * no cache is asked. The kernel's only request is its store. */
Test(lsu, a_global_load_of_a_parameter_asks_no_cache)
{
	struct run r = run_for("sm_70",
		KERNEL("mov.b64 %rd5, p;\ncvta.param.u64 %rd6, %rd5;\nld.global.u32 %r9, [%rd6];\n"), SETS());

	cr_expect_eq(machine_stat(r.m, "sm.l1d.misses"), 0);
	cr_expect_eq(machine_stat(r.m, "sm.line_requests"), 1, "%d requests",
		(int)machine_stat(r.m, "sm.line_requests"));
	machine_free(r.m);
}
