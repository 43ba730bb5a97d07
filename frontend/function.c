/* frontend/function.c -- builds functions: heads, parameters, performance directives, bodies, call
 * prototypes; and closes the module. */
#include "frontend/parser.h"
#include <string.h>

/* An unnamed function that collects what follows. */
static struct ptx_function *open_function(struct ptx_parser *p, struct ptx_place place)
{
	struct ptx_function *f = arena_new_of(p->arena, struct ptx_function);

	f->place = place;
	p->function = f;
	p->variables_end = &f->variables;
	p->labels_end = &f->labels;
	p->last_label = NULL;
	scope_open(p, place);
	return f;
}

static void close_function(struct ptx_parser *p)
{
	scope_close(p);
	p->function = NULL;
	p->variables_end = p->module_variables_end;
	arena_reset(p->scratch);
}

/* After a syntax error in the head of a function its scope may still be open. */
static void abandon_function(struct ptx_parser *p)
{
	bool was_quiet = p->is_quiet;

	p->is_quiet = true;
	while (p->scope->depth > 0)
		scope_close(p);
	p->is_quiet = was_quiet;
	if (p->function)
		p->variables_end = p->module_variables_end;
	p->function = NULL;
	p->enclosing = NULL;
}

void function_begin(struct ptx_parser *p, struct ptx_place place, int linkage, bool is_entry)
{
	struct ptx_function *f;

	abandon_function(p);
	p->module_variables_end = p->variables_end;
	f = open_function(p, place);
	f->is_entry = is_entry;
	f->linkage = (enum ptx_linkage)linkage;
}

void function_params_begin(struct ptx_parser *p, bool is_return)
{
	p->is_return_list = is_return;
	p->params_end = is_return ? &p->function->returns : &p->function->params;
}

void function_name(struct ptx_parser *p, struct ptx_place place, struct ptx_name *name)
{
	p->function->name = name->text;
	p->function->place = place;
}

static uint32_t *limit_of(struct ptx_function *f, int limit)
{
	switch (limit) {
	case LIMIT_MAXNTID:
		return f->maxntid;
	case LIMIT_REQNTID:
		return f->reqntid;
	case LIMIT_MAXNREG:
		return &f->maxnreg;
	case LIMIT_MINNCTAPERSM:
		return &f->minnctapersm;
	default:
		return NULL;
	}
}

void function_limit(
	struct ptx_parser *p, struct ptx_place place, int limit, const uint64_t *values, int count)
{
	uint32_t *field = limit_of(p->function, limit);
	int most = limit == LIMIT_MAXNTID || limit == LIMIT_REQNTID ? 3 : 1;

	if (limit == LIMIT_NORETURN)
		p->function->is_noreturn = true;
	if (!field)
		return;
	if (!count || count > most) {
		parse_error(p, place, NULL, "expected %s", most == 3 ? "one to three numbers" : "one number");
		return;
	}
	for (int i = 0; i < most; i++) {
		uint64_t value = i < count ? values[i] : 1;

		if (!value || value > 1u << 30) {
			parse_error(p, place, NULL, "%llu is out of range", (unsigned long long)value);
			return;
		}
		field[i] = (uint32_t)value;
	}
}

void function_body(struct ptx_parser *p)
{
	p->function->has_body = true;
}

static uint32_t count_params(const struct ptx_var *v)
{
	uint32_t count = 0;

	for (; v; v = v->next)
		count++;
	return count;
}

static bool is_same_list(const struct ptx_var *a, const struct ptx_var *b)
{
	for (; a && b; a = a->next, b = b->next)
		if (a->bytes != b->bytes || a->space != b->space)
			return false;
	return !a && !b;
}

/* Keeps one function of each name: the definition, or else the first declaration. */
static void merge(struct ptx_parser *p, struct ptx_function *f, struct ptx_name *name)
{
	struct ptx_function *before = name->function;

	if (before && before->has_body && f->has_body) {
		parse_error(p, f->place, NULL, "'%.200s' is already defined on line %u", f->name,
			before->place.line);
		return;
	}
	if (before &&
		(!is_same_list(before->params, f->params) || !is_same_list(before->returns, f->returns)))
		parse_error(p, f->place, NULL,
			"'%.200s' does not agree with its declaration on line %u (%u parameters)", f->name,
			before->place.line, count_params(before->params));
	if (before && !f->has_body)
		return;
	if (before)
		before->name = NULL; /* dropped by module_end */
	name->function = f;
	p->functions = arena_grow(p->arena, p->functions, p->function_count, sizeof(*p->functions));
	p->functions[p->function_count++] = f;
}

void function_end(struct ptx_parser *p, bool has_body)
{
	struct ptx_function *f = p->function;
	struct ptx_name *name = f->name ? name_of(f->name) : NULL;

	f->has_body = has_body;
	if (f->is_entry && f->returns)
		parse_error(p, f->place, NULL, "an entry returns nothing");
	close_function(p);
	if (!name)
		return;
	if (name->variables)
		parse_error(p, f->place, NULL, "'%.200s' is already a variable", f->name);
	merge(p, f, name);
}

/* A body whose head could not be read: looked at for its syntax only. */
void orphan_begin(struct ptx_parser *p, struct ptx_place place)
{
	function_begin(p, place, PTX_NO_LINKAGE, false);
	p->is_quiet = true;
}

void orphan_end(struct ptx_parser *p)
{
	close_function(p);
	p->is_quiet = false;
}

/* .callprototype (ret) _ (params): a function type, kept with the label in front of it. */
void prototype_begin(struct ptx_parser *p, struct ptx_place place)
{
	p->enclosing = p->function;
	p->enclosing_variables_end = p->variables_end;
	p->function = arena_new_of(p->arena, struct ptx_function);
	p->function->place = place;
	p->variables_end = &p->function->variables;
	scope_open(p, place);
}

void prototype_end(struct ptx_parser *p, struct ptx_place place)
{
	struct ptx_function *prototype = p->function;

	scope_close(p);
	p->function = p->enclosing;
	p->variables_end = p->enclosing_variables_end;
	p->enclosing = NULL;
	if (p->last_label && !p->last_label->targets && !p->last_label->prototype)
		p->last_label->prototype = prototype;
	else
		parse_error(p, place, "P: .callprototype (.param .b32 _) _ (.param .b32 _);",
			"a prototype needs a label in front");
}

void module_begin(struct ptx_parser *p)
{
	p->variables_end = &p->module->variables;
	scope_open(p, (struct ptx_place){ 1, 1 });
}

void module_end(struct ptx_parser *p)
{
	struct ptx_function **end = &p->module->functions;

	abandon_function(p);
	for (uint32_t i = 0; i < p->function_count; i++)
		if (p->functions[i]->name) {
			*end = p->functions[i];
			end = &p->functions[i]->next;
		}
	resolve_aliases(p);
	resolve_rest(p);
}
