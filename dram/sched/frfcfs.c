/* dram/sched/frfcfs.c -- first ready, first come first served: row hits before others, the oldest first.
 *
 * Reads and writes share the queue but take turns on the bus, since turning it round costs about ten cycles each way: reads
 * go first; writes when there are no reads, or when `write_high` of them wait, and then until `write_low` are left. Within
 * the direction of the moment requests for open rows are served, oldest first; of a bank without such hits the oldest
 * request gets its ACT or PRE; banks that only the other direction wants are prepared last. On the command bus an
 * ACT goes before a column command, and a PRE after: an ACT that waits a cycle delays all that follow by tRRD, while a
 * column command finds a free cycle next to it (a burst is two).
 * A request older than `age_cap` cycles is served before all others, its direction becomes the direction, and its
 * bank serves nobody else: so nobody starves. Reads whose replies have no room count as absent.
 *
 * Departure: real controllers do not publish their policy; the rule for hits and age is Rixner's, the rest is ours. */
#include "dram/sched/sched.h"

struct frfcfs {
	struct dram_sched base;
	uint8_t direction;          /* of the bus: enum dram_direction */
};

/* The best so far: a command that can go now beats one that cannot, then the higher rank, then the older request. What cannot
 * go yet only tells when to look again. */
struct search {
	cycles now;
	struct dram_choice best;
	uint32_t rank;
};
enum rank { RANK_PREPARE, RANK_PRECHARGE, RANK_HIT, RANK_ACTIVATE, RANK_URGENT };

static void consider(struct search *s, const struct dram_queue *q, struct dram_request *r, uint32_t rank)
{
	struct dram_choice c = dram_next_command(q, r);
	bool goes = c.ready <= s->now, best_goes = s->best.ready <= s->now;

	if (rank == RANK_PRECHARGE && c.command == DRAM_ACT)
		rank = RANK_ACTIVATE;

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

static uint8_t turn(const struct frfcfs *f, const struct dram_queue *q)
{
	const struct dram_config *config = f->base.config;
	uint32_t reads = q->reply_room ? q->count[DRAM_READS] : 0, writes = q->count[DRAM_WRITES];
	uint32_t high = config->write_high < q->capacity ? config->write_high : q->capacity;

	if (!writes || !reads)
		return writes ? DRAM_WRITES : DRAM_READS;
	if (f->direction == DRAM_WRITES)
		return writes > config->write_low ? DRAM_WRITES : DRAM_READS;
	return writes >= high ? DRAM_WRITES : DRAM_READS;
}

static struct dram_request *urgent_request(const struct frfcfs *f, const struct dram_queue *q, cycles now)
{
	struct dram_request *r = q->oldest;

	if (!r || now - r->arrived < f->base.config->age_cap || (r->direction == DRAM_READS && !q->reply_room))
		return NULL;
	return r;
}

static void consider_hits(struct search *s, const struct dram_queue *q, int direction, uint64_t banks)
{
	for (banks &= q->hits[direction]; banks; banks &= banks - 1)
		consider(s, q, q->bank[__builtin_ctzll(banks)][direction].hit, RANK_HIT);
}

/* ACT or PRE for the oldest request of each bank that waits without a hit. rank: of a PRE. */
static void consider_rows(struct search *s, const struct dram_queue *q, int direction, uint64_t banks, uint32_t rank)
{
	for (banks &= q->waiting[direction] & ~q->hits[direction]; banks; banks &= banks - 1)
		consider(s, q, q->bank[__builtin_ctzll(banks)][direction].oldest, rank);
}

static struct dram_choice frfcfs_choose(struct dram_sched *sched, const struct dram_queue *q, cycles now)
{
	struct frfcfs *f = (struct frfcfs *)sched;
	struct search s = { .now = now, .best = { .ready = SIM_NEVER } };
	struct dram_request *urgent = urgent_request(f, q, now);
	uint64_t banks = ~UINT64_C(0);
	int other;

	f->direction = urgent ? urgent->direction : turn(f, q);
	other = f->direction == DRAM_READS ? DRAM_WRITES : DRAM_READS;
	if (urgent) {
		consider(&s, q, urgent, RANK_URGENT);
		banks &= ~(UINT64_C(1) << urgent->bank);
	}
	if (f->direction == DRAM_WRITES || q->reply_room)
		consider_hits(&s, q, f->direction, banks);
	consider_rows(&s, q, f->direction, banks, RANK_PRECHARGE);
	consider_rows(&s, q, other, banks & ~q->waiting[f->direction], RANK_PREPARE);
	return s.best;
}

const struct dram_sched_class dram_sched_fr_fcfs = {
	.name = "fr_fcfs", .help = "row hits first, oldest first; writes in drained batches; a cap on age",
	.source = "Rixner et al., ISCA 2000",
	.size = sizeof(struct frfcfs),
	.choose = frfcfs_choose,
};
