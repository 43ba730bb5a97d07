/* conv-im2col -- host side: a convolution by wgmma whose pixels tensor copies gather; compared exactly. */
#include "conv.h"
#include "tensor.h"

const struct bench_program bench_program = {
	.help = "Convolution of images of fp16 with 3 x 3 taps by wgmma, pixels by TMA in im2col mode.",
	.source =
		"implicit GEMM (Chetlur et al., 2014) as in CUTLASS for Hopper; ResNet-50 (He et al., 2016)",
	.tags = "ai tensor hopper",
	.sizes = CONV_SIZES,
	.repro = CONV_REPRO,
	.ptx = "ai/kernels/conv_wgmma.ptx",
	.chip = "h200",
};

/* The corners of the pixels that a tap may be at: one before the first, and two before the end. */
static CUtensorMap pixels_map(const struct conv *c)
{
	const cuuint64_t row = c->from * 2, sizes[] = { c->from, c->width, c->height, c->images };
	const cuuint64_t strides[] = { row, row * c->width, row * c->width * c->height };
	const int corner[] = { -1, -1 };
	CUtensorMap map;

	CHECK(cuTensorMapEncodeIm2col(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, (void *)c->x.at, sizes,
		strides, corner, corner, 64, 128, (cuuint32_t[]){ 1, 1, 1, 1 }, CU_TENSOR_MAP_INTERLEAVE_NONE,
		CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
		CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
	return map;
}

void bench_run(struct bench *b)
{
	struct conv c = conv_input(b);
	CUtensorMap pixels = pixels_map(&c),
		    taps = tensor_map(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, c.taps.at, c.to, 9 * c.from, 128);

	tensor_launch(b, "conv3x3_wgmma", DIM((c.to + 127) / 128, (c.pixels + 127) / 128),
		8 * 128 * 128 + 1024,
		ARGS(&pixels, &taps, &c.out, INT(c.height), INT(c.width), INT(c.from), INT(c.pixels),
			INT(c.to)));
	conv_check(b, &c);
}
