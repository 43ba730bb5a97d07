/* frontend/check/check_form.c -- types and modifiers of an instruction word against opcodes.def. Done once
 * for each different word of a module, and again only to report a wrong one at each place where it stands. */
#include "frontend/check/check.h"
#include <stdio.h>
#include <string.h>

/* The sets that opcodes.def speaks of. */
/* clang-format off */
#define T(type)    (UINT64_C(1) << PTX_##type)
#define INT32      (T(U32) | T(S32))
#define INT64      (T(U64) | T(S64))
#define INT        (T(U16) | T(S16) | INT32 | INT64)
#define SIGNED     (T(S16) | T(S32) | T(S64))
#define BITS       (T(B16) | T(B32) | T(B64))
#define FLOAT      (T(F32) | T(F64))
#define HALF       (T(F16) | T(F16X2) | T(BF16) | T(BF16X2))
#define PAIRS      (T(U16X2) | T(S16X2) | T(F32X2))
#define MEMORY     (T(B8) | T(U8) | T(S8) | INT | BITS | T(B128) | FLOAT)
#define NO_TYPES   0
#define TYPES(...) { __VA_ARGS__ }

#define M(modifier)   PTX_MOD_##modifier
#define NO_MODS       MODIFIERS_END
#define FREE          MODIFIERS_FREE
#define ROUND         M(RN), M(RZ), M(RM), M(RP)
#define HALVES        M(LO), M(HI)
#define ORDERED       M(EQ), M(NE), M(LT), M(LE), M(GT), M(GE)
#define COMPARISON \
	M(EQ), M(NE), M(LT), M(LE), M(GT), M(GE), M(LO), M(LS), M(HI), M(HS), \
	M(EQU), M(NEU), M(LTU), M(LEU), M(GTU), M(GEU), M(NUM), M(ISNAN)
#define BOOLEAN       M(AND), M(OR), M(XOR)
#define SHARED_SPACES M(SHARED_CTA), M(SHARED_CLUSTER), M(PARAM_ENTRY), M(PARAM_FUNC)
#define SCOPE         M(CTA), M(CLUSTER), M(GPU), M(SYS)
#define HINTS \
	M(L1_EVICT_NORMAL), M(L1_EVICT_UNCHANGED), M(L1_EVICT_FIRST), M(L1_EVICT_LAST), M(L1_NO_ALLOCATE), \
	M(L2_EVICT_NORMAL), M(L2_EVICT_FIRST), M(L2_EVICT_LAST), M(L2_CACHE_HINT)
#define LOAD_MODS \
	M(WEAK), M(VOLATILE), M(RELAXED), M(ACQUIRE), M(MMIO), SCOPE, \
	M(CA), M(CG), M(CS), M(LU), M(CV), M(NC), HINTS, M(L2_64B), M(L2_128B), M(L2_256B), SHARED_SPACES
#define STORE_MODS \
	M(WEAK), M(VOLATILE), M(RELAXED), M(RELEASE), M(MMIO), SCOPE, \
	M(CG), M(CS), M(WB), M(WT), HINTS, SHARED_SPACES
#define REDUCTION_MODS \
	M(RELAXED), M(RELEASE), M(MMIO), SCOPE, SHARED_SPACES, \
	M(ADD), M(MIN), M(MAX), M(INC), M(DEC), BOOLEAN, M(NOFTZ), M(L2_CACHE_HINT)
#define ATOMIC_MODS \
	M(RELAXED), M(ACQUIRE), M(RELEASE), M(ACQ_REL), SCOPE, SHARED_SPACES, \
	M(ADD), M(MIN), M(MAX), M(INC), M(DEC), M(EXCH), M(CAS), BOOLEAN, M(NOFTZ), M(L2_CACHE_HINT)
#define TEXTURE_MODS \
	M(1D), M(2D), M(3D), M(A1D), M(A2D), M(CUBE), M(ACUBE), M(2DMS), M(A2DMS), M(BASE), M(LEVEL), M(GRAD)
#define SURFACE_MODS \
	M(1D), M(2D), M(3D), M(A1D), M(A2D), M(B), M(P), M(TRAP), M(CLAMP), M(ZERO), \
	M(CA), M(CG), M(CS), M(CV), M(WB), M(WT)
#define BARRIER_MODS  M(SYNC), M(ARRIVE), M(RED), M(POPC), M(AND), M(OR), M(CTA)
#define VIDEO_MODS    M(SAT), M(ADD), M(MIN), M(MAX)
#define MODS(...)     (const uint16_t[]){ __VA_ARGS__, MODIFIERS_END }
/* clang-format on */

const struct opcode_row opcode_rows[PTX_OPCODE_COUNT] = {
#define OPCODE(id, spelling, operands, types, modifiers) [PTX_##id] = { operands, types, modifiers },
#include "frontend/tables/opcodes.def"
#undef OPCODE
};

static bool is_allowed(const uint16_t *modifiers, uint16_t modifier)
{
	for (; *modifiers != MODIFIERS_END; modifiers++)
		if (*modifiers == modifier || *modifiers == MODIFIERS_FREE)
			return true;
	return false;
}

/* Where a suffix stands in the word, so that the caret points at it: modifiers are looked for by spelling. */
static struct ptx_location suffix_location(const struct ptx_insn *insn, const char *suffix)
{
	struct ptx_location location = insn->location;
	const char *spelling = insn->form->spelling;
	size_t length = strlen(suffix);

	for (const char *at = strchr(spelling, '.'); at; at = strchr(at + 1, '.'))
		if (!strncmp(at + 1, suffix, length) && (!at[1 + length] || at[1 + length] == '.')) {
			location.column += (uint32_t)(at - spelling);
			break;
		}
	return location;
}

static bool check_modifiers(struct ptx_parser *p, const struct ptx_insn *insn, const struct opcode_row *row)
{
	for (uint32_t i = 0; i < insn->modifier_count; i++) {
		const char *name = ptx_modifier_name(insn->modifiers[i]);

		if (is_allowed(row->modifiers, insn->modifiers[i]))
			continue;
		parse_error(p, suffix_location(insn, name), NULL, "'%s' does not take '.%s'",
			insn->opcode_name, name);
		return false;
	}
	return true;
}

/* ".u32 .s32 ..." of a mask. */
static const char *list_types(uint64_t mask, char *list, size_t size)
{
	size_t used = 0;

	list[0] = 0;
	for (unsigned type = PTX_PRED; type < PTX_TYPE_COUNT && used + 16 < size; type++)
		if (mask >> type & 1)
			used += (size_t)snprintf(
				list + used, size - used, "%s.%s", used ? " " : "", ptx_type_name(type));
	return list;
}

static unsigned count_positions(const struct opcode_row *row)
{
	unsigned count = 0;

	while (count < 3 && row->types[count])
		count++;
	return count;
}

/* add.f32.bf16 and its like: a sum of another type than its addends. */
static bool is_mixed(const struct ptx_insn *insn)
{
	return insn->type_count == 2 && insn->types[0] == PTX_F32 &&
		(insn->opcode == PTX_ADD || insn->opcode == PTX_SUB || insn->opcode == PTX_FMA) &&
		(insn->types[1] == PTX_F16 || insn->types[1] == PTX_BF16);
}

static bool check_types(struct ptx_parser *p, const struct ptx_insn *insn, const struct opcode_row *row)
{
	unsigned positions = count_positions(row);
	char list[200];

	if (row->types[0] == ANY_TYPE || is_mixed(insn) || form_has(insn->form, PTX_MOD_BULK))
		return true;
	if (insn->type_count < positions) {
		parse_error(p, insn->location, list_types(row->types[insn->type_count], list, sizeof(list)),
			insn->type_count ? "'%s' needs one more type" : "'%s' needs a type",
			insn->form->spelling);
		return false;
	}
	if (insn->type_count > positions) {
		parse_error(p, suffix_location(insn, ptx_type_name(insn->types[positions])), NULL,
			positions ? "'%s' takes no further type" : "'%s' takes no type", insn->opcode_name);
		return false;
	}
	for (unsigned i = 0; i < positions; i++) {
		if (row->types[i] >> insn->types[i] & 1)
			continue;
		parse_error(p, suffix_location(insn, ptx_type_name(insn->types[i])),
			list_types(row->types[i], list, sizeof(list)), "'%s' is not defined for '.%s'",
			insn->opcode_name, ptx_type_name(insn->types[i]));
		return false;
	}
	return true;
}

bool check_form(struct ptx_parser *p, const struct ptx_insn *insn)
{
	const struct opcode_row *row = &opcode_rows[insn->opcode];
	struct ptx_form *form = insn->form;

	if (form->is_checked)
		return true;
	form->is_checked = check_modifiers(p, insn, row) && check_types(p, insn, row) &&
		check_rules(p, insn) &&
		(row->modifiers[0] == MODIFIERS_FREE || row->types[0] == ANY_TYPE ||
			(check_modifiers_agree(p, insn) && check_spaces(p, insn))) &&
		check_type_rules(p, insn) && check_gates(p, insn);
	return form->is_checked;
}
