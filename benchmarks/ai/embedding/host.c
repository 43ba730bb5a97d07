/* embedding -- host side: rows of a table by token, and the sums of derivatives for them; compared exactly.
 */
#include "elements.h"

const struct bench_program bench_program = {
	.help = "Rows of an embedding by token plus those of the positions, and its derivatives by atomics.",
	.source = "the first layer of GPT-2 (Radford et al., 2019); tokens by Zipf's law",
	.tags = "ai",
	.sizes = { { "tokens", "tokens", { 23, 256, 4096, 8192 }, 1 << 20 },
		{ "columns", "elements of a token, even", { 70, 512, 1600, 1600 }, 1 << 14, 2, 2 },
		{ "words", "words of the vocabulary", { 100, 1000, 50257, 50257 }, 1 << 20 },
		{ "length", "tokens of a sequence", { 9, 128, 1024, 1024 }, 1 << 20 } },
	.repro = ELEMENTS_REPRO,
	.ptx = "ai/kernels/elements.ptx",
	.chip = "a100",
};

void bench_run(struct bench *b)
{
	size_t n = elements_count(b), tokens = b->size[0], columns = b->size[1], words = b->size[2],
	       length = b->size[3];
	struct ai_array table = ai_activations(b, AI_F16, words * columns),
			places = ai_activations(b, AI_F16, length * columns),
			d = ai_activations(b, AI_F16, n);
	int32_t *token = bench_host(b, tokens, sizeof *token);
	float *want = bench_floats(b, n), *d_table = bench_floats(b, words * columns);
	CUdeviceptr at_token, out = ai_room_16(b, n), sums = bench_device_words(b, words * columns, 0);

	for (size_t i = 0; i < tokens; i++)
		token[i] = (int32_t)bench_random_skewed(&b->seed, words);
	at_token = BENCH_COPY(b, token, tokens);
	elements_launch(b, "embedding", n / 2,
		ARGS(&table.at, &places.at, &at_token, &out, INT(length), INT(columns), INT(n / 2)));
	elements_launch(
		b, "embedding_backward", n / 2, ARGS(&d.at, &at_token, &sums, INT(columns), INT(n / 2)));
	for (size_t i = 0; i < n; i++) {
		size_t row = i / columns, j = i % columns, at = (size_t)token[row] * columns + j;

		want[i] = table.value[at] + places.value[row % length * columns + j];
		d_table[at] += d.value[i];
	}
	ai_expect_16(b, AI_F16, "element of the output", out, want, n);
	bench_verify_f32(b, "derivative by the table", sums, d_table, words * columns);
}
