/* frontend/optimise/loops/counted_loops.c -- counted loops: which loops count: those of one block that add a
 * constant to a register in each round and go on until it meets or passes a bound that stays.
 *
 * Loops in which lanes or threads may wait for each other, or look at each other, are none of them. */
#include "frontend/optimise/loops/counted_loops.h"

/* The longest block that ptxas unrolls, in instructions of the machine: of some 60 loops of benchmarks/,
 * tests/ptx and tests/runtime it unrolled all but one of up to 40, and two of the longer ones. */
#define MOST_UNROLLED 40u

static bool is_step(const struct draft *d)
{
	return d->uop.code == UOP_ADD_B32 || d->uop.code == UOP_ADD_B64 || d->uop.code == UOP_SUB_B32 ||
		d->uop.code == UOP_SUB_B64;
}

bool is_wide_step(const struct draft *d)
{
	return d->uop.code == UOP_ADD_B64 || d->uop.code == UOP_SUB_B64;
}

/* The draft adds a constant to a register that nothing else in the block writes. */
bool counts(const struct code *c, uint32_t block, uint32_t place, int64_t *step)
{
	const struct draft *d = code_draft(c, block, place);
	uint64_t value;
	ref list[DRAFT_REGISTERS];
	uint32_t writes = 0;

	if (!is_step(d) || d->uop.flags & UOP_GUARDED || d->src[0] != d->dst[0] || !is_register(d->dst[0]) ||
		c->l->vregs[d->dst[0]].bits != (is_wide_step(d) ? 64 : 32) ||
		!immediate(c->l, d->src[1], is_wide_step(d), &value))
		return false;
	for (uint32_t i = 0; i < c->blocks[block].count; i++) {
		uint32_t n = draft_writes(code_draft(c, block, i), list);

		for (uint32_t w = 0; w < n; w++)
			writes += list[w] == d->dst[0];
	}
	*step = is_wide_step(d) ? (int64_t)value : (int32_t)(uint32_t)value;
	if (d->uop.code == UOP_SUB_B32 || d->uop.code == UOP_SUB_B64)
		*step = -*step;
	return writes == 1 && *step > INT32_MIN / 8 && *step < INT32_MAX / 8;
}

static bool is_written(const struct code *c, uint32_t block, ref r)
{
	ref list[DRAFT_REGISTERS];

	for (uint32_t i = 0; is_register(r) && i < c->blocks[block].count; i++) {
		uint32_t n = draft_writes(code_draft(c, block, i), list);

		for (uint32_t w = 0; w < n; w++)
			if (list[w] == r)
				return true;
	}
	return false;
}

/* What concerns this thread alone, and the same whenever its lane comes to it. */
static bool may_be_repeated(const struct draft *d)
{
	return d->uop.unit != UNIT_CONTROL && !draft_temporaries(d) && d->uop.code != UOP_ATOM &&
		d->uop.code != UOP_MOV_SREG &&
		!((d->uop.code == UOP_LD || d->uop.code == UOP_ST) && d->uop.flags & UOP_VOLATILE) &&
		!(d->uop.code >= UOP_VOTE_ALL && d->uop.code <= UOP_SYSCALL) && d->uop.code < UOP_MMA_FLOAT;
}

static uint8_t turned(uint8_t compare) /* a compare b as b ... a */
{
	switch (compare) {
	case CMP_LT:
		return CMP_GT;
	case CMP_LE:
		return CMP_GE;
	case CMP_GT:
		return CMP_LT;
	case CMP_GE:
		return CMP_LE;
	default:
		return compare;
	}
}

static uint8_t inverted(uint8_t compare)
{
	switch (compare) {
	case CMP_EQ:
		return CMP_NE;
	case CMP_NE:
		return CMP_EQ;
	case CMP_LT:
		return CMP_GE;
	case CMP_LE:
		return CMP_GT;
	case CMP_GT:
		return CMP_LE;
	case CMP_GE:
		return CMP_LT;
	default:
		return compare;
	}
}

/* The only draft of the block that writes the predicate, if nothing but the branch reads it there. */
static bool find_test(const struct code *c, struct loop *loop)
{
	const struct code_block *b = &c->blocks[loop->block];
	ref list[DRAFT_REGISTERS];
	uint32_t found = 0;

	for (uint32_t i = 0; i + 1 < b->count; i++) {
		const struct draft *d = code_draft(c, loop->block, i);
		uint32_t n = draft_reads(d, list);

		for (uint32_t r = 0; r < n; r++)
			if (list[r] == loop->going_on)
				return false;
		n = draft_writes(d, list);
		for (uint32_t w = 0; w < n; w++)
			if (list[w] == loop->going_on) {
				found++;
				loop->test = b->ops[i];
			}
	}
	return found == 1;
}

/* Whether the test compares a counter, after its step, with what does not change. */
static bool find_bound(const struct code *c, struct loop *loop)
{
	const struct draft *d = &c->l->drafts[loop->test];
	const struct code_block *b = &c->blocks[loop->block];
	bool is_signed = d->uop.code == UOP_SETP_S32 || d->uop.code == UOP_SETP_S64;

	if ((!is_signed && d->uop.code != UOP_SETP_U32 && d->uop.code != UOP_SETP_U64) ||
		d->uop.flags & UOP_GUARDED || d->src[2] != REF_NONE || d->dst[1] != REF_NONE)
		return false;
	loop->is_wide = d->uop.code == UOP_SETP_S64 || d->uop.code == UOP_SETP_U64;
	for (uint32_t i = 0; i < b->count && b->ops[i] != loop->test; i++) {
		ref r = code_draft(c, loop->block, i)->dst[0];

		if ((r != d->src[0] && r != d->src[1]) || !counts(c, loop->block, i, &loop->step) ||
			is_wide_step(code_draft(c, loop->block, i)) != loop->is_wide)
			continue;
		loop->counter = r;
		loop->bound = d->src[r == d->src[0]];
		loop->compare = r == d->src[0] ? d->uop.compare : turned(d->uop.compare);
		if (loop->negated)
			loop->compare = inverted(loop->compare);
		return loop->bound != loop->counter && !is_written(c, loop->block, loop->bound) &&
			(loop->compare == CMP_NE ||
				(loop->step > 0 ? loop->compare == CMP_LT || loop->compare == CMP_LE
						: loop->compare == CMP_GT || loop->compare == CMP_GE));
	}
	return false;
}

bool is_countable(const struct code *c, uint32_t block, struct loop *loop)
{
	const struct code_block *b = &c->blocks[block];
	const struct draft *branch = b->count ? code_draft(c, block, b->count - 1) : NULL;
	uint32_t size = 1;

	if (!branch || branch->uop.code != UOP_BRA || branch->guard == REF_NONE ||
		branch->uop.target != block || block + 1 >= c->block_count)
		return false;
	*loop = (struct loop){ .block = block,
		.going_on = branch->guard,
		.negated = branch->uop.flags & UOP_GUARD_NEGATED,
		.line = branch->uop.line };
	for (uint32_t i = 0; i + 1 < b->count; i++) {
		const struct draft *d = code_draft(c, block, i);

		if (!may_be_repeated(d) || d->is_rolled)
			return false;
		size += 1 + steps_behind(c->l, d);
	}
	return size <= MOST_UNROLLED && find_test(c, loop) && find_bound(c, loop) && loop->step;
}
