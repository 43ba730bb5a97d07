/* sim/policy/policy.c -- from the configuration to policies at work. */
#include "sim/policy/policy.h"

/* An object begins with a pointer to its interface's class, which begins with a struct policy_class. */
static const struct policy_class *policy_class_of(const void *policy)
{
	const struct policy_class *class;

	memcpy(&class, policy, sizeof(class));
	return class;
}

/* ---- prototypes ---- */

void *policy_blank(const struct policy_interface *interface, const struct policy_class *class)
{
	void *prototype;

	bug_if(class->size < interface->size, "policy %s: its struct does not begin with that of %s",
		class->name, interface->title);
	prototype = xcalloc(1, class->size);
	memcpy(prototype, &class, sizeof(class));
	if (interface->params)
		config_defaults(interface->params, prototype);
	if (class->params)
		config_defaults(class->params, prototype);
	return prototype;
}

void *policy_read_chosen(const struct policy_interface *interface, struct config *config, const char *path,
	uint32_t chosen, struct diag_list *diags)
{
	void *prototype = policy_blank(interface, interface->classes[chosen]);
	char section[256];

	if (interface->params)
		config_read(config, path, interface->params, prototype, diags);
	for (uint32_t i = 0; interface->classes[i]; i++) {
		const struct policy_class *class = interface->classes[i];

		if (!class->params || class->params[0].type == SIM_PARAM_END)
			continue;
		snprintf(section, sizeof(section), "%s.%s", path, class->name);
		config_read(config, section, class->params, i == chosen ? prototype : NULL, diags);
	}
	return prototype;
}

void *policy_read(const struct policy_interface *interface, struct config *config, const char *path,
	struct diag_list *diags)
{
	struct policy_choice choice;

	config_read(config, path, interface->choice, &choice, diags);
	return policy_read_chosen(interface, config, path, choice.policy, diags);
}

void policy_prototype_free(const void *prototype)
{
	free((void *)prototype);
}

/* ---- objects ---- */

void *policy_new(const void *prototype)
{
	size_t size = policy_class_of(prototype)->size;

	return memcpy(xcalloc_lines(size), prototype, size);
}

void *policy_new_chosen(const struct policy_interface *interface, uint32_t chosen, const void *prototype)
{
	const struct policy_class *class = interface->classes[chosen];
	void *blank, *policy;

	bug_if(prototype && policy_class_of(prototype) != class, "parameters of another policy than %s",
		class->name);
	if (prototype)
		return policy_new(prototype);
	blank = policy_blank(interface, class);
	policy = policy_new(blank);
	policy_prototype_free(blank);
	return policy;
}

void policy_start(const struct policy_interface *interface, void *policy, struct stat_tree *stats,
	const char *group, int index)
{
	const struct policy_class *class = policy_class_of(policy);
	char own[128];

	if (class->init)
		class->init(policy);
	if (!stats)
		return;
	if (interface->stats)
		stat_register(stats, group, index, interface->stats, policy, interface->size);
	snprintf(own, sizeof(own), "%s.%s", group, class->name);
	if (class->stats && class->stats[0].type != SIM_STAT_END_TYPE)
		stat_register(stats, own, index, class->stats, policy, class->size);
}

void policy_kernel_started(void *policy, const char *name, uint64_t launch, cycles now)
{
	const struct policy_class *class = policy ? policy_class_of(policy) : NULL;

	if (class && class->kernel_started)
		class->kernel_started(policy, name, launch, now);
}

void policy_free(void *policy)
{
	if (policy && policy_class_of(policy)->fini)
		policy_class_of(policy)->fini(policy);
	free(policy);
}

/* ---- checkpoints ---- */

void policy_keeps_nothing(void *policy, struct state *state)
{
}

bool policy_can_keep(const void *policy)
{
	return !policy || policy_class_of(policy)->state;
}

void policy_state(void *policy, struct state *state)
{
	if (policy && policy_class_of(policy)->state)
		policy_class_of(policy)->state(policy, state);
}

static void describe_value(const struct sim_param *p, const void *field, FILE *to)
{
	switch (p->type) {
	case SIM_PARAM_U32:
	case SIM_PARAM_ENUM:
		fprintf(to, "%u", *(const uint32_t *)field);
		break;
	case SIM_PARAM_U64:
		fprintf(to, "%llu", (unsigned long long)*(const uint64_t *)field);
		break;
	case SIM_PARAM_F64:
		fprintf(to, "%.9g", *(const double *)field);
		break;
	case SIM_PARAM_BOOL:
		fprintf(to, "%u", *(const bool *)field);
		break;
	case SIM_PARAM_STRING:
		fprintf(to, "%s", *(const char *const *)field);
		break;
	case SIM_PARAM_END:
		break;
	}
}

static void describe_params(const struct sim_param *p, const void *policy, FILE *to)
{
	for (; p && p->type != SIM_PARAM_END; p++) {
		fprintf(to, ", %s ", p->name);
		describe_value(p, (const char *)policy + p->offset, to);
	}
}

void policy_describe(const struct policy_interface *interface, const void *policy, FILE *to)
{
	if (!policy) {
		fprintf(to, "none");
		return;
	}
	fprintf(to, "%s", policy_class_of(policy)->name);
	describe_params(interface->params, policy, to);
	describe_params(policy_class_of(policy)->params, policy, to);
}
