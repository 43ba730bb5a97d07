/* memsys/l2_bypass/l2_bypass.c -- the policy interface of L2 bypass, and what all policies share. */
#include "memsys/l2_bypass/l2_bypass.h"

#define POLICY_INTERFACE l2_bypass
#define POLICY_LIST      "memsys/l2_bypass/l2_bypass.def"
#include "sim/policy/table.h"

static const struct sim_param choice_params[] = {
	POLICY_CHOICE(
		l2_bypass, none, "policy that decides which requests bypass the L2 and go directly to DRAM"),
	SIM_END,
};

static const struct sim_param shared_params[] = {
	SIM_BOOL(struct l2_bypass, clean_lines, true,
		"requests may bypass the slice although their line is present, if it is clean; a store that "
		"does "
		"invalidates it"),
	SIM_BOOL(struct l2_bypass, stores, true, "stores may bypass the slice, not only reads"),
	SIM_END,
};

const struct policy_interface l2_bypass_interface = {
	.title = "L2 bypass",
	.keys = "l2.bypass.policy",
	POLICY_TABLES(l2_bypass),
	.choice = choice_params,
	.params = shared_params,
	.size = sizeof(struct l2_bypass),
};

struct l2_bypass *l2_bypass_new(const struct l2_bypass *prototype, const struct l2_config *machine,
	uint32_t slice, struct stat_tree *stats)
{
	struct l2_bypass *b;

	if (!prototype || !prototype->class->decide)
		return NULL;
	b = policy_new(prototype);
	b->machine = machine;
	b->slice = slice;
	if (b->class->wants_shadow)
		l2_shadow_init(&b->shadow, machine, slice);
	policy_start(&l2_bypass_interface, b, stats, "l2.bypass", (int)slice);
	return b;
}

void l2_bypass_free(struct l2_bypass *b)
{
	if (b && b->class->wants_shadow)
		l2_shadow_fini(&b->shadow);
	policy_free(b);
}

void l2_bypass_state(struct l2_bypass *b, struct state *state)
{
	if (b && b->class->wants_shadow)
		tags_state(&b->shadow.tags, state);
	policy_state(b, state);
}

void l2_bypass_looked_up(struct l2_bypass *b, const struct packet *p, enum l2_outcome outcome, cycles now)
{
	bool shadow_hit = b->class->wants_shadow && l2_shadow_access(&b->shadow, p->local);

	if (b->class->looked_up)
		b->class->looked_up(b, p, outcome, shadow_hit, now);
}
