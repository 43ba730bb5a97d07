/* core/lsu/load_time.h -- the time of load instructions, by stage.
 *
 * A load waits for the last of its lines, so the stages of the load are those of this line. When the load
 * completes, the timestamps of the line (enum packet_timestamp, struct cache_wait) divide the cycles from
 * issue to completion into stages, which add up exactly. A timestamp between two core cycles counts as the
 * nearer one. If the line had been requested before (merged in the L1 or L2), the load gets the stages of
 * that fetch from the time at which it joined.
 *
 * Counted are load instructions (ld) of global and local memory, through the L1 or bypassing it. Loads of
 * shared memory and constants are counted as `elsewhere`, undivided, and so would be a load of more than 4
 * ms; all stages together are therefore the sum of sm.load_latency. Textures, surfaces, atomics, cp.async
 * and instruction fetches are not counted. */
#ifndef CORE_LSU_LOAD_TIME_H
#define CORE_LSU_LOAD_TIME_H

#include "core/sm/load_counts.h"
#include "sim/stats/stat.h"

/* The machine's statistics: the sum over SMs. */
struct load_time {
	uint64_t loads, cycles; /* of global and local memory */
	uint64_t stages[LOAD_STAGES];
	uint64_t loads_from[LOAD_CLASSES];
	uint64_t from[LOAD_CLASSES][LOAD_STAGES]; /* the last stage of each stays 0 */
	uint64_t latency[LOAD_BINS];
	struct sim_histogram spent[LOAD_STAGES]; /* by loads that spent any time there; not of the last */
};

struct memory_op;
struct sm;

/* A load instruction has its last datum: with lsu.reply, or (NULL) from the L1 or elsewhere in the SM. */
void load_time_add(struct sm *sm, const struct memory_op *op, cycles now);

extern const struct sim_stat load_time_stats[];
/* By enum packet_timestamp: the stage (enum load_stage) that ends with it. */
extern const uint8_t load_stage_until[];

/* Adds what one SM has counted. */
void load_time_add_up(struct load_time *sum, const struct load_counts *part);
/* The latency that a share (0 .. 1) of the loads stay below, within its bin as if spread evenly; 0 without
 * loads. */
double load_time_percentile(const struct load_time *time, double share);
/* A table: all loads, the slowest twentieth, and by latency, with the stages' shares. */
void load_time_print(const struct load_time *time, FILE *stream);

#endif
