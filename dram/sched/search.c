/* dram/sched/search.c -- what policies share: whose turn the bus is, and the search for the best command. */
#include "dram/sched/sched.h"

uint8_t dram_turn(struct dram_sched *s, const struct dram_queue *q)
{
	uint32_t reads = q->reply_room ? q->count[DRAM_READS] : 0, writes = q->count[DRAM_WRITES];
	uint32_t capacity = q->capacity[DRAM_WRITES], high, low;

	if (!writes || !reads)
		return s->direction = writes ? DRAM_WRITES : DRAM_READS;
	high = s->config->write_high < capacity ? s->config->write_high : capacity;
	low = s->config->write_low < high ? s->config->write_low : high - 1;
	if (s->direction == DRAM_WRITES ? writes <= low : writes >= high)
		s->direction = s->direction == DRAM_WRITES ? DRAM_READS : DRAM_WRITES;
	return s->direction;
}

/* ---- the search ---- */

/* A bank's hit, or its oldest. */
static struct dram_request *request_at(const struct dram_bank_queue *b, size_t which)
{
	return *(struct dram_request *const *)((const char *)b + which);
}

static bool has_found(const struct dram_search *s)
{
	return s->best.ready <= s->now;
}

void dram_consider(struct dram_search *s, struct dram_request *r, uint32_t rank)
{
	struct dram_choice c = dram_next_command(s->queue, r);
	bool goes = c.ready <= s->now;

	if (rank % DRAM_RANKS == DRAM_RANK_PRECHARGE && c.command != DRAM_PRE)
		rank += c.command == DRAM_ACT ? DRAM_RANK_ACTIVATE - DRAM_RANK_PRECHARGE
					      : DRAM_RANK_HIT - DRAM_RANK_PRECHARGE;
	if (goes && has_found(s)) {
		if (rank > s->rank || (rank == s->rank && r->order < s->best.request->order)) {
			s->best = c;
			s->rank = rank;
		}
	} else if (c.ready < s->best.ready) {
		s->best = c;
		s->rank = rank;
	}
}

/* Of banks that need a command which no bank can take yet: which can first. */
static void consider_waiting(struct dram_search *s, const struct dram_bank_queue *of, uint64_t banks,
	enum dram_command command, size_t which)
{
	const struct dram_device *d = s->queue->device;
	cycles soonest = d->channel_next[command], best = s->best.ready;
	uint32_t first = DRAM_MAX_BANKS;

	for (; banks && best > soonest; banks &= banks - 1) {
		uint32_t bank = (uint32_t)__builtin_ctzll(banks);
		cycles ready = dram_bank_ready(d, command, bank);

		first = ready < best ? bank : first;
		best = ready < best ? ready : best;
	}
	if (first < DRAM_MAX_BANKS)
		s->best = dram_choice_of(request_at(&of[first], which), command, best);
}

/* Of banks that need a command which some can take: the oldest request of these. */
static void consider_going(struct dram_search *s, const struct dram_bank_queue *of, uint64_t banks,
	enum dram_command command, size_t which, uint32_t rank)
{
	struct dram_request *best = has_found(s) && s->rank == rank ? s->best.request : NULL, *before = best;
	bool has_any = has_found(s);

	for (; banks; banks &= banks - 1) {
		uint32_t bank = (uint32_t)__builtin_ctzll(banks);
		struct dram_request *r = request_at(&of[bank], which);
		cycles next = dram_bank_next(s->queue->device, command, bank);

		if (next > s->now) {
			if (!has_any && !best && next < s->best.ready)
				s->best = dram_choice_of(r, command, next);
		} else if (!best || r->order < best->order) {
			best = r;
		}
	}
	if (best == before)
		return;
	s->best = dram_choice_of(best, command, s->now);
	s->rank = rank;
}

/* Of each bank the request that needs the command. What timing of the whole channel says of it mostly settles
 * the matter. */
static inline void consider_all(struct dram_search *s, const struct dram_set *set, uint64_t banks,
	enum dram_command command, size_t which, uint32_t rank)
{
	cycles soonest = s->queue->device->channel_next[command];

	if (soonest > s->now)
		consider_waiting(s, set->bank, banks, command, which);
	else if (!has_found(s) || s->rank <= rank)
		consider_going(s, set->bank, banks, command, which, rank);
}

void dram_search_hits(struct dram_search *s, const struct dram_set *set, uint64_t banks, uint32_t rank)
{
	bool is_write = set->bank[__builtin_ctzll(banks)].hit->direction == DRAM_WRITES;
	enum dram_command command = is_write ? DRAM_WR : DRAM_RD;
	const struct dram_device *d = s->queue->device;
	struct dram_request *early = NULL;

	if (d->channel_next[command] <= s->now && !has_found(s))
		early = dram_early_hit(s->queue, set, banks, command, s->now);
	if (early) {
		s->best = dram_choice_of(early, command, s->now);
		s->rank = rank;
		return;
	}
	consider_all(s, set, banks, command, offsetof(struct dram_bank_queue, hit), rank);
}

void dram_search_oldest(struct dram_search *s, const struct dram_set *set, uint64_t banks, uint32_t rank)
{
	uint64_t open = banks & s->queue->device->open_banks, closed = banks & ~open;
	bool is_mixed = rank % DRAM_RANKS == DRAM_RANK_PRECHARGE;

	if (closed)
		consider_all(s, set, closed, DRAM_ACT, offsetof(struct dram_bank_queue, oldest),
			is_mixed ? rank + DRAM_RANK_ACTIVATE - DRAM_RANK_PRECHARGE : rank);
	if (has_found(s) && s->rank > (is_mixed ? rank + DRAM_RANK_HIT - DRAM_RANK_PRECHARGE : rank))
		return;
	for (; open; open &= open - 1)
		dram_consider(s, set->bank[__builtin_ctzll(open)].oldest, rank);
}
