/* tests/ptx/random/evaluate.c -- what a random program computes: thread by thread, but operations on whole
 * warps when all their threads have come there. */
#include "random.h"
#include <stdlib.h>
#include <string.h>

static uint32_t evaluate_function(
	struct thread *t, uint32_t function, uint32_t x, uint64_t y, uint32_t depth);

static bool holds(const struct frame *f, const struct node *n)
{
	return f->registers[kind_of('p')][n->guard].p != n->guard_negated;
}

static union value value_of(const struct frame *f, const struct operand *o)
{
	return o->is_constant ? (union value){ .U = o->constant } : f->registers[o->kind][o->number];
}

static void evaluate_form(struct frame *f, const struct node *n)
{
	union value from[4] = { { .U = 0 } };

	for (size_t i = 0; n->form->kinds[i + 1]; i++)
		from[i] = value_of(f, &n->from[i]);
	n->form->evaluate(&f->registers[n->to.kind][n->to.number], from);
}

static uint8_t *location_of(struct thread *t, struct frame *f, const struct node *n)
{
	return f != &t->frame ? f->own + n->offset
			      : t->memory[n->space == SPACE_GENERIC ? t->generic : n->space] + n->offset;
}

static void evaluate_element(struct frame *f, const struct node *n, uint8_t *place, unsigned number)
{
	union value *r = &f->registers[n->to.kind][number], v = { .U = 0 };
	unsigned unused = 64 - 8u * n->bytes, width = 64 - 8u * kinds[n->to.kind].bytes;

	if (n->type == NODE_STORE) {
		memcpy(place, r, n->bytes);
		return;
	}
	memcpy(&v, place, n->bytes);
	if (n->is_signed)
		v.S = (int64_t)(v.U << unused) >> unused;
	v.U = v.U << width >> width;
	*r = v;
}

static uint64_t atomic_result(const struct node *n, uint64_t old, uint64_t a, uint64_t b)
{
	bool is_wide = n->bytes == 8;
	bool is_less =
		n->is_signed ? (is_wide ? (int64_t)a < (int64_t)old : (int32_t)a < (int32_t)old) : a < old;

	switch (n->atom) {
	case ATOM_ADD:
		return old + a;
	case ATOM_MIN:
		return is_less ? a : old;
	case ATOM_MAX:
		return is_less ? old : a;
	case ATOM_AND:
		return old & a;
	case ATOM_OR:
		return old | a;
	case ATOM_XOR:
		return old ^ a;
	case ATOM_EXCH:
		return a;
	case ATOM_INC:
		return old >= a ? 0 : old + 1;
	case ATOM_DEC:
		return old == 0 || old > a ? a : old - 1;
	default:
		return old == a ? b : old;
	}
}

static void evaluate_atomic(struct thread *t, struct frame *f, const struct node *n)
{
	uint64_t mask = n->bytes == 8 ? UINT64_MAX : UINT32_MAX, old = 0, result;
	uint64_t a = value_of(f, &n->from[0]).U & mask, b = value_of(f, &n->from[1]).U & mask;

	memcpy(&old, location_of(t, f, n), n->bytes);
	result = atomic_result(n, old, a, b);
	memcpy(location_of(t, f, n), &result, n->bytes);
	if (!n->is_reduction)
		f->registers[n->to.kind][n->to.number].U = old;
}

static void evaluate_call(struct thread *t, struct frame *f, const struct node *n, uint32_t depth)
{
	bool is_first = f->registers[n->from[2].kind][n->from[2].number].p;
	uint32_t result = evaluate_function(t, is_first ? n->other : n->another, value_of(f, &n->from[0]).u,
		value_of(f, &n->from[1]).U, depth);

	f->registers[n->to.kind][n->to.number] = (union value){ .U = result };
}

static void evaluate_plain(struct thread *t, struct frame *f, const struct node *n)
{
	if (n->guarded && !holds(f, n))
		return;
	if (n->type == NODE_FORM)
		evaluate_form(f, n);
	else if (n->type == NODE_ATOMIC)
		evaluate_atomic(t, f, n);
	else
		for (unsigned i = 0; i < n->vector; i++)
			evaluate_element(
				f, n, location_of(t, f, n) + i * n->bytes, (n->to.number + i) % POOL);
}

/* Where a switch goes on. */
static uint32_t find_case(const struct frame *f, const struct node *n)
{
	uint32_t at = n->other;

	for (uint32_t i = value_of(f, &n->from[0]).u & (n->cases - 1); i > 0; i--)
		at = program.nodes[at].other;
	return at + 1;
}

/* The node after `at`; UINT32_MAX: the function returns. depth: how deep it may still call. */
static uint32_t evaluate_node(
	struct thread *t, struct frame *f, uint32_t at, uint32_t depth, bool in_function)
{
	const struct node *nodes = program.nodes, *n = &nodes[at];

	switch ((enum node_type)n->type) {
	case NODE_FORM:
	case NODE_LOAD:
	case NODE_STORE:
	case NODE_ATOMIC:
		evaluate_plain(t, f, n);
		return at + 1;
	case NODE_IF:
		return holds(f, n) ? at + 1 : n->other + 1;
	case NODE_ELSE:
		return n->other + 1;
	case NODE_LOOP:
		f->trips[at] = n->trips;
		return at + 1;
	case NODE_BREAK:
		return holds(f, n) ? nodes[n->other].other + 1 : at + 1;
	case NODE_CONTINUE:
		return holds(f, n) ? nodes[n->other].other : at + 1;
	case NODE_SWITCH:
		return find_case(f, n);
	case NODE_CASE:
		return n->falls_through ? at + 1 : n->another + 1;
	case NODE_END:
		return nodes[n->other].type == NODE_LOOP && --f->trips[n->other] ? n->other + 1 : at + 1;
	case NODE_EXIT:
		t->exited |= holds(f, n) && (n->number || !in_function);
		return holds(f, n) ? UINT32_MAX : at + 1;
	case NODE_CALL:
		if ((!n->guarded || holds(f, n)) && (!in_function || depth))
			evaluate_call(t, f, n, in_function ? depth - 1 : n->trips);
		return t->exited ? UINT32_MAX : at + 1;
	case NODE_RETURN:
		return UINT32_MAX;
	case NODE_WARP:
		break;
	}
	abort();
}

static void begin_memory(uint8_t *memory)
{
	for (uint64_t i = 0; i < BYTES; i += 8)
		memcpy(memory + i, &(uint64_t){ i * 77 }, 8);
}

/* As print.c begins a function. */
static void begin_frame(struct frame *f, uint32_t x, uint64_t y)
{
	begin_memory(f->own);
	for (unsigned i = 0; i < POOL; i++) {
		uint32_t r = x + i * 0x1e3779b9u;
		uint64_t d = y ^ i * 0x10001u;

		f->registers[kind_of('r')][i] = (union value){ .U = r };
		f->registers[kind_of('d')][i] = (union value){ .U = d };
		f->registers[kind_of('h')][i] = (union value){ .U = (uint16_t)r };
		f->registers[kind_of('f')][i] = (union value){ .f = (float)(int32_t)r };
		f->registers[kind_of('g')][i] = (union value){ .g = (double)(int64_t)d };
		f->registers[kind_of('p')][i] = (union value){ .p = x >> i & 1 };
	}
}

static uint32_t evaluate_function(struct thread *t, uint32_t function, uint32_t x, uint64_t y, uint32_t depth)
{
	struct frame f;

	begin_frame(&f, x, y);
	for (uint32_t at = program.functions[function].begin; at != UINT32_MAX;)
		at = evaluate_node(t, &f, at, depth, true);
	return (f.registers[kind_of('r')][0].u ^ f.registers[kind_of('r')][1].u) +
		(uint32_t)f.registers[kind_of('d')][2].U;
}

static void begin_thread(struct thread *t, uint32_t tid)
{
	t->generic = tid % 4 == 1 ? SPACE_LOCAL : tid % 4 == 2 ? SPACE_GLOBAL : SPACE_SHARED;
	for (unsigned s = 0; s < 3; s++)
		begin_memory(t->memory[s]);
	t->at = program.begin;
	t->exited = false;
}

/* To the next operation of the whole warp, or to its end. */
static void run_thread(struct thread *t)
{
	while (!t->exited && t->at < program.node_count && program.nodes[t->at].type != NODE_WARP)
		t->at = evaluate_node(t, &t->frame, t->at, 0, false);
}

static void evaluate_together(struct thread *threads, uint32_t members, const struct node *n)
{
	union value from[4][WARP], to[WARP];
	uint32_t count = (uint32_t)strlen(n->warp->kinds) - 1;

	for (uint32_t i = 0; i < count; i++)
		for (uint32_t l = 0; l < WARP; l++)
			from[i][l] = members >> l & 1 ? value_of(&threads[l].frame, &n->from[i])
						      : (union value){ .U = 0 };
	for (uint32_t l = 0; l < WARP; l++)
		if (members >> l & 1)
			n->warp->evaluate(&to[l], (const union value(*)[WARP])from, l, members);
	for (uint32_t l = 0; l < WARP; l++)
		if (members >> l & 1) {
			threads[l].frame.registers[n->to.kind][n->to.number] = to[l];
			threads[l].at++;
		}
}

static void evaluate_warp(struct thread *threads, uint32_t count)
{
	uint32_t members = count < WARP ? (1u << count) - 1 : UINT32_MAX;

	for (;;) {
		for (uint32_t l = 0; l < count; l++)
			run_thread(&threads[l]);
		if (threads[0].exited || threads[0].at >= program.node_count)
			return;
		evaluate_together(threads, members, &program.nodes[threads[0].at]);
	}
}

void evaluate_program(struct thread *threads)
{
	for (uint32_t tid = 0; tid < LIVE; tid++)
		begin_thread(&threads[tid], tid);
	for (uint32_t first = 0; first < LIVE; first += WARP)
		evaluate_warp(threads + first, LIVE - first < WARP ? LIVE - first : WARP);
}
