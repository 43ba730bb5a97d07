/* memsys/l2/l2_state.c -- the lines of an idle slice, into a checkpoint and back. */
#include "memsys/l2/l2_internal.h"

bool l2_can_keep(const struct l2_slice *s)
{
	return tags_can_keep(&s->tags);
}

void l2_describe(const struct l2_slice *s, FILE *to)
{
	tags_describe(&s->tags, to);
	fprintf(to, ", %u banks of %u ports%s", s->config.banks, s->config.bank_ports,
		s->across ? ", in halves" : "");
}

struct l2_policies l2_policies(const struct l2_slice *s)
{
	return (struct l2_policies){ s->classifier, s->bypass, s->insertion };
}

void l2_state(struct l2_slice *s, struct state *state)
{
	uint8_t first = s->bypass_first;

	tags_state(&s->tags, state);
	state_bytes(state, s->device_address,
		(size_t)s->config.sets * s->config.ways * sizeof(*s->device_address));
	if (s->across)
		state_flags(state, s->across->is_copied, (size_t)s->config.sets * s->config.ways);
	state_below(state, &s->turn, s->config.banks);
	state_below(state, &s->reply_turn, s->config.banks + 1);
	state_flags(state, &first, 1);
	s->bypass_first = first;
	for (uint32_t i = 0; i < s->config.banks; i++)
		state_below(state, &s->banks[i].next_port, s->config.bank_ports);
}
