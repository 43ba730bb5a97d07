/* core/pipeline/specialised.c -- the pipeline of an SM as one translation unit in which what most machines
 * have alike is constant (core/sm/specialised.h): the compiler removes what they do not have, and inlines one
 * stage into another.
 *
 * The sources are the general pipeline's. This file is compiled once for each SM_SPECIALISED
 * (make/library.mk) as a whole program, of which only sm_cycle is visible outside, as sm_cycle_fermi or
 * sm_cycle_volta: so what is called once is inlined.
 * Functions of other files, which run seldom, are the general ones. */
#if SM_SPECIALISED == 1
#define sm_cycle sm_cycle_fermi
#else
#define sm_cycle sm_cycle_volta
#endif

#include "core/sm/sm.h"
cycles sm_cycle(struct sm *sm, cycles now, cycles due) __attribute__((externally_visible));

#include "core/sm/timing_wheel.c"
#include "core/sm/unit_port.c"
#include "core/sm/collector.c"
#include "core/sm/register_banks.c"
#include "core/sm/issue_counts.c"
#include "core/issue/guards.c"
#include "core/issue/issue_slots.c"
#include "core/issue/operands.c"
#include "core/issue/replays.c"
#include "core/issue/scoreboard.c"
#include "core/issue/sub_cores.c"
#include "core/lsu/lsu_in_flight.c"
#include "core/lsu/lsu_prepare.c"
#include "core/lsu/lsu_replay.c"
#include "core/lsu/lsu_serve.c"
#include "core/lsu/lsu.c"
#include "core/pipeline/due.c"
#include "core/pipeline/fetch.c"
#include "core/pipeline/issue.c"
#include "core/pipeline/l15.c"
#include "core/pipeline/replies.c"
#include "core/pipeline/tick.c"
