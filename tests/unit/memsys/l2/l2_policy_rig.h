/* tests/unit/memsys/l2/l2_policy_rig.h -- for tests that ask a policy of an L2 slice directly: the machine, a
 * prototype whose parameters can be set by name, and the statistics. */
#ifndef TESTS_L2_POLICY_RIG_H
#define TESTS_L2_POLICY_RIG_H

#include "memsys/l2/l2.h"
#include "sim/policy/policy.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const struct l2_config machine = {
	.sets = 4, .ways = 2, .line = 128, .sms = 2, .warps = 48, .seed = 7
};
static struct stat_tree *stats;
static void *prototype;

static inline const struct policy_class *named(const struct policy_interface *interface, const char *name)
{
	for (uint32_t i = 0; interface->classes[i]; i++)
		if (!strcmp(interface->classes[i]->name, name))
			return interface->classes[i];
	cr_assert_fail("no policy %s", name);
	return NULL;
}

/* Where a parameter of the prototype lies. */
static inline void *parameter(const struct policy_class *class, const char *name)
{
	for (const struct sim_param *p = class->params; p->type; p++)
		if (!strcmp(p->name, name))
			return (char *)prototype + p->offset;
	cr_assert_fail("no parameter %s", name);
	return NULL;
}

static inline void set_u32(const struct policy_class *class, const char *name, uint32_t value)
{
	memcpy(parameter(class, name), &value, sizeof(value));
}

static inline uint64_t count(const char *name)
{
	return (uint64_t)stat_value(stats, NULL, name);
}

#endif
