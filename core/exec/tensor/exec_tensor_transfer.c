/* core/exec/tensor/exec_tensor_transfer.c -- tcgen05.ld and tcgen05.st: a warp's registers and its quarter of
 * the lanes of tensor memory. Which element of which thread stands where: PTX ISA, "Data Movement Shape". */
#include "core/exec/access.h"
#include "core/exec/arithmetic/floats.h"
#include "core/exec/tensor/tensor_fault.h"
#include "core/exec/tensor/tensor_memory.h"

struct transfer {
	struct tensor_memory *memory;
	struct tcgen05_code code;
	uint32_t lane, column; /* of the first element */
};

/* Where register i of thread t stands. */
static inline uint32_t lane_at(unsigned shape, unsigned i, unsigned t)
{
	switch (shape) {
	case TENSOR_16X64B:
		return t / 4 + t % 2 * 8;
	case TENSOR_16X128B:
		return t / 4 + i % 2 * 8;
	case TENSOR_16X256B:
		return t / 4 + i / 2 % 2 * 8;
	case TENSOR_16X32BX2:
		return t % 16;
	default:
		return t;
	}
}

static inline uint32_t column_at(unsigned shape, unsigned i, unsigned t)
{
	switch (shape) {
	case TENSOR_16X64B:
		return t / 2 % 2 + i * 2;
	case TENSOR_16X128B:
		return t % 4 + i / 2 * 4;
	case TENSOR_16X256B:
		return t % 4 * 2 + i % 2 + i / 4 * 8;
	default:
		return i;
	}
}

/* The word, or the first of two that are packed. */
static inline uint32_t *transfer_word(const struct transfer *m, unsigned i, unsigned t)
{
	uint32_t columns = m->code.flags & TENSOR_PACKS ? 2 : 1;
	uint32_t half = m->code.shape == TENSOR_16X32BX2 ? t / 16 * (uint32_t)m->code.offset : 0;

	return &m->memory->words[m->column + half + column_at(m->code.shape, i, t) * columns]
				[m->lane + lane_at(m->code.shape, i, t)];
}

/* The lanes of a warp; an address in the first 32 counts from the first of them. */
static bool find_lanes(struct exec *x, const struct uop *u, struct transfer *m, uint32_t address)
{
	uint32_t index = 0, warps = 4, first, lane = tensor_lane(address);
	uint32_t count = m->code.shape == TENSOR_32X32B ? 32 : 16;

	if (x->place_of && x->warp)
		x->place_of(x->warp, &index, &warps);
	first = index % 4 * 32;
	m->lane = lane < 32 ? first + lane : lane;
	if (m->lane >= first && m->lane + count <= first + 32)
		return true;
	snprintf(x->fault->detail, sizeof(x->fault->detail),
		"warp %u accesses lanes %u to %u; it may access lanes %u to %u", index, m->lane,
		m->lane + count - 1, first, first + 31);
	fault_at(x, u, FAULT_TENSOR_MEMORY, 0);
	return false;
}

static bool set_transfer(struct exec *x, const struct uop *u, lane_mask active, struct transfer *m)
{
	const ROW_U32 *addresses = source_row(x, u->src[0]);
	uint32_t columns, second;

	if (!is_whole_warp(x, u, active))
		return false;
	for (unsigned l = 1; l < WARP_SIZE; l++)
		if (addresses[l] != addresses[0]) {
			tensor_fault(x, u, l, "the threads of a warp name one address of tensor memory");
			return false;
		}
	m->memory = tensor_memory_of(x->shared, x->shared_bytes);
	m->code = tcgen05_unpack(u->imm);
	m->column = tensor_column(addresses[0]);
	columns = m->code.count * (m->code.flags & TENSOR_PACKS ? 2u : 1u);
	columns *= m->code.shape < TENSOR_32X32B ? 2u << m->code.shape : 1u;
	second = m->code.shape == TENSOR_16X32BX2 ? (uint32_t)m->code.offset : 0;
	if (!find_lanes(x, u, m, addresses[0]))
		return false;
	if (second <= TENSOR_COLUMNS && tensor_holds(m->memory, m->column, columns) &&
		tensor_holds(m->memory, m->column + second, columns)) {
		void (*note)(struct tensor_memory * t, uint32_t column, uint32_t count) =
			u->code == UOP_TCGEN05_LD ? tensor_read : tensor_written;

		note(m->memory, m->column, columns);
		note(m->memory, m->column + second, columns);
		return true;
	}
	tensor_fault(x, u, 0, TENSOR_NOT_ALLOCATED);
	return false;
}

/* The less or greater of two, as min and max have it. */
static uint32_t reduced(const struct uop *u, uint32_t a, uint32_t b)
{
	bool is_min = u->compare == ATOM_MIN, nan_wins = u->mods & MOD_HI;
	bool is_less = u->type == PTX_S32 ? (int32_t)a < (int32_t)b : a < b;

	if (u->type == PTX_F32)
		return bits_f32(is_min ? min_f32(f32_bits(a), f32_bits(b), nan_wins)
				       : max_f32(f32_bits(a), f32_bits(b), nan_wins));
	return is_less == is_min ? a : b;
}

static void reduce_registers(struct exec *x, const struct uop *u, const struct transfer *m)
{
	unsigned count = u->extra_dests - 1u;
	uint16_t to = x->extra[u->extra + count];
	uint32_t sign = u->mods & MOD_ABS ? 0x7fffffff : UINT32_MAX, found[WARP_SIZE];

	for (unsigned t = 0; t < WARP_SIZE; t++)
		for (unsigned i = 0; i < count; i++) {
			uint32_t word = *transfer_word(m, i, t) & sign;

			found[t] = i ? reduced(u, found[t], word) : word;
		}
	if (to != UOP_NONE)
		memcpy(destination_row(x, to), found, sizeof(found));
}

EXEC(TCGEN05_LD)
{
	unsigned count = u->extra_dests - (u->type != PTX_B32);
	uint32_t result[WARP_SIZE];
	struct transfer m;

	if (!set_transfer(x, u, active, &m))
		return;
	if (u->type != PTX_B32)
		reduce_registers(x, u, &m);
	for (unsigned i = 0; i < count; i++) {
		if (x->extra[u->extra + i] == UOP_NONE)
			continue;
		for (unsigned t = 0; t < WARP_SIZE; t++) {
			const uint32_t *word = transfer_word(&m, i, t);

			result[t] = m.code.flags & TENSOR_PACKS
				? (word[0] & 0xffff) | word[TENSOR_LANES] << 16
				: word[0];
		}
		memcpy(destination_row(x, x->extra[u->extra + i]), result, sizeof(result));
	}
}

EXEC(TCGEN05_ST)
{
	struct transfer m;

	if (!set_transfer(x, u, active, &m))
		return;
	for (unsigned i = 0; i < u->extra_sources; i++) {
		const ROW_U32 *from = source_row(x, x->extra[u->extra + i]);

		for (unsigned t = 0; t < WARP_SIZE; t++) {
			uint32_t *word = transfer_word(&m, i, t);

			word[0] = m.code.flags & TENSOR_PACKS ? from[t] & 0xffff : from[t];
			if (m.code.flags & TENSOR_PACKS)
				word[TENSOR_LANES] = from[t] >> 16;
		}
	}
}
