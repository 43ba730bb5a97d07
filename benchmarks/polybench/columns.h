/* columns.h -- host side of corr and covar: data counted from 1, and references over its columns.
 *
 * data is n + 1 rows of m + 1 words, of which row 0 and column 0 are not used and must stay as they were. */
#ifndef POLYBENCH_COLUMNS_H
#define POLYBENCH_COLUMNS_H

#include "polybench.h"

/* The number of rows as a float, by which means divide. */
static inline float columns_count(size_t n)
{
	return (float)n;
}

/* mean[1..m], zero before. */
static inline void columns_mean(float *mean, const float *data, size_t m, size_t n)
{
	for (size_t i = 1; i <= n; i++)
		for (size_t j = 1; j <= m; j++)
			mean[j] += data[i * (m + 1) + j];
	for (size_t j = 1; j <= m; j++)
		mean[j] /= columns_count(n);
}

/* symmetric[j1][j2] = the product of columns j1 and j2 for all j2 >= j1 + first, and its mirror; zero before.
 */
static inline void columns_product(float *symmetric, const float *data, size_t m, size_t n, size_t first)
{
	for (size_t j1 = 1; j1 <= m; j1++) {
		size_t j2 = j1 + first;
		for (size_t i = 1; i <= n && j2 <= m; i++) {
			const float *row = data + i * (m + 1);
			poly_add_row(symmetric + j1 * (m + 1) + j2, row[j1], row + j2, m + 1 - j2);
		}
		for (; j2 <= m; j2++)
			symmetric[j2 * (m + 1) + j1] = symmetric[j1 * (m + 1) + j2];
	}
}

#endif
