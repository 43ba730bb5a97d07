/* elements.cu -- kernels with a thread for each pair of elements: positions, activations, embeddings,
 * dropout, a step of the optimiser. Numbers of 16 bits are f16 (sm_75). */
#include "common.cuh"

#define EACH(i, count) \
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (count); i += gridDim.x * blockDim.x)

/* Rotates the elements j and j + width / 2 of each head, [token][head][width], by the angle of the position;
 * `turn` has cosine and sine, [position][width / 2]. */
KERNEL rope(u16 *x, const float2 *turn, const int *position, int heads, int width, int count)
{
	int half = width / 2;

	EACH(i, count)
	{
		int j = i % half, row = i / half;
		float2 t = turn[(size_t)position[row / heads] * half + j];
		u16 *p = x + (size_t)row * width + j;
		float a = from_f16(p[0]), b = from_f16(p[half]);

		p[0] = to_f16(__fmaf_rn(a, t.x, -__fmul_rn(b, t.y)));
		p[half] = to_f16(__fmaf_rn(b, t.x, __fmul_rn(a, t.y)));
	}
}

__device__ inline float sigmoid(float x)
{
	return 1 / (1 + __expf(-x));
}

__device__ inline float silu_times(float gate, float up)
{
	return gate * sigmoid(gate) * up;
}

KERNEL swiglu(const u32 *gate, const u32 *up, u32 *out, int count)
{
	EACH(i, count)
	out[i] = two_f16(
		silu_times(low_f16(gate[i]), low_f16(up[i])), silu_times(high_f16(gate[i]), high_f16(up[i])));
}

__device__ inline float silu_slope(float x)
{
	float s = sigmoid(x);

	return s * (1 + x * (1 - s));
}

KERNEL swiglu_backward(const u32 *gate, const u32 *up, const u32 *d, u32 *d_gate, u32 *d_up, int count)
{
	EACH(i, count)
	{
		float g0 = low_f16(gate[i]), g1 = high_f16(gate[i]), d0 = low_f16(d[i]), d1 = high_f16(d[i]);

		d_gate[i] =
			two_f16(d0 * low_f16(up[i]) * silu_slope(g0), d1 * high_f16(up[i]) * silu_slope(g1));
		d_up[i] = two_f16(d0 * g0 * sigmoid(g0), d1 * g1 * sigmoid(g1));
	}
}

__device__ inline float gelu_of(float x)
{
	float t;

	asm("tanh.approx.f32 %0, %1;" : "=f"(t) : "f"(0.7978845608f * (x + 0.044715f * x * x * x)));
	return 0.5f * x * (1 + t);
}

KERNEL bias_gelu(const u32 *x, const float2 *bias, u32 *out, int columns, int count)
{
	EACH(i, count)
	{
		float2 b = bias[i % (columns / 2)];

		out[i] = two_f16(gelu_of(low_f16(x[i]) + b.x), gelu_of(high_f16(x[i]) + b.y));
	}
}

/* Rows of the table by token, plus those of the positions. */
KERNEL embedding(
	const u32 *table, const u32 *places, const int *token, u32 *out, int length, int columns, int count)
{
	int pairs = columns / 2;

	EACH(i, count)
	{
		int row = i / pairs, j = i % pairs;
		u32 a = table[(size_t)token[row] * pairs + j], b = places[(size_t)(row % length) * pairs + j];

		out[i] = two_f16(low_f16(a) + low_f16(b), high_f16(a) + high_f16(b));
	}
}

KERNEL embedding_backward(const u32 *d_out, const int *token, float *d_table, int columns, int count)
{
	int pairs = columns / 2;

	EACH(i, count)
	{
		float *to = d_table + (size_t)token[i / pairs] * columns + i % pairs * 2;

		atomicAdd(to, low_f16(d_out[i]));
		atomicAdd(to + 1, high_f16(d_out[i]));
	}
}

/* 32 bits of a number and a seed. */
__device__ inline u32 mixed(u32 x)
{
	x = (x ^ x >> 16) * 0x7feb352du;
	x = (x ^ x >> 15) * 0x846ca68bu;
	return x ^ x >> 16;
}

/* out = residual + (x * scale, or 0 with a probability of drop / 2^32) */
KERNEL dropout_add(const u32 *x, const u32 *residual, u32 *out, u32 drop, float scale, u32 seed, int count)
{
	EACH(i, count)
	{
		float a = mixed(2 * i ^ seed) >= drop ? low_f16(x[i]) * scale : 0;
		float b = mixed((2 * i + 1) ^ seed) >= drop ? high_f16(x[i]) * scale : 0;

		out[i] = two_f16(__fadd_rn(low_f16(residual[i]), a), __fadd_rn(high_f16(residual[i]), b));
	}
}

/* One step with decoupled decay; correct: 1 / (1 - beta^step) of both moments. */
KERNEL adamw(float *value, const float *gradient, float *first, float *second, float rate, float decay,
	float correct1, float correct2, int count)
{
	const float beta1 = 0.9f, beta2 = 0.999f;

	EACH(i, count)
	{
		float g = gradient[i], w = value[i];
		float m = __fmaf_rn(beta1, first[i], __fmul_rn(1 - beta1, g));
		float v = __fmaf_rn(beta2, second[i], __fmul_rn(__fmul_rn(1 - beta2, g), g));
		float by = __fadd_rn(__fsqrt_rn(__fmul_rn(v, correct2)), 1e-8f);
		float step = __fmaf_rn(decay, w, __fdiv_rn(__fmul_rn(m, correct1), by));

		first[i] = m;
		second[i] = v;
		value[i] = __fmaf_rn(-rate, step, w);
	}
}
