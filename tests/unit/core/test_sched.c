/* Warp schedulers through their class alone: pick on masks. */
#include "core/sched/sched.h"
#include "sim/config.h"
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
	prototype = sched_prototype(config, "s", &diags);
	cr_assert_eq(diags.errors, 0);
	s = sched_new(prototype, ~UINT64_C(0));
	for (int i = 0; i < MAX_WARPS; i++)
		s->age[i] = (uint64_t)(100 - i); /* higher slots are older */
	sched_free(prototype);
	config_free(config);
	diag_fini(&diags);
	return s;
}

static uint32_t issue(struct sched *s, warp_mask ready)
{
	uint32_t w = s->class->pick(s, ready);

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
	sched_free(s);
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
	sched_free(s);
}

Test(sched, gto_leaves_its_warp_after_max_run)
{
	struct sched *s = make("gto", "s.gto.max_run=2");

	s->age[0] = 1;
	cr_assert_eq(issue(s, 0x1), 0);
	s->age[0] = 1000;
	cr_assert_eq(issue(s, 0x3), 0);
	cr_assert_eq(issue(s, 0x3), 1);
	sched_free(s);
}

Test(sched, every_policy_picks_a_ready_warp)
{
	for (int i = 0; sched_classes[i]; i++) {
		struct sched *s = make(sched_names[i], NULL);
		uint64_t x = 88172645463325252u;

		for (int n = 0; n < 10000; n++) {
			warp_mask ready;

			x ^= x << 13, x ^= x >> 7, x ^= x << 17;
			ready = x | UINT64_C(1) << (n % 64);
			cr_assert(ready >> issue(s, ready) & 1, "%s", sched_names[i]);
		}
		sched_free(s);
	}
}
