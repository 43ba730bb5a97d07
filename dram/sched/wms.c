/* dram/sched/wms.c -- the warp-type-aware memory scheduler of MeDiC: the reads of mostly-hit and all-hit
 * warps before all others.
 *
 * A mostly-hit warp has few requests that come here, and each of them holds it up alone. Reads therefore have
 * two queues with places, a pipe and a port each (dram/channel.c): a full low queue delays no high read. In
 * both, and among the writes, FR-FCFS decides: row hits first, then the oldest (frfcfs.c). Writes are low.
 *
 * priority_first is the paper's rule: the high queue is always served before the low one. Of a bank for which
 * a high read waits the low reads and the writes get nothing, so that their hits do not keep open a row that
 * the high read wants closed; other banks go on working for them in the command slots that the high reads
 * leave. row_hits_first is the rule of MeDiC's released simulator: of a bank the requests for its open row
 * go first, high and low alike in the order of age; what row is opened next is the high queue's choice.
 *
 * Reads and writes take turns on the bus (dram_turn). With interrupts_writes a high read takes the bus from a
 * batch of writes, also when their queue is full, since writes are low. It costs two turns of the bus (about
 * ten cycles each way), and if high reads never ended, no write would ever go. The batch goes on when they
 * have gone. The paper has no age cap either; age_cap adds FR-FCFS's, under which a low request that is too
 * old goes first.
 *
 * Where reads and writes share their queue (dram.write_queue = 0), they take no turns: writes are as low
 * reads.
 *
 * A read has the priority of the request that missed first. With raise_merged it becomes high when a request
 * that would be high merges with it at the L2: a notice follows it by the input of the high (dram/raise.c),
 * which takes a place on the port and in the pipe. It is dropped if there is none.
 *
 * Departure: the paper does not say how reads and writes share the bus, nor how commands of several banks
 * share the command bus; both are as in frfcfs.c. */
#include "dram/sched/sched.h"

enum { HIGH, LOW, QUEUES };
enum wms_order { PRIORITY_FIRST, ROW_HITS_FIRST };
static const char *const order_names[] = { "priority_first", "row_hits_first", NULL };

struct wms {
	struct dram_sched base;
	/* parameters */
	bool all_hit, interrupts_writes, raise_merged;
	uint32_t order, age_cap, high_places;
	/* statistics */
	uint64_t urgent, interrupted, raises[DRAM_RAISE_LATE + 1];
	struct sim_histogram latency[QUEUES];
	/* state */
	struct dram_request *urgent_now; /* the request that is too old */
	bool interrupts;                 /* high reads have the bus in a batch of writes */
};

static const struct sim_param wms_params[] = {
	SIM_BOOL(struct wms, all_hit, true,
		"the reads of all-hit warps are high, too (off: of mostly-hit warps only, as in MeDiC's "
		"released simulator)"),
	SIM_ENUM(struct wms, order, PRIORITY_FIRST, order_names,
		"priority_first: the high queue before the low one; row_hits_first: the hits of open rows of "
		"both, then the high queue, as in MeDiC's released simulator"),
	SIM_BOOL(struct wms, interrupts_writes, true,
		"a high read takes the bus from a batch of writes (our choice)"),
	SIM_BOOL(struct wms, raise_merged, false,
		"a read of the L2 becomes high when a request of a warp of high priority merges with it "
		"(our variant)"),
	SIM_U32(struct wms, high_places, 0, 0, 4096, "requests",
		"places of the high queue; 0: as many as dram.read_queue, which has the places of the low "
		"one"),
	SIM_U32(struct wms, age_cap, 0, 0, 1000000, "cycles",
		"age from which a request is served before all younger ones; 0: none (our choice, as the "
		"paper says that the high queue always goes first)"),
	SIM_END
};

static const char *const raise_names[] = { "raised", "full", "late", NULL };

static const struct sim_stat wms_stats[] = {
	SIM_HIST_AS(struct wms, latency[HIGH], "high_latency", "cycles",
		"latency of a read of high priority, from the slice's queue to the reply"),
	SIM_HIST_AS(struct wms, latency[LOW], "low_latency", "cycles",
		"latency of a read of low priority, from the slice's queue to the reply"),
	SIM_COUNT(struct wms, interrupted, "batches",
		"batches of writes from which high reads took the bus, each time that they did"),
	SIM_VECTOR(struct wms, raises, raise_names, "notices",
		"notices that a read becomes high (raise_merged): it has, the high queue was full, or the "
		"read had gone"),
	SIM_COUNT(
		struct wms, urgent, "requests", "requests served out of turn because of their age (age_cap)"),
	SIM_STAT_END
};

static uint32_t wms_input(const struct dram_sched *s, const struct packet *p)
{
	const struct wms *w = (const struct wms *)s;

	return p->warp_type == WARP_MOSTLY_HIT || (p->warp_type == WARP_ALL_HIT && w->all_hit) ? HIGH : LOW;
}

static uint32_t wms_priority(struct dram_sched *s, const struct packet *p)
{
	return p->kind == PACKET_WRITE ? LOW : wms_input(s, p);
}

static uint32_t wms_places(const struct dram_sched *s, uint32_t input)
{
	const struct wms *w = (const struct wms *)s;

	return input == HIGH && w->high_places ? w->high_places : s->config->read_queue;
}

static void wms_replied(struct dram_sched *s, const struct packet *p, uint64_t latency)
{
	sim_hist_add(&((struct wms *)s)->latency[wms_input(s, p)], latency);
}

static bool wms_raises(const struct dram_sched *s)
{
	return ((const struct wms *)s)->raise_merged;
}

static void wms_raised(struct dram_sched *s, enum dram_raise result)
{
	((struct wms *)s)->raises[result]++;
}

/* Whose turn it is on the bus. The turn that dram_turn remembers stays that of the batch. */
static uint8_t direction_of(struct wms *w, const struct dram_queue *q)
{
	uint8_t turn = dram_turn(&w->base, q);
	bool interrupts = turn == DRAM_WRITES && w->interrupts_writes && q->reply_room &&
		q->set[DRAM_READS][HIGH].waiting;

	w->interrupted += interrupts && !w->interrupts;
	w->interrupts = interrupts;
	return interrupts ? DRAM_READS : turn;
}

/* The high queue before the low one. Returns the banks that are left to the other direction. */
static uint64_t search_reads(struct dram_search *s, const struct wms *w, uint64_t banks)
{
	const struct dram_queue *q = s->queue;
	const struct dram_set *high = &q->set[DRAM_READS][HIGH], *low = &q->set[DRAM_READS][LOW];
	bool by_row = w->order == ROW_HITS_FIRST;
	uint64_t streams = by_row ? high->hits | low->hits : 0; /* banks whose hits go first, by age */

	if (q->reply_room) {
		dram_consider_hits(s, high, banks, by_row ? DRAM_RANK_HIT : DRAM_RANKS + DRAM_RANK_HIT);
		dram_consider_hits(s, low, by_row ? banks : banks & ~high->waiting, DRAM_RANK_HIT);
	}
	dram_consider_oldest(s, high, banks & ~high->hits & ~streams, DRAM_RANKS + DRAM_RANK_PRECHARGE);
	banks &= ~high->waiting;
	dram_consider_oldest(s, low, banks & ~low->hits, DRAM_RANK_PRECHARGE);
	return banks & ~low->waiting & ~streams;
}

/* Writes, and rows for reads in banks where no write waits. */
static void search_writes(struct dram_search *s, uint64_t banks)
{
	const struct dram_queue *q = s->queue;
	const struct dram_set *high = &q->set[DRAM_READS][HIGH], *low = &q->set[DRAM_READS][LOW];
	const struct dram_set *writes = &q->set[DRAM_WRITES][LOW];

	dram_consider_hits(s, writes, banks, DRAM_RANK_HIT);
	dram_consider_oldest(s, writes, banks & ~writes->hits, DRAM_RANK_PRECHARGE);
	banks &= ~writes->waiting & ~high->hits;
	dram_consider_oldest(s, high, banks, DRAM_RANK_PREPARE);
	dram_consider_oldest(s, low, banks & ~high->waiting & ~low->hits, DRAM_RANK_PREPARE);
}

/* The high queue before the low reads and the writes, which are alike. */
static void search_shared(struct dram_search *s, const struct wms *w, uint64_t banks)
{
	const struct dram_queue *q = s->queue;
	const struct dram_set *high = &q->set[DRAM_READS][HIGH], *low = &q->set[DRAM_READS][LOW];
	const struct dram_set *writes = &q->set[DRAM_WRITES][LOW];
	bool by_row = w->order == ROW_HITS_FIRST;
	uint64_t hits = low->hits | writes->hits, left = by_row ? banks : banks & ~high->waiting;

	if (q->reply_room) {
		dram_consider_hits(s, high, banks, by_row ? DRAM_RANK_HIT : DRAM_RANKS + DRAM_RANK_HIT);
		dram_consider_hits(s, low, left, DRAM_RANK_HIT);
	}
	dram_consider_hits(s, writes, left, DRAM_RANK_HIT);
	dram_consider_oldest(
		s, high, banks & ~high->hits & ~(by_row ? hits : 0), DRAM_RANKS + DRAM_RANK_PRECHARGE);
	left = banks & ~high->waiting & ~hits;
	dram_consider_oldest(s, low, left, DRAM_RANK_PRECHARGE);
	dram_consider_oldest(s, writes, left, DRAM_RANK_PRECHARGE);
}

/* The request that is too old, if it can go. */
static struct dram_request *urgent_of(struct wms *w, const struct dram_queue *q, cycles now, cycles *due)
{
	struct dram_request *oldest = w->age_cap ? dram_queue_oldest(q) : NULL, *urgent;

	*due = dram_due(q, oldest, w->age_cap);
	urgent = *due <= now ? oldest : NULL;
	w->urgent += urgent && urgent != w->urgent_now;
	return w->urgent_now = urgent;
}

static struct dram_choice wms_choose(struct dram_sched *sched, const struct dram_queue *q, cycles now)
{
	struct wms *w = (struct wms *)sched;
	struct dram_search s = { .queue = q, .now = now, .best = { .ready = SIM_NEVER } };
	const struct dram_set *writes = &q->set[DRAM_WRITES][LOW];
	uint64_t banks = ~UINT64_C(0);
	cycles due;
	struct dram_request *urgent = urgent_of(w, q, now, &due);
	uint8_t direction = urgent ? urgent->direction : q->is_shared ? DRAM_READS : direction_of(w, q);

	if (urgent) {
		sched->direction = direction;
		dram_consider(&s, urgent, DRAM_RANKS + DRAM_RANK_URGENT);
		banks &= ~(UINT64_C(1) << urgent->bank);
	}
	if (q->is_shared) {
		search_shared(&s, w, banks);
	} else if (direction == DRAM_WRITES) {
		search_writes(&s, banks);
	} else {
		banks = search_reads(&s, w, banks);
		dram_consider_oldest(&s, writes, banks & ~writes->hits, DRAM_RANK_PREPARE);
	}
	if (!urgent && due < s.best.ready && s.best.ready > now) /* then all is different */
		s.best = (struct dram_choice){ .ready = due };
	return s.best;
}

const struct dram_sched_class dram_sched_wms = {
	.name = "wms",
	.help = "reads of mostly-hit and all-hit warps first, in a queue of their own; FR-FCFS in each",
	.source = "MeDiC: Ausavarungnirun et al., PACT 2015, Section 3.4",
	.size = sizeof(struct wms),
	.state = policy_keeps_nothing,
	.params = wms_params,
	.stats = wms_stats,
	.priorities = QUEUES,
	.priority = wms_priority,
	.inputs = QUEUES,
	.input = wms_input,
	.places = wms_places,
	.raises = wms_raises,
	.raised = wms_raised,
	.needs_types = true,
	.choose = wms_choose,
	.replied = wms_replied,
};
