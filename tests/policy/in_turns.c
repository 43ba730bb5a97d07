/* tests/policy/in_turns.c -- a coalescer as a user of Lockstep would add it: several instructions wait, of
 * each warp at most one, and send a line request each in turn, so that a divergent load does not hold up the
 * others. */
#include "memsys/coalescer/coalescer.h"

#define MOST_PARTS 4                       /* of an instruction whose lanes fall into several spaces */
#define MOST_LINES (8 * MAX_LINE_REQUESTS) /* wide accesses of local memory */

struct place {
	struct buffered_request request;
	struct line_request lines[MOST_LINES];
	cycles ready;
	uint32_t next, count; /* line requests: of `count` the next one to go; count 0: the place is free */
};

struct in_turns {
	struct coalescer base;
	uint32_t entries;     /* parameter */
	uint64_t interleaved; /* statistic */
	struct place *place;  /* size of them */
	uint32_t size, used;
	uint32_t turn; /* whose request went last, or is refused */
	enum cache_outcome last;
};

static void set_gates(struct in_turns *t)
{
	struct coalescer_gates *g = &t->base.gates;
	uint64_t inside = 0; /* warps */

	for (uint32_t i = 0; i < t->size; i++)
		if (t->place[i].count)
			inside |= UINT64_C(1) << t->place[i].request.request.by.warp;
	g->room = t->used < t->entries ? ~UINT64_C(0) : 0;
	g->load = g->store = g->room & ~inside;
	g->fence = ~inside;
}

static void in_turns_init(void *policy)
{
	struct in_turns *t = policy;

	t->size = t->entries + MOST_PARTS - 1;
	t->place = xcalloc(t->size, sizeof(*t->place));
	t->last = CACHE_HIT;
}

static void in_turns_fini(void *policy)
{
	free(((struct in_turns *)policy)->place);
}

static uint32_t in_turns_ports(const struct coalescer *c)
{
	return 1;
}

static void in_turns_accept(struct coalescer *c, const struct coalescer_instruction *i, cycles now)
{
	struct in_turns *t = (struct in_turns *)c;
	struct place *p = t->place;

	while (p->count)
		p++;
	t->used++;
	p->request = *i->request;
	p->ready = i->ready;
	p->next = 0;
	p->count = i->count;
	memcpy(p->lines, i->lines, i->count * sizeof(*i->lines));
	set_gates(t);
}

/* The next place after the last one that has a request to send. */
static bool find_turn(struct in_turns *t, cycles now)
{
	for (uint32_t k = 1; k <= t->size; k++) {
		uint32_t i = (t->turn + k) % t->size;

		if (!t->place[i].count || t->place[i].ready > now)
			continue;
		t->interleaved += i != t->turn && t->place[t->turn].count && t->place[t->turn].next;
		t->turn = i;
		return true;
	}
	return false;
}

static void in_turns_tick(struct coalescer *c, cycles now)
{
	struct in_turns *t = (struct in_turns *)c;
	struct buffered_request request;
	struct place *p;

	if (cache_is_failure(t->last) ? !c->services->may_retry(c->owner, 0, now) : !find_turn(t, now))
		return;
	p = &t->place[t->turn];
	request = p->request;
	request.is_first = p->next == 0;
	request.request.coalesced = c->services->time(c->owner);
	cache_request_line(&request.request, &p->lines[p->next], request.op);
	t->last = c->services->offer(c->owner, 0, &request, now);
	if (cache_is_failure(t->last) || ++p->next < p->count)
		return;
	p->count = 0;
	t->used--;
	set_gates(t);
}

static cycles in_turns_next(const struct coalescer *c, cycles now)
{
	const struct in_turns *t = (const struct in_turns *)c;
	cycles first = SIM_NEVER;

	if (cache_is_failure(t->last))
		return cache_is_brief(t->last) ? now + 1 : SIM_NEVER;
	for (uint32_t i = 0; i < t->size; i++)
		if (t->place[i].count && t->place[i].ready < first)
			first = t->place[i].ready;
	return first;
}

static const struct sim_param in_turns_params[] = {
	SIM_U32(struct in_turns, entries, 4, 1, 64, "instructions", "that wait and take turns"),
	SIM_END,
};

static const struct sim_stat in_turns_stats[] = {
	SIM_COUNT(struct in_turns, interleaved, "requests", "that went between two of another instruction"),
	SIM_STAT_END,
};

const struct coalescer_class coalescer_in_turns = {
	.name = "in_turns",
	.help = "a line request of each instruction in turn",
	.source = "a test of the README's page on policies",
	.size = sizeof(struct in_turns),
	.params = in_turns_params,
	.stats = in_turns_stats,
	.init = in_turns_init,
	.fini = in_turns_fini,
	.ports = in_turns_ports,
	.accept = in_turns_accept,
	.tick = in_turns_tick,
	.next = in_turns_next,
};
