/* tests/unit/dram/test_trace.c -- the command trace, read again: a checker finds nothing wrong in it; and in
 * the trace of a channel that keeps one rule a cycle too short it finds just that rule. */
#include "dram/checker.h"
#include "dram/trace.h"
#include "bandwidth.h"
#include <inttypes.h>
#include <string.h>

static FILE *stream;

/* All that a channel can be asked for: reads and writes, hits, misses and conflicts. */
static bool anything(struct rig *rig, struct packet *p)
{
	uint64_t r = rig_random(rig);

	if (!rig->sent)
		dram_set_trace(rig->channel, stream);
	p->kind = (r & 3) == 0 ? PACKET_WRITE : PACKET_READ;
	p->bytes = (uint16_t)(32 << (r >> 2) % 3);
	p->local = PLACE(r >> 4 & 1 ? 1 : r >> 58, r >> 8 & (r >> 5 & 1 ? 15 : 2), (r >> 16 & 31) << 7);
	p->local += p->bytes < 128 ? (r >> 24) % (128u / p->bytes) * p->bytes : 0;
	return true;
}

/* One bank, a new row for each of its requests of two directions. */
static bool one_bank(struct rig *rig, struct packet *p)
{
	uint64_t r = rig_random(rig);

	if (!rig->sent)
		dram_set_trace(rig->channel, stream);
	p->kind = r & 1 ? PACKET_WRITE : PACKET_READ;
	p->bytes = 64;
	p->local = PLACE(r >> 8 & 255, 0, 0);
	return true;
}

static struct dram_config traced_config(void)
{
	struct dram_config config = rig_config();

	config.mapping = "row:bank:column";
	config.tREFI = 1000;
	config.tRRDL = 8; /* so that every rule binds sometimes */
	config.tFAW = 34;
	config.tWTRL = 7;
	config.tRCDWR = 10;
	config.write_high = 6;
	config.write_low = 2;
	return config;
}

/* Reads one line; false: it is not a line of a trace. */
static bool read_traced(const char *line, struct dram_traced *t)
{
	char name[8];
	int rest = 0;

	*t = (struct dram_traced){ .command = DRAM_COMMANDS };
	if (sscanf(line, "%" SCNu64 " %u %7s %n", &t->when, &t->channel, name, &rest) != 3 || !rest)
		return false;
	for (uint32_t c = 0; c < DRAM_COMMANDS; c++)
		if (!strcmp(name, dram_command_names[c]))
			t->command = (enum dram_command)c;
	line += rest;
	switch (t->command) {
	case DRAM_ACT:
		return sscanf(line, "%u %" SCNu64 " -", &t->bank, &t->row) == 2;
	case DRAM_PRE:
		return sscanf(line, "%u - -", &t->bank) == 1;
	case DRAM_RD:
	case DRAM_WR:
		return sscanf(line, "%u %" SCNu64 " %u", &t->bank, &t->row, &t->column) == 3;
	case DRAM_REF:
		return !strncmp(line, "- - -", 5);
	default:
		return false;
	}
}

/* The trace of a channel under `config`, its own checker off, as the first broken rule of `truth` (NULL:
 * none). counts: lines by command. */
static const char *verdict(const struct dram_config *config, const struct dram_config *truth,
	bool (*next)(struct rig *, struct packet *), uint64_t counts[DRAM_COMMANDS])
{
	struct dram_checker *k = dram_checker_new(truth);
	struct dram_config unchecked = *config;
	const char *broken = NULL;
	char line[128];
	struct rig rig;

	stream = tmpfile();
	cr_assert(stream);
	dram_trace_begin(stream, 924000, 1);
	unchecked.check = false;
	rig_init(&rig, &unchecked, next, 3000);
	rig_run(&rig);
	rewind(stream);
	while (fgets(line, sizeof(line), stream)) {
		struct dram_traced t;

		if (*line == '#')
			continue;
		cr_assert(read_traced(line, &t), "%s", line);
		counts[t.command]++;
		if (!broken)
			broken = dram_checker_command(k, t.command, t.bank, t.row, t.when);
	}
	cr_assert_eq(counts[DRAM_ACT], rig_stat(&rig, "activates"));
	cr_assert_eq(counts[DRAM_PRE], rig_stat(&rig, "precharges"));
	cr_assert_eq(counts[DRAM_RD], rig_stat(&rig, "read_bursts"));
	cr_assert_eq(counts[DRAM_WR], rig_stat(&rig, "write_bursts"));
	cr_assert_eq(counts[DRAM_REF], rig_stat(&rig, "refreshes"));
	rig_fini(&rig);
	fclose(stream);
	dram_checker_free(k);
	return broken;
}

Test(dram_trace, a_trace_read_again_breaks_no_rule)
{
	struct dram_config config = traced_config();
	uint64_t counts[DRAM_COMMANDS] = { 0 };
	const char *broken = verdict(&config, &config, anything, counts);

	cr_assert_null(broken, "%s", broken);
	for (int c = 0; c < DRAM_COMMANDS; c++)
		cr_assert_gt(counts[c], 10, "%s", dram_command_names[c]);
	broken = verdict(&config, &config, one_bank, (uint64_t[DRAM_COMMANDS]){ 0 });
	cr_assert_null(broken, "%s", broken);
}

#define MUTANT(field, expected) \
	{ \
#field, offsetof(struct dram_config, field), expected \
	}

/* The channel believes in one cycle less than the checker. */
Test(dram_trace, a_channel_that_keeps_a_rule_a_cycle_too_short_is_found_out)
{
	static const struct {
		const char *name;
		size_t offset;
		const char *expected;
	} mutants[] = {
		MUTANT(tRP, "tRP"),
		MUTANT(tRC, "tRC"),
		MUTANT(tRAS, "tRAS"),
		MUTANT(tRCD, "tRCD:"),
		MUTANT(tRCDWR, "tRCDWR"),
		MUTANT(tRRD, "tRRD:"),
		MUTANT(tRRDL, "tRRDL"),
		MUTANT(tCCDS, "tCCDS"),
		MUTANT(tCCDL, "tCCDL"),
		MUTANT(tWTR, "tWTR:"),
		MUTANT(tWTRL, "tWTRL"),
		MUTANT(tWR, "tWR"),
		MUTANT(tRTP, "tRTP"),
		MUTANT(tFAW, "tFAW"),
		MUTANT(tRFC, "tRFC"),
		MUTANT(tCL, "data bus"),
		MUTANT(tWL, NULL),
	};

	for (size_t i = 0; i < sizeof(mutants) / sizeof(*mutants); i++) {
		struct dram_config config = traced_config(), truth;
		uint32_t *field = (uint32_t *)((char *)&config + mutants[i].offset);
		const char *broken;

		config.tRTP = 30; /* longer than what is left of tRAS */
		config.tCCDS = 3; /* longer than a burst */
		config.tCCDL = 4;
		if (!strcmp(mutants[i].name, "tRC"))
			config.tRC = 60;
		truth = config;
		--*field;
		broken = verdict(&config, &truth, anything, (uint64_t[DRAM_COMMANDS]){ 0 });
		if (!broken)
			broken = verdict(&config, &truth, one_bank, (uint64_t[DRAM_COMMANDS]){ 0 });
		cr_assert(broken, "%s one short was not found", mutants[i].name);
		cr_assert(!mutants[i].expected || strstr(broken, mutants[i].expected), "%s one short: %s",
			mutants[i].name, broken);
	}
}

/* Refreshes half as often as the rule wants. */
Test(dram_trace, a_channel_that_refreshes_too_seldom_is_found_out)
{
	struct dram_config config = traced_config(), truth = config;
	const char *broken;

	config.tREFI = 2100;
	broken = verdict(&config, &truth, anything, (uint64_t[DRAM_COMMANDS]){ 0 });
	cr_assert(broken && strstr(broken, "tREFI"), "%s", broken ? broken : "not found");
}

Test(dram_trace, a_line_has_the_cycle_the_channel_and_where_the_command_goes)
{
	static const struct dram_traced commands[] = { { DRAM_ACT, 0, 3, 0, 17, 118 },
		{ DRAM_RD, 5, 3, 256, 17, 130 }, { DRAM_WR, 5, 2, 64, UINT64_C(1) << 40, 131 },
		{ DRAM_PRE, 0, 3, 0, 0, 146 }, { DRAM_REF, 1, 0, 0, 0, 3604 } };
	char text[256] = { 0 };

	stream = fmemopen(text, sizeof(text), "w");
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		dram_trace_write(stream, &commands[i]);
	fclose(stream);
	cr_assert_str_eq(text,
		"118 0 ACT 3 17 -\n130 5 RD 3 17 256\n131 5 WR 2 1099511627776 64\n146 0 PRE 3 - -\n"
		"3604 1 REF - - -\n");
}
