/* attention_tcgen05.h -- attention by tcgen05, full or causal. */
#ifndef AI_ATTENTION_TCGEN05_H
#define AI_ATTENTION_TCGEN05_H

#include "attention.h"
#include "tensor.h"

#define ATTENTION_TCGEN05_SIZES \
	ATTENTION_SIZES({ "head", "elements of a head, 64 or 128", { 64, 128, 128, 128 }, 128, 64, 64 }, \
		{ "groups", "heads of keys and values", { 1, 8, 16, 128 }, 4096 })

#define ATTENTION_TCGEN05_CHOICES \
	{ \
		{ "stages", "blocks of keys or values in shared memory", "2|3|4", "4" }, \
			{ "polynomial", "of 16 exponentials, those by a polynomial", "0|4|8", "4" }, \
	}

/* Weights, which add up to 1, are rounded to bf16 (2^-8 of each) before they multiply values of at most 2,
 * and the result once more. The polynomial is within 2^-13.5 of a weight, one way for one key and the other
 * way for another; ex2.approx and the sums in f32 are within 2^-18. */
#define ATTENTION_TCGEN05_TOLERANCE (2.0 / 256 + 2.0 / 8192)

/* Keys 128 to 255 are four times as large as others, so that largest scores rise there. */
static inline struct attention attention_tcgen05_input(struct bench *b, bool causal)
{
	size_t head = b->size[2], groups = b->size[3];
	struct attention t = attention_input_of(b, AI_BF16, b->size[0], groups, b->size[1], causal, head);

	for (size_t i = 0; i < groups * t.length * head; i++)
		if (i / head % t.length / 128 == 1)
			t.k.value[i] *= 4;
	t.k.at = ai_copy(b, AI_BF16, t.k.value, groups * t.length * head);
	return t;
}

static inline void attention_tcgen05_run(struct bench *b, bool causal)
{
	size_t heads = b->size[0], length = b->size[1], head = b->size[2], groups = b->size[3];
	size_t stages = (size_t)atoi(b->choice[0]), works = (length + 255) / 256 * heads, sms = tensor_sms(b);
	struct attention t;
	CUtensorMap map[3];
	CUdeviceptr out = ai_room_16(b, heads * length * head);
	char kernel[32];

	if (heads % groups)
		bench_wrong(b, "%zu heads cannot share %zu", heads, groups);
	t = attention_tcgen05_input(b, causal);
	for (int i = 0; i < 3; i++)
		map[i] = tensor_map(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, (&t.q)[i].at,
			(i ? groups : heads) * length, head, 128);
	snprintf(kernel, sizeof(kernel), "attention_%zu_%s", head, b->choice[1]);
	bench_work(b, "%zu heads of %zu (%zu of keys), %zu positions", heads, head, groups, length);
	tensor_launch_blocks(b, kernel, DIM(causal || works < sms ? works : sms), 512, 1,
		(2 + stages) * 128 * 2 * head + 2048,
		ARGS(&map[0], &map[1], &map[2], &out, INT(length), INT(heads), INT(heads / groups),
			INT(causal), INT(stages)));
	attention_near(b, &t, out, ATTENTION_TCGEN05_TOLERANCE);
}

#endif
