/* frontend/optimise/live_ranges.c -- live range splitting and copy coalescing: registers that a program uses
 * for one value after another get a name for each.
 *
 * Within a block, a value that is written without a guard, read only there and followed by another in the
 * same register becomes a register of its own: it no longer waits for the readers of the value before it, and
 * may be folded. Compilers hand over such code already; programs written by hand do not. */
#include "frontend/optimise/optimise.h"

struct renamer {
	struct code *code;
	uint32_t *last; /* of each register: 1 + the place in the block of its last unguarded write */
	ref *name;      /* of each register: what holds its value now; REF_NONE: itself */
};

static ref named(const struct renamer *n, ref r)
{
	return is_register(r) && r < n->code->register_count && n->name[r] != REF_NONE ? n->name[r] : r;
}

static void rename_reads(const struct renamer *n, struct draft *d)
{
	for (uint32_t s = 0; s < 4; s++)
		d->src[s] = named(n, d->src[s]);
	for (uint32_t e = 0; e < d->uop.extra_sources; e++)
		d->extra[e] = named(n, d->extra[e]);
	d->guard = named(n, d->guard);
}

/* The result of the draft at this place. One that keeps results writes what
 * holds the register's value. */
static void rename_write(struct renamer *n, struct draft *d, uint32_t place, ref *r)
{
	if (!is_register(*r) || *r >= n->code->register_count)
		return;
	if (!draft_keeps_results(d))
		n->name[*r] = n->last[*r] > place + 1 && n->code->writer[*r] == WRITER_MANY
			? new_vreg(n->code->l, n->code->l->vregs[*r].bits)
			: REF_NONE;
	*r = named(n, *r);
}

static void rename_block(struct renamer *n, uint32_t block)
{
	const struct code_block *b = &n->code->blocks[block];
	ref list[DRAFT_REGISTERS];

	for (uint32_t i = 0; i < b->count; i++) {
		const struct draft *d = code_draft(n->code, block, i);
		uint32_t count = draft_writes(d, list);

		for (uint32_t w = 0; w < count; w++) {
			n->name[list[w]] = REF_NONE;
			n->last[list[w]] = draft_keeps_results(d) ? n->last[list[w]] : i + 1;
		}
	}
	for (uint32_t i = 0; i < b->count; i++) {
		struct draft *d = code_draft(n->code, block, i);

		rename_reads(n, d);
		for (uint32_t w = 0; w < 4; w++)
			rename_write(n, d, i, &d->dst[w]);
		for (uint32_t e = 0; e < d->uop.extra_dests; e++)
			rename_write(n, d, i, &d->extra[d->uop.extra_sources + e]);
	}
	for (uint32_t i = 0; i < b->count; i++) {
		uint32_t count = draft_writes(code_draft(n->code, block, i), list);

		for (uint32_t w = 0; w < count; w++)
			if (list[w] < n->code->register_count) {
				n->name[list[w]] = REF_NONE;
				n->last[list[w]] = 0;
			}
	}
}

void split_live_ranges(struct code *c)
{
	struct renamer n = { .code = c };

	n.last = arena_alloc(c->l->scratch, (c->register_count + 1) * sizeof *n.last);
	n.name = arena_alloc(c->l->scratch, (c->register_count + 1) * sizeof *n.name);
	for (uint32_t v = 0; v < c->register_count; v++)
		n.name[v] = REF_NONE;
	for (uint32_t b = 0; b < c->block_count; b++)
		if (c->blocks[b].count)
			rename_block(&n, b);
	code_index(c);
}

/* ---- copies ---- */

static bool touches(const struct draft *d, ref r, bool by_writing)
{
	ref list[DRAFT_REGISTERS];
	uint32_t n = by_writing ? draft_writes(d, list) : draft_reads(d, list);

	for (uint32_t i = 0; i < n; i++)
		if (list[i] == r)
			return true;
	return false;
}

/* Whether the copy at this place is read in this block alone, and what it copies stays until then. */
static bool may_be_joined(const struct code *c, uint32_t block, uint32_t place)
{
	const struct draft *d = code_draft(c, block, place);
	ref from = d->src[0], to = d->dst[0];
	bool is_changed = false;
	uint32_t reads = 0;

	if ((d->uop.code != UOP_MOV_B32 && d->uop.code != UOP_MOV_B64) || d->uop.flags & UOP_GUARDED ||
		!is_register(from) || !is_register(to) || from >= c->register_count ||
		c->writer[to] != c->blocks[block].ops[place] ||
		c->l->vregs[from].bits != c->l->vregs[to].bits)
		return false;
	for (uint32_t i = place + 1; i < c->blocks[block].count; i++) {
		const struct draft *other = code_draft(c, block, i);
		bool is_read = touches(other, to, false), changes = touches(other, from, true);

		if (is_read && (is_changed || (changes && other->is_early)))
			return false;
		reads += is_read;
		is_changed |= changes;
	}
	return reads == c->reads[to];
}

static void rename_register(struct draft *d, ref from, ref to)
{
	for (uint32_t s = 0; s < 4; s++)
		d->src[s] = d->src[s] == from ? to : d->src[s];
	for (uint32_t e = 0; e < d->uop.extra_sources; e++)
		d->extra[e] = d->extra[e] == from ? to : d->extra[e];
}

void coalesce_copies(struct code *code)
{
	code_index(code);
	for (uint32_t b = 0; b < code->block_count; b++) {
		struct code_block *block = &code->blocks[b];
		uint32_t kept = 0;

		for (uint32_t i = 0; i < block->count; i++) {
			struct draft *d = code_draft(code, b, i);

			if (may_be_joined(code, b, i))
				for (uint32_t j = i + 1; j < block->count; j++)
					rename_register(code_draft(code, b, j), d->dst[0], d->src[0]);
			else
				block->ops[kept++] = block->ops[i];
		}
		block->count = kept;
	}
	code_index(code);
}
