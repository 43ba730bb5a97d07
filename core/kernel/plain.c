/* core/kernel/plain.c -- see plain.h. */
#include "core/kernel/plain.h"
#include "frontend/ptx.h"
#include "frontend/uop.h"

#define FENCE_CTA 0 /* imm of a MEMBAR */

static bool is_plain(const struct uop *u)
{
	switch (u->code) {
	case UOP_LD:
	case UOP_ST:
		return !(u->flags & UOP_VOLATILE) || u->space == SPACE_SHARED || u->space == SPACE_LOCAL;
	case UOP_LD_PARAM:
	case UOP_PREFETCH:
		return true;
	case UOP_ATOM:
	case UOP_LDMATRIX:
	case UOP_STMATRIX:
	case UOP_MBARRIER:
	case UOP_MBARRIER_TEST:
		return u->space == SPACE_SHARED;
	case UOP_MEMBAR:
		return u->imm == FENCE_CTA;
	case UOP_TCGEN05_LD ... UOP_TCGEN05_COMMIT:
	case UOP_TCGEN05_ALLOC ... UOP_TCGEN05_RELINQUISH:
	case UOP_CP_ASYNC:
	case UOP_BULK:
	case UOP_TENSORMAP:
	case UOP_ASYNC_WRITE:
	case UOP_TEX:
	case UOP_TLD4:
	case UOP_SULD:
	case UOP_SUST:
	case UOP_SURED:
	case UOP_SYSCALL:
	case UOP_NANOSLEEP: /* waits for others */
	case UOP_GRID_TRIGGER:
	case UOP_GRID_WAIT:
		return false;
	default:
		return true;
	}
}

bool kernel_is_plain(const struct ptx_kernel *kernel)
{
	for (uint32_t i = 0; i < kernel->uop_count; i++)
		if (!is_plain(&kernel->uops[i]))
			return false;
	return true;
}

bool kernel_has_services(const struct ptx_kernel *kernel)
{
	for (uint32_t i = 0; i < kernel->uop_count; i++)
		if (kernel->uops[i].code == UOP_SYSCALL)
			return true;
	return false;
}
