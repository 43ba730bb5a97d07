/* The way of line requests from the coalescer to the L1, in the assembled machine: request buffers that take,
 * pass, reorder and stall; bypass policies; and what each request says about itself. */
#include "core/lsu/lsu_path.h"
#include "core/gpu/gpu_internal.h"
#include "core/sm/sm.h"
#include "memsys/bypass/bypass.h"
#include "tests/unit/core/launch_rig.h"

/* ---- toys ---- */

#define MOST 64

static const struct sim_stat no_stats[] = { SIM_STAT_END };
static const struct sim_param no_params[] = { SIM_END };

struct seen { /* by all toys of a machine */
	uint32_t requests, reads, collisions, barriers, membars;
	bool local, evict_first, last_use, discards, uncached;
	uint32_t cta_slots, cta_warps; /* masks */
	uint32_t epoch[2], late;       /* requests by epoch; of epoch 0 after a barrier */
};
static struct seen seen;

struct toy {
	struct request_buffer base;
	struct buffered_request held[MOST];
	uint32_t capacity;
	uint32_t offered; /* index */
};

static void look_at(const struct buffered_request *r)
{
	seen.requests++;
	seen.reads += r->request.kind == PACKET_READ;
	if (r->request.collisions > seen.collisions)
		seen.collisions = r->request.collisions;
	seen.local |= r->request.is_local;
	seen.evict_first |= r->request.evict_first;
	seen.last_use |= r->request.last_use;
	seen.discards |= r->request.discards;
	seen.uncached |= r->request.uncached;
	seen.cta_slots |= 1u << r->cta_slot;
	seen.cta_warps |= 1u << r->cta_warp;
	if (r->epoch < 2)
		seen.epoch[r->epoch]++;
	seen.late += !r->epoch && seen.barriers;
}

static enum request_verdict always_passes(
	struct request_buffer *b, const struct buffered_request *r, cycles now)
{
	look_at(r);
	return REQUEST_PASSES;
}

static void fence(
	struct request_buffer *b, enum request_fence kind, uint32_t cta_slot, uint32_t warp, cycles now)
{
	seen.barriers += kind == FENCE_BARRIER;
	seen.membars += kind == FENCE_MEMBAR;
}

/* Everything enters, stores and atomics too, and the last comes first: within a warp's instruction lines go
 * backwards. */
static enum request_verdict stack_admit(
	struct request_buffer *b, const struct buffered_request *r, cycles now)
{
	return b->count < MOST ? REQUEST_TAKEN : REQUEST_WAITS;
}

static enum request_verdict narrow_admit(
	struct request_buffer *b, const struct buffered_request *r, cycles now)
{
	return b->count ? REQUEST_WAITS : REQUEST_TAKEN;
}

static void stack_push(struct request_buffer *b, const struct buffered_request *r, cycles now)
{
	look_at(r);
	((struct toy *)b)->held[b->count] = *r;
}

static const struct buffered_request *stack_peek(struct request_buffer *b, cycles now)
{
	struct toy *t = (struct toy *)b;

	t->offered = b->count - 1;
	return &t->held[t->offered];
}

static void stack_pop(struct request_buffer *b, cycles now)
{
	cr_assert_eq(((struct toy *)b)->offered, b->count - 1);
}

#define BUFFER(...) \
	{ \
		.name = "toy", .size = sizeof(struct toy), .stats = no_stats, .params = no_params, \
		.fence = fence, __VA_ARGS__ \
	}
static const struct request_buffer_class watching = BUFFER(.admit = always_passes, .push = stack_push,
						 .peek = stack_peek, .pop = stack_pop),
					 stack = BUFFER(.admit = stack_admit, .push = stack_push,
						 .peek = stack_peek, .pop = stack_pop),
					 narrow = BUFFER(.admit = narrow_admit, .push = stack_push,
						 .peek = stack_peek, .pop = stack_pop);

static uint32_t refusals, kernels;

static bool all_before(struct bypass *b, const struct cache_request *r, cycles now)
{
	cr_assert(r->kind == PACKET_READ && !r->is_local && !r->uncached);
	return true;
}

static bool after_refusal(struct bypass *b, const struct cache_request *r, enum cache_outcome why, cycles now)
{
	cr_assert(why >= CACHE_LINE_ALLOC_FAIL && why < CACHE_MISS_QUEUE_FULL);
	refusals++;
	return true;
}

static void starts(void *policy, const char *name, uint64_t launch, cycles now)
{
	kernels += !strcmp(name, "k");
}

#define PAST(...) \
	{ \
		.name = "toy", .size = sizeof(struct bypass), .stats = no_stats, .params = no_params, \
		.kernel_started = starts, __VA_ARGS__ \
	}
static const struct bypass_class unasked = PAST(.before = all_before),
				 impatient = PAST(.refused = after_refusal);

/* ---- rig ---- */

static void put_in(
	struct kernel_rig *r, const struct request_buffer_class *buffer, const struct bypass_class *bypass)
{
	extern const struct request_buffer_class request_buffer_none;
	extern const struct bypass_class bypass_none;
	struct request_buffer *b = policy_blank(
		&request_buffer_interface, buffer ? &buffer->policy : &request_buffer_none.policy);
	struct bypass *past = policy_blank(&bypass_interface, bypass ? &bypass->policy : &bypass_none.policy),
		      *neither = policy_blank(&bypass_interface, &bypass_none.policy);

	for (uint32_t i = 0; i < r->gpu->config.gpu.sms; i++) {
		lsu_path_fini(r->gpu->chip.sms[i]);
		lsu_path_init(r->gpu->chip.sms[i], b, past, neither, r->gpu->chip.stat_tree);
	}
	policy_prototype_free(b);
	policy_prototype_free(past);
	policy_prototype_free(neither);
	memset(&seen, 0, sizeof(seen));
	refusals = kernels = 0;
}

static uint64_t stat(struct kernel_rig *r, const char *name)
{
	return (uint64_t)stat_value(r->gpu->chip.stat_tree, NULL, name);
}

/* Word `lane` of 32 lines each, added up over them, then stores, an atomic, a barrier and a membar. */
static const char walking[] =
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<9>; .reg .b64 %d<8>; .reg .pred %q;\n"
	"ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r5, %ntid.x;\n"
	"mad.lo.u32 %r1, %r2, %r5, %r1; mul.wide.u32 %d2, %r1, 128; add.s64 %d2, %d1, %d2; add.s64 %d3, %d2, "
	"131072;\n"
	"mov.u32 %r3, 0; mov.u32 %r4, 0; mov.u64 %d4, %d2;\n"
	"again: ld.global.u32 %r6, [%d4]; add.u32 %r4, %r4, %r6; add.u64 %d4, %d4, 4; add.u32 %r3, %r3, 1;\n"
	"setp.lt.u32 %q, %r3, 32; @%q bra again;\n"
	"st.global.u32 [%d3], %r4; membar.gl; bar.sync 0; ld.global.cg.u32 %r7, [%d3];\n"
	"st.global.u32 [%d3+4], %r7; red.global.add.u32 [%d1+262144], 1; ret;\n}\n";

/* 4 CTAs of 96 threads: every word is its thread's number. */
static void walk(struct kernel_rig *r)
{
	uint64_t p = rig_buffer(r, 1 << 20);
	uint32_t *words = memory_host(p);

	for (uint32_t t = 0; t < 384; t++)
		for (uint32_t i = 0; i < 32; i++)
			words[t * 32 + i] = t;
	rig_launch(r, 4, 96, &p, false);
	rig_expect_done(r);
	for (uint32_t t = 0; t < 384; t++) {
		cr_assert_eq(words[(131072 + t * 128) / 4], 32 * t);
		cr_assert_eq(words[(131072 + t * 128) / 4 + 1], 32 * t);
	}
	cr_assert_eq(words[262144 / 4], 384);
	cr_assert_eq(stat(r, "sm.line_requests"), stat(r, "sm.l1d.accesses"));
	cr_assert_eq(stat(r, "sm.l1d.accesses"),
		stat(r, "sm.l1d.hits") + stat(r, "sm.l1d.misses") + stat(r, "sm.l1d.merged") +
			stat(r, "sm.l1d.sent"));
	cr_assert_eq(stat(r, "xbar.request.packets"), stat(r, "xbar.reply.packets"));
}

/* ---- request buffers ---- */

Test(request_path, a_buffer_that_lets_everything_pass_changes_no_cycle)
{
	struct kernel_rig *r = rig_new(walking, NULL);
	uint64_t without, with;

	walk(r);
	without = r->result.core_cycles;
	rig_free(r);
	r = rig_new(walking, NULL);
	put_in(r, &watching, NULL);
	walk(r);
	with = r->result.core_cycles;
	cr_assert_eq(with, without);
	cr_assert_eq(stat(r, "sm.request_buffer.passed"), stat(r, "sm.line_requests"));
	cr_assert_eq(stat(r, "sm.request_buffer.entered"), 0);
	cr_assert_eq(seen.barriers, 4, "each CTA's barrier lets go once");
	cr_assert_eq(seen.membars, 4 * 3);
	cr_assert_eq(seen.cta_warps, 7);
	cr_assert_eq(seen.cta_slots, 3, "two CTAs on each of two SMs");
	cr_assert_eq(seen.collisions, 32, "of the atomic");
	rig_free(r);
}

static void through(const struct request_buffer_class *class, const char *set)
{
	struct kernel_rig *r = rig_new(walking, set);

	put_in(r, class, NULL);
	walk(r);
	cr_assert_eq(stat(r, "sm.request_buffer.entered"), stat(r, "sm.line_requests"));
	cr_assert_eq(stat(r, "sm.request_buffer.left"), stat(r, "sm.line_requests"));
	if (class == &narrow)
		cr_assert_gt(stat(r, "sm.request_buffer.full_cycles"), 1000);
	rig_free(r);
}

Test(request_path, requests_of_every_kind_may_wait_and_be_reordered)
{
	through(&stack, NULL);
	through(&stack, "sm.l1d.mshrs=1");
	through(&stack, "sm.l1d.miss_queue=1");
	through(&stack, "sm.lsu_in_flight=1");
	through(&stack, "sm.l1d.enabled=false");
}

Test(request_path, a_full_buffer_stalls_the_memory_stage)
{
	through(&narrow, NULL);
	through(&narrow, "sm.l1d.mshrs=1");
	through(&narrow, "sm.l1d.miss_queue=1");
	through(&narrow, "sm.lsu_queue=1");
}

/* ---- what a request says ---- */

static struct seen flags_of(const char *instruction)
{
	char text[1024];
	struct kernel_rig *r;
	uint64_t p;

	snprintf(text, sizeof(text),
		".visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<9>; .reg .b64 %%d<8>; .local .align 8 "
		".b8 own[64];\n"
		"ld.param.u64 %%d1, [p]; mov.u32 %%r1, %%tid.x; mul.wide.u32 %%d2, %%r1, 4; add.s64 %%d2, "
		"%%d1, %%d2; mov.u64 %%d3, own;\n"
		"%s\nret;\n}\n",
		instruction);
	r = rig_new(text, NULL);
	put_in(r, &watching, NULL);
	p = rig_buffer(r, 4096);
	rig_launch(r, 1, 32, &p, false);
	rig_expect_done(r);
	rig_free(r);
	return seen;
}

Test(request_path, operators_become_flags)
{
	struct seen s = flags_of("ld.global.u32 %r2, [%d2];");

	cr_expect(!s.evict_first && !s.last_use && !s.discards && !s.uncached && !s.local && s.requests == 1);
	cr_expect(flags_of("ld.global.cs.u32 %r2, [%d2];").evict_first);
	s = flags_of("ld.global.lu.u32 %r2, [%d2];");
	cr_expect(s.evict_first && !s.last_use, "on global memory .lu is .cs");
	s = flags_of("ld.local.lu.u32 %r2, [%d3];");
	cr_expect(s.local && s.last_use && s.evict_first);
	cr_expect(flags_of("ld.local.cs.u32 %r2, [%d3];").last_use, "on local memory .cs is .lu");
	s = flags_of("ld.local.cg.u32 %r2, [%d3];");
	cr_expect(s.local && !s.uncached && !s.discards && !s.evict_first);
	s = flags_of("ld.global.cg.u32 %r2, [%d2];");
	cr_expect(s.uncached && s.discards && s.requests == 1);
	s = flags_of("ld.global.cv.u32 %r2, [%d2];");
	cr_expect(s.uncached && s.discards);
	cr_expect(flags_of("st.global.cs.u32 [%d2], %r1;").evict_first);
	cr_expect(!flags_of("st.global.wt.u32 [%d2], %r1;").evict_first);
	cr_expect(flags_of("st.local.cg.u32 [%d3], %r1;").evict_first);
	s = flags_of("prefetch.global.L2 [%d2];");
	cr_expect(s.uncached && !s.discards);
	cr_expect(!flags_of("prefetch.global.L1 [%d2];").uncached);
}

Test(request_path, atomics_say_how_many_lanes_collide)
{
	cr_expect_eq(flags_of("red.global.add.u32 [%d1], 1;").collisions, 32);
	cr_expect_eq(flags_of("red.global.add.u32 [%d2], 1;").collisions, 1);
	cr_expect_eq(flags_of("and.b64 %d2, %d2, -16; red.global.add.u32 [%d2], 1;").collisions, 4);
	cr_expect_eq(
		flags_of("and.b64 %d2, %d2, -16; mov.u64 %d4, 1; red.global.add.u64 [%d2], %d4;").collisions,
		4);
	cr_expect_eq(flags_of("ld.global.u32 %r2, [%d1];").collisions, 0);
}

/* Of two warps the second has loads of 32 lines on their way when the barrier lets go: they are from before
 * it. */
static const char before_barrier[] =
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<9>; .reg .b64 %d<8>; .reg .pred %q;\n"
	"ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 128; add.s64 %d2, %d1, %d2; "
	"setp.lt.u32 %q, %r1, 32;\n"
	"@%q bra wait;\nld.global.u32 %r2, [%d2]; ld.global.u32 %r3, [%d2+4]; ld.global.u32 %r4, [%d2+8]; "
	"ld.global.u32 %r5, [%d2+12];\n"
	"wait: bar.sync 0;\nst.global.u32 [%d1+65536], %r1;\nbar.sync 0;\nld.global.u32 %r6, [%d1]; "
	"ret;\n}\n";

Test(request_path, requests_say_how_many_barriers_had_been_passed_when_they_issued)
{
	struct kernel_rig *r = rig_new(before_barrier, NULL);
	uint64_t p;

	put_in(r, &watching, NULL);
	p = rig_buffer(r, 1 << 17);
	rig_launch(r, 1, 64, &p, false);
	rig_expect_done(r);
	cr_expect_eq(seen.barriers, 2);
	cr_expect_eq(seen.epoch[0], 4 * 32);
	cr_expect_eq(seen.epoch[1], 2, "a store of each warp");
	cr_expect_eq(seen.requests, 4 * 32 + 2 + 2);
	cr_expect_gt(seen.late, 0, "entered when the barrier had let go: %d", (int)seen.late);
	rig_launch(r, 1, 64, &p, false);
	cr_expect_eq(seen.epoch[0], 2 * 4 * 32, "the next CTA begins anew");
	rig_free(r);
}

/* ---- bypass ---- */

Test(request_path, reads_that_bypass_before_the_look_up_leave_the_l1_alone)
{
	struct kernel_rig *r = rig_new(walking, NULL);

	put_in(r, NULL, &unasked);
	walk(r);
	cr_expect_eq(stat(r, "sm.l1d.bypassed"), 12 * 32 * 32, "12 warps, 32 loads of 32 lines");
	cr_expect_eq(stat(r, "sm.bypass.before"), 12 * 32 * 32);
	cr_expect_eq(stat(r, "sm.l1d.hits") + stat(r, "sm.l1d.misses") + stat(r, "sm.l1d.merged"), 0);
	cr_expect_eq(stat(r, "sm.l1d.uncached"), 12 * 32, "those that the program sends past it");
	cr_expect_eq(kernels, 2, "told by each SM");
	rig_free(r);
}

Test(request_path, reads_that_the_l1_refuses_may_bypass_it_in_the_same_cycle)
{
	struct kernel_rig *r = rig_new(walking, "sm.l1d.ways=1");
	uint64_t waiting, bypassing;

	walk(r);
	waiting = r->result.core_cycles;
	rig_free(r);
	r = rig_new(walking, "sm.l1d.ways=1");
	put_in(r, NULL, &impatient);
	walk(r);
	bypassing = r->result.core_cycles;
	cr_expect_eq(stat(r, "sm.bypass.after"), stat(r, "sm.l1d.bypassed"));
	cr_expect_gt(stat(r, "sm.bypass.after"), 0);
	cr_expect_geq(refusals, stat(r, "sm.bypass.after"));
	cr_expect_lt(bypassing, waiting, "%d %d", (int)bypassing, (int)waiting);
	rig_free(r);
	r = rig_new(walking, "sm.l1d.ways=1");
	put_in(r, &stack, &impatient);
	walk(r);
	cr_expect_gt(stat(r, "sm.bypass.after"), 0);
	rig_free(r);
}

/* ---- what a read that bypasses asks for ---- */

static void expect_reply(uint32_t reply, const uint32_t mask[4], uint32_t sectors)
{
	struct bypass b = { .reply = reply };
	struct cache_request r = { .kind = PACKET_READ, .bytes = 128 };

	memcpy(r.byte_mask, mask, sizeof(r.byte_mask));
	bypass_reply(&b, &r);
	cr_expect_eq(r.bytes, 32 * (uint32_t)__builtin_popcount(sectors));
	for (uint32_t i = 0; i < 4; i++)
		cr_expect_eq(r.byte_mask[i], sectors >> i & 1 ? UINT32_MAX : 0, "sector %u", i);
}

/* GPGPU-Sim 3.2: an access is narrowed to 64 or 32 bytes if it touches one half or quarter of them. */
Test(request_path, the_segment_is_the_least_aligned_one_that_holds_what_lanes_touch)
{
	expect_reply(0, (uint32_t[]){ 0xf, 0, 0, 0 }, 1);
	expect_reply(0, (uint32_t[]){ 0, 0, 0xf0, 0 }, 4);
	expect_reply(0, (uint32_t[]){ 1, 2, 0, 0 }, 3);
	expect_reply(0, (uint32_t[]){ 0, 0, 4, 8 }, 0xc);
	expect_reply(0, (uint32_t[]){ 0, 1, 1, 0 }, 0xf);
	expect_reply(0, (uint32_t[]){ 1, 0, 1, 0 }, 0xf);
	expect_reply(0, (uint32_t[]){ 1, 1, 1, 0 }, 0xf);
	expect_reply(1, (uint32_t[]){ 0xf, 0, 0, 0 }, 0xf);
}

static struct bypass *bypass_of(const struct kernel_rig *r, uint32_t sm)
{
	return r->gpu->chip.sms[sm]->state.lsu.bypass;
}

static void walk_with_reply(uint32_t reply, uint64_t bytes)
{
	struct kernel_rig *r = rig_new(walking, NULL);

	put_in(r, NULL, &unasked);
	for (uint32_t i = 0; i < r->gpu->config.gpu.sms; i++)
		bypass_of(r, i)->reply = reply;
	walk(r);
	cr_expect_eq(stat(r, "sm.l1d.bypassed"), 12 * 32 * 32);
	cr_expect_eq(stat(r, "sm.l1d.uncached_bytes"), 12 * 32 * 32 * bytes + 12 * 32 * 32);
	rig_free(r);
}

Test(request_path, reads_that_bypass_bring_segments_or_lines)
{
	walk_with_reply(0, 32); /* and the loads with .cg bring a sector each */
	walk_with_reply(1, 128);
}
