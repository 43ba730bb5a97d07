/* core/issue/issue_table.h -- what the issue stage of an SM asks of each micro-operation of a kernel, worked
 * out when it starts: its registers on the scoreboard and in the register banks, its unit, its times. One
 * line of the host's cache for each. */
#ifndef CORE_ISSUE_ISSUE_TABLE_H
#define CORE_ISSUE_ISSUE_TABLE_H

#include "core/sm/issue_entry.h"

struct issue_table {
	struct issue_entry *entry;      /* of each micro-operation */
	struct memory_access *accesses; /* of those of UNIT_LDST, in order */
	uint64_t *more_banks;           /* of struct row_banks */
	/* of the scoreboard, beyond the first word: words - 1 for each micro-operation */
	uint64_t *more_needs, *more_writes;
	uint16_t *guards; /* of micro-operations that write predicates: the predicates, GUARDS_BITS each */
	addr *constants;  /* of micro-operations with has_constant: where it stands, as offset into device
			     memory */
	bool *polls;      /* micro-operations of loops that wait for a phase of an mbarrier (poll_loops.h);
			     NULL: there are none */
	uint32_t words;   /* of the scoreboard; bit = row, or rows + predicate */
};

struct kernel_run;
struct ptx_kernel;
struct sm;

/* For a run that has its address in memory (run->code). sm: any of the chip, whose SMs are alike; line_bytes:
 * of the instruction cache. */
struct issue_table *issue_table_new(const struct kernel_run *run, const struct sm *sm, uint32_t line_bytes);
void issue_table_free(struct issue_table *table);
/* The scoreboard's bit of one of the kernel's hazards. */
uint32_t issue_table_bit(const struct ptx_kernel *kernel, uint32_t hazard);

#endif
