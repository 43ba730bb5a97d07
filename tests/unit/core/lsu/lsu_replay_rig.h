/* tests/unit/core/lsu/lsu_replay_rig.h -- what test_lsu_replay.c and test_lsu_replay_random.c share. */
#ifndef LSU_REPLAY_RIG_H
#define LSU_REPLAY_RIG_H

#include "core/lsu/lsu_path.h"
#include "core/gpu/gpu_internal.h"
#include "core/sm/sm.h"
#include "memsys/bypass/bypass.h"
#include "tests/unit/core/machine_rig.h"
#include "tests/unit/hang_guard.h"
#include "tests/unit/part.h"

#define MOST 65536

#define HEAD \
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<40>;\n.reg .b64 %rd<20>;\n.reg .pred " \
	"%p<4>;\n.local .align 16 .b8 own[64];\n" \
	".shared .align 16 .b8 all[1024];\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nand.b32 %r2, " \
	"%r1, 31;\nshr.u32 %r3, %r1, 5;\n"
#define END "ret;\n}\n"

#define KERNEL(body) HEAD body "\n" END

static struct access_event seen[MOST];

static uint32_t seen_count;

static uint64_t base; /* offset of the parameter's buffer */

static inline void accessed(void *user, const struct access_event *event)
{
	(void)user;
	cr_assert_lt(seen_count, MOST);
	seen[seen_count++] = *event;
}

static struct cache_listener listener = { .accessed = accessed };

static inline uint64_t stat(struct machine *m, const char *name)
{
	return machine_stat(m, name);
}

/* Ticks for ever, after the SM, and lets it never sleep. If the load/store unit does, all have been refused
 * and nothing that they lack is there. */
struct waker {
	struct component component;
	struct sm *sm;
};

static inline void keep_awake(struct component *c, cycles now)
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
static inline void conserved(struct machine *m)
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

static inline void place_symbols(struct machine *m)
{
	for (uint32_t i = 0; i < m->image->symbol_count; i++) {
		struct ptx_symbol *symbol = &m->image->symbols[i];

		symbol->address = memory_allocate(gpu_memory(m->gpu), symbol->size, symbol->align);
		memcpy(memory_host(symbol->address), symbol->data, symbol->size);
	}
	ptx_image_relocate(m->image);
}

static inline void start(struct machine *m, uint32_t grid, uint32_t threads, bool awake)
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

/* Line 2 is there; then the lanes' words in lines 0, 1 and 2. */
static const char three_lines[] =
	KERNEL("ld.global.u32 %r4, [%rd1+256];\nand.b32 %r4, %r4, 0;\nmul.lo.u32 %r5, %r2, 3;\nshr.u32 %r5, "
	       "%r5, 5;\n"
	       "mad.lo.u32 %r5, %r5, 128, %r4;\ncvt.u64.u32 %rd2, %r5;\nadd.s64 %rd2, %rd1, %rd2;\n"
	       "ld.global.u32 %r6, [%rd2];\nst.global.u32 [%rd1+4096], %r6;");

/* Each warp a line of its own, that is not there, and then another. */
static const char own_lines[] =
	KERNEL("mul.lo.u32 %r5, %r3, 128;\ncvt.u64.u32 %rd2, %r5;\nadd.s64 %rd2, %rd1, %rd2;\nld.global.u32 "
	       "%r4, [%rd2];\n"
	       "ld.global.u32 %r6, [%rd2+8192];\nadd.u32 %r4, %r4, %r6;\nst.global.u32 [%rd2+16384], %r4;");

#endif
