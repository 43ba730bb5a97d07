/* core/pipeline/usual.h -- the pipelines that are compiled for machines as most are. */
#ifndef CORE_PIPELINE_USUAL_H
#define CORE_PIPELINE_USUAL_H

#include "core/sm/sm.h"

/* Chooses what does the SM's cycles, before a CTA starts there: the pipeline whose constants
 * (core/sm/usual.def) are what this SM has, or the general one, sm_cycle. They do the same. */
void usual_choose(struct sm *sm);

/* usual.c, compiled as Fermi's and as Volta's: see sm_cycle. */
cycles sm_cycle_fermi(struct sm *sm, cycles now, cycles due);
cycles sm_cycle_volta(struct sm *sm, cycles now, cycles due);

#endif
