/* frontend/link/call.h -- shared by the files that lower calls: lower_call.c, lower_syscall.c. */
#ifndef FRONTEND_LINK_CALL_H
#define FRONTEND_LINK_CALL_H

#include "frontend/lower/lower.h"

/* The parts of a call. */
struct call {
	const struct ptx_operand *results, *arguments; /* lists; NULL: none */
	const struct ptx_operand *target;
	const struct ptx_function *type; /* type of the callee */
};

struct ptx_slot slot_of(const struct ptx_var *v);
/* The variable of a .param argument; NULL: the argument is a value or a register. */
const struct ptx_var *param_variable(const struct lower *l, const struct ptx_operand *o);
/* Emits a load or store of one slot of the frame; the caller fills in its data. */
struct draft *access_slot(struct lower *l, unsigned code, struct ptx_slot slot, unsigned register_bits);
void store_value(struct lower *l, struct ptx_slot slot, ref value);
void store_predicate(struct lower *l, struct ptx_slot slot, ref p, bool negated);
void load_value(struct lower *l, struct ptx_slot slot, ref to);

/* Lowers the call of a function that no module defines, if it is a system call. False: it is not. */
bool lower_syscall(struct lower *l, const struct call *call);

#endif
