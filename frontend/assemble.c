/* frontend/assemble.c -- from drafts with virtual registers to micro-operations with rows: control flow,
 * liveness, allocation, and all that the issue stage wants precomputed. */
#include "frontend/lower.h"

#include <string.h>

#define MOST_ROWS       (UOP_HAZARD_PREDICATE - 1)
#define MOST_PREDICATES 256u
#define MOST_EXTRAS     64u
#define DRAFT_READS     (4 + MOST_EXTRAS + 1) /* sources, extra ones, the guard */
#define DRAFT_WRITES    (4 + MOST_EXTRAS)

struct assembler {
	struct lower *l;
	const struct cfg *cfg;
	const struct liveness *live;
	const struct allocation *rows, *predicates;
	uint16_t preload_row[PTX_SREG_COUNT];
	uint32_t hazards, extras;
};

static bool is_vreg(ref r)
{
	return !(r & REF_KIND);
}

/* The virtual registers that a draft reads. Returns how many. */
static uint32_t registers_read(const struct draft *d, ref *list)
{
	uint32_t n = 0;

	for (int s = 0; s < 4; s++)
		if (is_vreg(d->src[s]))
			list[n++] = d->src[s];
	for (uint32_t e = 0; e < d->uop.extra_sources; e++)
		if (is_vreg(d->extra[e]))
			list[n++] = d->extra[e];
	if (is_vreg(d->guard))
		list[n++] = d->guard;
	return n;
}

static uint32_t registers_written(const struct draft *d, ref *list)
{
	uint32_t n = 0;

	for (int s = 0; s < 4; s++)
		if (is_vreg(d->dst[s]))
			list[n++] = d->dst[s];
	for (uint32_t e = d->uop.extra_sources; e < (uint32_t)d->uop.extra_sources + d->uop.extra_dests; e++)
		if (is_vreg(d->extra[e]))
			list[n++] = d->extra[e];
	return n;
}

/* Operands that are registers, of all drafts together; extras likewise. */
static uint32_t count_operands(const struct lower *l, uint32_t *extras)
{
	ref list[DRAFT_READS + DRAFT_WRITES];
	uint32_t n = 0;

	*extras = 0;
	for (uint32_t i = 0; i < l->draft_count; i++) {
		const struct draft *d = &l->drafts[i];

		n += registers_read(d, list) + registers_written(d, list);
		*extras += (uint32_t)d->uop.extra_sources + d->uop.extra_dests;
	}
	return n;
}

static struct cfg *find_flow(struct lower *l)
{
	uint8_t *flow = arena_alloc(l->scratch, l->draft_count);
	uint32_t *target = arena_alloc(l->scratch, l->draft_count * sizeof *target);

	for (uint32_t i = 0; i < l->draft_count; i++) {
		struct draft *d = &l->drafts[i];
		bool guarded = d->uop.flags & UOP_GUARDED;

		if (d->uop.code == UOP_BRA) {
			flow[i] = guarded ? CFG_BRANCH : CFG_JUMP;
			target[i] = d->uop.target = l->first_draft[d->uop.target];
		} else {
			flow[i] = d->uop.code != UOP_EXIT ? CFG_NEXT : guarded ? CFG_CUT : CFG_STOP;
		}
	}
	return cfg_build(flow, target, l->draft_count, l->scratch);
}

/* Whether a result may not take the place of a source that dies here: several results, or rows of another
 * width, which an operation that goes lane by lane would overwrite before it has read them. */
static bool is_early(const struct lower *l, const struct draft *d)
{
	ref read[DRAFT_READS], written[DRAFT_WRITES];
	uint32_t reads = registers_read(d, read), writes = registers_written(d, written);

	if (d->is_early || writes > 1)
		return true;
	for (uint32_t w = 0; w < writes; w++)
		for (uint32_t r = 0; r < reads; r++)
			if (l->vregs[read[r]].bits &&
				rows_of(l->vregs[read[r]].bits) != rows_of(l->vregs[written[w]].bits))
				return true;
	return false;
}

static struct liveness *find_liveness(struct lower *l, const struct cfg *cfg)
{
	uint32_t count = l->draft_count, n = 0, extras;
	uint32_t *first = arena_alloc(l->scratch, (count + 1) * sizeof *first);
	uint32_t *operands = arena_alloc(l->scratch, count_operands(l, &extras) * sizeof *operands);
	uint8_t *reads = arena_alloc(l->scratch, count), *flags = arena_alloc(l->scratch, count);
	struct live_code code = { cfg, l->vreg_count, first, operands, reads, flags };

	for (uint32_t i = 0; i < count; i++) {
		const struct draft *d = &l->drafts[i];

		first[i] = n;
		reads[i] = (uint8_t)registers_read(d, operands + n);
		n += reads[i];
		n += registers_written(d, operands + n);
		flags[i] = (uint8_t)((is_vreg(d->guard) ? LIVE_CONDITIONAL : 0) |
				     (is_early(l, d) ? LIVE_EARLY : 0));
	}
	first[count] = n;
	return liveness_find(&code, l->scratch);
}

static uint16_t *copy_profile(struct lower *l, const uint16_t *profile)
{
	return arena_copy(l->arena, profile, l->draft_count * sizeof *profile);
}

static bool allocate(struct assembler *a)
{
	struct lower *l = a->l;
	uint8_t *rows = arena_alloc(l->scratch, l->vreg_count),
		*predicates = arena_alloc(l->scratch, l->vreg_count);

	for (uint32_t v = 0; v < l->vreg_count; v++) {
		bool is_used = a->live->ranges[v];

		rows[v] = is_used ? rows_of(l->vregs[v].bits) : 0;
		predicates[v] = is_used && l->vregs[v].bits == 0;
	}
	a->rows = allocate_places(a->live, rows, l->scratch);
	a->predicates = allocate_places(a->live, predicates, l->scratch);
	l->kernel->pressure = liveness_pressure(a->live, rows, l->scratch);
	if (l->wants_profile) {
		l->kernel->live_registers = copy_profile(l, liveness_profile(a->live, rows, l->scratch));
		l->kernel->live_predicates = copy_profile(l, liveness_profile(a->live, predicates, l->scratch));
	}
	l->is_refused = false;
	if (a->predicates->places > MOST_PREDICATES)
		lower_refuse(l, &l->function->place,
			"'%s' needs %u predicate registers at once: at most %u can be executed",
			l->function->name, a->predicates->places, MOST_PREDICATES);
	else if (a->rows->places + 2 * PTX_SREG_COUNT > MOST_ROWS)
		lower_refuse(l, &l->function->place,
			"'%s' needs %u registers at once: at most %u can be executed", l->function->name,
			a->rows->places, MOST_ROWS - 2 * PTX_SREG_COUNT);
	else if (l->bank.rows > UOP_CONSTANT)
		lower_refuse(l, &l->function->place,
			"'%s' has more constants than the %u that can be executed", l->function->name,
			UOP_CONSTANT);
	return !l->is_refused;
}

static void mark_preload(ref r, bool *used)
{
	if ((r & REF_KIND) == REF_PRELOAD)
		used[r & ~REF_KIND] = true;
}

/* Rows for the special registers that are read; they follow the others. */
static void place_preloads(struct assembler *a)
{
	struct lower *l = a->l;
	struct ptx_kernel *k = l->kernel;
	bool used[PTX_SREG_COUNT] = { false };
	uint32_t row = a->rows->places;

	for (uint32_t i = 0; i < l->draft_count; i++) {
		for (int s = 0; s < 4; s++)
			mark_preload(l->drafts[i].src[s], used);
		for (uint32_t e = 0; e < l->drafts[i].uop.extra_sources; e++)
			mark_preload(l->drafts[i].extra[e], used);
	}
	k->preloads = arena_alloc(l->arena, PTX_SREG_COUNT * sizeof *k->preloads);
	for (uint16_t s = 0; s < PTX_SREG_COUNT; s++) {
		uint32_t rows = rows_of(bits_of(l, REF_PRELOAD | s));

		if (!used[s])
			continue;
		row = (row + rows - 1) / rows * rows;
		a->preload_row[s] = (uint16_t)row;
		k->preloads[k->preload_count++] = (struct ptx_preload){ (uint16_t)row, s };
		row += rows;
	}
	k->rows = row;
	k->predicates = a->predicates->places;
}

static uint16_t encode(const struct assembler *a, ref r)
{
	if (r == REF_NONE)
		return UOP_NONE;
	if (r & REF_CONSTANT)
		return (uint16_t)(UOP_CONSTANT | (r & ~REF_KIND));
	if (r & REF_PRELOAD)
		return a->preload_row[r & ~REF_KIND];
	return (uint16_t)(a->l->vregs[r].bits ? a->rows->place[r] : a->predicates->place[r]);
}

/* Adds hazards for a list of registers, each once. Returns how many. */
static uint8_t list_hazards(struct assembler *a, const ref *list, uint32_t count)
{
	uint16_t *hazards = a->l->kernel->hazards + a->hazards;
	uint8_t n = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint16_t hazard = (uint16_t)(encode(a, list[i]) |
					     (a->l->vregs[list[i]].bits ? 0 : UOP_HAZARD_PREDICATE));
		uint8_t seen = 0;

		while (seen < n && hazards[seen] != hazard)
			seen++;
		hazards[seen] = hazard;
		n = seen == n ? n + 1 : n;
	}
	a->hazards += n;
	return n;
}

static void set_flow(const struct assembler *a, struct uop *u, uint32_t index)
{
	const struct cfg_block *block = &a->cfg->blocks[a->cfg->block_of[index]];

	if (block->first == index)
		u->flags |= UOP_LEADER;
	if (block->end == index + 1)
		u->flags |= UOP_ENDS_BLOCK;
	if (u->code == UOP_BRA)
		u->reconverge = block->post_dominator == CFG_NONE
					? a->l->draft_count
					: a->cfg->blocks[block->post_dominator].first;
}

static void assemble_one(struct assembler *a, uint32_t index)
{
	const struct draft *d = &a->l->drafts[index];
	struct uop *u = &a->l->kernel->uops[index];
	ref list[DRAFT_READS + DRAFT_WRITES];

	*u = d->uop;
	for (int s = 0; s < 4; s++) {
		u->dst[s] = encode(a, d->dst[s]);
		u->src[s] = encode(a, d->src[s]);
	}
	if (d->uop.flags & UOP_GUARDED)
		u->guard = encode(a, d->guard);
	u->extra = a->extras;
	for (uint32_t e = 0; e < (uint32_t)u->extra_sources + u->extra_dests; e++)
		a->l->kernel->extra[a->extras++] = encode(a, d->extra[e]);
	u->hazards = a->hazards;
	u->reads = list_hazards(a, list, registers_read(d, list));
	u->writes = list_hazards(a, list, registers_written(d, list));
	set_flow(a, u, index);
}

void assemble(struct lower *l)
{
	struct assembler a = { .l = l };
	struct ptx_kernel *k = l->kernel;
	uint32_t operands, extras;

	a.cfg = find_flow(l);
	a.live = find_liveness(l, a.cfg);
	if (!allocate(&a))
		return;
	place_preloads(&a);
	k->registers = estimate_registers(l, a.live);
	k->block_count = a.cfg->count;
	k->uop_count = l->draft_count;
	k->uops = arena_alloc(l->arena, (size_t)l->draft_count * sizeof *k->uops);
	operands = count_operands(l, &extras);
	k->hazards = arena_alloc(l->arena, operands * sizeof *k->hazards);
	k->extra = arena_alloc(l->arena, extras * sizeof *k->extra);
	for (uint32_t i = 0; i < l->draft_count; i++)
		assemble_one(&a, i);
	bank_finish(&l->bank, k, l->arena);
}
