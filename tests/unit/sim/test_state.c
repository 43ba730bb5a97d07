/* Fields into bytes and back: what comes back, and what is refused. */
#include "sim/base/random.h"
#include "sim/base/state.h"
#include <criterion/criterion.h>
#include <stdlib.h>

struct fields {
	uint32_t index;
	uint64_t number;
	uint8_t flags[3];
	cycles past, future, never;
};

static void fields_state(struct fields *f, struct state *s)
{
	state_below(s, &f->index, 8);
	state_field(s, &f->number);
	state_flags(s, f->flags, 3);
	state_cycle(s, &f->past, 100);
	state_cycle(s, &f->future, 100);
	state_cycle(s, &f->never, 100);
}

static const struct fields example = { 7, 1234567890123, { 1, 0, 1 }, 400, 1050, SIM_NEVER };

static struct state put(void)
{
	struct fields f = example;
	struct state s = { .now = 1000 };

	fields_state(&f, &s);
	return s;
}

Test(state, comes_back_and_cycles_keep_their_distance)
{
	struct state s = put();
	struct fields f = { 0 };

	s.restores = true;
	s.now = 2000;
	fields_state(&f, &s);
	cr_assert(!s.is_wrong && s.at == s.size);
	cr_assert_eq(f.index, 7);
	cr_assert_eq(f.number, 1234567890123);
	cr_assert(f.flags[0] && !f.flags[1] && f.flags[2]);
	cr_assert_eq(f.past, 1400);
	cr_assert_eq(f.future, 2050);
	cr_assert_eq(f.never, SIM_NEVER);
	free(s.bytes);
}

Test(state, what_is_longer_past_than_time_is_the_beginning)
{
	struct state s = put();
	struct fields f = { 0 };

	s.restores = true;
	s.now = 300; /* 600 cycles before that there was nothing */
	fields_state(&f, &s);
	cr_assert(!s.is_wrong);
	cr_assert_eq(f.past, 0);
	free(s.bytes);
}

Test(state, wrong_bytes_are_refused_and_nothing_is_taken_after_them)
{
	static const struct {
		size_t at;
		uint8_t byte;
	} wrong[] = { { 0, 8 }, { 12, 2 }, { 15 + 8 + 1, 1 } }; /* an index, a flag, a cycle too far off */

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct state s = put();
		struct fields f = { 0 };

		s.bytes[wrong[i].at] = wrong[i].byte;
		s.restores = true;
		fields_state(&f, &s);
		cr_assert(s.is_wrong, "byte %zu", wrong[i].at);
		cr_assert_eq(f.never, 0, "byte %zu", wrong[i].at);
		free(s.bytes);
	}
}

Test(state, too_few_bytes_are_refused)
{
	struct state s = put();

	for (size_t size = 0; size < s.size; size++) {
		struct state cut = { .restores = true, .bytes = s.bytes, .size = size };
		struct fields f = { 0 };

		fields_state(&f, &cut);
		cr_assert(cut.is_wrong, "%zu bytes", size);
	}
	free(s.bytes);
}

Test(state, random_numbers_go_on_where_they_were)
{
	struct sim_random *a = sim_random_new(1, 2), *b = sim_random_new(3, 4);
	struct state s = { .now = 0 };

	for (int i = 0; i < 700; i++)
		sim_random_bits(a);
	sim_random_state(a, &s);
	s.restores = true;
	sim_random_state(b, &s);
	for (int i = 0; i < 1500; i++)
		cr_assert_eq(sim_random_bits(a), sim_random_bits(b), "draw %d", i);
	sim_random_free(a);
	sim_random_free(b);
	free(s.bytes);
}
