/* frontend/tables/groups.c -- modifiers that exclude each other; state spaces and vector widths of opcodes.
 */
#include "frontend/tables/groups.h"
#include "frontend/module.h"
#include "frontend/tables/opcode.h"

#define M(modifier) PTX_MOD_##modifier
#define GROUP(what, ...) \
	{ \
		what, (const uint16_t[]) \
		{ \
			__VA_ARGS__, GROUP_END \
		} \
	}

/* clang-format off */
const struct modifier_group modifier_groups[] = {
	GROUP("one rounding", M(RN), M(RZ), M(RM), M(RP), M(RNA), M(RS), M(RNI), M(RZI), M(RMI), M(RPI)),
	GROUP("one of .approx and .full", M(APPROX), M(FULL)),
	GROUP("one comparison or half", M(LO), M(HI), M(WIDE), M(EQ), M(NE), M(LT), M(LE), M(GT), M(GE),
		M(LS), M(HS), M(EQU), M(NEU), M(LTU), M(LEU), M(GTU), M(GEU), M(NUM), M(ISNAN)),
	GROUP("one operation",
		M(AND), M(OR), M(XOR), M(POPC), M(ADD), M(MIN), M(MAX), M(INC), M(DEC), M(EXCH), M(CAS)),
	GROUP("one class", M(FINITE), M(INFINITE), M(NUMBER), M(NOTANUMBER), M(NORMAL), M(SUBNORMAL)),
	GROUP("one mode", M(F4E), M(B4E), M(RC8), M(ECL), M(ECR), M(RC16)),
	GROUP("one of .clamp and .wrap", M(CLAMP), M(WRAP), M(TRAP), M(ZERO)),
	GROUP("one side or component", M(L), M(R), M(G), M(B), M(A), M(P)),
	GROUP("one mode", M(UP), M(DOWN), M(BFLY), M(IDX)),
	GROUP("one mode", M(ALL), M(ANY), M(UNI), M(BALLOT)),
	GROUP("one cache operator", M(CA), M(CG), M(CS), M(LU), M(CV), M(WB), M(WT)),
	GROUP("one memory order", M(WEAK), M(VOLATILE), M(RELAXED), M(ACQUIRE), M(RELEASE), M(ACQ_REL)),
	GROUP("one scope", M(CTA), M(GL), M(CLUSTER), M(GPU), M(SYS)),
	GROUP("one L1 priority",
		M(L1_EVICT_NORMAL), M(L1_EVICT_UNCHANGED), M(L1_EVICT_FIRST), M(L1_EVICT_LAST),
		M(L1_NO_ALLOCATE)),
	GROUP("one level or L2 priority",
		M(L1), M(L2), M(L2_EVICT_NORMAL), M(L2_EVICT_FIRST), M(L2_EVICT_LAST), M(TENSORMAP)),
	GROUP("one prefetch size", M(L2_64B), M(L2_128B), M(L2_256B)),
	GROUP("one state space", M(SHARED_CTA), M(SHARED_CLUSTER), M(PARAM_ENTRY), M(PARAM_FUNC)),
	GROUP("one action", M(SYNC), M(ARRIVE), M(RED), M(WAIT), M(LAUNCH_DEPENDENTS)),
	GROUP("one shift", M(SHR7), M(SHR15)),
	GROUP("one geometry", M(1D), M(2D), M(3D), M(A1D), M(A2D), M(CUBE), M(ACUBE), M(2DMS), M(A2DMS)),
	GROUP("one level of detail", M(BASE), M(LEVEL), M(GRAD)),
	GROUP("one type", M(TEXREF), M(SAMPLERREF), M(SURFREF)),
};
/* clang-format on */

const unsigned modifier_group_count = sizeof(modifier_groups) / sizeof(modifier_groups[0]);

int group_of(unsigned modifier)
{
	for (unsigned g = 0; g < modifier_group_count; g++)
		for (const uint16_t *m = modifier_groups[g].modifiers; *m != GROUP_END; m++)
			if (*m == modifier)
				return (int)g;
	return -1;
}

#define S(space) (1u << PTX_##space)
#define GENERIC  1u

/* clang-format off */
uint32_t opcode_spaces(unsigned opcode)
{
	switch (opcode) {
	case PTX_LD: return GENERIC | S(CONST) | S(GLOBAL) | S(LOCAL) | S(PARAM) | S(SHARED);
	case PTX_ST: return GENERIC | S(GLOBAL) | S(LOCAL) | S(PARAM) | S(SHARED);
	case PTX_LDU: return GENERIC | S(GLOBAL);
	case PTX_ATOM: case PTX_RED: return GENERIC | S(GLOBAL) | S(SHARED);
	case PTX_PREFETCH: return GENERIC | S(GLOBAL) | S(LOCAL) | S(CONST) | S(PARAM);
	case PTX_APPLYPRIORITY: case PTX_DISCARD: return GENERIC | S(GLOBAL);
	case PTX_CVTA: case PTX_ISSPACEP: return S(CONST) | S(GLOBAL) | S(LOCAL) | S(PARAM) | S(SHARED);
	case PTX_MAPA: case PTX_GETCTARANK: return GENERIC | S(SHARED);
	default: return GENERIC;
	}
}

uint32_t opcode_vectors(unsigned opcode)
{
	switch (opcode) {
	case PTX_LD: case PTX_ST: case PTX_ATOM: case PTX_RED: return 1 | 2 | 4 | 8;
	case PTX_LDU: case PTX_MOV: return 1 | 2 | 4;
	default: return 1;
	}
}
/* clang-format on */
