/* core/sched/sched.c -- the table of warp schedulers and what all of them share. */
#include "core/sched/sched.h"
#include "sim/base/xalloc.h"
#include <stdio.h>
#include <string.h>

#define SCHED(name) extern const struct sched_class sched_##name;
#include "core/sched/sched.def"
#undef SCHED

const struct sched_class *const sched_classes[] = {
#define SCHED(name) &sched_##name,
#include "core/sched/sched.def"
#undef SCHED
	NULL
};

const char *const sched_names[] = {
#define SCHED(name) #name,
#include "core/sched/sched.def"
#undef SCHED
	NULL
};

struct slot {
	uint32_t policy;
};

static const struct sim_param slot_params[] = {
	SIM_ENUM(struct slot, policy, 1, sched_names, "policy that decides which ready warp issues"), SIM_END
};

struct sched *sched_prototype(struct config *config, const char *path, struct diag_list *diags)
{
	struct sched *chosen = NULL;
	struct slot slot;
	char section[256];

	config_read(config, path, slot_params, &slot, diags);
	for (uint32_t i = 0; sched_classes[i]; i++) {
		const struct sched_class *class = sched_classes[i];

		snprintf(section, sizeof(section), "%s.%s", path, class->name);
		if (i == slot.policy) {
			chosen = xcalloc(1, class->size);
			chosen->class = class;
		}
		if (class->params[0].type != SIM_PARAM_END)
			config_read(config, section, class->params, i == slot.policy ? chosen : NULL, diags);
	}
	return chosen;
}

struct sched *sched_new(const struct sched *prototype, warp_mask owned)
{
	struct sched *s = xmalloc(prototype->class->size);

	memcpy(s, prototype, prototype->class->size);
	s->owned = owned;
	s->older = xcalloc(MAX_WARPS, sizeof(*s->older));
	return s;
}

void sched_put(struct sched *s, uint32_t slot)
{
	warp_mask bit = UINT64_C(1) << slot;

	for (uint32_t i = 0; i < MAX_WARPS; i++)
		s->older[i] &= ~bit;
	s->older[slot] = ~bit;
}

void sched_free(struct sched *s)
{
	if (s)
		free(s->older);
	free(s);
}
