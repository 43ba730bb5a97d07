/* core/simt/warpgroup.h -- the four warps of a warpgroup wait for each other's products (wgmma).
 *
 * A product is one operation of all four, though each computes its rows when it issues. Programs rely on it:
 * one thread behind wgmma.wait_group gives a buffer free that the other three warps read, too. So a wait
 * lasts until all four have committed the groups that are to be complete. */
#ifndef CORE_SIMT_WARPGROUP_H
#define CORE_SIMT_WARPGROUP_H

#include "core/simt/control.h"

struct control_result warpgroup_commit(struct warp *w);
struct control_result warpgroup_wait(struct warp *w, const struct uop *u);
/* The warps of its warpgroup that a waiting warp waits for, by index; some may have exited. */
uint64_t warpgroup_missing(const struct cta *cta, uint32_t index);

#endif
