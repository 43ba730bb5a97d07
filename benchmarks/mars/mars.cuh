/* mars.cuh -- what the kernels of a MapReduce job on a GPU share, after Mars (He et al., PACT 2008).
 *
 * A task emits records: a key (bytes), a value (a word). They lie in three arrays, the keys' bytes one after
 * another, the values, and a directory of int4:
 *
 *	x  where the key begins    y  its bytes    z  where the value begins, in bytes    w  its bytes
 *
 * Nobody allocates and nothing is atomic: a first kernel counts what each task would emit, prefix sums of the
 * counts give each task its places, and a second kernel does the work again and writes there. Grouping is a
 * bitonic sort of the directory (the keys stay where they are and are read byte by byte: lanes compare keys
 * of different lengths that lie anywhere), then a copy of keys and values into the new order.
 *
 * A kernel.cu says MARS_COMPARE before it includes this: the function that orders keys; without, the job does
 * not group. */
#ifndef MARS_CUH
#define MARS_CUH

#include "cuda_kernel.h"

enum {
	MARS_CTA = 256,
	MARS_CHUNK = 256, /* records that a CTA sorts in shared memory, one thread each */
	MARS_SCAN = 512,  /* counts that a CTA adds up, two a thread */
};

#define MARS_THREAD (int)(blockIdx.x * blockDim.x + threadIdx.x)

/* -- emitting: the same map or reduce function is written once, over one of these -- */

/* The first time: how much it would be. */
struct mars_counter {
	int key_bytes, value_bytes, records;

	__device__ void emit(const unsigned char *, int bytes, int)
	{
		key_bytes += bytes;
		value_bytes += 4;
		records++;
	}
};

/* The second time: into the places that the prefix sums of the counts gave. */
struct mars_writer {
	unsigned char *keys;
	int *values;
	int4 *records;
	int key, value, record; /* places: bytes, bytes, records */

	__device__ void emit(const unsigned char *from, int bytes, int v)
	{
		for (int i = 0; i < bytes; i++)
			keys[key + i] = from[i];
		values[value / 4] = v;
		records[record++] = int4{ key, bytes, value, 4 };
		key += bytes;
		value += 4;
	}
};

/* What every counting kernel ends with. */
CUDA_INLINE void mars_counted(const mars_counter &c, int task, int *key_bytes, int *value_bytes, int *records)
{
	key_bytes[task] = c.key_bytes;
	value_bytes[task] = c.value_bytes;
	records[task] = c.records;
}

/* -- prefix sums -- */

/* Where element i lies in shared memory: a word is left out after each 32, so that strides that are powers of
 * two spread over the banks. */
CUDA_INLINE int mars_bank(int i)
{
	return i + (i >> 5);
}

/* data[i] becomes the sum of those before it within its MARS_SCAN; what they all make goes to sums[CTA]. Up a
 * tree of sums, and down again. */
extern "C" __global__ void mars_scan(int *data, int n, int *sums)
{
	__shared__ int tree[MARS_SCAN + MARS_SCAN / 32];
	int t = threadIdx.x, base = blockIdx.x * MARS_SCAN, stride = 1;

	for (int i = t; i < MARS_SCAN; i += MARS_SCAN / 2)
		tree[mars_bank(i)] = base + i < n ? data[base + i] : 0;
	for (int active = MARS_SCAN / 2; active > 0; active /= 2, stride *= 2) {
		__syncthreads();
		if (t < active)
			tree[mars_bank(stride * (2 * t + 2) - 1)] +=
				tree[mars_bank(stride * (2 * t + 1) - 1)];
	}
	if (t == 0) {
		sums[blockIdx.x] = tree[mars_bank(MARS_SCAN - 1)];
		tree[mars_bank(MARS_SCAN - 1)] = 0;
	}
	for (int active = 1; active < MARS_SCAN; active *= 2) {
		stride /= 2;
		__syncthreads();
		if (t < active) {
			int low = mars_bank(stride * (2 * t + 1) - 1),
			    high = mars_bank(stride * (2 * t + 2) - 1);
			int left = tree[low];
			tree[low] = tree[high];
			tree[high] += left;
		}
	}
	__syncthreads();
	for (int i = t; i < MARS_SCAN && base + i < n; i += MARS_SCAN / 2)
		data[base + i] = tree[mars_bank(i)];
}

/* Adds to each MARS_SCAN elements what those before them made. */
extern "C" __global__ void mars_scan_add(int *data, int n, const int *sums)
{
	for (int i = blockIdx.x * MARS_SCAN + threadIdx.x, end = min(n, (blockIdx.x + 1) * MARS_SCAN);
		i < end; i += MARS_SCAN / 2)
		data[i] += sums[blockIdx.x];
}

#ifdef MARS_COMPARE

/* -- grouping -- */

/* As strings of bytes. */
CUDA_INLINE int mars_strings(const unsigned char *keys, int4 a, int4 b)
{
	int n = min(a.y, b.y);

	for (int i = 0; i < n; i++) {
		int difference = keys[a.x + i] - keys[b.x + i];
		if (difference != 0)
			return difference;
	}
	return a.y - b.y;
}

/* As words of 4 bytes, the largest first. */
CUDA_INLINE int mars_counts(const unsigned char *keys, int4 a, int4 b)
{
	unsigned x = *(const unsigned *)(keys + a.x), y = *(const unsigned *)(keys + b.x);

	return (x < y) - (x > y);
}

/* a behind b in the order of the sort? Records of one key stay as they were emitted, which makes the order
 * the only one; those that fill the directory up to a power of two (bytes < 0) come last. */
CUDA_INLINE bool mars_behind(const unsigned char *keys, int4 a, int4 b)
{
	if (a.y < 0 || b.y < 0)
		return (a.y < 0) > (b.y < 0);
	int order = MARS_COMPARE(keys, a, b);
	return order > 0 || (order == 0 && a.z > b.z);
}

CUDA_INLINE void mars_exchange(const unsigned char *keys, int4 *low, int4 *high, bool ascending)
{
	int4 a = *low, b = *high;

	if (mars_behind(keys, a, b) == ascending) {
		*low = b;
		*high = a;
	}
}

/* A step of the network over the whole directory: i with i + distance, for every other `distance` threads. */
extern "C" __global__ void mars_sort_step(const unsigned char *keys, int4 *records, int distance, int run)
{
	int i = MARS_THREAD, other = i ^ distance;

	if (other > i)
		mars_exchange(keys, &records[i], &records[other], (i & run) == 0);
}

/* The steps of distances below MARS_CHUNK, in shared memory, for runs of first_run, twice that ... last_run.
 */
extern "C" __global__ void mars_sort_chunk(
	const unsigned char *keys, int4 *records, int first_run, int last_run)
{
	__shared__ int4 chunk[MARS_CHUNK];
	int t = threadIdx.x, i = MARS_THREAD;

	chunk[t] = records[i];
	for (int run = first_run; run <= last_run; run *= 2)
		for (int distance = min(run, MARS_CHUNK) / 2; distance > 0; distance /= 2) {
			__syncthreads();
			if ((t ^ distance) > t)
				mars_exchange(keys, &chunk[t], &chunk[t ^ distance], (i & run) == 0);
		}
	__syncthreads();
	records[i] = chunk[t];
}

/* What the copy into the new order needs; a prefix sum follows. */
extern "C" __global__ void mars_sizes(const int4 *records, int n, int *key_bytes, int *value_bytes)
{
	int i = MARS_THREAD;

	if (i < n) {
		key_bytes[i] = records[i].y;
		value_bytes[i] = records[i].w;
	}
}

/* Keys, byte by byte, and values into the order of the sort; records then says where they are now. */
extern "C" __global__ void mars_gather(const unsigned char *keys, const int *values, const int4 *records,
	int n, const int *key_at, const int *value_at, unsigned char *new_keys, int *new_values,
	int4 *new_records)
{
	int i = MARS_THREAD;

	if (i >= n)
		return;
	int4 r = records[i];
	mars_writer out = { new_keys, new_values, new_records, key_at[i], value_at[i], i };
	out.emit(keys + r.x, r.y, values[r.z / 4]);
}

/* begins[i]: 1 if another key begins there, else 0; a prefix sum follows, over one more. */
extern "C" __global__ void mars_boundaries(const unsigned char *keys, const int4 *records, int n, int *begins)
{
	int i = MARS_THREAD;

	if (i < n)
		begins[i] = i == 0 || MARS_COMPARE(keys, records[i - 1], records[i]) != 0;
}

/* group[g]: where group g begins; the last: n. before[i]: groups that begin before i. */
extern "C" __global__ void mars_groups(const int *before, int n, int *group)
{
	int i = MARS_THREAD;

	if (i < n && before[i] != before[i + 1])
		group[before[i]] = i;
	if (i == n)
		group[before[n]] = n;
}

#endif
#endif
