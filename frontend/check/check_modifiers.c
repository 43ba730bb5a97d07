/* frontend/check/check_modifiers.c -- modifiers among themselves, whatever the types: those that exclude each
 * other, those that need another one. The rules are those of the ISA as the vendor's assembler enforces them.
 */
#include "frontend/check/check_word.h"
#include "frontend/tables/groups.h"

static bool is_ordered(const struct ptx_form *form)
{
	return FORM_COUNT(form, PTX_MOD_RELAXED, PTX_MOD_ACQUIRE, PTX_MOD_RELEASE, PTX_MOD_ACQ_REL);
}

/* ld, st, ldu: memory order, scope, caches */
static const char *access_fault(const struct ptx_form *form)
{
	if (is_ordered(form) && !scopes(form))
		return "needs a scope";
	if (scopes(form) && !is_ordered(form))
		return "has a scope, but no memory order that needs one";
	if (form_has(form, PTX_MOD_MMIO) && !form_has(form, PTX_MOD_ASYNC) &&
		(!form_has(form, PTX_MOD_RELAXED) || !form_has(form, PTX_MOD_SYS)))
		return "needs '.relaxed.sys' with '.mmio'";
	if ((is_ordered(form) || form_has(form, PTX_MOD_VOLATILE)) && cache_operators(form))
		return "has a memory order and a cache operator";
	if (form_has(form, PTX_MOD_NC) &&
		(is_ordered(form) || form_has(form, PTX_MOD_VOLATILE) || form_has(form, PTX_MOD_WEAK)))
		return "has a memory order, but '.nc' has none";
	if (form_has(form, PTX_MOD_NC) && FORM_COUNT(form, PTX_MOD_LU, PTX_MOD_CV))
		return "cannot have '.lu' or '.cv' with '.nc'";
	if (cache_operators(form) && l1_priorities(form))
		return "has a cache operator and a priority";
	return NULL;
}

static const char *group_fault(const struct ptx_form *form)
{
	for (unsigned i = 0; i < form->modifier_count; i++) {
		int group = group_of(form->modifiers[i]);

		for (unsigned j = i + 1; j < form->modifier_count && group >= 0; j++)
			if (form->modifiers[j] != form->modifiers[i] && group_of(form->modifiers[j]) == group)
				return modifier_groups[group].what;
	}
	return NULL;
}

static const char *needs_sync(const struct ptx_form *form)
{
	return form_has(form, PTX_MOD_SYNC) ? NULL : "needs '.sync'";
}

/* What is wrong with them: "needs a scope", or NULL. */
/* clang-format off */
static const char *modifier_fault(const struct ptx_form *form, unsigned opcode)
{
	switch (opcode) {
	case PTX_LD: case PTX_ST: case PTX_LDU:
		return FORM_COUNT(form, PTX_MOD_ASYNC, PTX_MOD_BULK) ? NULL : access_fault(form);
	case PTX_ADD: case PTX_SUB: case PTX_MAD:
		return form_has(form, PTX_MOD_CC) && form_has(form, PTX_MOD_SAT)
			? "cannot have both '.cc' and '.sat'" : NULL;
	case PTX_MATCH: case PTX_REDUX: case PTX_ELECT:
		return needs_sync(form);
	case PTX_PREFETCH:
		return FORM_COUNT(form, PTX_MOD_L1, PTX_MOD_L2, PTX_MOD_L2_EVICT_LAST, PTX_MOD_L2_EVICT_NORMAL,
			PTX_MOD_TENSORMAP)
			? NULL : "needs a cache level";
	case PTX_PREFETCHU:
		return form_has(form, PTX_MOD_L1) ? NULL : "needs '.L1'";
	case PTX_APPLYPRIORITY:
		return form_has(form, PTX_MOD_L2_EVICT_NORMAL) ? NULL : "needs '.L2::evict_normal'";
	case PTX_DISCARD:
		return form_has(form, PTX_MOD_L2) ? NULL : "needs '.L2'";
	case PTX_MIN: case PTX_MAX:
		return form_has(form, PTX_MOD_XORSIGN) && !form_has(form, PTX_MOD_ABS)
			? "needs '.abs' with '.xorsign'" : NULL;
	case PTX_GRIDDEPCONTROL:
		return FORM_COUNT(form, PTX_MOD_WAIT, PTX_MOD_LAUNCH_DEPENDENTS)
			? NULL : "needs '.wait' or '.launch_dependents'";
	case PTX_SETMAXNREG:
		return FORM_COUNT(form, PTX_MOD_INC, PTX_MOD_DEC) && form_has(form, PTX_MOD_SYNC) &&
			form_has(form, PTX_MOD_ALIGNED)
			? NULL : "needs '.inc' or '.dec', '.sync' and '.aligned'";
	default:
		return NULL;
	}
}
/* clang-format on */

bool modifiers_agree(const struct ptx_form *form, unsigned opcode)
{
	return !modifier_fault(form, opcode);
}

bool check_modifiers_agree(struct ptx_parser *p, const struct ptx_insn *insn)
{
	const char *group = group_fault(insn->form), *fault = modifier_fault(insn->form, insn->opcode);

	if (group)
		parse_error(
			p, insn->location, NULL, "'%.100s' can have %s only", insn->form->spelling, group);
	else if (fault)
		parse_error(p, insn->location, NULL, "'%.100s' %s", insn->form->spelling, fault);
	return !group && !fault;
}

bool check_spaces(struct ptx_parser *p, const struct ptx_insn *insn)
{
	if (insn->space2)
		parse_error(p, insn->location, NULL, "'%.100s' names two state spaces", insn->form->spelling);
	else if (!(opcode_spaces(insn->opcode) >> insn->space & 1) && insn->space)
		parse_error(p, insn->location, NULL, "'%.100s' is not defined: '%s' does not take .%s",
			insn->form->spelling, insn->opcode_name, ptx_space_name(insn->space));
	else if (!(opcode_vectors(insn->opcode) & insn->vector))
		parse_error(p, insn->location, NULL, "'%.100s' is not defined: '%s' takes no .v%u",
			insn->form->spelling, insn->opcode_name, insn->vector);
	else
		return true;
	return false;
}
