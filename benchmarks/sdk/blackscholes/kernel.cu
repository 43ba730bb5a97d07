/* blackscholes -- prices of European call and put options by the formula of Black and Scholes.
 *
 * A fixed grid goes over the options, a grid's width at a time. Three loads and two stores of consecutive
 * words for each option, all coalesced, nothing used twice: a stream with some eighty instructions, four of
 * them for the special function unit, to every five words. */
#include "cuda_kernel.h"

/* The normal distribution function: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.17. */
CUDA_INLINE float normal(float d)
{
	float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
	float tail = 0.39894228f * __expf(-0.5f * d * d) *
		     (k * (0.31938153f +
				  k * (-0.356563782f +
					      k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));

	return d > 0.0f ? 1.0f - tail : tail;
}

extern "C" __global__ void black_scholes(float *call, float *put, const float *price, const float *strike,
	const float *years, float riskless, float volatility, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float s = price[i], x = strike[i], t = years[i];
		float spread = volatility * sqrtf(t);
		float d1 = (__logf(s / x) + (riskless + 0.5f * volatility * volatility) * t) / spread;
		float d2 = d1 - spread;
		float n1 = normal(d1), n2 = normal(d2);
		float today = x * __expf(-riskless * t);

		call[i] = s * n1 - today * n2;
		put[i] = today * (1.0f - n2) - s * (1.0f - n1);
	}
}
