/* core/dispatch/most_room.c -- the SM on which most CTAs of the kernel still fit; of equal ones the lowest.
 *
 * Gilman et al. (SIGMETRICS Performance Evaluation Review 48(3), 2020) found on Pascal, Volta and Turing that
 * a card's SMs are not served in turn: where the next CTA goes depends on the resources that are free on each
 * SM. Only the abstract was at hand when this was written; that the SM with most room is taken is recalled
 * from the paper. The lowest SM of equal ones, and the same rule on A100 and H200, are our choice. So on an
 * idle machine each launch begins on SM 0, whose instruction cache it finds as the last one left it. For
 * example, with four SMs a launch of two CTAs starts on SMs 0 and 1, and the next one, if it comes when they
 * have ended, on 0 and 1 again. */
#include "core/dispatch/dispatch.h"

struct most_room {
	struct dispatch base;
	/* By kernel, where to look: no SM has room for more CTAs than that, and those before `from` have not
	 * even room for as many. found: what the last look came to. They save time, and decide nothing. */
	uint32_t room[MAX_KERNELS], from[MAX_KERNELS], found[MAX_KERNELS];
};

static uint32_t ctas_looked_for(struct dispatch *d, uint32_t kernel, uint32_t sm)
{
	return ((struct most_room *)d)->found[kernel];
}

static uint32_t most_room_place(struct dispatch *d, uint32_t kernel)
{
	struct most_room *m = (struct most_room *)d;
	uint32_t from = m->from[kernel], sm;

	if (dispatch_next_sm(d, kernel, 0) == DISPATCH_NONE)
		return DISPATCH_NONE;
	for (m->found[kernel] = m->room[kernel]; m->found[kernel]; m->found[kernel]--) {
		sm = dispatch_next_sm_for(d, kernel, from, ctas_looked_for);
		if (sm != DISPATCH_NONE)
			return sm;
		from = 0;
	}
	bug("no SM has the room for a CTA that one has");
}

static void most_room_started(struct dispatch *d, const struct dispatch_choice *choice)
{
	struct most_room *m = (struct most_room *)d;

	m->room[choice->kernel] = m->found[choice->kernel];
	m->from[choice->kernel] = choice->sm;
}

static void most_room_added(struct dispatch *d, uint32_t kernel)
{
	struct most_room *m = (struct most_room *)d;

	m->room[kernel] = d->capacity[kernel];
	m->from[kernel] = 0;
}

static void most_room_freed(struct dispatch *d, uint32_t sm)
{
	for (uint32_t i = 0; i < d->waiting_count; i++)
		most_room_added(d, d->waiting[i]);
}

const struct dispatch_class dispatch_most_room = {
	.name = "most_room",
	.help = "the SM on which most CTAs of the kernel still fit, the lowest of equal ones",
	.source =
		"Gilman et al., SIGMETRICS Performance Evaluation Review 48(3), 2020 (Pascal, Volta, Turing)",
	.size = sizeof(struct most_room),
	.state = policy_keeps_nothing,
	.place = most_room_place,
	.started = most_room_started,
	.added = most_room_added,
	.freed = most_room_freed,
};
