/* memsys/l2_params.c -- the L2 slice's declared parameters and statistics. */
#include "memsys/l2_internal.h"
#include "memsys/replace/replace.h"
#include <stdio.h>

#define U32(field, def, min, max, units, text) SIM_U32(struct l2_config, field, def, min, max, units, text)

const struct sim_param l2_params[] = {
	U32(sets, 64, 1, 1048576, "sets", "sets of one slice (GTX 480: 6 slices of 128 KB)"),
	U32(ways, 16, 1, 1048576, "lines", "associativity (GTX 480: 6 slices of 128 KB)"),
	U32(line, 128, 128, 128, "bytes", "line size; sectors of 32 bytes are fetched and written back by themselves"),
	SIM_ENUM(struct l2_config, index, INDEX_LINEAR, index_names, "which set of its slice a line belongs to"),
	SIM_ENUM(struct l2_config, replace, REPLACE_LRU, replace_names, "which line of a set goes"),
	U32(mshrs, 32, 1, 65536, "entries", "fetches that can be in flight (GPGPU-Sim GTX480_v3x: A:32:4)"),
	U32(mshr_merge, 8, 1, 4096, "requests", "requests that one fetch serves, the first included"),
	U32(request_queue, 8, 1, 4096, "packets", "queue from the crossbar (GPGPU-Sim 3.x, dram_partition_queues 8:8:8:8)"),
	U32(reply_queue, 8, 1, 4096, "packets", "queue to the crossbar (as request_queue)"),
	U32(dram_queue, 8, 1, 4096, "packets", "queue to the DRAM channel (as request_queue)"),
	U32(fill_queue, 8, 1, 4096, "packets", "queue from the DRAM channel (as request_queue)"),
	U32(rop_latency, 120, 1, 4096, "L2 cycles",
		"pipeline in front of the tags (GPGPU-Sim SM2_GTX480, gpgpu_l2_rop_latency)"),
	U32(hit_latency, 8, 1, 1000, "L2 cycles", "from the tags to the reply queue, first bytes (estimate)"),
	U32(port_bytes, 64, 1, 1024, "bytes",
		"data port, a cycle (GTX 480: 270 GB/s from L2 at 775 MHz, data/gtx480_cache_sweep.csv, is 58 a slice)"),
	U32(atomic_cycles, 9, 1, 1000, "L2 cycles",
		"the atomic unit's time for a 32-byte sector (NVIDIA GK110 whitepaper: one a clock, nine times Fermi's)"),
	SIM_END
};

static const char *const stall_names[] = { "line_alloc", "mshr_entry", "mshr_merge_entry", "dram_queue", "write_back",
	"data_port", "atomic_unit", "reply_queue", NULL };

const char *l2_stall_name(enum l2_stall stall)
{
	return stall ? stall_names[stall - 1] : "nothing";
}

static double miss_rate(const void *object)
{
	const struct l2_stats *s = object;
	uint64_t looked_up = s->hits + s->misses + s->merged;

	return looked_up ? (double)s->misses / (double)looked_up : 0;
}

static double mean_queue_delay(const void *object)
{
	const struct l2_stats *s = object;

	return s->queue_delay.samples ? (double)s->queue_delay.sum / (double)s->queue_delay.samples : 0;
}

const struct sim_stat l2_stat_table[] = {
	SIM_COUNT(struct l2_stats, accesses, "requests", "requests served by the tags: hits + misses + merged + stores"),
	SIM_COUNT(struct l2_stats, hits, "requests", "reads and atomics that found their bytes"),
	SIM_COUNT(struct l2_stats, misses, "requests", "reads and atomics that made a fetch"),
	SIM_COUNT(struct l2_stats, merged, "requests", "reads and atomics whose bytes were in flight"),
	SIM_COUNT(struct l2_stats, stores, "requests", "stores"),
	SIM_COUNT(struct l2_stats, reads, "requests", "reads: hits + misses + merged - atomics"),
	SIM_COUNT(struct l2_stats, atomics, "requests", "atomics"),
	SIM_COUNT(struct l2_stats, store_hits, "requests", "stores that found their line"),
	SIM_COUNT(struct l2_stats, partial_misses, "requests", "misses that found their line, but not all the bytes"),
	SIM_COUNT(struct l2_stats, evictions, "lines", "lines replaced"),
	SIM_COUNT(struct l2_stats, fetches, "packets", "reads sent to DRAM"),
	SIM_COUNT(struct l2_stats, fetch_bytes, "bytes", "read from DRAM"),
	SIM_COUNT(struct l2_stats, write_backs, "packets", "dirty lines sent to DRAM"),
	SIM_COUNT(struct l2_stats, write_back_bytes, "bytes", "written to DRAM, in sectors of 32"),
	SIM_COUNT(struct l2_stats, replies, "packets", "replies and acknowledgements sent to the crossbar"),
	SIM_COUNT(struct l2_stats, data_port_cycles, "cycles", "that the data port moved bytes"),
	SIM_COUNT(struct l2_stats, atomic_unit_cycles, "cycles", "that the atomic unit worked"),
	SIM_VECTOR(struct l2_stats, stalls, stall_names, "cycles", "that the oldest request waited, by what it lacked"),
	SIM_HIST(struct l2_stats, queue_delay, "cycles", "from a request's arrival to its look-up, beyond the ROP latency"),
	SIM_HIST(struct l2_stats, merge_depth, "requests", "requests that one fetch served"),
	SIM_FORMULA("miss_rate", miss_rate, "ratio", "misses per read or atomic (merged requests are no misses)"),
	SIM_FORMULA("mean_queue_delay", mean_queue_delay, "cycles", "mean of queue_delay"),
	SIM_STAT_END
};

void l2_config_read(struct l2_config *l2, struct config *config, const char *path, struct diag_list *diags)
{
	config_read(config, path, l2_params, l2, diags);
	l2->index_prototype = index_prototype(config, path, l2->index, diags);
	l2->replace_prototype = replace_prototype(config, path, l2->replace, diags);
}

void l2_config_fini(struct l2_config *l2)
{
	index_free((struct index *)l2->index_prototype);
	replace_free((struct replace *)l2->replace_prototype);
}

struct tags_config l2_tags_config(const struct l2_config *c)
{
	return (struct tags_config){ .sets = c->sets,
		.ways = c->ways,
		.line_bytes = c->line,
		.replace = c->replace,
		.index = c->index,
		.replace_prototype = c->replace_prototype,
		.index_prototype = c->index_prototype,
		.seed = c->seed,
		.with_masks = true };
}

bool l2_config_check(const struct l2_config *c, char *message, size_t size)
{
	struct tags_config tags = l2_tags_config(c);

	if (c->line != 128) {
		snprintf(message, size, "line = %u: expected 128, the line of the byte masks", c->line);
		return false;
	}
	return tags_config_check(&tags, message, size);
}
