/* sortingnetworks -- host side: keys below 65536, each with its place as value, sorted upwards.
 *
 * Keys are checked for equality with a counting sort. The network is not stable: of the values, that each
 * place occurs once, and that it is where the key came from. */
#include "bench.h"

enum {
	CTA = 512,
	PIECE = 1024, /* as in the kernel: sorted in shared memory */
	KEYS = 65536,
};

static void launch(const struct bench *b, CUdeviceptr keys, CUdeviceptr values, CUdeviceptr from_keys,
	CUdeviceptr from_values)
{
	unsigned ctas = (unsigned)(b->size[0] / PIECE);
	int n = (int)b->size[0];

	bench_launch(b, "sort_shared", DIM(ctas), DIM(CTA), ARGS(&keys, &values, &from_keys, &from_values));
	for (int size = 2 * PIECE; size <= n; size *= 2) {
		for (int stride = size / 2; stride >= PIECE; stride /= 2)
			bench_launch(b, "merge_global", DIM(ctas), DIM(CTA),
				ARGS(&keys, &values, &n, &size, &stride));
		bench_launch(b, "merge_shared", DIM(ctas), DIM(CTA), ARGS(&keys, &values, &n, &size));
	}
}

static void check(struct bench *b, const uint32_t *in, CUdeviceptr keys, CUdeviceptr values)
{
	size_t n = b->size[0], filled = 0;
	uint32_t *got = bench_host(b, n, sizeof *got), *from = bench_host(b, n, sizeof *from);
	uint32_t *want = bench_host(b, n, sizeof *want), *seen = bench_host(b, n, sizeof *seen);
	uint32_t *count = bench_host(b, KEYS, sizeof *count);

	for (size_t i = 0; i < n; i++)
		count[in[i]]++;
	for (uint32_t key = 0; key < KEYS; key++)
		while (count[key]-- > 0)
			want[filled++] = key;
	BENCH_READ(got, keys, n);
	bench_expect_u32(b, "key", got, want, n);

	BENCH_READ(from, values, n);
	for (size_t i = 0; i < n; i++) {
		want[i] = 1;
		got[i] = from[i] < n ? in[from[i]] : KEYS;
		if (from[i] < n)
			seen[from[i]]++;
	}
	bench_expect_u32(b, "occurrences of value", seen, want, n);
	BENCH_READ(want, keys, n);
	bench_expect_u32(b, "key where the value points", got, want, n);
}

const struct bench_program bench_program = {
	.help = "Sorts keys with values by a bitonic network.",
	.source = "CUDA SDK sortingNetworks (its longest array)",
	.tags = "",
	.sizes = { { "elements", "how many, a power of two", { 4096, 32768, 262144, 1 << 20 }, 1u << 25,
		2 * PIECE, 1 } },
	.choices = { { "keys", "how the keys are spread", "uniform|skewed", "uniform" } },
	.repro = "elements: a quarter of the paper's, 4 MB",
};

void bench_run(struct bench *b)
{
	size_t n = b->size[0];
	bool skewed = !strcmp(b->choice[0], "skewed");
	if (n & (n - 1))
		bench_wrong(b, "elements = %zu: expected a power of two", n);
	bench_work(b, "%zu elements", n);

	uint32_t *key = bench_host(b, n, sizeof *key), *value = bench_host(b, n, sizeof *value);
	for (size_t i = 0; i < n; i++) {
		key[i] = (uint32_t)(skewed ? bench_random_skewed(&b->seed, KEYS)
					   : bench_random_below(&b->seed, KEYS));
		value[i] = (uint32_t)i;
	}
	CUdeviceptr from_keys = BENCH_COPY(b, key, n), from_values = BENCH_COPY(b, value, n);
	CUdeviceptr keys = bench_device(b, n, 4), values = bench_device(b, n, 4);

	bench_start(b);
	launch(b, keys, values, from_keys, from_values);
	bench_stop(b);
	check(b, key, keys, values);
}
