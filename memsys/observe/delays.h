/* memsys/observe/delays.h -- how long requests wait before the L2 looks them up, finely: distributions for
 * MeDiC's Figure 5 (PACT 2015).
 *
 * Two times of each request, in L2 cycles without the ROP latency: at the L2, from its arrival at the slice;
 * and from the SM, from the moment when a cache of the SM put it into the queue before the crossbar. The
 * second includes the crossbar, whose own latency a request has even when nothing is in its way: the least
 * time that is recorded. */
#ifndef MEMSYS_OBSERVE_DELAYS_H
#define MEMSYS_OBSERVE_DELAYS_H

#include "memsys/listener.h"
#include "sim/stats/stat.h"
#include <stdio.h>

struct delay_observer;

/* khz, rop_latency: of the L2. Registers "observe.queue_delay". */
struct delay_observer *delay_observer_new(
	uint32_t slices, uint64_t khz, cycles rop_latency, struct stat_tree *stats);
void delay_observer_free(struct delay_observer *observer);
/* For l2_listen, one for each slice; the observer's. */
struct cache_listener *delay_observer_listener(struct delay_observer *observer, uint32_t slice);
enum delay_from { DELAY_AT_L2, DELAY_FROM_SM, DELAY_KINDS };
/* queue_delay.csv, sm_to_l2_delay.csv: requests by time, in buckets of one cycle up to 31, then 16 for each
 * doubling. */
void delay_observer_write(const struct delay_observer *observer, enum delay_from from, FILE *file);
/* The bucket of a delay, and the smallest delay in a bucket. */
uint32_t delay_bucket(uint64_t delay);
uint64_t delay_bucket_low(uint32_t bucket);

#endif
