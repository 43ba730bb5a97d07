/* memsys/insertion/insertion.c -- the table of L2 insertion policies and what all of them share. */
#include "memsys/insertion/insertion.h"
#include "sim/base/xalloc.h"
#include <stdio.h>
#include <string.h>

#define INSERTION(name) extern const struct insertion_class insertion_##name;
#include "memsys/insertion/insertion.def"
#undef INSERTION

const struct insertion_class *const insertion_classes[] = {
#define INSERTION(name) &insertion_##name,
#include "memsys/insertion/insertion.def"
#undef INSERTION
	NULL
};

const char *const insertion_names[] = {
#define INSERTION(name) #name,
#include "memsys/insertion/insertion.def"
#undef INSERTION
	NULL
};

struct slot {
	uint32_t policy;
};

static const struct sim_param slot_params[] = {
	SIM_ENUM(struct slot, policy, 0, insertion_names,
		"policy that decides where a new line enters the replacement order of its set"),
	SIM_END
};

struct insertion *insertion_blank(const struct insertion_class *class)
{
	struct insertion *i = xcalloc(1, class->size);

	i->class = class;
	return i;
}

struct insertion *insertion_prototype(struct config *config, const char *path, struct diag_list *diags)
{
	struct insertion *chosen = NULL;
	struct slot slot;
	char section[256];

	config_read(config, path, slot_params, &slot, diags);
	for (uint32_t n = 0; insertion_classes[n]; n++) {
		const struct insertion_class *class = insertion_classes[n];

		snprintf(section, sizeof(section), "%s.%s", path, class->name);
		if (n == slot.policy)
			chosen = insertion_blank(class);
		if (class->params[0].type != SIM_PARAM_END)
			config_read(config, section, class->params, n == slot.policy ? chosen : NULL, diags);
	}
	return chosen;
}

void insertion_prototype_free(struct insertion *prototype)
{
	free(prototype);
}

struct insertion *insertion_new(const struct insertion *prototype, const struct l2_config *machine,
	uint32_t slice, struct stat_tree *stats)
{
	const struct insertion_class *class = prototype ? prototype->class : NULL;
	struct insertion *i;
	char group[64];

	if (!class || !class->place)
		return NULL;
	i = xmalloc(class->size);
	memcpy(i, prototype, class->size);
	i->machine = machine;
	i->slice = slice;
	if (class->init)
		class->init(i);
	snprintf(group, sizeof(group), "l2.insertion.%s", class->name);
	if (class->stats && class->stats[0].type != SIM_STAT_END_TYPE)
		stat_register(stats, group, (int)slice, class->stats, i, class->size);
	return i;
}

void insertion_free(struct insertion *i)
{
	if (!i)
		return;
	if (i->class->fini)
		i->class->fini(i);
	free(i);
}

uint32_t insertion_victim(const struct insertion *i, const struct tags *t, const uint8_t *tag, addr key)
{
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
