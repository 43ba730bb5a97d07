/* core/gpu/address_map.c -- the mapping string's channel field for caches, its other fields for people. */
#include "core/gpu/address_map.h"
#include "memsys/memory.h"

static struct dram_map map_of(const struct machine_config *m)
{
	char message[512];
	struct dram_map map;

	bug_if(!dram_map_init(&map, &m->dram, message, sizeof(message)), "%s", message);
	return map;
}

struct partition_map address_map_partitions(const struct machine_config *m)
{
	struct partition_map p = { .partitions = m->gpu.partitions, .interleave = m->gpu.interleave };
	struct dram_map map = map_of(m);

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

struct address_location address_map_location(const struct machine_config *m, addr address)
{
	struct partition_map partitions = address_map_partitions(m);
	struct dram_map map = map_of(m);
	struct address_location location = { .offset = address >= DEVICE_BASE ? address - DEVICE_BASE
									      : address };

	location.partition = map_partition(&partitions, location.offset, &location.local);
	location.dram = dram_map_location(&map, location.local);
	location.group = location.dram.bank % m->dram.bank_groups;
	return location;
}
