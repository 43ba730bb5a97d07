/* frontend/lower/constant_bank.c -- the constant bank under construction: a list of distinct values and a
 * hash over it. */
#include "frontend/lower/constant_bank.h"
#include "frontend/parse/arena.h"

#include <string.h>

struct bank_entry {
	uint64_t value;  /* or the addend */
	uint32_t symbol; /* of an address; else PLAIN, PARAMETER or REGISTER */
	uint32_t row;
	bool is_wide;
};

#define PLAIN     UINT32_MAX
#define PARAMETER (UINT32_MAX - 1) /* value: its offset */
#define REGISTER  (UINT32_MAX - 2) /* value: enum ptx_sreg */

static uint32_t hash(uint64_t value, uint32_t symbol, bool is_wide)
{
	uint64_t h = (value ^ (uint64_t)symbol << 32 ^ is_wide) * 0x9e3779b97f4a7c15u;

	return (uint32_t)(h >> 32);
}

static void insert(struct bank *bank, uint32_t entry)
{
	const struct bank_entry *e = &bank->entries[entry];
	uint32_t slot = hash(e->value, e->symbol, e->is_wide) & (bank->slot_count - 1);

	while (bank->slots[slot])
		slot = (slot + 1) & (bank->slot_count - 1);
	bank->slots[slot] = entry + 1;
}

static void grow(struct bank *bank)
{
	uint32_t capacity = bank->capacity ? 2 * bank->capacity : 32;
	struct bank_entry *entries = arena_alloc(bank->arena, capacity * sizeof *entries);

	if (bank->count)
		memcpy(entries, bank->entries, bank->count * sizeof *entries);
	bank->entries = entries;
	bank->capacity = capacity;
	bank->slot_count = 2 * capacity;
	bank->slots = arena_alloc(bank->arena, bank->slot_count * sizeof *bank->slots);
	for (uint32_t i = 0; i < bank->count; i++)
		insert(bank, i);
}

static void note_row(struct bank *bank, uint32_t row, uint32_t entry)
{
	uint32_t count = bank->entry_of_count;

	if (row >= count) {
		uint32_t more = 2 * row + 64;
		uint32_t *rows = arena_alloc(bank->arena, more * sizeof *rows);

		if (count)
			memcpy(rows, bank->entry_of, count * sizeof *rows);
		bank->entry_of = rows;
		bank->entry_of_count = more;
	}
	bank->entry_of[row] = entry;
}

static uint32_t find_or_add(struct bank *bank, uint64_t value, uint32_t symbol, bool is_wide)
{
	if (bank->count == bank->capacity)
		grow(bank);
	uint32_t slot = hash(value, symbol, is_wide) & (bank->slot_count - 1);

	for (; bank->slots[slot]; slot = (slot + 1) & (bank->slot_count - 1)) {
		const struct bank_entry *e = &bank->entries[bank->slots[slot] - 1];

		if (e->value == value && e->symbol == symbol && e->is_wide == is_wide)
			return e->row;
	}
	bank->entries[bank->count] = (struct bank_entry){ value, symbol, bank->rows, is_wide };
	bank->slots[slot] = ++bank->count;
	note_row(bank, bank->rows, bank->count);
	bank->rows += is_wide ? 2 : 1;
	return bank->rows - (is_wide ? 2 : 1);
}

uint32_t bank_value(struct bank *bank, uint64_t value, bool is_wide)
{
	return find_or_add(bank, is_wide ? value : (uint32_t)value, PLAIN, is_wide);
}

uint32_t bank_address(struct bank *bank, uint32_t symbol, int64_t addend, bool is_wide)
{
	return find_or_add(bank, (uint64_t)addend, symbol, is_wide);
}

uint32_t bank_launch(struct bank *bank, enum bank_launch_kind kind, uint32_t which, bool is_wide)
{
	return find_or_add(bank, which, kind == BANK_PARAMETER ? PARAMETER : REGISTER, is_wide);
}

bool bank_immediate(const struct bank *bank, uint32_t row, bool is_wide, uint64_t *value)
{
	const struct bank_entry *e;

	if (row >= bank->entry_of_count || !bank->entry_of[row])
		return false;
	e = &bank->entries[bank->entry_of[row] - 1];
	*value = e->value;
	return e->symbol == PLAIN && e->is_wide == is_wide;
}

void ptx_fill_row(uint32_t (*row)[32], uint64_t value, bool is_wide)
{
	for (uint32_t lane = 0; lane < 32; lane++) {
		if (is_wide)
			memcpy((char *)row + 8 * lane, &value, 8);
		else
			row[0][lane] = (uint32_t)value;
	}
}

bool bank_lower_half(struct bank *bank, uint32_t from, uint32_t *row)
{
	const struct bank_entry *e;

	if (from >= bank->entry_of_count || !bank->entry_of[from])
		return false;
	e = &bank->entries[bank->entry_of[from] - 1];
	if (!e->is_wide || (e->symbol != PLAIN && e->symbol != PARAMETER))
		return false;
	*row = find_or_add(bank, e->symbol == PLAIN ? (uint32_t)e->value : e->value, e->symbol, false);
	return true;
}

static bool is_launched(const struct bank_entry *e)
{
	return e->symbol == PARAMETER || e->symbol == REGISTER;
}

static bool is_address(const struct bank_entry *e)
{
	return e->symbol != PLAIN && !is_launched(e);
}

void bank_finish(const struct bank *bank, struct ptx_kernel *kernel, struct ptx_arena *arena)
{
	uint8_t *memory = arena_alloc(arena, (size_t)bank->rows * sizeof *kernel->constants + 64);

	kernel->constants = (uint32_t(*)[32])(void *)(memory + (-(uintptr_t)memory & 63));
	kernel->constant_rows = bank->rows;
	for (uint32_t i = 0; i < bank->count; i++) {
		kernel->reloc_count += is_address(&bank->entries[i]);
		kernel->launch_value_count += is_launched(&bank->entries[i]);
	}
	kernel->relocs = arena_alloc(arena, kernel->reloc_count * sizeof *kernel->relocs);
	kernel->launch_values =
		arena_alloc(arena, kernel->launch_value_count * sizeof *kernel->launch_values);
	kernel->reloc_count = kernel->launch_value_count = 0;
	for (uint32_t i = 0; i < bank->count; i++) {
		const struct bank_entry *e = &bank->entries[i];

		if (e->symbol == PLAIN)
			ptx_fill_row(&kernel->constants[e->row], e->value, e->is_wide);
		else if (is_launched(e))
			kernel->launch_values[kernel->launch_value_count++] =
				(struct ptx_launch_value){ e->row, (uint32_t)e->value, e->symbol == REGISTER,
					e->is_wide };
		else
			kernel->relocs[kernel->reloc_count++] =
				(struct ptx_const_reloc){ e->row, e->symbol, (int64_t)e->value, e->is_wide };
	}
}
