/* tests/unit/dram/bandwidth.h -- the two-way check of DRAM: streams through a channel against bandwidths
 * worked out by hand. */
#ifndef TEST_DRAM_BANDWIDTH_H
#define TEST_DRAM_BANDWIDTH_H

#include "rig.h"

/* Addresses under "row:bank:column" with 16 banks and rows of 4 KB. */
#define PLACE(row, bank, column) ((addr)(row) << 16 | (addr)(bank) << 12 | (addr)(column))

static inline bool sequential_read(struct rig *rig, struct packet *p)
{
	p->local = rig->sent * 128;
	return true;
}

static inline bool sequential_write(struct rig *rig, struct packet *p)
{
	p->kind = PACKET_WRITE;
	return sequential_read(rig, p);
}

/* Runs n requests of 128 bytes and returns bytes per command cycle, from the first request to the last reply
 * or WR. */
static inline double bandwidth_with(const struct dram_config *config, const char *scheduler,
	bool (*next)(struct rig *, struct packet *), uint64_t n)
{
	struct rig rig;
	double result;

	rig_init_with(&rig, config, rig_scheduler(scheduler), next, n);
	rig_run(&rig);
	cr_assert_eq(rig_stat(&rig, "reads") + rig_stat(&rig, "writes"), n);
	cr_assert_eq(rig_stat(&rig, "bytes"), n * 128);
	cr_assert_eq(rig_stat(&rig, "row_hits") + rig_stat(&rig, "row_misses") +
			rig_stat(&rig, "row_conflicts") + rig_stat(&rig, "forwarded"),
		n);
	result = (double)n * 128 / (double)sim_cycle(rig.sim, CLOCK_DRAM);
	rig_fini(&rig);
	return result;
}

static inline double bandwidth(
	const struct dram_config *config, bool (*next)(struct rig *, struct packet *), uint64_t n)
{
	return bandwidth_with(config, "", next, n);
}

/* A line of the table, and the verdict: within 2 %. */
static inline void is_within_two_percent(const char *what, double measured, double by_hand)
{
	fprintf(stderr, "%-42s %8.3f %8.3f %+7.2f %%\n", what, measured, by_hand,
		100 * (measured / by_hand - 1));
	cr_assert(measured > by_hand * 0.98 && measured < by_hand * 1.02, "%s: %.3f, by hand %.3f", what,
		measured, by_hand);
}

#endif
