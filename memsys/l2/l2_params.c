/* memsys/l2/l2_params.c -- the L2 slice's declared parameters and statistics. */
#include "memsys/l2/l2_internal.h"
#include "memsys/replace/replace.h"
#include <stdio.h>

#define U32(field, def, min, max, units, text) SIM_U32(struct l2_config, field, def, min, max, units, text)

static const char *const arbitration_names[] = { "round_robin", "oldest", NULL };
static const char *const data_ports_names[] = { "one", "each_way", NULL };
static const char *const units_names[] = { "slice", "bank", NULL };
static const char *const fetch_names[] = { "sectors", "line", "once", "pairs", NULL };
static const char *const store_miss_names[] = { "allocate", "fetch", NULL };
static const char *const write_back_names[] = { "sectors", "line", NULL };

const struct sim_param l2_params[] = { U32(sets, 64, 1, 1048576, "sets",
					       "sets of one slice (GPGPU-Sim GTX480_v3x: 12 of 64:128:8)"),
	U32(ways, 8, 1, 1048576, "lines",
		"associativity: lines of a set (GPGPU-Sim GTX480_v3x: 12 of 64:128:8)"),
	U32(line, 128, 128, 128, "bytes",
		"line size; sectors of 32 bytes are fetched and written back separately"),
	SIM_ENUM(struct l2_config, index, INDEX_LINEAR, index_names,
		"function that maps a line to its set in the slice"),
	SIM_ENUM(struct l2_config, replace, REPLACE_LRU, replace_names,
		"policy that decides which line of a set is replaced"),
	U32(mshrs, 32, 1, 65536, "entries",
		"MSHRs: fetches that can be in flight (GPGPU-Sim GTX480_v3x: A:32:4)"),
	U32(mshr_merge, 8, 1, 4096, "requests", "requests that one fetch can serve, including the first"),
	U32(request_queue, 8, 1, 4096, "packets",
		"queue from the crossbar (GPGPU-Sim 3.x, dram_partition_queues 8:8:8:8)"),
	U32(reply_queue, 8, 1, 4096, "packets", "queue to the crossbar (as request_queue)"),
	U32(dram_queue, 8, 1, 4096, "packets", "queue to the DRAM channel (as request_queue)"),
	U32(fill_queue, 8, 1, 4096, "packets", "queue from the DRAM channel (as request_queue)"),
	U32(rop_latency, 120, 1, 4096, "L2 cycles",
		"pipeline in front of the banks (GPGPU-Sim SM2_GTX480, gpgpu_l2_rop_latency)"),
	U32(input_width, 1, 1, 32, "packets",
		"packets that enter, and that leave, the ROP pipeline in a cycle (GTX 480: one for each "
		"bank)"),
	U32(banks, 1, 1, L2_MAX_BANKS, "banks",
		"banks of a slice (NVIDIA's profiler counts l2_subp0 and l2_subp1 on compute capability 2.x; "
		"GPGPU-Sim SM2_GTX480: 2 sub-partitions)"),
	U32(bank_shift, 7, 7, 31, "bits",
		"the bank of a line is its address inside the partition, without this number of low "
		"bits, modulo the banks: 7 interleaves lines among the banks, 12 runs of 4 KB (MeDiC's "
		"released simulator: the low bits of the DRAM bank)"),
	U32(bank_ports, 1, 1, 32, "look-ups",
		"look-ups that a bank can process at once (GPGPU-Sim: one a cycle in a sub-partition)"),
	U32(bank_queue, 8, 1, 4096, "packets", "queue in front of each bank (as request_queue)"),
	U32(bypass_queue, 8, 1, 4096, "packets",
		"queue of the requests that bypass the slice, in front of the queue to DRAM (as "
		"request_queue; our "
		"choice)"),
	U32(lookup_cycles, 1, 1, 1000, "L2 cycles",
		"time for which a look-up occupies a port of the bank; its latency is part of hit_latency "
		"(GPGPU-Sim: 1)"),
	SIM_ENUM(struct l2_config, arbitration, L2_ROUND_ROBIN, arbitration_names,
		"order of the banks when they compete for the reply queue or for a unit of the slice"),
	SIM_ENUM(struct l2_config, units, L2_UNITS_OF_BANK, units_names,
		"whether data ports and atomic units belong to the slice or to each bank (GPGPU-Sim "
		"SM2_GTX480: each sub-partition)"),
	U32(hit_latency, 8, 1, 1000, "L2 cycles",
		"latency of the first bytes from the tags to the reply queue (estimate)"),
	U32(port_bytes, 32, 1, 1024, "bytes",
		"bytes that a data port moves in a cycle (GPGPU-Sim SM2_GTX480; 270 GB/s measured from the "
		"L2 at 775 MHz are 58 for two slices)"),
	U32(store_cycles, 1, 1, 64, "L2 cycles",
		"least time for which a store occupies the data port into the lines, however few its "
		"bytes (5 fits stores of words on chips of the Fermi generation, where rows of DRAM may "
		"be the cause; docs/results/gtx480.md)"),
	SIM_ENUM(struct l2_config, data_ports, L2_PORT_EACH_WAY, data_ports_names,
		"one data port for all bytes (one), or one out of the lines for replies and write-backs and "
		"one into them for stores (each_way); fills have their own (GTX 480: 151 GB/s of stores in "
		"and out again, SHOC, are more than one port of each bank moves)"),
	SIM_ENUM(struct l2_config, fetch, L2_FETCH_SECTORS, fetch_names,
		"what a miss reads from DRAM: the missing sectors of 32 bytes that it needs (sectors), all "
		"that is missing of the line (line), or the sectors that it needs and that no fetch in "
		"flight brings (once: P100, counters of nvprof), or pairs of sectors, the 64 bytes of a "
		"burst (pairs: H200, counters of Nsight Compute)"),
	SIM_ENUM(struct l2_config, store_miss, L2_STORE_ALLOCATES, store_miss_names,
		"what a store does that misses: it allocates a line without a fetch, which is dirty "
		"(allocate); or its bytes are written to DRAM, and its line is fetched (fetch: GPGPU-Sim "
		"3.x, write-allocate)"),
	SIM_ENUM(struct l2_config, write_back, L2_WRITE_SECTORS, write_back_names,
		"what is written back of a dirty victim: its dirty sectors, each run of adjacent ones in a "
		"packet (sectors), or the whole line in one (line: GPGPU-Sim 3.x)"),
	U32(miss_places, 1, 1, 4096, "packets",
		"free places of the queue to DRAM without which a read or an atomic that misses is refused "
		"(GPGPU-Sim 3.x: 2 of its miss queue of 4, since a victim may have to be written back)"),
	U32(store_miss_places, 2, 2, 4096, "packets",
		"free places of the queue to DRAM without which a store that misses is refused, with "
		"l2.store_miss = fetch (GPGPU-Sim 3.x: 3)"),
	SIM_BOOL(struct l2_config, halves, 0,
		"the L2 has two halves, slices of even and of odd numbers; an SM asks its own half, which "
		"gets what is at "
		"home in the other from there and keeps a copy (NVIDIA A100 whitepaper; H200, measured: "
		"docs/results/h200.md)"),
	U32(halves_latency, 80, 1, 4096, "crossbar cycles",
		"with l2.halves: the way from one half to the other"),
	SIM_BOOL(struct l2_config, flush, 0,
		"a kernel that starts while no other is under way finds the L2 empty; what was dirty is "
		"taken as written back before it (Nsight Compute flushes all caches so by default, "
		"--cache-control all; GPGPU-Sim: gpgpu_flush_l2_cache)"),
	SIM_F64(struct l2_config, atomic_cycles, 9, 0.01, 1000, "L2 cycles",
		"time of the atomic unit for a 32-byte sector (NVIDIA GK110 whitepaper: one a clock, nine "
		"times Fermi's); the sum over an atomic is rounded to whole cycles"),
	SIM_F64(struct l2_config, atomic_collision_cycles, 9, 0, 1000, "L2 cycles",
		"time of the atomic unit for each further lane on the word that most lanes access (NVIDIA "
		"GK110 whitepaper, common address)"),
	SIM_F64(struct l2_config, atomic_float_cycles, 0, 0, 1000, "L2 cycles",
		"time of the atomic unit for each further lane on the word that most lanes access, for "
		"floating-point numbers; 0: as l2.atomic_collision_cycles"),
	SIM_END };

static const char *const stall_names[] = { "bank_busy", "line_alloc", "mshr_entry", "mshr_merge_entry",
	"dram_queue", "write_back", "data_port", "atomic_unit", "reply_queue", NULL };

const char *l2_stall_name(enum l2_stall stall)
{
	return stall ? stall_names[stall - 1] : "nothing";
}

static const char *const refusal_names[] = { "atomic", "store", "entered", "in_flight", "dirty", "clean",
	NULL };

static double miss_rate(const void *object)
{
	const struct l2_stats *s = object;
	uint64_t looked_up = s->hits + s->misses + s->merged;

	return looked_up ? (double)s->misses / (double)looked_up : 0;
}

static double mean_bank_queue(const void *object)
{
	const struct l2_stats *s = object;
	uint64_t look_ups = s->accesses - s->bypassed;

	return look_ups ? (double)s->bank_queue_time / (double)look_ups : 0;
}

static double mean_queue_delay(const void *object)
{
	const struct l2_stats *s = object;

	return s->queue_delay.samples ? (double)s->queue_delay.sum / (double)s->queue_delay.samples : 0;
}

const struct sim_stat l2_stat_table[] = { SIM_COUNT(struct l2_stats, entered, "requests",
						  "requests that the slice took from the crossbar"),
	SIM_COUNT(struct l2_stats, accesses, "requests",
		"requests that the slice served: hits + misses + merged + stores + bypassed"),
	SIM_COUNT(struct l2_stats, hits, "requests", "reads and atomics that found their bytes in the slice"),
	SIM_COUNT(struct l2_stats, misses, "requests",
		"reads and atomics that missed and caused a fetch from DRAM"),
	SIM_COUNT(
		struct l2_stats, merged, "requests", "reads and atomics that merged with a fetch in flight"),
	SIM_COUNT(struct l2_stats, stores, "requests", "stores that the slice looked up"),
	SIM_COUNT(struct l2_stats, bypassed, "requests",
		"reads and stores that bypassed the slice and went directly to DRAM"),
	SIM_COUNT(struct l2_stats, bypassed_stores, "requests", "stores that bypassed the slice"),
	SIM_VECTOR(struct l2_stats, bypass_refused, refusal_names, "requests",
		"requests that could not follow the bypass policy: atomics; stores, if l2.bypass.stores "
		"is off; requests that another one must precede, which has entered and was not looked up "
		"yet; whose line is in flight; or present, dirty or clean (if l2.bypass.clean_lines is "
		"off)"),
	SIM_COUNT(struct l2_stats, bypassed_present, "requests",
		"requests that bypassed the slice although their line was present and clean"),
	SIM_COUNT(struct l2_stats, bypass_invalidations, "lines",
		"clean lines that were invalidated because a store bypassed them"),
	SIM_COUNT(struct l2_stats, bypass_time, "cycles",
		"time from the arrival of requests that bypass the slice until they left for DRAM, "
		"summed over requests"),
	SIM_COUNT(struct l2_stats, bypass_order_wait, "cycles",
		"cycles that a request waited because another one for its line was in the bypass queue"),
	SIM_COUNT(struct l2_stats, bypass_writes, "packets", "packets that bypassing stores sent to DRAM"),
	SIM_COUNT(struct l2_stats, bypass_read_bytes, "bytes",
		"bytes that bypassing reads requested from DRAM"),
	SIM_COUNT(struct l2_stats, bypass_write_bytes, "bytes",
		"bytes that bypassing stores sent to DRAM, in sectors of 32"),
	SIM_COUNT(struct l2_stats, reads, "requests",
		"reads that the slice served, including reads that bypass it"),
	SIM_COUNT(struct l2_stats, atomics, "requests", "atomics that the slice served"),
	SIM_COUNT(struct l2_stats, store_hits, "requests", "stores that found their line in the slice"),
	SIM_COUNT(struct l2_stats, store_writes, "requests",
		"stores that missed, were written to DRAM and waited for their line (l2.store_miss = fetch)"),
	SIM_COUNT(struct l2_stats, store_fetches, "packets",
		"fetches that stores made, with l2.store_miss = fetch; other stores that missed merged with "
		"a fetch in flight"),
	SIM_COUNT(struct l2_stats, partial_misses, "requests",
		"misses that found their line without some of the bytes"),
	SIM_COUNT(struct l2_stats, evictions, "lines", "valid lines that were replaced by others"),
	SIM_COUNT(struct l2_stats, fetches, "packets", "reads that the slice sent to DRAM"),
	SIM_COUNT(struct l2_stats, far_fetches, "packets",
		"reads that the slice sent to the other half of the L2 (l2.halves), which serves them as "
		"accesses of its own"),
	SIM_COUNT(struct l2_stats, far_stores, "packets",
		"stores that the slice passed on to the other half of the L2, and that both count"),
	SIM_COUNT(struct l2_stats, copies_dropped, "lines",
		"copies of lines of the other half that were dropped because of a store there"),
	SIM_COUNT(struct l2_stats, raise_notices, "packets",
		"notices to DRAM that a request of higher priority has merged with a fetch"),
	SIM_COUNT(struct l2_stats, raise_dropped, "packets",
		"notices to DRAM about a request of higher priority that were not sent because the queue to "
		"DRAM was full"),
	SIM_COUNT(struct l2_stats, fetch_bytes, "bytes", "read from DRAM"),
	SIM_COUNT(struct l2_stats, write_backs, "packets",
		"write-backs sent to DRAM, one for each run of dirty sectors in a replaced line"),
	SIM_COUNT(struct l2_stats, write_back_bytes, "bytes", "written to DRAM, in sectors of 32"),
	SIM_COUNT(struct l2_stats, replies, "packets", "replies and acknowledgements sent to the crossbar"),
	SIM_COUNT(struct l2_stats, reply_bytes, "bytes", "bytes of data in replies"),
	SIM_COUNT(struct l2_stats, store_bytes, "bytes",
		"bytes of stores written into the slice, in sectors of 32 (without bypassing stores)"),
	SIM_COUNT(struct l2_stats, atomic_bytes, "bytes",
		"bytes of atomics processed in the slice, in sectors of 32"),
	SIM_COUNT(struct l2_stats, posted, "requests", "stores that need no acknowledgement"),
	SIM_COUNT(struct l2_stats, data_port_cycles, "cycles", "cycles in which data ports moved bytes"),
	SIM_COUNT(struct l2_stats, atomic_unit_cycles, "cycles", "cycles in which atomic units were busy"),
	SIM_COUNT(struct l2_stats, atomic_collisions, "lanes",
		"lanes that waited for another lane at one word of an atomic"),
	SIM_VECTOR(struct l2_stats, stalls, stall_names, "cycles",
		"cycles that the oldest request of a bank waited, by the resource that was missing"),
	SIM_COUNT(struct l2_stats, bank_queue_full, "cycles",
		"cycles that a request waited for room in its bank's queue"),
	SIM_COUNT(struct l2_stats, request_queue_time, "cycles",
		"time in the request queue, summed over the requests that left it (divided by cycles: its "
		"mean occupancy)"),
	SIM_COUNT(struct l2_stats, rop_time, "cycles",
		"time in the ROP pipeline, summed over the requests that left it"),
	SIM_COUNT(struct l2_stats, bank_queue_time, "cycles",
		"time in the queues of the banks, summed over the requests that left them"),
	SIM_COUNT(struct l2_stats, mshr_time, "cycles",
		"time that MSHRs were in use, summed over the MSHRs that were released"),
	SIM_COUNT(struct l2_stats, reply_time, "cycles",
		"time from the data port to the reply queue, summed over replies"),
	SIM_HIST(struct l2_stats, queue_delay, "cycles",
		"time from the arrival of a request to its look-up, beyond the ROP latency"),
	SIM_HIST(struct l2_stats, merge_depth, "requests", "requests served by one fetch"),
	SIM_FORMULA("miss_rate", miss_rate, "ratio",
		"misses per read or atomic (merged requests are not misses)"),
	SIM_FORMULA("mean_bank_queue", mean_bank_queue, "cycles",
		"mean time of a request in the queue of its bank"),
	SIM_FORMULA("mean_queue_delay", mean_queue_delay, "cycles",
		"mean time from the arrival of a request to its look-up, beyond the ROP latency"),
	SIM_STAT_END };

static double mean_bank_delay(const void *object)
{
	const struct l2_bank_stats *s = object;

	return s->look_ups ? (double)s->delay / (double)s->look_ups : 0;
}

const struct sim_stat l2_bank_stat_table[] = { SIM_COUNT(struct l2_bank_stats, look_ups, "requests",
						       "looked up"),
	SIM_COUNT(struct l2_bank_stats, busy_wait, "cycles",
		"cycles that the bank's oldest request waited because the bank was busy"),
	SIM_COUNT(struct l2_bank_stats, stall_wait, "cycles",
		"cycles that the bank's oldest request waited for a missing resource (l2.stalls)"),
	SIM_COUNT(struct l2_bank_stats, delay, "cycles",
		"time from the arrival of requests at the bank to their look-up, beyond the ROP latency, "
		"summed over requests"),
	SIM_FORMULA("mean_delay", mean_bank_delay, "cycles",
		"mean time from the arrival of a request at the bank to its look-up, beyond the ROP latency"),
	SIM_STAT_END };

void l2_config_read(struct l2_config *l2, struct config *config, const char *path, struct diag_list *diags)
{
	char section[256];

	config_read(config, path, l2_params, l2, diags);
	l2->index_prototype = index_read(config, path, l2->index, l2->sets, diags);
	l2->replace_prototype = policy_read_chosen(&replace_interface, config, path, l2->replace, diags);
	snprintf(section, sizeof(section), "%s.warp_type", path);
	l2->classifier = policy_read(&classifier_interface, config, section, diags);
	snprintf(section, sizeof(section), "%s.bypass", path);
	l2->bypass = policy_read(&l2_bypass_interface, config, section, diags);
	snprintf(section, sizeof(section), "%s.insertion", path);
	l2->insertion = policy_read(&insertion_interface, config, section, diags);
}

void l2_config_fini(struct l2_config *l2)
{
	policy_prototype_free(l2->index_prototype);
	policy_prototype_free(l2->replace_prototype);
	policy_prototype_free(l2->classifier);
	policy_prototype_free(l2->bypass);
	policy_prototype_free(l2->insertion);
}

struct tags_config l2_tags_config(const struct l2_config *c, uint32_t slice)
{
	return (struct tags_config){ .sets = c->sets,
		.ways = c->ways,
		.line_bytes = c->line,
		.replace = c->replace,
		.index = c->index,
		.replace_prototype = c->replace_prototype,
		.index_prototype = c->index_prototype,
		.seed = c->seed,
		.stream = UINT64_C(1) << 48 | slice,
		.with_masks = true,
		.with_persistence = c->sets_aside };
}

bool l2_config_check(const struct l2_config *c, char *message, size_t size)
{
	struct tags_config tags = l2_tags_config(c, 0);

	if (c->line != 128) {
		snprintf(message, size, "line = %u: expected 128, the line of the byte masks", c->line);
		return false;
	}
	if (c->miss_places > c->dram_queue ||
		(c->store_miss == L2_STORE_FETCHES && c->store_miss_places > c->dram_queue)) {
		snprintf(message, size,
			"dram_queue = %u has fewer places than a miss needs: miss_places = %u, "
			"store_miss_places = %u",
			c->dram_queue, c->miss_places, c->store_miss_places);
		return false;
	}
	if (c->halves && c->store_miss == L2_STORE_FETCHES) {
		snprintf(message, size, "store_miss = fetch: not together with halves = true");
		return false;
	}
	if (c->classifier && c->classifier->class->check &&
		!c->classifier->class->check(c->classifier, message, size))
		return false;
	if (c->insertion && (c->insertion->class->ranks || c->insertion->class->stamp) &&
		!replace_keeps_ages(c->replace, c->ways)) {
		snprintf(message, size,
			"insertion policy %s orders lines by itself: expected replace = lru and at most %d "
			"ways",
			c->insertion->class->name, TAGS_SCANNED);
		return false;
	}
	return tags_config_check(&tags, message, size);
}
