/* frontend/optimise/common_subexpressions.c -- common subexpression elimination: what was computed before is
 * not computed again. It concerns registers that are written at one place, past which every reader has come:
 * they hold one value. */
#include "frontend/optimise/optimise.h"

#include <string.h>

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

void eliminate_common_subexpressions(struct code *c)
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
