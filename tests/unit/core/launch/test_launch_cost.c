/* The start-up and the drain of a grid (gpu.launch): how many cycles they take, what overlaps them, and where
 * they are counted. At 700 MHz 1 us is 700 core cycles. */
#include "core/gpu/gpu_internal.h"
#include "core/kernel/kernel_run.h"
#include "tests/unit/core/machine_rig.h"

#define FIRST     700u /* 1 us */
#define QUEUED    350u /* 0.5 us */
#define DRAIN     140u /* 0.2 us */
#define COSTS     "gpu.launch.first=1", "gpu.launch.queued=0.5", "gpu.launch.drain=0.2"
#define MOST_SETS 16

/* Each thread stores the clock; the first also spins `rounds` times. */
static const char body[] =
	".visible .entry k(.param .u64 p, .param .u64 rounds)\n{\n.reg .b32 %r<9>; .reg .b64 %d<8>; "
	".reg .pred %q;\n"
	"ld.param.u64 %d1, [p]; ld.param.u32 %r4, [rounds]; mov.u32 %r1, %tid.x; mov.u64 %d3, %clock64;\n"
	"mul.wide.u32 %d2, %r1, 8; add.u64 %d2, %d2, %d1;\n"
	"again: sub.u32 %r4, %r4, 1; setp.gt.s32 %q, %r4, 0; @%q bra again;\n"
	"st.global.u64 [%d2], %d3; ret;\n}\n";

static struct machine *m;
static bool in_graph;
static uint64_t params[2];

static void begin(uint64_t rounds, const char *const *sets)
{
	const char *all[MOST_SETS] = { "gpu.sms=1" };
	uint32_t n = 1;

	for (; *sets; sets++)
		all[n++] = *sets;
	m = machine_new(body, all);
	params[0] = memory_allocate(gpu_memory(m->gpu), 4096, 256);
	params[1] = rounds;
}
#define BEGIN(rounds, ...) begin((rounds), (const char *const[]){ __VA_ARGS__, NULL })

static struct kernel_run *start(picoseconds waited)
{
	struct launch launch = { .kernel = &m->image->kernels[0],
		.grid = { 1, 1, 1 },
		.block = { 32, 1, 1 },
		.waited = waited,
		.is_graph_node = in_graph,
		.params = (const uint8_t *)params };

	return gpu_start(m->gpu, &launch, false);
}

/* run: the one that ends next; NULL: any. */
static struct launch_result finish(struct kernel_run *run)
{
	struct launch_result result;
	struct kernel_run *ended;

	cr_assert_eq(gpu_advance(m->gpu, SIM_NEVER, &ended), GPU_ENDED);
	cr_assert(!run || ended == run);
	gpu_finish(m->gpu, ended, &result);
	cr_assert_eq(result.outcome, GPU_DONE, "%s", result.fault.text);
	return result;
}

static cycles length(picoseconds waited)
{
	return finish(start(waited)).stats.cycles;
}

/* The first kernel warms the instruction cache; the second one's cycles are those of its own work. */
static cycles work(void)
{
	cycles sum;

	BEGIN(1, "gpu.launch.first=0");
	length(0);
	sum = length(0);
	machine_free(m);
	return sum;
}

Test(launch_cost, a_launch_on_an_idle_chip_pays_first_and_drain)
{
	cycles alone = work();
	struct launch_result result;

	BEGIN(1, COSTS);
	length(0);
	result = finish(start(0));
	cr_expect_eq(result.stats.cycles, alone + FIRST + DRAIN);
	cr_expect_eq(result.stats.launch_cycles, FIRST + DRAIN);
	cr_expect_eq(machine_stat(m, "gpu.launch_cycles"), 2 * (FIRST + DRAIN));
	cr_expect_eq(result.end - result.start,
		sim_edge(m->gpu->chip.sim, CLOCK_CORE, m->gpu->accounted_cycle) - result.start);
	machine_free(m);
}

/* Of 1 us 0.3 us have passed when it has waited so long; at least 0.5 us remain. */
Test(launch_cost, a_launch_is_fetched_while_it_waits)
{
	cycles alone = work();

	BEGIN(1, COSTS);
	length(0);
	cr_expect_eq(length(300000), alone + FIRST * 7 / 10 + DRAIN);
	cr_expect_eq(length(500000), alone + QUEUED + DRAIN);
	cr_expect_eq(length(50000000), alone + QUEUED + DRAIN);
	machine_free(m);
}

Test(launch_cost, a_kernel_of_a_graph_follows_sooner)
{
	cycles alone = work();

	in_graph = true;
	BEGIN(1, COSTS, "gpu.launch.graph=0.1");
	length(0);
	cr_expect_eq(length(50000000), alone + 70 + DRAIN);
	in_graph = false;
	cr_expect_eq(length(50000000), alone + QUEUED + DRAIN, "others do not");
	machine_free(m);
	in_graph = true;
	BEGIN(1, COSTS);
	length(0);
	cr_expect_eq(length(50000000), alone + QUEUED + DRAIN, "without a figure it is as in a stream");
	machine_free(m);
}

/* 0.0001 us are less than a cycle, of which one is taken; 0 is none. */
Test(launch_cost, whole_cycles_rounded_up)
{
	cycles alone = work();

	BEGIN(1, "gpu.launch.first=0.0001", "gpu.launch.queued=0", "gpu.launch.drain=0.0015");
	length(0);
	cr_expect_eq(length(0), alone + 1 + 2);
	cr_expect_eq(length(1000), alone + 0 + 2);
	machine_free(m);
}

/* Two kernels of different streams: both start up at the same time. Where both drain, or one starts up and
 * the other drains, the machine waits; while one of them works it does not. */
Test(launch_cost, launches_of_two_streams_overlap)
{
	cycles alone;
	struct kernel_run *one, *two;

	BEGIN(1000, COSTS);
	length(0);
	alone = length(0);
	one = start(0);
	two = start(0);
	cr_expect_lt(finish(one).stats.cycles, alone + alone / 10);
	cr_expect_lt(finish(two).stats.cycles, alone + alone / 10);
	cr_expect_eq(machine_stat(m, "gpu.launch_cycles"), 3 * (FIRST + DRAIN));
	machine_free(m);
}

/* A kernel that starts up beside one that works costs the machine nothing. */
Test(launch_cost, a_start_up_beside_a_kernel_that_works_is_no_waiting)
{
	struct kernel_run *one, *two, *none;

	BEGIN(4000, COSTS);
	length(0);
	one = start(0);
	cr_assert_eq(gpu_advance(m->gpu, gpu_now(m->gpu) + 1500000, &none), GPU_REACHED);
	two = start(0); /* works for longer than the rest of the first */
	finish(one);
	finish(two);
	cr_expect_eq(machine_stat(m, "gpu.launch_cycles"), 2 * (FIRST + DRAIN));
	machine_free(m);
}

/* The clock that a second launch reads, in shader cycles since its start, and its slots without a warp. */
static void read_second(uint64_t *clock, uint64_t *no_warp, const char *const *sets)
{
	cycles before;

	begin(1, sets);
	length(0);
	before = sim_cycle(m->gpu->chip.sim, CLOCK_CORE);
	*no_warp = machine_stat(m, "sm.issue_slots::no_warp");
	length(0);
	*clock = *(uint64_t *)memory_host(params[0]) - 2 * before;
	*no_warp = machine_stat(m, "sm.issue_slots::no_warp") - *no_warp;
	machine_free(m);
}

/* %clock64, of which a core cycle has two, goes on through the start-up. While the machine waits its slots,
 * two a cycle, have no warp; slots_end checks that all slots of the kernel's cycles add up. */
Test(launch_cost, clocks_go_on_and_slots_have_no_warp)
{
	static const char *const none[] = { "gpu.launch.first=0", NULL }, *const costs[] = { COSTS, NULL };
	uint64_t clock[2], no_warp[2];

	read_second(&clock[0], &no_warp[0], none);
	read_second(&clock[1], &no_warp[1], costs);
	cr_expect_eq(clock[1] - clock[0], 2 * FIRST);
	cr_expect_eq(no_warp[1] - no_warp[0], 2 * (FIRST + DRAIN));
}

/* A limit of the run ends the timing of a kernel that is still starting up; the machine is in order after. */
Test(launch_cost, a_limit_during_the_start_up)
{
	struct launch_result result;
	struct kernel_run *none;
	uint32_t cut = 0;

	BEGIN(1000, COSTS, "gpu.timing_limit.run_instructions=600");
	start(0);
	cr_assert_eq(gpu_advance(m->gpu, gpu_now(m->gpu) + 900000, &none), GPU_REACHED);
	start(0);
	for (uint32_t i = 0; i < 2; i++) {
		result = finish(NULL);
		cr_expect_eq(result.timing_limit, TIMING_LIMIT_RUN);
		cr_expect_leq(result.stats.launch_cycles, result.stats.cycles);
		cut += result.stats.launch_cycles < FIRST;
	}
	cr_expect_eq(cut, 1);
	machine_free(m);
}
