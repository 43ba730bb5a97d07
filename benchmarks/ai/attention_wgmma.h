/* attention_wgmma.h -- attention by wgmma, full or causal. */
#ifndef AI_ATTENTION_WGMMA_H
#define AI_ATTENTION_WGMMA_H

#include "attention.h"
#include "tensor.h"

#define ATTENTION_WGMMA_SIZES \
	ATTENTION_SIZES({ "head", "elements of a head, 64 or 128", { 64, 128, 128, 128 }, 128, 64, 64 }, \
		{ "groups", "heads of keys and values", { 1, 8, 16, 128 }, 4096 })

#define ATTENTION_WGMMA_CHOICES \
	{ \
		{ "stages", "of blocks of keys and values in shared memory; heads of 128 have room for 3", \
			"1|2|3|4", "2" }, \
			{ "cluster", "blocks that load keys and values for each other (multicast)", "1|2|4", \
				"1" }, \
	}

static inline void attention_wgmma_run(struct bench *b, bool causal)
{
	size_t heads = b->size[0], length = b->size[1], head = b->size[2], groups = b->size[3];
	size_t stages = (size_t)atoi(b->choice[0]), cluster = causal ? 1 : (size_t)atoi(b->choice[1]);
	size_t blocks = (length + 127) / 128;
	struct attention t;
	CUtensorMap map[3];
	CUdeviceptr out = ai_room_16(b, heads * length * head);

	if (heads % groups)
		bench_wrong(b, "%zu heads cannot share %zu", heads, groups);
	if (stages * head > 3 * 128)
		bench_wrong(b, "shared memory has no room for %zu stages of heads of %zu", stages, head);
	t = attention_input(b, heads, groups, length, causal, head);
	map[0] = tensor_map(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, t.q.at, heads * length, head, 128);
	for (int i = 1; i < 3; i++)
		map[i] = tensor_map(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, i == 1 ? t.k.at : t.v.at,
			groups * length, head, (unsigned)(128 / cluster));
	bench_work(b, "%zu heads of %zu (%zu of keys), %zu positions", heads, head, groups, length);
	tensor_launch_clusters(b, head == 64 ? "attention_64" : "attention_128",
		DIM((blocks + cluster - 1) / cluster * cluster, heads), (unsigned)cluster,
		(1 + 2 * stages) * 128 * 2 * head + 256,
		ARGS(&map[0], &map[1], &map[2], &out, INT(length), INT(heads / groups), INT(causal),
			INT(stages)));
	attention_check(b, &t, out);
}

#endif
