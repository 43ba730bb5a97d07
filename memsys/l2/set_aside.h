/* memsys/l2/set_aside.h -- the part of the L2 that is set aside for persisting lines, and the access policy
 * windows of the launches that use it: what all slices of an L2 share.
 *
 * Of each set, some ways are for lines that persist. Other lines use them only while no persisting line does:
 * a line that does not persist never replaces one that does, and once a set has as many persisting lines as
 * ways are set aside, a new one replaces the oldest of them. A line persists from an access that a window
 * says to be persisting, until one that it says to be normal, until it is replaced, or until the program
 * resets all of them. A line that a streaming access brings is the next to be replaced, and its further
 * streaming accesses leave it there. What is changed here changes while no slice is at work. */
#ifndef MEMSYS_L2_SET_ASIDE_H
#define MEMSYS_L2_SET_ASIDE_H

#include "memsys/access_window.h"
#include "sim/event/packet.h"

struct l2_slice;

struct set_aside {
	uint32_t ways;  /* of each set; 0: no line begins to persist */
	uint32_t count; /* of the windows below */
	struct launch_window {
		uint32_t launch;
		bool has_ended;              /* its last stores may still be on their way */
		struct access_window window; /* its start is an offset into device memory */
	} * windows;                         /* room for one of each kernel that can be under way */
};

/* What a window says of the request. */
static inline enum access_property set_aside_property(const struct set_aside *aside, const struct packet *p)
{
	for (uint32_t i = 0; i < aside->count; i++)
		if (aside->windows[i].launch == p->by.launch)
			return access_window_property(&aside->windows[i].window, p->address);
	return ACCESS_UNSAID;
}

/* The slice follows these windows from now on; they must outlive it. Its l2_config.sets_aside must be set. */
void l2_follow(struct l2_slice *slice, const struct set_aside *aside);
/* No line of the slice persists any more. */
void l2_reset_persisting(struct l2_slice *slice);

#endif
