/* memsys/insertion/insertion.c -- the policy interface of L2 insertion, and what all policies share. */
#include "memsys/insertion/insertion.h"
#include "sim/base/xalloc.h"

#define POLICY_INTERFACE insertion
#define POLICY_LIST      "memsys/insertion/insertion.def"
#include "sim/policy/table.h"

static const struct sim_param choice_params[] = {
	POLICY_CHOICE(insertion, mru,
		"policy that decides where a new line enters the replacement order of its set"),
	SIM_END,
};

const struct policy_interface insertion_interface = {
	.title = "L2 insertion",
	.keys = "l2.insertion.policy",
	POLICY_TABLES(insertion),
	.choice = choice_params,
	.size = sizeof(struct insertion),
};

struct insertion *insertion_new(const struct insertion *prototype, const struct l2_config *machine,
	uint32_t slice, struct stat_tree *stats)
{
	struct insertion *i;

	if (!prototype || !prototype->class->place)
		return NULL;
	i = policy_new(prototype);
	i->machine = machine;
	i->slice = slice;
	i->line_tag = xcalloc((size_t)machine->sets * machine->ways, sizeof(*i->line_tag));
	policy_start(&insertion_interface, i, stats, "l2.insertion", (int)slice);
	return i;
}

void insertion_free(struct insertion *i)
{
	if (i)
		free(i->line_tag);
	policy_free(i);
}

void insertion_state(struct insertion *i, struct state *state)
{
	uint32_t lines = i ? i->machine->sets * i->machine->ways : 0;

	if (i)
		state_bytes(state, i->line_tag, lines);
	for (uint32_t line = 0; line < lines; line++)
		state_require(state, i->line_tag[line] < INSERTION_TAGS);
	policy_state(i, state);
}

uint32_t insertion_victim(const struct insertion *i, const struct tags *t, addr key)
{
	const uint8_t *tag = i->line_tag;
	uint32_t first = tags_set(t, key) * t->ways, best = TAGS_NONE;

	for (uint32_t line = first; line < first + t->ways; line++) {
		if (t->key[line] == TAGS_FREE)
			return line;
		if (t->pins[line])
			continue;
		if (best == TAGS_NONE || i->rank[tag[line]] < i->rank[tag[best]] ||
			(i->rank[tag[line]] == i->rank[tag[best]] && t->used[line] < t->used[best]))
			best = line;
	}
	return best;
}
