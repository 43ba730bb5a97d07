/* shared_lines.c -- an observer as a plug-in: how often an L2 slice serves a line to another SM than the one
 * that asked for it last. docs/user/policies.md tells how it is compiled and used. */
#include "memsys/observe/observer_policy.h"
#include "sim/policy/plugin.h"

struct shared_lines {
	struct observer base;
	uint16_t *last; /* by line: the SM that asked last, and 1; 0: none */
	uint64_t same_sm, other_sm;
};

static void shared_lines_init(void *policy)
{
	struct shared_lines *s = policy;

	s->last = xcalloc(s->base.lines, sizeof(*s->last));
}

static void shared_lines_fini(void *policy)
{
	free(((struct shared_lines *)policy)->last);
}

static void shared_lines_accessed(void *policy, const struct access_event *e)
{
	struct shared_lines *s = policy;

	if (e->outcome != ACCESS_HIT || e->line_index == NO_LINE_INDEX || e->by.sm == REQUESTER_NO_SM)
		return;
	if (s->last[e->line_index])
		*(s->last[e->line_index] == e->by.sm + 1 ? &s->same_sm : &s->other_sm) += 1;
	s->last[e->line_index] = (uint16_t)(e->by.sm + 1);
}

static const struct sim_stat shared_lines_stats[] = {
	SIM_COUNT(struct shared_lines, same_sm, "accesses", "hits of lines by the SM that hit them last"),
	SIM_COUNT(struct shared_lines, other_sm, "accesses", "hits of lines by another SM than the last"),
	SIM_STAT_END,
};

static const struct observer_class observer_shared_lines = {
	.name = "shared_lines",
	.help = "hits of L2 lines by the SM that hit them last, and by others",
	.size = sizeof(struct shared_lines),
	.stats = shared_lines_stats,
	.init = shared_lines_init,
	.fini = shared_lines_fini,
	.state = policy_keeps_nothing,
	.l2 = { .accessed = shared_lines_accessed },
};

LOCKSTEP_PLUGIN(LOCKSTEP_POLICY(observer, shared_lines));
