/* core/gpu/lookahead.h -- how long an SM can run alone: the time that passes at least between a request and
 * its reply, whatever happens in the memory system meanwhile.
 *
 * Every request spends l2.rop_latency in its slice's ROP pipeline. Most of that is moved to the way of the
 * reply: what lies behind the pipeline (banks, DRAM, the reply network) works so much earlier, in a time of
 * its own, and each reply waits at its SM until the time at which it would have come. So its SM knows it that
 * long before. Cycles stay what they are, since refreshes are moved with it. Two things change: the memory
 * side's statistics of a stretch of time (a kernel, a row of a series) are as of so much later; and where a
 * bank queue is full, requests that wait for it take their places in the ROP pipeline that much longer.
 *
 * There is none where requests meet the memory side without passing the pipeline, or where what is behind it
 * and what is before it know of each other: policies that type warps or bypass the L2, observers of requests,
 * a trace of DRAM commands, coalescers that may refuse a reply; and where the edges of all clocks do not
 * coincide within that time, since moving the memory side would then change the order of its work. */
#ifndef CORE_GPU_LOOKAHEAD_H
#define CORE_GPU_LOOKAHEAD_H

#include <stdint.h>

struct machine_config;

#define MAX_LOOKAHEAD 128 /* core cycles */

struct lookahead {
	uint32_t core, xbar, l2, dram; /* the same time in cycles of each clock; 0: none */
};

/* The longest that is a whole number of cycles of all clocks, so that the clocks meet as they would without;
 * or else the longest. */
struct lookahead lookahead_of(const struct machine_config *m);
/* The length of an epoch (core/gpu/epoch.h) in core cycles, at least 1. It follows from clocks and l2.rop_latency
 * alone, so that it is the same whatever policies, observers and limits there are, and equals the lookahead
 * where there is one. */
uint32_t epoch_of(const struct machine_config *m);

#endif
