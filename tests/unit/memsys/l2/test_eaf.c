/* The insertion policy EAF, asked directly, line by line; in a slice: test_l2_policies.c. */
#include "memsys/insertion/insertion.h"
#include "tests/unit/memsys/l2/l2_policy_rig.h"

static struct insertion *eaf(uint32_t capacity, uint32_t throttle)
{
	const struct policy_class *class = named(&insertion_interface, "eaf");

	prototype = policy_blank(&insertion_interface, class);
	stats = stat_tree_new();
	set_u32(class, "bits_per_address", 64);
	set_u32(class, "capacity", capacity);
	set_u32(class, "throttle", throttle);
	return insertion_new(prototype, &machine, 0, stats);
}

static void end_eaf(struct insertion *i)
{
	stat_tree_free(stats);
	insertion_free(i);
	policy_prototype_free(prototype);
}

/* A line's address in device memory is not that inside its partition. */
#define DEVICE 0x100000

static void evict(struct insertion *i, addr local, enum eviction_cause cause)
{
	i->class->l2.evicted(i, &(struct eviction_event){ .line = local + DEVICE, .cause = (uint8_t)cause });
}

/* Where the line of a missed sector enters. */
static enum tags_position miss(struct insertion *i, addr local)
{
	struct packet p = { .kind = PACKET_READ, .local = local, .address = local + DEVICE, .bytes = 32 };

	return i->class->place(i, &p, 0).position;
}

Test(eaf, puts_back_an_evicted_line_as_mru_and_others_as_lru)
{
	struct insertion *i = eaf(8, 64);

	cr_assert_eq(miss(i, 0), TAGS_LRU, "nothing has been evicted");
	evict(i, 0, EVICTED_BY_REPLACEMENT);
	cr_assert_eq(miss(i, 96), TAGS_MRU, "a miss of any sector of the line");
	cr_assert_eq(miss(i, 128), TAGS_LRU);
	cr_assert_eq(miss(i, 0), TAGS_MRU, "the filter forgets no single address");
	cr_assert_eq(count("l2.insertion.eaf.high_reuse"), 2);
	cr_assert_eq(count("l2.insertion.eaf.low_reuse_lru"), 2);
	cr_assert_eq(count("l2.insertion.eaf.added"), 1);
	end_eaf(i);
}

Test(eaf, remembers_only_lines_that_were_replaced)
{
	struct insertion *i = eaf(8, 64);

	evict(i, 0, EVICTED_BY_INVALIDATION);
	cr_assert_eq(miss(i, 0), TAGS_LRU);
	cr_assert_eq(count("l2.insertion.eaf.added"), 0);
	end_eaf(i);
}

/* The slice has eight lines: the ninth eviction empties the filter. */
Test(eaf, is_emptied_after_as_many_evictions_as_the_slice_has_lines)
{
	struct insertion *i = eaf(0, 64);

	for (addr line = 0; line < 8; line++)
		evict(i, line * 128, EVICTED_BY_REPLACEMENT);
	cr_assert_eq(miss(i, 0), TAGS_MRU);
	cr_assert_eq(count("l2.insertion.eaf.clears"), 0);
	evict(i, 1024, EVICTED_BY_REPLACEMENT);
	cr_assert_eq(count("l2.insertion.eaf.clears"), 1);
	cr_assert_eq(miss(i, 0), TAGS_LRU);
	cr_assert_eq(miss(i, 1024), TAGS_MRU);
	end_eaf(i);
}

Test(eaf, inserts_one_low_reuse_line_in_so_many_as_mru)
{
	struct insertion *i = eaf(8, 4);
	uint32_t at_mru = 0;

	for (addr line = 1; line <= 40; line++)
		at_mru += miss(i, line * 128) == TAGS_MRU;
	cr_assert_eq(at_mru, 10);
	cr_assert_eq(count("l2.insertion.eaf.low_reuse_mru"), 10);
	cr_assert_eq(count("l2.insertion.eaf.low_reuse_lru"), 30);
	end_eaf(i);
}
