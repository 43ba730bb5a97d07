/* dram/sched/sched.c -- the table of DRAM schedulers, from sched.def, and what all of them share. */
#include "dram/sched/sched.h"
#include "sim/base/xalloc.h"
#include <stdio.h>
#include <string.h>

#define SCHED(name) extern const struct dram_sched_class dram_sched_##name;
#include "dram/sched/sched.def"
#undef SCHED

const char *const dram_sched_names[] = {
#define SCHED(name) #name,
#include "dram/sched/sched.def"
#undef SCHED
	NULL
};

const struct dram_sched_class *const dram_sched_classes[] = {
#define SCHED(name) &dram_sched_##name,
#include "dram/sched/sched.def"
#undef SCHED
	NULL
};

struct slot {
	uint32_t policy;
};

static const struct sim_param slot_params[] = {
	SIM_ENUM(struct slot, policy, 0, dram_sched_names,
		"policy that decides which request's command is issued next"),
	SIM_END
};

struct dram_sched *dram_sched_blank(const struct dram_sched_class *class)
{
	struct dram_sched *s = xcalloc(1, class->size);

	s->class = class;
	for (const struct sim_param *p = class->params; p->type != SIM_PARAM_END; p++) {
		void *field = (char *)s + p->offset;

		switch (p->type) {
		case SIM_PARAM_U64:
			*(uint64_t *)field = (uint64_t)p->number;
			break;
		case SIM_PARAM_F64:
			*(double *)field = p->number;
			break;
		case SIM_PARAM_BOOL:
			*(bool *)field = p->number != 0;
			break;
		case SIM_PARAM_STRING:
			*(const char **)field = p->text;
			break;
		default:
			*(uint32_t *)field = (uint32_t)p->number;
		}
	}
	return s;
}

struct dram_sched *dram_sched_prototype(struct config *config, const char *path, struct diag_list *diags)
{
	struct dram_sched *chosen = NULL;
	struct slot slot;
	char section[256];

	config_read(config, path, slot_params, &slot, diags);
	for (uint32_t i = 0; dram_sched_classes[i]; i++) {
		const struct dram_sched_class *class = dram_sched_classes[i];

		snprintf(section, sizeof(section), "%s.%s", path, class->name);
		if (i == slot.policy)
			chosen = dram_sched_blank(class);
		if (class->params[0].type != SIM_PARAM_END)
			config_read(config, section, class->params, i == slot.policy ? chosen : NULL, diags);
	}
	return chosen;
}

struct dram_sched *dram_sched_new(const struct dram_sched *prototype, const struct dram_config *config)
{
	struct dram_sched *s = xmalloc(prototype->class->size);

	memcpy(s, prototype, prototype->class->size);
	s->config = config;
	return s;
}

void dram_sched_free(struct dram_sched *s)
{
	free(s);
}
