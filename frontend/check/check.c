/* frontend/check/check.c -- the meaning of a module that was read: its header, then every function,
 * instruction by instruction. Names are resolved already (scope.c); what is found here concerns types,
 * numbers and combinations. */
#include "frontend/check/check.h"
#include "frontend/ptx.h"

static void check_header(struct ptx_parser *p)
{
	struct ptx_module *m = p->module;
	struct ptx_location start = { 1, 1 };

	if (!p->saw_version)
		parse_error(p, start, ".version 3.2", "the module has no '.version'");
	if (!p->saw_target)
		parse_error(p, start, ".target sm_20", "the module has no '.target'");
	if (p->has_address_size && p->has_version && m->version_major < 2)
		parse_warning(p, start, NULL, "'.address_size' is older than PTX %u.%u", m->version_major,
			m->version_minor);
}

static void check_guard(struct ptx_parser *p, const struct ptx_insn *insn)
{
	const struct ptx_operand *g = &insn->guard;

	if (g->kind == PTX_OP_NAME)
		return; /* reported as undefined */
	if (g->kind != PTX_OP_REG || g->variable->type != PTX_PRED)
		parse_error(p, g->location, NULL, "a guard must be a predicate register, '%.200s' is none",
			g->name);
}

/* What is passed in a call goes with it: ld.param and st.param of its variables have no guard. */
static void check_guarded_passing(struct ptx_parser *p, const struct ptx_insn *insn)
{
	for (uint32_t i = 0; i < insn->operand_count; i++) {
		const struct ptx_operand *o = &insn->operands[i], *base = o->base;

		if (o->kind != PTX_OP_ADDRESS || !base || base->kind != PTX_OP_SYMBOL)
			continue;
		if (base->variable->space == PTX_PARAM && !base->variable->is_param_in &&
			!base->variable->is_param_out)
			parse_error(p, insn->location, NULL,
				"'%.100s' of '%.200s', which is passed in a call, cannot have a guard",
				insn->form->spelling, check_shown(base));
	}
}

static void check_insn(struct ptx_parser *p, const struct ptx_insn *insn)
{
	if (insn->has_guard)
		check_guard(p, insn);
	if (!check_form(p, insn))
		return;
	if (insn->has_guard && (insn->opcode == PTX_LD || insn->opcode == PTX_ST))
		check_guarded_passing(p, insn);
	if (insn->opcode == PTX_CALL)
		check_call(p, insn);
	else if (is_texture_insn(insn->opcode))
		check_texture(p, insn);
	else
		check_operands(p, insn);
	if (insn->opcode == PTX_BRX)
		check_branch_table(p, insn);
}

/* An entry's parameters lie in a bank of limited size. */
static void check_parameter_bytes(struct ptx_parser *p, const struct ptx_function *f)
{
	if (!f->is_entry)
		return;
	if (f->param_bytes > 32764)
		parse_error(p, f->location, NULL, "the parameters take %llu bytes: there are 32764",
			(unsigned long long)f->param_bytes);
	else if (f->param_bytes > 4352)
		needs(p, f->location, "more than 4352 bytes of parameters", 81, 70);
}

static void check_function(struct ptx_parser *p, struct ptx_function *f)
{
	place_variables(f);
	check_parameter_bytes(p, f);
	check_signature(p, f);
	for (const struct ptx_label *l = f->labels; l; l = l->next)
		if (l->is_call_list)
			check_call_list(p, l);
	for (const struct ptx_var *v = f->variables; v; v = v->next)
		check_initialiser(p, v);
	for (uint32_t i = 0; i < f->insn_count && !diag_is_full(p->diags); i++)
		check_insn(p, &f->insns[i]);
}

/* A function of several results, called or not, anywhere in the module. */
static const struct ptx_function *function_without_abi(const struct ptx_module *m)
{
	for (const struct ptx_function *f = m->functions; f; f = f->next)
		if (f->returns && f->returns->next)
			return f;
	return NULL;
}

/* What another module defines is .extern here. */
static void check_definitions(struct ptx_parser *p)
{
	for (const struct ptx_function *f = p->module->functions; f; f = f->next)
		if (f->name && !f->has_body && !f->aliasee && f->linkage != PTX_EXTERN)
			parse_error(p, f->location, NULL,
				"'%.200s' is declared, but not defined (.extern: another module defines it)",
				f->name);
}

void check_module(struct ptx_parser *p)
{
	p->module->without_abi = function_without_abi(p->module);
	check_header(p);
	check_recursion(p);
	check_const_bytes(p);
	for (const struct ptx_var *v = p->module->variables; v; v = v->next)
		check_initialiser(p, v);
	for (struct ptx_function *f = p->module->functions; f && !diag_is_full(p->diags); f = f->next) {
		size_t errors = p->diags->errors;

		check_function(p, f);
		if (p->diags->errors == errors && !p->has_errors)
			warn_function(p, f);
	}
	if (!p->diags->errors)
		check_definitions(p);
}
