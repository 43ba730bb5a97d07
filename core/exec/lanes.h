/* core/exec/lanes.h -- how an opcode meets 32 lanes: operands, the loop, the blend by mask.
 *
 * Only exec_*.c include it; each is compiled once per vector level, and every function it defines carries the
 * level in its name. An opcode is one line,
 *
 *	EXEC2(ADD_B32, U32, U32, a + b)
 *
 * its name, the type of the result, the type of the sources and its meaning in one lane. All 32 lanes
 * are computed, always: garbage in inactive lanes is harmless, and a loop of fixed length over aligned
 * rows becomes a few vector instructions. Where destination and sources are all one row wide and the
 * warp is full, results go straight to their row (a destination may be a source, but then lane by lane);
 * otherwise into `out`, and from there to the active lanes, so that rows may overlap in any way.
 *
 * Type tags: U16 S16 U32 S32 U64 S64 F32 F64. ROW_x is what a row is made of, VALUE_x what an operand is
 * in the expression, RESULT_x what the result is cut to first: 16-bit values ignore the upper half they
 * read and clear the upper half they write. */
#ifndef CORE_EXEC_LANES_H
#define CORE_EXEC_LANES_H

#include "core/exec/exec.h"
#include <string.h>

#define EXEC_PASTE_(id, level) exec_##id##_##level
#define EXEC_PASTE(id, level)  EXEC_PASTE_(id, level)
#define EXEC_NAME(id)          EXEC_PASTE(id, EXEC_LEVEL)
#define EXEC(id)               void EXEC_NAME(id)(struct exec * x, const struct uop *u, lane_mask active)

/* Every opcode's function: an opcode without one does not link (exec_table.c). */
#define UOP(id, shape, meaning) EXEC(id);
#include "frontend/uops.def"
#undef UOP

#define ALL_LANES   UINT32_MAX
#define ROW_ALIGNED __attribute__((aligned(64)))
#define MAY_ALIAS   __attribute__((may_alias))

typedef uint32_t MAY_ALIAS ROW_U16;
typedef uint32_t MAY_ALIAS ROW_S16;
typedef uint32_t MAY_ALIAS ROW_U32;
typedef int32_t MAY_ALIAS ROW_S32;
typedef uint64_t MAY_ALIAS ROW_U64;
typedef int64_t MAY_ALIAS ROW_S64;
typedef float MAY_ALIAS ROW_F32;
typedef double MAY_ALIAS ROW_F64;
typedef uint16_t VALUE_U16, RESULT_U16, RESULT_S16;
typedef int16_t VALUE_S16;
typedef uint32_t VALUE_U32, RESULT_U32;
typedef int32_t VALUE_S32, RESULT_S32;
typedef uint64_t VALUE_U64, RESULT_U64;
typedef int64_t VALUE_S64, RESULT_S64;
typedef float VALUE_F32, RESULT_F32;
typedef double VALUE_F64, RESULT_F64;

/* 1 << lane: a mask is expanded by `mask & lane_bit[l]`, which every vector unit has. */
static const uint32_t lane_bit[WARP_SIZE] ROW_ALIGNED = {
#define BITS8(n) 1u << (n), 2u << (n), 4u << (n), 8u << (n), 16u << (n), 32u << (n), 64u << (n), 128u << (n)
	BITS8(0), BITS8(8), BITS8(16), BITS8(24)
#undef BITS8
};
static const uint64_t lane_bit64[WARP_SIZE] ROW_ALIGNED = {
#define BITS8(n) \
	1ull << (n), 2ull << (n), 4ull << (n), 8ull << (n), 16ull << (n), 32ull << (n), 64ull << (n), \
		128ull << (n)
	BITS8(0), BITS8(8), BITS8(16), BITS8(24)
#undef BITS8
};

/* No lane depends on another. */
#define LANES _Pragma("GCC ivdep") for (unsigned l = 0; l < WARP_SIZE; l++)

#define ALIGNED(pointer) __builtin_assume_aligned(pointer, 64)

static inline const void *source_row(const struct exec *x, uint16_t operand)
{
	const uint32_t(*rows)[WARP_SIZE] =
		operand & UOP_CONSTANT ? x->constants : (const uint32_t(*)[WARP_SIZE])x->registers;

	return ALIGNED(rows[operand & (UOP_CONSTANT - 1)]);
}

static inline void *destination_row(const struct exec *x, uint16_t operand)
{
	return ALIGNED(x->registers[operand]);
}

/* The lanes in which a predicate source holds; UOP_CONSTANT|0 is false, UOP_CONSTANT|1 true. */
static inline lane_mask predicate(const struct exec *x, uint16_t operand)
{
	return operand & UOP_CONSTANT ? -(uint32_t)(operand & 1) : x->predicates[operand];
}

/* The same, negated if the operation says so. */
static inline lane_mask predicate_source(const struct exec *x, const struct uop *u, uint16_t operand)
{
	return predicate(x, operand) ^ (u->mods & MOD_NEGATE_C ? ALL_LANES : 0);
}

static inline void put_predicate(struct exec *x, uint16_t number, lane_mask value, lane_mask active)
{
	if (number != UOP_NONE)
		x->predicates[number] = (x->predicates[number] & ~active) | (value & active);
}

static inline void put32(void *row, const void *values, lane_mask active)
{
	ROW_U32 *d = ALIGNED(row);
	const ROW_U32 *v = ALIGNED(values);

	if (active == ALL_LANES)
		LANES d[l] = v[l];
	else
		LANES d[l] = active & lane_bit[l] ? v[l] : d[l];
}

static inline void put64(void *row, const void *values, lane_mask active)
{
	ROW_U64 *d = ALIGNED(row);
	const ROW_U64 *v = ALIGNED(values);

	if (active == ALL_LANES)
		LANES d[l] = v[l];
	else
		LANES d[l] = active & lane_bit64[l] ? v[l] : d[l];
}

/* out[] to the active lanes of the destination row(s). */
#define PUT(row, out) (sizeof((out)[0]) == 8 ? put64(row, out, active) : put32(row, out, active))

#define IS_ROW(type)          (sizeof(ROW_##type) == 4)
#define SOURCE(name, type, n) const ROW_##type *name##_row = source_row(x, u->src[n])
#define OPERAND(name, type)   const VALUE_##type name = (VALUE_##type)name##_row[l]

/* The body of an operation whose sources are declared: `take` loads the operands of lane l. */
#define COMPUTE(straight, D, take, expression) \
	ROW_##D *d = destination_row(x, u->dst[0]); \
	if ((straight) && active == ALL_LANES) { \
		LANES \
		{ \
			take; \
			d[l] = (RESULT_##D)(expression); \
		} \
	} else { \
		ROW_##D out[WARP_SIZE] ROW_ALIGNED; \
		LANES \
		{ \
			take; \
			out[l] = (RESULT_##D)(expression); \
		} \
		PUT(d, out); \
	}

#define EXEC1(id, D, A, expression) \
	EXEC(id) \
	{ \
		SOURCE(a, A, 0); \
		COMPUTE(IS_ROW(D) && IS_ROW(A), D, OPERAND(a, A), expression) \
	}

#define EXEC2_MIXED(id, D, A, B, expression) \
	EXEC(id) \
	{ \
		SOURCE(a, A, 0); \
		SOURCE(b, B, 1); \
		COMPUTE(IS_ROW(D) && IS_ROW(A) && IS_ROW(B), D, OPERAND(a, A); OPERAND(b, B), expression) \
	}

#define EXEC3_MIXED(id, D, A, B, C, expression) \
	EXEC(id) \
	{ \
		SOURCE(a, A, 0); \
		SOURCE(b, B, 1); \
		SOURCE(c, C, 2); \
		COMPUTE(IS_ROW(D) && IS_ROW(A) && IS_ROW(B) && IS_ROW(C), D, OPERAND(a, A); OPERAND(b, B); \
			OPERAND(c, C), expression) \
	}

/* A fourth source, e. */
#define EXEC4_MIXED(id, D, A, B, C, E, expression) \
	EXEC(id) \
	{ \
		SOURCE(a, A, 0); \
		SOURCE(b, B, 1); \
		SOURCE(c, C, 2); \
		SOURCE(e, E, 3); \
		COMPUTE(false, D, OPERAND(a, A); OPERAND(b, B); OPERAND(c, C); OPERAND(e, E), expression) \
	}

#define EXEC2(id, D, T, expression) EXEC2_MIXED(id, D, T, T, expression)
#define EXEC3(id, D, T, expression) EXEC3_MIXED(id, D, T, T, T, expression)

/* The mask of lanes in which a condition holds; `bits` is lane_bit or lane_bit64, as wide as what is
 * compared. */
#define COLLECT(type, bits, condition) \
	({ \
		type collected_ = 0; \
		LANES collected_ |= (condition) ? (bits)[l] : 0; \
		(lane_mask) collected_; \
	})

/* Lane by lane, active ones only, lowest first. */
#define for_each_lane(lane, mask) \
	for (lane_mask rest_ = (mask), lane = 0; rest_ && (lane = (unsigned)__builtin_ctz(rest_), 1); \
		rest_ &= rest_ - 1)

#endif
