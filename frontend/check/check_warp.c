/* frontend/check/check_warp.c -- rules of warp-level operations, barriers, fences and what is done by the
 * warp as a whole, as the vendor's assembler enforces them. */
#include "frontend/check/check_word.h"

static bool check_reduction(struct ptx_parser *p, const struct ptx_insn *insn)
{
	bool is_sum = word_has(insn, PTX_MOD_ADD),
	     is_order = word_has(insn, PTX_MOD_MIN) || word_has(insn, PTX_MOD_MAX);
	unsigned bits = (unsigned)word_has(insn, PTX_MOD_AND) + word_has(insn, PTX_MOD_OR) +
		word_has(insn, PTX_MOD_XOR);
	unsigned type = insn->types[0];

	if (!word_has(insn, PTX_MOD_SYNC))
		return wrong_word(p, insn, NULL, "needs '.sync'");
	if ((unsigned)is_sum + word_has(insn, PTX_MOD_MIN) + word_has(insn, PTX_MOD_MAX) + bits != 1)
		return wrong_word(p, insn, ".add .min .max .and .or .xor", "needs one operation");
	if (bits ? type != PTX_B32 : type == PTX_B32 || (type == PTX_F32 && !is_order))
		return wrong_word(p, insn,
			bits               ? ".b32"
				: is_order ? ".u32 .s32 .f32"
					   : ".u32 .s32",
			"is not defined for this type");
	if (type != PTX_F32 && (word_has(insn, PTX_MOD_ABS) || word_has(insn, PTX_MOD_NAN)))
		return wrong_word(p, insn, NULL, "cannot have '.abs' or '.NaN': they are for .f32");
	return true;
}

static bool fence(struct ptx_parser *p, const struct ptx_insn *insn)
{
	bool has_scope = word_has(insn, PTX_MOD_CTA) || word_has(insn, PTX_MOD_CLUSTER) ||
		word_has(insn, PTX_MOD_GPU) || word_has(insn, PTX_MOD_SYS);

	if (word_has(insn, PTX_MOD_TENSORMAP_GENERIC) &&
		word_has(insn, PTX_MOD_ACQUIRE) == word_has(insn, PTX_MOD_RELEASE))
		return wrong_word(p, insn, ".acquire or .release", "needs one order");
	return has_scope || (word_has(insn, PTX_MOD_PROXY) && !word_has(insn, PTX_MOD_TENSORMAP_GENERIC)) ||
		wrong_word(p, insn, ".cta, .cluster, .gpu or .sys", "needs a scope");
}

bool check_warp_form(struct ptx_parser *p, const struct ptx_insn *insn)
{
	switch (insn->opcode) {
	case PTX_MATCH:
		if (word_has(insn, PTX_MOD_ANY) == word_has(insn, PTX_MOD_ALL))
			return wrong_word(p, insn, ".any or .all", "needs one mode");
		return word_has(insn, PTX_MOD_SYNC) || wrong_word(p, insn, NULL, "needs '.sync'");
	case PTX_REDUX:
		return check_reduction(p, insn);
	case PTX_ELECT:
		return word_has(insn, PTX_MOD_SYNC) || wrong_word(p, insn, NULL, "needs '.sync'");
	case PTX_FENCE:
		return fence(p, insn);
	case PTX_SETMAXNREG:
		return (word_has(insn, PTX_MOD_INC) != word_has(insn, PTX_MOD_DEC) &&
			       word_has(insn, PTX_MOD_SYNC) && word_has(insn, PTX_MOD_ALIGNED)) ||
			wrong_word(p, insn, "setmaxnreg.inc.sync.aligned.u32",
				"needs .inc or .dec, and .sync.aligned");
	case PTX_GRIDDEPCONTROL:
		return word_has(insn, PTX_MOD_WAIT) != word_has(insn, PTX_MOD_LAUNCH_DEPENDENTS) ||
			wrong_word(p, insn, ".wait or .launch_dependents", "needs one modifier");
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
	bool is_red = word_has(c->insn, PTX_MOD_RED);

	if (word_has(c->insn, PTX_MOD_WARP))
		return;
	if (!is_red || c->insn->operand_count > 3)
		check_constant(c, is_red ? 2 : 1, 0, UINT32_MAX, 32);
}

/* An acquire of tensor maps names the one that it is for. */
static void check_fence(const struct check *c)
{
	const struct ptx_insn *insn = c->insn;
	bool has_map = word_has(insn, PTX_MOD_TENSORMAP_GENERIC) && word_has(insn, PTX_MOD_ACQUIRE);
	const struct ptx_operand *bytes = &insn->operands[1];

	if (!has_map && insn->operand_count)
		parse_error(c->p, insn->location, NULL, "'%.100s' takes no operands", check_word(c));
	else if (has_map &&
		(insn->operand_count != 2 || bytes->kind != PTX_OP_VALUE || bytes->value.bits != 128))
		parse_error(c->p, insn->location, "[map], 128", "'%.100s' takes an address and 128",
			check_word(c));
	else if (has_map)
		check_address_in(c, &insn->operands[0], 0);
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
		if (!word_has(insn, PTX_MOD_MASK))
			check_constant(c, 0, 0, 15, 1);
		return;
	case PTX_SETMAXNREG:
		check_constant(c, 0, 24, 256, 8);
		return;
	case PTX_FENCE:
		check_fence(c);
		return;
	case PTX_ELECT:
		if (insn->operands[0].kind != PTX_OP_PAIR ||
			insn->operands[0].elements[1].kind == PTX_OP_SINK)
			parse_error(c->p, insn->operands[0].location, "d|p",
				"'%.100s' needs a predicate for its result", check_word(c));
		return;
	case PTX_MATCH:
		if (insn->operands[0].kind == PTX_OP_PAIR && !word_has(insn, PTX_MOD_ALL))
			parse_error(c->p, insn->operands[0].location, NULL,
				"'%.100s' has no predicate result", check_word(c));
		return;
	default:
		return;
	}
}
