/* quantise-s8 -- host side: rows to int8 and back; compared exactly. */
#include "rows.h"

const struct bench_program bench_program = {
	.help = "Rows of fp16 to int8 with a scale each, and back.",
	.source = "row-wise activations of LLM.int8 (Dettmers et al., NeurIPS 2022)",
	.tags = "ai",
	.sizes = ROWS_SIZES("tokens", "elements", 4096),
	.repro = ROWS_REPRO,
	.ptx = "ai/kernels/quantise.ptx",
	.chip = "a100",
};

void bench_run(struct bench *b)
{
	struct rows r = rows_input(b);
	float *scale = bench_floats(b, r.rows);
	int8_t *want = bench_host(b, r.count, 1);
	CUdeviceptr q = bench_device(b, r.count, 1), scales = ai_room_32(b, r.rows);

	rows_launch(b, "quantise_s8", &r, ARGS(&r.x.at, &q, &scales, INT(r.columns)));
	bench_start(b);
	bench_launch_1d(
		b, "dequantise_s8", r.count, 256, ARGS(&q, &scales, &r.out, INT(r.columns), INT(r.count)));
	bench_stop(b);
	for (size_t i = 0; i < r.count; i++)
		scale[i / r.columns] = fmaxf(scale[i / r.columns], fabsf(r.x.value[i]) / 127);
	for (size_t i = 0; i < r.count; i++) {
		want[i] = (int8_t)rintf(r.x.value[i] / scale[i / r.columns]);
		r.want[i] = want[i] * scale[i / r.columns];
	}
	bench_verify_f32(b, "scale", scales, scale, r.rows);
	bench_verify_u8(b, "number", q, (uint8_t *)want, r.count);
	ai_expect_16(b, AI_F16, "number restored", r.out, r.want, r.count);
}
