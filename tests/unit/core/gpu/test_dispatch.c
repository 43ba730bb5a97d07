/* CTA dispatch through its class alone, on a machine of a few SMs: placements worked out by hand. */
#include "core/dispatch/dispatch.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define SMS 4

/* Each SM has `space`; a CTA of kernel k takes size[k] of it. */
struct machine {
	struct dispatch *d;
	uint32_t space, size[8], used[SMS], count[SMS];
	uint32_t *asked; /* NULL, or how often an SM was asked for room */
};

static bool has_room(const void *object, uint32_t kernel, uint32_t sm, uint32_t ctas)
{
	const struct machine *m = object;

	if (m->asked)
		++*m->asked;
	return m->used[sm] + ctas * m->size[kernel] <= m->space;
}

static uint32_t resident(const void *object, uint32_t sm)
{
	return ((const struct machine *)object)->count[sm];
}

static struct machine *make(const char *policy, const char *extra)
{
	struct machine *m = calloc(1, sizeof(*m));
	struct dispatch_machine asked = { m, SMS, has_room, resident };
	struct config *config = config_new();
	struct dispatch *prototype;
	struct diag_list diags;
	char set[128];

	diag_init(&diags);
	snprintf(set, sizeof(set), "d.policy=%s", policy);
	cr_assert(config_set(config, set, &diags) && (!extra || config_set(config, extra, &diags)));
	prototype = policy_read(&dispatch_interface, config, "d", &diags);
	config_check_unknown(config, &diags);
	cr_assert_eq(diags.errors, 0);
	m->d = dispatch_new(prototype, &asked);
	policy_start(&dispatch_interface, m->d, NULL, "", 0);
	m->space = 3;
	policy_prototype_free(prototype);
	config_free(config);
	diag_fini(&diags);
	return m;
}

static void drop(struct machine *m)
{
	policy_free(m->d);
	free(m);
}

static void add(struct machine *m, uint32_t kernel, uint64_t ctas, uint32_t size)
{
	m->size[kernel] = size;
	dispatch_add(m->d, kernel, ctas, m->space / size);
}

/* Starts what can start and says where: "a0 a1 b0" is a CTA of kernel 0 on SMs 0 and 1, one of kernel 1 on SM
 * 0. */
static const char *run(struct machine *m, int at_most)
{
	static char text[1024];
	struct dispatch_choice c;
	char *end = text;

	*end = 0;
	while (at_most-- && dispatch_choose(m->d, &c)) {
		cr_assert(has_room(m, c.kernel, c.sm, 1), "a CTA where there is no room");
		m->used[c.sm] += m->size[c.kernel];
		m->count[c.sm]++;
		dispatch_started(m->d, &c);
		end += sprintf(end, "%s%c%u", end == text ? "" : " ", 'a' + c.kernel, c.sm);
	}
	return text;
}

static void end(struct machine *m, uint32_t kernel, uint32_t sm)
{
	m->used[sm] -= m->size[kernel];
	m->count[sm]--;
	dispatch_ended(m->d, &(struct dispatch_choice){ kernel, sm });
	dispatch_freed(m->d, sm);
}

Test(dispatch, round_robin_goes_round_and_then_where_one_ends)
{
	struct machine *m = make("round_robin", NULL);

	add(m, 0, 16, 1);
	cr_expect_str_eq(run(m, 3), "a0 a1 a2");
	cr_expect_str_eq(run(m, 99), "a3 a0 a1 a2 a3 a0 a1 a2 a3");
	end(m, 0, 2);
	cr_expect_str_eq(run(m, 99), "a2");
	end(m, 0, 1);
	end(m, 0, 3);
	cr_expect_str_eq(run(m, 99), "a3 a1", "from the SM after the last served on");
	end(m, 0, 0);
	cr_expect_str_eq(run(m, 99), "a0", "the sixteenth");
	end(m, 0, 0);
	cr_expect_str_eq(run(m, 99), "");
	drop(m);
}

Test(dispatch, fill_takes_the_lowest_SM_with_room)
{
	struct machine *m = make("fill", NULL);

	add(m, 0, 8, 1);
	cr_expect_str_eq(run(m, 7), "a0 a0 a0 a1 a1 a1 a2");
	end(m, 0, 1);
	cr_expect_str_eq(run(m, 99), "a1");
	drop(m);
}

/* On an idle machine as round_robin, but from SM 0; then by the room that is left, which CTAs of another size
 * leave in another order than the number of CTAs. */
Test(dispatch, most_room_takes_the_SM_where_most_fit)
{
	struct machine *m = make("most_room", "d.kernels=round_robin");

	add(m, 0, 2, 1);
	cr_expect_str_eq(run(m, 99), "a0 a1");
	end(m, 0, 0);
	end(m, 0, 1);
	add(m, 0, 14, 1);
	cr_expect_str_eq(run(m, 99), "a0 a1 a2 a3 a0 a1 a2 a3 a0 a1 a2 a3", "not from SM 2 on");
	end(m, 0, 2);
	end(m, 0, 3);
	end(m, 0, 3);
	cr_expect_str_eq(run(m, 99), "a3 a2", "SM 3 has room for two, then both have for one");
	for (uint32_t sm = 0; sm < SMS; sm++)
		for (uint32_t i = 0; i < 3 - (sm == 3); i++)
			end(m, 0, sm);
	add(m, 1, 1, 3);
	cr_expect_str_eq(run(m, 99), "b0");
	add(m, 2, 3, 1);
	cr_expect_str_eq(run(m, 99), "c1 c2 c3", "SM 0 is full");
	drop(m);
}

/* What the policy remembers of former looks decides nothing: beside a plain search, with CTAs of three sizes
 * that come and go. */
Test(dispatch, most_room_remembers_no_more_than_it_finds)
{
	for (uint32_t seed = 1; seed < 200; seed++) {
		struct machine *m = make("most_room", "d.kernels=round_robin");
		uint32_t random = seed, where[3][SMS] = { { 0 } };

		for (uint32_t k = 0; k < 3; k++)
			add(m, k, 40, 1 + (seed + k) % 3);
		for (uint32_t step = 0; step < 60; step++) {
			uint32_t k = (random = random * 1103515245 + 12345) >> 16 & 3, sm = random >> 20 & 3;
			struct dispatch_choice c;

			if (k < 3 && where[k][sm]) {
				where[k][sm]--;
				end(m, k, sm);
			}
			if (random >> 28 & 1 || !dispatch_choose(m->d, &c))
				continue;
			for (uint32_t other = 0; other < SMS; other++) {
				uint32_t here = (m->space - m->used[c.sm]) / m->size[c.kernel],
					 there = (m->space - m->used[other]) / m->size[c.kernel];

				cr_assert(other < c.sm ? there < here : there <= here,
					"seed %u, step %u: SM %u, not %u", seed, step, c.sm, other);
			}
			where[c.kernel][c.sm]++;
			run(m, 1);
		}
		drop(m);
	}
}

Test(dispatch, block_starts_pairs_where_both_fit)
{
	struct machine *m = make("block", NULL);

	add(m, 0, 13, 1);
	cr_expect_str_eq(run(m, 99), "a0 a0 a1 a1 a2 a2 a3 a3", "a third CTA fits on each, a pair does not");
	end(m, 0, 2);
	cr_expect_str_eq(run(m, 99), "a2 a2");
	end(m, 0, 2);
	cr_expect_str_eq(run(m, 99), "", "room for one");
	end(m, 0, 2);
	cr_expect_str_eq(run(m, 99), "a2 a2 a3",
		"the last CTA of the grid is a block of its own, after SM 2 in the circle");
	drop(m);
}

Test(dispatch, a_block_that_has_begun_keeps_its_SM)
{
	struct machine *m = make("block", "d.block.size=3");

	add(m, 0, 9, 1);
	cr_expect_str_eq(run(m, 2), "a0 a0");
	cr_expect_str_eq(run(m, 2), "a0 a1");
	m->used[1] = 3; /* somebody else takes the room */
	cr_expect_str_eq(run(m, 9), "", "it waits for its SM");
	m->used[1] = 1;
	dispatch_ended(m->d, &(struct dispatch_choice){ 1, 1 });
	cr_expect_str_eq(run(m, 9), "", "it has ended, and has its room yet");
	dispatch_freed(m->d, 1);
	cr_expect_str_eq(run(m, 9), "a1 a1 a2 a2 a2");
	drop(m);
}

/* So the cost of a CTA does not grow with the number of SMs. */
Test(dispatch, a_full_SM_is_not_asked_before_a_CTA_ends_there)
{
	struct machine *m = make("round_robin", NULL);
	uint32_t asked = 0;

	add(m, 0, 99, 1);
	add(m, 1, 99, 2);
	cr_expect_str_eq(run(m, 99), "a0 a1 a2 a3 a0 a1 a2 a3 a0 a1 a2 a3");
	m->asked = &asked;
	cr_expect_str_eq(run(m, 99), "");
	cr_expect_eq(asked, 0, "%u SMs were asked again", asked);
	end(m, 0, 2);
	cr_expect_str_eq(run(m, 99), "a2");
	cr_expect_eq(asked, 3,
		"SM 2: by the dispatcher, by this test, and by the dispatcher for the next; not %u", asked);
	end(m, 0, 1);
	dispatch_drop(m->d, 0);
	cr_expect_str_eq(run(m, 99), "", "a CTA of kernel 1 is larger");
	end(m, 0, 1);
	cr_expect_str_eq(run(m, 99), "b1", "what was known about kernel 0 does not hold for kernel 1");
	drop(m);
}

Test(dispatch, a_block_is_no_larger_than_an_SM)
{
	struct machine *m = make("block", "d.block.size=8"), *limited = make("block", "d.max_ctas_per_sm=1");

	add(m, 0, 5, 2); /* one fits */
	cr_expect_str_eq(run(m, 9), "a0 a1 a2 a3");
	drop(m);
	add(limited, 0, 5, 1);
	cr_expect_str_eq(run(limited, 9), "a0 a1 a2 a3");
	drop(limited);
}

Test(dispatch, a_limit_holds_back_what_would_fit)
{
	struct machine *m = make("round_robin", "d.max_ctas_per_sm=2"),
		       *f = make("fill", "d.max_ctas_per_sm=2");

	add(m, 0, 12, 1);
	cr_expect_str_eq(run(m, 99), "a0 a1 a2 a3 a0 a1 a2 a3");
	end(m, 0, 3);
	cr_expect_str_eq(run(m, 99), "a3");
	drop(m);
	add(f, 0, 3, 1);
	add(f, 1, 3, 1);
	cr_expect_str_eq(run(f, 99), "a0 a0 a1 b1 b2 b2", "CTAs of all kernels count");
	drop(f);
}

static uint32_t wish = DISPATCH_NONE;

static uint32_t wished(struct dispatch *d, uint32_t sm)
{
	return sm ? DISPATCH_NONE : wish;
}

Test(dispatch, a_policy_may_change_the_limit_while_a_kernel_runs)
{
	struct machine *m = make("fill", NULL);
	struct dispatch_class lazy = *m->d->class;

	lazy.limit = wished;
	m->d->class = &lazy;
	wish = 1;
	add(m, 0, 12, 1);
	cr_expect_str_eq(run(m, 2), "a0 a1");
	wish = 2;
	cr_expect_str_eq(run(m, 2), "a0 a1");
	wish = DISPATCH_NONE;
	cr_expect_str_eq(run(m, 2), "a0 a1");
	drop(m);
}

Test(dispatch, younger_kernels_get_what_the_older_leave)
{
	struct machine *m = make("round_robin", NULL);

	add(m, 5, 5, 2);
	add(m, 1, 4, 1);
	cr_expect_str_eq(run(m, 99), "f0 f1 f2 f3",
		"room for kernel 1 is left, but kernel 5 still has a CTA to start");
	end(m, 5, 3);
	cr_expect_str_eq(run(m, 99), "f3 b0 b1 b2 b3");
	drop(m);
}

Test(dispatch, kernels_in_turn)
{
	struct machine *m = make("round_robin", "d.kernels=round_robin");

	add(m, 0, 3, 1);
	add(m, 2, 2, 1);
	add(m, 1, 9, 1);
	cr_expect_str_eq(
		run(m, 7), "b0 c1 a2 b3 c0 a1 b2", "by number from the one after the last served on");
	cr_expect_str_eq(run(m, 99), "a3 b0 b1 b2 b3");
	drop(m);
	m = make("fill", "d.kernels=round_robin");
	add(m, 0, 5, 3);
	add(m, 1, 3, 1);
	cr_expect_str_eq(
		run(m, 99), "b0 a1 b0 a2 b0 a3", "a kernel that does not fit does not keep others back");
	drop(m);
}

/* Whatever the policy: every CTA starts once, none where it does not fit, and none waits while all SMs are
 * empty. */
Test(dispatch, every_policy_of_the_list_starts_every_CTA_once)
{
	for (size_t i = 0; dispatch_interface.classes[i]; i++)
		for (uint32_t seed = 1; seed < 40; seed++) {
			struct machine *m = make(dispatch_interface.classes[i]->name,
				seed % 2 ? "d.kernels=round_robin" : "d.max_ctas_per_sm=2");
			uint32_t started[3] = { 0 }, where[3][SMS] = { { 0 } }, random = seed;

			for (uint32_t k = 0; k < 3; k++)
				add(m, k, 10 + 3 * k, 1 + (seed + k) % 3);
			while (started[0] + started[1] + started[2] < 39) {
				const char *text = run(m, 1);

				if (*text) {
					started[text[0] - 'a']++;
					where[text[0] - 'a'][text[1] - '0']++;
					continue;
				}
				cr_assert(m->count[0] || m->count[1] || m->count[2] || m->count[3],
					"%s: a CTA waits for ever", dispatch_interface.classes[i]->name);
				for (bool found = false; !found;) {
					uint32_t k, sm;

					random = random * 1103515245 + 12345;
					k = random >> 16 & 3;
					sm = random >> 20 & 3;
					found = k < 3 && where[k][sm];
					if (found)
						where[k][sm]--, end(m, k, sm);
				}
			}
			cr_expect(started[0] == 10 && started[1] == 13 && started[2] == 16, "%s",
				dispatch_interface.classes[i]->name);
			drop(m);
		}
}
