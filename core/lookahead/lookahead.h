/* core/lookahead/lookahead.h -- how far ahead an SM can know its replies: the time that passes at least
 * between a request and its reply, whatever happens in the memory system meanwhile.
 *
 * Every request spends l2.rop_latency in its slice's ROP pipeline. Most of that is moved to the way of the
 * reply: what lies behind the pipeline (banks, DRAM, the reply network) works so much earlier, in a time of
 * its own, and each reply waits at its SM until the time at which it would have come. So its SM knows it that
 * long before.
 *
 * This changes no time and no count. What is behind the pipeline gets the same requests at times that differ
 * by a constant, and so does the same at times that differ by it, provided that nothing there depends on the
 * machine's time, and that what is before the pipeline and behind the replies sees no difference:
 *   - a request keeps its place in the pipeline until the time at which it would have left it (l2_enter.c);
 *   - an SM takes a reply in each cycle in which there is one, so that the time until which a reply takes up
 *     one of its port's places is known when it comes (window_take_reply);
 *   - refreshes, and the turns of virtual output queues, go with the memory side's time.
 * Only where statistics are read while the memory side still works (a kernel's end with write-backs or
 * replies on their way, a row of a series, a limit), those of L2, DRAM and the reply network are as of so
 * much later.
 * Behind a device fault times may differ: an SM that has stopped until the end of its epoch takes no replies,
 * and holds up the network only where there is no lead.
 *
 * There is none where what is behind the pipeline and what is before it know of each other: policies that
 * type warps or bypass the L2, observers of requests, a trace of DRAM commands, coalescers that may refuse a
 * reply; and where the clocks of cores, networks and L2 differ and their edges do not coincide within that
 * time, since moving the memory side would then change the order of its work. (The DRAM's clock alone can
 * move so that its edges keep their places between the others': sim/event/clock.h.) */
#ifndef CORE_LOOKAHEAD_LOOKAHEAD_H
#define CORE_LOOKAHEAD_LOOKAHEAD_H

#include <stdbool.h>
#include <stdint.h>

struct gpu_config;

#define MAX_LOOKAHEAD 128 /* core cycles */

struct lookahead {
	uint32_t core, xbar, l2, dram; /* the same time in cycles of each clock; 0: none */
	bool moves_dram; /* the DRAM's clock alone moves (sim_go_ahead): dram is the number of its edges that
			    would lie before time 0 */
};

/* The longest that is a whole number of cycles of all clocks, so that the clocks meet as they would without;
 * if there is none, and cores, networks and L2 have one clock, the longest. rop_latency: L2 cycles in the
 * pipeline; refresh: DRAM cycles between two refreshes, 0: there are none. */
struct lookahead lookahead_of(const struct gpu_config *config, uint32_t rop_latency, uint32_t refresh);
/* Whether the times between edges of the DRAM and of the others give the same number of cycles, to the
 * nearest, after the memory side has moved. */
bool dram_times_round_alike(const struct gpu_config *config, uint32_t rop_latency);
/* The length of an epoch (core/lookahead/epoch.h) in core cycles, at least 1. It follows from clocks and
 * l2.rop_latency alone, so that it is the same whatever policies, observers and limits there are, and equals
 * the lookahead where there is one. */
uint32_t epoch_of(const struct gpu_config *config, uint32_t rop_latency);

#endif
