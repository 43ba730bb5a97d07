/* memsys/observe/executed.c -- the hit ratio at the L2 of each memory instruction that a warp executes. */
#include "memsys/observe/executed.h"

static void close_instruction(struct executed_instruction *i, struct executed_stats *stats)
{
	if (i->requests == 1)
		stats->single++;
	else if (i->requests)
		stats->divergent[hit_ratio_range(i->hits, i->requests)]++;
	*i = (struct executed_instruction){ 0 };
}

/* The instruction's entry, from the newest on back; a free one if it has none */
static struct executed_instruction *executed_entry(
	struct executed_window *w, struct executed_stats *stats, const struct requester *by)
{
	struct executed_instruction *i;

	for (uint32_t back = 0; back < EXECUTED_OPEN; back++) {
		i = &w->open[(w->newest + EXECUTED_OPEN - back) % EXECUTED_OPEN];
		if (i->requests && i->uop_index == by->uop_index && i->issued == by->issued)
			return i;
	}
	w->newest = (w->newest + 1) % EXECUTED_OPEN;
	i = &w->open[w->newest];
	close_instruction(i, stats);
	i->uop_index = by->uop_index;
	i->issued = by->issued;
	return i;
}

void executed_add(
	struct executed_window *window, struct executed_stats *stats, const struct requester *by, bool is_hit)
{
	struct executed_instruction *i = executed_entry(window, stats, by);

	i->requests++;
	i->hits += is_hit;
}

void executed_end(struct executed_window *window, struct executed_stats *stats)
{
	for (uint32_t i = 0; i < EXECUTED_OPEN; i++)
		close_instruction(&window->open[i], stats);
}
