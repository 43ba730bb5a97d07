/* tcgen05.h -- the programs of products in tensor memory: launches, and the share of the tensor cores' peak.
 * Input and comparison are those of products by wgmma. */
#ifndef AI_TCGEN05_H
#define AI_TCGEN05_H

#include "wgmma.h"

enum { TCGEN05_SHARED = 226 * 1024 - 128 /* of a block, which has an SM to itself */ };

#define TCGEN05_TILE \
	{ \
		"tile", "columns of a tile", "256|128", "256" \
	}
#define TCGEN05_TYPE \
	{ \
		"type", "elements of A and B, fp8: e4m3", "f16|bf16|fp8", "f16" \
	}

static inline struct wgmma tcgen05_input(struct bench *b)
{
	return wgmma_input(b, strcmp(b->choice[0], "fp8") ? b->choice[0] : "e4m3");
}

/* How many tiles of a cluster C has, down and across, and their columns: an argument of the kernels. */
struct tcgen05_tiling {
	int down, across, width;
};

/* With 128 rows for each of so many CTAs. */
static inline struct tcgen05_tiling tcgen05_tiles(const struct gemm *g, unsigned ctas, unsigned width)
{
	return (struct tcgen05_tiling){ (int)((g->m + 128 * ctas - 1) / (128 * ctas)),
		(int)((g->n + width - 1) / width), (int)width };
}

static inline void tcgen05_launch(struct bench *b, const char *kernel, const struct tcgen05_tiling *tiles,
	unsigned ctas, unsigned threads, void **args)
{
	tensor_launch_blocks(b, kernel, DIM((unsigned)(tiles->down * tiles->across) * ctas), threads, ctas,
		TCGEN05_SHARED, args);
}

/* What was reached of the tensor cores' peak: 128 lanes take two columns of D a cycle, by 32 bytes of k
 * (SemiAnalysis's microbenchmarks of a B200, as core/sm/tensor.h has them). */
static inline void tcgen05_print_share(const struct bench *b, const struct gemm *g, double bits)
{
	double products = (double)g->m * (double)g->n * (double)g->k, each = 128 * 2 * 32 * 8 / bits;
	int khz;

	CHECK(cuDeviceGetAttribute(&khz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, b->device));
	if (b->ms > 0)
		printf("%s: %.1f TFLOP/s, %.1f %% of the tensor cores' peak\n", b->name,
			2e-9 * products / b->ms,
			100 * products / (each * (double)tensor_sms(b) * khz * b->ms));
}

/* The kernel of that name and type, for tiles of one CTA or of a pair. */
static inline void tcgen05_run(struct bench *b, const char *name, unsigned ctas)
{
	struct wgmma w = tcgen05_input(b);
	unsigned tile = (unsigned)atoi(b->choice[1]);
	CUtensorMap map_a = wgmma_map_a(&w, 128), map_b = wgmma_map_b(&w, tile / ctas);
	struct tcgen05_tiling tiles = tcgen05_tiles(&w.g, ctas, tile);
	char kernel[64];

	snprintf(kernel, sizeof kernel, "%s_%s", name, b->choice[0]);
	tcgen05_launch(b, kernel, &tiles, ctas, 128,
		ARGS(&map_a, &map_b, &w.c, INT(w.g.m), INT(w.g.n), INT(w.steps), &tiles));
	tcgen05_print_share(b, &w.g, 8 * (double)w.element);
	wgmma_check(b, &w);
}

#endif
