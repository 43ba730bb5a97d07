/* sim/event/queue_view.h -- how full a component's queues are, for those who look at a machine at work. */
#ifndef SIM_EVENT_QUEUE_VIEW_H
#define SIM_EVENT_QUEUE_VIEW_H

#include <stdint.h>

/* Called for each of a component's finite queues: what is in it, and how much it can hold. The name is that
 * of all queues of the kind, as in "L2 requests", and lives as long as the program. */
struct queue_visitor {
	void (*visit)(void *user, const char *name, uint32_t used, uint32_t size);
	void *user;
};

static inline void queue_visit(const struct queue_visitor *v, const char *name, uint32_t used, uint32_t size)
{
	v->visit(v->user, name, used, size);
}

#endif
