/* dram/sched/search.c -- what policies share: whose turn the bus is, and the search for the best command. */
#include "dram/sched/sched.h"

uint8_t dram_turn(struct dram_sched *s, const struct dram_queue *q)
{
	uint32_t reads = q->reply_room ? q->count[DRAM_READS] : 0, writes = q->count[DRAM_WRITES];
	uint32_t capacity = q->capacity[DRAM_WRITES];
	uint32_t high = s->config->write_high < capacity ? s->config->write_high : capacity;
	uint32_t low = s->config->write_low < high ? s->config->write_low : high - 1;

	if (!writes || !reads)
		s->direction = writes ? DRAM_WRITES : DRAM_READS;
	else if (s->direction == DRAM_WRITES ? writes <= low : writes >= high)
		s->direction = s->direction == DRAM_WRITES ? DRAM_READS : DRAM_WRITES;
	return s->direction;
}

void dram_consider(struct dram_search *s, struct dram_request *r, uint32_t rank)
{
	struct dram_choice c = dram_next_command(s->queue, r);
	bool goes = c.ready <= s->now, best_goes = s->best.ready <= s->now;

	if (rank % DRAM_RANKS == DRAM_RANK_PRECHARGE && c.command != DRAM_PRE)
		rank += c.command == DRAM_ACT ? DRAM_RANK_ACTIVATE - DRAM_RANK_PRECHARGE : DRAM_RANK_HIT - DRAM_RANK_PRECHARGE;
	if (goes && best_goes) {
		if (rank > s->rank || (rank == s->rank && r->order < s->best.request->order)) {
			s->best = c;
			s->rank = rank;
		}
	} else if (c.ready < s->best.ready) {
		s->best = c;
		s->rank = rank;
	}
}

void dram_consider_hits(struct dram_search *s, const struct dram_set *set, uint64_t banks, uint32_t rank)
{
	for (banks &= set->hits; banks; banks &= banks - 1)
		dram_consider(s, set->bank[__builtin_ctzll(banks)].hit, rank);
}

void dram_consider_oldest(struct dram_search *s, const struct dram_set *set, uint64_t banks, uint32_t rank)
{
	for (banks &= set->waiting; banks; banks &= banks - 1)
		dram_consider(s, set->bank[__builtin_ctzll(banks)].oldest, rank);
}
