/* frontend/check_operands.c -- operands against the letters of opcodes.def: how many, of which kind, and
 * whether a register or a literal suits the instruction's type. */
#include "frontend/check.h"
#include <stdio.h>
#include <string.h>

/* A data operand of a vector access is in braces or a vector register. */
static void check_data(const struct check *c, const struct ptx_operand *o, const struct want *want)
{
	unsigned count = c->insn->vector;

	if (is_whole_vector(c, o) && o->variable->vector != count && c->insn->opcode != PTX_MOV)
		parse_error(c->p, o->place, NULL, "'%.200s' is a vector of %u and does not suit '%.100s'",
			check_shown(o), o->variable->vector, check_word(c));
	else if (count > 1 && o->kind != PTX_OP_VECTOR && o->kind != PTX_OP_NAME && !is_whole_vector(c, o) &&
		 !(o->kind == PTX_OP_SINK && want->is_written))
		parse_error(
			c->p, o->place, NULL, "'%.100s' takes %u elements in braces", check_word(c), count);
	else if (o->kind == PTX_OP_SINK && want->is_written && c->insn->opcode == PTX_ATOM)
		return;
	else
		check_value(c, o, want);
}

static void check_base(
	const struct check *c, const struct ptx_operand *address, const struct ptx_operand *base)
{
	unsigned space = c->insn->space;

	if (base->kind == PTX_OP_REG) {
		unsigned type = base->variable->type, bits = ptx_type_bits(type);

		if (!type_is_integer(type) || (bits != 32 && bits != 64))
			parse_error(c->p, base->place, NULL,
				"'%.200s' is a .%s register and holds no address", check_shown(base),
				ptx_type_name(type));
	} else if (base->kind == PTX_OP_SYMBOL) {
		const struct ptx_var *v = base->variable;

		if (space && v->space != space && v->type < PTX_TEXREF)
			parse_error(c->p, base->place, NULL, "'%.200s' is in .%s, '%.100s' is for .%s",
				check_shown(base), ptx_space_name(v->space), check_word(c),
				ptx_space_name(space));
		else if (c->insn->opcode == PTX_ST && v->is_param_in && v->owner && v->owner->is_entry)
			parse_error(c->p, base->place, NULL,
				"'%.200s' is a parameter of an entry and cannot be written",
				check_shown(base));
		else
			check_named_base(c, base);
	} else if (base->kind != PTX_OP_NAME && base->kind != PTX_OP_VALUE) {
		parse_error(c->p, base->place, NULL, "an address is a register, a variable or a number");
	}
}

static void check_address(const struct check *c, const struct ptx_operand *o)
{
	if (o->kind == PTX_OP_TEXTURE || o->kind == PTX_OP_NAME)
		return;
	if (o->kind != PTX_OP_ADDRESS)
		parse_error(
			c->p, o->place, "[address]", "'%.100s' needs an address in brackets", check_word(c));
	else if (o->base)
		check_base(c, o, o->base);
	else if (c->insn->space != PTX_LOCAL && c->insn->space != PTX_NO_SPACE && c->insn->opcode != PTX_CP)
		parse_error(c->p, o->place, NULL, "a number can be an address in .local only");
}

static void check_pair(const struct check *c, const struct ptx_operand *o, const struct want *first)
{
	const struct want second = { PTX_PRED, false, true };

	if (o->kind != PTX_OP_PAIR) {
		check_value(c, o, first);
		return;
	}
	if (o->elements[0].kind != PTX_OP_SINK)
		check_value(c, &o->elements[0], first);
	if (o->elements[1].kind != PTX_OP_SINK)
		check_value(c, &o->elements[1], &second);
}

/* Addresses of any width, counts: an integer register or constant. */
static void check_integer(const struct check *c, const struct ptx_operand *o)
{
	if (o->kind == PTX_OP_SREG)
		check_sreg(c, o, &(struct want){ PTX_B32, false, false });
	else if (o->kind == PTX_OP_REG && !type_is_integer(o->variable->type))
		parse_error(c->p, o->place, NULL, "'%.200s' is a .%s register and does not suit '%.100s'",
			check_shown(o), ptx_type_name(o->variable->type), check_word(c));
}

static void check_constant(const struct check *c, const struct ptx_operand *o)
{
	if (o->kind != PTX_OP_NAME && (o->kind != PTX_OP_VALUE || o->value.kind > PTX_UINT))
		parse_error(c->p, o->place, NULL, "'%.100s' needs an integer constant here", check_word(c));
}

static unsigned doubled(const struct check *c, unsigned type)
{
	if (!form_has(c->insn->form, PTX_MOD_WIDE))
		return type;
	switch (type) {
	case PTX_U16:
		return PTX_U32;
	case PTX_S16:
		return PTX_S32;
	case PTX_U32:
		return PTX_U64;
	case PTX_S32:
		return PTX_S64;
	default:
		return type;
	}
}

/* clang-format off */
static void check_letter(const struct check *c, char letter, const struct ptx_operand *o)
{
	const struct ptx_insn *insn = c->insn;
	unsigned first = insn->types[0], second = insn->type_count > 1 ? insn->types[1] : first;
	unsigned last = insn->type_count ? insn->types[insn->type_count - 1] : first;

	switch (letter) {
	case 'D': check_data(c, o, &(struct want){ first, false, true }); break;
	case 'W': check_value(c, o, &(struct want){ doubled(c, first), false, true }); break;
	case 'L': check_data(c, o, &(struct want){ first, true, true }); break;
	case 'I': check_value(c, o, &(struct want){ PTX_B32, false, true }); break;
	case 'M': check_pair(c, o, &(struct want){ PTX_B32, false, true }); break;
	case 'P': check_value(c, o, &(struct want){ PTX_PRED, false, true }); break;
	case 'Q': check_pair(c, o, &(struct want){ PTX_PRED, false, true }); break;
	case 'S': check_pair(c, o, &(struct want){ first, false, true }); break;
	case '0': check_data(c, o, &(struct want){ first, false, false }); break;
	case '1': check_value(c, o, &(struct want){ second, false, false }); break;
	case 'w': check_value(c, o, &(struct want){ doubled(c, first), false, false }); break;
	case 's': check_data(c, o, &(struct want){ first, true, false }); break;
	case 'v': check_value(c, o, &(struct want){ last, true, false }); break;
	case 'u': check_value(c, o, &(struct want){ PTX_B32, false, false }); break;
	case 'p': check_value(c, o, &(struct want){ PTX_PRED, false, false }); break;
	case 'n': check_integer(c, o); break;
	case 'i': check_constant(c, o); break;
	case 'm': check_address(c, o); break;
	case 'b':
		if (o->kind != PTX_OP_LABEL && o->kind != PTX_OP_NAME)
			parse_error(c->p, o->place, NULL, "'%.100s' needs a label", check_word(c));
		break;
	default: break;
	}
}

/* clang-format on */
/* How many operands the letters ask for. */
static void count_letters(const char *letters, unsigned *least, unsigned *most)
{
	bool is_optional = false;

	*least = *most = 0;
	for (; *letters; letters++) {
		if (*letters == '?') {
			is_optional = true;
		} else if (*letters == '*') {
			*most = PTX_MAX_OPERANDS;
		} else {
			*most += 1;
			*least += !is_optional;
		}
	}
}

static bool check_count(const struct check *c, const char *letters)
{
	unsigned least, most, have = c->insn->operand_count;

	count_letters(letters, &least, &most);
	if (have >= least && have <= most)
		return true;
	if (least == most || have < least)
		parse_error(c->p, c->insn->place, NULL, "'%.100s' takes %s%u operand%s, not %u",
			check_word(c), least == most ? "" : "at least ", least, least == 1 ? "" : "s", have);
	else
		parse_error(c->p, c->insn->place, NULL, "'%.100s' takes at most %u operands, not %u",
			check_word(c), most, have);
	return false;
}

static const char *barrier_letters(const struct ptx_insn *insn)
{
	if (form_has(insn->form, PTX_MOD_WARP))
		return "u";
	if (form_has(insn->form, PTX_MOD_CLUSTER))
		return "";
	if (form_has(insn->form, PTX_MOD_ARRIVE))
		return "uu";
	if (form_has(insn->form, PTX_MOD_SYNC))
		return "u?u";
	if (insn->operand_count > 3)
		return form_has(insn->form, PTX_MOD_POPC) ? "Iuup" : "Puup";
	return form_has(insn->form, PTX_MOD_POPC) ? "Iup" : "Pup";
}

static bool has_boolean(const struct ptx_insn *insn)
{
	return form_has(insn->form, PTX_MOD_AND) || form_has(insn->form, PTX_MOD_OR) || form_has(insn->form, PTX_MOD_XOR);
}

bool needs_pair(const struct ptx_insn *insn)
{
	return (insn->opcode == PTX_LOP3 && has_boolean(insn)) || insn->opcode == PTX_ELECT;
}

/* Letters of forms in which an operand is there or not as the modifiers say; NULL: not one of these. */
static const char *exact_letters(const struct ptx_insn *insn)
{
	bool is_hinted = form_has(insn->form, PTX_MOD_L2_CACHE_HINT), is_sync = form_has(insn->form, PTX_MOD_SYNC);

	switch (insn->opcode) {
	case PTX_SETP:
		return has_boolean(insn) ? "Q00p" : "Q00";
	case PTX_SET:
		return has_boolean(insn) ? "D11p" : "D11";
	case PTX_LOP3:
		return has_boolean(insn) ? "S000ip" : "S000i";
	case PTX_SHFL:
		return is_sync ? "S0uuu" : "S0uu";
	case PTX_VOTE:
		return is_sync ? "Dpu" : "Dp";
	case PTX_LD:
		return is_hinted ? "Lmn" : "Lm";
	case PTX_ST:
		return is_hinted ? "msn" : "ms";
	case PTX_RED:
		return is_hinted ? "m0n" : "m0";
	case PTX_ATOM:
		return form_has(insn->form, PTX_MOD_CAS) ? (is_hinted ? "Dm00n" : "Dm00") : is_hinted ? "Dm0n" : "Dm0";
	default:
		return NULL;
	}
}

/* Letters that depend on the modifiers. */
const char *operand_letters(const struct ptx_insn *insn)
{
	const char *letters = opcode_rows[insn->opcode].operands, *exact;

	if (insn->type_count == 2 &&
		(insn->opcode == PTX_ADD || insn->opcode == PTX_SUB || insn->opcode == PTX_FMA))
		return "*"; /* add.f32.bf16 */
	if (insn->opcode == PTX_BAR || insn->opcode == PTX_BARRIER)
		return barrier_letters(insn);
	if (insn->opcode == PTX_ST &&
		(form_has(insn->form, PTX_MOD_BULK) || form_has(insn->form, PTX_MOD_ASYNC)))
		return "*";
	if (insn->opcode == PTX_RED && form_has(insn->form, PTX_MOD_ASYNC))
		return "*";
	exact = exact_letters(insn);
	if (exact)
		return exact;
	if (insn->opcode == PTX_CVT && !type_is_integer(insn->types[0]) &&
		type_is_narrow_float(insn->types[0]))
		return "*"; /* packed and narrow formats have up to three sources */
	if (insn->opcode == PTX_CVT && !form_has(insn->form, PTX_MOD_PACK))
		return "Lv";
	return letters;
}

/* cp.async copies 4, 8 or 16 bytes, past the L1 only 16. */
static void check_copy(const struct check *c)
{
	const struct ptx_operand *size = &c->insn->operands[2];
	bool is_cg = form_has(c->insn->form, PTX_MOD_CG);

	if (c->insn->opcode != PTX_CP || c->insn->operand_count < 3 ||
		(!is_cg && !form_has(c->insn->form, PTX_MOD_CA)))
		return;
	if (size->kind != PTX_OP_VALUE ||
		(size->value.bits != 16 && (is_cg || (size->value.bits != 4 && size->value.bits != 8))))
		parse_error(c->p, size->place, NULL, "'%.100s' copies %s bytes", check_word(c),
			is_cg ? "16" : "4, 8 or 16");
}

/* Barriers are numbered 0 to 15; the threads that meet are whole warps. */
static void check_barrier(const struct check *c)
{
	const struct ptx_insn *insn = c->insn;
	bool is_red = form_has(insn->form, PTX_MOD_RED);
	const struct ptx_operand *o = insn->operands + is_red;
	uint32_t count = insn->operand_count > is_red ? insn->operand_count - is_red : 0;

	if ((insn->opcode != PTX_BAR && insn->opcode != PTX_BARRIER) || form_has(insn->form, PTX_MOD_WARP))
		return;
	if (count > 0 && o[0].kind == PTX_OP_VALUE && o[0].value.bits > 15)
		parse_error(c->p, o[0].place, NULL, "barriers are numbered 0 to 15");
	if (count > 1 && o[1].kind == PTX_OP_VALUE && o[1].value.bits % 32)
		parse_error(c->p, o[1].place, NULL, "the threads of a barrier are a multiple of 32");
	for (uint32_t i = 0; i < count && i < 2; i++)
		if (o[i].kind == PTX_OP_REG && ptx_type_is_float(o[i].variable->type))
			parse_error(c->p, o[i].place, NULL, "'%.200s' is a .%s register and does not suit '%.100s'",
				check_shown(&o[i]), ptx_type_name(o[i].variable->type), check_word(c));
}

/* min and max of three numbers */
static void check_three(const struct check *c)
{
	const struct ptx_insn *insn = c->insn;

	if (insn->types[0] != PTX_F32)
		parse_error(c->p, insn->place, NULL, "'%.100s' takes 3 operands, not 4", check_word(c));
	else if (form_has(insn->form, PTX_MOD_XORSIGN))
		parse_error(c->p, insn->place, NULL, "'%.100s' cannot have '.xorsign' with three sources", check_word(c));
	else
		needs(c->p, insn->place, "a minimum or maximum of three", 88, 100);
}

void check_operands(struct ptx_parser *p, const struct ptx_insn *insn)
{
	const struct check c = { p, insn };
	const char *letters = operand_letters(insn);

	if (!check_count(&c, letters))
		return;
	if ((insn->opcode == PTX_MIN || insn->opcode == PTX_MAX) && insn->operand_count == 4)
		check_three(&c);
	for (uint32_t i = 0; i < insn->operand_count; i++)
		if (insn->operands[i].name && insn->operands[i].name[0] == '%' &&
			(insn->operands[i].kind == PTX_OP_SREG || insn->operands[i].kind == PTX_OP_VALUE))
			check_sreg_gate(p, &insn->operands[i]);
	for (uint32_t i = 0; i < insn->operand_count && *letters != '*'; letters++)
		if (*letters != '?')
			check_letter(&c, *letters, &insn->operands[i++]);
	check_copy(&c);
	check_barrier(&c);
	check_ranges(&c);
	check_pair_needed(&c);
}
