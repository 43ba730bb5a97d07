/* memsys/observe/delays.h -- how long requests wait at the L2, finely: a distribution for MeDiC's Figure 5
 * (PACT 2015). */
#ifndef MEMSYS_OBSERVE_DELAYS_H
#define MEMSYS_OBSERVE_DELAYS_H

#include "memsys/listener.h"
#include <stdio.h>

struct delay_observer;

struct delay_observer *delay_observer_new(uint32_t slices);
void delay_observer_free(struct delay_observer *observer);
/* For l2_listen, one for each slice; the observer's. */
struct cache_listener *delay_observer_listener(struct delay_observer *observer, uint32_t slice);
/* queue_delay.csv: requests by waiting time, in buckets of one cycle up to 31, then 16 for each doubling. */
void delay_observer_write(const struct delay_observer *observer, FILE *file);
/* The bucket of a delay, and the smallest delay in a bucket. */
uint32_t delay_bucket(uint64_t delay);
uint64_t delay_bucket_low(uint32_t bucket);

#endif
