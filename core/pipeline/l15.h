/* core/pipeline/l15.h -- the second level of an SM's constants and instructions (NVIDIA: L1.5 constant
 * cache). What the first levels miss goes there and, if it is not there either, to the L2 (Huerta et al.,
 * MICRO 2025, have the same structure: a way there and a way back, each with its latency). */
#ifndef CORE_PIPELINE_L15_H
#define CORE_PIPELINE_L15_H

#include "sim/event/packet.h"

struct cache;
struct cache_config;
struct l15;
struct packet;
struct partition_map;
struct port;
struct sm;
struct stat_tree;

/* asked: the most requests of the first levels that can be in flight. NULL: there is no second level. */
struct l15 *l15_new(const struct cache_config *config, const struct partition_map *map, struct sm *sm,
	uint32_t asked, struct stat_tree *stats);
void l15_free(struct l15 *l);
/* Where the first levels send their requests. */
struct port *l15_requests(struct l15 *l);
struct cache *l15_cache(const struct l15 *l);
/* Those who wait for what is due now get it: at the beginning of a cycle. */
void l15_answer(struct l15 *l, cycles now);
/* One request is looked up, and those of this cycle set out: at its end. */
void l15_work(struct l15 *l, cycles now);
/* At most so many requests go to the L2 in cycle now, if that is the next in which the SM works. */
uint32_t l15_most_requests(const struct l15 *l, cycles now);
/* A line comes from the L2. */
void l15_filled(struct l15 *l, const struct packet *reply, cycles now);
/* The next cycle in which something is due; SIM_NEVER: none. */
cycles l15_next(const struct l15 *l, cycles now);
bool l15_is_idle(const struct l15 *l);
/* Whether requests of this unit (enum packet_unit) come from here. */
static inline bool l15_is_for(uint32_t unit)
{
	return unit == UNIT_L1_INST || unit == UNIT_L1_CONST || unit == UNIT_L0_CONST;
}

#endif
