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
};

/* The first row of a value of 32 or 64 bits (one row or two). */
uint32_t bank_value(struct bank *bank, uint64_t value, bool is_wide);
/* The first row of an address: where the loader places a symbol, plus an addend. */
uint32_t bank_address(struct bank *bank, uint32_t symbol, int64_t addend, bool is_wide);
/* Fills in the kernel's constants, constant_rows, relocs and reloc_count. arena: the image's. */
void bank_finish(const struct bank *bank, struct ptx_kernel *kernel, struct ptx_arena *arena);
/* Writes one value into all lanes of its row or rows. */
void bank_fill(uint32_t (*row)[32], uint64_t value, bool is_wide);

#endif
