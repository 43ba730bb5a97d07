/* core/simt/register_pool.h -- setmaxnreg: registers that some warps of a CTA give back and others take.
 * Those that take more wait until there are as many. */
#ifndef CORE_SIMT_REGISTER_POOL_H
#define CORE_SIMT_REGISTER_POOL_H

#include "core/simt/control.h"

struct control_result register_pool_change(struct warp *w, const struct uop *u);

#endif
