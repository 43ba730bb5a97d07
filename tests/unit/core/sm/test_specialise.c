/* tests/unit/core/sm/test_specialise.c -- which pipeline does an SM's cycles: one compiled for machines as
 * most are if the SM has all that is constant in it, else the general one. */
#include "core/gpu/gpu_internal.h"
#include "core/pipeline/specialise.h"
#include "tests/unit/core/machine_rig.h"

#define MOST_SETS 12

static const char copy[] =
	".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<4>; .reg .b64 %d<4>;\n"
	"ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.u64 %d2, %d2, %d1;\n"
	"ld.global.u32 %r2, [%d2]; st.global.u32 [%d2+4096], %r2;\nret;\n}\n";

/* What has done the cycles of a run. */
static void *cycle_of(const char *const *some, const char *more)
{
	const char *sets[MOST_SETS + 2] = { NULL };
	struct machine *m;
	uint64_t params[1];
	void *cycle;
	size_t n = 0;

	for (; some[n]; n++)
		sets[n] = some[n];
	sets[n] = more;
	m = machine_new(copy, sets);
	params[0] = memory_allocate(gpu_memory(m->gpu), 8192, 256);
	machine_launch_as(m, 1, 64, params, false);
	cr_assert_eq(m->result.outcome, GPU_DONE, "%s", m->result.fault.text);
	cycle = (void *)m->gpu->chip.sms[0]->spec.cycle;
	machine_free(m);
	return cycle;
}

static const char *const fermi[] = { "gpu.sms=1", NULL };
static const char *const volta[] = { "gpu.sms=1", "sm.schedulers=4", "sm.sub_cores=true",
	"sm.latency.guard=8", "sm.fetch_per_scheduler=true", "sm.l15.enabled=true", "sm.l1d.lookups=4",
	"sm.l1d.banks=32", "sm.register_banks=0", NULL };

Test(specialise, a_machine_as_fermi_s)
{
	cr_expect_eq(cycle_of(fermi, NULL), (void *)sm_cycle_fermi);
	cr_expect_eq(cycle_of(fermi, "sm.scheduler.policy=lrr"), (void *)sm_cycle_fermi);
}

Test(specialise, a_machine_as_volta_s)
{
	cr_expect_eq(cycle_of(volta, NULL), (void *)sm_cycle_volta);
	cr_expect_eq(cycle_of(volta, "sm.register_banks=16"), (void *)sm_cycle);
	cr_expect_eq(cycle_of(fermi, "sm.register_banks=0"), (void *)sm_cycle);
}

/* Each of these is constant in both. */
Test(specialise, what_neither_has)
{
	static const char *const others[] = { "sm.specialised=false", "sm.limiter.policy=swl",
		"sm.bypass.policy=stream", "sm.coalescer.policy=warppool", "sm.request_buffer.policy=mrpb",
		"sm.tlb.entries=16", "sm.issue_width=2", "observe.occupancy=true", "observe.requests=true",
		"observe.instructions=true" };

	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		cr_expect_eq(cycle_of(fermi, others[i]), (void *)sm_cycle, "%s", others[i]);
		cr_expect_eq(cycle_of(volta, others[i]), (void *)sm_cycle, "%s", others[i]);
	}
}

/* And each of these in one. */
Test(specialise, what_one_has_and_not_the_other)
{
	static const char *const unlike_fermi[] = { "sm.schedulers=1", "sm.sub_cores=true",
		"sm.latency.guard=8", "sm.l15.enabled=true", "sm.l1d.lookups=4", "sm.l1d.banks=32" };
	static const char *const unlike_volta[] = { "sm.schedulers=2", "sm.sub_cores=false",
		"sm.latency.guard=0", "sm.fetch_per_scheduler=false", "sm.l1d.lookups=1", "sm.l1d.banks=0" };

	for (size_t i = 0; i < sizeof unlike_fermi / sizeof *unlike_fermi; i++)
		cr_expect_eq(cycle_of(fermi, unlike_fermi[i]), (void *)sm_cycle, "%s", unlike_fermi[i]);
	for (size_t i = 0; i < sizeof unlike_volta / sizeof *unlike_volta; i++)
		cr_expect_eq(cycle_of(volta, unlike_volta[i]), (void *)sm_cycle, "%s", unlike_volta[i]);
}
