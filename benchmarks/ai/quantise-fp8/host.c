/* quantise-fp8 -- host side: blocks of 128 to e4m3 and back; compared exactly. */
#include "ai.h"

const struct bench_program bench_program = {
	.help = "Blocks of 128 numbers of fp16 to fp8 (e4m3) with a scale each, and back.",
	.source = "tiles of 1 x 128 of DeepSeek-V3 (2024); FP8 formats (Micikevicius et al., 2022)",
	.tags = "ai",
	.sizes = { { "blocks", "blocks of 128", { 37, 1024, 131072, 262144 }, 1 << 22 } },
	.repro = "blocks of 4096 tokens of 4096 elements",
	.ptx = "ai/kernels/quantise_fp8.ptx",
	.chip = "h200",
};

enum { BLOCK = 128 };

void bench_run(struct bench *b)
{
	size_t blocks = b->size[0], n = blocks * BLOCK;
	struct ai_array x = ai_activations(b, AI_F16, n);
	float *scale = bench_floats(b, blocks), *back = bench_floats(b, n);
	uint8_t *want = bench_host(b, n, 1);
	CUdeviceptr q = bench_device(b, n, 1), scales = ai_room_32(b, blocks), out = ai_room_16(b, n);

	bench_work(b, "%zu blocks", blocks);
	bench_start(b);
	bench_launch_1d(b, "quantise_e4m3", 32 * blocks, 128, ARGS(&x.at, &q, &scales, INT(blocks)));
	bench_launch_1d(b, "dequantise_e4m3", n / 2, 256, ARGS(&q, &scales, &out, INT(n / 2)));
	bench_stop(b);
	for (size_t i = 0; i < n; i++)
		scale[i / BLOCK] = fmaxf(scale[i / BLOCK], fabsf(x.value[i]) / 448);
	for (size_t i = 0; i < n; i++) {
		want[i] = (uint8_t)ai_encode(AI_E4M3, (double)(x.value[i] / scale[i / BLOCK]));
		back[i] = ai_decode(AI_E4M3, want[i]) * scale[i / BLOCK];
	}
	bench_verify_f32(b, "scale", scales, scale, blocks);
	bench_verify_u8(b, "number", q, want, n);
	ai_expect_16(b, AI_F16, "number restored", out, back, n);
}
