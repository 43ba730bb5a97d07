/* Warp limiters through their class alone: who may issue and load after what has happened. */
#include "core/limiter/limiter.h"
#include "sim/config/config.h"
#include "tests/unit/part.h"
#include <criterion/criterion.h>
#include <stdarg.h>
#include <string.h>

static const warp_mask owned[2] = { UINT64_C(0x5555555555555555), UINT64_C(0xaaaaaaaaaaaaaaaa) };
static struct limiter *prototype, *l;
static uint64_t instructions;

/* sets: NULL-terminated. */
static void make(const char *name, ...)
{
	struct config *config = config_new();
	struct diag_list diags;
	const char *set;
	char policy[64];
	va_list sets;

	diag_init(&diags);
	snprintf(policy, sizeof(policy), "l.policy=%s", name);
	cr_assert(config_set(config, policy, &diags));
	va_start(sets, name);
	while ((set = va_arg(sets, const char *)))
		cr_assert(config_set(config, set, &diags));
	va_end(sets);
	prototype = limiter_read(config, "l", &diags);
	cr_assert_eq(diags.errors, 0);
	config_free(config);
	diag_fini(&diags);
	l = limiter_new(prototype);
	l->schedulers = 2;
	l->owned = owned;
	l->instructions = &instructions;
	instructions = 0;
}

static void destroy(void)
{
	policy_free(l);
	limiter_prototype_free(prototype);
}

static void start(uint32_t warp, uint64_t age)
{
	l->present |= UINT64_C(1) << warp;
	l->age[warp] = age;
	if (l->class->started)
		l->class->started(l, warp, 0);
}

static void finish(uint32_t warp, uint64_t issued, cycles now)
{
	l->present &= ~(UINT64_C(1) << warp);
	if (l->class->finished)
		l->class->finished(l, warp, issued, now);
}

static void decide(cycles now)
{
	l->next = SIM_NEVER;
	l->class->decide(l, now);
}

Test(limiter, swl_lets_the_oldest_of_each_scheduler_issue)
{
	make("swl", "l.swl.warps=2", NULL);
	for (uint32_t w = 0; w < 8; w++)
		start(w, 100 - w); /* higher slots are older */
	decide(0);
	cr_assert_eq(l->may_issue, 0xf0);
	cr_assert_eq(l->may_load, ~UINT64_C(0), "whoever issues may load");
	finish(7, 10, 1);
	decide(1);
	cr_assert_eq(l->may_issue, 0x78, "5 and 3, 6 and 4");
	l->waiting = 0x10;
	decide(2);
	cr_assert_eq(l->may_issue, 0x6c, "4, which waits at a barrier, gives its place to 2");
	l->waiting = 0;
	start(7, 200);
	decide(3);
	cr_assert_eq(l->may_issue, 0x78, "the newcomer is the youngest");
	cr_assert_eq(l->next, SIM_NEVER);
	destroy();
}

Test(limiter, swl_with_room_for_all_limits_nobody)
{
	make("swl", "l.swl.warps=64", NULL);
	for (uint32_t w = 0; w < MAX_WARPS; w++)
		start(w, w);
	decide(0);
	cr_assert_eq(l->may_issue, ~UINT64_C(0));
	destroy();
}

/* Slots 0 to 4, and 5 to 7. */
Test(limiter, a_limit_of_all_slots_of_a_scheduler_holds_none_of_its_warps_back)
{
	static const warp_mask uneven[2] = { 0x1f, 0xe0 };

	make("swl", "l.swl.warps=3", NULL);
	l->owned = uneven;
	for (uint32_t w = 0; w < 8; w++)
		start(w, w);
	l->waiting = 0x42; /* 1 and 6: those that cease to wait go on in the same cycle where they are not
			      limited */
	decide(0);
	cr_assert_eq(l->may_issue, 0x0d | 0xe0, "0, 2 and 3; all of the second");
	cr_assert_eq(limiter_most_slots(l), 5);
	cr_assert_eq(limiter_oldest_of_each(l, 5), 0xff);
	cr_assert_eq(limiter_oldest_of_each(l, 4), 0x1d | 0xe0);
	cr_assert_eq(limiter_oldest_of_each(l, 1), 0x01 | 0x20);
	destroy();
}

static void load(uint32_t warp, addr line, enum access_outcome outcome, cycles now)
{
	l->now = now;
	l->class->l1.accessed(l,
		&(struct access_event){
			.by.warp = (uint16_t)warp, .line = line, .outcome = (uint8_t)outcome });
}

static void evict(uint32_t owner, addr line)
{
	l->class->l1.evicted(l, &(struct eviction_event){ .owner.warp = (uint16_t)owner, .line = line });
}

/* The warp loses a line and asks for it again. */
static void lose(uint32_t warp, addr line, cycles now)
{
	evict(warp, line);
	load(warp, line, ACCESS_MISS, now);
}

Test(limiter, ccws_gives_a_warp_that_loses_its_lines_what_the_others_had)
{
	make("ccws", NULL);
	for (uint32_t w = 0; w < 4; w++)
		start(w, w);
	decide(0);
	cr_assert_eq(l->may_load, 0xf, "all stand at the base score");
	instructions = 16;
	lose(2, 128, 10); /* 1 hit in 16 instructions x 8 x a cutoff of 400 = 200 */
	cr_assert_eq(l->next, 0, "wants to decide at once");
	decide(10);
	cr_assert_eq(l->may_load, 0x7, "200 + 100 + 100 reach 400: 2, then 0 and 1");
	cr_assert_eq(l->next, 11, "nothing to spare: a cycle later 199 + 100 + 100 do not");
	decide(11);
	cr_assert_eq(l->may_load, 0xf);
	lose(2, 256, 20); /* 2 hits: 400 */
	decide(20);
	cr_assert_eq(l->may_load, 0x4);
	cr_assert_eq(l->next, 21);
	decide(21);
	cr_assert_eq(l->may_load, 0x5, "399 + 100");
	cr_assert_eq(l->next, 21 + 99 + 1);
	decide(121);
	cr_assert_eq(l->may_load, 0x7, "299 + 100 + 100");
	decide(221);
	cr_assert_eq(l->may_load, 0xf, "199 + 100 + 100 + 100");
	cr_assert_eq(l->next, SIM_NEVER);
	destroy();
}

Test(limiter, ccws_forgets_the_hits_and_instructions_of_warps_that_have_exited)
{
	make("ccws", NULL);
	for (uint32_t w = 0; w < 4; w++)
		start(w, w);
	instructions = 100;
	lose(0, 128, 1);
	finish(0, 84, 2);
	lose(1, 128, 3); /* 1 hit in 16 instructions x 8 x 300 = 150 */
	decide(3);
	cr_assert_eq(l->may_load, 0x6 | 0x8, "150 + 100 + 100 need all three");
	lose(1, 256, 4); /* 300 */
	decide(4);
	cr_assert_eq(l->may_load, 0x2);
	finish(1, 10, 5);
	decide(5);
	cr_assert_eq(l->may_load, 0xc);
	start(1, 9);
	load(1, 256, ACCESS_MISS, 6);
	decide(6);
	cr_assert_eq(l->may_load, 0xe, "a new warp has lost nothing");
	destroy();
}

/* Whether the warp's miss of the line finds its tag. */
static bool is_victim(uint32_t warp, addr line)
{
	l->next = SIM_NEVER;
	load(warp, line, ACCESS_MISS, 0);
	return l->next == 0;
}

Test(limiter, ccws_keeps_the_last_tags_of_each_warp_first_in_first_out)
{
	make("ccws", NULL); /* two sets of eight */
	start(0, 0);
	start(1, 1);
	for (addr i = 0; i < 9; i++)
		evict(0, 256 * i); /* all of set 0 */
	evict(0, 256);             /* there already: nothing changes */
	cr_assert_not(is_victim(0, 0), "the ninth took the place of the first");
	cr_assert_not(is_victim(1, 256), "another warp's");
	cr_assert(is_victim(0, 256));
	cr_assert_not(is_victim(0, 256), "the tag has gone: the line is in the L1 again");
	cr_assert(is_victim(0, 256 * 8));
	evict(0, 128);
	load(0, 128, ACCESS_MERGED, 0);
	load(0, 128, ACCESS_HIT, 0);
	cr_assert(is_victim(0, 128), "set 1; neither a hit nor a merged load looks for it");
	destroy();
}

/* The same model, cycle by cycle, without thought for speed. */
struct plain {
	uint64_t score[MAX_WARPS], hits[MAX_WARPS];
};

static warp_mask plain_allowed(const struct plain *p, warp_mask present)
{
	uint64_t cutoff = 100 * (uint64_t)__builtin_popcountll(present), sum = 0;
	warp_mask left = present, allowed = 0;

	while (left && sum < cutoff) {
		uint32_t best = (uint32_t)__builtin_ctzll(left);

		for (uint32_t w = 0; w < MAX_WARPS; w++)
			if (left >> w & 1 && p->score[w] > p->score[best])
				best = w;
		sum += p->score[best];
		allowed |= UINT64_C(1) << best;
		left &= ~(UINT64_C(1) << best);
	}
	return allowed;
}

static void plain_hit(struct plain *p, uint32_t warp, warp_mask present)
{
	uint64_t sum = 0, score;

	p->hits[warp]++;
	for (uint32_t w = 0; w < MAX_WARPS; w++)
		sum += present >> w & 1 ? p->hits[w] : 0;
	score = sum * 8 * 100 * (uint64_t)__builtin_popcountll(present) / instructions;
	p->score[warp] = score > 100 ? score : 100;
}

Test(limiter, ccws_decides_in_time_what_a_decision_in_every_cycle_would)
{
	static struct plain p;
	const cycles end = 200000 / one_in_or(2, 2);
	uint64_t x = 88172645463325252u, decisions = 0, limited = 0;

	make("ccws", NULL);
	for (uint32_t w = 0; w < 48; w++) {
		start(w, w);
		p.score[w] = 100;
	}
	instructions = 100;
	l->next = 0;
	for (cycles now = 1; now < end; now++) {
		uint32_t warp;

		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
		warp = (uint32_t)(x >> 32) % 48;
		instructions += x % 2;
		for (uint32_t w = 0; w < 48; w++)
			p.score[w] -= p.score[w] > 100;
		if (x % 150 == 0 && (now / 20000) % 2 == 0) {
			lose(warp, 128 * (x >> 40), now);
			plain_hit(&p, warp, l->present);
		}
		if (now >= l->next) {
			decide(now);
			decisions++;
		}
		cr_assert_eq(
			l->may_load, plain_allowed(&p, l->present), "cycle %llu", (unsigned long long)now);
		limited += l->may_load != l->present;
	}
	cr_assert(limited > end / 4 && limited < end - end / 20, "limited in %llu cycles",
		(unsigned long long)limited);
	cr_assert(decisions < end / 2, "%llu decisions", (unsigned long long)decisions);
	destroy();
}
