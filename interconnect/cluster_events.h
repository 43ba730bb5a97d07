/* interconnect/cluster_events.h -- what is due in the network of clusters: the earliest first, and of those
 * of one time the one that was added first. */
#ifndef INTERCONNECT_CLUSTER_EVENTS_H
#define INTERCONNECT_CLUSTER_EVENTS_H

#include "sim/base/types.h"

typedef uint64_t cluster_time; /* in 4096ths of a cycle */
#define CLUSTER_CYCLE UINT64_C(4096)
#define CLUSTER_NEVER UINT64_MAX

struct cluster_event {
	cluster_time when;
	uint64_t order;    /* filled in */
	uint32_t transfer; /* of which a piece arrives; 0: the port of an SM looks at its sources */
	uint16_t sm;
};

/* A heap. All zero: empty. */
struct cluster_events {
	struct cluster_event *heap;
	uint32_t count, room;
	uint64_t orders;
};

void cluster_events_fini(struct cluster_events *events);
void cluster_events_add(struct cluster_events *events, struct cluster_event event);
/* The first one, if it is due by `now`. */
bool cluster_events_take(struct cluster_events *events, cluster_time now, struct cluster_event *event);
/* The cycle of the first one; SIM_NEVER: there is none. */
cycles cluster_events_next(const struct cluster_events *events);

#endif
