/* Warp schedulers through their class alone: pick on masks. */
#include "core/sched/sched.h"
#include "sim/config/config.h"
#include <criterion/criterion.h>
#include <string.h>

static struct sched *make(const char *name, const char *extra)
{
	struct config *config = config_new();
	struct diag_list diags;
	char set[128];
	struct sched *prototype, *s;

	diag_init(&diags);
	snprintf(set, sizeof(set), "s.policy=%s", name);
	cr_assert(config_set(config, set, &diags));
	if (extra)
		cr_assert(config_set(config, extra, &diags));
	prototype = policy_read(&sched_interface, config, "s", &diags);
	cr_assert_eq(diags.errors, 0);
	s = policy_new(prototype);
	s->owned = ~UINT64_C(0);
	policy_start(&sched_interface, s, NULL, "", 0);
	for (uint32_t i = MAX_WARPS; i--;)
		sched_put(s, i); /* higher slots are older */
	policy_prototype_free(prototype);
	config_free(config);
	diag_fini(&diags);
	return s;
}

static uint32_t issue(struct sched *s, warp_mask ready)
{
	uint32_t w = s->class->pick(s, ready);

	if (w != WARP_NONE)
		s->class->issued(s, w);
	return w;
}

Test(sched, lrr_goes_round_the_ready_warps)
{
	struct sched *s = make("lrr", NULL);

	cr_assert_eq(issue(s, 0x1f), 1);
	cr_assert_eq(issue(s, 0x1f), 2);
	cr_assert_eq(issue(s, 0x11), 4);
	cr_assert_eq(issue(s, 0x1f), 0);
	cr_assert_eq(issue(s, UINT64_C(1) << 63), 63);
	cr_assert_eq(issue(s, 0x3), 0, "behind the last slot comes the first");
	policy_free(s);
}

Test(sched, gto_stays_with_its_warp_and_falls_back_to_the_oldest)
{
	struct sched *s = make("gto", NULL);

	cr_assert_eq(issue(s, 0x1f), 4, "the oldest");
	cr_assert_eq(issue(s, 0x3f), 4, "greedy, though 5 is older");
	cr_assert_eq(issue(s, 0x2f), 5);
	cr_assert_eq(issue(s, 0x30), 5);
	s->class->finished(s, 5);
	cr_assert_eq(issue(s, 0x0f), 3);
	policy_free(s);
}

Test(sched, gto_forgets_its_warp_when_it_exits)
{
	struct sched *s = make("gto", NULL);

	cr_assert_eq(issue(s, 0x3f), 5);
	s->class->finished(s, 5);
	sched_put(s, 5); /* another warp in the same slot, now the youngest */
	cr_assert_eq(issue(s, 0x3f), 4, "the warp that comes into the slot is not the greedy one");
	s->class->finished(s, 3);
	cr_assert_eq(issue(s, 0x38), 4, "the exit of another warp changes nothing");
	policy_free(s);
}

Test(sched, gto_leaves_its_warp_after_max_run)
{
	struct sched *s = make("gto", "s.gto.max_run=2");

	cr_assert_eq(issue(s, 0x1), 0);
	cr_assert_eq(issue(s, 0x3), 0);
	cr_assert_eq(issue(s, 0x3), 1);
	policy_free(s);
}

Test(sched, gty_stays_with_its_warp_and_falls_back_to_the_youngest)
{
	struct sched *s = make("gty", NULL);

	cr_assert_eq(issue(s, 0x1c), 2, "the youngest");
	cr_assert_eq(issue(s, 0x1f), 2, "greedy, though 0 and 1 are younger");
	cr_assert_eq(issue(s, 0x1a), 1);
	cr_assert_eq(issue(s, UINT64_C(1) << 63 | 0x1a), 1);
	sched_put(s, 63);
	cr_assert_eq(issue(s, UINT64_C(1) << 63 | 0x18), 63, "the warp that came last");
	policy_free(s);
}

Test(sched, gty_forgets_its_warp_when_it_exits)
{
	struct sched *s = make("gty", NULL);

	cr_assert_eq(issue(s, 0x1c), 2);
	s->class->finished(s, 2);
	cr_assert_eq(issue(s, 0x1f), 0, "the warp that comes into the slot is not the greedy one");
	s->class->finished(s, 3);
	cr_assert_eq(issue(s, 0x3), 0, "the exit of another warp changes nothing");
	policy_free(s);
}

static void start(struct sched *s, uint32_t count)
{
	for (uint32_t w = 0; w < count; w++)
		if (s->class->started)
			s->class->started(s, w);
}

Test(sched, a_warp_that_comes_into_a_slot_is_the_youngest)
{
	struct sched *s = make("oldest", NULL);

	sched_put(s, 63);
	cr_assert_eq(issue(s, ~UINT64_C(0)), 62);
	cr_assert_eq(issue(s, UINT64_C(1) << 63 | 0x7), 2);
	cr_assert_eq(issue(s, UINT64_C(1) << 63 | 0x1), 0, "also younger than what was the youngest");
	sched_put(s, 2);
	cr_assert_eq(issue(s, UINT64_C(1) << 63 | 0x6), 1);
	cr_assert_eq(issue(s, UINT64_C(1) << 63 | 0x4), 63);
	policy_free(s);
}

Test(sched, oldest_never_stays)
{
	struct sched *s = make("oldest", NULL);

	cr_assert_eq(issue(s, 0x1f), 4);
	cr_assert_eq(issue(s, 0x3f), 5, "5 is older than the one that issued last");
	cr_assert_eq(issue(s, 0x1f), 4);
	cr_assert_eq(issue(s, 0x03), 1);
	policy_free(s);
}

Test(sched, two_level_issues_round_robin_from_its_active_set_alone)
{
	struct sched *s = make("two_level", "s.two_level.active_warps=2");

	start(s, 4);
	cr_assert_eq(issue(s, 0xf), 1, "0 and 1 came first; none has issued, slot 0 counts as the last one");
	cr_assert_eq(issue(s, 0xf), 0);
	cr_assert_eq(issue(s, 0xf), 1);
	cr_assert_eq(issue(s, 0xc), WARP_NONE, "2 and 3 are pending, ready or not");
	s->class->stalled(s, 1);
	cr_assert_eq(issue(s, 0xf), 2, "the pending warp that came first takes the place");
	cr_assert_eq(issue(s, 0xf), 0);
	cr_assert_eq(issue(s, 0xa), WARP_NONE);
	policy_free(s);
}

Test(sched, two_level_takes_back_the_warp_that_was_woken_first)
{
	struct sched *s = make("two_level", "s.two_level.active_warps=1");

	start(s, 3);
	s->class->stalled(s, 0); /* 1 is active; 2 is eligible */
	s->class->stalled(s, 1); /* 2 is active; none is eligible */
	cr_assert_eq(issue(s, 0x7), 2);
	s->class->woken(s, 1);
	s->class->woken(s, 0);
	cr_assert_eq(issue(s, 0x3), WARP_NONE, "2 keeps its place until it waits");
	s->class->stalled(s, 2);
	cr_assert_eq(issue(s, 0x7), 1, "woken before 0");
	s->class->finished(s, 1);
	cr_assert_eq(issue(s, 0x7), 0);
	s->class->finished(s, 0);
	cr_assert_eq(issue(s, 0x7), WARP_NONE, "2 still waits");
	s->class->woken(s, 2);
	cr_assert_eq(issue(s, 0x7), 2, "a free place is taken at once");
	policy_free(s);
}

Test(sched, two_level_does_not_mind_a_warp_that_issues_though_it_is_pending)
{
	struct sched *s = make("two_level", "s.two_level.active_warps=1");

	start(s, 3);
	s->class->issued(s, 2); /* it had starved */
	cr_assert_eq(issue(s, 0x7), 0);
	s->class->finished(s, 2);
	s->class->finished(s, 0);
	cr_assert_eq(issue(s, 0x7), 1);
	policy_free(s);
}

/* xorshift64 (Marsaglia 2003) */
static uint64_t next_random(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

Test(sched, every_policy_picks_a_ready_warp_and_none_is_lost)
{
	for (int i = 0; sched_interface.classes[i]; i++) {
		struct sched *s = make(sched_interface.classes[i]->name, NULL);
		uint64_t x = 88172645463325252u;
		warp_mask stalled = 0;

		start(s, MAX_WARPS);
		for (int n = 0; n < 10000; n++) {
			uint32_t changed = (uint32_t)(next_random(&x) % MAX_WARPS), w;
			warp_mask ready;

			if (s->class->stalled)
				(stalled >> changed & 1 ? s->class->woken : s->class->stalled)(s, changed);
			stalled ^= UINT64_C(1) << changed;
			ready = next_random(&x) & (s->class->stalled ? ~stalled : ~UINT64_C(0));
			w = ready ? issue(s, ready) : WARP_NONE;
			cr_assert(w == WARP_NONE || ready >> w & 1, "%s", sched_interface.classes[i]->name);
			ready = s->class->stalled ? ~stalled : ~UINT64_C(0);
			cr_assert(!ready || issue(s, ready) != WARP_NONE, "%s: all can go on, none does",
				sched_interface.classes[i]->name);
		}
		policy_free(s);
	}
}
