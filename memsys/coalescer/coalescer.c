/* memsys/coalescer/coalescer.c -- the policy interface of coalescers, and what all of them share: requests
 * that serve several instructions. */
#include "memsys/coalescer/coalescer.h"
#include "sim/base/xalloc.h"
#include <string.h>

#define POLICY_INTERFACE coalescer
#define POLICY_LIST      "memsys/coalescer/coalescer.def"
#include "sim/policy/table.h"

static double instructions_per_request(const void *object)
{
	const struct coalescer_stats *s = &((const struct coalescer *)object)->stats;

	return s->load_requests ? (double)s->load_instructions / (double)s->load_requests : 0;
}

static double requests_per_cycle(const void *object)
{
	const struct coalescer_stats *s = &((const struct coalescer *)object)->stats;

	return s->served_cycles ? (double)s->load_instructions / (double)s->served_cycles : 0;
}

#define COUNT(field, unit, help) SIM_COUNT_AS(struct coalescer, stats.field, #field, unit, help)

static const struct sim_stat base_stats[] = {
	COUNT(instructions, "instructions", "memory instructions that entered the coalescer"),
	COUNT(lines, "requests",
		"line requests of the memory instructions that entered the coalescer, before any are merged "
		"with requests of other warps"),
	COUNT(load_requests, "requests", "load requests that the L1 took"),
	COUNT(load_instructions, "requests",
		"line requests of single instructions that these served: more than load_requests if "
		"requests of several warps were merged"),
	COUNT(served_cycles, "cycles", "cycles in which the L1 took a load request"),
	COUNT(refused_cycles, "cycles", "cycles in which the L1 refused a request, added up over the ports"),
	SIM_FORMULA("instructions_per_request", instructions_per_request, "instructions",
		"load instructions that a request to the L1 serves on average (WarpPool, Figure 12)"),
	SIM_FORMULA("requests_per_cycle", requests_per_cycle, "requests",
		"line requests of load instructions that the L1 serves in a cycle in which it serves any "
		"(WarpPool, section 4.2.2)"),
	SIM_STAT_END,
};

static const struct sim_param choice_params[] = {
	POLICY_CHOICE(coalescer, single,
		"coalescer: makes requests to the L1 of the accesses of global and local memory"),
	SIM_END,
};

const struct policy_interface coalescer_interface = {
	.title = "coalescers",
	.keys = "sm.coalescer.policy",
	POLICY_TABLES(coalescer),
	.choice = choice_params,
	.stats = base_stats,
	.size = sizeof(struct coalescer),
};

struct coalescer *coalescer_new(const struct coalescer *prototype)
{
	struct coalescer *c;

	if (!prototype->class->accept)
		return NULL;
	c = policy_new(prototype);
	c->gates = (struct coalescer_gates){ ~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0) };
	return c;
}

void coalescer_free(struct coalescer *c)
{
	policy_free(c);
}

/* ---- requests that serve several instructions ---- */

#define NO_REQUEST UINT32_MAX

void coalesced_init(struct coalescer *c, uint32_t count, uint32_t most)
{
	c->requests = xmalloc(count * sizeof(*c->requests)); /* filled in when first used: most never are */
	c->request_with = xmalloc((size_t)count * most * sizeof(*c->request_with));
	c->request_by = xmalloc((size_t)count * most * sizeof(*c->request_by));
	c->request_count = count;
	c->request_most = most;
	c->fresh_request = 0;
	c->free_request = NO_REQUEST;
}

void coalesced_fini(struct coalescer *c)
{
	free(c->requests);
	free(c->request_with);
	free(c->request_by);
}

/* A free request; those that have been used before come first. NULL: all are in use. */
static struct coalesced *take_request(struct coalescer *c)
{
	struct coalesced *r;

	if (c->free_request != NO_REQUEST) {
		r = &c->requests[c->free_request];
		c->free_request = r->next;
		return r;
	}
	if (c->fresh_request == c->request_count)
		return NULL;
	r = &c->requests[c->fresh_request];
	r->number = c->fresh_request++;
	r->with = &c->request_with[(size_t)r->number * c->request_most];
	r->by = &c->request_by[(size_t)r->number * c->request_most];
	return r;
}

/* The instruction that asks for the same line takes its place behind the others. */
static void add_waiting_instruction(struct coalesced *c, const struct buffered_request *r)
{
	c->with[c->count].op = r->op;
	c->with[c->count].coalesced = r->request.coalesced;
	c->by[c->count++] = r->request.by;
}

struct coalesced *coalesced_new(struct coalescer *c, const struct buffered_request *first)
{
	struct coalesced *new = take_request(c);

	if (!new)
		return NULL;
	new->request = *first;
	new->request.request.token = COALESCED_TOKEN | new->number;
	new->request.request.also = new->by + 1;
	new->request.request.also_count = 0;
	new->count = 0;
	new->has_come = false;
	add_waiting_instruction(new, first);
	return new;
}

bool coalesced_may_join(const struct coalesced *c, const struct buffered_request *r)
{
	const struct cache_request *a = &c->request.request, *b = &r->request;

	return a->line == b->line && a->kind == b->kind && a->bytes == b->bytes &&
		a->is_local == b->is_local && a->uncached == b->uncached;
}

static bool is_whole_line(const uint32_t mask[4])
{
	return !(mask[0] | mask[1] | mask[2] | mask[3]);
}

void coalesced_join(struct coalesced *c, const struct buffered_request *r)
{
	struct cache_request *a = &c->request.request;
	const struct cache_request *b = &r->request;
	bool whole = is_whole_line(a->byte_mask) || is_whole_line(b->byte_mask);

	for (int i = 0; i < 4; i++)
		a->byte_mask[i] = whole ? 0 : a->byte_mask[i] | b->byte_mask[i];
	a->evict_first &= b->evict_first; /* the line is of use to the other */
	a->last_use = false;
	a->also_count++;
	c->request.is_profiled |= r->is_profiled;
	add_waiting_instruction(c, r);
}

void coalesced_free(struct coalescer *c, struct coalesced *request)
{
	request->next = c->free_request;
	c->free_request = request->number;
}
