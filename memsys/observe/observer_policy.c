/* memsys/observe/observer_policy.c -- the policy interface of observers: see observer_policy.h. */
#include "memsys/observe/observer_policy.h"

#define POLICY_INTERFACE observer
#define POLICY_LIST      "memsys/observe/observer.def"
#include "sim/policy/table.h"

static const struct sim_param choice_params[] = {
	POLICY_CHOICE(observer, none,
		"further observer of L1s and L2 slices, from a plug-in (docs/user/policies.md); it "
		"changes no result"),
	SIM_END,
};

const struct policy_interface observer_interface = {
	.title = "observers of caches",
	.keys = "observe.observer.policy",
	POLICY_TABLES(observer),
	.choice = choice_params,
	.size = sizeof(struct observer),
};

const struct observer_class observer_none = {
	.name = "none",
	.help = "none",
	.size = sizeof(struct observer),
	.state = policy_keeps_nothing,
};

static bool has_hooks(const struct cache_hooks *h)
{
	return h->accessed || h->filled || h->evicted;
}

struct observer *observer_new(
	const struct observer *prototype, const struct observer *connection, struct stat_tree *stats)
{
	const struct observer_class *class = prototype->class;
	const struct cache_hooks *hooks = connection->is_l2 ? &class->l2 : &class->l1;
	struct observer *o;

	if (!has_hooks(hooks))
		return NULL;
	o = policy_new(prototype);
	o->is_l2 = connection->is_l2;
	o->number = connection->number;
	o->lines = connection->lines;
	o->sets = connection->sets;
	o->line_bytes = connection->line_bytes;
	policy_start(&observer_interface, o, stats, o->is_l2 ? "observe.observer.l2" : "observe.observer.l1",
		(int)o->number);
	listener_of_policy(&o->listener, o, hooks);
	return o;
}
