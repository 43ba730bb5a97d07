/* Memory order under WarpPool in the assembled machine: small kernels whose accesses would change places at
 * the L1 if a gate of the coalescer were missing. Each runs twice, with the gates and with one of them open;
 * the second run shows that the first one can fail.
 *
 * The loads that are overtaken have 32 lines, for which the L1 has two MSHRs, so that they take long. */
#include "core/gpu/gpu_internal.h"
#include "core/sm/sm.h"
#include "memsys/coalescer/coalescer.h"
#include "memsys/l1/cache.h"
#include "tests/unit/core/machine_rig.h"

#define LINE (31 * 128) /* the line that the loads ask for last */

/* p: the lines; d1: of the lane, d4: the last line; r1: tid; p1: in warp 0. */
#define BEGIN \
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<9>; .reg .b64 %d<8>; .reg .pred %p<4>;\n" \
	".shared .u32 flag;\n" \
	"ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31; mul.wide.u32 %d2, %r2, 128;\n" \
	"add.u64 %d4, %d1, 3968; add.u64 %d1, %d1, %d2; setp.lt.u32 %p1, %r1, 32;\n"
#define END "ret;\n}\n"

enum { OPEN_NONE, OPEN_LOAD, OPEN_STORE, OPEN_FENCE };

static struct machine *m;
static addr base;
static int gate;
/* What the L1 was asked about the last line, in order: 'r' (a volatile load: 'v'), 'w', 'x' of
 * warp 0; of warp 1 in capitals. */
static char order[64];

static void accessed(void *user, const struct access_event *e)
{
	static const char kinds[] = { [PACKET_READ] = 'r', [PACKET_WRITE] = 'w', [PACKET_ATOMIC] = 'x' };
	size_t n = strlen(order);

	(void)user;
	if (e->outcome == ACCESS_REFUSED || e->line != base - DEVICE_BASE + LINE || n > 60)
		return;
	order[n] = (char)((e->kind == PACKET_READ && e->outcome == ACCESS_BYPASSED ? 'v' : kinds[e->kind]) -
		(e->by.warp ? 32 : 0));
}

/* ---- a policy whose gate stands open ---- */

static struct coalescer_class mutant;
static const struct coalescer_class *whole;

static void open_gate(struct coalescer *c)
{
	uint64_t *gates[] = { NULL, &c->gates.load, &c->gates.store, &c->gates.fence };

	if (gate != OPEN_NONE)
		*gates[gate] = gate == OPEN_FENCE ? ~UINT64_C(0) : c->gates.room;
}

static void mutant_accept(struct coalescer *c, const struct coalescer_instruction *i, cycles now)
{
	whole->accept(c, i, now);
	open_gate(c);
}

static void mutant_tick(struct coalescer *c, cycles now)
{
	whole->tick(c, now);
	open_gate(c);
}

/* The order of the accesses to the last line; open: the gate that is missing. */
static const char *run(const char *body, int open, const char *further)
{
	static struct cache_listener listener = { .accessed = accessed };
	const char *sets[] = { "sm.lsu_replay=false", "sm.coalescer.policy=warppool", "gpu.sms=1",
		"sm.l1d.index=linear", "sm.l1d.mshrs=2", "sm.l1d.mshrs_per_warp=0", further, NULL };
	uint64_t params[1];
	struct sm *sm;

	memset(order, 0, sizeof(order));
	gate = open;
	m = machine_new(body, sets);
	sm = m->gpu->chip.sms[0];
	listener.next = NULL;
	cache_listen(sm->spec.l1d, &listener);
	whole = sm->state.lsu.coalescer->class;
	mutant = *whole;
	mutant.accept = mutant_accept;
	mutant.tick = mutant_tick;
	sm->state.lsu.coalescer->class = &mutant;
	params[0] = base = memory_allocate(gpu_memory(m->gpu), 1 << 16, 256);
	machine_launch_as(m, 1, 64, params, false);
	cr_assert_eq(m->result.outcome, GPU_DONE, "%s", m->result.fault.text);
	machine_free(m);
	return order;
}

static void keeps_order_with(const char *body, int which, const char *expected, const char *further)
{
	cr_expect_str_eq(run(body, OPEN_NONE, further), expected, "%s", order);
	run(body, which, further);
	cr_expect_str_neq(order, expected, "%s without the gate, too", order);
}

static void keeps_order(const char *body, int which, const char *expected)
{
	keeps_order_with(body, which, expected, NULL);
}

/* ---- one request, several instructions ---- */

static struct requester first;
static uint32_t events, shared_events;

/* A request's first event is its oldest instruction's, which names it; the others follow at once. */
static void count_event(void *user, const struct access_event *e)
{
	(void)user;
	if (e->outcome == ACCESS_REFUSED)
		return;
	events++;
	if (!e->is_coalesced) {
		first = e->by;
		return;
	}
	shared_events++;
	cr_expect_neq(e->by.warp, first.warp);
	cr_expect_geq(e->by.issued, first.issued);
	cr_expect(e->outcome == ACCESS_MERGED || e->outcome == ACCESS_HIT);
}

static double stat(const char *name)
{
	return stat_value(m->gpu->chip.stat_tree, NULL, name);
}

/* Eight warps load the same 32 lines, with two MSHRs: while the L1 is full, their requests are merged by
 * four. */
Test(coalescer_machine, a_request_for_four_instructions_is_one_request)
{
	static struct cache_listener listener = { .accessed = count_event };
	const char *sets[] = { "sm.lsu_replay=false", "sm.coalescer.policy=warppool",
		"sm.coalescer.warppool.coalescers=4", "gpu.sms=1", "sm.l1d.mshrs=2",
		"sm.l1d.mshrs_per_warp=0", "observe.requests=true", NULL };
	uint64_t params[1];
	double requests, instructions;

	m = machine_new(
		BEGIN "ld.global.u32 %r3, [%d1]; add.u32 %r3, %r3, 1; st.shared.u32 [flag], %r3;" END, sets);
	cache_listen(m->gpu->chip.sms[0]->spec.l1d, &listener);
	params[0] = memory_allocate(gpu_memory(m->gpu), 1 << 16, 256);
	machine_launch_as(m, 1, 256, params, false);
	cr_assert_eq(m->result.outcome, GPU_DONE, "%s", m->result.fault.text);
	requests = stat("sm.coalescer.load_requests");
	instructions = stat("sm.coalescer.load_instructions");
	cr_expect_eq(instructions, 8 * 32);
	cr_expect_leq(requests, instructions / 2, "%g requests", requests);
	cr_expect_geq(requests, instructions / 4);
	cr_expect_eq(stat("sm.l1d.accesses"), requests, "it takes one place of an MSHR");
	cr_expect_eq(stat("sm.l1d.fills"), 32, "each line is fetched once");
	cr_expect_eq(events, instructions, "one event for each instruction");
	cr_expect_eq(shared_events, instructions - requests);
	cr_expect_eq(stat("observe.requests.lines"), instructions);
	cr_expect_eq(stat("observe.requests.lanes"), 8 * 32);
	cr_expect_eq(stat("observe.requests.to_l2"), stat("sm.l1d.misses"));
	cr_expect_eq(stat("sm.load_latency::samples"), 8, "each instruction is completed once");
	machine_free(m);
}

/* ---- within a warp ---- */

Test(coalescer_machine, a_store_follows_the_loads_before_it)
{
	keeps_order(
		BEGIN "@%p1 ld.global.u32 %r3, [%d1]; @%p1 st.global.u32 [%d4], %r1;" END, OPEN_STORE, "rw");
}

Test(coalescer_machine, an_atomic_follows_the_loads_before_it)
{
	keeps_order(BEGIN "@%p1 ld.global.u32 %r3, [%d1]; @%p1 red.global.add.u32 [%d4], 1;" END, OPEN_STORE,
		"rx");
}

/* The sum keeps the two loads in different registers. */
Test(coalescer_machine, a_volatile_load_follows_the_loads_before_it)
{
	keeps_order(BEGIN "@%p1 ld.global.u32 %r3, [%d1]; @%p1 ld.volatile.global.u32 %r4, [%d4]; "
			  "add.u32 %r3, %r3, %r4; @%p1 st.global.u32 [%d1+8192], %r3;" END,
		OPEN_STORE, "rv");
}

/* The store has 32 lines, one a cycle, and loads go before stores. */
Test(coalescer_machine, a_load_follows_the_stores_before_it)
{
	keeps_order(BEGIN "@%p1 st.global.u32 [%d1], %r1; "
			  "@%p1 ld.global.u32 %r4, [%d4];" END,
		OPEN_LOAD, "wr");
}

Test(coalescer_machine, a_load_follows_the_atomics_before_it)
{
	keeps_order(BEGIN "@%p1 red.global.add.u32 [%d1], 1; "
			  "@%p1 ld.global.u32 %r4, [%d4];" END,
		OPEN_LOAD, "xr");
}

/* A generic address is gated as what it may be. */
Test(coalescer_machine, a_generic_store_follows_the_loads_before_it)
{
	keeps_order(BEGIN "@%p1 ld.u32 %r3, [%d1]; @%p1 st.u32 [%d4], %r1;" END, OPEN_STORE, "rw");
}

/* A warp that has not issued for long goes first, but not before its own accesses. */
Test(coalescer_machine, starvation_does_not_open_a_gate)
{
	keeps_order_with(BEGIN "@%p1 ld.global.u32 %r3, [%d1]; @%p1 st.global.u32 [%d4], %r1;" END,
		OPEN_STORE, "rw", "sm.starvation_limit=1");
}

/* Nor does a limiter, which lets the oldest warp load. */
Test(coalescer_machine, a_limiter_does_not_open_a_gate)
{
	keeps_order_with(BEGIN "@%p1 st.global.u32 [%d1], %r1; "
			       "@%p1 ld.global.u32 %r4, [%d4];" END,
		OPEN_LOAD, "wr", "sm.limiter.policy=swl");
}

/* ---- between warps ---- */

/* Warp 1 writes behind the barrier what warp 0 reads before it. */
Test(coalescer_machine, a_barrier_follows_the_loads_before_it)
{
	keeps_order(BEGIN "@%p1 ld.global.u32 %r3, [%d1]; bar.sync 0; @!%p1 st.global.u32 [%d4], %r1;" END,
		OPEN_FENCE, "rW");
}

/* The same with a flag in shared memory, behind a membar. */
Test(coalescer_machine, a_membar_follows_the_loads_before_it)
{
	keeps_order(BEGIN
		"@%p1 ld.global.u32 %r3, [%d1]; @%p1 membar.cta; @%p1 st.volatile.shared.u32 [flag], 1;\n"
		"@%p1 bra OUT;\n"
		"SPIN: ld.volatile.shared.u32 %r4, [flag]; setp.eq.u32 %p2, %r4, 0; @%p2 bra SPIN;\n"
		"st.global.u32 [%d4], %r1;\nOUT: " END,
		OPEN_FENCE, "rW");
}
