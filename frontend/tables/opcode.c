/* frontend/tables/opcode.c -- spellings of opcodes, modifiers and special registers. */
#include "frontend/tables/opcode.h"

const char *ptx_opcode_name(unsigned opcode)
{
	static const char *const names[] = {
#define OPCODE(id, spelling, ...) [PTX_##id] = spelling,
#include "frontend/tables/opcodes.def"
#undef OPCODE
	};

	return opcode < PTX_OPCODE_COUNT ? names[opcode] : "?";
}

const char *ptx_modifier_name(unsigned modifier)
{
	static const char *const names[] = {
#define MODIFIER(id, spelling) [PTX_MOD_##id] = spelling,
#include "frontend/tables/modifiers.def"
#undef MODIFIER
	};

	return modifier < PTX_MODIFIER_COUNT ? names[modifier] : "?";
}

const char *ptx_sreg_name(unsigned sreg)
{
	static const char *const names[] = {
#define SREG(id, spelling, type, is_fixed) [PTX_SREG_##id] = spelling,
#include "frontend/tables/sregs.def"
#undef SREG
	};

	return sreg < PTX_SREG_COUNT ? names[sreg] : "?";
}
