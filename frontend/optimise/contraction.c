/* frontend/optimise/contraction.c -- contraction: a product and the sums that read it become multiply-adds,
 * with one rounding (frontend.contract: chip); and negations become part of what reads them.
 *
 * PTX leaves it open whether mul, add and sub without a rounding modifier are fused; ptxas does so unless it
 * is called with --fmad=false. Its rule, found with ptxas of CUDA 13 and random blocks of such instructions
 * (1498 of 1500 become as many multiply-adds; tests/ptx/contract.sh has 400 others): a product is fused into
 * each sum or difference that reads it, if nothing else does, all stand in its block, and it is under no
 * guard. A sum of two products takes the one that no other sum reads, of two such the first; and a product
 * that another sum would not take is fused into none of those that follow. For example a * b + c * d is a
 * multiply-add of a, b and the rounded c * d. */
#include "frontend/optimise/optimise.h"

#define NO_PRODUCT UINT32_MAX

/* The operations of a type; fms: a * b - c; fnma: c - a * b */
static const struct family {
	uint16_t mul, add, sub, fma, fms, fnma, neg;
} families[] = {
	{ UOP_MUL_F32, UOP_ADD_F32, UOP_SUB_F32, UOP_FMA_F32, UOP_FMS_F32, UOP_FNMA_F32, UOP_NEG_F32 },
	{ UOP_MUL_F64, UOP_ADD_F64, UOP_SUB_F64, UOP_FMA_F64, UOP_FMS_F64, UOP_FNMA_F64, UOP_NEG_F64 },
	{ UOP_MUL_HALF, UOP_ADD_HALF, UOP_SUB_HALF, UOP_FMA_HALF, UOP_FMS_HALF, UOP_FNMA_HALF, UOP_NEG_HALF },
};
#define FAMILIES (sizeof(families) / sizeof(*families))

/* A sum as the reader of a product by one of its sources */
struct reader {
	uint32_t sum, product, next; /* next: reader of the same product, + 1; 0: none */
	bool has_taken;              /* the product is fused into the sum */
};

struct contraction {
	struct code *code;
	struct reader *readers; /* two for each draft, by source */
	uint32_t *first;        /* of each draft, a product: its first reader, + 1 */
	uint32_t *left;         /* ... its readers into which it is not fused */
	bool *is_pure;          /* ... all of them are sums */
};

/* Of a sum or difference that may be fused; else NULL */
static const struct family *family_of_sum(const struct draft *d)
{
	for (size_t f = 0; d->may_contract && f < FAMILIES; f++)
		if (d->uop.code == families[f].add || d->uop.code == families[f].sub)
			return &families[f];
	return NULL;
}

/* The product that source s of the sum is, if nothing about the two is against fusing them; else NO_PRODUCT
 */
static uint32_t product_of(const struct code *c, uint32_t sum, uint32_t s)
{
	const struct draft *d = &c->l->drafts[sum], *p;
	const struct family *f = family_of_sum(d);
	uint32_t product;

	if (!f || d->src[0] == d->src[1] || !is_register(d->src[s]))
		return NO_PRODUCT;
	p = code_writer(c, d->src[s], sum);
	if (!p || p->uop.code != f->mul || !p->may_contract || p->uop.flags & UOP_GUARDED ||
		p->uop.mods & MOD_SAT || p->uop.type != d->uop.type || (p->uop.mods ^ d->uop.mods) & MOD_FTZ)
		return NO_PRODUCT;
	product = (uint32_t)(p - c->l->drafts);
	if (c->block_of[product] != c->block_of[sum])
		return NO_PRODUCT;
	for (uint32_t o = 0; o < 2; o++)
		if (is_register(p->src[o]) && !code_keeps(c, p->src[o], product, sum))
			return NO_PRODUCT;
	return product;
}

static void find_readers(struct contraction *t)
{
	struct code *c = t->code;

	for (uint32_t b = c->block_count; b-- > 0;)
		for (uint32_t i = c->blocks[b].count; i-- > 0;)
			for (uint32_t s = 2; s-- > 0;) {
				uint32_t sum = c->blocks[b].ops[i], product = product_of(c, sum, s);

				t->readers[2 * sum + s] = (struct reader){ .sum = sum, .product = product };
				if (product == NO_PRODUCT)
					continue;
				t->readers[2 * sum + s].next = t->first[product];
				t->first[product] = 2 * sum + s + 1;
				t->left[product]++;
			}
	for (uint32_t d = 0; d < c->draft_count; d++)
		t->is_pure[d] = t->left[d] && t->left[d] == c->reads[c->l->drafts[d].dst[0]];
}

/* The sum reads another product, too, which would rather be fused: that is if nothing else reads it, but
 * other sums this one, or if it comes first. */
static bool prefers_other(const struct contraction *t, uint32_t reader)
{
	uint32_t product = t->readers[reader].product, other = t->readers[reader ^ 1].product;

	if (other == NO_PRODUCT || !t->is_pure[other] || t->left[other] != 1)
		return false;
	return t->left[product] > 1 || reader % 2 == 1;
}

/* Whether every sum that still reads the product would take it */
static bool may_be_fused(const struct contraction *t, uint32_t product)
{
	if (product == NO_PRODUCT || !t->is_pure[product])
		return false;
	for (uint32_t r = t->first[product]; r; r = t->readers[r - 1].next)
		if (!t->readers[r - 1].has_taken && prefers_other(t, r - 1))
			return false;
	return true;
}

/* The sum takes a product if it can; the other one that it reads has a reader then that is no sum. */
static void decide(const struct contraction *t, uint32_t sum)
{
	struct reader *r = &t->readers[2 * sum];
	bool may[2] = { may_be_fused(t, r[0].product), may_be_fused(t, r[1].product) };
	uint32_t s = may[0] && may[1] ? t->left[r[1].product] == 1 && t->left[r[0].product] > 1 : may[1];

	if (!may[s])
		return;
	r[s].has_taken = true;
	t->left[r[s].product]--;
	if (r[s ^ 1].product != NO_PRODUCT)
		t->is_pure[r[s ^ 1].product] = false;
}

static void fuse(const struct code *c, uint32_t sum, uint32_t product, uint32_t s)
{
	struct draft *d = &c->l->drafts[sum];
	const struct draft *p = &c->l->drafts[product];
	const struct family *f = family_of_sum(d);
	ref addend = d->src[1 - s];

	draft_recode(d, d->uop.code == f->add ? f->fma : s ? f->fnma : f->fms);
	d->src[0] = p->src[0];
	d->src[1] = p->src[1];
	d->src[2] = addend;
}

/* Products go that no sum reads any more. Whether there was any to fuse. */
static bool fuse_all(const struct contraction *t)
{
	struct code *c = t->code;
	bool any = false;

	for (uint32_t b = 0; b < c->block_count; b++) {
		struct code_block *block = &c->blocks[b];
		uint32_t kept = 0;

		for (uint32_t i = 0; i < block->count; i++)
			for (uint32_t s = 0; s < 2; s++) {
				const struct reader *r = &t->readers[2 * block->ops[i] + s];

				if (!r->has_taken)
					continue;
				fuse(c, r->sum, r->product, s);
				any = true;
			}
		for (uint32_t i = 0; i < block->count; i++)
			if (!t->first[block->ops[i]] || t->left[block->ops[i]])
				block->ops[kept++] = block->ops[i];
		block->count = kept;
	}
	return any;
}

/* A function without anything to fuse keeps its registers as the PTX names them. */
void contract_products(struct lower *l, const struct cfg *cfg)
{
	struct unit_copy before = unit_copy_take(l);
	struct code *c = code_take(l, cfg);
	struct contraction t = { .code = c };

	split_live_ranges(c);
	code_index(c);
	t.readers = arena_alloc(l->scratch, (2 * c->draft_count + 2) * sizeof *t.readers);
	t.first = arena_alloc(l->scratch, (c->draft_count + 1) * sizeof *t.first);
	t.left = arena_alloc(l->scratch, (c->draft_count + 1) * sizeof *t.left);
	t.is_pure = arena_alloc(l->scratch, c->draft_count + 1);
	find_readers(&t);
	for (uint32_t b = 0; b < c->block_count; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++)
			if (family_of_sum(code_draft(c, b, i)))
				decide(&t, c->blocks[b].ops[i]);
	if (fuse_all(&t))
		code_finish(c);
	else
		unit_copy_restore(l, &before);
}

/* ---- negations ---- */

/* What the register is the negation of, here, too; else REF_NONE. */
static ref negated(const struct code *c, const struct family *f, uint32_t reader, ref r)
{
	const struct draft *d = &c->l->drafts[reader], *n = is_register(r) ? code_writer(c, r, reader) : NULL;

	if (!n || n->uop.code != f->neg || n->uop.flags & UOP_GUARDED || n->uop.type != d->uop.type ||
		(n->uop.mods & MOD_FTZ & ~d->uop.mods) || !is_register(n->src[0]) ||
		!code_writer(c, n->src[0], reader))
		return REF_NONE;
	return n->src[0];
}

static void absorb_in_sum(const struct code *c, const struct family *f, uint32_t draft)
{
	struct draft *d = &c->l->drafts[draft];
	ref second = negated(c, f, draft, d->src[1]), first;

	if (second != REF_NONE) {
		draft_recode(d, d->uop.code == f->add ? f->sub : f->add);
		d->src[1] = second;
		return;
	}
	/* of two f64 NaNs the last operand is the result, so that those stay in their order */
	first = d->uop.code == f->add && f->add != UOP_ADD_F64 ? negated(c, f, draft, d->src[0]) : REF_NONE;
	if (first != REF_NONE) {
		draft_recode(d, f->sub);
		d->src[0] = d->src[1];
		d->src[1] = first;
	}
}

static void absorb_in_multiply_add(const struct code *c, const struct family *f, uint32_t draft)
{
	struct draft *d = &c->l->drafts[draft];
	bool product = d->uop.code == f->fnma, addend = d->uop.code == f->fms;
	ref from[3];

	for (uint32_t s = 0; s < 3; s++) {
		from[s] = negated(c, f, draft, d->src[s]);
		if (from[s] != REF_NONE)
			*(s < 2 ? &product : &addend) ^= true;
		else
			from[s] = d->src[s];
	}
	if ((product && addend) || d->uop.mods & MOD_HI) /* no such operation here; fma.oob */
		return;
	draft_recode(d, product ? f->fnma : addend ? f->fms : f->fma);
	for (uint32_t s = 0; s < 3; s++)
		d->src[s] = from[s];
}

void absorb_negations(struct code *c)
{
	code_index(c);
	for (uint32_t b = 0; b < c->block_count; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			uint32_t draft = c->blocks[b].ops[i], code = c->l->drafts[draft].uop.code;

			for (const struct family *f = families; f < families + FAMILIES; f++) {
				if (code == f->add || code == f->sub)
					absorb_in_sum(c, f, draft);
				else if (code == f->fma || code == f->fms || code == f->fnma)
					absorb_in_multiply_add(c, f, draft);
			}
		}
}
