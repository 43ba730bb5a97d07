/* core/diagnose/wait_for_graph.c -- the wait-for graph of a CTA: an edge from each warp at a barrier to each
 * warp that the barrier misses. A cycle in it is a deadlock; so is a chain that ends at a warp that has
 * exited.
 */
#include "core/diagnose/wait_for_graph.h"
#include "core/diagnose/livelock.h"
#include "core/kernel/kernel_run.h"
#include "core/simt/warpgroup.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_live(const struct cta *cta, uint32_t index)
{
	return cta->live_warps >> index & 1;
}

/* A warp that waits has been moved on already, behind what it waits at. */
static uint32_t waiting_pc(const struct cta *cta, uint32_t index)
{
	const struct warp *w = cta->warps[index];
	uint32_t before;

	if (!is_live(cta, index))
		return cta->exited_at[index];
	if (w->state == WARP_RUNNING || w->state == WARP_AT_PHASE || !w->pc)
		return w->pc;
	before = cta->run->uops[w->pc - 1].code;
	if (w->state == WARP_AT_BARRIER || before == UOP_MEMBAR || before == UOP_CP_WAIT ||
		before == UOP_BULK_WAIT || before == UOP_NANOSLEEP || before == UOP_GRID_WAIT)
		return w->pc - 1;
	return w->pc;
}

const struct uop *wait_uop(const struct cta *cta, uint32_t index)
{
	uint32_t pc = waiting_pc(cta, index), first, last;
	bool spins = is_live(cta, index) && livelock_loop(cta->warps[index], &first, &last);
	const struct uop *read = spins ? livelock_read(cta->warps[index]) : NULL;

	if (read)
		return read;
	return &cta->run->uops[pc < cta->run->kernel->uop_count ? pc : 0];
}

void wait_location(const struct cta *cta, uint32_t index, char *text, size_t size)
{
	const struct warp *w = cta->warps[index];
	uint32_t line = wait_uop(cta, index)->line, first, last;

	if (!is_live(cta, index))
		snprintf(text, size, "exited at line %u", line);
	else if (w->state == WARP_AT_BARRIER && w->barrier == CLUSTER_BARRIER)
		snprintf(text, size, "waits at line %u, the cluster's barrier", line);
	else if (w->state == WARP_AT_BARRIER && w->barrier == WARPGROUP_BARRIER)
		snprintf(text, size, "waits at line %u for the products of its warpgroup", line);
	else if (w->state == WARP_AT_BARRIER && w->barrier == REGISTER_BARRIER)
		snprintf(text, size, "waits at line %u for registers", line);
	else if (w->state == WARP_AT_BARRIER && w->barrier == TENSOR_BARRIER)
		snprintf(text, size, "waits at line %u for tensor memory", line);
	else if (w->state == WARP_AT_BARRIER)
		snprintf(text, size, "waits at line %u, barrier %u", line, w->barrier);
	else if (w->state == WARP_AT_MEMBAR)
		snprintf(text, size, "waits at line %u for its stores", line);
	else if (w->state == WARP_AT_COPIES || w->state == WARP_AT_BULK_COPIES)
		snprintf(text, size, "waits at line %u for its copies", line);
	else if (livelock_loop(w, &first, &last) && first != last)
		snprintf(text, size, "spins in lines %u to %u", first, last);
	else if (livelock_loop(w, &first, &last))
		snprintf(text, size, "spins at line %u", first);
	else if (w->state == WARP_AT_GRIDS)
		snprintf(text, size, "waits at line %u for earlier grids", line);
	else if (w->state == WARP_AT_PHASE)
		snprintf(text, size, "waits at line %u for a phase", line);
	else if (w->state == WARP_ASLEEP)
		snprintf(text, size, "sleeps at line %u", line);
	else
		snprintf(text, size, "runs at line %u", line);
}

uint32_t wait_needed(const struct cta *cta, const struct barrier *b)
{
	return b->needed ? b->needed : (uint32_t)__builtin_popcountll(cta->live_warps) * WARP_SIZE;
}

uint32_t wait_still_to_come(const struct cta *cta, const struct barrier *b)
{
	if (b == &cta->barriers[CLUSTER_BARRIER]) /* its threads arrive one by one */
		return b->needed - b->arrived;
	return (uint32_t)__builtin_popcountll(cta->live_warps & ~b->waiting) * WARP_SIZE;
}

static uint64_t warps_of_cta(const struct cta *cta)
{
	return cta->warp_count >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << cta->warp_count) - 1;
}

uint64_t wait_missing(const struct cta *cta, uint32_t index)
{
	const struct warp *w = cta->warps[index];
	const struct barrier *b;
	uint64_t coming, exited;

	if (!is_live(cta, index) || w->state != WARP_AT_BARRIER)
		return 0;
	if (w->barrier == WARPGROUP_BARRIER)
		return warpgroup_missing(cta, index);
	if (w->barrier == REGISTER_BARRIER || w->barrier == TENSOR_BARRIER)
		return cta->live_warps & ~cta->barriers[w->barrier].waiting;
	b = &cta->barriers[w->barrier];
	coming = cta->live_warps & ~b->came;
	if (w->barrier == CLUSTER_BARRIER)
		return coming;
	exited = warps_of_cta(cta) & ~cta->live_warps & ~b->came;
	if (!b->needed)
		return coming;
	if (b->arrived + (uint32_t)__builtin_popcountll(coming) * WARP_SIZE >= b->needed)
		return coming;
	coming |= exited;
	return coming ? coming : cta->live_warps & ~b->waiting; /* those that only arrived may do so again */
}

/* ---- ways through the graph ---- */

struct chain {
	uint8_t warp[MAX_CTA_WARPS];
	uint32_t length; /* 0: none */
};

/* Breadth first from warp `from`: the shortest chain back to it (cycle), or to a warp that waits at no
 * barrier.
 */
static struct chain find_chain(const struct cta *cta, uint32_t from, bool cycle)
{
	uint8_t queue[MAX_CTA_WARPS], parent[MAX_CTA_WARPS];
	uint32_t head = 0, tail = 0;
	uint64_t seen = UINT64_C(1) << from;
	struct chain chain = { .length = 0 };

	queue[tail++] = (uint8_t)from;
	while (head < tail) {
		uint32_t at = queue[head++];
		uint64_t next = wait_missing(cta, at);
		bool found = cycle ? next >> from & 1 : !next;

		if (found) {
			for (uint32_t i = at;; i = parent[i]) {
				memmove(chain.warp + 1, chain.warp, chain.length);
				chain.warp[0] = (uint8_t)i;
				chain.length++;
				if (i == from)
					return chain;
			}
		}
		for (uint64_t m = next & ~seen; m; m &= m - 1) {
			uint32_t i = (uint32_t)__builtin_ctzll(m);

			parent[i] = (uint8_t)at;
			queue[tail++] = (uint8_t)i;
		}
		seen |= next;
	}
	return chain;
}

static struct chain shortest(const struct cta *cta, bool cycle)
{
	struct chain best = { .length = 0 };

	for (uint64_t m = cta->at_barriers; m; m &= m - 1) {
		struct chain chain = find_chain(cta, (uint32_t)__builtin_ctzll(m), cycle);

		if (chain.length && (!best.length || chain.length < best.length))
			best = chain;
	}
	return best;
}

struct words {
	char *text;
	size_t size;
};

__attribute__((format(printf, 2, 3))) static void say_sentence(struct words *w, const char *format, ...)
{
	size_t used = strlen(w->text);
	va_list ap;

	va_start(ap, format);
	vsnprintf(w->text + used, w->size - used, format, ap);
	va_end(ap);
}

#define CHAIN_MOST 8 /* warps named */

bool wait_chain(const struct cta *cta, char *text, size_t size)
{
	struct chain chain = shortest(cta, true);
	bool is_cycle = chain.length != 0;
	struct words words = { text, size };
	char place[96];

	if (!is_cycle)
		chain = shortest(cta, false);
	if (!chain.length)
		return false;
	text[0] = 0;
	wait_location(cta, chain.warp[0], place, sizeof(place));
	say_sentence(&words, "warp %u %s", chain.warp[0], place);
	for (uint32_t i = 1; i < chain.length && i < CHAIN_MOST; i++) {
		wait_location(cta, chain.warp[i], place, sizeof(place));
		say_sentence(&words, ", for warp %u, which %s", chain.warp[i], place);
	}
	if (chain.length > CHAIN_MOST)
		say_sentence(&words, ", and so on over %u warps", chain.length);
	if (is_cycle)
		say_sentence(&words, ", for warp %u: a cycle", chain.warp[0]);
	return true;
}
