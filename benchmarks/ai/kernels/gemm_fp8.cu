/* gemm_fp8.cu -- the product of matrices of e4m3 by mma.sync (sm_89). */
#define AI_FP8
#include "gemm.cu"
