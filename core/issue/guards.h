/* core/issue/guards.h -- predicates that guard instructions, branches among them: an instruction can be
 * issued so many cycles behind the one that wrote its guard (sm.latency.guard), which is later than a value
 * that is an operand can be used, since the guard decides already at issue. And branches: the warp goes on so
 * many cycles behind one (sm.latency.branch), whether it is taken or not, and behind what gathers lanes. */
#ifndef CORE_ISSUE_GUARDS_H
#define CORE_ISSUE_GUARDS_H

#include "core/kernel/slot_cause.h"
#include "sim/base/types.h"

#define GUARD_BITS   4 /* predicates that agree in so many bits wait for each other */
#define GUARD_PLACES (1 << GUARD_BITS)

struct sm;
struct guards;

static inline uint32_t guard_place(uint32_t predicate)
{
	return predicate & (GUARD_PLACES - 1);
}

struct guards *guards_new(void);
/* A warp starts in the slot. */
void guards_start(struct guards *g, uint32_t slot);
/* A micro-operation that writes predicates is issued: what it guards can be from cycle `due` on. */
void guards_written(struct sm *sm, uint32_t slot, uint32_t uop, cycles due);
/* A branch of the warp is issued: what is behind it can be from cycle `due` on. */
void guards_branched(struct guards *g, uint32_t slot, cycles due);
/* The time has come that a warp waits for. */
void guards_due(struct sm *sm, uint32_t slot);
/* What the instruction at pc (looks_twice) still waits for, whose other operands are there; SLOT_issued:
 * nothing. The warp is renewed when that has changed. */
enum slot_cause guards_second_look(struct sm *sm, uint32_t slot, uint32_t pc);

#endif
