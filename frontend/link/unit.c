/* frontend/link/unit.c -- the functions of a kernel side by side: each is lowered by itself, then all are
 * placed: rows and predicates, frames, code.
 *
 * A function's rows lie behind those of all that can be on the way to it, so that a call leaves its callers'
 * registers alone: nothing need be saved. Only mutually recursive functions, which may find their own rows in
 * use, save what they still need across such a call (find_saves), in their frame. */
#include "frontend/lower/lower.h"

#define ROW_ALIGN       4u /* of the widest register */
#define MOST_ROWS       (UOP_HAZARD_PREDICATE - 1)
#define MOST_PREDICATES 256u  /* of a function */
#define ALL_PREDICATES  4096u /* of a kernel */

void unit_load(struct lower *l, uint32_t unit)
{
	const struct unit *u = &l->units[unit];

	l->unit = unit;
	l->function = u->function;
	l->module = u->module;
	l->insn = NULL;
	l->carry = REF_NONE;
	l->other_reads = NULL;
	l->drafts = u->drafts;
	l->draft_count = l->draft_capacity = u->draft_count;
	l->first_draft = u->first_draft;
	l->vregs = u->vregs;
	l->vreg_count = l->vreg_capacity = u->vreg_count;
}

void unit_store(struct lower *l)
{
	struct unit *u = &l->units[l->unit];

	u->drafts = l->drafts;
	u->draft_count = l->draft_count;
	u->first_draft = l->first_draft;
	u->vregs = l->vregs;
	u->vreg_count = l->vreg_count;
}

static uint32_t at_least(uint32_t *value, uint32_t minimum)
{
	return *value = *value > minimum ? *value : minimum;
}

static void place_unit(struct lower *l, struct unit *u, uint32_t *row, uint32_t *predicate)
{
	u->first_row = *row;
	u->first_predicate = *predicate;
	*row += (u->rows->places + ROW_ALIGN - 1) / ROW_ALIGN * ROW_ALIGN;
	*predicate += u->predicates->places;
	at_least(&l->kernel->rows, u->first_row + u->rows->places);
	at_least(&l->kernel->predicates, u->first_predicate + u->predicates->places);
}

/* Rows and predicates: a component begins where the last of its callers' components ends. */
static void place_registers(struct lower *l)
{
	uint32_t *row = arena_alloc(l->scratch, l->component_count * sizeof *row);
	uint32_t *predicate = arena_alloc(l->scratch, l->component_count * sizeof *predicate);

	for (uint32_t i = 0; i < l->node_count; i++) {
		const struct call_node *n = &l->nodes[l->node_order[i]];
		uint32_t from = n->component;

		if (n->unit != NO_UNIT)
			place_unit(l, &l->units[n->unit], &row[from], &predicate[from]);
		if (!is_last_member(l, i))
			continue;
		for (uint32_t m = i + 1; m-- > 0 && l->nodes[l->node_order[m]].component == from;) {
			const struct call_node *member = &l->nodes[l->node_order[m]];

			for (uint32_t c = 0; c < member->callee_count; c++) {
				uint32_t to = l->nodes[member->callees[c]].component;

				if (to == from)
					continue;
				at_least(&row[to], row[from]);
				at_least(&predicate[to], predicate[from]);
			}
		}
	}
}

/* A frame begins behind that of the caller: all are multiples of the strictest alignment. */
static void align_frames(struct lower *l)
{
	uint32_t align = 16;

	for (uint32_t u = 0; u < l->unit_count; u++)
		at_least(&align, l->units[u].frame_align);
	l->kernel->stack_align = align;
	for (uint32_t u = 0; u < l->unit_count; u++) {
		struct unit *unit = &l->units[u];

		unit->frame = (unit->frame + align - 1) / align * align;
	}
}

/* The deepest chain of frames; what recursion adds is a matter of the launch. */
static void measure_frames(struct lower *l)
{
	uint64_t *depth = arena_alloc(l->scratch, l->node_count * sizeof *depth);

	for (uint32_t i = l->node_count; i-- > 0;) { /* callees first */
		const struct call_node *n = &l->nodes[l->node_order[i]];
		uint64_t *own = &depth[l->node_order[i]];

		for (uint32_t c = 0; c < n->callee_count; c++) {
			if (l->nodes[n->callees[c]].component == n->component)
				l->kernel->needs_stack = true;
			else if (depth[n->callees[c]] > *own)
				*own = depth[n->callees[c]];
		}
		*own += n->unit == NO_UNIT ? 0 : l->units[n->unit].frame;
	}
	l->is_refused = false;
	if (depth[0] > UINT32_MAX / 64)
		lower_refuse(l, &l->units[0].function->location,
			"'%s' needs %llu bytes of local memory per thread", l->units[0].function->name,
			(unsigned long long)depth[0]);
	l->kernel->local_bytes = (uint32_t)depth[0];
}

/* Whether a call may find the caller running already, further up. */
static bool may_recurse(const struct lower *l, const struct draft *d, const struct ptx_call *call)
{
	bool is_direct = d->src[0] == REF_NONE;
	uint32_t to = is_direct ? l->units[d->uop.target].node : l->program->signatures[call->signature].node;

	return l->nodes[to].component == node_of_unit(l, l->unit)->component;
}

/* Registers whose values a call must find again: live before it and after. */
static void add_saves(struct lower *l, struct ptx_call *call, uint32_t draft)
{
	const struct unit *u = &l->units[l->unit];
	uint32_t bytes = 0;

	for (uint32_t v = 0; v < l->vreg_count; v++) {
		unsigned bits = l->vregs[v].bits;

		if (!liveness_is_live(u->live, v, 2 * draft + 1))
			continue;
		call->saves = arena_grow(l->arena, call->saves, call->save_count, sizeof *call->saves);
		call->saves[call->save_count++] = (struct ptx_save){
			(uint16_t)(bits ? u->rows->location[v] : u->predicates->location[v]),
			(uint8_t)(4 * rows_of(bits))
		};
		bytes += bits ? 4u * rows_of(bits) : 4;
	}
	call->saves_offset = frame_slot(l, bytes, 16);
}

/* Saves of one call lie where those of another do: only one is under way in a frame. */
static void find_saves(struct lower *l)
{
	struct unit *u = &l->units[l->unit];
	uint32_t frame = u->frame, deepest = frame;

	for (uint32_t i = 0; i < l->draft_count; i++) {
		const struct draft *d = &l->drafts[i];

		if (d->uop.code != UOP_CALL || !may_recurse(l, d, &u->calls[d->uop.imm]))
			continue;
		u->frame = frame;
		add_saves(l, &u->calls[d->uop.imm], i);
		at_least(&deepest, u->frame);
	}
	u->frame = deepest;
}

static void move_saves(struct unit *u)
{
	for (uint32_t c = 0; c < u->call_count; c++)
		for (uint32_t s = 0; s < u->calls[c].save_count; s++) {
			struct ptx_save *save = &u->calls[c].saves[s];

			save->location = (uint16_t)(save->location +
				(save->bytes ? u->first_row : u->first_predicate));
		}
}

static void refuse_predicates(struct lower *l, const struct unit *u, uint32_t count, uint32_t most)
{
	l->module = u->module;
	if (count > most)
		lower_refuse(l, &u->function->location,
			"'%s' needs %u predicate registers at once: at most %u can be executed",
			u->function->name, count, most);
}

static bool fits_limits(struct lower *l)
{
	const struct ptx_kernel *k = l->kernel;

	l->is_refused = false;
	for (uint32_t u = 0; u < l->unit_count; u++)
		refuse_predicates(l, &l->units[u], l->units[u].predicates->places, MOST_PREDICATES);
	refuse_predicates(l, &l->units[0], k->predicates, ALL_PREDICATES);
	if (k->rows + 2 * PTX_SREG_COUNT > MOST_ROWS)
		lower_refuse(l, &l->function->location,
			"'%s' needs %u registers at once: at most %u can be executed", l->function->name,
			k->rows, MOST_ROWS - 2 * PTX_SREG_COUNT);
	else if (l->bank.rows > UOP_CONSTANT)
		lower_refuse(l, &l->function->location,
			"'%s' has more constants than the %u that can be executed", l->function->name,
			UOP_CONSTANT);
	return !l->is_refused;
}

bool place_units(struct lower *l)
{
	place_registers(l);
	if (has_banks(l))
		place_banks(l);
	for (uint32_t u = 0; u < l->unit_count; u++) {
		unit_load(l, u);
		find_saves(l);
	}
	unit_load(l, 0);
	for (uint32_t u = 0; u < l->unit_count; u++)
		move_saves(&l->units[u]);
	align_frames(l);
	measure_frames(l);
	return !l->is_refused && fits_limits(l);
}

static struct ptx_slot *describe_list(struct lower *l, const struct ptx_var *list, uint32_t *count)
{
	struct ptx_slot *slots;

	*count = 0;
	for (const struct ptx_var *v = list; v; v = v->next)
		++*count;
	slots = arena_alloc(l->arena, *count * sizeof *slots);
	*count = 0;
	for (const struct ptx_var *v = list; v; v = v->next)
		slots[(*count)++] = (struct ptx_slot){ (uint32_t)v->offset, (uint32_t)frame_bytes(v) };
	return slots;
}

static void describe_function(struct lower *l, const struct unit *u, struct ptx_callee *callee)
{
	*callee = (struct ptx_callee){
		.name = u->function->name, .module = u->module, .entry = u->first_uop, .frame = u->frame
	};
	if (u->function->is_entry)
		return;
	callee->signature = signature_of(l, u->function);
	callee->params = describe_list(l, u->function->params, &callee->param_count);
	callee->returns = describe_list(l, u->function->returns, &callee->return_count);
}

/* Which function a code address names in this kernel. */
static void describe_numbers(struct lower *l)
{
	struct ptx_kernel *k = l->kernel;
	const struct program *p = l->program;

	k->numbered_count = p->function_count;
	k->numbered = arena_alloc(l->arena, p->function_count * sizeof *k->numbered);
	for (uint32_t i = 0; i < p->function_count; i++)
		k->numbered[i] = p->functions[i].is_address_taken ? p->functions[i].unit : 0;
}

void describe_functions(struct lower *l)
{
	struct ptx_kernel *k = l->kernel;
	bool is_indirect = false;

	k->functions = arena_alloc(l->arena, l->unit_count * sizeof *k->functions);
	k->calls = arena_alloc(l->arena, k->call_count * sizeof *k->calls);
	k->targets = arena_alloc(l->arena, k->target_count * sizeof *k->targets);
	for (uint32_t i = 0; i < l->unit_count; i++) {
		const struct unit *u = &l->units[i];

		describe_function(l, u, &k->functions[k->function_count++]);
		for (uint32_t c = 0; c < u->call_count; c++)
			k->calls[u->first_call + c] = u->calls[c];
		for (uint32_t t = 0; t < u->target_count; t++)
			k->targets[u->first_target + t] = u->first_uop + u->targets[t];
		for (uint32_t d = 0; d < u->draft_count; d++)
			is_indirect |= u->drafts[d].uop.code == UOP_CALL && u->drafts[d].src[0] != REF_NONE;
	}
	if (is_indirect)
		describe_numbers(l);
}
