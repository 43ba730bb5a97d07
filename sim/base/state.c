/* sim/base/state.c -- fields into bytes, and back. */
#include "sim/base/state.h"
#include "sim/base/xalloc.h"

bool state_require(struct state *s, bool holds)
{
	s->is_wrong |= s->restores && !holds;
	return !s->is_wrong;
}

static void put_field(struct state *s, const void *field, size_t size)
{
	if (s->room - s->size < size) {
		s->room = 2 * s->room + size;
		s->bytes = xrealloc(s->bytes, s->room);
	}
	memcpy(s->bytes + s->size, field, size);
	s->size += size;
}

void state_bytes(struct state *s, void *field, size_t size)
{
	if (!size)
		return;
	if (!s->restores) {
		put_field(s, field, size);
		return;
	}
	if (!state_require(s, s->size - s->at >= size))
		return;
	memcpy(field, s->bytes + s->at, size);
	s->at += size;
}

void state_below(struct state *s, uint32_t *field, uint32_t limit)
{
	uint32_t value = *field;

	state_field(s, &value);
	if (state_require(s, value < limit))
		*field = value;
}

void state_flags(struct state *s, void *flags, size_t count)
{
	uint8_t *bytes = flags;

	for (size_t i = 0; i < count; i++) {
		uint8_t flag = bytes[i];

		state_field(s, &flag);
		if (state_require(s, flag <= 1))
			bytes[i] = flag;
	}
}

void state_cycle(struct state *s, cycles *field, cycles farthest)
{
	cycles now = s->now;
	bool never = *field == SIM_NEVER;
	int64_t distance = never ? INT64_MAX : (int64_t)(*field - now);

	state_field(s, &distance);
	if (!s->restores || s->is_wrong)
		return;
	if (distance == INT64_MAX)
		*field = SIM_NEVER;
	else if (distance < 0)
		*field = now > -(cycles)distance ? now + (cycles)distance : 0;
	else if (state_require(s, (cycles)distance <= farthest))
		*field = now + (cycles)distance;
}
