/* frontend/optimise/rename.c -- registers that a program uses for one value after another get a name for
 * each.
 *
 * Within a block, a value that is written without a guard, read only there and followed by another in the
 * same register becomes a register of its own: it no longer waits for the readers of the value before it, and
 * may be folded. Compilers hand over such code already; programs written by hand do not. */
#include "frontend/optimise/optimise.h"
#include "frontend/allocate/schedule.h"

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

/* The result of the draft at this place. A guarded one writes what holds the register's value. */
static void rename_write(struct renamer *n, struct draft *d, uint32_t place, ref *r)
{
	bool is_guarded = d->uop.flags & UOP_GUARDED;

	if (!is_register(*r) || *r >= n->code->register_count)
		return;
	if (!is_guarded)
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
			n->last[list[w]] = d->uop.flags & UOP_GUARDED ? n->last[list[w]] : i + 1;
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

void rename_values(struct code *c)
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
