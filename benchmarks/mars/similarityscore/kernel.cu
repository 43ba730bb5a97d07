/* similarityscore -- how alike two documents are: the cosine of the angle between their feature vectors, a
 * thread per pair of documents, which emits (pair, score). No grouping, no reduce.
 *
 * Each thread walks both vectors in global memory and works out both lengths anew. Neighbouring threads have
 * the first document in common (one address for the warp) and the second one's vectors a row apart: 32 cache
 * lines a load, whose other words the same lanes want next; the same rows are read by every other warp. */
#include "../mars.cuh"

CUDA_INLINE float score(const float *a, const float *b, int features)
{
	float product = 0.0f, aa = 0.0f, bb = 0.0f;

	for (int k = 0; k < features; k++) {
		float x = a[k], y = b[k];
		product = fmaf(x, y, product);
		aa = fmaf(x, x, aa);
		bb = fmaf(y, y, bb);
	}
	return product / (sqrtf(aa) * sqrtf(bb));
}

extern "C" __global__ void map_count(
	const float *, const int2 *, int, int pairs, int *key_bytes, int *value_bytes, int *records)
{
	int task = MARS_THREAD;
	mars_counter counter = { 0, 0, 0 };

	if (task >= pairs)
		return;
	counter.emit(nullptr, 8, 0);
	mars_counted(counter, task, key_bytes, value_bytes, records);
}

extern "C" __global__ void map(const float *vectors, const int2 *pair, int features, int pairs,
	const int *key_at, const int *value_at, const int *record_at, unsigned char *keys, float *values,
	int4 *records)
{
	int task = MARS_THREAD;

	if (task >= pairs)
		return;
	int n = features, key = key_at[task], value = value_at[task];
	int2 p = pair[task];
	*(int2 *)(keys + key) = p;
	values[value / 4] = score(vectors + p.x * n, vectors + p.y * n, n);
	records[record_at[task]] = int4{ key, 8, value, 4 };
}
