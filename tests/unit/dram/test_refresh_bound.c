/* tests/unit/dram/test_refresh_bound.c -- whatever the timings: where they are accepted, something moves
 * between any two refreshes. */
#include "rig.h"
#include "tests/unit/hang_guard.h"
#include "tests/unit/part.h"

#define REQUESTS 64

static bool is_accepted(const struct dram_config *config)
{
	char message[512];

	return dram_config_check(config, message, sizeof(message));
}

/* The timings that a refresh has to wait for, or what comes behind it. */
static uint32_t *timing_of(struct dram_config *c, uint32_t i)
{
	uint32_t *const all[] = { &c->tCL, &c->tRP, &c->tRC, &c->tRAS, &c->tRCD, &c->tRCDWR, &c->tRRD,
		&c->tRRDL, &c->tCCDS, &c->tCCDL, &c->tWL, &c->tWTR, &c->tWTRL, &c->tWR, &c->tRTP, &c->tFAW,
		&c->tRFC };

	return i < sizeof(all) / sizeof(*all) ? all[i] : NULL;
}

/* The least interval that is accepted. */
static uint32_t least_interval(struct dram_config config)
{
	uint32_t refused = 1, accepted = 1000000;

	while (accepted - refused > 1) {
		config.tREFI = (refused + accepted) / 2;
		*(is_accepted(&config) ? &accepted : &refused) = config.tREFI;
	}
	return accepted;
}

/* Reads and writes of a few rows of two banks, so that rows conflict. */
static bool few_rows(struct rig *rig, struct packet *p)
{
	uint64_t random = rig_random(rig);

	p->kind = random % 3 ? PACKET_READ : PACKET_WRITE;
	p->local = (random >> 8 & 3) * 65536 + (random >> 12 & 1) * 4096 + (random >> 16 & 7) * 128;
	return true;
}

/* Each of the bursts needs an interval at most, and each row of a bank another. */
static void expect_end(const struct dram_config *config, const char *scheduler, uint32_t seed)
{
	picoseconds most = (picoseconds)config->tREFI * REQUESTS * 10 * 1083;
	struct rig rig;
	bool stop = false;

	rig_init_with(&rig, config, rig_scheduler(scheduler), few_rows, REQUESTS);
	rig.seed = seed + 1;
	sim_run(rig.sim, &stop, most);
	cr_assert(dram_is_idle(rig.channel) && rig.sent == REQUESTS,
		"seed %u, %s: %llu reads and %llu writes of %d in %llu refreshes of tREFI = %u", seed,
		scheduler, (unsigned long long)rig_stat(&rig, "reads"),
		(unsigned long long)rig_stat(&rig, "writes"), REQUESTS,
		(unsigned long long)rig_stat(&rig, "refreshes"), config->tREFI);
	rig_fini(&rig);
}

/* Of one seed: most timings short, some of them long, up to the longest there are. */
static struct dram_config some_timings(uint32_t seed)
{
	struct dram_config config = rig_config();
	struct rig dice = { .seed = seed * 7919 + 1 };
	uint32_t *t;

	rig_random(&dice);
	for (uint32_t i = 0; (t = timing_of(&config, i)); i++) {
		uint64_t random = rig_random(&dice) >> 16;

		if (random % 3 == 0)
			*t = (uint32_t)(random >> 8) % (random & 0x80 ? 3000 : 60);
	}
	config.tREFI = least_interval(config);
	return config;
}

Test(dram_refresh_bound, what_is_accepted_ends, HANG_GUARD)
{
	for (uint32_t seed = first_of(one_in_or(40, 4)); seed < 600; seed += one_in_or(40, 4)) {
		struct dram_config config = some_timings(seed);

		config.row_policy = seed & 1;
		expect_end(&config, seed & 2 ? "policy=fcfs" : "", seed);
	}
}

Test(dram_refresh_bound, one_timing_that_leaves_no_time_is_refused)
{
	for (uint32_t i = 0;; i++) {
		struct dram_config config = rig_config();
		uint32_t *t = timing_of(&config, i);

		if (!t)
			break;
		config.tREFI = 3604;
		*t = 2000;
		cr_assert(is_accepted(&config), "timing %u", i);
		*t = 16384;
		cr_assert_not(is_accepted(&config), "timing %u", i);
	}
}
