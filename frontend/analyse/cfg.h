/* frontend/analyse/cfg.h -- the control-flow graph: basic blocks over an array of instructions, their
 * order, and the points where diverged threads reconverge (immediate post-dominators).
 *
 * Independent of PTX: an instruction is a kind of flow and, for branches, the index of its target. */
#ifndef FRONTEND_ANALYSE_CFG_H
#define FRONTEND_ANALYSE_CFG_H

#include <stdbool.h>
#include <stdint.h>

struct ptx_arena;

#define CFG_NONE UINT32_MAX

enum cfg_flow {
	CFG_NEXT,   /* continues with the next instruction */
	CFG_BRANCH, /* continues with its target or the next instruction */
	CFG_JUMP,   /* goes to its target */
	CFG_SWITCH, /* continues with one of the targets of a table, or, if guarded (cfg_switch.goes_on), with
		       the next instruction */
	CFG_STOP,   /* ends the thread, or the function */
	CFG_CUT, /* continues, but ends its block (a guarded exit: threads that exit never return, so that it
		    does not prevent the others from reconverging) */
};

struct cfg_block {
	uint32_t first, end; /* instructions first .. end - 1; never empty */
	uint32_t *successor; /* blocks, each once; at least two entries, CFG_NONE for none */
	uint32_t successor_count;
	uint32_t predecessors; /* index of the first in cfg.predecessors */
	uint32_t predecessor_count;
	uint32_t post_dominator; /* the immediate post-dominator; CFG_NONE if all paths have only the end of
				    the thread in common */
	bool is_reachable;
};

struct cfg {
	struct cfg_block *blocks; /* in order of instructions; block 0 is the entry */
	uint32_t count;
	uint32_t *block_of; /* block of each instruction */
	uint32_t instruction_count;
	uint32_t *predecessors;
	uint32_t *order; /* reachable blocks in reverse post-order */
	uint32_t order_count;
};

/* The targets of a SWITCH. */
struct cfg_switch {
	const uint32_t *targets; /* instructions, each less than count */
	uint32_t count;
	bool goes_on; /* also to the next instruction */
};

/* flow[i] is an enum cfg_flow; target[i] is read for BRANCH and JUMP and is less than count; for SWITCH it
 * is an index into switches. The last instruction must be STOP or JUMP. The result is allocated in the
 * arena. count may be 0; switches may be NULL if no instruction is a SWITCH. */
struct cfg *cfg_build_switches(const uint8_t *flow, const uint32_t *target, const struct cfg_switch *switches,
	uint32_t count, struct ptx_arena *arena);
/* The same without switches. */
struct cfg *cfg_build(const uint8_t *flow, const uint32_t *target, uint32_t count, struct ptx_arena *arena);

#endif
