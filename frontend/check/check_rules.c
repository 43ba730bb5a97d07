/* frontend/check/check_rules.c -- modifiers that an instruction must have, may have only for some types, or
 * may not have together. The rules are those of the ISA as the vendor's assembler enforces them. */
#include "frontend/check/check_word.h"

static bool is_old(const struct ptx_parser *p, unsigned major, unsigned minor)
{
	const struct ptx_module *m = p->module;

	return m->version_major < major || (m->version_major == major && m->version_minor < minor);
}

static bool is_float_type(unsigned type)
{
	return ptx_type_is_float(type);
}

/* add sub mul mad fma div abs neg min max, and the rest that has one type */
static bool arithmetic(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned type = insn->types[0], op = insn->opcode;

	if (!is_float_type(type) && float_roundings(insn))
		return wrong_word(p, insn, NULL, "cannot round: the type is no floating-point type");
	if (float_roundings(insn) > 1)
		return wrong_word(p, insn, NULL, "has two rounding modifiers");
	if (word_has(insn, PTX_MOD_FTZ) && (!is_float_type(type) || type == PTX_F64) &&
		!(type == PTX_F64 && (insn->opcode == PTX_RCP || insn->opcode == PTX_RSQRT)))
		return wrong_word(p, insn, NULL, "cannot have '.ftz': it is for .f32 and .f16");
	if (word_has(insn, PTX_MOD_SAT) && type != PTX_S32 && (!is_float_type(type) || type == PTX_F64))
		return wrong_word(p, insn, NULL, "cannot have '.sat': it is for .s32, .f32 and .f16");
	if (word_has(insn, PTX_MOD_SAT) && !is_float_type(type) &&
		(op == PTX_DIV || word_has(insn, PTX_MOD_CC)))
		return wrong_word(p, insn, NULL, "cannot have '.sat'");
	if (word_has(insn, PTX_MOD_RELU) && !is_float_type(type) && type != PTX_S32 && type != PTX_S16X2)
		return wrong_word(
			p, insn, NULL, "cannot have '.relu': among integers it is for .s32 and .s16x2");
	if ((type == PTX_U16X2 || type == PTX_S16X2) && (op != PTX_ADD || word_has(insn, PTX_MOD_CC)) &&
		op != PTX_MIN && op != PTX_MAX)
		return wrong_word(
			p, insn, NULL, "is not defined: pairs of 16-bit integers have add, min and max");
	if (word_has(insn, PTX_MOD_CC) && (is_float_type(type) || ptx_type_bits(type) < 32))
		return wrong_word(p, insn, NULL, "cannot have '.cc': it is for integers of 32 and 64 bits");
	return !is_float_type(type) || check_float(p, insn);
}

static bool check_product(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned halves = HOW_MANY(insn, PTX_MOD_LO, PTX_MOD_HI, PTX_MOD_WIDE);
	unsigned type = insn->types[0], op = insn->opcode;

	if (!arithmetic(p, insn))
		return false;
	if (is_float_type(type) && halves)
		return wrong_word(p, insn, NULL,
			"cannot have '.lo', '.hi' or '.wide': the type is a floating-point type");
	if (!is_float_type(type) && type != PTX_F32X2 && halves != 1)
		return wrong_word(p, insn,
			op == PTX_MUL || op == PTX_MAD ? ".lo, .hi or .wide" : ".lo or .hi",
			"must say which half of the product it wants");
	if (word_has(insn, PTX_MOD_CC) && word_has(insn, PTX_MOD_WIDE))
		return wrong_word(p, insn, NULL, "cannot have '.cc': it is for '.lo' and '.hi'");
	if (word_has(insn, PTX_MOD_WIDE) && ptx_type_bits(type) > 32)
		return wrong_word(p, insn, NULL, "is not defined: '.wide' is for 16 and 32 bits");
	if (word_has(insn, PTX_MOD_SAT) && !is_float_type(type) &&
		!(word_has(insn, PTX_MOD_HI) && op != PTX_MUL))
		return wrong_word(
			p, insn, NULL, "cannot saturate: among integers only '.hi.sat.s32' of a sum can");
	if (op == PTX_MAD && is_float_type(type) && !float_roundings(insn) && !is_old(p, 1, 4) &&
		p->module->sm >= 20)
		return wrong_word(p, insn, ".rn, .rz, .rm or .rp", "needs a rounding modifier");
	return true;
}

static bool must_round(struct ptx_parser *p, const struct ptx_insn *insn)
{
	bool is_approximate = HOW_MANY(insn, PTX_MOD_APPROX, PTX_MOD_FULL);

	if (!arithmetic(p, insn))
		return false;
	if (is_float_type(insn->types[0]) && !float_roundings(insn) && !is_approximate &&
		(!is_old(p, 1, 4) || insn->opcode == PTX_FMA))
		return wrong_word(p, insn,
			insn->opcode == PTX_FMA           ? ".rn, .rz, .rm or .rp"
				: insn->opcode == PTX_DIV ? ".rn, .rz, .rm, .rp, .approx or .full"
							  : ".rn, .rz, .rm, .rp or .approx",
			"needs a rounding modifier");
	if (!is_float_type(insn->types[0]) && is_approximate)
		return wrong_word(p, insn, NULL, "cannot be approximate: the type is no floating-point type");
	if (is_approximate && float_roundings(insn))
		return wrong_word(p, insn, NULL, "is either approximate or rounded");
	if (is_approximate && insn->types[0] == PTX_F64 && insn->opcode != PTX_RCP)
		return wrong_word(p, insn, ".rn, .rz, .rm or .rp", "cannot be approximate: the type is .f64");
	return true;
}

static bool must_approximate(struct ptx_parser *p, const struct ptx_insn *insn)
{
	if (!word_has(insn, PTX_MOD_APPROX) && !is_old(p, 1, 4))
		return wrong_word(p, insn, NULL, "needs '.approx'");
	return arithmetic(p, insn);
}

/* What set may write, by what it compares. */
static bool set_result(struct ptx_parser *p, const struct ptx_insn *insn)
{
	const uint64_t words = T(U32) | T(S32), shorts = T(U16) | T(S16);
	uint64_t to = UINT64_C(1) << insn->types[0], allowed;

	switch (insn->types[1]) {
	case PTX_F16:
		allowed = words | shorts | T(F16) | T(BF16);
		break;
	case PTX_BF16:
		allowed = words | shorts | T(BF16);
		break;
	case PTX_F16X2:
		allowed = words | T(F16X2);
		break;
	case PTX_BF16X2:
		allowed = words | T(BF16X2);
		break;
	default:
		allowed = words | T(F32) | T(F16) | T(BF16);
		break;
	}
	return to & allowed || wrong_word(p, insn, NULL, "is not defined: these types do not go together");
}

/* set and setp; the compared type is the last one */
static bool check_comparison(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned type = insn->types[insn->type_count - 1];
	unsigned equal = HOW_MANY(insn, PTX_MOD_EQ, PTX_MOD_NE);
	unsigned order = HOW_MANY(insn, PTX_MOD_LT, PTX_MOD_LE, PTX_MOD_GT, PTX_MOD_GE);
	unsigned below = HOW_MANY(insn, PTX_MOD_LO, PTX_MOD_LS, PTX_MOD_HI, PTX_MOD_HS);
	unsigned unordered = HOW_MANY(insn, PTX_MOD_EQU, PTX_MOD_NEU, PTX_MOD_LTU, PTX_MOD_LEU, PTX_MOD_GTU,
		PTX_MOD_GEU, PTX_MOD_NUM, PTX_MOD_ISNAN);
	bool is_bits = !is_float_type(type) && !ptx_type_is_signed(type) && type >= PTX_B8 && type <= PTX_B64;

	if (equal + order + below + unordered != 1)
		return wrong_word(p, insn, ".eq .ne .lt .le .gt .ge ...", "needs one comparison");
	if (is_bits && !equal)
		return wrong_word(
			p, insn, NULL, "is not defined: bits are compared with '.eq' or '.ne' only");
	if (below && (is_float_type(type) || ptx_type_is_signed(type)))
		return wrong_word(p, insn, ".lt .le .gt .ge",
			"is not defined: '.lo', '.ls', '.hi', '.hs' are for unsigned types");
	if (unordered && !is_float_type(type))
		return wrong_word(
			p, insn, NULL, "is not defined: this comparison is for floating-point types");
	if (word_has(insn, PTX_MOD_FTZ) &&
		(!is_float_type(type) || type == PTX_F64 || type == PTX_BF16 || type == PTX_BF16X2 ||
			(insn->opcode == PTX_SET && insn->types[0] == PTX_BF16)))
		return wrong_word(p, insn, NULL, "cannot have '.ftz': it is for .f32 and .f16");
	return insn->opcode != PTX_SET || set_result(p, insn);
}

static bool needs_noftz(unsigned type)
{
	return is_float_type(type) && ptx_type_bits(type) <= 32 && type != PTX_F32;
}

/* atom and red on several elements: global memory only; up to 16 bytes */
static bool atomic_vector(struct ptx_parser *p, const struct ptx_insn *insn, unsigned operation)
{
	unsigned type = insn->types[0];
	bool is_sum = operation == PTX_MOD_ADD,
	     is_extreme = operation == PTX_MOD_MIN || operation == PTX_MOD_MAX;

	if (insn->space && insn->space != PTX_GLOBAL)
		return wrong_word(
			p, insn, NULL, "is not defined: atomic operations on vectors are for .global");
	if (!(type == PTX_F32 ? is_sum : needs_noftz(type) && (is_sum || is_extreme)))
		return wrong_word(
			p, insn, ".f32 .f16 .bf16 .f16x2 .bf16x2", "is not defined for vectors of this type");
	if (needs_noftz(type) != word_has(insn, PTX_MOD_NOFTZ))
		return wrong_word(p, insn, NULL,
			word_has(insn, PTX_MOD_NOFTZ) ? "cannot have '.noftz': it is for halves"
						      : "needs '.noftz'");
	return insn->vector * ptx_type_bits(type) <= 128 || wrong_word(p, insn, NULL, "is too wide");
}

static bool check_atomic(struct ptx_parser *p, const struct ptx_insn *insn)
{
	/* clang-format off */
	static const struct { uint16_t operation; uint64_t types; const char *names; } rows[] = {
		{ PTX_MOD_AND, T(B32) | T(B64), ".b32 .b64" }, { PTX_MOD_OR, T(B32) | T(B64), ".b32 .b64" },
		{ PTX_MOD_XOR, T(B32) | T(B64), ".b32 .b64" },
		{ PTX_MOD_CAS, T(B16) | T(B32) | T(B64) | T(B128), ".b16 .b32 .b64 .b128" },
		{ PTX_MOD_EXCH, T(B32) | T(B64) | T(B128), ".b32 .b64 .b128" },
		{ PTX_MOD_ADD,
			T(U32) | T(S32) | T(U64) | T(F32) | T(F64) | T(F16) | T(F16X2) | T(BF16) | T(BF16X2),
			".u32 .s32 .u64 .f32 .f64 .f16 .f16x2 .bf16 .bf16x2" },
		{ PTX_MOD_INC, T(U32), ".u32" }, { PTX_MOD_DEC, T(U32), ".u32" },
		{ PTX_MOD_MIN, T(U32) | T(S32) | T(U64) | T(S64), ".u32 .s32 .u64 .s64" },
		{ PTX_MOD_MAX, T(U32) | T(S32) | T(U64) | T(S64), ".u32 .s32 .u64 .s64" },
	};
	/* clang-format on */
	unsigned found = 0, row = 0;

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (word_has(insn, rows[i].operation)) {
			found++;
			row = i;
		}
	if (found != 1)
		return wrong_word(
			p, insn, ".add .min .max .inc .dec .exch .cas .and .or .xor", "needs one operation");
	if (insn->space && insn->space != PTX_GLOBAL && insn->space != PTX_SHARED)
		return wrong_word(
			p, insn, NULL, "is not defined: atomic operations are for .global and .shared");
	if (insn->opcode == PTX_RED &&
		(rows[row].operation == PTX_MOD_CAS || rows[row].operation == PTX_MOD_EXCH))
		return wrong_word(p, insn, "atom", "is not defined: a reduction returns nothing");
	if (needs_noftz(insn->types[0]) && word_has(insn, PTX_MOD_ADD) && !word_has(insn, PTX_MOD_NOFTZ))
		return wrong_word(p, insn, ".noftz", "needs '.noftz'");
	if (insn->vector > 1)
		return atomic_vector(p, insn, rows[row].operation);
	if (!(rows[row].types >> insn->types[0] & 1))
		return wrong_word(p, insn, rows[row].names, "is not defined for this type");
	return needs_noftz(insn->types[0]) || !word_has(insn, PTX_MOD_NOFTZ) ||
		wrong_word(p, insn, NULL, "cannot have '.noftz': it is for halves");
}

/* shfl, vote: which lanes; the forms without .sync went away with sm_70. */
static bool warp_wide(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned modes = insn->opcode == PTX_SHFL
		? HOW_MANY(insn, PTX_MOD_UP, PTX_MOD_DOWN, PTX_MOD_BFLY, PTX_MOD_IDX)
		: HOW_MANY(insn, PTX_MOD_ALL, PTX_MOD_ANY, PTX_MOD_UNI, PTX_MOD_BALLOT);

	if (modes != 1)
		return wrong_word(p, insn,
			insn->opcode == PTX_SHFL ? ".up .down .bfly .idx" : ".all .any .uni .ballot",
			"needs one mode");
	if (!word_has(insn, PTX_MOD_SYNC) && p->module->sm >= 70 && !is_old(p, 6, 4))
		return wrong_word(
			p, insn, "add '.sync' and a mask", "is gone: sm_70 and later need the '.sync' form");
	return true;
}

static bool needs_one(struct ptx_parser *p, const struct ptx_insn *insn, unsigned found, const char *of)
{
	return found == 1 || wrong_word(p, insn, of, "lacks a modifier, or has too many");
}

/* A module that does not say how wide its addresses are may have both. */
static bool is_address_size(const struct ptx_module *m, unsigned bits)
{
	return bits == m->address_bits || (bits == 32 && m->has_narrow_addresses);
}

static bool others(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned ends = HOW_MANY(insn, PTX_MOD_CLAMP, PTX_MOD_WRAP);

	switch (insn->opcode) {
	case PTX_SHF:
		return needs_one(p, insn, HOW_MANY(insn, PTX_MOD_L, PTX_MOD_R), ".l or .r") &&
			needs_one(p, insn, ends, ".clamp or .wrap");
	case PTX_BMSK:
	case PTX_SZEXT:
		return needs_one(p, insn, ends, ".clamp or .wrap");
	case PTX_SLCT:
		return !word_has(insn, PTX_MOD_FTZ) || insn->types[1] == PTX_F32 ||
			wrong_word(p, insn, NULL, "cannot have '.ftz': what it compares is no .f32");
	case PTX_TESTP:
		return needs_one(p, insn, insn->modifier_count,
			".finite .infinite .number .notanumber .normal .subnormal");
	case PTX_DP2A:
		return needs_one(p, insn, HOW_MANY(insn, PTX_MOD_LO, PTX_MOD_HI), ".lo or .hi");
	case PTX_BAR:
		return needs_one(p, insn, HOW_MANY(insn, PTX_MOD_ARRIVE, PTX_MOD_SYNC, PTX_MOD_RED),
			".sync, .arrive or .red");
	case PTX_FENCE:
		return HOW_MANY(
			       insn, PTX_MOD_PROXY, PTX_MOD_CTA, PTX_MOD_CLUSTER, PTX_MOD_GPU, PTX_MOD_SYS) ||
			wrong_word(p, insn, ".cta, .cluster, .gpu or .sys", "needs a scope");
	case PTX_MEMBAR:
		return needs_one(p, insn, HOW_MANY(insn, PTX_MOD_CTA, PTX_MOD_GL, PTX_MOD_SYS, PTX_MOD_PROXY),
			".cta, .gl or .sys");
	case PTX_CVTA:
	case PTX_ISSPACEP:
		if (insn->opcode == PTX_CVTA && !is_address_size(p->module, ptx_type_bits(insn->types[0])))
			return wrong_word(
				p, insn, NULL, "is not defined: addresses have another size in this module");
		if (word_has(insn, PTX_MOD_PARAM_FUNC))
			return wrong_word(p, insn, ".param::entry", "is not defined");
		return insn->space ||
			wrong_word(p, insn, ".global .shared .local .const .param", "needs a state space");
	case PTX_MAPA:
	case PTX_GETCTARANK:
		return !insn->space || word_has(insn, PTX_MOD_SHARED_CLUSTER) ||
			wrong_word(p, insn, ".shared::cluster", "is not defined: it is for .shared::cluster");
	case PTX_CP:
		return check_async_copy_word(p, insn);
	case PTX_TENSORMAP:
		return check_tensormap_word(p, insn);
	case PTX_CLUSTERLAUNCHCONTROL:
		return check_launch_control_word(p, insn);
	case PTX_MBARRIER:
		return check_mbarrier_word(p, insn);
	case PTX_BRX:
		return word_has(insn, PTX_MOD_IDX) || wrong_word(p, insn, "brx.idx", "is not defined");
	default:
		return true;
	}
}

/* clang-format off */
bool check_rules(struct ptx_parser *p, const struct ptx_insn *insn)
{
	switch (insn->opcode) {
	case PTX_ADD: case PTX_SUB: case PTX_ADDC: case PTX_SUBC:
	case PTX_ABS: case PTX_NEG: case PTX_MIN: case PTX_MAX:
		return arithmetic(p, insn);
	case PTX_MUL: case PTX_MAD: case PTX_MUL24: case PTX_MAD24: case PTX_MADC:
		return check_product(p, insn);
	case PTX_FMA: case PTX_DIV: case PTX_RCP: case PTX_SQRT:
		return must_round(p, insn);
	case PTX_RSQRT: case PTX_SIN: case PTX_COS: case PTX_LG2: case PTX_EX2: case PTX_TANH:
		return must_approximate(p, insn);
	case PTX_SET: case PTX_SETP:
		return check_comparison(p, insn);
	case PTX_CVT:
		return check_conversion(p, insn);
	case PTX_LD: case PTX_ST: case PTX_LDU:
		return check_load_or_store(p, insn);
	case PTX_ATOM: case PTX_RED:
		return (word_has(insn, PTX_MOD_ASYNC) || check_atomic(p, insn)) && check_atomic_order(p, insn);
	case PTX_PREFETCH: case PTX_PREFETCHU: case PTX_APPLYPRIORITY: case PTX_DISCARD:
		return check_prefetch(p, insn);
	case PTX_CREATEPOLICY:
		return check_policy(p, insn);
	case PTX_SHFL: case PTX_VOTE:
		return warp_wide(p, insn);
	case PTX_MATCH: case PTX_REDUX: case PTX_ELECT:
	case PTX_FENCE: case PTX_SETMAXNREG: case PTX_GRIDDEPCONTROL:
		return check_warp_form(p, insn);
	case PTX_TEX_: case PTX_TLD4: case PTX_TXQ:
	case PTX_SULD: case PTX_SUST: case PTX_SURED: case PTX_SUQ: case PTX_ISTYPEP:
		return check_texture_form(p, insn);
	case PTX_MMA: case PTX_WMMA: case PTX_LDMATRIX: case PTX_STMATRIX: case PTX_MOVMATRIX:
		return check_matrix_word(p, insn);
	case PTX_WGMMA:
		return check_wgmma_word(p, insn);
	case PTX_TCGEN05:
		return check_tcgen05_word(p, insn);
	default:
		if (insn->opcode >= PTX_VADD && insn->opcode <= PTX_VSET4)
			return check_video_form(p, insn);
		return others(p, insn);
	}
}

/* clang-format on */