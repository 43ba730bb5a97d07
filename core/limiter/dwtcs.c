/* core/limiter/dwtcs.c -- dynamic warp throttling via cores sampling: SMs try different numbers of active
 * warps, and all of them go on with the number that did most.
 *
 * Khairy, Zahran, Wassal, GPGPU 2015, section 4.2. Core cycles since the kernel's first CTA are divided into
 * periods. While DETECTING nobody is limited; `detect` periods in a row whose L1 misses per thousand
 * instructions, of all SMs together, exceed `mpki` lead on. If a number is known from an earlier launch of
 * the kernel, it holds at once; otherwise, SAMPLING, each SM tries a number for `sample` periods, in one
 * round or more (dwtcs_search.h), and the winner is remembered with the kernel's name. Then, THROTTLED, each
 * scheduler of each SM lets its so many oldest warps issue, as swl does, until the kernel ends. A search that
 * the kernel's end cuts off finds nothing; one in which no SM issued anything begins again with detection.
 *
 * Of kernels that run at once the one that started first is searched for, and its number holds for all; when
 * it ends, detection begins anew for the next. Misses and instructions are those of all.
 *
 * SMs read no neighbour's state: each registers its counters with the coordinator, the object that they
 * share. Whichever SM decides first at or after a period's end acts for it. It finds all counters as the
 * period left them: an SM that has had its turn since would have decided first. All SMs follow in the same
 * cycle, so that reports and answers take no time. What is off is that SM's own L1, which has had its turn:
 * an access of that cycle counts for the period before. */
#include "core/dispatch/dispatch.h"
#include "core/limiter/dwtcs_search.h"
#include "core/limiter/limiter.h"

#define MOST_REMEMBERED 1024

enum phase { DETECTING, SAMPLING, THROTTLED };
static const char *const phase_names[] = { "detecting", "sampling", "throttled", NULL };

enum counting { THREAD_INSTRUCTIONS, WARP_INSTRUCTIONS, CYCLES, CHIP_CYCLES };
static const char *const counting_names[] = { "thread_instructions", "warp_instructions", "cycles",
	"chip_cycles", NULL };

struct launch_under_way {
	uint64_t launch, name; /* name: hash */
};

struct known {
	uint64_t name;
	uint32_t warps;
};

/* What an SM has registered. */
struct report {
	const uint64_t *instructions, *threads, *more_threads;
	const struct cache_stats *l1;
};

struct coordinator {
	struct report reports[DISPATCH_SMS];       /* all zero: the SM has had no CTA yet */
	struct launch_under_way runs[MAX_KERNELS]; /* the oldest first: the one that this is about */
	uint32_t run_count;
	uint32_t known_count, known_next;
	struct known known[MOST_REMEMBERED]; /* the oldest goes first */
	/* of the oldest launch */
	enum phase phase;
	uint32_t row;          /* DETECTING: periods above the threshold, one after the other */
	uint32_t periods_left; /* SAMPLING: of this round */
	uint32_t warps;        /* THROTTLED: by scheduler */
	struct dwtcs_search search;
	cycles counted;                  /* cycles of the phase are counted up to here, exclusive */
	cycles period_end;               /* the first cycle of the next period */
	uint64_t instructions, misses;   /* when the period began */
	uint64_t at_start[DISPATCH_SMS]; /* SAMPLING: instructions when the round began */
};

struct dwtcs {
	struct limiter base;
	/* parameters */
	uint32_t period, detect, sample, counts, remembered;
	double mpki;
	/* statistics: of what this SM did as the coordinator */
	uint64_t periods, above, detections, searches, rounds, reuses, cut_off, without_result;
	uint64_t phase_cycles[THROTTLED + 1];
	struct sim_histogram chosen, period_mpki;
};

/* ---- what SMs report ---- */

static void register_counters(struct limiter *l)
{
	struct coordinator *c = l->shared;

	c->reports[l->sm] = (struct report){ l->instructions, l->threads, l->more_threads, l->l1 };
}

static uint64_t instructions_of(const struct dwtcs *d, uint32_t sm)
{
	const struct report *r = &((const struct coordinator *)d->base.shared)->reports[sm];

	if (!r->instructions)
		return 0;
	return d->counts == WARP_INSTRUCTIONS ? *r->instructions : *r->threads + *r->more_threads;
}

static uint64_t misses_of(const struct dwtcs *d, uint32_t sm)
{
	const struct cache_stats *l1 = ((const struct coordinator *)d->base.shared)->reports[sm].l1;

	return l1 ? l1->misses + l1->tag_only_misses : 0;
}

/* ---- kernels that have run before ---- */

static uint64_t kernel_name_hash(const char *name)
{
	uint64_t hash = 14695981039346656037u; /* FNV-1a */

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 1099511628211u;
	return hash;
}

/* 0: unknown. */
static uint32_t recall(const struct coordinator *c, uint64_t name)
{
	for (uint32_t i = 0; i < c->known_count; i++)
		if (c->known[i].name == name)
			return c->known[i].warps;
	return 0;
}

static void remember_limit(struct dwtcs *d, uint64_t name, uint32_t warps)
{
	struct coordinator *c = d->base.shared;

	if (!d->remembered)
		return;
	c->known[c->known_next] = (struct known){ name, warps };
	c->known_next = (c->known_next + 1) % d->remembered;
	c->known_count += c->known_count < d->remembered;
}

/* ---- phases ---- */

static void count_cycles(struct dwtcs *d, cycles until)
{
	struct coordinator *c = d->base.shared;

	d->phase_cycles[c->phase] += until - c->counted;
	c->counted = until;
}

static void detect_again(struct coordinator *c)
{
	c->phase = DETECTING;
	c->row = 0;
}

static void throttle(struct dwtcs *d, uint32_t warps)
{
	struct coordinator *c = d->base.shared;

	c->phase = THROTTLED;
	c->warps = warps;
	sim_hist_add(&d->chosen, warps);
}

static void begin_round(struct dwtcs *d)
{
	struct coordinator *c = d->base.shared;

	d->rounds++;
	c->phase = SAMPLING;
	c->periods_left = d->sample;
	for (uint32_t i = 0; i < d->base.sms; i++)
		c->at_start[i] = instructions_of(d, i);
}

static void end_round(struct dwtcs *d)
{
	struct coordinator *c = d->base.shared;
	uint64_t done[DISPATCH_SMS];

	for (uint32_t i = 0; i < d->base.sms; i++)
		done[i] = instructions_of(d, i) - c->at_start[i];
	if (dwtcs_search_next(&c->search, done)) {
		begin_round(d);
	} else if (!c->search.best) {
		d->without_result++;
		detect_again(c);
	} else {
		remember_limit(d, c->runs[0].name, c->search.best);
		throttle(d, c->search.best);
	}
}

static void detected(struct dwtcs *d)
{
	struct coordinator *c = d->base.shared;
	uint32_t warps = recall(c, c->runs[0].name);

	d->detections++;
	if (warps) {
		d->reuses++;
		throttle(d, warps);
		return;
	}
	d->searches++;
	dwtcs_search_begin(&c->search, d->base.sms, limiter_most_slots(&d->base));
	begin_round(d);
}

/* ---- periods ---- */

/* Counters at the beginning of a period. */
static void begin_period(struct dwtcs *d, cycles end)
{
	struct coordinator *c = d->base.shared;

	c->instructions = c->misses = 0;
	for (uint32_t i = 0; i < d->base.sms; i++) {
		c->instructions += instructions_of(d, i);
		c->misses += misses_of(d, i);
	}
	c->period_end = end;
}

/* What the period's misses are divided by. */
static uint64_t period_base(const struct dwtcs *d, uint64_t instructions)
{
	switch (d->counts) {
	case CYCLES:
		return d->period * (uint64_t)d->base.sms;
	case CHIP_CYCLES:
		return d->period;
	default:
		return instructions;
	}
}

/* Whether misses per thousand instructions, or cycles, exceed the threshold; misses without any instruction
 * do. */
static bool is_above(struct dwtcs *d, uint64_t instructions, uint64_t misses)
{
	uint64_t base = period_base(d, instructions);
	bool above = (double)misses * 1000 > d->mpki * (double)base;

	d->periods++;
	d->above += above;
	if (base)
		sim_hist_add(&d->period_mpki, misses * 1000 / base);
	return above;
}

static void end_period(struct dwtcs *d)
{
	struct coordinator *c = d->base.shared;
	uint64_t instructions = c->instructions, misses = c->misses;
	bool above;

	count_cycles(d, c->period_end);
	begin_period(d, c->period_end + d->period);
	above = is_above(d, c->instructions - instructions, c->misses - misses);
	if (c->phase == DETECTING) {
		c->row = above ? c->row + 1 : 0;
		if (c->row == d->detect)
			detected(d);
	} else if (c->phase == SAMPLING && !--c->periods_left) {
		end_round(d);
	}
}

/* Periods that ended before cycle `now`. Of several all but the first are empty, since nobody had a turn in
 * them. */
static void end_due_periods(struct dwtcs *d, cycles now)
{
	struct coordinator *c = d->base.shared;

	while (c->run_count && now >= c->period_end)
		end_period(d);
}

/* The oldest launch begins, or has become the oldest, in cycle `now`, after the SMs. */
static void begin_oldest_launch(struct dwtcs *d, cycles now)
{
	struct coordinator *c = d->base.shared;

	detect_again(c);
	c->counted = now + 1;
	begin_period(d, now + 1 + d->period);
}

/* ---- hooks ---- */

static void dwtcs_decide(struct limiter *l, cycles now)
{
	struct dwtcs *d = (struct dwtcs *)l;
	const struct coordinator *c = l->shared;

	end_due_periods(d, now);
	l->next = c->run_count ? c->period_end : SIM_NEVER;
	if (!c->run_count || c->phase == DETECTING)
		l->may_issue = ~UINT64_C(0);
	else
		l->may_issue = limiter_oldest_of_each(
			l, c->phase == SAMPLING ? dwtcs_search_number(&c->search, l->sm) : c->warps);
}

/* Where the launch is among those under way; run_count: it is not. */
static uint32_t launch_location(const struct coordinator *c, uint64_t launch)
{
	uint32_t i = 0;

	while (i < c->run_count && c->runs[i].launch != launch)
		i++;
	return i;
}

static void dwtcs_kernel_started(void *policy, const char *name, uint64_t launch, cycles now)
{
	struct limiter *l = policy;
	struct coordinator *c = l->shared;
	uint32_t index = launch_location(c, launch);

	register_counters(l);
	if (index < c->run_count)
		return;
	c->runs[c->run_count++] = (struct launch_under_way){ launch, kernel_name_hash(name) };
	if (!index)
		begin_oldest_launch((struct dwtcs *)l, now);
}

static void dwtcs_kernel_ended(struct limiter *l, uint64_t launch, cycles now)
{
	struct dwtcs *d = (struct dwtcs *)l;
	struct coordinator *c = l->shared;
	uint32_t index = launch_location(c, launch);

	if (index == c->run_count)
		return;
	end_due_periods(d, now + 1);
	if (!index) {
		count_cycles(d, now + 1);
		d->cut_off += c->phase == SAMPLING;
	}
	c->run_count--;
	for (uint32_t i = index; i < c->run_count; i++)
		c->runs[i] = c->runs[i + 1];
	if (!index && c->run_count)
		begin_oldest_launch(d, now);
}

/* ---- tables ---- */

static const struct sim_param dwtcs_params[] = {
	SIM_U32(struct dwtcs, period, 10000, 10, 1000000000, "cycles",
		"core cycles of a sampling period (Table 4 of the paper)"),
	SIM_F64(struct dwtcs, mpki, 10, 0, 1000000, "misses",
		"threshold of a period: L1 misses of all SMs per thousand of what `counts` says (Table 4)"),
	SIM_U32(struct dwtcs, detect, 3, 1, 1000000, "periods",
		"consecutive periods above the threshold after which numbers are tried (N; not printed: 3, "
		"so that detection and search take the paper's 60000 cycles)"),
	SIM_U32(struct dwtcs, sample, 3, 1, 1000000, "periods",
		"periods of a round, in which each SM tries a number (M; not printed: see detect)"),
	SIM_ENUM(struct dwtcs, counts, THREAD_INSTRUCTIONS, counting_names,
		"what misses are divided by: the instructions by which SMs are compared too, the cycles of "
		"all SMs (cycles), or the cycles of the chip (chip_cycles); with cycles SMs compare by "
		"thread instructions (the paper's text says misses per kilo cycles and calls them MPKI)"),
	SIM_U32(struct dwtcs, remembered, 64, 0, MOST_REMEMBERED, "kernels",
		"kernels, the latest ones, whose numbers are kept for their next launch; 0: every launch is "
		"searched anew (our choice)"),
	SIM_END,
};

static const struct sim_stat dwtcs_stats[] = {
	SIM_COUNT(struct dwtcs, periods, "periods",
		"sampling periods that ended (counted, as all statistics of dwtcs, by the SM that "
		"coordinates)"),
	SIM_COUNT(struct dwtcs, above, "periods", "sampling periods with more misses than the threshold"),
	SIM_COUNT(struct dwtcs, detections, "launches",
		"kernel launches that exceeded the threshold long enough to be throttled"),
	SIM_COUNT(struct dwtcs, searches, "searches", "searches for the best number of warps that began"),
	SIM_COUNT(struct dwtcs, rounds, "rounds", "rounds of searches for the best number of warps"),
	SIM_COUNT(struct dwtcs, reuses, "launches",
		"kernel launches that reused the number found for an earlier launch"),
	SIM_COUNT(struct dwtcs, cut_off, "searches", "searches that ended early because their kernel ended"),
	SIM_COUNT(struct dwtcs, without_result, "searches",
		"searches without a result because no SM issued anything"),
	SIM_VECTOR(struct dwtcs, phase_cycles, phase_names, "cycles",
		"cycles since kernels began, by the phase of the limiter (counted when a period or the "
		"kernel ends)"),
	SIM_HIST(struct dwtcs, chosen, "warps",
		"number of warps per scheduler to which a launch was throttled"),
	SIM_HIST(struct dwtcs, period_mpki, "misses",
		"L1 misses of a period per thousand of what `counts` says"),
	SIM_STAT_END,
};

static const struct policy_storage limiter_dwtcs_storage[] = {
	STORED(96, "SM", "counters of a period: instructions, misses, cycles, 32 bits each",
		"GPGPU 2015 names the counters; the width is ours"),
	STORED_ENTRIES(struct dwtcs, remembered, 38, "chip",
		"a kernel that has run: its number and the limit that was best for it", "ours"),
	STORED_END,
};

const struct limiter_class limiter_dwtcs = {
	.name = "dwtcs",
	.help = "SMs try different numbers of active warps, and the best number is used by all",
	.source = "Khairy et al., GPGPU 2015",
	.storage = limiter_dwtcs_storage,
	.size = sizeof(struct dwtcs),
	.shared_size = sizeof(struct coordinator),
	.needs_l1 = true,
	.params = dwtcs_params,
	.stats = dwtcs_stats,
	.decide = dwtcs_decide,
	.kernel_started = dwtcs_kernel_started,
	.kernel_ended = dwtcs_kernel_ended,
};
