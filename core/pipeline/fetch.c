/* core/pipeline/fetch.c -- instruction fetch: each cycle the arbiter picks, round robin, one of the warps
 * whose instruction buffer is empty, and reads as many instructions as the buffer holds from one line of the
 * instruction cache. On a miss the warp waits for its line while others fetch. The lines that follow are
 * prefetched when a line is entered, as a stream buffer does: without it straight-line code would run at the
 * speed of the L2.
 *
 * With sm.fetch_per_scheduler each scheduler has an arbiter and a cache for its warps, and fetches for a warp
 * before its buffer is empty, so that a greedy scheduler can stay with it. All this is as Huerta et al. found
 * it on later chips ("Dissecting and Modeling the Architecture of Modern GPU Cores", MICRO 2025, Sections 5.2
 * and 7.3), but that those fetch one instruction in a cycle for a buffer of three, where here so many as
 * sm.fetch_width come at once for a larger one. */
#include "core/pipeline/fetch.h"
#include "core/issue/scoreboard.h"
#include "memsys/l1/cache.h"

/* Of a fetch: the warp's path and slot; of a prefetch: */
#define NO_TOKEN        UINT32_MAX
#define TOKEN_SLOT_BITS 8

void fetch_init(struct sm *sm)
{
	sm->spec.fetch_line = (uint16_t)cache_line_bytes(sm->state.fetch[0].cache);
	sm->spec.fetches_ahead = sm->spec.config->fetch_per_scheduler;
	sm->spec.fetch_below = sm->spec.config->instruction_buffer > sm->spec.config->fetch_width
		? sm->spec.config->instruction_buffer - sm->spec.config->fetch_width
		: 0;
	for (uint32_t i = 0; i < sm_fetchers(sm); i++)
		sm->state.fetch[i].warps = sm_fetchers(sm) == 1 ? ~UINT64_C(0) : sm->spec.owned[i];
}

static struct fetcher *warp_fetcher(struct sm *sm, uint32_t slot)
{
	struct fetcher *f = sm->state.fetch;

	while (!(f->warps >> slot & 1))
		f++;
	return f;
}

/* Round robin over the warps that want instructions. */
static uint32_t arbitrate(const struct fetcher *f, warp_mask wanted)
{
	warp_mask after = f->last == MAX_WARPS - 1 ? 0 : wanted & (~UINT64_C(0) << (f->last + 1));

	return (uint32_t)__builtin_ctzll(after ? after : wanted);
}

/* The instruction behind those that the warp has. */
static inline uint32_t next_fetched(const struct sm *sm, uint32_t slot, bool ahead)
{
	return sm->state.warps[slot].pc + (ahead ? sm->state.timing[slot].buffered : 0);
}

/* How many instructions one fetch brings (as the buffer holds, to the end of the line and of the kernel)
 * behind those that the warp has. */
static inline uint32_t width(const struct sm *sm, uint32_t slot, bool ahead)
{
	const struct sm_warp *t = &sm->state.timing[slot];
	uint32_t count = t->entry[next_fetched(sm, slot, ahead)].fetched;

	bug_if(!count, "SM %u: a warp runs past the end of its kernel", sm->spec.number);
	return (uint32_t)t->path << FETCH_COUNT_BITS | count;
}

static struct cache_request instruction_request(const struct sm *sm, uint32_t slot, addr line, uint32_t token)
{
	return (struct cache_request){ .kind = PACKET_READ,
		.by = { .sm = (uint16_t)sm->spec.number,
			.warp = (uint16_t)slot,
			.cta = (uint32_t)sm->state.warps[slot].cta->linear,
			.uop_index = sm->state.warps[slot].pc },
		.token = token,
		.bytes = sm->spec.fetch_line,
		.line = line };
}

static __attribute__((noinline)) void prefetch(struct sm *sm, struct cache *cache, uint32_t slot, addr line)
{
	const struct kernel_run *run = sm->state.warps[slot].cta->run;
	addr end = run->code + (addr)run->kernel->uop_count * sm->spec.config->instruction_bytes;

	for (uint32_t i = 0; i < sm->spec.config->fetch_prefetch; i++) {
		struct cache_request r;

		line += sm->spec.fetch_line;
		if (line >= end || !cache_can_prefetch(cache, line))
			continue;
		r = instruction_request(sm, slot, line, NO_TOKEN);
		cache_access(cache, &r, sm->state.local.now);
		sm->stats.prefetches++;
	}
}

static __attribute__((noinline)) enum cache_outcome ask_instruction_cache(
	struct sm *sm, struct cache *cache, uint32_t slot, addr line)
{
	uint32_t token = (uint32_t)sm->state.timing[slot].path << TOKEN_SLOT_BITS | slot;
	struct cache_request r = instruction_request(sm, slot, line, token);

	return cache_access(cache, &r, sm->state.local.now);
}

static inline enum cache_outcome look_up(struct sm *sm, struct cache *cache, uint32_t slot, bool ahead)
{
	addr at = sm->state.timing[slot].run->code +
		(addr)next_fetched(sm, slot, ahead) * sm->spec.config->instruction_bytes;
	addr line = at & ~((addr)sm->spec.fetch_line - 1);
	enum cache_outcome outcome = CACHE_HIT;

	if (!cache_is_enabled(cache))
		return CACHE_HIT;
	if (!cache_hits(cache, line))
		outcome = ask_instruction_cache(sm, cache, slot, line);
	if (at == line || outcome == CACHE_MISS)
		prefetch(sm, cache, slot, line);
	return outcome;
}

/* Blocked warps try again when a line has come (fetch_filled) or, if that was what they lacked, the miss
 * queue has room. */
static void unblock(struct sm *sm)
{
	if (sm->state.fetch_waits_for_room && port_room(&sm->state.request)) {
		sm->state.fetch_waits_for_room = false;
		sm->state.fetch_blocked = 0;
	}
}

static inline __attribute__((always_inline)) void fetch_for_one(
	struct sm *sm, struct fetcher *f, warp_mask wanted, bool ahead, cycles now)
{
	enum cache_outcome outcome;
	uint32_t slot;

	if (!wanted)
		return;
	slot = arbitrate(f, wanted);
	f->last = slot;
	outcome = look_up(sm, f->cache, slot, ahead);
	if (cache_is_failure(outcome)) {
		sm->state.fetch_blocked |= UINT64_C(1) << slot;
		sm->state.fetch_waits_for_room |= outcome == CACHE_MISS_QUEUE_FULL;
		return;
	}
	sm->state.fetch_wanted &= ~(UINT64_C(1) << slot);
	sm->state.timing[slot].fetching = true;
	sm->stats.fetches++;
	if (outcome == CACHE_HIT)
		timing_wheel_add(&sm->state.wheel, now + sm->spec.config->fetch_latency, WHEEL_FETCHED, slot,
			width(sm, slot, ahead));
}

static __attribute__((noinline)) void fetch_for_schedulers(struct sm *sm, warp_mask wanted, cycles now)
{
	for (uint32_t i = 0; i < sm_fetchers(sm); i++) {
		struct fetcher *f = &sm->state.fetch[i];

		if (wanted & f->warps)
			fetch_for_one(sm, f, wanted & f->warps, true, now);
	}
}

void fetch_for_warps(struct sm *sm, cycles now)
{
	warp_mask wanted;

	unblock(sm);
	wanted = sm->state.fetch_wanted & ~sm->state.fetch_blocked;
	if (__builtin_expect(sm_fetches_ahead(sm), 0))
		fetch_for_schedulers(sm, wanted, now);
	else if (wanted)
		fetch_for_one(sm, &sm->state.fetch[0], wanted, false, now);
}

void fetch_filled(struct sm *sm, const struct packet *reply, cycles now)
{
	struct cache *cache = warp_fetcher(sm, reply->by.warp)->cache;
	uint32_t n = cache_fill(cache, reply, sm->host.fill_tokens);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t token = sm->host.fill_tokens[i], slot = token & ((1 << TOKEN_SLOT_BITS) - 1);

		if (token != NO_TOKEN && token >> TOKEN_SLOT_BITS == sm->state.timing[slot].path)
			timing_wheel_add(&sm->state.wheel, now + sm->spec.config->fetch_latency,
				WHEEL_FETCHED, slot, width(sm, slot, true));
	}
	sm->state.fetch_blocked = 0;
	sm->state.fetch_waits_for_room = false;
}
