/* frontend/parse/declare.c -- builds declarations: variables with dimensions and initialisers. */
#include "frontend/parse/parser.h"
#include <stdio.h>
#include <string.h>

#define LARGEST_VARIABLE    (UINT64_C(1) << 40) /* bytes */
#define LARGEST_INITIALISED (UINT64_C(1) << 28)
#define DEEPEST_INITIALISER 10
#define MOST_NUMBERED       4096u /* variables in memory declared by one name<N> */

/* Bytes of one element: a vector counts as one. */
static uint64_t element_bytes(const struct ptx_var *v)
{
	return (uint64_t)(ptx_type_bits(v->type) + 7) / 8 * v->vector;
}

static bool is_duplicate(
	struct ptx_parser *p, struct ptx_name *name, struct ptx_location location, bool is_range)
{
	const struct ptx_binding *before = is_range ? name->ranges : name->variables;
	const struct ptx_var *first;

	if (!is_range && (!before || before->depth != p->scope->depth))
		before = find_range_here(p, name);

	if (!before || before->depth != p->scope->depth)
		return false;
	first = before->thing;
	/* .extern and its definition, which other modules see, or the same .extern .shared twice */
	if (!p->function && p->declaration.linkage == PTX_EXTERN)
		return false;
	if (!p->function && first->linkage == PTX_EXTERN && p->declaration.linkage != PTX_NO_LINKAGE)
		return false;
	parse_error(p, location, NULL, "'%.200s' is already declared on line %u", name->text,
		first->location.line);
	return true;
}

/* Types that a variable can have; the others say how an instruction reads its bits. */
static bool is_fundamental(enum ptx_type type)
{
	return type <= PTX_F64 || type >= PTX_TEXREF;
}

static void check_opaque(struct ptx_parser *p, struct ptx_location location)
{
	const struct declaration *d = &p->declaration;

	needs_version(p, location, ptx_type_name(d->type), 15);
	if (d->space != PTX_GLOBAL && d->space != PTX_PARAM && d->space != PTX_REG)
		parse_error(p, location, NULL, "'.%s' is for variables in .global and for parameters",
			ptx_type_name(d->type));
}

static void check_linkage(struct ptx_parser *p, struct ptx_location location)
{
	const struct declaration *d = &p->declaration;

	if (p->function && d->linkage != PTX_NO_LINKAGE)
		parse_error(p, location, NULL, "a variable of a function has no linkage");
	else if (d->linkage == PTX_COMMON && d->space != PTX_GLOBAL)
		parse_error(p, location, NULL, "'.common' is for variables in .global");
}

/* .reg and .local at module level, each thread's own and common to its functions: up to PTX ISA 2.3. */
static bool is_thread_variable(const struct ptx_parser *p)
{
	return !p->function && (p->declaration.space == PTX_REG || p->declaration.space == PTX_LOCAL);
}

static void check_declaration(struct ptx_parser *p, struct ptx_location location, const struct ptx_name *name)
{
	const struct declaration *d = &p->declaration;
	const char *shown = name ? name->text : "_";

	if (d->type == PTX_NO_TYPE)
		parse_error(p, location, NULL, "'%.200s' has no type", shown);
	else if (d->type == PTX_PRED && d->space != PTX_REG)
		parse_error(p, location, NULL, "a predicate must be a register, '%.200s' is in .%s", shown,
			ptx_space_name(d->space));
	else if (d->type == PTX_PRED && d->vector > 1)
		parse_error(p, location, NULL, "there are no vectors of predicates");
	else if (!is_fundamental(d->type))
		parse_error(p, location, NULL, "'.%s' is for instructions only: '%.200s' can be .b%u",
			ptx_type_name(d->type), shown,
			ptx_type_bits(d->type) < 8 ? 8 : ptx_type_bits(d->type));
	else if (d->type >= PTX_TEXREF)
		check_opaque(p, location);
	else if (d->type == PTX_B128)
		needs(p, location, ".b128", 83, 70);
	else if (d->type == PTX_F16X2)
		needs(p, location, ".f16x2", 42, 53);
	check_linkage(p, location);
	if (p->function && d->space == PTX_TEX)
		parse_error(p, location, NULL, "'.tex' can be declared at module level only");
	if (d->space == PTX_TEX)
		is_gone(p, location, ".tex", 15);
	if (is_thread_variable(p) && is_older(p, 30))
		p->module->has_thread_variables = true;
	else if (is_thread_variable(p) || (!p->function && d->space == PTX_PARAM))
		parse_error(p, location, NULL, "'.%s' can be declared within a function only",
			ptx_space_name(d->space));
	if (d->space == PTX_SREG)
		parse_error(p, location, NULL, "special registers cannot be declared");
	check_reference_declaration(p, location, shown);
	if ((uint64_t)ptx_type_bits(d->type) * d->vector > 128 || d->vector > 4)
		parse_error(p, location, NULL, "a vector has at most 4 elements and 16 bytes");
}

struct ptx_var *declare_variable(struct ptx_parser *p, struct ptx_location location, struct ptx_name *name)
{
	const struct declaration *d = &p->declaration;
	struct ptx_var *v = arena_new_of(p->arena, struct ptx_var);

	check_declaration(p, location, name);
	v->name = name ? name->text : NULL;
	v->space = d->space;
	v->type = d->type;
	v->vector = d->vector;
	v->linkage = d->linkage;
	v->is_managed = d->is_managed;
	v->unified = d->unified;
	v->location = location;
	v->owner = p->function;
	v->align = d->align ? d->align : element_bytes(v);
	if (!v->align)
		v->align = 1;
	v->bytes = element_bytes(v);
	return v;
}

struct ptx_var *declare_unnamed(struct ptx_parser *p, struct ptx_location location, bool is_sink)
{
	bool is_prototype = p->enclosing != NULL;

	if (!is_sink)
		parse_error(p, location, is_prototype ? "_" : NULL, "a parameter needs a name");
	else if (!is_prototype && !p->function->is_entry)
		parse_error(p, location, NULL, "'_' is no name for a parameter of a function");
	return declare_variable(p, location, NULL);
}

void declare_range(
	struct ptx_parser *p, struct ptx_location location, struct ptx_var *variable, uint64_t count)
{
	if (variable->space != PTX_REG && count > MOST_NUMBERED)
		parse_error(p, location, NULL, "%llu variables: there can be %u", (unsigned long long)count,
			MOST_NUMBERED);
	else if (count > MAX_REGISTERS)
		parse_error(p, location, NULL, "%llu registers: there can be %u", (unsigned long long)count,
			MAX_REGISTERS);
	else if (!count)
		variable->space = PTX_NO_SPACE; /* declares nothing; see declare_done */
	else
		variable->range = (uint32_t)count;
}

void declare_dimension(
	struct ptx_parser *p, struct ptx_location location, struct ptx_var *variable, struct node *size)
{
	uint64_t extent = size ? 1 : 0;

	if (size && (size->operand.kind != PTX_OP_VALUE || size->operand.value.kind > PTX_UINT))
		parse_error(p, location, NULL, "a dimension must be an integer constant");
	else if (size && !size->is_literal)
		parse_error(p, location, NULL, "a dimension is a number: nothing is computed here");
	else if (size)
		extent = size->operand.value.bits;
	if (variable->space == PTX_REG)
		parse_error(p, location, NULL, "there are no arrays of registers");
	if (!size && variable->dimensions)
		parse_error(p, location, NULL, "only the first dimension can be left open");
	if (variable->dimensions == sizeof(variable->dimension) / sizeof(variable->dimension[0])) {
		parse_error(p, location, NULL, "more than 8 dimensions");
		return;
	}
	variable->dimension[variable->dimensions++] = extent;
	if (__builtin_mul_overflow(variable->bytes, extent, &variable->bytes) ||
		variable->bytes > LARGEST_VARIABLE) {
		parse_error(p, location, NULL, "the array is too large");
		variable->bytes = 0;
	}
}

static void link_variable(struct ptx_parser *p, struct ptx_var *v)
{
	*p->variables_end = v;
	p->variables_end = &v->next;
}

static void number_registers(struct ptx_parser *p, struct ptx_var *v)
{
	uint64_t count = (uint64_t)(v->range ? v->range : 1) * v->vector;
	struct ptx_function *f = p->function;

	if (v->space != PTX_REG || !f)
		return;
	if (f->register_count + count > MAX_REGISTERS) {
		parse_error(p, v->location, NULL, "more than %u registers in one function", MAX_REGISTERS);
		return;
	}
	v->index = f->register_count;
	f->register_count += (uint32_t)count;
}

/* The first dimension of `t[] = {...}` is what the list fills. */
static void size_from_list(struct ptx_parser *p, struct ptx_var *v)
{
	uint64_t count = 0;

	if (!v->dimensions || v->dimension[0] || !v->init->is_list)
		return;
	for (const struct ptx_init *item = v->init->list; item; item = item->next)
		count++;
	v->dimension[0] = count;
	v->bytes = element_bytes(v);
	for (uint32_t i = 0; i < v->dimensions; i++)
		if (__builtin_mul_overflow(v->bytes, v->dimension[i], &v->bytes))
			v->bytes = UINT64_MAX;
}

static void set_init(struct ptx_parser *p, struct ptx_var *v, struct ptx_init *init)
{
	if (v->type >= PTX_TEXREF) {
		reference_init(p, v, init);
		return;
	}
	v->init = init;
	if (v->linkage == PTX_EXTERN)
		parse_error(p, v->location, NULL, "'%.200s' is .extern: its values stand where it is defined",
			v->name);
	if (v->type == PTX_F16 || v->type == PTX_F16X2)
		parse_error(p, v->location, NULL, "a variable of type .%s cannot be initialised",
			ptx_type_name(v->type));
	if (v->space != PTX_GLOBAL && v->space != PTX_CONST) {
		parse_error(p, v->location, NULL,
			"'%.200s' is in .%s: only .global and .const can be initialised", v->name,
			ptx_space_name(v->space));
		return;
	}
	size_from_list(p, v);
	if (v->bytes > LARGEST_INITIALISED)
		parse_error(p, v->location, NULL, "'%.200s' is too large to be initialised", v->name);
}

static bool has_size(const struct ptx_var *v)
{
	return !v->dimensions || v->dimension[0];
}

/* An .extern declaration and what it declares, in either order. */
static void check_declared_alike(struct ptx_parser *p, const struct ptx_name *name, const struct ptx_var *v)
{
	const struct ptx_var *first = name->variables ? name->variables->thing : NULL;

	if (!first || p->function || name->variables->depth != p->scope->depth)
		return;
	if (first->type != v->type || first->vector != v->vector ||
		(has_size(first) && has_size(v) && first->bytes != v->bytes))
		parse_error(p, v->location, NULL, "'%.200s' was declared otherwise on line %u", v->name,
			first->location.line);
}

static void declare_one(struct ptx_parser *p, struct ptx_var *variable, struct ptx_init *init)
{
	struct ptx_name *name = name_of(variable->name);
	bool is_unsized = variable->dimensions && !variable->dimension[0];

	if (variable->space == PTX_NO_SPACE || is_duplicate(p, name, variable->location, variable->range))
		return;
	if (!variable->range)
		check_declared_alike(p, name, variable);
	check_sampler(p, variable);
	if (variable->range)
		bind_range(p, name, variable);
	else
		bind_variable(p, name, variable);
	if (!p->function)
		note_declared(name, variable->location);
	if (init)
		set_init(p, variable, init);
	else if (is_unsized && variable->linkage != PTX_EXTERN)
		parse_error(p, variable->location, NULL, "'%.200s' needs a size or an initialiser",
			variable->name);
	number_registers(p, variable);
	variable->scope_begin = p->function ? p->function->insn_count : 0;
	link_variable(p, variable);
}

/* .shared .b32 x<3>: x0, x1, x2. */
static void declare_numbered(struct ptx_parser *p, const struct ptx_var *prototype)
{
	char text[300];

	for (uint32_t i = 0; i < prototype->range; i++) {
		struct ptx_var *v = arena_copy(p->arena, prototype, sizeof(*prototype));

		snprintf(text, sizeof(text), "%.256s%u", prototype->name, i);
		v->name = names_intern(&p->names, text, strlen(text))->text;
		v->range = 0;
		declare_one(p, v, NULL);
	}
}

void declare_done(struct ptx_parser *p, struct ptx_var *variable, struct ptx_init *init)
{
	if (variable->range && variable->space != PTX_REG) {
		declare_numbered(p, variable);
		return;
	}
	declare_one(p, variable, init);
}

/* A variable list of arguments. */
static void check_unsized_param(struct ptx_parser *p, const struct ptx_var *v)
{
	if (p->function->is_entry)
		parse_error(p, v->location, NULL, "a parameter of an entry has a size");
	else if (p->is_return_list)
		parse_error(p, v->location, NULL, "a result has a size");
	else if (v->dimensions > 1)
		parse_error(p, v->location, NULL, "a parameter without a size has one dimension");
	else
		needs(p, v->location, "a parameter without a size", 60, 30);
}

static bool is_unsized_param(const struct ptx_var *v)
{
	return v->dimensions && !v->dimension[0];
}

void declare_param(struct ptx_parser *p, struct ptx_var *variable)
{
	bool is_return = p->is_return_list;

	if (is_unsized_param(variable))
		check_unsized_param(p, variable);
	for (const struct ptx_var *v = is_return ? NULL : p->function->params; v; v = v->next)
		if (is_unsized_param(v))
			parse_error(p, v->location, NULL, "only the last parameter can be without a size");
	if (variable->space == PTX_PARAM && variable->vector > 1)
		parse_error(p, variable->location, NULL, "a parameter cannot be a vector");
	if (variable->space == PTX_PARAM && !p->function->is_entry)
		needs(p, variable->location, "a .param parameter of a function", 20, 20);
	if (variable->space != PTX_PARAM && variable->space != PTX_REG)
		parse_error(p, variable->location, NULL, "a parameter must be in .param or .reg, not in .%s",
			ptx_space_name(variable->space));
	if (variable->space == PTX_REG && p->function->is_entry)
		parse_error(p, variable->location, NULL, "a parameter of an entry must be in .param");
	variable->is_param_in = !is_return;
	variable->is_param_out = is_return;
	variable->pointer_space = p->declaration.pointer_space;
	variable->pointer_align = p->declaration.pointer_align;
	variable->is_pointer = p->declaration.is_pointer;
	*p->params_end = variable;
	p->params_end = &variable->next;
	number_registers(p, variable);
	if (!variable->name || is_duplicate(p, name_of(variable->name), variable->location, false))
		return;
	bind_variable(p, name_of(variable->name), variable);
}

struct ptx_init *init_value(struct ptx_parser *p, struct node *value)
{
	struct ptx_init *init = arena_new_of(p->arena, struct ptx_init);
	const struct ptx_operand *o = &value->operand;

	init->location = o->location;
	init->mask = value->mask;
	init->is_generic = value->is_generic;
	if (o->kind == PTX_OP_VALUE) {
		init->value = o->value;
	} else if (o->kind == PTX_OP_NAME && !o->negated) {
		init->symbol = o->name;
		init->addend = (int64_t)o->value.bits;
		resolve_init(p, init, name_of(o->name));
	} else {
		parse_error(
			p, o->location, NULL, "an initialiser is a constant or the address of a variable");
	}
	return init;
}

struct ptx_init *init_braces(struct ptx_parser *p, struct ptx_location location, struct init_list list)
{
	struct ptx_init *init = arena_new_of(p->arena, struct ptx_init);

	init->is_list = true;
	init->list = list.first;
	init->location = location;
	init->depth = list.depth + 1;
	if (init->depth > DEEPEST_INITIALISER) {
		parse_error(
			p, location, NULL, "an initialiser nested more than %d deep", DEEPEST_INITIALISER);
		init->list = NULL;
		init->depth = 0;
	}
	return init;
}

/* item is NULL for `name = WORD "text"`. */
struct init_list init_append(struct ptx_parser *p, struct init_list list, struct ptx_init *item)
{
	if (!item)
		return list;
	if (list.last)
		list.last->next = item;
	else
		list.first = item;
	list.last = item;
	list.count++;
	if (item->depth > list.depth)
		list.depth = item->depth;
	return list;
}
