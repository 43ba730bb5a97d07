/* softmax -- host side: the exponentials of each row over their sum. */
#include "rows.h"

const struct bench_program bench_program = {
	.help = "Softmax of rows of fp16: maximum and sum in one pass.",
	.source = "online softmax (Milakov and Gimelshein, 2018)",
	.tags = "ai",
	.sizes = ROWS_SIZES("rows", "elements", 4096),
	.repro = ROWS_REPRO,
	.ptx = "ai/kernels/rows.ptx",
	.chip = "a100",
};

void bench_run(struct bench *b)
{
	struct rows r = rows_input(b);

	rows_launch(b, "softmax", &r, ARGS(&r.x.at, &r.out, INT(r.columns)));
	for (size_t i = 0; i < r.rows; i++) {
		double total = 0;

		for (size_t j = 0; j < r.columns; j++)
			total += exp((double)r.x.value[i * r.columns + j]);
		for (size_t j = 0; j < r.columns; j++)
			r.want[i * r.columns + j] =
				(float)(exp((double)r.x.value[i * r.columns + j]) / total);
	}
	/* small ones are subnormal: steps of 2^-24 */
	ai_near_16(b, AI_F16, "element of the output", r.out, r.want, r.count, ROWS_TOLERANCE, 0x1p-13);
}
