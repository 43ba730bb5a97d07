/* core/issue/operands.h -- words of .const memory that are operands of instructions: each scheduler keeps
 * some in a cache of its own, whose tags the issue stage looks up (sm.operand_cache; Huerta et al., MICRO
 * 2025, Section 5.1.1: "L0 FL constant cache"). */
#ifndef CORE_ISSUE_OPERANDS_H
#define CORE_ISSUE_OPERANDS_H

#include "core/sm/sm.h"

struct packet;

/* Whether the instruction at pc, whose other operands are there, has its constant. If not, it is asked for,
 * and the warp is renewed when a line has come. */
bool operand_is_here(struct sm *sm, uint32_t slot, uint32_t pc);
/* A line has come. */
void operands_filled(struct sm *sm, const struct packet *reply);

#endif
