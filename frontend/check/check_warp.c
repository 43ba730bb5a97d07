/* frontend/check/check_warp.c -- rules of warp-level operations, barriers, fences and what is done by the
 * warp as a whole, as the vendor's assembler enforces them. */
#include "frontend/check/check.h"

static bool has(const struct ptx_insn *insn, unsigned modifier)
{
	return form_has(insn->form, modifier);
}

static bool wrong(struct ptx_parser *p, const struct ptx_insn *insn, const char *hint, const char *what)
{
	parse_error(p, insn->location, hint, "'%.100s' %s", insn->form->spelling, what);
	return false;
}

static bool reduction(struct ptx_parser *p, const struct ptx_insn *insn)
{
	bool is_sum = has(insn, PTX_MOD_ADD), is_order = has(insn, PTX_MOD_MIN) || has(insn, PTX_MOD_MAX);
	unsigned bits = (unsigned)has(insn, PTX_MOD_AND) + has(insn, PTX_MOD_OR) + has(insn, PTX_MOD_XOR);
	unsigned type = insn->types[0];

	if (!has(insn, PTX_MOD_SYNC))
		return wrong(p, insn, NULL, "needs '.sync'");
	if ((unsigned)is_sum + has(insn, PTX_MOD_MIN) + has(insn, PTX_MOD_MAX) + bits != 1)
		return wrong(p, insn, ".add .min .max .and .or .xor", "needs one operation");
	if (bits ? type != PTX_B32 : type == PTX_B32 || (type == PTX_F32 && !is_order))
		return wrong(p, insn,
			bits               ? ".b32"
				: is_order ? ".u32 .s32 .f32"
					   : ".u32 .s32",
			"is not defined for this type");
	if (type != PTX_F32 && (has(insn, PTX_MOD_ABS) || has(insn, PTX_MOD_NAN)))
		return wrong(p, insn, NULL, "cannot have '.abs' or '.NaN': they are for .f32");
	return true;
}

static bool fence(struct ptx_parser *p, const struct ptx_insn *insn)
{
	bool has_scope = has(insn, PTX_MOD_CTA) || has(insn, PTX_MOD_CLUSTER) || has(insn, PTX_MOD_GPU) ||
		has(insn, PTX_MOD_SYS);

	return has_scope || has(insn, PTX_MOD_PROXY) ||
		wrong(p, insn, ".cta, .cluster, .gpu or .sys", "needs a scope");
}

bool check_warp_form(struct ptx_parser *p, const struct ptx_insn *insn)
{
	switch (insn->opcode) {
	case PTX_MATCH:
		if (has(insn, PTX_MOD_ANY) == has(insn, PTX_MOD_ALL))
			return wrong(p, insn, ".any or .all", "needs one mode");
		return has(insn, PTX_MOD_SYNC) || wrong(p, insn, NULL, "needs '.sync'");
	case PTX_REDUX:
		return reduction(p, insn);
	case PTX_ELECT:
		return has(insn, PTX_MOD_SYNC) || wrong(p, insn, NULL, "needs '.sync'");
	case PTX_FENCE:
		return fence(p, insn);
	case PTX_SETMAXNREG:
		return (has(insn, PTX_MOD_INC) != has(insn, PTX_MOD_DEC) && has(insn, PTX_MOD_SYNC) &&
			       has(insn, PTX_MOD_ALIGNED)) ||
			wrong(p, insn, "setmaxnreg.inc.sync.aligned.u32",
				"needs .inc or .dec, and .sync.aligned");
	case PTX_GRIDDEPCONTROL:
		return has(insn, PTX_MOD_WAIT) != has(insn, PTX_MOD_LAUNCH_DEPENDENTS) ||
			wrong(p, insn, ".wait or .launch_dependents", "needs one modifier");
	default:
		return true;
	}
}

/* A constant operand within what the ISA allows. */
static void check_constant(
	const struct check *c, uint32_t index, uint64_t least, uint64_t most, unsigned multiple_of)
{
	const struct ptx_operand *o = &c->insn->operands[index];

	if (index >= c->insn->operand_count || o->kind != PTX_OP_VALUE)
		return;
	if (o->value.bits < least || o->value.bits > most)
		parse_error(c->p, o->location, NULL, "'%.100s' takes %llu to %llu here", check_word(c),
			(unsigned long long)least, (unsigned long long)most);
	else if (o->value.bits % multiple_of)
		parse_error(c->p, o->location, NULL, "'%.100s' takes a multiple of %u here", check_word(c),
			multiple_of);
}

static void check_barrier(const struct check *c)
{
	bool is_red = has(c->insn, PTX_MOD_RED);

	if (has(c->insn, PTX_MOD_WARP))
		return;
	if (!is_red || c->insn->operand_count > 3)
		check_constant(c, is_red ? 2 : 1, 0, UINT32_MAX, 32);
}

void check_warp_operands(const struct check *c)
{
	const struct ptx_insn *insn = c->insn;

	switch (insn->opcode) {
	case PTX_BAR:
	case PTX_BARRIER:
		check_barrier(c);
		return;
	case PTX_PMEVENT:
		if (!has(insn, PTX_MOD_MASK))
			check_constant(c, 0, 0, 15, 1);
		return;
	case PTX_SETMAXNREG:
		check_constant(c, 0, 24, 256, 8);
		return;
	case PTX_ELECT:
		if (insn->operands[0].kind != PTX_OP_PAIR ||
			insn->operands[0].elements[1].kind == PTX_OP_SINK)
			parse_error(c->p, insn->operands[0].location, "d|p",
				"'%.100s' needs a predicate for its result", check_word(c));
		return;
	case PTX_MATCH:
		if (insn->operands[0].kind == PTX_OP_PAIR && !has(insn, PTX_MOD_ALL))
			parse_error(c->p, insn->operands[0].location, NULL,
				"'%.100s' has no predicate result", check_word(c));
		return;
	default:
		return;
	}
}
