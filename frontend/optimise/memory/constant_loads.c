/* frontend/optimise/memory/constant_loads.c -- parameters of 64 bits, which Hopper loads where earlier chips
 * have them as operands.
 *
 * ptxas of CUDA 13 gives no instruction for sm_90 an operand from the constant bank. Of a parameter of 64
 * bits, such as a pointer, it makes a load into registers (LDC), once for all that read it (1477 of 1819
 * loads of the kernels of benchmarks/, those of prologue.c included, are of a place that their kernel loads
 * nowhere else), where all readers have come past, and outside of loops (91 % of them). */
#include "frontend/optimise/optimise.h"

#define FIRST_SM 90u

struct load {
	ref constant, holder;
	uint32_t block; /* in which it is loaded; CFG_NONE: it is not read */
};

struct loader {
	struct code *code;
	struct load *loads;
	uint32_t count;
	ref *alias; /* of each register that only holds such a parameter: that; REF_NONE: of all others */
};

bool loads_constants(const struct lower *l)
{
	return l->lowering->sm >= FIRST_SM;
}

static bool is_parameter(const struct lower *l, ref r)
{
	struct bank_place place;

	return (r & REF_KIND) == REF_CONSTANT && r != REF_NONE &&
		bank_place(&l->bank, r & ~REF_KIND, &place) && place.is_wide &&
		place.kind == PTX_LAUNCH_PARAMETER;
}

/* ---- registers that hold a parameter ---- */

static bool is_copy(const struct lower *l, const struct draft *d)
{
	return d->uop.code == UOP_MOV_B64 && d->guard == REF_NONE && is_parameter(l, d->src[0]);
}

static void find_aliases(struct loader *k)
{
	const struct code *c = k->code;
	ref list[DRAFT_REGISTERS];

	k->alias = arena_alloc(c->l->scratch, (c->register_count + 1) * sizeof *k->alias);
	for (uint32_t v = 0; v < c->register_count; v++) {
		const struct draft *d = c->writer[v] < WRITER_MANY ? &c->l->drafts[c->writer[v]] : NULL;

		k->alias[v] = d && is_copy(c->l, d) ? d->src[0] : REF_NONE;
	}
	for (uint32_t b = 0; b < c->block_count; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			uint32_t n = draft_reads(code_draft(c, b, i), list);

			while (n-- > 0)
				if (k->alias[list[n]] != REF_NONE &&
					!code_writer(c, list[n], c->blocks[b].ops[i]))
					k->alias[list[n]] = REF_NONE;
		}
}

/* The parameter that an operand is; REF_NONE: it is none, or what reads it copies it. */
static ref parameter_of(const struct loader *k, const struct draft *d, ref r)
{
	if (r == REF_NONE || d->uop.code == UOP_MOV_B64)
		return REF_NONE;
	if (is_register(r))
		return k->alias[r];
	return is_parameter(k->code->l, r) ? r : REF_NONE;
}

static ref *operand_of(struct draft *d, uint32_t n)
{
	return n < 4 ? &d->src[n] : n - 4 < d->uop.extra_sources ? &d->extra[n - 4] : NULL;
}

static bool reads(const struct loader *k, struct draft *d, ref constant)
{
	ref *r;

	for (uint32_t n = 0; (r = operand_of(d, n)); n++)
		if (parameter_of(k, d, *r) == constant)
			return true;
	return false;
}

/* ---- where it is loaded ---- */

static struct load *load_of(struct loader *k, ref constant)
{
	for (uint32_t i = 0; i < k->count; i++)
		if (k->loads[i].constant == constant)
			return &k->loads[i];
	k->loads = arena_grow(k->code->l->scratch, k->loads, k->count, sizeof *k->loads);
	k->loads[k->count] = (struct load){ constant, REF_NONE, CFG_NONE };
	return &k->loads[k->count++];
}

static void find_uses(struct loader *k)
{
	const struct code *c = k->code;

	for (uint32_t o = 0; o < c->cfg->order_count; o++) {
		uint32_t b = c->cfg->order[o];

		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			struct draft *d = code_draft(c, b, i);
			ref *r;

			for (uint32_t n = 0; (r = operand_of(d, n)); n++) {
				ref constant = parameter_of(k, d, *r);
				struct load *load = constant == REF_NONE ? NULL : load_of(k, constant);

				if (load)
					load->block = load->block == CFG_NONE
						? b
						: code_common_dominator(c, load->block, b);
			}
		}
	}
}

/* ---- the loads ---- */

static uint32_t new_load(struct loader *k, struct load *load, uint32_t line)
{
	struct lower *l = k->code->l;
	struct bank_place place = { 0 };
	ref to = load->holder = new_vreg(l, 64);
	struct draft *d = emit(l, UOP_LD_PARAM);

	bank_place(&l->bank, load->constant & ~REF_KIND, &place);
	d->uop.imm = place.at;
	d->uop.bytes = d->uop.reg_bytes = 8;
	d->uop.vector = 1;
	d->guard = REF_NONE;
	d->uop.flags = 0;
	d->uop.line = line;
	d->dst[0] = to;
	return l->draft_count - 1;
}

/* Before the first draft of the block that reads it, or that ends the block. */
static void insert_load(struct loader *k, struct load *load)
{
	struct code *c = k->code;
	uint32_t at = 0, end = code_end(c, load->block), line;

	while (at < end && !reads(k, code_draft(c, load->block, at), load->constant))
		at++;
	line = code_line(c, load->block, at);
	*code_make_room(c, load->block, at, 1) = new_load(k, load, line);
}

static void replace_uses(struct loader *k)
{
	const struct code *c = k->code;

	for (uint32_t b = 0; b < c->block_count; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			struct draft *d = code_draft(c, b, i);
			ref *r;

			for (uint32_t n = 0; (r = operand_of(d, n)); n++) {
				ref constant = parameter_of(k, d, *r);

				if (constant != REF_NONE)
					*r = load_of(k, constant)->holder;
			}
		}
}

void load_parameters(struct code *c)
{
	struct loader k = { .code = c };

	if (!loads_constants(c->l))
		return;
	find_aliases(&k);
	find_uses(&k);
	for (uint32_t i = 0; i < k.count; i++) {
		k.loads[i].block = code_outside_loops(c, k.loads[i].block);
		insert_load(&k, &k.loads[i]);
	}
	replace_uses(&k);
	code_index(c);
	eliminate_dead_code(c);
}
