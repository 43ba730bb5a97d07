/* frontend/optimise/expand.c -- expansion: micro-operations that the machine carries out in several
 * instructions: the micro-operation computes the result with the first, and steps (UOP_STEP) that compute
 * nothing follow, each of which waits for the one before. So values stay those of PTX, and issue slots, units
 * and latencies are those of the sequence. */
#include "frontend/optimise/optimise.h"

#include <string.h>

enum when { ALWAYS, FTZ, BY_CONSTANTS, BY_NUMBER, BY_ONE, BY_POWER, BY_SHORT, BY_RECIPROCAL };

static const struct sequence {
	uint16_t code;
	uint8_t when, sm;
	const char *steps;
} sequences[] = {
#define SEQUENCE(code, when, sm, steps) { UOP_##code, when, sm, steps },
#include "frontend/optimise/sequences.def"
#undef SEQUENCE
};

static const struct step {
	char letter;
	uint8_t unit, latency_class;
} steps[] = {
	{ 'q', UNIT_SFU, CLASS_SFU },
	{ 'f', UNIT_SP, CLASS_FP_MAD },
	{ 'm', UNIT_SP, CLASS_FP_MUL },
	{ 'a', UNIT_SP, CLASS_FP_ADD },
	{ 'd', UNIT_DP, CLASS_DP_MAD },
	{ 'e', UNIT_DP, CLASS_DP_ADD },
	{ 'x', UNIT_SP, CLASS_INT_MAD },
	{ 'y', UNIT_SP, CLASS_INT_MUL },
	{ 'i', UNIT_SP, CLASS_INT_ADD },
	{ 'p', UNIT_SP, CLASS_GUARDING },
	{ 's', UNIT_SP, CLASS_INT_BITS },
	{ 'v', UNIT_SP, CLASS_CONVERT },
	{ 'n', UNIT_CONTROL, CLASS_CONTROL },
};

static const struct step *step_of(char letter)
{
	const struct step *s = steps;

	while (s->letter != letter)
		s++;
	return s;
}

static bool sequence_applies(const struct lower *l, const struct sequence *q, const struct draft *d)
{
	uint64_t factor;

	switch ((enum when)q->when) {
	case FTZ:
		return d->uop.mods & MOD_FTZ;
	case BY_CONSTANTS:
		for (int s = d->uop.code == UOP_BFI_B32 ? 2 : 1; s < 4; s++)
			if (d->src[s] != REF_NONE && !immediate(l, d->src[s], false, &factor))
				return false;
		return true;
	case BY_NUMBER:
		return immediate(l, d->src[1], false, &factor);
	case BY_ONE:
		return immediate(l, d->src[1], false, &factor) && factor == 1 &&
			(d->src[2] & REF_KIND) == REF_CONSTANT;
	case BY_POWER:
		return (immediate(l, d->src[1], false, &factor) || immediate(l, d->src[1], true, &factor)) &&
			factor && !(factor & (factor - 1));
	case BY_RECIPROCAL:
		return is_register(d->src[2]);
	case BY_SHORT:
		return immediate(l, d->src[1], false, &factor) && factor <= UINT16_MAX;
	default:
		return true;
	}
}

static const char *steps_of(const struct lower *l, const struct draft *d)
{
	uint32_t sm = l->lowering->sm;

	for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
		if (sequences[i].code == d->uop.code && sm >= sequences[i].sm &&
			sequence_applies(l, &sequences[i], d))
			return sequences[i].steps;
	return NULL;
}

uint32_t steps_behind(const struct lower *l, const struct draft *d)
{
	const char *list = steps_of(l, d);

	return list ? (uint32_t)strlen(list) - 1 : 0;
}

static void set_step(struct draft *d, char letter)
{
	d->uop.unit = step_of(letter)->unit;
	d->uop.latency_class = step_of(letter)->latency_class;
}

uint32_t new_step(struct code *c, uint32_t draft, char letter)
{
	struct draft *step = emit(c->l, letter == 'n' ? UOP_NOP : UOP_STEP);
	const struct draft *d = &c->l->drafts[draft];

	step->uop.line = d->uop.line;
	step->uop.flags = d->uop.flags & (UOP_GUARDED | UOP_GUARD_NEGATED);
	step->guard = d->guard;
	if (letter != 'n')
		step->dst[0] = step->src[0] = d->dst[0];
	set_step(step, letter);
	return c->l->draft_count - 1;
}

/* ---- addresses of .const memory ---- */

/* They are offsets of 32 bits in the constant bank, so that what computes nothing else has no upper half. */
static bool makes_offset(const struct draft *d)
{
	switch (d->uop.code) {
	case UOP_MOV_B64:
	case UOP_ADD_B64:
	case UOP_SUB_B64:
	case UOP_SHL_B64:
		return d->guard == REF_NONE && is_register(d->dst[0]);
	default:
		return false;
	}
}

/* Whether the draft reads the register for an address of .const memory, or as a part of one. */
static bool reads_as_offset(const struct draft *d, ref r, const bool *is_offset)
{
	bool is_load = d->uop.code == UOP_LD && d->uop.space == SPACE_CONST;

	return is_load ? d->guard != r : makes_offset(d) && is_offset[d->dst[0]];
}

/* For each register, whether it holds nothing but offsets in the constant bank. */
static const bool *find_offsets(const struct code *c)
{
	bool *is_offset = arena_alloc(c->l->scratch, c->l->vreg_count + 1), more = true;
	ref list[DRAFT_REGISTERS];

	for (uint32_t v = 0; v < c->l->vreg_count; v++)
		is_offset[v] = true;
	while (more) {
		more = false;
		for (uint32_t b = 0; b < c->block_count; b++)
			for (uint32_t i = 0; i < c->blocks[b].count; i++) {
				const struct draft *d = code_draft(c, b, i);
				uint32_t n = draft_reads(d, list);

				while (n-- > 0)
					if (is_offset[list[n]] && !reads_as_offset(d, list[n], is_offset)) {
						is_offset[list[n]] = false;
						more = true;
					}
			}
	}
	return is_offset;
}

/* ---- expansion ---- */

static const char *steps_there(const struct code *c, const struct draft *d, const bool *is_offset)
{
	return makes_offset(d) && is_offset[d->dst[0]] ? NULL : steps_of(c->l, d);
}

static uint32_t count_steps(const struct code *c, uint32_t block, const bool *is_offset)
{
	uint32_t n = c->blocks[block].count;

	for (uint32_t i = 0; i < c->blocks[block].count; i++) {
		const char *list = steps_there(c, code_draft(c, block, i), is_offset);

		n += list ? (uint32_t)strlen(list) - 1 : 0;
	}
	return n;
}

static void expand_block(struct code *c, uint32_t block, const bool *is_offset)
{
	struct code_block *b = &c->blocks[block];
	uint32_t *ops = arena_alloc(c->l->scratch, count_steps(c, block, is_offset) * sizeof *ops), n = 0;

	for (uint32_t i = 0; i < b->count; i++) {
		struct draft *d = code_draft(c, block, i);
		const char *list = steps_there(c, d, is_offset);

		ops[n++] = b->ops[i];
		if (!list)
			continue;
		set_step(d, *list);
		while (*++list)
			ops[n++] = new_step(c, b->ops[i], *list);
	}
	b->ops = ops;
	b->count = n;
}

void expand(struct code *c)
{
	const bool *is_offset = find_offsets(c);

	for (uint32_t b = 0; b < c->block_count; b++)
		if (c->blocks[b].count)
			expand_block(c, b, is_offset);
	code_index(c);
}
