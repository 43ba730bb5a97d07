/* core/pipeline/specialise.c -- which pipeline does an SM's cycles. */
#include "core/pipeline/specialise.h"
#include "core/sm/specialised.h"

/* What the pipelines are compiled for (make/library.mk). */
static bool host_has_instructions(void)
{
#ifdef __x86_64__
	return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") &&
		__builtin_cpu_supports("bmi2");
#else
	return true;
#endif
}

void choose_pipeline(struct sm *sm)
{
	bool is_as_fermi = sm->spec.config->specialised && host_has_instructions(), is_as_volta = is_as_fermi;

#define SPECIALISED(name, type, what, fermi, volta) \
	is_as_fermi &= sm_##name(sm) == (fermi); \
	is_as_volta &= sm_##name(sm) == (volta);
#include "core/sm/specialised.def"
#undef SPECIALISED
	sm->spec.cycle = is_as_fermi ? sm_cycle_fermi : is_as_volta ? sm_cycle_volta : sm_cycle;
}
