/* frontend/optimise/predicate_combining.c -- instruction combining of predicates: logic on predicates as the
 * machine's instructions contain it.
 *
 * A guard, a selection and the predicate that a comparison combines its result with can each be negated, so
 * that a negation needs no instruction; and a comparison combines its result with a predicate by and, or,
 * xor, so that the logic behind a comparison which nothing else reads becomes part of it (PTX ISA, setp;
 * ptxas makes ISETP.AND and the like of it). All of this concerns predicates that are written at one place,
 * past which every reader has come. */
#include "frontend/optimise/optimise.h"

struct conditions {
	const struct code *code;
	uint32_t draft; /* in hand */
};

static bool is_comparison(const struct draft *d)
{
	return d->uop.code >= UOP_SETP_U16 && d->uop.code <= UOP_SETP_F64;
}

/* The predicate whose negation r is, if it holds the same value here; else REF_NONE. */
static ref negated(const struct conditions *f, ref r)
{
	const struct draft *d = code_writer(f->code, r, f->draft);

	if (!d || d->uop.code != UOP_MOV_PRED || !(d->uop.mods & MOD_NEGATE_C) ||
		!code_writer(f->code, d->src[0], f->draft))
		return REF_NONE;
	return d->src[0];
}

static void negate_guard(const struct conditions *f, struct draft *d)
{
	ref r = d->guard == REF_NONE ? REF_NONE : negated(f, d->guard);

	if (r == REF_NONE)
		return;
	d->guard = r;
	d->uop.flags ^= UOP_GUARD_NEGATED;
}

static void negate_source(const struct conditions *f, struct draft *d)
{
	bool is_selection = d->uop.code == UOP_SELP_B32 || d->uop.code == UOP_SELP_B64;
	ref r;

	if (!is_selection && (!is_comparison(d) || d->uop.combine == BOOL_NONE))
		return;
	r = negated(f, d->src[2]);
	if (r == REF_NONE)
		return;
	d->src[2] = r;
	d->uop.mods ^= MOD_NEGATE_C;
}

static uint8_t inverse(uint8_t compare)
{
	static const uint8_t inverses[] = { [CMP_EQ] = CMP_NEU,
		[CMP_NE] = CMP_EQU,
		[CMP_LT] = CMP_GEU,
		[CMP_LE] = CMP_GTU,
		[CMP_GT] = CMP_LEU,
		[CMP_GE] = CMP_LTU,
		[CMP_EQU] = CMP_NE,
		[CMP_NEU] = CMP_EQ,
		[CMP_LTU] = CMP_GE,
		[CMP_LEU] = CMP_GT,
		[CMP_GTU] = CMP_LE,
		[CMP_GEU] = CMP_LT,
		[CMP_NUM] = CMP_NAN,
		[CMP_NAN] = CMP_NUM };

	return inverses[compare];
}

/* The comparison that nothing but the draft in hand reads, whose operands hold the same values here; else
 * NULL. *is_negated: the draft reads its negation. */
static const struct draft *comparison(const struct conditions *f, ref r, bool *is_negated)
{
	ref other = negated(f, r);
	const struct draft *d;

	*is_negated = other != REF_NONE;
	if (*is_negated && f->code->reads[r] != 1)
		return NULL;
	r = *is_negated ? other : r;
	d = code_writer(f->code, r, f->draft);
	if (!d || f->code->reads[r] != 1 || !is_comparison(d) || d->uop.combine != BOOL_NONE ||
		d->dst[0] != r || d->dst[1] != REF_NONE)
		return NULL;
	for (uint32_t s = 0; s < 2; s++)
		if (is_register(d->src[s]) && !code_writer(f->code, d->src[s], f->draft))
			return NULL;
	return d;
}

static uint8_t operation_of(const struct draft *d)
{
	return d->uop.code == UOP_AND_PRED    ? BOOL_AND
		: d->uop.code == UOP_OR_PRED  ? BOOL_OR
		: d->uop.code == UOP_XOR_PRED ? BOOL_XOR
					      : BOOL_NONE;
}

/* (a compare b) combine c, in place of the logic on both. */
static void combine(const struct conditions *f, struct draft *d)
{
	uint8_t operation = operation_of(d);

	for (uint32_t s = 2; operation != BOOL_NONE && s-- > 0;) {
		bool is_negated;
		const struct draft *from = comparison(f, d->src[s], &is_negated);
		ref with = d->src[1 - s];
		uint8_t guarded = d->uop.flags & (UOP_GUARDED | UOP_GUARD_NEGATED);
		uint32_t line = d->uop.line;

		if (!from || with == d->src[s])
			continue;
		d->uop = from->uop;
		d->uop.flags = (uint8_t)((from->uop.flags & ~(UOP_GUARDED | UOP_GUARD_NEGATED)) | guarded);
		d->uop.line = line;
		d->uop.compare = is_negated ? inverse(from->uop.compare) : from->uop.compare;
		d->uop.combine = operation;
		d->src[0] = from->src[0];
		d->src[1] = from->src[1];
		d->src[2] = with;
		return;
	}
}

void combine_predicates(struct code *c)
{
	struct conditions f = { .code = c };

	for (uint32_t b = 0; b < c->block_count; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			struct draft *d = code_draft(c, b, i);

			f.draft = c->blocks[b].ops[i];
			combine(&f, d);
			negate_source(&f, d);
			negate_guard(&f, d);
		}
	code_index(c);
}
