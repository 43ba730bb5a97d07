/* frontend/check/check_float.c -- which modifiers a floating-point instruction may have together: one row
 * for each form of the ISA. check_rules.c runs first and has more helpful messages for missing modifiers;
 * this table catches every combination that remains. */
#include "frontend/check/check.h"

/* clang-format off */
#define T(type) (UINT64_C(1) << PTX_##type)
#define F16S    (T(F16) | T(F16X2))
#define BF16S   (T(BF16) | T(BF16X2))
#define INTS    (T(U8) | T(S8) | T(U16) | T(S16) | T(U32) | T(S32) | T(U64) | T(S64))
#define F8X2    (T(E4M3X2) | T(E5M2X2))
#define F6X2    (T(E2M3X2) | T(E3M2X2))
#define F4X2    T(E2M1X2)
#define SMALL   (F8X2 | F6X2 | F4X2)
#define X4      (T(E4M3X4) | T(E5M2X4) | T(E2M1X4) | T(E2M3X4) | T(E3M2X4))

enum {
	RN = 1 << 0, RZ = 1 << 1, RM = 1 << 2, RP = 1 << 3, RNA = 1 << 4, RS = 1 << 5,
	RNI = 1 << 6, RZI = 1 << 7, RMI = 1 << 8, RPI = 1 << 9, APPROX = 1 << 10, FULL = 1 << 11,
	FTZ = 1 << 12, SAT = 1 << 13, SATFINITE = 1 << 14, RELU = 1 << 15, OOB = 1 << 16, NAN_ = 1 << 17,
	XORSIGN = 1 << 18, ABS = 1 << 19,
};
#define ROUND    (RN | RZ | RM | RP)
#define INTEGRAL (RNI | RZI | RMI | RPI)
#define MODES    (ROUND | RNA | RS | INTEGRAL | APPROX | FULL) /* at most one of them */

static const struct { uint16_t modifier; uint32_t bit; } bits[] = {
	{ PTX_MOD_RN, RN }, { PTX_MOD_RZ, RZ }, { PTX_MOD_RM, RM }, { PTX_MOD_RP, RP },
	{ PTX_MOD_RNA, RNA }, { PTX_MOD_RS, RS }, { PTX_MOD_RNI, RNI }, { PTX_MOD_RZI, RZI },
	{ PTX_MOD_RMI, RMI }, { PTX_MOD_RPI, RPI }, { PTX_MOD_APPROX, APPROX }, { PTX_MOD_FULL, FULL },
	{ PTX_MOD_FTZ, FTZ }, { PTX_MOD_SAT, SAT }, { PTX_MOD_SATFINITE, SATFINITE }, { PTX_MOD_RELU, RELU },
	{ PTX_MOD_OOB, OOB }, { PTX_MOD_NAN, NAN_ }, { PTX_MOD_XORSIGN, XORSIGN }, { PTX_MOD_ABS, ABS },
};

/* One row for each form: the types of the result; the types of the operands, if the instruction names them
 * (else 0); the modifiers that are required, all of them; and those that are permitted besides. */
static const struct { uint16_t opcode; uint64_t types, from; uint32_t needed, may; } forms[] = {
#define SUM(op) \
	{ op, T(F32),   0, 0, ROUND | FTZ | SAT }, \
	{ op, T(F64),   0, 0, ROUND }, \
	{ op, T(F32X2), 0, 0, ROUND | FTZ }, \
	{ op, F16S,     0, 0, RN | FTZ | SAT }, \
	{ op, BF16S,    0, 0, RN }
	SUM(PTX_ADD), SUM(PTX_SUB), SUM(PTX_MUL),
	{ PTX_ADD,   T(F32),                T(F16) | T(BF16), 0,            ROUND | SAT },
	{ PTX_SUB,   T(F32),                T(F16) | T(BF16), 0,            ROUND | SAT },
	{ PTX_FMA,   T(F32),                T(F16) | T(BF16), 0,            ROUND | SAT },
	{ PTX_FMA,   T(F32),                0,                0,            ROUND | FTZ | SAT },
	{ PTX_FMA,   T(F64),                0,                0,            ROUND },
	{ PTX_FMA,   T(F32X2),              0,                0,            ROUND | FTZ },
	{ PTX_FMA,   F16S,                  0,                RN,           FTZ | SAT },
	{ PTX_FMA,   F16S,                  0,                RN,           FTZ | RELU },
	{ PTX_FMA,   F16S,                  0,                RN | OOB,     RELU },
	{ PTX_FMA,   F16S,                  0,                RN | OOB,     SAT },
	{ PTX_FMA,   BF16S,                 0,                0,            ROUND | OOB | RELU },
	{ PTX_MAD,   T(F32),                0,                0,            ROUND | FTZ | SAT },
	{ PTX_MAD,   T(F64),                0,                0,            ROUND },
	{ PTX_DIV,   T(F32),                0,                0,            ROUND | APPROX | FULL | FTZ },
	{ PTX_DIV,   T(F64),                0,                0,            ROUND },
	{ PTX_RCP,   T(F32),                0,                0,            ROUND | APPROX | FTZ },
	{ PTX_RCP,   T(F64),                0,                0,            ROUND | FTZ },
	{ PTX_RCP,   T(F64),                0,                APPROX | FTZ, 0 },
	{ PTX_SQRT,  T(F32),                0,                0,            ROUND | APPROX | FTZ },
	{ PTX_SQRT,  T(F64),                0,                0,            ROUND },
	{ PTX_RSQRT, T(F32) | T(F64),       0,                0,            APPROX | FTZ },
	{ PTX_SIN,   T(F32),                0,                0,            APPROX | FTZ },
	{ PTX_COS,   T(F32),                0,                0,            APPROX | FTZ },
	{ PTX_LG2,   T(F32),                0,                0,            APPROX | FTZ },
	{ PTX_EX2,   T(F32),                0,                0,            APPROX | FTZ },
	{ PTX_EX2,   F16S,                  0,                APPROX,       0 },
	{ PTX_EX2,   BF16S,                 0,                APPROX | FTZ, 0 },
	{ PTX_TANH,  T(F32) | F16S | BF16S, 0,                APPROX,       0 },
#define SIGN(op) \
	{ op, T(F32) | F16S,  0, 0, FTZ }, \
	{ op, T(F64) | BF16S, 0, 0, 0 }
	SIGN(PTX_ABS), SIGN(PTX_NEG),
#define EXTREME(op) \
	{ op, T(F32) | F16S, 0, 0,             FTZ | NAN_ }, \
	{ op, T(F32) | F16S, 0, XORSIGN | ABS, FTZ | NAN_ }, \
	{ op, T(F32),        0, ABS,           FTZ | NAN_ }, \
	{ op, BF16S,         0, 0,             NAN_ }, \
	{ op, BF16S,         0, XORSIGN | ABS, NAN_ }, \
	{ op, T(F64),        0, 0,             0 }
	EXTREME(PTX_MIN), EXTREME(PTX_MAX),
	/* to integers, from integers */
	{ PTX_CVT, INTS,            T(F32),          0, INTEGRAL | FTZ | SAT },
	{ PTX_CVT, INTS,            T(F16) | T(F64), 0, INTEGRAL | SAT },
	{ PTX_CVT, INTS,            T(BF16),         0, INTEGRAL },
	{ PTX_CVT, INTS,            INTS,            0, SAT },
	{ PTX_CVT, T(F32),          INTS,            0, ROUND | FTZ | SAT },
	{ PTX_CVT, T(F16) | T(F64), INTS,            0, ROUND | SAT },
	{ PTX_CVT, T(BF16),         INTS,            0, ROUND },
	/* among floats of one width */
	{ PTX_CVT, T(F32),  T(F32),  0, INTEGRAL | FTZ | SAT },
	{ PTX_CVT, T(F64),  T(F64),  0, INTEGRAL | SAT },
	{ PTX_CVT, T(F16),  T(F16),  0, INTEGRAL | SAT },
	{ PTX_CVT, T(BF16), T(BF16), 0, INTEGRAL },
	{ PTX_CVT, T(F16),  T(BF16), 0, ROUND },
	{ PTX_CVT, T(BF16), T(F16),  0, ROUND },
	/* wider and narrower */
	{ PTX_CVT, T(F32),                     T(F16),  0,   FTZ | SAT },
	{ PTX_CVT, T(F64),                     T(F32),  0,   FTZ | SAT },
	{ PTX_CVT, T(F64),                     T(F16),  0,   SAT },
	{ PTX_CVT, T(F64),                     T(BF16), 0,   ROUND },
	{ PTX_CVT, T(F32),                     T(BF16), 0,   ROUND | FTZ },
	{ PTX_CVT, T(F32),                     T(F64),  0,   ROUND | FTZ | SAT },
	{ PTX_CVT, T(F16),                     T(F64),  0,   ROUND | SAT },
	{ PTX_CVT, T(BF16),                    T(F64),  0,   ROUND },
	{ PTX_CVT, T(F16),                     T(F32),  0,   ROUND | FTZ | SAT },
	{ PTX_CVT, T(BF16),                    T(F32),  0,   ROUND | FTZ },
	{ PTX_CVT, T(F16) | T(BF16) | T(TF32), T(F32),  0,   RN | RZ | RELU | SATFINITE },
	{ PTX_CVT, T(TF32),                    T(F32),  RNA, SATFINITE },
	/* several in a register */
	{ PTX_CVT, T(F16X2),     T(F32),             0,              RN | RZ | RS | RELU | SATFINITE },
	{ PTX_CVT, T(BF16X2),    T(F32),             0,              RN | RZ | RS | RELU | SATFINITE },
	{ PTX_CVT, SMALL,        T(F32),             RN | SATFINITE, RELU },
	{ PTX_CVT, F8X2 | F4X2,  T(F16X2),           RN | SATFINITE, RELU },
	{ PTX_CVT, T(F16X2),     SMALL,              RN,             RELU },
	{ PTX_CVT, X4,           T(F32),             RS | SATFINITE, RELU },
	{ PTX_CVT, T(UE8M0X2),   T(F32) | T(BF16X2), 0,              RZ | RP | SATFINITE },
	{ PTX_CVT, T(BF16X2),    T(UE8M0X2),         RN,             0 },
};
/* clang-format on */

static uint32_t float_bits_of(const struct ptx_insn *insn)
{
	uint32_t found = 0;

	for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
		if (form_has(insn->form, bits[i].modifier))
			found |= bits[i].bit;
	return found;
}

bool check_float(struct ptx_parser *p, const struct ptx_insn *insn)
{
	uint64_t type = UINT64_C(1) << insn->types[0];
	uint64_t from = insn->type_count > 1 ? UINT64_C(1) << insn->types[1] : 0;
	uint32_t have = float_bits_of(insn), possible = 0;
	bool is_known = false;

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		if (forms[i].opcode != insn->opcode || !(forms[i].types & type) ||
			(forms[i].from ? !(forms[i].from & from) : from != 0))
			continue;
		is_known = true;
		possible |= forms[i].needed | forms[i].may;
		if ((forms[i].needed & ~have) == 0 && !(have & ~(forms[i].needed | forms[i].may)) &&
			!(have & MODES & ((have & MODES) - 1)))
			return true;
	}
	for (size_t i = 0; i < sizeof bits / sizeof *bits && is_known; i++)
		if (have & ~possible & bits[i].bit) {
			parse_error(p, insn->location, NULL, "'%.100s' cannot have '.%s'",
				insn->form->spelling, ptx_modifier_name(bits[i].modifier));
			return false;
		}
	parse_error(p, insn->location, NULL, "'%.100s' is not defined%s", insn->form->spelling,
		is_known ? ": a modifier is missing, or two exclude each other" : " for these types");
	return false;
}
