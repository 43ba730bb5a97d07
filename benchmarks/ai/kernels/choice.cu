/* choice.cu -- the largest logits of a row, a random word by their softmax, and the experts of a token
 * (sm_75). */
#include "common.cuh"

/* Numbers that compare as floats do; of equals the one with the lower index is larger. */
__device__ inline u64 key_of(float x, int i)
{
	u32 bits = __float_as_uint(x);

	return (u64)(bits >> 31 ? ~bits : bits | 0x80000000) << 32 | (u32)~i;
}

/* The digit of 8 bits above which fewer than `rank` keys lie, and how many: from the histogram of a block of
 * 256. */
__device__ inline void find_digit(u32 *histogram, u32 rank, u32 *digit, u32 *above)
{
	__shared__ u32 sums[256];
	int i = threadIdx.x;

	sums[i] = histogram[255 - i];
	for (int step = 1; step < 256; step *= 2) {
		u32 x;

		__syncthreads();
		x = i >= step ? sums[i - step] : 0;
		__syncthreads();
		sums[i] += x;
	}
	__syncthreads();
	if (sums[i] >= rank && (i == 0 || sums[i - 1] < rank)) {
		*digit = 255 - i;
		*above = i ? sums[i - 1] : 0;
	}
	__syncthreads();
}

/* The smallest key among the `k` largest, digit by digit. */
__device__ inline u64 find_threshold(const float *x, int columns, u32 k)
{
	__shared__ u32 histogram[256], digit, above;
	u64 prefix = 0;
	u32 rank = k;

	for (int shift = 56; shift >= 0; shift -= 8) {
		histogram[threadIdx.x] = 0;
		__syncthreads();
		for (int i = threadIdx.x; i < columns; i += 256) {
			u64 key = key_of(x[i], i);

			if (shift == 56 || key >> (shift + 8) == prefix >> (shift + 8))
				atomicAdd(&histogram[key >> shift & 255], 1);
		}
		__syncthreads();
		find_digit(histogram, rank, &digit, &above);
		prefix |= (u64)digit << shift;
		rank -= above;
	}
	return prefix;
}

enum { TOP = 64 };

/* Of each row the k (at most 64) largest in falling order, of equals the first one first. A block of 256 has
 * a row. */
KERNEL __launch_bounds__(256) top_k(const float *x, float *value, int *index, int columns, int k)
{
	__shared__ u64 keys[TOP];
	__shared__ u32 found;
	u64 least;

	x += (size_t)blockIdx.x * columns;
	if (threadIdx.x < TOP)
		keys[threadIdx.x] = 0;
	if (threadIdx.x == 0)
		found = 0;
	least = find_threshold(x, columns, k);
	for (int i = threadIdx.x; i < columns; i += 256)
		if (key_of(x[i], i) >= least)
			keys[atomicAdd(&found, 1)] = key_of(x[i], i);
	__syncthreads();
	if (threadIdx.x >= k)
		return;
	u64 mine = keys[threadIdx.x];
	int rank = 0, at = (int)~(u32)mine;

	for (int i = 0; i < k; i++)
		rank += keys[i] > mine;
	value[blockIdx.x * k + rank] = x[at];
	index[blockIdx.x * k + rank] = at;
}

/* A word of each row with the probabilities of softmax(x / temperature): the first one up to which their sum
 * exceeds random[row] (0 to 1) of the whole. Each of 256 threads has a part of the row; the one in whose part
 * the sum gets there looks for the word. */
KERNEL __launch_bounds__(256) sample(const float *x, const float *random, int *word, int columns, float cool)
{
	__shared__ float sums[256];
	int each = (columns + 255) / 256, first = threadIdx.x * each, last = min(first + each, columns);
	float most = -INFINITY, sum = 0, wanted, before;

	x += (size_t)blockIdx.x * columns;
	for (int i = threadIdx.x; i < columns; i += 256)
		most = fmaxf(most, x[i]);
	most = block<max_op>(most);
	for (int i = first; i < last; i++)
		sum += __expf((x[i] - most) * cool);
	sums[threadIdx.x] = sum;
	for (int step = 1; step < 256; step *= 2) {
		float y;

		__syncthreads();
		y = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
		__syncthreads();
		sums[threadIdx.x] += y;
	}
	__syncthreads();
	wanted = random[blockIdx.x] * sums[255];
	before = threadIdx.x ? sums[threadIdx.x - 1] : 0;
	if (first >= last || before > wanted || (sums[threadIdx.x] <= wanted && last < columns))
		return;
	for (int i = first; i < last; i++) {
		before += __expf((x[i] - most) * cool);
		if (before > wanted || i == last - 1) {
			word[blockIdx.x] = i;
			return;
		}
	}
}

/* ---- experts ---- */

/* The two experts of each token with the largest logits (a warp has a token, at most 32 experts), their
 * weights by softmax over the two, and how many tokens each expert has. */
KERNEL route(const float *logits, int *expert, float *weight, int *count, int tokens, int experts)
{
	int token = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
	float best[2];
	int at[2];
	u64 key;

	if (token >= tokens)
		return;
	key = lane < experts ? key_of(logits[(size_t)token * experts + lane], lane) : 0;
	for (int i = 0; i < 2; i++) {
		u64 most = key;

		for (int step = 16; step > 0; step /= 2)
			most = max(most, __shfl_xor_sync(0xffffffff, most, step));
		at[i] = (int)~(u32)most;
		best[i] = logits[(size_t)token * experts + at[i]];
		if (lane == at[i])
			key = 0;
	}
	if (lane < 2) {
		float other = __expf(best[1 - lane] - best[lane]);

		expert[2 * token + lane] = at[lane];
		weight[2 * token + lane] = 1 / (1 + other);
		atomicAdd(&count[at[lane]], 1);
	}
}

/* first[e]: the rows before those of expert e, of all; `place` begins there. One warp. */
KERNEL route_sums(const int *count, int *first, int *place, int experts)
{
	int lane = threadIdx.x, x = lane < experts ? count[lane] : 0, sum = x;

	for (int step = 1; step < 32; step *= 2) {
		int y = __shfl_up_sync(0xffffffff, sum, step);

		if (lane >= step)
			sum += y;
	}
	if (lane < experts) {
		first[lane] = place[lane] = sum - x;
		first[lane + 1] = sum;
	}
}

/* Each choice of a token gets a row of its expert: choice_of[row] and row_of[choice]. */
KERNEL route_rows(const int *expert, int *place, int *choice_of, int *row_of, int choices)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, row;

	if (i >= choices)
		return;
	row = atomicAdd(&place[expert[i]], 1);
	choice_of[row] = i;
	row_of[i] = row;
}
