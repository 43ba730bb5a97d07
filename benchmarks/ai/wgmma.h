/* wgmma.h -- the programs of products by wgmma: types, maps, grids. All sums are exact; of e4m3 they have so
 * few bits that a chip which adds with fewer than f32 gets them right, too. */
#ifndef AI_WGMMA_H
#define AI_WGMMA_H

#include "gemm.h"
#include "tensor.h"

enum { WGMMA_STEP = 128, WGMMA_RING = 4 * 2 * 128 * 128 + 1024 };

/* m, n, k: k in whole steps of 16 bytes, so that the last of them may be filled up with zeros */
#define WGMMA_SIZES \
	{ \
		{ "m", "rows of A and C", { 200, 512, 2048, 8192 }, 16384 }, \
			{ "n", "rows of B, columns of C, even", { 136, 512, 2048, 8192 }, 16384, 2, 2 }, \
		{ \
			"k", "columns of A and B, in 16s", { 528, 528, 2048, 8192 }, 16384, 16, 16 \
		} \
	}
#define WGMMA_REPRO "m, n and k fill the SMs of an H200 twice over, and are below paper's"
#define WGMMA_TYPES \
	{ \
		{ \
			"type", "elements of A and B", "f16|bf16|e4m3|s8", "f16" \
		} \
	}

struct wgmma {
	struct gemm g;
	const char *type;
	size_t element, steps;
	CUtensorMapDataType map;
	CUdeviceptr a, b, c;
};

static inline CUdeviceptr wgmma_copy(struct bench *b, const char *type, const float *value, size_t count)
{
	int8_t *bytes;

	if (strcmp(type, "s8"))
		return ai_copy(b,
			!strcmp(type, "f16")            ? AI_F16
				: !strcmp(type, "bf16") ? AI_BF16
							: AI_E4M3,
			value, count);
	bytes = bench_host(b, count, 1);
	for (size_t i = 0; i < count; i++)
		bytes[i] = (int8_t)value[i];
	return BENCH_COPY(b, bytes, count);
}

static inline struct wgmma wgmma_input(struct bench *b, const char *type)
{
	struct wgmma w = { .type = type, .element = 1, .map = CU_TENSOR_MAP_DATA_TYPE_UINT8 };
	size_t m = b->size[0], n = b->size[1], k = b->size[2];
	bool is_s8 = !strcmp(type, "s8"), is_16 = strstr(type, "f16");
	uint32_t most = is_s8 ? 32 : is_16 ? 8 : 4;
	float unit = is_s8 ? 1 : 1 / (float)most;

	if (is_16) {
		w.element = 2;
		w.map = *type == 'b' ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
	}
	w.steps = (k * w.element + WGMMA_STEP - 1) / WGMMA_STEP;
	w.g = (struct gemm){ m, n, k, 1, ai_multiples(b, m * k, most, unit),
		ai_multiples(b, n * k, most, unit), bench_floats(b, m * n) };
	w.a = wgmma_copy(b, type, w.g.a, m * k);
	w.b = wgmma_copy(b, type, w.g.b, n * k);
	w.c = ai_room_32(b, m * n);
	bench_work(b, "%zux%zux%zu of %s", m, n, k, type);
	return w;
}

/* The maps of A and B with boxes of so many rows. */
static inline CUtensorMap wgmma_map_a(const struct wgmma *w, unsigned rows)
{
	return tensor_map(w->map, w->element, w->a, w->g.m, w->g.k, rows);
}

static inline CUtensorMap wgmma_map_b(const struct wgmma *w, unsigned rows)
{
	return tensor_map(w->map, w->element, w->b, w->g.n, w->g.k, rows);
}

static inline void wgmma_check(struct bench *b, const struct wgmma *w)
{
	size_t n = w->g.m * w->g.n;
	int32_t *whole;

	gemm_reference(&w->g);
	if (strcmp(w->type, "s8")) {
		bench_verify_f32(b, "element of C", w->c, w->g.c, n);
		return;
	}
	whole = bench_host(b, n, sizeof *whole);
	for (size_t i = 0; i < n; i++)
		whole[i] = (int32_t)w->g.c[i];
	bench_verify_i32(b, "element of C", w->c, whole, n);
}

#endif
