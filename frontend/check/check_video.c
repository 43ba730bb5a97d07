/* frontend/check/check_video.c -- video instructions: which modifiers go together, and which operands may
 * have a selector
 * (%r1.b0, %r1.h10) or a minus. The rules are those of the ISA as the vendor's assembler enforces them. */
#include "frontend/check/check_word.h"
#include <string.h>

/* 0: scalar; 2 or 4 lanes. */
static unsigned lanes_of(unsigned opcode)
{
	return opcode >= PTX_VADD4 ? 4 : opcode >= PTX_VADD2 ? 2 : 0;
}

static bool is_set(unsigned opcode)
{
	return opcode == PTX_VSET || opcode == PTX_VSET2 || opcode == PTX_VSET4;
}

static unsigned second_operations(const struct ptx_insn *insn)
{
	return (unsigned)word_has(insn, PTX_MOD_ADD) + word_has(insn, PTX_MOD_MIN) +
		word_has(insn, PTX_MOD_MAX);
}

static const char *wrong_modifiers(const struct ptx_insn *insn)
{
	unsigned op = insn->opcode;

	if (second_operations(insn) > 1)
		return "has more than one second operation";
	if (lanes_of(op) && word_has(insn, PTX_MOD_SAT) && word_has(insn, PTX_MOD_ADD))
		return "cannot saturate: it sums its lanes";
	if (is_set(op) && insn->modifier_count != 1 + second_operations(insn))
		return "needs one comparison";
	if (op == PTX_VMAD && word_has(insn, PTX_MOD_SHR7) && word_has(insn, PTX_MOD_SHR15))
		return "shifts by 7 or by 15";
	if ((op == PTX_VSHL || op == PTX_VSHR) &&
		word_has(insn, PTX_MOD_CLAMP) == word_has(insn, PTX_MOD_WRAP))
		return "needs '.clamp' or '.wrap'";
	if ((op == PTX_VSHL || op == PTX_VSHR) && insn->types[2] != PTX_U32)
		return "needs a count of type .u32";
	return NULL;
}

bool check_video_form(struct ptx_parser *p, const struct ptx_insn *insn)
{
	const char *what = wrong_modifiers(insn);

	if (what)
		parse_error(p, insn->location, NULL, "'%.100s' %s", insn->form->spelling, what);
	return !what;
}

/* What stands behind the last dot of a selector: "b0", "h10". */
static const char *selector_of(const struct ptx_operand *o)
{
	const char *dot = o->kind == PTX_OP_REG && o->selector && o->name ? strrchr(o->name, '.') : NULL;

	return dot ? dot + 1 : "";
}

static bool is_descending(const char *digits)
{
	for (; digits[0] && digits[1]; digits++)
		if (digits[0] <= digits[1])
			return false;
	return true;
}

/* A part of a register (b0, h1), for scalar operations. */
static bool is_part(const char *s)
{
	return !*s || (strlen(s) == 2 && strchr(s[0] == 'b' ? "0123" : "01", s[1]));
}

/* The lanes of the result that are meant: each once, high ones first. */
static bool is_mask(const char *s, unsigned lanes)
{
	return !*s ||
		(s[0] == (lanes == 2 ? 'h' : 'b') && s[1] && strlen(s) <= lanes + 1 && is_descending(s + 1) &&
			s[1] < (char)('0' + lanes));
}

/* A lane of {b, a} for each lane of a source. */
static bool is_choice(const char *s, unsigned lanes)
{
	return !*s ||
		(s[0] == (lanes == 2 ? 'h' : 'b') && strlen(s) == lanes + 1 &&
			s[1 + strspn(s + 1, lanes == 2 ? "0123" : "01234567")] == 0);
}

static bool suits_selector(const struct ptx_insn *insn, uint32_t index, const char *selector)
{
	unsigned lanes = lanes_of(insn->opcode);

	if (index == 3 || (index == 0 && insn->opcode == PTX_VMAD))
		return !*selector;
	if (!lanes)
		return is_part(selector);
	return index ? is_choice(selector, lanes) : is_mask(selector, lanes);
}

/* vmad: the product or c may be negated, not both, and neither if one more is added. */
static const char *wrong_signs(const struct ptx_insn *insn)
{
	bool minus[4];

	for (uint32_t i = 0; i < 4; i++) {
		minus[i] = i < insn->operand_count && insn->operands[i].negated;
		if (minus[i] && (insn->opcode != PTX_VMAD || i == 0))
			return "negates no operand";
	}
	if ((minus[1] != minus[2]) && minus[3])
		return "negates the product or the last operand, not both";
	return word_has(insn, PTX_MOD_PO) && (minus[1] != minus[2] || minus[3])
		? "adds one: it negates nothing"
		: NULL;
}

static const char *wrong_operands(const struct ptx_insn *insn)
{
	bool merges = *selector_of(&insn->operands[0]) && !lanes_of(insn->opcode);
	bool is_short = insn->operand_count < 4;

	if (is_short &&
		(lanes_of(insn->opcode) || insn->opcode == PTX_VMAD || merges || second_operations(insn)))
		return "needs a third source";
	if (merges && second_operations(insn))
		return "cannot have a second operation and write a part of its destination";
	return wrong_signs(insn);
}

void check_video_operands(const struct check *c)
{
	const struct ptx_insn *insn = c->insn;
	const char *what = wrong_operands(insn);

	if (what)
		parse_error(c->p, insn->location, NULL, "'%.100s' %s", check_word(c), what);
	for (uint32_t i = 0; i < insn->operand_count; i++) {
		struct ptx_operand bare = insn->operands[i];

		if (!suits_selector(insn, i, selector_of(&bare)))
			parse_error(c->p, bare.location, NULL,
				"the selector of '%.200s' does not suit '%.100s'", check_shown(&bare),
				check_word(c));
		if (bare.kind == PTX_OP_REG) {
			bare.selector = 0;
			bare.negated = false;
		}
		if (bare.kind == PTX_OP_VALUE && lanes_of(insn->opcode))
			parse_error(c->p, bare.location, NULL, "'%.100s' takes no literal", check_word(c));
		else
			check_value(c, &bare, &(struct want){ PTX_U32, false, i == 0 });
	}
}
