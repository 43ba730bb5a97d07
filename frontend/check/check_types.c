/* frontend/check/check_types.c -- modifiers against types and state spaces: which roundings, clamps and hints
 * a type allows, what a memory access of a space can have. The rules are those of the ISA as the vendor's
 * assembler enforces them. */
#include "frontend/check/check_word.h"

#define S(space) (1u << PTX_##space)
#define HALF     (T(F16) | T(F16X2) | T(BF16) | T(BF16X2))
#define PAIR     (T(U16X2) | T(S16X2))

static bool is_type(const struct ptx_insn *insn, uint64_t types)
{
	return insn->type_count && types >> insn->types[0] & 1;
}

static bool is_space(const struct ptx_insn *insn, uint32_t spaces)
{
	return spaces >> insn->space & 1;
}

static const char *pair_fault(const struct ptx_insn *insn)
{
	if (is_type(insn, T(F32X2)) && HOW_MANY(insn, PTX_MOD_SAT, PTX_MOD_CC, PTX_MOD_RELU, PTX_MOD_OOB))
		return "has a modifier that .f32x2 does not take";
	if (!is_type(insn, PAIR))
		return NULL;
	if (insn->opcode == PTX_SUB || insn->opcode == PTX_MUL || insn->opcode == PTX_FMA)
		return "is not defined for pairs of integers";
	return insn->opcode == PTX_ADD && insn->modifier_count ? "takes no modifier with pairs of integers"
							       : NULL;
}

static const char *sum_fault(const struct ptx_insn *insn)
{
	if (insn->opcode == PTX_MAD && is_type(insn, HALF))
		return "is not defined: half floats have 'fma'";
	if (insn->opcode == PTX_MAD && word_has(insn, PTX_MOD_WIDE) && word_has(insn, PTX_MOD_CC))
		return "cannot have both '.wide' and '.cc'";
	if (insn->opcode == PTX_FMA && is_type(insn, T(F32) | T(F64)) &&
		HOW_MANY(insn, PTX_MOD_RELU, PTX_MOD_OOB))
		return "cannot have '.relu' or '.oob': they are for half floats";
	return pair_fault(insn);
}

static const char *extreme_fault(const struct ptx_insn *insn)
{
	if (is_type(insn, HALF))
		return NULL;
	if (HOW_MANY(insn, PTX_MOD_NAN, PTX_MOD_XORSIGN, PTX_MOD_ABS) && !is_type(insn, T(F32)))
		return "cannot have '.NaN' or '.xorsign.abs': they are for .f32 and half floats";
	if (word_has(insn, PTX_MOD_RELU) && !is_type(insn, T(S32) | T(S16X2)))
		return "cannot have '.relu': it is for .s32, .s16x2 and half floats";
	return NULL;
}

static const char *vote_fault(const struct ptx_insn *insn)
{
	return word_has(insn, PTX_MOD_BALLOT) != is_type(insn, T(B32))
		? "needs '.b32' with '.ballot', '.pred' with the other modes"
		: NULL;
}

static const char *redux_fault(const struct ptx_insn *insn)
{
	bool is_logic = HOW_MANY(insn, PTX_MOD_AND, PTX_MOD_OR, PTX_MOD_XOR);

	if (!is_logic && !HOW_MANY(insn, PTX_MOD_ADD, PTX_MOD_MIN, PTX_MOD_MAX))
		return "needs an operation";
	if (is_logic != is_type(insn, T(B32)))
		return "is not defined: '.and', '.or' and '.xor' are for .b32, the others for numbers";
	if (is_type(insn, T(F32)) ? word_has(insn, PTX_MOD_ADD) : HOW_MANY(insn, PTX_MOD_ABS, PTX_MOD_NAN))
		return "is not defined: .f32 has '.min' and '.max', '.abs' and '.NaN'";
	return NULL;
}

/* What load_or_store of check_rules.c leaves: orders and hints by space. */
static const char *space_fault(const struct ptx_insn *insn)
{
	bool is_ordered = HOW_MANY(insn, PTX_MOD_RELAXED, PTX_MOD_ACQUIRE, PTX_MOD_RELEASE);
	bool is_volatile = word_has(insn, PTX_MOD_VOLATILE) || word_has(insn, PTX_MOD_MMIO);
	bool has_l1 = HOW_MANY(insn, PTX_MOD_L1_EVICT_NORMAL, PTX_MOD_L1_EVICT_UNCHANGED,
		PTX_MOD_L1_EVICT_FIRST, PTX_MOD_L1_EVICT_LAST, PTX_MOD_L1_NO_ALLOCATE);
	bool has_l2 = HOW_MANY(insn, PTX_MOD_L2_EVICT_NORMAL, PTX_MOD_L2_EVICT_FIRST, PTX_MOD_L2_EVICT_LAST);
	bool has_size = HOW_MANY(insn, PTX_MOD_L2_64B, PTX_MOD_L2_128B, PTX_MOD_L2_256B);

	if ((is_ordered || word_has(insn, PTX_MOD_VOLATILE)) &&
		is_space(insn, S(LOCAL) | S(CONST) | S(PARAM)))
		return "has a memory order: it needs .global, .shared or a generic address";
	if (word_has(insn, PTX_MOD_MMIO) && is_space(insn, S(SHARED)))
		return "is not defined: '.mmio' is for .global";
	if ((has_l1 || has_l2 || has_size || word_has(insn, PTX_MOD_L2_CACHE_HINT)) &&
		is_space(insn, ~(S(NO_SPACE) | S(GLOBAL))))
		return "has a hint for caches: it needs .global or a generic address";
	if ((has_l1 || has_l2 || has_size || word_has(insn, PTX_MOD_L2_CACHE_HINT)) && is_volatile)
		return "has a hint for caches and '.volatile' or '.mmio'";
	return NULL;
}

static const char *access_fault(const struct ptx_insn *insn)
{
	unsigned bits = insn->type_count ? ptx_type_bits(insn->types[0]) : 0;
	bool is_256 = bits * insn->vector == 256 && (bits == 32 || bits == 64);

	if (bits * insn->vector > 128 && !is_256)
		return "is too wide: a vector has at most 16 bytes, or is .v8.b32 or .v4.b64";
	if (insn->vector > 1 && word_has(insn, PTX_MOD_MMIO))
		return "is not defined: '.mmio' accesses one element";
	if (is_256 && (insn->opcode == PTX_LDU || is_space(insn, ~(S(NO_SPACE) | S(GLOBAL)))))
		return "is too wide: 32 bytes at once are for .global";
	if (!is_256 && HOW_MANY(insn, PTX_MOD_L2_EVICT_NORMAL, PTX_MOD_L2_EVICT_FIRST, PTX_MOD_L2_EVICT_LAST))
		return "has an L2 priority: it needs .v8.b32 or .v4.b64";
	if (insn->opcode == PTX_ST && word_has(insn, PTX_MOD_PARAM_ENTRY))
		return "is not defined: a parameter of an entry cannot be written";
	if (insn->opcode == PTX_ST && word_has(insn, PTX_MOD_MBARRIER_COMPLETE_TX))
		return "needs '.async' with '.mbarrier::complete_tx::bytes'";
	return space_fault(insn);
}

/* Vectors of .f32 and half floats in .global. */
static const char *vector_atomic_fault(const struct ptx_insn *insn)
{
	bool is_float = is_type(insn, T(F32)), is_packed = is_type(insn, T(F16X2) | T(BF16X2));

	if (!is_type(insn, HALF | T(F32)))
		return "is not defined: vectors are for .f32 and half floats";
	if (insn->vector == 8 && (is_float || is_packed))
		return "is too wide: a vector has at most 16 bytes";
	if (is_float ? !word_has(insn, PTX_MOD_ADD) : !HOW_MANY(insn, PTX_MOD_ADD, PTX_MOD_MIN, PTX_MOD_MAX))
		return "is not defined: vectors have '.add', half floats also '.min' and '.max'";
	if (is_space(insn, S(SHARED)))
		return "is not defined: vectors are for .global";
	return NULL;
}

static const char *atomic_fault(const struct ptx_insn *insn)
{
	if (word_has(insn, PTX_MOD_MBARRIER_COMPLETE_TX) && !word_has(insn, PTX_MOD_ASYNC))
		return "needs '.async' with '.mbarrier::complete_tx::bytes'";
	if (word_has(insn, PTX_MOD_NOFTZ) != is_type(insn, HALF))
		return is_type(insn, HALF) ? "needs '.noftz'" : "cannot have '.noftz': it is for half floats";
	if (word_has(insn, PTX_MOD_CAS) && word_has(insn, PTX_MOD_L2_CACHE_HINT))
		return "cannot have '.L2::cache_hint'";
	if (insn->vector > 1)
		return vector_atomic_fault(insn);
	if (word_has(insn, PTX_MOD_L2_CACHE_HINT) && is_space(insn, S(SHARED)))
		return "has a hint for caches: it needs .global or a generic address";
	return NULL;
}

static const char *prefetch_fault(const struct ptx_insn *insn)
{
	if (is_space(insn, S(CONST) | S(PARAM)) && !word_has(insn, PTX_MOD_TENSORMAP))
		return "is not defined: .const and .param are for '.tensormap'";
	if (is_space(insn, S(GLOBAL) | S(LOCAL)) && word_has(insn, PTX_MOD_TENSORMAP))
		return "is not defined: '.tensormap' is for .const, .param or a generic address";
	if (is_space(insn, S(LOCAL)) && HOW_MANY(insn, PTX_MOD_L2_EVICT_LAST, PTX_MOD_L2_EVICT_NORMAL))
		return "has a priority: it needs .global or a generic address";
	return NULL;
}

static const char *move_fault(const struct ptx_insn *insn)
{
	if (is_type(insn, HALF))
		return "is not defined: half floats are moved as .b16 or .b32";
	if (insn->vector > 1 && is_type(insn, T(PRED)))
		return "is not defined: there are no vectors of predicates";
	if (insn->type_count && ptx_type_bits(insn->types[0]) * insn->vector > 128)
		return "is too wide: a vector has at most 16 bytes";
	return NULL;
}

/* clang-format off */
const char *type_fault(const struct ptx_insn *insn)
{
	switch (insn->opcode) {
	case PTX_ADD: case PTX_SUB: case PTX_MUL: case PTX_MAD: case PTX_FMA: return sum_fault(insn);
	case PTX_MIN: case PTX_MAX: return extreme_fault(insn);
	case PTX_DIV:
		return word_has(insn, PTX_MOD_SAT) ? "cannot saturate" : NULL;
	case PTX_RCP:
		return is_type(insn, T(F64)) && word_has(insn, PTX_MOD_APPROX) && !word_has(insn, PTX_MOD_FTZ)
			? "needs '.ftz'" : NULL;
	case PTX_SELP: case PTX_MOV: return move_fault(insn);
	case PTX_SLCT:
		return word_has(insn, PTX_MOD_FTZ) && insn->types[1] != PTX_F32
			? "cannot have '.ftz': it is for a last operand of .f32" : NULL;
	case PTX_CVTA: case PTX_ISSPACEP:
		return word_has(insn, PTX_MOD_PARAM_FUNC)
			? "is not defined: parameters of functions have no generic address" : NULL;
	case PTX_ISTYPEP:
		return insn->modifier_count ? NULL : "needs .texref, .samplerref or .surfref";
	case PTX_LD: case PTX_ST: case PTX_LDU:
		return HOW_MANY(insn, PTX_MOD_ASYNC, PTX_MOD_BULK) ? NULL : access_fault(insn);
	case PTX_ATOM: case PTX_RED: return word_has(insn, PTX_MOD_ASYNC) ? NULL : atomic_fault(insn);
	case PTX_PREFETCH: return prefetch_fault(insn);
	case PTX_VOTE: return vote_fault(insn);
	case PTX_REDUX: return redux_fault(insn);
	case PTX_SET:
		return is_type(insn, T(U16) | T(S16)) && !(HALF >> insn->types[1] & 1)
			? "is not defined: 16-bit results are for half floats" : NULL;
	case PTX_MATCH:
		return HOW_MANY(insn, PTX_MOD_ANY, PTX_MOD_ALL) ? NULL : "needs '.any' or '.all'";
	default: return NULL;
	}
}
/* clang-format on */

bool check_type_rules(struct ptx_parser *p, const struct ptx_insn *insn)
{
	const char *fault = type_fault(insn);

	if (fault)
		parse_error(p, insn->location, NULL, "'%.100s' %s", insn->form->spelling, fault);
	return !fault;
}
