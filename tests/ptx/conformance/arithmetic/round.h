/* tests/ptx/conformance/arithmetic/round.h -- floating-point results from exact values, in integer
 * arithmetic: independent of what the host's conversions do. */
#ifndef CONFORM_ROUND_H
#define CONFORM_ROUND_H

#include "../suite/conform.h"

enum rounding { RN, RZ, RM, RP, RNA, ROUNDINGS = 4 }; /* RNA: to the nearest, ties away from zero */
extern const char *const rounding_name[ROUNDINGS];    /* ".rn" ... */

/* The value rounded to F16, BF16, TF32 or F32 (F64: unchanged), as bits. NaN becomes the type's standard NaN.
 */
uint64_t encode(enum type type, double value, enum rounding mode);
/* product + c, where a double cannot hold it rounded to odd: one more rounding, to fewer digits, then is
 * right. */
double odd_sum(double product, double c);

/* a op b, or a * b + c, of f32 or f64 operands in one rounding, by the host under fesetround. */
enum operation { OP_ADD, OP_SUB, OP_MUL, OP_FMA, OP_DIV, OP_RCP, OP_SQRT };
float compute_f32(enum operation op, enum rounding mode, float a, float b, float c);
double compute_f64(enum operation op, enum rounding mode, double a, double b, double c);

/* Subnormal values become zeros of their sign. */
uint64_t flush(enum type type, uint64_t bits);
/* Clamped to 0 .. 1; NaN gives +0. */
uint64_t saturate(enum type type, uint64_t bits);
/* Negative values, and -0, become +0; NaN stays. */
uint64_t relu(enum type type, uint64_t bits);
/* The smaller (larger) of two numbers as PTX's min and max define it. */
enum { MINMAX_MAX = 1, MINMAX_NAN = 2, MINMAX_XORSIGN = 4, MINMAX_ABS = 8 };
uint64_t min_max(enum type type, uint64_t a, uint64_t b, unsigned what);
uint64_t sign_bit(enum type type);
uint64_t nan_bits(enum type type);

#endif
