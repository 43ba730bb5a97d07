/* pc_bypass.c -- an L1 bypass policy: reads by instructions whose lines are evicted before they are hit
 * bypass the L1. docs/user/add-a-policy.md explains it line by line. */
#include "memsys/bypass/bypass.h"
#include "sim/policy/plugin.h"

struct pc_bypass {
	struct bypass base;    /* what every bypass policy has; first */
	uint32_t threshold;    /* parameter */
	uint64_t dead;         /* statistic */
	uint32_t counter[256]; /* by PC, 0 to 15: how sure it is that its lines will not be hit */
	bool *is_hit;          /* by line of the L1: since it was filled */
};

static void init(void *policy)
{
	struct pc_bypass *p = policy;
	p->is_hit = xcalloc(p->base.lines, sizeof(*p->is_hit));
}
static void fini(void *policy)
{
	free(((struct pc_bypass *)policy)->is_hit);
}
static bool before(struct bypass *b, const struct cache_request *r, cycles now)
{
	const struct pc_bypass *p = (struct pc_bypass *)b;
	return p->counter[r->by.uop_index % 256] >= p->threshold && r->line / 128 % 32 != 0;
}
static void accessed(void *policy, const struct access_event *e)
{
	struct pc_bypass *p = policy;
	if (e->outcome != ACCESS_HIT)
		return;
	p->is_hit[e->line_index] = true;
	p->counter[e->by.uop_index % 256] -= p->counter[e->by.uop_index % 256] > 0;
}
static void evicted(void *policy, const struct eviction_event *e)
{
	struct pc_bypass *p = policy;
	bool is_dead = e->cause == EVICTED_BY_REPLACEMENT && !p->is_hit[e->line_index];
	p->counter[e->owner.uop_index % 256] += is_dead && p->counter[e->owner.uop_index % 256] < 15;
	p->dead += is_dead;
	p->is_hit[e->line_index] = false;
}

static const struct sim_param params[] = { SIM_U32(struct pc_bypass, threshold, 12, 1, 15, "",
						   "count from which reads of a PC bypass the L1"),
	SIM_END };
static const struct sim_stat stats[] = {
	SIM_COUNT(struct pc_bypass, dead, "lines", "lines evicted before they were hit"), SIM_STAT_END
};
const struct bypass_class bypass_pc_bypass = { .name = "pc_bypass",
	.help = "reads of instructions whose lines are evicted before they are hit",
	.size = sizeof(struct pc_bypass),
	.params = params,
	.stats = stats,
	.init = init,
	.fini = fini,
	.before = before,
	.l1 = { .accessed = accessed, .evicted = evicted } };

LOCKSTEP_PLUGIN(LOCKSTEP_POLICY(bypass, pc_bypass));
