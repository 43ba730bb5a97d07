/* similarityscore -- host side: the cosines of all pairs of documents, in a MapReduce job that only maps.
 * Checked for equality: products and lengths add in the order of the features with fmaf(), as the PTX does.
 */
#include "mars.h"

const struct bench_program bench_program = {
	.help = "Compares all pairs of documents by the cosine of their feature vectors.",
	.source = "Mars Similarity Score (He et al., PACT 2008); MeDiC, which prints no size",
	.tags = "medic",
	.sizes = { { "documents", "documents, compared pair by pair", { 50, 120, 512, 512 }, 5000, 2 },
		{ "features", "words of a document's vector", { 61, 128, 128, 128 }, 4096 } },
	.repro = "the paper's; all pairs together read the same features of their documents at about the "
		 "same time, so that the L2 would not miss with longer vectors either",
};

static float product(const float *a, const float *b, size_t n)
{
	float sum = 0.0f;

	for (size_t k = 0; k < n; k++)
		sum = fmaf(a[k], b[k], sum);
	return sum;
}

/* Row by row of the upper triangle of the matrix of scores. */
static void reference(
	struct bench *b, const float *vectors, size_t documents, size_t features, struct mars_list *list)
{
	size_t pairs = documents * (documents - 1) / 2, pair = 0;
	float *length = bench_floats(b, documents);

	mars_list_init(b, list, pairs, pairs, 8 * pairs);
	list->floats = true;
	for (size_t i = 0; i < documents; i++)
		length[i] = sqrtf(product(vectors + i * features, vectors + i * features, features));
	for (size_t i = 0; i < documents; i++)
		for (size_t j = i + 1; j < documents; j++) {
			int32_t key[] = { (int32_t)i, (int32_t)j }, bits;
			float score = product(vectors + i * features, vectors + j * features, features) /
				(length[i] * length[j]);
			memcpy(&bits, &score, sizeof bits);
			mars_list_task(list, pair++);
			mars_list_emit(list, key, sizeof key, bits);
		}
	mars_list_task(list, pairs);
}

void bench_run(struct bench *b)
{
	struct mars_list map;
	struct mars_output mapped;

	size_t documents = b->size[0], features = b->size[1];
	float *vectors = bench_floats(b, documents * features);
	for (size_t i = 0; i < documents * features; i++)
		vectors[i] = 1.0f - bench_random_f32(&b->seed); /* no vector is zero */
	reference(b, vectors, documents, features, &map);
	bench_work(b, "%zu documents of %zu features, %zu pairs", documents, features, map.records);

	/* the keys of the reference are the pairs: the job's input */
	CUdeviceptr table = BENCH_COPY(b, vectors, documents * features);
	CUdeviceptr pairs = bench_device_copy(b, map.keys, map.records, 8);
	if (mars_map(b, "map_count", "map", 3, ARGS(&table, &pairs, INT(features)), &map, &mapped))
		mars_check_map(b, &mapped, &map);
}
