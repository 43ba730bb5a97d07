/* The tag array against a list kept in order of use. */
#include "memsys/replace/replace.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* One set: keys from the most to the least recently used. */
struct reference {
	addr key[16];
	uint32_t count;
};

static bool reference_use(struct reference *r, addr key, uint32_t ways, bool moves)
{
	uint32_t i = 0;
	bool found;

	while (i < r->count && r->key[i] != key)
		i++;
	found = i < r->count;
	if (found && !moves)
		return true;
	if (!found && r->count < ways)
		r->count++;
	if (!found)
		i = r->count - 1;
	memmove(r->key + 1, r->key, i * sizeof(addr));
	r->key[0] = key;
	return found;
}

static void init(struct tags *t, uint32_t sets, uint32_t ways, uint32_t policy)
{
	tags_init(t,
		&(struct tags_config){ .sets = sets,
			.ways = ways,
			.line_bytes = 128,
			.replace = policy,
			.seed = 3,
			.with_masks = true });
}

static void compare_in_use(struct tags *tags, uint32_t policy, uint32_t sets, uint32_t ways)
{
	struct reference reference[8] = { 0 };
	struct tags t = *tags;

	srand(7);
	for (int i = 0; i < 20000; i++) {
		addr address = (addr)(rand() % (int)(sets * ways * 2)) * 128 + (addr)(rand() % 128);
		addr key = tags_key(&t, address);
		uint32_t line = tags_find(&t, key);
		bool expected = reference_use(&reference[key / 128 % sets], key, ways, policy == REPLACE_LRU);

		cr_assert_eq(line != TAGS_NONE, expected, "access %d", i);
		if (line != TAGS_NONE)
			tags_touch(&t, line);
		else
			tags_take(&t, tags_victim(&t, key), key);
	}
	*tags = t;
}

static void compare(uint32_t policy, uint32_t sets, uint32_t ways)
{
	struct tags t;

	init(&t, sets, ways, policy);
	compare_in_use(&t, policy, sets, ways);
	tags_fini(&t);
}

/* With some of its ways, then with more or fewer, it is as one that has so many; also where lines are hashed.
 */
Test(tags, ways_that_are_not_in_use_might_not_be_there)
{
	static const uint32_t policies[] = { REPLACE_LRU, REPLACE_FIFO };

	for (int i = 0; i < 4; i++) {
		uint32_t policy = policies[i % 2], ways = i < 2 ? 12 : 24;
		struct tags t;

		init(&t, 4, ways, policy);
		for (uint32_t limit = 5; limit <= 12; limit += 7) {
			tags_limit(&t, limit);
			compare_in_use(&t, policy, 4, limit);
			cr_assert_leq(tags_lines(&t), 4 * limit);
			tags_clear(&t);
			cr_assert_eq(tags_lines(&t), 0);
		}
		tags_limit(&t, 1);
		compare_in_use(&t, policy, 4, 1);
		tags_fini(&t);
	}
}

Test(tags, lru_agrees_with_a_list_in_order_of_use)
{
	compare(REPLACE_LRU, 4, 4);
	compare(REPLACE_LRU, 1, 16);
	compare(REPLACE_LRU, 8, 1);
	compare(REPLACE_LRU, 6, 3);
}

Test(tags, fifo_agrees_with_a_list_in_order_of_arrival)
{
	compare(REPLACE_FIFO, 4, 4);
	compare(REPLACE_FIFO, 3, 6);
}

Test(tags, a_pinned_line_is_no_victim)
{
	struct tags t;

	init(&t, 1, 2, REPLACE_LRU);
	tags_take(&t, tags_victim(&t, 0), 0);
	tags_take(&t, tags_victim(&t, 128), 128);
	t.pins[tags_find(&t, 0)]++;
	cr_assert_eq(tags_victim(&t, 256), tags_find(&t, 128), "though 0 is older");
	t.pins[tags_find(&t, 128)]++;
	cr_assert_eq(tags_victim(&t, 256), TAGS_NONE);
	t.pins[tags_find(&t, 0)]--;
	cr_assert_eq(tags_victim(&t, 256), tags_find(&t, 0));
	tags_fini(&t);
}

Test(tags, a_dropped_line_is_taken_first_and_its_masks_are_empty)
{
	struct tags t;
	uint32_t line;

	init(&t, 1, 4, REPLACE_LRU);
	for (addr k = 0; k < 4 * 128; k += 128)
		tags_take(&t, tags_victim(&t, k), k);
	line = tags_find(&t, 256);
	t.valid[line].sector[1] = t.dirty[line].sector[1] = 5;
	cr_assert_eq(byte_mask_sectors(&t.dirty[line]), 2);
	tags_drop(&t, line);
	cr_assert_eq(tags_find(&t, 256), TAGS_NONE);
	cr_assert_eq(tags_victim(&t, 1024), line);
	cr_assert_eq(byte_mask_sectors(&t.dirty[line]) | byte_mask_sectors(&t.valid[line]), 0);
	tags_fini(&t);
}

Test(tags, random_replacement_takes_every_free_way_and_never_a_reserved_one)
{
	struct tags t;
	uint32_t seen[4] = { 0 };

	init(&t, 1, 4, REPLACE_RANDOM);
	for (uint32_t i = 0; i < 4; i++)
		tags_take(&t, i, (addr)i * 128);
	t.pins[2] = 1;
	for (int i = 0; i < 300; i++)
		seen[tags_victim(&t, 4 * 128)]++;
	cr_assert_eq(seen[2], 0);
	cr_assert(seen[0] > 60 && seen[1] > 60 && seen[3] > 60);
	tags_fini(&t);
}
