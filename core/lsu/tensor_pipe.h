/* core/lsu/tensor_pipe.h -- the tensor cores of an SM that work on tensor memory (tcgen05): when they are
 * free, and when what they have been asked for is done.
 *
 * Operations start in the order of their instructions, one when the interval of the one before is over, and
 * an arrival at an mbarrier (tcgen05.commit) comes when all before it are done. Values: those of one CTA are
 * worked out when the instruction issues; those of a pair in the commit phase of the next cycle, since the
 * other CTA's SM runs beside this one. Both, and arrivals, are flights of the unit for bulk copies
 * (core/lsu/bulk_engine.h). */
#ifndef CORE_LSU_TENSOR_PIPE_H
#define CORE_LSU_TENSOR_PIPE_H

#include "core/sm/tensor_products.h"
#include "sim/base/types.h"

struct bulk_copy;
struct sm_config;

struct tensor_pipe {
	cycles free;                     /* the next operation may start */
	cycles done;                     /* all so far are done */
	cycles busy;                     /* for which products have occupied it, and of a pair the other's */
	uint64_t products[TENSOR_TYPES]; /* multiply-adds so far */
};

/* The cycle, after now, in which the next step of the operation or arrival is due. SIM_NEVER: there is none.
 */
cycles tensor_pipe_take(
	struct tensor_pipe *pipe, const struct sm_config *config, const struct bulk_copy *copy, cycles now);

#endif
