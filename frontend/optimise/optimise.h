/* frontend/optimise/optimise.h -- the passes that turn micro-operations as PTX writes them into those that a
 * chip would issue. Each keeps every value that a thread can see. */
#ifndef FRONTEND_OPTIMISE_OPTIMISE_H
#define FRONTEND_OPTIMISE_OPTIMISE_H

#include "frontend/optimise/code.h"

/* All passes in their order, on the function that is loaded (unit_load), whose drafts have been given their
 * control flow. cfg: theirs. Afterwards the function has new drafts. */
void optimise(struct lower *l, const struct cfg *cfg);

/* rename.c: each value of a block has a register of its own. */
void rename_values(struct code *code);
/* rename.c: a copy that a block alone reads, as long as what it copies stays, gives way to that. */
void join_copies(struct code *code);
/* unroll.c: loops that count are unrolled, but those of is_rolled (by block). Whether there were any: if so
 * the blocks are others than those of code->cfg, and code_finish must follow. */
bool unroll(struct code *code, const bool *is_rolled);
/* unroll_fixed.c: loops of several blocks with a constant number of rounds become these. As unroll. */
bool unroll_fixed(struct code *code);
/* fold.c: copies, constants and sums become operands of what reads them. */
void fold(struct code *code);
/* known.c: the constant that the draft computes if its operands are these and numbers (of a multiply-add the
 * product); else REF_NONE. */
ref known_result(struct lower *l, const struct draft *d, const ref src[2]);
/* common.c: what was computed before gives way to that. */
void merge_common(struct code *code);
/* conditions.c: negations, and logic behind a comparison, become part of what reads or makes the predicate.
 */
void merge_conditions(struct code *code);
/* triples.c: additions and logic become part of another one that alone reads them. */
void join_triples(struct code *code);
/* offsets.c: values that differ by a constant from an earlier one become that one and the difference, and
 * constants move from addresses into the accesses. */
void share_roots(struct code *code);
/* narrow.c: 64-bit registers whose upper half nobody needs become 32-bit ones. */
void narrow(struct code *code);
/* flow.c: branches to and around jumps go. */
void straighten(struct code *code);
/* place.c: blocks stand so that few jumps are left. Their numbers are others than in code->cfg afterwards,
 * and code_finish must follow. */
void place_blocks(struct code *code);
/* guard.c: branches around short blocks give way to guards. */
void guard_short_blocks(struct code *code);
/* factors.c: factors of products whose addend is a constant, too, are kept in registers. */
void keep_factors(struct code *code);
/* constant_loads.c: chips whose instructions have no operands from the constant bank load parameters of 64
 * bits; whether the configured one is such. */
void load_parameters(struct code *code);
bool loads_constants(const struct lower *l);
/* setup.c: what kernels of Ampere and Hopper do before they access memory, and the loads of 32-bit constants.
 */
void set_up(struct code *code);
void move_addresses(struct code *code); /* setup.c: from the uniform datapath to the threads' registers */
/* scale.c: shifts that make addresses of shared memory become part of the accesses. */
void scale_addresses(struct code *code);
/* widen.c: neighbouring loads from shared memory become one. */
void widen(struct code *code);
/* order.c: each block in the order in which it would issue. live: of the drafts as the code was taken;
 * budget: the registers that it may take, unless it takes more as it stands. */
struct liveness;
void order(struct code *code, const struct liveness *live, uint32_t budget);
/* spill.c: values that the registers of a thread have no room for go to local memory. On the function that is
 * loaded, between passes; whether there were any. */
bool spill(struct lower *l);
uint32_t most_values(const struct lower *l); /* 32-bit registers for values that a thread of the kernel has at
						most */
/* expand.c: what the machine does in several instructions becomes several. */
void expand(struct code *code);
uint32_t steps_behind(const struct lower *l, const struct draft *d); /* more instructions than one */
uint32_t new_step(struct code *code, uint32_t draft, char letter);   /* a step that waits for the draft; its
									index */
/* agree.c: additions of a warp to one word become those of one lane. */
void agree(struct code *code);
/* converge.c: the registers that may differ among lanes (what is loaded from the parameters counts as such
 * unless are_parameters_same), and whether a special register does. */
bool *find_varying(const struct code *code, bool are_parameters_same);
bool is_lane(ref r);
/* converge.c: the instructions that gather lanes behind a branch. */
void converge(struct code *code);
/* dead.c: removes what is computed for nothing. */
void remove_dead(struct code *code);

/* Whether what is to be added to an address lies within -most to most. */
static inline bool is_offset_within(int64_t offset, int64_t most)
{
	return offset >= -most && offset <= most;
}
/* The sum of offsets, modulo 2^64 as addresses are. */
static inline int64_t sum_of_offsets(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* operand.c: constants as operands. */
ref launch_constant(struct lower *l, ref r); /* of a special register that a launch fixes; else REF_NONE */
/* Whether what the draft accesses is, aligned, among the kernel's parameters if it lies at the offset: what
 * is not stays an access, and fails when it is executed. */
bool is_among_parameters(const struct lower *l, const struct draft *d, int64_t offset);
ref parameter_constant(struct lower *l, const struct draft *d); /* that LD_PARAM reads; else REF_NONE */
/* What an element of a load from .const memory is whose elements have 4 or 8 bytes and whose base is a
 * symbol's address; else REF_NONE. */
ref loaded_constant(struct lower *l, const struct draft *d, ref base, uint32_t element);
bool immediate(const struct lower *l, ref r, bool is_wide, uint64_t *value); /* known before the launch */
bool is_bank_read(const struct lower *l, ref r); /* whether it is in the constant bank, and no immediate */
/* Whether it is the one operand of an instruction that need not be a register. */
bool takes_place(const struct lower *l, ref r);
/* Whether the machine's instruction can take the constant as operand s. */
bool may_be_constant(const struct lower *l, const struct draft *d, uint32_t s, ref constant);

#endif
