/* core/simt/stack.h -- the stack of a thread in local memory: alloca, stacksave, stackrestore. */
#ifndef CORE_SIMT_STACK_H
#define CORE_SIMT_STACK_H

#include "core/simt/control.h"

struct control_result stack_execute(struct warp *w, const struct uop *u, lane_mask mask);
/* The stack now reaches to `top`: what it had not reached before is cleared. */
void warp_clear_stack(struct warp *w, uint32_t top);

#endif
