/* frontend/optimise/convergence_barriers.c -- convergence barriers: the instructions that gather lanes again
 * where a branch may part them.
 *
 * From Volta on a warp's lanes meet where the program says so: a barrier register is cleared (BMOV; no longer
 * from sm_80 on), takes the lanes that are there (BSSY) before the branch, and the lanes wait at the other
 * end (BSYNC). Before, one instruction (SSY) pushes the place where they meet; there stands another on
 * Maxwell and Pascal (SYNC), and on older chips the instruction there carries a flag (.S). Loops have theirs
 * around the whole of them. ptxas leaves them out where a branch goes the same way for all lanes, because its
 * condition depends on parameters and the CTA's number alone, and where the lanes meet only to exit. The
 * model finds by itself where lanes meet (analyse/cfg.c): these instructions take issue slots, and the last
 * one takes as long as a branch (sm.latency.branch; core/pipeline/issue.c, hold_path).
 */
#include "frontend/optimise/optimise.h"

/* ---- values that may differ from lane to lane ---- */

bool is_lane(ref r)
{
	uint32_t sreg = r & ~REF_KIND;

	return (r & REF_KIND) == REF_PRELOAD && !(sreg >= PTX_SREG_CTAID_X && sreg <= PTX_SREG_CTAID_Z);
}

static bool differs(const struct code *c, uint32_t op, ref r, const bool *is_varying, const void *context)
{
	const struct draft *d = &c->l->drafts[op];
	const bool *are_parameters_same = context;
	ref list[DRAFT_REGISTERS];
	uint32_t n = draft_reads(d, list);

	(void)r;
	for (uint32_t i = 0; i < n; i++)
		if (is_varying[list[i]])
			return true;
	for (uint32_t s = 0; s < 4; s++)
		if (is_lane(d->src[s]))
			return true;
	if (d->uop.code == UOP_LD_PARAM && *are_parameters_same)
		return false;
	return d->uop.unit == UNIT_LDST || d->uop.code == UOP_LD || d->uop.code >= UOP_VOTE_ALL;
}

bool *find_varying(const struct code *c, bool are_parameters_same)
{
	return code_spread(c, differs, &are_parameters_same);
}

/* ---- where lanes part and meet ---- */

static bool parts_lanes(const struct code *c, uint32_t block, const bool *is_varying)
{
	const struct code_block *b = &c->blocks[block];
	const struct draft *last = b->count ? code_draft(c, block, b->count - 1) : NULL;

	if (!last)
		return false;
	if (last->uop.code == UOP_BRX)
		return true;
	return last->uop.code == UOP_BRA && is_register(last->guard) && is_varying[last->guard];
}

static bool only_exits(const struct code *c, uint32_t block)
{
	const struct code_block *b = &c->blocks[block];
	const struct draft *first = b->count ? code_draft(c, block, 0) : NULL;

	return !first ||
		(first->guard == REF_NONE && (first->uop.code == UOP_EXIT || first->uop.code == UOP_RET));
}

/* For each block where lanes meet: the block in which they are taken down; CFG_NONE: none do. */
static uint32_t *find_meetings(const struct code *c)
{
	uint32_t *from = arena_alloc(c->l->scratch, c->block_count * sizeof *from);
	const bool *is_varying = find_varying(c, false);

	for (uint32_t b = 0; b < c->block_count; b++)
		from[b] = CFG_NONE;
	for (uint32_t b = 0; b < c->block_count; b++) {
		uint32_t meet = c->cfg->blocks[b].post_dominator;

		if (!c->cfg->blocks[b].is_reachable || meet == CFG_NONE || only_exits(c, meet) ||
			!parts_lanes(c, b, is_varying))
			continue;
		from[meet] = from[meet] == CFG_NONE ? b : code_common_dominator(c, from[meet], b);
	}
	for (uint32_t b = 0; b < c->block_count; b++)
		while (from[b] != CFG_NONE && from[b] != c->dominator[from[b]] && code_repeats(c, from[b], b))
			from[b] = c->dominator[from[b]];
	return from;
}

/* ---- the instructions ---- */

static void insert_nops(struct code *c, uint32_t block, uint32_t place, uint32_t count, int64_t what)
{
	uint32_t line = code_line(c, block, place), *ops = code_make_room(c, block, place, count);

	for (uint32_t i = 0; i < count; i++) {
		struct draft *d = emit(c->l, UOP_NOP);

		d->uop.line = line;
		d->uop.imm = what;
		ops[i] = c->l->draft_count - 1;
	}
}

void insert_convergence_barriers(struct code *c)
{
	uint32_t sm = c->l->lowering->sm, begins = sm >= 70 && sm < 80 ? 2 : 1;
	const uint32_t *from = find_meetings(c);

	for (uint32_t b = 0; b < c->block_count; b++) {
		if (from[b] == CFG_NONE || !c->blocks[from[b]].count)
			continue;
		insert_nops(c, from[b], code_end(c, from[b]), begins, 0);
		if (sm >= 50)
			insert_nops(c, b, 0, 1, UOP_NOP_MEETS);
	}
	code_index(c);
}
