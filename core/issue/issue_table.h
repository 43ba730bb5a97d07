/* core/issue/issue_table.h -- what the issue stage of an SM asks of each micro-operation of a kernel, worked
 * out when it starts: its registers on the scoreboard and in the register banks, its unit, its times. One
 * line of the host's cache for each. */
#ifndef CORE_ISSUE_ISSUE_TABLE_H
#define CORE_ISSUE_ISSUE_TABLE_H

#include "sim/base/types.h"

/* Register rows as sets of banks: bit b is bank b for a warp in slot 0 and stands for bank b + s for one in
 * slot s; the set is repeated to fill the word. Rows that share a bank lie in several sets: `more` sets from
 * more_banks[at] on. */
struct row_banks {
	uint64_t first;
	uint32_t at, more;
};

struct issue_entry {
	uint64_t needs, writes; /* bits of the scoreboard (its first word): free before it issues; taken until
				   it has its results */
	struct row_banks reads, results;
	uint64_t interval_bits;     /* the first so many, up to 64 */
	uint16_t latency, interval; /* cycles */
	uint8_t unit;               /* enum uop_unit */
	uint8_t port;               /* of UNIT_SP, UNIT_SFU, UNIT_DP: enum unit_port_kind (unit_port.h) */
	uint8_t fetched : 6;        /* instructions that a fetch from here on brings at most: to the end of
				       line and kernel */
	bool is_plain_load : 1;     /* lsu_plain.h */
	bool has_constant : 1;      /* an operand in .const memory, which may be missing (operands.h) */
	uint8_t state : 5;          /* the state (sm_warp.h) of a warp that can issue it */
	bool is_guarded : 1;        /* by a predicate that may be too young for it (guards.h) */
	bool makes_guard : 1;       /* writes predicates */
	bool looks_twice : 1;       /* has_constant, is_guarded, or may be behind a branch */
} __attribute__((aligned(64)));
_Static_assert(sizeof(struct issue_entry) == 64, "one line of the host's cache");

struct issue_table {
	struct issue_entry *entry; /* of each micro-operation */
	uint64_t *more_banks;      /* of struct row_banks */
	/* of the scoreboard, beyond the first word: words - 1 for each micro-operation */
	uint64_t *more_needs, *more_writes;
	uint16_t *guards; /* of micro-operations with makes_guard: the predicates, GUARDS_BITS each */
	addr *constants;  /* of micro-operations with has_constant: where it stands, as offset into device
			     memory */
	uint32_t words;   /* of the scoreboard; bit = row, or rows + predicate */
};

struct kernel_run;
struct ptx_kernel;
struct sm_config;

/* For a run that has its address in memory (run->code); line_bytes: of the instruction cache. */
struct issue_table *issue_table_new(
	const struct kernel_run *run, const struct sm_config *config, uint32_t line_bytes);
void issue_table_free(struct issue_table *table);
/* The scoreboard's bit of one of the kernel's hazards. */
uint32_t issue_table_bit(const struct ptx_kernel *kernel, uint32_t hazard);

#endif
