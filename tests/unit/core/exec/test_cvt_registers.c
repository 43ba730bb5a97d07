/* Conversions in registers wider than their types: sources are cut to the type, results extended by its sign,
 * or with zeros. PTX ISA, "Operand Size Exceeding Instruction-Type Size". */
#include "tests/unit/core/ptx_rig.h"
#include <stdio.h>

static struct rig r;

static const struct integer {
	const char *name;
	unsigned bits;
	bool is_signed;
} integers[] = { { "u8", 8, false }, { "s8", 8, true }, { "u16", 16, false }, { "s16", 16, true },
	{ "u32", 32, false }, { "s32", 32, true }, { "u64", 64, false }, { "s64", 64, true } };

static const struct {
	const char *name;
	unsigned bits;
} floats[] = { { "f16", 16 }, { "f32", 32 }, { "f64", 64 } };

static const uint64_t inputs[32] = { 0, 1, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x7fffffff,
	0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff,
	0x123456789abcdef0, 0xfedcba9876543210, 0x3c00, 0xbc00, 0x5800, 0xd7c0, 0x42c90000, 0xc3008000,
	0x3f800000, 0x4f000000, 0xc1e0000000200000, 0x40e0001000000000, 0x3ff8000000000000,
	0xc004000000000000, 0x40590000000000ff, 0xc0490000ffff0000 };

/* One conversion for all inputs, from a register of some bits into another. */
static void convert(const exec_function *table, const char *instruction, unsigned to_bits, unsigned from_bits,
	uint64_t *out)
{
	char text[1024];

	snprintf(text, sizeof(text),
		".version 9.0\n.target sm_90\n.address_size 64\n.entry k()\n{\n"
		".shared .align 8 .b8 in[256]; .shared .align 8 .b8 out[256];\n"
		".reg .b32 t; .reg .b64 i, o, s; .reg .b%u d; .reg .b%u a;\n"
		"mov.u32 t, %%tid.x; mul.wide.u32 s, t, 8; mov.u64 i, in; mov.u64 o, out; add.u64 i, i, s; "
		"add.u64 o, o, s;\n"
		"ld.shared.b%u a, [i];\n%s d, a;\nst.shared.b%u [o], d;\nret;\n}\n",
		to_bits, from_bits, from_bits, instruction, to_bits);
	rig_init(&r);
	memcpy(r.shared, inputs, 256);
	rig_run_ptx(&r, table, text);
	memcpy(out, r.shared + 256, 256);
}

static uint64_t cut(uint64_t value, unsigned bits)
{
	return bits == 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

static __int128 number(uint64_t value, const struct integer *type)
{
	value = cut(value, type->bits);
	return type->is_signed && value >> (type->bits - 1) ? (__int128)value - ((__int128)1 << type->bits)
							    : (__int128)value;
}

static __int128 clamped(__int128 value, const struct integer *type)
{
	__int128 low = type->is_signed ? -((__int128)1 << (type->bits - 1)) : 0;
	__int128 high = low + ((__int128)1 << type->bits) - 1;

	return value < low ? low : value > high ? high : value;
}

static bool can_saturate(const struct integer *to, const struct integer *from)
{
	return to->is_signed == from->is_signed ? to->bits < from->bits
						: !to->is_signed || to->bits <= from->bits;
}

static void check_integers(
	const exec_function *table, const struct integer *to, const struct integer *from, bool sat)
{
	char instruction[64];
	uint64_t out[32];

	snprintf(instruction, sizeof(instruction), "cvt%s.%s.%s", sat ? ".sat" : "", to->name, from->name);
	for (unsigned d = to->bits; d <= 64; d *= 2)
		for (unsigned a = from->bits; a <= 64; a *= 2) {
			convert(table, instruction, d, a, out);
			for (unsigned l = 0; l < 32; l++) {
				__int128 value = number(inputs[l], from);
				uint64_t want = cut(
					(uint64_t)number((uint64_t)(sat ? clamped(value, to) : value), to),
					d);

				cr_assert_eq(out[l], want, "%s from %u into %u bits: %lx = %lx not %lx",
					instruction, a, d, inputs[l], out[l], want);
			}
		}
}

Test(cvt_registers, of_integers_of_all_widths)
{
	for_each_level(table) for (unsigned to = 0; to < 8; to++) for (unsigned from = 0; from < 8; from++)
	{
		check_integers(table, &integers[to], &integers[from], false);
		if (can_saturate(&integers[to], &integers[from]))
			check_integers(table, &integers[to], &integers[from], true);
	}
}

/* What the registers of the types' own widths give (test_exec_cvt.c, test_exec_format.c), extended. */
static void check_extension(
	const exec_function *table, const char *instruction, const struct integer *to, unsigned from_bits)
{
	uint64_t narrow[32], out[32];

	convert(table, instruction, to->bits, from_bits, narrow);
	for (unsigned d = to->bits; d <= 64; d *= 2)
		for (unsigned a = from_bits < 16 ? 16 : from_bits; a <= 64; a *= 2) {
			convert(table, instruction, d, a, out);
			for (unsigned l = 0; l < 32; l++)
				cr_assert_eq(out[l], cut((uint64_t)number(narrow[l], to), d),
					"%s from %u into %u bits: %lx = %lx, alone %lx", instruction, a, d,
					inputs[l], out[l], narrow[l]);
		}
}

Test(cvt_registers, of_floats_hold_the_same_extended)
{
	char instruction[64];

	for_each_level(table) for (unsigned f = 0; f < 3; f++)
	{
		struct integer as_bits = { floats[f].name, floats[f].bits, false };

		for (unsigned i = 0; i < 8; i++) {
			snprintf(instruction, sizeof(instruction), "cvt.rni.%s.%s", integers[i].name,
				floats[f].name);
			check_extension(table, instruction, &integers[i], floats[f].bits);
			snprintf(instruction, sizeof(instruction), "cvt.rz.%s.%s", floats[f].name,
				integers[i].name);
			check_extension(table, instruction, &as_bits, integers[i].bits);
		}
		for (unsigned g = 0; g < 3; g++) {
			snprintf(instruction, sizeof(instruction), "cvt%s.%s.%s", f < g ? ".rp" : "",
				floats[f].name, floats[g].name);
			check_extension(table, instruction, &as_bits, floats[g].bits);
		}
	}
}
