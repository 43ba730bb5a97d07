/* Atomic sums, minima and maxima of halves and vectors, in shared memory: every element against exact sums
 * rounded by table (reference_formats.h). Which lane comes first at one place is lane order. */
#include "tests/unit/core/exec_rig.h"
#include "tests/unit/core/reference_formats.h"

static struct rig r;

static uint32_t combined(unsigned type, unsigned operation, uint32_t old, uint32_t b)
{
	double p = reference_decode(type, old), q = reference_decode(type, b);

	if (operation == ATOM_ADD)
		return reference_round(type, exact_sum(p, q), ROUND_RN, false);
	if (isnan(p) || isnan(q))
		return isnan(p) && isnan(q) ? 0x7fff : isnan(p) ? b : old;
	if (p == q) /* -0 is less than 0 */
		return operation == ATOM_MIN ? old | b : old & b;
	return (p < q) == (operation == ATOM_MIN) ? old : b;
}

/* `count` elements of a type a lane, lanes 0 to 31 at 32 different places or all at the first. */
static void check(unsigned type, unsigned operation, unsigned count, bool same_place, bool has_result)
{
	bool packed = type == PTX_F16X2 || type == PTX_BF16X2;
	unsigned bytes = packed ? 4 : 2, sources = count > 3 ? count - 3 : 0;
	struct uop u = { .code = UOP_ATOM,
		.space = SPACE_SHARED,
		.src = { 0, 2, 3, 4 },
		.bytes = (uint8_t)bytes,
		.reg_bytes = (uint8_t)bytes,
		.vector = (uint8_t)count,
		.type = (uint8_t)type,
		.compare = (uint8_t)operation,
		.extra_sources = (uint8_t)sources };
	uint16_t extra[12];
	uint64_t state = 41 + type;

	for (unsigned e = 0; e < 4; e++)
		u.dst[e] = has_result && e < count ? (uint16_t)(16 + e) : UOP_NONE;
	for (unsigned e = 3; e < 8; e++)
		extra[e - 3] = (uint16_t)(2 + e);
	u.extra_dests = has_result && count > 4 ? (uint8_t)(count - 4) : 0;
	for (unsigned e = 4; e < 8; e++)
		extra[sources + e - 4] = (uint16_t)(16 + e);
	for_each_level(table) for (unsigned n = 0; n < 40; n++)
	{
		uint16_t memory[32 * 16];

		rig_init(&r);
		r.x.extra = extra;
		for (unsigned l = 0; l < 32; l++)
			rig_set(&r, 0, 8, l, same_place ? 0 : l * bytes * count);
		for (unsigned row = 2; row < 10; row++)
			for (unsigned l = 0; l < 32; l++)
				r.registers[row][l] = packed ? (uint32_t)rig_random(&state)
							     : (uint32_t)rig_random(&state) & 0xffff;
		for (unsigned i = 0; i < 32 * 16; i++)
			memory[i] = (uint16_t)(rig_random(&state) >> 20);
		memcpy(r.shared, memory, sizeof(memory));
		rig_run(&r, table, &u, UINT32_MAX);
		cr_assert_not(r.x.faulted);
		for (unsigned l = 0; l < 32; l++)
			for (unsigned e = 0; e < count; e++)
				for (unsigned half = 0; half < 1u + packed; half++) {
					uint16_t *place =
						&memory[((same_place ? 0 : l * count) + e) * bytes / 2 +
							half];

					if (has_result)
						cr_assert_eq(
							r.registers[16 + e][l] >> 16 * half & 0xffff, *place);
					*place = (uint16_t)combined(type, operation, *place,
						r.registers[2 + e][l] >> 16 * half & 0xffff);
				}
		cr_assert(!memcmp(r.shared, memory, sizeof(memory)), "type %u operation %u count %u", type,
			operation, count);
	}
}

Test(exec_atomic_half, works_on_each_element)
{
	static const uint8_t types[] = { PTX_F16, PTX_BF16, PTX_F16X2, PTX_BF16X2 };

	for (unsigned t = 0; t < 4; t++)
		for (unsigned operation = ATOM_ADD; operation <= ATOM_MAX; operation++)
			for (unsigned count = 1; count <= (t < 2 ? 8u : 4u); count *= 2)
				for (unsigned n = 0; n < 4; n++)
					check(types[t], operation, count, n & 1, n & 2);
}

Test(exec_atomic_half, exchanges_sixteen_bits_if_they_are_equal)
{
	struct uop u = { .code = UOP_ATOM,
		.space = SPACE_SHARED,
		.dst = { 16, UOP_NONE, UOP_NONE, UOP_NONE },
		.src = { 0, 2, 3 },
		.bytes = 2,
		.reg_bytes = 2,
		.vector = 1,
		.type = PTX_B16,
		.compare = ATOM_CAS };

	for_each_level(table)
	{
		rig_init(&r);
		for (unsigned l = 0; l < 32; l++) {
			rig_set(&r, 0, 8, l, 2 * l);
			r.registers[2][l] = l & 1 ? 7 : 9;
			r.registers[3][l] = 100 + l;
			memcpy(r.shared + 2 * l, &(uint16_t){ 7 }, 2);
		}
		rig_run(&r, table, &u, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++) {
			uint16_t now;

			memcpy(&now, r.shared + 2 * l, 2);
			cr_assert_eq(r.registers[16][l], 7);
			cr_assert_eq(now, l & 1 ? 100 + l : 7);
		}
	}
}
