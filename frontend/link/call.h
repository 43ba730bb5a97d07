/* frontend/link/call.h -- what the lowering of calls shares: lower_call.c, lower_syscall.c. */
#ifndef FRONTEND_LINK_CALL_H
#define FRONTEND_LINK_CALL_H

#include "frontend/lower/lower.h"

/* A call taken apart. */
struct call {
	const struct ptx_operand *results, *arguments; /* lists; NULL: none */
	const struct ptx_operand *target;
	const struct ptx_function *type; /* of what is called */
};

struct ptx_slot slot_of(const struct ptx_var *v);
/* The variable of a .param argument; NULL: the argument is a value or a register. */
const struct ptx_var *param_variable(const struct lower *l, const struct ptx_operand *o);
/* A load or store of one place in the frame, its data still to be filled in. */
struct draft *access_slot(struct lower *l, unsigned code, struct ptx_slot slot, unsigned register_bits);
void store_value(struct lower *l, struct ptx_slot slot, ref value);

/* The call of a function that no module defines, if it is one of the system's. False: it is not. */
bool lower_syscall(struct lower *l, const struct call *call);

#endif
