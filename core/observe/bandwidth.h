/* core/observe/bandwidth.h -- bandwidth by level, in GB/s and as a share of the peak, and locality in the
 * rows of DRAM: statistics observe.bandwidth.*, made of what the components count. */
#ifndef CORE_OBSERVE_BANDWIDTH_H
#define CORE_OBSERVE_BANDWIDTH_H

struct chip;
struct bandwidth;

/* The machine is complete: all statistics that it reads are registered. */
struct bandwidth *bandwidth_new(struct chip *chip);
void bandwidth_free(struct bandwidth *bandwidth);
/* Brings it up to what is counted now. bandwidth may be NULL. */
void bandwidth_account(struct bandwidth *bandwidth);

#endif
