/* frontend/parse/scope.c -- what a name means where it stands.
 *
 * Each name carries the stack of its meanings, innermost scope first, so that a look-up costs no search.
 * `.reg %r<18>` binds the prefix %r; %r17 finds it through its own prefix and number. Registers and variables
 * must be declared before they are used; labels may come later: such names wait in their scope until it
 * closes, and then in the one around it, as do those of functions and of the module's variables, of which it
 * is said where they are declared too late.
 */
#include "frontend/parse/parser.h"
#include "frontend/tables/special.h"
#include <stdio.h>
#include <string.h>

#define MOST_DIGITS 9u

void scope_open(struct ptx_parser *p, struct ptx_location location)
{
	struct scope *scope = arena_new_of(p->arena, struct scope);

	scope->outer = p->scope;
	scope->depth = p->scope ? p->scope->depth + 1 : 0;
	scope->pending_end = &scope->pending;
	scope->variables = p->variables_end;
	p->scope = scope;
}

/* Those of inner scopes have their end already. */
static void end_variables(struct ptx_parser *p, const struct scope *scope)
{
	if (!p->function || !scope->variables)
		return;
	for (struct ptx_var *v = *scope->variables; v; v = v->next)
		if (!v->is_scope_closed) {
			v->is_scope_closed = true;
			v->scope_end = p->function->insn_count;
		}
}

static void bind_name(struct ptx_parser *p, struct ptx_binding **slot, void *thing)
{
	struct ptx_binding *binding = arena_new_of(p->arena, struct ptx_binding);

	*binding = (struct ptx_binding){ *slot, p->scope->bindings, slot, thing, p->scope->depth };
	*slot = binding;
	p->scope->bindings = binding;
}

void bind_variable(struct ptx_parser *p, struct ptx_name *name, struct ptx_var *variable)
{
	bind_name(p, &name->variables, variable);
}

void bind_range(struct ptx_parser *p, struct ptx_name *name, struct ptx_var *variable)
{
	bind_name(p, &name->ranges, variable);
}

void bind_label(struct ptx_parser *p, struct ptx_name *name, struct ptx_label *label)
{
	bind_name(p, &name->labels, label);
}

/* Splits off the last digits of a name: %r17 -> %r, 17. False if they are no number of a range (%r017). */
static bool split_range_name(const struct ptx_name *name, uint32_t digits, uint32_t *index)
{
	const char *at = name->text + name->length - digits;

	if (*at == '0' && digits > 1)
		return false;
	*index = 0;
	for (; *at; at++)
		*index = *index * 10 + (uint32_t)(*at - '0');
	return true;
}

static uint32_t trailing_digits(const struct ptx_name *name)
{
	uint32_t digits = 0;

	while (digits < MOST_DIGITS && digits + 1 < name->length) {
		char c = name->text[name->length - 1 - digits];

		if (c < '0' || c > '9')
			break;
		digits++;
	}
	return digits;
}

static struct ptx_binding *in_range(struct ptx_binding *range, uint32_t index)
{
	while (range && ((struct ptx_var *)range->thing)->range <= index)
		range = range->outer;
	return range;
}

/* The usual case: all the digits are the number. Remembered with the name. */
static struct ptx_binding *find_range(struct ptx_parser *p, struct ptx_name *name, uint32_t *index)
{
	if (!name->prefix_known) {
		uint32_t digits = trailing_digits(name);

		name->prefix_known = true;
		if (digits && split_range_name(name, digits, &name->prefix_index))
			name->prefix = names_intern(&p->names, name->text, name->length - digits);
	}
	*index = name->prefix_index;
	return name->prefix ? in_range(name->prefix->ranges, name->prefix_index) : NULL;
}

struct ptx_binding *find_range_here(struct ptx_parser *p, struct ptx_name *name)
{
	uint32_t index;
	struct ptx_binding *range = find_range(p, name, &index);

	return range && range->depth == p->scope->depth ? range : NULL;
}

/* .reg %r1<5> declares %r10: the prefix may end in digits. */
static struct ptx_binding *find_odd_range(struct ptx_parser *p, const struct ptx_name *name, uint32_t *index)
{
	for (uint32_t digits = trailing_digits(name); digits; digits--) {
		const struct ptx_name *prefix = names_find(&p->names, name->text, name->length - digits);
		struct ptx_binding *range = NULL;

		if (prefix && prefix->ranges && split_range_name(name, digits, index))
			range = in_range(prefix->ranges, *index);
		if (range)
			return range;
	}
	return NULL;
}

struct ptx_var *find_variable(struct ptx_parser *p, struct ptx_name *name, uint32_t *index)
{
	struct ptx_binding *single = name->variables, *range = find_range(p, name, index);

	if (!single && !range)
		range = find_odd_range(p, name, index);
	if (single && (!range || single->depth >= range->depth)) {
		*index = 0;
		return single->thing;
	}
	return range ? range->thing : NULL;
}

/* What the two- and four-lane video instructions choose: .h10, .b3210, .b20 ... */
static bool is_lane_selector(const char *dot)
{
	size_t length = strlen(dot);

	return length >= 4 && length <= 6 && ((dot[1] == 'h' && length == 4) || dot[1] == 'b') &&
		strspn(dot + 2, dot[1] == 'h' ? "0123" : "01234567") == length - 2;
}

/* A name with its last component: %v.x, %r1.b0, %r2.h1. */
static bool resolve_component(struct ptx_parser *p, struct ptx_operand *operand, const struct ptx_name *name)
{
	/* clang-format off */
	static const struct { const char *suffix; int8_t component; uint8_t selector; } suffixes[] = {
		{ ".x", 0, 0 }, { ".y", 1, 0 }, { ".z", 2, 0 }, { ".w", 3, 0 },
		{ ".r", 0, 0 }, { ".g", 1, 0 }, { ".b", 2, 0 }, { ".a", 3, 0 },
		{ ".b0", -1, 1 }, { ".b1", -1, 2 }, { ".b2", -1, 3 }, { ".b3", -1, 4 },
		{ ".h0", -1, 5 }, { ".h1", -1, 6 },
	};
	/* clang-format on */
	const char *dot = strrchr(name->text, '.');
	struct ptx_var *variable;
	uint32_t index;

	if (!dot)
		return false;
	variable = find_variable(p, names_intern(&p->names, name->text, (size_t)(dot - name->text)), &index);
	if (!variable || variable->space != PTX_REG)
		return false;
	if (is_lane_selector(dot)) {
		operand->kind = PTX_OP_REG;
		operand->variable = variable;
		operand->index = index;
		operand->selector = PTX_LANES;
		return true;
	}
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		if (strcmp(dot, suffixes[i].suffix))
			continue;
		if (suffixes[i].component >= (int)variable->vector ||
			(suffixes[i].component >= 0 && variable->vector == 1))
			return false;
		operand->kind = PTX_OP_REG;
		operand->variable = variable;
		operand->index = index;
		operand->component = suffixes[i].component;
		operand->selector = suffixes[i].selector;
		return true;
	}
	return false;
}

static bool resolve_here(struct ptx_parser *p, struct ptx_operand *operand, struct ptx_name *name)
{
	uint32_t index;
	struct ptx_var *variable = find_variable(p, name, &index);

	if (variable) {
		operand->kind = variable->space == PTX_REG ? PTX_OP_REG : PTX_OP_SYMBOL;
		operand->variable = variable;
		operand->index = index;
		return true;
	}
	if (name->sreg) {
		operand->kind = PTX_OP_SREG;
		operand->sreg = (uint16_t)(name->sreg - 1);
		return true;
	}
	return resolve_component(p, operand, name) || special_register(name->text, operand);
}

static void wait_for_name(struct ptx_parser *p, const struct pending *what)
{
	struct pending *pending = arena_copy(p->arena, what, sizeof(*what));

	pending->next = NULL;
	*p->scope->pending_end = pending;
	p->scope->pending_end = &pending->next;
}

void resolve_operand(struct ptx_parser *p, struct ptx_operand *operand, bool wants_label)
{
	struct ptx_name *name;

	if (operand->base)
		resolve_operand(p, operand->base, false);
	for (uint32_t i = 0; i < operand->element_count; i++)
		resolve_operand(p, &operand->elements[i], false);
	if (operand->kind != PTX_OP_NAME)
		return;
	name = name_of(operand->name);
	if (!wants_label && resolve_here(p, operand, name))
		return;
	wait_for_name(p,
		&(struct pending){ .operand = operand,
			.name = name,
			.location = operand->location,
			.wants_label = wants_label,
			.function = p->function });
}

void resolve_init(struct ptx_parser *p, struct ptx_init *init, struct ptx_name *name)
{
	wait_for_name(p,
		&(struct pending){
			.init = init, .name = name, .location = init->location, .function = p->function });
}

void resolve_target(
	struct ptx_parser *p, struct ptx_label **label, struct ptx_name *name, struct ptx_location location)
{
	wait_for_name(p,
		&(struct pending){ .label = label,
			.name = name,
			.location = location,
			.wants_label = true,
			.function = p->function });
}

/* Up to MOST_CANDIDATES names that could have been meant. */
#define MOST_CANDIDATES 1000u

static size_t collect_names(const struct ptx_var *variable, const char **names, size_t count)
{
	for (; variable && count < MOST_CANDIDATES; variable = variable->next)
		if (variable->name && !variable->range)
			names[count++] = variable->name;
	return count;
}

static const char *nearest_name(struct ptx_parser *p, const struct pending *what)
{
	const char *candidates[MOST_CANDIDATES];
	const struct ptx_function *f = what->function;
	const char *nearest;
	size_t count = 0;

	if (f)
		for (const struct ptx_label *l = f->labels; l && what->wants_label && count < MOST_CANDIDATES;
			l = l->next)
			candidates[count++] = l->name;
	if (what->wants_label)
		return diag_nearest(what->name->text, candidates, count);
	if (f) {
		count = collect_names(f->params, candidates, count);
		count = collect_names(f->returns, candidates, count);
		count = collect_names(f->variables, candidates, count);
	}
	count = collect_names(p->module->variables, candidates, count);
	for (uint32_t i = 0; i < p->function_count && count < MOST_CANDIDATES; i++)
		if (p->functions[i]->name)
			candidates[count++] = p->functions[i]->name;
	nearest = diag_nearest(what->name->text, candidates, count);
	return nearest || what->name->text[0] != '%' ? nearest : nearest_sreg(what->name->text);
}

/* "%r has 18 registers": the name is one of a range, but beyond its end. The bindings of the function are
 * gone. */
static bool is_beyond_range(const struct pending *what, char *hint, size_t size)
{
	const struct ptx_name *prefix = what->name->prefix;

	if (!prefix || !what->function)
		return false;
	for (const struct ptx_var *v = what->function->variables; v; v = v->next)
		if (v->name == prefix->text && v->range) {
			snprintf(hint, size, "'.reg %s<%u>' declares %s0 to %s%u", v->name, v->range, v->name,
				v->name, v->range - 1);
			return true;
		}
	return false;
}

/* Whether `name:` stands in the text, perhaps where a statement was not read. */
static bool is_written_as_label(const struct ptx_parser *p, const struct ptx_name *name)
{
	const char *at = p->module->text, *end = at + p->module->text_size;

	while ((at = memmem(at, (size_t)(end - at), name->text, name->length))) {
		at += name->length;
		if (at[strspn(at, " \t")] == ':')
			return true;
	}
	return false;
}

/* Once for each name in a function. */
static void undefined(struct ptx_parser *p, const struct pending *what)
{
	struct ptx_name *name = what->name;
	char hint[512] = "";
	const char *nearest;

	if (what->wants_label && what->function && what->function->has_syntax_errors &&
		is_written_as_label(p, name))
		return;
	if (diag_is_full(p->diags) || (name->is_reported && name->reported_in == what->function))
		return;
	name->is_reported = true;
	name->reported_in = what->function;
	if (!is_beyond_range(what, hint, sizeof(hint)) && (nearest = nearest_name(p, what)))
		snprintf(hint, sizeof(hint), "did you mean '%.200s'?", nearest);
	parse_error(p, what->location, hint[0] ? hint : NULL, "%s '%.200s' is not declared",
		what->wants_label    ? "label"
			: what->init ? "symbol"
				     : "name",
		name->text);
}

static bool settle_name(struct ptx_parser *p, struct pending *what)
{
	struct ptx_binding *label = what->name->labels;

	if (what->init || !label || label->depth != p->scope->depth)
		return false;
	if (what->label) {
		*what->label = label->thing;
	} else {
		what->operand->kind = PTX_OP_LABEL;
		what->operand->label = label->thing;
	}
	return true;
}

void scope_close(struct ptx_parser *p)
{
	struct scope *scope = p->scope;
	struct pending *next;

	for (struct pending *what = scope->pending; what; what = next) {
		next = what->next;
		what->next = NULL;
		if (settle_name(p, what) || p->is_quiet)
			continue;
		if (scope->depth == 1 && what->wants_label) {
			undefined(p, what);
			continue;
		}
		*scope->outer->pending_end = what;
		scope->outer->pending_end = &what->next;
	}
	for (struct ptx_binding *b = scope->bindings; b; b = b->in_scope)
		*b->slot = b->outer;
	end_variables(p, scope);
	p->scope = scope->outer;
}

static bool sync_late(struct pending *what)
{
	struct ptx_binding *variable = what->name->variables;
	struct ptx_function *function = what->name->function;

	if (!variable && !function)
		return false;
	if (what->init) {
		what->init->variable = variable ? variable->thing : NULL;
		what->init->function = variable ? NULL : function;
	} else if (variable) {
		what->operand->kind = PTX_OP_SYMBOL;
		what->operand->variable = variable->thing;
	} else {
		what->operand->kind = PTX_OP_FUNCTION;
		what->operand->function = function;
	}
	return true;
}

void note_declared(struct ptx_name *name, struct ptx_location location)
{
	if (name->declared_line)
		return;
	name->declared_line = location.line;
	name->declared_column = location.column;
}

static bool is_declared_behind(const struct pending *what)
{
	const struct ptx_location *at = &what->location;
	const struct ptx_name *name = what->name;

	return name->declared_line > at->line ||
		(name->declared_line == at->line && name->declared_column > at->column);
}

void resolve_rest(struct ptx_parser *p)
{
	for (struct pending *what = p->scope->pending; what; what = what->next)
		if (!sync_late(what))
			undefined(p, what);
		else if (is_declared_behind(what))
			parse_error(p, what->location, NULL, "'%.200s' is declared behind this, on line %u",
				what->name->text, what->name->declared_line);
}
