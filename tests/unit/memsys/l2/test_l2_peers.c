/* The L2 bypass policies that MeDiC is compared with, asked directly, request by request: PCAL, PC-Byp and
 * Rand. */
#include "memsys/l2_bypass/l2_bypass.h"
#include "tests/unit/memsys/l2/l2_policy_rig.h"
#include <math.h>

static const struct policy_class *blank_bypass(const char *name)
{
	const struct policy_class *class = named(&l2_bypass_interface, name);

	prototype = policy_blank(&l2_bypass_interface, class);
	stats = stat_tree_new();
	return class;
}

static void end_bypass(struct l2_bypass *b)
{
	stat_tree_free(stats);
	l2_bypass_free(b);
	policy_prototype_free(prototype);
}

/* Whether the policy sends a request past: of a warp of SM 1, of an instruction of launch 1. */
static bool bypasses(struct l2_bypass *b, uint16_t warp, uint32_t uop, cycles now)
{
	struct packet p = { .kind = PACKET_READ,
		.by = { .sm = 1, .warp = warp, .launch = 1, .lanes = 1, .uop_index = uop } };

	return l2_bypass_asks(b, &p, now);
}

static void expect_others_kept(struct l2_bypass *b, const char *statistic)
{
	struct packet fetch = { .by = { .sm = 1, .warp = 3 } },
		      from_none = { .by = { .sm = REQUESTER_NO_SM } },
		      beyond = { .by = { .sm = 1, .warp = 48, .lanes = 1 } };
	uint64_t before = count(statistic);

	cr_assert_not(l2_bypass_asks(b, &fetch, 1), "an instruction fetch serves no thread");
	cr_assert_not(l2_bypass_asks(b, &from_none, 1));
	cr_assert_not(l2_bypass_asks(b, &beyond, 1));
	cr_assert_eq(count(statistic), before + 3);
}

/* ---- PCAL ---- */

static struct l2_bypass *pcal(uint32_t tokens)
{
	const struct policy_class *class = blank_bypass("pcal");

	set_u32(class, "tokens", tokens);
	return l2_bypass_new(prototype, &machine, 0, stats);
}

/* By slot the third warp, of another SM, is the first: it has a token. */
Test(l2_peers, pcal_by_slot_takes_warps_in_the_same_slot_of_all_sms_for_one)
{
	const struct policy_class *class = blank_bypass("pcal");
	struct l2_bypass *b;
	struct packet p = { .by = { .sm = 0, .warp = 1, .lanes = 1 } };

	set_u32(class, "tokens", 1);
	set_u32(class, "by", 1);
	b = l2_bypass_new(prototype, &machine, 0, stats);
	cr_assert_not(l2_bypass_asks(b, &p, 1));
	p.by.sm = 1;
	cr_assert_not(l2_bypass_asks(b, &p, 2), "the same slot");
	p.by.warp = 2;
	cr_assert(l2_bypass_asks(b, &p, 3), "another one");
	end_bypass(b);
}

/* Two tokens, three warps: the first two that ask get them, the third bypasses. */
Test(l2_peers, pcal_gives_its_tokens_to_the_first_warps_and_the_others_bypass)
{
	struct l2_bypass *b = pcal(2);

	cr_assert_not(bypasses(b, 1, 0, 10));
	cr_assert_not(bypasses(b, 2, 0, 20));
	cr_assert(bypasses(b, 3, 0, 30));
	cr_assert(bypasses(b, 3, 0, 40));
	cr_assert_not(bypasses(b, 1, 0, 50));
	cr_assert_eq(count("l2.bypass.pcal.decisions::demand"), 2);
	cr_assert_eq(count("l2.bypass.pcal.decisions::token"), 1);
	cr_assert_eq(count("l2.bypass.pcal.decisions::bypass"), 2);
	cr_assert_eq(count("l2.bypass.pcal.hand_outs"), 0);
	end_bypass(b);
}

/* Warps 1 and 2 have the tokens; 2 falls silent. When 1 comes back after a pause of more than 10000 cycles,
 * the most recently active are 1 itself and 3: a token moves from 2 to 3. */
Test(l2_peers, pcal_moves_tokens_to_the_most_recent_warps_when_a_pause_ends)
{
	struct l2_bypass *b = pcal(2);

	bypasses(b, 1, 0, 10);
	bypasses(b, 2, 0, 20);
	cr_assert(bypasses(b, 3, 0, 10000));
	cr_assert_not(bypasses(b, 1, 0, 10011), "a pause of 10001 cycles");
	cr_assert_eq(count("l2.bypass.pcal.decisions::idle_gap"), 1);
	cr_assert_eq(count("l2.bypass.pcal.tokens_moved"), 1);
	cr_assert_not(bypasses(b, 3, 0, 10012));
	cr_assert(bypasses(b, 2, 0, 10013), "a pause of 9993 cycles, and no token any more");
	cr_assert_eq(count("l2.bypass.pcal.hand_outs"), 1);
	end_bypass(b);
}

Test(l2_peers, pcal_hands_out_nothing_after_a_pause_of_just_the_limit)
{
	struct l2_bypass *b = pcal(1);

	bypasses(b, 1, 0, 10);
	bypasses(b, 2, 0, 10);
	cr_assert(bypasses(b, 2, 0, 10010));
	cr_assert_eq(count("l2.bypass.pcal.hand_outs"), 0);
	cr_assert_not(bypasses(b, 2, 0, 20011), "the request that ends the pause does not bypass");
	cr_assert_not(bypasses(b, 2, 0, 20012), "and its warp has the token now");
	cr_assert(bypasses(b, 1, 0, 10010));
	end_bypass(b);
}

/* Before warp 4 asks, a pause ends: three warps are known, and the fourth token is left over. */
Test(l2_peers, pcal_gives_away_what_is_left_over)
{
	struct l2_bypass *b = pcal(4);

	for (uint16_t warp = 1; warp <= 3; warp++)
		bypasses(b, warp, 0, 10);
	bypasses(b, 2, 0, 20000);
	cr_assert_eq(count("l2.bypass.pcal.tokens_moved"), 0);
	cr_assert_not(bypasses(b, 4, 0, 20000));
	cr_assert(bypasses(b, 5, 0, 20000));
	cr_assert_eq(count("l2.bypass.pcal.decisions::demand"), 4);
	expect_others_kept(b, "l2.bypass.pcal.decisions::no_warp");
	end_bypass(b);
}

/* The model keeps a list; here the warps are sorted by their last requests. */
Test(l2_peers, pcal_agrees_with_sorting)
{
	struct l2_bypass *b = pcal(5);
	cycles last[20] = { 0 }, now = 1;
	bool has[20] = { false };
	uint32_t given = 0;

	srand(1);
	for (int i = 0; i < 20000; i++) {
		uint32_t w = (uint32_t)rand() % 20;
		bool expected, pause;

		now += rand() % 500 ? 1 + (cycles)(rand() % 20) : 9990;
		pause = last[w] && now - last[w] > 10000;
		last[w] = now;
		if (pause) {
			given = 0;
			for (uint32_t x = 0; x < 20; x++) {
				uint32_t newer = 0;

				for (uint32_t y = 0; y < 20; y++)
					newer += last[y] > last[x];
				has[x] = last[x] && newer < 5;
				given += has[x];
			}
		}
		expected = !pause && !has[w] && given == 5;
		if (!pause && !has[w] && given < 5) {
			has[w] = true;
			given++;
		}
		cr_assert_eq(bypasses(b, (uint16_t)w, 0, now), expected, "request %d", i);
	}
	cr_assert_gt(count("l2.bypass.pcal.tokens_moved"), 10);
	end_bypass(b);
}

/* ---- PC-Byp ---- */

static struct l2_bypass *pcbyp(uint32_t entries)
{
	const struct policy_class *class = blank_bypass("pcbyp");

	set_u32(class, "entries", entries);
	return l2_bypass_new(prototype, &machine, 0, stats);
}

/* So many requests of an instruction, of which the first `hits` hit. */
static void measure(struct l2_bypass *b, uint32_t uop, uint32_t launch, uint32_t requests, uint32_t hits)
{
	struct packet p = { .kind = PACKET_READ,
		.by = { .sm = 1, .warp = 2, .launch = launch, .lanes = 1, .uop_index = uop } };

	for (uint32_t i = 0; i < requests; i++)
		b->class->looked_up(b, &p, i < hits ? L2_HIT : L2_MISS, i < hits, 0);
}

/* Instruction 5 hits in 9 of 100 requests, instruction 6 in 90. */
Test(l2_peers, pcbyp_decides_for_each_instruction_where_the_table_is_large)
{
	struct l2_bypass *b = pcbyp(65535);

	measure(b, 5, 1, 101, 9);
	measure(b, 6, 1, 101, 90);
	cr_assert(bypasses(b, 1, 5, 0));
	cr_assert_not(bypasses(b, 1, 6, 0));
	cr_assert_eq(count("l2.bypass.pcbyp.collisions"), 0);
	cr_assert_eq(count("l2.bypass.pcbyp.entries_used"), 2);
	cr_assert_eq(count("l2.bypass.pcbyp.entries_shared"), 0);
	expect_others_kept(b, "l2.bypass.pcbyp.decisions::no_warp");
	end_bypass(b);
}

/* On one entry the two have 99 hits in 202 requests: the first is kept, wrongly. */
Test(l2_peers, pcbyp_decides_wrongly_where_two_instructions_share_an_entry)
{
	struct l2_bypass *b = pcbyp(1);

	measure(b, 5, 1, 101, 9);
	measure(b, 6, 1, 101, 90);
	cr_assert_not(bypasses(b, 1, 5, 0));
	cr_assert_not(bypasses(b, 1, 6, 0));
	cr_assert_eq(count("l2.bypass.pcbyp.collisions"), 1);
	measure(b, 5, 1, 1000, 0);
	cr_assert(bypasses(b, 1, 6, 0), "99 hits in 1202 requests: the second bypasses, wrongly");
	cr_assert_eq(count("l2.bypass.pcbyp.collisions"), 2);
	cr_assert_eq(count("l2.bypass.pcbyp.entries_used"), 1);
	cr_assert_eq(count("l2.bypass.pcbyp.entries_shared"), 1);
	end_bypass(b);
}

/* More than 100 requests, and a ratio below 0.20, not equal to it. */
Test(l2_peers, pcbyp_compares_strictly_and_after_its_warm_up)
{
	struct l2_bypass *b = pcbyp(65535);

	measure(b, 5, 1, 100, 0);
	cr_assert_not(bypasses(b, 1, 5, 0));
	measure(b, 5, 1, 1, 0);
	cr_assert(bypasses(b, 1, 5, 0));
	measure(b, 6, 1, 105, 21);
	cr_assert_not(bypasses(b, 1, 6, 0), "21 of 105 are 0.20");
	measure(b, 6, 1, 1, 0);
	cr_assert(bypasses(b, 1, 6, 0));
	measure(b, 6, 1, 100, 100);
	cr_assert_not(bypasses(b, 1, 6, 0), "it recovers");
	cr_assert_eq(count("l2.bypass.pcbyp.decisions::warmup"), 1);
	cr_assert_eq(count("l2.bypass.pcbyp.decisions::keep"), 2);
	cr_assert_eq(count("l2.bypass.pcbyp.decisions::bypass"), 2);
	end_bypass(b);
}

/* Launches 1 and 3 are of one kernel, 2 of another. */
Test(l2_peers, pcbyp_tells_kernels_apart_and_launches_of_one_kernel_not)
{
	struct l2_bypass *b = pcbyp(65535);

	policy_kernel_started(b, "gather", 1, 0);
	policy_kernel_started(b, "scatter", 2, 0);
	policy_kernel_started(b, "gather", 3, 0);
	measure(b, 5, 2, 101, 0);
	cr_assert_not(bypasses(b, 1, 5, 0), "instruction 5 of the other kernel");
	measure(b, 5, 3, 101, 0);
	cr_assert(bypasses(b, 1, 5, 0));
	cr_assert_eq(count("l2.bypass.pcbyp.entries_used"), 2);
	end_bypass(b);
}

Test(l2_peers, pcbyp_can_tell_warps_apart)
{
	const struct policy_class *class = blank_bypass("pcbyp");
	struct l2_bypass *b;

	set_u32(class, "entries", 65535);
	*(bool *)parameter(class, "with_warp") = true;
	b = l2_bypass_new(prototype, &machine, 0, stats);
	measure(b, 5, 1, 101, 0);
	cr_assert_not(bypasses(b, 1, 5, 0), "warp 1");
	cr_assert(bypasses(b, 2, 5, 0), "warp 2, which was measured");
	end_bypass(b);
}

/* ---- Rand ---- */

static uint32_t draws(double rate, uint32_t slice, uint64_t seed, uint32_t requests, uint64_t *pattern)
{
	const struct policy_class *class = blank_bypass("random");
	struct l2_config seeded = machine;
	struct l2_bypass *b;
	uint32_t bypassed = 0;

	seeded.seed = seed;
	*(double *)parameter(class, "rate") = rate;
	b = l2_bypass_new(prototype, &seeded, slice, stats);
	*pattern = 0;
	for (uint32_t i = 0; i < requests; i++) {
		bool yes = bypasses(b, 1, 0, i);

		bypassed += yes;
		*pattern = *pattern * 3 + yes;
	}
	expect_others_kept(b, "l2.bypass.random.no_warp");
	cr_assert_eq(count("l2.bypass.random.bypass"), bypassed);
	cr_assert_eq(count("l2.bypass.random.keep"), requests - bypassed);
	end_bypass(b);
	return bypassed;
}

/* Within four standard deviations of the binomial distribution. */
Test(l2_peers, rand_bypasses_the_share_that_it_should)
{
	static const double rates[] = { 0.01, 0.1, 0.5, 0.9 };
	const uint32_t n = 100000;
	uint64_t pattern;

	for (uint32_t i = 0; i < 4; i++) {
		double bypassed = draws(rates[i], 0, 1, n, &pattern);

		cr_assert(fabs(bypassed - n * rates[i]) < 4 * sqrt(n * rates[i] * (1 - rates[i])),
			"rate %g: %g of %u", rates[i], bypassed, n);
	}
	cr_assert_eq(draws(0, 0, 1, n, &pattern), 0);
	cr_assert_eq(draws(1, 0, 1, n, &pattern), n);
}

Test(l2_peers, rand_repeats_with_its_seed_and_differs_between_slices)
{
	uint64_t first, again, slice, seed;

	draws(0.5, 0, 7, 1000, &first);
	draws(0.5, 0, 7, 1000, &again);
	draws(0.5, 1, 7, 1000, &slice);
	draws(0.5, 0, 8, 1000, &seed);
	cr_assert_eq(first, again);
	cr_assert_neq(first, slice);
	cr_assert_neq(first, seed);
}
