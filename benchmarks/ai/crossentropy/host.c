/* crossentropy -- host side: the loss of each token, and its derivatives by the logits in their place. */
#include "rows.h"

const struct bench_program bench_program = {
	.help = "Cross entropy of rows of fp16 logits, and its derivatives, in one kernel.",
	.source = "the fused loss of Liger Kernel (Hsu et al., 2024); the vocabulary of LLaMA",
	.tags = "ai",
	.sizes = { { "rows", "tokens", { 7, 128, 512, 8192 }, 1 << 20 },
		{ "columns", "words of the vocabulary, even", { 330, 1024, 32000, 32000 }, 1 << 18, 2, 2 } },
	.repro = ROWS_REPRO,
	.ptx = "ai/kernels/rows.ptx",
	.chip = "a100",
};

void bench_run(struct bench *b)
{
	struct rows r = rows_input(b);
	int32_t *target = bench_host(b, r.rows, sizeof *target);
	float *loss = bench_floats(b, r.rows);
	CUdeviceptr at_target, at_loss = ai_room_32(b, r.rows);

	for (size_t i = 0; i < r.rows; i++)
		target[i] = (int32_t)bench_random_below(&b->seed, r.columns);
	at_target = BENCH_COPY(b, target, r.rows);
	rows_launch(b, "cross_entropy", &r, ARGS(&r.x.at, &at_target, &at_loss, INT(r.columns)));
	for (size_t i = 0; i < r.rows; i++) {
		const float *x = r.x.value + i * r.columns;
		size_t wanted = (size_t)target[i];
		double total = 0;

		for (size_t j = 0; j < r.columns; j++)
			total += exp((double)x[j]);
		loss[i] = (float)(log(total) - (double)x[wanted]);
		for (size_t j = 0; j < r.columns; j++)
			r.want[i * r.columns + j] = (float)(exp((double)x[j]) / total - (j == wanted));
	}
	ai_near_32(b, "loss", at_loss, loss, r.rows, 4e-6, 1); /* lg2.approx and the sum's roundings */
	ai_near_16(b, AI_F16, "derivative", r.x.at, r.want, r.count, ROWS_TOLERANCE, 0x1p-13);
}
