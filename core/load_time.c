/* core/load_time.c -- a load instruction that has ended: its cycles go to the stages that they were spent in. */
#include "core/sm.h"

/* A load being divided: the cycles from issue to the moment reached so far have been given to stages. */
struct division {
	picoseconds now;
	double cycles_per_ps;
	uint32_t whole, reached;
	uint32_t spent[LOAD_STAGES];
};

static inline uint32_t cycles_since(moment then, picoseconds now, double cycles_per_ps)
{
	return (uint32_t)(int64_t)((double)moment_ago(then, now) * cycles_per_ps + 0.5);
}

/* Up to then it was in this stage; a moment that is not known, or before what has been reached, changes nothing. */
static void until(struct division *d, moment then, enum load_stage stage)
{
	uint32_t back, at;

	if (!then)
		return;
	back = cycles_since(then, d->now, d->cycles_per_ps);
	at = back < d->whole ? d->whole - back : 0;
	at = at > d->reached ? at : d->reached;
	d->spent[stage] += at - d->reached;
	d->reached = at;
}

/* The stage that ends with each moment. */
static const uint8_t stage_until[AT_COUNT] = { [AT_COALESCED] = LOAD_coalescer, [AT_BUFFERED] = LOAD_buffer, [AT_SENT] = LOAD_l1,
	[AT_L2_ARRIVED] = LOAD_xbar, [AT_L2_TAKEN] = LOAD_l2_queue, [AT_ROP_LEFT] = LOAD_rop, [AT_L2_LOOKED_UP] = LOAD_l2_queue,
	[AT_DRAM_TAKEN] = LOAD_dram_queue, [AT_DRAM_QUEUED] = LOAD_dram, [AT_DRAM_COMMAND] = LOAD_dram_queue,
	[AT_DRAM_DATA] = LOAD_dram, [AT_L2_REPLIED] = LOAD_l2 };

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

/* From the coalescer to the reply. */
static void divide(struct division *d, const struct packet *p, const struct cache_wait *wait)
{
	const moment *at = p->at;
	moment own[AT_L2_ARRIVED];

	if (wait) {
		own[AT_COALESCED] = wait->coalesced;
		own[AT_BUFFERED] = wait->buffered;
		own[AT_SENT] = wait->taken;
		at = own;
	}
	for (int i = AT_COALESCED; i < AT_L2_ARRIVED; i++)
		until(d, at[i], stage_until[i]);
	for (int i = AT_L2_ARRIVED; i < AT_COUNT; i++)
		until(d, p->at[i], stage_until[i]);
	until(d, moment_of(d->now), LOAD_return);
}

/* What the L1 had: from the offer on in the L1. */
static void count_hit(const struct sm *sm, struct load_counts *c, uint64_t *of_kernel, const struct memory_op *op,
	uint32_t class, uint32_t whole)
{
	uint32_t in_l1 = cycles_since(op->offered, sim_now(sm->component.sim), sm->cycles_per_ps);
	uint32_t behind = cycles_since(op->entered, sim_now(sm->component.sim), sm->cycles_per_ps);

	in_l1 = in_l1 < whole ? in_l1 : whole;
	behind = behind < in_l1 ? in_l1 : behind < whole ? behind : whole;
	spend(c, of_kernel, class, LOAD_coalescer, whole - behind);
	spend(c, of_kernel, class, LOAD_buffer, behind - in_l1);
	spend(c, of_kernel, class, LOAD_l1, in_l1);
}

static void count_miss(const struct sm *sm, struct load_counts *c, uint64_t *of_kernel, uint32_t class, uint32_t whole)
{
	struct division d = { .now = sim_now(sm->component.sim), .cycles_per_ps = sm->cycles_per_ps, .whole = whole };

	check_journey(sm, sm->lsu.reply);
	divide(&d, sm->lsu.reply, sm->lsu.wait);
	bug_if(d.reached != whole, "SM %u: a load of %u cycles, of which stages have %u", sm->number, whole, d.reached);
	for (int i = 0; i < LOAD_elsewhere; i++)
		spend(c, of_kernel, class, i, d.spent[i]);
}

void load_time_add(struct sm *sm, const struct memory_op *op, cycles now)
{
	struct load_counts *c = &sm->load_counts;
	uint64_t *of_kernel = sm->timing[op->slot].counts->load_stages;
	cycles whole = now - op->issued;
	uint32_t class = class_of(whole);

	if ((op->cause != SLOT_l1_hit && op->cause != SLOT_l1_miss) || whole > sm->longest_load) {
		c->elsewhere += whole;
		of_kernel[LOAD_elsewhere] += whole;
		return;
	}
	c->latency[bin_of(whole)]++;
	c->loads_from[class]++;
	if (sm->lsu.reply)
		count_miss(sm, c, of_kernel, class, (uint32_t)whole);
	else
		count_hit(sm, c, of_kernel, op, class, (uint32_t)whole);
}
