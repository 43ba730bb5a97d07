/* core/pipeline/specialise.h -- the pipelines that are compiled for one kind of machine. */
#ifndef CORE_PIPELINE_SPECIALISE_H
#define CORE_PIPELINE_SPECIALISE_H

#include "core/sm/sm.h"

/* Chooses what does the SM's cycles, before a CTA starts there: the pipeline whose constants
 * (core/sm/specialised.def) are what this SM has, or the general one, sm_cycle. They do the same. */
void choose_pipeline(struct sm *sm);

/* specialised.c, compiled as Fermi's and as Volta's: see sm_cycle. */
cycles sm_cycle_fermi(struct sm *sm, cycles now, cycles due);
cycles sm_cycle_volta(struct sm *sm, cycles now, cycles due);

#endif
