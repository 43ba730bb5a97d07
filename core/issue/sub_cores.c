/* core/issue/sub_cores.c -- an SM whose schedulers have operand collectors and units of their own. */
#include "core/issue/sub_cores.h"
#include <stdlib.h>

void sub_cores_init(struct sm *sm)
{
	if (!sm->spec.config->sub_cores)
		return;
	sm->spec.own_units =
		1u << UNIT_SP | 1u << UNIT_SFU | (sm->spec.config->dp_shared ? 0 : 1u << UNIT_DP);
	sm->state.sub_cores = aligned_alloc(64, sm_schedulers(sm) * sizeof(*sm->state.sub_cores));
	bug_if(!sm->state.sub_cores, "out of memory");
	for (uint32_t i = 0; i < sm_schedulers(sm); i++)
		collectors_init_sub_core(&sm->state.sub_cores[i], sm->spec.config);
}

warp_mask sub_cores_await(const struct sm *sm, warp_mask ready, cycles now)
{
	warp_mask m = 0;

	for (uint32_t u = 0; u < UNIT_CONTROL; u++) {
		warp_mask for_unit = ready & sm->state.warps_in_state[u];

		if (!for_unit || !(sm->spec.own_units >> u & 1))
			continue;
		for (uint32_t i = 0; i < sm_schedulers(sm); i++)
			if (!collector_is_free(&sm->state.sub_cores[i], u, now))
				m |= for_unit & sm->spec.owned[i];
	}
	return m;
}

cycles sub_cores_free(const struct sm *sm, uint32_t unit, warp_mask warps)
{
	cycles at = SIM_NEVER;

	if (!sm_has_sub_cores(sm) || !(sm->spec.own_units >> unit & 1))
		return sm->state.collectors.next_free[unit];
	for (uint32_t i = 0; i < sm_schedulers(sm); i++)
		if (warps & sm->spec.owned[i] && sm->state.sub_cores[i].next_free[unit] < at)
			at = sm->state.sub_cores[i].next_free[unit];
	return at;
}
