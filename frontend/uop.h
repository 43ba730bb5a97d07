/* frontend/uop.h -- the micro-operation: what one PTX instruction becomes, with everything that issue and
 * execution need precomputed. The border between frontend/ (which makes them) and core/ (which runs them).
 *
 * Registers of a warp are rows: uint32_t row[32], one lane a word, 128 bytes. A 32-bit register is one row; a
 * 64-bit register is two consecutive rows seen as uint64_t[32]; 8- and 16-bit registers are one row whose
 * upper bits are zero. Predicates are masks, one bit a lane. A source operand with UOP_CONSTANT set names a
 * row of the kernel's constant bank instead (immediates, addresses of variables: the same value in all lanes,
 * already in the operation's width; a 64-bit value takes two rows). */
#ifndef FRONTEND_UOP_H
#define FRONTEND_UOP_H

#include <stdbool.h>
#include <stdint.h>

#define UOP_CONSTANT 0x8000u /* source operand: row of the constant bank */
#define UOP_NONE     0x7fffu /* no register */

/* Execution opcodes, frontend/uops.def: UOP(id, shape, "meaning"). */
enum uop_code {
#define UOP(id, shape, meaning) UOP_##id,
#include "frontend/uops.def"
#undef UOP
	UOP_CODE_COUNT
};
const char *uop_name(unsigned code);

/* Where it executes. */
enum uop_unit { UNIT_SP, UNIT_SFU, UNIT_DP, UNIT_LDST, UNIT_CONTROL, UNIT_COUNT };

/* Latency and initiation interval classes: the configuration gives both for each. */
enum uop_class {
	CLASS_INT_ADD,
	CLASS_INT_MAX,
	CLASS_INT_MUL,
	CLASS_INT_MAD,
	CLASS_INT_DIV,   /* moves, logic, compare: INT_ADD */
	CLASS_INT_BITS,  /* shifts, bit fields */
	CLASS_INT_COUNT, /* population counts, leading bits, reversal */
	CLASS_FP_ADD,
	CLASS_FP_MAX,
	CLASS_FP_MUL,
	CLASS_FP_MAD,
	CLASS_FP_DIV,
	CLASS_DP_ADD,
	CLASS_DP_MAX,
	CLASS_DP_MUL,
	CLASS_DP_MAD,
	CLASS_DP_DIV,
	CLASS_SFU, /* sin cos ex2 lg2 rcp rsqrt sqrt approx */
	CLASS_CONVERT,
	CLASS_INT_HIGH,     /* high halves of products of 32 bits */
	CLASS_CONVERT_INT,  /* f32 to integers, and to whole numbers */
	CLASS_CONVERT_WIDE, /* from and to f64 and integers of 64 bits */
	CLASS_CONVERT_HALF, /* to f16 and narrower floats */
	CLASS_SHUFFLE,
	CLASS_VOTE,
	CLASS_MATCH,    /* match.any, match.all */
	CLASS_REDUCE,   /* redux */
	CLASS_GUARDING, /* comparisons whose predicate guards the next instruction */
	CLASS_CONTROL,
	CLASS_MEMORY,
	CLASS_HALF,          /* addition, multiplication and multiply-add of f16 and bf16 */
	CLASS_MATRIX,        /* mma, wmma.mma */
	CLASS_TENSOR_MEMORY, /* tcgen05 */
	CLASS_COUNT
};

enum uop_space { SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONST, SPACE_PARAM, SPACE_GENERIC };

enum uop_flag {
	UOP_GUARDED = 1,       /* executes in lanes where the guard predicate is true ... */
	UOP_GUARD_NEGATED = 2, /* ... or false */
	UOP_BRANCH_UNI = 4,    /* bra.uni */
	UOP_VOLATILE = 8,
	UOP_SIGN_EXTEND = 16, /* ld of a signed type into a wider register */
	UOP_ENDS_BLOCK = 32,
	UOP_LEADER = 64, /* first of a basic block */
	UOP_SPILL = 128, /* LD, ST: a register's place in local memory, which the program does not know of */
};

enum uop_cache_op {
	CACHE_CA,
	CACHE_CG,
	CACHE_CS,
	CACHE_LU,
	CACHE_CV,
	CACHE_WB,
	CACHE_WT,
	CACHE_NC,
	CACHE_DEFAULT /* loads: none is written */
};

enum uop_mod { /* meaning depends on the operation; rounding is its own field */
	MOD_FTZ = 1,
	MOD_SAT = 2,
	MOD_NEGATE_C = 4,
	MOD_RELU = 8,
	MOD_CLUSTER = 8, /* LD, ST, ATOM: the address is one of .shared::cluster, not of the own CTA alone */
	MOD_HI = 16,
	MOD_SUSPENDS = 16, /* MBARRIER_TEST: try_wait, for src[2] nanoseconds or as long as the machine does
			    */
	MOD_ABS = 32,
	MOD_ACQUIRE = 32, /* MEMBAR: does not wait for stores, but for all that the warp has asked for */
	MOD_XORSIGN = 64,
	MOD_ONE_LANE = 64, /* ATOM: timed as if the first lane alone accessed memory, where all have one
			      address */
	MOD_SATFINITE = 128,
	MOD_FRAME = 128, /* local memory: imm counts from the frame of the running function */
};
/* An address of device memory in 32 bits (MOD_SAT) is the lower half of the 64-bit one. Generic addresses in
 * 32 bits have windows for the other spaces at their end. */
#define NARROW_SHARED      UINT32_C(0xfd000000)
#define NARROW_LOCAL       UINT32_C(0xfe000000)
#define NARROW_PARAM       UINT32_C(0xff000000)
#define NARROW_WINDOW_SIZE UINT32_C(0x01000000)
enum uop_round { ROUND_RN, ROUND_RZ, ROUND_RM, ROUND_RP };
enum { ROUND_RNA = 4, ROUND_RS = 5 }; /* CVT_FORMAT alone: ties away from zero, by random bits */

enum uop_compare { /* SETP, SET: */
	CMP_EQ,
	CMP_NE,
	CMP_LT,
	CMP_LE,
	CMP_GT,
	CMP_GE,
	CMP_EQU,
	CMP_NEU,
	CMP_LTU,
	CMP_LEU,
	CMP_GTU,
	CMP_GEU,
	CMP_NUM,
	CMP_NAN,
};
enum uop_bool { BOOL_NONE, BOOL_AND, BOOL_OR, BOOL_XOR };

/* Barriers, in `combine`: a warp arrives when some of its lanes do (targets before sm_70), or when all its
 * paths have. */
enum uop_barrier { BARRIER_BY_WARP, BARRIER_BY_PATH };

/* BRA and BRX that close a loop (lead backwards), in `combine`, for targets from sm_70 on: the loop reads
 * memory, or it does so in a way in which one waits for others: atomic, volatile, relaxed, acquire; or it
 * calls functions. */
enum uop_loop { LOOP_NONE, LOOP_READS, LOOP_POLLS };

/* MEMBAR, in `combine`: whether it empties the L1 (sm.fence_invalidates); in `imm`: 0 of the CTA, 1 of the
 * GPU, 2 of the system. Accesses with an order have one before a release, and one behind an acquire. */
/* LD, ST, ATOM of the program, in `target`: bits. */
enum uop_order { ORDER_ACQUIRES = 1, ORDER_RELEASES = 2, ORDER_OF_CTA = 4 /* for the CTA's threads alone */ };

/* Warp-level operations, in `combine`: the lanes that take part are those that execute; all that have not
 * exited (the mask has every bit); or those that the mask names. In the latter two it is a fault if one of
 * them is elsewhere. */
enum uop_members { MEMBERS_EXECUTING, MEMBERS_ALL, MEMBERS_MASK };

enum uop_atomic {
	ATOM_ADD,
	ATOM_MIN,
	ATOM_MAX,
	ATOM_INC,
	ATOM_DEC,
	ATOM_AND,
	ATOM_OR,
	ATOM_XOR,
	ATOM_EXCH,
	ATOM_CAS
};

/* TEX, TLD4, SULD, SUST, SURED: bits of imm. */
enum uop_texture {
	TEXTURE_DIMS = 3, /* mask: 1, 2 or 3 dimensions */
	TEXTURE_LAYERED = 4,
	TEXTURE_CUBE = 8,     /* three dimensions: a direction */
	TEXTURE_INTEGER = 16, /* coordinates are texel indices */
	TEXTURE_LEVEL = 32,
	TEXTURE_GRADIENT = 64,
	TEXTURE_OFFSET = 128,
	TEXTURE_HALF = 256,
	TEXTURE_HALF2 = 512,
	TEXTURE_SAMPLE = 1024,        /* surfaces: x counts texels */
	TEXTURE_MODE_SHIFT = 12,      /* surfaces: enum surface_mode, 0 trap 1 clamp 2 zero */
	TEXTURE_COMPONENT_SHIFT = 14, /* TLD4: 0 r .. 3 a */
};
enum uop_query {
	QUERY_WIDTH,
	QUERY_HEIGHT,
	QUERY_DEPTH,
	QUERY_CHANNEL_DATA_TYPE,
	QUERY_CHANNEL_ORDER,
	QUERY_ARRAY_SIZE,
	QUERY_MEMORY_LAYOUT,
	QUERY_NORMALIZED_COORDS,
	QUERY_NUM_MIPMAP_LEVELS,
	QUERY_NUM_SAMPLES,
	QUERY_FORCE_UNNORMALIZED_COORDS,
	QUERY_FILTER_MODE,
	QUERY_ADDR_MODE_0,
	QUERY_ADDR_MODE_1,
	QUERY_ADDR_MODE_2,
	QUERY_OF_SURFACE = 64,
};

struct uop {
	uint16_t code;         /* enum uop_code */
	uint8_t unit;          /* enum uop_unit */
	uint8_t latency_class; /* enum uop_class */
	uint16_t guard;        /* predicate register; only if UOP_GUARDED */
	uint8_t flags;         /* enum uop_flag */
	uint8_t mods;          /* enum uop_mod */

	uint16_t dst[4]; /* first row of each destination, or predicate number; UOP_NONE: none / sink */
	uint16_t src[4]; /* first row of each source, with UOP_CONSTANT; or predicate number */

	/* memory: bytes of one element, elements, destination register width */
	uint8_t space;     /* enum uop_space */
	uint8_t bytes;     /* 1, 2, 4, 8, 16 */
	uint8_t vector;    /* 1, 2, 4, 8 */
	uint8_t reg_bytes; /* width of the data registers: 4, 8 or 16 (rows: reg_bytes / 4) */
	/* arithmetic: */
	union {
		uint8_t round; /* enum uop_round */
		uint8_t scale; /* LD, ST of shared memory: src[0] counts 2^scale bytes (only in scheduled
				  code) */
	};
	uint8_t compare; /* enum uop_compare; atomics: enum uop_atomic */
	uint8_t combine; /* enum uop_bool; cache operator for memory (enum uop_cache_op) */
	uint8_t type;    /* enum ptx_type of the operation (atomics, prints) */

	int64_t imm;         /* memory: byte offset added to src[0]; bar: see uops.def; else op-specific */
	uint32_t target;     /* branch: index of the target micro-operation */
	uint32_t reconverge; /* branch: index of the immediate post-dominator; uop_count if there is none */

	uint32_t line;    /* of the PTX text */
	uint32_t hazards; /* index into the kernel's hazards[]: first the registers read, then those written
			   */
	uint8_t reads, writes; /* how many of each. A hazard is a row number, or 0x4000 + predicate number;
				  64-bit registers stand by their first row alone */
	uint8_t extra_sources; /* operands beyond src[] and dst[], in the kernel's extra[] from index `extra`:
				*/
	uint8_t extra_dests;   /* first the sources, then the destinations */
	uint32_t extra;
};

#define UOP_HAZARD_PREDICATE 0x4000u

/* Whether a source or destination is a predicate. */
bool uop_operand_is_predicate(const struct uop *u, int operand, bool is_source);

/* imm of UOP_NOP where lanes that a branch has parted meet again (BSYNC) */
#define UOP_NOP_MEETS 1
/* and where products of a warpgroup begin to see its registers (wgmma.fence) */
#define UOP_NOP_FENCES 2
/* and where what a warp has loaded from tensor memory is there (tcgen05.wait::ld) */
#define UOP_NOP_LOADED 3

static inline bool uop_meets(const struct uop *u)
{
	return u->code == UOP_NOP && u->imm == UOP_NOP_MEETS;
}

/* Nothing is executed, but nothing passes it, either. */
static inline bool uop_holds_order(const struct uop *u)
{
	return u->code == UOP_NOP && u->imm >= UOP_NOP_FENCES;
}

/* What tensor cores do beside the warps: tcgen05.mma, cp, shift, commit. */
static inline bool uop_asks_tensor(const struct uop *u)
{
	return u->code >= UOP_TCGEN05_MMA && u->code <= UOP_TCGEN05_COMMIT;
}

static inline bool uop_is_barrier(const struct uop *u)
{
	return u->code >= UOP_BAR_SYNC && u->code <= UOP_CLUSTER_WAIT;
}

/* Functions that every program may call though no module defines them: frontend/syscalls.def. */
enum ptx_syscall {
#define SYSCALL(id, ...) PTX_SYSCALL_##id,
#include "frontend/syscalls.def"
#undef SYSCALL
	PTX_SYSCALLS
};
#define PTX_SYSCALL_ARGUMENTS 5  /* at most */
#define PTX_SYSCALL_ROWS      12 /* at most, of all arguments of a call: 32 bits of each lane each */
struct ptx_syscall_form {
	const char *name;
	uint8_t result_bits;
	uint8_t argument_bits[PTX_SYSCALL_ARGUMENTS + 1]; /* up to a 0; 96: a block of three words */
};
const struct ptx_syscall_form *ptx_syscall_form(unsigned which);

#endif
