/* frontend/lower/timing.c -- where each micro-operation executes and in which latency class.
 *
 * Division, reciprocal and square root with exact rounding are subroutines on the machines that are modelled:
 * one class of their own, on the special function unit, which their first step occupies. */
#include "frontend/lower/lower.h"

struct timing {
	uint8_t unit, class;
};

#define SP(class) \
	{ \
		UNIT_SP, CLASS_##class \
	}
#define DP(class) \
	{ \
		UNIT_DP, CLASS_##class \
	}
#define SFU(class) \
	{ \
		UNIT_SFU, CLASS_##class \
	}
#define LDST \
	{ \
		UNIT_LDST, CLASS_MEMORY \
	}
#define CONTROL \
	{ \
		UNIT_CONTROL, CLASS_CONTROL \
	}
#define FLOAT_PAIR(op, single, class) [UOP_##op##_F32] = single(FP_##class), [UOP_##op##_F64] = DP(DP_##class)

/* Later designators override the first, on purpose. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
static const struct timing timings[UOP_CODE_COUNT] = {
	[0 ... UOP_CODE_COUNT - 1] = SP(INT_ADD), /* moves, logic, votes, addresses */
	[UOP_POPC_B32... UOP_BFIND_S64] = SP(INT_COUNT),
	[UOP_BFE_U32... UOP_BFI_B64] = SP(INT_BITS),
	[UOP_SHF_L_B32... UOP_FNS_B32] = SP(INT_BITS),
	[UOP_SHL_B16... UOP_SHR_S64] = SP(INT_BITS),
	[UOP_SHR_ADD_U32... UOP_SHR_ADD_S32] = SP(INT_BITS),
	[UOP_MUL_LO_B16... UOP_MUL_WIDE_S32] = SP(INT_MUL),
	[UOP_MUL_HI_U32] = SP(INT_HIGH),
	[UOP_MUL_HI_S32] = SP(INT_HIGH),
	[UOP_MAD_LO_B16... UOP_MAD_WIDE_S32] = SP(INT_MAD),
	[UOP_MUL24_LO_U32... UOP_MUL24_HI_S32] = SP(INT_MUL),
	[UOP_MAD24_LO_U32... UOP_MAD24_HI_S32] = SP(INT_MAD),
	[UOP_DIV_U16... UOP_REM_S64] = SFU(INT_DIV),
	[UOP_MIN_U16... UOP_MAX_S64] = SP(INT_MAX),
	[UOP_SAD_U16... UOP_SAD_S64] = SP(INT_BITS), /* as many a clock as shifts: CUDA C guide, 2.0 to 7.x */
	[UOP_MIN_U16X2... UOP_MAX_RELU_S32] = SP(INT_MAX),
	[UOP_DP4A... UOP_DP2A] = SP(INT_MAD),
	[UOP_VADD... UOP_VSET_4] = SP(INT_MAD),
	FLOAT_PAIR(SETP, SP, ADD),
	FLOAT_PAIR(SET, SP, ADD),
	FLOAT_PAIR(ADD, SP, ADD),
	FLOAT_PAIR(SUB, SP, ADD),
	FLOAT_PAIR(MUL, SP, MUL),
	FLOAT_PAIR(FMA, SP, MAD),
	FLOAT_PAIR(FMS, SP, MAD),
	FLOAT_PAIR(FNMA, SP, MAD),
	FLOAT_PAIR(DIV, SFU, DIV),
	FLOAT_PAIR(RCP, SFU, DIV),
	FLOAT_PAIR(SQRT, SFU, DIV),
	FLOAT_PAIR(MIN, SP, MAX),
	FLOAT_PAIR(MAX, SP, MAX),
	FLOAT_PAIR(ABS, SP, ADD),
	FLOAT_PAIR(NEG, SP, ADD),
	FLOAT_PAIR(COPYSIGN, SP, ADD),
	FLOAT_PAIR(TESTP, SP, ADD),
	[UOP_MIN_ABS_F32... UOP_MAX3_F32] = SP(FP_MAX),
	[UOP_ADD_F32X2... UOP_SUB_F32X2] = SP(FP_ADD),
	[UOP_MUL_F32X2] = SP(FP_MUL),
	[UOP_FMA_F32X2] = SP(FP_MAD),
	[UOP_ADD_HALF... UOP_SUB_HALF] = SP(HALF),
	[UOP_MUL_HALF] = SP(HALF),
	[UOP_FMA_HALF... UOP_FNMA_HALF] = SP(HALF),
	[UOP_MIN_HALF... UOP_MAX_HALF] = SP(FP_MAX),
	[UOP_ABS_HALF... UOP_SET_HALF] = SP(FP_ADD),
	[UOP_DIV_APPROX_F32... UOP_RSQRT_APPROX_F64] = SFU(SFU),
	[UOP_CVT_INT... UOP_CVT_F32_F16] = SP(CONVERT),
	[UOP_CVT_F32_S64... UOP_CVT_F64_U64] = SP(CONVERT_WIDE),
	[UOP_CVT_INT_F32] = SP(CONVERT_INT),
	[UOP_CVT_INT_F64] = SP(CONVERT_WIDE),
	[UOP_CVT_S32_F32_RZ... UOP_CVT_U32_F32_RZ] = SP(CONVERT_INT),
	[UOP_CVT_F32_F64... UOP_CVT_F64_F32] = SP(CONVERT_WIDE),
	[UOP_CVT_F32_F32] = SP(CONVERT_INT),
	[UOP_CVT_F64_F64] = SP(CONVERT_WIDE),
	[UOP_CVT_FORMAT... UOP_CVT_PACK] = SP(CONVERT_HALF),
	[UOP_CVT_F16_F32] = SP(CONVERT_HALF),
	[UOP_LD... UOP_MBARRIER_TEST] = LDST,
	[UOP_TEX... UOP_SURED] = LDST,
	[UOP_MMA_FLOAT... UOP_MMA_BIT] = SP(MATRIX),
	[UOP_WGMMA] = SP(MATRIX),
	[UOP_TCGEN05_LD... UOP_TCGEN05_COMMIT] = SP(TENSOR_MEMORY),
	[UOP_MOVMATRIX] = SP(INT_MUL),
	[UOP_VOTE_ALL... UOP_VOTE_BALLOT] = SP(VOTE),
	[UOP_SHFL] = SP(SHUFFLE), /* 32 lanes a cycle through the exchange network */
	[UOP_MATCH_ANY_B32... UOP_MATCH_ALL_B64] = SP(MATCH),
	[UOP_REDUX_B32... UOP_REDUX_F32] = SP(REDUCE),
	[UOP_BRA... UOP_NOP] = CONTROL,
};
#pragma GCC diagnostic pop

unsigned uop_unit_of(unsigned code)
{
	return timings[code].unit;
}

unsigned uop_class_of(unsigned code)
{
	return timings[code].class;
}

static const char *const names[UOP_CODE_COUNT] = {
#define UOP(id, shape, meaning) [UOP_##id] = #id,
#include "frontend/uops.def"
#undef UOP
};

const char *uop_name(unsigned code)
{
	return code < UOP_CODE_COUNT ? names[code] : "?";
}
