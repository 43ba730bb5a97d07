/* core/sm/fetch.c -- instruction fetch: each cycle the arbiter picks, round robin, one of the warps whose
 * instruction buffer is empty, and reads as many instructions as the buffer holds from one line of the
 * instruction cache. On a miss the warp waits for its line while others fetch. The lines that follow are
 * prefetched when a line is entered, as a stream buffer does (Huerta et al., "Analyzing Modern NVIDIA GPU
 * Cores", 2025, Section 5.2, find one to explain later chips): without it straight-line code would run at the
 * speed of the L2. */
#include "core/sm/fetch.h"
#include "core/issue/scoreboard.h"
#include "memsys/l1/cache.h"

#define NO_TOKEN UINT32_MAX /* of a prefetch */

void fetch_init(struct sm *sm)
{
	sm->fetch_line = (uint16_t)cache_line_bytes(sm->instructions);
}

void fetch_arrived(struct sm *sm, uint32_t slot, uint32_t count)
{
	struct sm_warp *t = &sm->timing[slot];

	t->fetching = t->flushed = false;
	t->buffered = (uint8_t)count;
	if (__builtin_expect(sm->warps[slot].state == WARP_RUNNING, 1)) {
		scoreboard_renew_buffered(sm, slot, t);
		return;
	}
	sm_renew(sm, slot);
	if (t->cause == SLOT_drained)
		sm_retire_if_done(sm, slot); /* the timing of its kernel has ended */
}

/* Round robin over the warps that want instructions. */
static uint32_t arbitrate(const struct sm *sm, warp_mask wanted)
{
	warp_mask after =
		sm->fetch_last == MAX_WARPS - 1 ? 0 : wanted & (~UINT64_C(0) << (sm->fetch_last + 1));

	return (uint32_t)__builtin_ctzll(after ? after : wanted);
}

static addr address_of(const struct sm *sm, uint32_t slot)
{
	return sm->timing[slot].run->code + (addr)sm->warps[slot].pc * INSTRUCTION_BYTES;
}

/* How many instructions one fetch brings: as the buffer holds, to the end of the line and of the kernel. */
static uint32_t width(const struct sm *sm, uint32_t slot)
{
	uint32_t count = sm->timing[slot].entry[sm->warps[slot].pc].fetched;

	bug_if(!count, "SM %u: a warp runs past the end of its kernel", sm->number);
	return count;
}

static struct cache_request request_of(const struct sm *sm, uint32_t slot, addr line, uint32_t token)
{
	return (struct cache_request){ .kind = PACKET_READ,
		.by = { .sm = (uint16_t)sm->number,
			.warp = (uint16_t)slot,
			.cta = (uint32_t)sm->warps[slot].cta->linear,
			.uop_index = sm->warps[slot].pc },
		.token = token,
		.bytes = sm->fetch_line,
		.line = line };
}

static __attribute__((noinline)) void prefetch(struct sm *sm, uint32_t slot, addr line)
{
	const struct kernel_run *run = sm->warps[slot].cta->run;
	addr end = run->code + (addr)run->kernel->uop_count * INSTRUCTION_BYTES;

	for (uint32_t i = 0; i < sm->config->fetch_prefetch; i++) {
		struct cache_request r;

		line += sm->fetch_line;
		if (line >= end || !cache_can_prefetch(sm->instructions, line))
			continue;
		r = request_of(sm, slot, line, NO_TOKEN);
		cache_access(sm->instructions, &r, sm->local.now);
		sm->stats.prefetches++;
	}
}

static __attribute__((noinline)) enum cache_outcome ask_for(struct sm *sm, uint32_t slot, addr line)
{
	struct cache_request r = request_of(sm, slot, line, slot);

	return cache_access(sm->instructions, &r, sm->local.now);
}

static inline enum cache_outcome look_up(struct sm *sm, uint32_t slot)
{
	addr at = address_of(sm, slot), line = at & ~((addr)sm->fetch_line - 1);
	enum cache_outcome outcome = CACHE_HIT;

	if (!cache_is_enabled(sm->instructions))
		return CACHE_HIT;
	if (!cache_hits(sm->instructions, line))
		outcome = ask_for(sm, slot, line);
	if (at == line || outcome == CACHE_MISS)
		prefetch(sm, slot, line);
	return outcome;
}

/* Blocked warps try again when a line has come (fetch_filled) or, if that was what they lacked, the miss
 * queue has room. */
static void unblock(struct sm *sm)
{
	if (sm->fetch_waits_for_room && port_room(&sm->request)) {
		sm->fetch_waits_for_room = false;
		sm->fetch_blocked = 0;
	}
}

void fetch_for_one(struct sm *sm, cycles now)
{
	enum cache_outcome outcome;
	uint32_t slot;

	unblock(sm);
	if (!fetch_is_pending(sm))
		return;
	slot = arbitrate(sm, sm->fetch_wanted & ~sm->fetch_blocked);
	sm->fetch_last = slot;
	outcome = look_up(sm, slot);
	if (cache_is_failure(outcome)) {
		sm->fetch_blocked |= UINT64_C(1) << slot;
		sm->fetch_waits_for_room |= outcome == CACHE_MISS_QUEUE_FULL;
		return;
	}
	sm->fetch_wanted &= ~(UINT64_C(1) << slot);
	sm->timing[slot].fetching = true;
	sm->stats.fetches++;
	if (outcome == CACHE_HIT)
		timing_wheel_add(
			&sm->wheel, now + sm->config->fetch_latency, WHEEL_FETCHED, slot, width(sm, slot));
}

void fetch_filled(struct sm *sm, const struct packet *reply, cycles now)
{
	uint32_t n = cache_fill(sm->instructions, reply, sm->fill_tokens);

	for (uint32_t i = 0; i < n; i++)
		if (sm->fill_tokens[i] != NO_TOKEN)
			timing_wheel_add(&sm->wheel, now + sm->config->fetch_latency, WHEEL_FETCHED,
				sm->fill_tokens[i], width(sm, sm->fill_tokens[i]));
	sm->fetch_blocked = 0;
	sm->fetch_waits_for_room = false;
}
