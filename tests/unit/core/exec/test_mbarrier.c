/* tests/unit/core/exec/test_mbarrier.c -- mbarrier objects against a plain model of their counts and phases;
 * states and parities; faults; warps that wait for each other in a whole kernel. */
#include "frontend/lower/memory/mbarrier.h"
#include "tests/unit/core/exec_rig.h"
#include "tests/unit/core/launch_rig.h"

/* The model: PTX ISA, "Parallel Synchronization: mbarrier". */
struct model {
	unsigned pending, expected, phase;
	int bytes;
};

static void sync_stats(struct model *m)
{
	if (m->pending || m->bytes)
		return;
	m->phase++;
	m->pending = m->expected;
}

enum { OBJECT = 64, ADDRESS = 0, VALUE = 1, STATE = 2 };

static void set_up(struct rig *r)
{
	rig_init(r);
	for (unsigned lane = 0; lane < 32; lane++)
		r->registers[ADDRESS][lane] = OBJECT;
}

static void operate(struct rig *r, const exec_function *table, enum mbarrier_operation operation,
	int64_t value, lane_mask who)
{
	struct uop u = U(MBARRIER, .bytes = 8, .reg_bytes = 8, .space = SPACE_SHARED, .mods = MOD_SAT,
		.compare = (uint8_t)operation, .src = { ADDRESS, value < 0 ? UOP_NONE : VALUE },
		.dst = { STATE });

	for (unsigned lane = 0; lane < 32; lane++)
		r->registers[VALUE][lane] = (uint32_t)value;
	rig_run(r, table, &u, who);
}

/* Lanes for which the phase is over, by the states in row STATE or by parity. */
static lane_mask test(struct rig *r, const exec_function *table, int parity)
{
	struct uop u = U(MBARRIER_TEST, .bytes = 8, .reg_bytes = 8, .space = SPACE_SHARED, .mods = MOD_SAT,
		.compare = parity >= 0, .src = { ADDRESS, parity >= 0 ? VALUE : STATE }, .dst = { 3 });

	for (unsigned lane = 0; lane < 32; lane++)
		r->registers[VALUE][lane] = (uint32_t)parity;
	r->predicates[3] = 0xaaaaaaaa;
	rig_run(r, table, &u, UINT32_MAX);
	return r->predicates[3];
}

static void expect_model(struct rig *r, const exec_function *table, const struct model *m)
{
	cr_assert_eq(test(r, table, m->phase & 1), 0, "the current phase is not over");
	cr_assert_eq(test(r, table, !(m->phase & 1)), UINT32_MAX, "the one before is");
}

Test(mbarrier, counts_arrivals_and_turns_phases)
{
	static struct rig r;
	uint64_t random = 3;

	for_each_level(table) for (unsigned run = 0; run < 50; run++)
	{
		struct model m = { 0 };

		set_up(&r);
		m.pending = m.expected = 1 + (unsigned)(rig_random(&random) % 40);
		operate(&r, table, MBARRIER_INIT, m.expected, 1);
		for (unsigned step = 0; step < 60 && m.expected > 4; step++) {
			unsigned kind = (unsigned)(rig_random(&random) % 5),
				 count = 1 + (unsigned)(rig_random(&random) % m.pending);

			if (!m.pending)
				break;
			if (kind == 0) { /* a drop of a few */
				count = count < 3 ? count : 3;
				operate(&r, table, MBARRIER_DROP, count, 1);
				m.expected -= count;
				m.pending -= count;
			} else if (kind == 1) {
				operate(&r, table, MBARRIER_EXPECT, 100, 1);
				m.bytes += 100;
			} else if (kind == 2) {
				operate(&r, table, MBARRIER_COMPLETE, 60, 1);
				m.bytes -= 60;
			} else {
				operate(&r, table, MBARRIER_ARRIVE, count, 1);
				m.pending -= count;
			}
			if (!m.pending && m.bytes) { /* the transactions complete it */
				operate(&r, table, m.bytes > 0 ? MBARRIER_COMPLETE : MBARRIER_EXPECT,
					m.bytes > 0 ? m.bytes : -m.bytes, 1);
				if (m.bytes < 0) { /* an expectation alone does not */
					operate(&r, table, MBARRIER_COMPLETE, 0, 1);
				}
				m.bytes = 0;
			}
			if (kind != 1)
				sync_stats(&m);
			cr_assert(!r.x.faulted, "%s", r.fault.detail);
			expect_model(&r, table, &m);
		}
	}
}

Test(mbarrier, a_state_tells_the_phase_and_count_before_the_arrival)
{
	static struct rig r;

	for_each_level(table)
	{
		set_up(&r);
		operate(&r, table, MBARRIER_INIT, 40, 1);
		operate(&r, table, MBARRIER_ARRIVE, -1, 0xffffff0f); /* lanes in order, one each: 28 */
		for (unsigned lane = 0; lane < 32; lane++) {
			unsigned before = lane < 4 ? 40 - lane : 40 - lane + 4;

			if (lane >= 4 && lane < 8)
				continue;
			cr_assert_eq(
				rig_get(&r, STATE, 8, lane) & MBARRIER_COUNT_MOST, before, "lane %u", lane);
		}
		for (unsigned lane = 4; lane < 8; lane++)
			rig_set(&r, STATE, 8, lane, rig_get(&r, STATE, 8, 0));
		cr_assert_eq(test(&r, table, -1), 0);
		operate(&r, table, MBARRIER_ARRIVE, 1, 0x000000ff);
		operate(&r, table, MBARRIER_ARRIVE, -1, 0x0000000f); /* the last four: phase 0 ends with lane
									3 */
		cr_assert_eq(test(&r, table, -1), UINT32_MAX, "every state so far is of phase 0");
		operate(&r, table, MBARRIER_ARRIVE, -1, 0x1);
		cr_assert_eq(test(&r, table, -1), ~UINT32_C(1), "lane 0 has one of phase 1");
	}
}

Test(mbarrier, arrivals_of_one_instruction_may_end_several_phases)
{
	static struct rig r;
	struct mbarrier b;
	uint64_t bits;

	for_each_level(table)
	{
		set_up(&r);
		operate(&r, table, MBARRIER_INIT, 8, 1);
		operate(&r, table, MBARRIER_ARRIVE, -1, 0x07ffffff); /* 27 */
		memcpy(&bits, r.shared + OBJECT, 8);
		b = mbarrier_unpack(bits);
		cr_assert_eq(b.pending, 5);
		cr_assert(b.parity, "three phases are over");
		operate(&r, table, MBARRIER_INVAL, -1, 1);
		memcpy(&bits, r.shared + OBJECT, 8);
		cr_assert(!mbarrier_unpack(bits).is_initialised);
	}
}

Test(mbarrier, arrive_with_expect_tx_waits_for_the_bytes)
{
	static struct rig r;

	for_each_level(table)
	{
		set_up(&r);
		operate(&r, table, MBARRIER_INIT, 1, 1);
		operate(&r, table, MBARRIER_ARRIVE_EXPECT, 4096, 1);
		cr_assert_eq(test(&r, table, 0), 0, "the bytes are missing");
		operate(&r, table, MBARRIER_COMPLETE, 4000, 1);
		cr_assert_eq(test(&r, table, 0), 0);
		operate(&r, table, MBARRIER_COMPLETE, 96, 1);
		cr_assert_eq(test(&r, table, 0), UINT32_MAX);
		operate(&r, table, MBARRIER_DROP_EXPECT, 0, 1);
		cr_assert_eq(test(&r, table, 1), UINT32_MAX);
	}
}

static void expect_fault(struct rig *r, const char *why)
{
	cr_assert(r->x.faulted, "no fault: %s", why);
	cr_assert_eq(r->fault.kind, FAULT_ILLEGAL_INSTRUCTION);
	cr_assert(strstr(r->fault.detail, why), "%s", r->fault.detail);
	r->x.faulted = false;
}

Test(mbarrier, misuse_is_a_fault_that_says_what)
{
	static struct rig r;

	for_each_level(table)
	{
		set_up(&r);
		operate(&r, table, MBARRIER_ARRIVE, -1, 1);
		expect_fault(&r, "has not been initialised");
		test(&r, table, 0);
		expect_fault(&r, "has not been initialised");
		operate(&r, table, MBARRIER_INIT, 0, 1);
		expect_fault(&r, "1 to 1048575");
		operate(&r, table, MBARRIER_INIT, 1 << 20, 1);
		expect_fault(&r, "1 to 1048575");
		operate(&r, table, MBARRIER_INIT, 3, 1);
		operate(&r, table, MBARRIER_ARRIVE, 4, 1);
		expect_fault(&r, "more arrivals");
		operate(&r, table, MBARRIER_ARRIVE, 0, 1);
		expect_fault(&r, "1 to 1048575");
		operate(&r, table, MBARRIER_EXPECT, 1 << 20, 1);
		expect_fault(&r, "count of bytes");
		for (unsigned lane = 0; lane < 32; lane++)
			r.registers[ADDRESS][lane] = lane == 6 ? OBJECT + 4 : OBJECT;
		operate(&r, table, MBARRIER_ARRIVE, 1, 0xc0);
		cr_assert(r.x.faulted);
		cr_assert_eq(r.fault.kind, FAULT_MISALIGNED);
		cr_assert_eq(r.fault.lane, 6);
	}
}

/* Warp 0 writes, warp 1 reads, twice over one buffer: a full and an empty barrier. */
static const char *const ping_pong =
	".visible .entry k(.param .u64 out)\n{\n.reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %d<8>;\n"
	".shared .align 8 .b64 full; .shared .align 8 .b64 empty; .shared .align 4 .b8 data[128];\n"
	"ld.param.u64 %d0, [out];\nmov.u32 %r0, %tid.x;\nand.b32 %r1, %r0, 31;\nmov.u32 %r2, "
	"data;\nmad.lo.u32 %r2, %r1, 4, %r2;\n"
	"mov.u32 %r3, full;\nmov.u32 %r4, empty;\nsetp.ne.u32 %p0, %r0, 0;\n@%p0 bra ready;\n"
	"mbarrier.init.shared::cta.b64 [%r3], 32;\nmbarrier.init.shared::cta.b64 [%r4], "
	"32;\nready:\nbar.sync 0;\n"
	"mov.u32 %r5, 0;\nsetp.ge.u32 %p0, %r0, 32;\n@%p0 bra reader;\n"
	"write:\nand.b32 %r6, %r5, 1;\nxor.b32 %r6, %r6, 1;\n"
	"wait_empty:\nmbarrier.try_wait.parity.shared::cta.b64 %p1, [%r4], %r6, 1000;\n@!%p1 bra "
	"wait_empty;\n"
	"mad.lo.u32 %r7, %r5, 1000, %r1;\nst.shared.u32 [%r2], %r7;\nmbarrier.arrive.shared::cta.b64 _, "
	"[%r3];\n"
	"add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 6;\n@%p1 bra write;\nret;\n"
	"reader:\nand.b32 %r6, %r5, 1;\n"
	"wait_full:\nmbarrier.try_wait.parity.shared::cta.b64 %p1, [%r3], %r6;\n@!%p1 bra wait_full;\n"
	"ld.shared.u32 %r7, [%r2];\nmbarrier.arrive.shared::cta.b64 %d1, [%r4];\nmbarrier.pending_count.b64 "
	"%r8, %d1;\n"
	"mad.lo.u32 %r9, %r5, 32, %r1;\nmul.wide.u32 %d2, %r9, 8;\nadd.u64 %d3, %d0, %d2;\nst.global.u32 "
	"[%d3], %r7;\n"
	"st.global.u32 [%d3+4], %r8;\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 6;\n@%p1 bra "
	"reader;\nret;\n}\n";

Test(mbarrier, two_warps_hand_a_buffer_to_and_fro)
{
	struct kernel_rig *r = rig_new(ping_pong, NULL);
	uint64_t out = rig_buffer(r, 4096);
	const uint32_t *got = memory_host(out);

	for (unsigned functional = 0; functional < 2; functional++) {
		memset(memory_host(out), 0xff, 4096);
		rig_launch(r, 1, 64, &out, functional);
		rig_expect_done(r);
		for (unsigned i = 0; i < 6 * 32; i++) {
			cr_assert_eq(got[2 * i], i / 32 * 1000 + i % 32, "step %u lane %u: %u", i / 32,
				i % 32, got[2 * i]);
			cr_assert_eq(got[2 * i + 1], 32 - i % 32, "arrivals in lane order");
		}
	}
	rig_free(r);
}

Test(mbarrier, generic_addresses_and_faults_in_kernels)
{
	struct kernel_rig *r =
		rig_new(".visible .entry k(.param .u64 out)\n{\n.reg .pred %p<2>; .reg .b64 %d<8>; .reg .b32 "
			"%r<4>; .shared .align 8 .b64 bar;\n"
			"ld.param.u64 %d0, [out];\ncvta.shared.u64 %d1, bar;\nmbarrier.init.b64 [%d1], "
			"2;\nmbarrier.arrive.b64 %d2, [%d1];\n"
			"mbarrier.arrive_drop.b64 %d3, [%d1];\nmbarrier.test_wait.b64 %p0, [%d1], "
			"%d2;\nselp.u32 %r0, 1, 0, %p0;\n"
			"st.global.u32 [%d0], %r0;\nmbarrier.test_wait.parity.shared.b64 %p0, [bar], "
			"1;\nselp.u32 %r0, 1, 0, %p0;\n"
			"st.global.u32 [%d0+4], %r0;\nmbarrier.arrive.b64 _, [%d0];\nret;\n}\n",
			NULL);
	uint64_t out = rig_buffer(r, 64);
	const uint32_t *got = memory_host(out);

	rig_launch(r, 1, 1, &out, true);
	cr_assert_eq(got[0], 1);
	cr_assert_eq(got[1], 0);
	cr_assert_eq(r->result.outcome, GPU_FAULT, "the last arrival is at a global address");
	cr_assert_eq(r->result.fault.kind, FAULT_ADDRESS_SPACE, "%s", r->result.fault.text);
	rig_free(r);
}
