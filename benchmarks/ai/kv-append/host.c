/* kv-append -- host side: keys and values of new tokens go to their places in pages. */
#include "decode.h"

const struct bench_program bench_program = {
	.help = "Stores keys and values of new tokens in their pages.",
	.source = "the cache of vLLM (Kwon et al., SOSP 2023)",
	.tags = "ai",
	.sizes = { { "tokens", "new tokens", { 37, 512, 8192, 8192 }, 1 << 20 },
		{ "heads", "heads of 128", { 3, 8, 8, 32 }, 256 } },
	.repro = "heads are those of LLaMA 2 70B; fewer than paper's",
	.ptx = "ai/kernels/decode.ptx",
	.chip = "a100",
};

/* Half words of a cache in which only the tokens' places are set. */
static uint16_t *placed(struct bench *b, const uint16_t *x, const int32_t *slot, size_t slots)
{
	size_t tokens = b->size[0], heads = b->size[1];
	uint16_t *cache = bench_host(b, slots * heads * DECODE_HEAD, sizeof *cache);

	memset(cache, 0xff, slots * heads * DECODE_HEAD * sizeof *cache);
	for (size_t t = 0; t < tokens; t++)
		for (size_t h = 0; h < heads; h++) {
			size_t page = (size_t)slot[t] / DECODE_PAGE, row = (size_t)slot[t] % DECODE_PAGE;

			memcpy(cache + ((page * heads + h) * DECODE_PAGE + row) * DECODE_HEAD,
				x + (t * heads + h) * DECODE_HEAD, DECODE_HEAD * sizeof *x);
		}
	return cache;
}

void bench_run(struct bench *b)
{
	size_t tokens = b->size[0], n = tokens * b->size[1] * DECODE_HEAD;
	size_t slots = (2 * tokens + DECODE_PAGE - 1) / DECODE_PAGE * DECODE_PAGE;
	size_t cached = slots * b->size[1] * DECODE_HEAD;
	uint16_t *x[2];
	int32_t *slot = bench_host(b, tokens, sizeof *slot);
	CUdeviceptr in[2], to[2], at;

	for (size_t i = 0; i < 2; i++) {
		x[i] = bench_host(b, n, sizeof **x);
		for (size_t j = 0; j < n; j++)
			x[i][j] = (uint16_t)bench_random(&b->seed);
		in[i] = BENCH_COPY(b, x[i], n);
		to[i] = ai_room_16(b, cached);
	}
	for (size_t t = 0; t < tokens; t++) /* one of two neighbours */
		slot[t] = (int32_t)(2 * t + bench_random(&b->seed) % 2);
	at = BENCH_COPY(b, slot, tokens);
	bench_work(b, "%zu tokens, %zu heads", tokens, b->size[1]);
	bench_start(b);
	bench_launch(b, "kv_append", DIM(tokens), DIM(128),
		ARGS(&in[0], &in[1], &to[0], &to[1], &at, INT(b->size[1])));
	bench_stop(b);
	bench_verify_u16(b, "half word of the keys", to[0], placed(b, x[0], slot, slots), cached);
	bench_verify_u16(b, "half word of the values", to[1], placed(b, x[1], slot, slots), cached);
}
