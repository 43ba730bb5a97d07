/* memsys/observe/requests.c -- requests by level, waiting memory instructions, inter-warp coalescing
 * opportunity (WarpPool).
 *
 * The distance of a line request is how many requests before it its line was last asked for: 1, if by the
 * request before. A window of w requests can spare those with distances up to w; with 0, each goes on.
 * Windows slide over the requests that the coalescer made, merged or not, of loads that the L1 has taken. */
#include "memsys/observe/requests.h"
#include "sim/text/c_locale.h"
#include "sim/event/packet.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>

#define DISTANCES (REQUEST_WINDOW + 1) /* the last: farther, or never before */

struct requests_stats {
	uint64_t lanes, lines, to_l2, dram_reads, dram_writes;
	struct sim_histogram lines_per_load, waiting;
	uint64_t crowded_cycles;
	uint64_t distances[DISTANCES];
};

struct request_observer {
	uint16_t sm;
	struct cache_listener l1;
	addr recent[REQUEST_WINDOW]; /* ring of the last lines */
	uint32_t head, filled;
	uint32_t waiting; /* memory instructions, since ... */
	bool is_resident;
	cycles since;
	struct requests_stats stats;
};

/* ---- declarations ---- */

#define N4(a, b, c, d) #a, #b, #c, #d
static const char *const distance_names[] = { N4(1, 2, 3, 4), N4(5, 6, 7, 8), N4(9, 10, 11, 12),
	N4(13, 14, 15, 16), N4(17, 18, 19, 20), N4(21, 22, 23, 24), N4(25, 26, 27, 28), N4(29, 30, 31, 32),
	N4(33, 34, 35, 36), N4(37, 38, 39, 40), N4(41, 42, 43, 44), N4(45, 46, 47, 48), N4(49, 50, 51, 52),
	N4(53, 54, 55, 56), N4(57, 58, 59, 60), N4(61, 62, 63, 64), N4(65, 66, 67, 68), N4(69, 70, 71, 72),
	N4(73, 74, 75, 76), N4(77, 78, 79, 80), N4(81, 82, 83, 84), N4(85, 86, 87, 88), N4(89, 90, 91, 92),
	N4(93, 94, 95, 96), N4(97, 98, 99, 100), N4(101, 102, 103, 104), N4(105, 106, 107, 108),
	N4(109, 110, 111, 112), N4(113, 114, 115, 116), N4(117, 118, 119, 120), N4(121, 122, 123, 124),
	N4(125, 126, 127, 128), "beyond", NULL };
_Static_assert(sizeof(distance_names) / sizeof(*distance_names) == DISTANCES + 1, "a name for each distance");

static double share_of(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static double left_by_coalescer(const void *object)
{
	const struct requests_stats *s = object;

	return share_of(s->lines, s->lanes);
}

static double left_by_l1(const void *object)
{
	const struct requests_stats *s = object;

	return share_of(s->to_l2, s->lanes);
}

static double left_by_l2(const void *object)
{
	const struct requests_stats *s = object;

	return share_of(s->dram_reads + s->dram_writes, s->lanes);
}

static double crowded(const void *object)
{
	const struct requests_stats *s = object;

	return share_of(s->crowded_cycles, s->waiting.samples);
}

/* Of the line requests of loads, the share that a window of so many requests would leave. */
static double left_by_window(const struct requests_stats *s, uint32_t window)
{
	uint64_t all = 0, spared = 0;

	for (uint32_t d = 1; d <= DISTANCES; d++) {
		all += s->distances[d - 1];
		spared += d <= window ? s->distances[d - 1] : 0;
	}
	return all ? (double)(all - spared) / (double)all : 1;
}

#define WINDOWS(F) \
	F(0) \
	F(8) F(16) F(24) F(32) F(40) F(48) F(56) F(64) F(72) F(80) F(88) F(96) F(104) F(112) F(120) F(128)
#define WINDOW(w) \
	static double left_by_window_##w(const void *object) \
	{ \
		return left_by_window(object, w); \
	}
WINDOWS(WINDOW)
#define WINDOW_STAT(w) \
	SIM_FORMULA("left_by_window_" #w, left_by_window_##w, "ratio", \
		"share of the line requests of loads that is left if a request is spared whose line is one " \
		"of the " #w " lines requested before (WarpPool, Figure 5)"),

#define COUNT(field, unit, help) SIM_COUNT(struct requests_stats, field, unit, help)

static const struct sim_stat requests_stats[] = { COUNT(lanes, "requests",
							  "requests of threads to the L1: lanes of loads, "
							  "stores and atomics of global and local memory"),
	COUNT(lines, "requests", "line requests that the coalescer made of the requests of threads"),
	COUNT(to_l2, "requests", "requests that the L1 passed on to the L2"),
	COUNT(dram_reads, "requests", "requests that L2 slices fetched from DRAM for the SM"),
	COUNT(dram_writes, "lines", "lines fetched into the L2 for the SM that were later written to DRAM"),
	SIM_FORMULA("left_by_coalescer", left_by_coalescer, "ratio",
		"line requests per thread request (WarpPool, Figure 2)"),
	SIM_FORMULA("left_by_l1", left_by_l1, "ratio",
		"requests to the L2 per thread request (WarpPool, Figure 2)"),
	SIM_FORMULA("left_by_l2", left_by_l2, "ratio",
		"requests to DRAM per thread request (WarpPool, Figure 2)"),
	SIM_HIST(struct requests_stats, lines_per_load, "requests",
		"line requests of one load of global or local memory (WarpPool, Figure 3)"),
	SIM_HIST(struct requests_stats, waiting, "cycles",
		"cycles by the number of memory instructions that were ready or in the load/store unit "
		"(WarpPool, Figure 3)"),
	COUNT(crowded_cycles, "cycles",
		"cycles in which more than one memory instruction was ready or in the load/store unit, which "
		"serves one at a time"),
	SIM_FORMULA("crowded", crowded, "ratio",
		"share of the cycles with warps in which more than one memory instruction was ready or in "
		"the load/store unit"),
	SIM_VECTOR(struct requests_stats, distances, distance_names, "requests",
		"line requests of loads by how many requests of the SM before them their line was requested "
		"(WarpPool, Figure 5)"),
	WINDOWS(WINDOW_STAT) SIM_STAT_END };

/* ---- the L1 ---- */

static uint32_t distance_of(const struct request_observer *o, addr line)
{
	uint32_t at = o->head;

	for (uint32_t d = 1; d <= o->filled; d++) {
		at = at ? at - 1 : REQUEST_WINDOW - 1;
		if (o->recent[at] == line)
			return d;
	}
	return DISTANCES;
}

static void note_line(struct request_observer *o, addr line)
{
	o->stats.distances[distance_of(o, line) - 1]++;
	o->recent[o->head] = line;
	o->head = (o->head + 1) % REQUEST_WINDOW;
	o->filled += o->filled < REQUEST_WINDOW;
}

static void on_l1_access(void *user, const struct access_event *e)
{
	struct request_observer *o = user;

	if (e->outcome == ACCESS_REFUSED || !e->by.lanes)
		return;
	o->stats.lanes += (uint32_t)__builtin_popcount(e->by.lanes);
	o->stats.lines++;
	o->stats.to_l2 += !e->is_coalesced &&
		(e->outcome == ACCESS_MISS || e->outcome == ACCESS_STORE || e->outcome == ACCESS_BYPASSED);
	if (e->kind == PACKET_READ)
		note_line(o, e->line);
}

struct cache_listener *request_observer_l1(struct request_observer *o)
{
	return &o->l1;
}

/* ---- the L2 ---- */

static struct request_observer *observer_of(const struct request_router *r, const struct requester *by)
{
	return by->lanes && by->sm < r->sms ? r->observers[by->sm] : NULL;
}

static void on_l2_access(void *user, const struct access_event *e)
{
	struct request_observer *o = observer_of(user, &e->by);

	if (o && e->outcome == ACCESS_MISS)
		o->stats.dram_reads++;
}

static void on_l2_eviction(void *user, const struct eviction_event *e)
{
	struct request_observer *o = observer_of(user, &e->owner);

	if (o && e->is_dirty)
		o->stats.dram_writes++;
}

void request_router_listener(const struct request_router *r, struct cache_listener *listener)
{
	*listener = (struct cache_listener){
		.user = (void *)r, .accessed = on_l2_access, .evicted = on_l2_eviction
	};
}

/* ---- the load/store unit ---- */

void request_observer_load(struct request_observer *o, uint32_t lines)
{
	sim_hist_add(&o->stats.lines_per_load, lines);
}

/* As sim_hist_add, so many times. */
static void add_weighted(struct sim_histogram *h, uint64_t value, uint64_t weight)
{
	unsigned b = value ? 64 - (unsigned)__builtin_clzll(value) : 0;

	h->samples += weight;
	h->sum += value * weight;
	if (value > h->maximum)
		h->maximum = value;
	h->bucket[b < SIM_HIST_BUCKETS ? b : SIM_HIST_BUCKETS - 1] += weight;
}

void request_observer_sync_stats(struct request_observer *o, cycles until)
{
	cycles passed = until > o->since ? until - o->since : 0;

	if (passed && o->is_resident) {
		add_weighted(&o->stats.waiting, o->waiting, passed);
		o->stats.crowded_cycles += o->waiting > 1 ? passed : 0;
	}
	o->since += passed;
}

void request_observer_waiting(struct request_observer *o, uint32_t count, bool is_resident, cycles now)
{
	request_observer_sync_stats(o, now);
	o->waiting = count;
	o->is_resident = is_resident;
}

/* ---- construction, report ---- */

struct request_observer *request_observer_new(uint16_t sm, struct stat_tree *stats)
{
	struct request_observer *o = xcalloc(1, sizeof(*o));

	o->sm = sm;
	o->l1 = (struct cache_listener){ .user = o, .accessed = on_l1_access };
	stat_register(stats, "observe.requests", sm, requests_stats, &o->stats, sizeof(o->stats));
	return o;
}

void request_observer_free(struct request_observer *o)
{
	free(o);
}

void request_observers_write(struct request_observer *const *observers, uint32_t count, FILE *file)
{
	locale_t before = c_locale_enter();
	uint64_t distances[DISTANCES] = { 0 }, all = 0, left;

	for (uint32_t i = 0; i < count; i++)
		for (uint32_t d = 0; d < DISTANCES; d++) {
			distances[d] += observers[i]->stats.distances[d];
			all += observers[i]->stats.distances[d];
		}
	left = all;
	fputs("window,requests,share\n", file);
	for (uint32_t w = 0; w <= REQUEST_WINDOW; w++) {
		left -= w ? distances[w - 1] : 0;
		fprintf(file, "%u,%" PRIu64 ",%.6f\n", w, left, all ? (double)left / (double)all : 1.0);
	}
	c_locale_leave(before);
}
