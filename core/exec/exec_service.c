/* core/exec/exec_service.c -- what the system does for a program: recorded here, done at commit
 * (core/runtime/services.c). */
#include "core/exec/lanes.h"

/* data: the arguments one behind the other, two rows for one of 64 bits. */
EXEC(SYSCALL)
{
	const struct ptx_syscall_form *form = ptx_syscall_form((unsigned)u->imm);
	struct exec_write *w = &x->writes[x->write_count];
	unsigned row = 0, source = 0;

	bug_if(x->write_count++ >= EXEC_WRITES, "more than %d writes await commit", EXEC_WRITES);
	w->uop = u;
	w->mask = active;
	w->registers = x->registers;
	w->warp = x->warp;
	for (unsigned i = 0; form->argument_bits[i]; i++)
		for (unsigned left = form->argument_bits[i] / 32; left; source++) {
			unsigned rows = form->argument_bits[i] == 64 ? 2 : 1;

			memcpy(w->data[row],
				source_row(x, source < 4 ? u->src[source] : x->extra[u->extra + source - 4]),
				rows * sizeof(lanes));
			row += rows;
			left -= rows;
		}
}
