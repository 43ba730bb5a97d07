/* core/chip/address_map.h -- where an address of device memory lies: partition, and place in its DRAM
 * channel.
 */
#ifndef CORE_CHIP_ADDRESS_MAP_H
#define CORE_CHIP_ADDRESS_MAP_H

#include "core/chip/gpu_config.h"
#include "dram/map.h"
#include "memsys/partition_map.h"

/* How addresses go round the partitions: by the channel field of dram.mapping, or else by gpu.interleave. The
 * configuration has been checked. */
struct partition_map address_map_partitions(const struct gpu_config *gpu, const struct dram_config *dram);

/* The half of the L2 (l2.halves) that an SM asks: 0 or 1. */
static inline uint32_t address_map_half(const struct gpu_config *gpu, uint32_t sm)
{
	return 2 * sm / gpu->sms;
}

/* One address followed, for people: an offset into device memory, or a device address. */
struct address_location {
	addr offset, local;
	uint32_t partition, group;
	struct dram_location dram;
};
struct address_location address_map_location(
	const struct gpu_config *gpu, const struct dram_config *dram, addr address);

#endif
