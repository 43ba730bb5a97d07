/* core/pipeline/usual_choose.c -- which pipeline does an SM's cycles. */
#include "core/pipeline/usual.h"
#include "core/sm/usual.h"

static bool is_as_fermi(const struct sm *sm)
{
#define USUAL(name, type, what, fermi, volta) \
	if (sm_##name(sm) != (fermi)) \
		return false;
#include "core/sm/usual.def"
#undef USUAL
	return true;
}

static bool is_as_volta(const struct sm *sm)
{
#define USUAL(name, type, what, fermi, volta) \
	if (sm_##name(sm) != (volta)) \
		return false;
#include "core/sm/usual.def"
#undef USUAL
	return true;
}

void usual_choose(struct sm *sm)
{
	sm->spec.cycle = !sm->spec.config->specialised ? sm_cycle
		: is_as_fermi(sm)                      ? sm_cycle_fermi
		: is_as_volta(sm)                      ? sm_cycle_volta
						       : sm_cycle;
}
