/* core/chip/address_map.c -- the mapping string's channel field for caches, its other fields for people. */
#include "core/chip/address_map.h"
#include "memsys/memory.h"

static struct dram_map map_of(const struct dram_config *dram)
{
	char message[512];
	struct dram_map map;

	bug_if(!dram_map_init(&map, dram, message, sizeof(message)), "%s", message);
	return map;
}

struct partition_map address_map_partitions(const struct gpu_config *gpu, const struct dram_config *dram)
{
	struct partition_map p = { .partitions = gpu->partitions, .interleave = gpu->interleave };
	struct dram_map map = map_of(dram);

	for (uint32_t i = 0; i < map.count; i++) {
		const struct dram_part *part = &map.part[i];

		if (part->what != DRAM_CHANNEL)
			continue;
		p.interleave = p.parts ? p.interleave : 1u << part->slice.from;
		p.hash = part->hash;
		p.part[p.parts++] = part->slice;
	}
	if (p.parts == 1)
		p.parts = 0;
	return p;
}

struct address_location address_map_location(
	const struct gpu_config *gpu, const struct dram_config *dram, addr address)
{
	struct partition_map partitions = address_map_partitions(gpu, dram);
	struct dram_map map = map_of(dram);
	struct address_location location = { .offset = address >= DEVICE_BASE ? address - DEVICE_BASE
									      : address };

	location.partition = map_partition(&partitions, location.offset, &location.local);
	location.dram = dram_map_location(&map, location.local);
	location.group = location.dram.bank % dram->bank_groups;
	return location;
}
