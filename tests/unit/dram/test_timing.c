/* tests/unit/dram/test_timing.c -- every rule at t-1 and at t: in the tables that the scheduler trusts and,
 * separately written, in the protocol checker. */
#include "dram/bank.h"
#include "dram/checker.h"
#include "rig.h"
#include <string.h>

struct step {
	enum dram_command command;
	uint32_t bank;
	cycles when;
};

/* After the steps, `command` to `bank` may issue at `when` and not a cycle before; a checker names `rule`
 * then. */
static void probe(const struct dram_config *config, const struct step *step, uint32_t steps,
	enum dram_command command, uint32_t bank, cycles when, const char *rule)
{
	struct dram_checker *on_time = dram_checker_new(config), *early = dram_checker_new(config);
	struct dram_device device;
	const char *broken;

	dram_device_init(&device, config);
	for (uint32_t i = 0; i < steps; i++) {
		const struct step *s = &step[i];

		cr_assert_leq(dram_ready_at(&device, s->command, s->bank), s->when, "step %u", i);
		dram_device_issue(&device, s->command, s->bank, 7, s->when);
		broken = dram_checker_command(on_time, s->command, s->bank, 7, s->when);
		cr_assert_null(broken, "step %u: %s", i, broken);
		dram_checker_command(early, s->command, s->bank, 7, s->when);
	}
	cr_assert_eq(dram_ready_at(&device, command, bank), when, "%s: ready at %llu, not %llu", rule,
		(unsigned long long)dram_ready_at(&device, command, bank), (unsigned long long)when);
	broken = dram_checker_command(on_time, command, bank, 7, when);
	cr_assert_null(broken, "%s at t: %s", rule, broken);
	broken = dram_checker_command(early, command, bank, 7, when - 1);
	cr_assert(broken && strstr(broken, rule), "%s at t-1: %s", rule, broken ? broken : "accepted");
	dram_checker_free(on_time);
	dram_checker_free(early);
}
#define PROBE(config, command, bank, when, rule, ...) \
	do { \
		const struct step steps_[] = { __VA_ARGS__ }; \
		probe(&(config), steps_, sizeof(steps_) / sizeof(*steps_), command, bank, when, rule); \
	} while (0)

Test(dram_timing, activate_to_column_is_tRCD)
{
	struct dram_config c = rig_config();

	PROBE(c, DRAM_RD, 0, 100 + 12, "tRCD", { DRAM_ACT, 0, 100 });
	PROBE(c, DRAM_WR, 0, 100 + 12, "tRCDWR", { DRAM_ACT, 0, 100 });
}

Test(dram_timing, activate_to_write_may_be_shorter)
{
	struct dram_config c = rig_config();

	c.tRCDWR = 8;
	PROBE(c, DRAM_RD, 0, 112, "tRCD", { DRAM_ACT, 0, 100 });
	PROBE(c, DRAM_WR, 0, 108, "tRCDWR", { DRAM_ACT, 0, 100 });
}

Test(dram_timing, activate_to_precharge_is_tRAS)
{
	struct dram_config c = rig_config();

	PROBE(c, DRAM_PRE, 3, 128, "tRAS", { DRAM_ACT, 3, 100 });
}

Test(dram_timing, precharge_to_activate_is_tRP)
{
	struct dram_config c = rig_config();

	PROBE(c, DRAM_ACT, 3, 142, "tRP", { DRAM_ACT, 3, 100 }, { DRAM_PRE, 3, 130 });
}

Test(dram_timing, activate_to_activate_of_one_bank_is_tRC)
{
	struct dram_config c = rig_config();

	c.tRC = 50;
	PROBE(c, DRAM_ACT, 3, 150, "tRC", { DRAM_ACT, 3, 100 }, { DRAM_PRE, 3, 128 });
}

Test(dram_timing, activate_to_activate_of_another_bank_is_tRRD)
{
	struct dram_config c = rig_config();

	PROBE(c, DRAM_ACT, 1, 106, "tRRD", { DRAM_ACT, 0, 100 });
}

Test(dram_timing, activates_inside_a_bank_group_are_tRRDL_apart)
{
	struct dram_config c = rig_config();

	c.tRRDL = 9;
	PROBE(c, DRAM_ACT, 1, 106, "tRRD:", { DRAM_ACT, 0, 100 });
	PROBE(c, DRAM_ACT, 4, 109, "tRRDL", { DRAM_ACT, 0, 100 });
	c.tRRDL = 3; /* never shorter than in other groups */
	PROBE(c, DRAM_ACT, 4, 106, "tRRD:", { DRAM_ACT, 0, 100 });
}

Test(dram_timing, a_fifth_activate_waits_for_tFAW)
{
	struct dram_config c = rig_config();

	c.tFAW = 30;
	PROBE(c, DRAM_ACT, 4, 130, "tFAW", { DRAM_ACT, 0, 100 }, { DRAM_ACT, 1, 106 }, { DRAM_ACT, 2, 112 },
		{ DRAM_ACT, 3, 118 });
}

Test(dram_timing, columns_of_other_groups_are_tCCDS_apart)
{
	struct dram_config c = rig_config();

	c.tCCDS = 4;
	c.tCCDL = 6;
	PROBE(c, DRAM_RD, 1, 124, "tCCDS", { DRAM_ACT, 0, 100 }, { DRAM_ACT, 1, 106 }, { DRAM_RD, 0, 120 });
	PROBE(c, DRAM_WR, 1, 124, "tCCDS", { DRAM_ACT, 0, 100 }, { DRAM_ACT, 1, 106 }, { DRAM_WR, 0, 120 });
}

Test(dram_timing, columns_of_one_group_are_tCCDL_apart)
{
	struct dram_config c = rig_config();

	PROBE(c, DRAM_RD, 4, 123, "tCCDL", { DRAM_ACT, 0, 100 }, { DRAM_ACT, 4, 106 }, { DRAM_RD, 0, 120 });
	PROBE(c, DRAM_WR, 0, 123, "tCCDL", { DRAM_ACT, 0, 100 }, { DRAM_WR, 0, 120 });
}

Test(dram_timing, bursts_do_not_meet_on_the_data_bus)
{
	struct dram_config c = rig_config();

	c.tCCDS = c.tCCDL = 1; /* a burst is two cycles */
	PROBE(c, DRAM_RD, 1, 122, "data bus", { DRAM_ACT, 0, 100 }, { DRAM_ACT, 1, 106 },
		{ DRAM_RD, 0, 120 });
}

Test(dram_timing, a_write_follows_a_read_when_the_bus_has_turned)
{
	struct dram_config c = rig_config();

	/* read data end at 120 + 12 + 2, two cycles to turn, write data start 4 after WR */
	PROBE(c, DRAM_WR, 1, 120 + 12 + 2 + 2 - 4, "data bus", { DRAM_ACT, 0, 100 }, { DRAM_ACT, 1, 106 },
		{ DRAM_RD, 0, 120 });
}

Test(dram_timing, a_read_follows_a_write_by_tWTR_after_its_data)
{
	struct dram_config c = rig_config();

	PROBE(c, DRAM_RD, 1, 120 + 4 + 2 + 5, "tWTR", { DRAM_ACT, 0, 100 }, { DRAM_ACT, 1, 106 },
		{ DRAM_WR, 0, 120 });
}

Test(dram_timing, a_read_of_the_same_bank_group_follows_a_write_by_tWTRL)
{
	struct dram_config c = rig_config();

	c.tWTRL = 8;
	PROBE(c, DRAM_RD, 1, 120 + 4 + 2 + 5, "tWTR:", { DRAM_ACT, 0, 100 }, { DRAM_ACT, 1, 106 },
		{ DRAM_WR, 0, 120 });
	PROBE(c, DRAM_RD, 4, 120 + 4 + 2 + 8, "tWTRL", { DRAM_ACT, 0, 100 }, { DRAM_ACT, 4, 106 },
		{ DRAM_WR, 0, 120 });
	PROBE(c, DRAM_RD, 0, 120 + 4 + 2 + 8, "tWTRL", { DRAM_ACT, 0, 100 }, { DRAM_WR, 0, 120 });
}

Test(dram_timing, a_precharge_follows_a_read_by_tRTP)
{
	struct dram_config c = rig_config();

	PROBE(c, DRAM_PRE, 0, 142, "tRTP", { DRAM_ACT, 0, 100 }, { DRAM_RD, 0, 140 });
}

Test(dram_timing, a_precharge_follows_a_write_by_tWR_after_its_data)
{
	struct dram_config c = rig_config();

	PROBE(c, DRAM_PRE, 0, 120 + 4 + 2 + 12, "tWR", { DRAM_ACT, 0, 100 }, { DRAM_WR, 0, 120 });
}

Test(dram_timing, a_refresh_follows_a_precharge_by_tRP_and_lasts_tRFC)
{
	struct dram_config c = rig_config();

	PROBE(c, DRAM_REF, 0, 152, "tRP: PRE to REF", { DRAM_ACT, 5, 100 }, { DRAM_PRE, 5, 140 });
	c.tRC = 60;
	PROBE(c, DRAM_REF, 0, 160, "tRC: ACT to REF", { DRAM_ACT, 5, 100 }, { DRAM_PRE, 5, 140 });
	c.tRC = 40;
	PROBE(c, DRAM_ACT, 9, 160, "tRFC: REF to ACT", { DRAM_REF, 0, 100 });
	PROBE(c, DRAM_REF, 0, 160, "tRFC: REF to REF", { DRAM_REF, 0, 100 });
}

/* The n-th refresh is due at n tREFI; one tREFI later any other command breaks the rule, and so does the
 * refresh itself. */
Test(dram_timing, a_refresh_cannot_be_put_off_for_longer_than_tREFI)
{
	struct dram_config c = rig_config();

	c.tREFI = 1000;
	for (int late = 0; late < 2; late++) {
		struct dram_checker *k = dram_checker_new(&c);
		const char *broken;

		cr_assert_null(dram_checker_command(k, DRAM_REF, 0, 0, 1000));
		cr_assert_null(dram_checker_command(k, DRAM_ACT, 0, 0, 2500));
		cr_assert_null(dram_checker_command(k, DRAM_PRE, 0, 0, 2600));
		broken = dram_checker_command(k, DRAM_REF, 0, 0, 3000 + (cycles)late);
		cr_assert(late ? broken && strstr(broken, "tREFI") : !broken, "%s",
			broken ? broken : "accepted");
		dram_checker_free(k);
	}
}

static void breaks(struct dram_checker *k, enum dram_command command, uint32_t bank, uint64_t row, cycles now,
	const char *rule)
{
	const char *broken = dram_checker_command(k, command, bank, row, now);

	cr_assert(rule ? broken && !strcmp(broken, rule) : !broken, "%s", broken ? broken : "accepted");
}

Test(dram_timing, the_checker_knows_the_state_of_banks_and_the_command_bus)
{
	struct dram_config c = rig_config();
	struct dram_checker *k = dram_checker_new(&c);

	breaks(k, DRAM_RD, 0, 7, 10, "column command to a closed bank");
	breaks(k, DRAM_PRE, 0, 7, 11, "PRE to a closed bank");
	breaks(k, DRAM_ACT, 0, 7, 100, NULL);
	breaks(k, DRAM_RD, 0, 8, 150, "column command to a bank with another row open");
	breaks(k, DRAM_ACT, 0, 7, 200, "ACT to a bank with an open row");
	breaks(k, DRAM_REF, 0, 0, 300, "REF with a row open");
	breaks(k, DRAM_PRE, 0, 7, 400, NULL);
	breaks(k, DRAM_ACT, 1, 7, 400, "two commands in one cycle");
	dram_checker_free(k);
}
