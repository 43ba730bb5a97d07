/* frontend/optimise/common.c -- what was computed before is not computed again, and offsets move from sums
 * into the accesses that read them, so that more is the same.
 *
 * Both concern registers that are written at one place, past which every reader has come: they hold one
 * value. */
#include "frontend/optimise/optimise.h"
#include "frontend/allocate/schedule.h"

#include <stdlib.h>
#include <string.h>

#define MOST_OFFSET ((1 << 23) - 1) /* of an access: 24 bits with sign since Maxwell */

/* ---- offsets out of multiply-adds ---- */

static bool is_access(const struct draft *d)
{
	return d->uop.code == UOP_LD || d->uop.code == UOP_ST || d->uop.code == UOP_ATOM;
}

static bool is_multiply_add(const struct draft *d)
{
	return d->uop.code == UOP_MAD_LO_B32 || d->uop.code == UOP_MAD_WIDE_S32 ||
		d->uop.code == UOP_MAD_WIDE_U32;
}

/* What the draft adds to a register, if that holds one value; 0: nothing. */
static int64_t offset_of(const struct code *c, uint32_t draft, ref *base)
{
	const struct draft *d = &c->l->drafts[draft];
	bool is_wide = d->uop.code == UOP_ADD_B64;
	uint64_t value;

	if ((!is_wide && d->uop.code != UOP_ADD_B32) || !code_writer(c, d->src[0], draft) ||
		!immediate(c->l, d->src[1], is_wide, &value))
		return 0;
	*base = d->src[0];
	return is_wide ? (int64_t)value : (int32_t)(uint32_t)value;
}

/* How often each register is the address of an access past its writer. */
static uint32_t *count_addresses(const struct code *c)
{
	uint32_t *addresses = arena_alloc(c->l->scratch, (c->register_count + 1) * sizeof *addresses);

	for (uint32_t b = 0; b < c->block_count; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			const struct draft *d = code_draft(c, b, i);

			if (is_access(d) && code_writer(c, d->src[0], c->blocks[b].ops[i]) &&
				llabs(d->uop.imm) < MOST_OFFSET / 2)
				addresses[d->src[0]]++;
		}
	return addresses;
}

/* a * b + (c + 8), which only accesses read, becomes a * b + c, and they add the 8. */
void move_offsets(struct code *c)
{
	uint32_t *addresses = count_addresses(c);
	int64_t *moved = arena_alloc(c->l->scratch, (c->register_count + 1) * sizeof *moved);

	for (uint32_t b = 0; b < c->block_count; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			struct draft *d = code_draft(c, b, i);
			uint32_t draft = c->blocks[b].ops[i];
			const struct draft *sum;
			ref base = REF_NONE;
			int64_t by;

			if (!is_multiply_add(d) || c->writer[d->dst[0]] != draft ||
				addresses[d->dst[0]] != c->reads[d->dst[0]])
				continue;
			sum = code_writer(c, d->src[2], draft);
			by = sum ? offset_of(c, (uint32_t)(sum - c->l->drafts), &base) : 0;
			if (!by || llabs(by) > MOST_OFFSET / 2 || !code_writer(c, base, draft))
				continue;
			d->src[2] = base;
			moved[d->dst[0]] = by;
		}
	for (uint32_t b = 0; b < c->block_count; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			struct draft *d = code_draft(c, b, i);

			if (is_access(d) && is_register(d->src[0]) && d->src[0] < c->register_count)
				d->uop.imm += moved[d->src[0]];
		}
	code_index(c);
}

/* ---- the same again ---- */

struct merger {
	struct code *code;
	ref *same;                /* of each register: what its readers read instead; REF_NONE: itself */
	uint32_t *first, *others; /* a hash table of drafts + 1, and each one's next */
	uint32_t mask;
};

static void replace(const struct merger *m, ref *r, uint32_t draft)
{
	if (is_register(*r) && *r < m->code->register_count && m->same[*r] != REF_NONE &&
		code_writer(m->code, *r, draft))
		*r = m->same[*r];
}

static void replace_operands(const struct merger *m, uint32_t draft)
{
	struct draft *d = &m->code->l->drafts[draft];

	for (uint32_t s = 0; s < 4; s++)
		replace(m, &d->src[s], draft);
	for (uint32_t e = 0; e < d->uop.extra_sources; e++)
		replace(m, &d->extra[e], draft);
	replace(m, &d->guard, draft);
}

/* Whether the draft computes one register, and nothing but its operands matters. */
static bool is_pure(const struct merger *m, uint32_t draft)
{
	const struct draft *d = &m->code->l->drafts[draft];

	if (d->uop.flags & UOP_GUARDED || d->uop.unit == UNIT_CONTROL || d->uop.unit == UNIT_LDST ||
		is_access(d) || d->uop.code == UOP_MBARRIER_TEST || d->uop.code == UOP_MOV_SREG ||
		d->uop.code >= UOP_TEX || d->uop.extra_sources || d->uop.extra_dests ||
		!is_register(d->dst[0]) || d->dst[1] != REF_NONE || draft_has_effect(d) ||
		!m->code->l->vregs[d->dst[0]].bits || m->code->writer[d->dst[0]] != draft ||
		((d->uop.code == UOP_MOV_B32 || d->uop.code == UOP_MOV_B64) &&
			(d->src[0] & REF_KIND) != REF_PRELOAD))
		return false;
	for (uint32_t s = 0; s < 4; s++)
		if (is_register(d->src[s]) && !code_writer(m->code, d->src[s], draft))
			return false;
	return true;
}

static uint32_t hash_of(const struct draft *d)
{
	uint32_t h = d->uop.code;

	for (uint32_t s = 0; s < 4; s++)
		h = (h ^ d->src[s]) * 2654435761u;
	return h ^ h >> 15;
}

static bool is_same(const struct code *c, const struct draft *a, const struct draft *b)
{
	struct uop x = a->uop, y = b->uop;

	x.line = y.line = 0;
	return !memcmp(&x, &y, sizeof x) && !memcmp(a->src, b->src, sizeof a->src) &&
		c->l->vregs[a->dst[0]].bits == c->l->vregs[b->dst[0]].bits;
}

static void merge(struct merger *m, uint32_t draft)
{
	const struct draft *d = &m->code->l->drafts[draft];
	uint32_t slot = hash_of(d) & m->mask;

	for (uint32_t i = m->first[slot]; i; i = m->others[i - 1])
		if (is_same(m->code, d, &m->code->l->drafts[i - 1]) &&
			code_dominates(m->code, i - 1, draft)) {
			m->same[d->dst[0]] = m->code->l->drafts[i - 1].dst[0];
			return;
		}
	m->others[draft] = m->first[slot];
	m->first[slot] = draft + 1;
}

void merge_common(struct code *c)
{
	struct merger m = { .code = c, .mask = 15 };

	while (m.mask < c->draft_count)
		m.mask = 2 * m.mask + 1;
	m.same = arena_alloc(c->l->scratch, (c->register_count + 1) * sizeof *m.same);
	memset(m.same, 0xff, (c->register_count + 1) * sizeof *m.same);
	m.first = arena_alloc(c->l->scratch, ((size_t)m.mask + 1) * sizeof *m.first);
	m.others = arena_alloc(c->l->scratch, (c->draft_count + 1) * sizeof *m.others);
	for (uint32_t n = 0; n < c->cfg->order_count; n++) {
		const struct code_block *block = &c->blocks[c->cfg->order[n]];

		for (uint32_t i = 0; i < block->count; i++) {
			replace_operands(&m, block->ops[i]);
			if (is_pure(&m, block->ops[i]))
				merge(&m, block->ops[i]);
		}
	}
	code_index(c);
}
