/* Warp types (MeDiC), asked directly, request by request: a slice of 4 sets of two ways, whose shadow
 * directory decides what hits. And WByp, which acts on the types. */
#include "memsys/l2_bypass/l2_bypass.h"
#include "memsys/warp_type/classifier.h"
#include "tests/unit/memsys/l2/l2_policy_rig.h"

static struct classifier *types;
static bool tags_have; /* what the slice's tags answer */
static addr fresh;     /* the last line that nobody had asked for */

static const struct policy_class *blank(void)
{
	const struct policy_class *class = named(&classifier_interface, "hit_ratio");

	prototype = policy_blank(&classifier_interface, class);
	stats = stat_tree_new();
	set_u32(class, "hits_in", 1); /* in the shadow directory */
	fresh = 0;
	return class;
}

static void start(void)
{
	types = classifier_new(prototype, &machine, 0, stats);
}

static void set_f64(const struct policy_class *class, const char *name, double value)
{
	memcpy(parameter(class, name), &value, sizeof(value));
}

static void set_u64(const struct policy_class *class, const char *name, uint64_t value)
{
	memcpy(parameter(class, name), &value, sizeof(value));
}

static void set_bool(const struct policy_class *class, const char *name, bool value)
{
	memcpy(parameter(class, name), &value, sizeof(value));
}

static void end(void)
{
	stat_tree_free(stats);
	classifier_free(types);
	policy_prototype_free(prototype);
}

static struct packet request(uint16_t warp, addr local, cycles now)
{
	struct packet p = { .kind = PACKET_READ,
		.local = local,
		.by = { .sm = 1, .warp = warp, .cta = 5, .launch = 1, .lanes = 1 } };

	classifier_classify(types, &p, tags_have, now);
	return p;
}

/* A hit: line 0, in set 0, where nothing else goes. A miss: a line of set 1 that is new. */
static struct packet hit(uint16_t warp, cycles now)
{
	return request(warp, 0, now);
}
static struct packet miss(uint16_t warp, cycles now)
{
	fresh += 4 * 128;
	return request(warp, fresh + 128, now);
}

/* So many misses, then so many hits, one in a cycle; the last one. */
static struct packet stream(uint16_t warp, uint32_t misses, uint32_t hits, cycles now)
{
	struct packet p = { 0 };

	for (uint32_t i = 0; i < misses; i++)
		p = miss(warp, now++);
	for (uint32_t i = 0; i < hits; i++)
		p = hit(warp, now++);
	return p;
}

static void start_with_warmup(uint32_t warmup)
{
	set_u32(blank(), "warmup", warmup);
	start();
	hit(47, 0); /* brings line 0 in */
}

/* Thresholds 0.70 and 0.20, of 10 requests each. */
Test(warp_type, the_hit_ratio_decides)
{
	static const struct {
		uint32_t hits;
		enum warp_type type;
	} cases[] = { { 0, WARP_ALL_MISS }, { 1, WARP_MOSTLY_MISS }, { 2, WARP_MOSTLY_MISS },
		{ 3, WARP_BALANCED }, { 6, WARP_BALANCED }, { 7, WARP_MOSTLY_HIT }, { 9, WARP_MOSTLY_HIT },
		{ 10, WARP_ALL_HIT } };

	start_with_warmup(9);
	for (uint16_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct packet p = stream(i, 10 - cases[i].hits, cases[i].hits, 100);

		cr_assert_eq(
			p.warp_type, cases[i].type, "%u hits of 10: type %u", cases[i].hits, p.warp_type);
		cr_assert_eq(p.warp_hit_ratio, cases[i].hits * HIT_RATIO_ONE / 10);
		cr_assert_eq(p.probe_hit, cases[i].hits > 0);
	}
	cr_assert_eq(count("l2.warp_type.hit_ratio.requests::mostly_miss"), 2);
	cr_assert_eq(count("l2.warp_type.hit_ratio.requests::all_hit"), 1);
	end();
}

Test(warp_type, a_warp_is_balanced_until_its_warmup_has_passed)
{
	struct packet p;

	start_with_warmup(100);
	p = stream(3, 100, 0, 1);
	cr_assert_eq(p.warp_type, WARP_BALANCED);
	cr_assert_eq(p.warp_hit_ratio, HIT_RATIO_ONE, "not known yet: as if it always hit");
	p = miss(3, 200);
	cr_assert_eq(p.warp_type, WARP_ALL_MISS, "request 101");
	cr_assert_eq(p.warp_hit_ratio, 0);
	p = hit(4, 200);
	cr_assert_eq(p.warp_type, WARP_BALANCED, "another warp");
	end();
}

/* The counts survive a gap of 10000 cycles, and not one of 10001. */
Test(warp_type, an_idle_gap_clears_the_counts)
{
	struct packet p;

	start_with_warmup(3);
	stream(3, 10, 0, 1);
	p = miss(3, 10 + 10000);
	cr_assert_eq(p.warp_type, WARP_ALL_MISS);
	cr_assert_eq(count("l2.warp_type.hit_ratio.clears"), 0);
	p = hit(3, 10 + 10000 + 10001);
	cr_assert_eq(p.warp_type, WARP_BALANCED, "its first request");
	cr_assert_eq(count("l2.warp_type.hit_ratio.clears"), 1);
	p = stream(3, 0, 3, 30000);
	cr_assert_eq(p.warp_type, WARP_ALL_HIT, "it has recovered: the misses before the gap are forgotten");
	end();
}

static enum warp_type type_of(uint16_t sm, uint16_t warp, bool has)
{
	struct packet p = { .kind = PACKET_READ,
		.by = { .sm = sm, .warp = warp, .cta = 5, .launch = 1, .lanes = 1 } };

	classifier_classify(types, &p, has, 1);
	return p.warp_type;
}

/* The default, as released: hits in the slice's tags, of slot 3 of all SMs together; or of each SM apart. */
Test(warp_type, warps_in_one_slot_of_all_sms_are_one_or_not)
{
	for (uint32_t apart = 0; apart < 2; apart++) {
		const struct policy_class *class = blank();

		set_u32(class, "hits_in", 0);
		set_u32(class, "warmup", 3);
		set_u32(class, "by", !apart);
		start();
		for (int i = 0; i < 3; i++)
			cr_assert_eq(type_of(0, 3, false), WARP_BALANCED);
		cr_assert_eq(type_of(1, 3, false), apart ? WARP_BALANCED : WARP_ALL_MISS);
		cr_assert_eq(type_of(1, 4, false), WARP_BALANCED, "another slot");
		end();
	}
	prototype = policy_blank(&classifier_interface, named(&classifier_interface, "hit_ratio"));
	stats = stat_tree_new();
	start();
	cr_assert_not(types->has_shadow, "the released rule is the default");
	for (int i = 0; i < 101; i++)
		type_of((uint16_t)(i % 2), 3, i < 2);
	cr_assert_eq(type_of(0, 3, false), WARP_MOSTLY_MISS, "2 hits of 102: what the tags answer counts");
	end();
}

/* A warp of another CTA uses the slot: it goes on with the counts, or starts anew. */
Test(warp_type, a_new_warp_inherits_the_counts_of_its_slot_or_not)
{
	for (int clears = 0; clears < 2; clears++) {
		const struct policy_class *class = blank();
		struct packet p = { .kind = PACKET_READ,
			.local = 64 * 1024,
			.by = { .sm = 1, .warp = 3, .cta = 6, .launch = 1, .lanes = 1 } };

		set_u32(class, "warmup", 3);
		set_bool(class, "clear_for_new_warp", clears);
		start();
		stream(3, 10, 0, 1);
		classifier_classify(types, &p, false, 20);
		cr_assert_eq(p.warp_type, clears ? WARP_BALANCED : WARP_ALL_MISS);
		end();
	}
}

Test(warp_type, requests_of_no_warp_have_no_type)
{
	struct packet fetch = { .kind = PACKET_READ, .by = { .sm = 1, .warp = 3, .launch = 1 } },
		      beyond = { .kind = PACKET_READ, .by = { .sm = REQUESTER_NO_SM, .lanes = 1 } };

	start_with_warmup(0);
	classifier_classify(types, &fetch, false, 1);
	classifier_classify(types, &beyond, false, 1);
	cr_assert_eq(fetch.warp_type, WARP_UNTYPED);
	cr_assert_eq(beyond.warp_type, WARP_UNTYPED);
	cr_assert_eq(count("l2.warp_type.hit_ratio.requests::untyped"), 2);
	end();
}

/* Intervals of 1000 cycles: in the first, 30 misses; in the second, 29 hits, too few to count; in the third
 * 30 hits. */
Test(warp_type, intervals_decide_for_the_next)
{
	const struct policy_class *class = blank();

	set_u32(class, "window", 1);
	set_u64(class, "interval", 1000);
	start();
	hit(47, 0);
	cr_assert_eq(stream(3, 30, 0, 1).warp_type, WARP_BALANCED, "nothing is known");
	cr_assert_eq(stream(3, 0, 29, 1000).warp_type, WARP_ALL_MISS);
	cr_assert_eq(stream(3, 0, 30, 2000).warp_type, WARP_ALL_MISS, "kept");
	cr_assert_eq(hit(3, 5000).warp_type, WARP_ALL_HIT);
	cr_assert_eq(hit(3, 5001).warp_hit_ratio, HIT_RATIO_ONE);
	end();
}

/* ---- the guard ---- */

static void outcomes(uint32_t hits, uint32_t misses, cycles now)
{
	struct packet p = { .kind = PACKET_READ }, store = { .kind = PACKET_WRITE };

	types->class->looked_up(types, &store, L2_STORE_MISS, now);
	while (hits--)
		types->class->looked_up(types, &p, L2_HIT, now);
	while (misses--)
		types->class->looked_up(types, &p, misses % 2 ? L2_MISS : L2_BYPASSED, now);
}

/* Miss rates of 10, 20, 24 and 10 %: the second is more than 5 points above the first and lowers the
 * threshold from 0.20 to 0.15, the third is not and raises it again. So 2 hits in 10 are mostly-miss, or not.
 */
Test(warp_type, the_guard_lowers_the_threshold_while_the_miss_rate_rises)
{
	const struct policy_class *class = blank();

	set_u32(class, "warmup", 9);
	set_u64(class, "interval", 1000);
	start();
	hit(47, 0);
	outcomes(90, 10, 10);
	outcomes(80, 20, 1010);
	cr_assert_eq(stream(1, 8, 2, 1500).warp_type, WARP_MOSTLY_MISS, "the second interval has not ended");
	outcomes(76, 24, 2010);
	cr_assert_eq(count("l2.warp_type.hit_ratio.lowered"), 1);
	cr_assert_eq(stream(2, 8, 2, 2500).warp_type, WARP_BALANCED);
	cr_assert_eq(stream(3, 9, 1, 2500).warp_type, WARP_MOSTLY_MISS, "0.1 is below 0.15");
	outcomes(90, 10, 3010);
	cr_assert_eq(count("l2.warp_type.hit_ratio.raised"), 1);
	cr_assert_eq(stream(4, 8, 2, 3500).warp_type, WARP_MOSTLY_MISS);
	outcomes(100, 0, 4010);
	cr_assert_eq(count("l2.warp_type.hit_ratio.raised"), 1, "not above its initial value");
	end();
}

Test(warp_type, thresholds_must_be_in_order)
{
	const struct policy_class *class = blank();
	struct l2_config c = machine;
	char message[256];

	c.classifier = prototype;
	cr_assert(l2_config_check(&c, message, sizeof(message)), "%s", message);
	set_f64(class, "mostly_miss", 0.7);
	cr_assert_not(l2_config_check(&c, message, sizeof(message)));
	cr_assert(strstr(message, "mostly_miss = 0.7"), "%s", message);
	start();
	end();
}

/* ---- WByp ---- */

static struct l2_bypass *wbyp(bool rescue)
{
	const struct policy_class *class = named(&l2_bypass_interface, "wbyp");

	prototype = policy_blank(&l2_bypass_interface, class);
	stats = stat_tree_new();
	set_bool(class, "rescue", rescue);
	return l2_bypass_new(prototype, &machine, 0, stats);
}

static void end_wbyp(struct l2_bypass *b)
{
	stat_tree_free(stats);
	l2_bypass_free(b);
	policy_prototype_free(prototype);
}

Test(warp_type, wbyp_sends_mostly_miss_and_all_miss_warps_past)
{
	struct l2_bypass *b = wbyp(false);

	for (uint8_t type = 0; type < WARP_TYPES; type++) {
		struct packet p = { .kind = PACKET_READ, .warp_type = type };

		cr_assert_eq(l2_bypass_asks(b, &p, 1), type == WARP_MOSTLY_MISS || type == WARP_ALL_MISS);
	}
	cr_assert_eq(count("l2.bypass.wbyp.wanted"), 2);
	end_wbyp(b);
}

/* Lines 1 and 2 bypass; line 1 comes back and is cached. Line 2 comes back too, but the shadow directory has
 * it: had nothing bypassed it would have hit, so the filter is not asked. */
Test(warp_type, wbyp_rescues_a_line_that_comes_back)
{
	struct l2_bypass *b = wbyp(true);
	struct packet one = { .kind = PACKET_READ, .local = 128, .warp_type = WARP_ALL_MISS };
	struct packet two = { .kind = PACKET_READ, .local = 256, .warp_type = WARP_MOSTLY_MISS };

	cr_assert(l2_bypass_asks(b, &one, 1));
	cr_assert(l2_bypass_asks(b, &two, 2));
	cr_assert_not(l2_bypass_asks(b, &one, 3), "rescued");
	two.probe_hit = true;
	cr_assert(l2_bypass_asks(b, &two, 4));
	cr_assert_eq(count("l2.bypass.wbyp.wanted"), 4);
	cr_assert_eq(count("l2.bypass.wbyp.rescued"), 1);
	end_wbyp(b);
}

/* The filter is emptied after 256 entries: what bypassed before is forgotten. */
Test(warp_type, wbyp_forgets_what_bypassed_long_ago)
{
	struct l2_bypass *b = wbyp(true);
	struct packet first = { .kind = PACKET_READ, .local = 0, .warp_type = WARP_ALL_MISS };

	cr_assert(l2_bypass_asks(b, &first, 1));
	for (uint32_t i = 1; i <= 256; i++) {
		struct packet p = { .kind = PACKET_READ, .local = i * 128, .warp_type = WARP_ALL_MISS };

		l2_bypass_asks(b, &p, 1 + i);
	}
	cr_assert(l2_bypass_asks(b, &first, 300), "it bypasses again");
	end_wbyp(b);
}
