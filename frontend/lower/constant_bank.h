/* frontend/lower/constant_bank.h -- a kernel's constant bank: rows of 32 equal lanes for immediates and
 * addresses, each value once. */
#ifndef FRONTEND_LOWER_CONSTANT_BANK_H
#define FRONTEND_LOWER_CONSTANT_BANK_H

#include "frontend/ptx.h"

struct ptx_arena;

struct bank {
	struct ptx_arena *arena;
	struct bank_entry *entries;
	uint32_t count, capacity;
	uint32_t *slots;     /* open-addressing hash: entry + 1 */
	uint32_t slot_count; /* power of two */
	uint32_t rows;
	uint32_t *entry_of; /* of each row: entry + 1 of the value that begins there; 0: none does */
	uint32_t entry_of_count;
};

/* The first row of a value of 32 or 64 bits (one row or two). */
uint32_t bank_value(struct bank *bank, uint64_t value, bool is_wide);
/* The first row of an address: where the loader places a symbol, plus an addend. */
uint32_t bank_address(struct bank *bank, uint32_t symbol, int64_t addend, bool is_wide);
/* The first row of a value that each launch of the kernel gives anew: a parameter, by its offset, or a
 * special register, by its number; or what .const memory holds, by symbol and offset. */
uint32_t bank_launch(struct bank *bank, enum ptx_launch_kind kind, uint32_t which, bool is_wide);
uint32_t bank_constant(struct bank *bank, uint32_t symbol, uint32_t offset, bool is_wide);
/* Whether a 64-bit address begins at the row: where the loader places a symbol, plus an addend. */
bool bank_symbol(const struct bank *bank, uint32_t row, uint32_t *symbol, int64_t *addend);
/* What begins at a row, if the machine reads it from its constant bank: a value that each launch gives anew,
 * or what .const memory holds. */
struct bank_place {
	uint32_t kind;   /* enum ptx_launch_kind */
	uint32_t symbol; /* of .const memory */
	uint32_t at;     /* offset there or among the parameters, or enum ptx_sreg */
	bool is_wide;
};
bool bank_place(const struct bank *bank, uint32_t row, struct bank_place *place); /* false: it is none */
/* The value that begins at a row; false: none of that width does, or it is not known yet. */
bool bank_immediate(const struct bank *bank, uint32_t row, bool is_wide, uint64_t *value);
/* The first row of the lower half of the 64-bit value that begins at `from`; false: none does, or it is an
 * address. */
bool bank_lower_half(struct bank *bank, uint32_t from, uint32_t *row);
/* Forgets all values but the first count. */
void bank_truncate(struct bank *bank, uint32_t count);
/* Fills in the kernel's constants, constant_rows, relocs, launch_values and their counts. arena: the image's.
 */
void bank_finish(const struct bank *bank, struct ptx_kernel *kernel, struct ptx_arena *arena);

#endif
