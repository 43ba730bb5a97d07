/* frontend/optimise/type_narrowing.c -- type narrowing: 64-bit registers of which only the lower half matters
 * become 32-bit ones.
 *
 * Addresses of shared and local memory have 32 bits, and so has what is cut to 32 bits in the end: the lower
 * half of sums, products, shifts to the left and logic depends on lower halves alone. A register is narrowed
 * if every instruction that writes it has such a form and every one that reads it needs no more. */
#include "frontend/optimise/optimise.h"

struct narrower {
	struct code *code;
	struct lower *l;
	bool *is_narrow; /* of each register */
	ref *half;       /* of each register that is narrowed: what stands for it */
	bool more;
};

/* Operations whose lower half needs the lower halves of their operands alone, and the operation on these. */
static const struct {
	uint16_t wide, narrow;
	uint8_t wide_sources; /* bit s: operand s has 64 bits */
} forms[] = {
	{ UOP_ADD_B64, UOP_ADD_B32, 3 },
	{ UOP_SUB_B64, UOP_SUB_B32, 3 },
	{ UOP_MUL_LO_B64, UOP_MUL_LO_B32, 3 },
	{ UOP_MAD_LO_B64, UOP_MAD_LO_B32, 7 },
	{ UOP_AND_B64, UOP_AND_B32, 3 },
	{ UOP_OR_B64, UOP_OR_B32, 3 },
	{ UOP_XOR_B64, UOP_XOR_B32, 3 },
	{ UOP_NOT_B64, UOP_NOT_B32, 1 },
	{ UOP_NEG_S64, UOP_NEG_S32, 1 },
	{ UOP_SHL_B64, UOP_SHL_B32, 1 },
	{ UOP_MOV_B64, UOP_MOV_B32, 1 },
	{ UOP_SELP_B64, UOP_SELP_B32, 3 },
	{ UOP_CVT_S64_S32, UOP_MOV_B32, 0 },
	{ UOP_CVT_U64_U32, UOP_MOV_B32, 0 },
	{ UOP_MUL_WIDE_S32, UOP_MUL_LO_B32, 0 },
	{ UOP_MUL_WIDE_U32, UOP_MUL_LO_B32, 0 },
	{ UOP_MAD_WIDE_S32, UOP_MAD_LO_B32, 4 },
	{ UOP_MAD_WIDE_U32, UOP_MAD_LO_B32, 4 },
};

/* Index into forms; -1: there is none. */
static int form_of(const struct draft *d)
{
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (forms[i].wide == d->uop.code)
			return (int)i;
	return -1;
}

/* The lower half of a 64-bit constant; REF_NONE: not known as one. */
static ref lower_half(const struct narrower *n, ref r)
{
	uint32_t row;

	if ((r & REF_KIND) != REF_CONSTANT || !bank_lower_half(&n->l->bank, r & ~REF_KIND, &row))
		return REF_NONE;
	return REF_CONSTANT | row;
}

/* An access whose address has 32 bits; not one that adds more than that to it, and fails. */
static bool is_near(const struct draft *d)
{
	return is_access(d) && (d->uop.space == SPACE_SHARED || d->uop.space == SPACE_LOCAL) &&
		d->uop.imm == (int32_t)d->uop.imm;
}

/* A number that makes an address wrong by its upper half. */
static bool is_far(const struct narrower *n, const struct draft *d, ref r)
{
	uint64_t value;

	return (d->uop.code == UOP_ADD_B64 || d->uop.code == UOP_SUB_B64 || d->uop.code == UOP_MOV_B64) &&
		immediate(n->l, r, true, &value) && (int64_t)value != (int32_t)value;
}

static bool writes_narrow(const struct narrower *n, const struct draft *d)
{
	return is_register(d->dst[0]) && n->is_narrow[d->dst[0]];
}

static void mark_wide(struct narrower *n, ref r)
{
	if (!is_register(r) || !n->is_narrow[r])
		return;
	n->is_narrow[r] = false;
	n->more = true;
}

/* Operand s of d may be a narrowed register. */
static bool reads_half(const struct narrower *n, const struct draft *d, uint32_t s)
{
	int form = form_of(d);

	if (s == 0 && (d->uop.code == UOP_CVT_B32_B64 || is_near(d)))
		return true;
	return form >= 0 && forms[form].wide_sources >> s & 1 && writes_narrow(n, d);
}

/* Of a draft that writes a narrowed register: whether all that it reads has a lower half. */
static bool has_halves(const struct narrower *n, const struct draft *d)
{
	int form = form_of(d);

	for (uint32_t s = 0; s < 3; s++)
		if (forms[form].wide_sources >> s & 1 &&
			!(is_register(d->src[s]) && n->is_narrow[d->src[s]]) &&
			(lower_half(n, d->src[s]) == REF_NONE || is_far(n, d, d->src[s])))
			return false;
	return true;
}

static void examine_width(struct narrower *n, const struct draft *d)
{
	ref list[DRAFT_REGISTERS];
	uint32_t count = draft_writes(d, list);

	if (form_of(d) < 0 || (writes_narrow(n, d) && !has_halves(n, d)))
		for (uint32_t w = 0; w < count; w++)
			mark_wide(n, list[w]);
	for (uint32_t s = 0; s < 4; s++)
		if (!reads_half(n, d, s))
			mark_wide(n, d->src[s]);
	for (uint32_t e = 0; e < d->uop.extra_sources; e++)
		mark_wide(n, d->extra[e]);
}

static void find_narrow(struct narrower *n)
{
	for (uint32_t v = 0; v < n->code->register_count; v++)
		n->is_narrow[v] = n->l->vregs[v].bits == 64 && n->code->writer[v] != WRITER_NONE;
	do {
		n->more = false;
		for (uint32_t b = 0; b < n->code->block_count; b++)
			for (uint32_t i = 0; i < n->code->blocks[b].count; i++)
				examine_width(n, code_draft(n->code, b, i));
	} while (n->more);
}

static ref half_of(struct narrower *n, ref r)
{
	if (!is_register(r))
		return lower_half(n, r);
	if (n->half[r] == REF_NONE)
		n->half[r] = new_vreg(n->l, 32);
	return n->half[r];
}

static void rewrite(struct narrower *n, struct draft *d)
{
	int form = form_of(d);

	if (form >= 0 && writes_narrow(n, d)) {
		for (uint32_t s = 0; s < 3; s++)
			if (forms[form].wide_sources >> s & 1)
				d->src[s] = half_of(n, d->src[s]);
		d->dst[0] = half_of(n, d->dst[0]);
		draft_recode(d, forms[form].narrow);
	} else if (is_register(d->src[0]) && n->is_narrow[d->src[0]]) {
		d->src[0] = half_of(n, d->src[0]);
		if (d->uop.code == UOP_CVT_B32_B64)
			draft_recode(d, UOP_MOV_B32);
		else
			d->uop.mods |= MOD_SAT;
	}
}

void narrow_types(struct code *c)
{
	struct lower *l = c->l;
	struct narrower n = { .code = c, .l = l };

	n.is_narrow = arena_alloc(l->scratch, c->register_count + 1);
	n.half = arena_alloc(l->scratch, (c->register_count + 1) * sizeof *n.half);
	for (uint32_t v = 0; v < c->register_count; v++)
		n.half[v] = REF_NONE;
	find_narrow(&n);
	for (uint32_t b = 0; b < c->block_count; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++)
			rewrite(&n, code_draft(c, b, i));
	code_index(c);
}
