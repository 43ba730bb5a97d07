/* core/functional/functional.h -- values without time: runs a launch CTA after CTA, as fast as execution
 * goes; where CTAs wait for each other, in turns. */
#ifndef CORE_FUNCTIONAL_FUNCTIONAL_H
#define CORE_FUNCTIONAL_FUNCTIONAL_H

#include "core/kernel/launch.h"
#include "sim/base/types.h"

struct cta;
struct device_fault;
struct device_memory;
struct execution_listener;
struct functional;
struct kernel_run;
struct paces;
struct services;

struct functional *functional_new(
	struct device_memory *memory, struct services *services, uint32_t sm_count, uint32_t max_warps);
/* Sets after how many warp instructions the executor checks for warps that spin forever (livelock.h); 0, the
 * initial value: never. */
void functional_set_hang_check(struct functional *f, uint64_t instructions);
/* In launches of runs without timing, CTAs that are resident together take turns at accesses to memory, in an
 * order that the seed gives. */
void functional_set_interleaved(struct functional *f, uint64_t seed);
/* Who hears from now on of every memory instruction (UNIT_LDST) that is executed, beside the launch's own
 * listener; NULL: nobody. */
void functional_set_memory_listener(struct functional *f, const struct execution_listener *listener);
void functional_free(struct functional *f);

/* Takes over a CTA in the middle from this SM, which then holds nothing but what is on its way;
 * functional_run of the same launch must follow. */
void functional_resume(struct functional *f, const struct cta *cta, uint32_t sm);
/* The same for a CTA whose warps all run and which is to go on there later: its SM keeps all that it has. */
void functional_borrow(struct functional *f, const struct cta *cta, uint32_t sm);
/* Goes on with it until each warp is at the instruction at which its SM has it. false: one has not come
 * there, or the CTA has ended, or there is a fault. */
bool functional_land(struct functional *f, const struct cta *cta, struct device_fault *fault);
/* It goes on there, with what it has by now. Returns which of its warps live; the others are to be ended. */
uint64_t functional_give_back(struct functional *f, struct cta *cta);
/* Clocks that programs read never go back: they are at least there from now on. */
void functional_advance_clock(struct functional *f, uint64_t clock);
uint64_t functional_clock(const struct functional *f);

/* Runs the CTAs taken over, and those from run->next_cta on, until all up to run->untimed_end are done (true;
 * that is raised if these wait for CTAs behind it), a fault (true, fault->kind set), or about `instructions`
 * warp instructions have been executed, or run->stop_at of the launch (false: call again). */
bool functional_run(
	struct functional *f, struct kernel_run *run, uint64_t instructions, struct device_fault *fault);

/* From now on warps and CTAs take turns after few instructions, so that those that are in the middle go on
 * side by side, each at its pace; NULL, the initial value: one CTA after the other, as far as that can be.
 * functional_run then also returns false when a CTA has ended, or many warps have (functional_has_thinned).
 */
void functional_set_paces(struct functional *f, const struct paces *paces);
/* Where a CTA is that is in the middle. */
struct position;
void functional_position(const struct functional *f, uint64_t cta, struct position *to);
bool functional_has_thinned(const struct functional *f);
/* The SM from which a CTA was taken over that is in the middle. */
uint32_t functional_sm_of(const struct functional *f, uint64_t cta);

/* What another machine needs to go on with a launch of which functional_run has returned false: the states of
 * the CTAs in the middle, malloc'ed (resume_free). */
struct launch_resume functional_take(const struct functional *f, const struct kernel_run *run);

/* Fills in fault: the kernel was stopped at a limit (as fault_begin_limit takes it); where the CTA's warps
 * are. */
void functional_explain_limit(struct functional *f, struct device_fault *fault, const char *limit);

/* Forgets a CTA in the middle of which functional_run stopped. */
void functional_abandon(struct functional *f);

#endif
