/* core/exec/levels.h -- the vector levels that this program was built with; for exec.c. */
#ifndef CORE_EXEC_LEVELS_H
#define CORE_EXEC_LEVELS_H

#include "core/exec/exec.h"

extern const exec_function exec_table_base[UOP_CODE_COUNT];
extern const exec_function exec_table_v3[UOP_CODE_COUNT];
extern const exec_function exec_table_v4[UOP_CODE_COUNT];

#endif
