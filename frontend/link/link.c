/* frontend/link/link.c -- several modules as one program: which definition a name stands for.
 *
 * Names without a linkage directive are their module's own. Of the others a strong definition (.visible) wins
 * over weak ones, an earlier weak one over later ones, the largest .common over smaller ones; declarations
 * (.extern, or a function without a body) stand for what wins. Two strong definitions, and types that
 * disagree, are errors. */
#include "frontend/lower/lower.h"

#include <string.h>

enum rank { DECLARED, COMMON, WEAK, STRONG };

/* What a name stands for so far. */
struct entry {
	const char *name;
	struct ptx_function *function; /* or */
	struct ptx_var *variable;
	struct ptx_module *module;
	enum rank rank;
};

struct linker {
	struct lower *l;
	struct entry *entries;
	uint32_t *slots; /* open-addressing hash: entry + 1 */
	uint32_t count, slot_count;
};

__attribute__((format(printf, 4, 5))) static void link_error(const struct linker *k,
	const struct ptx_module *m, const struct ptx_location *location, const char *format, ...)
{
	struct diag_location where = { m->file, m->text, m->text_size, location->line, location->column };
	va_list arguments;

	va_start(arguments, format);
	diag_addv(k->l->diags, DIAG_ERROR, &where, NULL, format, arguments);
	va_end(arguments);
}

static uint32_t hash_symbol(const char *name)
{
	uint32_t h = 2166136261u;

	for (; *name; name++)
		h = (h ^ (uint8_t)*name) * 16777619u;
	return h;
}

/* The slot of a name, or the empty one where it would go. */
static uint32_t *slot_of_symbol(const struct linker *k, const char *name)
{
	uint32_t slot = hash_symbol(name) & (k->slot_count - 1);

	while (k->slots[slot] && strcmp(k->entries[k->slots[slot] - 1].name, name) != 0)
		slot = (slot + 1) & (k->slot_count - 1);
	return &k->slots[slot];
}

static struct entry *find_symbol(const struct linker *k, const char *name)
{
	uint32_t slot = *slot_of_symbol(k, name);

	return slot ? &k->entries[slot - 1] : NULL;
}

/* --- what wins --- */

static const struct ptx_location *symbol_location(const struct entry *e)
{
	return e->function ? &e->function->location : &e->variable->location;
}

static bool is_same_list(const struct ptx_var *a, const struct ptx_var *b)
{
	for (; a && b; a = a->next, b = b->next)
		if (a->bytes != b->bytes || a->space != b->space)
			return false;
	return !a && !b;
}

/* An extern array may be left without a size, or be declared as bytes. */
static bool is_same_variable(const struct ptx_var *a, const struct ptx_var *b)
{
	bool is_common = a->linkage == PTX_COMMON && b->linkage == PTX_COMMON;

	return a->space == b->space && (a->bytes == b->bytes || !a->bytes || !b->bytes || is_common);
}

static bool agrees(const struct entry *a, const struct entry *b)
{
	if (!a->function != !b->function)
		return false;
	if (a->variable)
		return is_same_variable(a->variable, b->variable);
	return a->function->is_entry == b->function->is_entry &&
		is_same_list(a->function->params, b->function->params) &&
		is_same_list(a->function->returns, b->function->returns);
}

static bool wins(const struct entry *e, const struct entry *before)
{
	if (e->rank == COMMON && before->rank == COMMON)
		return e->variable->bytes > before->variable->bytes;
	return e->rank > before->rank;
}

static void consider_symbol(struct linker *k, const struct entry *e)
{
	uint32_t *slot = slot_of_symbol(k, e->name);
	struct entry *before;

	if (!*slot) {
		k->entries[k->count++] = *e;
		*slot = k->count;
		return;
	}
	before = &k->entries[*slot - 1];
	if (!agrees(e, before))
		link_error(k, e->module, symbol_location(e), "'%s' does not agree with %s:%u", e->name,
			before->module->file, symbol_location(before)->line);
	else if (e->rank == STRONG && before->rank == STRONG)
		link_error(k, e->module, symbol_location(e), "'%s' is already defined in %s:%u", e->name,
			before->module->file, symbol_location(before)->line);
	else if (wins(e, before))
		*before = *e;
}

/* --- what takes part --- */

static const struct ptx_function *body_of(const struct ptx_function *f)
{
	return f->aliasee ? f->aliasee : f;
}

static bool is_own(const struct ptx_function *f)
{
	return f->linkage == PTX_NO_LINKAGE && f->has_body && !f->is_entry;
}

static void consider_functions(struct linker *k, struct ptx_module *m)
{
	for (struct ptx_function *f = m->functions; f; f = f->next)
		if (!is_own(f))
			consider_symbol(k,
				&(struct entry){ .name = f->name,
					.function = f,
					.module = m,
					.rank = !body_of(f)->has_body    ? DECLARED
						: f->linkage == PTX_WEAK ? WEAK
									 : STRONG });
}

static bool is_linked(const struct ptx_var *v)
{
	return v->linkage != PTX_NO_LINKAGE && v->space != PTX_NO_SPACE && v->space != PTX_REG;
}

static void consider_variables(struct linker *k, struct ptx_module *m)
{
	static const uint8_t ranks[] = {
		[PTX_EXTERN] = DECLARED, [PTX_COMMON] = COMMON, [PTX_WEAK] = WEAK, [PTX_VISIBLE] = STRONG
	};

	for (struct ptx_var *v = m->variables; v; v = v->next)
		if (is_linked(v) && v->bytes)
			consider_symbol(k,
				&(struct entry){ .name = v->name,
					.variable = v,
					.module = m,
					.rank = (enum rank)ranks[v->linkage] });
}

/* --- the outcome --- */

/* `.extern .global .u32 x;` and then `.global .u32 x = 1;`: the module's own. */
static struct ptx_var *own_definition(const struct ptx_module *m, const struct ptx_var *declared)
{
	for (struct ptx_var *v = m->variables; v; v = v->next)
		if (v->name == declared->name && v->linkage == PTX_NO_LINKAGE && v->space == declared->space)
			return v;
	return NULL;
}

static void sync_variables(const struct linker *k, const struct ptx_module *m)
{
	for (struct ptx_var *v = m->variables; v; v = v->next) {
		const struct entry *e = is_linked(v) ? find_symbol(k, v->name) : NULL;

		v->definition = v;
		if (e && e->variable)
			v->definition = e->variable;
		if (v->linkage == PTX_EXTERN && (!e || e->rank == DECLARED) && own_definition(m, v))
			v->definition = own_definition(m, v);
	}
}

static void sync_functions(const struct linker *k, const struct ptx_module *m)
{
	for (struct ptx_function *f = m->functions; f; f = f->next) {
		const struct entry *e = is_own(f) ? NULL : find_symbol(k, f->name);
		const struct ptx_function *chosen = body_of(e && e->function ? e->function : f);

		f->definition = chosen->has_body ? (struct ptx_function *)chosen : NULL;
	}
}

static void make_table(struct linker *k)
{
	const struct program *p = k->l->program;
	uint32_t names = 0;

	for (size_t m = 0; m < p->module_count; m++) {
		for (const struct ptx_function *f = p->modules[m]->functions; f; f = f->next)
			names++;
		for (const struct ptx_var *v = p->modules[m]->variables; v; v = v->next)
			names++;
	}
	for (k->slot_count = 16; k->slot_count < 2 * names; k->slot_count *= 2)
		;
	k->entries = arena_alloc(k->l->scratch, names * sizeof *k->entries);
	k->slots = arena_alloc(k->l->scratch, k->slot_count * sizeof *k->slots);
}

void link_program(struct lower *l)
{
	const struct program *p = l->program;
	struct linker k = { .l = l };

	l->scratch = arena_new();
	make_table(&k);
	for (size_t m = 0; m < p->module_count && !diag_is_full(l->diags); m++) {
		consider_functions(&k, p->modules[m]);
		consider_variables(&k, p->modules[m]);
	}
	for (size_t m = 0; m < p->module_count; m++) {
		sync_functions(&k, p->modules[m]);
		sync_variables(&k, p->modules[m]);
	}
	arena_free(l->scratch);
}
