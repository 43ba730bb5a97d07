/* The load/store unit in the assembled machine, one warp: what cache operators do to values and traffic,
 * local memory, constants, the texture cache, accesses of several spaces. Traffic is worked out by hand. */
#include "tests/unit/core/launch_rig.h"
#include "tests/unit/core/machine_rig.h"

#define SETS(...) ((const char *const[]){ "gpu.sms=1", __VA_ARGS__ NULL })

/* %rd1: the parameter, %r1: the lane, %rd2: the lane's word, %rd3: its result, 64 KB on. Ends with the result
 * in %r9. */
#define KERNEL(body) \
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n.reg .b16 " \
	"%h<9>;\n.reg .pred %p<4>;\n" \
	".local .align 16 .b8 own[64];\n.shared .align 16 .b8 all[1024];\n" \
	"ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd1, " \
	"%rd2;\n" \
	"add.s64 %rd3, %rd2, 65536;\n" body "st.global.u32 [%rd3], %r9;\nret;\n}\n"
/* %rd2 again, once %r2 is there */
#define THEN(register) "and.b32 %r3, " register ", 0;\ncvt.u64.u32 %rd4, %r3;\nadd.s64 %rd2, %rd2, %rd4;\n"

/* The text with each `mark` replaced; valid until two calls later. */
static const char *with(const char *text, const char *mark, const char *word)
{
	static char buffers[2][8192];
	static int turn;
	char *out = buffers[turn ^= 1], *to = out;
	const char *at;

	while ((at = strstr(text, mark))) {
		to += sprintf(to, "%.*s%s", (int)(at - text), text, word);
		text = at + strlen(mark);
	}
	strcpy(to, text);
	return out;
}

struct run {
	struct machine *m;
	uint32_t *words;
};

static struct run run_for(const char *target, const char *text, const char *const *sets)
{
	struct run r = { .m = machine_new_for(target, text, sets) };
	uint64_t p = memory_allocate(gpu_memory(r.m->gpu), 1 << 18, 256);

	r.words = memory_host(p);
	memset(r.words, 0, 1 << 18);
	for (uint32_t i = 0; i < 8192; i++)
		r.words[i] = 1000 + i;
	machine_launch(r.m, 1, 32, &p);
	cr_assert_eq(r.m->result.outcome, GPU_DONE, "%s", r.m->result.fault.text);
	return r;
}

static struct run run(const char *text, const char *const *sets)
{
	return run_for("sm_20", text, sets);
}

/* Statistics of the kernel beside its last store, which is one line. */
struct traffic {
	uint64_t hits, misses, uncached, dropped;
};

static void expect(
	const char *what, const char *text, const char *const *sets, struct traffic t, uint32_t factor)
{
	struct run r = run(text, sets);

	for (uint32_t i = 0; i < 32; i++)
		cr_assert_eq(r.words[16384 + i], factor * (1000 + i), "%s: lane %u: %u", what, i,
			r.words[16384 + i]);
	cr_expect_eq(machine_stat(r.m, "sm.l1d.hits"), t.hits, "%s: %d hits", what,
		(int)machine_stat(r.m, "sm.l1d.hits"));
	cr_expect_eq(machine_stat(r.m, "sm.l1d.misses"), t.misses, "%s: %d misses", what,
		(int)machine_stat(r.m, "sm.l1d.misses"));
	cr_expect_eq(machine_stat(r.m, "sm.l1d.uncached"), t.uncached, "%s: %d uncached", what,
		(int)machine_stat(r.m, "sm.l1d.uncached"));
	cr_expect_eq(machine_stat(r.m, "sm.l1d.store_evictions"), t.dropped, "%s: %d dropped", what,
		(int)machine_stat(r.m, "sm.l1d.store_evictions"));
	machine_free(r.m);
}

#define TWICE(ld) KERNEL(ld " %r2, [%rd2];\n" THEN("%r2") ld " %r4, [%rd2];\nadd.u32 %r9, %r2, %r4;\n")

Test(lsu, loads_by_operator)
{
	const struct traffic cached = { .hits = 1, .misses = 1 }, past = { .uncached = 2 };

	expect("none", TWICE("ld.global.u32"), SETS(), cached, 2);
	expect(".ca", TWICE("ld.global.ca.u32"), SETS(), cached, 2);
	expect(".cs", TWICE("ld.global.cs.u32"), SETS(), cached, 2);
	expect(".lu", TWICE("ld.global.lu.u32"), SETS(), cached, 2);
	expect(".cg", TWICE("ld.global.cg.u32"), SETS(), past, 2);
	expect(".cv", TWICE("ld.global.cv.u32"), SETS(), past, 2);
	expect("volatile", TWICE("ld.volatile.global.u32"), SETS(), past, 2);
	expect("generic .cg", TWICE("ld.cg.u32"), SETS(), past, 2);
}

Test(lsu, a_load_from_the_l2_drops_the_copy_in_the_l1)
{
	const struct traffic t = { .misses = 2, .uncached = 1, .dropped = 1 };
	static const char text[] =
		KERNEL("ld.global.ca.u32 %r2, [%rd2];\n" THEN("%r2") "ld.global.cg.u32 %r4, [%rd2];\n" THEN(
			"%r4") "ld.global.ca.u32 %r5, [%rd2];\nadd.u32 %r9, %r2, %r4;\nadd.u32 %r9, %r9, "
			       "%r5;\n");

	expect(".ca .cg .ca", text, SETS(), t, 3);
}

Test(lsu, dlcm_changes_loads_without_an_operator_alone)
{
	const struct traffic cached = { .hits = 1, .misses = 1 }, past = { .uncached = 2 };

	expect("none", TWICE("ld.global.u32"), SETS("sm.global_loads=cg", ), past, 2);
	expect(".ca", TWICE("ld.global.ca.u32"), SETS("sm.global_loads=cg", ), cached, 2);
	expect(".ca without L1", TWICE("ld.global.ca.u32"), SETS("sm.l1d.enabled=false", ), past, 2);
}

/* A load, a fence, with or without a store to another line before it, the load again. */
#define FENCED(st) \
	KERNEL("ld.global.u32 %r2, [%rd2];\n" THEN("%r2") st "@@@@;\nld.global.u32 %r4, [%rd2];\nadd.u32 " \
							     "%r9, %r2, %r4;\n")

Test(lsu, a_fence_wider_than_the_cta_empties_the_l1_if_told_to)
{
	static const char *const texts[] = { FENCED(""), FENCED("st.global.u32 [%rd2+8192], %r2;\n") },
				 *const wide[] = { "membar.gl", "membar.sys" };
	const struct traffic stays = { .hits = 1, .misses = 1 }, goes = { .misses = 2 };

	for (int i = 0; i < 2; i++) {
		expect("membar.cta", with(texts[i], "@@@@", "membar.cta"),
			SETS("sm.fence_invalidates=true", ), stays, 2);
		expect("not told to", with(texts[i], "@@@@", "membar.gl"), SETS(), stays, 2);
		for (int k = 0; k < 2; k++)
			expect(wide[k], with(texts[i], "@@@@", wide[k]), SETS("sm.fence_invalidates=true", ),
				goes, 2);
	}
}

static uint64_t misses_around(const char *fence)
{
	struct run r = run_for("sm_90", with(FENCED(""), "@@@@", fence), SETS("sm.fence_invalidates=true", ));
	uint64_t misses = machine_stat(r.m, "sm.l1d.misses");

	machine_free(r.m);
	return misses;
}

/* As ptxas has it for sm_90. */
Test(lsu, which_fences_empty_the_l1)
{
	static const char *const empty[] = { "fence.acq_rel.gpu", "fence.sc.sys", "fence.acq_rel.cluster",
		"fence.acquire.gpu", "fence.proxy.alias", "ld.acquire.gpu.global.u32 %r7, [%rd3]",
		"ld.acquire.sys.u32 %r7, [%rd3]", "atom.acquire.gpu.global.add.u32 %r7, [%rd3], 1",
		"atom.acq_rel.sys.global.cas.b32 %r7, [%rd3], 1, 2" },
				 *const leave[] = { "fence.sc.cta", "fence.acq_rel.cta", "fence.release.sys",
					 "fence.proxy.async", "fence.mbarrier_init.release.cluster",
					 "ld.acquire.cta.global.u32 %r7, [%rd3]",
					 "ld.relaxed.gpu.global.u32 %r7, [%rd3]",
					 "st.release.gpu.global.u32 [%rd3], %r2",
					 "red.release.gpu.global.add.u32 [%rd3], %r2" };

	for (int i = 0; i < 9; i++) {
		cr_expect_eq(misses_around(empty[i]), 2, "%s", empty[i]);
		cr_expect_eq(misses_around(leave[i]), 1, "%s", leave[i]);
	}
}

static uint64_t cycles_of(const char *text, const char *access, const char *const *sets)
{
	struct run r = run_for("sm_90", with(text, "@@@@", access), sets);
	uint64_t took = machine_stat(r.m, "gpu.cycles");

	machine_free(r.m);
	return took;
}

/* Of a kernel with a store to a line of its own and then an access. */
static uint64_t cycles_with(const char *access)
{
	return cycles_of(FENCED("st.global.u32 [%rd2+8192], %r2;\n"), access, SETS());
}

/* Each level has its own least latency; behind a store a fence takes so much longer than the acknowledgement;
 * one of the CTA does not wait for that if told so. */
Test(lsu, fences_take_as_long_as_their_level)
{
	static const struct {
		const char *fence, *latency;
	} levels[] = { { "membar.cta", "sm.fence_cta_latency=500" },
		{ "membar.gl", "sm.fence_gpu_latency=500" }, { "membar.sys", "sm.fence_sys_latency=500" },
		{ "fence.acq_rel.cluster", "sm.fence_gpu_latency=500" },
		{ "fence.proxy.async", "sm.fence_gpu_latency=500" },
		{ "fence.proxy.async.shared::cta", "sm.fence_cta_latency=500" },
		{ "fence.proxy.async.global", "sm.fence_cta_latency=500" },
		{ "fence.mbarrier_init.release.cluster", "sm.fence_cta_latency=500" } };
	static const char store[] = FENCED("st.global.u32 [%rd2+8192], %r2;\n");
	const char *const *plain = SETS();
	const char *const *slow = SETS("sm.fence_store_latency=216", );
	const char *const *apart = SETS("sm.fence_cta_waits=false", );
	const char *const *all =
		SETS("sm.fence_cta_latency=200", "sm.fence_gpu_latency=200", "sm.fence_sys_latency=200", );

	for (int i = 0; i < 8; i++)
		cr_expect_eq(cycles_of(FENCED(""), levels[i].fence,
				     SETS("sm.fence_cta_latency=200", "sm.fence_gpu_latency=200",
					     "sm.fence_sys_latency=200", levels[i].latency, )),
			cycles_of(FENCED(""), levels[i].fence, all) + 300, "%s", levels[i].fence);
	for (int i = 0; i < 8; i++)
		cr_expect_eq(cycles_of(store, levels[i].fence, slow),
			cycles_of(store, levels[i].fence, plain) + 216, "%s", levels[i].fence);
	cr_expect_lt(cycles_of(store, "membar.cta", apart) + 100, cycles_of(store, "membar.cta", plain));
}

Test(lsu, a_release_waits_for_the_stores_before_it)
{
	uint64_t relaxed = cycles_with("red.relaxed.gpu.global.add.u32 [%rd3], %r2"),
		 released = cycles_with("red.release.gpu.global.add.u32 [%rd3], %r2"),
		 fenced = cycles_with("fence.release.gpu;\nred.relaxed.gpu.global.add.u32 [%rd3], %r2");

	cr_expect_eq(released, fenced);
	cr_expect_gt(released, relaxed + 100, "%d %d", (int)released, (int)relaxed);
	cr_expect_eq(cycles_with("red.release.cta.global.add.u32 [%rd3], %r2"), relaxed);
}

/* A load, a store to the line, a load: global stores go through to the L2 and drop the line, whatever the
 * operator. */
#define AROUND(st) \
	KERNEL("ld.global.u32 %r2, [%rd2];\nadd.u32 %r5, %r2, %r2;\n" st \
	       " [%rd2], %r5;\nmembar.gl;\nld.global.u32 %r9, [%rd2];\n")

Test(lsu, stores_by_operator)
{
	static const char *const stores[] = { "st.global.u32", "st.global.wb.u32", "st.global.cg.u32",
		"st.global.cs.u32", "st.global.wt.u32", "st.volatile.global.u32", "st.u32" };
	const struct traffic t = { .misses = 2, .dropped = 1 };

	for (uint32_t i = 0; i < sizeof(stores) / sizeof(*stores); i++)
		expect(stores[i], with(AROUND("@@@@"), "@@@@", stores[i]), SETS(), t, 2);
}

/* ---- widths ---- */

static uint64_t lines_of(const char *text, const char *const *sets)
{
	struct run r = run(text, sets);
	uint64_t lines = machine_stat(r.m, "sm.line_requests");

	machine_free(r.m);
	return lines - 1; /* the last store */
}

/* Each lane's element of so many bytes, side by side. */
#define WIDE(bytes, ld) \
	KERNEL("mul.lo.u32 %r4, %r1, " #bytes ";\ncvt.u64.u32 %rd5, %r4;\nadd.s64 %rd5, %rd1, %rd5;\n" ld \
	       "\nmov.u32 %r9, 1;\n")

Test(lsu, wide_accesses_ask_for_a_line_in_each_part_of_the_warp)
{
	cr_expect_eq(lines_of(WIDE(1, "ld.global.u8 %r5, [%rd5];"), SETS()), 1);
	cr_expect_eq(lines_of(WIDE(2, "ld.global.u16 %r5, [%rd5];"), SETS()), 1);
	cr_expect_eq(lines_of(WIDE(4, "ld.global.v2.u16 {%h1, %h2}, [%rd5];"), SETS()), 1);
	cr_expect_eq(lines_of(WIDE(8, "ld.global.u64 %rd6, [%rd5];"), SETS()), 2);
	cr_expect_eq(lines_of(WIDE(8, "ld.global.v2.u32 {%r5, %r6}, [%rd5];"), SETS()), 2);
	cr_expect_eq(lines_of(WIDE(16, "ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd5];"), SETS()), 4);
	cr_expect_eq(lines_of(WIDE(16, "ld.global.v2.u64 {%rd6, %rd7}, [%rd5];"), SETS()), 4);
	cr_expect_eq(
		lines_of(WIDE(0, "ld.global.u64 %rd6, [%rd5];"), SETS()), 2, "one address: each half asks");
	cr_expect_eq(lines_of(WIDE(0, "ld.global.u64 %rd6, [%rd5];"), SETS("sm.coalesce_parts=false", )), 1);
	cr_expect_eq(lines_of(WIDE(128, "ld.global.u32 %r5, [%rd5];"), SETS()), 32);
	cr_expect_eq(lines_of(WIDE(4, "ld.global.cg.u32 %r5, [%rd5];"), SETS()), 1);
	cr_expect_eq(lines_of(WIDE(8, "ld.global.cg.u64 %rd6, [%rd5];"), SETS()), 2);
}

/* Bytes and packets that the L2 is asked for. */
static void expect_past(const char *text, const char *const *sets, uint32_t requests, uint32_t bytes)
{
	struct run r = run(text, sets);

	cr_expect_eq(machine_stat(r.m, "sm.l1d.uncached"), requests, "%s: %d requests", text,
		(int)machine_stat(r.m, "sm.l1d.uncached"));
	cr_expect_eq(machine_stat(r.m, "sm.l1d.uncached_bytes"), bytes, "%s: %d bytes", text,
		(int)machine_stat(r.m, "sm.l1d.uncached_bytes"));
	machine_free(r.m);
}

Test(lsu, a_load_that_is_not_cached_asks_for_its_sectors_with_one_request_a_line)
{
	expect_past(WIDE(4, "ld.global.cg.u32 %r5, [%rd5];"), SETS(), 1, 128);
	expect_past(WIDE(0, "ld.global.cv.u32 %r5, [%rd5];"), SETS(), 1, 32);
	expect_past(WIDE(64, "ld.global.cg.u32 %r5, [%rd5];"), SETS(), 16, 16 * 64);
	expect_past(WIDE(128, "ld.volatile.global.u32 %r5, [%rd5];"), SETS(), 32, 32 * 32);
	expect_past(WIDE(64, "ld.global.u32 %r5, [%rd5];"), SETS("sm.l1d.enabled=false", ), 16, 16 * 64);
	expect_past(WIDE(16, "ld.global.cg.v4.u32 {%r5, %r6, %r7, %r8}, [%rd5];"), SETS(), 4, 512);
}

/* 32 misses before a network that takes one of them in seven cycles. */
static void through_full_queue(const char *entries, bool expected)
{
	static const char text[] = WIDE(128, "ld.global.u32 %r5, [%rd5];");
	const char *const sets[] = { "gpu.sms=1", "gpu.xbar_mhz=100", "sm.l1d.miss_queue=2",
		"sm.lsu_replay=false", "sm.stall_bypass.policy=stalls", "sm.stall_bypass.stalls.on=all",
		entries, NULL };
	struct run r = run(text, sets);
	double sent = machine_stat(r.m, "sm.stall_bypass.stalls.sent::miss_queue");

	cr_expect_eq(sent > 0, expected, "%s: %d", entries, (int)sent);
	cr_expect_eq(machine_stat(r.m, "sm.l1d.bypassed"), machine_stat(r.m, "sm.stall_bypass.after"));
	cr_expect_eq(machine_stat(r.m, "sm.l1d.misses") + machine_stat(r.m, "sm.l1d.bypassed"), 32);
	machine_free(r.m);
}

Test(lsu, reads_bypass_a_full_miss_queue_if_they_have_places_behind_it)
{
	through_full_queue("sm.stall_bypass.network_entries=0", false);
	through_full_queue("sm.stall_bypass.network_entries=4", true);
}

/* A line request a cycle: 31 more lines keep the instruction at the head for 31 cycles more. */
Test(lsu, one_line_request_a_cycle)
{
	static const char *const sets[] = { "gpu.sms=1", "sm.l1d.sets=64", "sm.l1d.miss_queue=64", NULL };
	struct run r = run(WIDE(0, "ld.global.u32 %r5, [%rd5];"), sets);
	uint64_t one = machine_stat(r.m, "sm.lsu_waiting_cycles");

	machine_free(r.m);
	r = run(WIDE(128, "ld.global.u32 %r5, [%rd5];"), sets);
	cr_assert_eq(machine_stat(r.m, "sm.lsu_waiting_cycles") - one, 31);
	machine_free(r.m);
}

/* ---- local memory ---- */

/* Written and read back at one place by all lanes. */
#define LOCAL(type, from, to) \
	KERNEL("mov.u64 %rd5, own;\nmov.u32 %r5, %r1;\nmov.u32 %r6, 7;\ncvt.u64.u32 %rd6, " \
	       "%r1;\ncvt.u64.u32 %rd7, %r1;\ncvt.u16.u32 %h1, %r1;\n" \
	       "st.local" type " [own+16], " from ";\nld.local" type " " to \
	       ", [own+16];\nmov.u32 %r9, 1;\n")

Test(lsu, local_memory_coalesces_in_every_width)
{
	cr_expect_eq(
		lines_of(LOCAL(".u8", "%r5", "%r7"), SETS()), 2, "a line for the store, a line for the load");
	cr_expect_eq(lines_of(LOCAL(".u16", "%h1", "%h2"), SETS()), 2);
	cr_expect_eq(lines_of(LOCAL(".u32", "%r5", "%r7"), SETS()), 2);
	cr_expect_eq(lines_of(LOCAL(".v2.u8", "{%r5, %r6}", "{%r7, %r8}"), SETS()), 2);
	cr_expect_eq(lines_of(LOCAL(".v4.u8", "{%r5, %r6, %r5, %r6}", "{%r7, %r8, %r10, %r11}"), SETS()), 2);
	cr_expect_eq(lines_of(LOCAL(".v2.u16", "{%h1, %h1}", "{%h2, %h3}"), SETS()), 2);
	cr_expect_eq(lines_of(LOCAL(".u64", "%rd6", "%rd8"), SETS()), 4, "two words, a row of 32 lanes each");
	cr_expect_eq(lines_of(LOCAL(".v2.u32", "{%r5, %r6}", "{%r7, %r8}"), SETS()), 4);
	cr_expect_eq(lines_of(LOCAL(".v4.u16", "{%h1, %h1, %h1, %h1}", "{%h2, %h3, %h4, %h5}"), SETS()), 4);
	cr_expect_eq(lines_of(LOCAL(".v4.u32", "{%r5, %r6, %r5, %r6}", "{%r7, %r8, %r10, %r11}"), SETS()), 8);
	cr_expect_eq(lines_of(LOCAL(".v2.u64", "{%rd6, %rd7}", "{%rd8, %rd9}"), SETS()), 8);
	cr_expect_eq(lines_of(LOCAL(".u32", "%r5", "%r7"), SETS("sm.l1d.enabled=false", )), 1 + 1);
}

Test(lsu, local_loads_stay_in_the_l1_whatever_the_operator)
{
	static const char *const operators[] = { ".ca", ".cg", ".cs", ".lu", ".cv" };
	static const char text[] = KERNEL("st.local.u32 [own], %r1;\nld.local@@@@.u32 %r9, [own];\n");

	for (uint32_t i = 0; i < 5; i++) {
		struct run r = run(with(text, "@@@@", operators[i]), SETS("sm.global_loads=cg", ));

		for (uint32_t lane = 0; lane < 32; lane++)
			cr_assert_eq(r.words[16384 + lane], lane);
		cr_expect_eq(machine_stat(r.m, "sm.l1d.uncached"), 0, "%s", operators[i]);
		machine_free(r.m);
	}
}

/* ---- constants ---- */

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
