/* memsys/index/pric.h -- polynomials over GF(2) and the matrix of a pseudo-random interleaved cache: for
 * memsys/index/pric.c, its tests, and those who want to see which address bits make a set.
 *
 * A polynomial is a number whose bit i is the coefficient of x^i: 37 = 100101 is x^5 + x^2 + 1. Sums are
 * exclusive or. */
#ifndef MEMSYS_INDEX_PRIC_H
#define MEMSYS_INDEX_PRIC_H

#include "sim/base/types.h"

#define PRIC_LEAST_DEGREE 4  /* 16 sets */
#define PRIC_MOST_DEGREE  11 /* 2048 sets */
#define PRIC_LINE_BITS    64

/* The rest of the division of a by p, which is not 0: of a lower degree than p's, or 0. */
uint32_t pric_rest(uint64_t a, uint32_t p);
/* The smallest number but 1 that divides p, p itself if it is irreducible; 0 for 0 and 1, which have none. */
uint32_t pric_smallest_factor(uint32_t p);
/* Degree 1 at least, and no product of polynomials of degree 1 at least. */
bool pric_is_irreducible(uint32_t p);
/* What `polynomial: 0` stands for: 37 for degree 5 (the papers'), else the smallest irreducible one. */
uint32_t pric_default(uint32_t degree);
/* The H-matrix of p: bit j of column[i] says whether bit i of a line's number is among those whose exclusive
 * or is bit j of its set. column[i] = x^i mod p (Rau, ISCA 1991). */
void pric_matrix(uint32_t p, uint32_t column[PRIC_LINE_BITS]);

#endif
