/* frontend/lower/layout.c -- where variables lie: parameters in their block, shared and local ones of an
 * entry, and the image's symbols (.global and .const) with their initial data. */
#include "frontend/lower/lower.h"
#include "frontend/tables/special.h"

#include <string.h>

/* Bytes at most; what lies below can be counted in 32 bits, whatever is added for alignment. */
#define MOST_PARAMS      32764u /* as on the chips */
#define MOST_SHARED      49152u /* that a kernel declares with sizes, on all chips since sm_20 */
#define MOST_SHARED_SM10 16384u
#define MOST_INITIALISED (UINT64_C(1) << 30) /* of all symbols together */

static uint64_t align_up(uint64_t offset, uint64_t align)
{
	return align ? (offset + align - 1) / align * align : offset;
}

static void refuse_bytes(struct lower *l, uint64_t bytes, uint64_t most, const char *what)
{
	l->is_refused = false;
	if (bytes > most)
		lower_refuse(l, &l->function->location,
			"'%s' has %llu bytes of %s: at most %llu can be executed", l->function->name,
			(unsigned long long)bytes, what, (unsigned long long)most);
}

void layout_params(struct lower *l)
{
	struct ptx_kernel *k = l->kernel;
	uint64_t offset = 0;

	for (const struct ptx_var *v = l->function->params; v; v = v->next)
		k->param_count++;
	k->params = arena_alloc(l->arena, k->param_count * sizeof *k->params);
	k->param_count = 0;
	for (struct ptx_var *v = l->function->params; v; v = v->next) {
		offset = align_up(offset, v->align);
		v->offset = offset;
		v->user = k;
		k->params[k->param_count++] = (struct ptx_param){ v->name, (uint32_t)offset,
			(uint32_t)v->bytes, (uint32_t)v->align, v->type };
		offset += v->bytes;
	}
	refuse_bytes(l, offset, MOST_PARAMS, "parameters");
	k->param_bytes = (uint32_t)offset;
}

/* Marks the module's shared variables that an operand names: their `user` becomes the kernel. Notes, too,
 * whether the system's part of shared memory is asked for. */
static void mark_operand(struct lower *l, const struct ptx_operand *o)
{
	if (o->kind == PTX_OP_SYMBOL && o->variable && o->variable->space == PTX_SHARED) {
		o->variable->user = l->kernel;
		if (o->variable->definition)
			o->variable->definition->user = l->kernel;
	}
	if (o->kind == PTX_OP_VALUE && special_is_reserved_shared(o->name))
		l->reserves_shared = true;
	if (o->kind == PTX_OP_ADDRESS && o->base)
		mark_operand(l, o->base);
	for (uint32_t i = 0; i < o->element_count; i++)
		mark_operand(l, &o->elements[i]);
}

/* Whether it stands for another one, of this module or another. */
static bool is_reference(const struct ptx_var *v)
{
	return v->definition && v->definition != v;
}

static bool is_dynamic(const struct ptx_var *v)
{
	return v->bytes == 0 && !is_reference(v);
}

static void variable_location(uint64_t *offset, struct ptx_var *v)
{
	v->offset = align_up(*offset, v->align);
	*offset = v->offset + v->bytes;
}

/* Static shared variables one after the other: the modules' that the kernel uses, then those of its
 * functions. */
static uint64_t layout_static(struct lower *l)
{
	uint64_t shared = l->reserves_shared ? RESERVED_SHARED_BYTES : 0;

	for (size_t m = 0; m < l->program->module_count; m++)
		for (struct ptx_var *v = l->program->modules[m]->variables; v; v = v->next)
			if (v->space == PTX_SHARED && v->user == l->kernel && !is_reference(v) &&
				!is_dynamic(v))
				variable_location(&shared, v);
	for (size_t m = 0; m < l->program->module_count; m++)
		for (struct ptx_var *v = l->program->modules[m]->variables; v; v = v->next)
			if (v->space == PTX_SHARED && is_reference(v))
				v->offset = v->definition->offset;
	for (uint32_t u = 0; u < l->unit_count; u++)
		for (struct ptx_var *v = l->units[u].function->variables; v; v = v->next)
			if (v->space == PTX_SHARED && !is_dynamic(v))
				variable_location(&shared, v);
	return shared;
}

static uint64_t dynamic_align(const struct ptx_var *list, const struct ptx_kernel *kernel, uint64_t align)
{
	for (const struct ptx_var *v = list; v; v = v->next)
		if (v->space == PTX_SHARED && is_dynamic(v) && (!kernel || v->user == kernel) &&
			v->align > align)
			align = v->align;
	return align;
}

static void place_dynamic(struct ptx_var *list, uint64_t offset)
{
	for (struct ptx_var *v = list; v; v = v->next)
		if (v->space == PTX_SHARED && is_dynamic(v))
			v->offset = offset;
}

static void mark_body(struct lower *l, const struct ptx_function *f)
{
	for (uint32_t i = 0; i < f->insn_count; i++)
		for (uint32_t o = 0; o < f->insns[i].operand_count; o++)
			mark_operand(l, &f->insns[i].operands[o]);
}

void layout_shared(struct lower *l)
{
	const struct program *p = l->program;
	struct ptx_kernel *k = l->kernel;
	uint64_t shared, align = 0;

	l->reserves_shared = false;
	for (uint32_t u = 0; u < l->unit_count; u++)
		mark_body(l, l->units[u].function);
	shared = layout_static(l);
	for (size_t m = 0; m < p->module_count; m++)
		align = dynamic_align(p->modules[m]->variables, k, align);
	for (uint32_t u = 0; u < l->unit_count; u++)
		align = dynamic_align(l->units[u].function->variables, NULL, align);
	for (size_t m = 0; m < p->module_count; m++)
		place_dynamic(p->modules[m]->variables, align_up(shared, align));
	for (uint32_t u = 0; u < l->unit_count; u++)
		place_dynamic(l->units[u].function->variables, align_up(shared, align));
	refuse_bytes(l, shared, l->module->sm < 20 ? MOST_SHARED_SM10 : MOST_SHARED, "shared memory");
	k->shared_bytes = (uint32_t)shared;
	k->dynamic_align = (uint32_t)align;
}

/* A symbol's initial data while it is being filled in. */
struct filler {
	struct lower *l;
	const struct ptx_var *variable;
	uint8_t *data;
	unsigned bits; /* of an element */
	struct ptx_init_reloc *relocs;
	uint32_t reloc_count;
};

uint32_t symbol_index(const struct ptx_var *v)
{
	return (uint32_t)(uintptr_t)v->user;
}

static struct ptx_init_reloc *new_reloc(struct filler *f)
{
	f->relocs = arena_grow(f->l->arena, f->relocs, f->reloc_count, sizeof *f->relocs);
	return &f->relocs[f->reloc_count++];
}

static bool fits_variable(struct filler *f, const struct ptx_init *init, uint64_t offset, uint64_t bytes)
{
	if (offset + bytes <= f->variable->bytes)
		return true;
	f->l->is_refused = false;
	lower_refuse(f->l, &init->location, "more values than '%s' has room for (%llu bytes)",
		f->variable->name, (unsigned long long)f->variable->bytes);
	return false;
}

/* A function's address is known already. */
static void fill_code_address(struct filler *f, const struct ptx_init *init, uint64_t offset, uint32_t bytes)
{
	const struct ptx_function *definition = definition_of(f->l, init->function);
	uint64_t address;

	if (!definition) {
		f->l->is_refused = false;
		lower_refuse(
			f->l, &init->location, "'%s' is declared, but no module defines it", init->symbol);
		return;
	}
	address = code_address(f->l, definition) + (uint64_t)init->addend;
	if (init->mask)
		address = (address & init->mask) >> __builtin_ctzll(init->mask);
	memcpy(f->data + offset, &address, bytes);
}

static void fill_address(struct filler *f, const struct ptx_init *init, uint64_t offset)
{
	const struct ptx_var *to = init->variable;
	uint32_t bytes = init->mask ? 1 : f->bits / 8;

	if (init->function) {
		fill_code_address(f, init, offset, bytes);
		return;
	}
	if (!to || (to->space != PTX_GLOBAL && to->space != PTX_CONST)) {
		f->l->is_refused = false;
		lower_refuse(f->l, &init->location, "the address of '%s' cannot stand in an initialiser yet",
			init->symbol);
		return;
	}
	*new_reloc(f) = (struct ptx_init_reloc){ .offset = offset,
		.symbol = symbol_index(to),
		.addend = init->addend,
		.bytes = bytes,
		.shift = init->mask ? (uint32_t)__builtin_ctzll(init->mask) : 0 };
}

static void fill_value(struct filler *f, const struct ptx_init *init, uint64_t offset)
{
	uint64_t bits = value_bits(&init->value, f->bits, ptx_type_is_float(f->variable->type));

	if (!fits_variable(f, init, offset, f->bits / 8))
		return;
	if (init->symbol) {
		fill_address(f, init, offset);
		return;
	}
	if (init->mask)
		bits = (init->value.bits & init->mask) >> __builtin_ctzll(init->mask);
	memcpy(f->data + offset, &bits, f->bits / 8);
}

/* Bytes of one element of a list at a level of braces; vector elements are one level more. */
static uint64_t bytes_at(const struct filler *f, uint32_t level)
{
	const struct ptx_var *v = f->variable;
	uint64_t bytes = f->bits / 8;

	if (level < v->dimensions)
		bytes *= v->vector;
	for (uint32_t d = level + 1; d < v->dimensions; d++)
		bytes *= v->dimension[d];
	return bytes;
}

static void fill_list(struct filler *f, const struct ptx_init *list, uint32_t level, uint64_t offset)
{
	for (const struct ptx_init *init = list; init; init = init->next) {
		if (init->is_list) {
			fill_list(f, init->list, level + 1, offset);
			offset += bytes_at(f, level);
		} else {
			fill_value(f, init, offset);
			offset += f->bits / 8;
		}
	}
}

static bool needs_symbol(const struct ptx_var *v)
{
	return ((v->space == PTX_GLOBAL || v->space == PTX_CONST) && ptx_type_bits(v->type) >= 8) ||
		v->space == PTX_TEX;
}

/* Whether the initial data of all symbols do not grow too large with this one. */
static bool has_data_room(struct lower *l, const struct ptx_var *v)
{
	l->initialised += v->bytes;
	if (l->initialised <= MOST_INITIALISED)
		return true;
	l->is_refused = false;
	lower_refuse(l, &v->location, "with '%s' more than %llu bytes of variables are initialised", v->name,
		(unsigned long long)MOST_INITIALISED);
	return false;
}

/* Scheduled code loads constants two words at a time (optimise/memory/load_vectorisation.c), and its .const
 * variables lie so that it can. */
static uint64_t symbol_align(const struct lower *l, const struct ptx_var *v)
{
	bool is_paired = v->space == PTX_CONST && v->linkage != PTX_EXTERN && v->bytes >= CONSTANT_PAIR &&
		l->lowering->timed_code == PTX_SCHEDULED;

	return is_paired && v->align < CONSTANT_PAIR ? CONSTANT_PAIR : v->align;
}

static void fill_symbol(struct lower *l, struct ptx_var *v)
{
	struct ptx_symbol *s = &l->image->symbols[symbol_index(v)];
	struct filler f = { .l = l, .variable = v, .bits = ptx_type_bits(v->type) };

	if (is_reference(v))
		return;
	*s = (struct ptx_symbol){ .name = v->name,
		.space = v->space,
		.size = v->bytes,
		.align = symbol_align(l, v),
		.type = v->space == PTX_TEX ? PTX_TEXREF : v->type,
		.sampler = reference_sampler(v),
		.is_extern = v->linkage == PTX_EXTERN,
		.is_managed = v->is_managed };
	if (!v->init || !has_data_room(l, v))
		return;
	f.data = arena_alloc(l->arena, v->bytes);
	if (v->init->is_list)
		fill_list(&f, v->init->list, 0, 0);
	else
		fill_value(&f, v->init, 0);
	s->data = f.data;
	s->relocs = f.relocs;
	s->reloc_count = f.reloc_count;
}

/* Applies a step to every variable that becomes a symbol: the module's, then those that functions declare. */
static void each_symbol(struct lower *l, void (*step)(struct lower *l, struct ptx_var *v))
{
	for (size_t m = 0; m < l->program->module_count; m++) {
		l->module = l->program->modules[m];
		for (struct ptx_var *v = l->module->variables; v; v = v->next)
			if (needs_symbol(v))
				step(l, v);
		for (struct ptx_function *f = l->module->functions; f; f = f->next)
			for (struct ptx_var *v = f->variables; v; v = v->next)
				if (needs_symbol(v))
					step(l, v);
	}
}

static void number_symbol(struct lower *l, struct ptx_var *v)
{
	if (!is_reference(v))
		v->user = (void *)(uintptr_t)l->image->symbol_count++;
}

static void number_reference(struct lower *l, struct ptx_var *v)
{
	if (is_reference(v))
		v->user = v->definition->user;
}

void image_symbols(struct lower *l)
{
	each_symbol(l, number_symbol);
	each_symbol(l, number_reference);
	l->image->symbols = arena_alloc(l->arena, l->image->symbol_count * sizeof *l->image->symbols);
	each_symbol(l, fill_symbol);
}
