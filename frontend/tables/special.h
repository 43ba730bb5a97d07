/* frontend/tables/special.h -- special registers that stand for something simpler. */
#ifndef FRONTEND_TABLES_SPECIAL_H
#define FRONTEND_TABLES_SPECIAL_H

#include "frontend/module.h"

/* Fills in kind and sreg, or kind and value, if the name is a special register that sregs.def does not have.
 */
bool special_register(const char *name, struct ptx_operand *operand);

/* The type of one whose value is a constant: PTX_U32 or PTX_U64. */
unsigned special_type(const char *name);

/* Shared memory that the system keeps for libraries, at the start of a CTA's: what %reserved_smem_offset_*
 * describe. Only kernels that read one of those have it. */
enum { RESERVED_SHARED_BYTES = 1024 };
bool special_is_reserved_shared(const char *name);

#endif
