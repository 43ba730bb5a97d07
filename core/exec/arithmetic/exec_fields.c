/* core/exec/arithmetic/exec_fields.c -- bit masks, sign extension from any bit, the n-th set bit; pairs of
 * 16-bit integers. */
#include "core/exec/lanes.h"

/* Ones from bit `count` on. */
static inline uint32_t ones_from(uint32_t count)
{
	return count < 32 ? UINT32_MAX << (count & 31) : 0;
}

/* Positions and widths beyond 32 mean 32 (.clamp) or are taken modulo 32 (.wrap). */
static inline uint32_t field_width(uint32_t value, bool clamp)
{
	return clamp ? (value < 32 ? value : 32) : value & 31;
}

static inline uint32_t bit_mask(uint32_t position, uint32_t width, bool clamp)
{
	uint32_t start = field_width(position, clamp);

	return ones_from(start) & ~ones_from(start + field_width(width, clamp));
}

static inline uint32_t extend(uint32_t value, uint32_t width, bool clamp, bool is_signed)
{
	uint32_t n = field_width(width, clamp), rest = ones_from(n), sign = n ? value >> (n - 1) & 1 : 0;

	return (value & ~rest) | (is_signed && sign ? rest : 0);
}

/* The offset-th set bit of a mask, the base bit being the first candidate; negative offsets go down, 0 asks
 * for the base bit alone. A base above 31, which PTX leaves open, finds nothing. The least number of all
 * gives 0 on hardware, whose code negates it. */
static inline uint32_t nth_set(uint32_t mask, uint32_t base, int32_t offset)
{
	uint32_t wanted = offset < 0 ? -(uint32_t)offset : offset ? (uint32_t)offset : 1;

	if (base > 31)
		return UINT32_MAX;
	if (offset == INT32_MIN)
		return 0;
	mask &= offset > 0 ? ones_from(base) : offset < 0 ? ~ones_from(base + 1) : UINT32_C(1) << base;
	if (wanted > 32)
		return UINT32_MAX;
	for (; wanted > 1 && mask; wanted--)
		mask &= offset > 0 ? mask - 1 : ~(UINT32_C(1) << (31 - __builtin_clz(mask)));
	if (!mask || wanted > 1)
		return UINT32_MAX;
	return (uint32_t)(offset > 0 ? __builtin_ctz(mask) : 31 - __builtin_clz(mask));
}

EXEC(BMSK_B32)
{
	bool clamp = u->mods & MOD_HI;
	SOURCE(a, U32, 0);
	SOURCE(b, U32, 1);

	COMPUTE(true, U32, OPERAND(a, U32); OPERAND(b, U32), bit_mask(a, b, clamp))
}

#define SZEXT(id, is_signed) \
	EXEC(id) \
	{ \
		bool clamp = u->mods & MOD_HI; \
		SOURCE(a, U32, 0); \
		SOURCE(b, U32, 1); \
\
		COMPUTE(true, U32, OPERAND(a, U32); OPERAND(b, U32), extend(a, b, clamp, is_signed)) \
	}

SZEXT(SZEXT_U32, false)
SZEXT(SZEXT_S32, true)

EXEC3_MIXED(FNS_B32, U32, U32, U32, S32, nth_set(a, b, c))

/* Two lanes of 16 bits in a word. */
static inline uint32_t join(int32_t low, int32_t high)
{
	return (uint32_t)(low & 0xffff) | (uint32_t)high << 16;
}

#define LOW_U(v)      (int32_t)((v)&0xffff)
#define HIGH_U(v)     (int32_t)((v) >> 16)
#define LOW_S(v)      (int32_t)(int16_t)(v)
#define HIGH_S(v)     ((int32_t)(v) >> 16)
#define LESS(a, b)    ((a) < (b) ? (a) : (b))
#define MORE(a, b)    ((a) > (b) ? (a) : (b))
#define LEAST(a, low) ((a) > (low) ? (a) : (low))

EXEC2(ADD_16X2, U32, U32, ((a & 0xffff0000) + (b & 0xffff0000)) | ((a + b) & 0xffff))
EXEC2(MIN_U16X2, U32, U32, join(LESS(LOW_U(a), LOW_U(b)), LESS(HIGH_U(a), HIGH_U(b))))
EXEC2(MAX_U16X2, U32, U32, join(MORE(LOW_U(a), LOW_U(b)), MORE(HIGH_U(a), HIGH_U(b))))
EXEC2(MIN_RELU_S32, S32, S32, LEAST(LESS(a, b), 0))
EXEC2(MAX_RELU_S32, S32, S32, LEAST(MORE(a, b), 0))

/* low: the least result, 0 with .relu. */
#define SIGNED_PAIR(id, pick) \
	EXEC(id) \
	{ \
		int32_t low = u->mods & MOD_RELU ? 0 : INT16_MIN; \
		SOURCE(a, U32, 0); \
		SOURCE(b, U32, 1); \
\
		COMPUTE(true, U32, OPERAND(a, U32); OPERAND(b, U32), \
			join(LEAST(pick(LOW_S(a), LOW_S(b)), low), LEAST(pick(HIGH_S(a), HIGH_S(b)), low))) \
	}

SIGNED_PAIR(MIN_S16X2, LESS)
SIGNED_PAIR(MAX_S16X2, MORE)
