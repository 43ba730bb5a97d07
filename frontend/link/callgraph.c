/* frontend/link/callgraph.c -- which functions there are, what calls what, and which calls may lead back to
 * where they came from.
 *
 * A call through a register may reach every function of the same signature (sizes of results and parameters)
 * whose address is taken anywhere in the image, or that a .calltargets names. Recursion shows as strongly
 * connected components of this graph (Tarjan, "Depth-first search and linear graph algorithms", 1972). */
#include "frontend/lower/lower.h"

#include <string.h>

static struct image_function *info_of(const struct ptx_function *f)
{
	return f->user;
}

struct ptx_function *definition_of(const struct lower *l, const struct ptx_function *f)
{
	return f->definition;
}

uint64_t code_address(const struct lower *l, const struct ptx_function *definition)
{
	uint64_t number = (uint64_t)(info_of(definition) - l->program->functions);

	return PTX_CODE_WINDOW + number * PTX_CODE_STEP;
}

static bool is_same_size(const struct ptx_var *a, const struct ptx_var *b)
{
	for (; a && b; a = a->next, b = b->next)
		if (a->bytes != b->bytes)
			return false;
	return !a && !b;
}

uint32_t signature_of(struct lower *l, const struct ptx_function *f)
{
	struct program *p = l->program;

	for (uint32_t s = 0; s < p->signature_count; s++)
		if (is_same_size(p->signatures[s]->params, f->params) &&
			is_same_size(p->signatures[s]->returns, f->returns))
			return s;
	p->signatures = arena_grow(l->arena, p->signatures, p->signature_count, sizeof *p->signatures);
	p->signatures[p->signature_count] = f;
	return p->signature_count++;
}

const struct ptx_operand *call_target(const struct ptx_insn *insn)
{
	uint32_t at = insn->operand_count && insn->operands[0].kind == PTX_OP_LIST;

	return at < insn->operand_count ? &insn->operands[at] : NULL;
}

static struct ptx_function *function_named(const struct ptx_module *module, const char *name)
{
	for (struct ptx_function *f = module->functions; f; f = f->next)
		if (f->name == name)
			return f;
	return NULL;
}

/* The first function of a table. */
static const struct ptx_function *function_in(const struct ptx_init *init)
{
	for (; init; init = init->next) {
		const struct ptx_function *f = init->is_list ? function_in(init->list) : init->function;

		if (f)
			return f;
	}
	return NULL;
}

const struct ptx_function *called_type(struct lower *l, const struct ptx_insn *insn)
{
	const struct ptx_operand *target = call_target(insn), *last;

	if (!target)
		return NULL;
	last = &insn->operands[insn->operand_count - 1];
	if (target->kind == PTX_OP_FUNCTION)
		return target->function;
	if (last->kind == PTX_OP_FUNCTION)
		return last->function;
	if (last->kind == PTX_OP_SYMBOL && last->variable)
		return function_in(last->variable->init);
	if (last->kind != PTX_OP_LABEL)
		return NULL;
	if (last->label->is_call_list && last->label->target_count)
		return function_named(l->module, last->label->targets[0]);
	return last->label->prototype;
}

/* --- functions of the image --- */

static void take_address(const struct ptx_function *f)
{
	if (f && f->definition)
		info_of(f->definition)->is_address_taken = true;
}

static void take_operand(const struct ptx_operand *o)
{
	if (o->kind == PTX_OP_FUNCTION)
		take_address(o->function);
	for (uint32_t i = 0; i < o->element_count; i++)
		take_operand(&o->elements[i]);
}

static void take_from_body(const struct ptx_module *module, const struct ptx_function *f)
{
	for (uint32_t i = 0; i < f->insn_count; i++)
		for (uint32_t o = 0; o < f->insns[i].operand_count; o++)
			if (f->insns[i].opcode != PTX_CALL ||
				&f->insns[i].operands[o] != call_target(&f->insns[i]))
				take_operand(&f->insns[i].operands[o]);
	for (const struct ptx_label *label = f->labels; label; label = label->next)
		for (uint32_t t = 0; label->is_call_list && t < label->target_count; t++)
			take_address(function_named(module, label->targets[t]));
}

static void take_from_init(const struct ptx_init *init)
{
	for (; init; init = init->next) {
		if (init->is_list)
			take_from_init(init->list);
		if (init->function)
			take_address(init->function);
	}
}

static void take_from_variables(const struct ptx_var *v)
{
	for (; v; v = v->next)
		take_from_init(v->init);
}

/* Every function that is defined gets its number. */
static void number_functions(struct lower *l)
{
	struct program *p = l->program;
	uint32_t count = 0;

	for (size_t m = 0; m < p->module_count; m++)
		for (struct ptx_function *f = p->modules[m]->functions; f; f = f->next)
			count += f->definition == f;
	p->functions = arena_alloc(l->arena, count * sizeof *p->functions);
	for (size_t m = 0; m < p->module_count; m++)
		for (struct ptx_function *f = p->modules[m]->functions; f; f = f->next) {
			f->user = NULL;
			if (f->definition != f)
				continue;
			p->functions[p->function_count] =
				(struct image_function){ .function = f, .module = p->modules[m] };
			f->user = &p->functions[p->function_count++];
		}
}

void program_init(struct lower *l, struct ptx_module *const *modules, size_t count)
{
	struct program *p = arena_alloc(l->arena, sizeof *p);

	l->program = p;
	p->modules = modules;
	p->module_count = count;
	link_program(l);
	number_functions(l);
	for (size_t m = 0; m < count; m++) {
		take_from_variables(modules[m]->variables);
		for (const struct ptx_function *f = modules[m]->functions; f; f = f->next) {
			take_from_body(modules[m], f);
			take_from_variables(f->variables);
		}
	}
}

/* --- the graph of one kernel --- */

static uint32_t unit_of(struct lower *l, const struct ptx_function *definition)
{
	struct image_function *info = info_of(definition);

	if (!info->unit) {
		l->units = arena_grow(l->scratch, l->units, l->unit_count, sizeof *l->units);
		l->units[l->unit_count] = (struct unit){ .function = definition, .module = info->module };
		info->unit = l->unit_count++;
		info->is_lowered = true;
	}
	return info->unit;
}

static void add_callee(struct lower *l, uint32_t from, const struct ptx_function *definition)
{
	uint32_t to = unit_of(l, definition);
	struct unit *unit = &l->units[from];

	for (uint32_t i = 0; i < unit->callee_count; i++)
		if (unit->callees[i] == to)
			return;
	unit->callees = arena_grow(l->scratch, unit->callees, unit->callee_count, sizeof *unit->callees);
	unit->callees[unit->callee_count++] = to;
}

static void add_candidates(struct lower *l, uint32_t from, const struct ptx_function *type)
{
	uint32_t signature = signature_of(l, type);

	for (uint32_t i = 0; i < l->program->function_count; i++) {
		const struct image_function *info = &l->program->functions[i];

		if (info->is_address_taken && !info->function->is_entry &&
			signature_of(l, info->function) == signature)
			add_callee(l, from, info->function);
	}
}

static void add_calls(struct lower *l, uint32_t from)
{
	const struct ptx_function *f = l->units[from].function;

	l->module = l->units[from].module;
	for (uint32_t i = 0; i < f->insn_count; i++) {
		const struct ptx_operand *target =
			f->insns[i].opcode == PTX_CALL ? call_target(&f->insns[i]) : NULL;
		const struct ptx_function *type = target ? called_type(l, &f->insns[i]) : NULL;

		if (!type)
			continue;
		if (target->kind != PTX_OP_FUNCTION)
			add_candidates(l, from, type);
		else if (definition_of(l, type))
			add_callee(l, from, definition_of(l, type));
	}
}

/* Tarjan's algorithm with a stack of its own: chains of calls may be long. */
struct tarjan {
	struct unit *units;
	uint32_t *index, *low, *next; /* index: 0 before the visit */
	uint32_t *path, *stack;
	bool *on_stack;
	uint32_t path_depth, stack_depth, visits, components;
};

static void enter(struct tarjan *t, uint32_t u)
{
	t->index[u] = t->low[u] = ++t->visits;
	t->path[t->path_depth++] = u;
	t->stack[t->stack_depth++] = u;
	t->on_stack[u] = true;
}

static void close_component(struct tarjan *t, uint32_t root)
{
	uint32_t u;

	do {
		u = t->stack[--t->stack_depth];
		t->on_stack[u] = false;
		t->units[u].component = t->components;
	} while (u != root);
	t->components++;
}

static void leave(struct tarjan *t)
{
	uint32_t u = t->path[--t->path_depth], from;

	if (t->low[u] == t->index[u])
		close_component(t, u);
	if (!t->path_depth)
		return;
	from = t->path[t->path_depth - 1];
	if (t->low[u] < t->low[from])
		t->low[from] = t->low[u];
}

static void find_components(struct lower *l)
{
	uint32_t n = l->unit_count, *memory = arena_alloc(l->scratch, 5 * n * sizeof *memory);
	struct tarjan t = { .units = l->units,
		.index = memory,
		.low = memory + n,
		.next = memory + 2 * n,
		.path = memory + 3 * n,
		.stack = memory + 4 * n,
		.on_stack = arena_alloc(l->scratch, n) };

	enter(&t, 0); /* everything is reached from the entry */
	while (t.path_depth) {
		uint32_t u = t.path[t.path_depth - 1], to;

		if (t.next[u] == l->units[u].callee_count) {
			leave(&t);
			continue;
		}
		to = l->units[u].callees[t.next[u]++];
		if (!t.index[to])
			enter(&t, to);
		else if (t.on_stack[to] && t.index[to] < t.low[u])
			t.low[u] = t.index[to];
	}
}

void call_graph(struct lower *l, const struct ptx_function *entry)
{
	for (uint32_t i = 0; i < l->program->function_count; i++)
		l->program->functions[i].unit = 0;
	l->units = NULL;
	l->unit_count = 0;
	unit_of(l, entry);
	for (uint32_t u = 0; u < l->unit_count; u++)
		add_calls(l, u);
	find_components(l);
}
