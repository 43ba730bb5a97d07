/* tests/unit/frontend/analyse/test_cfg.c -- blocks and post-dominators of small graphs, drawn above each
 * test. */
#include "frontend/parse/arena.h"
#include "frontend/analyse/cfg.h"

#include <criterion/criterion.h>

static struct ptx_arena *arena;

static void set_up(void)
{
	arena = arena_new();
}

static void tear_down(void)
{
	arena_free(arena);
}

TestSuite(cfg, .init = set_up, .fini = tear_down);

struct step {
	uint8_t flow;
	uint32_t target;
};

#define BUILD(...) \
	build((const struct step[]){ __VA_ARGS__ }, \
		sizeof((struct step[]){ __VA_ARGS__ }) / sizeof(struct step))

static struct cfg *build(const struct step *steps, uint32_t count)
{
	uint8_t *flow = arena_alloc(arena, count + 1);
	uint32_t *target = arena_alloc(arena, (count + 1) * sizeof *target);

	for (uint32_t i = 0; i < count; i++) {
		flow[i] = steps[i].flow;
		target[i] = steps[i].target;
	}
	return cfg_build(flow, target, count, arena);
}

/* First instruction of the block where the threads that part at instruction i meet; CFG_NONE if nowhere. */
static uint32_t meet(const struct cfg *cfg, uint32_t i)
{
	uint32_t block = cfg->blocks[cfg->block_of[i]].post_dominator;

	return block == CFG_NONE ? CFG_NONE : cfg->blocks[block].first;
}

Test(cfg, no_instructions_make_no_blocks)
{
	cr_assert_eq(cfg_build(NULL, NULL, 0, arena)->count, 0);
}

Test(cfg, straight_code_is_one_block)
{
	struct cfg *cfg = BUILD({ CFG_NEXT, 0 }, { CFG_NEXT, 0 }, { CFG_STOP, 0 });

	cr_assert_eq(cfg->count, 1);
	cr_assert_eq(cfg->blocks[0].end, 3);
	cr_assert_eq(meet(cfg, 0), CFG_NONE);
}

Test(cfg, the_sides_of_a_diamond_meet_below_it)
{
	struct cfg *cfg =
		BUILD({ CFG_BRANCH, 3 }, { CFG_NEXT, 0 }, { CFG_JUMP, 4 }, { CFG_NEXT, 0 }, { CFG_STOP, 0 });

	cr_assert_eq(cfg->count, 4);
	cr_assert_eq(meet(cfg, 0), 4);
	cr_assert_eq(cfg->blocks[cfg->block_of[4]].predecessor_count, 2);
}

Test(cfg, a_branch_to_the_next_instruction_has_one_successor)
{
	struct cfg *cfg = BUILD({ CFG_BRANCH, 1 }, { CFG_STOP, 0 });

	cr_assert_eq(cfg->blocks[0].successor[0], 1);
	cr_assert_eq(cfg->blocks[0].successor[1], CFG_NONE);
	cr_assert_eq(meet(cfg, 0), 1);
}

Test(cfg, the_threads_of_a_loop_meet_behind_it)
{
	struct cfg *cfg = BUILD({ CFG_NEXT, 0 }, { CFG_NEXT, 0 }, { CFG_BRANCH, 1 }, { CFG_STOP, 0 });

	cr_assert_eq(meet(cfg, 2), 3);
}

/* 1: if (a) break; 2: if (b) continue; 3: ; 4: loop */
Test(cfg, breaks_meet_behind_the_loop_and_continues_at_its_end)
{
	struct cfg *cfg = BUILD({ CFG_NEXT, 0 }, { CFG_BRANCH, 5 }, { CFG_BRANCH, 4 }, { CFG_NEXT, 0 },
		{ CFG_BRANCH, 1 }, { CFG_STOP, 0 });

	cr_assert_eq(meet(cfg, 1), 5);
	cr_assert_eq(meet(cfg, 2), 4);
	cr_assert_eq(meet(cfg, 4), 5);
}

/* if (a) { if (b) x; else y; z } w */
Test(cfg, nested_ifs_meet_from_the_inside_out)
{
	struct cfg *cfg = BUILD({ CFG_BRANCH, 6 }, { CFG_BRANCH, 4 }, { CFG_NEXT, 0 }, { CFG_JUMP, 5 },
		{ CFG_NEXT, 0 }, { CFG_NEXT, 0 }, { CFG_STOP, 0 });

	cr_assert_eq(meet(cfg, 1), 5);
	cr_assert_eq(meet(cfg, 0), 6);
}

Test(cfg, sides_that_end_separately_meet_nowhere)
{
	struct cfg *cfg = BUILD({ CFG_BRANCH, 2 }, { CFG_STOP, 0 }, { CFG_STOP, 0 });

	cr_assert_eq(meet(cfg, 0), CFG_NONE);
}

Test(cfg, a_guarded_exit_does_not_keep_the_others_from_meeting)
{
	struct cfg *cfg = BUILD({ CFG_BRANCH, 3 }, { CFG_CUT, 0 }, { CFG_NEXT, 0 }, { CFG_STOP, 0 });

	cr_assert_eq(cfg->count, 4);
	cr_assert_eq(meet(cfg, 0), 3);
}

Test(cfg, unreachable_code_has_blocks_but_no_place_in_the_order)
{
	struct cfg *cfg = BUILD({ CFG_JUMP, 2 }, { CFG_NEXT, 0 }, { CFG_STOP, 0 });

	cr_assert_eq(cfg->count, 3);
	cr_assert_eq(cfg->order_count, 2);
	cr_assert_not(cfg->blocks[1].is_reachable);
	cr_assert_eq(meet(cfg, 0), 2);
}

Test(cfg, unreachable_code_does_not_change_where_the_others_meet)
{
	struct cfg *cfg = BUILD({ CFG_BRANCH, 3 }, { CFG_NEXT, 0 }, { CFG_JUMP, 4 }, { CFG_NEXT, 0 },
		{ CFG_STOP, 0 }, { CFG_BRANCH, 3 }, { CFG_STOP, 0 });

	cr_assert_eq(meet(cfg, 0), 4);
}

Test(cfg, an_infinite_loop_has_blocks_that_meet_nowhere)
{
	struct cfg *cfg = BUILD({ CFG_NEXT, 0 }, { CFG_NEXT, 0 }, { CFG_JUMP, 1 });

	cr_assert_eq(cfg->count, 2);
	cr_assert_eq(meet(cfg, 1), CFG_NONE);
}

Test(cfg, an_if_within_an_infinite_loop_meets_within_it)
{
	struct cfg *cfg =
		BUILD({ CFG_NEXT, 0 }, { CFG_BRANCH, 3 }, { CFG_NEXT, 0 }, { CFG_NEXT, 0 }, { CFG_JUMP, 1 });

	cr_assert_eq(meet(cfg, 1), 3);
}

Test(cfg, an_infinite_loop_on_one_side_leaves_no_meeting_point)
{
	struct cfg *cfg = BUILD({ CFG_BRANCH, 2 }, { CFG_JUMP, 1 }, { CFG_STOP, 0 });

	cr_assert_eq(meet(cfg, 0), CFG_NONE);
}

/* Post-dominators again by their definition: cutting b out leaves no way from a to an end. */
static bool ends_without(const struct cfg *cfg, uint32_t from, uint32_t cut, uint8_t *seen)
{
	if (from == cut || seen[from])
		return false;
	seen[from] = 1;
	if (cfg->blocks[from].successor[0] == CFG_NONE)
		return true;
	for (int s = 0; s < 2 && cfg->blocks[from].successor[s] != CFG_NONE; s++)
		if (ends_without(cfg, cfg->blocks[from].successor[s], cut, seen))
			return true;
	return false;
}

static bool post_dominates(const struct cfg *cfg, uint32_t b, uint32_t a)
{
	uint8_t seen[64] = { 0 };

	return a == b || !ends_without(cfg, a, b, seen);
}

static uint32_t random_state;

static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (random_state >> 8) % n;
}

static bool every_block_ends(const struct cfg *cfg)
{
	for (uint32_t i = 0; i < cfg->order_count; i++) {
		uint8_t seen[64] = { 0 };

		if (!ends_without(cfg, cfg->order[i], CFG_NONE, seen))
			return false;
	}
	return true;
}

Test(cfg, post_dominators_of_random_graphs_agree_with_their_definition)
{
	uint32_t checked = 0;

	for (random_state = 1; checked < 300;) {
		struct step steps[24];
		uint32_t count = 4 + random_below(20);

		for (uint32_t i = 0; i < count; i++)
			steps[i] = (struct step){ (uint8_t)(random_below(2) ? CFG_NEXT : CFG_BRANCH),
				random_below(count) };
		steps[random_below(count)].flow = CFG_STOP;
		steps[count - 1].flow = CFG_STOP;
		struct cfg *cfg = build(steps, count);

		if (!every_block_ends(cfg))
			continue;
		checked++;
		for (uint32_t i = 0; i < cfg->order_count; i++) {
			uint32_t a = cfg->order[i], immediate = cfg->blocks[a].post_dominator;

			if (immediate != CFG_NONE)
				cr_assert(post_dominates(cfg, immediate, a));
			for (uint32_t b = 0; b < cfg->count; b++)
				if (b != a && cfg->blocks[b].is_reachable && post_dominates(cfg, b, a)) {
					cr_assert_neq(immediate, CFG_NONE);
					cr_assert(post_dominates(cfg, b, immediate));
				}
		}
	}
}
