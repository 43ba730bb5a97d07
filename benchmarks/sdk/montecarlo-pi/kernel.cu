/* montecarlo-pi -- pi from the share of random points of the unit square that lie in the circle.
 *
 * make_generators gives each thread a generator of its own, far ahead of its neighbour's: it multiplies the
 * seed's 160 bits by a matrix (3200 bytes) for each bit that is set in the thread's number. All threads read
 * the same matrices at the same time, row after row, a word to a warp, which the L1 keeps: that is the
 * cache-friendly part, and most of the time. Rows whose bit is clear are skipped, and lanes differ in that:
 * control diverges. Generators are stored and read as structures of 48 bytes, twelve lines to a warp's
 * access, of which the other words use the rest. count_points then draws points in registers, and adds up
 * hits in a tree in shared memory. */
#include "cuda_kernel.h"
#include "xorwow.h"

extern "C" __global__ void make_generators(xorwow *generators, const unsigned *jump, xorwow seed)
{
	unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned w0 = seed.word[0], w1 = seed.word[1], w2 = seed.word[2], w3 = seed.word[3],
		 w4 = seed.word[4];

	for (unsigned left = thread; left; left >>= 1, jump += XORWOW_ROWS) {
		unsigned n0 = 0, n1 = 0, n2 = 0, n3 = 0, n4 = 0;
		const unsigned *row = jump;

		if (!(left & 1))
			continue;
		for (int i = 0; i < XORWOW_WORDS; i++) {
			unsigned word = w0;
			for (int bit = 0; bit < 32; bit++, row += XORWOW_WORDS)
				if (word >> bit & 1) {
					n0 ^= row[0];
					n1 ^= row[1];
					n2 ^= row[2];
					n3 ^= row[3];
					n4 ^= row[4];
				}
			w0 = w1; /* the next word's turn */
			w1 = w2;
			w2 = w3;
			w3 = w4;
		}
		w0 = n0;
		w1 = n1;
		w2 = n2;
		w3 = n3;
		w4 = n4;
	}
	xorwow *g = generators + thread;
	g->counter = seed.counter;
	g->word[0] = w0;
	g->word[1] = w1;
	g->word[2] = w2;
	g->word[3] = w3;
	g->word[4] = w4;
}

/* In [0, 1): the upper 24 bits of the next number. */
CUDA_INLINE float draw(xorwow &g)
{
	unsigned t = g.word[0] ^ g.word[0] >> 2;

	g.word[0] = g.word[1];
	g.word[1] = g.word[2];
	g.word[2] = g.word[3];
	g.word[3] = g.word[4];
	g.word[4] = g.word[4] ^ g.word[4] << 4 ^ t ^ t << 1;
	g.counter += XORWOW_STEP;
	return (float)((g.counter + g.word[4]) >> 8) * (1.0f / 16777216.0f);
}

/* Thread t draws points t, t + threads, ... of `points`; hits[CTA]: how many lie in the circle. blockDim.x is
 * a power of two, and there is a word of shared memory for each thread. */
extern "C" __global__ void count_points(unsigned *hits, const xorwow *generators, int points)
{
	extern __shared__ unsigned count[];
	int thread = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
	xorwow g = generators[thread];
	unsigned mine = 0;

	for (int i = thread; i < points; i += gridDim.x * blockDim.x) {
		float x = draw(g), y = draw(g);
		if (fmaf(x, x, y * y) <= 1.0f)
			mine++;
	}
	count[t] = mine;
	for (int half = blockDim.x / 2; half > 0; half /= 2) {
		__syncthreads();
		if (t < half)
			count[t] += count[t + half];
	}
	if (t == 0)
		hits[blockIdx.x] = count[0];
}
