/* core/gpu/launch/copies_under_way.h -- bulk copies that have not landed when the state of a launch is taken,
 * and arrivals and stores under way to other CTAs of a cluster.
 *
 * Who goes on from that state finds them landed, as other accesses under way are. The machine itself goes on
 * as if nobody had looked: what they have written is taken back, shared memory when the states have been
 * taken, and device memory when it has been saved. */
#ifndef CORE_GPU_LAUNCH_COPIES_UNDER_WAY_H
#define CORE_GPU_LAUNCH_COPIES_UNDER_WAY_H

#include "sim/base/types.h"

struct gpu;
struct memory_before; /* a piece of memory as it was */

void copies_land(struct gpu *gpu, struct memory_before **shared, struct memory_before **device);
void copies_take_back(struct memory_before **before);

#endif
