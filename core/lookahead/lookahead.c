/* core/lookahead/lookahead.c -- what the memory side's fixed latency guarantees: see lookahead.h. */
#include "core/lookahead/lookahead.h"
#include "core/chip/gpu_config.h"
#include "sim/event/clock.h"
#include <math.h>

static uint64_t gcd(uint64_t a, uint64_t b)
{
	return b ? gcd(b, a % b) : a;
}

static uint64_t khz(double mhz)
{
	return (uint64_t)llround(mhz * 1000);
}

/* Core cycles after which edges of both clocks coincide. */
static uint64_t meeting(const struct gpu_config *g, double mhz)
{
	return khz(g->core_mhz) / gcd(khz(g->core_mhz), khz(mhz));
}

static uint64_t both(uint64_t a, uint64_t b)
{
	return a / gcd(a, b) * b;
}

static uint32_t cycles_of(uint64_t core, const struct gpu_config *g, double mhz)
{
	return (uint32_t)((core * khz(mhz) + khz(g->core_mhz) / 2) / khz(g->core_mhz));
}

/* Core cycles of the pipeline but for its last L2 cycle. */
static uint64_t longest(const struct gpu_config *g, uint32_t rop_latency)
{
	uint64_t most = (rop_latency - 1) * khz(g->core_mhz) / khz(g->l2_mhz);

	return most < MAX_LOOKAHEAD ? most : MAX_LOOKAHEAD;
}

/* Core cycles after which edges of all clocks coincide. */
static uint64_t common_clock_edge(const struct gpu_config *g)
{
	return both(both(meeting(g, g->l2_mhz), meeting(g, g->xbar_mhz)), meeting(g, g->dram_mhz));
}

/* Whether cores, networks and L2 have one clock, and the DRAM another. */
static bool dram_stands_alone(const struct gpu_config *g)
{
	return khz(g->core_mhz) == khz(g->xbar_mhz) && khz(g->core_mhz) == khz(g->l2_mhz) &&
		khz(g->core_mhz) != khz(g->dram_mhz);
}

/* Every edge of the DRAM lies at a multiple of 1/n of a core cycle. Times are rounded to the nearest cycle,
 * and the times of up to four edges, each known to 2 ps, make one: no result changes if no edge lies within 8
 * ps of the middle of a cycle. Nor does one if the lookahead is a whole number of picoseconds, since all
 * edges then move by the same time. What the statistics say of machines whose L2 has another clock than the
 * cores is left as it is. */
bool dram_times_round_alike(const struct gpu_config *g, uint32_t rop_latency)
{
	uint64_t core = khz(g->core_mhz), n = khz(g->dram_mhz) / gcd(core, khz(g->dram_mhz));
	uint64_t most = longest(g, rop_latency), ahead = most - most % common_clock_edge(g);

	return core != khz(g->l2_mhz) || (ahead && ahead * 1000000000u % core == 0) ||
		(n & 1 && 1e9 / (double)core / (double)(2 * n) > 8);
}

/* As many core cycles, of which each clock makes a whole number. */
static struct lookahead together(const struct gpu_config *g, uint64_t core)
{
	return (struct lookahead){ .core = (uint32_t)core,
		.xbar = cycles_of(core, g, g->xbar_mhz),
		.l2 = cycles_of(core, g, g->l2_mhz),
		.dram = cycles_of(core, g, g->dram_mhz) };
}

/* The same of all clocks but the DRAM's. */
static struct lookahead dram_moved(const struct gpu_config *g, uint64_t core)
{
	struct lookahead w = together(g, core);
	struct clock_lead lead;
	struct clock dram;

	clock_init_ahead(&dram, khz(g->dram_mhz), &lead, khz(g->core_mhz), core);
	w.dram = (uint32_t)lead.first;
	w.moves_dram = true;
	return w;
}

struct lookahead lookahead_of(const struct gpu_config *g, uint32_t rop_latency, uint32_t refresh)
{
	uint64_t most = longest(g, rop_latency), core = most - most % common_clock_edge(g);
	struct lookahead w = dram_stands_alone(g) ? dram_moved(g, core ? core : most) : together(g, core);

	if (!w.l2 || w.l2 >= rop_latency || (refresh && w.dram >= refresh))
		return (struct lookahead){ 0 };
	return w;
}

uint32_t epoch_of(const struct gpu_config *g, uint32_t rop_latency)
{
	uint64_t most = longest(g, rop_latency), core = most - most % common_clock_edge(g);

	return (uint32_t)(core ? core : most ? most : 1);
}
