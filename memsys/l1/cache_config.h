/* memsys/l1/cache_config.h -- the parameters of a cache of an SM. */
#ifndef MEMSYS_L1_CACHE_CONFIG_H
#define MEMSYS_L1_CACHE_CONFIG_H

#include "sim/config/param.h"

enum cache_allocate { CACHE_ALLOCATE_ON_MISS, CACHE_ALLOCATE_ON_FILL };
enum cache_write_local { CACHE_LOCAL_THROUGH, CACHE_LOCAL_BACK };
enum cache_write_global { CACHE_WRITE_EVICT, CACHE_WRITE_THROUGH, CACHE_WRITE_ALLOCATE };

struct config;
struct diag_list;
struct index;
struct replace;

struct cache_config { /* parameters: cache_l1d_params and the like (same struct, other defaults) */
	bool enabled; /* off: loads ask the L2 for the sectors that they touch; instructions: every fetch hits
		       */
	uint32_t sets, ways, line;  /* line: bytes */
	uint32_t mshrs, mshr_merge; /* entries; requests per entry (the first included) */
	uint32_t miss_queue; /* packets: capacity of the SM's port to the crossbar; parameter of the L1 alone,
				the constant cache shares the port */
	uint32_t hit_latency;    /* core cycles from access to write-back */
	uint32_t index, replace; /* positions in the lists of policies */
	uint32_t allocate;       /* enum above */
	/* only for the L1 data cache; 0 in the others: */
	uint32_t write_local, write_global; /* enums above */
	uint32_t mshrs_per_warp;            /* 0: no limit */
	uint32_t lookups, banks; /* tag look-ups a cycle; banks of the data array, 0: not modelled */
	uint32_t data_port_bytes, fill_port_bytes; /* a cycle; 0: no limit */
	bool streaming;                            /* misses reserve no line */
	bool store_masks;                          /* stores that write a part of a sector say which bytes */
	/* of the L1 data cache and the texture cache: */
	uint32_t sectors; /* of a line, each fetched separately: 1 (or 0) or 4 */
	/* of the second level of constants and instructions (core/pipeline/l15.h): */
	bool pairs; /* a line that is missing is fetched with its neighbour */
	/* no parameters: */
	const struct index *index_prototype;     /* parameters of the index; borrowed; NULL: defaults */
	const struct replace *replace_prototype; /* the same of the replacement policy */
	uint64_t seed;                           /* of the run, for random replacement */
};
extern const struct sim_param cache_l1d_params[], cache_const_params[], cache_inst_params[],
	cache_l15_params[], cache_texture_params[];
/* Reads a section by its table, and the parameters of its policies, which cache_config_fini frees. */
void cache_config_read(struct cache_config *cache, struct config *config, const char *path,
	const struct sim_param *table, struct diag_list *diags);
void cache_config_fini(struct cache_config *cache);
/* Whether a miss reserves its line when it is sent. */
static inline bool cache_reserves(const struct cache_config *config)
{
	return config->allocate == CACHE_ALLOCATE_ON_MISS && !config->streaming;
}
/* Whether local stores are written here, to be written back when their line is evicted. */
static inline bool cache_writes_back(const struct cache_config *config)
{
	return config->enabled && config->write_local == CACHE_LOCAL_BACK;
}
/* false if sizes do not fit together (a line size that is no power of two ...): a sentence in message says
 * why. */
bool cache_config_check(const struct cache_config *config, char *message, size_t size);

#endif
