/* layernorm-backward -- host side: the derivatives of a layer norm by its input, its gain and its bias. */
#include "rows.h"

const struct bench_program bench_program = {
	.help = "Derivatives of a layer norm of rows of fp16 by its input, gain and bias.",
	.source = "layer normalisation (Ba et al., 2016); columns of GPT-3 13B (Brown et al., 2020)",
	.tags = "ai",
	.sizes = ROWS_SIZES("tokens", "elements", 5120),
	.repro = ROWS_REPRO,
	.ptx = "ai/kernels/rows.ptx",
	.chip = "a100",
};

struct derivatives {
	double *gain, *bias;
	float *moments;
};

static void derivatives_of_row(
	const struct rows *r, size_t i, const float *d, const float *gain, const struct derivatives *to)
{
	const float *x = r->x.value + i * r->columns;
	struct rows_moments m = rows_moments(x, r->columns);
	double sum = 0, products = 0, n = (double)r->columns;

	for (size_t j = 0; j < r->columns; j++) {
		double norm = ((double)x[j] - m.mean) * m.scale, by = (double)d[j];

		sum += by * (double)gain[j] / n;
		products += by * (double)gain[j] * norm / n;
		to->gain[j] += by * norm;
		to->bias[j] += by;
	}
	for (size_t j = 0; j < r->columns; j++)
		r->want[i * r->columns + j] = (float)(m.scale *
			((double)d[j] * (double)gain[j] - sum -
				((double)x[j] - m.mean) * m.scale * products));
	to->moments[2 * i] = (float)m.mean;
	to->moments[2 * i + 1] = (float)m.scale;
}

void bench_run(struct bench *b)
{
	struct rows r = rows_input(b);
	struct ai_array d = ai_activations(b, AI_F16, r.count);
	float *gain = ai_multiples(b, r.columns, 8, 0.25f), *want = bench_floats(b, r.columns);
	struct derivatives to = { bench_host(b, r.columns, 8), bench_host(b, r.columns, 8),
		bench_floats(b, 2 * r.rows) };
	CUdeviceptr at_gain = BENCH_COPY(b, gain, r.columns), moments, d_gain = ai_room_32(b, r.columns),
		    d_bias = ai_room_32(b, r.columns);

	for (size_t i = 0; i < r.rows; i++)
		derivatives_of_row(&r, i, d.value + i * r.columns, gain, &to);
	moments = BENCH_COPY(b, to.moments, 2 * r.rows);
	bench_start(b);
	bench_launch(b, "layernorm_backward", DIM(r.rows), DIM(256),
		ARGS(&r.x.at, &d.at, &at_gain, &moments, &r.out, INT(r.columns)));
	bench_launch(b, "layernorm_columns", DIM((r.columns + 31) / 32), DIM(32, 8),
		ARGS(&r.x.at, &d.at, &moments, &d_gain, &d_bias, INT(r.rows), INT(r.columns)));
	bench_stop(b);
	/* terms of up to 4 may cancel, with roundings of f32 */
	ai_near_16(b, AI_F16, "derivative by the input", r.out, r.want, r.count, ROWS_TOLERANCE, 0.01);
	for (size_t j = 0; j < r.columns; j++)
		want[j] = (float)to.gain[j];
	/* terms are below 4, and each of `rows` sums rounds */
	ai_near_32(b, "derivative by the gain", d_gain, want, r.columns, (double)r.rows * 0x1p-24 + 1e-6, 4);
	for (size_t j = 0; j < r.columns; j++)
		want[j] = (float)to.bias[j];
	ai_near_32(b, "derivative by the bias", d_bias, want, r.columns, 0, 0); /* exact: multiples of 1/64 */
}
