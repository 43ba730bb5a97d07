/* frontend/optimise/copy_propagation.c -- copy propagation: operands as a compiler for the machine chooses
 * them.
 *
 * Copies give way to what they copy, parameters and other constants of a launch to their place in the
 * constant bank. A constant that is added to an address becomes the access's own offset. A product that a sum
 * reads becomes part of a multiply-add, and so does what widens or shifts one of its factors. All of this
 * concerns only registers that are written at one place, past which every reader has come: they hold one
 * value. The instructions that are no longer read are left to dead_code.c. */
#include "frontend/optimise/optimise.h"

#define FIRST_SM_SHOWN 75u
#define MOST_OFFSET    ((1 << 23) - 1) /* of an access: 24 bits with sign since Maxwell */

struct folder {
	struct code *code;
	struct lower *l;
	ref *same;      /* of each register: what its readers read instead; REF_NONE: itself */
	uint32_t *sums; /* of each register that is shifted to the left: how many sums could shift by
			   themselves */
	uint32_t draft;
};

/* Whether the value that the draft in hand reads there is the same wherever its result is read. */
static bool is_stable(const struct folder *f, ref r)
{
	return (r & REF_KIND) == REF_CONSTANT || code_writer(f->code, r, f->draft);
}

static bool has_one_writer(const struct folder *f, ref r)
{
	return is_register(r) && f->code->writer[r] == f->draft;
}

static bool takes(const struct folder *f, const struct draft *d, uint32_t s, ref value)
{
	return is_register(value) || may_be_constant(f->l, d, s, value);
}

static void propagate_copy(struct folder *f, struct draft *d, uint32_t s, ref *r)
{
	ref constant = s < 4 ? launch_constant(f->l, *r) : REF_NONE, same;

	if (constant != REF_NONE && may_be_constant(f->l, d, s, constant))
		*r = constant;
	if (!is_register(*r) || !code_writer(f->code, *r, f->draft))
		return;
	same = f->same[*r];
	if (same != REF_NONE && takes(f, d, s, same))
		*r = same;
}

static void replace_operands(struct folder *f, struct draft *d)
{
	for (uint32_t s = 0; s < 4; s++)
		propagate_copy(f, d, s, &d->src[s]);
	for (uint32_t e = 0; e < d->uop.extra_sources && d->uop.code != UOP_WGMMA; e++)
		propagate_copy(f, d, 4 + e, &d->extra[e]);
	propagate_copy(f, d, 4, &d->guard);
}

/* ---- copies and constants ---- */

static unsigned bits(const struct folder *f, ref r)
{
	return is_register(r) ? f->l->vregs[r].bits : 0;
}

/* What the register is known to be the same as; else itself. */
static ref known_as(const struct folder *f, ref r)
{
	return is_register(r) && code_writer(f->code, r, f->draft) && f->same[r] != REF_NONE ? f->same[r] : r;
}

static bool is_value(const struct folder *f, ref r, uint64_t value)
{
	uint64_t known;

	return immediate(f->l, r, false, &known) && known == value;
}

/* Whether the 32-bit value is known to be below 2^31: ids and sizes, fields, what was shifted. */
static bool is_positive(const struct folder *f, ref r)
{
	const struct draft *d;
	uint64_t value;

	if ((r & REF_KIND) == REF_PRELOAD)
		return (r & ~REF_KIND) <= PTX_SREG_LANEID; /* the first in the list: %tid, %ntid, %ctaid,
							      %nctaid, %laneid */
	d = code_writer(f->code, r, f->draft);
	if (!d)
		return false;
	switch (d->uop.code) {
	case UOP_MOV_B32:
		return (d->src[0] & REF_KIND) == REF_PRELOAD && is_positive(f, d->src[0]);
	case UOP_AND_B32:
		return immediate(f->l, d->src[1], false, &value) && value <= INT32_MAX;
	case UOP_SHR_U32:
		return immediate(f->l, d->src[1], false, &value) && value;
	default:
		return false;
	}
}

/* Sums, products and the like with zero; signs of what has none. */
static ref trivial(const struct folder *f, const struct draft *d)
{
	bool has_zero[2] = { is_value(f, d->src[0], 0), is_value(f, d->src[1], 0) };

	switch (d->uop.code) {
	case UOP_ADD_B32:
	case UOP_OR_B32:
	case UOP_XOR_B32:
		return has_zero[1] ? d->src[0] : has_zero[0] ? d->src[1] : REF_NONE;
	case UOP_SUB_B32:
		return has_zero[1] ? d->src[0] : REF_NONE;
	case UOP_AND_B32:
	case UOP_MUL_LO_B32:
		return has_zero[1] ? d->src[1] : has_zero[0] ? d->src[0] : REF_NONE;
	case UOP_SHL_B32:
	case UOP_SHR_U32:
		return has_zero[0] || has_zero[1] ? d->src[0] : REF_NONE;
	case UOP_SHR_S32:
		if (is_value(f, d->src[1], 31) && is_positive(f, d->src[0]))
			return constant_ref(f->l, 0, 32);
		return has_zero[0] || has_zero[1] ? d->src[0] : REF_NONE;
	default:
		return REF_NONE;
	}
}

/* What the draft's result is the same as; REF_NONE: nothing else. */
static ref copied(const struct folder *f, struct draft *d)
{
	ref from = d->src[0], constant;

	switch (d->uop.code) {
	case UOP_LD_PARAM:
		return parameter_constant(f->l, d);
	case UOP_LD:
		return d->uop.vector > 1 ? REF_NONE : loaded_constant(f->l, d, known_as(f, d->src[0]), 0);
	case UOP_MOV_B32:
	case UOP_MOV_B64:
		constant = launch_constant(f->l, from);
		if (constant != REF_NONE)
			return constant;
		break;
	case UOP_MOV_PRED:
		if (d->uop.mods & MOD_NEGATE_C || !is_register(from))
			return REF_NONE;
		break;
	case UOP_CVTA:
	case UOP_CVTA_TO:
		if (d->uop.imm != SPACE_GLOBAL && d->uop.imm != SPACE_CONST)
			return REF_NONE;
		break;
	default:
		from = trivial(f, d);
		if (from == REF_NONE)
			return REF_NONE;
	}
	if (is_register(from) && rows_of(bits(f, from)) != rows_of(bits(f, d->dst[0])))
		return REF_NONE;
	return is_stable(f, from) ? from : REF_NONE;
}

/* What is loaded from the constant bank, or converted though it stays the same, is moved. */
static void make_move(struct draft *d, ref from, bool is_wide)
{
	draft_recode(d, is_wide ? UOP_MOV_B64 : UOP_MOV_B32);
	d->uop.bytes = d->uop.vector = d->uop.reg_bytes = d->uop.space = d->uop.combine = d->uop.type = 0;
	d->uop.flags &= (uint8_t) ~(UOP_VOLATILE | UOP_SIGN_EXTEND);
	d->uop.mods = d->uop.round = 0;
	d->uop.imm = 0;
	d->src[0] = from;
}

/* What is computed from numbers alone is one, too, and their product something to add. */
static void fold_known(const struct folder *f, struct draft *d)
{
	ref numbers[2] = { known_as(f, d->src[0]), known_as(f, d->src[1]) };
	ref result = folded_constant(f->l, d, numbers);

	if (result == REF_NONE)
		return;
	if (d->uop.code == UOP_MAD_LO_B32) {
		draft_recode(d, UOP_ADD_B32);
		d->src[0] = d->src[2];
		d->src[1] = result;
		d->src[2] = REF_NONE;
		return;
	}
	make_move(d, result, false);
	d->src[1] = REF_NONE;
}

/* The elements of a load from .const memory; the load is left to those that cannot take a constant. */
static void find_same_elements(struct folder *f, struct draft *d)
{
	for (uint32_t e = 0; e < d->uop.vector && e < 4; e++) {
		ref same = loaded_constant(f->l, d, known_as(f, d->src[0]), e);

		if (same != REF_NONE && d->dst[e] != REF_NONE && has_one_writer(f, d->dst[e]))
			f->same[d->dst[e]] = same;
	}
}

static void find_copy(struct folder *f, struct draft *d)
{
	ref same;

	if (d->uop.code == UOP_LD && d->uop.vector > 1)
		find_same_elements(f, d);
	if (d->dst[0] == REF_NONE)
		return;
	same = copied(f, d);
	if (same != REF_NONE && has_one_writer(f, d->dst[0]))
		f->same[d->dst[0]] = same;
	if (same != REF_NONE && (d->uop.code == UOP_LD_PARAM || d->uop.code == UOP_LD))
		make_move(d, same, d->uop.bytes == 8);
	else if (same != REF_NONE && (d->uop.code == UOP_CVTA || d->uop.code == UOP_CVTA_TO))
		make_move(d, same, true);
}

/* ---- offsets ---- */

/* The register from which r differs by an immediate; *by: that. r itself if there is none. What counts in a
 * loop is such a register, too, until it takes its step. */
static ref base_of(const struct folder *f, ref r, uint32_t reader, int64_t *by)
{
	*by = 0;
	for (;;) {
		const struct draft *d = code_writer(f->code, r, reader);
		int64_t more;
		ref base;

		if (!d || !is_sum_with_number(f->l, d, &base, &more) ||
			!is_offset_within(more, MOST_OFFSET) || !is_offset_within(*by + more, MOST_OFFSET) ||
			(!code_writer(f->code, base, reader) &&
				!code_keeps(f->code, base, (uint32_t)(d - f->l->drafts), reader)))
			return r;
		*by += more;
		r = base;
	}
}

static void fold_address(const struct folder *f, struct draft *d)
{
	uint64_t absolute;
	int64_t by;

	if (!is_access(d))
		return;
	d->src[0] = base_of(f, d->src[0], f->draft, &by);
	d->uop.imm = sum_of_offsets(d->uop.imm, by);
	if (d->uop.space != SPACE_SHARED || !is_register(d->src[0]) || f->same[d->src[0]] == REF_NONE ||
		!code_writer(f->code, d->src[0], f->draft) ||
		!immediate(f->l, f->same[d->src[0]], !(d->uop.mods & MOD_SAT), &absolute))
		return;
	d->src[0] = REF_NONE; /* a variable of shared memory */
	d->uop.imm = sum_of_offsets(d->uop.imm, (int64_t)absolute);
	if (d->uop.mods & MOD_SAT)
		d->uop.imm = (int64_t)(uint32_t)d->uop.imm;
}

/* A parameter that is read by its address has its place once that is known; outside the kernel's parameters
 * the access stays, and fails. */
static void fold_parameter_address(const struct folder *f, struct draft *d)
{
	uint64_t at;
	int64_t offset;

	if (d->uop.code != UOP_LD_PARAM || !is_register(d->src[0]) ||
		!code_writer(f->code, d->src[0], f->draft) || f->same[d->src[0]] == REF_NONE || d->uop.mods ||
		!immediate(f->l, f->same[d->src[0]], true, &at))
		return;
	offset = sum_of_offsets((int64_t)at, d->uop.imm);
	if (!is_among_parameters(f->l, d, offset))
		return;
	d->src[0] = REF_NONE;
	d->uop.imm = offset;
}

/* ---- multiply-add ---- */

struct product {
	ref a, b; /* factors, of 32 bits if the product is widened */
	enum { PRODUCT_NARROW, PRODUCT_SIGNED, PRODUCT_UNSIGNED } kind;
};

static ref power_of_two(const struct folder *f, ref count, bool is_wide, uint32_t most)
{
	uint64_t n;

	if (!immediate(f->l, count, false, &n) || n > most)
		return REF_NONE;
	return constant_ref(f->l, UINT64_C(1) << n, is_wide ? 64 : 32);
}

/* r as a widened register of 32 bits; *is_signed: how. */
static ref widened(const struct folder *f, ref r, bool *is_signed)
{
	const struct draft *d = code_writer(f->code, r, f->draft);

	if (!d || (d->uop.code != UOP_CVT_S64_S32 && d->uop.code != UOP_CVT_U64_U32) ||
		!code_writer(f->code, d->src[0], f->draft) || bits(f, d->src[0]) != 32)
		return REF_NONE;
	*is_signed = d->uop.code == UOP_CVT_S64_S32;
	return d->src[0];
}

/* Whether the factor that draft `of` reads is the same in the draft in hand. Of a shift it may be what counts
 * in a loop, until that takes its step, and from sm_75 on of a product that is widened (an H200's counts of
 * instructions: fastwalsh's modulate, gesummv, atax2, mm3). Earlier chips, of which nothing shows it, keep
 * such products. */
static bool is_factor(const struct folder *f, ref r, const struct draft *of)
{
	const struct code *c = f->code;
	bool is_wide = of->uop.code == UOP_MUL_WIDE_S32 || of->uop.code == UOP_MUL_WIDE_U32;

	if ((r & REF_KIND) == REF_CONSTANT)
		return r != REF_NONE;
	if (code_writer(c, r, f->draft))
		return true;
	return is_register(r) &&
		(of->uop.code == UOP_SHL_B32 || (is_wide && f->l->lowering->sm >= FIRST_SM_SHOWN)) &&
		code_keeps(c, r, (uint32_t)(of - c->l->drafts), f->draft);
}

/* A 64-bit shift of a widened register. */
static bool shifted_wide(const struct folder *f, const struct draft *d, struct product *p)
{
	bool is_signed;

	p->a = widened(f, d->src[0], &is_signed);
	if (p->a == REF_NONE)
		return false;
	p->b = power_of_two(f, d->src[1], false, is_signed ? 30 : 31);
	p->kind = is_signed ? PRODUCT_SIGNED : PRODUCT_UNSIGNED;
	return p->b != REF_NONE;
}

/* A shift to the left that sums alone read becomes part of each of them. */
static bool is_for_sums(const struct folder *f, ref r)
{
	return f->code->reads[r] == 1 || f->sums[r] == f->code->reads[r];
}

/* The product, or shift, or widened register that r is; false: none of these. */
static bool find_product(const struct folder *f, ref r, bool is_wide, struct product *p)
{
	const struct draft *d = code_writer(f->code, r, f->draft);
	bool is_signed = false;

	if (!d)
		return false;
	*p = (struct product){ d->src[0], d->src[1], PRODUCT_NARROW };
	switch (d->uop.code) {
	case UOP_MUL_LO_B32:
		return !is_wide && f->code->reads[r] == 1 && is_factor(f, p->a, d) && is_factor(f, p->b, d);
	case UOP_SHL_B32:
		p->b = power_of_two(f, d->src[1], false, 31);
		return !is_wide && is_for_sums(f, r) && p->b != REF_NONE && is_factor(f, p->a, d);
	case UOP_MUL_WIDE_S32:
	case UOP_MUL_WIDE_U32:
		p->kind = d->uop.code == UOP_MUL_WIDE_S32 ? PRODUCT_SIGNED : PRODUCT_UNSIGNED;
		return is_wide && is_factor(f, p->a, d) && is_factor(f, p->b, d);
	case UOP_SHL_B64: /* from sm_75 on: instruction_combining.c */
		return is_wide && f->l->lowering->sm < 75 && shifted_wide(f, d, p);
	case UOP_CVT_S64_S32:
	case UOP_CVT_U64_U32:
		p->a = widened(f, r, &is_signed);
		p->b = constant_ref(f->l, 1, 32);
		p->kind = is_signed ? PRODUCT_SIGNED : PRODUCT_UNSIGNED;
		return is_wide && p->a != REF_NONE;
	default:
		return false;
	}
}

/* Maxwell and Pascal have no multiply-add of 64 bits: a product that several sums read is computed once. */
static bool is_shared(const struct folder *f, ref product)
{
	uint32_t sm = f->l->lowering->sm;

	return sm >= 50 && sm < 70 && f->code->reads[product] > 1;
}

static void fold_product(struct folder *f, struct draft *d)
{
	static const uint16_t codes[] = { UOP_MAD_LO_B32, UOP_MAD_WIDE_S32, UOP_MAD_WIDE_U32 };
	bool is_wide = d->uop.code == UOP_ADD_B64;
	struct product p;

	if (d->uop.code != UOP_ADD_B32 && d->uop.code != UOP_ADD_B64)
		return;
	for (uint32_t s = 0; s < 2; s++) {
		if (!find_product(f, d->src[s], is_wide, &p) || (is_wide && is_shared(f, d->src[s])))
			continue;
		draft_recode(d, codes[p.kind]);
		d->src[2] = d->src[1 - s];
		d->src[0] = p.a;
		d->src[1] = p.b;
		return;
	}
}

/* Whether the register is shifted to the left, by a number and from what is still there in the draft in hand.
 */
static bool is_shift(const struct folder *f, ref r)
{
	const struct draft *d = is_register(r) ? code_writer(f->code, r, f->draft) : NULL;

	return d && d->uop.code == UOP_SHL_B32 && power_of_two(f, d->src[1], false, 31) != REF_NONE &&
		is_factor(f, d->src[0], d);
}

static void count_sums(struct folder *f)
{
	for (uint32_t b = 0; b < f->code->block_count; b++)
		for (uint32_t i = 0; i < f->code->blocks[b].count; i++) {
			const struct draft *d = code_draft(f->code, b, i);
			bool is_first, is_second;

			f->draft = f->code->blocks[b].ops[i];
			if (d->uop.code != UOP_ADD_B32)
				continue;
			is_first = is_shift(f, d->src[0]);
			is_second = is_shift(f, d->src[1]);
			if (is_first != is_second) /* of two shifts one stays */
				f->sums[d->src[is_second]]++;
		}
}

void propagate_copies(struct code *c)
{
	struct folder f = { .code = c, .l = c->l };

	f.same = arena_alloc(c->l->scratch, (c->register_count + 1) * sizeof *f.same);
	f.sums = arena_alloc(c->l->scratch, (c->register_count + 1) * sizeof *f.sums);
	count_sums(&f);
	for (uint32_t v = 0; v < c->register_count; v++)
		f.same[v] = REF_NONE;
	for (uint32_t n = 0; n < c->cfg->order_count; n++) {
		uint32_t b = c->cfg->order[n];

		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			struct draft *d = code_draft(c, b, i);

			f.draft = c->blocks[b].ops[i];
			replace_operands(&f, d);
			fold_parameter_address(&f, d);
			fold_known(&f, d);
			find_copy(&f, d);
			fold_address(&f, d);
			fold_product(&f, d);
		}
	}
	code_index(c);
}
