/* frontend/optimise/instruction_combining.c -- instruction combining: sums and logic of three operands in one
 * instruction.
 *
 * From Maxwell on an addition has three operands, each of which may be negated (IADD3), and logic is any
 * function of three (LOP3; "cuda-binary-utilities", instruction set of Maxwell). An addition or logic whose
 * result another one of the same block alone reads becomes part of that. A sum contains a shift to the right
 * of one operand (LEA.HI), and logic tells whether its result is zero (LOP3 with a predicate), so that a test
 * of bits is one instruction (both from ptxas of CUDA 13 for sm_75). */
#include "frontend/optimise/optimise.h"

#define FIRST_SM      50u
#define FIRST_SM_WIDE 75u

/* Bits of the operands of LOP3's table. */
static const uint8_t columns[3] = { 0xf0, 0xcc, 0xaa };

struct sum {
	ref terms[3];
	uint32_t count;
	uint32_t negated; /* bit i: term i */
};

struct logic {
	ref operands[3];
	uint32_t count;
	uint8_t table;
};

struct triples {
	const struct code *code;
	uint32_t draft; /* in hand */
	uint32_t since; /* in its block: nothing from before this place moves behind it, where a clock was
			   read */
	bool has_changed;
};

/* What makes the register, in this block and for the draft in hand alone; else NULL. */
static const struct draft *maker(const struct triples *t, ref r)
{
	const struct code *c = t->code;
	const struct draft *d = code_writer(c, r, t->draft);
	uint32_t at = d ? (uint32_t)(d - c->l->drafts) : 0;

	if (!d || c->reads[r] != 1 || c->block_of[at] != c->block_of[t->draft] || c->place[at] < t->since)
		return NULL;
	for (uint32_t s = 0; s < 3; s++)
		if (is_register(d->src[s]) && !code_writer(t->code, d->src[s], t->draft))
			return NULL;
	return d;
}

static bool are_operands(const struct lower *l, const ref *list, uint32_t count)
{
	uint32_t constants = 0;

	for (uint32_t i = 0; i < count; i++)
		constants += takes_place(l, list[i]);
	return constants <= 1;
}

/* ---- sums ---- */

static bool is_sum(const struct draft *d)
{
	return d->uop.code == UOP_ADD_B32 || d->uop.code == UOP_SUB_B32;
}

/* A product by one that is added to something is a sum. */
static void simplify_product(const struct triples *t, struct draft *d)
{
	uint64_t factor;

	if (d->uop.code != UOP_MAD_LO_B32 || !immediate(t->code->l, d->src[1], false, &factor) || factor != 1)
		return;
	draft_recode(d, UOP_ADD_B32);
	d->src[1] = d->src[2];
	d->src[2] = REF_NONE;
}

/* A shift to the right by a number, which is added to something: the high half of an address (LEA.HI). */
static void join_shift(struct triples *t, struct draft *d)
{
	for (uint32_t s = 0; d->uop.code == UOP_ADD_B32 && s < 2; s++) {
		const struct draft *inner = maker(t, d->src[s]);
		uint64_t count;

		if (!inner || (inner->uop.code != UOP_SHR_U32 && inner->uop.code != UOP_SHR_S32) ||
			!is_register(inner->src[0]) || d->src[0] == d->src[1] ||
			!immediate(t->code->l, inner->src[1], false, &count) || !count || count > 31)
			continue;
		draft_recode(d, inner->uop.code == UOP_SHR_U32 ? UOP_SHR_ADD_U32 : UOP_SHR_ADD_S32);
		d->src[2] = d->src[1 - s];
		d->src[0] = inner->src[0];
		d->src[1] = inner->src[1];
	}
}

static void join_sums(struct triples *t, struct draft *d)
{
	for (uint32_t s = 0; is_sum(d) && s < 2; s++) {
		const struct draft *inner = maker(t, d->src[s]);
		uint32_t sign = s && d->uop.code == UOP_SUB_B32, others = !s && d->uop.code == UOP_SUB_B32;
		struct sum sum;

		if (!inner || !is_sum(inner) || d->src[0] == d->src[1])
			continue;
		sum = (struct sum){ { inner->src[0], inner->src[1], d->src[1 - s] }, 3,
			sign | (sign ^ (inner->uop.code == UOP_SUB_B32)) << 1 | others << 2 };
		if (!are_operands(t->code->l, sum.terms, 3))
			continue;
		draft_recode(d, UOP_ADD3_B32);
		d->uop.imm = sum.negated;
		for (uint32_t i = 0; i < 3; i++)
			d->src[i] = sum.terms[i];
		t->has_changed = true;
	}
}

/* A 64-bit shift to the left by a number, which this sum alone reads: two instructions (LEA, LEA.HI.X), by
 * the value's two halves. */
static void join_wide_shift(const struct triples *t, struct draft *d)
{
	const struct code *c = t->code;

	for (uint32_t s = 0; d->uop.code == UOP_ADD_B64 && s < 2; s++) {
		const struct draft *shift = code_writer(c, d->src[s], t->draft);
		uint64_t count;

		if (!shift || shift->uop.code != UOP_SHL_B64 || c->reads[d->src[s]] != 1 ||
			!is_register(shift->src[0]) || !code_writer(c, shift->src[0], t->draft) ||
			!immediate(c->l, shift->src[1], false, &count) || !count || count > 31)
			continue;
		draft_recode(d, UOP_MAD_LO_B64);
		d->src[2] = d->src[1 - s];
		d->src[0] = shift->src[0];
		d->src[1] = constant_ref(c->l, UINT64_C(1) << count, 64);
	}
}

/* ---- logic ---- */

static bool is_zero(const struct lower *l, ref r)
{
	uint64_t value;

	return immediate(l, r, false, &value) && !value;
}

/* The logic that the draft is; false: none. */
static bool read_logic(const struct lower *l, const struct draft *d, struct logic *logic)
{
	*logic = (struct logic){ { d->src[0], d->src[1], d->src[2] }, 2, 0 };
	switch (d->uop.code) {
	case UOP_AND_B32:
		logic->table = columns[0] & columns[1];
		return true;
	case UOP_OR_B32:
		logic->table = columns[0] | columns[1];
		return true;
	case UOP_XOR_B32:
		logic->table = columns[0] ^ columns[1];
		return true;
	case UOP_NOT_B32:
		logic->count = 1;
		logic->table = (uint8_t)~columns[0];
		return true;
	case UOP_LOP3_B32:
		logic->count = is_zero(l, d->src[2]) ? 2 : 3;
		logic->table = (uint8_t)d->uop.imm;
		return true;
	default:
		return false;
	}
}

/* The place of the operand in the list, which it joins if it is not there; 3: no room. */
static uint32_t place_of(struct logic *logic, ref operand)
{
	for (uint32_t i = 0; i < logic->count; i++)
		if (logic->operands[i] == operand)
			return i;
	if (logic->count == 3)
		return 3;
	logic->operands[logic->count] = operand;
	return logic->count++;
}

/* outer with its operand s replaced by inner; false: more than three operands. */
static bool compose(struct logic *joined, const struct logic *outer, uint32_t s, const struct logic *inner)
{
	uint32_t outer_at[3] = { 0 }, inner_at[3] = { 0 };

	*joined = (struct logic){ .count = 0 };
	for (uint32_t i = 0; i < inner->count; i++)
		if ((inner_at[i] = place_of(joined, inner->operands[i])) == 3)
			return false;
	for (uint32_t i = 0; i < outer->count; i++)
		if (i != s && (outer_at[i] = place_of(joined, outer->operands[i])) == 3)
			return false;
	for (uint32_t n = 0; n < 8; n++) {
		uint32_t in = 0, out = 0;

		for (uint32_t i = 0; i < inner->count; i++)
			in |= (n >> (2 - inner_at[i]) & 1) << (2 - i);
		for (uint32_t i = 0; i < outer->count; i++)
			out |= (i == s ? inner->table >> in & 1u : n >> (2 - outer_at[i]) & 1) << (2 - i);
		joined->table |= (uint8_t)((outer->table >> out & 1) << n);
	}
	return true;
}

static void join_logic(struct triples *t, struct draft *d)
{
	struct lower *l = t->code->l;
	struct logic outer, inner, joined;

	if (!read_logic(l, d, &outer))
		return;
	for (uint32_t s = 0; s < outer.count; s++) {
		const struct draft *from = maker(t, outer.operands[s]);

		if (!from || !read_logic(l, from, &inner) || !compose(&joined, &outer, s, &inner) ||
			!are_operands(l, joined.operands, joined.count))
			continue;
		draft_recode(d, UOP_LOP3_B32);
		d->uop.imm = joined.table;
		for (uint32_t i = 0; i < 3; i++)
			d->src[i] = i < joined.count ? joined.operands[i] : constant_ref(l, 0, 32);
		t->has_changed = true;
		return;
	}
}

/* Whether bits of a register are set: logic gives a predicate, too. */
static void join_test(struct triples *t, struct draft *d)
{
	const struct code *c = t->code;
	const struct draft *logic = code_writer(c, d->src[0], t->draft);
	bool is_equal = d->uop.compare == CMP_EQ || d->uop.compare == CMP_EQU;

	if ((d->uop.code != UOP_SETP_S32 && d->uop.code != UOP_SETP_U32) || d->uop.combine != BOOL_NONE ||
		(!is_equal && d->uop.compare != CMP_NE && d->uop.compare != CMP_NEU) ||
		!is_zero(c->l, d->src[1]) || !logic || logic->uop.code != UOP_AND_B32 ||
		c->reads[d->src[0]] != 1)
		return;
	for (uint32_t s = 0; s < 2; s++)
		if (is_register(logic->src[s]) && !code_writer(c, logic->src[s], t->draft))
			return;
	draft_recode(d, UOP_SETP_AND_B32);
	d->uop.compare = is_equal ? CMP_EQ : CMP_NE;
	d->src[0] = logic->src[0];
	d->src[1] = logic->src[1];
}

void combine_instructions(struct code *c)
{
	struct triples t = { .code = c };

	if (c->l->lowering->sm < FIRST_SM)
		return;
	for (uint32_t b = 0; b < c->block_count; b++) {
		t.since = 0;
		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			struct draft *d = code_draft(c, b, i);

			t.draft = c->blocks[b].ops[i];
			t.since = d->uop.code == UOP_MOV_SREG ? i : t.since;
			simplify_product(&t, d);
			do {
				t.has_changed = false;
				join_sums(&t, d);
				join_logic(&t, d);
			} while (t.has_changed);
			join_shift(&t, d);
			if (c->l->lowering->sm >= FIRST_SM_WIDE)
				join_wide_shift(&t, d);
			join_test(&t, d);
		}
	}
	code_index(c);
}
