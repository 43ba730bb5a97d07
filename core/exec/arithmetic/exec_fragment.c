/* core/exec/arithmetic/exec_fragment.c -- fragments between shared memory and registers: ldmatrix, stmatrix;
 * transposed within the warp: movmatrix; where wmma.load and wmma.store find their elements. */
#include "core/exec/access.h"
#include "frontend/tables/matrix.h"

#define ROW_BYTES 16 /* of an 8 x 8 matrix of 16-bit elements */

/* The rows' addresses: lanes 8 i to 8 i + 7 give the addresses of matrix i. False after a fault. */
static bool find_matrix_rows(struct exec *x, const struct uop *u, uint8_t *rows[WARP_SIZE], bool is_store)
{
	unsigned count = 8u * u->vector;

	for (unsigned l = 0; l < count; l++) {
		addr address = lane_address(x, u->src[0], u->mods & MOD_SAT, l, (uint64_t)u->imm);

		rows[l] = shared_location(
			x, u, l, address, u->space == SPACE_GENERIC, ROW_BYTES, ROW_BYTES, is_store);
		if (!rows[l])
			return false;
	}
	for (unsigned l = count; l < WARP_SIZE; l++)
		x->address[l] = x->address[0];
	x->space = SPACE_SHARED;
	return true;
}

/* Lane l holds elements 2 (l % 4) and the next of row l / 4, or (.trans, MOD_HI) of column l / 4. */
static inline uint8_t *matrix_element(uint8_t *const rows[8], unsigned lane, unsigned e, bool transposed)
{
	unsigned across = lane % 4 * 2 + e, down = lane / 4;

	return transposed ? rows[across] + 2 * down : rows[down] + 2 * across;
}

/* Element `column` of a row of 16 elements of 8, 6 or 4 bits, the last two packed and padded to 16 bytes. */
static inline uint32_t row_element(const uint8_t *row, unsigned column, unsigned bits)
{
	unsigned at = column * bits, pair = row[at / 8] | (at / 8 < ROW_BYTES - 1 ? row[at / 8 + 1] << 8 : 0);

	return pair >> at % 8 & ((1u << bits) - 1);
}

/* Matrices of bytes, of which lane l holds four in a register: of 8 x 16, elements 4 (l % 4) on of row l / 4;
 * of 16 x 16, transposed in two registers, of column l / 4 and of the one 8 on (PTX ISA, ldmatrix; CUTLASS,
 * copy_traits_sm100.hpp). u->compare: bits of an element in memory. */
static void load_bytes(struct exec *x, const struct uop *u, uint8_t *const rows[WARP_SIZE])
{
	bool transposed = u->mods & MOD_HI;

	for (unsigned i = 0; i < u->vector; i++) {
		ROW_U32 *d = u->dst[i] == UOP_NONE ? NULL : destination_row(x, u->dst[i]);

		for (unsigned l = 0; d && l < WARP_SIZE; l++) {
			d[l] = 0;
			for (unsigned e = 0; e < 4; e++) {
				unsigned along = l % 4 * 4 + e, across = l / 4;
				uint32_t byte = transposed
					? row_element(
						  rows[i / 2 * 16 + along], across + i % 2 * 8, u->compare)
					: row_element(rows[i * 8 + across], along, u->compare);

				d[l] |= byte << 8 * e;
			}
		}
	}
}

EXEC(LDMATRIX)
{
	uint8_t *rows[WARP_SIZE];
	bool transposed = u->mods & MOD_HI;

	if (!is_whole_warp(x, u, active) || !find_matrix_rows(x, u, rows, false))
		return;
	if (u->type == PTX_B8) {
		load_bytes(x, u, rows);
		return;
	}
	for (unsigned i = 0; i < u->vector; i++) {
		ROW_U32 *d = u->dst[i] == UOP_NONE ? NULL : destination_row(x, u->dst[i]);

		for (unsigned l = 0; d && l < WARP_SIZE; l++) {
			uint16_t low, high;

			memcpy(&low, matrix_element(rows + 8 * i, l, 0, transposed), 2);
			memcpy(&high, matrix_element(rows + 8 * i, l, 1, transposed), 2);
			d[l] = low | (uint32_t)high << 16;
		}
	}
}

/* Four bytes of a lane, of a matrix of 16 x 8 that is stored by columns. */
static inline void store_bytes(uint8_t *const rows[8], unsigned lane, uint32_t word)
{
	for (unsigned e = 0; e < 4; e++)
		rows[lane % 4 * 2 + e % 2][lane / 4 + e / 2 * 8] = (uint8_t)(word >> 8 * e);
}

static inline void store_halves(uint8_t *const rows[8], unsigned lane, uint32_t word, bool transposed)
{
	for (unsigned e = 0; e < 2; e++) {
		uint16_t half = (uint16_t)(word >> 16 * e);

		memcpy(matrix_element(rows, lane, e, transposed), &half, 2);
	}
}

EXEC(STMATRIX)
{
	uint8_t *rows[WARP_SIZE];

	if (!is_whole_warp(x, u, active) || !find_matrix_rows(x, u, rows, true))
		return;
	for (unsigned i = 0; i < u->vector; i++) {
		const ROW_U32 *s = source_row(x, i < 3 ? u->src[1 + i] : x->extra[u->extra]);

		for (unsigned l = 0; l < WARP_SIZE; l++) {
			if (u->type == PTX_B8)
				store_bytes(rows + 8 * i, l, s[l]);
			else
				store_halves(rows + 8 * i, l, s[l], u->mods & MOD_HI);
		}
	}
}

EXEC(MOVMATRIX)
{
	uint16_t matrix[8][8];
	ROW_U32 *d = destination_row(x, u->dst[0]);
	SOURCE(a, U32, 0);

	if (!is_whole_warp(x, u, active))
		return;
	for (unsigned l = 0; l < WARP_SIZE; l++) {
		matrix[l / 4][l % 4 * 2] = (uint16_t)a_row[l];
		matrix[l / 4][l % 4 * 2 + 1] = (uint16_t)(a_row[l] >> 16);
	}
	for (unsigned l = 0; l < WARP_SIZE; l++)
		d[l] = matrix[l % 4 * 2][l / 4] | (uint32_t)matrix[l % 4 * 2 + 1][l / 4] << 16;
}

EXEC(MATRIX_ADDRESS)
{
	struct matrix_address a = matrix_address_unpack(u->imm);
	uint64_t out[WARP_SIZE] ROW_ALIGNED;

	if (!is_whole_warp(x, u, active))
		return;
	for (unsigned l = 0; l < WARP_SIZE; l++) {
		uint64_t stride = u->src[1] == UOP_NONE ? 0 : ((const ROW_U32 *)source_row(x, u->src[1]))[l];
		uint64_t bits = l / 4 * (a.group + a.group_stride * stride) +
			l % 4 * (a.lane + a.lane_stride * stride) + a.offset_stride * stride;

		out[l] = lane_address(x, u->src[0], u->mods & MOD_SAT, l, bits / 8);
	}
	PUT(destination_row(x, u->dst[0]), out);
}
