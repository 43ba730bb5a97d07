/* core/exec/tensor/matrix_descriptor.h -- matrices in shared memory, as 64 bits describe them for products
 * and copies of tensor memory (PTX ISA, "Shared memory descriptor", "Shared Memory Layout and Swizzling").
 *
 * They are made of pieces of 16 bytes, along k or, transposed, down the rows of A or columns of B. Without a
 * swizzle eight of them stand one behind the other; with one, the pieces of a row stand side by side in 32,
 * 64 or 128 bytes, eight such rows follow one another, and bits of an address that count the rows are added,
 * exclusive or, to those that count its pieces of 16 bytes or, in one mode, of 32. There, four rows follow
 * one another in transposed matrices. How the next rows and pieces are reached, the descriptor says. */
#ifndef CORE_EXEC_TENSOR_MATRIX_DESCRIPTOR_H
#define CORE_EXEC_TENSOR_MATRIX_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TENSOR_PIECE        16u /* bytes */
#define DESCRIPTOR_ADDRESS  0x3ffffu
#define DESCRIPTOR_CONSTANT (UINT64_C(0x7) << 46 | UINT64_C(0xff) << 53)

struct matrix_descriptor {
	uint32_t start, leading, stride; /* bytes */
	uint32_t width;                  /* of a row of the swizzle's pattern; TENSOR_PIECE: there is none */
	uint32_t base;                   /* where in it the pattern starts, rows of 128 bytes */
	bool by_two;                     /* pieces move in pairs */
};

/* What is wrong, or NULL. */
static inline const char *matrix_descriptor_read(uint64_t bits, struct matrix_descriptor *d)
{
	static const uint8_t widths[] = { TENSOR_PIECE, 128, 128, 0, 64, 0, 32, 0 };

	*d = (struct matrix_descriptor){ (uint32_t)(bits & 0x3fff) << 4, (uint32_t)(bits >> 16 & 0x3fff) << 4,
		(uint32_t)(bits >> 32 & 0x3fff) << 4, widths[bits >> 61], (uint32_t)(bits >> 49 & 7),
		bits >> 61 == 1 };
	if ((bits & DESCRIPTOR_CONSTANT) != UINT64_C(1) << 46)
		return "bits 46 to 48 of a matrix descriptor are 1, and bits 53 to 60 are 0";
	if (bits >> 52 & 1)
		return "a leading dimension as an address (bit 52 of a matrix descriptor) does not exist on "
		       "this "
		       "chip";
	return d->width ? NULL : "bits 61 to 63 of a matrix descriptor name no swizzle";
}

/* Where piece n of a line stands that goes along k. */
static inline uint32_t matrix_along(const struct matrix_descriptor *d, unsigned line, unsigned n)
{
	uint32_t within = n * TENSOR_PIECE & (d->width - 1), beyond = n * TENSOR_PIECE / d->width;

	return line / 8 * d->stride + line % 8 * d->width + within + beyond * d->leading;
}

/* Where piece n of those at k stands that go across lines. */
static inline uint32_t matrix_across(const struct matrix_descriptor *d, unsigned n, unsigned k)
{
	unsigned rows = d->by_two ? 4 : 8;

	if (d->width == TENSOR_PIECE)
		return n * d->stride + k / 8 * d->leading + k % 8 * TENSOR_PIECE;
	return (n * TENSOR_PIECE & (d->width - 1)) + n * TENSOR_PIECE / d->width * d->leading +
		k / rows * d->stride + k % rows * d->width;
}

/* The piece at that offset; NULL: it is outside the shared memory. */
static inline const uint8_t *matrix_piece(
	const struct matrix_descriptor *d, const uint8_t *shared, uint32_t shared_bytes, uint32_t offset)
{
	uint32_t address = (d->start + offset) & DESCRIPTOR_ADDRESS, row = (address >> 7) - d->base;

	address ^= d->by_two ? (row & 3) << 5 : (row & (d->width / TENSOR_PIECE - 1)) << 4;
	return address + TENSOR_PIECE <= shared_bytes ? shared + address : NULL;
}

#endif
