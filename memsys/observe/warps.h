/* memsys/observe/warps.h -- how the warps fare at the L2: hit ratio of each over time, and MeDiC's five types
 * (PACT 2015, Figures 2 to 4).
 *
 * One observer listens to all slices. A request is a load or an atomic of a warp that a slice looked up; what
 * merges with a fetch under way is no hit. A warp is known by launch, CTA and its slot of the SM, from its
 * first request until its slot sends for another, or its launch ends or its timing does: warps that a timing
 * limit cut off count with what they had sent. */
#ifndef MEMSYS_OBSERVE_WARPS_H
#define MEMSYS_OBSERVE_WARPS_H

#include "memsys/listener.h"
#include "sim/config/param.h"
#include "sim/stats/stat.h"
#include <stdio.h>

struct warps_config {
	bool enabled;
	uint64_t interval; /* core cycles */
	uint32_t least;    /* accesses */
	double mostly_hit, mostly_miss;
};
extern const struct sim_param warps_params[];
bool warps_config_check(const struct warps_config *config, char *message, size_t size);

struct warp_observer;

/* khz: of the clock that intervals count. Registers "observe.warps". */
struct warp_observer *warp_observer_new(const struct warps_config *config, uint32_t sms, uint32_t slots,
	uint64_t khz, struct stat_tree *stats);
void warp_observer_free(struct warp_observer *observer);
/* For l2_listen, one for each slice; the observer's. */
struct cache_listener *warp_observer_listener(
	struct warp_observer *observer, uint32_t slice, uint32_t slices);
/* warps.csv: a row for each warp and interval with requests; the file is the caller's. NULL: no more. */
void warp_observer_open(struct warp_observer *observer, FILE *file);
/* The launch has ended, and so have its warps. */
void warp_observer_end(struct warp_observer *observer, uint32_t launch);
/* No warp is left on any SM: those known so far have ended. */
void warp_observer_idle(struct warp_observer *observer);

#endif
