/* frontend/check_operands.c -- operands against the letters of opcodes.def: how many, of which kind, and whether a
 * register or a literal suits the instruction's type. */
#include "frontend/check.h"
#include <stdio.h>
#include <string.h>

/* What an operand is measured against. */
struct want {
	unsigned type;       /* enum ptx_type */
	bool may_be_wider;   /* loads, stores and conversions */
	bool is_written;
};

struct check {
	struct ptx_parser *p;
	const struct ptx_insn *insn;
};

static const char *word(const struct check *c)
{
	return c->insn->form->spelling;
}

static const char *shown(const struct ptx_operand *o)
{
	return o->name ? o->name : "this operand";
}

static bool is_integer(unsigned type)
{
	return !ptx_type_is_float(type) && type != PTX_PRED && type < PTX_TEXREF;
}

static bool is_bits(unsigned type)
{
	return type >= PTX_B8 && type <= PTX_B128;
}

/* f16, bf16x2, tf32, e4m3x2 ...: usually kept in registers of plain bits. */
static bool is_narrow_float(unsigned type)
{
	return ptx_type_is_float(type) && type != PTX_F32 && type != PTX_F64;
}

static bool same_class(unsigned reg, unsigned type)
{
	if (is_bits(reg) || is_bits(type))
		return true;
	if (is_narrow_float(type) || is_narrow_float(reg))
		return reg == type || is_integer(reg);
	return ptx_type_is_float(reg) == ptx_type_is_float(type);
}

static bool size_fits(unsigned reg, const struct want *want)
{
	unsigned have = ptx_type_bits(reg), need = ptx_type_bits(want->type);

	if (want->may_be_wider && (!ptx_type_is_float(reg) || is_bits(want->type)))
		return have >= need;
	return have == need;
}

static void wrong_register(const struct check *c, const struct ptx_operand *o, const struct want *want)
{
	unsigned reg = o->variable->type;
	char hint[64];

	if (want->type == PTX_PRED || reg == PTX_PRED)
		snprintf(hint, sizeof(hint), want->type == PTX_PRED ? "a predicate is needed" : "not a predicate");
	else if (!size_fits(reg, want))
		snprintf(hint, sizeof(hint), "%u bits%s are needed", ptx_type_bits(want->type),
			want->may_be_wider && is_integer(want->type) ? " or more" : "");
	else
		snprintf(hint, sizeof(hint), "a .%s register is needed", ptx_type_name(want->type));
	parse_error(c->p, o->place, hint, "'%.200s' is a .%s register and does not suit '%.100s'", shown(o),
		ptx_type_name(reg), word(c));
}

static void check_register(const struct check *c, const struct ptx_operand *o, const struct want *want)
{
	unsigned reg = o->variable->type;
	bool is_pred = reg == PTX_PRED || want->type == PTX_PRED;

	if (o->value.bits)
		parse_error(c->p, o->place, NULL, "an offset behind a register can stand in an address only");
	else if (o->negated && want->type != PTX_PRED)
		parse_error(c->p, o->place, NULL, "'%.200s' cannot be negated here", shown(o));
	else if (o->negated && want->is_written)
		parse_error(c->p, o->place, NULL, "a predicate that is written cannot be negated");
	else if (is_pred ? reg != want->type : !same_class(reg, want->type) || !size_fits(reg, want))
		wrong_register(c, o, want);
}

static void check_literal(const struct check *c, const struct ptx_operand *o, const struct want *want)
{
	bool is_float = o->value.kind == PTX_FLOAT32_BITS || o->value.kind == PTX_FLOAT64_BITS;
	unsigned bits = o->value.kind == PTX_FLOAT32_BITS ? 32 : 64;
	char hint[64];

	if (o->name)
		return;   /* a special register with a fixed value */
	if (!is_float && ptx_type_is_float(want->type) && !is_narrow_float(want->type)) {
		snprintf(hint, sizeof(hint), "write %lld.0", (long long)o->value.bits);
		parse_error(c->p, o->place, hint, "'%.100s' takes no integer literal", word(c));
	} else if (is_float && !ptx_type_is_float(want->type) &&
		!(is_bits(want->type) && ptx_type_bits(want->type) == bits)) {
		parse_error(c->p, o->place, NULL, "'%.100s' takes no %sfloating-point literal", word(c),
			is_bits(want->type) && want->type >= PTX_B32 ? bits == 32 ? "32-bit " : "64-bit " : "");
	}
}

static void check_sreg(const struct check *c, const struct ptx_operand *o, const struct want *want)
{
	static const uint8_t types[] = {
#define SREG(id, spelling, type, is_fixed) type,
#include "frontend/sregs.def"
#undef SREG
	};
	unsigned bits = ptx_type_bits(types[o->sreg]), need = ptx_type_bits(want->type);
	bool is_exact = bits == 64 && o->sreg != PTX_SREG_GRIDID;

	if (want->is_written)
		parse_error(c->p, o->place, NULL, "'%s' cannot be written", ptx_sreg_name(o->sreg));
	else if (c->insn->opcode != PTX_MOV && c->insn->opcode != PTX_CVT)
		parse_error(c->p, o->place, "mov.u32 %r, ...", "'%s' can be read by 'mov' and 'cvt' only", ptx_sreg_name(o->sreg));
	else if (!is_integer(want->type) || (is_exact ? need != bits : need > bits))
		parse_error(c->p, o->place, NULL, "'%s' has %u bits and does not suit '%.100s'", ptx_sreg_name(o->sreg), bits,
			word(c));
}

/* The address of a variable or a function as a value: as wide as an address, or 32 bits within a small space. */
static void check_symbol(const struct check *c, const struct ptx_operand *o, const struct want *want)
{
	unsigned bits = ptx_type_bits(want->type), address = c->p->module->address_bits;
	bool is_global = o->kind == PTX_OP_SYMBOL && o->variable->space == PTX_GLOBAL;

	if (want->is_written)
		parse_error(c->p, o->place, NULL, "'%.200s' is no register", shown(o));
	else if (c->insn->opcode != PTX_MOV && c->insn->opcode != PTX_CVTA)
		parse_error(c->p, o->place, "mov.u64 %rd, ...", "'%.100s' takes no address of a variable", word(c));
	else if (!is_integer(want->type) || (bits != 32 && bits != 64) || (bits < address && is_global))
		parse_error(c->p, o->place, NULL, "the address of '%.200s' does not suit '%.100s'", shown(o), word(c));
}

static void check_value(const struct check *c, const struct ptx_operand *o, const struct want *want);

/* {a, b}: the parts of a vector access, or what mov packs and unpacks. */
static void check_vector(const struct check *c, const struct ptx_operand *o, const struct want *want)
{
	struct want part = *want;
	unsigned count = c->insn->vector;

	if (c->insn->opcode == PTX_MOV && count == 1) {
		unsigned bits = o->element_count ? ptx_type_bits(want->type) / o->element_count : 0;

		part.type = bits == 8 ? PTX_B8 : bits == 16 ? PTX_B16 : bits == 32 ? PTX_B32 : bits == 64 ? PTX_B64 : PTX_NO_TYPE;
		if (!is_bits(want->type) || part.type == PTX_NO_TYPE ||
			bits * o->element_count != ptx_type_bits(want->type)) {
			parse_error(c->p, o->place, NULL, "%u elements do not suit '%.100s'", o->element_count, word(c));
			return;
		}
	} else if (o->element_count != count) {
		parse_error(c->p, o->place, NULL, "'%.100s' takes %u element%s, not %u", word(c), count,
			count == 1 ? "" : "s", o->element_count);
		return;
	}
	for (uint32_t i = 0; i < o->element_count; i++) {
		if (o->elements[i].kind == PTX_OP_SINK && (want->is_written || c->insn->vector > 4))
			continue;
		if (o->elements[i].kind == PTX_OP_VECTOR)
			parse_error(c->p, o->elements[i].place, NULL, "braces within braces");
		else
			check_value(c, &o->elements[i], &part);
	}
}

static bool is_whole_vector(const struct check *c, const struct ptx_operand *o)
{
	return o->kind == PTX_OP_REG && o->component < 0 && o->variable->vector > 1;
}

static void check_value(const struct check *c, const struct ptx_operand *o, const struct want *want)
{
	const char *what = NULL;

	switch (o->kind) {
	case PTX_OP_REG:
		check_register(c, o, want);
		return;
	case PTX_OP_VALUE:
		if (!want->is_written) {
			check_literal(c, o, want);
			return;
		}
		what = "a constant cannot be written";
		break;
	case PTX_OP_SREG:
		check_sreg(c, o, want);
		return;
	case PTX_OP_SYMBOL:
	case PTX_OP_FUNCTION:
		check_symbol(c, o, want);
		return;
	case PTX_OP_VECTOR:
		check_vector(c, o, want);
		return;
	case PTX_OP_NAME:
		return;   /* reported as undeclared */
	case PTX_OP_ADDRESS:
	case PTX_OP_TEXTURE:
		what = "an address in brackets cannot stand here";
		break;
	case PTX_OP_LABEL:
		what = "a label has no address that could be used";
		break;
	case PTX_OP_SINK:
		what = "'_' cannot stand here";
		break;
	case PTX_OP_PAIR:
		what = "a pair 'a|b' cannot stand here";
		break;
	default:
		what = "a list cannot stand here";
		break;
	}
	parse_error(c->p, o->place, NULL, "%s", what);
}

/* A data operand of a vector access is in braces or a vector register. */
static void check_data(const struct check *c, const struct ptx_operand *o, const struct want *want)
{
	unsigned count = c->insn->vector;

	if (is_whole_vector(c, o) && o->variable->vector != count && c->insn->opcode != PTX_MOV)
		parse_error(c->p, o->place, NULL, "'%.200s' is a vector of %u and does not suit '%.100s'", shown(o),
			o->variable->vector, word(c));
	else if (count > 1 && o->kind != PTX_OP_VECTOR && o->kind != PTX_OP_NAME && !is_whole_vector(c, o) &&
		!(o->kind == PTX_OP_SINK && want->is_written))
		parse_error(c->p, o->place, NULL, "'%.100s' takes %u elements in braces", word(c), count);
	else if (o->kind == PTX_OP_SINK && want->is_written && c->insn->opcode == PTX_ATOM)
		return;
	else
		check_value(c, o, want);
}

static void check_base(const struct check *c, const struct ptx_operand *address, const struct ptx_operand *base)
{
	unsigned space = c->insn->space;

	if (base->kind == PTX_OP_REG) {
		unsigned type = base->variable->type, bits = ptx_type_bits(type);

		if (!is_integer(type) || (bits != 32 && bits != 64))
			parse_error(c->p, base->place, NULL, "'%.200s' is a .%s register and holds no address", shown(base),
				ptx_type_name(type));
	} else if (base->kind == PTX_OP_SYMBOL) {
		const struct ptx_var *v = base->variable;

		if (space && v->space != space && v->type < PTX_TEXREF)
			parse_error(c->p, base->place, NULL, "'%.200s' is in .%s, '%.100s' is for .%s", shown(base),
				ptx_space_name(v->space), word(c), ptx_space_name(space));
		else if (c->insn->opcode == PTX_ST && v->is_param_in && v->owner && v->owner->is_entry)
			parse_error(c->p, base->place, NULL, "'%.200s' is a parameter of an entry and cannot be written",
				shown(base));
	} else if (base->kind != PTX_OP_NAME && base->kind != PTX_OP_VALUE) {
		parse_error(c->p, base->place, NULL, "an address is a register, a variable or a number");
	}
}

static void check_address(const struct check *c, const struct ptx_operand *o)
{
	if (o->kind == PTX_OP_TEXTURE || o->kind == PTX_OP_NAME)
		return;
	if (o->kind != PTX_OP_ADDRESS)
		parse_error(c->p, o->place, "[address]", "'%.100s' needs an address in brackets", word(c));
	else if (o->base)
		check_base(c, o, o->base);
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
	else if (o->kind == PTX_OP_REG && !is_integer(o->variable->type))
		parse_error(c->p, o->place, NULL, "'%.200s' is a .%s register and does not suit '%.100s'", shown(o),
			ptx_type_name(o->variable->type), word(c));
}

static void check_constant(const struct check *c, const struct ptx_operand *o)
{
	if (o->kind != PTX_OP_NAME && (o->kind != PTX_OP_VALUE || o->value.kind > PTX_UINT))
		parse_error(c->p, o->place, NULL, "'%.100s' needs an integer constant here", word(c));
}

static unsigned doubled(const struct check *c, unsigned type)
{
	if (!form_has(c->insn->form, PTX_MOD_WIDE))
		return type;
	switch (type) {
	case PTX_U16: return PTX_U32;
	case PTX_S16: return PTX_S32;
	case PTX_U32: return PTX_U64;
	case PTX_S32: return PTX_S64;
	default: return type;
	}
}

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
			parse_error(c->p, o->place, NULL, "'%.100s' needs a label", word(c));
		break;
	default: break;
	}
}

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
		parse_error(c->p, c->insn->place, NULL, "'%.100s' takes %s%u operand%s, not %u", word(c),
			least == most ? "" : "at least ", least, least == 1 ? "" : "s", have);
	else
		parse_error(c->p, c->insn->place, NULL, "'%.100s' takes at most %u operands, not %u", word(c), most, have);
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

/* Letters that depend on the modifiers. */
static const char *letters_of(const struct ptx_insn *insn)
{
	const char *letters = opcode_rows[insn->opcode].operands;

	if (insn->type_count == 2 && (insn->opcode == PTX_ADD || insn->opcode == PTX_SUB || insn->opcode == PTX_FMA))
		return "*";   /* add.f32.bf16 */
	if (insn->opcode == PTX_BAR || insn->opcode == PTX_BARRIER)
		return barrier_letters(insn);
	if (insn->opcode == PTX_ATOM && !form_has(insn->form, PTX_MOD_CAS))
		return "Dm0?n";
	if (insn->opcode == PTX_ST && (form_has(insn->form, PTX_MOD_BULK) || form_has(insn->form, PTX_MOD_ASYNC)))
		return "*";
	if (insn->opcode == PTX_RED && form_has(insn->form, PTX_MOD_ASYNC))
		return "*";
	if (insn->opcode == PTX_ATOM)
		return "Dm00?n";
	if (insn->opcode == PTX_CVT && !is_integer(insn->types[0]) && is_narrow_float(insn->types[0]))
		return "*";   /* packed and narrow formats have up to three sources */
	if (insn->opcode == PTX_CVT && !form_has(insn->form, PTX_MOD_PACK))
		return "Lv";
	return letters;
}

/* cp.async copies 4, 8 or 16 bytes, past the L1 only 16. */
static void check_copy(const struct check *c)
{
	const struct ptx_operand *size = &c->insn->operands[2];
	bool is_cg = form_has(c->insn->form, PTX_MOD_CG);

	if (c->insn->opcode != PTX_CP || c->insn->operand_count < 3 || (!is_cg && !form_has(c->insn->form, PTX_MOD_CA)))
		return;
	if (size->kind != PTX_OP_VALUE || (size->value.bits != 16 && (is_cg || (size->value.bits != 4 && size->value.bits != 8))))
		parse_error(c->p, size->place, NULL, "'%.100s' copies %s bytes", word(c), is_cg ? "16" : "4, 8 or 16");
}

void check_operands(struct ptx_parser *p, const struct ptx_insn *insn)
{
	const struct check c = { p, insn };
	const char *letters = letters_of(insn);

	if (!check_count(&c, letters))
		return;
	for (uint32_t i = 0; i < insn->operand_count && *letters != '*'; letters++)
		if (*letters != '?')
			check_letter(&c, *letters, &insn->operands[i++]);
	check_copy(&c);
}
