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
			cr_assert_eq(out[i].byte_mask[w], w == i ? UINT32_MAX : 0,
				"relative to the 128-byte line");
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

/* What is in out[], by a plain search: each line once, in order of its lowest lane, with its lanes and their
 * bytes. */
static void check_requests(uint32_t n, uint32_t active, uint32_t bytes, uint32_t grain)
{
	uint32_t lanes = 0;

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
		cr_assert_eq(out[r].collisions, 0);
	}
	cr_assert_eq(lanes, active);
}

Test(coalesce, agrees_with_a_plain_search_on_random_addresses)
{
	srand(1);
	for (int round = 0; round < 3000; round++) {
		uint32_t bytes = 1u << rand() % 6, grain = 32u << rand() % 3,
			 active = (uint32_t)rand() * 2654435761u;
		uint32_t span = 1u << (4 + rand() % 12);

		for (int i = 0; i < 32; i++)
			a[i] = UINT64_C(0x123400000000) + (uint32_t)rand() % span * bytes;
		memset(out, 0xff, sizeof(out));
		check_requests(coalesce(a, active, bytes, grain, true, out), active, bytes, grain);
	}
}

/* The patterns that are told from others: consecutive, ascending in steps that may be zero, descending, too
 * far from each other for 32 bits, and these with one lane out of its place. */
Test(coalesce, agrees_with_a_plain_search_on_regular_addresses)
{
	srand(2);
	for (int round = 0; round < 6000; round++) {
		uint32_t bytes = 1u << rand() % 6, grain = 32u << rand() % 3,
			 active = rand() % 4 ? ALL : (uint32_t)rand() * 2654435761u;
		uint64_t most = UINT64_C(1) << rand() % 42;
		bool falls = rand() % 4 == 0, varies = rand() % 2;
		addr at = UINT64_C(0x123400000000) + (addr)(rand() % 64) * bytes;

		for (int i = 0; i < 32; i++) {
			a[falls ? 31 - i : i] = at;
			at += most == 1  ? bytes
				: varies ? (addr)rand() * 12345 % most * bytes
					 : most * bytes / 8 / bytes * bytes;
		}
		if (rand() % 8 == 0)
			a[rand() % 32] = a[rand() % 32] + (addr)(rand() % 3) * bytes;
		memset(out, 0xff, sizeof(out));
		check_requests(coalesce(a, active, bytes, grain, true, out), active, bytes, grain);
	}
}

Test(shared_memory, strides_conflict_as_often_as_they_share_a_factor_with_the_banks)
{
	for (addr s = 1; s <= 33; s++) {
		stride(64, 4 * s);
		cr_assert_eq(
			shared_cycles(a, ALL, 4, 32), s % 32 ? s & -s : 32, "stride of %d words", (int)s);
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
	cr_assert_eq(
		shared_cycles(a, ALL, 8, 32), 4, "every other pair of banks: two conflicts in each half");
}

/* NVIDIA: lanes i and i ^ 1, or i and i ^ 2, at one address halve the passes of a wide load. */
Test(coalesce, pairs_of_lanes_at_one_address_halve_the_passes)
{
	for (uint32_t i = 0; i < 32; i++)
		a[i] = 4096;
	cr_assert_eq(shared_cycles_in_pairs(a, ALL, 16, 32), 2, "one address");
	cr_assert_eq(shared_cycles_in_pairs(a, ALL, 8, 32), 1);
	cr_assert_eq(shared_cycles_in_pairs(a, ALL, 4, 32), 1);
	for (uint32_t i = 0; i < 32; i++)
		a[i] = 4096 + 16 * (i / 2);
	cr_assert_eq(shared_cycles_in_pairs(a, ALL, 16, 32), 2, "neighbours");
	for (uint32_t i = 0; i < 32; i++)
		a[i] = 4096 + 16 * (i % 2);
	cr_assert_eq(shared_cycles_in_pairs(a, ALL, 16, 32), 2, "lanes two apart");
	for (uint32_t i = 0; i < 32; i++)
		a[i] = 4096 + 16 * (i % 4);
	cr_assert_eq(shared_cycles_in_pairs(a, ALL, 16, 32), 4, "lanes four apart are no pairs");
	a[5] = a[4];
	cr_assert_eq(shared_cycles_in_pairs(a, 0x30, 16, 32), 1, "the active lanes alone count");
	for (uint32_t i = 0; i < 32; i++)
		a[i] = 4096 + 128 * (i / 2);
	cr_assert_eq(shared_cycles_in_pairs(a, ALL, 16, 32), 16, "eight words of a bank in each half");
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

/* CUDA C Programming Guide 4.0 to 5.0, compute capability 2.x, global memory: a request of more than 4 bytes
 * a lane is first split, for half warps if it is 8 bytes and for quarter warps if it is 16; each part finds
 * its cache lines on its own. */
Test(coalesce, doubles_in_a_row_are_two_lines_one_for_each_half_warp)
{
	stride(0x1000, 8);
	cr_assert_eq(coalesce_parts(a, ALL, 8, 128, false, out), 2);
	cr_assert_eq(out[0].lanes, 0xffff);
	cr_assert_eq(out[1].lanes, 0xffff0000);
	cr_assert_eq(out[1].line, 0x1080);
	stride(0x1008, 8);
	cr_assert_eq(coalesce_parts(a, ALL, 8, 128, false, out), 4,
		"off by one: two lines in each half, though only three in all");
	cr_assert_eq(out[1].line, out[2].line);
	cr_assert_eq(coalesce(a, ALL, 8, 128, false, out), 3);
}

Test(coalesce, sixteen_bytes_in_a_row_are_four_lines_one_for_each_quarter_warp)
{
	stride(0x2000, 16);
	cr_assert_eq(coalesce_parts(a, ALL, 16, 128, true, out), 4);
	for (uint32_t i = 0; i < 4; i++) {
		cr_assert_eq(out[i].line, 0x2000 + 128 * i);
		cr_assert_eq(out[i].lanes, 0xffu << 8 * i);
		for (uint32_t w = 0; w < 4; w++)
			cr_assert_eq(out[i].byte_mask[w], UINT32_MAX);
	}
	cr_assert_eq(coalesce_parts(a, 0x00ff00f0, 16, 128, true, out), 2,
		"quarters without a lane ask for nothing");
}

Test(coalesce, one_double_for_all_is_asked_for_by_each_half)
{
	stride(0x3000, 0);
	cr_assert_eq(coalesce_parts(a, ALL, 4, 128, false, out), 1);
	cr_assert_eq(coalesce_parts(a, ALL, 8, 128, false, out), 2);
	cr_assert_eq(coalesce_parts(a, ALL, 16, 128, false, out), 4);
	cr_assert_eq(coalesce_parts(a, 0xffff, 8, 128, false, out), 1);
	cr_assert_eq(coalesce_parts(a, 0, 8, 128, false, out), 0);
}

/* Cached in the L2 only: the same split, 32-byte segments. */
Test(coalesce, segments_of_the_l2_are_found_by_parts_as_well)
{
	stride(0x1000, 8);
	cr_assert_eq(coalesce_parts(a, ALL, 8, 32, false, out), 8);
	stride(0x1000, 16);
	cr_assert_eq(coalesce_parts(a, ALL, 16, 32, false, out), 16);
	stride(0x1010, 8); /* halves meet in a segment: asked for twice */
	cr_assert_eq(coalesce_parts(a, ALL, 8, 32, false, out), 10);
	stride(0x1000, 1);
	cr_assert_eq(coalesce_parts(a, ALL, 1, 32, false, out), 1, "bytes");
	stride(0x1000, 2);
	cr_assert_eq(coalesce_parts(a, ALL, 2, 32, false, out), 2);
	stride(0x1000, 256);
	cr_assert_eq(coalesce_parts(a, ALL, 16, 32, false, out), 32, "never more than one a lane");
}

Test(coalesce, parts_agree_with_whole_requests_of_each_part)
{
	srand(7);
	for (int round = 0; round < 2000; round++) {
		uint32_t bytes = 1u << rand() % 6, grain = rand() % 2 ? 32 : 128,
			 active = (uint32_t)rand() * 2654435761u, n, at = 0;
		uint32_t lanes = bytes > 4 ? 128 / bytes : 32;
		struct line_request part[MAX_LINE_REQUESTS];

		for (int i = 0; i < 32; i++)
			a[i] = 0x10000 + (uint32_t)rand() % 64 * bytes;
		n = coalesce_parts(a, active, bytes, grain, true, out);
		for (uint32_t first = 0; first < 32; first += lanes) {
			uint32_t mask = 0, k;

			for (uint32_t i = first; i < first + lanes; i++)
				mask |= active & 1u << i;
			k = coalesce(a, mask, bytes, grain, true, part);
			for (uint32_t i = 0; i < k; i++, at++) {
				cr_assert_eq(out[at].line, part[i].line);
				cr_assert_eq(out[at].lanes, part[i].lanes);
				cr_assert_arr_eq(
					out[at].byte_mask, part[i].byte_mask, sizeof(part[i].byte_mask));
			}
		}
		cr_assert_eq(n, at);
	}
}

/* CUDA C Programming Guide, compute capability 2.x, shared memory: 32 banks of 32-bit words. Lanes conflict
 * that access different words of one bank: in the warp for up to 32 bits, in either half warp for 64, in each
 * quarter warp for 128. By brute force. */
static uint32_t conflicts_by_hand(uint32_t active, uint32_t bytes)
{
	uint32_t words = bytes > 4 ? bytes / 4 : 1, group = 32 / words, total = 0;

	for (uint32_t first = 0; first < 32; first += group) {
		uint32_t worst = 0;

		for (uint32_t bank = 0; bank < 32; bank++) {
			addr seen[128];
			uint32_t count = 0;

			for (uint32_t i = first; i < first + group; i++)
				for (uint32_t w = 0; w < words && active >> i & 1; w++) {
					addr word = a[i] / 4 + w;
					uint32_t k = 0;

					if (word % 32 != bank)
						continue;
					while (k < count && seen[k] != word)
						k++;
					if (k == count)
						seen[count++] = word;
				}
			worst = count > worst ? count : worst;
		}
		total += worst;
	}
	return total ? total : 1;
}

static uint32_t told; /* how often the pattern tells */

/* What the pattern tells, if it does. Inactive lanes have an active one's address, as after execution. */
static void check_pattern(uint32_t active, uint32_t bytes)
{
	struct lane_pattern pattern = { .follows = active == ALL };
	uint32_t known;

	for (uint32_t i = 0; active && i < 32; i++) {
		addr at = active >> i & 1 ? a[i] : a[__builtin_ctz(active)];

		pattern.differ |= at ^ a[__builtin_ctz(active)];
		pattern.follows &= at == a[0] + (addr)i * bytes;
	}
	known = shared_cycles_by_pattern(bytes, 32, pattern);
	cr_assert(!known || known == conflicts_by_hand(active, bytes), "%u bytes, %08x: %u", bytes, active,
		known);
	told += known != 0;
}

Test(shared_memory, agrees_with_the_rules_by_brute_force)
{
	static const uint32_t sizes[] = { 1, 2, 4, 8, 16 };

	srand(3);
	for (int round = 0; round < 5000; round++) {
		uint32_t bytes = sizes[rand() % 5],
			 active = rand() % 3 ? ALL : (uint32_t)rand() * 2654435761u;
		uint32_t span = 1u << rand() % 12, step = (uint32_t)rand() % 40, kind = (uint32_t)rand() % 3;

		for (uint32_t i = 0; i < 32; i++)
			a[i] = (kind == 0                  ? (uint32_t)rand() % span
					       : kind == 1 ? i * step
							   : i / (1 + step % 8) * step) *
				bytes;
		cr_assert_eq(shared_cycles(a, active, bytes, 32), conflicts_by_hand(active, bytes),
			"%u bytes, %08x, kind %u", bytes, active, kind);
		check_pattern(active, bytes);
	}
	cr_assert_gt(told, 500);
}

Test(shared_memory, words_are_broadcast_to_several_groups_at_once)
{
	for (addr i = 0; i < 32; i++)
		a[i] = i / 8 * 4; /* four words, eight lanes each */
	cr_assert_eq(shared_cycles(a, ALL, 4, 32), 1, "multicast: several words in one transaction");
	for (addr i = 0; i < 32; i++)
		a[i] = i / 8 * 128;
	cr_assert_eq(shared_cycles(a, ALL, 4, 32), 4, "four words of one bank");
	stride(0, 8);
	cr_assert_eq(shared_cycles(a, ALL, 8, 32), 2, "doubles in a row: no conflict, unlike on 1.x");
}

Test(coalesce, lanes_that_collide_are_counted_by_line)
{
	for (addr i = 0; i < 32; i++)
		a[i] = i < 16 ? 0x1000 : 0x1080 + i % 4 * 4;
	cr_assert_eq(coalesce(a, ALL, 4, 32, true, out), 2);
	cr_assert_eq(atomic_cycles(a, out[0].lanes, 4), 16);
	cr_assert_eq(atomic_cycles(a, out[1].lanes, 4), 4);
}
