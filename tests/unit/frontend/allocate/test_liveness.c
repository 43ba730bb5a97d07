/* tests/unit/frontend/allocate/test_liveness.c -- live ranges, pressure, and that allocation never gives
 * two live registers one place. */
#include "frontend/allocate/allocate.h"
#include "frontend/parse/arena.h"

#include <criterion/criterion.h>
#include <string.h>

static struct ptx_arena *arena;

static void set_up(void)
{
	arena = arena_new();
}

static void tear_down(void)
{
	arena_free(arena);
}

TestSuite(liveness, .init = set_up, .fini = tear_down);

/* An instruction: up to three registers read, up to two written, in the notation 1 + register (0: none). */
struct step {
	uint8_t flow;
	uint32_t target;
	uint8_t flags;
	uint32_t reads[3], writes[2];
};

#define MOST_STEPS 64

struct program {
	struct cfg *cfg;
	struct live_code code;
	uint32_t first[MOST_STEPS + 1], operands[5 * MOST_STEPS];
	uint8_t reads[MOST_STEPS], flags[MOST_STEPS];
};

static struct liveness *find(struct program *p, const struct step *steps, uint32_t count, uint32_t registers)
{
	uint8_t flow[MOST_STEPS];
	uint32_t target[MOST_STEPS], n = 0;

	for (uint32_t i = 0; i < count; i++) {
		flow[i] = steps[i].flow;
		target[i] = steps[i].target;
		p->flags[i] = steps[i].flags;
		p->first[i] = n;
		for (int r = 0; r < 3; r++)
			if (steps[i].reads[r])
				p->operands[n++] = steps[i].reads[r] - 1;
		p->reads[i] = (uint8_t)(n - p->first[i]);
		for (int w = 0; w < 2; w++)
			if (steps[i].writes[w])
				p->operands[n++] = steps[i].writes[w] - 1;
	}
	p->first[count] = n;
	p->cfg = cfg_build(flow, target, count, arena);
	p->code = (struct live_code){ p->cfg, registers, p->first, p->operands, p->reads, p->flags };
	return liveness_find(&p->code, arena);
}

#define FIND(program, registers, ...) \
	find(&(program), (const struct step[]){ __VA_ARGS__ }, \
		sizeof((struct step[]){ __VA_ARGS__ }) / sizeof(struct step), registers)

static uint32_t pressure(const struct liveness *live)
{
	uint8_t weight[64];

	memset(weight, 1, sizeof weight);
	return liveness_pressure(live, weight, arena);
}

Test(liveness, a_value_lives_from_its_write_to_its_last_read)
{
	struct program p;
	struct liveness *live =
		FIND(p, 1, { .writes = { 1 } }, { .reads = { 1 } }, { .reads = { 1 } }, { .flow = CFG_STOP });

	cr_assert_not(liveness_is_live(live, 0, 0));
	cr_assert(liveness_is_live(live, 0, 1));
	cr_assert(liveness_is_live(live, 0, 4));
	cr_assert_not(liveness_is_live(live, 0, 5));
}

Test(liveness, a_result_that_nobody_reads_lives_while_it_is_written)
{
	struct program p;
	struct liveness *live = FIND(p, 1, { .writes = { 1 } }, { .flow = CFG_STOP });

	cr_assert(liveness_is_live(live, 0, 1));
	cr_assert_not(liveness_is_live(live, 0, 2));
}

Test(liveness, between_two_uses_a_rewritten_register_has_a_hole)
{
	struct program p;
	struct liveness *live = FIND(p, 1, { .writes = { 1 } }, { .reads = { 1 } }, { .flow = CFG_NEXT },
		{ .writes = { 1 } }, { .reads = { 1 } }, { .flow = CFG_STOP });

	cr_assert_not(liveness_is_live(live, 0, 4));
	cr_assert(liveness_is_live(live, 0, 7));
}

Test(liveness, a_guarded_write_does_not_end_the_old_value)
{
	struct program p;
	struct liveness *live = FIND(p, 1, { .writes = { 1 } }, { .flow = CFG_NEXT },
		{ .flags = LIVE_CONDITIONAL, .writes = { 1 } }, { .reads = { 1 } }, { .flow = CFG_STOP });

	cr_assert(liveness_is_live(live, 0, 2));
	cr_assert(liveness_is_live(live, 0, 4));
}

Test(liveness, a_guarded_first_write_begins_the_value)
{
	struct program p;
	struct liveness *live = FIND(p, 1, { .flow = CFG_NEXT },
		{ .flags = LIVE_CONDITIONAL, .writes = { 1 } }, { .reads = { 1 } }, { .flow = CFG_STOP });

	cr_assert_not(liveness_is_live(live, 0, 1));
	cr_assert(liveness_is_live(live, 0, 3));
}

Test(liveness, a_value_used_by_the_next_round_lives_through_the_whole_loop)
{
	struct program p;
	struct liveness *live = FIND(p, 2, { .writes = { 1 } }, { .reads = { 1 }, .writes = { 2 } },
		{ .reads = { 2 } }, { .flow = CFG_BRANCH, .target = 1 }, { .flow = CFG_STOP });

	for (uint32_t position = 1; position < 8; position++)
		cr_assert(liveness_is_live(live, 0, position));
	cr_assert_not(liveness_is_live(live, 0, 8));
	cr_assert_not(liveness_is_live(live, 1, 6));
}

Test(liveness, a_value_lives_only_on_the_side_that_reads_it)
{
	struct program p;
	struct liveness *live =
		FIND(p, 1, { .writes = { 1 } }, { .flow = CFG_BRANCH, .target = 4 }, { .reads = { 1 } },
			{ .flow = CFG_JUMP, .target = 5 }, { .flow = CFG_NEXT }, { .flow = CFG_STOP });

	cr_assert(liveness_is_live(live, 0, 3));
	cr_assert(liveness_is_live(live, 0, 4));
	cr_assert_not(liveness_is_live(live, 0, 8));
}

Test(liveness, unreachable_code_keeps_nothing_alive)
{
	struct program p;
	struct liveness *live = FIND(p, 1, { .writes = { 1 } }, { .flow = CFG_JUMP, .target = 3 },
		{ .reads = { 1 } }, { .flow = CFG_STOP });

	cr_assert_not(liveness_is_live(live, 0, 2));
}

Test(liveness, pressure_counts_what_is_live_at_one_place)
{
	struct program p;
	struct liveness *live = FIND(p, 4, { .writes = { 1 } }, { .writes = { 2 } }, { .writes = { 3 } },
		{ .reads = { 1, 2 }, .writes = { 4 } }, { .reads = { 3, 4 } }, { .flow = CFG_STOP });
	uint8_t wide[4] = { 2, 1, 1, 1 };

	cr_assert_eq(pressure(live), 3);
	cr_assert_eq(liveness_pressure(live, wide, arena), 4);
}

Test(liveness, a_result_may_take_the_place_of_a_source_that_dies)
{
	struct program p;
	struct liveness *live = FIND(p, 2, { .writes = { 1 } }, { .reads = { 1 }, .writes = { 2 } },
		{ .reads = { 2 } }, { .flow = CFG_STOP });
	struct allocation *a = allocate_rows(live, (const uint8_t[]){ 1, 1 }, arena);

	cr_assert_eq(a->places, 1);
}

Test(liveness, an_early_result_takes_the_place_of_no_source)
{
	struct program p;
	struct liveness *live =
		FIND(p, 2, { .writes = { 1 } }, { .flags = LIVE_EARLY, .reads = { 1 }, .writes = { 2 } },
			{ .reads = { 2 } }, { .flow = CFG_STOP });
	struct allocation *a = allocate_rows(live, (const uint8_t[]){ 1, 1 }, arena);

	cr_assert_eq(a->places, 2);
}

Test(liveness, wide_registers_are_aligned)
{
	struct program p;
	struct liveness *live = FIND(p, 3, { .writes = { 1 } }, { .writes = { 2 } }, { .writes = { 3 } },
		{ .reads = { 1, 2, 3 } }, { .flow = CFG_STOP });
	struct allocation *a = allocate_rows(live, (const uint8_t[]){ 1, 2, 4 }, arena);

	cr_assert_eq(a->location[0], 0);
	cr_assert_eq(a->location[1], 2);
	cr_assert_eq(a->location[2], 4);
	cr_assert_eq(a->places, 8);
}

Test(liveness, a_short_value_fits_into_the_hole_of_a_long_one)
{
	struct program p;
	struct liveness *live = FIND(p, 2, { .writes = { 1 } }, { .reads = { 1 } }, { .writes = { 2 } },
		{ .reads = { 2 } }, { .writes = { 1 } }, { .reads = { 1 } }, { .flow = CFG_STOP });
	struct allocation *a = allocate_rows(live, (const uint8_t[]){ 1, 1 }, arena);

	cr_assert_eq(a->places, 1);
}

static uint32_t random_state;

static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (random_state >> 8) % n;
}

static void make_random(struct step *steps, uint32_t count, uint32_t registers)
{
	for (uint32_t i = 0; i < count; i++) {
		steps[i] = (struct step){ .flow = (uint8_t)(random_below(5) ? CFG_NEXT
							  : random_below(6) ? CFG_BRANCH
									    : CFG_JUMP),
			.target = random_below(count),
			.flags = (uint8_t)(random_below(4) ? 0 : 1 + random_below(3)) };
		for (uint32_t r = random_below(4); r-- > 0;)
			steps[i].reads[r] = 1 + random_below(registers);
		for (uint32_t w = random_below(3); w-- > 0;)
			steps[i].writes[w] = 1 + random_below(registers);
	}
	steps[count - 1].flow = CFG_STOP;
}

/* Runs the program along a random path twice: with registers of their own, and with the places that
 * allocation gave them. Every write stores a fresh number; every read of something written must find the same
 * one. Results are written before the sources are read where LIVE_EARLY says that it may happen. */
static void check_by_running(
	const struct step *steps, uint32_t count, const struct allocation *a, const uint8_t *size)
{
	uint32_t own[16] = { 0 }, places[64] = { 0 }, fresh = 0;

	for (uint32_t i = 0, n = 0; n < 200; n++) {
		const struct step *s = &steps[i];
		bool happens = !(s->flags & LIVE_CONDITIONAL) || random_below(2);
		uint32_t seen[3] = { 0 };

		for (int r = 0; r < 3; r++)
			if (s->reads[r])
				seen[r] = own[s->reads[r] - 1];
		for (int half = 0; half < 2; half++) {
			bool writes = half == !(s->flags & LIVE_EARLY);

			for (int w = 0; writes && happens && w < 2; w++) {
				uint32_t reg = s->writes[w] - 1;

				for (uint32_t k = 0; s->writes[w] && k < size[reg]; k++)
					places[a->location[reg] + k] = fresh + 1;
				if (s->writes[w])
					own[reg] = ++fresh;
			}
			for (int r = 0; !writes && r < 3; r++)
				for (uint32_t k = 0; seen[r] && k < size[s->reads[r] - 1]; k++) {
					bool self = (s->flags & LIVE_EARLY) &&
						(s->reads[r] == s->writes[0] || s->reads[r] == s->writes[1]);

					if (!self)
						cr_assert_eq(
							places[a->location[s->reads[r] - 1] + k], seen[r]);
				}
		}
		if (s->flow == CFG_STOP)
			return;
		i = s->flow == CFG_JUMP || (s->flow == CFG_BRANCH && random_below(2)) ? s->target : i + 1;
	}
}

Test(liveness, random_programs_run_the_same_in_allocated_places)
{
	random_state = 7;
	for (int round = 0; round < 3000; round++) {
		struct program p;
		struct step steps[32];
		uint8_t size[10];
		uint32_t count = 3 + random_below(29);

		make_random(steps, count, 10);
		for (int r = 0; r < 10; r++)
			size[r] = (uint8_t)(1u << random_below(3));
		struct allocation *a = allocate_rows(find(&p, steps, count, 10), size, arena);

		for (int path = 0; path < 5; path++)
			check_by_running(steps, count, a, size);
		arena_reset(arena);
	}
}

Test(liveness, no_two_registers_live_at_once_share_a_place)
{
	random_state = 99;
	for (int round = 0; round < 500; round++) {
		struct program p;
		struct step steps[32];
		uint8_t size[10];
		uint32_t count = 3 + random_below(29);

		make_random(steps, count, 10);
		for (int r = 0; r < 10; r++)
			size[r] = (uint8_t)(1u << random_below(3));
		struct liveness *live = find(&p, steps, count, 10);
		struct allocation *a = allocate_rows(live, size, arena);

		for (uint32_t position = 0; position < 2 * count; position++) {
			bool taken[64] = { false };

			for (uint32_t r = 0; r < 10; r++)
				for (uint32_t k = 0; liveness_is_live(live, r, position) && k < size[r];
					k++) {
					cr_assert_not(taken[a->location[r] + k]);
					taken[a->location[r] + k] = true;
				}
		}
		arena_reset(arena);
	}
}

/* A lane of a wide register covers words that are other lanes of a narrow one: lanes on the two sides of a
 * divergent branch would overwrite each other, though no thread needs both. */
Test(liveness, registers_of_different_sizes_never_share_a_place)
{
	random_state = 7;
	for (int round = 0; round < 500; round++) {
		struct program p;
		struct step steps[32];
		uint8_t size[10], owner[64] = { 0 };
		uint32_t count = 3 + random_below(29);

		make_random(steps, count, 10);
		for (int r = 0; r < 10; r++)
			size[r] = (uint8_t)(1u << random_below(3));
		struct liveness *live = find(&p, steps, count, 10);
		struct allocation *a = allocate_rows(live, size, arena);

		for (uint32_t r = 0; r < 10; r++)
			for (uint32_t k = 0; live->ranges[r] && k < size[r]; k++) {
				cr_assert(!owner[a->location[r] + k] || owner[a->location[r] + k] == size[r]);
				owner[a->location[r] + k] = size[r];
			}
		arena_reset(arena);
	}
}

static size_t bytes_of(const struct ptx_arena *a)
{
	size_t bytes = 0;

	for (const struct arena_chunk *c = a->chunks; c; c = c->next)
		bytes += c->size;
	return bytes;
}

/* Block b writes register b and branches over one instruction; behind all blocks, all registers are read. */
static struct liveness *find_wide(uint32_t registers, struct cfg **cfg)
{
	uint32_t count = 4 * registers + 1, n = 0;
	uint32_t *first = arena_alloc(arena, (count + 1) * sizeof *first);
	uint32_t *operands = arena_alloc(arena, count * sizeof *operands);
	uint32_t *target = arena_alloc(arena, count * sizeof *target);
	uint8_t *flow = arena_alloc(arena, count), *reads = arena_alloc(arena, count);
	uint8_t *flags = arena_alloc(arena, count);
	struct live_code code = { NULL, registers, first, operands, reads, flags };

	for (uint32_t i = 0; i < count; i++) {
		uint32_t reg = i < 3 * registers ? i / 3 : i - 3 * registers;

		first[i] = n;
		flow[i] = i + 1 == count ? CFG_STOP : i < 3 * registers && i % 3 == 1 ? CFG_BRANCH : CFG_NEXT;
		target[i] = flow[i] == CFG_BRANCH ? i + 2 : 0;
		reads[i] = i >= 3 * registers && i + 1 < count;
		if (reads[i] || (i < 3 * registers && i % 3 == 0))
			operands[n++] = reg;
	}
	first[count] = n;
	*cfg = cfg_build(flow, target, count, arena);
	code.cfg = *cfg;
	return liveness_find(&code, arena);
}

/* Two sets a block, and nothing for each register that lives through a block. */
Test(liveness, memory_grows_with_blocks_times_words)
{
	enum { REGISTERS = 4096 };
	struct cfg *cfg;
	struct liveness *live = find_wide(REGISTERS, &cfg);
	size_t sets = 2 * (size_t)cfg->count * (REGISTERS / 64) * sizeof(uint64_t);

	cr_assert_geq(cfg->count, 2 * REGISTERS);
	for (uint32_t r = 0; r < REGISTERS; r++) {
		cr_assert_eq(live->ranges[r]->start, 6 * r + 1);
		cr_assert_eq(live->ranges[r]->end, 6 * REGISTERS + 2 * r + 1);
		cr_assert_eq(live->ranges[r]->next, NULL);
	}
	cr_assert_lt(bytes_of(arena), 3 * sets);
}
