/* A machine whose clocks go on although nothing moves: a DRAM scheduler that chooses no request leaves
 * refreshes alone. It is found, with who waits for whom, and never where something is merely late. */
#include "tests/unit/core/launch_rig.h"
#include "core/gpu/gpu_internal.h"
#include "dram/channel.h"
#include "dram/sched/sched.h"
#include "tests/unit/hang_guard.h"

static struct dram_choice choose_none(struct dram_sched *sched, const struct dram_queue *queue, cycles now)
{
	return (struct dram_choice){ .ready = SIM_NEVER };
}

/* From now on no channel serves anything. */
static void stop_channels(struct gpu *gpu)
{
	static struct dram_sched_class never;

	never = *dram_sched_of(gpu->channels[0])->class;
	never.choose = choose_none;
	for (uint32_t i = 0; i < gpu->config.gpu.partitions; i++)
		dram_sched_of(gpu->channels[i])->class = &never;
}

static const char loads[] =
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
	"ld.param.u64 %rd1, [p];\nld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd1+4], %r1;\nret;\n}\n";

Test(standstill, requests_that_dram_never_serves_are_a_hang, HANG_GUARD)
{
	struct kernel_rig *r = rig_new(loads, NULL);
	uint64_t p = rig_buffer(r, 256);
	const char *text;

	rig_launch(r, 3, 64, &p, false); /* which fetches the instructions */
	rig_expect_done(r);
	p = rig_buffer(r, 256);
	stop_channels(r->gpu);
	rig_launch(r, 3, 64, &p, false);
	cr_assert_eq(r->result.outcome, GPU_FAULT);
	cr_assert_eq(r->result.fault.kind, FAULT_HANG);
	text = r->result.fault.text;
	cr_assert(strstr(text, "no warp can ever proceed"), "%s", text);
	cr_assert(strstr(text, "1 results and 0 stores are on the way"), "%s", text);
	cr_assert(strstr(text, "nothing has moved in the machine for "), "%s", text);
	cr_assert(strstr(text, "writes queued; 0 replies\n    oldest: read of bank "), "%s", text);
	cr_assert_not(gpu_recover(r->gpu), "what is under way cannot pass");
	rig_launch(r, 3, 64, &p, false);
	cr_assert_eq(r->result.outcome, GPU_FAULT);
	cr_assert_eq(r->result.fault.kind, FAULT_HANG);
	rig_free(r);
}

/* Set sleeps of some 3 ms, for which nothing moves; and refreshes with hardly any time between them. */
Test(standstill, what_is_only_late_is_none, HANG_GUARD)
{
	static const char sleeps[] =
		".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
		"ld.param.u64 %rd1, [p];\nnanosleep.u32 3000000;\nld.global.u32 %r1, [%rd1];\n"
		"st.global.u32 [%rd1+4], %r1;\nret;\n}\n";
	static const char *const sets[] = { NULL, "dram.tREFI=1000000", "dram.tREFI=1000000 dram.tRFC=16384",
		"gpu.cta_turnaround=1000000 gpu.sms=1" };

	for (size_t i = 0; i < sizeof(sets) / sizeof(*sets); i++)
		for (int k = 0; k < 2; k++) {
			struct kernel_rig *r = rig_new(k ? sleeps : loads, sets[i]);
			uint64_t p = rig_buffer(r, 256);

			rig_launch(r, 20, 64, &p, false);
			rig_expect_done(r);
			rig_free(r);
		}
}
