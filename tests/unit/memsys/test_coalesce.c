/* The coalescer and the bank conflicts, against hand-worked patterns and a simple reference. */
#include "memsys/coalesce.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define ALL UINT32_MAX

static addr a[32];
static struct line_request out[MAX_LINE_REQUESTS];

static void stride(addr base, addr step)
{
	for (addr i = 0; i < 32; i++)
		a[i] = base + i * step;
}

Test(coalesce, an_aligned_unit_stride_of_words_is_one_line)
{
	stride(0x1000, 4);
	cr_assert_eq(coalesce(a, ALL, 4, 128, true, out), 1);
	cr_assert_eq(out[0].line, 0x1000);
	cr_assert_eq(out[0].lanes, ALL);
	for (int i = 0; i < 4; i++)
		cr_assert_eq(out[0].byte_mask[i], UINT32_MAX);
}

Test(coalesce, a_unit_stride_off_by_a_word_is_two_lines)
{
	stride(0x1004, 4);
	cr_assert_eq(coalesce(a, ALL, 4, 128, false, out), 2);
	cr_assert_eq(out[0].lanes, 0x7fffffff);
	cr_assert_eq(out[1].lanes, 0x80000000);
	cr_assert_eq(out[1].line, 0x1080);
	cr_assert_eq(out[0].byte_mask[0], 0, "no bytes asked for");
}

Test(coalesce, segments_of_32_bytes_are_four_for_a_line)
{
	stride(0x1000, 4);
	cr_assert_eq(coalesce(a, ALL, 4, 32, true, out), 4);
	for (uint32_t i = 0; i < 4; i++) {
		cr_assert_eq(out[i].line, 0x1000 + 32 * i);
		cr_assert_eq(out[i].lanes, 0xffu << 8 * i);
		for (uint32_t w = 0; w < 4; w++)
			cr_assert_eq(out[i].byte_mask[w], w == i ? UINT32_MAX : 0, "relative to the 128-byte line");
	}
}

Test(coalesce, lines_leave_in_order_of_their_lowest_lane)
{
	stride(0x8000, 128);
	a[0] = 0x9000, a[31] = 0x8080;
	cr_assert_eq(coalesce(a, ALL, 4, 128, false, out), 31);
	cr_assert_eq(out[0].line, 0x9000);
	cr_assert_eq(out[1].line, 0x8080);
	cr_assert_eq(out[1].lanes, 0x80000002);
}

Test(coalesce, inactive_lanes_do_not_count)
{
	stride(0, 4096);
	cr_assert_eq(coalesce(a, 0, 4, 128, false, out), 0);
	cr_assert_eq(coalesce(a, 0x20, 4, 128, false, out), 1);
	cr_assert_eq(out[0].line, 5 * 4096);
	cr_assert_eq(coalesce(a, ALL, 4, 128, false, out), 32);
}

Test(coalesce, agrees_with_a_plain_search_on_random_addresses)
{
	srand(1);
	for (int round = 0; round < 3000; round++) {
		uint32_t bytes = 1u << rand() % 5, grain = 32u << rand() % 3, active = (uint32_t)rand() * 2654435761u, lanes = 0;
		uint32_t span = 1u << (4 + rand() % 12), n;

		for (int i = 0; i < 32; i++)
			a[i] = UINT64_C(0x123400000000) + (uint32_t)rand() % span * bytes;
		n = coalesce(a, active, bytes, grain, true, out);
		for (uint32_t r = 0; r < n; r++) {
			uint8_t touched[128] = { 0 };

			cr_assert_not(lanes & out[r].lanes);
			lanes |= out[r].lanes;
			for (uint32_t other = 0; other < r; other++) {
				cr_assert_neq(out[other].line, out[r].line);
				cr_assert_lt(__builtin_ctz(out[other].lanes), __builtin_ctz(out[r].lanes));
			}
			for (int i = 0; i < 32; i++)
				if (out[r].lanes >> i & 1) {
					cr_assert_eq(a[i] / grain * grain, out[r].line);
					memset(touched + a[i] % 128, 1, bytes);
				}
			for (int b = 0; b < 128; b++)
				cr_assert_eq(out[r].byte_mask[b / 32] >> b % 32 & 1, touched[b]);
		}
		cr_assert_eq(lanes, active);
	}
}

Test(shared_memory, strides_conflict_as_often_as_they_share_a_factor_with_the_banks)
{
	for (addr s = 1; s <= 33; s++) {
		stride(64, 4 * s);
		cr_assert_eq(shared_cycles(a, ALL, 4, 32), s % 32 ? s & -s : 32, "stride of %d words", (int)s);
	}
}

Test(shared_memory, lanes_that_read_one_word_share_it)
{
	stride(256, 0);
	cr_assert_eq(shared_cycles(a, ALL, 4, 32), 1);
	a[3] = 256 + 128;
	cr_assert_eq(shared_cycles(a, ALL, 4, 32), 2, "another word of the same bank");
	stride(0, 1);
	cr_assert_eq(shared_cycles(a, ALL, 1, 32), 1, "bytes of eight words");
	cr_assert_eq(shared_cycles(a, 0, 4, 32), 1);
}

Test(shared_memory, wide_accesses_go_by_half_and_quarter_warps)
{
	stride(0, 8);
	cr_assert_eq(shared_cycles(a, ALL, 8, 32), 2);
	cr_assert_eq(shared_cycles(a, 0xffff, 8, 32), 1);
	stride(0, 16);
	cr_assert_eq(shared_cycles(a, ALL, 16, 32), 4);
	cr_assert_eq(shared_cycles(a, 0xff00, 16, 32), 1);
	stride(0, 16);
	cr_assert_eq(shared_cycles(a, ALL, 8, 32), 4, "every other pair of banks: two conflicts in each half");
}

Test(constant_memory, distinct_addresses_take_a_cycle_each)
{
	stride(64, 0);
	cr_assert_eq(constant_cycles(a, ALL), 1);
	stride(64, 4);
	cr_assert_eq(constant_cycles(a, ALL), 32);
	cr_assert_eq(constant_cycles(a, 0x11), 2);
	a[4] = a[0];
	cr_assert_eq(constant_cycles(a, 0x11), 1);
}

Test(shared_memory, atomics_repeat_for_the_lanes_on_one_word)
{
	stride(64, 4);
	cr_assert_eq(atomic_cycles(a, ALL, 4), 1);
	a[7] = a[9] = a[11];
	cr_assert_eq(atomic_cycles(a, ALL, 4), 3);
	stride(64, 0);
	cr_assert_eq(atomic_cycles(a, 0xff, 4), 8);
}

Test(coalesce, an_access_of_32_bytes_marks_them_all)
{
	stride(4096, 32);
	cr_assert_eq(coalesce(a, 0x3, 32, 128, true, out), 1);
	cr_expect_eq(out[0].byte_mask[0], UINT32_MAX);
	cr_expect_eq(out[0].byte_mask[1], UINT32_MAX);
	cr_expect_eq(out[0].byte_mask[2], 0);
}
