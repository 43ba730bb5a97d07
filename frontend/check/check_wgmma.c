/* frontend/check/check_wgmma.c -- wgmma: the word, then its operands. Verdicts are those of ptxas 13.0. */
#include "frontend/check/check_word.h"
#include "frontend/tables/matrix.h"
#include "frontend/tables/wgmma.h"

/* Whatever is not in the list of its kind. */
static bool has_only(struct ptx_parser *p, const struct ptx_insn *insn, const struct wgmma_form *f)
{
	for (uint32_t i = 0; i < insn->modifier_count; i++) {
		unsigned m = insn->modifiers[i];
		bool is_product = f->what == WGMMA_MULTIPLIES;

		if (m == PTX_MOD_SYNC || m == PTX_MOD_ALIGNED)
			continue;
		if (is_product ? m == PTX_MOD_MMA_ASYNC || m == PTX_MOD_SP || m == PTX_MOD_M64NXKX ||
					((m == PTX_MOD_AND || m == PTX_MOD_POPC) && f->a == PTX_B1) ||
					(m == PTX_MOD_SATFINITE && matrix_family_of(f->a) == MATRIX_INT8)
			       : m == PTX_MOD_FENCE || m == PTX_MOD_COMMIT_GROUP || m == PTX_MOD_WAIT_GROUP)
			continue;
		parse_error(p, insn->location, NULL, "'%.100s' does not take '.%s'", insn->form->spelling,
			ptx_modifier_name(m));
		return false;
	}
	return true;
}

bool check_wgmma_word(struct ptx_parser *p, const struct ptx_insn *insn)
{
	struct wgmma_form f;
	const char *why, *hint;

	if (!wgmma_decode(insn, &f, &why, &hint))
		return wrong_word(p, insn, hint, why);
	if (!has_only(p, insn, &f))
		return false;
	if (f.what != WGMMA_MULTIPLIES && (insn->type_count || insn->space))
		return wrong_word(p, insn, NULL, "takes no type");
	if (insn->space)
		return wrong_word(p, insn, NULL, "cannot have this state space");
	if (f.a == PTX_B1 && f.what == WGMMA_MULTIPLIES &&
		!(word_has(insn, PTX_MOD_AND) && word_has(insn, PTX_MOD_POPC)))
		return wrong_word(p, insn, ".and.popc", "needs an operation on bits");
	return is_available(p, insn, 90, f.version);
}

/* ---- operands ---- */

static void check_registers(
	const struct check *c, const struct ptx_operand *o, const char *name, uint64_t types, unsigned count)
{
	if (o->kind == PTX_OP_NAME)
		return;
	if (o->kind != PTX_OP_VECTOR || o->element_count != count) {
		parse_error(c->p, o->location, NULL, "%s of '%.100s' takes %u registers in braces", name,
			check_word(c), count);
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct ptx_operand *e = &o->elements[i];

		if (e->kind == PTX_OP_NAME ||
			(e->kind == PTX_OP_REG && types >> e->variable->type & 1 && !e->negated))
			continue;
		if (e->kind == PTX_OP_REG)
			parse_error(c->p, e->location, NULL,
				"'%.200s' is a .%s register and does not suit %s of '%.100s'", check_shown(e),
				ptx_type_name(e->variable->type), name, check_word(c));
		else
			parse_error(c->p, e->location, NULL, "%s of '%.100s' consists of registers", name,
				check_word(c));
		return;
	}
}

static void check_constant(
	const struct check *c, unsigned index, const char *name, int64_t first, int64_t second)
{
	const struct ptx_operand *o = &c->insn->operands[index];

	if (o->kind == PTX_OP_VALUE && o->value.kind <= PTX_UINT &&
		((int64_t)o->value.bits == first || (int64_t)o->value.bits == second))
		return;
	parse_error(c->p, o->location, NULL, "%s of '%.100s' is %lld or %lld", name, check_word(c),
		(long long)first, (long long)second);
}

static void check_scale_d(const struct check *c, unsigned index)
{
	const struct ptx_operand *o = &c->insn->operands[index];

	if (o->kind == PTX_OP_VALUE)
		check_constant(c, index, "scale-d", 0, 1);
	else
		check_value(c, o, &(struct want){ PTX_PRED, false, false });
}

static void check_metadata(const struct check *c, const struct wgmma_form *f)
{
	const struct ptx_operand *o = &c->insn->operands[f->metadata], *selector = o + 1;
	bool is_vector = o->kind == PTX_OP_VECTOR && o->element_count == 1;

	check_registers(c,
		is_vector ? o
			  : &(struct ptx_operand){ .kind = PTX_OP_VECTOR,
				    .location = o->location,
				    .elements = (struct ptx_operand *)o,
				    .element_count = 1 },
		"the metadata", T(B32) | T(U32) | T(S32) | T(F32) | T(F16X2), 1);
	if (selector->kind != PTX_OP_VALUE || selector->value.kind > PTX_UINT ||
		selector->value.bits >= f->selectors)
		parse_error(c->p, selector->location, NULL,
			"the sparsity selector of '%.100s' is a constant below %u", check_word(c),
			f->selectors);
}

/* A register or constant of 64 bits that is no float. */
static void check_descriptor(const struct check *c, const struct ptx_operand *o)
{
	bool is_float = o->kind == PTX_OP_REG && ptx_type_is_float(o->variable->type);

	if (o->kind == PTX_OP_VECTOR || is_float)
		parse_error(c->p, o->location, NULL, "'%.100s' takes a descriptor of 64 bits here",
			check_word(c));
	else
		check_value(c, o, &(struct want){ PTX_B64, false, false });
}

static void check_mma_async(const struct check *c, const struct wgmma_form *f)
{
	const struct ptx_operand *o = c->insn->operands;
	uint64_t words = T(B32) | T(U32) | T(S32);

	check_registers(c, &o[0], "fragment D",
		f->d == PTX_F32           ? T(B32) | T(F32)
			: f->d == PTX_F16 ? T(B32) | T(F16X2)
					  : words,
		f->d_registers);
	if (f->in_registers)
		check_registers(c, &o[1], "fragment A",
			f->d == PTX_S32 ? words | T(F32) | T(F16X2) : T(B32) | T(F16X2), 4);
	else
		check_descriptor(c, &o[1]);
	check_descriptor(c, &o[2]);
	if (f->is_sparse)
		check_metadata(c, f);
	check_scale_d(c, f->scale_d);
	if (f->has_scales) {
		check_constant(c, f->scale_a, "imm-scale-a", -1, 1);
		check_constant(c, f->scale_a + 1u, "imm-scale-b", -1, 1);
	}
	if (f->transpose_a)
		check_constant(c, f->transpose_a, "imm-trans-a", 0, 1);
	if (f->transpose_b)
		check_constant(c, f->transpose_b, "imm-trans-b", 0, 1);
}

void check_wgmma_operands(const struct check *c)
{
	struct wgmma_form f;
	const char *why, *hint;

	if (!wgmma_decode(c->insn, &f, &why, &hint))
		return;
	if (c->insn->operand_count != f.operands)
		parse_error(c->p, c->insn->location, NULL, "'%.100s' takes %u operand%s, not %u",
			check_word(c), f.operands, f.operands == 1 ? "" : "s", c->insn->operand_count);
	else if (f.what == WGMMA_MULTIPLIES)
		check_mma_async(c, &f);
	else if (f.what == WGMMA_WAITS &&
		(c->insn->operands[0].kind != PTX_OP_VALUE || c->insn->operands[0].value.kind > PTX_UINT ||
			c->insn->operands[0].value.bits > INT32_MAX))
		parse_error(c->p, c->insn->operands[0].location, NULL,
			"'%.100s' needs a number of groups, 0 or more", check_word(c));
}
