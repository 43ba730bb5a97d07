/* rows.h -- what the programs with a block for each row share. */
#ifndef AI_ROWS_H
#define AI_ROWS_H

#include "ai.h"

/* Rows of an even number of columns; `paper`: columns as in a model. */
#define ROWS_SIZES(rows_of, columns_of, paper) \
	{ \
		{ "rows", rows_of, { 7, 128, 2048, 8192 }, 1 << 20 }, \
		{ \
			"columns", columns_of ", even", { 330, 1024, paper, paper }, 1 << 18, 2, 2 \
		} \
	}
#define ROWS_REPRO "rows enough for all SMs, columns those of a model"

/* The result in f16: half a unit in the last place; sums in f32 and approximations add less than a tenth. */
#define ROWS_TOLERANCE (1.1 / 2048)

struct rows {
	size_t rows, columns, count;
	struct ai_array x;
	CUdeviceptr out;
	float *want;
};

static inline struct rows rows_input(struct bench *b)
{
	struct rows r = { .rows = b->size[0], .columns = b->size[1], .count = b->size[0] * b->size[1] };

	r.x = ai_activations(b, AI_F16, r.count);
	r.out = ai_room_16(b, r.count);
	r.want = bench_floats(b, r.count);
	bench_work(b, "%zu rows of %zu", r.rows, r.columns);
	return r;
}

/* Launches a kernel with a block of 256 threads for each row, timed. */
static inline void rows_launch(struct bench *b, const char *kernel, const struct rows *r, void **args)
{
	bench_start(b);
	bench_launch(b, kernel, DIM(r->rows), DIM(256), args);
	bench_stop(b);
}

/* The mean of a row, and 1 over the root of its variance. */
struct rows_moments {
	double mean, scale;
};

static inline struct rows_moments rows_moments(const float *x, size_t columns)
{
	struct rows_moments m = { 0 };
	double squares = 0;

	for (size_t i = 0; i < columns; i++)
		m.mean += (double)x[i] / (double)columns;
	for (size_t i = 0; i < columns; i++)
		squares += ((double)x[i] - m.mean) * ((double)x[i] - m.mean);
	m.scale = 1 / sqrt(squares / (double)columns + 1e-5);
	return m;
}

#endif
