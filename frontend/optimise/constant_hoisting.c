/* frontend/optimise/constant_hoisting.c -- constant hoisting: factors of products that have another constant
 * as their addend.
 *
 * An instruction reads one operand from outside the registers (operand.c). Where a product by a constant is
 * added to what lies in the constant bank, such as a pointer among the parameters, the factor is in a
 * register: a copy before the first product of its kind, for all that come past it. Multiplications of
 * Maxwell and Pascal, which go by 16 bits, have their factors in the instruction (sequences.def). */
#include "frontend/optimise/optimise.h"

struct factor {
	uint64_t value;
	uint32_t block; /* which it is copied in */
	ref holder;
};

struct keeper {
	struct code *code;
	struct factor *factors;
	uint32_t count;
};

static bool is_constant(ref r)
{
	return (r & REF_KIND) == REF_CONSTANT;
}

/* Whether the draft is such a product; *value: its factor. */
static bool needs_register(const struct lower *l, const struct draft *d, uint64_t *value)
{
	uint64_t addend;

	if (loads_constants(l) && is_bank_read(l, d->src[2]))
		return false; /* it will be in a register */
	if ((d->uop.code != UOP_MAD_LO_B32 && d->uop.code != UOP_MAD_WIDE_S32 &&
		    d->uop.code != UOP_MAD_WIDE_U32) ||
		!immediate(l, d->src[1], false, value) || !is_constant(d->src[2]) || *value == 1)
		return false;
	if (d->uop.code == UOP_MAD_LO_B32 && !(*value & (*value - 1)))
		return false;
	return !immediate(l, d->src[2], d->uop.code != UOP_MAD_LO_B32, &addend) || addend;
}

/* What holds the value wherever the block is run; REF_NONE: nothing yet. */
static ref holder_of(const struct keeper *k, uint64_t value, uint32_t block)
{
	for (uint32_t i = k->count; i-- > 0;)
		if (k->factors[i].value == value && code_block_dominates(k->code, k->factors[i].block, block))
			return k->factors[i].holder;
	return REF_NONE;
}

/* A copy of the constant into a new register, for the sake of draft `before`; its index. */
static uint32_t new_copy(struct keeper *k, uint32_t before, uint64_t value, uint32_t block)
{
	struct lower *l = k->code->l;
	ref to = new_vreg(l, 32);
	struct draft *d = emit(l, UOP_MOV_B32);

	d->guard = REF_NONE;
	d->uop.flags = 0;
	d->uop.line = l->drafts[before].uop.line;
	d->dst[0] = to;
	d->src[0] = l->drafts[before].src[1];
	k->factors = arena_grow(l->scratch, k->factors, k->count, sizeof *k->factors);
	k->factors[k->count++] = (struct factor){ value, block, to };
	return l->draft_count - 1;
}

static uint32_t count_products(const struct code *c, uint32_t block)
{
	uint32_t n = 0;
	uint64_t value;

	for (uint32_t i = 0; i < c->blocks[block].count; i++)
		n += needs_register(c->l, code_draft(c, block, i), &value);
	return n;
}

static void keep_in_block(struct keeper *k, uint32_t block)
{
	struct code_block *b = &k->code->blocks[block];
	uint32_t products = count_products(k->code, block), n = 0;
	uint32_t *ops =
		products ? arena_alloc(k->code->l->scratch, (b->count + products) * sizeof *ops) : NULL;
	uint64_t value;

	if (!products)
		return;
	for (uint32_t i = 0; i < b->count; i++) {
		if (needs_register(k->code->l, code_draft(k->code, block, i), &value)) {
			ref holder = holder_of(k, value, block);

			if (holder == REF_NONE) {
				ops[n++] = new_copy(k, b->ops[i], value, block);
				holder = k->factors[k->count - 1].holder;
			}
			k->code->l->drafts[b->ops[i]].src[1] = holder;
		}
		ops[n++] = b->ops[i];
	}
	b->ops = ops;
	b->count = n;
}

void hoist_constants(struct code *c)
{
	struct keeper k = { .code = c };
	uint32_t sm = c->l->lowering->sm;

	if (sm >= 50 && sm < 70)
		return;
	for (uint32_t n = 0; n < c->cfg->order_count; n++)
		keep_in_block(&k, c->cfg->order[n]);
	code_index(c);
}
