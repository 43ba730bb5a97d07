/* frontend/optimise/if_conversion.c -- if-conversion: short blocks that a branch leads around are guarded
 * instead: the instructions issue for all lanes, and write where the guard holds. */
#include "frontend/optimise/optimise.h"

/* The longest blocks of which ptxas of CUDA 13 does so, in instructions of the machine: without loads from
 * global memory and with them. Asked for sm_75 to sm_90 with blocks of arithmetic, loads and stores of either
 * kind. */
#define MOST_GUARDED       8u
#define MOST_GUARDED_LOADS 20u
/* A wide multiply-add counts as the product and the sum of 64 bits of which it is made. */
#define WIDE_SUM 3u

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

static uint32_t instructions_of(const struct code *c, const struct draft *d)
{
	bool is_wide_sum = d->uop.code == UOP_MAD_WIDE_S32 || d->uop.code == UOP_MAD_WIDE_U32;

	return is_wide_sum ? WIDE_SUM : 1 + steps_behind(c->l, d);
}

static bool is_short(const struct code *c, uint32_t block, ref guard)
{
	const struct code_block *b = &c->blocks[block];
	bool has_load = false;
	uint32_t length = 0;

	if (!b->count || b->count > MOST_GUARDED_LOADS || c->cfg->blocks[block].predecessor_count != 1 ||
		c->cfg->blocks[block].successor_count != 1)
		return false;
	for (uint32_t i = 0; i < b->count; i++) {
		const struct draft *d = code_draft(c, block, i);

		if (!may_be_guarded(d, guard, c->l->lowering->sm))
			return false;
		has_load |= d->uop.code == UOP_LD && d->uop.space == SPACE_GLOBAL;
		length += instructions_of(c, d);
	}
	return length <= (has_load ? MOST_GUARDED_LOADS : MOST_GUARDED);
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

void convert_ifs(struct code *c)
{
	for (uint32_t b = 0; b + 2 < c->block_count; b++) {
		struct code_block *from = &c->blocks[b], *body = &c->blocks[b + 1];
		struct draft *branch = from->count ? code_draft(c, b, from->count - 1) : NULL;

		if (!branch || branch->uop.code != UOP_BRA || branch->guard == REF_NONE ||
			branch->uop.target != b + 2 || !is_short(c, b + 1, branch->guard))
			continue;
		for (uint32_t i = 0; i < body->count; i++) {
			struct draft *d = code_draft(c, b + 1, i);

			d->is_whole = is_inside(c, b + 1, i);
			d->guard = branch->guard;
			d->uop.flags |= UOP_GUARDED;
			if (!(branch->uop.flags & UOP_GUARD_NEGATED))
				d->uop.flags |= UOP_GUARD_NEGATED;
		}
		from->count--;
	}
	code_index(c);
}
