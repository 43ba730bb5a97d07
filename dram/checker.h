/* dram/checker.h -- verifies every command against the rules of the datasheet, from the times of earlier
 * commands. */
#ifndef DRAM_CHECKER_H
#define DRAM_CHECKER_H

#include "dram/timing.h"

struct dram_checker;

struct dram_checker *dram_checker_new(const struct dram_config *config);
void dram_checker_free(struct dram_checker *checker);
/* Returns the rule that the command breaks, or NULL. In both cases the command then counts as issued. The
 * bank of REF is ignored. */
const char *dram_checker_command(
	struct dram_checker *checker, enum dram_command command, uint32_t bank, uint64_t row, cycles now);

#endif
