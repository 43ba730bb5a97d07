/* layernorm -- host side: each row less its mean, over its deviation. */
#include "rows.h"

const struct bench_program bench_program = {
	.help = "Layer norm of rows of fp16, with gain and bias.",
	.source = "layer normalisation (Ba et al., 2016); columns of GPT-3 13B (Brown et al., 2020)",
	.tags = "ai",
	.sizes = ROWS_SIZES("tokens", "elements", 5120),
	.repro = ROWS_REPRO,
	.ptx = "ai/kernels/rows.ptx",
	.chip = "a100",
};

void bench_run(struct bench *b)
{
	struct rows r = rows_input(b);
	float *gain = ai_multiples(b, r.columns, 8, 0.25f), *bias = ai_multiples(b, r.columns, 8, 0.25f),
	      *moments = bench_floats(b, 2 * r.rows);
	CUdeviceptr at_gain = BENCH_COPY(b, gain, r.columns), at_bias = BENCH_COPY(b, bias, r.columns),
		    at_moments = ai_room_32(b, 2 * r.rows);

	rows_launch(
		b, "layernorm", &r, ARGS(&r.x.at, &at_gain, &at_bias, &r.out, &at_moments, INT(r.columns)));
	for (size_t i = 0; i < r.rows; i++) {
		struct rows_moments m = rows_moments(r.x.value + i * r.columns, r.columns);

		moments[2 * i] = (float)m.mean;
		moments[2 * i + 1] = (float)m.scale;
		for (size_t j = 0; j < r.columns; j++)
			r.want[i * r.columns + j] = (float)(((double)r.x.value[i * r.columns + j] - m.mean) *
					m.scale * (double)gain[j] +
				(double)bias[j]);
	}
	/* terms of up to 3.5 and 2 may cancel */
	ai_near_16(b, AI_F16, "element of the output", r.out, r.want, r.count, ROWS_TOLERANCE, 0.01);
	ai_near_32(b, "mean or scale", at_moments, moments, 2 * r.rows, 1e-6, 1);
}
