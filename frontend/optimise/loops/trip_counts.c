/* frontend/optimise/loops/trip_counts.c -- constant trip counts: which loops of several blocks do a constant
 * number of rounds: a counter begins with a constant, the block that ends the loop adds a constant and
 * compares with one, and nothing else writes the counter.
 *
 * The blocks stand one after the other, are entered at the first alone and contain no other loop. Whatever
 * comes to the first from outside has set the counter since it left the loop. So every round is done exactly
 * as often as before, in the same order. Loops in which threads look at each other otherwise than at a
 * barrier are left as they are, as in counted_loops.c, and so are those that the program forbids to unroll.
 */
#include "frontend/optimise/loops/trip_counts.h"

/* ptxas 13 does up to so many instructions a round, times the root of the rounds, one round after the other:
 * asked with loops of 2 to 200 rounds for sm_75, 186 to 212, from six rounds on. It counts before it has made
 * multiply-adds and operands: a sum of 64 bits as two. */
#define MOST_SIZE   196u
#define MOST_ROUNDS 256u

static bool may_be_repeated(const struct draft *d)
{
	return d->uop.code != UOP_CALL && d->uop.code != UOP_BRX && d->uop.code != UOP_ATOM &&
		d->uop.code != UOP_MOV_SREG && !(d->uop.code >= UOP_VOTE_ALL && d->uop.code <= UOP_SYSCALL) &&
		!(d->uop.code >= UOP_MMA_FLOAT && d->uop.code != UOP_BRA && d->uop.code != UOP_BAR_SYNC &&
			d->uop.code != UOP_EXIT && d->uop.code != UOP_NOP) &&
		!((d->uop.code == UOP_LD || d->uop.code == UOP_ST) && d->uop.flags & UOP_VOLATILE);
}

/* Whether ways lead only into the first block, and back only from the last. */
static bool is_closed(const struct code *c, const struct fixed_loop *loop)
{
	for (uint32_t b = loop->first; b <= loop->last; b++) {
		const struct cfg_block *block = &c->cfg->blocks[b];

		for (uint32_t p = 0; p < block->predecessor_count; p++) {
			uint32_t from = c->cfg->predecessors[block->predecessors + p];
			bool is_inside = from >= loop->first && from <= loop->last;

			if (!c->cfg->blocks[from].is_reachable)
				continue;
			if (b == loop->first ? is_inside && from != loop->last : !is_inside || from >= b)
				return false;
		}
	}
	return true;
}

/* The product and the sum of a multiply-add by themselves; sequences as one. */
static uint32_t size_of(const struct draft *d)
{
	switch (d->uop.code) {
	case UOP_MAD_LO_B32:
	case UOP_ADD_B64:
		return 2;
	case UOP_MAD_WIDE_S32:
	case UOP_MAD_WIDE_U32:
		return 3;
	default:
		return 1;
	}
}

/* The instructions of a round; false: some may not be done again, or they are too many for two. */
static bool measure(const struct code *c, struct fixed_loop *loop)
{
	loop->size = 0;
	for (uint32_t b = loop->first; b <= loop->last; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			if (!may_be_repeated(code_draft(c, b, i)) || code_draft(c, b, i)->is_rolled)
				return false;
			loop->size += size_of(code_draft(c, b, i));
		}
	return 2 * loop->size * loop->size <= MOST_SIZE * MOST_SIZE;
}

/* The draft that alone writes the register among those of the last block behind place `from`; UINT32_MAX:
 * none or several. */
static uint32_t only_writer(const struct code *c, const struct fixed_loop *loop, ref r, uint32_t *place)
{
	ref list[DRAFT_REGISTERS];
	uint32_t found = UINT32_MAX;

	for (uint32_t b = loop->first; b <= loop->last; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			uint32_t n = draft_writes(code_draft(c, b, i), list);

			for (uint32_t w = 0; w < n; w++) {
				if (list[w] != r)
					continue;
				if (found != UINT32_MAX || b != loop->last)
					return UINT32_MAX;
				found = c->blocks[b].ops[i];
				*place = i;
			}
		}
	return found;
}

/* Whether the counter is written outside once, with a constant, on every way to the loop since it was left.
 */
static bool find_start(const struct code *c, struct fixed_loop *loop)
{
	uint32_t block = CFG_NONE, writes = 0;
	ref list[DRAFT_REGISTERS];
	uint64_t value = 0;

	for (uint32_t b = 0; b < c->block_count; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			const struct draft *d = code_draft(c, b, i);
			uint32_t n = draft_writes(d, list);

			for (uint32_t w = 0; w < n; w++) {
				if (list[w] != loop->counter)
					continue;
				writes++;
				if (d->uop.code == UOP_MOV_B32 && d->guard == REF_NONE &&
					immediate(c->l, d->src[0], false, &value))
					block = b;
			}
		}
	loop->start = (int32_t)(uint32_t)value;
	return writes == 2 && block != CFG_NONE && (block < loop->first || block > loop->last) &&
		code_block_dominates(c, block, loop->first);
}

static bool block_writes(const struct code *c, uint32_t block, ref r)
{
	ref list[DRAFT_REGISTERS];

	for (uint32_t i = 0; i < c->blocks[block].count; i++) {
		uint32_t n = draft_writes(code_draft(c, block, i), list);

		for (uint32_t w = 0; w < n; w++)
			if (list[w] == r)
				return true;
	}
	return false;
}

/* Whether a way leads from the loop to its first block past neither the last block's branch nor the block
 * that sets the counter. */
static bool is_entered_again(const struct code *c, const struct fixed_loop *loop)
{
	bool *is_shut = arena_alloc(c->l->scratch, c->block_count);

	for (uint32_t b = 0; b < c->block_count; b++)
		is_shut[b] = block_writes(c, b, loop->counter);
	for (uint32_t b = loop->first; b <= loop->last; b++)
		for (uint32_t s = 0; s < c->cfg->blocks[b].successor_count; s++) {
			uint32_t to = c->cfg->blocks[b].successor[s];

			if (to == CFG_NONE || (to >= loop->first && to <= loop->last) || is_shut[to])
				continue;
			is_shut[to] = true;
			if (code_reaches(c, to, loop->first, is_shut))
				return true;
		}
	return false;
}

static bool holds(uint8_t compare, bool is_signed, uint32_t a, uint32_t b)
{
	int64_t x = is_signed ? (int32_t)a : (int64_t)a, y = is_signed ? (int32_t)b : (int64_t)b;

	switch (compare) {
	case CMP_EQ:
		return x == y;
	case CMP_NE:
		return x != y;
	case CMP_LT:
		return x < y;
	case CMP_LE:
		return x <= y;
	case CMP_GT:
		return x > y;
	default:
		return x >= y;
	}
}

/* Counts the rounds; false: too many. */
static bool count_rounds(
	const struct draft *test, bool is_turned, uint32_t bound, bool goes_on_if, struct fixed_loop *loop)
{
	uint32_t value = (uint32_t)loop->start;
	bool is_signed = test->uop.code == UOP_SETP_S32;

	for (loop->rounds = 1; loop->rounds <= MOST_ROUNDS; loop->rounds++) {
		value += (uint32_t)loop->by;
		if (holds(test->uop.compare, is_signed, is_turned ? bound : value,
			    is_turned ? value : bound) != goes_on_if)
			return loop->rounds > 1 &&
				loop->rounds * loop->size * loop->size <= MOST_SIZE * MOST_SIZE;
	}
	return false;
}

/* The step and the test behind it, and from these the rounds. */
static bool find_rounds(const struct code *c, struct fixed_loop *loop, const struct draft *branch)
{
	uint32_t test_place, step_place, test = only_writer(c, loop, branch->guard, &test_place);
	const struct draft *t = test == UINT32_MAX ? NULL : &c->l->drafts[test], *step;
	uint64_t bound, by;
	bool is_turned;

	if (!t || (t->uop.code != UOP_SETP_S32 && t->uop.code != UOP_SETP_U32) || t->guard != REF_NONE ||
		t->src[2] != REF_NONE || t->dst[1] != REF_NONE || t->dst[0] != branch->guard ||
		t->uop.compare > CMP_GE)
		return false;
	is_turned = !is_register(t->src[0]);
	loop->counter = t->src[is_turned];
	if (!is_register(loop->counter) || c->l->vregs[loop->counter].bits != 32 ||
		!immediate(c->l, t->src[!is_turned], false, &bound))
		return false;
	loop->step = only_writer(c, loop, loop->counter, &step_place);
	step = loop->step == UINT32_MAX ? NULL : &c->l->drafts[loop->step];
	if (!step || step_place > test_place || step->uop.code != UOP_ADD_B32 || step->guard != REF_NONE ||
		step->src[0] != loop->counter || !immediate(c->l, step->src[1], false, &by))
		return false;
	loop->by = (int32_t)(uint32_t)by;
	return find_start(c, loop) && !is_entered_again(c, loop) &&
		count_rounds(t, is_turned, (uint32_t)bound, !(branch->uop.flags & UOP_GUARD_NEGATED), loop);
}

bool is_fixed(const struct code *c, uint32_t last, struct fixed_loop *loop)
{
	const struct code_block *b = &c->blocks[last];
	const struct draft *branch = b->count ? code_draft(c, last, b->count - 1) : NULL;

	if (!branch || branch->uop.code != UOP_BRA || !is_register(branch->guard) ||
		branch->uop.target >= last || last + 1 >= c->block_count)
		return false;
	*loop = (struct fixed_loop){ .first = branch->uop.target, .last = last };
	return is_closed(c, loop) && measure(c, loop) && find_rounds(c, loop, branch);
}
