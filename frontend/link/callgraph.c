/* frontend/link/callgraph.c -- which functions there are, what calls what, and which calls may lead back to
 * where they came from.
 *
 * A call through a register may reach every function of the same signature (sizes of results and parameters)
 * whose address is taken anywhere in the image, or that a .calltargets names. Recursion shows as strongly
 * connected components of this graph (Tarjan, "Depth-first search and linear graph algorithms", 1972). */
#include "frontend/lower/lower.h"
#include "frontend/tables/names.h"

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

const struct ptx_operand *call_target(const struct ptx_insn *insn)
{
	uint32_t at = insn->operand_count && insn->operands[0].kind == PTX_OP_LIST;

	return at < insn->operand_count ? &insn->operands[at] : NULL;
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
		return name_of(last->label->targets[0])->function;
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

static void take_from_body(const struct ptx_function *f)
{
	for (uint32_t i = 0; i < f->insn_count; i++)
		for (uint32_t o = 0; o < f->insns[i].operand_count; o++)
			if (f->insns[i].opcode != PTX_CALL ||
				&f->insns[i].operands[o] != call_target(&f->insns[i]))
				take_operand(&f->insns[i].operands[o]);
	for (const struct ptx_label *label = f->labels; label; label = label->next)
		for (uint32_t t = 0; label->is_call_list && t < label->target_count; t++)
			take_address(name_of(label->targets[t])->function);
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

/* What calls through registers may reach, by signature. */
static void find_candidates(struct lower *l)
{
	for (uint32_t i = 0; i < l->program->function_count; i++) {
		struct image_function *info = &l->program->functions[i];
		uint32_t signature;
		struct signature *s;

		if (!info->is_address_taken || info->function->is_entry)
			continue;
		signature = signature_of(l, info->function); /* may move the array */
		s = &l->program->signatures[signature];
		*(s->candidates ? &s->last_candidate->next_candidate : &s->candidates) = info;
		s->last_candidate = info;
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
			take_from_body(f);
			take_from_variables(f->variables);
		}
	}
	find_candidates(l);
}

/* --- the graph of one kernel --- */

static uint32_t add_node(struct lower *l, uint32_t unit)
{
	l->nodes = arena_grow(l->scratch, l->nodes, l->node_count, sizeof *l->nodes);
	l->nodes[l->node_count] = (struct call_node){ .unit = unit };
	return l->node_count++;
}

/* The node of a function, which becomes a unit of the kernel. */
static uint32_t function_node(struct lower *l, const struct ptx_function *definition)
{
	struct image_function *info = info_of(definition);

	if (!info->unit) {
		l->units = arena_grow(l->scratch, l->units, l->unit_count, sizeof *l->units);
		l->units[l->unit_count] = (struct unit){
			.function = definition, .module = info->module, .node = add_node(l, l->unit_count)
		};
		info->unit = l->unit_count++;
		info->is_lowered = true;
	}
	return l->units[info->unit].node;
}

static void add_callee(struct lower *l, uint32_t from, uint32_t to)
{
	struct call_node *node = &l->nodes[from];

	if (l->nodes[to].added_by == from + 1)
		return;
	l->nodes[to].added_by = from + 1;
	node->callees = arena_grow(l->scratch, node->callees, node->callee_count, sizeof *node->callees);
	node->callees[node->callee_count++] = to;
}

/* The node of all functions that a call through a register may reach. */
static uint32_t signature_node(struct lower *l, const struct ptx_function *type)
{
	uint32_t signature = signature_of(l, type); /* may move the array */
	struct signature *s = &l->program->signatures[signature];

	if (!s->node) {
		s->node = add_node(l, NO_UNIT);
		for (const struct image_function *c = s->candidates; c; c = c->next_candidate)
			add_callee(l, s->node, function_node(l, c->function));
	}
	return s->node;
}

static void add_calls(struct lower *l, uint32_t unit)
{
	const struct ptx_function *f = l->units[unit].function;
	uint32_t from = l->units[unit].node;

	l->module = l->units[unit].module;
	for (uint32_t i = 0; i < f->insn_count; i++) {
		const struct ptx_operand *target =
			f->insns[i].opcode == PTX_CALL ? call_target(&f->insns[i]) : NULL;
		const struct ptx_function *type = target ? called_type(l, &f->insns[i]) : NULL;

		if (!type)
			continue;
		if (target->kind != PTX_OP_FUNCTION)
			add_callee(l, from, signature_node(l, type));
		else if (definition_of(l, type))
			add_callee(l, from, function_node(l, definition_of(l, type)));
	}
}

/* Tarjan's algorithm with a stack of its own: chains of calls may be long. */
struct tarjan {
	struct call_node *nodes;
	uint32_t *index, *low, *next; /* index: 0 before the visit */
	uint32_t *path, *stack;
	bool *on_stack;
	uint32_t path_depth, stack_depth, visits, components;
};

static void enter_function(struct tarjan *t, uint32_t u)
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
		t->nodes[u].component = t->components;
	} while (u != root);
	t->components++;
}

static void leave_component(struct tarjan *t)
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
	uint32_t n = l->node_count, *memory = arena_alloc(l->scratch, 5 * n * sizeof *memory);
	struct tarjan t = { .nodes = l->nodes,
		.index = memory,
		.low = memory + n,
		.next = memory + 2 * n,
		.path = memory + 3 * n,
		.stack = memory + 4 * n,
		.on_stack = arena_alloc(l->scratch, n) };

	enter_function(&t, 0); /* everything is reached from the entry */
	while (t.path_depth) {
		uint32_t u = t.path[t.path_depth - 1], to;

		if (t.next[u] == l->nodes[u].callee_count) {
			leave_component(&t);
			continue;
		}
		to = l->nodes[u].callees[t.next[u]++];
		if (!t.index[to])
			enter_function(&t, to);
		else if (t.on_stack[to] && t.index[to] < t.low[u])
			t.low[u] = t.index[to];
	}
	l->component_count = t.components;
}

/* By component, the highest first. */
static void order_nodes(struct lower *l)
{
	uint32_t *first = arena_alloc(l->scratch, (l->component_count + 1) * sizeof *first);

	l->node_order = arena_alloc(l->scratch, l->node_count * sizeof *l->node_order);
	for (uint32_t n = 0; n < l->node_count; n++)
		first[l->component_count - l->nodes[n].component]++;
	for (uint32_t c = 1; c <= l->component_count; c++)
		first[c] += first[c - 1];
	for (uint32_t n = 0; n < l->node_count; n++)
		l->node_order[first[l->component_count - 1 - l->nodes[n].component]++] = n;
}

const struct call_node *node_of_unit(const struct lower *l, uint32_t unit)
{
	return &l->nodes[l->units[unit].node];
}

bool is_last_member(const struct lower *l, uint32_t index)
{
	return index + 1 == l->node_count ||
		l->nodes[l->node_order[index + 1]].component != l->nodes[l->node_order[index]].component;
}

void call_graph(struct lower *l, const struct ptx_function *entry)
{
	for (uint32_t i = 0; i < l->program->function_count; i++)
		l->program->functions[i].unit = 0;
	for (uint32_t s = 0; s < l->program->signature_count; s++)
		l->program->signatures[s].node = 0;
	l->units = NULL;
	l->nodes = NULL;
	l->unit_count = l->node_count = 0;
	function_node(l, entry);
	for (uint32_t u = 0; u < l->unit_count; u++)
		add_calls(l, u);
	find_components(l);
	order_nodes(l);
}
