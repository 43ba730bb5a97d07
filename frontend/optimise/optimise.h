/* frontend/optimise/optimise.h -- the passes that turn micro-operations as PTX writes them into those that a
 * chip would issue. Each but contract_products keeps every value that a thread can see. */
#ifndef FRONTEND_OPTIMISE_OPTIMISE_H
#define FRONTEND_OPTIMISE_OPTIMISE_H

#include "frontend/optimise/code.h"

/* All passes in their order, on the function that is loaded (unit_load), whose drafts have been given their
 * control flow. cfg: theirs. may_spill: values that the registers have no room for go to local memory.
 * Afterwards the function has new drafts. */
void optimise(struct lower *l, const struct cfg *cfg, bool may_spill);

/* contraction.c: products and the sums that read them become multiply-adds, as ptxas does it. The only pass
 * that changes values; afterwards the function has new drafts. */
void contract_products(struct lower *l, const struct cfg *cfg);
/* contraction.c: negations become part of sums and multiply-adds that read them. */
void absorb_negations(struct code *code);
/* live_ranges.c: each value of a block has a register of its own. */
void split_live_ranges(struct code *code);
/* live_ranges.c: a copy that a block alone reads, as long as what it copies stays, gives way to that. */
void coalesce_copies(struct code *code);
/* unrolling.c: loops that count are unrolled. Whether there were any: if
 * so the blocks are others than those of code->cfg, and code_finish must follow. */
bool unroll_counted(struct code *code);
/* full_unrolling.c: loops of several blocks with a constant number of rounds become these. As unroll. */
bool unroll_fully(struct code *code);
/* copy_propagation.c: copies, constants and sums become operands of what reads them. */
void propagate_copies(struct code *code);
/* constant_folding.c: the constant that the draft computes if its operands are these and numbers (of a
 * multiply-add the product); else REF_NONE. */
ref folded_constant(struct lower *l, const struct draft *d, const ref src[2]);
/* common_subexpressions.c: what was computed before gives way to that. */
void eliminate_common_subexpressions(struct code *code);
/* redundant_loads.c: what a block has loaded from an address is not loaded from it again. */
void eliminate_redundant_loads(struct code *code);
/* predicate_combining.c: negations, and logic behind a comparison, become part of what reads or makes the
 * predicate.
 */
void combine_predicates(struct code *code);
/* instruction_combining.c: additions and logic become part of another one that alone reads them. */
void combine_instructions(struct code *code);
/* strength_reduction.c: values that differ by a constant from an earlier one become that one and the
 * difference, and constants move from addresses into the accesses. */
void reduce_strength(struct code *code);
/* type_narrowing.c: 64-bit registers whose upper half nobody needs become 32-bit ones. */
void narrow_types(struct code *code);
/* jump_threading.c: branches to and around jumps go. */
/* Loops of one block that leave by a branch and go on by a jump go on by a branch; true: there were some, and
 * the flow of control is to be found anew. Loops that go on where their predicate is false are marked: ptxas
 * of CUDA 13 unrolls none of them for sm_75 to sm_90. So are those that become such when their branch around
 * the jump is turned: @p bra out; bra loop; out: */
bool turn_loops(struct code *code);
void thread_jumps(struct code *code);
/* block_placement.c: blocks stand so that few jumps are left. Their numbers are others than in code->cfg
 * afterwards, and code_finish must follow. */
void place_blocks(struct code *code);
/* if_conversion.c: branches around short blocks give way to guards. */
void convert_ifs(struct code *code);
/* constant_hoisting.c: factors of products whose addend is a constant, too, are kept in registers. */
void hoist_constants(struct code *code);
/* division_reciprocals.c: divisions by one divisor share its reciprocal, which is made before loops. */
void share_reciprocals(struct code *code);
/* constant_loads.c: chips whose instructions have no operands from the constant bank load parameters of 64
 * bits; whether the configured one is such. */
bool loads_constants(const struct lower *l);
void load_parameters(struct code *code);

/* prologue.c: what kernels of Ampere and Hopper do before they access memory, and the loads of 32-bit
 * constants.
 */
void add_prologue(struct code *code);
void move_addresses(struct code *code); /* prologue.c: from the uniform datapath to the threads' registers */
/* addressing_modes.c: shifts that make addresses of shared memory become part of the accesses. */
void select_addressing_modes(struct code *code);
/* load_vectorisation.c: neighbouring loads from shared memory become one. */
void vectorise_loads(struct code *code);
/* list_scheduling.c: each block in the order in which it would issue. live: of the drafts as the code was
 * taken; budget: the registers that it may take, unless it takes more as it stands. */
struct liveness;
/* size: registers of a thread that each register takes. */
void schedule_list(struct code *code, const struct liveness *live, const uint8_t *size, uint32_t budget);
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
/* warp_aggregation.c: additions of a warp to one word become those of one lane. */
void aggregate_atomics(struct code *code);
/* convergence_barriers.c: the registers that may differ among lanes (what is loaded from the parameters
 * counts as such unless are_parameters_same), and whether a special register does. */
bool *find_varying(const struct code *code, bool are_parameters_same);
bool is_lane(ref r);
/* convergence_barriers.c: the instructions that gather lanes behind a branch. */
void insert_convergence_barriers(struct code *code);
/* dead_code.c: removes instructions whose result nobody reads. */
void eliminate_dead_code(struct code *code);

/* Whether what is to be added to an address lies within -most to most. */
static inline bool is_offset_within(int64_t offset, int64_t most)
{
	return offset >= -most && offset <= most;
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
/* Whether the draft is a sum or difference of a register and a number: then *base and *by. */
bool is_sum_with_number(const struct lower *l, const struct draft *d, ref *base, int64_t *by);
bool is_bank_read(const struct lower *l, ref r); /* whether it is in the constant bank, and no immediate */
/* Whether it is the one operand of an instruction that need not be a register. */
bool takes_place(const struct lower *l, ref r);
/* Whether the machine's instruction can take the constant as operand s. */
bool may_be_constant(const struct lower *l, const struct draft *d, uint32_t s, ref constant);

#endif
