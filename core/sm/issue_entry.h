/* core/sm/issue_entry.h -- what the issue stage asks of a micro-operation: its registers on the scoreboard
 * and in the register banks, its unit, its times. */
#ifndef CORE_SM_ISSUE_ENTRY_H
#define CORE_SM_ISSUE_ENTRY_H

#include "sim/base/types.h"

struct memory_access;

/* Register rows as sets of banks: bit b is bank b for a warp in slot 0 and stands for bank b + s for one in
 * slot s; the set is repeated to fill the word. Rows that share a bank lie in several sets: `more` sets from
 * more_banks[at] on. */
struct row_banks {
	uint64_t first;
	uint32_t at, more;
};

/* One line of the host's cache for each; issue_table.c works them out when a kernel starts. */
struct issue_entry {
	uint64_t needs, writes; /* bits of the scoreboard (its first word): free before it issues; taken until
				   it has its results */
	struct row_banks reads, results;
	union {
		const struct memory_access *access; /* UNIT_LDST: issue_table->accesses has it */
		uint64_t interval_bits;             /* others: the first `interval`, up to 64 */
	};
	uint16_t latency, interval; /* cycles */
	uint8_t unit;               /* enum uop_unit */
	uint8_t port;               /* of UNIT_SP, UNIT_SFU, UNIT_DP: enum unit_port_kind (unit_port.h) */
	uint8_t fetched : 6;        /* instructions that a fetch from here on brings at most: to the end of
				       line and kernel */
	bool has_constant : 1;      /* an operand in .const memory, which may be missing (operands.h) */
	bool is_product : 1;        /* a product of a warpgroup, or a wait for some (products.h) */
	uint8_t state : 5;          /* the state (sm_warp.h) of a warp that can issue it */
	bool is_guarded : 1;        /* by a predicate that may be too young for it (guards.h) */
	bool marks_result : 1;      /* writes predicates that may guard, or loads from tensor memory */
	bool looks_twice : 1;       /* has_constant, is_guarded, is_product, or may be behind a
				       branch */
} __attribute__((aligned(64)));
_Static_assert(sizeof(struct issue_entry) == 64, "one line of the host's cache");

#endif
