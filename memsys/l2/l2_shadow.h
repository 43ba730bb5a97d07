/* memsys/l2/l2_shadow.h -- a shadow directory: tags without data, of a slice's geometry, set index and
 * replacement, into which every request is entered, as the last to go, also one that bypasses the cache. It
 * tells what would have hit. It knows neither sectors, nor insertion policies (memsys/insertion), nor lines
 * that are reserved. */
#ifndef MEMSYS_L2_L2_SHADOW_H
#define MEMSYS_L2_L2_SHADOW_H

#include "memsys/tags.h"

struct l2_shadow {
	struct tags tags;
};

struct l2_config;

void l2_shadow_init(struct l2_shadow *shadow, const struct l2_config *slice, uint32_t number);
void l2_shadow_fini(struct l2_shadow *shadow);
/* Whether the line of the address is there; afterwards it is, most recently used. */
bool l2_shadow_access(struct l2_shadow *shadow, addr local);

#endif
