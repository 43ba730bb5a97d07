/* frontend/tables/bulk.h -- bulk copies, of bytes in a row or of a box of a tensor: what the word of the
 * instruction says. Used by the checks, the lowering and the execution alike. */
#ifndef FRONTEND_TABLES_BULK_H
#define FRONTEND_TABLES_BULK_H

#include "frontend/module.h"

/* The last two are no words: what tensor cores do for a thread (core/exec/tensor), and what they tell it. */
enum bulk_kind {
	BULK_COPIES,
	BULK_REDUCES,
	BULK_PREFETCHES,
	BULK_CANCELS, /* clusterlaunchcontrol.try_cancel: the answer is what is copied */
	BULK_COMMITS,
	BULK_WAITS,
	BULK_TENSOR,
	BULK_ARRIVES
};
enum bulk_place { BULK_NOWHERE, BULK_GLOBAL, BULK_CTA, BULK_CLUSTER };

/* How the elements of a tensor are found. */
enum tensor_mode {
	TENSOR_NONE, /* bytes in a row */
	TENSOR_TILE,
	TENSOR_GATHER4,
	TENSOR_SCATTER4,
	TENSOR_IM2COL,
	TENSOR_IM2COL_W,
	TENSOR_IM2COL_W_128,
	TENSOR_IM2COL_NO_OFFSETS,
};

enum bulk_flag {
	BULK_BY_GROUP = 1, /* its end is told to a bulk group, not to an mbarrier */
	BULK_MULTICAST = 2,
	BULK_BYTE_MASK = 4,
	BULK_HINT = 8,
	BULK_READ = 16,                  /* wait_group.read: until the sources have been read */
	BULK_PAIRED = 32,                /* .cta_group::1 */
	BULK_OF_PAIR = 64 | BULK_PAIRED, /* .cta_group::2: the mbarrier may be the other CTA's */
};

/* A word, and what imm of a BULK micro-operation holds. */
struct bulk_form {
	uint8_t kind, from, to, mode, rank, flags;
	union {
		uint8_t operation;  /* reductions: enum uop_atomic */
		uint8_t is_generic; /* CANCELS: the addresses are generic ones */
	};
	uint8_t narrow; /* bit n: operand n of enum bulk_operand is a 32-bit register */
};
_Static_assert(sizeof(struct bulk_form) == sizeof(int64_t), "it is the imm of a micro-operation");

/* Extra sources of a BULK micro-operation. Of a tensor, the global side is the address of its map. */
enum bulk_operand {
	BULK_TO,
	BULK_FROM,
	BULK_BARRIER,
	BULK_BYTES,
	BULK_CTAS,
	BULK_MASK,
	BULK_AT,          /* coordinates, five of them */
	BULK_OFFSET = 11, /* of im2col, three of them */
	BULK_OPERANDS = 14
};

/* Reads the word of a cp.async.bulk or cp.reduce.async.bulk. False: it is not defined, and why. */
bool bulk_decode(const struct ptx_insn *insn, struct bulk_form *form, const char **why, const char **hint);
/* Coordinates and offsets that it takes. */
unsigned bulk_coordinates(const struct bulk_form *form);
unsigned bulk_offsets(const struct bulk_form *form);

/* A TENSORMAP micro-operation: imm is enum tensormap_field + 16 * the dimension. */
enum tensormap_field {
	TENSORMAP_ADDRESS,
	TENSORMAP_RANK,
	TENSORMAP_BOX,
	TENSORMAP_SIZE,
	TENSORMAP_STRIDE,
	TENSORMAP_STEP,
	TENSORMAP_TYPE,
	TENSORMAP_INTERLEAVE,
	TENSORMAP_SWIZZLE,
	TENSORMAP_ATOMS,
	TENSORMAP_FILL,
	TENSORMAP_FIELDS,
	TENSORMAP_COPY = TENSORMAP_FIELDS /* cp_fenceproxy */
};
/* The field that a tensormap.replace names; TENSORMAP_FIELDS: none. */
unsigned tensormap_field_of(const struct ptx_insn *insn);

#endif
