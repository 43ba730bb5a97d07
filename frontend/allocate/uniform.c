/* frontend/allocate/uniform.c -- values that lie in uniform registers, of which Turing and later chips have
 * 63 a warp beside those of the threads.
 *
 * The uniform datapath does integer arithmetic, logic and moves (NVIDIA, "Turing Tuning Guide" and the
 * instruction set reference of cuda-binary-utilities: R2UR, UIADD3, UIMAD, ULEA, ULOP3, UMOV, USHF). A value
 * is there if all that it is made from is the same for all lanes of the warp, where lanes are together, and
 * if all who read it can: an instruction of the threads has room for one operand that is no register of
 * theirs, data of stores and operands of textures come from registers, and addresses may add a uniform
 * register. */
#include "frontend/allocate/registers.h"

#include <string.h>

struct finder {
	struct lower *l;
	const struct cfg *cfg;
	bool *is_same;    /* of each register, predicates included: for all lanes that are together */
	bool *is_uniform; /* of each register: it lies there */
	uint32_t *writes; /* of each register: instructions that write it */
	bool more;
};

/* ---- where lanes may be apart ---- */

/* Marks the blocks between a branch and the block where its ways meet. */
static void mark_ways(const struct cfg *cfg, uint32_t branch, bool *is_apart, struct ptx_arena *arena)
{
	bool *is_seen = arena_alloc(arena, cfg->count);
	uint32_t *stack = arena_alloc(arena, (cfg->count + 1) * sizeof *stack), depth = 0;
	uint32_t meet = cfg->blocks[branch].post_dominator;

	if (meet != CFG_NONE)
		is_seen[meet] = true;
	stack[depth++] = branch;
	while (depth) {
		const struct cfg_block *b = &cfg->blocks[stack[--depth]];

		for (uint32_t s = 0; s < b->successor_count; s++) {
			uint32_t to = b->successor[s];

			if (to == CFG_NONE || is_seen[to])
				continue;
			is_seen[to] = is_apart[to] = true;
			stack[depth++] = to;
		}
	}
}

/* ---- values that are the same for all lanes ---- */

static bool is_cta_number(ref r)
{
	uint32_t sreg = r & ~REF_KIND;

	return (r & REF_KIND) == REF_PRELOAD && sreg >= PTX_SREG_CTAID_X && sreg <= PTX_SREG_CTAID_Z;
}

static bool is_of_memory(const struct draft *d)
{
	return d->uop.code != UOP_LD_PARAM &&
		(d->uop.unit == UNIT_LDST || (d->uop.code >= UOP_LD && d->uop.code != UOP_STEP));
}

static bool reads_same(const struct finder *f, const struct draft *d)
{
	ref list[DRAFT_REGISTERS];
	uint32_t n = draft_reads(d, list);

	for (uint32_t r = 0; r < n; r++)
		if (!f->is_same[list[r]])
			return false;
	for (int s = 0; s < 4; s++)
		if ((d->src[s] & REF_KIND) == REF_PRELOAD && !is_cta_number(d->src[s]))
			return false;
	return !is_of_memory(d);
}

/* One round; whether it has found another way on which lanes may be apart. */
static bool mark_branches(const struct finder *f, bool *is_marked, bool *is_apart)
{
	bool more = false;

	for (uint32_t b = 0; b < f->cfg->count; b++) {
		const struct draft *last = &f->l->drafts[f->cfg->blocks[b].end - 1];

		if (!f->cfg->blocks[b].is_reachable || is_marked[b] ||
			(last->uop.code != UOP_BRX &&
				(last->uop.code != UOP_BRA || !is_register(last->guard) ||
					f->is_same[last->guard])))
			continue;
		is_marked[b] = more = true;
		mark_ways(f->cfg, b, is_apart, f->l->scratch);
	}
	return more;
}

/* Finds what is the same; returns the blocks in which lanes may be apart. */
static const bool *analyse_divergence(struct finder *f)
{
	bool *is_marked = arena_alloc(f->l->scratch, f->cfg->count + 1),
	     *is_apart = arena_alloc(f->l->scratch, f->cfg->count + 1), more = true;
	ref list[DRAFT_REGISTERS];

	memset(f->is_same, true, f->l->vreg_count);
	while (more) {
		more = mark_branches(f, is_marked, is_apart);
		for (uint32_t i = 0; i < f->l->draft_count; i++) {
			const struct draft *d = &f->l->drafts[i];
			uint32_t n = draft_writes(d, list);
			bool is_same = !is_apart[f->cfg->block_of[i]] && reads_same(f, d);

			for (uint32_t w = 0; w < n; w++)
				if (!is_same && f->is_same[list[w]]) {
					f->is_same[list[w]] = false;
					more = true;
				}
		}
	}
	return is_apart;
}

/* ---- which of them lie in uniform registers ---- */

/* Blocks that may run once some lanes have exited by themselves: ptxas 13 leaves 64-bit values, which are
 * addresses, to the threads there. */
static bool *find_left(const struct finder *f)
{
	bool *is_left = arena_alloc(f->l->scratch, f->cfg->count + 1);
	uint32_t *stack = arena_alloc(f->l->scratch, (f->cfg->count + 1) * sizeof *stack), depth = 0;

	for (uint32_t b = 0; b < f->cfg->count; b++) {
		const struct cfg_block *block = &f->cfg->blocks[b];
		const struct draft *last = &f->l->drafts[block->end - 1];

		if (block->is_reachable && (last->uop.code == UOP_EXIT || last->uop.code == UOP_RET) &&
			is_register(last->guard) && !f->is_same[last->guard])
			stack[depth++] = b;
		while (depth) {
			const struct cfg_block *from = &f->cfg->blocks[stack[--depth]];

			for (uint32_t s = 0; s < from->successor_count; s++)
				if (from->successor[s] != CFG_NONE && !is_left[from->successor[s]]) {
					is_left[from->successor[s]] = true;
					stack[depth++] = from->successor[s];
				}
		}
	}
	return is_left;
}

static bool is_uniform_operation(const struct draft *d)
{
	switch (d->uop.code) {
	case UOP_LD_PARAM:
	case UOP_MOV_B32:
	case UOP_MOV_B64:
	case UOP_ADD_B32:
	case UOP_ADD_B64:
	case UOP_SUB_B32:
	case UOP_SUB_B64:
	case UOP_NEG_S32:
	case UOP_ADD3_B32:
	case UOP_SHR_ADD_U32:
	case UOP_SHR_ADD_S32:
	case UOP_MUL_LO_B32:
	case UOP_MUL_WIDE_S32:
	case UOP_MUL_WIDE_U32:
	case UOP_MAD_LO_B32:
	case UOP_MAD_WIDE_S32:
	case UOP_MAD_WIDE_U32:
	case UOP_SHL_B32:
	case UOP_SHL_B64:
	case UOP_SHR_U32:
	case UOP_SHR_S32:
	case UOP_AND_B32:
	case UOP_OR_B32:
	case UOP_XOR_B32:
	case UOP_NOT_B32:
	case UOP_LOP3_B32:
	case UOP_CVT_S64_S32:
	case UOP_CVT_U64_U32:
	case UOP_CVT_B32_B64:
		return d->guard == REF_NONE;
	default:
		return false;
	}
}

static bool is_uniform_operand(const struct finder *f, ref r)
{
	if (r == REF_NONE || (r & REF_KIND) == REF_CONSTANT || is_cta_number(r))
		return true;
	return is_register(r) && f->is_uniform[r];
}

static bool makes_uniform(const struct finder *f, const struct draft *d)
{
	for (int s = 0; s < 4; s++)
		if (!is_uniform_operand(f, d->src[s]))
			return false;
	return is_uniform_operation(d);
}

static void drop_uniform(struct finder *f, ref r)
{
	if (!is_register(r) || !f->is_uniform[r])
		return;
	f->is_uniform[r] = false;
	f->more = true;
}

/* An instruction of the threads reads one operand at most from elsewhere; a value that a loop changes goes
 * first. */
static void keep_one(struct finder *f, const struct draft *d)
{
	ref kept = REF_NONE;
	bool is_taken = false;

	for (int s = 0; s < 4; s++) {
		uint64_t value;

		is_taken |= (d->src[s] & REF_KIND) == REF_CONSTANT && d->src[s] != REF_NONE &&
			(!(bank_immediate(&f->l->bank, d->src[s] & ~REF_KIND, false, &value)) || value);
		if (is_register(d->src[s]) && f->is_uniform[d->src[s]] &&
			(kept == REF_NONE || f->writes[d->src[s]] > f->writes[kept]))
			kept = d->src[s];
	}
	for (int s = 0; s < 4; s++)
		if (d->src[s] != kept || is_taken)
			drop_uniform(f, d->src[s]);
}

static void examine_draft(struct finder *f, const struct draft *d, bool is_apart)
{
	ref list[DRAFT_REGISTERS];
	uint32_t writes = draft_writes(d, list);
	bool is_there = !is_apart && writes == 1 && makes_uniform(f, d) && f->is_uniform[list[0]];

	if (is_there || d->uop.code == UOP_STEP)
		return;
	for (uint32_t w = 0; w < writes; w++)
		drop_uniform(f, list[w]);
	if (is_of_memory(d) || d->uop.unit == UNIT_CONTROL) {
		for (int s = is_access(d); s < 4; s++)
			drop_uniform(f, d->src[s]);
		for (uint32_t e = 0; e < d->uop.extra_sources; e++)
			drop_uniform(f, d->extra[e]);
	} else {
		keep_one(f, d);
	}
}

bool *find_uniform(struct lower *l, const struct cfg *cfg)
{
	struct finder f = { .l = l, .cfg = cfg, .more = true };
	const bool *is_apart, *is_left;
	ref list[DRAFT_REGISTERS];

	f.is_uniform = arena_alloc(l->scratch, l->vreg_count + 1);
	f.writes = arena_alloc(l->scratch, (l->vreg_count + 1) * sizeof *f.writes);
	if (l->lowering->sm < 75)
		return f.is_uniform;
	f.is_same = arena_alloc(l->scratch, l->vreg_count + 1);
	is_apart = analyse_divergence(&f);
	is_left = find_left(&f);
	for (uint32_t v = 0; v < l->vreg_count; v++)
		f.is_uniform[v] = f.is_same[v] && (l->vregs[v].bits == 32 || l->vregs[v].bits == 64);
	for (uint32_t i = 0; i < l->draft_count; i++) {
		uint32_t n = draft_writes(&l->drafts[i], list);

		for (uint32_t w = 0; w < n; w++) {
			f.writes[list[w]]++;
			f.is_uniform[list[w]] &= l->vregs[list[w]].bits == 32 || !is_left[cfg->block_of[i]];
		}
	}
	while (f.more) {
		f.more = false;
		for (uint32_t i = 0; i < l->draft_count; i++)
			examine_draft(&f, &l->drafts[i], is_apart[cfg->block_of[i]]);
	}
	return f.is_uniform;
}
