/* core/dispatch/round_robin.c -- one CTA on each SM in turn while resources last, then wherever a CTA ends
 * first. */
#include "core/dispatch/dispatch.h"

struct round_robin {
	struct dispatch base;
	uint32_t next; /* state: the SM after the last one served */
};

static uint32_t round_robin_place(struct dispatch *d, uint32_t kernel)
{
	return dispatch_next_sm(d, kernel, ((struct round_robin *)d)->next);
}

static void round_robin_started(struct dispatch *d, const struct dispatch_choice *choice)
{
	((struct round_robin *)d)->next = (choice->sm + 1) % d->machine.sms;
}

static void round_robin_state(void *policy, struct state *state)
{
	struct round_robin *r = policy;

	state_below(state, &r->next, r->base.machine.sms);
}

const struct dispatch_class dispatch_round_robin = {
	.name = "round_robin",
	.help = "a CTA on each SM in turn while resources last, then on the SM where a CTA ends first",
	.source = "GPGPU-Sim manual; Lee et al., HPCA 2014 (baseline)",
	.size = sizeof(struct round_robin),
	.state = round_robin_state,
	.place = round_robin_place,
	.started = round_robin_started,
};
