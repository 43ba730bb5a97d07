/* memsys/observe/requests.h -- where requests merge, and where they could: the figures of WarpPool (MICRO
 * 2015).
 *
 * Figure 2: requests left behind coalescer, L1 and L2. Figure 3: line requests per load, memory instructions
 * that wait. Figure 5: how many line requests a window of so many before them would save. One observer a SM;
 * statistics observe.requests.*. */
#ifndef MEMSYS_OBSERVE_REQUESTS_H
#define MEMSYS_OBSERVE_REQUESTS_H

#include "memsys/listener.h"
#include "sim/stats/stat.h"
#include <stdio.h>

#define REQUEST_WINDOW 128

struct request_observer;

struct request_observer *request_observer_new(uint16_t sm, struct stat_tree *stats);
void request_observer_free(struct request_observer *observer);
/* For cache_listen, of the SM's L1; the observer's. */
struct cache_listener *request_observer_l1(struct request_observer *observer);
/* Distributes the events of an L2 slice to the observer of the SM that made the request, one of
 * observers[sms]. */
struct request_router {
	struct request_observer **observers;
	uint32_t sms;
};
/* Fills in a listener for l2_listen; the router must live as long. */
void request_router_listener(const struct request_router *router, struct cache_listener *listener);

/* The load/store unit has made so many line requests out of a load from global or local memory. */
void request_observer_load(struct request_observer *observer, uint32_t lines);
/* From the cycle `now` on so many memory instructions wait for the load/store unit or in it; is_resident: the
 * SM has warps (else the time does not count). */
void request_observer_waiting(
	struct request_observer *observer, uint32_t count, bool is_resident, cycles now);
/* Counts the time before `until`, so that the statistics can be read. */
void request_observer_sync_stats(struct request_observer *observer, cycles until);

/* windows.csv: the share of line requests of loads that are left with each window, over all observers[count].
 */
void request_observers_write(struct request_observer *const *observers, uint32_t count, FILE *file);

#endif
