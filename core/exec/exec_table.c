/* core/exec/exec_table.c -- the functions of one vector level, indexed by uop code. An opcode whose function
 * is missing does not link; control operations, the last ones of uops.def, have no entry. */
#include "core/exec/lanes.h"
#include "core/exec/levels.h"

_Static_assert(UOP_NOP == UOP_CODE_COUNT - 1 && UOP_BRA < UOP_EXIT && UOP_EXIT < UOP_NOP,
	"control operations stand last in uops.def");

const exec_function EXEC_PASTE(table, EXEC_LEVEL)[UOP_CODE_COUNT] = {
#define UOP(id, shape, meaning) [UOP_##id] = UOP_##id < UOP_BRA ? EXEC_NAME(id) : NULL,
#include "frontend/uops.def"
#undef UOP
};
