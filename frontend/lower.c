/* frontend/lower.c -- from a checked module to an image: each entry's instructions, one after the other, by a
 * table of what lowers which opcode. */
#include "frontend/lower.h"

#include <stdio.h>
#include <string.h>

static lower_function lower_table;

/* What lowers an opcode; NULL: it cannot be executed (yet). */
static lower_function *const handlers[PTX_OPCODE_COUNT] = {
	[PTX_ADD] = lower_add_sub,
	[PTX_SUB] = lower_add_sub,
	[PTX_MUL] = lower_mul,
	[PTX_MAD] = lower_mad,
	[PTX_MUL24] = lower_mul24,
	[PTX_MAD24] = lower_mul24,
	[PTX_ADDC] = lower_carry,
	[PTX_SUBC] = lower_carry,
	[PTX_MADC] = lower_carry,
	[PTX_SAD] = lower_table,
	[PTX_DIV] = lower_div,
	[PTX_REM] = lower_table,
	[PTX_ABS] = lower_table,
	[PTX_NEG] = lower_table,
	[PTX_MIN] = lower_table,
	[PTX_MAX] = lower_table,
	[PTX_POPC] = lower_table,
	[PTX_CLZ] = lower_table,
	[PTX_BFIND] = lower_bfind,
	[PTX_BREV] = lower_table,
	[PTX_BFE] = lower_table,
	[PTX_BFI] = lower_table,
	[PTX_DP4A] = lower_dp,
	[PTX_DP2A] = lower_dp,
	[PTX_TESTP] = lower_testp,
	[PTX_COPYSIGN] = lower_table,
	[PTX_FMA] = lower_table,
	[PTX_RCP] = lower_float,
	[PTX_SQRT] = lower_float,
	[PTX_RSQRT] = lower_float,
	[PTX_SIN] = lower_float,
	[PTX_COS] = lower_float,
	[PTX_LG2] = lower_float,
	[PTX_EX2] = lower_float,
	[PTX_TANH] = lower_float,
	[PTX_SET] = lower_set,
	[PTX_SETP] = lower_setp,
	[PTX_SELP] = lower_selp,
	[PTX_SLCT] = lower_slct,
	[PTX_AND] = lower_logic,
	[PTX_OR] = lower_logic,
	[PTX_XOR] = lower_logic,
	[PTX_NOT] = lower_logic,
	[PTX_CNOT] = lower_table,
	[PTX_LOP3] = lower_lop3,
	[PTX_SHF] = lower_shf,
	[PTX_SHL] = lower_table,
	[PTX_SHR] = lower_table,
	[PTX_PRMT] = lower_prmt,
	[PTX_MOV] = lower_mov,
	[PTX_CVT] = lower_cvt,
	[PTX_CVTA] = lower_cvta,
	[PTX_ISSPACEP] = lower_isspacep,
	[PTX_LD] = lower_ld,
	[PTX_LDU] = lower_ld,
	[PTX_ST] = lower_st,
	[PTX_ATOM] = lower_atom,
	[PTX_RED] = lower_atom,
	[PTX_PREFETCH] = lower_prefetch,
	[PTX_PREFETCHU] = lower_prefetch,
	[PTX_BRA] = lower_bra,
	[PTX_RET] = lower_exit,
	[PTX_EXIT] = lower_exit,
	[PTX_TRAP] = lower_trap,
	[PTX_NANOSLEEP] = lower_nop,
	[PTX_PMEVENT] = lower_nop,
	[PTX_BAR] = lower_bar,
	[PTX_BARRIER] = lower_bar,
	[PTX_MEMBAR] = lower_membar,
	[PTX_FENCE] = lower_membar,
	[PTX_SHFL] = lower_shfl,
	[PTX_VOTE] = lower_vote,
	[PTX_ACTIVEMASK] = lower_activemask,
};

static void lower_table(struct lower *l)
{
	if (!lower_arithmetic(l))
		lower_refuse_form(l);
}

void lower_refuse(struct lower *l, const struct ptx_place *place, const char *format, ...)
{
	struct diag_place where = { l->module->file, l->module->text, l->module->text_size, place->line,
		place->column };
	va_list arguments;

	if (l->is_refused)
		return;
	l->is_refused = true;
	va_start(arguments, format);
	diag_addv(l->diags, DIAG_ERROR, &where, NULL, format, arguments);
	va_end(arguments);
}

/* The instruction with its modifiers: opcode.modifiers.space.vector.types. */
static void spell(const struct ptx_insn *insn, char *text, size_t size)
{
	size_t used = (size_t)snprintf(text, size, "%s", insn->opcode_name);

	for (uint32_t i = 0; i < insn->modifier_count && used < size; i++)
		used += (size_t)snprintf(
			text + used, size - used, ".%s", ptx_modifier_name(insn->modifiers[i]));
	if (insn->space != PTX_NO_SPACE && used < size)
		used += (size_t)snprintf(text + used, size - used, ".%s", ptx_space_name(insn->space));
	if (insn->vector > 1 && used < size)
		used += (size_t)snprintf(text + used, size - used, ".v%u", insn->vector);
	for (uint32_t i = 0; i < insn->type_count && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, ".%s", ptx_type_name(insn->types[i]));
}

void lower_refuse_form(struct lower *l)
{
	char text[256];

	spell(l->insn, text, sizeof text);
	lower_refuse(l, &l->insn->place, "'%s' is not executed yet", text);
}

bool has_modifier(struct lower *l, unsigned modifier)
{
	for (uint32_t i = 0; i < l->insn->modifier_count; i++)
		if (l->insn->modifiers[i] == modifier) {
			l->used_modifiers |= 1u << i;
			return true;
		}
	return false;
}

void allow_modifiers(struct lower *l, const uint16_t *list, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		has_modifier(l, list[i]);
}

ref new_vreg(struct lower *l, unsigned bits)
{
	if (l->vreg_count == l->vreg_capacity) {
		uint32_t capacity = l->vreg_capacity ? 2 * l->vreg_capacity : 256;
		struct vreg *vregs = arena_alloc(l->scratch, capacity * sizeof *vregs);

		if (l->vreg_count)
			memcpy(vregs, l->vregs, l->vreg_count * sizeof *vregs);
		l->vregs = vregs;
		l->vreg_capacity = capacity;
	}
	l->vregs[l->vreg_count].bits = (uint8_t)bits;
	return l->vreg_count++;
}

static struct draft *new_draft(struct lower *l)
{
	if (l->draft_count == l->draft_capacity) {
		uint32_t capacity = l->draft_capacity ? 2 * l->draft_capacity : 256;
		struct draft *drafts = arena_alloc(l->scratch, capacity * sizeof *drafts);

		if (l->draft_count)
			memcpy(drafts, l->drafts, l->draft_count * sizeof *drafts);
		l->drafts = drafts;
		l->draft_capacity = capacity;
	}
	return &l->drafts[l->draft_count++];
}

struct draft *emit(struct lower *l, unsigned code)
{
	bool has_guard = l->insn && l->insn->has_guard, ignored;
	ref guard = has_guard ? predicate_source(l, &l->insn->guard, &ignored) : REF_NONE;
	struct draft *d = new_draft(l);

	*d = (struct draft){ .uop = { .code = (uint16_t)code,
				     .unit = (uint8_t)uop_unit_of(code),
				     .latency_class = (uint8_t)uop_class_of(code),
				     .line = l->insn ? l->insn->place.line : l->function->place.line },
		.guard = guard };
	for (int i = 0; i < 4; i++)
		d->dst[i] = d->src[i] = REF_NONE;
	if (has_guard)
		d->uop.flags = UOP_GUARDED | (l->insn->guard_negated ? UOP_GUARD_NEGATED : 0);
	return d;
}

ref *add_extras(struct lower *l, struct draft *d, uint32_t sources, uint32_t dests)
{
	d->extra = arena_alloc(l->scratch, (sources + dests) * sizeof *d->extra);
	for (uint32_t i = 0; i < sources + dests; i++)
		d->extra[i] = REF_NONE;
	d->uop.extra_sources = (uint8_t)sources;
	d->uop.extra_dests = (uint8_t)dests;
	return d->extra;
}

static void lower_insn(struct lower *l, const struct ptx_insn *insn)
{
	lower_function *handler = handlers[insn->opcode];

	l->insn = insn;
	l->used_modifiers = 0;
	l->is_refused = false;
	if (handler)
		handler(l);
	else
		lower_refuse_form(l);
	if (!l->is_refused && l->used_modifiers != (1u << insn->modifier_count) - 1)
		lower_refuse_form(l);
}

/* Gives every register of the function its virtual registers: var->user holds the first one's number. */
static void number_registers(struct lower *l)
{
	for (struct ptx_var *v = l->function->variables; v; v = v->next) {
		uint64_t count = (uint64_t)(v->range ? v->range : 1) * v->vector;

		if (v->space != PTX_REG)
			continue;
		v->user = (void *)(uintptr_t)l->vreg_count;
		for (uint64_t i = 0; i < count; i++)
			new_vreg(l, v->type == PTX_PRED ? 0 : ptx_type_bits(v->type));
	}
}

static bool is_end_needed(const struct lower *l)
{
	const struct draft *last = l->draft_count ? &l->drafts[l->draft_count - 1] : NULL;

	for (const struct ptx_label *label = l->function->labels; label; label = label->next)
		if (label->target == l->function->insn_count)
			return true;
	return !last || last->guard != REF_NONE || (last->uop.code != UOP_EXIT && last->uop.code != UOP_BRA);
}

static void lower_body(struct lower *l)
{
	const struct ptx_function *f = l->function;

	l->first_draft = arena_alloc(l->scratch, (f->insn_count + 1) * sizeof *l->first_draft);
	for (uint32_t i = 0; i < f->insn_count && !diag_is_full(l->diags); i++) {
		l->first_draft[i] = l->draft_count;
		lower_insn(l, &f->insns[i]);
	}
	l->insn = NULL;
	l->first_draft[f->insn_count] = l->draft_count;
	if (is_end_needed(l))
		emit(l, UOP_EXIT);
}

static void describe(struct ptx_kernel *k, const struct ptx_function *f)
{
	k->name = f->name;
	k->maxnreg = f->maxnreg;
	k->minnctapersm = f->minnctapersm;
	for (int i = 0; i < 3; i++) {
		k->maxntid[i] = f->maxntid[i];
		k->reqntid[i] = f->reqntid[i];
	}
}

static void lower_entry(struct lower *l, const struct ptx_function *f, struct ptx_kernel *kernel)
{
	size_t errors = l->diags->errors;

	l->function = f;
	l->kernel = kernel;
	l->insn = NULL;
	l->scratch = arena_new();
	l->drafts = NULL;
	l->vregs = NULL;
	l->draft_count = l->draft_capacity = l->vreg_count = l->vreg_capacity = 0;
	l->carry = REF_NONE;
	l->bank = (struct bank){ .arena = l->scratch };
	kernel->module = l->module;
	kernel->image = l->image;
	describe(kernel, f);
	number_registers(l);
	layout_params(l);
	layout_memory(l);
	lower_body(l);
	if (l->diags->errors == errors)
		assemble(l);
	arena_free(l->scratch);
}

struct ptx_image *ptx_lower(struct ptx_module *module, struct diag_list *diags)
{
	return ptx_lower_profiled(module, false, diags);
}

struct ptx_image *ptx_lower_profiled(struct ptx_module *module, bool wants_profile, struct diag_list *diags)
{
	struct ptx_arena *arena = arena_new();
	struct ptx_image *image = arena_alloc(arena, sizeof *image);
	struct lower l = { .image = image, .module = module, .diags = diags, .arena = arena, .wants_profile = wants_profile };
	size_t errors = diags->errors;
	uint32_t count = 0;

	image->arena = arena;
	image->module = module;
	image_symbols(&l);
	for (const struct ptx_function *f = module->functions; f; f = f->next)
		count += f->is_entry && f->has_body;
	image->kernels = arena_alloc(arena, count * sizeof *image->kernels);
	for (const struct ptx_function *f = module->functions; f && !diag_is_full(diags); f = f->next)
		if (f->is_entry && f->has_body)
			lower_entry(&l, f, &image->kernels[image->kernel_count++]);
	if (diags->errors == errors)
		return image;
	ptx_image_free(image);
	return NULL;
}
