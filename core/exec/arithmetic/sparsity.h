/* core/exec/arithmetic/sparsity.h -- which elements of B a sparse A meets. */
#ifndef CORE_EXEC_ARITHMETIC_SPARSITY_H
#define CORE_EXEC_ARITHMETIC_SPARSITY_H

#include "core/exec/arithmetic/matrix_formats.h"
#include "frontend/tables/matrix.h"

#define MOST_STORED 64 /* elements of a row of a sparse A */

/* The row of B that each of the `stored` elements of a row of A meets, for 16 rows. metadata: a register of
 * the warp; bits: that an element takes in its register. */
static inline void sparse_places(const ROW_U32 *metadata, unsigned bits, unsigned stored, unsigned selector,
	uint16_t at[16][MOST_STORED])
{
	unsigned shift = bits == 32 ? 0 : bits == 4 ? 2 : 1; /* of the stored elements of a group */

	for (unsigned row = 0; row < 16; row++)
		for (unsigned i = 0; i < stored; i++) {
			unsigned group = i >> shift, within = i & ((1u << shift) - 1);
			struct matrix_metadata m =
				matrix_metadata_at(bits < 16, stored >> shift, selector, row, group);
			unsigned index = metadata[m.lane] >> (4 * m.nibble + (within * 2 >> shift) * 2) & 3;

			index = bits == 32 ? index / 2 : bits == 4 ? index * 2 + i % 2 : index;
			at[row][i] = (uint16_t)((group << (shift + 1)) + index);
		}
}

#endif
