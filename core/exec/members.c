/* core/exec/members.c -- the fault of a warp-level operation whose mask names lanes that are elsewhere. */
#include "core/exec/exec.h"
#include "core/exec/device_fault.h"
#include <stdio.h>

void exec_members_fault(
	struct exec *x, const struct uop *u, lane_mask executing, unsigned lane, lane_mask mask)
{
	struct device_fault *fault = x->fault;
	lane_mask missing = mask & x->live & ~executing;

	x->faulted = true;
	x->unmet = mask >> lane & 1;
	x->missing = missing;
	fault->kind = FAULT_ILLEGAL_INSTRUCTION;
	fault->line = u->line;
	fault->lane = lane;
	if (!(mask >> lane & 1))
		snprintf(fault->detail, sizeof(fault->detail),
			"the mask 0x%08x of lane %u does not name the lane itself", mask, lane);
	else
		snprintf(fault->detail, sizeof(fault->detail),
			"the mask 0x%08x of lane %u names lane %d, which does not execute this instruction "
			"with it "
			"(0x%08x do, 0x%08x have not exited) and cannot come to it",
			mask, lane, __builtin_ctz(missing), executing, x->live);
}
