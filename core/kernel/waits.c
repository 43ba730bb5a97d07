/* core/kernel/waits.c -- see waits.h. The kernel's loops, from the outermost inwards: a loop is a set of
 * blocks each of which is reached from each other, entered at one block, its header; without the edges to the
 * header what remains has the inner loops. Which registers depend on what a loop reads is found in
 * waits_loop.c. */
#include "core/kernel/waits.h"
#include "core/kernel/plain.h"
#include "core/kernel/waits_loop.h"
#include "frontend/tables/bulk.h"
#include <string.h>

static struct cfg *flow_of(const struct ptx_kernel *k, struct ptx_arena *arena)
{
	uint8_t *flow = arena_alloc(arena, k->uop_count);
	uint32_t *target = arena_array_of(arena, uint32_t, k->uop_count), count = 0;
	struct cfg_switch *switches = arena_array_of(arena, struct cfg_switch, k->uop_count);

	for (uint32_t i = 0; i < k->uop_count; i++) {
		const struct uop *u = &k->uops[i];
		bool is_guarded = u->flags & UOP_GUARDED;

		switch (u->code) {
		case UOP_BRA:
			flow[i] = is_guarded ? CFG_BRANCH : CFG_JUMP;
			target[i] = u->target;
			break;
		case UOP_BRX:
			flow[i] = CFG_SWITCH;
			target[i] = count;
			switches[count++] = (struct cfg_switch){ k->targets + u->imm, u->target, is_guarded };
			break;
		case UOP_EXIT:
		case UOP_RET:
		case UOP_TRAP:
			flow[i] = is_guarded ? CFG_CUT : CFG_STOP;
			break;
		default:
			flow[i] = CFG_NEXT;
		}
	}
	return cfg_build_switches(flow, target, switches, k->uop_count, arena);
}

/* Blocks of `within` from which the search starts and those that it reaches, forwards or backwards; edges to
 * blocks that are cut are not there. */
static void reach(const struct waits *w, const bool *within, uint32_t from, bool forwards, bool *reached)
{
	const struct cfg *g = w->cfg;
	uint32_t *stack = arena_array_of(w->arena, uint32_t, g->count + 1), depth = 0;

	stack[depth++] = from;
	while (depth) {
		uint32_t at = stack[--depth];
		const struct cfg_block *b = &g->blocks[at];
		uint32_t count = forwards ? b->successor_count : b->predecessor_count;

		for (uint32_t i = 0; i < count; i++) {
			uint32_t to = forwards ? b->successor[i] : g->predecessors[b->predecessors + i];
			uint32_t head = forwards ? to : at;

			if (to == CFG_NONE || !within[to] || reached[to] || w->cut[head])
				continue;
			reached[to] = true;
			stack[depth++] = to;
		}
	}
}

/* The only block at which the loop is entered; CFG_NONE if there are several. */
static uint32_t header_of(const struct waits *w, const bool *loop)
{
	const struct cfg *g = w->cfg;
	uint32_t header = CFG_NONE;

	for (uint32_t i = 0; i < g->count; i++) {
		const struct cfg_block *b = &g->blocks[i];
		bool is_entry = i == 0;

		for (uint32_t p = 0; p < b->predecessor_count; p++) {
			uint32_t from = g->predecessors[b->predecessors + p];

			is_entry |= g->blocks[from].is_reachable && !loop[from];
		}
		if (!loop[i] || !is_entry)
			continue;
		if (header != CFG_NONE)
			return CFG_NONE;
		header = i;
	}
	return header;
}

static bool any_waits(struct waits *w, const bool *within);

static bool loop_waits(struct waits *w, const bool *loop)
{
	uint32_t header = header_of(w, loop);

	if (header == CFG_NONE || waits_loop(w, loop, header))
		return true;
	w->cut[header] = true;
	return any_waits(w, loop);
}

static bool any_waits(struct waits *w, const bool *within)
{
	uint32_t count = w->cfg->count;
	bool *done = arena_array_of(w->arena, bool, count);

	for (uint32_t i = 0; i < count; i++) {
		bool *behind = arena_array_of(w->arena, bool, count);
		bool *before = arena_array_of(w->arena, bool, count);

		if (!within[i] || done[i])
			continue;
		reach(w, within, i, true, behind);
		if (!behind[i])
			continue;
		reach(w, within, i, false, before);
		for (uint32_t b = 0; b < count; b++) {
			behind[b] &= before[b];
			done[b] |= behind[b];
		}
		if (loop_waits(w, behind))
			return true;
	}
	return false;
}

/* Whether it takes CTAs off the launch's queue, which others then do not find there. */
static bool cancels_launches(const struct uop *u)
{
	struct bulk_form f;

	memcpy(&f, &u->imm, sizeof(f));
	return f.kind == BULK_CANCELS;
}

/* What makes waiting possible that no loop shows. */
static bool is_unclear(const struct ptx_kernel *k)
{
	for (uint32_t i = 0; i < k->uop_count; i++)
		switch (k->uops[i].code) {
		case UOP_CALL:
		case UOP_SYSCALL:
		case UOP_NANOSLEEP:
		case UOP_CLUSTER_ARRIVE:
		case UOP_CLUSTER_WAIT:
			return true;
		case UOP_BULK:
			if (cancels_launches(&k->uops[i]))
				return true;
			break;
		default:
			break;
		}
	return false;
}

bool kernel_may_wait(const struct ptx_kernel *k)
{
	struct waits w = { .kernel = k };
	bool *within, waits;

	if (kernel_is_plain(k))
		return false;
	if (is_unclear(k))
		return true;
	w.arena = arena_new();
	w.cfg = flow_of(k, w.arena);
	w.cut = arena_array_of(w.arena, bool, w.cfg->count);
	within = arena_array_of(w.arena, bool, w.cfg->count);
	for (uint32_t i = 0; i < w.cfg->count; i++)
		within[i] = w.cfg->blocks[i].is_reachable;
	waits = any_waits(&w, within);
	arena_free(w.arena);
	return waits;
}
