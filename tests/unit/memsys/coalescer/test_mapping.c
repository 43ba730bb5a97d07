/* The patterns by which lanes read the words of a line: each by hand, the borders between them, and random
 * accesses against a definition that looks at every lane. */
#include "memsys/coalesce.h"
#include "memsys/coalescer/mapping.h"
#include <criterion/criterion.h>

#define ALL UINT32_MAX

static addr address[32];

static void lanes_read(addr first, uint32_t step)
{
	for (uint32_t i = 0; i < 32; i++)
		address[i] = first + (addr)i * step;
}

Test(mapping, a_warp_that_reads_the_line_from_its_start_is_consecutive)
{
	lanes_read(0x1000, 4);
	cr_assert_eq(mapping_of(address, ALL, 4), MAPPING_CONSECUTIVE);
	lanes_read(0x1000, 2);
	cr_assert_eq(mapping_of(address, ALL, 2), MAPPING_CONSECUTIVE, "half of the line");
	lanes_read(0x1040, 2);
	cr_assert_eq(mapping_of(address, ALL, 2), MAPPING_RANGE, "the other half: lane 0 reads word 32");
	lanes_read(0x1000, 4);
	address[9] = address[8];
	cr_assert_eq(mapping_of(address, ALL, 4), MAPPING_TABLE, "word 8 for two lanes");
}

Test(mapping, one_word_for_all_lanes_is_a_broadcast_and_for_some_of_them_not)
{
	lanes_read(0x107c, 0);
	cr_assert_eq(mapping_of(address, ALL, 4), MAPPING_BROADCAST);
	cr_assert_eq(mapping_of(address, ALL >> 1, 4), MAPPING_TABLE);
	cr_assert_eq(mapping_of(address, 0x3, 4), MAPPING_TABLE);
	address[17] -= 4;
	cr_assert_eq(mapping_of(address, ALL, 4), MAPPING_TABLE);
}

Test(mapping, one_lane_is_single_whatever_it_reads)
{
	lanes_read(0x1000, 4);
	for (uint32_t i = 0; i < 32; i++)
		cr_assert_eq(mapping_of(address, 1u << i, i % 2 ? 4 : 16), MAPPING_SINGLE, "lane %u", i);
}

Test(mapping, lanes_in_a_row_that_read_words_in_a_row_are_a_range)
{
	lanes_read(0x1074, 4);
	cr_assert_eq(mapping_of(address, 0x7, 4), MAPPING_RANGE, "the start of an unaligned warp");
	cr_assert_eq(mapping_of(address, 0x7u << 3, 4), MAPPING_RANGE, "from the start of the next line");
	lanes_read(0x1000, 8);
	cr_assert_eq(mapping_of(address, 0xffff, 8), MAPPING_RANGE, "half a warp of doubles");
	cr_assert_eq(mapping_of(address, 0x0ff0, 8), MAPPING_RANGE, "in the middle of both");
}

Test(mapping, gaps_backward_orders_and_strides_take_an_entry_of_the_table)
{
	lanes_read(0x1000, 4);
	cr_assert_eq(mapping_of(address, 0x5, 4), MAPPING_TABLE, "lane 1 does not read");
	cr_assert_eq(mapping_of(address, ALL ^ 0x100, 4), MAPPING_TABLE);
	cr_assert_eq(mapping_of(address, 0xf, 2), MAPPING_TABLE, "every other element");
	for (uint32_t i = 0; i < 32; i++)
		address[i] = 0x1000 + 4 * (31 - i);
	cr_assert_eq(mapping_of(address, ALL, 4), MAPPING_TABLE, "backward");
}

/* ---- against the definition ---- */

static enum lane_mapping definition(uint32_t lanes, uint32_t bytes)
{
	uint32_t count = 0, first = 32, last = 0;
	bool is_row = true, is_same = true, is_identity = true;

	for (uint32_t i = 0; i < 32; i++)
		if (lanes >> i & 1) {
			count++;
			last = i;
			first = first == 32 ? i : first;
		}
	for (uint32_t i = first; i <= last; i++) {
		uint32_t byte = address[i] % 128, start = address[first] % 128;

		is_row &= (lanes >> i & 1) && byte == start + (i - first) * bytes;
		is_same &= byte == start;
		is_identity &= byte == i * bytes;
	}
	if (count == 1)
		return MAPPING_SINGLE;
	if (count == 32 && is_same)
		return MAPPING_BROADCAST;
	if (count == 32 && is_row && is_identity)
		return MAPPING_CONSECUTIVE;
	return is_row ? MAPPING_RANGE : MAPPING_TABLE;
}

static uint32_t random_state;
static uint32_t below(uint32_t bound)
{
	random_state = random_state * 1664525 + 1013904223;
	return (random_state >> 8) % bound;
}

/* A random pattern, or one of the frequent ones with a lane or two displaced; what falls into other lines is
 * for other requests. */
static void draw(uint32_t bytes)
{
	uint32_t step = below(3) ? bytes * below(2) : 4 * below(8),
		 start = below(2) * below(128 / bytes) * bytes;

	for (uint32_t i = 0; i < 32; i++)
		address[i] = 0x4000 + start + (addr)i * step;
	for (uint32_t i = below(3); i; i--)
		address[below(32)] = 0x4000 + below(256 / bytes) * bytes;
}

Test(mapping, random_accesses_have_the_pattern_that_the_definition_gives)
{
	static const uint32_t masks[] = { ALL, ALL, 0xffff, 0x00ffff00, 0x7fffffff, 0xfffffffe, 0xf0f };
	uint32_t seen[MAPPING_COUNT] = { 0 };

	random_state = 1;
	for (int round = 0; round < 20000; round++) {
		uint32_t bytes = 1u << below(6), n, active;
		struct line_request out[MAX_LINE_REQUESTS];

		draw(bytes);
		active = below(4) ? masks[below(7)] : 1 + below(1 << 24) * 255;
		n = coalesce(address, active, bytes, 128, false, out);
		for (uint32_t k = 0; k < n; k++) {
			enum lane_mapping mapping = mapping_of(address, out[k].lanes, bytes);

			cr_assert_eq(mapping, definition(out[k].lanes, bytes), "round %d, lanes %x", round,
				out[k].lanes);
			seen[mapping]++;
		}
	}
	for (uint32_t i = 0; i < MAPPING_COUNT; i++)
		cr_assert_gt(seen[i], 100, "pattern %u is hardly tried", i);
}
