/* frontend/lower/lower.c -- from a checked module to an image: each entry's instructions, one after the
 * other, by a table of what lowers which opcode. */
#include "frontend/lower/lower.h"
#include "frontend/parse/form.h"

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
	[PTX_FNS] = lower_fns,
	[PTX_BREV] = lower_table,
	[PTX_BFE] = lower_table,
	[PTX_BFI] = lower_table,
	[PTX_BMSK] = lower_bmsk,
	[PTX_SZEXT] = lower_bmsk,
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
	[PTX_MAPA] = lower_mapa,
	[PTX_GETCTARANK] = lower_getctarank,
	[PTX_LD] = lower_ld,
	[PTX_LDU] = lower_ld,
	[PTX_ST] = lower_st,
	[PTX_ATOM] = lower_atom,
	[PTX_RED] = lower_atom,
	[PTX_PREFETCH] = lower_prefetch,
	[PTX_PREFETCHU] = lower_prefetch,
	[PTX_APPLYPRIORITY] = lower_cache_line,
	[PTX_DISCARD] = lower_cache_line,
	[PTX_CREATEPOLICY] = lower_createpolicy,
	[PTX_TEX_] = lower_tex,
	[PTX_TLD4] = lower_tex,
	[PTX_TXQ] = lower_query,
	[PTX_SULD] = lower_surface,
	[PTX_SUST] = lower_surface,
	[PTX_SURED] = lower_surface,
	[PTX_SUQ] = lower_query,
	[PTX_ISTYPEP] = lower_istypep,
	[PTX_BRA] = lower_bra,
	[PTX_BRX] = lower_brx,
	[PTX_ALLOCA] = lower_alloca,
	[PTX_STACKSAVE] = lower_stack,
	[PTX_STACKRESTORE] = lower_stack,
	[PTX_CALL] = lower_call,
	[PTX_RET] = lower_ret,
	[PTX_EXIT] = lower_exit,
	[PTX_TRAP] = lower_trap,
	[PTX_BRKPT] = lower_brkpt,
	[PTX_NANOSLEEP] = lower_nanosleep,
	[PTX_SETMAXNREG] = lower_setmaxnreg,
	[PTX_MULTIMEM] = lower_multimem,
	[PTX_GRIDDEPCONTROL] = lower_griddepcontrol,
	[PTX_CLUSTERLAUNCHCONTROL] = lower_launch_control,
	[PTX_PMEVENT] = lower_nop,
	[PTX_BAR] = lower_bar,
	[PTX_BARRIER] = lower_bar,
	[PTX_MEMBAR] = lower_membar,
	[PTX_FENCE] = lower_membar,
	[PTX_SHFL] = lower_shfl,
	[PTX_VOTE] = lower_vote,
	[PTX_ACTIVEMASK] = lower_activemask,
	[PTX_MATCH] = lower_match,
	[PTX_REDUX] = lower_redux,
	[PTX_ELECT] = lower_elect,
	[PTX_VADD] = lower_video,
	[PTX_VSUB] = lower_video,
	[PTX_VABSDIFF] = lower_video,
	[PTX_VMIN] = lower_video,
	[PTX_VMAX] = lower_video,
	[PTX_VSHL] = lower_video,
	[PTX_VSHR] = lower_video,
	[PTX_VMAD] = lower_video,
	[PTX_VSET] = lower_video,
	[PTX_VADD2] = lower_video,
	[PTX_VSUB2] = lower_video,
	[PTX_VAVRG2] = lower_video,
	[PTX_VABSDIFF2] = lower_video,
	[PTX_VMIN2] = lower_video,
	[PTX_VMAX2] = lower_video,
	[PTX_VSET2] = lower_video,
	[PTX_VADD4] = lower_video,
	[PTX_VSUB4] = lower_video,
	[PTX_VAVRG4] = lower_video,
	[PTX_VABSDIFF4] = lower_video,
	[PTX_VMIN4] = lower_video,
	[PTX_VMAX4] = lower_video,
	[PTX_VSET4] = lower_video,
	[PTX_CP] = lower_cp,
	[PTX_MBARRIER] = lower_mbarrier,
	[PTX_TENSORMAP] = lower_tensormap,
	[PTX_MMA] = lower_mma,
	[PTX_WMMA] = lower_wmma,
	[PTX_WGMMA] = lower_wgmma,
	[PTX_TCGEN05] = lower_tcgen05,
	[PTX_LDMATRIX] = lower_ldmatrix,
	[PTX_STMATRIX] = lower_stmatrix,
	[PTX_MOVMATRIX] = lower_movmatrix,
};

static void lower_table(struct lower *l)
{
	if (!lower_arithmetic(l))
		lower_refuse_form(l);
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
	l->vregs = arena_enlarge(l->scratch, l->vregs, l->vreg_count, &l->vreg_capacity, sizeof *l->vregs);
	l->vregs[l->vreg_count].bits = (uint8_t)bits;
	return l->vreg_count++;
}

static struct draft *new_draft(struct lower *l)
{
	l->drafts =
		arena_enlarge(l->scratch, l->drafts, l->draft_count, &l->draft_capacity, sizeof *l->drafts);
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
				     .line = l->insn ? l->insn->location.line : l->function->location.line },
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

static bool has_f64(const struct ptx_insn *insn)
{
	for (uint32_t i = 0; i < insn->type_count; i++)
		if (insn->types[i] == PTX_F64)
			return true;
	return false;
}

static void lower_insn(struct lower *l, const struct ptx_insn *insn)
{
	lower_function *handler = handlers[insn->opcode];

	l->insn = insn;
	l->used_modifiers = 0;
	l->is_refused = false;
	if (l->module->target_map_f64 && has_f64(insn))
		lower_refuse(l, &insn->location, "'%s': .f64 under map_f64_to_f32 is not executed",
			insn->form->spelling);
	else if (handler)
		handler(l);
	else
		lower_refuse_form(l);
	if (!l->is_refused && l->used_modifiers != (1u << insn->modifier_count) - 1)
		lower_refuse_form(l);
}

static void number_list(struct lower *l, struct ptx_var *list)
{
	for (struct ptx_var *v = list; v; v = v->next) {
		uint64_t count = (uint64_t)(v->range ? v->range : 1) * v->vector;

		if (v->space != PTX_REG)
			continue;
		v->user = (void *)(uintptr_t)l->vreg_count;
		for (uint64_t i = 0; i < count; i++)
			new_vreg(l, v->type == PTX_PRED ? 0 : ptx_type_bits(v->type));
	}
}

/* Gives every register of the function its virtual registers: var->user holds the first one's number. */
static void number_registers(struct lower *l)
{
	number_list(l, l->function->params);
	number_list(l, l->function->returns);
	number_list(l, l->function->variables);
	if (l->module->has_thread_variables)
		number_list(l, l->module->variables);
}

static bool is_end_needed(const struct lower *l)
{
	const struct draft *last = l->draft_count ? &l->drafts[l->draft_count - 1] : NULL;

	for (const struct ptx_label *label = l->function->labels; label; label = label->next)
		if (label->target == l->function->insn_count)
			return true;
	return !last || last->guard != REF_NONE ||
		(last->uop.code != UOP_EXIT && last->uop.code != UOP_BRA && last->uop.code != UOP_RET &&
			last->uop.code != UOP_BRX);
}

static void lower_body(struct lower *l)
{
	const struct ptx_function *f = l->function;

	l->first_draft = arena_alloc(l->scratch, (f->insn_count + 1) * sizeof *l->first_draft);
	load_formals(l);
	for (uint32_t i = 0; i < f->insn_count && !diag_is_full(l->diags); i++) {
		l->first_draft[i] = l->draft_count;
		if (l->module->has_thread_variables)
			load_thread_registers(l, &f->insns[i]);
		lower_insn(l, &f->insns[i]);
		if (l->module->has_thread_variables)
			store_thread_registers(l, &f->insns[i]);
	}
	l->insn = NULL;
	l->first_draft[f->insn_count] = l->draft_count;
	if (is_end_needed(l))
		emit_return(l);
}

static void lower_unit(struct lower *l, uint32_t unit)
{
	unit_load(l, unit);
	number_registers(l);
	layout_frame(l);
	l->is_refused = false;
	lower_body(l);
	if (l->units[unit].deepest > l->units[unit].frame)
		l->units[unit].frame = l->units[unit].deepest;
	unit_store(l);
}

static void describe_kernel(struct ptx_kernel *k, const struct ptx_function *f)
{
	k->name = f->name;
	k->maxnreg = f->maxnreg;
	k->minnctapersm = f->minnctapersm;
	k->maxclusterrank = f->maxclusterrank;
	k->is_explicit_cluster = f->is_explicit_cluster;
	k->blocks_are_clusters = f->blocks_are_clusters;
	for (int i = 0; i < 3; i++) {
		k->maxntid[i] = f->maxntid[i];
		k->reqntid[i] = f->reqntid[i];
		k->reqnctapercluster[i] = f->reqnctapercluster[i];
	}
}

static void lower_entry(struct lower *l, const struct ptx_function *f, struct ptx_kernel *kernel)
{
	size_t errors = l->diags->errors;

	l->kernel = kernel;
	l->scratch = arena_new();
	call_graph(l, f);
	unit_load(l, 0);
	l->bank = (struct bank){ .arena = l->scratch };
	kernel->module = l->units[0].module;
	kernel->image = l->image;
	kernel->address = code_address(l, f);
	describe_kernel(kernel, f);
	if (f->is_entry)
		layout_params(l);
	layout_shared(l);
	for (uint32_t u = 0; u < l->unit_count && !diag_is_full(l->diags); u++)
		lower_unit(l, u);
	if (l->diags->errors == errors && !kernel->refusal)
		assemble(l);
	arena_free(l->scratch);
	l->kernel = NULL;
}

/* Functions that no entry reaches are lowered for the sake of their errors alone. */
static void lower_unreached(struct lower *l)
{
	for (uint32_t i = 0; i < l->program->function_count && !diag_is_full(l->diags); i++) {
		const struct image_function *f = &l->program->functions[i];

		if (!f->is_lowered && !f->function->is_entry)
			lower_entry(l, f->function, arena_alloc(l->arena, sizeof(struct ptx_kernel)));
	}
}

static void lower_entries(struct lower *l)
{
	const struct program *p = l->program;
	uint32_t count = 0;

	for (uint32_t i = 0; i < p->function_count; i++)
		count += p->functions[i].function->is_entry;
	l->image->kernels = arena_alloc(l->arena, count * sizeof *l->image->kernels);
	for (uint32_t i = 0; i < p->function_count && !diag_is_full(l->diags); i++)
		if (p->functions[i].function->is_entry)
			lower_entry(
				l, p->functions[i].function, &l->image->kernels[l->image->kernel_count++]);
}

static struct ptx_image *lower_modules(struct ptx_module *const *modules, size_t count,
	const struct ptx_lowering *lowering, bool keeps_others, struct diag_list *diags)
{
	struct ptx_arena *arena = arena_new();
	struct ptx_image *image = arena_alloc(arena, sizeof *image);
	struct lower l = { .lowering = lowering,
		.image = image,
		.module = modules[0],
		.diags = diags,
		.arena = arena,
		.keeps_others = keeps_others };
	size_t errors = diags->errors;

	image->arena = arena;
	image->module = modules[0];
	program_init(&l, modules, count);
	if (diags->errors == errors) {
		image_symbols(&l);
		lower_entries(&l);
		need_a_kernel(&l);
		lower_unreached(&l);
	}
	if (diags->errors == errors)
		return image;
	ptx_image_free(image);
	return NULL;
}

struct ptx_image *ptx_lower_as(struct ptx_module *const *modules, size_t count,
	const struct ptx_lowering *lowering, struct diag_list *diags)
{
	return lower_modules(modules, count, lowering, false, diags);
}

struct ptx_image *ptx_lower_kernels(struct ptx_module *const *modules, size_t count,
	const struct ptx_lowering *lowering, struct diag_list *diags)
{
	return lower_modules(modules, count, lowering, true, diags);
}

struct ptx_image *ptx_lower_linked(struct ptx_module *const *modules, size_t count, struct diag_list *diags)
{
	static const struct ptx_lowering as_written = { .timed_code = PTX_AS_WRITTEN };

	return ptx_lower_as(modules, count, &as_written, diags);
}

struct ptx_image *ptx_lower(struct ptx_module *module, struct diag_list *diags)
{
	return ptx_lower_linked(&module, 1, diags);
}
