/* spmv -- host side: a random sparse matrix, rows of columns in rising order, multiplied some times over.
 *
 * Checked for equality: the reference adds each row in its own order with the kernel's fma, and the zeros
 * that fill up a row change no sum. */
#include "bench.h"

enum {
	CTA = 192,
	GROUP = 32,
	MOST_COLUMNS = 5000,
	MOST_ROWS = 5000 * GROUP,
	MOST_ELEMENTS = MOST_COLUMNS / 16
};

/* Compressed rows: the elements of row i are row[i] to row[i + 1] - 1. */
struct matrix {
	size_t rows, elements, longest;
	int32_t *row, *column;
	float *data;
};

/* The same as jagged diagonals: row i of these is row row_of[i] of the matrix. */
struct jagged {
	size_t padded, groups, longest; /* elements with the zeros; groups of rows; columns */
	int32_t *row_of, *column, *column_start, *group_length;
	float *data;
};

/* Elements of a row: 1 to 2 mean - 1, all alike, or skewed by a power law with mean about the same and at
 * most 16 mean. */
static size_t row_length(bool skewed, size_t mean, uint32_t *seed)
{
	size_t length = skewed ? (size_t)(16.0 * (double)mean / (1.0 + 63.0 * (double)bench_random_f32(seed)))
			       : 1 + (size_t)bench_random_below(seed, 2 * mean - 1);

	return length ? length : 1;
}

/* kind: uniform (lengths and columns alike), skewed (few long rows, few columns in many rows), banded
 * (columns within 4 mean of the diagonal, as in a matrix of finite elements). */
static void matrix_make(struct bench *b, struct matrix *m, const char *kind, size_t rows, size_t mean)
{
	bool skewed = !strcmp(kind, "skewed"), banded = !strcmp(kind, "banded");
	size_t width = banded && 8 * mean < rows ? 8 * mean : rows;

	*m = (struct matrix){ .rows = rows, .row = bench_host(b, rows + 1, sizeof *m->row) };
	for (size_t i = 0; i < rows; i++) {
		size_t length = row_length(skewed, mean, &b->seed);
		m->longest = length > m->longest ? length : m->longest;
		m->row[i + 1] = m->row[i] + (int32_t)length;
	}
	m->elements = (size_t)m->row[rows];
	m->column = bench_host(b, m->elements, sizeof *m->column);
	m->data = bench_host(b, m->elements, sizeof *m->data);
	bench_fill_f32(m->data, m->elements, &b->seed);
	for (size_t i = 0; i < rows; i++) {
		size_t low = i < width / 2 ? 0 : i - width / 2;
		low = low + width > rows ? rows - width : low;
		for (int32_t at = m->row[i]; at < m->row[i + 1]; at++)
			m->column[at] = (int32_t)(low +
				(skewed ? bench_random_skewed(&b->seed, width)
					: bench_random_below(&b->seed, width)));
		bench_sort_i32(m->column + m->row[i], (size_t)(m->row[i + 1] - m->row[i]));
	}
}

static size_t length_of(const struct matrix *m, size_t i)
{
	return (size_t)(m->row[i + 1] - m->row[i]);
}

/* row_of[]: longest first, equal ones in their order. */
static void sort_rows(const struct matrix *m, int32_t *row_of)
{
	size_t *next = bench_alloc(m->longest + 2, sizeof *next);

	for (size_t i = 0; i < m->rows; i++)
		next[m->longest - length_of(m, i) + 1]++;
	for (size_t k = 0; k <= m->longest; k++)
		next[k + 1] += next[k];
	for (size_t i = 0; i < m->rows; i++)
		row_of[next[m->longest - length_of(m, i)]++] = (int32_t)i;
	free(next);
}

static void jagged_make(struct bench *b, struct jagged *j, const struct matrix *m)
{
	j->groups = (m->rows + GROUP - 1) / GROUP;
	j->longest = m->longest;
	j->row_of = bench_host(b, m->rows, sizeof *j->row_of);
	j->group_length = bench_host(b, j->groups, sizeof *j->group_length);
	j->column_start = bench_host(b, j->longest + 1, sizeof *j->column_start);
	sort_rows(m, j->row_of);
	for (size_t g = 0, k; g < j->groups; g++) { /* its first row is its longest */
		j->group_length[g] = (int32_t)length_of(m, (size_t)j->row_of[g * GROUP]);
		for (k = 0; k < (size_t)j->group_length[g]; k++)
			j->column_start[k + 1] += GROUP;
	}
	for (size_t k = 0; k < j->longest; k++)
		j->column_start[k + 1] += j->column_start[k];
	j->padded = (size_t)j->column_start[j->longest];
	j->column = bench_host(b, j->padded, sizeof *j->column);
	j->data = bench_host(b, j->padded, sizeof *j->data);
	for (size_t i = 0; i < m->rows; i++) {
		int32_t from = m->row[j->row_of[i]];
		for (size_t k = 0; k < length_of(m, (size_t)j->row_of[i]); k++) {
			j->column[(size_t)j->column_start[k] + i] = m->column[(size_t)from + k];
			j->data[(size_t)j->column_start[k] + i] = m->data[(size_t)from + k];
		}
	}
}

static void reference(const struct matrix *m, const float *x, float *y)
{
	for (size_t i = 0; i < m->rows; i++)
		for (int32_t at = m->row[i]; at < m->row[i + 1]; at++)
			y[i] = fmaf(m->data[at], x[m->column[at]], y[i]);
}

static void launch(struct bench *b, const char *kernel, CUdeviceptr data, CUdeviceptr column, CUdeviceptr row,
	const float *x, CUdeviceptr y)
{
	CUdeviceptr dx = BENCH_COPY(b, x, b->size[0]);

	bench_start(b);
	for (size_t i = 0; i < b->size[2]; i++)
		bench_launch_1d(
			b, kernel, b->size[0], CTA, ARGS(&data, &column, &row, &dx, &y, INT(b->size[0])));
	bench_stop(b);
}

static void run_csr(struct bench *b, const struct matrix *m, const float *x, CUdeviceptr y)
{
	CUdeviceptr data = BENCH_COPY(b, m->data, m->elements);
	CUdeviceptr column = BENCH_COPY(b, m->column, m->elements), row = BENCH_COPY(b, m->row, m->rows + 1);

	launch(b, "spmv_csr", data, column, row, x, y);
}

static void run_jds(struct bench *b, const struct matrix *m, const float *x, CUdeviceptr y)
{
	struct jagged j;

	jagged_make(b, &j, m);
	CHECK(cuMemcpyHtoD(bench_variable(b, "column_start", 4 * j.longest), j.column_start, 4 * j.longest));
	CHECK(cuMemcpyHtoD(bench_variable(b, "group_length", 4 * j.groups), j.group_length, 4 * j.groups));
	CUdeviceptr data = BENCH_COPY(b, j.data, j.padded), column = BENCH_COPY(b, j.column, j.padded);
	CUdeviceptr row_of = BENCH_COPY(b, j.row_of, m->rows);
	launch(b, "spmv_jds", data, column, row_of, x, y);
}

const struct bench_program bench_program = {
	.help = "Multiplies a sparse matrix by a vector, again and again.",
	.source = "Parboil spmv, JDS, its medium matrix's size (bcsstk18: 11948 rows, 149090 elements) and "
		  "50 launches; --format csr: SHOC's, which DWT-CS Table 2 has",
	.tags = "dwtcs thrashing warppool divergent reuse",
	.sizes = { { "rows", "rows and columns of the matrix", { 1900, 11948, 11948, 11948 }, MOST_ROWS },
		{ "elements", "elements of a row, on average", { 6, 12, 12, 12 }, MOST_ELEMENTS },
		{ "launches", "products", { 2, 10, 50, 50 }, 1000 } },
	.choices = { { "matrix", "where the elements are", "uniform|skewed|banded", "uniform" },
		{ "format", "jagged diagonals or compressed rows", "jds|csr", "jds" } },
	.repro = "the paper's (Parboil's medium matrix): 63 CTAs, fewer than the SMs could hold",
};

void bench_run(struct bench *b)
{
	struct matrix m;

	matrix_make(b, &m, b->choice[0], b->size[0], b->size[1]);
	bench_work(b, "%zu rows, %zu elements, at most %zu a row, %s, %s", m.rows, m.elements, m.longest,
		b->choice[0], b->choice[1]);

	float *x = bench_random_floats(b, m.rows), *want = bench_floats(b, m.rows);
	CUdeviceptr y = bench_device(b, m.rows, sizeof(float));
	(strcmp(b->choice[1], "csr") ? run_jds : run_csr)(b, &m, x, y);

	reference(&m, x, want);
	bench_verify_f32(b, "element of y", y, want, m.rows);
}
