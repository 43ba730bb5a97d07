/* core/gpu/policy_interfaces.h -- the decisions of the machine that policies make; plug-ins that add
 * policies.
 */
#ifndef CORE_GPU_POLICY_INTERFACES_H
#define CORE_GPU_POLICY_INTERFACES_H

#include "sim/policy/policy.h"

/* In the order of `lockstep list policies`; ends with NULL. */
extern const struct policy_interface *const policy_interfaces[];

/* Loads the plug-ins of the section `plugins`, so that their policies can be chosen in the others. Returns
 * their paths, one a line, which the caller frees. */
char *plugins_read(struct config *config, struct diag_list *diags);

#endif
