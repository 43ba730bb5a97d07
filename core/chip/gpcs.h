/* core/chip/gpcs.h -- which SMs are of one GPC: the CTAs of a cluster run in one (core/kernel/cluster.h). */
#ifndef CORE_CHIP_GPCS_H
#define CORE_CHIP_GPCS_H

#include "interconnect/arbiter.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GPCS_MOST 32

struct gpcs {
	uint32_t count;
	uint32_t size[GPCS_MOST];        /* SMs of each */
	uint16_t sms[NETWORK_MAX_PORTS]; /* the SMs of GPC 0, then those of GPC 1 ... */
};

/* Divides so many SMs by a list of sizes such as "18 18 16", or "none": one GPC. If the list has more SMs
 * than there are, the last ones are left out. SMs are numbered as on an H100 (HPMLL/NVIDIA-Hopper-Benchmark,
 * logs of DSM): two of each GPC in turn, as long as it has some. false: a sentence in message says what is
 * wrong. */
bool gpcs_read(struct gpcs *gpcs, const char *list, uint32_t sms, char *message, size_t size);

/* Clusters of so many CTAs that the chip holds at once, with so many CTAs on an SM at most. */
uint32_t gpcs_clusters(const struct gpcs *gpcs, uint32_t ctas_on_sm, uint32_t cluster_ctas);

#endif
