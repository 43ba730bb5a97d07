/* core/dispatch/dispatch.h -- the policy interface of CTA dispatch: which kernel's next CTA starts, and on
 * which SM.
 *
 * A policy is one file that ends in its struct dispatch_class, and one line in dispatch.def
 * (sim/policy/policy.h). The machine has one dispatcher, asked in the commit phase whenever CTAs wait: up to
 * gpu.ctas_per_cycle CTAs start, one after the other. CTAs of a kernel start in the order of their numbers.
 * Kernels and SMs are numbers: kernel k is a place among those under way, which keeps its number until its
 * last CTA has ended. */
#ifndef CORE_DISPATCH_DISPATCH_H
#define CORE_DISPATCH_DISPATCH_H

#include "sim/policy/policy.h"

#define DISPATCH_NONE UINT32_MAX
#define MAX_KERNELS   128 /* under way at once */
#define DISPATCH_SMS  256 /* SMs, at most */

struct dispatch_choice {
	uint32_t kernel, sm;
};

/* What the dispatcher asks of the machine. */
struct dispatch_machine {
	const void *object;
	uint32_t sms;
	/* Whether so many more CTAs of the kernel fit on the SM now: threads, warps, CTAs, registers, shared
	 * memory. Where one does not, none does before the dispatcher hears that a CTA has ended there. */
	bool (*has_room)(const void *object, uint32_t kernel, uint32_t sm, uint32_t ctas);
	/* CTAs on the SM, of all kernels. */
	uint32_t (*resident)(const void *object, uint32_t sm);
};

enum dispatch_order { ORDER_LEFTOVER, ORDER_ROUND_ROBIN };

struct dispatch_class;

/* Base of every policy's struct; first in it. */
struct dispatch {
	const struct dispatch_class *class;
	struct dispatch_machine machine;
	uint32_t kernels;         /* parameter: enum dispatch_order */
	uint32_t max_ctas_per_sm; /* parameter; 0: no limit */
	/* state */
	uint32_t waiting[MAX_KERNELS], waiting_count; /* kernels with CTAs to start, oldest first */
	uint64_t left[MAX_KERNELS];                   /* CTAs to start; by kernel */
	uint32_t capacity[MAX_KERNELS];               /* CTAs of the kernel that an empty SM holds */
	uint32_t last_kernel;                         /* whose CTA started last */
	/* by kernel, a bit for each SM: it was found to have no room for a CTA, and none has ended there
	 * since */
	uint64_t full[MAX_KERNELS][DISPATCH_SMS / 64];
};

struct dispatch_class {
	POLICY_CLASS;
	/* The SM on which the next CTA of the kernel starts, one that dispatch_has_room says has room;
	 * DISPATCH_NONE: it waits. Changes nothing. */
	uint32_t (*place)(struct dispatch *d, uint32_t kernel);
	/* The CTA chosen has started; left[] still counts it. May be NULL. */
	void (*started)(struct dispatch *d, const struct dispatch_choice *choice);
	/* Kernel and SM together, for policies that see to several kernels; false: no CTA starts now. Changes
	 * nothing. May be NULL: then the parameter `kernels` says whose turn it is, and `place` where. */
	bool (*choose)(struct dispatch *d, struct dispatch_choice *choice);
	/* CTAs that the SM may hold now, at least 1; DISPATCH_NONE: as many as fit. May be NULL. It is asked
	 * anew in each commit phase with CTAs waiting. */
	uint32_t (*limit)(struct dispatch *d, uint32_t sm);
	/* A kernel with left[kernel] CTAs has come; a CTA has ended, and its resources are free, or will be
	 * after gpu.cta_turnaround. May be NULL. */
	void (*added)(struct dispatch *d, uint32_t kernel);
	void (*ended)(struct dispatch *d, const struct dispatch_choice *cta);
	/* What a CTA on the SM had is free. May be NULL. */
	void (*freed)(struct dispatch *d, uint32_t sm);
};

extern const struct policy_interface dispatch_interface;

/* policy_new, connected to the machine. */
struct dispatch *dispatch_new(const struct dispatch *prototype, const struct dispatch_machine *machine);

/* For the machine: a kernel has come; the next CTA, if one can start; it has started; a CTA has ended. */
void dispatch_add(struct dispatch *d, uint32_t kernel, uint64_t ctas, uint32_t capacity);
bool dispatch_choose(struct dispatch *d, struct dispatch_choice *choice);
void dispatch_started(struct dispatch *d, const struct dispatch_choice *choice);
/* So many CTAs of the kernel, the next ones, start elsewhere. */
void dispatch_skip(struct dispatch *d, uint32_t kernel, uint64_t ctas);
/* No further CTA of the kernel starts. */
void dispatch_drop(struct dispatch *d, uint32_t kernel);
void dispatch_ended(struct dispatch *d, const struct dispatch_choice *cta);
/* What a CTA on the SM had is free for others; not before dispatch_ended. */
void dispatch_freed(struct dispatch *d, uint32_t sm);

/* For policies. Whether so many CTAs of the kernel fit on the SM, limits included. */
bool dispatch_has_room(struct dispatch *d, uint32_t kernel, uint32_t sm, uint32_t ctas);
/* CTAs that the SM may hold, whatever they are, by parameter and policy; DISPATCH_NONE: as many as fit. */
uint32_t dispatch_limit(struct dispatch *d, uint32_t sm);
/* The first SM from `first` on, in a circle, with room for a CTA of the kernel; DISPATCH_NONE. SMs that are
 * known to be full are not asked. */
uint32_t dispatch_next_sm(struct dispatch *d, uint32_t kernel, uint32_t first);
/* The same with room for several; how many, may depend on the SM. */
uint32_t dispatch_next_sm_for(struct dispatch *d, uint32_t kernel, uint32_t first,
	uint32_t (*ctas)(struct dispatch *d, uint32_t kernel, uint32_t sm));

#endif
