/* dram/checker.c -- the protocol checker, used in tests and with the parameter `check`.
 *
 * It shares nothing with the scheduler's tables: it records when each bank, group and the channel last
 * received each command, and states every rule directly in the configuration's parameters. The model
 * refreshes when a refresh is due; the rule here permits one tREFI more (JEDEC: eight), since open rows
 * must be closed first. */
#include "dram/checker.h"
#include "dram/bank.h"
#include "sim/base/xalloc.h"

struct history {
	cycles activate, precharge, read, write; /* cycle of the last command of each kind; SIM_NEVER: none
						    yet */
};

struct dram_checker {
	struct dram_config config;
	uint32_t data; /* cycles of data of one column command */
	struct history bank[DRAM_MAX_BANKS], group[DRAM_MAX_BANKS], all;
	uint64_t row[DRAM_MAX_BANKS]; /* DRAM_NO_ROW: closed */
	cycles refresh, last;         /* cycles of the last REF and of the last command */
	uint64_t refreshes;
	cycles activates[4]; /* the newest first */
	cycles data_end;     /* end of the data of the last column command; SIM_NEVER: none */
	bool data_was_read;
};

static const struct history nothing = { SIM_NEVER, SIM_NEVER, SIM_NEVER, SIM_NEVER };

struct dram_checker *dram_checker_new(const struct dram_config *config)
{
	struct dram_checker *k = xcalloc(1, sizeof(*k));

	k->config = *config;
	k->data = (config->burst_length + config->data_rate - 1) / config->data_rate;
	k->all = nothing;
	k->refresh = k->last = k->data_end = SIM_NEVER;
	for (int i = 0; i < DRAM_MAX_BANKS; i++) {
		k->bank[i] = k->group[i] = nothing;
		k->row[i] = DRAM_NO_ROW;
	}
	for (int i = 0; i < 4; i++)
		k->activates[i] = SIM_NEVER;
	return k;
}

void dram_checker_free(struct dram_checker *k)
{
	free(k);
}

/* Whether `now` is less than `gap` cycles after `then`. */
static bool is_early(cycles now, cycles then, uint32_t gap)
{
	return then != SIM_NEVER && now < then + gap;
}

static const char *check_activate(const struct dram_checker *k, uint32_t bank, cycles now)
{
	const struct dram_config *c = &k->config;
	const struct history *group = &k->group[bank % c->bank_groups];

	if (k->row[bank] != DRAM_NO_ROW)
		return "ACT to a bank with an open row";
	if (is_early(now, k->bank[bank].activate, c->tRC))
		return "tRC: ACT to ACT of one bank";
	if (is_early(now, k->bank[bank].precharge, c->tRP))
		return "tRP: PRE to ACT";
	if (is_early(now, k->all.activate, c->tRRD))
		return "tRRD: ACT to ACT of another bank";
	if (is_early(now, group->activate, c->tRRDL))
		return "tRRDL: ACT to ACT of one bank group";
	if (is_early(now, k->activates[3], c->tFAW))
		return "tFAW: five ACTs in the window of four";
	if (is_early(now, k->refresh, c->tRFC))
		return "tRFC: REF to ACT";
	return NULL;
}

static const char *check_precharge(const struct dram_checker *k, uint32_t bank, cycles now)
{
	const struct dram_config *c = &k->config;

	if (k->row[bank] == DRAM_NO_ROW)
		return "PRE to a closed bank";
	if (is_early(now, k->bank[bank].activate, c->tRAS))
		return "tRAS: ACT to PRE";
	if (is_early(now, k->bank[bank].read, c->tRTP))
		return "tRTP: RD to PRE";
	if (is_early(now, k->bank[bank].write, c->tWL + k->data + c->tWR))
		return "tWR: end of write data to PRE";
	return NULL;
}

static const char *check_column(
	const struct dram_checker *k, bool is_read, uint32_t bank, uint64_t row, cycles now)
{
	const struct dram_config *c = &k->config;
	const struct history *group = &k->group[bank % c->bank_groups];
	cycles data_start = now + (is_read ? c->tCL : c->tWL);

	if (k->row[bank] == DRAM_NO_ROW)
		return "column command to a closed bank";
	if (k->row[bank] != row)
		return "column command to a bank with another row open";
	if (is_read && is_early(now, k->bank[bank].activate, c->tRCD))
		return "tRCD: ACT to RD";
	if (!is_read && is_early(now, k->bank[bank].activate, c->tRCDWR > 0 ? c->tRCDWR : c->tRCD))
		return "tRCDWR: ACT to WR";
	if (is_early(now, is_read ? k->all.read : k->all.write, c->tCCDS))
		return "tCCDS: column to column command";
	if (is_early(now, is_read ? group->read : group->write, c->tCCDL))
		return "tCCDL: column to column command of one bank group";
	if (is_read && is_early(now, k->all.write, c->tWL + k->data + c->tWTR))
		return "tWTR: end of write data to RD";
	if (is_read && is_early(now, group->write, c->tWL + k->data + c->tWTRL))
		return "tWTRL: end of write data to RD of one bank group";
	if (is_early(data_start, k->data_end, !is_read && k->data_was_read ? 2 : 0))
		return "data bus: bursts meet, or a write comes within two cycles of read data";
	return NULL;
}

static const char *check_refresh(const struct dram_checker *k, cycles now)
{
	for (uint32_t b = 0; b < k->config.banks; b++)
		if (k->row[b] != DRAM_NO_ROW)
			return "REF with a row open";
	if (is_early(now, k->all.activate, k->config.tRC))
		return "tRC: ACT to REF";
	if (is_early(now, k->all.precharge, k->config.tRP))
		return "tRP: PRE to REF";
	if (is_early(now, k->refresh, k->config.tRFC))
		return "tRFC: REF to REF";
	return NULL;
}

/* Whether a refresh is overdue: the n-th is due at n tREFI. */
static bool is_overdue(const struct dram_checker *k, cycles now)
{
	return k->config.tREFI && now > (k->refreshes + 2) * k->config.tREFI;
}

static void record(struct dram_checker *k, enum dram_command command, uint32_t bank, uint64_t row, cycles now)
{
	struct history *where[] = { &k->bank[bank], &k->group[bank % k->config.bank_groups], &k->all };

	k->last = now;
	for (int i = 0; i < 3; i++) {
		cycles *times[] = { &where[i]->activate, &where[i]->precharge, &where[i]->read,
			&where[i]->write };

		if (command < DRAM_REF)
			*times[command] = now;
	}
	switch (command) {
	case DRAM_ACT:
		k->row[bank] = row;
		memmove(&k->activates[1], &k->activates[0], 3 * sizeof(k->activates[0]));
		k->activates[0] = now;
		break;
	case DRAM_PRE:
		k->row[bank] = DRAM_NO_ROW;
		break;
	case DRAM_RD:
	case DRAM_WR:
		k->data_was_read = command == DRAM_RD;
		k->data_end = now + (k->data_was_read ? k->config.tCL : k->config.tWL) + k->data;
		break;
	default:
		k->refresh = now;
		k->refreshes++;
	}
}

const char *dram_checker_command(
	struct dram_checker *k, enum dram_command command, uint32_t bank, uint64_t row, cycles now)
{
	const char *broken = NULL;

	if (k->last != SIM_NEVER && now <= k->last)
		broken = "two commands in one cycle";
	else if (is_overdue(k, now))
		broken = "tREFI: a refresh is overdue";
	else if (command == DRAM_ACT)
		broken = check_activate(k, bank, now);
	else if (command == DRAM_PRE)
		broken = check_precharge(k, bank, now);
	else if (command == DRAM_REF)
		broken = check_refresh(k, now);
	else
		broken = check_column(k, command == DRAM_RD, bank, row, now);
	record(k, command, bank, row, now);
	return broken;
}
