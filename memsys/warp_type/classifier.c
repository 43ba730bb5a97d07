/* memsys/warp_type/classifier.c -- the policy interface of warp-type identification, and what all policies
 * share. */
#include "memsys/warp_type/classifier.h"

#define POLICY_INTERFACE classifier
#define POLICY_LIST      "memsys/warp_type/classifier.def"
#include "sim/policy/table.h"

static const struct sim_param choice_params[] = {
	POLICY_CHOICE(classifier, none, "policy that decides of which type the warp of a request is"),
	SIM_END,
};

static const char *const type_names[] = WARP_TYPE_NAMES;

static const struct sim_stat shared_stats[] = {
	SIM_VECTOR(struct classifier, look_ups, type_names, "requests",
		"requests that were looked up, by the type of their warp"),
	SIM_VECTOR(struct classifier, queue_delay, type_names, "cycles",
		"time from the arrival of requests to their look-up, beyond the ROP latency, summed over "
		"requests, "
		"by the type of their warp"),
	SIM_STAT_END,
};

const struct policy_interface classifier_interface = {
	.title = "warp types",
	.keys = "l2.warp_type.policy",
	POLICY_TABLES(classifier),
	.choice = choice_params,
	.stats = shared_stats,
	.size = sizeof(struct classifier),
};

struct classifier *classifier_new(const struct classifier *prototype, const struct l2_config *machine,
	uint32_t slice, struct stat_tree *stats)
{
	struct classifier *c;

	if (!prototype || !prototype->class->classify)
		return NULL;
	c = policy_new(prototype);
	c->machine = machine;
	c->slice = slice;
	c->has_shadow = c->class->wants_shadow && c->class->wants_shadow(c);
	if (c->has_shadow)
		l2_shadow_init(&c->shadow, machine, slice);
	policy_start(&classifier_interface, c, stats, "l2.warp_type", (int)slice);
	return c;
}

void classifier_free(struct classifier *c)
{
	if (c && c->has_shadow)
		l2_shadow_fini(&c->shadow);
	policy_free(c);
}

void classifier_state(struct classifier *c, struct state *state)
{
	if (c && c->has_shadow)
		tags_state(&c->shadow.tags, state);
	policy_state(c, state);
}

void classifier_classify(struct classifier *c, struct packet *p, bool in_tags, cycles now)
{
	p->probe_hit = c->has_shadow ? l2_shadow_access(&c->shadow, p->local) : in_tags;
	c->class->classify(c, p, now);
}
