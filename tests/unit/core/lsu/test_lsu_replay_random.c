/* tests/unit/core/lsu/test_lsu_replay_random.c -- replays in random programs: order, sleep, losses; where
 * replays have nothing to say. */
#include "tests/unit/core/lsu/lsu_replay_rig.h"

static uint32_t state;

/* Addresses: %rd3 words side by side, %rd4 a line for each thread, %rd5 16 bytes for each, %rd6 the thread's
 * own, which it alone reads and writes, %rd7 for atomics, %rd8 shared memory, %rd9 for half of the lanes
 * shared, for half as %rd4. %r4: from what was loaded. */
static const char addresses[] =
	".const .align 4 .u32 table[64] = { 3, 1, 4, 1, 5, 9, 2, 6 };\n" HEAD
	"shl.b32 %r5, %r1, 2;\ncvt.u64.u32 %rd2, %r5;\nadd.s64 %rd3, %rd1, %rd2;\n"
	"mul.lo.u32 %r5, %r1, 132;\nand.b32 %r5, %r5, 16380;\ncvt.u64.u32 %rd2, %r5;\nadd.s64 %rd4, %rd1, "
	"%rd2;\n"
	"shl.b32 %r5, %r1, 4;\ncvt.u64.u32 %rd2, %r5;\nadd.s64 %rd5, %rd1, %rd2;\n"
	"mov.u32 %r6, %ctaid.x;\nmul.lo.u32 %r6, %r6, 12288;\nmad.lo.u32 %r5, %r1, 64, 65536;\nadd.u32 %r5, "
	"%r5, %r6;\n"
	"cvt.u64.u32 %rd2, %r5;\nadd.s64 %rd6, %rd1, %rd2;\n"
	"mad.lo.u32 %r5, %r2, 4, 524288;\ncvt.u64.u32 %rd2, %r5;\nadd.s64 %rd7, %rd1, %rd2;\n"
	"mov.u64 %rd8, all;\nshl.b32 %r5, %r2, 2;\ncvt.u64.u32 %rd2, %r5;\nadd.s64 %rd8, %rd8, %rd2;\n"
	"cvta.shared.u64 %rd9, %rd8;\nsetp.lt.u32 %p1, %r2, 16;\n@%p1 mov.u64 %rd9, %rd4;\nmov.u32 %r4, 1;\n";

static uint32_t random_below(uint32_t n)
{
	state = state * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)(state >> 8) * n >> 24);
}

static const char *random_kernel(uint32_t seed)
{
	static char text[16384];
	static const char *const parts[] = { "ld.global.u32 %%r99, [%%rd3+%u];\n",
		"ld.global.cg.u32 %%r99, [%%rd3+%u];\n", "ld.global.u32 %%r99, [%%rd4+%u];\n",
		"ld.volatile.global.u32 %%r99, [%%rd4+%u];\n",
		"ld.global.v4.u32 {%%r99, %%r36, %%r37, %%r38}, [%%rd5+%u];\n",
		"st.global.u32 [%%rd6+%u], %%r4;\n", "ld.global.u32 %%r99, [%%rd6+%u];\n",
		"red.global.add.u32 [%%rd7+%u], 1;\n", "ld.shared.u32 %%r99, [%%rd8+%u];\n",
		"st.local.u32 [own+%u], %%r4;\n", "ld.local.u32 %%r99, [own+%u];\n",
		"ld.u32 %%r99, [%%rd9+%u];\n", "ld.const.u32 %%r99, [table+%u];\n" };
	char *to = text + sprintf(text, "%s", addresses);

	state = seed;
	for (uint32_t i = 10; i < 36; i++)
		to += sprintf(to, "mov.u32 %%r%u, 0;\n", i);
	for (uint32_t i = 0; i < 40; i++) {
		char piece[64], *result;

		sprintf(piece, parts[random_below(sizeof(parts) / sizeof(*parts))], random_below(4) * 16);
		result = strstr(piece, "99"); /* a register of its own: loads of a warp do not wait for each
						 other */
		if (result)
			result[0] = (char)('1' + i % 26 / 10), result[1] = (char)('0' + i % 26 % 10);
		to += sprintf(to, "%s", piece);
		if (random_below(6) == 0)
			to += sprintf(to, "add.u32 %%r4, %%r4, %%r%u;\n", 10 + i % 26);
		if (random_below(12) == 0)
			to += sprintf(to, random_below(2) ? "bar.sync 0;\n" : "membar.gl;\n");
	}
	for (uint32_t i = 10; i < 36; i++)
		to += sprintf(to, "add.u32 %%r4, %%r4, %%r%u;\n", i);
	sprintf(to, "st.global.u32 [%%rd6], %%r4;\n" END);
	return text;
}

static const char *const *random_sets(uint32_t seed, bool replays)
{
	static char texts[9][64];
	static const char *sets[13] = { "gpu.sms=1", "gpu.memory=67108864" };
	static const uint32_t few[] = { 1, 2, 3, 8 };
	uint32_t n = 2;

	state = seed * 7919 + 13;
	sets[n++] = replays ? "sm.lsu_replay=true" : "sm.lsu_replay=false";
	sprintf(texts[0], "sm.l1d.mshrs=%u", few[random_below(4)]);
	sprintf(texts[1], "sm.l1d.mshr_merge=%u", few[random_below(4)]);
	sprintf(texts[2], "sm.l1d.miss_queue=%u", few[random_below(4)]);
	sprintf(texts[3], "sm.lsu_queue=%u", few[random_below(4)] * 2 - 1);
	sprintf(texts[4], "sm.l1d.mshrs_per_warp=%u", random_below(3));
	sprintf(texts[5], "sm.l1d.ways=%u", few[random_below(3)]);
	sprintf(texts[6], "sm.l1d.fill_port_bytes=%u", random_below(2) * 32);
	sprintf(texts[7], "sm.constant.mshrs=%u", few[random_below(2)]);
	sprintf(texts[8], "xbar.flit=%u", random_below(2) ? 32 : 4);
	for (uint32_t i = 0; i < 9; i++)
		sets[n++] = texts[i];
	sets[n] = NULL;
	return sets;
}

/* The same without replays in issue slots, which change when instructions issue. */
static const char *const *without_issue(const char *const *sets)
{
	static const char *all[32] = { "sm.replay.lines=false", "sm.replay.conflicts=false",
		"sm.replay.misses=false" };
	uint32_t n = 3;

	for (; *sets; sets++)
		all[n++] = *sets;
	all[n] = NULL;
	return all;
}

/* Requests of a warp have gone in its program's order; how many went while an earlier one of another warp
 * waited? */
static uint32_t check_order(void)
{
	uint32_t last[64] = { 0 }, waits[64] = { 0 }, overtaking = 0;

	for (uint32_t i = 0; i < seen_count; i++) {
		const struct requester *by = &seen[i].by;

		cr_assert_geq(by->uop_index, last[by->warp], "warp %u: %u after %u", by->warp, by->uop_index,
			last[by->warp]);
		last[by->warp] = by->uop_index;
		if (seen[i].outcome == ACCESS_REFUSED) {
			waits[by->warp] = by->uop_index;
			continue;
		}
		waits[by->warp] = 0;
		for (uint32_t w = 0; w < 64; w++)
			overtaking += w != by->warp && waits[w];
	}
	return overtaking;
}

Test(lsu_replay, order_within_a_warp_is_kept, HANG_GUARD)
{
	uint32_t overtaking = 0;

	for (uint32_t seed = 1; seed <= 30; seed++) {
		struct machine *m = machine_new(random_kernel(seed), random_sets(seed, true));

		start(m, 1, 192, true);
		overtaking += check_order();
		machine_free(m);
	}
	cr_assert_gt(overtaking, 1000);
}

static char *everything(struct machine *m)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	stat_print_text(gpu_stats(m->gpu), NULL, f);
	fclose(f);
	return text;
}

/* It sleeps when all have been refused; kept awake, it counts and does the same. */
Test(lsu_replay, sleep_changes_nothing, HANG_GUARD)
{
	for (uint32_t seed = 1; seed <= 12; seed++) {
		struct machine *a = machine_new(random_kernel(seed), random_sets(seed, true)), *b;
		char *asleep, *awake;

		start(a, 1, 192, false);
		asleep = everything(a);
		machine_free(a);
		b = machine_new(random_kernel(seed), random_sets(seed, true));
		start(b, 1, 192, true);
		awake = everything(b);
		cr_assert_str_eq(asleep, awake, "seed %u", seed);
		machine_free(b);
		free(asleep);
		free(awake);
	}
}

/* Values are those of the functional mode, whatever the L1 lacks: start() has looked at the sums. */
Test(lsu_replay, nothing_is_lost, HANG_GUARD)
{
	for (uint32_t seed = 101 + first_of(one_in(4)); seed <= 140; seed += one_in(4)) {
		struct machine *m = machine_new(random_kernel(seed), random_sets(seed, true));
		uint64_t p;

		start(m, 3, 192, false);
		p = memory_allocate(gpu_memory(m->gpu), 1 << 20, 256);
		memset(memory_host(p), 0, 1 << 20);
		machine_launch_as(m, 3, 192, &p, true);
		cr_assert_eq(
			memcmp(memory_host(p), memory_host(base + DEVICE_BASE), 1 << 20), 0, "seed %u", seed);
		machine_free(m);
	}
}

/* ---- where replays have nothing to say ---- */

/* A buffer of one place. */
struct one {
	struct request_buffer base;
	struct buffered_request held;
};

static enum request_verdict one_admit(struct request_buffer *b, const struct buffered_request *r, cycles now)
{
	return b->count ? REQUEST_WAITS : REQUEST_TAKEN;
}

static void one_push(struct request_buffer *b, const struct buffered_request *r, cycles now)
{
	((struct one *)b)->held = *r;
}

static const struct buffered_request *one_peek(struct request_buffer *b, cycles now)
{
	return &((struct one *)b)->held;
}

static void one_pop(struct request_buffer *b, cycles now)
{
}

static const struct sim_stat no_stats[] = { SIM_STAT_END };

static const struct sim_param no_params[] = { SIM_END };

static const struct request_buffer_class one_place = { .name = "one",
	.size = sizeof(struct one),
	.stats = no_stats,
	.params = no_params,
	.admit = one_admit,
	.push = one_push,
	.peek = one_peek,
	.pop = one_pop };

static void put_in(struct gpu *gpu)
{
	extern const struct bypass_class bypass_none;
	struct request_buffer *b = policy_blank(&request_buffer_interface, &one_place.policy);
	struct bypass *past = policy_blank(&bypass_interface, &bypass_none.policy);

	lsu_path_fini(gpu->chip.sms[0]);
	lsu_path_init(gpu->chip.sms[0], b, past, past, gpu->chip.stat_tree);
	policy_prototype_free(b);
	policy_prototype_free(past);
}

Test(lsu_replay, with_a_request_buffer_the_order_is_its_own, HANG_GUARD)
{
	for (uint32_t seed = 1; seed <= 6; seed++) {
		char *text[2];

		for (uint32_t replays = 0; replays < 2; replays++) {
			struct machine *m =
				machine_new(random_kernel(seed), without_issue(random_sets(seed, replays)));

			put_in(m->gpu);
			start(m, 1, 192, false);
			cr_assert_gt(stat(m, "sm.request_buffer.refused_cycles"), 0);
			text[replays] = everything(m);
			machine_free(m);
		}
		cr_assert_str_eq(text[0], text[1], "seed %u", seed);
		free(text[0]);
		free(text[1]);
	}
}

/* Only what time heals is lacking. */
Test(lsu_replay, brief_refusals_change_no_order, HANG_GUARD)
{
	static const char *sets[] = { "gpu.sms=1", "gpu.memory=67108864", NULL, "sm.l1d.fill_port_bytes=4",
		"sm.l1d.data_port_bytes=8", "sm.l1d.mshrs=512", "sm.l1d.mshr_merge=64",
		"sm.l1d.miss_queue=512", "sm.l1d.ways=64", "sm.constant.mshrs=1", NULL };

	for (uint32_t seed = 1; seed <= 6; seed++) {
		char *text[2];

		for (uint32_t replays = 0; replays < 2; replays++) {
			struct machine *m;

			sets[2] = replays ? "sm.lsu_replay=true" : "sm.lsu_replay=false";
			m = machine_new(random_kernel(seed), without_issue(sets));
			start(m, 1, 192, false);
			cr_assert_gt(stat(m, "sm.l1d.fails::fill_port"), 0);
			cr_assert_eq(stat(m, "sm.l1d.fails::total"),
				stat(m, "sm.l1d.fails::fill_port") + stat(m, "sm.l1d.fails::data_port"));
			text[replays] = everything(m);
			machine_free(m);
		}
		cr_assert_str_eq(text[0], text[1], "seed %u", seed);
		free(text[0]);
		free(text[1]);
	}
}
