/* dram/checker.h -- re-verifies every command against the datasheet's rules, from the times of those before
 * it. */
#ifndef DRAM_CHECKER_H
#define DRAM_CHECKER_H

#include "dram/timing.h"

struct dram_checker;

struct dram_checker *dram_checker_new(const struct dram_config *config);
void dram_checker_free(struct dram_checker *checker);
/* The rule that the command breaks, or NULL; either way the command is then taken as issued. REF's bank is
 * ignored. */
const char *dram_checker_command(
	struct dram_checker *checker, enum dram_command command, uint32_t bank, uint64_t row, cycles now);

#endif
