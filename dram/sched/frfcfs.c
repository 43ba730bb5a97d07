/* dram/sched/frfcfs.c -- first ready, first come first served: row hits before others, the oldest first.
 *
 * Reads and writes take turns on the bus (dram_turn), since turning it round costs about ten cycles each way.
 * Within the direction of the moment requests for open rows are served, oldest first; of a bank without such
 * hits the oldest request gets its ACT or PRE; banks that only the other direction wants are prepared last.
 * On the command bus an ACT goes before a column command, and a PRE after: an ACT that waits a cycle delays
 * all that follow by tRRD, while a column command finds a free cycle next to it (a burst is two). A request
 * older than `age_cap` cycles is served before all others, its direction becomes the direction, and its bank
 * serves nobody else: so nobody starves. With `row_hit_cap` a bank serves so many requests for its open row
 * while an older one of the direction waits for another row of it, and then the older one. Reads whose
 * replies have no room count as absent.
 *
 * Where reads and writes share their queue (dram.write_queue = 0), they take no turns: open rows and age
 * decide among all, as in GPGPU-Sim.
 *
 * Departure: real controllers do not publish their policy; the rule for hits and age is Rixner's, the cap on
 * hits that of Mutlu and Moscibroda (MICRO 2007, FR-FCFS+Cap), the rest is ours. */
#include "dram/sched/sched.h"

struct frfcfs {
	struct dram_sched base;
	/* parameters */
	uint32_t age_cap, row_hit_cap;
	/* statistics */
	uint64_t urgent, capped;
	/* state */
	struct dram_request *urgent_now; /* the request that is too old */
	uint64_t at_cap;                 /* banks whose streak has come to the cap */
	uint32_t streak[DRAM_MAX_BANKS]; /* hits served past an older request since the row was opened */
};

static const struct sim_param frfcfs_params[] = {
	SIM_U32(struct frfcfs, age_cap, 2000, 1, 1000000, "cycles",
		"age from which a request is served before all younger ones (our choice)"),
	SIM_U32(struct frfcfs, row_hit_cap, 0, 0, 4096, "requests",
		"most requests of an open row that are served while an older one waits for another row of "
		"the bank; 0: no cap (Mutlu, Moscibroda, MICRO 2007)"),
	SIM_END
};

static const struct sim_stat frfcfs_stats[] = {
	SIM_COUNT(struct frfcfs, urgent, "requests",
		"requests served out of turn because of their age (age_cap)"),
	SIM_COUNT(struct frfcfs, capped, "rows", "rows closed to further hits by row_hit_cap"), SIM_STAT_END
};

/* The first cycle from `at` on in which any of the hits can go by what its bank and group did. */
static cycles first_ready(
	const struct dram_queue *q, const struct dram_set *set, enum dram_command command, cycles at)
{
	cycles first = SIM_NEVER;

	for (uint64_t left = set->hits; left && first > at; left &= left - 1) {
		cycles next = dram_bank_next(q->device, command, (uint32_t)__builtin_ctzll(left));

		first = next < first ? next : first;
	}
	return first > at ? first : at;
}

/* Only hits are wanted: the oldest that goes in the first cycle from now on in which one can. false: it can
 * go now, but is not among the oldest of all. */
static bool choose_hit(const struct frfcfs *f, const struct dram_queue *q, const struct dram_set *set,
	cycles now, struct dram_choice *choice)
{
	enum dram_command command = f->base.direction == DRAM_WRITES ? DRAM_WR : DRAM_RD;
	cycles first = q->device->channel_next[command];
	struct dram_request *r;

	first = first > now ? first : now;
	r = dram_early_hit(q, set, set->hits, command, first);
	if (!r) {
		first = first_ready(q, set, command, first);
		r = dram_early_hit(q, set, set->hits, command, first);
	}
	*choice = dram_choice_of(r, command, first);
	choice->stands = true;
	return r || first > now;
}

static struct dram_choice search(
	const struct frfcfs *f, const struct dram_queue *q, struct dram_request *urgent, cycles now)
{
	struct dram_search s = { .queue = q, .now = now, .best = { .ready = SIM_NEVER } };
	const struct dram_set *set = &q->set[f->base.direction][0];
	const struct dram_set *other = &q->set[f->base.direction == DRAM_READS ? DRAM_WRITES : DRAM_READS][0];
	uint64_t banks = ~UINT64_C(0), open = set->hits & ~f->at_cap;

	if (urgent) {
		dram_consider(&s, urgent, DRAM_RANK_URGENT);
		banks &= ~(UINT64_C(1) << urgent->bank);
	}
	if (f->base.direction == DRAM_WRITES || q->reply_room)
		dram_consider_hits(&s, set, banks & open, DRAM_RANK_HIT);
	else
		open = set->hits; /* rows can be prepared */
	dram_consider_oldest(&s, set, banks & ~open, DRAM_RANK_PRECHARGE);
	dram_consider_oldest(&s, other, banks & ~set->waiting & ~other->hits, DRAM_RANK_PREPARE);
	return s.best;
}

/* Reads and writes alike: the hits of both, then what the oldest of each bank without hits needs. */
static struct dram_choice search_shared(
	const struct frfcfs *f, const struct dram_queue *q, struct dram_request *urgent, cycles now)
{
	struct dram_search s = { .queue = q, .now = now, .best = { .ready = SIM_NEVER } };
	const struct dram_set *reads = &q->set[DRAM_READS][0], *writes = &q->set[DRAM_WRITES][0];
	uint64_t banks = ~UINT64_C(0), rest;

	if (urgent) {
		dram_consider(&s, urgent, DRAM_RANK_URGENT);
		banks &= ~(UINT64_C(1) << urgent->bank);
	}
	if (q->reply_room)
		dram_consider_hits(&s, reads, banks & ~f->at_cap, DRAM_RANK_HIT);
	dram_consider_hits(&s, writes, banks & ~f->at_cap, DRAM_RANK_HIT);
	rest = banks & ~((reads->hits | writes->hits) & ~f->at_cap);
	dram_consider_oldest(&s, reads, rest, DRAM_RANK_PRECHARGE);
	dram_consider_oldest(&s, writes, rest, DRAM_RANK_PRECHARGE);
	return s.best;
}

/* Whether no bank needs another row for the one direction or the other. */
static bool wants_only_hits(const struct frfcfs *f, const struct dram_set *set, const struct dram_set *other)
{
	return !((set->waiting & ~set->hits) | (other->waiting & ~set->waiting & ~other->hits) | f->at_cap) &&
		set->hits;
}

/* The choice if no request is too old. */
static struct dram_choice choose_by_turn(struct frfcfs *f, const struct dram_queue *q, cycles now)
{
	uint8_t direction = dram_turn(&f->base, q);
	const struct dram_set *set = &q->set[direction][0];
	const struct dram_set *other = &q->set[direction == DRAM_READS ? DRAM_WRITES : DRAM_READS][0];
	struct dram_choice hit;

	if (q->reply_room && wants_only_hits(f, set, other) && choose_hit(f, q, set, now, &hit))
		return hit;
	return search(f, q, NULL, now);
}

static struct dram_choice frfcfs_choose(struct dram_sched *sched, const struct dram_queue *q, cycles now)
{
	struct frfcfs *f = (struct frfcfs *)sched;
	struct dram_request *oldest = dram_queue_oldest(q), *urgent;
	cycles due = dram_due(q, oldest, f->age_cap);
	struct dram_choice choice;

	urgent = due <= now ? oldest : NULL;
	f->urgent += urgent && urgent != f->urgent_now;
	f->urgent_now = urgent;
	if (urgent && !q->is_shared)
		sched->direction = urgent->direction;
	choice = q->is_shared ? search_shared(f, q, urgent, now)
		: urgent      ? search(f, q, urgent, now)
			      : choose_by_turn(f, q, now);
	if (!urgent && choice.ready > now && choice.ready >= due)
		choice.request = NULL; /* the oldest may come before it */
	return choice;
}

static void frfcfs_issued(
	struct dram_sched *sched, const struct dram_queue *q, const struct dram_choice *choice)
{
	struct frfcfs *f = (struct frfcfs *)sched;
	const struct dram_request *r = choice->request;
	const struct dram_request *oldest = q->set[r->direction][0].bank[r->bank].oldest;
	uint64_t bit = UINT64_C(1) << r->bank;

	if (!f->row_hit_cap)
		return;
	if (choice->command == DRAM_ACT) {
		f->streak[r->bank] = 0;
		f->at_cap &= ~bit;
	} else if (choice->command != DRAM_PRE && !r->bursts && oldest->row != r->row &&
		++f->streak[r->bank] == f->row_hit_cap) {
		f->at_cap |= bit;
		f->capped++;
	}
}

static void frfcfs_state(void *policy, struct state *state)
{
	struct frfcfs *f = policy;

	state_field(state, &f->at_cap);
	state_field(state, &f->streak);
}

const struct dram_sched_class dram_sched_fr_fcfs = {
	.name = "fr_fcfs",
	.help = "row hits first, oldest first; writes in drained batches; caps on age and row hits",
	.source = "Rixner et al., ISCA 2000",
	.size = sizeof(struct frfcfs),
	.params = frfcfs_params,
	.state = frfcfs_state,
	.stats = frfcfs_stats,
	.priorities = 1,
	.choose = frfcfs_choose,
	.issued = frfcfs_issued,
};
