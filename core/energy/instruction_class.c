/* core/energy/instruction_class.c -- micro-operations by energy class. */
#include "core/energy/instruction_class.h"

const char *const instruction_class_names[INSTRUCTION_CLASSES + 1] = {
#define CLASS(name, category, help) #name,
#include "core/energy/instruction_classes.def"
#undef CLASS
	NULL
};

const char *const static_category_names[STATIC_CATEGORIES + 1] = { "int", "fp", "texture", "sfu", "dp",
	"tensor", NULL };

#define FLOAT_PAIR(op, what) \
	[UOP_##op##_F32] = INSTRUCTION_fp_##what, [UOP_##op##_F64] = INSTRUCTION_dp_##what

/* Memory and atomics: by their space (below). Later designators override earlier ones, on purpose. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
static const uint8_t classes[UOP_CODE_COUNT] = {
	[0 ... UOP_CODE_COUNT - 1] = INSTRUCTION_int_add,
	[UOP_MOV_B32... UOP_MOV_SREG] = INSTRUCTION_move,
	[UOP_MUL_LO_B16... UOP_MUL_WIDE_S32] = INSTRUCTION_int_mul,
	[UOP_MAD_LO_B16... UOP_MAD_WIDE_S32] = INSTRUCTION_int_mad,
	[UOP_MUL24_LO_U32... UOP_MUL24_HI_S32] = INSTRUCTION_int_mul,
	[UOP_MAD24_LO_U32... UOP_MAD24_HI_S32] = INSTRUCTION_int_mad,
	[UOP_DIV_U16... UOP_REM_S64] = INSTRUCTION_int_div,
	[UOP_POPC_B32... UOP_FNS_B32] = INSTRUCTION_int_logic,
	[UOP_DP4A... UOP_VSET_4] = INSTRUCTION_int_mad,
	[UOP_AND_B16... UOP_SHR_S64] = INSTRUCTION_int_logic,
	FLOAT_PAIR(SETP, add),
	FLOAT_PAIR(SET, add),
	FLOAT_PAIR(ADD, add),
	FLOAT_PAIR(SUB, add),
	FLOAT_PAIR(MUL, mul),
	FLOAT_PAIR(FMA, fma),
	FLOAT_PAIR(FMS, fma),
	FLOAT_PAIR(FNMA, fma),
	FLOAT_PAIR(DIV, div),
	FLOAT_PAIR(RCP, div),
	FLOAT_PAIR(SQRT, div),
	FLOAT_PAIR(MIN, add),
	FLOAT_PAIR(MAX, add),
	FLOAT_PAIR(ABS, add),
	FLOAT_PAIR(NEG, add),
	FLOAT_PAIR(COPYSIGN, add),
	FLOAT_PAIR(TESTP, add),
	[UOP_MIN_ABS_F32... UOP_SUB_F32X2] = INSTRUCTION_fp_add,
	[UOP_MUL_F32X2] = INSTRUCTION_fp_mul,
	[UOP_FMA_F32X2] = INSTRUCTION_fp_fma,
	[UOP_ADD_HALF... UOP_SET_HALF] = INSTRUCTION_half,
	[UOP_DIV_APPROX_F32... UOP_DIV_FULL_F32] = INSTRUCTION_fp_div,
	[UOP_RCP_APPROX_F32] = INSTRUCTION_rcp,
	[UOP_SQRT_APPROX_F32... UOP_RSQRT_APPROX_F32] = INSTRUCTION_sqrt,
	[UOP_SIN_APPROX_F32... UOP_COS_APPROX_F32] = INSTRUCTION_sin,
	[UOP_LG2_APPROX_F32] = INSTRUCTION_log,
	[UOP_EX2_APPROX_F32... UOP_TANH_HALF] = INSTRUCTION_exp,
	[UOP_RCP_APPROX_F64] = INSTRUCTION_rcp,
	[UOP_RSQRT_APPROX_F64] = INSTRUCTION_sqrt,
	[UOP_CVT_INT... UOP_CVT_F32_F16] = INSTRUCTION_conversion,
	[UOP_TEX... UOP_ISTYPEP] = INSTRUCTION_texture,
	[UOP_VOTE_ALL... UOP_WARP_SYNC] = INSTRUCTION_exchange,
	[UOP_SYSCALL] = INSTRUCTION_control,
	[UOP_MMA_FLOAT... UOP_WGMMA] = INSTRUCTION_tensor,
	[UOP_TCGEN05_LD... UOP_TCGEN05_COMMIT] = INSTRUCTION_tensor,
	[UOP_MOVMATRIX] = INSTRUCTION_exchange,
	[UOP_MATRIX_ADDRESS] = INSTRUCTION_int_mad,
	[UOP_BRA... UOP_NOP] = INSTRUCTION_control,
};
#pragma GCC diagnostic pop

static enum instruction_class class_of_space(const struct uop *u)
{
	switch (u->space) {
	case SPACE_SHARED:
		return INSTRUCTION_memory_shared;
	case SPACE_LOCAL:
		return INSTRUCTION_memory_local;
	case SPACE_CONST:
	case SPACE_PARAM:
		return INSTRUCTION_memory_constant;
	default:
		return INSTRUCTION_memory_global;
	}
}

enum instruction_class instruction_class_of(const struct uop *u)
{
	switch (u->code) {
	case UOP_LD:
	case UOP_ST:
		return class_of_space(u);
	case UOP_LD_PARAM:
		return INSTRUCTION_memory_constant;
	case UOP_ATOM:
		return INSTRUCTION_atomic;
	case UOP_PREFETCH:
	case UOP_CP_ASYNC:
	case UOP_BULK:
	case UOP_TENSORMAP:
		return INSTRUCTION_memory_global;
	case UOP_LDMATRIX:
	case UOP_STMATRIX:
	case UOP_ASYNC_WRITE:
	case UOP_MBARRIER:
	case UOP_MBARRIER_TEST:
		return INSTRUCTION_memory_shared;
	default:
		return classes[u->code];
	}
}

static const uint8_t categories[INSTRUCTION_CLASSES] = {
#define CLASS(name, category, help) [INSTRUCTION_##name] = STATIC_##category,
#include "core/energy/instruction_classes.def"
#undef CLASS
};

enum static_category static_category_of(const struct ptx_kernel *k)
{
	enum static_category last = STATIC_int;

	for (uint32_t i = 0; i < k->uop_count; i++) {
		enum static_category c = categories[instruction_class_of(&k->uops[i])];

		last = c > last ? c : last;
	}
	return last;
}
