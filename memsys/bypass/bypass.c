/* memsys/bypass/bypass.c -- the table of L1 bypass policies and what all of them share. */
#include "memsys/bypass/bypass.h"
#include "sim/base/xalloc.h"
#include <stdio.h>
#include <string.h>

#define BYPASS(name) extern const struct bypass_class bypass_##name;
#include "memsys/bypass/bypass.def"
#undef BYPASS

const struct bypass_class *const bypass_classes[] = {
#define BYPASS(name) &bypass_##name,
#include "memsys/bypass/bypass.def"
#undef BYPASS
	NULL
};

const char *const bypass_names[] = {
#define BYPASS(name) #name,
#include "memsys/bypass/bypass.def"
#undef BYPASS
	NULL
};

#define COUNT(field, unit, help) SIM_COUNT_AS(struct bypass, stats.field, #field, unit, help)

const struct sim_stat bypass_base_stats[] = {
	COUNT(asked, "requests", "reads about which the bypass policy was asked and which have left"),
	COUNT(before, "requests", "reads that bypassed the L1 without a look-up"),
	COUNT(after, "requests", "reads that bypassed the L1 because it had refused them"),
	COUNT(refused_twice, "cycles",
		"cycles in which the bypass path also had no room for a refused read, counted in the L1's "
		"fails under both reasons"),
	SIM_STAT_END,
};

struct slot {
	uint32_t policy;
};

static const struct sim_param slot_params[] = { SIM_ENUM(struct slot, policy, 0, bypass_names,
							"policy that decides which reads bypass the L1"),
	SIM_END };

struct bypass *bypass_blank(const struct bypass_class *class)
{
	struct bypass *b = xcalloc(1, class->size);

	b->class = class;
	return b;
}

struct bypass *bypass_prototype(struct config *config, const char *path, struct diag_list *diags)
{
	struct bypass *chosen = NULL;
	struct slot slot;
	char section[256];

	config_read(config, path, slot_params, &slot, diags);
	for (uint32_t i = 0; bypass_classes[i]; i++) {
		const struct bypass_class *class = bypass_classes[i];

		snprintf(section, sizeof(section), "%s.%s", path, class->name);
		if (i == slot.policy)
			chosen = bypass_blank(class);
		if (class->params[0].type != SIM_PARAM_END)
			config_read(config, section, class->params, i == slot.policy ? chosen : NULL, diags);
	}
	return chosen;
}

struct bypass *bypass_new(const struct bypass *prototype, uint32_t sm, struct cache *l1)
{
	struct bypass *b;

	if (!prototype->class->before && !prototype->class->refused)
		return NULL;
	b = xmalloc(prototype->class->size);
	memcpy(b, prototype, prototype->class->size);
	b->sm = sm;
	b->l1 = l1;
	return b;
}

void bypass_free(struct bypass *b)
{
	free(b);
}
