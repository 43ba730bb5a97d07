/* frontend/check_rules.c -- modifiers that an instruction must have, may have only for some types, or may not
 * have together. The rules are those of the ISA as the vendor's assembler enforces them. */
#include "frontend/check.h"

#define T(type) (UINT64_C(1) << PTX_##type)

/* One report: the place is that of the instruction. Returns false, so that a rule can end in it. */
static bool wrong(struct ptx_parser *p, const struct ptx_insn *insn, const char *hint, const char *what)
{
	parse_error(p, insn->place, hint, "'%.100s' %s", insn->form->spelling, what);
	return false;
}

static unsigned count_of(const struct ptx_insn *insn, const uint16_t *modifiers, unsigned count)
{
	unsigned found = 0;

	for (unsigned i = 0; i < count; i++)
		found += form_has(insn->form, modifiers[i]);
	return found;
}
#define HOW_MANY(insn, ...) \
	count_of((insn), (const uint16_t[]){ __VA_ARGS__ }, \
		sizeof((const uint16_t[]){ __VA_ARGS__ }) / sizeof(uint16_t))

static bool has(const struct ptx_insn *insn, unsigned modifier)
{
	return form_has(insn->form, modifier);
}

static unsigned float_roundings(const struct ptx_insn *insn)
{
	return HOW_MANY(insn, PTX_MOD_RN, PTX_MOD_RZ, PTX_MOD_RM, PTX_MOD_RP, PTX_MOD_RNA, PTX_MOD_RS);
}

static unsigned integer_roundings(const struct ptx_insn *insn)
{
	return HOW_MANY(insn, PTX_MOD_RNI, PTX_MOD_RZI, PTX_MOD_RMI, PTX_MOD_RPI);
}

static bool is_old(const struct ptx_parser *p, unsigned major, unsigned minor)
{
	const struct ptx_module *m = p->module;

	return m->version_major < major || (m->version_major == major && m->version_minor < minor);
}

static bool is_float(unsigned type)
{
	return ptx_type_is_float(type);
}

/* add sub mul mad fma div abs neg min max, and the rest that has one type */
static bool arithmetic(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned type = insn->types[0];

	if (!is_float(type) && float_roundings(insn))
		return wrong(p, insn, NULL, "cannot round: the type is no floating-point type");
	if (float_roundings(insn) > 1)
		return wrong(p, insn, NULL, "has two rounding modifiers");
	if (has(insn, PTX_MOD_FTZ) && (!is_float(type) || type == PTX_F64) &&
		!(type == PTX_F64 && (insn->opcode == PTX_RCP || insn->opcode == PTX_RSQRT)))
		return wrong(p, insn, NULL, "cannot have '.ftz': it is for .f32 and .f16");
	if (has(insn, PTX_MOD_SAT) && type != PTX_S32 && (!is_float(type) || type == PTX_F64))
		return wrong(p, insn, NULL, "cannot have '.sat': it is for .s32, .f32 and .f16");
	if (has(insn, PTX_MOD_CC) && (is_float(type) || ptx_type_bits(type) < 32))
		return wrong(p, insn, NULL, "cannot have '.cc': it is for integers of 32 and 64 bits");
	return true;
}

static bool product(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned halves = HOW_MANY(insn, PTX_MOD_LO, PTX_MOD_HI, PTX_MOD_WIDE);
	unsigned type = insn->types[0], op = insn->opcode;

	if (!arithmetic(p, insn))
		return false;
	if (is_float(type) && halves)
		return wrong(p, insn, NULL,
			"cannot have '.lo', '.hi' or '.wide': the type is a floating-point type");
	if (!is_float(type) && type != PTX_F32X2 && halves != 1)
		return wrong(p, insn, op == PTX_MUL || op == PTX_MAD ? ".lo, .hi or .wide" : ".lo or .hi",
			"must say which half of the product it wants");
	if (has(insn, PTX_MOD_WIDE) && ptx_type_bits(type) > 32)
		return wrong(p, insn, NULL, "is not defined: '.wide' is for 16 and 32 bits");
	if (has(insn, PTX_MOD_SAT) && !is_float(type) && !(has(insn, PTX_MOD_HI) && op != PTX_MUL))
		return wrong(
			p, insn, NULL, "cannot saturate: among integers only '.hi.sat.s32' of a sum can");
	if (op == PTX_MAD && is_float(type) && !float_roundings(insn) && !is_old(p, 1, 4) &&
		p->module->sm >= 20)
		return wrong(p, insn, ".rn, .rz, .rm or .rp", "needs a rounding modifier");
	return true;
}

static bool must_round(struct ptx_parser *p, const struct ptx_insn *insn)
{
	bool is_approximate = HOW_MANY(insn, PTX_MOD_APPROX, PTX_MOD_FULL);

	if (!arithmetic(p, insn))
		return false;
	if (is_float(insn->types[0]) && !float_roundings(insn) && !is_approximate && !is_old(p, 1, 4))
		return wrong(p, insn,
			insn->opcode == PTX_FMA   ? ".rn, .rz, .rm or .rp"
			: insn->opcode == PTX_DIV ? ".rn, .rz, .rm, .rp, .approx or .full"
						  : ".rn, .rz, .rm, .rp or .approx",
			"needs a rounding modifier");
	if (!is_float(insn->types[0]) && is_approximate)
		return wrong(p, insn, NULL, "cannot be approximate: the type is no floating-point type");
	if (is_approximate && float_roundings(insn))
		return wrong(p, insn, NULL, "is either approximate or rounded");
	if (is_approximate && insn->types[0] == PTX_F64 && insn->opcode != PTX_RCP)
		return wrong(p, insn, ".rn, .rz, .rm or .rp", "cannot be approximate: the type is .f64");
	return true;
}

static bool must_approximate(struct ptx_parser *p, const struct ptx_insn *insn)
{
	if (!has(insn, PTX_MOD_APPROX) && !is_old(p, 1, 4))
		return wrong(p, insn, NULL, "needs '.approx'");
	return arithmetic(p, insn);
}

/* set and setp; the compared type is the last one */
static bool comparison(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned type = insn->types[insn->type_count - 1];
	unsigned equal = HOW_MANY(insn, PTX_MOD_EQ, PTX_MOD_NE);
	unsigned order = HOW_MANY(insn, PTX_MOD_LT, PTX_MOD_LE, PTX_MOD_GT, PTX_MOD_GE);
	unsigned below = HOW_MANY(insn, PTX_MOD_LO, PTX_MOD_LS, PTX_MOD_HI, PTX_MOD_HS);
	unsigned unordered = HOW_MANY(insn, PTX_MOD_EQU, PTX_MOD_NEU, PTX_MOD_LTU, PTX_MOD_LEU, PTX_MOD_GTU,
		PTX_MOD_GEU, PTX_MOD_NUM, PTX_MOD_ISNAN);
	bool is_bits = !is_float(type) && !ptx_type_is_signed(type) && type >= PTX_B8 && type <= PTX_B64;

	if (equal + order + below + unordered != 1)
		return wrong(p, insn, ".eq .ne .lt .le .gt .ge ...", "needs one comparison");
	if (is_bits && !equal)
		return wrong(p, insn, NULL, "is not defined: bits are compared with '.eq' or '.ne' only");
	if (below && (is_float(type) || ptx_type_is_signed(type)))
		return wrong(p, insn, ".lt .le .gt .ge",
			"is not defined: '.lo', '.ls', '.hi', '.hs' are for unsigned types");
	if (unordered && !is_float(type))
		return wrong(p, insn, NULL, "is not defined: this comparison is for floating-point types");
	if (has(insn, PTX_MOD_FTZ) && (!is_float(type) || type == PTX_F64))
		return wrong(p, insn, NULL, "cannot have '.ftz': it is for .f32 and .f16");
	return true;
}

/* Smallest and largest values as powers of two, for `cvt.sat` between integers. */
static bool fits_within(unsigned to, unsigned from)
{
	unsigned to_bits = ptx_type_bits(to), from_bits = ptx_type_bits(from);

	if (ptx_type_is_signed(to) == ptx_type_is_signed(from))
		return to_bits >= from_bits;
	return ptx_type_is_signed(to) && to_bits > from_bits;
}

static bool convert_integers(struct ptx_parser *p, const struct ptx_insn *insn)
{
	if (float_roundings(insn) || integer_roundings(insn))
		return wrong(p, insn, NULL, "cannot round: both types are integers");
	if (has(insn, PTX_MOD_SAT) && fits_within(insn->types[0], insn->types[1]))
		return wrong(p, insn, NULL, "cannot saturate: every value fits");
	return true;
}

static bool convert_floats(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned to = ptx_type_bits(insn->types[0]), from = ptx_type_bits(insn->types[1]);

	if (to < from && !float_roundings(insn) && !is_old(p, 2, 0))
		return wrong(p, insn, ".rn, .rz, .rm or .rp", "needs a rounding modifier");
	if (to > from && (float_roundings(insn) || integer_roundings(insn)))
		return wrong(p, insn, NULL, "cannot round: the result is wider");
	if (insn->types[0] == insn->types[1] && float_roundings(insn))
		return wrong(p, insn, ".rni, .rzi, .rmi or .rpi", "rounds to an integral value only");
	return true;
}

/* cvt between plain types; packed and narrow formats are left to the lowering. */
static bool conversion(struct ptx_parser *p, const struct ptx_insn *insn)
{
	const uint64_t integers = T(U8) | T(S8) | T(U16) | T(S16) | T(U32) | T(S32) | T(U64) | T(S64);
	const uint64_t floats = T(F16) | T(F32) | T(F64);
	uint64_t to = UINT64_C(1) << insn->types[0], from = UINT64_C(1) << insn->types[1];

	if (insn->type_count < 2)
		return wrong(p, insn, "cvt.u64.u32", "needs two types");
	if ((to | from) & (T(B8) | T(B16) | T(B32) | T(B64)) && insn->type_count == 2)
		return wrong(p, insn, NULL, "is not defined: a conversion needs numbers, not bits");
	if (insn->type_count > 2 || !(to & (integers | floats)) || !(from & (integers | floats)))
		return true;
	if (to & integers && from & integers)
		return convert_integers(p, insn);
	if (to & integers && !integer_roundings(insn) && !is_old(p, 2, 0))
		return wrong(p, insn, ".rni, .rzi, .rmi or .rpi", "needs a rounding modifier");
	if (from & integers && !float_roundings(insn) && !is_old(p, 2, 0))
		return wrong(p, insn, ".rn, .rz, .rm or .rp", "needs a rounding modifier");
	return to & integers || from & integers || convert_floats(p, insn);
}

static bool load_or_store(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned bits = insn->type_count ? ptx_type_bits(insn->types[0]) * insn->vector : 0;
	unsigned scopes = HOW_MANY(insn, PTX_MOD_CTA, PTX_MOD_CLUSTER, PTX_MOD_GPU, PTX_MOD_SYS);

	if (insn->opcode == PTX_ST && insn->space == PTX_CONST)
		return wrong(p, insn, NULL, "is not defined: .const cannot be written");
	if (insn->space == PTX_REG || insn->space == PTX_SREG)
		return wrong(p, insn, "mov", "is not defined: registers are no memory");
	if (HOW_MANY(insn, PTX_MOD_ACQUIRE, PTX_MOD_RELEASE, PTX_MOD_RELAXED) && !scopes)
		return wrong(p, insn, ".cta, .cluster, .gpu or .sys", "needs a scope");
	if (has(insn, PTX_MOD_NC) && insn->space != PTX_GLOBAL)
		return wrong(p, insn, NULL, "is not defined: '.nc' is for .global");
	if (bits > 256 ||
		(bits > 128 && insn->space && insn->space != PTX_GLOBAL && insn->space != PTX_PARAM))
		return wrong(p, insn, NULL, "is too wide: a vector has at most 16 bytes");
	return true;
}

static bool atomic(struct ptx_parser *p, const struct ptx_insn *insn)
{
	/* clang-format off */
	static const struct { uint16_t operation; uint64_t types; const char *names; } rows[] = {
		{ PTX_MOD_AND, T(B32) | T(B64), ".b32 .b64" }, { PTX_MOD_OR, T(B32) | T(B64), ".b32 .b64" },
		{ PTX_MOD_XOR, T(B32) | T(B64), ".b32 .b64" },
		{ PTX_MOD_CAS, T(B16) | T(B32) | T(B64) | T(B128), ".b16 .b32 .b64 .b128" },
		{ PTX_MOD_EXCH, T(B32) | T(B64) | T(B128), ".b32 .b64 .b128" },
		{ PTX_MOD_ADD, T(U32) | T(S32) | T(U64) | T(F32) | T(F64) | T(F16) | T(F16X2) | T(BF16) | T(BF16X2),
			".u32 .s32 .u64 .f32 .f64 .f16 .f16x2 .bf16 .bf16x2" },
		{ PTX_MOD_INC, T(U32), ".u32" }, { PTX_MOD_DEC, T(U32), ".u32" },
		{ PTX_MOD_MIN, T(U32) | T(S32) | T(U64) | T(S64), ".u32 .s32 .u64 .s64" },
		{ PTX_MOD_MAX, T(U32) | T(S32) | T(U64) | T(S64), ".u32 .s32 .u64 .s64" },
	};
	/* clang-format on */
	unsigned found = 0, row = 0;

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (has(insn, rows[i].operation)) {
			found++;
			row = i;
		}
	if (found != 1)
		return wrong(
			p, insn, ".add .min .max .inc .dec .exch .cas .and .or .xor", "needs one operation");
	if (insn->space && insn->space != PTX_GLOBAL && insn->space != PTX_SHARED)
		return wrong(p, insn, NULL, "is not defined: atomic operations are for .global and .shared");
	if (insn->opcode == PTX_RED &&
		(rows[row].operation == PTX_MOD_CAS || rows[row].operation == PTX_MOD_EXCH))
		return wrong(p, insn, "atom", "is not defined: a reduction returns nothing");
	if (ptx_type_is_float(insn->types[0]) && ptx_type_bits(insn->types[0]) <= 32 &&
		insn->types[0] != PTX_F32 && has(insn, PTX_MOD_ADD) && !has(insn, PTX_MOD_NOFTZ))
		return wrong(p, insn, ".noftz", "needs '.noftz'");
	if (insn->vector == 1 && !(rows[row].types >> insn->types[0] & 1))
		return wrong(p, insn, rows[row].names, "is not defined for this type");
	return true;
}

/* shfl, vote: which lanes; the forms without .sync went away with sm_70. */
static bool warp_wide(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned modes = insn->opcode == PTX_SHFL
				 ? HOW_MANY(insn, PTX_MOD_UP, PTX_MOD_DOWN, PTX_MOD_BFLY, PTX_MOD_IDX)
				 : HOW_MANY(insn, PTX_MOD_ALL, PTX_MOD_ANY, PTX_MOD_UNI, PTX_MOD_BALLOT);

	if (modes != 1)
		return wrong(p, insn,
			insn->opcode == PTX_SHFL ? ".up .down .bfly .idx" : ".all .any .uni .ballot",
			"needs one mode");
	if (!has(insn, PTX_MOD_SYNC) && p->module->sm >= 70 && !is_old(p, 6, 4))
		return wrong(
			p, insn, "add '.sync' and a mask", "is gone: sm_70 and later need the '.sync' form");
	return true;
}

static bool needs_one(struct ptx_parser *p, const struct ptx_insn *insn, unsigned found, const char *of)
{
	return found == 1 || wrong(p, insn, of, "lacks a modifier, or has too many");
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
	case PTX_TESTP:
		return needs_one(p, insn, insn->modifier_count,
			".finite .infinite .number .notanumber .normal .subnormal");
	case PTX_DP2A:
		return needs_one(p, insn, HOW_MANY(insn, PTX_MOD_LO, PTX_MOD_HI), ".lo or .hi");
	case PTX_BAR:
		return needs_one(p, insn, HOW_MANY(insn, PTX_MOD_ARRIVE, PTX_MOD_SYNC, PTX_MOD_RED),
			".sync, .arrive or .red");
	case PTX_FENCE:
		return HOW_MANY(insn, PTX_MOD_PROXY, PTX_MOD_CTA, PTX_MOD_CLUSTER, PTX_MOD_GPU, PTX_MOD_SYS) ||
		       wrong(p, insn, ".cta, .cluster, .gpu or .sys", "needs a scope");
	case PTX_MEMBAR:
		return needs_one(p, insn, HOW_MANY(insn, PTX_MOD_CTA, PTX_MOD_GL, PTX_MOD_SYS, PTX_MOD_PROXY),
			".cta, .gl or .sys");
	case PTX_CVTA:
	case PTX_ISSPACEP:
		if (insn->opcode == PTX_CVTA && ptx_type_bits(insn->types[0]) != p->module->address_bits)
			return wrong(p, insn, NULL, "is not defined: addresses have another size in this module");
		return insn->space ||
		       wrong(p, insn, ".global .shared .local .const .param", "needs a state space");
	case PTX_CP:
		return !has(insn, PTX_MOD_ASYNC) || has(insn, PTX_MOD_BULK) || insn->modifier_count > 1 ||
		       wrong(p, insn, ".ca or .cg", "lacks a modifier");
	case PTX_BRX:
		return has(insn, PTX_MOD_IDX) || wrong(p, insn, "brx.idx", "is not defined");
	default:
		return true;
	}
}

/* clang-format off */
bool check_rules(struct ptx_parser *p, const struct ptx_insn *insn)
{
	switch (insn->opcode) {
	case PTX_ADD: case PTX_SUB: case PTX_ABS: case PTX_NEG: case PTX_MIN: case PTX_MAX: case PTX_ADDC: case PTX_SUBC:
		return arithmetic(p, insn);
	case PTX_MUL: case PTX_MAD: case PTX_MUL24: case PTX_MAD24: case PTX_MADC:
		return product(p, insn);
	case PTX_FMA: case PTX_DIV: case PTX_RCP: case PTX_SQRT:
		return must_round(p, insn);
	case PTX_RSQRT: case PTX_SIN: case PTX_COS: case PTX_LG2: case PTX_EX2: case PTX_TANH:
		return must_approximate(p, insn);
	case PTX_SET: case PTX_SETP:
		return comparison(p, insn);
	case PTX_CVT:
		return has(insn, PTX_MOD_PACK) || conversion(p, insn);
	case PTX_LD: case PTX_ST: case PTX_LDU:
		return load_or_store(p, insn);
	case PTX_ATOM: case PTX_RED:
		return has(insn, PTX_MOD_ASYNC) || atomic(p, insn);
	case PTX_SHFL: case PTX_VOTE:
		return warp_wide(p, insn);
	default:
		return others(p, insn);
	}
}

/* clang-format on */