/* polybench.h -- what the host programs of PolyBench share: the two shapes of their launches, and references
 * made of rows.
 *
 * A reference adds in the order in which its kernel does, but goes along rows, so that it is quick at the
 * papers' sizes. */
#ifndef POLYBENCH_H
#define POLYBENCH_H

#include "bench.h"

enum { POLY_THREADS = 256, POLY_X = 32, POLY_Y = 8 };

/* One thread for each of `threads` rows or columns, 256 to a CTA. */
static inline void poly_launch_1d(const struct bench *b, const char *kernel, size_t threads, void **args)
{
	bench_launch_1d(b, kernel, threads, POLY_THREADS, args);
}

/* One thread for each of width by height elements: a CTA is 32 by 8, a warp 32 neighbours in a row. */
static inline void poly_launch_2d(
	const struct bench *b, const char *kernel, size_t width, size_t height, void **args)
{
	bench_launch_2d(b, kernel, width, height, DIM(POLY_X, POLY_Y), args);
}

/* -- rows: y += s x, and y += s (p - q), each element with one fma -- */

__attribute__((always_inline)) static inline void poly_add_row_body(
	float *restrict y, float s, const float *restrict x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		y[i] = fmaf(s, x[i], y[i]);
}

__attribute__((always_inline)) static inline void poly_add_difference_body(
	float *restrict y, float s, const float *p, const float *q, size_t n)
{
	for (size_t i = 0; i < n; i++)
		y[i] = fmaf(s, p[i] - q[i], y[i]);
}

/* The same with the host's own vectors and fma where it has them: a call of the C library for each of 2 *
 * 2048^3 costs a minute. Both give the same bits. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define POLY_HAS_FMA (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#define POLY_FMA     __attribute__((target("avx2,fma"), optimize("O3")))
#else
#define POLY_HAS_FMA 0
#define POLY_FMA
#endif

POLY_FMA static inline void poly_add_row_fma(float *restrict y, float s, const float *restrict x, size_t n)
{
	poly_add_row_body(y, s, x, n);
}

POLY_FMA static inline void poly_add_difference_fma(
	float *restrict y, float s, const float *p, const float *q, size_t n)
{
	poly_add_difference_body(y, s, p, q, n);
}

static inline void poly_add_row(float *restrict y, float s, const float *restrict x, size_t n)
{
	if (POLY_HAS_FMA)
		poly_add_row_fma(y, s, x, n);
	else
		poly_add_row_body(y, s, x, n);
}

static inline void poly_add_difference(float *restrict y, float s, const float *p, const float *q, size_t n)
{
	if (POLY_HAS_FMA)
		poly_add_difference_fma(y, s, p, q, n);
	else
		poly_add_difference_body(y, s, p, q, n);
}

/* -- matrices, row-major -- */

/* C += A B: A m by k, B k by n. Each element adds in the order of k. */
static inline void poly_add_product(float *c, const float *a, const float *b, size_t m, size_t n, size_t k)
{
	for (size_t row = 0; row < m; row++)
		for (size_t i = 0; i < k; i++)
			poly_add_row(c + row * n, a[row * k + i], b + i * n, n);
}

/* y += A x: A rows by cols. */
static inline void poly_add_times(float *y, const float *a, const float *x, size_t rows, size_t cols)
{
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < cols; j++)
			y[i] = fmaf(a[i * cols + j], x[j], y[i]);
}

/* y += transpose(A) x: A rows by cols. */
static inline void poly_add_transposed_times(
	float *y, const float *a, const float *x, size_t rows, size_t cols)
{
	poly_add_product(y, x, a, 1, cols, rows);
}

/* The transpose of A, rows by cols, for free(). */
static inline float *poly_transposed(const float *a, size_t rows, size_t cols)
{
	float *t = bench_alloc(rows * cols, sizeof *t);

	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < cols; j++)
			t[j * rows + i] = a[i * cols + j];
	return t;
}

/* C = alpha A transpose(A) + beta C, over the transpose's rows: A n by m, C n by n. */
static inline void poly_syrk(float *c, const float *a, float alpha, float beta, size_t n, size_t m)
{
	float *columns = poly_transposed(a, n, m);

	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++)
			c[i * n + j] *= beta;
		for (size_t k = 0; k < m; k++)
			poly_add_row(c + i * n, alpha * a[i * m + k], columns + k * n, n);
	}
	free(columns);
}

#endif
