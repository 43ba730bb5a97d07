/* tests/ptx/random/halves.h -- f16 and bf16 arithmetic from the rules: exact values, rounded once in integer
 * arithmetic (conformance/arithmetic/round.c). A result that is no number is 0x7fff. */
#ifndef RANDOM_HALVES_H
#define RANDOM_HALVES_H

#include <stdint.h>

enum half { HALF, BRAIN };
enum half_operation { HALF_ADD, HALF_SUB, HALF_MUL, HALF_FMA, HALF_MIN, HALF_MAX };
enum { HALF_FTZ = 1, HALF_RELU = 2, HALF_NAN = 4, HALF_XORSIGN = 8 }; /* xorsign stands for .xorsign.abs */

uint16_t half_compute(
	enum half type, enum half_operation op, unsigned how, uint16_t a, uint16_t b, uint16_t c);
/* Of both halves. */
uint32_t pair_compute(
	enum half type, enum half_operation op, unsigned how, uint32_t a, uint32_t b, uint32_t c);
double half_value(enum half type, uint16_t bits);
/* mode: 0 rn, 1 rz */
uint16_t half_round(enum half type, double value, int mode, unsigned how);

#endif
