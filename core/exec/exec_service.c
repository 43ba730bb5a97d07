/* core/exec/exec_service.c -- what the system does for a program: recorded here, done at commit
 * (core/runtime/services.c). */
#include "core/exec/lanes.h"

static void copy_wide(
	struct exec_write *w, const struct exec *x, const struct uop *u, unsigned row, unsigned n)
{
	memcpy(w->data[row], source_row(x, u->src[n]), 2 * sizeof(lanes));
}

/* data: 64-bit arguments in rows 0-1, 2-3, 4-5; of a failed assertion message, file, function, and the line
 * in row 6. */
EXEC(SYSCALL)
{
	struct exec_write *w = &x->writes[x->write_count];

	bug_if(x->write_count++ >= EXEC_WRITES, "more than %d writes await commit", EXEC_WRITES);
	w->uop = u;
	w->mask = active;
	w->registers = x->registers;
	w->warp = x->warp;
	copy_wide(w, x, u, 0, 0);
	if (u->imm == PTX_SYSCALL_VPRINTF || u->imm == PTX_SYSCALL_ASSERTFAIL)
		copy_wide(w, x, u, 2, 1);
	if (u->imm == PTX_SYSCALL_ASSERTFAIL) {
		copy_wide(w, x, u, 4, 3);
		memcpy(w->data[6], source_row(x, u->src[2]), sizeof(lanes));
	}
}
