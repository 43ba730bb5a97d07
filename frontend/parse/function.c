/* frontend/parse/function.c -- builds functions: heads, parameters, performance directives, bodies, call
 * prototypes; and closes the module. */
#include "frontend/parse/parser.h"
#include <string.h>

/* An unnamed function that collects what follows. */
static struct ptx_function *open_function(struct ptx_parser *p, struct ptx_location location)
{
	struct ptx_function *f = arena_new_of(p->arena, struct ptx_function);

	f->location = location;
	p->function = f;
	p->variables_end = &f->variables;
	p->labels_end = &f->labels;
	p->remarks_end = &f->remarks;
	p->last_label = NULL;
	scope_open(p, location);
	return f;
}

static void close_function(struct ptx_parser *p)
{
	struct ptx_function *f = p->function;

	f->insns = f->insn_count ? arena_copy(p->arena, f->insns, f->insn_count * sizeof(*f->insns)) : NULL;
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

void function_begin(struct ptx_parser *p, struct ptx_location location, int linkage, bool is_entry)
{
	struct ptx_function *f;

	abandon_function(p);
	p->module_variables_end = p->variables_end;
	f = open_function(p, location);
	f->is_entry = is_entry;
	f->linkage = (enum ptx_linkage)linkage;
	if (f->linkage == PTX_COMMON)
		parse_error(p, location, NULL, "'.common' is for variables in .global");
}

void function_unified(struct ptx_parser *p)
{
	declaration_check_managed(p, p->declaration.location);
	p->function->unified = p->declaration.unified;
}

void function_params_begin(struct ptx_parser *p, bool is_return)
{
	p->is_return_list = is_return;
	p->params_end = is_return ? &p->function->returns : &p->function->params;
}

void function_name(struct ptx_parser *p, struct ptx_location location, struct ptx_name *name)
{
	p->function->name = name->text;
	p->function->location = location;
}

/* What a performance directive is: its numbers, since when it exists, and whether it belongs to an entry or
 * to a function that is called. */
static const struct limit_row {
	const char *name;
	uint8_t least, most; /* numbers */
	uint8_t version, sm; /* 31: PTX ISA 3.1 */
	bool is_for_entry;
} limit_rows[LIMIT_COUNT] = {
	[LIMIT_MAXNTID] = { ".maxntid", 1, 3, 13, 10, true },
	[LIMIT_REQNTID] = { ".reqntid", 1, 3, 21, 10, true },
	[LIMIT_MAXNREG] = { ".maxnreg", 1, 1, 13, 10, true },
	[LIMIT_MINNCTAPERSM] = { ".minnctapersm", 1, 1, 20, 10, true },
	[LIMIT_MAXNCTAPERSM] = { ".maxnctapersm", 1, 1, 13, 10, true },
	[LIMIT_REQNCTAPERCLUSTER] = { ".reqnctapercluster", 1, 3, 78, 90, true },
	[LIMIT_MAXCLUSTERRANK] = { ".maxclusterrank", 1, 1, 78, 90, true },
	[LIMIT_EXPLICITCLUSTER] = { ".explicitcluster", 0, 0, 78, 90, true },
	[LIMIT_BLOCKSARECLUSTERS] = { ".blocksareclusters", 0, 0, 90, 90, true },
	[LIMIT_NORETURN] = { ".noreturn", 0, 0, 64, 30, false },
	[LIMIT_ABI_PRESERVE] = { ".abi_preserve", 1, 1, 90, 80, false },
	[LIMIT_ABI_PRESERVE_CONTROL] = { ".abi_preserve_control", 1, 1, 90, 80, false },
};

static uint32_t *limit_field(struct ptx_function *f, int limit)
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
	case LIMIT_MAXNCTAPERSM:
		return &f->maxnctapersm;
	case LIMIT_REQNCTAPERCLUSTER:
		return f->reqnctapercluster;
	case LIMIT_MAXCLUSTERRANK:
		return &f->maxclusterrank;
	case LIMIT_ABI_PRESERVE:
		return &f->abi_preserve;
	default:
		return &f->abi_preserve_control;
	}
}

static void set_flags(struct ptx_function *f, int limit)
{
	f->is_noreturn |= limit == LIMIT_NORETURN;
	f->is_explicit_cluster |= limit == LIMIT_EXPLICITCLUSTER;
	f->blocks_are_clusters |= limit == LIMIT_BLOCKSARECLUSTERS;
	f->has_abi_preserve |= limit == LIMIT_ABI_PRESERVE;
	f->has_abi_preserve_control |= limit == LIMIT_ABI_PRESERVE_CONTROL;
}

static void set_numbers(
	struct ptx_parser *p, struct ptx_location location, int limit, const uint64_t *values, int count)
{
	uint32_t *field = limit_field(p->function, limit), least = limit < LIMIT_ABI_PRESERVE;

	for (int i = 0; i < limit_rows[limit].most; i++) {
		uint64_t value = i < count ? values[i] : 1;

		if (value < least || value > 1u << 30) {
			parse_error(p, location, NULL, "%llu is out of range", (unsigned long long)value);
			return;
		}
		field[i] = (uint32_t)value;
	}
}

void function_limit(
	struct ptx_parser *p, struct ptx_location location, int limit, const uint64_t *values, int count)
{
	const struct limit_row *row = &limit_rows[limit];

	if (!needs(p, location, row->name, row->version, row->sm))
		return;
	if (limit == LIMIT_MAXNCTAPERSM && is_gone(p, location, row->name, 21))
		return;
	if (row->is_for_entry != p->function->is_entry)
		parse_error(p, location, NULL, "'%s' is for %s only", row->name,
			row->is_for_entry ? "entries" : "functions that are called");
	else if (count < row->least || count > row->most)
		parse_error(p, location, NULL, "expected %s",
			row->most == 3           ? "one to three numbers"
				: row->most == 1 ? "one number"
						 : "no number");
	else {
		set_flags(p->function, limit);
		if (row->most)
			set_numbers(p, location, limit, values, count);
	}
}

/* Directives that exclude or need each other. */
static void check_limits(struct ptx_parser *p, const struct ptx_function *f)
{
	if (f->maxntid[0] && f->reqntid[0])
		parse_error(p, f->location, NULL, "'.maxntid' and '.reqntid' exclude each other");
	if (f->reqnctapercluster[0] && f->maxclusterrank)
		parse_error(p, f->location, NULL,
			"'.reqnctapercluster' and '.maxclusterrank' exclude each other");
	if (f->blocks_are_clusters && (!f->reqntid[0] || !f->reqnctapercluster[0]))
		parse_error(p, f->location, NULL,
			"'.blocksareclusters' needs '.reqntid' and '.reqnctapercluster'");
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

/* What comes later repeats the linkage or leaves it out; what is .extern is defined elsewhere. */
static bool suits_linkage(const struct ptx_function *before, const struct ptx_function *f)
{
	if (before->linkage == PTX_EXTERN || f->linkage == PTX_EXTERN)
		return before->linkage == f->linkage && !f->has_body;
	return f->linkage == before->linkage || f->linkage == PTX_NO_LINKAGE;
}

/* Keeps one function of each name: the definition, or else the first declaration. */
static void merge_functions(struct ptx_parser *p, struct ptx_function *f, struct ptx_name *name)
{
	struct ptx_function *before = name->function;

	note_declared(name, f->location);

	if (before && before->has_body) {
		parse_error(p, f->location, NULL, "'%.200s' is already defined on line %u", f->name,
			before->location.line);
		return;
	}
	if (before && !is_same_signature(before, f))
		parse_error(p, f->location, NULL,
			"'%.200s' does not agree with its declaration on line %u (%u parameters)", f->name,
			before->location.line, count_params(before->params));
	else if (before && !suits_linkage(before, f))
		parse_error(p, f->location, NULL,
			"'%.200s' has not the linkage of its declaration on line %u", f->name,
			before->location.line);
	if (before && !f->has_body)
		return;
	if (before && f->linkage == PTX_NO_LINKAGE)
		f->linkage = before->linkage;
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
	f->last_line = p->line;
	if (f->is_entry && f->returns)
		parse_error(p, f->location, NULL, "an entry returns nothing");
	check_limits(p, f);
	if (f->linkage == PTX_EXTERN && has_body)
		parse_error(
			p, f->location, NULL, "'%.200s' is .extern and has a body", f->name ? f->name : "");
	if (f->is_entry && !has_body)
		needs_version(p, f->location, "an entry without a body", 30);
	close_function(p);
	if (!name)
		return;
	if (name->variables)
		parse_error(p, f->location, NULL, "'%.200s' is already a variable", f->name);
	merge_functions(p, f, name);
}

/* A body whose head could not be read: looked at for its syntax only. */
void orphan_begin(struct ptx_parser *p, struct ptx_location location)
{
	function_begin(p, location, PTX_NO_LINKAGE, false);
	p->is_quiet = true;
}

void orphan_end(struct ptx_parser *p)
{
	close_function(p);
	p->is_quiet = false;
}

/* .callprototype (ret) _ (params): a function type, kept with the label in front of it. */
void prototype_begin(struct ptx_parser *p, struct ptx_location location)
{
	p->enclosing = p->function;
	p->enclosing_variables_end = p->variables_end;
	p->function = arena_new_of(p->arena, struct ptx_function);
	p->function->location = location;
	p->variables_end = &p->function->variables;
	needs(p, location, ".callprototype", 21, 20);
	scope_open(p, location);
}

void prototype_end(struct ptx_parser *p, struct ptx_location location)
{
	struct ptx_function *prototype = p->function;

	scope_close(p);
	p->function = p->enclosing;
	p->variables_end = p->enclosing_variables_end;
	p->enclosing = NULL;
	if (p->last_label && !p->last_label->targets && !p->last_label->prototype)
		p->last_label->prototype = prototype;
	else
		parse_error(p, location, "P: .callprototype (.param .b32 _) _ (.param .b32 _);",
			"a prototype needs a label in front");
}

void module_begin(struct ptx_parser *p)
{
	p->variables_end = &p->module->variables;
	p->module_remarks_end = &p->module->remarks;
	scope_open(p, (struct ptx_location){ 1, 1 });
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
