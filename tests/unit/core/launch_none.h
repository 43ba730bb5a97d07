/* A machine whose kernels start and end at once, so that tests can work out cycles from the kernel alone. */
#ifndef TESTS_UNIT_CORE_LAUNCH_NONE_H
#define TESTS_UNIT_CORE_LAUNCH_NONE_H

#include "sim/config/config.h"
#include <criterion/criterion.h>

static inline void set_no_launch_cost(struct config *config, struct diag_list *diags)
{
	static const char *const none[] = { "gpu.launch.first=0", "gpu.launch.queued=0",
		"gpu.launch.drain=0" };

	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		cr_assert(config_set(config, none[i], diags));
}

#endif
