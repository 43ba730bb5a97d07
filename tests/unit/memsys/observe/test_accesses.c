/* Accesses by type and outcome, from the events that caches tell. */
#include "memsys/l1/cache.h"
#include "memsys/observe/accesses.h"
#include <criterion/criterion.h>

static struct stat_tree *tree;
static struct access_observer *observer;

static void begin(enum access_level level)
{
	tree = stat_tree_new();
	observer = access_observer_new(level, 0, tree);
}

static void end(void)
{
	access_observer_free(observer);
	stat_tree_free(tree);
}

static void tell(struct access_event e)
{
	struct cache_listener *l = access_observer_listener(observer);

	l->accessed(l->user, &e);
}

static double count(const char *name)
{
	return stat_value(tree, NULL, name);
}

#define EVENT(...) \
	(struct access_event) \
	{ \
		.by.lanes = 0xff, __VA_ARGS__ \
	}

Test(accesses, a_store_of_the_l1_hits_where_its_line_was_even_if_it_is_dropped)
{
	begin(ACCESS_L1);
	tell(EVENT(.kind = PACKET_WRITE, .outcome = ACCESS_STORE, .is_found = true,
		.line_index = NO_LINE_INDEX));
	tell(EVENT(.kind = PACKET_WRITE, .outcome = ACCESS_STORE, .is_found = true, .is_in_flight = true));
	tell(EVENT(.kind = PACKET_WRITE, .outcome = ACCESS_STORE));
	tell(EVENT(.kind = PACKET_WRITE, .outcome = ACCESS_STORE, .is_local = true));
	cr_expect_eq(count("observe.l1d.global_write::hit"), 1);
	cr_expect_eq(count("observe.l1d.global_write::hit_reserved"), 1);
	cr_expect_eq(count("observe.l1d.global_write::miss"), 1);
	cr_expect_eq(count("observe.l1d.local_write::miss"), 1);
	cr_expect_eq(count("observe.l1d.store_lanes"), 32, "8 lanes each");
	end();
}

Test(accesses, what_goes_past_the_l1_is_no_access_but_its_lanes_load)
{
	begin(ACCESS_L1);
	tell(EVENT(.kind = PACKET_ATOMIC, .outcome = ACCESS_BYPASSED));
	tell(EVENT(.kind = PACKET_READ, .outcome = ACCESS_BYPASSED));
	cr_expect_eq(count("observe.l1d.global_read::total"), 0);
	cr_expect_eq(count("observe.l1d.load_lanes"), 16);
	end();
}

Test(accesses, cycles_of_waiting_go_to_the_type_that_was_refused)
{
	struct cache_listener *l;

	begin(ACCESS_L1);
	l = access_observer_listener(observer);
	tell(EVENT(.outcome = ACCESS_REFUSED, .refusal = CACHE_MSHR_ENTRY_FAIL, .is_local = true));
	l->repeated(l->user, CACHE_MSHR_ENTRY_FAIL, 9);
	tell(EVENT(.outcome = ACCESS_REFUSED, .refusal = CACHE_DATA_PORT));
	l->repeated(l->user, CACHE_DATA_PORT, 5);
	cr_expect_eq(count("observe.l1d.local_read::reservation_fail"), 10);
	cr_expect_eq(count("observe.l1d.global_read::reservation_fail"), 0,
		"a busy port is no lack of a reservation");
	cr_expect_eq(count("observe.l1d.load_lanes"), 0, "refused: it will come again");
	end();
}

Test(accesses, the_first_sector_of_an_absent_line_misses_and_the_others_are_sector_misses)
{
	begin(ACCESS_L2);
	tell(EVENT(.outcome = ACCESS_MISS, .sectors = 0xf, .fetched = 0xf));
	cr_expect_eq(count("observe.l2.global_read::miss"), 1);
	cr_expect_eq(count("observe.l2.global_read::sector_miss"), 3);
	tell(EVENT(.outcome = ACCESS_MISS, .is_found = true, .sectors = 0xf, .fetched = 0xc));
	cr_expect_eq(count("observe.l2.global_read::hit"), 2, "those that were there");
	cr_expect_eq(count("observe.l2.global_read::sector_miss"), 5);
	tell(EVENT(.outcome = ACCESS_HIT, .is_found = true, .sectors = 0x3));
	cr_expect_eq(count("observe.l2.global_read::hit"), 4);
	cr_expect_eq(count("observe.l2.requests::global_read"), 3);
	end();
}

Test(accesses, the_l2_tells_types_by_where_requests_come_from)
{
	begin(ACCESS_L2);
	tell(EVENT(.outcome = ACCESS_HIT, .sectors = 1, .unit = UNIT_L1_CONST));
	tell(EVENT(.outcome = ACCESS_HIT, .sectors = 1, .unit = UNIT_L1_INST));
	tell(EVENT(.outcome = ACCESS_HIT, .sectors = 1, .unit = UNIT_L1_TEX));
	tell(EVENT(.outcome = ACCESS_HIT, .sectors = 1, .is_local = true));
	tell(EVENT(.outcome = ACCESS_HIT, .sectors = 1, .kind = PACKET_ATOMIC));
	tell(EVENT(.outcome = ACCESS_STORE, .sectors = 1, .kind = PACKET_WRITE, .is_write_back = true));
	tell(EVENT(.outcome = ACCESS_STORE, .sectors = 1, .kind = PACKET_WRITE, .is_bypass = true));
	cr_expect_eq(count("observe.l2.constant_read::hit"), 1);
	cr_expect_eq(count("observe.l2.instruction_read::hit"), 1);
	cr_expect_eq(count("observe.l2.texture_read::hit"), 1);
	cr_expect_eq(count("observe.l2.local_read::hit"), 1);
	cr_expect_eq(count("observe.l2.global_read::hit"), 1);
	cr_expect_eq(count("observe.l2.write_back::miss"), 1);
	cr_expect_eq(count("observe.l2.global_write::total"), 0, "it went past the slice");
	cr_expect_eq(count("observe.l2.requests::global_write"), 1);
	end();
}
