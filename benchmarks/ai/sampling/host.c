/* sampling -- host side: a random word of each row by the softmax of its logits. A word is right if the sum
 * up to it exceeds the random share, and that before it does not, within the rounding of sums of f32. */
#include "ai.h"

const struct bench_program bench_program = {
	.help = "A random word of each row with the probabilities of softmax(x / temperature).",
	.source = "inverse transform sampling as in FlashInfer (Ye et al., MLSys 2025); the vocabulary of "
		  "LLaMA",
	.tags = "ai",
	.sizes = { { "rows", "rows", { 5, 32, 512, 1024 }, 65536 },
		{ "columns", "words of the vocabulary", { 1003, 8000, 32000, 32000 }, 1 << 20 } },
	.repro = "rows are sequences of a large batch",
	.ptx = "ai/kernels/choice.ptx",
	.chip = "a100",
};

static const float temperature = 0.8f;

/* The word, if `got` cannot be right. */
static int32_t expected_word(const float *x, size_t columns, float random, int32_t got)
{
	double total = 0, sum = 0, wanted, margin;

	for (size_t i = 0; i < columns; i++)
		total += exp((double)x[i] / (double)temperature);
	wanted = (double)random * total;
	margin = total * 1e-5; /* 16 roundings of the sum of a part, and those of 256 parts */
	for (size_t i = 0; i < columns; i++) {
		double before = sum;

		sum += exp((double)x[i] / (double)temperature);
		if ((int32_t)i == got && before <= wanted + margin && sum > wanted - margin)
			return got;
		if (sum > wanted + margin || i == columns - 1)
			return (int32_t)i;
	}
	return -1;
}

void bench_run(struct bench *b)
{
	size_t rows = b->size[0], columns = b->size[1];
	float *x = ai_multiples(b, rows * columns, 4096, 1.0f / 1024), *random = bench_random_floats(b, rows);
	int32_t *word = bench_host(b, rows, sizeof *word), *want = bench_host(b, rows, sizeof *want);
	CUdeviceptr at_x = BENCH_COPY(b, x, rows * columns), at_random = BENCH_COPY(b, random, rows),
		    at = ai_room_32(b, rows);

	bench_work(b, "%zu rows of %zu", rows, columns);
	bench_start(b);
	bench_launch(b, "sample", DIM(rows), DIM(256),
		ARGS(&at_x, &at_random, &at, INT(columns), FLOAT(1 / temperature)));
	bench_stop(b);
	BENCH_READ(word, at, rows);
	for (size_t i = 0; i < rows; i++)
		want[i] = expected_word(x + i * columns, columns, random[i], word[i]);
	bench_expect_i32(b, "word of row", word, want, rows);
}
