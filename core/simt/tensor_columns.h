/* core/simt/tensor_columns.h -- tcgen05.alloc, dealloc and relinquish_alloc_permit: columns of tensor memory
 * (core/exec/tensor/tensor_memory.h).
 *
 * A CTA's columns are counted from 0, and an allocation begins at a multiple of its size. Where they do not
 * fit, the warp waits until another one of its CTA gives some back. With timing the CTAs of an SM share 512
 * of them, and a warp for which there are too few asks again after a while. */
#ifndef CORE_SIMT_TENSOR_COLUMNS_H
#define CORE_SIMT_TENSOR_COLUMNS_H

#include "core/simt/control.h"

/* Where an allocation's address is to go; NULL: outside the CTA's shared memory. */
uint8_t *tensor_columns_place(const struct warp *w, const struct uop *u, lane_mask mask);
struct control_result tensor_columns_execute(struct warp *w, const struct uop *u, lane_mask mask);
/* Of a CTA that has just exited: how many columns it has not given back. */
uint32_t tensor_columns_left(const struct cta *cta);

#endif
