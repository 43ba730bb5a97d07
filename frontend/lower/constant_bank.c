/* frontend/lower/constant_bank.c -- the constant bank under construction: a list of distinct values and a
 * hash over it. */
#include "frontend/lower/constant_bank.h"
#include "frontend/parse/arena.h"

#include <string.h>

enum entry_kind {
	NUMBER,
	ADDRESS,
	LAUNCHED, /* + enum ptx_launch_kind */
};

struct bank_entry {
	uint64_t value;  /* or the addend, or the offset, or enum ptx_sreg */
	uint32_t symbol; /* of addresses and what .const memory holds; else 0 */
	uint32_t kind;   /* enum entry_kind */
	uint32_t row;
	bool is_wide;
};

static uint32_t hash_constant(const struct bank_entry *e)
{
	uint64_t h = (e->value ^ (uint64_t)e->symbol << 32 ^ (uint64_t)e->kind << 8 ^ e->is_wide) *
		0x9e3779b97f4a7c15u;

	return (uint32_t)(h >> 32);
}

static void insert_constant(struct bank *bank, uint32_t entry)
{
	const struct bank_entry *e = &bank->entries[entry];
	uint32_t slot = hash_constant(e) & (bank->slot_count - 1);

	while (bank->slots[slot])
		slot = (slot + 1) & (bank->slot_count - 1);
	bank->slots[slot] = entry + 1;
}

static void grow_bank(struct bank *bank)
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
		insert_constant(bank, i);
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

static uint32_t find_or_add(struct bank *bank, struct bank_entry entry)
{
	if (bank->count == bank->capacity)
		grow_bank(bank);
	uint32_t slot = hash_constant(&entry) & (bank->slot_count - 1);

	for (; bank->slots[slot]; slot = (slot + 1) & (bank->slot_count - 1)) {
		const struct bank_entry *e = &bank->entries[bank->slots[slot] - 1];

		if (e->value == entry.value && e->symbol == entry.symbol && e->kind == entry.kind &&
			e->is_wide == entry.is_wide)
			return e->row;
	}
	entry.row = bank->rows;
	bank->entries[bank->count] = entry;
	bank->slots[slot] = ++bank->count;
	note_row(bank, bank->rows, bank->count);
	bank->rows += entry.is_wide ? 2 : 1;
	return entry.row;
}

uint32_t bank_value(struct bank *bank, uint64_t value, bool is_wide)
{
	return find_or_add(
		bank, (struct bank_entry){ .value = is_wide ? value : (uint32_t)value, .is_wide = is_wide });
}

uint32_t bank_address(struct bank *bank, uint32_t symbol, int64_t addend, bool is_wide)
{
	return find_or_add(bank,
		(struct bank_entry){
			.value = (uint64_t)addend, .symbol = symbol, .kind = ADDRESS, .is_wide = is_wide });
}

uint32_t bank_launch(struct bank *bank, enum ptx_launch_kind kind, uint32_t which, bool is_wide)
{
	return find_or_add(
		bank, (struct bank_entry){ .value = which, .kind = LAUNCHED + kind, .is_wide = is_wide });
}

uint32_t bank_constant(struct bank *bank, uint32_t symbol, uint32_t offset, bool is_wide)
{
	return find_or_add(bank,
		(struct bank_entry){ .value = offset,
			.symbol = symbol,
			.kind = LAUNCHED + PTX_LAUNCH_CONSTANT,
			.is_wide = is_wide });
}

/* The value that begins at the row; NULL: none does. */
static const struct bank_entry *entry_at(const struct bank *bank, uint32_t row)
{
	if (row >= bank->entry_of_count || !bank->entry_of[row])
		return NULL;
	return &bank->entries[bank->entry_of[row] - 1];
}

bool bank_symbol(const struct bank *bank, uint32_t row, uint32_t *symbol, int64_t *addend)
{
	const struct bank_entry *e = entry_at(bank, row);

	if (!e || e->kind != ADDRESS || !e->is_wide)
		return false;
	*symbol = e->symbol;
	*addend = (int64_t)e->value;
	return true;
}

bool bank_place(const struct bank *bank, uint32_t row, struct bank_place *place)
{
	const struct bank_entry *e = entry_at(bank, row);

	if (!e || e->kind < LAUNCHED)
		return false;
	*place = (struct bank_place){ e->kind - LAUNCHED, e->symbol, (uint32_t)e->value, e->is_wide };
	return true;
}

bool bank_immediate(const struct bank *bank, uint32_t row, bool is_wide, uint64_t *value)
{
	const struct bank_entry *e = entry_at(bank, row);

	if (!e)
		return false;
	*value = e->value;
	return e->kind == NUMBER && e->is_wide == is_wide;
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
	const struct bank_entry *e = entry_at(bank, from);
	struct bank_entry half;

	if (!e || !e->is_wide || e->kind == ADDRESS || e->kind == LAUNCHED + PTX_LAUNCH_REGISTER)
		return false;
	half = *e;
	half.is_wide = false;
	if (e->kind == NUMBER)
		half.value = (uint32_t)e->value;
	*row = find_or_add(bank, half);
	return true;
}

/* The last value that was added is the last in the chain of its slot, so that its slot can be freed. */
void bank_truncate(struct bank *bank, uint32_t count)
{
	while (bank->count > count) {
		const struct bank_entry *e = &bank->entries[bank->count - 1];
		uint32_t slot = hash_constant(e) & (bank->slot_count - 1);

		while (bank->slots[slot] != bank->count)
			slot = (slot + 1) & (bank->slot_count - 1);
		bank->slots[slot] = 0;
		bank->entry_of[e->row] = 0;
		bank->rows = e->row;
		bank->count--;
	}
}

void bank_finish(const struct bank *bank, struct ptx_kernel *kernel, struct ptx_arena *arena)
{
	uint8_t *memory = arena_alloc(arena, (size_t)bank->rows * sizeof *kernel->constants + 64);

	kernel->constants = (uint32_t(*)[32])(void *)(memory + (-(uintptr_t)memory & 63));
	kernel->constant_rows = bank->rows;
	for (uint32_t i = 0; i < bank->count; i++) {
		kernel->reloc_count += bank->entries[i].kind == ADDRESS;
		kernel->launch_value_count += bank->entries[i].kind >= LAUNCHED;
	}
	kernel->relocs = arena_alloc(arena, kernel->reloc_count * sizeof *kernel->relocs);
	kernel->launch_values =
		arena_alloc(arena, kernel->launch_value_count * sizeof *kernel->launch_values);
	kernel->reloc_count = kernel->launch_value_count = 0;
	for (uint32_t i = 0; i < bank->count; i++) {
		const struct bank_entry *e = &bank->entries[i];

		if (e->kind == NUMBER)
			ptx_fill_row(&kernel->constants[e->row], e->value, e->is_wide);
		else if (e->kind >= LAUNCHED)
			kernel->launch_values[kernel->launch_value_count++] =
				(struct ptx_launch_value){ e->row, (enum ptx_launch_kind)(e->kind - LAUNCHED),
					(uint32_t)e->value, e->symbol, e->is_wide };
		else
			kernel->relocs[kernel->reloc_count++] =
				(struct ptx_const_reloc){ e->row, e->symbol, (int64_t)e->value, e->is_wide };
	}
}
