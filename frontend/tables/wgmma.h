/* frontend/tables/wgmma.h -- products of a warpgroup, wgmma.mma_async: which shapes and types there are, and
 * what the word and the operands of one say.
 *
 * D (64 x n, f32, f16 or s32) = A * B + D, in which each of four warps has 16 rows of A and D. One
 * instruction takes 32 bytes of each row of A: 16 elements of f16 and bf16, 8 of tf32, 32 of 8 bits, 256
 * bits; of a sparse A 32 bytes are stored, and k is twice as large. n is a multiple of 8 up to 256; with
 * integers and bits, above 32, one of 16 (PTX ISA 9.0, "Asynchronous warpgroup level matrix shape"; all as
 * ptxas 13.0 takes it). Fragments in registers are those of mma (frontend/tables/matrix.h). */
#ifndef FRONTEND_TABLES_WGMMA_H
#define FRONTEND_TABLES_WGMMA_H

#include "frontend/module.h"

#define WGMMA_ROWS  16 /* of a warp */
#define WGMMA_BYTES 32 /* of a row of A */

enum wgmma_what { WGMMA_MULTIPLIES, WGMMA_FENCES, WGMMA_COMMITS, WGMMA_WAITS };

struct wgmma_form {
	enum wgmma_what what;
	unsigned n, k;
	uint8_t d, a, b; /* types */
	bool is_sparse, is_transposable, has_scales, in_registers;
	uint8_t version; /* first PTX version times 10 */
	/* places of operands; 0: there is none */
	uint8_t metadata, scale_d, scale_a, transpose_a, transpose_b, operands;
	unsigned d_registers, selectors;
};

/* Takes the instruction apart. False: why and, if not NULL, what would do instead. */
bool wgmma_decode(const struct ptx_insn *insn, struct wgmma_form *form, const char **why, const char **hint);

/* What a WGMMA micro-operation carries in imm: n, k and these. */
enum wgmma_flag {
	WGMMA_NEGATES_A = 1,
	WGMMA_NEGATES_B = 2,
	WGMMA_A_BY_ROWS = 4, /* memory goes down the rows of A (M-major); else along k */
	WGMMA_B_BY_COLUMNS = 8,
	WGMMA_SPARSE = 16,
	WGMMA_SELECTOR = 32,
};

static inline int64_t wgmma_pack(unsigned n, unsigned k, unsigned flags)
{
	return (int64_t)n | (int64_t)k << 16 | (int64_t)flags << 32;
}

static inline unsigned wgmma_n(int64_t packed)
{
	return (unsigned)packed & 0xffff;
}

static inline unsigned wgmma_k(int64_t packed)
{
	return (unsigned)(packed >> 16) & 0xffff;
}

static inline unsigned wgmma_flags(int64_t packed)
{
	return (unsigned)(packed >> 32);
}

#endif
