/* frontend/optimise/if_conversion.c -- if-conversion: short blocks that a branch leads around are guarded
 * instead: the instructions issue for all lanes, and write where the guard holds. So are the two cases of a
 * branch that meet behind it, if both are short. If only the first is, it is guarded, and the branch leads
 * around the second. */
#include "frontend/optimise/optimise.h"

#include <string.h>

/* The longest blocks of which ptxas of CUDA 13 does so, in instructions of the machine: without loads from
 * global memory, where all lanes take the branch alike, and with such loads, but not if the condition itself
 * depends on one. Asked for sm_75 to sm_90 with blocks of arithmetic, loads and stores of either kind, and
 * conditions of parameters, thread numbers and loaded values. Of two cases each has its limit, and the jump
 * at the end of the first counts. Beside a case with loads one without may have MOST_BESIDE_LOADS, or what
 * the other leaves of MOST_GUARDED_LOADS. */
#define MOST_GUARDED       8u
#define MOST_UNIFORM       6u
#define MOST_GUARDED_LOADS 20u
#define MOST_BESIDE_LOADS  10u
/* A wide multiply-add counts as the product and the sum of 64 bits of which it is made. */
#define WIDE_SUM 3u

/* Of each register, a condition included: whether lanes may differ in it; whether it depends on a load from
 * global memory. What is written at several places, such as a value that a loop carries on, does not: ptxas
 * does not look behind it. */
struct conditions {
	const bool *is_varying, *is_loaded;
};

static bool is_loaded_by(const struct code *c, uint32_t op, ref r, const bool *is_loaded, const void *context)
{
	const struct draft *d = &c->l->drafts[op];
	ref list[DRAFT_REGISTERS];
	uint32_t n = draft_reads(d, list);

	(void)context;
	if (c->writer[r] != op)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (is_loaded[list[i]])
			return true;
	return (d->uop.code == UOP_LD || d->uop.code == UOP_ATOM) &&
		(d->uop.space == SPACE_GLOBAL || d->uop.space == SPACE_GENERIC);
}

static bool writes(const struct draft *d, ref r)
{
	ref list[DRAFT_REGISTERS];
	uint32_t n = draft_writes(d, list);

	for (uint32_t i = 0; i < n; i++)
		if (list[i] == r)
			return true;
	return false;
}

/* What does the same under a guard: nothing that concerns other lanes or the flow. Nor atomics on Volta and
 * later, for which ptxas keeps the branch (seen in 130 kernels of tests/runtime for sm_75). */
static bool may_be_guarded(const struct draft *d, ref guard, uint32_t sm)
{
	return d->guard == REF_NONE && d->uop.unit != UNIT_CONTROL && (d->uop.code != UOP_ATOM || sm < 70) &&
		!(d->uop.code >= UOP_VOTE_ALL && d->uop.code <= UOP_SYSCALL) && d->uop.code < UOP_MMA_FLOAT &&
		!writes(d, guard);
}

/* Where an approximation corrects its operand or result by what a comparison says, ptxas has selections at
 * this point, of which guards become later. */
static uint32_t selections_of(const struct draft *d)
{
	switch (d->uop.code) {
	case UOP_DIV_APPROX_F32:
		return d->uop.mods & MOD_FTZ ? 0 : 2;
	case UOP_DIV_FULL_F32:
		return 1;
	case UOP_SQRT_APPROX_F32:
	case UOP_RSQRT_APPROX_F32:
	case UOP_EX2_APPROX_F32:
	case UOP_LG2_APPROX_F32:
		return d->uop.mods & MOD_FTZ ? 0 : 1;
	default:
		return 0;
	}
}

static uint32_t instructions_of(const struct code *c, const struct draft *d)
{
	bool is_wide_sum = d->uop.code == UOP_MAD_WIDE_S32 || d->uop.code == UOP_MAD_WIDE_U32;

	return is_wide_sum ? WIDE_SUM : 1 + steps_behind(c->l, d) + selections_of(d);
}

/* Operands of the draft that lie in the constant bank and that no draft before it in the block reads: where
 * they are loaded (constant_loads.c), the loads are part of the block. */
static uint32_t loads_for(const struct code *c, uint32_t block, uint32_t place)
{
	const struct draft *d = code_draft(c, block, place);
	uint32_t loads = 0;

	if (!loads_constants(c->l))
		return 0;
	for (uint32_t s = 0; s < 4; s++) {
		bool is_new = is_bank_read(c->l, d->src[s]);

		for (uint32_t i = 0; i < place && is_new; i++)
			for (uint32_t other = 0; other < 4; other++)
				is_new &= code_draft(c, block, i)->src[other] != d->src[s];
		loads += is_new;
	}
	return loads;
}

/* A block that may be guarded: how long it is, with the jump that may end it. */
struct body {
	uint32_t block, count; /* count: of drafts, without that jump */
	uint32_t length;
	bool has_load, has_jump;
};

/* Whether the block, which the branch with this guard leads to or around, may be guarded. */
static bool take_body(const struct code *c, uint32_t block, ref guard, struct body *body)
{
	const struct code_block *b = &c->blocks[block];
	const struct draft *last = b->count ? code_draft(c, block, b->count - 1) : NULL;

	if (!last || c->cfg->blocks[block].predecessor_count != 1 ||
		c->cfg->blocks[block].successor_count != 1)
		return false;
	*body = (struct body){ .block = block, .count = b->count };
	if (last->uop.code == UOP_BRA && last->guard == REF_NONE) {
		body->has_jump = true;
		body->length = 1;
		body->count--;
	}
	for (uint32_t i = 0; i < body->count && i <= MOST_GUARDED_LOADS; i++) {
		const struct draft *d = code_draft(c, block, i);

		if (!may_be_guarded(d, guard, c->l->lowering->sm))
			return false;
		body->has_load |= d->uop.code == UOP_LD && d->uop.space == SPACE_GLOBAL;
		body->length += instructions_of(c, d) + loads_for(c, block, i);
	}
	return true;
}

/* other: the block of the other case; NULL: there is none. is_first: it is the first of two. */
static bool is_short(const struct body *body, const struct body *other, const struct conditions *of,
	ref guard, bool is_first)
{
	uint32_t most = of->is_varying[guard] ? MOST_GUARDED : MOST_UNIFORM;

	if (body->has_load)
		return body->length <= MOST_GUARDED_LOADS && (is_first || !of->is_loaded[guard]);
	if (other && other->has_load) {
		most = other->length < MOST_GUARDED_LOADS ? MOST_GUARDED_LOADS - other->length : 0;
		most = most > MOST_BESIDE_LOADS ? most : MOST_BESIDE_LOADS;
	}
	return body->length <= most;
}

/* Whether the block alone reads what its draft at this place writes, and the draft alone writes that. */
static bool is_inside(const struct code *c, uint32_t block, uint32_t place)
{
	const struct code_block *b = &c->blocks[block];
	ref list[DRAFT_REGISTERS], read[DRAFT_REGISTERS];
	uint32_t n = draft_writes(code_draft(c, block, place), list), inside;

	for (uint32_t w = 0; w < n; w++) {
		if (c->writer[list[w]] != b->ops[place])
			return false;
		inside = 0;
		for (uint32_t i = place + 1; i < b->count; i++) {
			uint32_t reads = draft_reads(code_draft(c, block, i), read);

			for (uint32_t r = 0; r < reads; r++)
				inside += read[r] == list[w];
		}
		if (inside != c->reads[list[w]])
			return false;
	}
	return n > 0;
}

/* The block is guarded by the guard of the branch, or by its opposite, and jumps no more. */
static void guard_body(struct code *c, const struct body *body, const struct draft *branch, bool is_opposite)
{
	bool is_negated = branch->uop.flags & UOP_GUARD_NEGATED;

	for (uint32_t i = 0; i < body->count; i++) {
		struct draft *d = code_draft(c, body->block, i);

		d->is_whole = is_inside(c, body->block, i);
		d->guard = branch->guard;
		d->uop.flags |= UOP_GUARDED | (is_negated != is_opposite ? UOP_GUARD_NEGATED : 0);
	}
	c->blocks[body->block].count = body->count;
}

/* The block goes in front of the branch. */
static void move_before(struct code *c, uint32_t from, uint32_t block)
{
	struct code_block *body = &c->blocks[block];
	uint32_t *ops = code_make_room(c, from, c->blocks[from].count - 1, body->count);

	memcpy(ops, body->ops, body->count * sizeof *ops);
	body->count = 0;
}

/* Of a branch from block b to block b + 2 around block b + 1. */
static void convert_one_case(struct code *c, uint32_t b, const struct draft *branch, const struct body *body,
	const struct conditions *of)
{
	if (!body->count || !is_short(body, NULL, of, branch->guard, false))
		return;
	guard_body(c, body, branch, true);
	c->blocks[b].count--;
}

/* The same if block b + 1 jumps around block b + 2, the other case. */
static void convert_two_cases(struct code *c, uint32_t b, struct draft *branch, const struct body *first,
	const struct conditions *of)
{
	uint32_t behind = b + 3;
	struct body second;
	bool is_known;

	if (behind >= c->block_count || code_draft(c, b + 1, first->count)->uop.target != behind ||
		c->cfg->blocks[b + 2].predecessor_count != 1 || c->cfg->blocks[b + 2].successor_count != 1 ||
		c->cfg->blocks[b + 2].successor[0] != behind)
		return;
	is_known = take_body(c, b + 2, branch->guard, &second) && !second.has_jump;
	if (!is_short(first, is_known ? &second : NULL, of, branch->guard, true))
		return;
	guard_body(c, first, branch, true);
	if (is_known && is_short(&second, first, of, branch->guard, false)) {
		guard_body(c, &second, branch, false);
		c->blocks[b].count--;
		return;
	}
	move_before(c, b, b + 1);
	branch->uop.target = behind;
	branch->uop.flags ^= UOP_GUARD_NEGATED;
}

void convert_ifs(struct code *c)
{
	struct conditions of = { find_varying(c, true), code_spread(c, is_loaded_by, NULL) };

	for (uint32_t b = 0; b + 2 < c->block_count; b++) {
		const struct code_block *from = &c->blocks[b];
		struct draft *branch = from->count ? code_draft(c, b, from->count - 1) : NULL;
		struct body first;

		if (!branch || branch->uop.code != UOP_BRA || branch->guard == REF_NONE ||
			branch->uop.target != b + 2 || !take_body(c, b + 1, branch->guard, &first))
			continue;
		if (first.has_jump)
			convert_two_cases(c, b, branch, &first, &of);
		else
			convert_one_case(c, b, branch, &first, &of);
	}
	code_index(c);
}
