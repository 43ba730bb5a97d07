/* conv2d -- host side: a convolution as a product of matrices by mma.sync; compared exactly. */
#include "conv.h"

const struct bench_program bench_program = {
	.help = "Convolution of images of fp16 with 3 x 3 taps as an implicit product of matrices.",
	.source = "implicit GEMM (Chetlur et al., 2014); ResNet-50's layers (He et al., CVPR 2016)",
	.tags = "ai tensor",
	.sizes = CONV_SIZES,
	.repro = CONV_REPRO,
	.ptx = "ai/kernels/conv.ptx",
	.chip = "a100",
};

void bench_run(struct bench *b)
{
	struct conv c = conv_input(b);

	bench_start(b);
	bench_launch(b, "conv3x3", DIM((c.to + 127) / 128, (c.pixels + 127) / 128), DIM(256),
		ARGS(&c.x.at, &c.taps.at, &c.out, INT(c.images), INT(c.height), INT(c.width), INT(c.from),
			INT(c.to)));
	bench_stop(b);
	conv_check(b, &c);
}
