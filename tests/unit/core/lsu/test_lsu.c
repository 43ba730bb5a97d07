/* The load/store unit in the assembled machine, one warp: what cache operators do to values and traffic,
 * local memory, constants, the texture cache, accesses of several spaces. Traffic is worked out by hand. */
#include "tests/unit/core/lsu/lsu_rig.h"

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
