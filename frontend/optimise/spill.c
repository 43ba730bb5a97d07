/* frontend/optimise/spill.c -- spilling: registers that a kernel may not have: values go to local memory
 * instead.
 *
 * A kernel's .maxnreg or its launch bounds, who loads it (CU_JIT_MAX_REGISTERS), and the chip say how many
 * registers a thread has at most. Where more values are live, those that are used least for the room that
 * they take are stored behind each instruction that writes them and loaded before each that reads them
 * (Chaitin, "Register allocation and spilling via graph coloring", 1982: cost over degree, here over the
 * length of the life). The accesses are real ones of the thread's local memory, so that they take the time,
 * the cache and the traffic that they would on the chip; values stay as they are. */
#include "frontend/optimise/optimise.h"

#include <string.h>

#define MOST_ROUNDS  64u
#define NEAR         6u /* instructions: a value that was loaded or stored so shortly before is still at hand */
#define DEPTH_WEIGHT 10.0 /* a round of a loop against once */
#define MOST_DEPTH   4u

/* The stack pointer, and one that pairs leave unused. Where registers are short a compiler keeps no more for
 * itself. */
#define OWN_REGISTERS 2u
#define LEAST_CAP     16u /* as in core/kernel/resource_request.c: no limit is lower */

struct spiller {
	struct lower *l;
	const struct cfg *cfg;
	const struct liveness *live;
	struct code *code;
	double *weight;   /* of each block: how often it runs, roughly */
	double *cost;     /* of each register: its reads and writes, weighted */
	uint32_t *length; /* of each register: positions at which it is live */
	bool *is_chosen;
	uint32_t *slot;  /* of each register that is chosen: where it lies in the frame */
	ref *at_hand;    /* of each register that is chosen: what holds its value, ... */
	uint32_t *since; /* ... since this instruction of the block, from 1 on; 0: nothing does */
	bool *is_fresh;  /* made here: of use for one instruction, so never chosen again */
	uint32_t fresh_count;
};

/* ---- how many there are ---- */

/* Registers a thread in the register file of an SM, and at most (CUDA C Programming Guide, compute
 * capabilities). */
static uint32_t file_registers(uint32_t sm)
{
	return sm < 30 ? 32768 : 65536;
}

static uint32_t chip_registers(uint32_t sm)
{
	return sm < 32 ? 63 : 255;
}

/* As core/kernel/resource_request.c has it, with the register file of the generation, in steps of 8. */
static uint32_t bounded_registers(const struct ptx_function *f, uint32_t sm)
{
	const uint32_t *block = f->reqntid[0] ? f->reqntid : f->maxntid;
	uint64_t threads = (uint64_t)block[0] * (block[1] ? block[1] : 1) * (block[2] ? block[2] : 1);
	uint32_t ctas = f->minnctapersm ? f->minnctapersm : 1;

	threads = (threads + 31) / 32 * 32 * ctas;
	return !threads || threads > file_registers(sm) / 16
		? UINT32_MAX
		: (uint32_t)(file_registers(sm) / threads) / 8 * 8;
}

/* Warps that take more registers on their way (setmaxnreg) have these where most values are live. ptxas
 * ignores that where the registers at the beginning are not known. */
static uint32_t taken_registers(const struct lower *l, const struct ptx_function *f)
{
	bool is_known = f->maxnreg || (f->minnctapersm && (f->maxntid[0] || f->reqntid[0]));

	return is_known ? l->kernel->most_registers : 0;
}

uint32_t most_values(const struct lower *l)
{
	const struct ptx_lowering *how = l->lowering;
	const struct ptx_function *f = l->units[0].function; /* the entry's */
	uint32_t most = how->most_registers ? how->most_registers : chip_registers(how->sm);

	if (f->maxnreg)
		most = smaller(f->maxnreg, most);
	else if (how->register_cap && !f->maxntid[0] && !f->reqntid[0])
		most = smaller(how->register_cap, most);
	most = smaller(bounded_registers(f, how->sm), most);
	most = most < taken_registers(l, f) ? taken_registers(l, f) : most;
	most = most < LEAST_CAP ? LEAST_CAP : most;
	return most - OWN_REGISTERS;
}

/* ---- what to spill ---- */

static void weigh_loop(struct spiller *s, uint32_t head, uint32_t latch, uint8_t *depth)
{
	bool *is_seen = arena_alloc(s->l->scratch, s->cfg->count);
	uint32_t *stack = arena_alloc(s->l->scratch, (s->cfg->count + 1) * sizeof *stack), count = 0;

	is_seen[head] = is_seen[latch] = true;
	depth[head]++;
	if (latch != head) {
		depth[latch]++;
		stack[count++] = latch;
	}
	while (count) {
		const struct cfg_block *b = &s->cfg->blocks[stack[--count]];

		for (uint32_t i = 0; i < b->predecessor_count; i++) {
			uint32_t from = s->cfg->predecessors[b->predecessors + i];

			if (is_seen[from] || !s->cfg->blocks[from].is_reachable)
				continue;
			is_seen[from] = true;
			depth[from]++;
			stack[count++] = from;
		}
	}
}

static void weigh_blocks(struct spiller *s)
{
	uint8_t *depth = arena_alloc(s->l->scratch, s->cfg->count);

	for (uint32_t b = 0; b < s->cfg->count; b++)
		for (uint32_t i = 0; s->cfg->blocks[b].is_reachable && i < s->cfg->blocks[b].successor_count;
			i++) {
			uint32_t to = s->cfg->blocks[b].successor[i];

			if (to != CFG_NONE && code_block_dominates(s->code, to, b))
				weigh_loop(s, to, b, depth);
		}
	s->weight = arena_alloc(s->l->scratch, s->cfg->count * sizeof *s->weight);
	for (uint32_t b = 0; b < s->cfg->count; b++) {
		s->weight[b] = 1;
		for (uint32_t d = 0; d < depth[b] && d < MOST_DEPTH; d++)
			s->weight[b] *= DEPTH_WEIGHT;
	}
}

static void weigh_registers(struct spiller *s)
{
	ref list[DRAFT_REGISTERS];

	s->cost = arena_alloc(s->l->scratch, (s->l->vreg_count + 1) * sizeof *s->cost);
	s->length = arena_alloc(s->l->scratch, (s->l->vreg_count + 1) * sizeof *s->length);
	for (uint32_t b = 0; b < s->code->block_count; b++)
		for (uint32_t i = 0; i < s->code->blocks[b].count; i++) {
			const struct draft *d = code_draft(s->code, b, i);
			uint32_t n = draft_reads(d, list);

			for (uint32_t r = 0; r < n; r++)
				s->cost[list[r]] += s->weight[b];
			n = draft_writes(d, list);
			for (uint32_t w = 0; w < n; w++)
				s->cost[list[w]] += s->weight[b];
		}
	for (uint32_t v = 0; v < s->live->registers; v++)
		for (const struct live_range *r = s->live->ranges[v]; r; r = r->next)
			s->length[v] += r->end - r->start;
}

/* The position with the most live registers; *most: how many. */
static uint32_t find_peak(const struct spiller *s, uint32_t *most)
{
	int32_t *at = arena_alloc(s->l->scratch, ((size_t)s->live->positions + 2) * sizeof *at), now = 0;
	uint32_t peak = 0;

	for (uint32_t v = 0; v < s->live->registers; v++)
		for (const struct live_range *r = s->live->ranges[v]; r; r = r->next) {
			at[r->start] += rows_of(s->l->vregs[v].bits);
			at[r->end] -= rows_of(s->l->vregs[v].bits);
		}
	*most = 0;
	for (uint32_t p = 0; p < s->live->positions; p++) {
		now += at[p];
		if (now > (int32_t)*most) {
			*most = (uint32_t)now;
			peak = p;
		}
	}
	return peak;
}

/* Whether the value only passes the instruction there, and may lie in memory meanwhile. */
static bool may_be_spilled(const struct spiller *s, uint32_t v, uint32_t position)
{
	const struct draft *d = &s->l->drafts[position / 2];
	ref list[DRAFT_REGISTERS];
	uint32_t n = draft_reads(d, list);

	if (!s->l->vregs[v].bits || s->l->vregs[v].bits > 64 || s->is_chosen[v] ||
		(v < s->fresh_count && s->is_fresh[v]) || !liveness_is_live(s->live, v, position))
		return false;
	for (uint32_t r = 0; r < n; r++)
		if (list[r] == v)
			return false;
	n = draft_writes(d, list);
	for (uint32_t w = 0; w < n; w++)
		if (list[w] == v)
			return false;
	return true;
}

/* The register to spill of those that are live there; REF_NONE: none may be. */
static ref cheapest(const struct spiller *s, uint32_t position)
{
	ref best = REF_NONE;
	double least = 0;

	for (uint32_t v = 0; v < s->live->registers; v++) {
		double price;

		if (!s->live->ranges[v] || !may_be_spilled(s, v, position))
			continue;
		price = s->cost[v] / ((double)s->length[v] * rows_of(s->l->vregs[v].bits));
		if (best == REF_NONE || price < least) {
			best = v;
			least = price;
		}
	}
	return best;
}

/* Chooses registers until the position has no more than so many; false: there are none left. */
static bool choose_spills(struct spiller *s, uint32_t most_wanted)
{
	uint32_t most, position = find_peak(s, &most);
	bool any = false;

	while (most > most_wanted) {
		ref v = cheapest(s, position);

		if (v == REF_NONE)
			return any;
		s->is_chosen[v] = any = true;
		s->slot[v] = frame_slot(
			s->l, rows_of(s->l->vregs[v].bits) * 4u, rows_of(s->l->vregs[v].bits) * 4u);
		most -= rows_of(s->l->vregs[v].bits);
	}
	return any;
}

/* ---- loads and stores ---- */

static ref fresh(struct spiller *s, ref like)
{
	return new_vreg(s->l, s->l->vregs[like].bits > 32 ? 64 : 32);
}

/* An access to the slot of register v; its index. */
static uint32_t access_slot(struct spiller *s, unsigned code, ref v, uint32_t line)
{
	uint8_t bytes = (uint8_t)(rows_of(s->l->vregs[v].bits) * 4);
	struct draft *d = emit(s->l, code);

	d->guard = REF_NONE;
	d->uop.flags = UOP_SPILL;
	d->uop.line = line;
	d->uop.space = SPACE_LOCAL;
	d->uop.bytes = d->uop.reg_bytes = bytes;
	d->uop.vector = 1;
	d->uop.type = bytes == 8 ? PTX_B64 : PTX_B32;
	d->uop.combine = code == UOP_LD ? CACHE_DEFAULT : CACHE_WB;
	d->uop.imm = s->slot[v];
	d->uop.mods = s->l->units[s->l->unit].function->is_entry ? 0 : MOD_FRAME;
	return s->l->draft_count - 1;
}

static void replace_register(ref *r, ref v, ref by)
{
	*r = *r == v ? by : *r;
}

/* Where draft number `at` of a block finds v; *load: the load that is needed before it, if any. */
static ref find_operand(struct spiller *s, uint32_t draft, ref v, uint32_t at, uint32_t *load)
{
	*load = UINT32_MAX;
	if (s->since[v] && at - s->since[v] <= NEAR)
		return s->at_hand[v];
	s->at_hand[v] = fresh(s, v);
	s->since[v] = at;
	*load = access_slot(s, UOP_LD, v, s->l->drafts[draft].uop.line);
	s->l->drafts[*load].dst[0] = s->at_hand[v];
	return s->at_hand[v];
}

static void read_from(struct draft *d, ref v, ref from)
{
	for (uint32_t i = 0; i < 4; i++)
		replace_register(&d->src[i], v, from);
	for (uint32_t e = 0; e < d->uop.extra_sources; e++)
		replace_register(&d->extra[e], v, from);
}

/* The draft writes v to memory; the store's index. Under a guard, only lanes in which it holds do. */
static uint32_t store_result(struct spiller *s, uint32_t draft, ref v, uint32_t at)
{
	ref from = fresh(s, v);
	uint32_t store = access_slot(s, UOP_ST, v, s->l->drafts[draft].uop.line);
	struct draft *d = &s->l->drafts[draft], *to = &s->l->drafts[store];

	to->src[1] = from;
	to->guard = d->guard;
	to->uop.flags |= d->uop.flags & (UOP_GUARDED | UOP_GUARD_NEGATED);
	for (uint32_t i = 0; i < 4; i++)
		replace_register(&d->dst[i], v, from);
	for (uint32_t e = 0; e < d->uop.extra_dests; e++)
		replace_register(&d->extra[d->uop.extra_sources + e], v, from);
	s->at_hand[v] = from;
	s->since[v] = d->guard == REF_NONE ? at : 0;
	return store;
}

static bool is_among(const ref *list, uint32_t n, ref v)
{
	for (uint32_t i = 0; i < n; i++)
		if (list[i] == v)
			return true;
	return false;
}

static uint32_t count_accesses(const struct spiller *s, uint32_t block)
{
	ref list[2 * DRAFT_REGISTERS];
	uint32_t count = 0;

	for (uint32_t i = 0; i < s->code->blocks[block].count; i++) {
		const struct draft *d = code_draft(s->code, block, i);
		uint32_t n = draft_reads(d, list);

		n += draft_writes(d, list + n);
		for (uint32_t r = 0; r < n; r++)
			count += s->is_chosen[list[r]];
	}
	return count;
}

static void spill_block(struct spiller *s, uint32_t block)
{
	struct code_block *b = &s->code->blocks[block];
	uint32_t more = count_accesses(s, block), n = 0, registers = s->live->registers;
	uint32_t *ops = more ? arena_alloc(s->l->scratch, (b->count + more) * sizeof *ops) : NULL;

	for (uint32_t i = 0; more && i < b->count; i++) {
		ref reads[DRAFT_REGISTERS], writes[DRAFT_REGISTERS];
		const struct draft *d = code_draft(s->code, block, i);
		uint32_t read_count = draft_reads(d, reads), write_count = draft_writes(d, writes);
		uint32_t load;
		bool is_whole = write_count == 1;

		for (uint32_t r = 0; r < read_count; r++)
			if (reads[r] < registers && s->is_chosen[reads[r]] && !is_among(reads, r, reads[r])) {
				ref from = find_operand(s, b->ops[i], reads[r], i + 1, &load);

				read_from(&s->l->drafts[b->ops[i]], reads[r], from);
				ops[n] = load;
				n += load != UINT32_MAX;
			}
		ops[n++] = b->ops[i];
		for (uint32_t w = 0; w < write_count; w++)
			if (writes[w] < registers && s->is_chosen[writes[w]] &&
				!is_among(writes, w, writes[w])) {
				ops[n++] = store_result(s, b->ops[i], writes[w], i + 1);
				s->l->drafts[b->ops[i]].is_whole |= is_whole;
			}
	}
	for (uint32_t v = 0; more && v < registers; v++)
		s->since[v] = 0;
	if (more) {
		b->ops = ops;
		b->count = n;
	}
}

/* Registers that have come since are fresh. */
static void note_fresh(struct spiller *s, uint32_t before)
{
	bool *is_fresh = arena_alloc(s->l->scratch, s->l->vreg_count + 1);

	if (s->fresh_count)
		memcpy(is_fresh, s->is_fresh, s->fresh_count);
	memset(is_fresh + before, true, s->l->vreg_count - before);
	s->is_fresh = is_fresh;
	s->fresh_count = s->l->vreg_count;
}

/* One round; false: nothing was to be done, or can be. */
static bool spill_round(struct spiller *s, uint32_t most_wanted)
{
	uint32_t before = s->l->vreg_count, most;
	bool any;

	s->cfg = find_flow(s->l);
	s->live = find_liveness(s->l, s->cfg);
	find_peak(s, &most);
	if (most <= most_wanted)
		return false;
	s->is_chosen = arena_alloc(s->l->scratch, before + 1);
	s->slot = arena_alloc(s->l->scratch, (before + 1) * sizeof *s->slot);
	s->at_hand = arena_alloc(s->l->scratch, (before + 1) * sizeof *s->at_hand);
	s->since = arena_alloc(s->l->scratch, (before + 1) * sizeof *s->since);
	s->code = code_take(s->l, s->cfg);
	weigh_blocks(s);
	weigh_registers(s);
	any = choose_spills(s, most_wanted);
	for (uint32_t b = 0; any && b < s->code->block_count; b++)
		spill_block(s, b);
	code_finish(s->code);
	note_fresh(s, before);
	return any && !s->l->is_refused;
}

bool spill(struct lower *l)
{
	struct spiller s = { .l = l };
	uint32_t most = most_values(l), rounds = 0;

	while (rounds < MOST_ROUNDS && spill_round(&s, most))
		rounds++;
	return rounds;
}
