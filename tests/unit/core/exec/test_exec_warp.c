/* Votes, shuffles, packing, special registers. */
#include "tests/unit/core/exec_rig.h"
#include "frontend/tables/opcode.h"

static struct rig r;

Test(exec_warp, votes_over_active_lanes)
{
	for_each_level(table)
	{
		struct uop all = { .code = UOP_VOTE_ALL, .dst = { 1 }, .src = { 0 } };
		struct uop any = { .code = UOP_VOTE_ANY, .dst = { 2 }, .src = { 0 } };
		struct uop uni = { .code = UOP_VOTE_UNI, .dst = { 3 }, .src = { 0 } };
		struct uop ballot = {
			.code = UOP_VOTE_BALLOT, .dst = { 4 }, .src = { 0 }, .mods = MOD_NEGATE_C
		};
		struct uop mask = { .code = UOP_ACTIVEMASK, .dst = { 5 } };

		rig_init(&r);
		r.predicates[0] = 0x0000ff0f;
		rig_run(&r, table, &all, 0x0000000f);
		cr_assert_eq(r.predicates[1], 0xf);
		rig_run(&r, table, &all, 0x0000001f);
		cr_assert_eq(r.predicates[1], 0);
		rig_run(&r, table, &any, 0xffff0000);
		cr_assert_eq(r.predicates[2], 0);
		rig_run(&r, table, &any, 0xffffff00);
		cr_assert_eq(r.predicates[2], 0xffffff00);
		rig_run(&r, table, &uni, 0xffff0000);
		cr_assert_eq(r.predicates[3], 0xffff0000);
		rig_run(&r, table, &uni, 0xffff0001);
		cr_assert_eq(r.predicates[3], 0);
		rig_run(&r, table, &ballot, 0x000000ff);
		cr_assert(r.registers[4][7] == 0xf0 && r.registers[4][8] == 0);
		rig_run(&r, table, &mask, 0x00ff0000);
		cr_assert(r.registers[5][16] == 0x00ff0000 && r.registers[5][0] == 0);
	}
}

/* The pseudo-code of the ISA. */
static void shuffle(unsigned mode, unsigned lane, uint32_t b, uint32_t c, unsigned *from, bool *valid)
{
	int bval = b & 31, cval = c & 31, mask = c >> 8 & 31, max = ((int)lane & mask) | (cval & ~mask), j;
	int min = (int)lane & mask;

	switch (mode) {
	case 0:
		j = (int)lane - bval;
		*valid = j >= max;
		break;
	case 1:
		j = (int)lane + bval;
		*valid = j <= max;
		break;
	case 2:
		j = (int)lane ^ bval;
		*valid = j <= max;
		break;
	default:
		j = min | (bval & ~mask);
		*valid = j <= max;
		break;
	}
	*from = *valid ? (unsigned)j : lane;
}

Test(exec_warp, shuffles_as_the_isa_says)
{
	uint64_t state = 61;

	for_each_level(table) for (unsigned n = 0; n < 4000; n++)
	{
		struct uop u = {
			.code = UOP_SHFL, .dst = { 0, n & 4 ? 3 : UOP_NONE }, .src = { 0, 1, 2 }, .imm = n & 3
		};
		lane_mask active = n & 8 ? UINT32_MAX : (uint32_t)rig_random(&state);
		uint32_t before[32];

		rig_init(&r);
		for (unsigned l = 0; l < 32; l++) {
			r.registers[0][l] = 100 + l, r.registers[1][l] = (uint32_t)rig_random(&state);
			r.registers[2][l] = n & 16 ? (uint32_t)rig_random(&state) : n & 3 ? 0x1f : 0;
		}
		memcpy(before, r.registers[0], sizeof(before));
		rig_run(&r, table, &u, active);
		for (unsigned l = 0; l < 32; l++) {
			unsigned from;
			bool valid;

			shuffle(n & 3, l, r.registers[1][l], r.registers[2][l], &from, &valid);
			cr_assert_eq(r.registers[0][l], active >> l & 1 ? before[from] : before[l]);
			cr_assert_eq(r.predicates[3] >> l & 1, active >> l & 1 && n & 4 && valid);
		}
	}
}

Test(exec_warp, packs_and_unpacks)
{
	for_each_level(table)
	{
		struct uop pack = { .code = UOP_PACK_B64_4, .dst = { 4 }, .src = { 0, 1, 2, 3 } };
		struct uop unpack = { .code = UOP_UNPACK_B64_4, .dst = { 4, UOP_NONE, 5, 6 }, .src = { 4 } };
		struct uop two = { .code = UOP_PACK_B32_2, .dst = { 8 }, .src = { 0, 1 } };

		rig_init(&r);
		for (unsigned n = 0; n < 4; n++)
			r.registers[n][9] = 0xabcd0011 + 0x1111 * n;
		rig_run(&r, table, &pack, UINT32_MAX);
		cr_assert_eq(rig_get(&r, 4, 8, 9), 0x3344223311220011);
		rig_run(&r, table, &unpack, UINT32_MAX);
		cr_assert(r.registers[4][9] == 0x0011 && r.registers[5][9] == 0x2233 &&
			r.registers[6][9] == 0x3344);
		rig_run(&r, table, &two, UINT32_MAX);
		cr_assert_eq(r.registers[8][9], 0x11220011);
	}
}

Test(exec_warp, reads_clocks)
{
	for_each_level(table)
	{
		struct uop clock = { .code = UOP_MOV_SREG, .dst = { 0 }, .imm = PTX_SREG_CLOCK };
		struct uop clock64 = { .code = UOP_MOV_SREG, .dst = { 2 }, .imm = PTX_SREG_CLOCK64 };
		struct uop timer = { .code = UOP_MOV_SREG, .dst = { 4 }, .imm = PTX_SREG_GLOBALTIMER };

		rig_init(&r);
		r.x.now = 0x500000007, r.x.time = 12345678;
		rig_run(&r, table, &clock, UINT32_MAX);
		rig_run(&r, table, &clock64, UINT32_MAX);
		rig_run(&r, table, &timer, UINT32_MAX);
		cr_assert(r.registers[0][31] == 7 && rig_get(&r, 2, 8, 31) == 0x500000007 &&
			rig_get(&r, 4, 8, 31) == 12345);
	}
}

Test(exec_warp, moves_predicates)
{
	for_each_level(table)
	{
		struct uop set = { .code = UOP_MOV_PRED, .dst = { 1 }, .src = { UOP_CONSTANT | 1 } };
		struct uop not = { .code = UOP_MOV_PRED, .dst = { 2 }, .src = { 0 }, .mods = MOD_NEGATE_C };
		struct uop and = { .code = UOP_AND_PRED, .dst = { 3 }, .src = { 0, UOP_CONSTANT | 1 } };

		rig_init(&r);
		r.predicates[0] = 0xff;
		rig_run(&r, table, &set, 0xf0f);
		rig_run(&r, table, &not, 0xfff);
		rig_run(&r, table, &and, 0xf);
		cr_assert(r.predicates[1] == 0xf0f && r.predicates[2] == 0xf00 && r.predicates[3] == 0xf);
	}
}
