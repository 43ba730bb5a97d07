/* frontend/optimise/strength_reduction.c -- strength reduction and reassociation: sums and products that
 * differ by a constant from what was computed before.
 *
 * Each value is seen as a root and a number that is added to it: x * 4 + 32 has the root x * 4, and y + 8 +
 * (x * 4 + 32) the root y + x * 4. What has the root of an earlier value is that value and the difference,
 * and an access whose address it is has the difference in its own offset (copy_propagation.c). Sums are
 * formed as the registers form them, modulo 2^32 or 2^64. Where a product is added to a sum with a constant,
 * as in a * b + (c + 8), and only accesses read it, these add the 8 themselves. All of this concerns
 * registers that are written at one place, past which every reader has come. */
#include "frontend/optimise/optimise.h"

#define MOST_OFFSET (1 << 22)

/* What an operand is: a root and a number. The root is the number of a form below, or that of none, or an
 * operand that is no such register. */
struct value {
	uint32_t root;
	uint64_t offset;
};
#define ROOT_NONE UINT32_MAX /* 0, to which the number is added */

/* What a root computes: a sum of two roots, or a product, widened or not, with a constant, and a third. */
struct form {
	uint16_t code;
	uint32_t roots[3];
	uint64_t factor;
	uint64_t exactly; /* the number of a factor that is widened: it cannot be taken out */
	uint32_t next;    /* in its list of the table: 1 + index; 0: none */
	uint32_t first;   /* 1 + the draft that made it first */
	uint64_t offset;  /* of that one's value */
};

struct offsets {
	struct code *code;
	struct value *values; /* of each register */
	bool *is_known;
	uint32_t *addresses; /* of each register: how often it is the address of an access */
	int64_t *moved;      /* of each register: what its accesses add for it */
	struct form *forms;
	uint32_t form_count;
	uint32_t *table, mask;
	uint32_t draft; /* in hand */
};

static uint64_t cut(uint64_t number, bool is_wide)
{
	return is_wide ? number : (uint32_t)number;
}

/* ---- values of operands ---- */

/* Roots that are no forms: registers by themselves, constants and the like by their reference. */
#define ROOT_REGISTER 0x40000000u
#define ROOT_OPERAND  0x80000000u

static bool value_of(const struct offsets *o, ref r, bool is_wide, struct value *v)
{
	uint64_t number;

	if (immediate(o->code->l, r, is_wide, &number)) {
		*v = (struct value){ ROOT_NONE, cut(number, is_wide) };
		return true;
	}
	if ((r & REF_KIND) == REF_CONSTANT && r != REF_NONE) {
		*v = (struct value){ ROOT_OPERAND | (r & ~REF_KIND), 0 };
		return true;
	}
	if (!code_writer(o->code, r, o->draft))
		return false;
	*v = o->is_known[r] ? o->values[r] : (struct value){ ROOT_REGISTER | r, 0 };
	return true;
}

/* ---- forms ---- */

static bool is_same_form(const struct form *a, const struct form *b)
{
	return a->code == b->code && a->roots[0] == b->roots[0] && a->roots[1] == b->roots[1] &&
		a->roots[2] == b->roots[2] && a->factor == b->factor && a->exactly == b->exactly;
}

static uint32_t hash_of(const struct form *f)
{
	uint64_t h = f->code;

	for (uint32_t i = 0; i < 3; i++)
		h = (h ^ f->roots[i]) * UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ f->factor) * UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ f->exactly) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(h >> 32);
}

/* The number of the form, made if it is new. */
static uint32_t number_of(struct offsets *o, const struct form *f)
{
	uint32_t *slot = &o->table[hash_of(f) & o->mask];

	for (uint32_t i = *slot; i; i = o->forms[i - 1].next)
		if (is_same_form(&o->forms[i - 1], f))
			return i - 1;
	o->forms[o->form_count] = *f;
	o->forms[o->form_count].next = *slot;
	*slot = ++o->form_count;
	return o->form_count - 1;
}

static bool sum_form(
	const struct offsets *o, const struct draft *d, bool is_wide, struct form *f, uint64_t *offset)
{
	struct value a, b;

	if (!value_of(o, d->src[0], is_wide, &a) || !value_of(o, d->src[1], is_wide, &b))
		return false;
	*offset = cut(a.offset + b.offset, is_wide);
	f->code = is_wide ? UOP_ADD_B64 : UOP_ADD_B32;
	f->roots[0] = a.root < b.root ? a.root : b.root;
	f->roots[1] = a.root < b.root ? b.root : a.root;
	return true;
}

/* a * b + c, of 32 bits; b: the factor. */
static bool product_form(
	const struct offsets *o, ref factor, uint64_t by, ref addend, struct form *f, uint64_t *offset)
{
	struct value a, c = { ROOT_NONE, 0 };

	if (!value_of(o, factor, false, &a) || (addend != REF_NONE && !value_of(o, addend, false, &c)))
		return false;
	*offset = cut(a.offset * by + c.offset, false);
	f->code = UOP_MAD_LO_B32;
	f->roots[0] = a.root;
	f->roots[2] = c.root;
	f->factor = cut(by, false);
	return true;
}

static bool wide_form(const struct offsets *o, const struct draft *d, struct form *f, uint64_t *offset)
{
	struct value a, c;

	if (!immediate(o->code->l, d->src[1], false, &f->factor) || !value_of(o, d->src[0], false, &a) ||
		!value_of(o, d->src[2], true, &c))
		return false;
	*offset = c.offset;
	f->code = d->uop.code;
	f->roots[0] = a.root;
	f->roots[2] = c.root;
	f->exactly = a.offset;
	return true;
}

/* What the draft computes; false: nothing of the kind. */
static bool find_form(const struct offsets *o, const struct draft *d, struct form *f, uint64_t *offset)
{
	uint64_t by;

	*f = (struct form){ .roots = { ROOT_NONE, ROOT_NONE, ROOT_NONE } };
	switch (d->uop.code) {
	case UOP_ADD_B32:
	case UOP_ADD_B64:
		return sum_form(o, d, d->uop.code == UOP_ADD_B64, f, offset);
	case UOP_MUL_LO_B32:
	case UOP_MAD_LO_B32:
		return immediate(o->code->l, d->src[1], false, &by) &&
			product_form(o, d->src[0], by, d->uop.code == UOP_MAD_LO_B32 ? d->src[2] : REF_NONE,
				f, offset);
	case UOP_SHL_B32:
		return immediate(o->code->l, d->src[1], false, &by) && by < 32 &&
			product_form(o, d->src[0], UINT64_C(1) << by, REF_NONE, f, offset);
	case UOP_MAD_WIDE_S32:
	case UOP_MAD_WIDE_U32:
		return wide_form(o, d, f, offset);
	default:
		return false;
	}
}

/* A sum of a root and nothing is that root. */
static bool is_root_itself(const struct form *f, uint32_t *root)
{
	if (f->code != UOP_ADD_B32 && f->code != UOP_ADD_B64)
		return false;
	*root = f->roots[0];
	return f->roots[1] == ROOT_NONE;
}

/* ---- differences ---- */

/* The draft becomes the earlier value and the difference, if that costs no more: a 64-bit sum has two
 * instructions, so it must be an address alone. */
static void become_difference(struct offsets *o, struct draft *d, const struct form *f, uint64_t offset)
{
	struct code *c = o->code;
	bool is_wide = c->l->vregs[d->dst[0]].bits == 64;
	ref earlier = c->l->drafts[f->first - 1].dst[0];
	int64_t by = is_wide ? (int64_t)(offset - f->offset) : (int32_t)(uint32_t)(offset - f->offset);

	if (!by || !is_offset_within(by, MOST_OFFSET) ||
		(is_wide && o->addresses[d->dst[0]] != c->reads[d->dst[0]]) ||
		!code_writer(c, earlier, o->draft))
		return;
	draft_recode(d, is_wide ? UOP_ADD_B64 : UOP_ADD_B32);
	d->src[0] = earlier;
	d->src[1] = constant_ref(c->l, (uint64_t)by, is_wide ? 64 : 32);
	d->src[2] = REF_NONE;
}

static bool is_multiply_add(const struct draft *d)
{
	return d->uop.code == UOP_MAD_LO_B32 || d->uop.code == UOP_MAD_WIDE_S32 ||
		d->uop.code == UOP_MAD_WIDE_U32;
}

/* a * b + (c + 8), which only accesses read, becomes a * b + c; 8 + c stays. */
static void move_offset(struct offsets *o, struct draft *d)
{
	struct code *c = o->code;
	const struct draft *sum;
	ref base;
	int64_t by;

	if (!is_multiply_add(d) || o->addresses[d->dst[0]] != c->reads[d->dst[0]])
		return;
	sum = code_writer(c, d->src[2], o->draft);
	if (!sum || !is_sum_with_number(c->l, sum, &base, &by) || base != sum->src[0] || !by ||
		!is_offset_within(by, MOST_OFFSET) || !code_writer(c, base, (uint32_t)(sum - c->l->drafts)) ||
		!code_writer(c, base, o->draft))
		return;
	c->reads[d->src[2]]--;
	c->reads[base]++;
	d->src[2] = base;
	o->moved[d->dst[0]] = by;
}

/* The accesses add what has moved to them. */
static void add_moved(const struct offsets *o)
{
	const struct code *c = o->code;

	for (uint32_t b = 0; b < c->block_count; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			struct draft *d = code_draft(c, b, i);

			if (is_access(d) && is_register(d->src[0]) && d->src[0] < c->register_count)
				d->uop.imm += o->moved[d->src[0]];
		}
}

static void examine_offset(struct offsets *o, struct draft *d)
{
	struct form found, *f;
	uint32_t root, number;
	uint64_t offset;

	if (d->dst[0] == REF_NONE || !is_register(d->dst[0]) || o->code->writer[d->dst[0]] != o->draft)
		return;
	move_offset(o, d);
	if (!find_form(o, d, &found, &offset))
		return;
	o->is_known[d->dst[0]] = true;
	if (is_root_itself(&found, &root)) {
		o->values[d->dst[0]] = (struct value){ root, offset };
		return;
	}
	number = number_of(o, &found);
	f = &o->forms[number];
	o->values[d->dst[0]] = (struct value){ number, offset };
	if (f->first && code_dominates(o->code, f->first - 1, o->draft)) {
		become_difference(o, d, f, offset);
	} else {
		f->first = o->draft + 1;
		f->offset = offset;
	}
}

static void count_addresses(struct offsets *o)
{
	struct code *c = o->code;

	for (uint32_t b = 0; b < c->block_count; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			const struct draft *d = code_draft(c, b, i);

			if (is_access(d) && is_register(d->src[0]) &&
				is_offset_within(d->uop.imm, MOST_OFFSET - 1) &&
				code_writer(c, d->src[0], c->blocks[b].ops[i]))
				o->addresses[d->src[0]]++;
		}
}

void reduce_strength(struct code *c)
{
	struct ptx_arena *scratch = c->l->scratch;
	struct offsets o = { .code = c, .mask = 15 };

	while (o.mask < c->draft_count)
		o.mask = 2 * o.mask + 1;
	o.values = arena_alloc(scratch, (c->register_count + 1) * sizeof *o.values);
	o.is_known = arena_alloc(scratch, c->register_count + 1);
	o.addresses = arena_alloc(scratch, (c->register_count + 1) * sizeof *o.addresses);
	o.moved = arena_alloc(scratch, (c->register_count + 1) * sizeof *o.moved);
	o.forms = arena_alloc(scratch, (c->draft_count + 1) * sizeof *o.forms);
	o.table = arena_alloc(scratch, ((size_t)o.mask + 1) * sizeof *o.table);
	count_addresses(&o);
	for (uint32_t n = 0; n < c->cfg->order_count; n++) {
		uint32_t b = c->cfg->order[n];

		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			o.draft = c->blocks[b].ops[i];
			examine_offset(&o, code_draft(c, b, i));
		}
	}
	add_moved(&o);
	code_index(c);
}
