/* memsys/coalescer/banked.c -- an L1 in banks, with a coalescing unit for each (the comparator of WarpPool,
 * section 4.1).
 *
 * Instructions are served one after the other, in order of issue. The first, the active one, has its lines
 * divided among the banks: the bank of a line is given by the lowest bits of its set. In each cycle the unit
 * of each bank selects one of the instruction's lines in its bank, and all banks look up their lines at once.
 * All hits are served in that cycle, but only one of the others, since there is only one search of the MSHRs
 * in a cycle: a miss, a merge with an MSHR, a store, an atomic, or a load that goes past the L1. When the
 * last line has been taken, the next instruction becomes active in the next cycle. Banks that have no line of
 * the active instruction are idle.
 *
 * Where the paper leaves room:
 * - A unit selects its lines in the order of the coalescer (the lowest lane first). Of several misses, that
 * of the lowest lane is served.
 * - A line that the L1 refuses has had the turn of its cycle. Its bank waits with it until what was lacking
 * may be there, and leaves the turn to the other banks meanwhile.
 * - If a bypass policy sends a line past the L1 that would have hit, that is the one miss of the cycle.
 *
 * With one bank this is the coalescer `single`, except that instructions wait here apart from those of shared
 * memory, constants and parameters, which `single` keeps in one queue with them.
 *
 * The base statistic requests_per_cycle is what the paper reports as requests that the banked cache served
 * per cycle (1.18, section 4.2.2): load requests that the L1 took, per cycle in which it took any. */
#include "memsys/coalescer/coalescer.h"

#define MOST_BANKS 32                      /* bits of a mask */
#define MOST_LINES (8 * MAX_LINE_REQUESTS) /* of an instruction: wide accesses of local memory */
#define MOST_PARTS 4 /* entries for one instruction, whose lanes may fall into several spaces */
#define NO_LINE    UINT32_MAX

struct queued_instruction {
	struct buffered_request request; /* what its line requests have in common */
	uint32_t op, more_cycles;        /* see struct coalescer_instruction */
	cycles ready;
	uint32_t count, left; /* line requests; those that have not been taken */
	struct line_request lines[MOST_LINES];
};

struct bank {
	uint32_t line;                   /* of the active instruction, the next in this bank; or NO_LINE */
	struct buffered_request request; /* for that line, if it is selected */
};

struct banked {
	struct coalescer base;
	uint32_t bank_count, entries; /* parameters */
	/* statistics */
	uint64_t lookups, lookup_cycles, bank_conflicts, second_miss_cycles;
	/* state: instructions, a ring */
	struct queued_instruction *queue;
	uint32_t size, head, count;
	/* the active instruction is the head */
	bool is_active;
	cycles busy_until;
	uint32_t next[MOST_LINES]; /* the next line in the same bank; or NO_LINE */
	struct bank bank[MOST_BANKS];
	/* masks of banks: */
	uint32_t occupied; /* have lines that have not been taken; of these: */
	uint32_t selected; /* have made the request of their next line */
	uint32_t refused;  /* wait with it, since the L1 refused it ... */
	uint32_t brief;    /* ... for a lack that lasts only a few cycles */
};

static void banked_init(void *policy)
{
	struct banked *b = policy;

	b->size = b->entries + MOST_PARTS - 1;
	b->queue = xcalloc(b->size, sizeof(*b->queue));
}

static void banked_fini(void *policy)
{
	struct banked *b = policy;

	free(b->queue);
}

static uint32_t banked_ports(const struct coalescer *c)
{
	return ((const struct banked *)c)->bank_count;
}

/* ---- instructions enter and leave, in order ---- */

static void set_gates(struct banked *b)
{
	uint64_t room = b->count < b->entries ? ~UINT64_C(0) : 0;

	b->base.gates.load = b->base.gates.store = b->base.gates.room = room;
}

static void banked_accept(struct coalescer *c, const struct coalescer_instruction *i, cycles now)
{
	struct banked *b = (struct banked *)c;
	struct queued_instruction *q = &b->queue[(b->head + b->count) % b->size];

	(void)now;
	bug_if(b->count == b->size || i->count > MOST_LINES, "coalescer banked: no room for an instruction");
	b->count++;
	q->request = *i->request;
	q->op = i->op;
	q->ready = i->ready;
	q->more_cycles = i->more_cycles;
	q->count = q->left = i->count;
	memcpy(q->lines, i->lines, i->count * sizeof(*i->lines));
	set_gates(b);
}

/* The head becomes active: its lines are divided among the banks. */
static void activate(struct banked *b, const struct queued_instruction *q)
{
	b->is_active = true;
	for (uint32_t k = 0; k < b->bank_count; k++)
		b->bank[k].line = NO_LINE;
	for (uint32_t i = q->count; i--;) { /* the last first: each goes before those that are there */
		uint32_t k = cache_set_of(b->base.l1, q->lines[i].line) & (b->bank_count - 1);

		b->bank_conflicts += b->occupied >> k & 1;
		b->occupied |= 1u << k;
		b->next[i] = b->bank[k].line;
		b->bank[k].line = i;
	}
}

/* The head's last line has been taken. */
static void finish_instruction(struct banked *b, const struct queued_instruction *q, cycles now)
{
	if (q->more_cycles)
		b->busy_until = now + 1 + q->more_cycles;
	b->is_active = false;
	b->head = b->head + 1 == b->size ? 0 : b->head + 1;
	b->count--;
	set_gates(b);
}

/* ---- a cycle ---- */

/* The unit of the bank makes the request of its next line. */
static void select_line(struct banked *b, const struct queued_instruction *q, uint32_t k)
{
	struct bank *bank = &b->bank[k];

	bank->request = q->request;
	bank->request.op = q->op;
	bank->request.request.coalesced = b->base.services->time(b->base.owner);
	cache_request_line(&bank->request.request, &q->lines[bank->line], q->op);
	b->selected |= 1u << k;
}

/* The banks that look up a line in this cycle: all that have one, but for those that wait. */
static uint32_t looking_up(struct banked *b, const struct queued_instruction *q, cycles now)
{
	uint32_t banks = 0;

	for (uint32_t rest = b->occupied; rest; rest &= rest - 1) {
		uint32_t k = (uint32_t)__builtin_ctz(rest), bit = 1u << k;

		if (b->refused & bit && !b->base.services->may_retry(b->base.owner, k, now))
			continue;
		b->refused &= ~bit;
		if (!(b->selected & bit))
			select_line(b, q, k);
		banks |= bit;
	}
	return banks;
}

static uint32_t which_hit(const struct banked *b, uint32_t banks)
{
	uint32_t hits = 0;

	for (uint32_t rest = banks; rest; rest &= rest - 1) {
		uint32_t k = (uint32_t)__builtin_ctz(rest);

		hits |= (uint32_t)cache_would_hit(b->base.l1, &b->bank[k].request.request) << k;
	}
	return hits;
}

/* Of these banks the one whose line has the lowest lane. */
static uint32_t first_of(const struct banked *b, uint32_t banks)
{
	uint32_t first = (uint32_t)__builtin_ctz(banks);

	for (uint32_t rest = banks; rest; rest &= rest - 1) {
		uint32_t k = (uint32_t)__builtin_ctz(rest);

		first = b->bank[k].line < b->bank[first].line ? k : first;
	}
	return first;
}

/* Offers the selected line of the bank to the L1. */
static enum cache_outcome offer_to_bank(
	struct banked *b, struct queued_instruction *q, uint32_t k, cycles now)
{
	struct bank *bank = &b->bank[k];
	uint32_t bit = 1u << k;
	enum cache_outcome outcome;

	bank->request.is_first = q->left == q->count;
	outcome = b->base.services->offer(b->base.owner, k, &bank->request, now);
	if (cache_is_failure(outcome)) {
		b->refused |= bit;
		b->brief = cache_is_brief(outcome) ? b->brief | bit : b->brief & ~bit;
		return outcome;
	}
	q->left--;
	b->selected &= ~bit;
	bank->line = b->next[bank->line];
	if (bank->line == NO_LINE)
		b->occupied &= ~bit;
	return outcome;
}

/* Serves the hits, in order of lanes. false: one of them turned out to be no hit. */
static bool serve_hits(struct banked *b, struct queued_instruction *q, uint32_t hits, cycles now)
{
	while (hits) {
		uint32_t k = first_of(b, hits);
		enum cache_outcome outcome = offer_to_bank(b, q, k, now);

		hits &= ~(1u << k);
		if (outcome != CACHE_HIT && !cache_is_failure(outcome))
			return false;
	}
	return true;
}

static void banked_tick(struct coalescer *c, cycles now)
{
	struct banked *b = (struct banked *)c;
	struct queued_instruction *q = &b->queue[b->head];
	uint32_t banks, hits, others;

	if (!b->count || b->busy_until > now || q->ready > now)
		return;
	if (!b->is_active)
		activate(b, q);
	banks = looking_up(b, q, now);
	if (!banks)
		return;
	b->lookups += (uint32_t)__builtin_popcount(banks);
	b->lookup_cycles++;
	hits = which_hit(b, banks);
	others = banks & ~hits;
	b->second_miss_cycles += (others & (others - 1)) != 0;
	if (serve_hits(b, q, hits, now) && others)
		offer_to_bank(b, q, first_of(b, others), now);
	if (!q->left)
		finish_instruction(b, q, now);
}

static cycles banked_next(const struct coalescer *c, cycles now)
{
	const struct banked *b = (const struct banked *)c;
	const struct queued_instruction *q = &b->queue[b->head];

	if (!b->count)
		return SIM_NEVER;
	if (!b->is_active)
		return q->ready > b->busy_until ? q->ready : b->busy_until;
	return b->occupied & (~b->refused | b->brief) ? now + 1 : SIM_NEVER;
}

/* ---- declarations ---- */

static const char *banked_why_not(const struct coalescer *prototype, const struct cache_config *l1)
{
	uint32_t banks = ((const struct banked *)prototype)->bank_count;

	if (banks & (banks - 1))
		return "sm.coalescer.banked.banks is no power of two";
	return l1->sets % banks ? "sm.coalescer.banked.banks does not divide sm.l1d.sets" : NULL;
}

static double lookups_per_cycle(const void *object)
{
	const struct banked *b = object;

	return b->lookup_cycles ? (double)b->lookups / (double)b->lookup_cycles : 0;
}

static const struct sim_param banked_params[] = {
	SIM_U32_AS(struct banked, bank_count, "banks", 8, 1, MOST_BANKS, "banks",
		"banks of the L1, each with a coalescing unit; a power of two that divides sm.l1d.sets "
		"(WarpPool, section 4.1: 8)"),
	SIM_U32(struct banked, entries, 4, 1, 64, "instructions",
		"memory instructions that can wait in order, the active one included (our choice: "
		"sm.lsu_queue)"),
	SIM_END,
};

static const struct sim_stat banked_stats[] = {
	SIM_COUNT(struct banked, lookups, "requests", "line requests that a bank looked up, at each try"),
	SIM_COUNT(struct banked, lookup_cycles, "cycles", "cycles in which any bank looked up a line"),
	SIM_COUNT(struct banked, bank_conflicts, "requests",
		"line requests of an instruction that had to wait for another one of it in one bank"),
	SIM_COUNT(struct banked, second_miss_cycles, "cycles",
		"cycles in which several banks had no hit, of which only one had its turn"),
	SIM_FORMULA("lookups_per_cycle", lookups_per_cycle, "requests",
		"banks that look up a line in a cycle in which any does"),
	SIM_STAT_END,
};

const struct coalescer_class coalescer_banked = {
	.name = "banked",
	.help = "L1 in banks: look-ups and hits of one instruction in parallel, one miss a cycle",
	.source = "Kloosterman et al., MICRO 2015, section 4.1",
	.size = sizeof(struct banked),
	.needs_l1 = true,
	.is_parallel = true,
	.why_not = banked_why_not,
	.params = banked_params,
	.stats = banked_stats,
	.init = banked_init,
	.fini = banked_fini,
	.ports = banked_ports,
	.accept = banked_accept,
	.tick = banked_tick,
	.next = banked_next,
};
