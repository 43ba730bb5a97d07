/* frontend/declare.c -- builds declarations: the module's header, variables with dimensions and initialisers.
 */
#include "frontend/parser.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_VARIABLE    (UINT64_C(1) << 40) /* bytes */
#define LARGEST_ALIGNMENT   (1u << 20)
#define LARGEST_INITIALISED (UINT64_C(1) << 28)
#define DEEPEST_INITIALISER 10

void set_version(struct ptx_parser *p, struct ptx_place place, unsigned major, unsigned minor)
{
	if (p->has_version)
		parse_error(p, place, NULL, "a second '.version'");
	p->has_version = true;
	p->module->version_major = major;
	p->module->version_minor = minor;
	if (!major || major > 99)
		parse_error(p, place, NULL, "there is no PTX version %u.%u", major, minor);
	else if (major > 9)
		parse_warning(p, place, NULL,
			"PTX version %u.%u is newer than what this reader was written for (9.0)", major,
			minor);
}

void set_target(struct ptx_parser *p, struct ptx_place place, struct ptx_name *word, bool is_first)
{
	if (is_first && p->has_target)
		parse_error(p, place, NULL, "a second '.target'");
	if (!strncmp(word->text, "sm_", 3) && word->text[3] >= '1' && word->text[3] <= '9') {
		p->has_target = true;
		p->module->target = word->text;
		p->module->sm = (unsigned)strtoul(word->text + 3, NULL, 10);
	} else if (!strcmp(word->text, "debug")) {
		p->module->target_debug = true;
	} else if (!strcmp(word->text, "map_f64_to_f32")) {
		p->module->target_map_f64 = true;
	} else if (!strcmp(word->text, "texmode_independent")) {
		p->module->is_independent = true;
	} else if (strncmp(word->text, "texmode_", 8)) {
		parse_error(p, place, "sm_20, sm_75, debug, map_f64_to_f32, texmode_independent ...",
			"unknown target '%.80s'", word->text);
	}
	if (is_first && !p->has_version && !p->module->target_debug)
		parse_error(p, place, NULL, "'.version' must come before '.target'");
}

void set_address_size(struct ptx_parser *p, struct ptx_place place, uint64_t bits)
{
	if (bits != 32 && bits != 64) {
		parse_error(p, place, NULL, "the address size is 32 or 64");
		return;
	}
	if (p->has_address_size)
		parse_error(p, place, NULL, "a second '.address_size'");
	p->has_address_size = true;
	p->module->address_bits = (unsigned)bits;
}

void add_alias(struct ptx_parser *p, struct ptx_place place, struct ptx_name *alias, struct ptx_name *target)
{
	struct alias *a;

	if (!target->function || target->function->is_entry) {
		parse_error(p, place, NULL, "'%.200s' is no function that was declared before", target->text);
		return;
	}
	a = arena_new_of(p->arena, struct alias);
	*a = (struct alias){ p->aliases, alias, target, place };
	p->aliases = a;
}

static bool is_same_size(const struct ptx_var *a, const struct ptx_var *b)
{
	for (; a && b; a = a->next, b = b->next)
		if (a->bytes != b->bytes)
			return false;
	return !a && !b;
}

/* An alias is a second name of a function: calls go straight to the target. Its own declaration tells other modules. */
void resolve_aliases(struct ptx_parser *p)
{
	for (const struct alias *a = p->aliases; a; a = a->next) {
		struct ptx_function *declared = a->alias->function, *target = a->target->function;

		if (declared && (declared->has_body || declared->is_entry))
			parse_error(p, a->place, NULL, "'%.200s' is defined on line %u", a->alias->text,
				declared->place.line);
		else if (declared && (!is_same_size(declared->params, target->params) ||
					     !is_same_size(declared->returns, target->returns)))
			parse_error(p, a->place, NULL, "'%.200s' is not declared as '%.200s' is", a->alias->text,
				a->target->text);
		else if (declared)
			declared->aliasee = target;
		a->alias->function = target;
	}
}

void declaration_begin(struct ptx_parser *p, struct ptx_place place, int linkage, int space)
{
	memset(&p->declaration, 0, sizeof(p->declaration));
	p->declaration.linkage = (enum ptx_linkage)linkage;
	p->declaration.space = (enum ptx_space)space;
	p->declaration.vector = 1;
	p->declaration.place = place;
}

void declaration_align(struct ptx_parser *p, struct ptx_place place, uint64_t align)
{
	if (!align || align & (align - 1) || align > LARGEST_ALIGNMENT)
		parse_error(p, place, NULL, "an alignment must be a power of two, at most %u", LARGEST_ALIGNMENT);
	else if (p->declaration.is_pointer)
		p->declaration.pointer_align = (unsigned)align;
	else
		p->declaration.align = align;
}

/* Bytes of one element: a vector counts as one. */
static uint64_t element_bytes(const struct ptx_var *v)
{
	return (uint64_t)(ptx_type_bits(v->type) + 7) / 8 * v->vector;
}

static bool is_duplicate(struct ptx_parser *p, struct ptx_name *name, struct ptx_place place, bool is_range)
{
	const struct ptx_binding *before = is_range ? name->ranges : name->variables;
	const struct ptx_var *first;

	if (!is_range && (!before || before->depth != p->scope->depth))
		before = find_range_here(p, name);

	if (!before || before->depth != p->scope->depth)
		return false;
	first = before->thing;
	/* .extern and its definition, or the same .extern .shared twice */
	if (!p->function && (first->linkage == PTX_EXTERN || p->declaration.linkage == PTX_EXTERN ||
				    first->linkage == PTX_COMMON || first->linkage == PTX_WEAK))
		return false;
	parse_error(p, place, NULL, "'%.200s' is already declared on line %u", name->text, first->place.line);
	return true;
}

static void check_declaration(struct ptx_parser *p, struct ptx_place place, const struct ptx_name *name)
{
	const struct declaration *d = &p->declaration;
	const char *shown = name ? name->text : "_";

	if (d->type == PTX_NO_TYPE)
		parse_error(p, place, NULL, "'%.200s' has no type", shown);
	else if (d->type == PTX_PRED && d->space != PTX_REG)
		parse_error(p, place, NULL, "a predicate must be a register, '%.200s' is in .%s", shown,
			ptx_space_name(d->space));
	if (!p->function && (d->space == PTX_REG || d->space == PTX_LOCAL || d->space == PTX_PARAM))
		parse_error(p, place, NULL, "'.%s' can be declared within a function only",
			ptx_space_name(d->space));
	if (d->space == PTX_SREG)
		parse_error(p, place, NULL, "special registers cannot be declared");
	check_reference_declaration(p, place, shown);
	if ((uint64_t)ptx_type_bits(d->type) * d->vector > 256)
		parse_error(p, place, NULL, "a vector has at most 32 bytes");
}

struct ptx_var *declare_variable(struct ptx_parser *p, struct ptx_place place, struct ptx_name *name)
{
	const struct declaration *d = &p->declaration;
	struct ptx_var *v = arena_new_of(p->arena, struct ptx_var);

	check_declaration(p, place, name);
	v->name = name ? name->text : NULL;
	v->space = d->space;
	v->type = d->type;
	v->vector = d->vector;
	v->linkage = d->linkage;
	v->is_managed = d->is_managed;
	v->place = place;
	v->owner = p->function;
	v->align = d->align ? d->align : element_bytes(v);
	if (!v->align)
		v->align = 1;
	v->bytes = element_bytes(v);
	return v;
}

void declare_range(struct ptx_parser *p, struct ptx_place place, struct ptx_var *variable, uint64_t count)
{
	if (variable->space != PTX_REG)
		parse_error(p, place, NULL, "a range <%llu> is for '.reg' only", (unsigned long long)count);
	else if (count > MAX_REGISTERS)
		parse_error(p, place, NULL, "%llu registers: there can be %u", (unsigned long long)count,
			MAX_REGISTERS);
	else if (!count)
		variable->space = PTX_NO_SPACE; /* declares nothing; see declare_done */
	else
		variable->range = (uint32_t)count;
}

void declare_dimension(
	struct ptx_parser *p, struct ptx_place place, struct ptx_var *variable, struct node *size)
{
	uint64_t extent = size ? 1 : 0;

	if (size && (size->operand.kind != PTX_OP_VALUE || size->operand.value.kind > PTX_UINT))
		parse_error(p, place, NULL, "a dimension must be an integer constant");
	else if (size)
		extent = size->operand.value.bits;
	if (variable->space == PTX_REG)
		parse_error(p, place, NULL, "there are no arrays of registers");
	if (!size && variable->dimensions)
		parse_error(p, place, NULL, "only the first dimension can be left open");
	if (variable->dimensions == sizeof(variable->dimension) / sizeof(variable->dimension[0])) {
		parse_error(p, place, NULL, "more than 8 dimensions");
		return;
	}
	variable->dimension[variable->dimensions++] = extent;
	if (__builtin_mul_overflow(variable->bytes, extent, &variable->bytes) ||
		variable->bytes > LARGEST_VARIABLE) {
		parse_error(p, place, NULL, "the array is too large");
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
		parse_error(p, v->place, NULL, "more than %u registers in one function", MAX_REGISTERS);
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
	if (v->space != PTX_GLOBAL && v->space != PTX_CONST) {
		parse_error(p, v->place, NULL,
			"'%.200s' is in .%s: only .global and .const can be initialised", v->name,
			ptx_space_name(v->space));
		return;
	}
	size_from_list(p, v);
	if (v->bytes > LARGEST_INITIALISED)
		parse_error(p, v->place, NULL, "'%.200s' is too large to be initialised", v->name);
}

void declare_done(struct ptx_parser *p, struct ptx_var *variable, struct ptx_init *init)
{
	struct ptx_name *name = name_of(variable->name);
	bool is_unsized = variable->dimensions && !variable->dimension[0];

	if (variable->space == PTX_NO_SPACE || is_duplicate(p, name, variable->place, variable->range))
		return;
	if (variable->range)
		bind_range(p, name, variable);
	else
		bind_variable(p, name, variable);
	if (init)
		set_init(p, variable, init);
	else if (is_unsized && variable->linkage != PTX_EXTERN)
		parse_error(
			p, variable->place, NULL, "'%.200s' needs a size or an initialiser", variable->name);
	number_registers(p, variable);
	variable->scope_begin = p->function ? p->function->insn_count : 0;
	link_variable(p, variable);
}

void declare_param(struct ptx_parser *p, struct ptx_var *variable)
{
	bool is_return = p->is_return_list;

	if (variable->space != PTX_PARAM && variable->space != PTX_REG)
		parse_error(p, variable->place, NULL, "a parameter must be in .param or .reg, not in .%s",
			ptx_space_name(variable->space));
	if (variable->space == PTX_REG && p->function->is_entry)
		parse_error(p, variable->place, NULL, "a parameter of an entry must be in .param");
	variable->is_param_in = !is_return;
	variable->is_param_out = is_return;
	variable->pointer_space = p->declaration.pointer_space;
	variable->pointer_align = p->declaration.pointer_align;
	variable->is_pointer = p->declaration.is_pointer;
	*p->params_end = variable;
	p->params_end = &variable->next;
	number_registers(p, variable);
	if (!variable->name || is_duplicate(p, name_of(variable->name), variable->place, false))
		return;
	bind_variable(p, name_of(variable->name), variable);
}

struct ptx_init *init_value(struct ptx_parser *p, struct node *value)
{
	struct ptx_init *init = arena_new_of(p->arena, struct ptx_init);
	const struct ptx_operand *o = &value->operand;

	init->place = o->place;
	init->mask = value->mask;
	init->is_generic = value->is_generic;
	if (o->kind == PTX_OP_VALUE) {
		init->value = o->value;
	} else if (o->kind == PTX_OP_NAME && !o->negated) {
		init->symbol = o->name;
		init->addend = (int64_t)o->value.bits;
		resolve_init(p, init, name_of(o->name));
	} else {
		parse_error(p, o->place, NULL, "an initialiser is a constant or the address of a variable");
	}
	return init;
}

struct ptx_init *init_braces(struct ptx_parser *p, struct ptx_place place, struct init_list list)
{
	struct ptx_init *init = arena_new_of(p->arena, struct ptx_init);

	init->is_list = true;
	init->list = list.first;
	init->place = place;
	init->depth = list.depth + 1;
	if (init->depth > DEEPEST_INITIALISER) {
		parse_error(p, place, NULL, "an initialiser nested more than %d deep", DEEPEST_INITIALISER);
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
