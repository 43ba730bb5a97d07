/* memsys/lane_keys.h -- 32 words compared at once, one of each lane; results are masks of lanes. With the
 * vector unit that every x86-64 has, or in portable C. */
#ifndef MEMSYS_LANE_KEYS_H
#define MEMSYS_LANE_KEYS_H

#include "sim/base/types.h"

#define LANE_KEYS __attribute__((aligned(16))) /* of arrays that come here */

#ifdef __SSE2__
#include <emmintrin.h>

/* Sixteen results, all ones or all zeros, to sixteen bits. */
static inline uint32_t lane_bits(const __m128i r[4])
{
	return (uint32_t)_mm_movemask_epi8(
		_mm_packs_epi16(_mm_packs_epi32(r[0], r[1]), _mm_packs_epi32(r[2], r[3])));
}

/* Lanes whose key is `wanted`. */
static inline uint32_t lanes_equal(const uint32_t key[32], uint32_t wanted)
{
	const __m128i *k = (const __m128i *)key;
	__m128i w = _mm_set1_epi32((int)wanted), r[8];

	for (int i = 0; i < 8; i++)
		r[i] = _mm_cmpeq_epi32(k[i], w);
	return lane_bits(r) | lane_bits(r + 4) << 16;
}

/* Lanes whose key is that of the lane behind them; the last is none of them. */
static inline uint32_t lanes_like_next(const uint32_t key[32])
{
	__m128i r[8], last;

	for (int i = 0; i < 7; i++)
		r[i] = _mm_cmpeq_epi32(
			*(const __m128i *)(key + 4 * i), _mm_loadu_si128((const __m128i *)(key + 4 * i + 1)));
	last = *(const __m128i *)(key + 28);
	r[7] = _mm_cmpeq_epi32(last, _mm_srli_si128(last, 4));
	return (lane_bits(r) | lane_bits(r + 4) << 16) & ~(UINT32_C(1) << 31);
}

/* Is no key less than that of the lane before it, in some order of all words? */
static inline bool lanes_ascend(const uint32_t key[32])
{
	__m128i less = _mm_setzero_si128(), last = *(const __m128i *)(key + 28);

	for (int i = 0; i < 7; i++)
		less = _mm_or_si128(less,
			_mm_cmpgt_epi32(*(const __m128i *)(key + 4 * i),
				_mm_loadu_si128((const __m128i *)(key + 4 * i + 1))));
	less = _mm_or_si128(less, _mm_cmpgt_epi32(last, _mm_shuffle_epi32(last, 0xf9))); /* lanes 1 2 3 3 */
	return !_mm_movemask_epi8(less);
}

#else

static inline uint32_t lanes_equal(const uint32_t key[32], uint32_t wanted)
{
	uint32_t lanes = 0;

	for (uint32_t i = 0; i < 32; i++)
		lanes |= (uint32_t)(key[i] == wanted) << i;
	return lanes;
}

static inline uint32_t lanes_like_next(const uint32_t key[32])
{
	uint32_t lanes = 0;

	for (uint32_t i = 0; i < 31; i++)
		lanes |= (uint32_t)(key[i] == key[i + 1]) << i;
	return lanes;
}

static inline bool lanes_ascend(const uint32_t key[32])
{
	bool less = false;

	for (uint32_t i = 0; i < 31; i++)
		less |= key[i] > key[i + 1];
	return !less;
}

#endif

#endif
