/* Warp-level operations with member masks: against plain loops, lane by lane, and as whole kernels. */
#include "tests/unit/core/exec_rig.h"
#include "tests/unit/core/kernel_rig.h"

static struct rig r;

/* Masks that partition the executing lanes into groups; those that have exited may stand in any. */
static void draw_masks(uint64_t *state, lane_mask active, uint32_t *masks)
{
	uint32_t key = (uint32_t)rig_random(state) & 3;

	for (unsigned l = 0; l < 32; l++) {
		masks[l] = (uint32_t)rig_random(state) & ~active; /* exited lanes do not count */
		for (unsigned o = 0; o < 32; o++)
			if (active >> o & 1 && ((o ^ l) & key) == 0)
				masks[l] |= 1u << o;
	}
}

static struct uop with_mask(unsigned code)
{
	return (struct uop){
		.code = (uint16_t)code, .dst = { 4, 5 }, .src = { 0, 2 }, .combine = MEMBERS_MASK
	};
}

Test(warp_ops, votes_are_over_the_lanes_that_each_mask_names)
{
	uint64_t state = 7;

	for_each_level(table)
	{
		for (unsigned n = 0; n < 500; n++) {
			lane_mask active = (uint32_t)rig_random(&state) | 1, p = (uint32_t)rig_random(&state);
			struct uop all = with_mask(UOP_VOTE_ALL), any = with_mask(UOP_VOTE_ANY);
			struct uop uni = with_mask(UOP_VOTE_UNI), ballot = with_mask(UOP_VOTE_BALLOT);

			rig_init(&r);
			r.x.live = active;
			r.predicates[0] = n & 1 ? p : n & 2 ? UINT32_MAX : 0;
			p = r.predicates[0];
			draw_masks(&state, active, r.registers[2]);
			all.dst[0] = 1, any.dst[0] = 2, uni.dst[0] = 3;
			rig_run(&r, table, &all, active);
			rig_run(&r, table, &any, active);
			rig_run(&r, table, &uni, active);
			rig_run(&r, table, &ballot, active);
			cr_assert(!r.x.faulted, "%s", r.fault.detail);
			for (unsigned l = 0; l < 32; l++) {
				lane_mask m = r.registers[2][l] & active;
				bool is_active = active >> l & 1;

				cr_assert_eq(r.predicates[1] >> l & 1, is_active && (p & m) == m);
				cr_assert_eq(r.predicates[2] >> l & 1, is_active && (p & m) != 0);
				cr_assert_eq(
					r.predicates[3] >> l & 1, is_active && ((p & m) == m || !(p & m)));
				cr_assert_eq(r.registers[4][l], is_active ? p & m : 0);
			}
		}
	}
}

Test(warp_ops, match_finds_equal_values_of_32_and_64_bits)
{
	uint64_t state = 11;

	for_each_level(table)
	{
		for (unsigned n = 0; n < 500; n++) {
			bool wide = n & 1, all = n & 2;
			lane_mask active = (uint32_t)rig_random(&state) | 1;
			struct uop u = with_mask(wide ? all ? UOP_MATCH_ALL_B64 : UOP_MATCH_ANY_B64
					: all         ? UOP_MATCH_ALL_B32
						      : UOP_MATCH_ANY_B32);

			rig_init(&r);
			r.x.live = active;
			u.src[1] = 2, u.dst[1] = all ? 1 : UOP_NONE;
			for (unsigned l = 0; l < 32; l++) /* 64 bits: differ in the upper word only */
				rig_set(&r, 0, wide ? 8 : 4, l,
					(rig_random(&state) & 4 && n & 4 ? 1ull << 30 : 2) << (wide ? 8 : 0));
			draw_masks(&state, active, r.registers[2]);
			rig_run(&r, table, &u, active);
			cr_assert(!r.x.faulted);
			for (unsigned l = 0; l < 32; l++) {
				lane_mask m = r.registers[2][l] & active, same = 0;

				for (unsigned o = 0; o < 32; o++)
					same |= (lane_mask)(rig_get(&r, 0, wide ? 8 : 4, o) ==
							rig_get(&r, 0, wide ? 8 : 4, l))
						<< o;
				if (!(active >> l & 1)) {
					cr_assert_eq(r.registers[4][l], 0);
					continue;
				}
				cr_assert_eq(r.registers[4][l], all ? (m & ~same ? 0 : m) : (m & same));
				cr_assert_eq(r.predicates[1] >> l & 1, all && !(m & ~same));
			}
		}
	}
}

static uint32_t fold(unsigned operation, bool is_signed, uint32_t a, uint32_t b)
{
	switch (operation) {
	case ATOM_ADD:
		return a + b;
	case ATOM_AND:
		return a & b;
	case ATOM_OR:
		return a | b;
	case ATOM_XOR:
		return a ^ b;
	case ATOM_MIN:
		return is_signed ? ((int32_t)a < (int32_t)b ? a : b) : a < b ? a : b;
	default:
		return is_signed ? ((int32_t)a > (int32_t)b ? a : b) : a > b ? a : b;
	}
}

Test(warp_ops, redux_reduces_words)
{
	static const uint8_t operations[] = { ATOM_ADD, ATOM_MIN, ATOM_MAX, ATOM_AND, ATOM_OR, ATOM_XOR };
	uint64_t state = 13;

	for_each_level(table)
	{
		for (unsigned n = 0; n < 600; n++) {
			lane_mask active = (uint32_t)rig_random(&state) | 0x80000000;
			struct uop u = with_mask(UOP_REDUX_B32);

			rig_init(&r);
			r.x.live = active;
			u.compare = operations[n % 6], u.type = n & 8 ? PTX_S32 : PTX_U32;
			for (unsigned l = 0; l < 32; l++)
				r.registers[0][l] = rig_word(&state);
			draw_masks(&state, active, r.registers[2]);
			rig_run(&r, table, &u, active);
			for (unsigned l = 0; l < 32; l++) {
				lane_mask m = r.registers[2][l] & active;
				uint32_t sum = 0;
				bool begun = false;

				if (!(active >> l & 1))
					continue;
				for (unsigned o = 0; o < 32; o++)
					if (m >> o & 1) {
						uint32_t v = r.registers[0][o];

						sum = begun ? fold(u.compare, u.type == PTX_S32, sum, v) : v;
						begun = true;
					}
				cr_assert_eq(r.registers[4][l], sum);
			}
		}
	}
}

static uint32_t redux_float(
	const exec_function *table, unsigned operation, unsigned mods, uint32_t a, uint32_t b)
{
	struct uop u = { .code = UOP_REDUX_F32,
		.dst = { 4 },
		.src = { 0 },
		.combine = MEMBERS_ALL,
		.compare = (uint8_t)operation,
		.mods = (uint8_t)mods };

	rig_init(&r);
	for (unsigned l = 0; l < 32; l++)
		r.registers[0][l] = l == 5 ? a : b;
	rig_run(&r, table, &u, UINT32_MAX);
	cr_assert_eq(r.registers[4][0], r.registers[4][31]);
	return r.registers[4][7];
}

Test(warp_ops, redux_of_floats_orders_zeros_and_skips_nans_unless_told)
{
	const uint32_t nan = 0x7fc12345, one = 0x3f800000, minus_two = 0xc0000000, two = 0x40000000,
		       minus_zero = 0x80000000;

	for_each_level(table)
	{
		cr_assert_eq(redux_float(table, ATOM_MIN, 0, one, minus_two), minus_two);
		cr_assert_eq(redux_float(table, ATOM_MAX, 0, one, minus_two), one);
		cr_assert_eq(redux_float(table, ATOM_MAX, MOD_SAT, one, minus_two), two, "of magnitudes");
		cr_assert_eq(redux_float(table, ATOM_MIN, 0, minus_zero, 0), minus_zero);
		cr_assert_eq(redux_float(table, ATOM_MAX, 0, minus_zero, 0), 0);
		cr_assert_eq(redux_float(table, ATOM_MIN, 0, nan, one), one);
		cr_assert_eq(redux_float(table, ATOM_MIN, 0, one, nan), one);
		cr_assert_eq(redux_float(table, ATOM_MIN, MOD_HI, nan, one), 0x7fffffff);
		cr_assert_eq(redux_float(table, ATOM_MAX, 0, nan, nan), 0x7fffffff);
	}
}

Test(warp_ops, elect_takes_the_lowest_member)
{
	for_each_level(table)
	{
		struct uop u = { .code = UOP_ELECT, .dst = { 4, 1 }, .src = { 0 }, .combine = MEMBERS_MASK };

		rig_init(&r);
		for (unsigned l = 0; l < 32; l++)
			r.registers[0][l] = l < 16 ? 0xffff : 0xffff0000;
		rig_run(&r, table, &u, UINT32_MAX);
		cr_assert(r.registers[4][15] == 0 && r.registers[4][16] == 16 && r.registers[4][31] == 16);
		cr_assert_eq(r.predicates[1], 0x00010001);
	}
}

Test(warp_ops, a_mask_that_leaves_out_its_own_lane_is_a_fault)
{
	for_each_level(table)
	{
		struct uop u = { .code = UOP_VOTE_BALLOT,
			.dst = { 4 },
			.src = { UOP_CONSTANT | 1, 2 },
			.combine = MEMBERS_MASK };

		rig_init(&r);
		for (unsigned l = 0; l < 32; l++)
			r.registers[2][l] = l == 9 ? 0xfffffdff : UINT32_MAX;
		rig_run(&r, table, &u, UINT32_MAX);
		cr_assert(r.x.faulted && r.fault.kind == FAULT_ILLEGAL_INSTRUCTION && r.fault.lane == 9);
		cr_assert_not_null(strstr(r.fault.detail, "0xfffffdff of lane 9"), "%s", r.fault.detail);
		cr_assert_eq(r.registers[4][0], 0, "no further effect");
	}
}

Test(warp_ops, a_live_lane_elsewhere_is_a_fault_and_one_that_has_exited_is_not)
{
	for_each_level(table)
	{
		for (unsigned n = 0; n < 2; n++) {
			struct uop u = {
				.code = UOP_WARP_SYNC, .src = { 2 }, .combine = n ? MEMBERS_MASK : MEMBERS_ALL
			};

			rig_init(&r);
			for (unsigned l = 0; l < 32; l++)
				r.registers[2][l] = UINT32_MAX;
			r.x.live = 0xffff;
			rig_run(&r, table, &u, 0xffff);
			cr_assert(!r.x.faulted);
			rig_run(&r, table, &u, 0xfff0);
			cr_assert(r.x.faulted && r.fault.lane == 4);
			cr_assert_not_null(strstr(r.fault.detail, "names lane 0, which does not execute"),
				"%s", r.fault.detail);
		}
	}
}

/* Runs with timing and without; each word of the result must be what `expect` says of its thread. */
static void expect_words(
	const char *header, const char *body, uint32_t block, uint32_t (*expect)(uint32_t thread))
{
	for (int functional = 0; functional < 2; functional++) {
		struct bench *b = bench_new(header, body, block);

		bench_run(b, 1, block, functional);
		cr_assert_eq(b->result.outcome, GPU_DONE, "%s", b->result.fault.text);
		for (uint32_t i = 0; i < block; i++)
			cr_assert_eq(b->at[i], expect(i), "thread %u: %u, not %u", i, b->at[i], expect(i));
		bench_free(b);
	}
}

static uint32_t sum_of_halves(uint32_t thread)
{
	uint32_t sum = 0;

	for (uint32_t o = 0; o < 40; o++)
		sum += o / 16 == thread / 16 ? o : 0;
	return sum;
}

/* Half warps add up with masks of their own, in one instruction and each in its branch. */
Test(warp_ops, half_warps_reduce_by_mask)
{
	expect_words(SM_80,
		KERNEL("mov.u32 %r3, %laneid;\nsetp.lt.u32 %p1, %r3, 16;\nselp.b32 %r4, 0xffff, 0xffff0000, "
		       "%p1;\n"
		       "redux.sync.add.u32 %r5, %r0, %r4;\nst.global.u32 [%rd0], %r5;"),
		40, sum_of_halves);
	expect_words(SM_80,
		KERNEL("mov.u32 %r3, %laneid;\nsetp.lt.u32 %p1, %r3, 16;\n@!%p1 bra high;\n"
		       "redux.sync.add.u32 %r5, %r0, 0xffff;\nbra done;\n"
		       "high: redux.sync.add.u32 %r5, %r0, 0xffff0000;\ndone: st.global.u32 [%rd0], %r5;"),
		40, sum_of_halves);
}

static uint32_t neighbour(uint32_t thread)
{
	return (thread ^ 1) * 256 + (thread % 32 == 0) * 16 + (thread / 32 * 32 % 2);
}

Test(warp_ops, shuffle_and_elect_in_a_kernel)
{
	expect_words(".version 8.0\n.target sm_90",
		KERNEL("shfl.sync.bfly.b32 %r3|%p1, %r0, 1, 31, -1;\nelect.sync %r4|%p2, 0xffffffff;\n"
		       "selp.b32 %r5, 16, 0, %p2;\nmad.lo.u32 %r3, %r3, 256, %r5;\nadd.u32 %r3, %r3, %r4;\n"
		       "bar.warp.sync -1;\nst.global.u32 [%rd0], %r3;"),
		64, neighbour);
}

static uint32_t parity_lanes(uint32_t thread)
{
	return (thread & 1 ? 0xaaaaaaaa : 0x55555555) & (thread < 32 ? UINT32_MAX : 0xff);
}

Test(warp_ops, match_in_a_kernel)
{
	expect_words(SM_80,
		KERNEL("and.b32 %r3, %r0, 1;\nmov.b64 %rd2, {%r1, %r3};\nmatch.any.sync.b64 %r4, %rd2, "
		       "0xffffffff;\n"
		       "match.all.sync.b32 %r5|%p1, %r3, 0xffffffff;\n@%p1 mov.u32 %r4, 7;\nadd.u32 %r4, "
		       "%r4, %r5;\n"
		       "st.global.u32 [%rd0], %r4;"),
		40, parity_lanes);
}

/* The same operation at two places is not one operation. */
Test(warp_ops, a_full_mask_whose_lanes_are_at_another_place_stops_the_kernel_with_lane_and_mask)
{
	for (int functional = 0; functional < 2; functional++) {
		struct bench *b = bench_new(SM_80,
			KERNEL("setp.gt.u32 %p1, %r0, 5;\nmov.u32 %r3, 0;\n@%p1 bra high;\n"
			       "vote.sync.ballot.b32 %r3, %p1, 0xffffffff;\nbra done;\n"
			       "high: redux.sync.add.u32 %r3, %r0, 0xffffffff;\ndone: st.global.u32 [%rd0], "
			       "%r3;"),
			32);

		bench_run(b, 1, 32, functional);
		cr_assert_eq(b->result.outcome, GPU_FAULT);
		cr_assert_eq(b->result.fault.kind, FAULT_ILLEGAL_INSTRUCTION);
		cr_assert_not_null(strstr(b->result.fault.text, "mask 0xffffffff of lane 0 names lane 6"),
			"%s", b->result.fault.text);
		cr_assert_not_null(
			strstr(b->result.fault.text, "vote.sync.ballot"), "%s", b->result.fault.text);
		bench_free(b);
	}
}

static uint32_t those_that_vote(uint32_t thread)
{
	return thread > 5 ? 7 : 0x3f;
}

/* The others wait behind the vote for those that vote; they go on to their exit, and no longer count. */
Test(warp_ops, lanes_that_exit_without_coming_are_not_waited_for)
{
	expect_words(SM_80,
		KERNEL("setp.gt.u32 %p1, %r0, 5;\nmov.u32 %r3, 7;\n@%p1 bra done;\n"
		       "vote.sync.ballot.b32 %r3, 1, 0xffffffff;\ndone: st.global.u32 [%rd0], %r3;"),
		32, those_that_vote);
}

static uint32_t those_below_five(uint32_t thread)
{
	return thread < 5 ? 0x1f : thread % 2 ? 9 : 0;
}

/* `if (i >= n) return;`, whichever side the compiler lays out first. */
Test(warp_ops, lanes_that_return_early_do_not_count)
{
	expect_words(SM_80,
		KERNEL("and.b32 %r5, %r0, 1;\nsetp.eq.u32 %p2, %r5, 1;\n@%p2 st.global.u32 [%rd0], "
		       "9;\nsetp.gt.u32 %p1, %r0, 4;\n"
		       "@%p1 bra done;\nactivemask.b32 %r4;\nvote.sync.ballot.b32 %r3, 1, "
		       "0xffffffff;\nst.global.u32 [%rd0], %r3;\ndone:"),
		32, those_below_five);
	expect_words(SM_80,
		KERNEL("and.b32 %r5, %r0, 1;\nsetp.eq.u32 %p2, %r5, 1;\nsetp.lt.u32 %p1, %r0, 5;\n@%p1 bra "
		       "body;\n"
		       "@%p2 st.global.u32 [%rd0], 9;\nret;\n"
		       "body: redux.sync.add.u32 %r4, 1, -1;\nvote.sync.ballot.b32 %r3, 1, "
		       "0xffffffff;\nst.global.u32 [%rd0], %r3;"),
		32, those_below_five);
}

static uint32_t from_the_other_half(uint32_t thread)
{
	return (thread ^ 16) + 100;
}

/* Each half writes, both meet at a bar.warp.sync of their own, each half reads what the other wrote. */
Test(warp_ops, warp_barriers_are_met_at_different_places)
{
	static const char text[] = ".shared .align 4 .u32 s[32];\n" KERNEL(
		"mov.u32 %r5, s;\nshl.b32 %r3, %r2, 2;\nadd.u32 %r3, %r3, %r5;\nxor.b32 %r4, %r3, "
		"64;\nadd.u32 %r6, %r2, 100;\n"
		"setp.lt.u32 %p1, %r2, 16;\n@%p1 bra low;\nst.shared.u32 [%r3], %r6;\nbar.warp.sync "
		"0xffffffff;\n"
		"ld.shared.u32 %r7, [%r4];\nbra done;\n"
		"low: st.shared.u32 [%r3], %r6;\nbar.warp.sync 0xffffffff;\nld.shared.u32 %r7, [%r4];\ndone: "
		"st.global.u32 [%rd0], %r7;");

	expect_words(SM_80, text, 32, from_the_other_half);
}

Test(warp_ops, reductions_of_wrong_types_are_refused_by_name)
{
	char *text = refusal(SM_80, KERNEL("redux.sync.and.u32 %r3, %r0, -1;"));

	cr_assert(text && strstr(text, "'redux.sync.and.u32' is not defined for this type"), "%s", text);
	free(text);
}
