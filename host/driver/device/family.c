/* host/driver/device/family.c -- when a launch has ended that has launched others.
 *
 * A grid has ended when its CTAs have and all that they have launched. Tail launches wait for that but for
 * themselves, and run one after the other. What a tail launch launches as its own tail comes before the next
 * of its family, and takes its place there, so that a chain of any length is one level deep. */
#include "host/driver/device/device.h"

struct family *family_of(struct operation *parent)
{
	if (!parent->family) {
		parent->family = xcalloc(1, sizeof *parent->family);
		parent->family->parent = parent;
		if (parent->born_in)
			parent->family->depth = parent->born_in->depth + !parent->is_tail;
	}
	return parent->family;
}

void family_add(struct family *family, struct operation *o)
{
	o->born_in = family;
	family->pending++;
}

void family_add_tail(struct family *family, struct operation *o)
{
	struct operation **end = &family->tails;

	o->born_in = family;
	o->is_tail = true;
	while (*end)
		end = &(*end)->next_tail;
	*end = o;
}

static void family_free(struct family *family)
{
	device_streams_free(family);
	family->parent->family = NULL;
	free(family);
}

/* A tail launch whose own tails are to be next in the family that it belongs to. */
static void hand_up_tails(struct family *family)
{
	struct family *above = family->parent->born_in;
	struct operation *last = family->tails;

	for (struct operation *o = family->tails; o; o = o->next_tail) {
		(o->tail_end ? o->tail_end : o)->born_in = above;
		last = o;
	}
	last->next_tail = above->tails;
	above->tails = family->tails;
	family->tails = NULL;
}

static void start_tail(struct family *family)
{
	struct operation *o = family->tails;

	family->tails = o->next_tail;
	o->next_tail = NULL;
	family->pending++;
	queue_submit(o);
}

bool family_holds(struct operation *parent)
{
	struct family *family = parent->family;

	if (!family)
		return false;
	family->has_ended = true;
	if (family->pending)
		return true;
	if (family->tails && parent->is_tail)
		hand_up_tails(family);
	if (family->tails) {
		start_tail(family);
		return true;
	}
	family_free(family);
	return false;
}

struct operation *family_left(struct family *family)
{
	family->pending--;
	return family->has_ended && !family->pending ? family->parent : NULL;
}
