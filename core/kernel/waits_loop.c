/* core/kernel/waits_loop.c -- see waits_loop.h. Two marks go from register to register along the loop, until
 * nothing changes: OF_OTHERS, what others may change meanwhile has a part in the value; MOVES, the value may
 * be another one in each iteration. What is computed between a branch that depends on others and the point
 * where its sides meet depends on others, too. */
#include "core/kernel/waits_loop.h"
#include <string.h>

enum { OF_OTHERS = 1, MOVES = 2 };

struct loop {
	const struct waits *w;
	const bool *in; /* blocks of the loop */
	uint32_t header, registers;
	uint8_t **entry;  /* marks of each register at the beginning of each block, predicates behind rows */
	bool *controlled; /* blocks that are executed or not depending on others */
	uint8_t shared, local; /* marks of what the loop writes there */
	bool changed;
};

/* The first register of operand i of the micro-operation, and how many it takes: first come the operands
 * read, then those written. */
static uint32_t first_register(const struct loop *l, const struct uop *u, uint32_t i, uint32_t *count)
{
	const struct ptx_kernel *k = l->w->kernel;
	uint16_t hazard = k->hazards[u->hazards + i];

	*count = hazard & UOP_HAZARD_PREDICATE ? 1 : k->hazard_rows[u->hazards + i];
	return hazard & UOP_HAZARD_PREDICATE ? k->rows + (hazard & ~UOP_HAZARD_PREDICATE) : hazard;
}

static uint8_t read_marks(const struct loop *l, const struct uop *u, const uint8_t *state)
{
	uint8_t marks = 0;

	for (uint32_t i = 0; i < u->reads; i++) {
		uint32_t count, first = first_register(l, u, i, &count);

		for (uint32_t r = first; r < first + count; r++)
			marks |= state[r];
	}
	return marks;
}

/* Those of a memory instruction's address. */
static uint8_t address_marks(const struct loop *l, const struct uop *u, const uint8_t *state)
{
	uint8_t marks = 0;

	for (uint32_t i = 0; i < u->reads; i++) {
		uint32_t count, first = first_register(l, u, i, &count);

		for (uint32_t r = first; r < first + count && first == u->src[0]; r++)
			marks |= state[r];
	}
	return marks;
}

/* Without a guard what was there is gone. */
static void write_marks(const struct loop *l, const struct uop *u, uint8_t *state, uint8_t marks)
{
	for (uint32_t i = u->reads; i < (uint32_t)u->reads + u->writes; i++) {
		uint32_t count, first = first_register(l, u, i, &count);

		for (uint32_t r = first; r < first + count; r++)
			state[r] = u->flags & UOP_GUARDED ? state[r] | marks : marks;
	}
}

/* What a load from device memory brings, whose address has these marks. */
static uint8_t marks_loaded(const struct uop *u, uint8_t address)
{
	bool is_read_only = u->combine == CACHE_NC;
	bool is_polling = u->flags & UOP_VOLATILE || u->combine == CACHE_CV || u->combine == CACHE_CG;

	if (is_polling)
		return OF_OTHERS | MOVES;
	return is_read_only || address & MOVES ? 0 : OF_OTHERS;
}

/* The marks that a micro-operation adds to those of its operands. */
static uint8_t added(const struct loop *l, const struct uop *u, const uint8_t *state)
{
	bool is_shared = u->space == SPACE_SHARED, is_local = u->space == SPACE_LOCAL;

	switch (u->code) {
	case UOP_LD:
	case UOP_LDMATRIX:
		if (is_shared || is_local)
			return is_shared ? l->shared | MOVES : l->local;
		if (u->space == SPACE_CONST || u->space == SPACE_PARAM)
			return 0;
		return (u->space == SPACE_GENERIC ? l->shared | l->local : 0) |
			marks_loaded(u, address_marks(l, u, state));
	case UOP_ATOM:
		return is_shared ? l->shared | MOVES : OF_OTHERS | MOVES;
	case UOP_SULD:
	case UOP_MBARRIER:
	case UOP_MBARRIER_TEST:
		return is_shared && u->code != UOP_SULD ? l->shared | MOVES : OF_OTHERS | MOVES;
	case UOP_MOV_SREG:
		return MOVES;
	default:
		return 0;
	}
}

/* What it leaves in shared and local memory. */
static void mark_stored(struct loop *l, const struct uop *u, uint8_t marks)
{
	bool writes = u->code == UOP_ST || u->code == UOP_STMATRIX || u->code == UOP_ATOM ||
		u->code == UOP_CP_ASYNC || u->code == UOP_BULK || u->code == UOP_MBARRIER ||
		u->code == UOP_ASYNC_WRITE;
	uint8_t shared, local;

	if (!writes)
		return;
	if (u->code == UOP_CP_ASYNC || u->code == UOP_BULK)
		marks |= OF_OTHERS | MOVES;
	shared = u->space == SPACE_LOCAL || (u->space == SPACE_GLOBAL && u->code != UOP_CP_ASYNC) ? 0 : marks;
	local = u->space == SPACE_LOCAL || u->space == SPACE_GENERIC ? marks : 0;
	l->changed |= (shared & ~l->shared) || (local & ~l->local);
	l->shared |= shared;
	l->local |= local;
}

static void propagate_marks(struct loop *l, uint32_t to, const uint8_t *state)
{
	for (uint32_t r = 0; r < l->registers; r++) {
		l->changed |= state[r] & ~l->entry[to][r];
		l->entry[to][r] |= state[r];
	}
}

/* Blocks from there on, up to the point where the sides of the branch meet. */
static void mark_controlled(struct loop *l, uint32_t from, uint32_t meet)
{
	const struct cfg_block *b = &l->w->cfg->blocks[from];

	if (from == meet || !l->in[from] || l->controlled[from])
		return;
	l->controlled[from] = l->changed = true;
	for (uint32_t i = 0; i < b->successor_count; i++)
		if (b->successor[i] != CFG_NONE)
			mark_controlled(l, b->successor[i], meet);
}

/* Goes through a block; returns whether the way behind it depends on others. */
static bool pass(struct loop *l, uint32_t block, uint8_t *state)
{
	const struct ptx_kernel *k = l->w->kernel;
	const struct cfg_block *b = &l->w->cfg->blocks[block];
	uint8_t control_marks = l->controlled[block] ? OF_OTHERS | MOVES : 0;
	const struct uop *last = &k->uops[b->end - 1];

	memcpy(state, l->entry[block], l->registers);
	for (uint32_t i = b->first; i < b->end; i++) {
		const struct uop *u = &k->uops[i];
		uint8_t marks = read_marks(l, u, state) | control_marks;

		mark_stored(l, u, marks);
		write_marks(l, u, state, marks | added(l, u, state));
	}
	return (read_marks(l, last, state) | control_marks) & OF_OTHERS;
}

static void iterate_marks(struct loop *l, uint8_t *state)
{
	const struct cfg *g = l->w->cfg;

	l->changed = false;
	for (uint32_t i = 0; i < g->order_count; i++) {
		const struct cfg_block *b = &g->blocks[g->order[i]];
		bool depends;

		if (!l->in[g->order[i]])
			continue;
		depends = pass(l, g->order[i], state);
		for (uint32_t s = 0; s < b->successor_count; s++) {
			if (b->successor[s] == CFG_NONE || !l->in[b->successor[s]])
				continue;
			propagate_marks(l, b->successor[s], state);
			if (depends && b->successor_count > 1)
				mark_controlled(l, b->successor[s], b->post_dominator);
		}
	}
}

/* The blocks of the natural loop that the edge closes: those that reach it other than through the header. */
static void close_loop(const struct loop *l, uint32_t from, bool *body)
{
	const struct cfg_block *b = &l->w->cfg->blocks[from];

	if (body[from])
		return;
	body[from] = true;
	for (uint32_t p = 0; p < b->predecessor_count; p++) {
		uint32_t before = l->w->cfg->predecessors[b->predecessors + p];

		if (l->in[before])
			close_loop(l, before, body);
	}
}

/* Whether a way out of the loop depends on others: a branch, or a guarded exit. */
static bool leaves(struct loop *l, const bool *body, uint8_t *state)
{
	const struct cfg *g = l->w->cfg;

	for (uint32_t i = 0; i < g->count; i++) {
		const struct cfg_block *b = &g->blocks[i];
		const struct uop *last = &l->w->kernel->uops[b->end - 1];
		bool is_exit = last->code == UOP_EXIT || last->code == UOP_RET || last->code == UOP_TRAP;

		for (uint32_t s = 0; s < b->successor_count; s++)
			is_exit |= b->successor[s] != CFG_NONE && !body[b->successor[s]];
		if (body[i] && is_exit && pass(l, i, state))
			return true;
	}
	return false;
}

bool waits_loop(const struct waits *w, const bool *loop, uint32_t header)
{
	const struct ptx_kernel *k = w->kernel;
	struct loop l = { .w = w, .in = loop, .header = header, .registers = k->rows + k->predicates + 4 };
	const struct cfg_block *h = &w->cfg->blocks[header];
	uint8_t *state = arena_alloc(w->arena, l.registers);

	l.entry = arena_array_of(w->arena, uint8_t *, w->cfg->count);
	l.controlled = arena_array_of(w->arena, bool, w->cfg->count);
	for (uint32_t b = 0; b < w->cfg->count; b++) {
		const struct cfg_block *block = &w->cfg->blocks[b];

		l.entry[b] = arena_alloc(w->arena, l.registers);
		for (uint32_t i = block->first; loop[b] && i < block->end; i++)
			write_marks(&l, &k->uops[i], state, MOVES);
	}
	memcpy(l.entry[header], state, l.registers);
	do
		iterate_marks(&l, state);
	while (l.changed);
	for (uint32_t p = 0; p < h->predecessor_count; p++) {
		uint32_t from = w->cfg->predecessors[h->predecessors + p];
		bool *body = arena_array_of(w->arena, bool, w->cfg->count);

		if (!loop[from])
			continue;
		body[header] = true;
		close_loop(&l, from, body);
		if (leaves(&l, body, state))
			return true;
	}
	return false;
}
