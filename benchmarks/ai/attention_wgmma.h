/* attention_wgmma.h -- attention by wgmma, full or causal. */
#ifndef AI_ATTENTION_WGMMA_H
#define AI_ATTENTION_WGMMA_H

#include "attention.h"
#include "tensor.h"

#define ATTENTION_WGMMA_SIZES \
	ATTENTION_SIZES({ "head", "elements of a head, 64 or 128", { 64, 128, 128, 128 }, 128, 64, 64 }, \
		{ "groups", "heads of keys and values", { 1, 8, 16, 128 }, 4096 })

static inline void attention_wgmma_run(struct bench *b, bool causal)
{
	size_t heads = b->size[0], length = b->size[1], head = b->size[2], groups = b->size[3], stages = 2;
	struct attention t;
	CUtensorMap map[3];
	CUdeviceptr out = ai_room_16(b, heads * length * head);

	if (heads % groups)
		bench_wrong(b, "%zu heads cannot share %zu", heads, groups);
	t = attention_input(b, heads, groups, length, causal, head);
	map[0] = tensor_map(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, t.q.at, heads * length, head, 128);
	map[1] = tensor_map(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, t.k.at, groups * length, head, 128);
	map[2] = tensor_map(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, t.v.at, groups * length, head, 128);
	bench_work(b, "%zu heads of %zu (%zu of keys), %zu positions", heads, head, groups, length);
	tensor_launch(b, head == 64 ? "attention_64" : "attention_128", DIM((length + 127) / 128, heads),
		(1 + 2 * stages) * 128 * 2 * head + 1024,
		ARGS(&map[0], &map[1], &map[2], &out, INT(length), INT(heads / groups), INT(causal)));
	attention_check(b, &t, out);
}

#endif
