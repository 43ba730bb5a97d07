/* frontend/optimise/code.h -- the micro-operations of one function while passes edit them: blocks of indices
 * into the function's drafts.
 *
 * Between code_take and code_finish a branch names a block, and so do the tables of brx. A pass may replace,
 * remove and reorder what a block lists and change drafts in place; the control-flow graph stays the one that
 * was taken. New drafts and registers come from emit and new_vreg. */
#ifndef FRONTEND_OPTIMISE_CODE_H
#define FRONTEND_OPTIMISE_CODE_H

#include "frontend/lower/draft.h"

#define WRITER_NONE UINT32_MAX       /* never written */
#define WRITER_MANY (UINT32_MAX - 1) /* written at several places, or under a guard */

struct code_block {
	uint32_t *ops; /* indices into the drafts, in order */
	uint32_t count;
};

struct code {
	struct lower *l;       /* the function's drafts and registers */
	const struct cfg *cfg; /* of the blocks */
	struct code_block *blocks;
	uint32_t block_count;
	uint32_t *dominator;   /* the immediate dominator of each reachable block; of block 0: itself */
	uint32_t *number;      /* of each block: its place in cfg->order */
	uint32_t *tree, *size; /* of each block: its place among all in the tree of dominators, those below it
				  right behind it; how many there are, with itself */
	/* found by code_index: */
	uint32_t *writer;           /* of each register: the one draft that writes it, or WRITER_x */
	uint32_t *reads;            /* of each register: how many drafts read it */
	uint32_t *block_of, *place; /* of each draft: its block and its place there */
	uint32_t register_count, draft_count; /* as many as the arrays have */
};

/* Takes the drafts of the function apart. Blocks that cannot be reached are dropped. */
struct code *code_take(struct lower *l, const struct cfg *cfg);
/* A copy of a draft, with operands of its own; its index. */
uint32_t code_copy(struct code *code, uint32_t draft);
/* Makes room in the block for count drafts before a place of it (its end included); returns where their
 * numbers go. */
uint32_t *code_make_room(struct code *code, uint32_t block, uint32_t place, uint32_t count);
/* The place behind the last draft, or before a branch that ends the block. */
uint32_t code_end(const struct code *code, uint32_t block);
/* The PTX line of the draft at that place, at the end of the block of the last one; 0: the block is empty. */
uint32_t code_line(const struct code *code, uint32_t block, uint32_t place);
/* Finds who writes what, and where everything stands: to be called again after a change of either. */
void code_index(struct code *code);
/* The blocks one after the other become the function's drafts. */
void code_finish(struct code *code);

/* Whether whoever comes to draft `to` has come past draft `from` before. */
bool code_dominates(const struct code *code, uint32_t from, uint32_t to);
/* The same for blocks; a block dominates itself. */
bool code_block_dominates(const struct code *code, uint32_t from, uint32_t to);
/* The nearest block that dominates both. */
uint32_t code_common_dominator(const struct code *code, uint32_t a, uint32_t b);
/* Whether a way leads from the block to another that comes past none of is_shut (by block), to which it adds
 * those that it has seen. */
bool code_reaches(const struct code *code, uint32_t block, uint32_t goal, bool *is_shut);
/* Whether a way leads from the block back to it that does not come past block `end` (CFG_NONE: any way). */
bool code_repeats(const struct code *code, uint32_t block, uint32_t end);
/* The nearest block from which on the block is dominated and which is in no loop; the first block at the
 * latest. */
uint32_t code_outside_loops(const struct code *code, uint32_t block);
/* The register's only writer, if every way to draft `reader` leads past it; else NULL. The value is then the
 * same wherever such a reader stands. */
struct draft *code_writer(const struct code *code, ref r, uint32_t reader);
/* Whether the register keeps its value from one draft to another of the same block, behind it. (Few hundred
 * instructions are looked through; beyond them the answer is no.) */
bool code_keeps(const struct code *code, ref r, uint32_t from, uint32_t to);
/* Which registers hold what spreads from drafts to those that read their results: marks[r] is set if a draft
 * `op` writes r for which `rule` holds, until no more are found. The rule looks at the marks of what the
 * draft reads. The marks lie in the function's scratch memory. */
typedef bool (*code_rule)(
	const struct code *code, uint32_t op, ref r, const bool *marks, const void *context);
bool *code_spread(const struct code *code, code_rule rule, const void *context);

static inline struct draft *code_draft(const struct code *code, uint32_t block, uint32_t place)
{
	return &code->l->drafts[code->blocks[block].ops[place]];
}

#endif
