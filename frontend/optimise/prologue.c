/* frontend/optimise/prologue.c -- the prologue of a kernel: instructions that a kernel issues for the sake of
 * others and whose results the model does not need. They are steps that nothing waits for.
 *
 * What ptxas of CUDA 13 makes: every kernel begins with the stack pointer, whether it uses it or not (MOV R1,
 * c[..]: all cubins, of any generation). From sm_80 on a kernel that accesses global memory loads a
 * descriptor, once (all kernels of benchmarks/). On sm_90 shared memory is a part of that of a cluster: a
 * kernel that accesses it makes the address of its own part in three instructions, once (26 of 40 kernels;
 * the others twice to five times). There, too, 32-bit constants are no operands: parameters and the sizes of
 * grid and CTA are loaded into uniform registers (ULDC) once, where all readers have come past and outside of
 * loops; words of .const memory in each block that reads them, two neighbours at once. */
#include "frontend/optimise/optimise.h"

#define FIRST_SM_DESCRIPTOR 80u
#define WINDOW_STEPS        3u /* S2R, MOV, LEA */
#define MOVE_STEPS          2u /* of the halves of an address */

/* So many steps before the draft at that place of the block. */
static void insert_steps(struct code *c, uint32_t block, uint32_t at, uint32_t count)
{
	uint32_t line = code_line(c, block, at), *ops = code_make_room(c, block, at, count);

	for (uint32_t i = 0; i < count; i++) {
		struct draft *step = emit(c->l, UOP_STEP);

		step->guard = REF_NONE;
		step->uop.flags = 0;
		step->uop.line = line;
		step->uop.unit = UNIT_SP;
		step->uop.latency_class = CLASS_INT_ADD;
		ops[i] = c->l->draft_count - 1;
	}
}

/* ---- once for all drafts of a kind ---- */

typedef bool (*kind)(const struct code *c, const struct draft *d, uint64_t which);

static void set_up_once(struct code *c, kind is_of_kind, uint64_t which, uint32_t count)
{
	uint32_t block = CFG_NONE, at = 0;

	for (uint32_t n = 0; n < c->cfg->order_count; n++) {
		uint32_t b = c->cfg->order[n];

		for (uint32_t i = 0; i < c->blocks[b].count; i++)
			if (is_of_kind(c, code_draft(c, b, i), which))
				block = block == CFG_NONE ? b : code_common_dominator(c, block, b);
	}
	if (block == CFG_NONE)
		return;
	block = code_outside_loops(c, block);
	while (at < code_end(c, block) && !is_of_kind(c, code_draft(c, block, at), which))
		at++;
	insert_steps(c, block, at, count);
}

static bool is_global_access(const struct code *c, const struct draft *d, uint64_t which)
{
	(void)c;
	(void)which;
	return is_access(d) && (d->uop.space == SPACE_GLOBAL || d->uop.space == SPACE_GENERIC);
}

static bool is_shared_access(const struct code *c, const struct draft *d, uint64_t which)
{
	(void)c;
	(void)which;
	return is_access(d) && d->uop.space == SPACE_SHARED;
}

/* ---- addresses of a warp ---- */

/* A 64-bit sum of what is the same for all lanes, which uniform registers hold. */
static bool is_uniform_sum(const struct code *c, const struct draft *d, const bool *is_varying)
{
	return d->uop.code == UOP_ADD_B64 && d->guard == REF_NONE && is_register(d->dst[0]) &&
		!is_varying[d->dst[0]] && c->writer[d->dst[0]] == (uint32_t)(d - c->l->drafts);
}

/* Global accesses take their address from registers of the threads. */
void move_addresses(struct code *c)
{
	const bool *is_varying;
	bool *is_address;

	if (c->l->unit || c->l->lowering->sm < FIRST_SM_DESCRIPTOR)
		return;
	is_varying = find_varying(c, true);
	is_address = arena_alloc(c->l->scratch, c->l->vreg_count + 1);
	for (uint32_t b = 0; b < c->block_count; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			const struct draft *d = code_draft(c, b, i);

			if (is_global_access(c, d, 0) && is_register(d->src[0]))
				is_address[d->src[0]] = true;
		}
	for (uint32_t b = 0; b < c->block_count; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++) {
			const struct draft *d = code_draft(c, b, i);

			if (!is_uniform_sum(c, d, is_varying) || !is_address[d->dst[0]])
				continue;
			insert_steps(c, b, i + 1, MOVE_STEPS);
			i += MOVE_STEPS;
		}
	code_index(c);
}

/* ---- 32-bit constants ---- */

/* The place that an operand is read from; a copy is the load itself. */
static bool place_of(const struct code *c, const struct draft *d, uint32_t s, struct bank_place *place)
{
	return d->uop.code != UOP_MOV_B32 && d->uop.code != UOP_MOV_B64 && d->uop.code != UOP_STEP &&
		(d->src[s] & REF_KIND) == REF_CONSTANT && d->src[s] != REF_NONE &&
		bank_place(&c->l->bank, d->src[s] & ~REF_KIND, place);
}

/* One number for each place; words of .const memory by pairs. */
static uint64_t number_of(const struct bank_place *place)
{
	return place->kind == PTX_LAUNCH_CONSTANT
		? UINT64_C(1) << 63 | (uint64_t)place->symbol << 32 | place->at / 8
		: (uint64_t)place->kind << 32 | place->at;
}

static bool reads_place(const struct code *c, const struct draft *d, uint64_t which)
{
	struct bank_place place;

	for (uint32_t s = 0; s < 4; s++)
		if (place_of(c, d, s, &place) && number_of(&place) == which)
			return true;
	return false;
}

struct numbers {
	uint64_t *list;
	uint32_t count;
};

static bool is_new(const struct code *c, struct numbers *n, uint64_t number)
{
	for (uint32_t i = n->count; i-- > 0;)
		if (n->list[i] == number)
			return false;
	n->list = arena_grow(c->l->scratch, n->list, n->count, sizeof *n->list);
	n->list[n->count++] = number;
	return true;
}

static void find_launch_constants(const struct code *c, struct numbers *found)
{
	struct bank_place place;

	for (uint32_t b = 0; b < c->block_count; b++)
		for (uint32_t i = 0; i < c->blocks[b].count; i++)
			for (uint32_t s = 0; s < 4; s++)
				if (place_of(c, code_draft(c, b, i), s, &place) &&
					place.kind != PTX_LAUNCH_CONSTANT)
					is_new(c, found, number_of(&place));
}

static void load_words(struct code *c, uint32_t block)
{
	struct numbers seen = { 0 };
	struct bank_place place;

	for (uint32_t i = 0; i < c->blocks[block].count; i++)
		for (uint32_t s = 0; s < 4; s++)
			if (place_of(c, code_draft(c, block, i), s, &place) &&
				place.kind == PTX_LAUNCH_CONSTANT && is_new(c, &seen, number_of(&place)))
				insert_steps(c, block, i++, 1);
}

void add_prologue(struct code *c)
{
	struct numbers found = { 0 };

	if (c->l->unit || !c->blocks[0].count)
		return;
	if (loads_constants(c->l)) {
		find_launch_constants(c, &found);
		for (uint32_t i = 0; i < found.count; i++)
			set_up_once(c, reads_place, found.list[i], 1);
		for (uint32_t b = 0; b < c->block_count; b++)
			load_words(c, b);
		set_up_once(c, is_shared_access, 0, WINDOW_STEPS);
	}
	if (c->l->lowering->sm >= FIRST_SM_DESCRIPTOR)
		set_up_once(c, is_global_access, 0, 1);
	insert_steps(c, 0, 0, 1);
	code_index(c);
}
