/* core/diagnose/hang_mbarrier.h -- the mbarrier for which a warp waits in a loop, in words. */
#ifndef CORE_DIAGNOSE_HANG_MBARRIER_H
#define CORE_DIAGNOSE_HANG_MBARRIER_H

#include <stddef.h>

struct warp;

/* "; it waits for the mbarrier at ...": its parity, the arrivals and bytes that are missing; empty if the
 * warp waits for none. */
void hang_mbarrier(const struct warp *w, char *text, size_t size);

#endif
