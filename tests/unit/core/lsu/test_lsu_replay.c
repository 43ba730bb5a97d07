/* Replays in the load/store unit (sm.lsu_replay), in the assembled machine: who goes first when the L1
 * refuses. A listener of the L1 writes down what it is offered. */
#include "core/lsu/lsu_path.h"
#include "core/gpu/gpu_internal.h"
#include "core/sm/sm.h"
#include "memsys/bypass/bypass.h"
#include "tests/unit/core/machine_rig.h"
#include "tests/unit/hang_guard.h"
#include "tests/unit/part.h"

#define MOST 65536
#define SETS(...) \
	((const char *const[]){ \
		"gpu.sms=1", "gpu.memory=67108864", "sm.instruction.enabled=false", __VA_ARGS__ NULL })

/* %rd1: the parameter, %r1: the thread, %r2: its lane, %r3: its warp. */
#define HEAD \
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<40>;\n.reg .b64 %rd<20>;\n.reg .pred " \
	"%p<4>;\n.local .align 16 .b8 own[64];\n" \
	".shared .align 16 .b8 all[1024];\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nand.b32 %r2, " \
	"%r1, 31;\nshr.u32 %r3, %r1, 5;\n"
#define END          "ret;\n}\n"
#define KERNEL(body) HEAD body "\n" END

/* ---- what the L1 was offered ---- */

static struct access_event seen[MOST];
static uint32_t seen_count;
static uint64_t base; /* offset of the parameter's buffer */

static void accessed(void *user, const struct access_event *event)
{
	(void)user;
	cr_assert_lt(seen_count, MOST);
	seen[seen_count++] = *event;
}

static struct cache_listener listener = { .accessed = accessed };

static uint32_t line_of(const struct access_event *e)
{
	return (uint32_t)((e->line - base) / 128);
}

/* The first event of a line of the buffer that is (not) a refusal; MOST: none. */
static uint32_t first(uint32_t line, bool refused)
{
	for (uint32_t i = 0; i < seen_count; i++)
		if (line_of(&seen[i]) == line && (seen[i].outcome == ACCESS_REFUSED) == refused)
			return i;
	return MOST;
}

static uint32_t first_hit(uint32_t line)
{
	for (uint32_t i = 0; i < seen_count; i++)
		if (line_of(&seen[i]) == line && seen[i].outcome == ACCESS_HIT)
			return i;
	return MOST;
}

static uint64_t stat(struct machine *m, const char *name)
{
	return machine_stat(m, name);
}

/* ---- rig ---- */

/* Ticks for ever, after the SM, and lets it never sleep. If the load/store unit does, all have been refused
 * and nothing that they lack is there. */
struct waker {
	struct component component;
	struct sm *sm;
};

static void keep_awake(struct component *c, cycles now)
{
	struct sm *sm = ((struct waker *)c)->sm;
	const struct lsu_pipe *p = &sm->state.lsu.memory;

	(void)now;
	if (p->refusal.is_refused && !p->refusal.retry && p->refusal.at == sm->spec.l1d) {
		cr_assert_eq(p->deferred, p->count);
		cr_assert(!p->port_too || sm->state.request.count == sm->state.request.capacity);
	}
	component_wake(&sm->component);
}

static struct waker waker;

/* Nothing is lost, and each cycle that a request was refused has been lost to somebody. */
static void conserved(struct machine *m)
{
	cr_assert_eq(stat(m, "sm.line_requests"), stat(m, "sm.l1d.accesses"));
	cr_assert_eq(stat(m, "sm.l1d.accesses"),
		stat(m, "sm.l1d.hits") + stat(m, "sm.l1d.misses") + stat(m, "sm.l1d.merged") +
			stat(m, "sm.l1d.sent") + stat(m, "sm.l1d.written"));
	cr_assert_eq(stat(m, "sm.l1d.fails::total") + stat(m, "sm.constant.fails::total"),
		stat(m, "sm.lsu_stall_cycles") +
			(m->gpu->chip.sms[0]->state.lsu.buffer ? stat(m, "sm.request_buffer.refused_cycles")
							       : 0));
	cr_assert_eq(stat(m, "xbar.request.packets"), stat(m, "xbar.reply.packets"));
	cr_assert_eq(
		m->gpu->chip.sms[0]->state.lsu.ops_free, m->gpu->chip.sms[0]->spec.config->lsu_in_flight);
	cr_assert_eq(m->gpu->chip.sms[0]->state.lsu.memory.count, 0);
	cr_assert_eq(m->gpu->chip.sms[0]->state.lsu.memory.deferred, 0);
}

static void place_symbols(struct machine *m)
{
	for (uint32_t i = 0; i < m->image->symbol_count; i++) {
		struct ptx_symbol *symbol = &m->image->symbols[i];

		symbol->address = memory_allocate(gpu_memory(m->gpu), symbol->size, symbol->align);
		memcpy(memory_host(symbol->address), symbol->data, symbol->size);
	}
	ptx_image_relocate(m->image);
}

static void start(struct machine *m, uint32_t grid, uint32_t threads, bool awake)
{
	uint64_t p = memory_allocate(gpu_memory(m->gpu), 1 << 20, 256);

	memset(memory_host(p), 0, 1 << 20);
	place_symbols(m);
	base = p - DEVICE_BASE;
	seen_count = 0;
	listener.next = NULL;
	cache_listen(m->gpu->chip.sms[0]->spec.l1d, &listener);
	if (awake) {
		waker.sm = m->gpu->chip.sms[0];
		component_init(&waker.component, m->gpu->chip.sim, PHASE_SM, keep_awake);
		component_wake(&waker.component);
	}
	machine_launch(m, grid, threads, &p);
	cr_assert_eq(m->result.outcome, GPU_DONE, "%s", m->result.fault.text);
	conserved(m);
}

static struct machine *run(const char *text, const char *const *sets, uint32_t threads)
{
	struct machine *m = machine_new(text, sets);

	start(m, 1, threads, false);
	return m;
}

/* ---- one instruction ---- */

/* Line 2 is there; then the lanes' words in lines 0, 1 and 2. */
static const char three_lines[] =
	KERNEL("ld.global.u32 %r4, [%rd1+256];\nand.b32 %r4, %r4, 0;\nmul.lo.u32 %r5, %r2, 3;\nshr.u32 %r5, "
	       "%r5, 5;\n"
	       "mad.lo.u32 %r5, %r5, 128, %r4;\ncvt.u64.u32 %rd2, %r5;\nadd.s64 %rd2, %rd1, %rd2;\n"
	       "ld.global.u32 %r6, [%rd2];\nst.global.u32 [%rd1+4096], %r6;");

Test(lsu_replay, a_refused_line_lets_hits_of_its_instruction_through)
{
	struct machine *m = run(three_lines, SETS("sm.l1d.mshrs=1", "sm.lsu_replay=true", ), 32);

	cr_assert_lt(first_hit(2), first(1, false), "line 1 waits for the MSHR of line 0");
	cr_assert_eq(first_hit(2), first(1, true) + 1, "the line behind it goes next");
	cr_assert_eq(stat(m, "sm.l1d.hits"), 1);
	cr_assert_eq(stat(m, "sm.l1d.misses"), 3);
	machine_free(m);
	m = run(three_lines, SETS("sm.l1d.mshrs=1", "sm.lsu_replay=false", ), 32);
	cr_assert_gt(first_hit(2), first(1, false), "off: all wait behind it");
	machine_free(m);
}

static uint64_t in_the_coalescer(const char *const *sets)
{
	struct machine *m = run(three_lines, sets, 32);
	uint64_t spent = stat(m, "sm.load_time.stages::coalescer");

	machine_free(m);
	return spent;
}

/* Off, the line waits at the head from the same cycle on. */
Test(lsu_replay, a_refused_line_waits_for_the_l1_not_for_the_coalescer)
{
	uint64_t on = in_the_coalescer(SETS("sm.l1d.mshrs=1", "sm.lsu_replay=true", ));

	cr_assert_eq(on, in_the_coalescer(SETS("sm.l1d.mshrs=1", "sm.lsu_replay=false", )));
}

/* ---- other warps ---- */

/* Warps from 1 on have line 16 + their number there. Then warp 0 loads lines 0 and 1, the others wait for so
 * many additions, and load theirs. */
static const char *hits_after(uint32_t additions)
{
	static char text[8192];

	strcpy(text,
		HEAD "mad.lo.u32 %r5, %r3, 128, 2048;\ncvt.u64.u32 %rd2, %r5;\nadd.s64 %rd2, %rd1, "
		     "%rd2;\nsetp.ne.u32 %p1, %r3, 0;\n"
		     "@%p1 ld.global.u32 %r4, [%rd2];\nand.b32 %r4, %r4, 0;\nbar.sync 0;\n@%p1 bra others;\n"
		     "ld.global.u32 %r6, [%rd1];\nld.global.u32 %r7, [%rd1+128];\nadd.u32 %r6, %r6, "
		     "%r7;\nst.global.u32 [%rd1+65536], %r6;\nbra.uni end;\nothers:\n");
	for (uint32_t i = 0; i < additions; i++)
		strcat(text, "mad.lo.u32 %r4, %r4, %r4, %r4;\n");
	strcat(text,
		"and.b32 %r4, %r4, 0;\ncvt.u64.u32 %rd3, %r4;\nadd.s64 %rd2, %rd2, %rd3;\nld.global.u32 "
		"%r8, [%rd2];\nend:\n" END);
	return text;
}

/* The hits behind a head that waits for an MSHR, whether they were in the queue before or come later, alone
 * or two in a cycle. */
Test(lsu_replay, hits_of_other_warps_get_through_while_the_head_waits)
{
	uint32_t behind = 0;

	for (uint32_t additions = 0; additions < 12; additions++) {
		for (uint32_t warps = 2; warps <= 7; warps++) {
			struct machine *m = run(hits_after(additions),
				SETS("sm.l1d.mshrs=1", "sm.lsu_queue=8", "sm.lsu_replay=true", ), 32 * warps);
			uint32_t hits = 0;

			for (uint32_t i = 0; i < first(1, false); i++) {
				hits += seen[i].outcome == ACCESS_HIT;
				behind += seen[i].outcome == ACCESS_HIT && i > first(1, true);
			}
			cr_assert_eq(hits, warps - 1, "%u additions, %u warps: %u hits before line 1",
				additions, warps, hits);
			machine_free(m);
		}
	}
	cr_assert_gt(behind, 200, "%u", behind);
}

Test(lsu_replay, off_they_wait)
{
	struct machine *m =
		run(hits_after(8), SETS("sm.l1d.mshrs=1", "sm.lsu_queue=8", "sm.lsu_replay=false", ), 64);

	cr_assert_gt(first_hit(17), first(1, false));
	machine_free(m);
}

/* Each warp a line of its own, that is not there, and then another. */
static const char own_lines[] =
	KERNEL("mul.lo.u32 %r5, %r3, 128;\ncvt.u64.u32 %rd2, %r5;\nadd.s64 %rd2, %rd1, %rd2;\nld.global.u32 "
	       "%r4, [%rd2];\n"
	       "ld.global.u32 %r6, [%rd2+8192];\nadd.u32 %r4, %r4, %r6;\nst.global.u32 [%rd2+16384], %r4;");

static void check_turns(void)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < seen_count; i++) {
		uint32_t line = line_of(&seen[i]);

		if (seen[i].outcome != ACCESS_REFUSED || line >= 16 || first(line, true) != i)
			continue;
		cr_assert_gt(first(line, false), last, "line %u went before those refused earlier", line);
		last = first(line, false);
	}
	cr_assert_gt(last, 0);
}

Test(lsu_replay, who_was_refused_first_goes_first)
{
	for (uint32_t mshrs = 1; mshrs <= 4; mshrs++) {
		for (uint32_t warps = 6; warps <= 16; warps++) {
			char set[32];
			struct machine *m;

			sprintf(set, "sm.l1d.mshrs=%u", mshrs);
			m = run(own_lines, SETS(set, "sm.lsu_queue=16", "sm.lsu_replay=true", ), 32 * warps);
			check_turns();
			machine_free(m);
		}
	}
}

/* ---- order, sleep, losses: random programs without loops ---- */

static uint32_t state;
static uint32_t random_below(uint32_t n)
{
	state = state * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)(state >> 8) * n >> 24);
}

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
