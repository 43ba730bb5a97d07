/* core/lsu/load_time.c -- the cycles of a load instruction that has ended, by the stages in which they were
 * spent. */
#include "core/lsu/load_time.h"
#include "core/kernel/kernel_stats.h"
#include "core/lsu/lsu_in_flight.h"
#include "core/sm/sm.h"
#include "memsys/l1/cache.h"
#include <string.h>

static inline uint32_t cycles_since(timestamp then, picoseconds now, double cycles_per_ps)
{
	return (uint32_t)(int64_t)((double)timestamp_age(then, now) * cycles_per_ps + 0.5);
}

/* The same for all timestamps of a request; the result for unknown ones has no meaning. Timestamps are odd,
 * so half of the distance between two is exact, and leaves a sign bit for the host's vector unit. */
static inline void cycles_since_each(
	const timestamp at[AT_COUNT], picoseconds now, double cycles_per_ps, uint32_t ago[AT_COUNT])
{
	timestamp reference = timestamp_of(now);
	double per_half = 2 * cycles_per_ps;
	int32_t half[AT_COUNT];

	for (int i = 0; i < AT_COUNT; i++)
		half[i] = (int32_t)((reference - at[i]) >> 1);
	for (int i = 0; i < AT_COUNT; i++)
		ago[i] = (uint32_t)(int32_t)((double)half[i] * per_half + 0.5);
}

/* The stage that ends with each timestamp. */
const uint8_t load_stage_until[AT_COUNT] = { [AT_COALESCED] = LOAD_coalescer,
	[AT_BUFFERED] = LOAD_buffer,
	[AT_SENT] = LOAD_l1,
	[AT_L2_ARRIVED] = LOAD_xbar,
	[AT_L2_TAKEN] = LOAD_l2_queue,
	[AT_ROP_LEFT] = LOAD_rop,
	[AT_L2_LOOKED_UP] = LOAD_l2_queue,
	[AT_DRAM_TAKEN] = LOAD_dram_queue,
	[AT_DRAM_QUEUED] = LOAD_dram,
	[AT_DRAM_COMMAND] = LOAD_dram_queue,
	[AT_DRAM_DATA] = LOAD_dram,
	[AT_L2_REPLIED] = LOAD_l2 };

/* The timestamps that every request beyond the L1 has, in order. */
static void check_journey(const struct sm *sm, const timestamp at[AT_COUNT])
{
	static const uint8_t always[] = { AT_SENT, AT_L2_ARRIVED, AT_L2_TAKEN, AT_L2_LOOKED_UP,
		AT_L2_REPLIED };
	uint32_t last = UINT32_MAX;
	timestamp now = timestamp_of(sm->state.local.now);
	bool wrong = false;

#pragma GCC unroll 8
	for (size_t i = 0; i < sizeof(always) / sizeof(*always); i++) {
		uint32_t ago = now - at[always[i]];

		wrong |= !at[always[i]] | (ago > last);
		last = ago;
	}
	bug_if(wrong, "SM %u: a reply whose timestamps are not in order", sm->spec.number);
}

/* Octave of the latency, from 32 on. */
static uint32_t class_of(cycles latency)
{
	uint32_t class = latency < 32 ? 0 : 59 - (uint32_t)__builtin_clzll(latency);

	return class < LOAD_CLASSES ? class : LOAD_CLASSES - 1;
}

static uint32_t bin_of(cycles latency)
{
	uint32_t octave = latency < 16 ? 0 : 63 - (uint32_t)__builtin_clzll(latency);
	uint32_t bin = latency < 16 ? (uint32_t)latency
				    : 16 + (octave - 4) * 4 + (uint32_t)(latency >> (octave - 2) & 3);

	return bin < LOAD_BINS ? bin : LOAD_BINS - 1;
}

/* So many cycles of a load of this class in this stage. */
static void spend(struct load_counts *c, uint64_t *of_kernel, uint32_t class, int stage, uint32_t time)
{
	uint32_t bucket;

	if (!time)
		return;
	bucket = 32 - (uint32_t)__builtin_clz(time);
	c->from[class][stage] += time;
	of_kernel[stage] += time;
	c->spent[stage][bucket]++;
	if (time > c->longest[stage])
		c->longest[stage] = time;
}

/* From the coalescer to the reply. Up to each timestamp the load was in the stage that ends with it; a
 * timestamp that is unknown, or earlier than the last one, changes nothing. */
static void divide(const struct sm *sm, uint32_t whole, uint32_t spent[LOAD_STAGES])
{
	const struct cache_wait *wait = sm->state.lsu.wait;
	timestamp at[AT_COUNT];
	uint32_t ago[AT_COUNT], reached = 0;

	memcpy(at, sm->state.lsu.reply, sizeof(at));
	if (wait) {
		at[AT_COALESCED] = wait->coalesced;
		at[AT_BUFFERED] = wait->buffered;
		at[AT_SENT] = wait->taken;
	}
	cycles_since_each(at, sm->state.local.now, sm->spec.cycles_per_ps, ago);
#pragma GCC unroll 16
	for (int i = 0; i < AT_COUNT; i++) {
		uint32_t back = at[i] && ago[i] < whole ? ago[i] : whole;
		uint32_t then = whole - back > reached ? whole - back : reached;

		spent[load_stage_until[i]] += then - reached;
		reached = then;
	}
	spent[LOAD_return] += whole - reached;
}

/* What the L1 had: from the offer on in the L1. */
static void count_hit(const struct sm *sm, struct load_counts *c, uint64_t *of_kernel,
	const struct memory_op *op, uint32_t class, uint32_t whole)
{
	uint32_t in_l1 = cycles_since(op->offered, sm->state.local.now, sm->spec.cycles_per_ps);
	uint32_t behind = op->entered == op->offered
		? in_l1
		: cycles_since(op->entered, sm->state.local.now, sm->spec.cycles_per_ps);

	in_l1 = in_l1 < whole ? in_l1 : whole;
	behind = behind < in_l1 ? in_l1 : behind < whole ? behind : whole;
	spend(c, of_kernel, class, LOAD_coalescer, whole - behind);
	spend(c, of_kernel, class, LOAD_buffer, behind - in_l1);
	spend(c, of_kernel, class, LOAD_l1, in_l1);
}

static void count_miss(
	const struct sm *sm, struct load_counts *c, uint64_t *of_kernel, uint32_t class, uint32_t whole)
{
	uint32_t spent[LOAD_STAGES] = { 0 };

	check_journey(sm, sm->state.lsu.reply);
	divide(sm, whole, spent);
	for (int i = 0; i < LOAD_elsewhere; i++)
		spend(c, of_kernel, class, i, spent[i]);
}

void load_time_add(struct sm *sm, const struct memory_op *op, cycles now)
{
	struct load_counts *c = &sm->load_counts;
	uint64_t *of_kernel = sm->state.timing_rest[op->slot].counts->load_stages;
	cycles whole = now - op->issued;
	uint32_t class = class_of(whole);

	if ((op->cause != SLOT_l1_hit && op->cause != SLOT_l1_miss) || whole > sm->spec.longest_load) {
		c->elsewhere += whole;
		of_kernel[LOAD_elsewhere] += whole;
		return;
	}
	c->latency[bin_of(whole)]++;
	c->loads_from[class]++;
	if (sm->state.lsu.reply)
		count_miss(sm, c, of_kernel, class, (uint32_t)whole);
	else
		count_hit(sm, c, of_kernel, op, class, (uint32_t)whole);
}
