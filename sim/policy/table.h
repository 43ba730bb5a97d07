/* sim/policy/table.h -- the tables of a policy interface, made from the list of its policies. The interface's
 * .c file includes it once:
 *
 *   #define POLICY_INTERFACE sched
 *   #define POLICY_LIST      "core/sched/sched.def"
 *   #include "sim/policy/table.h"
 *
 * The list has a line POLICY(NAME) for each class sched_NAME, which is a struct sched_class. This makes
 * sched_classes[] and sched_names[] in the order of the list, NULL-terminated and with places for plug-ins
 * (sim/policy/plugin.h), and a constant sched_at_NAME for the position of each. No header guard: it is not
 * for headers. */

#define POLICY_JOIN_(left, right) left##_##right
#define POLICY_JOIN(left, right)  POLICY_JOIN_(left, right)

#define POLICY(name) \
	extern const struct POLICY_JOIN(POLICY_INTERFACE, class) POLICY_JOIN(POLICY_INTERFACE, name);
#include POLICY_LIST
#undef POLICY

enum {
#define POLICY(name) POLICY_JOIN(POLICY_INTERFACE, at_##name),
#include POLICY_LIST
#undef POLICY
	POLICY_JOIN(POLICY_INTERFACE, at_end)
};

static const struct policy_class *POLICY_JOIN(
	POLICY_INTERFACE, classes)[POLICY_JOIN(POLICY_INTERFACE, at_end) + POLICY_PLUGINS + 1] = {
#define POLICY(name) &POLICY_JOIN(POLICY_INTERFACE, name).policy,
#include POLICY_LIST
#undef POLICY
};

const char *POLICY_JOIN(
	POLICY_INTERFACE, names)[POLICY_JOIN(POLICY_INTERFACE, at_end) + POLICY_PLUGINS + 1] = {
#define POLICY(name) #name,
#include POLICY_LIST
#undef POLICY
};

#undef POLICY_INTERFACE
#undef POLICY_LIST
