/* memsys/observe/warps.c -- L2 hit ratio by warp and interval, and warp types (MeDiC, PACT 2015).
 *
 * Intervals are cut lazily, at the first request behind their end: between requests nothing that is counted
 * can change. */
#include "memsys/observe/warps.h"
#include "memsys/observe/hit_ratios.h"
#include "sim/text/c_locale.h"
#include "sim/event/packet.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>
#include <math.h>

const struct sim_param warps_params[] = {
	SIM_BOOL(struct warps_config, enabled, 0,
		"record L2 hit ratios by warp and interval, and warp types: warps.csv, observe.warps.*"),
	SIM_U64(struct warps_config, interval, 100000, 1, 1e15, "core cycles",
		"length of an interval (MeDiC's sampling; our choice of length)"),
	SIM_U32(struct warps_config, least, 30, 1, 1000000000, "requests",
		"least number of requests in an interval; a warp with fewer keeps its type (our choice)"),
	SIM_F64(struct warps_config, mostly_hit, 0.70, 0, 1, "",
		"hit ratio from which a warp is mostly_hit (MeDiC, Figure 3; our choice of value)"),
	SIM_F64(struct warps_config, mostly_miss, 0.20, 0, 1, "",
		"hit ratio up to which a warp is mostly_miss (MeDiC, Figure 3; our choice of value)"),
	SIM_END,
};

bool warps_config_check(const struct warps_config *c, char *message, size_t size)
{
	if (c->mostly_miss < c->mostly_hit)
		return true;
	snprintf(message, size, "mostly_miss = %g is not below mostly_hit = %g", c->mostly_miss,
		c->mostly_hit);
	return false;
}

enum observed_type { ALL_HIT, MOSTLY_HIT, BALANCED, MOSTLY_MISS, ALL_MISS, TYPES };

static const char *const type_names[] = { "all_hit", "mostly_hit", "balanced", "mostly_miss", "all_miss",
	NULL };
static const char *const ratio_names[] = HIT_RATIO_NAMES;
static const char *const drift_names[] = { "0-5", "5-10", "10-20", "20-40", "40-100", NULL };
#define DRIFTS 5
#define FROM(type) \
#type "_to_all_hit", #type "_to_mostly_hit", #type "_to_balanced", #type "_to_mostly_miss", \
		#type "_to_all_miss"
static const char *const change_names[] = { FROM(all_hit), FROM(mostly_hit), FROM(balanced),
	FROM(mostly_miss), FROM(all_miss), NULL };

struct warps_stats {
	uint64_t requests, hits, warps, warps_of_least;
	uint64_t types[TYPES], ratios[HIT_RATIO_RANGES], intervals[TYPES], changes[TYPES * TYPES], samples,
		kept, drifts[DRIFTS];
};

/* A warp that has sent requests. */
struct observed_warp {
	uint64_t id; /* 1, 2, ... in the order of first requests; 0: none */
	uint32_t launch, cta;
	uint8_t type;       /* as of the last interval */
	bool is_classified; /* an interval had enough requests; before that, the type is the initial one */
	double ratio;       /* of the last such interval */
	uint64_t requests, hits; /* since the interval began */
	uint64_t all_requests, all_hits;
};

struct warp_observer {
	struct warps_config config;
	uint32_t sms, slots;
	uint64_t khz;
	struct cache_listener *listeners;
	struct observed_warp *warps; /* by SM, then slot */
	uint64_t ids;
	uint64_t interval; /* under way: 0, 1, ... */
	picoseconds end;   /* of it, exclusive */
	FILE *file;
	struct warps_stats stats;
};

static double hit_ratio(const void *object)
{
	const struct warps_stats *s = object;

	return s->requests ? (double)s->hits / (double)s->requests : 0;
}

static double stability(const void *object)
{
	const struct warps_stats *s = object;

	return s->samples ? (double)s->kept / (double)s->samples : 0;
}

#define COUNT(field, unit, help)         SIM_COUNT(struct warps_stats, field, unit, help)
#define VECTOR(field, names, unit, help) SIM_VECTOR(struct warps_stats, field, names, unit, help)

static const struct sim_stat warps_stats[] = { COUNT(requests, "requests",
						       "loads and atomics of warps that the L2 looked up"),
	COUNT(hits, "requests", "loads and atomics of warps that hit in the L2"),
	SIM_FORMULA("hit_ratio", hit_ratio, "ratio", "hits per load or atomic of warps at the L2"),
	COUNT(warps, "warps", "warps that have ended and had sent requests to the L2"),
	COUNT(warps_of_least, "warps", "ended warps with at least observe.warps.least requests"),
	VECTOR(types, type_names, "warps",
		"ended warps with enough requests, by type over their whole life (MeDiC, Figure 3)"),
	VECTOR(ratios, ratio_names, "warps",
		"ended warps with enough requests, by hit ratio in percent: 0, ten ranges without their "
		"lower ends, 100 (MeDiC, Figure 2)"),
	VECTOR(intervals, type_names, "warps",
		"warps by type at the ends of intervals in which they sent requests"),
	COUNT(samples, "warps",
		"warps at the ends of intervals in which they sent enough requests to be classified, except "
		"the first of each warp"),
	COUNT(kept, "warps",
		"warps at the ends of intervals with enough requests whose type had not changed since the "
		"interval before"),
	VECTOR(drifts, drift_names, "warps",
		"warps at the ends of intervals with enough requests, by the difference between the hit "
		"ratio and the ratio in the warp's interval before, in percentage points"),
	SIM_FORMULA("stability", stability, "ratio",
		"share of types that did not change from interval to interval (MeDiC, Figure 4)"),
	VECTOR(changes, change_names, "warps",
		"warps by their types before and after an interval; the first change is from balanced"),
	SIM_STAT_END };

static enum observed_type observed_type_of(const struct warps_config *c, uint64_t hits, uint64_t requests)
{
	double ratio = (double)hits / (double)requests;

	if (hits == requests)
		return ALL_HIT;
	if (!hits)
		return ALL_MISS;
	return ratio >= c->mostly_hit ? MOSTLY_HIT : ratio <= c->mostly_miss ? MOSTLY_MISS : BALANCED;
}

/* ---- intervals ---- */

static picoseconds edge(const struct warp_observer *o, uint64_t interval)
{
	return (picoseconds)((unsigned __int128)interval * o->config.interval * 1000000000u / o->khz);
}

static uint32_t drift_range(double drift)
{
	return drift <= 0.05 ? 0 : drift <= 0.10 ? 1 : drift <= 0.20 ? 2 : drift <= 0.40 ? 3 : 4;
}

static void judge_warp(struct warp_observer *o, struct observed_warp *w)
{
	enum observed_type before = w->type;
	double ratio = (double)w->hits / (double)w->requests;

	if (w->requests >= o->config.least) {
		w->type = (uint8_t)observed_type_of(&o->config, w->hits, w->requests);
		o->stats.changes[before * TYPES + w->type]++;
		if (w->is_classified) {
			o->stats.samples++;
			o->stats.kept += w->type == before;
			o->stats.drifts[drift_range(fabs(ratio - w->ratio))]++;
		}
		w->is_classified = true;
		w->ratio = ratio;
	}
	o->stats.intervals[w->type]++;
}

static void write_row(const struct warp_observer *o, const struct observed_warp *w, uint32_t index)
{
	locale_t before = c_locale_enter();

	fprintf(o->file, "%" PRIu64 ",%" PRIu64 ",%u,%u,%" PRIu64 ",%u,%u,%" PRIu64 ",%" PRIu64 ",%.6f,%s\n",
		o->interval, (o->interval + 1) * o->config.interval, index / o->slots, index % o->slots,
		w->id, w->launch, w->cta, w->requests, w->hits, (double)w->hits / (double)w->requests,
		type_names[w->type]);
	c_locale_leave(before);
}

/* What the warp did in the interval is judged and written. */
static void end_interval(struct warp_observer *o, uint32_t index)
{
	struct observed_warp *w = &o->warps[index];

	if (!w->requests)
		return;
	judge_warp(o, w);
	if (o->file)
		write_row(o, w, index);
	w->requests = w->hits = 0;
}

static void cut_all(struct warp_observer *o, picoseconds now)
{
	for (uint32_t i = 0; i < o->sms * o->slots; i++)
		end_interval(o, i);
	o->interval = (uint64_t)((unsigned __int128)now * o->khz / 1000000000u / o->config.interval);
	while (edge(o, o->interval + 1) <= now)
		o->interval++;
	o->end = edge(o, o->interval + 1);
}

/* ---- warps ---- */

static void end_warp(struct warp_observer *o, uint32_t index)
{
	struct observed_warp *w = &o->warps[index];

	if (!w->id)
		return;
	end_interval(o, index);
	o->stats.warps++;
	if (w->all_requests >= o->config.least) {
		o->stats.warps_of_least++;
		o->stats.types[observed_type_of(&o->config, w->all_hits, w->all_requests)]++;
		o->stats.ratios[hit_ratio_range(w->all_hits, w->all_requests)]++;
	}
	*w = (struct observed_warp){ 0 };
}

static struct observed_warp *warp_of(struct warp_observer *o, const struct requester *by)
{
	uint32_t index = by->sm * o->slots + by->warp;
	struct observed_warp *w = &o->warps[index];

	if (w->id && w->launch == by->launch && w->cta == by->cta)
		return w;
	end_warp(o, index);
	*w = (struct observed_warp){ .id = ++o->ids, .launch = by->launch, .cta = by->cta, .type = BALANCED };
	return w;
}

static void count_warp_access(void *user, const struct access_event *e)
{
	struct warp_observer *o = user;
	struct observed_warp *w;
	bool is_hit = e->outcome == ACCESS_HIT;

	if (e->outcome > ACCESS_MERGED || !e->by.lanes || e->by.sm >= o->sms || e->by.warp >= o->slots)
		return;
	if (e->now >= o->end)
		cut_all(o, e->now);
	w = warp_of(o, &e->by);
	w->requests++;
	w->all_requests++;
	w->hits += is_hit;
	w->all_hits += is_hit;
	o->stats.requests++;
	o->stats.hits += is_hit;
}

/* ---- construction ---- */

struct warp_observer *warp_observer_new(const struct warps_config *config, uint32_t sms, uint32_t slots,
	uint64_t khz, struct stat_tree *stats)
{
	struct warp_observer *o = xcalloc(1, sizeof(*o));

	o->config = *config;
	o->sms = sms;
	o->slots = slots;
	o->khz = khz;
	o->warps = xcalloc((size_t)sms * slots, sizeof(*o->warps));
	o->end = edge(o, 1);
	stat_register(stats, "observe.warps", -1, warps_stats, &o->stats, sizeof(o->stats));
	return o;
}

void warp_observer_free(struct warp_observer *o)
{
	if (!o)
		return;
	free(o->listeners);
	free(o->warps);
	free(o);
}

struct cache_listener *warp_observer_listener(struct warp_observer *o, uint32_t slice, uint32_t slices)
{
	if (!o->listeners)
		o->listeners = xcalloc(slices, sizeof(*o->listeners));
	o->listeners[slice] = (struct cache_listener){ .user = o, .accessed = count_warp_access };
	return &o->listeners[slice];
}

void warp_observer_open(struct warp_observer *o, FILE *file)
{
	o->file = file;
	if (file)
		fputs("interval,until_cycle,sm,slot,warp,launch,cta,requests,hits,hit_ratio,type\n", file);
}

void warp_observer_idle(struct warp_observer *o)
{
	for (uint32_t i = 0; i < o->sms * o->slots; i++)
		end_warp(o, i);
}

void warp_observer_end(struct warp_observer *o, uint32_t launch)
{
	for (uint32_t i = 0; i < o->sms * o->slots; i++)
		if (o->warps[i].launch == launch)
			end_warp(o, i);
}
