/* dram/sched/fcfs.c -- first come, first served: only the oldest request gets commands, until it is done. */
#include "dram/sched/sched.h"

static struct dram_choice fcfs_choose(struct dram_sched *sched, const struct dram_queue *queue, cycles now)
{
	struct dram_request *oldest = dram_queue_oldest(queue);

	if (!oldest || (oldest->direction == DRAM_READS && !queue->reply_room))
		return (struct dram_choice){ .ready = SIM_NEVER };
	return dram_next_command(queue, oldest);
}

const struct dram_sched_class dram_sched_fcfs = {
	.name = "fcfs",
	.help = "the oldest request only, strictly in order, reads and writes alike",
	.source = "Rixner et al., ISCA 2000: the in-order baseline",
	.size = sizeof(struct dram_sched),
	.state = policy_keeps_nothing,
	.priorities = 1,
	.choose = fcfs_choose,
};
