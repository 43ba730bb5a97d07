/* core/chip/chip.c -- counts of the whole chip. */
#include "core/chip/chip.h"
#include "core/kernel/kernel_run.h"
#include "core/sm/sm.h"

bool launch_is_untold(const struct kernel_run *run)
{
	return run->launch->known || (run->is_functional && !run->is_untimed);
}

void chip_sync_issue_counts(const struct chip *chip)
{
	for (uint32_t i = 0; i < chip->config->sms; i++)
		issue_counts_sync_stats(chip->sms[i]);
}

struct kernel_stats chip_kernel_stats(const struct chip *chip, const struct kernel_run *run)
{
	struct kernel_stats sum = { 0 };

	chip_sync_issue_counts(chip);
	for (uint32_t i = 0; run->on_sm && i < chip->config->sms; i++)
		kernel_stats_add(&sum, &run->on_sm[i].stats);
	if (run->is_functional && !run->is_untimed) {
		sum.ctas = run->next_cta;
		sum.warp_instructions = run->warp_instructions;
		sum.thread_instructions = run->thread_instructions;
	} else {
		sum.untimed_ctas = run->untimed_ctas;
		sum.untimed_warp_instructions = run->warp_instructions;
		sum.untimed_thread_instructions = run->thread_instructions;
	}
	sum.cycles = launch_is_untold(run) ? 0 : run->end_cycle - run->start_cycle;
	sum.launch_cycles = run->launch_cycles;
	if (run->timing_limit != TIMING_LIMIT_NONE) {
		sum.timing_limit[run->timing_limit] = 1;
		sum.drain_cycles = run->end_cycle > run->timing_limit_cycle
			? run->end_cycle - run->timing_limit_cycle
			: 0;
	}
	return sum;
}
