/* frontend/check/check_word.h -- shared by the rules about instruction words: queries about a word, and
 * the function that reports a wrong one. */
#ifndef FRONTEND_CHECK_CHECK_WORD_H
#define FRONTEND_CHECK_CHECK_WORD_H

#include "frontend/check/check.h"

#include <stdio.h>

#define T(type) (UINT64_C(1) << PTX_##type)

/* Reports an error at the instruction. Returns false, so that a rule can end with `return wrong_word(...)`.
 */
static inline bool wrong_word(
	struct ptx_parser *p, const struct ptx_insn *insn, const char *hint, const char *what)
{
	parse_error(p, insn->location, hint, "'%.100s' %s", insn->form->spelling, what);
	return false;
}

static inline unsigned form_count(const struct ptx_form *form, const uint16_t *modifiers, unsigned count)
{
	unsigned found = 0;

	for (unsigned i = 0; i < count; i++)
		found += form_has(form, modifiers[i]);
	return found;
}
/* How many of these modifiers a form has, or the form of an instruction. */
#define FORM_COUNT(form, ...) \
	form_count((form), (const uint16_t[]){ __VA_ARGS__ }, \
		sizeof((const uint16_t[]){ __VA_ARGS__ }) / sizeof(uint16_t))
#define HOW_MANY(insn, ...) FORM_COUNT((insn)->form, __VA_ARGS__)

static inline unsigned scopes(const struct ptx_form *form)
{
	return FORM_COUNT(form, PTX_MOD_CTA, PTX_MOD_CLUSTER, PTX_MOD_GPU, PTX_MOD_SYS);
}

static inline unsigned cache_operators(const struct ptx_form *form)
{
	return FORM_COUNT(
		form, PTX_MOD_CA, PTX_MOD_CG, PTX_MOD_CS, PTX_MOD_LU, PTX_MOD_CV, PTX_MOD_WB, PTX_MOD_WT);
}

static inline unsigned l1_priorities(const struct ptx_form *form)
{
	return FORM_COUNT(form, PTX_MOD_L1_EVICT_NORMAL, PTX_MOD_L1_EVICT_UNCHANGED, PTX_MOD_L1_EVICT_FIRST,
		PTX_MOD_L1_EVICT_LAST, PTX_MOD_L1_NO_ALLOCATE);
}

static inline bool word_has(const struct ptx_insn *insn, unsigned modifier)
{
	return form_has(insn->form, modifier);
}

static inline unsigned float_roundings(const struct ptx_insn *insn)
{
	return HOW_MANY(insn, PTX_MOD_RN, PTX_MOD_RZ, PTX_MOD_RM, PTX_MOD_RP, PTX_MOD_RNA, PTX_MOD_RS);
}

static inline unsigned integer_roundings(const struct ptx_insn *insn)
{
	return HOW_MANY(insn, PTX_MOD_RNI, PTX_MOD_RZI, PTX_MOD_RMI, PTX_MOD_RPI);
}

/* Whether the module's target and version (times 10) are at least these; reports an error if not. */
static inline bool is_available(
	struct ptx_parser *p, const struct ptx_insn *insn, unsigned sm, unsigned version)
{
	const struct ptx_module *m = p->module;
	char hint[48];

	if (m->sm >= sm && m->version_major * 10 + m->version_minor >= version)
		return true;
	snprintf(hint, sizeof(hint), ".target sm_%u and .version %u.%u, or later", sm, version / 10,
		version % 10);
	return wrong_word(p, insn, hint, "is newer than the module's target or version");
}

#endif
