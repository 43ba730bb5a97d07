/* core/load_time.c -- a load instruction that has ended: its cycles go to the stages that they were spent in. */
#include "core/sm.h"

#define LONGEST_PS 4e9 /* moments tell times up to here apart */

/* A load being divided: the cycles from issue to the moment reached so far have been given to stages. */
struct division {
	picoseconds now;
	double cycles_per_ps;
	cycles whole, reached;
	uint64_t spent[LOAD_STAGES];
};

/* Up to then it was in this stage; a moment that is not known, or before what has been reached, changes nothing. */
static inline void until(struct division *d, moment then, enum load_stage stage)
{
	cycles back = (cycles)((double)moment_ago(then, d->now) * d->cycles_per_ps + 0.5);

	if (!then || back >= d->whole || d->whole - back <= d->reached)
		return;
	d->spent[stage] += d->whole - back - d->reached;
	d->reached = d->whole - back;
}

/* To be called in the order of enum packet_moment. */
static void divide_journey(struct division *d, const struct packet *p)
{
	until(d, p->at[AT_L2_ARRIVED], LOAD_xbar);
	until(d, p->at[AT_L2_TAKEN], LOAD_l2_queue);
	until(d, p->at[AT_ROP_LEFT], LOAD_rop);
	until(d, p->at[AT_L2_LOOKED_UP], LOAD_l2_queue);
	until(d, p->at[AT_DRAM_TAKEN], LOAD_dram_queue);
	until(d, p->at[AT_DRAM_QUEUED], LOAD_dram);
	until(d, p->at[AT_DRAM_COMMAND], LOAD_dram_queue);
	until(d, p->at[AT_DRAM_DATA], LOAD_dram);
	until(d, p->at[AT_L2_REPLIED], LOAD_l2);
	until(d, moment_of(d->now), LOAD_return);
}

/* The moments that every request beyond the L1 has, in order. */
static void check_journey(const struct sm *sm, const struct packet *p)
{
	static const uint8_t always[] = { AT_SENT, AT_L2_ARRIVED, AT_L2_TAKEN, AT_L2_LOOKED_UP, AT_L2_REPLIED };
	uint32_t last = UINT32_MAX;

	for (size_t i = 0; i < sizeof(always) / sizeof(*always); i++) {
		uint32_t ago = moment_ago(p->at[always[i]], sim_now(sm->component.sim));

		bug_if(!p->at[always[i]] || ago > last, "SM %u: a reply whose moments are not in order", sm->number);
		last = ago;
	}
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
	uint32_t bin = latency < 16 ? (uint32_t)latency : 16 + (octave - 4) * 4 + (uint32_t)(latency >> (octave - 2) & 3);

	return bin < LOAD_BINS ? bin : LOAD_BINS - 1;
}

static void count(struct load_time *t, uint64_t *of_kernel, const struct division *d)
{
	uint32_t class = class_of(d->whole);

	t->counts.loads++;
	t->counts.cycles += d->whole;
	t->counts.latency[bin_of(d->whole)]++;
	t->counts.loads_from[class]++;
	for (int i = 0; i < LOAD_STAGES; i++) {
		t->counts.stages[i] += d->spent[i];
		t->counts.from[class][i] += d->spent[i];
		of_kernel[i] += d->spent[i];
	}
	for (int i = 0; i < LOAD_STAGES; i++)
		if (d->spent[i])
			sim_hist_add(&t->spent[i], d->spent[i]);
}

void load_time_add(struct sm *sm, const struct memory_op *op, cycles now)
{
	const struct packet *p = sm->lsu.reply;
	const struct cache_wait *wait = sm->lsu.wait;
	struct kernel_stats *kernel = sm->timing[op->slot].counts;
	struct division d = { .now = sim_now(sm->component.sim), .cycles_per_ps = sm->cycles_per_ps, .whole = now - op->issued };

	if ((op->cause != SLOT_l1_hit && op->cause != SLOT_l1_miss) || (double)d.whole > LONGEST_PS * d.cycles_per_ps) {
		sm->load_time.counts.stages[LOAD_elsewhere] += d.whole;
		kernel->load_stages[LOAD_elsewhere] += d.whole;
		return;
	}
	if (p) {
		check_journey(sm, p);
		until(&d, wait ? wait->coalesced : p->at[AT_COALESCED], LOAD_coalescer);
		until(&d, wait ? wait->buffered : p->at[AT_BUFFERED], LOAD_buffer);
		until(&d, wait ? wait->taken : p->at[AT_SENT], LOAD_l1);
		divide_journey(&d, p);
	} else {
		until(&d, op->offered, LOAD_coalescer);
		until(&d, moment_of(d.now), LOAD_l1);
	}
	bug_if(d.reached != d.whole, "SM %u: a load of %llu cycles, of which stages have %llu", sm->number,
		(unsigned long long)d.whole, (unsigned long long)d.reached);
	count(&sm->load_time, kernel->load_stages, &d);
}
