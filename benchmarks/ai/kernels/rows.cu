/* rows.cu -- a block for each row of numbers of f16, which come in pairs: norms, softmax, cross entropy
 * (sm_75). */
#include "common.cuh"

#define PAIRS(i) for (int i = threadIdx.x; i < columns / 2; i += blockDim.x)

__device__ inline float sum_of_row(const u32 *x, int columns)
{
	float sum = 0;

	PAIRS(i)
	sum += low_f16(x[i]) + high_f16(x[i]);
	return block<sum_op>(sum);
}

/* moments[row]: mean, and 1 over the root of the variance */
KERNEL layernorm(const u32 *x, const float2 *gain, const float2 *bias, u32 *out, float2 *moments, int columns)
{
	size_t base = (size_t)blockIdx.x * (columns / 2);
	float mean, squares = 0, scale;

	x += base;
	out += base;
	mean = sum_of_row(x, columns) / columns;
	PAIRS(i)
	{
		float a = low_f16(x[i]) - mean, b = high_f16(x[i]) - mean;

		squares += a * a + b * b;
	}
	scale = rsqrtf(block<sum_op>(squares) / columns + 1e-5f);
	PAIRS(i)
	out[i] = two_f16((low_f16(x[i]) - mean) * scale * gain[i].x + bias[i].x,
		(high_f16(x[i]) - mean) * scale * gain[i].y + bias[i].y);
	if (threadIdx.x == 0)
		moments[blockIdx.x] = make_float2(mean, scale);
}

KERNEL layernorm_backward(
	const u32 *x, const u32 *d_out, const float2 *gain, const float2 *moments, u32 *d_x, int columns)
{
	size_t base = (size_t)blockIdx.x * (columns / 2);
	float2 m = moments[blockIdx.x];
	float sum = 0, products = 0;

	x += base;
	d_out += base;
	d_x += base;
	PAIRS(i)
	{
		float a = low_f16(d_out[i]) * gain[i].x, b = high_f16(d_out[i]) * gain[i].y;

		sum += a + b;
		products += a * (low_f16(x[i]) - m.x) * m.y + b * (high_f16(x[i]) - m.x) * m.y;
	}
	sum = block<sum_op>(sum) / columns;
	products = block<sum_op>(products) / columns;
	PAIRS(i)
	d_x[i] = two_f16(m.y * (low_f16(d_out[i]) * gain[i].x - sum - (low_f16(x[i]) - m.x) * m.y * products),
		m.y * (high_f16(d_out[i]) * gain[i].y - sum - (high_f16(x[i]) - m.x) * m.y * products));
}

/* Derivatives by gain and bias: a block of 32 x 8 threads has 32 columns. */
KERNEL layernorm_columns(const u16 *x, const u16 *d_out, const float2 *moments, float *d_gain, float *d_bias,
	int rows, int columns)
{
	__shared__ float2 part[8][32];
	int column = blockIdx.x * 32 + threadIdx.x;
	float2 sum = make_float2(0, 0);

	for (int r = threadIdx.y; r < rows && column < columns; r += 8) {
		float d = from_f16(d_out[(size_t)r * columns + column]);

		sum.x += d * (from_f16(x[(size_t)r * columns + column]) - moments[r].x) * moments[r].y;
		sum.y += d;
	}
	part[threadIdx.y][threadIdx.x] = sum;
	__syncthreads();
	if (threadIdx.y > 0 || column >= columns)
		return;
	for (int i = 1; i < 8; i++) {
		sum.x += part[i][threadIdx.x].x;
		sum.y += part[i][threadIdx.x].y;
	}
	d_gain[column] = sum.x;
	d_bias[column] = sum.y;
}

/* The residual stream takes x in, and out is its norm. */
KERNEL rmsnorm(const u32 *x, u32 *residual, const float2 *gain, u32 *out, int columns)
{
	size_t base = (size_t)blockIdx.x * (columns / 2);
	float squares = 0, scale;

	x += base;
	residual += base;
	out += base;
	PAIRS(i)
	{
		u32 sum =
			two_f16(low_f16(x[i]) + low_f16(residual[i]), high_f16(x[i]) + high_f16(residual[i]));

		residual[i] = sum;
		squares += low_f16(sum) * low_f16(sum) + high_f16(sum) * high_f16(sum);
	}
	scale = rsqrtf(block<sum_op>(squares) / columns + 1e-5f);
	PAIRS(i)
	out[i] = two_f16(low_f16(residual[i]) * scale * gain[i].x, high_f16(residual[i]) * scale * gain[i].y);
}

/* The largest number of a row, and the sum of the exponentials relative to it, in one pass. */
struct row_sum {
	float most, total;
};

__device__ inline row_sum exponentials(const u32 *x, int columns)
{
	float most = -1e30f, total = 0, all;

	PAIRS(i)
	{
		float a = low_f16(x[i]), b = high_f16(x[i]), next = fmaxf(most, fmaxf(a, b));

		total = total * __expf(most - next) + __expf(a - next) + __expf(b - next);
		most = next;
	}
	all = block<max_op>(most);
	return row_sum{ all, block<sum_op>(total * __expf(most - all)) };
}

KERNEL softmax(const u32 *x, u32 *out, int columns)
{
	size_t base = (size_t)blockIdx.x * (columns / 2);
	row_sum s = exponentials(x + base, columns);

	PAIRS(i)
	out[base + i] = two_f16(__expf(low_f16(x[base + i]) - s.most) / s.total,
		__expf(high_f16(x[base + i]) - s.most) / s.total);
}

/* The loss of each row, and the derivatives by the logits, which take their place. */
KERNEL cross_entropy(u32 *x, const int *target, float *loss, int columns)
{
	row_sum s;
	int wanted = target[blockIdx.x];

	x += (size_t)blockIdx.x * (columns / 2);
	s = exponentials(x, columns);
	if (threadIdx.x == 0)
		loss[blockIdx.x] = s.most + __logf(s.total) - from_f16(((const u16 *)x)[wanted]);
	__syncthreads();
	PAIRS(i)
	x[i] = two_f16(__expf(low_f16(x[i]) - s.most) / s.total - (2 * i == wanted),
		__expf(high_f16(x[i]) - s.most) / s.total - (2 * i + 1 == wanted));
}
