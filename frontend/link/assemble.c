/* frontend/link/assemble.c -- from drafts with virtual registers to micro-operations with rows: control flow,
 * liveness, allocation, and all that the issue stage wants precomputed. Function by function, then (unit.c)
 * all of a kernel together. */
#include "frontend/allocate/registers.h"
#include "frontend/optimise/optimise.h"

#include <string.h>

struct assembler {
	struct lower *l;
	const struct unit *unit; /* whose micro-operations are being made */
	uint16_t preload_row[PTX_SREG_COUNT];
	uint32_t hazards, extras;
};

/* Operands that are registers, of all drafts together; extras likewise. */
static uint32_t count_operands(const struct lower *l, uint32_t *extras)
{
	ref list[DRAFT_REGISTERS];
	uint32_t n = 0;

	*extras = 0;
	for (uint32_t i = 0; i < l->draft_count; i++) {
		const struct draft *d = &l->drafts[i];

		n += draft_reads(d, list) + draft_writes(d, list);
		*extras += (uint32_t)d->uop.extra_sources + d->uop.extra_dests;
	}
	return n;
}

/* Targets of branches and of the tables of brx: instructions become drafts. */
static void resolve_targets(struct lower *l)
{
	struct unit *u = &l->units[l->unit];

	for (uint32_t t = 0; t < u->target_count; t++)
		u->targets[t] = l->first_draft[u->targets[t]];
	for (uint32_t i = 0; i < l->draft_count; i++)
		if (l->drafts[i].uop.code == UOP_BRA)
			l->drafts[i].uop.target = l->first_draft[l->drafts[i].uop.target];
}

/* The tables of brx, one after the other. */
static struct cfg_switch *find_switches(struct lower *l)
{
	struct unit *u = &l->units[l->unit];
	struct cfg_switch *switches = NULL;
	uint32_t count = 0;

	for (uint32_t i = 0; i < l->draft_count; i++) {
		const struct uop *uop = &l->drafts[i].uop;

		if (uop->code != UOP_BRX)
			continue;
		switches = arena_grow(l->scratch, switches, count, sizeof *switches);
		switches[count++] = (struct cfg_switch){ u->targets + uop->imm, uop->target,
			(uop->flags & UOP_GUARDED) != 0 };
	}
	return switches;
}

struct cfg *find_flow(struct lower *l)
{
	uint8_t *flow = arena_alloc(l->scratch, l->draft_count);
	uint32_t *target = arena_alloc(l->scratch, l->draft_count * sizeof *target), switches = 0;

	for (uint32_t i = 0; i < l->draft_count; i++) {
		const struct draft *d = &l->drafts[i];
		bool guarded = d->uop.flags & UOP_GUARDED;

		switch (d->uop.code) {
		case UOP_BRA:
			flow[i] = guarded ? CFG_BRANCH : CFG_JUMP;
			target[i] = d->uop.target;
			break;
		case UOP_BRX:
			flow[i] = CFG_SWITCH;
			target[i] = switches++;
			break;
		case UOP_EXIT:
		case UOP_RET:
			flow[i] = guarded ? CFG_CUT : CFG_STOP;
			break;
		default:
			flow[i] = CFG_NEXT;
		}
	}
	return cfg_build_switches(flow, target, find_switches(l), l->draft_count, l->scratch);
}

/* Whether a result may not take the place of a source that dies here: several results, or rows of another
 * width, which an operation that goes lane by lane would overwrite before it has read them. */
static bool is_early(const struct lower *l, const struct draft *d)
{
	ref read[DRAFT_REGISTERS], written[DRAFT_REGISTERS];
	uint32_t reads = draft_reads(d, read), writes = draft_writes(d, written);

	if (d->is_early || writes > 1)
		return true;
	for (uint32_t w = 0; w < writes; w++)
		for (uint32_t r = 0; r < reads; r++)
			if (l->vregs[read[r]].bits &&
				rows_of(l->vregs[read[r]].bits) != rows_of(l->vregs[written[w]].bits))
				return true;
	return false;
}

struct liveness *find_liveness(struct lower *l, const struct cfg *cfg)
{
	uint32_t count = l->draft_count, n = 0, extras;
	uint32_t *first = arena_alloc(l->scratch, (count + 1) * sizeof *first);
	uint32_t *operands = arena_alloc(l->scratch, count_operands(l, &extras) * sizeof *operands);
	uint8_t *reads = arena_alloc(l->scratch, count), *flags = arena_alloc(l->scratch, count);
	struct live_code code = { cfg, l->vreg_count, first, operands, reads, flags };

	for (uint32_t i = 0; i < count; i++) {
		const struct draft *d = &l->drafts[i];

		first[i] = n;
		reads[i] = (uint8_t)draft_reads(d, operands + n);
		n += reads[i];
		n += draft_writes(d, operands + n);
		flags[i] = (uint8_t)((is_register(d->guard) && !d->is_whole ? LIVE_CONDITIONAL : 0) |
			(is_early(l, d) ? LIVE_EARLY : 0));
	}
	first[count] = n;
	return liveness_find(&code, l->scratch);
}

/* Places of one function's registers, counted from its own first ones. */
static void place_registers(struct lower *l)
{
	struct unit *u = &l->units[l->unit];
	uint8_t *rows = arena_alloc(l->scratch, l->vreg_count),
		*predicates = arena_alloc(l->scratch, l->vreg_count);

	for (uint32_t v = 0; v < l->vreg_count; v++) {
		bool is_used = u->live->ranges[v];

		rows[v] = is_used ? rows_of(l->vregs[v].bits) : 0;
		predicates[v] = is_used && l->vregs[v].bits == 0;
	}
	u->rows = allocate_rows(u->live, rows, l->scratch);
	u->predicates = allocate_rows(u->live, predicates, l->scratch);
	u->pressure = liveness_pressure(u->live, rows, l->scratch);
	if (u->pressure > l->kernel->pressure)
		l->kernel->pressure = u->pressure;
	u->live_registers = liveness_profile(u->live, rows, l->scratch);
	u->live_predicates = liveness_profile(u->live, predicates, l->scratch);
}

static void mark_preload(ref r, bool *used)
{
	if ((r & REF_KIND) == REF_PRELOAD)
		used[r & ~REF_KIND] = true;
}

static void mark_preloads(const struct unit *u, bool *used)
{
	for (uint32_t i = 0; i < u->draft_count; i++) {
		for (int s = 0; s < 4; s++)
			mark_preload(u->drafts[i].src[s], used);
		for (uint32_t e = 0; e < u->drafts[i].uop.extra_sources; e++)
			mark_preload(u->drafts[i].extra[e], used);
	}
}

/* Rows for the special registers that are read; they follow the others. */
static void place_preloads(struct assembler *a)
{
	struct lower *l = a->l;
	struct ptx_kernel *k = l->kernel;
	bool used[PTX_SREG_COUNT] = { false };
	uint32_t row = k->rows;

	for (uint32_t u = 0; u < l->unit_count; u++)
		mark_preloads(&l->units[u], used);
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
}

static uint16_t encode(const struct assembler *a, ref r)
{
	const struct unit *u = a->unit;

	if (r == REF_NONE)
		return UOP_NONE;
	if (r & REF_CONSTANT)
		return (uint16_t)(UOP_CONSTANT | (r & ~REF_KIND));
	if (r & REF_PRELOAD)
		return a->preload_row[r & ~REF_KIND];
	return (uint16_t)(u->vregs[r].bits ? u->first_row + u->rows->location[r]
					   : u->first_predicate + u->predicates->location[r]);
}

/* Adds hazards for a list of registers, each once. Returns how many. */
static uint8_t list_hazards(struct assembler *a, const ref *list, uint32_t count)
{
	uint16_t *hazards = a->l->kernel->hazards + a->hazards;
	uint8_t *rows = a->l->kernel->hazard_rows + a->hazards;
	uint32_t *values = a->l->kernel->values;
	uint8_t n = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint16_t hazard = (uint16_t)(encode(a, list[i]) |
			(a->unit->vregs[list[i]].bits ? 0 : UOP_HAZARD_PREDICATE));
		uint8_t seen = 0;

		while (seen < n && hazards[seen] != hazard)
			seen++;
		hazards[seen] = hazard;
		rows[seen] = a->unit->vregs[list[i]].bits ? rows_of(a->unit->vregs[list[i]].bits) : 0;
		if (values)
			values[a->hazards + seen] = a->unit->first_value + list[i];
		n = seen == n ? n + 1 : n;
	}
	a->hazards += n;
	return n;
}

/* Indices within the function become indices within the kernel. */
static void set_flow(const struct assembler *a, struct uop *u, uint32_t index)
{
	const struct cfg *cfg = a->unit->cfg;
	const struct cfg_block *block = &cfg->blocks[cfg->block_of[index]];
	uint32_t base = a->unit->first_uop;

	if (block->first == index)
		u->flags |= UOP_LEADER;
	if (block->end == index + 1)
		u->flags |= UOP_ENDS_BLOCK;
	if (u->code == UOP_BRA || u->code == UOP_BRX)
		u->reconverge = block->post_dominator == CFG_NONE
			? a->l->kernel->uop_count
			: base + cfg->blocks[block->post_dominator].first;
	if (u->code == UOP_BRA)
		u->target += base;
	if (u->code == UOP_BRX)
		u->imm += a->unit->first_target;
	if (u->code == UOP_CALL)
		u->imm += a->unit->first_call;
}

static void assemble_one(struct assembler *a, uint32_t index)
{
	const struct draft *d = &a->unit->drafts[index];
	struct uop *u = &a->l->kernel->uops[a->unit->first_uop + index];
	ref list[DRAFT_REGISTERS];

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
	u->reads = list_hazards(a, list, draft_reads(d, list));
	u->writes = list_hazards(a, list, draft_writes(d, list));
	set_flow(a, u, index);
}

/* One function by itself: control flow, liveness, places. */
static void analyse_function(struct lower *l, uint32_t unit)
{
	struct unit *u = &l->units[unit];

	unit_load(l, unit);
	resolve_targets(l);
	u->cfg = find_flow(l);
	if (l->lowering->contract == PTX_CONTRACT_CHIP) {
		contract_products(l, u->cfg);
		u->cfg = find_flow(l);
	}
	if (l->lowering->timed_code == PTX_SCHEDULED) {
		optimise(l, u->cfg, true);
		u->cfg = find_flow(l);
	} else {
		count_on_trial(l);
	}
	u->live = find_liveness(l, u->cfg);
	if (l->lowering->timed_code == PTX_SCHEDULED)
		count_registers(l, u->cfg, u->live);
	place_registers(l);
}

/* Where each function's micro-operations, calls and tables begin; and how many of everything there are. */
static void count_parts(struct lower *l, uint32_t *operands, uint32_t *extras)
{
	struct ptx_kernel *k = l->kernel;

	*operands = *extras = 0;
	for (uint32_t i = 0; i < l->unit_count; i++) {
		struct unit *u = &l->units[i];
		uint32_t e;

		unit_load(l, i);
		*operands += count_operands(l, &e);
		*extras += e;
		u->first_uop = k->uop_count;
		u->first_call = k->call_count;
		u->first_target = k->target_count;
		u->first_value = k->value_count;
		k->value_count += u->vreg_count;
		k->uop_count += u->draft_count;
		k->call_count += u->call_count;
		k->target_count += u->target_count;
		k->block_count += u->cfg->count;
	}
	unit_load(l, 0);
}

/* Of products of warpgroups and loads from tensor memory: their registers are watched (core/sanitize). */
static bool has_late_registers(const struct lower *l)
{
	for (uint32_t u = 0; u < l->unit_count; u++)
		for (uint32_t i = 0; i < l->units[u].draft_count; i++)
			if (l->units[u].drafts[i].uop.code == UOP_WGMMA ||
				l->units[u].drafts[i].uop.code == UOP_TCGEN05_LD)
				return true;
	return false;
}

static void assemble_units(struct assembler *a)
{
	struct lower *l = a->l;

	for (uint32_t u = 0; u < l->unit_count; u++) {
		a->unit = &l->units[u];
		for (uint32_t i = 0; i < a->unit->draft_count; i++)
			assemble_one(a, i);
		memcpy(l->kernel->live_registers + a->unit->first_uop, a->unit->live_registers,
			a->unit->draft_count * sizeof *l->kernel->live_registers);
		memcpy(l->kernel->live_predicates + a->unit->first_uop, a->unit->live_predicates,
			a->unit->draft_count * sizeof *l->kernel->live_predicates);
		mark_loops(l, a->unit);
	}
}

void assemble(struct lower *l)
{
	struct assembler a = { .l = l };
	struct ptx_kernel *k = l->kernel;
	uint32_t operands, extras;

	for (uint32_t u = 0; u < l->unit_count; u++)
		analyse_function(l, u);
	if (!place_units(l))
		return;
	place_preloads(&a);
	k->registers = registers_of_kernel(l);
	count_parts(l, &operands, &extras);
	k->uops = arena_alloc(l->arena, (size_t)k->uop_count * sizeof *k->uops);
	k->live_registers = arena_alloc(l->arena, (size_t)k->uop_count * sizeof *k->live_registers);
	k->live_predicates = arena_alloc(l->arena, (size_t)k->uop_count * sizeof *k->live_predicates);
	k->hazards = arena_alloc(l->arena, operands * sizeof *k->hazards);
	k->hazard_rows = arena_alloc(l->arena, operands);
	k->values = has_late_registers(l) ? arena_alloc(l->arena, operands * sizeof *k->values) : NULL;
	k->extra = arena_alloc(l->arena, extras * sizeof *k->extra);
	assemble_units(&a);
	describe_functions(l);
	bank_finish(&l->bank, k, l->arena);
}
