/* frontend/tables/matrix.h -- the products that tensor cores compute: which shapes and types there are, how
 * many registers a fragment takes, and where its elements lie. Used by the checks, the lowering and the
 * execution alike.
 *
 * Fragments. But for mma.m8n8k4 on f16, every fragment of A and B is made of tiles, one register each: lane l
 * holds, of row (A) or column (B) l / 4 of the tile, the l % 4-th group of as many elements as the register
 * has room for, consecutive in k. Tiles are 8 rows or columns apart first in A (then on in k), in k first in
 * B. Accumulators are made of 8 x 8 tiles in which lane l holds row l / 4, columns 2 * (l % 4) and the next;
 * tiles go down the rows first. This is the layout of the PTX ISA for mma; fragments of wmma, whose layout
 * PTX leaves open, have it too (f16 ones of A and B repeat their elements until their eight registers are
 * full).
 *
 * Sparse A (mma.sp): half of the elements of each row are stored, laid out as those of a dense A of half the
 * depth are. Metadata tell where in B they belong: four bits for each four elements (tf32: two; 4-bit
 * integers: eight), of which the stored ones are two (one; two pairs). Which lane holds which metadata:
 * matrix_metadata_at(). */
#ifndef FRONTEND_TABLES_MATRIX_H
#define FRONTEND_TABLES_MATRIX_H

#include "frontend/module.h"

enum matrix_family {
	MATRIX_F16,
	MATRIX_BF16,
	MATRIX_TF32,
	MATRIX_F64,
	MATRIX_FP8,
	MATRIX_F8F6F4, /* any floats of 4 to 8 bits, each in a byte */
	MATRIX_FP4,    /* e2m1, eight to a register */
	MATRIX_INT8,
	MATRIX_INT4,
	MATRIX_B1
};

enum matrix_accumulators { /* types of D and C */
	ACC_16_16 = 1,
	ACC_32_32 = 2,
	ACC_32_16 = 4,
	ACC_16_32 = 8,
	ACC_S32 = 16,
	ACC_F64 = 32,
	ACC_HALF_OR_SINGLE = ACC_16_16 | ACC_32_32 | ACC_32_16 | ACC_16_32
};

struct matrix_product {
	uint16_t opcode, shape; /* PTX_MMA or PTX_WMMA; a modifier */
	uint8_t m, n;
	uint16_t k;
	uint8_t family, accumulators;
	bool any_layout;
	uint8_t a, b, c;     /* registers of a fragment */
	uint8_t sm, version; /* first target; first PTX version times 10 */
	uint8_t selectors;   /* mma.sp: how many sparsity selectors there are; 0: A is dense */
};

/* The lists of frontend/tables/matrix_shapes.def; they end with an opcode of PTX_OPCODE_COUNT. */
extern const struct matrix_product matrix_products[], matrix_sparse_products[];

/* The product of that opcode and shape modifier whose A and B have that type; NULL: there is none. */
const struct matrix_product *matrix_find(unsigned opcode, unsigned shape, unsigned type);
bool matrix_is_shape(unsigned modifier);
int matrix_family_of(unsigned type); /* enum matrix_family; -1: no element of A or B */

enum matrix_fragment { FRAGMENT_A, FRAGMENT_B, FRAGMENT_C };

/* Registers of a fragment, as PTX counts them; type: of its elements. */
unsigned matrix_registers(const struct matrix_product *p, enum matrix_fragment fragment, unsigned type);
/* ... and those that differ from the others (wmma repeats f16 elements). */
unsigned matrix_distinct(const struct matrix_product *p, enum matrix_fragment fragment, unsigned type);

/* mma, wmma.mma, wmma.load and wmma.store taken apart. */
struct matrix_form {
	const struct matrix_product *product;
	enum { MATRIX_MULTIPLIES, MATRIX_LOADS, MATRIX_STORES } what;
	enum matrix_fragment fragment;    /* loaded or stored */
	uint8_t d, a, b, c;               /* types; loads and stores: c (or a, b) alone */
	uint8_t scale, scales;            /* of blocks along k: their type, how many in a row; 0: none */
	bool is_column, second_is_column; /* layouts: A and B, or the one in memory */
};

/* False: why and, if not NULL, what would do instead (a list of modifiers). */
bool matrix_decode(
	const struct ptx_insn *insn, struct matrix_form *form, const char **why, const char **hint);
bool matrix_is_sparse(const struct ptx_insn *insn);
/* .kind::..., which mma has for floats of 4 to 8 bits; PTX_MODIFIER_COUNT: none. */
unsigned matrix_kind(const struct ptx_insn *insn);

/* What an MMA micro-operation carries in imm. */
enum matrix_flag {
	MATRIX_QUADS = 1,        /* mma.m8n8k4 on f16: four products, each by eight lanes */
	MATRIX_A_BY_COLUMNS = 2, /* QUADS only */
	MATRIX_B_BY_ROWS = 4,
	MATRIX_AND = 8,     /* of bits; else xor */
	MATRIX_SPARSE = 16, /* behind C comes a register of metadata */
	MATRIX_FOUR_BITS = 32,
	MATRIX_SELECTOR = 8, /* a shift: the sparsity selector */
	MATRIX_SCALES = 12, /* a shift: scales of a row of A (0, 1, 2, 4), whose operands are the last sources
			     */
	MATRIX_UE4M3 = 1 << 16, /* their type; else ue8m0 */
};

static inline int64_t matrix_pack(unsigned m, unsigned n, unsigned k, unsigned flags)
{
	return (int64_t)m | (int64_t)n << 8 | (int64_t)k << 16 | (int64_t)flags << 32;
}

static inline unsigned matrix_m(int64_t packed)
{
	return (unsigned)packed & 255;
}

static inline unsigned matrix_n(int64_t packed)
{
	return (unsigned)(packed >> 8) & 255;
}

static inline unsigned matrix_k(int64_t packed)
{
	return (unsigned)(packed >> 16) & 0xffff;
}

static inline unsigned matrix_flags(int64_t packed)
{
	return (unsigned)(packed >> 32);
}

/* The operands behind C and metadata if blocks of A and B are scaled: registers with four scales each, and
 * which of them count: {byte-id-a, thread-id-a}, {byte-id-b, thread-id-b}. */
enum { SCALE_A, SCALE_B, SCALE_BYTE_A, SCALE_THREAD_A, SCALE_BYTE_B, SCALE_THREAD_B, SCALE_SOURCES };

/* Which lane has the scales of a row of A or a column of B; thread: the selector's thread-id, 0 or 1 for A, 0
 * to 3 for B. Scales of further blocks are in the bytes above that of byte-id (PTX ISA, "Block Scaling for
 * mma.sync", whose figures a program of others found so on an RTX 5090). */
static inline unsigned matrix_scale_lane_a(unsigned row, unsigned thread)
{
	return row % 8 * 4 + thread * 2 + row / 8;
}

static inline unsigned matrix_scale_lane_b(unsigned column, unsigned thread)
{
	return column * 4 + thread;
}

/* Which four bits of metadata belong to group `group` of a row of a sparse A: the lane, and the nibble of its
 * register. Depths up to 16 elements of 16 bits take one lane of four (the selector's), twice as much a pair,
 * four times as much all. Elements of 16 and 32 bits: the low half of a register is for row lane / 4, the
 * high half for 8 rows below; smaller ones: so are even and odd lanes (PTX ISA, "Matrix fragments for sparse
 * mma"; tables of CUTLASS, which are the same for wgmma). */
struct matrix_metadata {
	unsigned lane, nibble;
};

static inline struct matrix_metadata matrix_metadata_at(
	bool is_narrow, unsigned groups, unsigned selector, unsigned row, unsigned group)
{
	unsigned quad = row % 8 * 4, below = row / 8;

	if (is_narrow)
		return (struct matrix_metadata){ quad + below + (groups > 8 ? group / 8 : selector) * 2,
			group % 8 };
	return (struct matrix_metadata){ quad + (groups > 4 ? selector * 2 + group / 4 : selector),
		group % 4 + 4 * below };
}

/* What a MATRIX_ADDRESS micro-operation carries in imm: lane l's address is
 *   base + ((l / 4) * (group + group_stride * s) + (l % 4) * (lane + lane_stride * s) + offset_stride * s) /
 * 8 with s the stride in elements; all coefficients in bits, below 4096. */
struct matrix_address {
	unsigned group, group_stride, lane, lane_stride, offset_stride;
};

static inline int64_t matrix_address_pack(struct matrix_address a)
{
	return (int64_t)((uint64_t)a.group | (uint64_t)a.group_stride << 12 | (uint64_t)a.lane << 24 |
		(uint64_t)a.lane_stride << 36 | (uint64_t)a.offset_stride << 48);
}

static inline struct matrix_address matrix_address_unpack(int64_t packed)
{
	uint64_t p = (uint64_t)packed;

	return (struct matrix_address){ (unsigned)p & 4095, (unsigned)(p >> 12) & 4095,
		(unsigned)(p >> 24) & 4095, (unsigned)(p >> 36) & 4095, (unsigned)(p >> 48) & 4095 };
}

#endif
