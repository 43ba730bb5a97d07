/* frontend/optimise/loops/unrolling.c -- loop unrolling: loops of one block that count are unrolled, as ptxas
 * does it.
 *
 * The loop becomes: rounds of four, as long as at least four are certain to follow; two, if they are; and the
 * loop as it was for the rest. How many are certain follows from the counter and its bound alone, so that
 * every round is done exactly as often as before, whatever the values. The counters of the loop take their
 * steps at once at the end of the four, and offsets between (copy_propagation.c).
 */
#include "frontend/optimise/loops/counted_loops.h"

#include <string.h>

#define MANY 4u
#define FEW  2u

struct unroller {
	struct code *code;
	struct lower *l;
	struct code_block *blocks; /* the new ones */
	uint32_t block_count;
	uint32_t *entry, *self; /* of each old block: where others enter it now, and itself */
};

/* ---- new blocks ---- */

static struct code_block *new_block(struct unroller *u, uint32_t room)
{
	struct code_block *b = &u->blocks[u->block_count++];

	*b = (struct code_block){ .ops = arena_alloc(u->l->scratch, room * sizeof *b->ops) };
	return b;
}

static struct draft *append(struct unroller *u, struct code_block *b, unsigned code, uint32_t line)
{
	struct draft *d = emit(u->l, code);

	b->ops[b->count++] = u->l->draft_count - 1;
	d->guard = REF_NONE;
	d->uop.flags = 0;
	d->uop.line = line;
	return d;
}

static ref append_sum(struct unroller *u, struct code_block *b, const struct loop *loop, ref from, int64_t by)
{
	unsigned bits = loop->is_wide ? 64 : 32;
	ref constant = constant_ref(u->l, loop->is_wide ? (uint64_t)by : (uint32_t)by, bits), to;
	struct draft *d;

	to = new_vreg(u->l, bits);
	d = append(u, b, loop->is_wide ? UOP_ADD_B64 : UOP_ADD_B32, loop->line);
	d->dst[0] = to;
	d->src[0] = from;
	d->src[1] = constant;
	return to;
}

static ref append_test(struct unroller *u, struct code_block *b, const struct loop *loop, unsigned code,
	uint8_t compare, ref left, ref right)
{
	ref to = new_vreg(u->l, 0);
	struct draft *d = append(u, b, code, loop->line);

	d->uop.compare = compare;
	d->dst[0] = to;
	d->src[0] = left;
	d->src[1] = right;
	return to;
}

static void append_branch(struct unroller *u, struct code_block *b, const struct loop *loop, ref guard,
	uint8_t negated, uint32_t to)
{
	struct draft *d = append(u, b, UOP_BRA, loop->line);

	d->guard = guard;
	d->uop.flags = UOP_GUARDED | negated;
	d->uop.target = to;
}

/* For a comparison by size: the bound of a counter that so many rounds may follow, and a predicate that it
 * did not overflow. */
struct limit {
	ref bound, holds;
};

static struct limit append_limit(
	struct unroller *u, struct code_block *b, const struct loop *loop, uint32_t rounds)
{
	struct limit limit = { REF_NONE, REF_NONE };
	unsigned code = u->l->drafts[loop->test].uop.code;

	if (loop->compare == CMP_NE)
		return limit;
	limit.bound = append_sum(u, b, loop, loop->bound, -loop->step * (int64_t)(rounds - 1));
	limit.holds =
		append_test(u, b, loop, code, loop->step > 0 ? CMP_LT : CMP_GT, limit.bound, loop->bound);
	return limit;
}

/* A predicate: at least so many rounds follow. Of a counter that must meet its bound, the distance is more
 * than the steps up to the last of these rounds; whatever wraps round. */
static ref append_certainty(struct unroller *u, struct code_block *b, const struct loop *loop,
	uint32_t rounds, const struct limit *limit, bool is_checked)
{
	unsigned code = u->l->drafts[loop->test].uop.code;
	int64_t steps = loop->step * (int64_t)(rounds - 1);
	ref distance, constant, to;
	struct draft *d;
	uint64_t bound;

	if (loop->compare != CMP_NE) {
		to = append_test(u, b, loop, code, loop->compare, loop->counter, limit->bound);
		d = &u->l->drafts[u->l->draft_count - 1];
		if (is_checked) {
			d->uop.combine = BOOL_AND;
			d->src[2] = limit->holds;
		}
		return to;
	}
	steps = steps < 0 ? -steps : steps;
	constant = constant_ref(u->l, (uint64_t)steps, loop->is_wide ? 64 : 32);
	if (loop->step < 0 && immediate(u->l, loop->bound, loop->is_wide, &bound) && !bound)
		return append_test(u, b, loop, loop->is_wide ? UOP_SETP_U64 : UOP_SETP_U32, CMP_GT,
			loop->counter, constant);
	distance = new_vreg(u->l, loop->is_wide ? 64 : 32);
	d = append(u, b, loop->is_wide ? UOP_SUB_B64 : UOP_SUB_B32, loop->line);
	d->dst[0] = distance;
	d->src[0] = loop->step > 0 ? loop->bound : loop->counter;
	d->src[1] = loop->step > 0 ? loop->counter : loop->bound;
	return append_test(
		u, b, loop, loop->is_wide ? UOP_SETP_U64 : UOP_SETP_U32, CMP_GT, distance, constant);
}

/* ---- rounds ---- */

struct rounds {
	ref *base;  /* of each register that counts: its value before the first round; else REF_NONE */
	ref *value; /* of each of them: where its value is now */
	uint32_t registers;
};

static ref read_as(const struct rounds *r, ref from)
{
	return is_register(from) && from < r->registers && r->base[from] != REF_NONE ? r->value[from] : from;
}

/* A draft of round `round` of `count`. */
static void append_copy(struct unroller *u, struct code_block *b, const struct loop *loop, uint32_t place,
	struct rounds *r, uint32_t round, uint32_t count)
{
	uint32_t from = u->code->blocks[loop->block].ops[place], copy;
	struct draft *d;
	ref counter = u->l->drafts[from].dst[0];
	int64_t step;

	if (from == loop->test && round + 1 < count)
		return;
	copy = code_copy(u->code, from); /* which may move the drafts */
	b->ops[b->count++] = copy;
	d = &u->l->drafts[copy];
	if (is_register(counter) && counter < r->registers && r->base[counter] != REF_NONE) {
		bool is_wide = is_wide_step(d);
		ref to = round + 1 < count ? new_vreg(u->l, u->l->vregs[counter].bits) : counter;
		ref constant;

		counts(u->code, loop->block, place, &step);
		step *= (int64_t)round + 1;
		constant = constant_ref(u->l, is_wide ? (uint64_t)step : (uint32_t)step, is_wide ? 64 : 32);
		d->uop.code = is_wide ? UOP_ADD_B64 : UOP_ADD_B32;
		d->dst[0] = to;
		d->src[0] = r->base[counter];
		d->src[1] = constant;
		r->value[counter] = to;
		return;
	}
	for (int s = 0; s < 4; s++)
		d->src[s] = read_as(r, d->src[s]);
	for (uint32_t e = 0; e < d->uop.extra_sources; e++)
		d->extra[e] = read_as(r, d->extra[e]);
}

/* So many rounds without a test but the last one's. */
static void append_rounds(struct unroller *u, struct code_block *b, const struct loop *loop, uint32_t count)
{
	const struct code_block *body = &u->code->blocks[loop->block];
	struct rounds r = { .registers = u->l->vreg_count };
	int64_t step;

	r.base = arena_alloc(u->l->scratch, r.registers * sizeof *r.base);
	r.value = arena_alloc(u->l->scratch, r.registers * sizeof *r.value);
	memset(r.base, 0xff, r.registers * sizeof *r.base);
	for (uint32_t i = 0; i + 1 < body->count; i++) {
		ref counter = code_draft(u->code, loop->block, i)->dst[0], to;
		bool is_wide = is_wide_step(code_draft(u->code, loop->block, i));
		struct draft *copy;

		if (!counts(u->code, loop->block, i, &step))
			continue;
		to = new_vreg(u->l, u->l->vregs[counter].bits);
		copy = append(u, b, is_wide ? UOP_MOV_B64 : UOP_MOV_B32,
			code_draft(u->code, loop->block, i)->uop.line);
		copy->dst[0] = r.base[counter] = r.value[counter] = to;
		copy->src[0] = counter;
	}
	for (uint32_t round = 0; round < count; round++)
		for (uint32_t i = 0; i + 1 < body->count; i++)
			append_copy(u, b, loop, i, &r, round, count);
}

static void append_loop(struct unroller *u, const struct loop *loop)
{
	const struct code_block *body = &u->code->blocks[loop->block];
	uint32_t first = u->block_count, rest = first + 5, after = loop->block + 1;
	struct code_block *before = new_block(u, 8), *many = new_block(u, MANY * (body->count + 4) + 8),
			  *between = new_block(u, 1), *test = new_block(u, 8),
			  *few = new_block(u, FEW * (body->count + 4) + 8);
	struct limit limit = append_limit(u, before, loop, MANY), less;
	ref certain = append_certainty(u, before, loop, MANY, &limit, true);

	append_branch(u, before, loop, certain, UOP_GUARD_NEGATED, first + 3);
	append_rounds(u, many, loop, MANY);
	certain = append_certainty(u, many, loop, MANY, &limit, false);
	append_branch(u, many, loop, certain, 0, first + 1);
	/* the targets of branches to old blocks are renumbered below */
	append_branch(
		u, between, loop, loop->going_on, loop->negated ^ UOP_GUARD_NEGATED, UINT32_MAX - after);
	less = append_limit(u, test, loop, FEW);
	certain = append_certainty(u, test, loop, FEW, &less, true);
	append_branch(u, test, loop, certain, UOP_GUARD_NEGATED, rest);
	append_rounds(u, few, loop, FEW);
	append_branch(u, few, loop, loop->going_on, loop->negated ^ UOP_GUARD_NEGATED, UINT32_MAX - after);
	u->blocks[u->block_count++] = *body;
	u->entry[loop->block] = first;
	u->self[loop->block] = rest;
}

/* ---- the function ---- */

static void retarget_copies(struct unroller *u)
{
	struct code *c = u->code;
	struct unit *unit = &u->l->units[u->l->unit];

	for (uint32_t b = 0; b < c->block_count; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			struct draft *d = code_draft(c, b, i);

			if (d->uop.code == UOP_BRA)
				d->uop.target = d->uop.target == b ? u->self[b] : u->entry[d->uop.target];
		}
	for (uint32_t d = c->draft_count; d < u->l->draft_count; d++)
		if (u->l->drafts[d].uop.code == UOP_BRA && u->l->drafts[d].uop.target > UINT32_MAX / 2)
			u->l->drafts[d].uop.target = u->entry[UINT32_MAX - u->l->drafts[d].uop.target];
	for (uint32_t t = 0; t < unit->target_count; t++)
		unit->targets[t] = u->entry[unit->targets[t]];
}

bool unroll_counted(struct code *c)
{
	struct unroller u = { .code = c, .l = c->l };
	struct loop *loops = arena_alloc(c->l->scratch, (c->block_count + 1) * sizeof *loops);
	uint32_t count = 0, next = 0;

	code_index(c);
	for (uint32_t b = 0; b < c->block_count; b++)
		if (is_countable(c, b, &loops[count]))
			count++;
	if (!count)
		return false;
	u.blocks = arena_alloc(c->l->scratch, (c->block_count + 5 * (size_t)count) * sizeof *u.blocks);
	u.entry = arena_alloc(c->l->scratch, c->block_count * sizeof *u.entry);
	u.self = arena_alloc(c->l->scratch, c->block_count * sizeof *u.self);
	for (uint32_t b = 0; b < c->block_count; b++) {
		if (next < count && loops[next].block == b) {
			append_loop(&u, &loops[next++]);
			continue;
		}
		u.entry[b] = u.self[b] = u.block_count;
		u.blocks[u.block_count++] = c->blocks[b];
	}
	retarget_copies(&u);
	c->blocks = u.blocks;
	c->block_count = u.block_count;
	return true;
}
