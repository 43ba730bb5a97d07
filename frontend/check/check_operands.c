/* frontend/check/check_operands.c -- operands against the letters of opcodes.def: how many, of which kind,
 * and whether a register or a literal suits the instruction's type. */
#include "frontend/check/check.h"
#include <stdio.h>
#include <string.h>

/* mov.b64 %d, %v: a vector register as the braces of its components. */
static void check_packed(const struct check *c, const struct ptx_operand *o, const struct want *want)
{
	unsigned bits = ptx_type_bits(o->variable->type) * o->variable->vector;

	if (o->value.bits)
		parse_error(c->p, o->location, NULL, "a constant can be added to a scalar register only");
	else if (bits != ptx_type_bits(want->type) || want->type < PTX_B8 || want->type > PTX_B128)
		parse_error(c->p, o->location, NULL, "'%.200s' has %u bits and does not suit '%.100s'",
			check_shown(o), bits, check_word(c));
}

/* A data operand of a vector access is in braces or a vector register. */
static void check_data(const struct check *c, const struct ptx_operand *o, const struct want *want)
{
	unsigned count = c->insn->vector;

	if (is_whole_vector(c, o) && c->insn->opcode == PTX_MOV && count == 1)
		check_packed(c, o, want);
	else if (is_whole_vector(c, o) && o->variable->vector != count && c->insn->opcode != PTX_MOV)
		parse_error(c->p, o->location, NULL, "'%.200s' is a vector of %u and does not suit '%.100s'",
			check_shown(o), o->variable->vector, check_word(c));
	else if (count > 1 && o->kind != PTX_OP_VECTOR && o->kind != PTX_OP_NAME && !is_whole_vector(c, o) &&
		!(o->kind == PTX_OP_SINK && want->is_written))
		parse_error(c->p, o->location, NULL, "'%.100s' takes %u elements in braces", check_word(c),
			count);
	else if (o->kind == PTX_OP_SINK && want->is_written && c->insn->opcode == PTX_ATOM)
		return;
	else
		check_value(c, o, want);
}

static void check_base(const struct check *c, unsigned space, const struct ptx_operand *base)
{

	if (base->kind == PTX_OP_REG) {
		unsigned type = base->variable->type, bits = ptx_type_bits(type);

		if (!type_is_integer(type) || bits > 64)
			parse_error(c->p, base->location, NULL,
				"'%.200s' is a .%s register and holds no address", check_shown(base),
				ptx_type_name(type));
	} else if (base->kind == PTX_OP_SYMBOL) {
		const struct ptx_var *v = base->variable;

		if (v->type >= PTX_TEXREF)
			parse_error(c->p, base->location, NULL,
				"'%.200s' is a .%s: '%.100s' cannot look into it", check_shown(base),
				ptx_type_name(v->type), check_word(c));
		else if (space && v->space != space)
			parse_error(c->p, base->location, NULL, "'%.200s' is in .%s, '%.100s' is for .%s",
				check_shown(base), ptx_space_name(v->space), check_word(c),
				ptx_space_name(space));
		else if (!space &&
			(v->space == PTX_CONST ||
				(v->space == PTX_PARAM && v->owner && v->owner->is_entry)) &&
			(c->insn->opcode == PTX_LD || c->insn->opcode == PTX_ST))
			parse_error(c->p, base->location, NULL, "'%.200s' is in .%s, '%.100s' is generic",
				check_shown(base), ptx_space_name(v->space), check_word(c));
		else if (c->insn->opcode == PTX_ST && v->is_param_in && v->owner && v->owner->is_entry)
			parse_error(c->p, base->location, NULL,
				"'%.200s' is a parameter of an entry and cannot be written",
				check_shown(base));
		else
			check_named_base(c, base);
	} else if (base->kind != PTX_OP_NAME && base->kind != PTX_OP_VALUE) {
		parse_error(c->p, base->location, NULL, "an address is a register, a variable or a number");
	}
}

void check_address_in(const struct check *c, const struct ptx_operand *o, unsigned space)
{
	if (o->kind == PTX_OP_TEXTURE || o->kind == PTX_OP_NAME)
		return;
	if (o->is_element && (c->insn->opcode == PTX_LD || c->insn->opcode == PTX_ST))
		check_base(c, space, o);
	else if (o->kind != PTX_OP_ADDRESS)
		parse_error(c->p, o->location, "[address]", "'%.100s' needs an address in brackets",
			check_word(c));
	else if (o->base && o->base->kind != PTX_OP_VALUE)
		check_base(c, space, o->base);
	else if (space != PTX_LOCAL)
		parse_error(c->p, o->location, NULL, "a number is an address in .local only");
}

static void check_address(const struct check *c, const struct ptx_operand *o)
{
	check_address_in(c, o, c->insn->space);
}

void check_address_operand(const struct check *c, const struct ptx_operand *o)
{
	check_address(c, o);
}

static void check_pair(const struct check *c, const struct ptx_operand *o, const struct want *first)
{
	const struct want second = { PTX_PRED, false, true };

	if (o->kind == PTX_OP_SINK && c->insn->opcode == PTX_SETP)
		return;
	if (o->kind != PTX_OP_PAIR) {
		check_value(c, o, first);
		return;
	}
	if (o->elements[0].kind == PTX_OP_SINK &&
		(o->elements[1].kind == PTX_OP_SINK || c->insn->opcode == PTX_SHFL))
		parse_error(c->p, o->location, NULL, "'_' cannot stand here");
	if (o->elements[0].kind != PTX_OP_SINK)
		check_value(c, &o->elements[0], first);
	if (o->elements[1].kind != PTX_OP_SINK)
		check_value(c, &o->elements[1], &second);
}

/* lop3.or d|p: the predicate is what it is for. */
static void check_tested(const struct check *c, const struct ptx_operand *o, const struct want *first)
{
	if (o->kind != PTX_OP_PAIR || o->elements[1].kind == PTX_OP_SINK)
		parse_error(
			c->p, o->location, "d|p", "'%.100s' needs a predicate for its result", check_word(c));
	else
		check_pair(c, o, first);
}

/* Addresses of any width, counts: an integer register or constant. */
static void check_integer(const struct check *c, const struct ptx_operand *o)
{
	if (o->kind == PTX_OP_SREG)
		check_sreg(c, o, &(struct want){ PTX_B32, false, false });
	else if (o->kind == PTX_OP_REG && o->value.bits)
		check_value(c, o, &(struct want){ o->variable->type, false, false });
	else if (o->kind == PTX_OP_REG && !type_is_integer(o->variable->type))
		parse_error(c->p, o->location, NULL, "'%.200s' is a .%s register and does not suit '%.100s'",
			check_shown(o), ptx_type_name(o->variable->type), check_word(c));
}

/* Where an address as a value may be a variable's name: of the space that is left, and not for generic
 * addresses. */
static void check_address_value(const struct check *c, const struct ptx_operand *o)
{
	bool is_generic = c->insn->opcode == PTX_ISSPACEP || form_has(c->insn->form, PTX_MOD_TO);
	unsigned type = c->insn->type_count ? c->insn->types[0] : PTX_NO_TYPE;

	if (o->kind == PTX_OP_SYMBOL && is_generic)
		parse_error(c->p, o->location, NULL,
			"'%.100s' needs a register: '%.200s' is no generic address", check_word(c),
			check_shown(o));
	else if (o->kind == PTX_OP_SYMBOL && c->insn->space && o->variable->space != c->insn->space)
		parse_error(c->p, o->location, NULL, "'%.200s' is in .%s, '%.100s' is for .%s",
			check_shown(o), ptx_space_name(o->variable->space), check_word(c),
			ptx_space_name(c->insn->space));
	else if (o->kind == PTX_OP_REG)
		check_value(c, o,
			&(struct want){ type != PTX_NO_TYPE                      ? type
					: ptx_type_bits(o->variable->type) == 32 ? PTX_U32
										 : PTX_U64,
				false, false });
	else if (o->kind != PTX_OP_SYMBOL)
		check_value(c, o, &(struct want){ PTX_U64, false, false });
}

static void check_constant(const struct check *c, const struct ptx_operand *o)
{
	if (o->kind != PTX_OP_NAME && (o->kind != PTX_OP_VALUE || o->value.kind > PTX_UINT))
		parse_error(
			c->p, o->location, NULL, "'%.100s' needs an integer constant here", check_word(c));
}

/* The random bits of cvt.rs: a register of untyped bits. */
static void check_random(const struct check *c, const struct ptx_operand *o)
{
	if (o->kind != PTX_OP_NAME && (o->kind != PTX_OP_REG || o->variable->type != PTX_B32))
		parse_error(c->p, o->location, NULL, "'%.100s' takes its random bits from a .b32 register",
			check_word(c));
}

static void check_line(const struct check *c, const struct ptx_operand *o)
{
	if (o->kind != PTX_OP_VALUE || o->value.kind > PTX_UINT || o->value.bits != 128)
		parse_error(c->p, o->location, "128", "'%.100s' works on 128 bytes", check_word(c));
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
	case 'P': check_value(c, o, &(struct want){ PTX_PRED, false, true }); break;
	case 'Q': check_pair(c, o, &(struct want){ PTX_PRED, false, true }); break;
	case 'E': check_pair(c, o, &(struct want){ PTX_B32, false, true }); break;
	case 'S': check_pair(c, o, &(struct want){ first, false, true }); break;
	case 'T': check_tested(c, o, &(struct want){ first, false, true }); break;
	case '0': check_data(c, o, &(struct want){ first, false, false }); break;
	case '1': check_value(c, o, &(struct want){ second, false, false }); break;
	case 'w': check_value(c, o, &(struct want){ doubled(c, first), false, false }); break;
	case 's': check_data(c, o, &(struct want){ first, true, false }); break;
	case 'v': check_value(c, o, &(struct want){ last, true, false }); break;
	case 'u': check_value(c, o, &(struct want){ PTX_B32, false, false }); break;
	case 'r': check_random(c, o); break;
	case 'c': check_value(c, o, &(struct want){ PTX_B64, false, false }); break;
	case 'f': check_value(c, o, &(struct want){ PTX_F32, false, false }); break;
	case 'p': check_value(c, o, &(struct want){ PTX_PRED, false, false }); break;
	case 'n': check_integer(c, o); break;
	case 'a': check_address_value(c, o); break;
	case 'i': check_constant(c, o); break;
	case 'm': check_address(c, o); break;
	case 'l': check_line(c, o); break;
	case 'b':
		if (o->kind != PTX_OP_LABEL && o->kind != PTX_OP_NAME)
			parse_error(c->p, o->location, NULL, "'%.100s' needs a label", check_word(c));
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

static bool check_letters(const struct check *c, const char *letters)
{
	unsigned least, most, have = c->insn->operand_count;

	count_letters(letters, &least, &most);
	if (have >= least && have <= most)
		return true;
	if (least == most || have < least)
		parse_error(c->p, c->insn->location, NULL, "'%.100s' takes %s%u operand%s, not %u",
			check_word(c), least == most ? "" : "at least ", least, least == 1 ? "" : "s", have);
	else
		parse_error(c->p, c->insn->location, NULL, "'%.100s' takes at most %u operands, not %u",
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

bool needs_pair(const struct ptx_insn *insn)
{
	return (insn->opcode == PTX_LOP3 && insn->modifier_count) || insn->opcode == PTX_ELECT;
}

/* Only f32 has a minimum of three, and .abs alone is for three. */
static const char *extreme_letters(const struct ptx_insn *insn)
{
	bool abs = form_has(insn->form, PTX_MOD_ABS), xorsign = form_has(insn->form, PTX_MOD_XORSIGN);

	return insn->types[0] != PTX_F32 || xorsign ? "D00" : abs ? "D000" : "D00?0";
}

/* Wider registers may stand for integers, f16, f32 and f64, if all in the instruction is one of those. */
static bool is_strict(unsigned type)
{
	return type_is_narrow_float(type) && type != PTX_F16 && type != PTX_F16X2;
}

static const char *conversion_letters(const struct ptx_insn *insn)
{
	unsigned type = insn->types[0], from = insn->types[1];
	bool strict = is_strict(type) || is_strict(from), by_chance = form_has(insn->form, PTX_MOD_RS);

	if (form_has(insn->form, PTX_MOD_PACK))
		return insn->type_count > 2 ? "I11u" : "I11";
	if (type >= PTX_E4M3X4 && type <= PTX_E3M2X4)
		return "Dxr";
	if (from == PTX_F32 && type_is_narrow_float(type) && type != PTX_F16 && type != PTX_BF16 &&
		type != PTX_TF32)
		return by_chance ? strict ? "D11r" : "Lvvr" : strict ? "D11" : "Lvv";
	return strict ? "D1" : "Lv";
}

/* A predicate to combine the comparison with, exactly if there is a boolean operation. */
static const char *comparison_letters(const struct ptx_insn *insn)
{
	bool combines = form_has(insn->form, PTX_MOD_AND) || form_has(insn->form, PTX_MOD_OR) ||
		form_has(insn->form, PTX_MOD_XOR);

	if (insn->opcode == PTX_SETP && (insn->types[0] == PTX_F16 || insn->types[0] == PTX_BF16))
		return combines ? "P00p" : "P00";
	if (insn->opcode == PTX_SETP)
		return combines ? "Q00p" : "Q00";
	return combines ? "D11p" : "D11";
}

/* A cache policy stands last, exactly if a modifier says so. */
static const char *with_policy(const struct ptx_insn *insn, const char *without, const char *with)
{
	return form_has(insn->form, PTX_MOD_L2_CACHE_HINT) ? with : without;
}

/* Letters that depend on the modifiers. */
const char *operand_letters(const struct ptx_insn *insn)
{
	const char *letters = opcode_rows[insn->opcode].operands;

	if (insn->type_count == 2 &&
		(insn->opcode == PTX_ADD || insn->opcode == PTX_SUB || insn->opcode == PTX_FMA))
		return insn->opcode == PTX_FMA ? "D110" : "D10"; /* add.f32.bf16 */
	if (insn->opcode == PTX_MIN || insn->opcode == PTX_MAX)
		return extreme_letters(insn);
	if (insn->opcode == PTX_BAR || insn->opcode == PTX_BARRIER)
		return barrier_letters(insn);
	if (insn->opcode == PTX_SHFL && form_has(insn->form, PTX_MOD_SYNC))
		return "S0uuu";
	if (insn->opcode == PTX_VOTE && form_has(insn->form, PTX_MOD_SYNC))
		return "Dpu";
	if (insn->opcode == PTX_LOP3 && insn->modifier_count)
		return "T000ip";
	if (insn->opcode == PTX_SETP || insn->opcode == PTX_SET)
		return comparison_letters(insn);
	if (insn->opcode == PTX_ATOM && !form_has(insn->form, PTX_MOD_CAS))
		return with_policy(insn, "Dm0", "Dm0c");
	if (insn->opcode == PTX_ST &&
		(form_has(insn->form, PTX_MOD_BULK) || form_has(insn->form, PTX_MOD_ASYNC)))
		return "*";
	if (insn->opcode == PTX_RED && form_has(insn->form, PTX_MOD_ASYNC))
		return "*";
	if (insn->opcode == PTX_ATOM)
		return with_policy(insn, "Dm00", "Dm00c");
	if (insn->opcode == PTX_RED)
		return with_policy(insn, "m0", "m0c");
	if (insn->opcode == PTX_LD)
		return with_policy(insn, "Lm", "Lmc");
	if (insn->opcode == PTX_ST)
		return with_policy(insn, "ms", "msc");
	if (insn->opcode == PTX_CREATEPOLICY)
		return form_has(insn->form, PTX_MOD_CVT)      ? "Dc"
			: form_has(insn->form, PTX_MOD_RANGE) ? "Dmuu"
							      : "D?f";
	return insn->opcode == PTX_CVT ? conversion_letters(insn) : letters;
}

static bool is_matrix(unsigned opcode)
{
	return opcode == PTX_MMA || opcode == PTX_WMMA || opcode == PTX_LDMATRIX || opcode == PTX_STMATRIX ||
		opcode == PTX_MOVMATRIX;
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
		parse_error(c->p, o[0].location, NULL, "barriers are numbered 0 to 15");
	if (count > 1 && o[1].kind == PTX_OP_VALUE && o[1].value.bits % 32)
		parse_error(c->p, o[1].location, NULL, "the threads of a barrier are a multiple of 32");
	for (uint32_t i = 0; i < count && i < 2; i++)
		if (o[i].kind == PTX_OP_REG && ptx_type_is_float(o[i].variable->type))
			parse_error(c->p, o[i].location, NULL,
				"'%.200s' is a .%s register and does not suit '%.100s'", check_shown(&o[i]),
				ptx_type_name(o[i].variable->type), check_word(c));
}

void check_operands(struct ptx_parser *p, const struct ptx_insn *insn)
{
	const struct check c = { p, insn };
	const char *letters = operand_letters(insn);

	if (is_matrix(insn->opcode)) {
		check_matrix_operands(&c);
		return;
	}
	if (insn->opcode == PTX_WGMMA) {
		check_wgmma_operands(&c);
		return;
	}
	if (insn->opcode == PTX_TCGEN05) {
		check_tcgen05_operands(&c);
		return;
	}
	if (insn->opcode == PTX_MBARRIER) {
		check_mbarrier(&c);
		return;
	}
	if (insn->opcode == PTX_CP) {
		check_async_copy(&c);
		return;
	}
	if (insn->opcode == PTX_TENSORMAP) {
		check_tensormap(&c);
		return;
	}
	if (insn->opcode == PTX_ST && form_has(insn->form, PTX_MOD_BULK)) {
		check_bulk_store(&c);
		return;
	}
	if (insn->opcode == PTX_CLUSTERLAUNCHCONTROL) {
		check_launch_control(&c);
		return;
	}
	if (!check_letters(&c, letters))
		return;
	if ((insn->opcode == PTX_MIN || insn->opcode == PTX_MAX) && insn->operand_count == 4)
		needs(p, insn->location, "a minimum or maximum of three", 88, 100);
	for (uint32_t i = 0; i < insn->operand_count; i++)
		if (insn->operands[i].name && insn->operands[i].name[0] == '%' &&
			(insn->operands[i].kind == PTX_OP_SREG || insn->operands[i].kind == PTX_OP_VALUE))
			check_sreg_gate(p, &insn->operands[i]);
	if (insn->opcode >= PTX_VADD && insn->opcode <= PTX_VSET4) {
		check_video_operands(&c);
		return;
	}
	for (uint32_t i = 0; i < insn->operand_count && *letters != '*'; letters++)
		if (*letters != '?')
			check_letter(&c, *letters, &insn->operands[i++]);
	check_warp_operands(&c);
	check_barrier(&c);
	check_ranges(&c);
	check_pair_needed(&c);
}
