/* memsys/l1/cache_params.c -- declared parameters and statistics of the caches of an SM. */
#include "memsys/l1/cache_internal.h"
#include <stdio.h>

static const char *const allocate_names[] = { "on_miss", "on_fill", NULL };
static const char *const write_local_names[] = { "through", "back", NULL };
static const char *const write_global_names[] = { "evict", "through", "allocate", NULL };

#define CACHE_PARAMS( \
	n_sets, n_ways, n_line, n_mshrs, n_merge, n_latency, n_index, when, source_text, latency_text) \
	SIM_U32(struct cache_config, sets, n_sets, 1, 1048576, "sets", "sets of the cache" source_text), \
		SIM_U32(struct cache_config, ways, n_ways, 1, 1048576, "lines", \
			"associativity: lines of a set" source_text), \
		SIM_U32(struct cache_config, line, n_line, 32, 128, "bytes", "line size, a power of two"), \
		SIM_U32(struct cache_config, mshrs, n_mshrs, 1, 65536, "entries", \
			"MSHRs: lines that can be in flight" source_text), \
		SIM_U32(struct cache_config, mshr_merge, n_merge, 1, 4096, "requests", \
			"requests that one MSHR can serve, including the first" source_text), \
		SIM_U32(struct cache_config, hit_latency, n_latency, 1, 1000, "core cycles", latency_text), \
		SIM_ENUM(struct cache_config, index, n_index, index_names, \
			"function that maps a line to its set"), \
		SIM_ENUM(struct cache_config, allocate, when, allocate_names, \
			"whether a line is allocated when a request misses or when the data arrive"), \
		SIM_ENUM(struct cache_config, replace, REPLACE_LRU, replace_names, \
			"policy that decides which line of a set is replaced"), \
		SIM_END
#define L1(field, def, min, max, units, text) SIM_U32(struct cache_config, field, def, min, max, units, text)
#define LOADS_OFF \
	SIM_BOOL(struct cache_config, enabled, 1, \
		"if false, loads ask the L2 for the sectors of 32 bytes that they touch")

const struct sim_param cache_l1d_params[] = {
	SIM_U32(struct cache_config, miss_queue, 8, 1, 4096, "packets",
		"queue to the crossbar, shared with the constant cache (GPGPU-Sim GTX480_v3x: 8)"),
	LOADS_OFF,
	L1(mshrs_per_warp, 0, 0, 65536, "entries",
		"MSHRs that one warp may hold; 0: no limit (Nugteren et al., HPCA 2014, measured on a GTX "
		"470: 6, of 64)"),
	SIM_ENUM(struct cache_config, write_local, CACHE_LOCAL_BACK, write_local_names,
		"local stores are written back when their line is evicted, or written through like global "
		"stores (GTX 480: back)"),
	SIM_ENUM(struct cache_config, write_global, CACHE_WRITE_EVICT, write_global_names,
		"global stores invalidate the line that they hit (evict), or update it (through), or also "
		"take a line where there is none, without fetching it (allocate; H200: loads of what the SM "
		"has stored hit); all are sent to the L2 (GTX 480: evict)"),
	L1(data_port_bytes, 128, 0, 1024, "bytes",
		"bytes that hits and local stores move in a cycle; 0: unlimited (GTX 480: 14.8 32-bit loads "
		"a shader clock and SM, gpumembench)"),
	L1(lookups, 1, 1, 32, "lines",
		"line requests of one instruction that are looked up in a cycle, behind the first, which "
		"has a cycle of its own; a request buffer takes one a cycle (A100, H200: 4; RRZE-HPC "
		"gpu-benches, strided loads: a load of n lines takes (n + 3) / 4 cycles)"),
	L1(banks, 0, 0, 64, "banks",
		"banks of the data array, 4 bytes wide: an access takes as many cycles as words of it "
		"lie in one bank, or as its look-ups take if these are more; 0: not modelled (A100, "
		"H200: 32; RRZE-HPC gpu-benches)"),
	L1(fill_port_bytes, 0, 0, 1024, "bytes",
		"bytes that a fill writes in a cycle, in which nothing is looked up or, where banks are "
		"modelled, no access uses them; 0: fills have a port of their own (not published)"),
	L1(sectors, 1, 1, 4, "sectors",
		"sectors of a line, each fetched separately: 1, or 4 of 32 bytes (Volta: 4)"),
	SIM_BOOL(struct cache_config, streaming, 0,
		"if true, misses reserve no line, whatever `allocate` says, and only MSHRs limit them "
		"(Volta's L1, Accel-Sim)"),
	SIM_BOOL(struct cache_config, store_masks, 0,
		"if true, a store takes along a bit for each byte of a sector that it writes only in part, 4 "
		"bytes a sector (H200: a store of one word in each of 32 lines takes some 68 cycles)"),
	CACHE_PARAMS(32, 4, 128, 32, 8, 18, INDEX_FERMI, CACHE_ALLOCATE_ON_MISS,
		" (GPGPU-Sim GTX480_v3x: 32:128:4, A:32:8, 8)",
		"latency from look-up to write-back (GTX 480: load to use is about 45 shader cycles of 1.4 "
		"GHz)")
};
const struct sim_param cache_const_params[] = { LOADS_OFF,
	CACHE_PARAMS(64, 2, 64, 2, 32, 4, INDEX_LINEAR, CACHE_ALLOCATE_ON_FILL,
		" (GPGPU-Sim GTX480_v3x: 64:64:2, A:2:32)",
		"latency from look-up to write-back (estimate: as a register operand and the pipeline behind "
		"it)") };

const struct sim_param cache_inst_params[] = { SIM_BOOL(struct cache_config, enabled, 1,
						       "if false, every fetch hits"),
	CACHE_PARAMS(4, 4, 128, 4, 32, 1, INDEX_LINEAR, CACHE_ALLOCATE_ON_FILL,
		" (GPGPU-Sim GTX480_v3x: 4:128:4, A:2:32; 4 MSHRs here, for the prefetches)",
		"unused: a hit is part of sm.fetch_latency") };

const struct sim_param cache_l15_params[] = {
	SIM_BOOL(struct cache_config, enabled, 0,
		"if true, what the caches of constants and instructions miss is looked up here before the L2 "
		"(NVIDIA: L1.5 constant cache)"),
	SIM_BOOL(struct cache_config, pairs, 1,
		"if true, a line that is missing is fetched with its neighbour, so that 256 bytes come at a "
		"time (mt4g: V100, A100, H100, RTX 2080 Ti, Quadro P6000)"),
	CACHE_PARAMS(128, 4, 128, 16, 32, 48, INDEX_LINEAR, CACHE_ALLOCATE_ON_FILL,
		" (64 KB hold all constants of a V100, A100 and H100, mt4g; ways and MSHRs are chosen)",
		"latency from the first level's miss to its fill if the line is here, half of it on the way "
		"there (H200: 74 to 80 cycles in place of 28)")
};

const struct sim_param cache_texture_params[] = { LOADS_OFF,
	L1(sectors, 4, 1, 4, "sectors",
		"sectors of a line, each fetched separately: 1, or 4 of 32 bytes (compute capability "
		"2.x: 4; the profiler counts tex0_cache_sector_misses by accesses of 32 bytes, CUPTI "
		"User's Guide)"),
	CACHE_PARAMS(4, 24, 128, 128, 32, 130, INDEX_LINEAR, CACHE_ALLOCATE_ON_MISS,
		" (GPGPU-Sim GTX480_v3x: 4:128:24, a FIFO of 128 fetches)",
		"latency from look-up to write-back (Wong et al., ISPASS 2010: 261 shader cycles on "
		"GT200; no figure for Fermi is at hand)") };

static const char *const fail_names[] = { "line_alloc", "mshr_entry", "mshr_merge_entry", "miss_queue",
	"mshr_warp", "write_back", "fill_port", "data_port", NULL };

static double l1_ratio(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static double miss_rate(const void *object)
{
	const struct cache_stats *s = object;

	return l1_ratio(s->misses, s->hits + s->misses + s->merged);
}

static double hit_rate(const void *object)
{
	const struct cache_stats *s = object;

	return l1_ratio(s->hits, s->hits + s->misses + s->merged);
}

static double look_ups(const void *object)
{
	const struct cache_stats *s = object;
	uint64_t sum = s->accesses - s->bypassed + s->tag_only_hits + s->tag_only_misses;

	/* while the array is busy there is no look-up */
	for (uint32_t i = 0; i < CACHE_FILL_PORT - CACHE_LINE_ALLOC_FAIL; i++)
		sum += s->fails[i];
	return (double)sum;
}

const struct sim_stat cache_stat_table[] = {
	SIM_COUNT(struct cache_stats, accesses, "requests",
		"line requests that the cache accepted: hits + misses + merged + sent + written"),
	SIM_COUNT(struct cache_stats, hits, "requests", "loads that found their line in the cache"),
	SIM_COUNT(
		struct cache_stats, misses, "requests", "loads that missed and asked the L2 for their line"),
	SIM_COUNT(struct cache_stats, merged, "requests",
		"loads that merged with a fetch of their line in flight"),
	SIM_COUNT(struct cache_stats, sent, "requests",
		"requests passed on to the L2 without a fill: stores + atomics + uncached + bypassed"),
	SIM_COUNT(struct cache_stats, written, "requests", "local stores that were kept in the cache"),
	SIM_COUNT(struct cache_stats, stores, "requests", "stores that were sent to the L2"),
	SIM_COUNT(struct cache_stats, atomics, "requests", "atomics that were sent to the L2"),
	SIM_COUNT(struct cache_stats, uncached, "requests",
		"loads that use the L2 because of their cache operator, or because the cache is off"),
	SIM_COUNT(struct cache_stats, bypassed, "requests", "loads that a policy sent past the cache"),
	SIM_COUNT(struct cache_stats, local_hits, "requests", "hits on local memory"),
	SIM_COUNT(struct cache_stats, local_misses, "requests", "misses on local memory"),
	SIM_COUNT(struct cache_stats, sector_misses, "requests",
		"misses that found their line without some of the bytes"),
	SIM_COUNT(struct cache_stats, store_updates, "lines",
		"lines that were updated or taken by a store on its way to the L2"),
	SIM_COUNT(struct cache_stats, tag_only_hits, "requests",
		"bypassed loads looked up in the tags for a policy that found their line there or in flight"),
	SIM_COUNT(struct cache_stats, tag_only_misses, "requests",
		"bypassed loads looked up in the tags for a policy that did not find their line"),
	SIM_COUNT(struct cache_stats, fills, "lines",
		"fills: lines, or sectors of a line, that arrived from the L2"),
	SIM_COUNT(struct cache_stats, unplaced, "lines",
		"fills that were not kept because the miss queue had no room for their dirty victim"),
	SIM_COUNT(struct cache_stats, evictions, "lines", "valid lines that were replaced by others"),
	SIM_COUNT(struct cache_stats, store_evictions, "lines",
		"valid lines invalidated because a store, an atomic or an uncached load hit them"),
	SIM_COUNT(struct cache_stats, write_backs, "packets", "dirty lines written back to the L2"),
	SIM_COUNT(struct cache_stats, write_back_bytes, "bytes",
		"bytes written back to the L2, in sectors of 32"),
	SIM_COUNT(struct cache_stats, fill_bytes, "bytes", "bytes that fills brought from the L2"),
	SIM_COUNT(struct cache_stats, uncached_bytes, "bytes",
		"bytes requested by uncached and bypassed loads"),
	SIM_COUNT(struct cache_stats, store_bytes, "bytes",
		"bytes that stores sent to the L2, in sectors of 32"),
	SIM_COUNT(struct cache_stats, atomic_bytes, "bytes",
		"bytes that atomics sent to the L2, in sectors of 32"),
	SIM_COUNT(struct cache_stats, atomic_reply_bytes, "bytes",
		"bytes of atomics that return the old value"),
	SIM_COUNT(struct cache_stats, dirty_drops, "lines",
		"dirty lines dropped because their kernel had ended"),
	SIM_VECTOR(struct cache_stats, fails, fail_names, "cycles",
		"cycles in which a request was refused, by the resource that was missing (reservation "
		"failures)"),
	SIM_FORMULA("look_ups", look_ups, "requests",
		"look-ups of the tags: what was accepted and did not bypass the cache, and each try that was "
		"refused"),
	SIM_HIST(struct cache_stats, merge_depth, "requests", "requests served by one fill"),
	SIM_FORMULA("miss_rate", miss_rate, "ratio",
		"misses per load that looked up the cache (merged requests are loads, but not misses)"),
	SIM_FORMULA("hit_rate", hit_rate, "ratio", "hits per load that looked up the cache"), SIM_STAT_END
};

static double sector_hit_rate(const void *object)
{
	const struct cache_stats *s = object;

	return s->asked_sectors ? 1 - l1_ratio(s->missed_sectors, s->asked_sectors) : 0;
}

const struct sim_stat cache_texture_stat_table[] = {
	SIM_COUNT(struct cache_stats, asked_sectors, "sectors",
		"sectors of 32 bytes that fetches looked up (the profiler's tex0_cache_sector_queries)"),
	SIM_COUNT(struct cache_stats, missed_sectors, "sectors",
		"sectors of 32 bytes that fetches looked up and did not find (the profiler's "
		"tex0_cache_sector_misses)"),
	SIM_FORMULA("sector_hit_rate", sector_hit_rate, "ratio",
		"sectors found in the cache per sector looked up (the profiler's tex_cache_hit_rate)"),
	SIM_STAT_END
};

void cache_config_read(struct cache_config *cache, struct config *config, const char *path,
	const struct sim_param *table, struct diag_list *diags)
{
	config_read(config, path, table, cache, diags);
	cache->index_prototype = index_read(config, path, cache->index, cache->sets, diags);
	cache->replace_prototype =
		policy_read_chosen(&replace_interface, config, path, cache->replace, diags);
}

void cache_config_fini(struct cache_config *cache)
{
	policy_prototype_free(cache->index_prototype);
	policy_prototype_free(cache->replace_prototype);
}

struct tags_config cache_tags_config(const struct cache_config *c)
{
	return (struct tags_config){ .sets = c->sets,
		.ways = c->ways,
		.line_bytes = c->line,
		.replace = c->replace,
		.index = c->index,
		.replace_prototype = c->replace_prototype,
		.index_prototype = c->index_prototype,
		.with_masks =
			c->sectors > 1 || cache_writes_back(c) || c->write_global == CACHE_WRITE_ALLOCATE,
		.seed = c->seed };
}

bool cache_config_check(const struct cache_config *c, char *message, size_t size)
{
	struct tags_config tags = cache_tags_config(c);

	if (c->line & (c->line - 1)) {
		snprintf(message, size, "line = %u: expected a power of two", c->line);
		return false;
	}
	if (tags.with_masks && c->line != 128) {
		snprintf(message, size, "line = %u: sectors, and stores that stay, need lines of 128 bytes",
			c->line);
		return false;
	}
	if (c->sectors > 1 && c->sectors != LINE_SECTORS) {
		snprintf(message, size, "sectors = %u: expected 1 or %u", c->sectors, LINE_SECTORS);
		return false;
	}
	return tags_config_check(&tags, message, size);
}
