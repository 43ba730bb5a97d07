/* memsys/coalescer/warppool.c -- WarpPool, inter-warp coalescing (Kloosterman, Beaumont, Wollman, Sethia,
 * Dreslinski, Mudge, Mahlke, MICRO 2015): requests of several warps for one line are merged before the L1.
 *
 *	issue -> 1 instruction queues -> 2 intra-warp coalescers -> 3 inter-warp coalescing queues
 *	           3 warps each,           a line request each        2 tags each, by the set of the line;
 *	           fixed priority          in a cycle                 up to 4 requests under a tag
 *	                                     | stores, atomics          |
 *	                                     +--> 4 request selector <--+   loads first
 *	                                              | one a cycle
 *	registers <- 6 write-back queue <- 5 L1, MSHRs, with the mapping of words to lanes
 *
 * 1 to 3: this file and warppool_coalesce.c; 4: warppool_select.c; 5, 6: warppool_return.c.
 *
 * Memory order (section 3.8). Each warp has a counter of the line requests that the L1 has not taken yet.
 * While it is not 0, no store, atomic or ordered load of the warp may issue, and no barrier or membar; a load
 * may if the last access was a load that others may pass. So all that can change places are loads of a warp
 * between which nothing else lies.
 *
 * Where the paper leaves room:
 * - A load is counted with all its line requests when it enters the queues (the paper has one counter for a
 *   warp, which is incremented for a load and decremented for a request).
 * - Two coalescers cannot insert into the same queue in one cycle. Which of them goes first alternates.
 * - A request whose line has a tag with no room left takes another tag.
 * - Stores, and loads that ask for the L2 (.cg, volatile, bypassing), go from their coalescer to the L1, in
 *   the order in which they could. While the load that the selector has chosen waits, they may go.
 * - What has waited for longer than sm.starvation_limit goes first, so that warps that spin cannot starve
 *   others.
 * - A wide access to local memory takes a tag for each of its words' lines.
 * - An instruction waits in its queue for stages - 3 cycles: the other three are the cycles that stages 2, 4
 *   and 6 add by themselves. */
#include "memsys/coalescer/warppool.h"
#include "sim/base/xalloc.h"
#include <string.h>

/* ---- memory order ---- */

void warppool_renew_gates(struct warppool *w, uint64_t warps)
{
	struct coalescer_gates *g = &w->base.gates;

	for (; warps; warps &= warps - 1) {
		uint32_t warp = (uint32_t)__builtin_ctzll(warps);
		uint64_t bit = UINT64_C(1) << warp;
		bool room = w->instruction_queue[warp / w->warps_per_queue].count < w->instruction_entries;
		bool none_held = !w->held[warp], load = none_held || w->last_is_load & bit;

		g->room = room ? g->room | bit : g->room & ~bit;
		g->load = room && load ? g->load | bit : g->load & ~bit;
		g->store = room && none_held ? g->store | bit : g->store & ~bit;
		g->fence = none_held ? g->fence | bit : g->fence & ~bit;
	}
}

void warppool_sent(struct warppool *w, uint32_t warp)
{
	bug_if(!w->held[warp], "WarpPool: a request of warp %u is sent that was not counted", warp);
	if (!--w->held[warp])
		warppool_renew_gates(w, UINT64_C(1) << warp);
}

/* ---- stage 1: instruction queues ---- */

/* How these lanes of the instruction map to the words of their line. */
static enum lane_mapping mapping_of_line(const struct coalescer_instruction *i, uint32_t lanes)
{
	if (!i->address)
		return MAPPING_TABLE;
	if (!(lanes & (lanes - 1)))
		return MAPPING_SINGLE;
	if (i->lanes_follow)
		return lanes == UINT32_MAX && !(i->address[0] % 128) ? MAPPING_CONSECUTIVE : MAPPING_RANGE;
	if (i->lanes_same)
		return lanes == UINT32_MAX ? MAPPING_BROADCAST : MAPPING_TABLE;
	return mapping_of(i->address, lanes, i->bytes);
}

static uint32_t take_access(struct warppool *w)
{
	uint32_t number = w->free_access;

	if (number != WARPPOOL_NONE) {
		w->free_access = w->accesses[number].free;
		return number;
	}
	w->accesses[w->fresh_access].many = NULL;
	return w->fresh_access++;
}

static uint32_t new_access(struct warppool *w, const struct coalescer_instruction *i)
{
	uint32_t number = take_access(w);
	struct warppool_access *a = &w->accesses[number];

	a->request = *i->request;
	a->is_complete = false;
	a->kind = i->kind;
	a->ready = i->ready + w->stages - 3;
	a->more_cycles = i->more_cycles;
	a->count = i->count;
	a->next = 0;
	if (i->count > MAX_LINE_REQUESTS && !a->many) /* rare: a wide access to local memory */
		a->many = xmalloc(WARPPOOL_ACCESS_LINES * sizeof(*a->many));
	a->lines = i->count > MAX_LINE_REQUESTS ? a->many : a->few;
	for (uint32_t n = 0; n < i->count; n++) {
		a->lines[n].request = i->lines[n];
		if (i->kind == COALESCER_LOAD)
			a->lines[n].mapping = (uint8_t)mapping_of_line(i, i->lines[n].lanes);
	}
	return number;
}

static void warppool_accept(struct coalescer *c, const struct coalescer_instruction *i, cycles now)
{
	struct warppool *w = warppool_of(c);
	uint32_t warp = i->request->request.by.warp, number = warp / w->warps_per_queue;
	struct instruction_queue *q = &w->instruction_queue[number];
	uint32_t at = q->head + q->count;
	uint64_t bit = UINT64_C(1) << warp;

	(void)now;
	bug_if(q->count == w->instruction_entries, "WarpPool: instruction queue %u is full", number);
	sim_hist_add(&w->queue_length, q->count);
	q->ring[at < w->instruction_entries ? at : at - w->instruction_entries] = new_access(w, i);
	if (!q->count++)
		q->ready = w->accesses[q->ring[q->head]].ready;
	w->filled_queues |= UINT64_C(1) << number;
	w->held[warp] += i->count;
	if (i->kind != COALESCER_STORE && !i->is_ordered)
		w->last_is_load |= bit;
	else
		w->last_is_load &= ~bit;
	warppool_renew_gates(w, q->count == w->instruction_entries ? q->warps : bit);
	w->moved = true;
}

/* ---- a cycle ---- */

static void warppool_tick(struct coalescer *c, cycles now)
{
	struct warppool *w = warppool_of(c);

	w->moved = false;
	if (w->writeback.count)
		warppool_write_back(w, now);
	if (w->hits.count || w->returned.count)
		warppool_arrive(w, now);
	if (!c->waiting)
		return;
	if (w->oldest != WARPPOOL_NONE || w->direct || now >= w->quantum_end)
		warppool_select(w, now);
	if (w->active & ~w->held_up)
		warppool_coalesce(w, now);
	if (w->filled_queues && w->active != w->all)
		warppool_take_instructions(w, now);
}

static cycles warppool_next(const struct coalescer *c, cycles now)
{
	const struct warppool *w = (const struct warppool *)c;
	cycles due = w->hits.count ? w->hit_due[w->hits.head] + w->stalled : SIM_NEVER, at;

	if (w->moved || w->returned.count || w->writeback.count)
		return now + 1;
	at = warppool_coalesce_next(w, now);
	return at < due ? at : due;
}

static uint32_t ports(const struct coalescer *c)
{
	(void)c;
	return 2;
}

static void warppool_sync_stats(struct coalescer *c, cycles until)
{
	warppool_count_waits(warppool_of(c), until);
}

/* ---- building ---- */

static void fifo_init(struct warppool_fifo *f, uint32_t capacity)
{
	*f = (struct warppool_fifo){ .ring = xcalloc(capacity, sizeof(*f->ring)), .capacity = capacity };
}

/* So many requests can be in flight: in the queues, in the metadata table of the MSHRs, among the hits in the
 * L1's pipeline, and in the write-back queue. */
static uint32_t most_requests(const struct warppool *w)
{
	return w->queues * w->tags + w->base.mshrs * w->base.mshr_merge +
		(uint32_t)cache_hit_latency(w->base.l1) + w->writeback_entries;
}

static void init_queues(struct warppool *w)
{
	uint32_t accesses = w->instruction_queues * w->instruction_entries + w->coalescers;

	w->warps_per_queue = (w->base.warps + w->instruction_queues - 1) / w->instruction_queues;
	w->accesses = xmalloc(accesses * sizeof(*w->accesses)); /* filled in when first used */
	w->free_access = WARPPOOL_NONE;
	w->instruction_queue = xcalloc(w->instruction_queues, sizeof(*w->instruction_queue));
	for (uint32_t i = 0; i < w->instruction_queues; i++)
		w->instruction_queue[i].ring = xcalloc(w->instruction_entries, sizeof(uint32_t));
	for (uint32_t warp = 0; warp < w->base.warps; warp++)
		w->instruction_queue[warp / w->warps_per_queue].warps |= UINT64_C(1) << warp;
	for (uint32_t i = 0; i < w->coalescers; i++)
		w->coalescer[i] = (struct intra_warp_coalescer){ .wait = WARPPOOL_WAITS };
	w->tag = xcalloc((size_t)w->queues * w->tags, sizeof(*w->tag));
	memset(w->tag, 0xff, (size_t)w->queues * w->tags * sizeof(*w->tag));
	w->queue_used = xcalloc(w->queues, sizeof(*w->queue_used));
	for (uint32_t i = 0; i < w->queues; i++)
		w->queue_used[i] = SIM_NEVER;
}

static void set_cost(struct warppool *w)
{
	struct warppool_sizes sizes = { .instruction_entries = w->instruction_queues * w->instruction_entries,
		.coalescers = w->coalescers,
		.tags = w->queues * w->tags,
		.merges = w->merges,
		.thread_map = w->thread_map,
		.metadata = w->base.mshrs * w->base.mshr_merge * w->merges };
	struct warppool_cost cost = warppool_cost(&sizes);

	for (uint32_t i = 0; i < WARPPOOL_PARTS; i++) {
		w->storage_bits[i] = cost.part[i].bits;
		w->dynamic_power[i] = (uint64_t)(1000 * cost.part[i].dynamic_mw + 0.5);
		w->static_power[i] = (uint64_t)(1000 * cost.part[i].static_mw + 0.5);
	}
}

static void warppool_init(void *policy)
{
	struct warppool *w = policy;
	uint32_t most;

	bug_if(w->base.warps > WARPPOOL_WARPS, "WarpPool: %u warps", w->base.warps);
	init_queues(w);
	most = most_requests(w);
	coalesced_init(&w->base, most, w->merges);
	w->requests = xcalloc(most, sizeof(*w->requests));
	fifo_init(&w->hits, most);
	fifo_init(&w->returned, most);
	fifo_init(&w->writeback, w->writeback_entries);
	w->hit_due = xcalloc(most, sizeof(*w->hit_due));
	w->oldest = w->newest = w->refused[0] = w->refused[1] = WARPPOOL_NONE;
	w->free_maps = w->thread_map;
	w->all = (uint32_t)((UINT64_C(1) << w->coalescers) - 1);
	w->by_warp_id = w->selector == SELECT_WARP_ID;
	w->quantum_end = w->quantum;
	warppool_renew_gates(w, w->base.warps == 64 ? ~UINT64_C(0) : (UINT64_C(1) << w->base.warps) - 1);
	set_cost(w);
}

static void warppool_fini(void *policy)
{
	struct warppool *w = policy;

	coalesced_fini(&w->base);
	for (uint32_t i = 0; i < w->instruction_queues; i++)
		free(w->instruction_queue[i].ring);
	free(w->instruction_queue);
	for (uint32_t i = 0; i < w->fresh_access; i++)
		free(w->accesses[i].many);
	free(w->accesses);
	free(w->tag);
	free(w->queue_used);
	free(w->requests);
	free(w->hits.ring);
	free(w->returned.ring);
	free(w->writeback.ring);
	free(w->hit_due);
}

/* ---- declarations ---- */

static const char *const selector_names[] = { "oldest", "warp_id", "adaptive", NULL };
static const char *const part_names[] = { "instruction_queues", "intra_coalescers", "inter_queues",
	"thread_map", "mshr_metadata", NULL };
static const char *const wait_names[] = { "tag", "thread_map", "metadata", "queue_port", NULL };

#define U32(field, def, min, max, unit, text) SIM_U32(struct warppool, field, def, min, max, unit, text)

static const struct sim_param params[] = {
	U32(instruction_queues, 16, 1, 64, "queues",
		"queues of instructions, each for as many consecutive warps; the one of the lowest warps "
		"goes first (section 3.2)"),
	U32(instruction_entries, 8, 1, 64, "instructions",
		"instructions that an instruction queue holds (section 3.9 and Table 1: 8; Table 2 says 16)"),
	U32(coalescers, 2, 1, WARPPOOL_COALESCERS, "coalescers",
		"intra-warp coalescers, each with a line request a cycle (section 3.3)"),
	U32(queues, 32, 1, 1024, "queues", "inter-warp coalescing queues (section 3.4)"),
	U32(tags, 2, 1, 16, "tags", "cache lines that an inter-warp coalescing queue holds (section 3.4)"),
	U32(merges, 4, 1, COALESCED_MOST, "requests", "requests that one tag merges (Table 2)"),
	SIM_ENUM(struct warppool, selector, SELECT_ADAPTIVE, selector_names,
		"request that goes to the L1: the oldest, one of the lowest warp, or the oldest until a "
		"quantum's miss rate toggles between the two (section 3.5)"),
	U32(quantum, 100000, 1, UINT32_MAX, "cycles", "quantum of `adaptive` (section 3.5)"),
	SIM_F64(struct warppool, miss_rate, 0.99, 0, 1, "ratio",
		"miss rate of the L1 in a quantum above which `adaptive` toggles (section 3.5)"),
	U32(thread_map, 8, 1, 1024, "entries",
		"thread map entries, for mappings of lanes to words that are none of the four patterns "
		"(section 3.6)"),
	U32(writeback_entries, 2, 1, 64, "requests",
		"write-back queue; while it is full the L1 stalls (section 3.7)"),
	U32(writeback_warps, 1, 1, 32, "warps", "warps whose registers are written in a cycle (section 3.7)"),
	SIM_BOOL(struct warppool, free_hits, false,
		"write the registers of a hit that serves one warp past the write-back queue, which hits "
		"without WarpPool do not have either (section 3.7 makes no exception)"),
	U32(stages, 6, 3, 100, "stages", "pipeline stages that a load passes in addition (section 3.1)"),
	SIM_END,
};

#define COUNT(field, unit, help) SIM_COUNT(struct warppool, field, unit, help)

static const struct sim_stat stats[] = {
	SIM_VECTOR(struct warppool, mappings, mapping_names, "requests",
		"line requests of loads by how their lanes map to the words of the line (Figure 9)"),
	COUNT(merged, "requests", "line requests that joined one of another instruction"),
	COUNT(full_tags, "requests",
		"line requests that took a tag although their line had one, without room"),
	SIM_VECTOR(struct warppool, waits, wait_names, "cycles",
		"cycles that intra-warp coalescers waited with a line request, by what they waited for: a "
		"free tag, an entry of the thread map, a place in the metadata table, the queue's port"),
	COUNT(selected_loads, "requests", "requests of loads that the selector sent to the L1"),
	COUNT(selected_others, "requests", "requests of stores, atomics and direct loads that it sent"),
	COUNT(starved, "cycles", "cycles in which a request went first because it had waited too long"),
	COUNT(quanta, "quanta", "quanta of the adaptive selector that have ended"),
	COUNT(warp_id_quanta, "quanta", "quanta of the adaptive selector in which it selected by warp ID"),
	COUNT(toggles, "quanta", "quanta after which it toggled"),
	COUNT(writeback_full_cycles, "cycles",
		"cycles in which data from the L1 waited for the write-back queue"),
	COUNT(pipeline_stalls, "cycles", "cycles in which the L1's pipeline of hits stood still"),
	SIM_VECTOR(struct warppool, storage_bits, part_names, "bits",
		"storage that the policy adds, of all SMs (of one: Table 1)"),
	SIM_VECTOR(struct warppool, dynamic_power, part_names, "uW",
		"its dynamic power in 45 nm, of all SMs: the paper's figures, which for other sizes grow "
		"with the storage (Table 1)"),
	SIM_VECTOR(struct warppool, static_power, part_names, "uW",
		"the policy's static power in 45 nm, of all SMs: the paper's figures, which for other sizes "
		"grow with the storage (Table 1)"),
	SIM_HIST(struct warppool, queue_length, "instructions",
		"length of the instruction queue that an instruction entered"),
	SIM_HIST(struct warppool, tags_in_use, "tags", "tags in use when a request took one"),
	SIM_STAT_END,
};

static const struct policy_storage coalescer_warppool_storage[] = {
	STORED(42844, "SM",
		"instruction queues, coalescers of a warp and between warps, thread map and what MSHRs "
		"keep of it: 5.23 KB in print, whatever the parameters here",
		"MICRO 2015, Table 1"),
	STORED_LOGIC("SM",
		"coalescers and selection: 0.36 mm2 at 45 nm and 142.3 mW in print, with the storage",
		"MICRO 2015, Table 1"),
	STORED_END,
};

const struct coalescer_class coalescer_warppool = {
	.name = "warppool",
	.help = "merges requests of several warps for one line before the L1",
	.source = "Kloosterman et al., MICRO 2015",
	.storage = coalescer_warppool_storage,
	.size = sizeof(struct warppool),
	.params = params,
	.stats = stats,
	.needs_l1 = true,
	.init = warppool_init,
	.fini = warppool_fini,
	.ports = ports,
	.accept = warppool_accept,
	.tick = warppool_tick,
	.next = warppool_next,
	.hit = warppool_hit,
	.returned = warppool_returned,
	.may_fill = warppool_may_fill,
	.may_look_up = warppool_may_look_up,
	.sync_stats = warppool_sync_stats,
};
