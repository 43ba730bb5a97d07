/* WIP (MeDiC): which line of a set goes, in three levels and by continuous ages. The warp's number decides
 * its type here. */
#include "memsys/insertion/insertion.h"
#include "memsys/warp_type/classifier.h"
#include "tests/unit/memsys/l2/l2_rig.h"

/* Warp w: of type w; its hit ratio is w tenths. */
static void by_number(struct classifier *c, struct packet *p, cycles now)
{
	p->warp_type = (uint8_t)(p->by.warp < WARP_TYPES ? p->by.warp : WARP_MOSTLY_HIT);
	p->warp_hit_ratio = (uint16_t)(p->by.warp * HIT_RATIO_ONE / 10);
}

static const struct classifier_class numbered = {
	.name = "numbered", .size = sizeof(struct classifier), .classify = by_number
};

static void *types, *policy;
static addr evicted[16];
static uint32_t evictions;

static void note_evicted(void *user, const struct eviction_event *event)
{
	evicted[evictions++] = event->line - 0x100000;
}

static struct cache_listener listener = { .evicted = note_evicted };

/* A slice of one set. */
static void build_one_set(const char *name, uint32_t ways)
{
	struct l2_config c = config();

	types = policy_blank(&classifier_interface, &numbered.policy);
	for (uint32_t i = 0; insertion_interface.classes[i]; i++)
		if (!strcmp(insertion_interface.classes[i]->name, name))
			policy = policy_blank(&insertion_interface, insertion_interface.classes[i]);
	c.classifier = types;
	c.insertion = policy;
	c.sets = 1;
	c.ways = ways;
	evictions = 0;
	listener.next = NULL;
	build(&c);
	l2_listen(slice, &listener);
}

static void end(void)
{
	destroy();
	policy_prototype_free(types);
	policy_prototype_free(policy);
}

#define LINE(cycle, by, number) \
	{ \
		.at = cycle, .kind = PACKET_READ, .local = (number)*128, .bytes = 128, .warp = by \
	}

/* Six ways. Mostly-hit brings in 0, balanced 1 and 2, mostly-miss 3, all-miss 4, all-hit 5; balanced uses
 * line 1 again. Six new lines of mostly-hit warps take the places of: 4, which entered at the LRU end after
 * 3; 3; then of the balanced 2, 1; then of the oldest of mostly-hit and all-hit: 0, 5. */
Test(wip, lines_of_mostly_miss_warps_go_first_then_balanced_then_the_others)
{
	static const struct script script[] = { LINE(0, WARP_MOSTLY_HIT, 0), LINE(100, WARP_BALANCED, 1),
		LINE(200, WARP_BALANCED, 2), LINE(300, WARP_MOSTLY_MISS, 3), LINE(400, WARP_ALL_MISS, 4),
		LINE(500, WARP_ALL_HIT, 5), LINE(600, WARP_BALANCED, 1), LINE(700, WARP_MOSTLY_HIT, 6),
		LINE(800, WARP_MOSTLY_HIT, 7), LINE(900, WARP_MOSTLY_HIT, 8), LINE(1000, WARP_MOSTLY_HIT, 9),
		LINE(1100, WARP_MOSTLY_HIT, 10), LINE(1200, WARP_MOSTLY_HIT, 11) };
	static const addr expected[] = { 4, 3, 2, 1, 0, 5 };

	build_one_set("wip_rank", 6);
	PLAY(script);
	cr_assert_eq(evictions, 6);
	for (uint32_t i = 0; i < 6; i++)
		cr_assert_eq(evicted[i], expected[i] * 128, "eviction %u: line %u", i,
			(unsigned)(evicted[i] / 128));
	cr_assert_eq(count("insertion.wip_rank.inserted::mostly_hit"), 8);
	cr_assert_eq(count("insertion.wip_rank.inserted::balanced"), 2);
	cr_assert_eq(count("insertion.wip_rank.inserted::mostly_miss"), 2);
	cr_assert_eq(count("warp_type.look_ups::balanced"), 3);
	cr_assert_eq(count("warp_type.look_ups::total"), 13);
	cr_assert_eq(count("warp_type.queue_delay::total"), count("mean_queue_delay") * 13);
	end();
}

/* Without warps of low utility WIP is LRU; what no warp asks for counts as that of a mostly-hit warp. */
Test(wip, is_lru_among_equals)
{
	static const struct script script[] = { LINE(0, WARP_UNTYPED, 0), LINE(100, WARP_MOSTLY_HIT, 1),
		LINE(200, WARP_UNTYPED, 0), LINE(300, WARP_ALL_HIT, 2) };

	build_one_set("wip_rank", 2);
	PLAY(script);
	cr_assert_eq(evictions, 1);
	cr_assert_eq(evicted[0], 128);
	end();
}

/* The age of a line: the time of its last use times the hit ratio of the warp that used it. */
Test(wip, the_continuous_age_is_time_times_hit_ratio)
{
	struct packet p = { .warp_type = WARP_BALANCED, .warp_hit_ratio = HIT_RATIO_ONE / 5 };
	struct packet always = { .warp_type = WARP_ALL_HIT, .warp_hit_ratio = HIT_RATIO_ONE };
	struct packet none = { .warp_type = WARP_UNTYPED };
	struct packet never = { .warp_type = WARP_ALL_MISS, .warp_hit_ratio = 0 };
	const struct insertion_class *class;
	uint64_t large = UINT64_C(1) << 50;

	build_one_set("wip", 2);
	class = ((struct insertion *)policy)->class;
	cr_assert_eq(class->stamp(policy, &p, 1000), 200);
	cr_assert_eq(class->stamp(policy, &p, 65535 * 5), 65535);
	cr_assert_eq(class->stamp(policy, &always, 1000), 1000);
	cr_assert_eq(class->stamp(policy, &none, 1000), 1000);
	cr_assert_eq(class->stamp(policy, &never, 1000), 0);
	cr_assert_leq(large - class->stamp(policy, &always, large), 0, "no overflow");
	end();
}

/* Warp 9 (0.9) uses line 0 at 1000, warp 5 (0.5) line 1 at 1500: ages 900 and 750, so line 1 goes though it
 * was used last. Then warp 5 uses line 2 at 2500 (1250): line 0 goes. */
Test(wip, continuous_ages_choose_the_victim)
{
	static const struct script script[] = { LINE(1000, 9, 0), LINE(1500, 5, 1), LINE(2000, 9, 2),
		LINE(2500, 5, 2), LINE(3000, 9, 3) };

	build_one_set("wip", 2);
	PLAY(script);
	cr_assert_eq(evictions, 2);
	cr_assert_eq(evicted[0], 128, "line 1");
	cr_assert_eq(evicted[1], 0, "line 0, of 900; line 2 had 1800, and has 1250 since its hit");
	cr_assert_eq(count("hits"), 1);
	end();
}

/* Position alone: a line of a mostly-miss warp that is used again is as good as any. Line 1 enters as the
 * first to go and is used; line 0, of a mostly-hit warp, is then the older one. By rank line 1 would go. */
Test(wip, by_position_a_used_line_stays_whoever_brought_it_in)
{
	static const struct script script[] = { LINE(0, WARP_MOSTLY_HIT, 0), LINE(100, WARP_MOSTLY_MISS, 1),
		LINE(200, WARP_BALANCED, 1), LINE(300, WARP_MOSTLY_MISS, 2), LINE(400, WARP_MOSTLY_HIT, 3) };

	build_one_set("wip_position", 2);
	PLAY(script);
	cr_assert_eq(evictions, 2);
	cr_assert_eq(evicted[0], 0, "line 0");
	cr_assert_eq(evicted[1], 2 * 128, "line 2 entered as the first to go");
	end();
}
