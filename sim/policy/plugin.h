/* sim/policy/plugin.h -- policies from shared objects, which are loaded before a configuration is read.
 *
 * A plug-in is a file like those of the built-in policies, and ends with
 *
 *   LOCKSTEP_PLUGIN(LOCKSTEP_POLICY(bypass, mine));
 *
 * which names the interface and the policy of each of its classes, here `const struct bypass_class
 * bypass_mine`. From then on the policy is in the interface's list like any other. In a file that is built
 * into Lockstep the line does nothing. */
#ifndef SIM_POLICY_PLUGIN_H
#define SIM_POLICY_PLUGIN_H

#include "sim/policy/policy.h"

/* Changes with every header that a policy sees: plug-ins of another number are refused. */
#define LOCKSTEP_PLUGIN_VERSION 2

struct plugin_policy {
	const char *interface;
	const struct policy_class *class;
	size_t size; /* of the class */
};

struct plugin {
	uint32_t version, count;
	const struct plugin_policy *policies;
};

#define LOCKSTEP_POLICY(interface, name) \
	{ \
#interface, &interface##_##name.policy, sizeof(interface##_##name) \
	}
#define LOCKSTEP_PLUGIN(...) \
	static const struct plugin_policy lockstep_plugin_policies[] = { __VA_ARGS__ }; \
	extern const struct plugin lockstep_plugin; \
	__attribute__((weak, visibility("default"))) \
	const struct plugin lockstep_plugin = { LOCKSTEP_PLUGIN_VERSION, \
		sizeof(lockstep_plugin_policies) / sizeof(*lockstep_plugin_policies), \
		lockstep_plugin_policies }

/* Loads the file and adds its policies to the interfaces, a list that ends with NULL. Nothing happens if it
 * has been loaded before. false, with a diagnostic at the location (may be NULL): it cannot be loaded, is
 * made for other headers, or a policy's interface does not exist, has no place left or has that name already.
 */
bool plugin_load(const char *path, const struct policy_interface *const *interfaces,
	const struct diag_location *location, struct diag_list *diags);

#endif
