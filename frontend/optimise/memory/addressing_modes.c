/* frontend/optimise/memory/addressing_modes.c -- addressing modes: indices as addresses of shared memory.
 *
 * From Volta to Ada an access to shared memory multiplies its address register by 4, 8 or 16 by itself (what
 * ptxas of CUDA 13 makes for sm_75 to sm_89; for sm_90 it makes an instruction again). A shift to the left
 * that only such accesses read is part of them. */
#include "frontend/optimise/optimise.h"

#define FIRST_SM    70u
#define BEHIND_SM   90u
#define LEAST_SCALE 2u
#define MOST_SCALE  4u

struct scaler {
	struct code *code;
	uint32_t *accesses; /* of each register: how many accesses could scale what it is made of */
};

static bool is_shared_access(const struct draft *d)
{
	return (d->uop.code == UOP_LD || d->uop.code == UOP_ST) && d->uop.space == SPACE_SHARED &&
		d->uop.mods & MOD_SAT && !d->uop.scale;
}

/* The shift that makes the access's address, if what it shifts is still there; else NULL. */
static const struct draft *shift_of(
	const struct code *c, const struct draft *access, uint32_t at, uint32_t *scale)
{
	const struct draft *d = is_shared_access(access) ? code_writer(c, access->src[0], at) : NULL;
	uint64_t count;

	if (!d || d->uop.code != UOP_SHL_B32 || !immediate(c->l, d->src[1], false, &count) ||
		count < LEAST_SCALE || count > MOST_SCALE || !is_register(d->src[0]) ||
		(!code_writer(c, d->src[0], at) &&
			!code_keeps(c, d->src[0], (uint32_t)(d - c->l->drafts), at)))
		return NULL;
	*scale = (uint32_t)count;
	return d;
}

static void scale_block(const struct scaler *s, uint32_t block)
{
	const struct code *c = s->code;

	for (uint32_t i = 0; i < c->blocks[block].count; i++) {
		struct draft *d = code_draft(c, block, i);
		uint32_t scale;
		const struct draft *shift = shift_of(c, d, c->blocks[block].ops[i], &scale);

		if (!shift || s->accesses[d->src[0]] != c->reads[d->src[0]])
			continue;
		d->src[0] = shift->src[0];
		d->uop.scale = (uint8_t)scale;
	}
}

void select_addressing_modes(struct code *c)
{
	struct scaler s = { .code = c };
	uint32_t sm = c->l->lowering->sm, scale;

	if (sm < FIRST_SM || sm >= BEHIND_SM)
		return;
	s.accesses = arena_alloc(c->l->scratch, (c->register_count + 1) * sizeof *s.accesses);
	for (uint32_t b = 0; b < c->block_count; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			const struct draft *d = code_draft(c, b, i);

			if (shift_of(c, d, c->blocks[b].ops[i], &scale))
				s.accesses[d->src[0]]++;
		}
	for (uint32_t b = 0; b < c->block_count; b++)
		scale_block(&s, b);
	code_index(c);
	eliminate_dead_code(c);
}
