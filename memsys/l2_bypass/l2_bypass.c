/* memsys/l2_bypass/l2_bypass.c -- the table of L2 bypass policies and what all of them share. */
#include "memsys/l2_bypass/l2_bypass.h"
#include "sim/base/xalloc.h"
#include <stdio.h>
#include <string.h>

#define L2_BYPASS(name) extern const struct l2_bypass_class l2_bypass_##name;
#include "memsys/l2_bypass/l2_bypass.def"
#undef L2_BYPASS

const struct l2_bypass_class *const l2_bypass_classes[] = {
#define L2_BYPASS(name) &l2_bypass_##name,
#include "memsys/l2_bypass/l2_bypass.def"
#undef L2_BYPASS
	NULL
};

const char *const l2_bypass_names[] = {
#define L2_BYPASS(name) #name,
#include "memsys/l2_bypass/l2_bypass.def"
#undef L2_BYPASS
	NULL
};

struct slot {
	uint32_t policy;
};

static const struct sim_param slot_params[] = {
	SIM_ENUM(struct slot, policy, 0, l2_bypass_names,
		"policy that decides which requests bypass the L2 and go directly to DRAM"),
	SIM_END
};

struct l2_bypass *l2_bypass_blank(const struct l2_bypass_class *class)
{
	struct l2_bypass *b = xcalloc(1, class->size);

	b->class = class;
	return b;
}

struct l2_bypass *l2_bypass_prototype(struct config *config, const char *path, struct diag_list *diags)
{
	struct l2_bypass *chosen = NULL;
	struct slot slot;
	char section[256];

	config_read(config, path, slot_params, &slot, diags);
	for (uint32_t i = 0; l2_bypass_classes[i]; i++) {
		const struct l2_bypass_class *class = l2_bypass_classes[i];

		snprintf(section, sizeof(section), "%s.%s", path, class->name);
		if (i == slot.policy)
			chosen = l2_bypass_blank(class);
		if (class->params[0].type != SIM_PARAM_END)
			config_read(config, section, class->params, i == slot.policy ? chosen : NULL, diags);
	}
	return chosen;
}

void l2_bypass_prototype_free(struct l2_bypass *prototype)
{
	free(prototype);
}

struct l2_bypass *l2_bypass_new(const struct l2_bypass *prototype, const struct l2_config *machine,
	uint32_t slice, struct stat_tree *stats)
{
	const struct l2_bypass_class *class = prototype ? prototype->class : NULL;
	struct l2_bypass *b;
	char group[64];

	if (!class || !class->decide)
		return NULL;
	b = xmalloc(class->size);
	memcpy(b, prototype, class->size);
	b->machine = machine;
	b->slice = slice;
	if (class->wants_shadow)
		l2_shadow_init(&b->shadow, machine, slice);
	if (class->init)
		class->init(b);
	snprintf(group, sizeof(group), "l2.bypass.%s", class->name);
	if (class->stats && class->stats[0].type != SIM_STAT_END_TYPE)
		stat_register(stats, group, (int)slice, class->stats, b, class->size);
	return b;
}

void l2_bypass_free(struct l2_bypass *b)
{
	if (!b)
		return;
	if (b->class->fini)
		b->class->fini(b);
	if (b->class->wants_shadow)
		l2_shadow_fini(&b->shadow);
	free(b);
}

void l2_bypass_looked_up(struct l2_bypass *b, const struct packet *p, enum l2_outcome outcome, cycles now)
{
	bool shadow_hit = b->class->wants_shadow && l2_shadow_access(&b->shadow, p->local);

	if (b->class->looked_up)
		b->class->looked_up(b, p, outcome, shadow_hit, now);
}
