/* frontend/analyse/cfg.h -- control flow: basic blocks over an array of instructions, their order, and where
 * the paths of diverged threads meet again (immediate post-dominators).
 *
 * Knows nothing of PTX: an instruction is a kind of flow and, for branches, the index of its target. */
#ifndef FRONTEND_ANALYSE_CFG_H
#define FRONTEND_ANALYSE_CFG_H

#include <stdbool.h>
#include <stdint.h>

struct ptx_arena;

#define CFG_NONE UINT32_MAX

enum cfg_flow {
	CFG_NEXT,   /* goes on to the next instruction */
	CFG_BRANCH, /* goes to its target or on */
	CFG_JUMP,   /* goes to its target */
	CFG_SWITCH, /* goes to one of the targets of a table; if guarded (cfg_switch.goes_on), or on */
	CFG_STOP,   /* ends the thread, or the function */
	CFG_CUT,    /* goes on, but ends its block (a guarded exit: threads that leave do not come back, so it
		       does    not keep the others from meeting) */
};

struct cfg_block {
	uint32_t first, end; /* instructions first .. end - 1; never empty */
	uint32_t *successor; /* blocks, never twice the same; at least two entries, CFG_NONE where there is
				none */
	uint32_t successor_count;
	uint32_t predecessors; /* where they start in cfg.predecessors */
	uint32_t predecessor_count;
	uint32_t post_dominator; /* the immediate one; CFG_NONE if only the end of the thread is common */
	bool is_reachable;
};

struct cfg {
	struct cfg_block *blocks; /* in order of instructions; block 0 is the entry */
	uint32_t count;
	uint32_t *block_of; /* of each instruction */
	uint32_t instruction_count;
	uint32_t *predecessors;
	uint32_t *order; /* reachable blocks in reverse post-order */
	uint32_t order_count;
};

/* Where a SWITCH goes. */
struct cfg_switch {
	const uint32_t *targets; /* instructions, less than count */
	uint32_t count;
	bool goes_on; /* also to the next instruction */
};

/* flow[i] is an enum cfg_flow; target[i] matters for BRANCH and JUMP and is less than count; for SWITCH it is
 * an index into switches. The last instruction must not go on (STOP or JUMP). Everything lives in the arena.
 * count may be 0; switches may be NULL if no instruction is a SWITCH. */
struct cfg *cfg_build_switches(const uint8_t *flow, const uint32_t *target, const struct cfg_switch *switches,
	uint32_t count, struct ptx_arena *arena);
/* The same without switches. */
struct cfg *cfg_build(const uint8_t *flow, const uint32_t *target, uint32_t count, struct ptx_arena *arena);

#endif
