/* core/diagnose/wait_for_graph.h -- who waits for whom among the warps of a CTA: the wait-for graph of its
 * barriers. */
#ifndef CORE_DIAGNOSE_WAIT_FOR_GRAPH_H
#define CORE_DIAGNOSE_WAIT_FOR_GRAPH_H

#include "core/simt/warp.h"

/* The micro-operation at which warp `index` is or waits, with which its loop reads memory, or at which it
 * has exited. */
const struct uop *wait_uop(const struct cta *cta, uint32_t index);
/* Where it is: "waits at line 12, barrier 0", "has exited at line 20", "is at line 7" ... */
void wait_location(const struct cta *cta, uint32_t index, char *text, size_t size);
/* Warps of the CTA (by index) without which the barrier at which warp `index` waits is not complete, those
 * that have exited among them if those that have not do not suffice; 0 if the warp does not wait at a
 * barrier. */
uint64_t wait_missing(const struct cta *cta, uint32_t index);
/* Threads that could still come to the barrier: 32 for each warp that has not exited and does not wait at it.
 */
uint32_t wait_still_to_come(const struct cta *cta, const struct barrier *b);
/* Threads for which it waits. */
uint32_t wait_needed(const struct cta *cta, const struct barrier *b);
/* The shortest cycle of the graph, else the shortest way to a warp that does not wait at a barrier, as a
 * sentence. False if no warp of the CTA waits at a barrier. */
bool wait_chain(const struct cta *cta, char *text, size_t size);

#endif
