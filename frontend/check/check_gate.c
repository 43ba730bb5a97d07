/* frontend/check/check_gate.c -- is the module's .version and .target new enough for a form or a special
 * register? The rows stand in gates.def. */
#include "frontend/check/check.h"
#include <string.h>

#define ANY         0
#define ANY_OPCODE  0xffff
#define PTX_ANY     ANY_OPCODE
#define M(modifier) (PTX_MOD_##modifier + 1)
#define T(type)     (UINT64_C(1) << PTX_##type)
#define S(space)    (1u << PTX_##space)

static const struct gate {
	uint16_t opcode, modifier; /* modifier + 1; 0: any */
	uint64_t types;
	uint8_t version, sm, vectors;
	uint16_t spaces;
} gates[] = {
#define GATE(opcode, modifier, types, spaces, vectors, version, sm) \
	{ PTX_##opcode, modifier, types, version, sm, vectors, spaces },
#define SREG_GATE(name, version, sm)
#define CHIP_GATE(...)
#include "frontend/tables/gates.def"
#undef GATE
#undef SREG_GATE
#undef CHIP_GATE
};

static const struct sreg_gate {
	const char *name;
	uint8_t version, sm;
} sreg_gates[] = {
#define GATE(...)
#define SREG_GATE(name, version, sm) { name, version, sm },
#define CHIP_GATE(...)
#include "frontend/tables/gates.def"
#undef GATE
#undef SREG_GATE
#undef CHIP_GATE
};

static uint64_t types_of(const struct ptx_insn *insn)
{
	uint64_t types = 0;

	for (unsigned i = 0; i < insn->type_count; i++)
		types |= UINT64_C(1) << insn->types[i];
	return types;
}

static bool applies(const struct gate *g, const struct ptx_insn *insn, uint64_t types)
{
	return (g->opcode == ANY_OPCODE || g->opcode == insn->opcode) &&
		(!g->modifier || form_has(insn->form, g->modifier - 1u)) && (!g->types || g->types & types) &&
		(!g->spaces || g->spaces >> insn->space & 1) && (!g->vectors || g->vectors & insn->vector);
}

/* Which chips have what only some have. A name that ends in a: this chip alone; in f: it and later ones of
 * its family. ptxas 13 takes both where a family has something, but for what has_family denies. */
static const struct chip_set {
	uint8_t chips[7]; /* ended by 0 */
	bool has_family;
	const char *names, *why;
} chip_sets[] = {
	[CHIPS_WGMMA] = { { 90 }, false, "sm_90a",
		"; later chips multiply by tcgen05 (sm_100a) or mma (sm_120a)" },
	[CHIPS_TCGEN05] = { { 100, 101, 103, 110 }, true, "sm_100a, sm_103a or sm_110a",
		"; sm_120 has no tensor memory and multiplies by mma" },
	[CHIPS_PAIRS] = { { 100, 101, 103, 110 }, true, "sm_100a, sm_103a or sm_110a", "" },
	[CHIPS_SPECIFIC] = { { 90, 100, 101, 103, 110, 120, 121 }, true, "sm_90a, sm_100a or sm_120a", "" },
	[CHIPS_BLACKWELL] = { { 100, 101, 103, 110, 120, 121 }, true, "sm_100a or sm_120a", "" },
	[CHIPS_100_103] = { { 100, 103 }, true, "sm_100a or sm_103a", "" },
	[CHIPS_RANDOM] = { { 100, 103 }, false, "sm_100a or sm_103a", "" },
	[CHIPS_120] = { { 120, 121 }, true, "sm_120a or sm_121a", "" },
	[CHIPS_120_SPECIFIC] = { { 120, 121 }, false, "sm_120a or sm_121a", "" },
};

bool needs_chips(struct ptx_parser *p, const struct ptx_insn *insn, enum chip_sets which)
{
	const struct ptx_module *m = p->module;
	const struct chip_set *set = &chip_sets[which];
	bool suits = m->target_suffix == 'a' || (m->target_suffix == 'f' && set->has_family);

	if (!p->has_target)
		return true;
	for (unsigned i = 0; suits && i < sizeof set->chips && set->chips[i]; i++)
		if (set->chips[i] == m->sm)
			return true;
	parse_error(p, insn->location, NULL, "'%.100s' needs .target %s (this module: %s)%s",
		insn->form->spelling, set->names, m->target, m->sm >= 100 ? set->why : "");
	return false;
}

static const struct chip_gate {
	uint16_t opcode, modifier;
	uint64_t types;
	uint8_t set; /* enum chip_sets */
} chip_gates[] = {
#define GATE(...)
#define SREG_GATE(...)
#define CHIP_GATE(opcode, modifier, types, set) { PTX_##opcode, modifier, types, CHIPS_##set },
#include "frontend/tables/gates.def"
#undef GATE
#undef SREG_GATE
#undef CHIP_GATE
};

static bool check_specific(struct ptx_parser *p, const struct ptx_insn *insn, uint64_t types)
{
	for (size_t i = 0; i < sizeof chip_gates / sizeof *chip_gates; i++) {
		const struct chip_gate *g = &chip_gates[i];
		const struct gate gate = { g->opcode, g->modifier, g->types, 0, 0, 0, 0 };

		if (applies(&gate, insn, types) && !needs_chips(p, insn, g->set))
			return false;
	}
	return true;
}

/* What two words together say: sums of operands of two types (add.f32.f16), asynchronous stores with an
 * order. Since which version; 0: nothing of that. */
static unsigned version_of_pair(const struct ptx_insn *insn)
{
	bool is_sum = insn->opcode == PTX_ADD || insn->opcode == PTX_SUB || insn->opcode == PTX_FMA;

	if (is_sum && insn->type_count > 1)
		return 86;
	return form_has(insn->form, PTX_MOD_ASYNC) && form_has(insn->form, PTX_MOD_RELEASE) &&
			(insn->opcode == PTX_ST || insn->opcode == PTX_RED)
		? 87
		: 0;
}

bool check_gates(struct ptx_parser *p, const struct ptx_insn *insn)
{
	uint64_t types = types_of(insn);
	unsigned version = version_of_pair(insn), sm = version ? 100 : 0;

	for (size_t i = 0; i < sizeof(gates) / sizeof(gates[0]); i++) {
		if (!applies(&gates[i], insn, types))
			continue;
		version = gates[i].version > version ? gates[i].version : version;
		sm = gates[i].sm > sm ? gates[i].sm : sm;
	}
	return needs(p, insn->location, insn->form->spelling, version, sm) && check_specific(p, insn, types);
}

void check_sreg_gate(struct ptx_parser *p, const struct ptx_operand *o)
{
	size_t length = strcspn(o->name, ".");

	for (size_t i = 0; i < sizeof(sreg_gates) / sizeof(sreg_gates[0]); i++)
		if (strlen(sreg_gates[i].name) == length && !strncmp(sreg_gates[i].name, o->name, length)) {
			needs(p, o->location, o->name, sreg_gates[i].version, sreg_gates[i].sm);
			return;
		}
}
