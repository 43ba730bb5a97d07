/* Register banks and the calendars of units, against what their headers say: first come first served, one row
 * of a bank a cycle; the first copy of a unit that can start. Many random instructions, models without any
 * bit tricks. */
#include "core/sm/collector.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 12

/* As issue_table.c lists them: row i lies in set i only if the sets before have its bank. */
static struct row_banks sets_of(const uint32_t *row, uint32_t count, uint32_t banks, uint64_t *more)
{
	struct row_banks r = { 0 };

	memset(more, 0, ROWS * sizeof(*more));
	for (uint32_t i = 0; i < count; i++) {
		uint64_t bank = UINT64_C(1) << (row[i] % banks);
		uint32_t set = 0;

		for (uint32_t width = banks; width < 64; width *= 2)
			bank |= bank << width;
		if (!(r.first & bank)) {
			r.first |= bank;
			continue;
		}
		while (more[set] & bank)
			set++;
		more[set] |= bank;
		r.more = set + 1 > r.more ? set + 1 : r.more;
	}
	return r;
}

static cycles model(
	cycles *free, uint32_t banks, const uint32_t *row, uint32_t count, uint32_t slot, cycles from)
{
	cycles last = from;

	for (uint32_t i = 0; i < count; i++) {
		cycles *bank = &free[(row[i] + slot) % banks];
		cycles at = *bank > from ? *bank : from;

		*bank = at + 1;
		last = at > last ? at : last;
	}
	return last;
}

static void compare(uint32_t banks, uint32_t longest_pause)
{
	struct bank_ports ports = { 0 };
	cycles free[MAX_REGISTER_BANKS] = { 0 }, now = 1;

	for (uint32_t n = 0; n < 20000; n++) {
		uint32_t row[ROWS], count = (uint32_t)rand() % (ROWS + 1), slot = (uint32_t)rand() % 64;
		uint64_t more[ROWS];
		struct row_banks rows;
		cycles got, expected;

		for (uint32_t i = 0; i < count; i++)
			row[i] = (uint32_t)rand() % 100;
		now += (uint32_t)rand() % (longest_pause + 1);
		rows = sets_of(row, count, banks, more);
		expected = model(free, banks, row, count, slot, now);
		got = banks_serve(&ports, &rows, slot, now) ? now : banks_queue(&ports, &rows, more, slot);
		cr_assert_eq(got, expected, "%u banks, instruction %u in cycle %llu: %llu, not %llu", banks,
			n, (unsigned long long)now, (unsigned long long)got, (unsigned long long)expected);
	}
}

Test(banks, serve_first_come_first_served)
{
	srand(1);
	for (uint32_t banks = 1; banks <= 64; banks *= 2)
		for (uint32_t pause = 1; pause <= 256; pause *= 4)
			compare(banks, pause);
}

/* ---- units ---- */

#define HORIZON 200000

static cycles unit_model(bool (*busy)[HORIZON], uint32_t copies, cycles earliest, uint32_t interval)
{
	for (cycles at = earliest;; at++)
		for (uint32_t i = 0; i < copies; i++) {
			if (memchr(&busy[i][at], true, interval))
				continue;
			memset(&busy[i][at], true, interval);
			return at;
		}
}

Test(collectors, a_unit_starts_what_fits_a_gap_first)
{
	static bool busy[3][HORIZON];

	srand(2);
	for (uint32_t copies = 1; copies <= 3; copies++) {
		struct collectors c = { 0 };
		cycles now = 1;

		memset(busy, 0, sizeof(busy));
		c.copies[PORT_SP] = (uint8_t)copies;
		for (uint32_t n = 0; n < 5000; n++) {
			uint32_t interval = 1u << ((uint32_t)rand() % 4);
			struct issue_entry e = { .port = PORT_SP,
				.interval = (uint16_t)interval,
				.interval_bits = (UINT64_C(1) << interval) - 1 };
			cycles earliest = now + 1 + (uint32_t)rand() % 6, expected;

			expected = unit_model(busy, copies, earliest, interval);
			cr_assert_eq(collector_unit(&c, &e, earliest, now), expected,
				"%u copies, instruction %u", copies, n);
			if (expected > now + 40)
				now = expected - 10;
			now += (uint32_t)rand() % 8;
		}
	}
}

Test(collectors, a_long_instruction_keeps_its_unit)
{
	struct collectors c = { .copies = { [PORT_DP] = 2 } };
	struct issue_entry e = { .port = PORT_DP, .interval = 130, .interval_bits = ~UINT64_C(0) };
	struct issue_entry one = { .port = PORT_DP, .interval = 1, .interval_bits = 1 };

	cr_assert_eq(collector_unit(&c, &e, 11, 10), 11);
	cr_assert_eq(collector_unit(&c, &e, 12, 10), 12, "the other copy");
	cr_assert_eq(collector_unit(&c, &one, 13, 12), 141, "behind the first");
	cr_assert_eq(collector_unit(&c, &one, 100, 99), 142, "behind that");
	cr_assert_eq(collector_unit(&c, &one, 141, 140), 142, "the other copy, behind its own");
	cr_assert_eq(collector_unit(&c, &one, 142, 141), 143);
	cr_assert_eq(collector_unit(&c, &one, 300, 299), 300);
}
