/* memsys/access_window.h -- an access policy window: how long the L2 is to keep what a launch accesses in a
 * range of device memory (CUDA C++ Programming Guide, "L2 Cache Set-Aside"). Of the lines in the range a
 * share, hit_ratio, has one property and the rest another; a hash of a line's address decides, so that a line
 * has the same property in every access. */
#ifndef MEMSYS_ACCESS_WINDOW_H
#define MEMSYS_ACCESS_WINDOW_H

#include "sim/base/types.h"

/* What an access says of its line: nothing; that it is a line like others, also if it persisted; that it goes
 * first; that it stays in the part of the L2 that is set aside. */
enum access_property { ACCESS_UNSAID, ACCESS_NORMAL, ACCESS_STREAMING, ACCESS_PERSISTING };

#define ACCESS_RATIO_ONE (UINT64_C(1) << 32)

struct access_window {
	addr start, bytes;  /* device addresses; of 0 bytes: there is no window */
	uint64_t hit_ratio; /* in 1/ACCESS_RATIO_ONE */
	uint8_t hit, miss;  /* enum access_property: of that share of the lines; of the others */
};

/* Of the 128-byte line that this device address lies in. */
static inline enum access_property access_window_property(const struct access_window *w, addr address)
{
	if (address - w->start >= w->bytes)
		return ACCESS_UNSAID;
	return address / 128 * UINT64_C(0x9e3779b97f4a7c15) >> 32 < w->hit_ratio
		? (enum access_property)w->hit
		: (enum access_property)w->miss;
}

#endif
