/* frontend/tables/tcgen05.h -- tensor memory and the products that it takes part in (tcgen05): what the word
 * of an instruction and its operands say.
 *
 * An SM has 128 lanes of 512 columns of 32 bits beside its shared memory. A CTA allocates columns of all
 * lanes; an address has the lane in its upper half, the column in its lower one. Which forms there are:
 * PTX ISA 9.0, "TensorCore 5th Generation Family Instructions"; all as ptxas 13.0 takes it, but for a
 * scale-input-d of kind::i8, which the ISA does not have. */
#ifndef FRONTEND_TABLES_TCGEN05_H
#define FRONTEND_TABLES_TCGEN05_H

#include "frontend/module.h"
#include <string.h>

#define TENSOR_LANES   128u
#define TENSOR_COLUMNS 512u
#define TENSOR_UNIT    32u /* columns are allocated by so many */

enum tcgen05_what {
	TCGEN05_ALLOCATES,
	TCGEN05_FREES,
	TCGEN05_RELINQUISHES,
	TCGEN05_LOADS,
	TCGEN05_STORES,
	TCGEN05_WAITS,
	TCGEN05_FENCES,
	TCGEN05_COPIES,
	TCGEN05_SHIFTS,
	TCGEN05_COMMITS,
	TCGEN05_MULTIPLIES,
	TCGEN05_WHATS
};

/* Of what an operation accesses: lanes by bits, of a load or store, or of a copy from shared memory. */
enum tcgen05_shape {
	TENSOR_16X64B,
	TENSOR_16X128B,
	TENSOR_16X256B,
	TENSOR_32X32B,
	TENSOR_16X32BX2,
	TENSOR_128X256B,
	TENSOR_4X256B,
	TENSOR_128X128B,
	TENSOR_64X128B_02_13, /* rows 0 to 31 go to the lanes of warps 0 and 2, the others to 1 and 3 */
	TENSOR_64X128B_01_23,
	TENSOR_32X128B, /* to the lanes of each warp */
	TENSOR_SHAPES
};

enum tcgen05_kind {
	TENSOR_F16,
	TENSOR_TF32,
	TENSOR_F8F6F4,
	TENSOR_I8,
	TENSOR_MXF8F6F4,
	TENSOR_MXF4,
	TENSOR_MXF4NVF4,
	TENSOR_KINDS
};

enum tcgen05_flag {
	TENSOR_PAIR = 1,  /* cta_group::2 */
	TENSOR_PACKS = 2, /* the lower halves of two columns are a register */
	TENSOR_SPARSE = 4,
	TENSOR_WS = 8, /* weight stationary */
	TENSOR_A_IN_TENSOR = 16,
	TENSOR_SHIFTS_A = 32,
	TENSOR_MULTICAST = 64,
	TENSOR_MASK = 128, /* lanes are named that keep D */
};

/* What imm of a micro-operation holds. */
struct tcgen05_code {
	uint8_t flags;
	uint8_t shape;  /* loads, stores, copies */
	uint8_t count;  /* loads, stores: .xN; products: scale factors along k, 0: none */
	uint8_t kind;   /* products; copies: 4 or 6 bits of what becomes 8, 0: nothing does */
	int32_t offset; /* loads, stores: columns to the second half; products: the exponent of D's scale;
			   commit: of the address */
};
_Static_assert(sizeof(struct tcgen05_code) == sizeof(int64_t), "it is the imm of a micro-operation");

struct tcgen05_form {
	enum tcgen05_what what;
	struct tcgen05_code code;
	unsigned registers; /* of a load or store */
	/* places of operands; 0: there is none */
	uint8_t idesc, metadata, scales, mask, enable, scale_d, zeros, split, operands;
	bool reduces;
};

/* Extra sources of a TCGEN05_MMA micro-operation. */
enum tcgen05_operand {
	TENSOR_D,
	TENSOR_A,
	TENSOR_B,
	TENSOR_IDESC,
	TENSOR_METADATA,
	TENSOR_SCALE_A,
	TENSOR_SCALE_B,
	TENSOR_ZEROS,
	TENSOR_MASK_AT,
	TENSOR_OPERANDS = TENSOR_MASK_AT + 8
};

/* Takes the instruction apart. False: why and, if not NULL, what would do instead. */
bool tcgen05_decode(
	const struct ptx_insn *insn, struct tcgen05_form *form, const char **why, const char **hint);
/* Registers for each .x1 of a load or store of that shape. */
unsigned tcgen05_registers(unsigned shape);

static inline struct tcgen05_code tcgen05_unpack(int64_t imm)
{
	struct tcgen05_code code;

	memcpy(&code, &imm, sizeof(code));
	return code;
}

#endif
