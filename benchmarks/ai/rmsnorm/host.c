/* rmsnorm -- host side: a branch is added to the residual stream, whose norm is the next branch's input. */
#include "rows.h"

const struct bench_program bench_program = {
	.help = "Adds rows of fp16 to the residual stream and divides by the root of the mean square.",
	.source = "RMS norm (Zhang and Sennrich, NeurIPS 2019); columns of LLaMA 7B (Touvron et al., 2023)",
	.tags = "ai",
	.sizes = ROWS_SIZES("tokens", "elements", 4096),
	.repro = ROWS_REPRO,
	.ptx = "ai/kernels/rows.ptx",
	.chip = "a100",
};

void bench_run(struct bench *b)
{
	struct rows r = rows_input(b);
	struct ai_array residual = ai_activations(b, AI_F16, r.count);
	float *gain = ai_multiples(b, r.columns, 8, 0.25f), *sum = bench_floats(b, r.count);
	CUdeviceptr at_gain = BENCH_COPY(b, gain, r.columns);

	rows_launch(b, "rmsnorm", &r, ARGS(&r.x.at, &residual.at, &at_gain, &r.out, INT(r.columns)));
	for (size_t i = 0; i < r.rows; i++) {
		size_t at = i * r.columns;
		double squares = 0;

		for (size_t j = 0; j < r.columns; j++) {
			sum[at + j] = r.x.value[at + j] + residual.value[at + j];
			squares += (double)(sum[at + j] * sum[at + j]);
		}
		for (size_t j = 0; j < r.columns; j++)
			r.want[at + j] = (float)((double)sum[at + j] * (double)gain[j] /
				sqrt(squares / (double)r.columns + 1e-5));
	}
	ai_expect_16(b, AI_F16, "element of the residual stream", residual.at, sum, r.count);
	ai_near_16(b, AI_F16, "element of the output", r.out, r.want, r.count, ROWS_TOLERANCE, 0);
}
