/* core/exec/tensor/exec_tensor_copy.c -- tcgen05.cp, tcgen05.shift, tcgen05.commit.
 *
 * Of a pair of CTAs, each copies from its own shared memory. A shift gives each of 32 rows, of 8 columns,
 * what the next one has; the last row stays. The manual leaves the direction open: but what tcgen05.cp.4x256b
 * brings to one lane of each 32, and what im2col::w::128 loads for it, are the pixels that follow the 32. */
#include "core/exec/tensor/matrix_descriptor.h"
#include "core/exec/tensor/tensor_fault.h"

#define PIECE_WORDS (TENSOR_PIECE / 4)

static const struct copy_shape {
	uint8_t rows, pieces;
} copy_shapes[TENSOR_SHAPES] = {
	[TENSOR_128X256B] = { 128, 2 },
	[TENSOR_4X256B] = { 4, 2 },
	[TENSOR_128X128B] = { 128, 1 },
	[TENSOR_64X128B_02_13] = { 64, 1 },
	[TENSOR_64X128B_01_23] = { 64, 1 },
	[TENSOR_32X128B] = { 32, 1 },
};

/* The lanes to which a row goes: how many, and the n-th. */
static unsigned copies_of(unsigned shape)
{
	return shape == TENSOR_32X128B ? 4 : shape >= TENSOR_64X128B_02_13 ? 2 : 1;
}

static uint32_t copy_lane(unsigned shape, uint32_t row, unsigned n)
{
	switch (shape) {
	case TENSOR_4X256B:
		return row * 32;
	case TENSOR_64X128B_02_13:
		return row + n * 64;
	case TENSOR_64X128B_01_23:
		return row / 32 * 64 + row % 32 + n * 32;
	case TENSOR_32X128B:
		return row + n * 32;
	default:
		return row;
	}
}

/* 16 bytes, from as many or from 16 elements of 4 or 6 bits that stand at their beginning. */
static void expand_piece(uint8_t *to, const uint8_t *piece, unsigned bits)
{
	for (unsigned i = 0; i < TENSOR_PIECE; i++) {
		unsigned at = i * bits, word = piece[at / 8] | (unsigned)piece[at / 8 + 1] << 8;

		to[i] = (uint8_t)(bits == 4 ? (word >> at % 8 & 15) << 2 : word >> at % 8 & 63);
	}
}

static const char *copy_side(
	const struct tensor_operation *o, const struct tensor_side *side, const struct matrix_descriptor *d)
{
	unsigned shape = o->code.shape;
	uint32_t column = tensor_column(o->d), words[PIECE_WORDS];

	if (!tensor_holds(side->memory, column, copy_shapes[shape].pieces * PIECE_WORDS))
		return TENSOR_NOT_ALLOCATED;
	tensor_written(side->memory, column, copy_shapes[shape].pieces * PIECE_WORDS);
	for (uint32_t row = 0; row < copy_shapes[shape].rows; row++)
		for (unsigned n = 0; n < copy_shapes[shape].pieces; n++) {
			const uint8_t *piece =
				matrix_piece(d, side->shared, side->shared_bytes, matrix_along(d, row, n));

			if (!piece)
				return "the copy reads outside the CTA's shared memory";
			if (o->code.kind)
				expand_piece((uint8_t *)words, piece, o->code.kind);
			else
				memcpy(words, piece, sizeof(words));
			for (unsigned i = 0; i < PIECE_WORDS; i++)
				for (unsigned c = 0; c < copies_of(shape); c++)
					side->memory->words[column + n * PIECE_WORDS +
						i][copy_lane(shape, row, c) + tensor_lane(o->d)] = words[i];
		}
	return NULL;
}

static const char *perform_copy(const struct tensor_operation *o)
{
	struct matrix_descriptor d;
	const char *wrong = matrix_descriptor_read(o->b, &d);
	uint32_t most = o->code.shape == TENSOR_4X256B ? 31 : 0;

	if (tensor_lane(o->d) > most)
		return most ? "a copy to four lanes begins at one of the first 32"
			    : "a copy from shared memory begins at lane 0";
	for (unsigned i = 0; i < tensor_sides(o) && !wrong; i++)
		wrong = copy_side(o, &o->sides[i], &d);
	return wrong;
}

#define SHIFTED_COLUMNS 8u /* 256 bits */

static const char *perform_shift(const struct tensor_operation *o)
{
	uint32_t column = tensor_column(o->d), lane = tensor_lane(o->d);

	if (lane % 32 || lane >= TENSOR_LANES)
		return "a shift begins at lane 0, 32, 64 or 96";
	for (unsigned i = 0; i < tensor_sides(o); i++) {
		struct tensor_memory *t = o->sides[i].memory;

		if (!tensor_holds(t, column, SHIFTED_COLUMNS))
			return TENSOR_NOT_ALLOCATED;
		for (uint32_t c = column; c < column + SHIFTED_COLUMNS; c++)
			memmove(&t->words[c][lane], &t->words[c][lane + 1], 31 * sizeof(t->words[c][0]));
	}
	return NULL;
}

static void ask_of_lanes(struct exec *x, const struct uop *u, lane_mask active,
	const char *(*perform)(const struct tensor_operation *o))
{
	for_each_lane (l, active) {
		struct tensor_operation o = { .perform = perform, .code = tcgen05_unpack(u->imm) };

		o.d = ((const ROW_U32 *)source_row(x, u->src[0]))[l];
		o.b = u->src[1] == UOP_NONE ? 0 : ((const ROW_U64 *)source_row(x, u->src[1]))[l];
		if (!tensor_find_sides(x, u, l, &o))
			return;
		tensor_ask(x, u, l, &o);
		if (x->faulted)
			return;
	}
}

EXEC(TCGEN05_CP)
{
	ask_of_lanes(x, u, active, perform_copy);
}

EXEC(TCGEN05_SHIFT)
{
	ask_of_lanes(x, u, active, perform_shift);
}

/* ---- commit ---- */

static addr in_cta(addr address, unsigned rank)
{
	return (addr)(rank + 1) << CLUSTER_RANK_SHIFT | (address & CLUSTER_OFFSET);
}

/* The mbarriers that are told; false after a fault. */
static bool find_barriers(struct exec *x, const struct uop *u, struct bulk_copy *c)
{
	struct tcgen05_code code = tcgen05_unpack(u->imm);
	bool is_generic = u->space == SPACE_GENERIC;
	addr at = lane_address(x, u->src[0], u->mods & MOD_SAT, c->lane, (uint64_t)(int64_t)code.offset);

	c->barrier = is_generic ? at - SHARED_WINDOW : at;
	if (!shared_location(x, u, c->lane, at, is_generic, 8, 8, true))
		return false;
	if (!(code.flags & TENSOR_MULTICAST))
		return true;
	c->form.flags = BULK_MULTICAST;
	c->ctas = (uint16_t)((const ROW_U32 *)source_row(x, u->src[1]))[c->lane];
	if (c->ctas >> (c->seat.memory ? c->seat.memory->ctas : 1)) {
		tensor_fault(x, u, c->lane, "the mask names a CTA that the cluster does not have");
		return false;
	}
	for (uint32_t ctas = c->ctas; ctas; ctas &= ctas - 1)
		if (!shared_location(x, u, c->lane, in_cta(c->barrier, (unsigned)__builtin_ctz(ctas)), false,
			    8, 8, true))
			return false;
	return true;
}

EXEC(TCGEN05_COMMIT)
{
	x->space = SPACE_PARAM;
	for_each_lane (l, active) {
		struct bulk_copy c = {
			.form = { .kind = BULK_ARRIVES, .from = BULK_GLOBAL, .to = BULK_CLUSTER },
			.uop = u,
			.warp = x->warp,
			.lane = (uint8_t)l,
			.seat = cluster_seat(x),
			.shared = x->shared,
			.shared_bytes = x->shared_bytes
		};
		const char *wrong;

		if (!find_barriers(x, u, &c))
			return;
		x->space = SPACE_PARAM;
		if (x->bulk->is_timed) {
			*bulk_queue_add(x->bulk) = c;
			continue;
		}
		wrong = bulk_write(&c, NULL);
		if (wrong) {
			fault_because(x, u, l, wrong);
			return;
		}
	}
}
