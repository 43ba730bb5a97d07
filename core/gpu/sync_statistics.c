/* core/gpu/sync_statistics.c -- brings the statistics of the machine up to the present time.
 *
 * Most events are counted when they happen. A waiting time is counted when it ends, because a component
 * that waits sleeps: lost issue slots, retries of a refused request, stalls of a slice, a packet that waits
 * for its output, the work of a channel. Here the part that has passed is counted, and counting continues
 * from there, so that sums do not change. A few things are still counted in one piece, because they are
 * known only then or are not worth more: residence in queues (of instructions in the load/store unit, of
 * requests in an L2 slice), refreshes during which an idle channel sleeps (counted when it wakes), warnings
 * about barriers (when their kernel ends), and work of known length (counted when it begins: flits,
 * data-port and data-bus cycles, bank conflicts). */
#include "core/energy/activity.h"
#include "core/energy/energy.h"
#include "core/gpu/gpu_internal.h"
#include "core/issue/issue_slots.h"
#include "core/kernel/kernel_run.h"
#include "core/gpu/launch/launch_cost.h"
#include "core/lsu/lsu_path.h"
#include "core/observe/observers.h"
#include "core/pipeline/residency.h"
#include "core/sm/sm.h"
#include "core/pipeline/throttle.h"
#include "memsys/bypass/bypass.h"

static void sync_sm(struct sm *sm, cycles until)
{
	slots_sync_stats(sm, until);
	issue_counts_sync_stats(sm);
	lsu_sync_stats(sm, until);
	if (sm->state.lsu.bypass && sm->state.lsu.bypass->class->sync_stats)
		sm->state.lsu.bypass->class->sync_stats(sm->state.lsu.bypass, until);
	throttle_sync_stats(sm, until);
	residency_sync_stats(sm, until);
}

static void sync_stats(struct gpu *gpu)
{
	cycles core = sim_next_cycle(gpu->chip.sim, CLOCK_CORE),
	       xbar = sim_next_cycle(gpu->chip.sim, CLOCK_XBAR);
	cycles l2 = sim_next_cycle(gpu->chip.sim, CLOCK_L2), dram = sim_next_cycle(gpu->chip.sim, CLOCK_DRAM);
	cycles machine = sim_next_without_lead(gpu->chip.sim, CLOCK_DRAM);

	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		sync_sm(gpu->chip.sms[i], core);
	network_account(gpu->requests, xbar);
	network_account(gpu->replies, xbar);
	for (uint32_t i = 0; i < gpu->config.gpu.partitions; i++) {
		l2_sync_stats(gpu->chip.slices[i], l2);
		dram_sync_stats(gpu->channels[i], dram, machine);
	}
}

/* now: the core cycle up to which, itself included, a kernel that is under way has run. */
static void account(struct gpu *gpu, cycles now)
{
	struct gpu_stats *s = &gpu->chip.stats;

	if (!launches_are_known(gpu)) {
		s->cycles += now - gpu->accounted_cycle;
		s->launch_cycles += launches_only_wait(gpu) ? now - gpu->accounted_cycle : 0;
		s->picoseconds += sim_now(gpu->chip.sim) - gpu->accounted;
	}
	gpu->accounted_cycle = now;
	gpu->accounted = sim_now(gpu->chip.sim);
	chip_sync_issue_counts(&gpu->chip);
	s->thread_instructions = gpu->functional_threads;
	s->warp_instructions = gpu->functional_warps;
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++) {
		s->thread_instructions += gpu->chip.sms[i]->stats.thread_instructions;
		s->warp_instructions += gpu->chip.sms[i]->stats.warp_instructions;
	}
	gpu->load_time = (struct load_time){ 0 };
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		load_time_add_up(&gpu->load_time, &gpu->chip.sms[i]->load_counts);
	sync_stats(gpu);
	activity_account(gpu->activity);
	observers_account(gpu->observers);
	paper_observers_account(gpu->paper_observers);
	energy_account(gpu->energy);
}

void gpu_account(struct gpu *gpu)
{
	account(gpu, sim_cycle(gpu->chip.sim, CLOCK_CORE));
}

void gpu_account_before(struct chip *chip)
{
	account((struct gpu *)chip, sim_next_cycle(chip->sim, CLOCK_CORE) - 1);
}
