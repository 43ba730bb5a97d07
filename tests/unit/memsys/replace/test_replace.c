/* Replacement policies: orders worked out by hand, and every policy against a model that is slow and obvious.
 */
#include "memsys/replace/replace.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct tags t;

static uint32_t named(const char *name)
{
	uint32_t i = 0;

	while (strcmp(replace_names[i], name))
		i++;
	return i;
}

static void make(const char *policy, uint32_t sets, uint32_t ways)
{
	tags_init(&t,
		&(struct tags_config){
			.sets = sets, .ways = ways, .line_bytes = 128, .replace = named(policy), .seed = 3 });
}

/* Line k comes, or is used if it is there; returns the line number that had to go, or -1. */
static long use_at(addr k, enum tags_position position)
{
	addr key = k * 128, gone;
	uint32_t line = tags_find(&t, key);

	if (line != TAGS_NONE) {
		tags_touch(&t, line);
		return -1;
	}
	line = tags_victim(&t, key);
	cr_assert_neq(line, TAGS_NONE);
	gone = t.key[line];
	tags_insert(&t, line, key, position);
	return gone == TAGS_FREE ? -1 : (long)(gone / 128);
}

static long use(addr k)
{
	return use_at(k, TAGS_MRU);
}

static void fill(uint32_t ways)
{
	for (addr k = 0; k < ways; k++)
		cr_assert_eq(use(k), -1);
}

/* ---- traces by hand ---- */

Test(replace, lru_gives_up_what_was_unused_for_longest)
{
	make("lru", 1, 4);
	fill(4);
	use(0);
	use(2);
	cr_assert_eq(use(4), 1);
	cr_assert_eq(use(5), 3);
	cr_assert_eq(use(6), 0);
	tags_fini(&t);
}

Test(replace, fifo_gives_up_what_came_first)
{
	make("fifo", 1, 4);
	fill(4);
	use(0);
	use(2);
	cr_assert_eq(use(4), 0);
	cr_assert_eq(use(5), 1);
	tags_fini(&t);
}

/* After 0 1 2 3 the root points to the lower half and both nodes to their lower line. 0: root up, left node
 * to 1. So 4 takes 2's place (the right node points there); root down, right node to 3; then 1, then 3. */
Test(replace, plru_follows_the_bits)
{
	make("plru", 1, 4);
	fill(4);
	use(0);
	cr_assert_eq(use(4), 2);
	cr_assert_eq(use(5), 1);
	cr_assert_eq(use(6), 3);
	tags_fini(&t);
}

Test(replace, plru_turns_the_nearest_bit_first_at_a_reserved_line)
{
	make("plru", 1, 4);
	fill(4);
	use(0);
	t.pins[2] = 1;
	cr_assert_eq(tags_victim(&t, 512), 3, "the victim would be way 2");
	t.pins[3] = 1;
	cr_assert_eq(tags_victim(&t, 512), 1, "the other half, where its bit leads");
	t.pins[1] = 1;
	cr_assert_eq(tags_victim(&t, 512), 0);
	t.pins[0] = 1;
	cr_assert_eq(tags_victim(&t, 512), TAGS_NONE);
	memset(t.pins, 0, 4 * sizeof(*t.pins));
	tags_fini(&t);
}

/* Intervals 2 2 2 2; 1 is used: 2 0 2 2. Line 4: all grow by one, 3 1 3 3, way 0 goes: 2 1 3 3. Line 5: way
 * 2: 2 1 2 3. Line 6: way 3: 2 1 2 2. Line 7: grow: 3 2 3 3, way 0 (line 4). */
Test(replace, srrip_keeps_what_was_used_and_scans_from_the_first_way)
{
	make("srrip", 1, 4);
	fill(4);
	use(1);
	cr_assert_eq(use(4), 0);
	cr_assert_eq(use(5), 2);
	cr_assert_eq(use(6), 3);
	cr_assert_eq(use(7), 4);
	tags_fini(&t);
}

Test(replace, a_line_can_be_put_in_at_the_end_that_goes_first)
{
	const char *const policies[] = { "lru", "fifo", "plru", "srrip", "random" };

	for (uint32_t p = 0; p < 5; p++)
		for (uint32_t ways = 8; ways <= 32; ways *= 4) {
			make(policies[p], 1, ways);
			fill(ways - 1);
			cr_assert_eq(use_at(100, TAGS_LRU), -1);
			cr_assert_eq(use_at(101, TAGS_LRU), 100, "%s, %u ways", policies[p], ways);
			cr_assert_eq(use(102), 101, "%s, %u ways", policies[p], ways);
			tags_fini(&t);
		}
}

/* Of n others n / 2 go before a line put into the middle. */
Test(replace, the_middle_of_lru_is_the_middle)
{
	for (uint32_t ways = 1; ways <= 40; ways++) {
		uint32_t before = 0;

		make("lru", 1, ways);
		fill(ways);
		use_at(100, TAGS_MIDDLE);
		while (use(200 + before) != 100)
			before++;
		cr_assert_eq(before, (ways - 1) / 2, "%u ways", ways);
		tags_fini(&t);
	}
}

Test(replace, the_middle_of_plru_has_the_root_pointing_to_it)
{
	make("plru", 1, 8);
	fill(8);
	use_at(100, TAGS_MIDDLE); /* in way 0: the root points to its half, the nodes below away */
	cr_assert_eq(tags_victim(&t, 9999 * 128), 2);
	tags_fini(&t);
}

/* ---- against slow models ---- */

/* A set as an array, the next to go first. Ways do not matter to it, but to plru and srrip, which keep their
 * own. */
struct naive {
	addr order[128];
	uint32_t count;
};

static uint32_t naive_find(const struct naive *n, addr key)
{
	uint32_t i = 0;

	while (i < n->count && n->order[i] != key)
		i++;
	return i;
}

static void naive_remove(struct naive *n, uint32_t at)
{
	memmove(&n->order[at], &n->order[at + 1], (n->count-- - at - 1) * sizeof(addr));
}

static void naive_insert(struct naive *n, addr key, enum tags_position position)
{
	uint32_t at = position == TAGS_MRU ? n->count : position == TAGS_LRU ? 0 : n->count / 2;

	memmove(&n->order[at + 1], &n->order[at], (n->count++ - at) * sizeof(addr));
	n->order[at] = key;
}

static void check_integrity(void)
{
	for (uint32_t i = 0; i < t.sets * t.ways; i++)
		if (t.key[i] != TAGS_FREE) {
			cr_assert_eq(tags_find(&t, t.key[i]), i, "two lines with one key, or one lost");
			cr_assert_eq(tags_set(&t, t.key[i]), i / t.ways);
		}
}

/* Random uses, insertions anywhere, drops and pins, all of which the model follows. */
static void compare_order(const char *policy, uint32_t sets, uint32_t ways)
{
	struct naive *model = calloc(sets, sizeof(*model));

	make(policy, sets, ways);
	for (int i = 0; i < 30000; i++) {
		addr key = (addr)(rand() % (int)(sets * ways * 3 / 2 + 1)) * 128;
		struct naive *n = &model[key / 128 % sets];
		uint32_t at = naive_find(n, key), line = tags_find(&t, key), victim = 0;
		enum tags_position position = (enum tags_position)(rand() % 3);

		cr_assert_eq(line != TAGS_NONE, at < n->count, "%s, %u ways, step %d", policy, ways, i);
		if (line != TAGS_NONE) {
			int what = rand() % 8;

			if (what == 0 && !t.pins[line]) {
				tags_drop(&t, line);
				naive_remove(n, at);
			} else if (what < 3) {
				t.pins[line] = !t.pins[line];
			} else {
				tags_touch(&t, line);
				if (strcmp(policy, "fifo")) {
					naive_remove(n, at);
					naive_insert(n, key, TAGS_MRU);
				}
			}
			continue;
		}
		line = tags_victim(&t, key);
		cr_assert_eq(tags_victim(&t, key), line, "a second call gives the same");
		if (n->count == ways) {
			while (victim < ways && t.pins[tags_find(&t, n->order[victim])])
				victim++;
			cr_assert_eq(line == TAGS_NONE, victim == ways);
			if (line == TAGS_NONE) {
				for (uint32_t w = 0; w < ways; w++)
					t.pins[tags_find(&t, n->order[w])] = 0;
				continue;
			}
			cr_assert_eq(t.key[line], n->order[victim], "%s, %u ways, step %d", policy, ways, i);
			naive_remove(n, victim);
		} else {
			cr_assert_eq(t.key[line], TAGS_FREE);
		}
		tags_insert(&t, line, key, position);
		naive_insert(n, key, position);
		if (i % 1000 == 0)
			check_integrity();
	}
	memset(t.pins, 0, (size_t)sets * ways * sizeof(*t.pins));
	tags_fini(&t);
	free(model);
}

Test(replace, lru_and_fifo_agree_with_a_list_whatever_the_ways)
{
	const uint32_t ways[] = { 1, 2, 3, 4, 16, 17, 24, 64, 100 };

	srand(5);
	for (uint32_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		compare_order("lru", 1, ways[i]);
		compare_order("lru", 5, ways[i]);
		compare_order("fifo", 4, ways[i]);
	}
}

/* The bits of plru as pointers of a tree laid out by recursion: which line goes, if no line is reserved. */
static uint32_t plru_model(uint8_t *bits, uint32_t at, uint32_t first, uint32_t ways)
{
	if (ways == 1)
		return first;
	return bits[at] ? plru_model(bits, 2 * at + 2, first + ways / 2, ways / 2)
			: plru_model(bits, 2 * at + 1, first, ways / 2);
}

static void plru_model_use(uint8_t *bits, uint32_t at, uint32_t first, uint32_t ways, uint32_t way)
{
	if (ways == 1)
		return;
	bits[at] = way < first + ways / 2;
	if (bits[at])
		plru_model_use(bits, 2 * at + 1, first, ways / 2, way);
	else
		plru_model_use(bits, 2 * at + 2, first + ways / 2, ways / 2, way);
}

Test(replace, plru_agrees_with_a_tree_by_recursion)
{
	srand(6);
	for (uint32_t ways = 1; ways <= 64; ways *= 2) {
		uint8_t bits[128] = { 0 };

		make("plru", 1, ways);
		for (int i = 0; i < 20000; i++) {
			addr key = (addr)(rand() % (int)(ways * 2)) * 128;
			uint32_t line = tags_find(&t, key);

			if (line == TAGS_NONE) {
				line = tags_victim(&t, key);
				if (t.key[line] != TAGS_FREE)
					cr_assert_eq(line, plru_model(bits, 0, 0, ways), "%u ways", ways);
				tags_take(&t, line, key);
			} else {
				tags_touch(&t, line);
			}
			plru_model_use(bits, 0, 0, ways, line);
		}
		check_integrity();
		tags_fini(&t);
	}
}

/* SRRIP as the paper's flow chart has it, one step of growth at a time. */
Test(replace, srrip_agrees_with_growth_step_by_step)
{
	srand(7);
	for (uint32_t ways = 1; ways <= 48; ways += ways < 4 ? 1 : 11) {
		uint32_t interval[64] = { 0 }, pinned = 0;

		make("srrip", 1, ways);
		for (int i = 0; i < 20000; i++) {
			addr key = (addr)(rand() % (int)(ways * 2)) * 128;
			uint32_t line = tags_find(&t, key), way = 0;

			if (line != TAGS_NONE) {
				tags_touch(&t, line);
				interval[line] = 0;
				if (pinned + 1 < ways || t.pins[line]) {
					pinned += t.pins[line] ? UINT32_MAX : 1;
					t.pins[line] = !t.pins[line];
				}
				continue;
			}
			line = tags_victim(&t, key);
			if (t.key[line] != TAGS_FREE) {
				while (interval[way] != 3 || t.pins[way]) {
					if (++way < ways)
						continue;
					for (way = 0; way < ways; way++)
						interval[way] += interval[way] < 3;
					way = 0;
				}
				cr_assert_eq(line, way, "%u ways, step %d", ways, i);
			}
			tags_take(&t, line, key);
			interval[line] = 2;
		}
		memset(t.pins, 0, ways * sizeof(*t.pins));
		tags_fini(&t);
	}
}

Test(replace, random_is_fair_among_lines_without_pins_also_with_many_ways)
{
	for (uint32_t ways = 4; ways <= 64; ways *= 16) {
		uint32_t seen[64] = { 0 };

		make("random", 1, ways);
		fill(ways);
		t.pins[2] = 1;
		for (uint32_t i = 0; i < 200 * ways; i++)
			seen[tags_victim(&t, 9999 * 128)]++;
		cr_assert_eq(seen[2], 0);
		for (uint32_t w = 0; w < ways; w++)
			cr_assert(w == 2 || (seen[w] > 130 && seen[w] < 340), "way %u of %u: %u", w, ways,
				seen[w]);
		t.pins[2] = 0;
		tags_fini(&t);
	}
}

Test(replace, a_million_lines_in_one_set_cost_no_more_than_a_few)
{
	const uint32_t lines = 1u << 20;

	make("lru", 1, lines);
	for (addr k = 0; k < lines; k++)
		use(k);
	for (addr k = 0; k < lines; k += 2)
		cr_assert_eq(use(k), -1);
	for (addr k = 0; k < lines / 2; k++)
		cr_assert_eq(use(lines + k), (long)(2 * k + 1));
	tags_fini(&t);
}

Test(replace, sizes_that_do_not_fit_are_refused_with_a_sentence)
{
	struct tags_config c = { .sets = 3, .ways = 6, .line_bytes = 128, .replace = named("plru") };
	char message[128];

	cr_assert_not(tags_config_check(&c, message, sizeof(message)));
	cr_assert_str_eq(message, "replace = plru does not serve 6 ways: expected a power of two");
	c.replace = REPLACE_LRU;
	cr_assert(tags_config_check(&c, message, sizeof(message)));
	c.index = INDEX_FERMI;
	cr_assert_not(tags_config_check(&c, message, sizeof(message)));
	cr_assert_str_eq(
		message, "index = fermi does not serve 3 sets: expected 32 or 64 (where it was measured)");
	c = (struct tags_config){ .sets = 1 << 20, .ways = 1 << 20, .line_bytes = 128 };
	cr_assert_not(tags_config_check(&c, message, sizeof(message)));
}
