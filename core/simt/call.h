/* core/simt/call.h -- calls of functions and returns. */
#ifndef CORE_SIMT_CALL_H
#define CORE_SIMT_CALL_H

#include "core/simt/control.h"

struct control_result call_execute(struct warp *w, const struct uop *u, lane_mask mask);
struct control_result return_execute(struct warp *w, const struct uop *u, lane_mask mask);
/* Index of the stack entry that the call of the running function pushed; 0 in the entry function, which was
 * not called. */
uint32_t warp_call_entry(const struct warp *w);
/* The lane's value of a 64-bit source, or of a 32-bit one if the operation has MOD_SAT. */
uint64_t warp_source(const struct warp *w, const struct uop *u, uint16_t operand, uint32_t lane);

#endif
