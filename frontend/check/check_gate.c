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
#include "frontend/tables/gates.def"
#undef GATE
#undef SREG_GATE
};

static const struct sreg_gate {
	const char *name;
	uint8_t version, sm;
} sreg_gates[] = {
#define GATE(...)
#define SREG_GATE(name, version, sm) { name, version, sm },
#include "frontend/tables/gates.def"
#undef GATE
#undef SREG_GATE
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

/* Later chips do not have them. */
static bool check_warpgroups(struct ptx_parser *p, const struct ptx_insn *insn)
{
	const struct ptx_module *m = p->module;

	if (!p->has_target || m->sm == 90)
		return needs_target(p, insn->location, insn->form->spelling, 90, 'a');
	parse_error(p, insn->location, NULL, "'%.100s' needs .target sm_90a (this module: %s)",
		insn->form->spelling, m->target);
	return false;
}

/* wgmma exists on one chip only, setmaxnreg from there on, tcgen05 on one family. */
static bool check_specific(struct ptx_parser *p, const struct ptx_insn *insn)
{
	if (insn->opcode == PTX_WGMMA)
		return check_warpgroups(p, insn);
	if (insn->opcode == PTX_SETMAXNREG || insn->opcode == PTX_TCGEN05)
		return p->module->target_suffix ||
			needs_target(p, insn->location, insn->form->spelling,
				insn->opcode == PTX_TCGEN05 ? 100 : 90, 'a');
	if (insn->opcode == PTX_REDUX && insn->types[0] == PTX_F32)
		return p->module->target_suffix ||
			needs_target(p, insn->location, insn->form->spelling, 100, 'a');
	return true;
}

bool check_gates(struct ptx_parser *p, const struct ptx_insn *insn)
{
	uint64_t types = types_of(insn);
	unsigned version = 0, sm = 0;

	for (size_t i = 0; i < sizeof(gates) / sizeof(gates[0]); i++) {
		if (!applies(&gates[i], insn, types))
			continue;
		version = gates[i].version > version ? gates[i].version : version;
		sm = gates[i].sm > sm ? gates[i].sm : sm;
	}
	return needs(p, insn->location, insn->form->spelling, version, sm) && check_specific(p, insn);
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
