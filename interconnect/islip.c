/* interconnect/islip.c -- iSLIP (McKeown, "The iSLIP scheduling algorithm for input-queued switches",
 * IEEE/ACM Transactions on Networking 7(2), 1999): inputs request, each output grants to one, each input
 * accepts one of its grants; those left over try again in further rounds of the same cycle. Both choose round
 * robin, and a pointer moves on only when its choice was accepted in the first round: so the outputs'
 * pointers drift apart, and no queue starves.
 *
 * Packets of several flits hold what they have been given until their last flit has gone; who is busy takes
 * no part. */
#include "interconnect/crossbar.h"

/* Each output of `outputs` grants to one of the free inputs that want it; grants[i] and `offered` say to
 * whom. */
static void grant_round(struct crossbar *x, const struct input_set *outputs, struct input_set *grants,
	struct input_set *offered)
{
	*offered = (struct input_set){ .used = 0 };
	for_each_member(o, outputs)
	{
		struct input_set free = input_set_without(&x->output[o].wanting, &x->sending);
		uint32_t i;

		if (input_set_is_empty(&free))
			continue;
		i = arbiter_round_robin(&free, x->last[o]);
		if (!input_set_has(offered, i))
			grants[i] = (struct input_set){ .used = 0 };
		input_set_add(offered, i);
		input_set_add(&grants[i], o);
	}
}

void islip_match(struct crossbar *x, cycles now)
{
	struct input_set grants[NETWORK_MAX_PORTS], offered, outputs = { .used = 0 };

	for_each_member(o, &x->asked) if (crossbar_is_free(x, o, now)) input_set_add(&outputs, o);
	for (uint32_t round = 0; round < x->base.config.iterations; round++) {
		grant_round(x, &outputs, grants, &offered);
		if (input_set_is_empty(&offered))
			return;
		for_each_member(i, &offered)
		{
			uint32_t o = arbiter_round_robin(&grants[i], x->input[i].last);

			if (!round) {
				x->input[i].last = o;
				x->last[o] = i;
			}
			input_set_remove(&outputs, o);
			crossbar_grant(x, o, i, now);
		}
	}
}
