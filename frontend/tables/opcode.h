/* frontend/tables/opcode.h -- enumerations made from the lists of opcodes, modifiers and special registers.
 */
#ifndef FRONTEND_TABLES_OPCODE_H
#define FRONTEND_TABLES_OPCODE_H

enum ptx_opcode {
#define OPCODE(id, spelling, ...) PTX_##id,
#include "frontend/tables/opcodes.def"
#undef OPCODE
	PTX_OPCODE_COUNT
};

enum ptx_modifier {
#define MODIFIER(id, spelling) PTX_MOD_##id,
#include "frontend/tables/modifiers.def"
#undef MODIFIER
	PTX_MODIFIER_COUNT
};

/* Special registers. Vectors (%tid ...) stand here once per component: %tid.x is PTX_SREG_TID_X. */
enum ptx_sreg {
#define SREG(id, spelling, type, is_fixed) PTX_SREG_##id,
#include "frontend/tables/sregs.def"
#undef SREG
	PTX_SREG_COUNT
};

const char *ptx_opcode_name(unsigned opcode);
const char *ptx_modifier_name(unsigned modifier);
const char *ptx_sreg_name(unsigned sreg);

#endif
