/* topk -- host side: the largest logits of each row, in order; compared exactly. */
#include "ai.h"

const struct bench_program bench_program = {
	.help = "The k largest numbers of each row and where they are, by radix selection.",
	.source = "radix selection (Alabi et al., JEA 2012; RadixTopK: Li et al., 2024); the vocabulary of "
		  "LLaMA",
	.tags = "ai",
	.sizes = { { "rows", "rows", { 3, 32, 128, 1024 }, 65536 },
		{ "columns", "numbers of a row", { 1003, 8000, 32000, 32000 }, 1 << 20, 64 },
		{ "k", "how many of them", { 20, 50, 50, 64 }, 64 } },
	.repro = "rows are sequences of a batch; k is that of many models, below paper's",
	.ptx = "ai/kernels/choice.ptx",
	.chip = "a100",
};

/* Finds the next one behind (value, index) in the order. */
static size_t next_of(const float *x, size_t columns, float value, size_t index)
{
	size_t best = columns;

	for (size_t i = 0; i < columns; i++)
		if ((x[i] < value || (x[i] == value && i > index)) && (best == columns || x[i] > x[best]))
			best = i;
	return best;
}

void bench_run(struct bench *b)
{
	size_t rows = b->size[0], columns = b->size[1], k = b->size[2];
	float *x = ai_multiples(b, rows * columns, 30000, 1.0f / 1024), *want = bench_floats(b, rows * k);
	int32_t *index = bench_host(b, rows * k, sizeof *index);
	CUdeviceptr at_x = BENCH_COPY(b, x, rows * columns), value = ai_room_32(b, rows * k),
		    at = ai_room_32(b, rows * k);

	bench_work(b, "%zu of each of %zu rows of %zu", k, rows, columns);
	bench_start(b);
	bench_launch(b, "top_k", DIM(rows), DIM(256), ARGS(&at_x, &value, &at, INT(columns), INT(k)));
	bench_stop(b);
	for (size_t i = 0; i < rows * k; i++) {
		const float *row = x + i / k * columns;
		size_t found = i % k ? next_of(row, columns, want[i - 1], (size_t)index[i - 1])
				     : next_of(row, columns, INFINITY, 0);

		want[i] = row[found];
		index[i] = (int32_t)found;
	}
	bench_verify_f32(b, "value", value, want, rows * k);
	bench_verify_i32(b, "index", at, index, rows * k);
}
