/* gemm-persistent -- host side: a product by wgmma in persistent blocks, whose results, rounded to fp16, are
 * stored by tensor copies; compared exactly. */
#include "wgmma.h"

const struct bench_program bench_program = {
	.help = "C = A * B' by wgmma and TMA: persistent blocks take tiles from a counter, TMA stores them.",
	.source = "persistent kernels with TMA stores as in CUTLASS and Triton for Hopper",
	.tags = "ai tensor hopper",
	.sizes = WGMMA_SIZES,
	.repro = WGMMA_REPRO,
	.ptx = "ai/kernels/gemm_wgmma.ptx",
	.chip = "h200",
};

void bench_run(struct bench *b)
{
	struct wgmma w = wgmma_input(b, "f16");
	size_t tiles = (w.g.m + 127) / 128 * ((w.g.n + 127) / 128), sms = tensor_sms(b);
	size_t pitch = (w.g.n + 7) / 8 * 8; /* of C: rows of a map are multiples of 16 bytes */
	CUdeviceptr c = ai_room_16(b, w.g.m * pitch), counter = bench_device_words(b, 1, 0);
	CUtensorMap map_a = wgmma_map_a(&w, 128), map_b = wgmma_map_b(&w, 128),
		    map_c = tensor_map(w.map, 2, c, w.g.m, pitch, 64);
	float *want = bench_floats(b, w.g.m * pitch);

	tensor_launch(b, "gemm_persistent_f16",
		DIM(tiles / 2 < 1                 ? 1
				: tiles / 2 < sms ? tiles / 2
						  : sms),
		WGMMA_RING + 2 * 16384,
		ARGS(&map_a, &map_b, &map_c, INT(w.g.m), INT(w.g.n), INT(w.steps), &counter));
	gemm_reference(&w.g);
	for (size_t i = 0; i < w.g.m * w.g.n; i++) /* behind n B has no rows: zeros */
		want[i / w.g.n * pitch + i % w.g.n] = w.g.c[i];
	ai_expect_16(b, AI_F16, "element of C", c, want, w.g.m * pitch);
}
