/* interconnect/cluster_events.c -- see cluster_events.h. */
#include "interconnect/cluster_events.h"
#include "sim/base/xalloc.h"

void cluster_events_fini(struct cluster_events *e)
{
	free(e->heap);
}

static bool is_before(const struct cluster_event *a, const struct cluster_event *b)
{
	return a->when != b->when ? a->when < b->when : a->order < b->order;
}

static void swap_events(struct cluster_event *a, struct cluster_event *b)
{
	struct cluster_event kept = *a;

	*a = *b;
	*b = kept;
}

void cluster_events_add(struct cluster_events *e, struct cluster_event event)
{
	uint32_t i = e->count++;

	if (e->count > e->room) {
		e->room = e->room ? 2 * e->room : 64;
		e->heap = xrealloc(e->heap, e->room * sizeof(*e->heap));
	}
	event.order = e->orders++;
	e->heap[i] = event;
	for (; i && is_before(&e->heap[i], &e->heap[(i - 1) / 2]); i = (i - 1) / 2)
		swap_events(&e->heap[i], &e->heap[(i - 1) / 2]);
}

/* The first one of the two behind i, and i. */
static uint32_t first_below(const struct cluster_events *e, uint32_t i)
{
	uint32_t first = i;

	for (uint32_t n = 2 * i + 1; n <= 2 * i + 2 && n < e->count; n++)
		if (is_before(&e->heap[n], &e->heap[first]))
			first = n;
	return first;
}

bool cluster_events_take(struct cluster_events *e, cluster_time now, struct cluster_event *event)
{
	uint32_t i = 0, below;

	if (!e->count || e->heap[0].when > now)
		return false;
	*event = e->heap[0];
	e->heap[0] = e->heap[--e->count];
	while ((below = first_below(e, i)) != i) {
		swap_events(&e->heap[i], &e->heap[below]);
		i = below;
	}
	return true;
}

cycles cluster_events_next(const struct cluster_events *e)
{
	return e->count ? (e->heap[0].when + CLUSTER_CYCLE - 1) / CLUSTER_CYCLE : SIM_NEVER;
}
