/* core/pipeline/l15.c -- the second level of an SM's constants and instructions: see l15.h.
 *
 * A hit takes sm.l15.hit_latency from the first level's miss to its fill: half of it on the way there, the
 * rest on the way back. One request is looked up in a cycle, and one answer fills a first level. A request
 * that is refused (no MSHR, no room for a request to the L2) is looked up again in each cycle, and those
 * behind it wait. */
#include "core/pipeline/l15.h"
#include "core/issue/operands.h"
#include "core/lsu/lsu_in_flight.h"
#include "core/pipeline/fetch.h"
#include "core/sm/sm.h"
#include "memsys/delay_line.h"
#include "memsys/l1/cache.h"
#include "sim/base/xalloc.h"

#define NOBODY UINT32_MAX /* token of a line that comes with another one */

struct l15 {
	struct sm *sm;
	struct cache *cache;
	struct port requests;          /* of this cycle: they set out at its end */
	struct delay_line there, back; /* requests on their way, answers on theirs, and how long each takes:
					*/
	cycles latency_there, latency_back;
	struct packet **waiting; /* for the L2: by token */
	uint32_t size;           /* of each of these */
	uint32_t line;           /* bytes */
	bool pairs;              /* a line comes with its neighbour */
	uint32_t *tokens;
};

/* ---- building ---- */

struct l15 *l15_new(const struct cache_config *config, const struct partition_map *map, struct sm *sm,
	uint32_t asked, struct stat_tree *stats)
{
	struct l15 *l;

	if (!config->enabled)
		return NULL;
	l = xcalloc(1, sizeof(*l));
	l->sm = sm;
	l->size = asked;
	l->line = config->line;
	l->pairs = config->pairs;
	/* the packets to the L2 keep the first level that asked */
	l->cache = cache_new(config, map, &sm->state.request, &sm->host.pool, sm->spec.number, UNIT_L1_CONST,
		stats, "sm.l15");
	cache_set_clock(l->cache, &sm->state.local);
	port_init(&l->requests, asked, NULL, NULL);
	delay_init(&l->there, asked);
	delay_init(&l->back, asked);
	l->latency_there = config->hit_latency / 2;
	l->latency_back = config->hit_latency - l->latency_there;
	l->waiting = xcalloc(asked, sizeof(*l->waiting));
	l->tokens = xcalloc(config->mshr_merge, sizeof(*l->tokens));
	return l;
}

void l15_free(struct l15 *l)
{
	if (!l)
		return;
	cache_free(l->cache);
	port_fini(&l->requests);
	free(l->there.ring);
	free(l->back.ring);
	free(l->waiting);
	free(l->tokens);
	free(l);
}

struct port *l15_requests(struct l15 *l)
{
	return &l->requests;
}

struct cache *l15_cache(const struct l15 *l)
{
	return l->cache;
}

/* ---- there and back ---- */

static void set_out(struct delay_line *d, struct packet *p, cycles due)
{
	bug_if(!delay_room(d), "more requests than the first levels of an SM can have in flight");
	delay_push(d, (struct delayed){ .packet = p, .ready = due });
}

static struct packet *arrived(const struct delay_line *d, cycles now)
{
	return d->count && delay_peek(d)->ready <= now ? delay_peek(d)->packet : NULL;
}

static cycles next_arrival(const struct delay_line *d, cycles now)
{
	if (!d->count)
		return SIM_NEVER;
	return delay_peek(d)->ready > now ? delay_peek(d)->ready : now + 1;
}

/* ---- look-ups ---- */

static uint32_t free_token(const struct l15 *l)
{
	uint32_t token = 0;

	while (l->waiting[token])
		token++;
	return token;
}

static struct cache_request l15_request(
	const struct l15 *l, const struct packet *p, addr line, uint32_t token)
{
	return (struct cache_request){
		.kind = PACKET_READ, .by = p->by, .token = token, .bytes = (uint16_t)l->line, .line = line
	};
}

/* The request to the L2 that has just been made is for the same first level. */
static void pass_on(struct l15 *l, const struct packet *p)
{
	port_last(&l->sm->state.request)->unit = p->unit;
}

static void ask_for_neighbour(struct l15 *l, const struct packet *p, addr line)
{
	struct cache_request r = l15_request(l, p, line ^ l->line, NOBODY);

	if (!cache_can_prefetch(l->cache, r.line))
		return;
	cache_access(l->cache, &r, l->sm->state.local.now);
	pass_on(l, p);
}

/* false: the request has been refused. */
static bool l15_look_up(struct l15 *l, struct packet *p, cycles now)
{
	addr line = p->address & ~((addr)l->line - 1);
	uint32_t token = free_token(l);
	struct cache_request r = l15_request(l, p, line, token);
	enum cache_outcome outcome = cache_access(l->cache, &r, l->sm->state.local.now);

	if (cache_is_failure(outcome))
		return false;
	if (outcome == CACHE_HIT) {
		set_out(&l->back, p, now + l->latency_back);
		return true;
	}
	l->waiting[token] = p;
	if (outcome == CACHE_MISS) {
		pass_on(l, p);
		if (l->pairs)
			ask_for_neighbour(l, p, line);
	}
	return true;
}

uint32_t l15_most_requests(const struct l15 *l, cycles now)
{
	bool looks_up = !l->latency_there || (l->there.count && delay_peek(&l->there)->ready <= now);

	return looks_up ? 1 + l->pairs : 0;
}

void l15_work(struct l15 *l, cycles now)
{
	struct packet *p;

	while (!port_is_empty(&l->requests))
		set_out(&l->there, port_pop(&l->requests), now + l->latency_there);
	p = arrived(&l->there, now);
	if (p && l15_look_up(l, p, now))
		delay_pop(&l->there);
}

void l15_filled(struct l15 *l, const struct packet *reply, cycles now)
{
	uint32_t n = cache_fill(l->cache, reply, l->tokens);

	for (uint32_t i = 0; i < n; i++) {
		if (l->tokens[i] == NOBODY)
			continue;
		set_out(&l->back, l->waiting[l->tokens[i]], now + l->latency_back);
		l->waiting[l->tokens[i]] = NULL;
	}
}

void l15_answer(struct l15 *l, cycles now)
{
	struct packet *p = arrived(&l->back, now);

	if (!p)
		return;
	delay_pop(&l->back);
	if (p->unit == UNIT_L1_INST)
		fetch_filled(l->sm, p, now);
	else if (p->unit == UNIT_L0_CONST)
		operands_filled(l->sm, p);
	else
		lsu_filled(l->sm, p, now);
	packet_free(p);
}

cycles l15_next(const struct l15 *l, cycles now)
{
	cycles there = next_arrival(&l->there, now), back = next_arrival(&l->back, now);

	return there < back ? there : back;
}

bool l15_is_idle(const struct l15 *l)
{
	return !l->there.count && !l->back.count && cache_is_idle(l->cache);
}
