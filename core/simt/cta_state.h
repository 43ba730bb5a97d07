/* core/simt/cta_state.h -- the architectural state of a CTA in the middle of its work, as bytes: of each warp
 * that has not exited the registers, predicates, SIMT stack and local memory; barriers; shared memory. What
 * is only timing (requests under way, instruction buffers, how long a warp sleeps) is not in it: a warp that
 * waits for such things goes on at once, since instructions have had their effect when they issued. */
#ifndef CORE_SIMT_CTA_STATE_H
#define CORE_SIMT_CTA_STATE_H

#include "core/kernel/launch.h"

struct cta;
struct kernel_run;

/* Of a CTA between two instructions of each of its warps. */
struct cta_state cta_state_take(const struct cta *cta);
/* Whether the bytes can be the state of a CTA of the launch; then fills in number and live. Bytes that were
 * not taken from such a CTA are refused, or do no harm to the simulator. */
bool cta_state_check(struct cta_state *state, const struct kernel_run *run);
/* The CTA has been started (cta_start), and each warp in state->live (warp_start): it goes on from the state.
 */
void cta_state_put(const struct cta_state *state, struct cta *cta);

#endif
