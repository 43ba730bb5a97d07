/* dram/sched/by_rank.c -- policies that give each request a rank: the channel serves the highest, of equal
 * ones the oldest, as far as the device's timing allows.
 *
 * Of each bank the request that ranks highest gets commands, so that its row stays open while nothing that
 * ranks higher wants another. Of the banks whose command can go in this cycle the one whose request ranks
 * highest has it; but rows are opened first, since that keeps the data bus from nothing. Reads and writes
 * take turns (dram_turn); banks for which no request of the direction in turn waits open rows for the other
 * one. */
#include "dram/sched/sched.h"

/* The first request of each bank so far. */
struct ranking {
	struct dram_sched *sched;
	const struct dram_queue *queue;
	uint64_t banks; /* that have one */
	struct dram_request *first[DRAM_MAX_BANKS];
	uint32_t rank[DRAM_MAX_BANKS];
};

static void rank_all(struct ranking *k, struct dram_request *oldest)
{
	for (struct dram_request *r = oldest; r; r = r->younger) {
		bool is_hit = k->queue->device->bank[r->bank].open_row == r->row;
		uint32_t rank = k->sched->class->rank(k->sched, r, is_hit);

		if (k->banks >> r->bank & 1 &&
			(rank < k->rank[r->bank] ||
				(rank == k->rank[r->bank] && r->order > k->first[r->bank]->order)))
			continue;
		k->banks |= UINT64_C(1) << r->bank;
		k->first[r->bank] = r;
		k->rank[r->bank] = rank;
	}
}

/* The best command so far; one that cannot go yet only tells when to look again. */
struct best {
	cycles now;
	struct dram_choice choice;
	uint32_t rank;
};

/* Whether another command that can go now is better. */
static bool beats(const struct best *b, const struct dram_choice *c, uint32_t rank)
{
	bool opens = c->command == DRAM_ACT, opened = b->choice.command == DRAM_ACT;

	if (opens != opened)
		return opens;
	return rank > b->rank || (rank == b->rank && c->request->order < b->choice.request->order);
}

static void consider(struct best *b, const struct dram_queue *q, struct dram_request *r, uint32_t rank)
{
	struct dram_choice c = dram_next_command(q, r);
	bool found = b->choice.ready <= b->now;

	if (c.command == DRAM_RD && !q->reply_room)
		return;
	if (c.ready > b->now && (found || c.ready >= b->choice.ready))
		return;
	if (c.ready <= b->now && found && !beats(b, &c, rank))
		return;
	b->choice = c;
	b->rank = rank;
}

/* Rows for the direction whose turn it is not, in banks that the other does not want. */
static void prepare(struct best *b, struct dram_sched *sched, const struct dram_queue *q, uint64_t banks)
{
	uint32_t other = sched->direction == DRAM_READS ? DRAM_WRITES : DRAM_READS;
	struct ranking k = { .sched = sched, .queue = q };

	rank_all(&k, q->oldest[other]);
	banks &= k.banks & ~dram_queue_hits(q);
	for (; banks && b->choice.ready > b->now; banks &= banks - 1)
		consider(b, q, k.first[__builtin_ctzll(banks)], 0);
}

struct dram_choice dram_choose_by_rank(struct dram_sched *sched, const struct dram_queue *q, cycles now)
{
	struct best b = { .now = now, .choice = { .ready = SIM_NEVER } };
	struct ranking k = { .sched = sched, .queue = q };

	if (q->is_shared) {
		rank_all(&k, q->oldest[DRAM_READS]);
		rank_all(&k, q->oldest[DRAM_WRITES]);
	} else {
		rank_all(&k, q->oldest[dram_turn(sched, q)]);
	}
	for (uint64_t m = k.banks; m; m &= m - 1)
		consider(&b, q, k.first[__builtin_ctzll(m)], k.rank[__builtin_ctzll(m)]);
	if (!q->is_shared)
		prepare(&b, sched, q, ~k.banks);
	return b.choice;
}
