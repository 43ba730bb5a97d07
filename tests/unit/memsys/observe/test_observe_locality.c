/* tests/unit/memsys/observe/test_observe_locality.c -- observers of locality and of an L2, and random
 * traces. */
#include "tests/unit/memsys/observe/observe_rig.h"

static void expect_hits(const char *class, uint64_t hits, uint64_t unlimited)
{
	char name[64];

	snprintf(name, sizeof(name), "observe.l1.hits::%s", class);
	cr_assert_eq(count(name), hits, "%s: %u", class, (unsigned)count(name));
	cr_assert_eq(count("observe.l1.hits::total"), hits);
	snprintf(name, sizeof(name), "observe.l1.unlimited_hits::%s", class);
	cr_assert_eq(count(name), unlimited, "%s, unlimited: %u", class, (unsigned)count(name));
	cr_assert_eq(count("observe.l1.unlimited_hits::total"), unlimited);
	destroy();
}

Test(observe, hits_by_who_was_there_before)
{
	static const struct {
		const char *class;
		struct who now;
	} cases[] = {
		{ "intra_thread", { 1, 4, 5, 0xf0 } },
		{ "intra_thread", { 1, 4, 5, 0x80 } },
		{ "inter_thread", { 1, 4, 5, 0x0f } },
		{ "intra_block", { 1, 4, 6, 0xf0 } },
		{ "intra_core", { 1, 8, 6, 0xf0 } },
		{ "intra_core", { 1, 8, 5, 0xf0 } },
		{ "inter_kernel", { 2, 4, 5, 0xf0 } },
		{ "no_thread", { 0, 4, 5, 0 } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		build(&small);
		load_by((struct who){ 1, 4, 5, 0xf0 }, 0);
		load_by(cases[i].now, 0);
		expect_hits(cases[i].class, 1, 1);
	}
}

Test(observe, the_last_to_touch_the_line_counts_and_not_the_first)
{
	build(&small);
	load_by((struct who){ 1, 0, 1, 1 }, 0);
	load_by((struct who){ 1, 0, 2, 1 }, 0);
	load_by((struct who){ 1, 0, 2, 1 }, 0);
	cr_assert_eq(count("observe.l1.hits::intra_block"), 1);
	cr_assert_eq(count("observe.l1.hits::intra_thread"), 1);
	destroy();
}

Test(observe, the_unlimited_cache_loses_nothing_to_others)
{
	build(&small);
	load("02468");
	load("0246");
	expect_hits("intra_thread", 0, 4);
}

Test(observe, the_unlimited_cache_loses_what_the_real_one_loses_to_stores_and_kernels)
{
	build(&small);
	load("0246");
	store(0);
	load("0");
	cache_invalidate(cache);
	load("02");
	cr_assert_eq(count("observe.l1.unlimited_misses"), 7);
	expect_hits("intra_thread", 0, 0);
}

Test(observe, merged_requests_have_their_own_classes)
{
	build(&small);
	ask(someone, PACKET_READ, 0);
	ask((struct who){ 1, 0, 2, 1 }, PACKET_READ, 0);
	ask((struct who){ 1, 3, 9, 1 }, PACKET_READ, 0);
	answer();
	cr_assert_eq(count("observe.l1.merged::intra_block"), 1);
	cr_assert_eq(count("observe.l1.merged::intra_core"), 1);
	cr_assert_eq(count("observe.l1.unlimited_merged::total"), 2);
	load("240"); /* 0 is fetched again: a merged request of the real cache, a hit of the unlimited one */
	load("24");
	ask(someone, PACKET_READ, 0);
	ask((struct who){ 1, 0, 2, 1 }, PACKET_READ, 0);
	cr_assert_eq(count("observe.l1.unlimited_hits::intra_block"), 1);
	answer();
	destroy();
}

/* ---- events of an L2 ---- */

static struct cache_listener *l2;

static void build_l2(void)
{
	stats = stat_tree_new();
	observer = cache_observer_new(&all, 4, "observe.l2", 0, stats);
	l2 = cache_observer_listener(observer);
}

static void destroy_l2(void)
{
	cache_observer_free(observer);
	stat_tree_free(stats);
}

static struct access_event event(uint8_t kind, enum access_outcome outcome, uint8_t sectors)
{
	struct access_event e = { .kind = kind,
		.outcome = (uint8_t)outcome,
		.sectors = sectors,
		.by = { 3, 1, 0, 1, 0, 1 },
		.is_written = kind != PACKET_READ };

	if (outcome == ACCESS_MISS)
		e.fetched = sectors;
	for (uint32_t i = 0; kind != PACKET_READ && i < 4; i++)
		e.byte_mask[i] = sectors >> i & 1 ? UINT32_MAX : 0;
	return e;
}

static void hear(struct access_event e)
{
	l2->accessed(l2->user, &e);
	if (e.outcome == ACCESS_MISS)
		l2->filled(l2->user, &(struct fill_event){ .line = e.line, .sectors = e.fetched });
}

Test(observe, sectors_have_their_own_first_touch)
{
	build_l2();
	hear(event(PACKET_READ, ACCESS_MISS, 1));
	hear(event(PACKET_READ, ACCESS_MISS, 2));
	cr_assert_eq(count("observe.l2.misses::compulsory"), 2);
	cr_assert_eq(count("observe.l2.contention::compulsory"), 2);
	cr_assert_eq(count("observe.l2.unlimited_misses"), 2);
	destroy_l2();
}

Test(observe, a_store_brings_its_bytes_in)
{
	build_l2();
	hear(event(PACKET_WRITE, ACCESS_STORE, 3));
	hear(event(PACKET_READ, ACCESS_HIT, 3));
	cr_assert_eq(count("observe.l2.hits::intra_thread"), 1);
	cr_assert_eq(count("observe.l2.unlimited_hits::intra_thread"), 1);
	hear(event(PACKET_READ, ACCESS_MISS, 3)); /* it has been replaced: a fully associative cache would
						     have it */
	cr_assert_eq(count("observe.l2.misses::conflict"), 1);
	destroy_l2();
}

Test(observe, a_sector_that_is_written_in_part_is_compulsory_when_it_is_read)
{
	struct access_event word = event(PACKET_WRITE, ACCESS_STORE, 1);
	struct access_event atomic = event(PACKET_ATOMIC, ACCESS_HIT, 1);

	build_l2();
	word.byte_mask[0] = atomic.byte_mask[0] = 0xf;
	hear(word);
	hear(atomic);
	cr_assert_eq(count("observe.l2.unlimited_hits::total"), 1, "the atomic's own bytes are there");
	hear(event(PACKET_READ, ACCESS_MISS, 1));
	cr_assert_eq(count("observe.l2.misses::compulsory"), 1);
	cr_assert_eq(count("observe.l2.unlimited_misses"), 1);
	destroy_l2();
}

Test(observe, bytes_that_are_on_their_way_in_two_fetches)
{
	struct access_event e = event(PACKET_READ, ACCESS_MISS, 1);

	build_l2();
	l2->accessed(l2->user, &e);
	e = event(PACKET_READ, ACCESS_MISS, 2);
	l2->accessed(l2->user, &e);
	e = event(PACKET_READ, ACCESS_MISS, 3);
	l2->accessed(l2->user, &e);
	cr_assert_eq(count("observe.l2.misses::compulsory"), 2);
	cr_assert_eq(count("observe.l2.misses::in_flight"), 1);
	cr_assert_eq(count("observe.l2.contention::in_flight"), 1);
	cr_assert_eq(count("observe.l2.unlimited_merged::intra_thread"), 1);
	destroy_l2();
}

Test(observe, the_l2_sees_other_cores_and_kernels)
{
	struct access_event e = event(PACKET_READ, ACCESS_HIT, 15);

	build_l2();
	hear(event(PACKET_READ, ACCESS_MISS, 15));
	e.by.sm = 9;
	e.by.cta = 5;
	hear(e);
	cr_assert_eq(count("observe.l2.hits::inter_core"), 1);
	e.by.launch = 2;
	hear(e);
	cr_assert_eq(count("observe.l2.hits::inter_kernel"), 1);
	e.by = (struct requester){ .sm = 9, .launch = 0 };
	hear(e);
	hear(event(PACKET_READ, ACCESS_HIT, 15));
	cr_assert_eq(count("observe.l2.hits::no_thread"), 2, "instructions: they, and who comes after them");
	destroy_l2();
}

/* l2.store_miss = fetch: the fill of its line was asked for, by no load that missed. */
Test(observe, a_store_that_fetches_its_line_is_no_miss)
{
	struct access_event e = event(PACKET_WRITE, ACCESS_STORE, 1);

	build_l2();
	e.fetched = 15;
	l2->accessed(l2->user, &e);
	l2->filled(l2->user, &(struct fill_event){ .line = e.line, .sectors = 15 });
	hear(event(PACKET_READ, ACCESS_HIT, 15));
	cr_assert_eq(count("observe.l2.misses::total"), 0);
	cr_assert_eq(count("observe.l2.unlimited_hits::total"), 1);
	cr_assert_eq(count("observe.l2.unlimited_misses"), 0);
	destroy_l2();
}

/* Lines that a cache keeps when a kernel comes, the others being invalidated: the full and the unlimited
 * cache keep them too. */
Test(observe, kept_lines_survive_the_others)
{
	struct access_event e = event(PACKET_READ, ACCESS_MISS, 15);

	build_l2();
	hear(e);
	e.line = 128;
	hear(e);
	l2->kept(l2->user, 128);
	l2->invalidated(l2->user, 0);
	hear(e); /* as if a line of its set had taken its place */
	cr_assert_eq(count("observe.l2.misses::conflict"), 1);
	cr_assert_eq(count("observe.l2.unlimited_hits::total"), 1);
	e.line = 0;
	hear(e);
	cr_assert_eq(count("observe.l2.misses::invalidated"), 1);
	cr_assert_eq(count("observe.l2.unlimited_hits::total"), 1);
	l2->invalidated(l2->user, 0);
	e.line = 128;
	hear(e); /* kept once is not kept again */
	cr_assert_eq(count("observe.l2.misses::invalidated"), 2);
	cr_assert_eq(count("observe.l2.unlimited_hits::total"), 1);
	destroy_l2();
}

/* A load that asks for bytes which a store left here, in a sector of which the rest is missing. */
Test(observe, loads_of_bytes_find_what_was_written)
{
	struct access_event word = event(PACKET_WRITE, ACCESS_STORE, 1),
			    e = event(PACKET_READ, ACCESS_HIT, 1);

	build_l2();
	word.byte_mask[0] = e.byte_mask[0] = 0xf0;
	hear(word);
	hear(e);
	cr_assert_eq(count("observe.l2.unlimited_hits::total"), 1);
	hear(event(PACKET_READ, ACCESS_MISS, 1));
	cr_assert_eq(count("observe.l2.misses::compulsory"), 1);
	destroy_l2();
}

/* ---- random traces ---- */

/* A fully associative LRU cache by linear search: newest last. */
struct reference {
	uint32_t line[64], count, capacity;
};

static bool reference_use(struct reference *f, uint32_t line)
{
	uint32_t i = 0;
	bool found;

	while (i < f->count && f->line[i] != line)
		i++;
	found = i < f->count;
	if (!found && f->count == f->capacity)
		i = 0;
	if (found || f->count == f->capacity)
		memmove(f->line + i, f->line + i + 1, (--f->count - i) * sizeof(f->line[0]));
	f->line[f->count++] = line;
	return found;
}

static void random_trace(uint32_t sets, uint32_t ways, uint32_t lines)
{
	struct cache_config c = small;
	struct reference f = { .capacity = sets * ways };
	uint64_t conflicts = 0, capacity = 0, compulsory = 0;
	bool seen[4096] = { false };

	c.sets = sets;
	c.ways = ways;
	build(&c);
	for (uint32_t i = 0; i < 20000; i++) {
		uint32_t line = (uint32_t)rand() % lines;
		enum cache_outcome outcome =
			ask((struct who){ 1, line % 3, (uint16_t)(i % 5), 1 + i % 7 }, PACKET_READ, line);
		bool found = reference_use(&f, line);

		answer();
		if (outcome == CACHE_MISS) {
			compulsory += !seen[line];
			conflicts += seen[line] && found;
			capacity += seen[line] && !found;
		}
		seen[line] = true;
	}
	cr_assert_gt(capacity, 0);
	if (sets == 1)
		cr_assert_eq(conflicts, 0);
	expect_misses(compulsory, capacity, conflicts, 0);
}

Test(observe, classes_agree_with_a_search_through_lists)
{
	srand(1);
	random_trace(1, 16, 40);
	random_trace(4, 4, 40);
	random_trace(16, 1, 300);
	random_trace(32, 2, 1000);
	random_trace(1, 64, 70);
}

/* Loads in flight, merges, refusals, stores and new kernels, too: a fully associative cache has no conflicts.
 */
static void random_storm(uint32_t sets, uint32_t ways, uint32_t allocate)
{
	struct cache_config c = small;

	c.sets = sets;
	c.ways = ways;
	c.mshrs = 6;
	c.allocate = allocate;
	build(&c);
	for (uint32_t i = 0; i < 50000; i++) {
		uint32_t what = (uint32_t)rand() % 1000, line = (uint32_t)rand() % 48;
		struct who w = { 1 + i / 9000, (uint32_t)rand() % 4, (uint16_t)(rand() % 8),
			1u << rand() % 32 };

		if (what < 60)
			ask(w, what < 40 ? PACKET_WRITE : PACKET_ATOMIC, line);
		else
			ask(w, PACKET_READ, line);
		if (!(rand() % 4) || out.count > 12)
			answer();
		if (i % 9000 == 8999)
			cache_invalidate(cache);
	}
	answer();
	check_sums();
	cr_assert_gt(count("observe.l1.misses::capacity"), 100);
	cr_assert_gt(count("observe.l1.misses::invalidated"), 100);
	if (sets == 1)
		cr_assert_eq(count("observe.l1.misses::conflict"), 0, "%u",
			(unsigned)count("observe.l1.misses::conflict"));
	else
		cr_assert_gt(count("observe.l1.misses::conflict"), 100);
	cr_assert_gt(count("sm.l1d.fails::total"), 0);
	destroy();
}

Test(observe, a_fully_associative_cache_has_no_conflicts)
{
	srand(2);
	random_storm(1, 32, CACHE_ALLOCATE_ON_MISS);
	random_storm(1, 8, CACHE_ALLOCATE_ON_MISS);
	random_storm(1, 32, CACHE_ALLOCATE_ON_FILL);
	random_storm(8, 4, CACHE_ALLOCATE_ON_MISS);
	random_storm(8, 4, CACHE_ALLOCATE_ON_FILL);
}

Test(observe, what_is_off_is_not_declared)
{
	struct observe_config some = { .contention = true };

	cr_assert(observe_any(&some));
	cr_assert_not(observe_any(&(struct observe_config){ 0 }));
	stats = stat_tree_new();
	observer = cache_observer_new(&some, 4, "observe.l1", 0, stats);
	cr_assert_eq(count("observe.l1.contention::total"), 0);
	cr_assert(stat_value(stats, NULL, "observe.l1.misses::total") !=
		stat_value(stats, NULL, "observe.l1.misses::total"));
	destroy_l2();
}
