/* core/simt/tensor_columns.c -- see tensor_columns.h. */
#include "core/simt/tensor_columns.h"
#include "core/exec/tensor/tensor_memory.h"
#include "core/kernel/kernel_run.h"
#include "core/simt/barrier.h"
#include "memsys/memory.h"
#include <string.h>

#define ASKS_AGAIN 200u /* nanoseconds; our choice */

static struct tensor_memory *memory_of(const struct cta *cta)
{
	return tensor_memory_of(cta->shared, cta->run->shared_bytes);
}

static const void *tensor_operand(const struct warp *w, uint16_t operand)
{
	return operand & UOP_CONSTANT ? w->cta->run->constants[operand & ~UOP_CONSTANT]
				      : w->registers[operand];
}

static uint32_t tensor_word(const struct warp *w, uint16_t operand, lane_mask mask)
{
	return ((const uint32_t *)tensor_operand(w, operand))[__builtin_ctz(mask)];
}

static struct control_result misused(const char *why)
{
	return (struct control_result){ .what = CONTROL_TENSOR_MEMORY, .why = why };
}

uint32_t tensor_columns_left(const struct cta *cta)
{
	if (!cta->run->kernel->uses_tensor_memory)
		return 0;
	return (uint32_t)__builtin_popcount(memory_of(cta)->taken) * TENSOR_UNIT;
}

uint8_t *tensor_columns_place(const struct warp *w, const struct uop *u, lane_mask mask)
{
	struct tcgen05_code code = tcgen05_unpack(u->imm);
	const void *row = u->src[0] == UOP_NONE ? NULL : tensor_operand(w, u->src[0]);
	unsigned lane = (unsigned)__builtin_ctz(mask);
	uint64_t at = (uint64_t)(int64_t)code.offset;

	if (row)
		at += u->mods & MOD_SAT ? ((const uint32_t *)row)[lane] : ((const uint64_t *)row)[lane];
	at = u->mods & MOD_SAT ? (uint32_t)at : at;
	at -= u->space == SPACE_GENERIC ? SHARED_WINDOW : 0;
	if (at % 4 || at + 4 > w->cta->run->shared_bytes || at + 4 < at)
		return NULL;
	return w->cta->shared + at;
}

/* The first free units at a multiple of their number; TENSOR_UNITS: there are none. */
static uint32_t find_units(const struct tensor_memory *t, uint32_t units)
{
	uint32_t wanted = (1u << units) - 1, first = 0;

	while (first < TENSOR_UNITS && t->taken & wanted << first)
		first += units;
	return first < TENSOR_UNITS ? first : TENSOR_UNITS;
}

static struct control_result take_columns(struct warp *w, const struct uop *u, lane_mask mask)
{
	struct tensor_memory *t = memory_of(w->cta);
	uint32_t columns = tensor_word(w, u->src[1], mask), units = columns / TENSOR_UNIT, first;
	uint8_t *place = tensor_columns_place(w, u, mask);

	if (columns < TENSOR_UNIT || columns > TENSOR_COLUMNS || columns & (columns - 1))
		return misused("columns are allocated by a power of two, 32 to 512");
	if (t->is_relinquished)
		return misused("the CTA allocates after tcgen05.relinquish_alloc_permit");
	if (!place)
		return misused("the address of the columns would go outside the CTA's shared memory");
	first = find_units(t, units);
	if (first == TENSOR_UNITS)
		return barrier_hold(w, TENSOR_BARRIER);
	if (w->cta->tensor_columns && *w->cta->tensor_columns < columns)
		return (struct control_result){ .what = CONTROL_SLEEPS, .nanoseconds = ASKS_AGAIN };
	if (w->cta->tensor_columns)
		*w->cta->tensor_columns -= columns;
	t->taken |= (uint16_t)(((1u << units) - 1) << first);
	t->units[first] = (uint8_t)units;
	first *= TENSOR_UNIT;
	memset(&t->written[first / 32], 0, columns / 8);
	memcpy(place, &first, sizeof(first));
	warp_next(w);
	return (struct control_result){ .what = CONTROL_NEXT };
}

/* Who waits asks again. */
static uint64_t wake_waiting(struct cta *cta)
{
	uint64_t waiting = cta->barriers[TENSOR_BARRIER].waiting;

	for (uint64_t m = waiting; m; m &= m - 1)
		cta->warps[__builtin_ctzll(m)]->pc--;
	return waiting ? barrier_let_go(cta, TENSOR_BARRIER, waiting) : 0;
}

static struct control_result give_back_columns(struct warp *w, const struct uop *u, lane_mask mask)
{
	struct tensor_memory *t = memory_of(w->cta);
	uint32_t address = tensor_word(w, u->src[0], mask), columns = tensor_word(w, u->src[1], mask);
	uint32_t first = address / TENSOR_UNIT, units = columns / TENSOR_UNIT;

	if (address % TENSOR_UNIT || first >= TENSOR_UNITS || !units || columns % TENSOR_UNIT ||
		t->units[first] != units)
		return misused("columns are given back that were not allocated so");
	t->units[first] = 0;
	t->taken &= (uint16_t) ~(((1u << units) - 1) << first);
	if (w->cta->tensor_columns)
		*w->cta->tensor_columns += columns;
	warp_next(w);
	return (struct control_result){ .what = CONTROL_NEXT, .released = wake_waiting(w->cta) };
}

struct control_result tensor_columns_execute(struct warp *w, const struct uop *u, lane_mask mask)
{
	if (mask != w->live || w->live != ~UINT32_C(0))
		return misused("all 32 lanes of the warp must execute it together");
	if (u->code == UOP_TCGEN05_ALLOC)
		return take_columns(w, u, mask);
	if (u->code == UOP_TCGEN05_DEALLOC)
		return give_back_columns(w, u, mask);
	memory_of(w->cta)->is_relinquished = true;
	warp_next(w);
	return (struct control_result){ .what = CONTROL_NEXT };
}
