/* core/pipeline/specialise.c -- which pipeline does an SM's cycles. */
#include "core/pipeline/specialise.h"
#include "core/sm/specialised.h"

void choose_pipeline(struct sm *sm)
{
	bool is_as_fermi = sm->spec.config->specialised, is_as_volta = is_as_fermi;

#define SPECIALISED(name, type, what, fermi, volta) \
	is_as_fermi &= sm_##name(sm) == (fermi); \
	is_as_volta &= sm_##name(sm) == (volta);
#include "core/sm/specialised.def"
#undef SPECIALISED
	sm->spec.cycle = is_as_fermi ? sm_cycle_fermi : is_as_volta ? sm_cycle_volta : sm_cycle;
}
