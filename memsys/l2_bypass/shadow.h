/* memsys/l2_bypass/shadow.h -- a shadow directory: tags without data, of the same geometry as a slice's, LRU, into which every
 * request is entered, also one that bypasses the cache. It tells what would have hit. */
#ifndef MEMSYS_L2_BYPASS_SHADOW_H
#define MEMSYS_L2_BYPASS_SHADOW_H

#include "memsys/tags.h"

struct l2_shadow { struct tags tags; };

void l2_shadow_init(struct l2_shadow *shadow, uint32_t sets, uint32_t ways, uint32_t line);
void l2_shadow_fini(struct l2_shadow *shadow);
/* Whether the line of the address is there; afterwards it is, most recently used. */
bool l2_shadow_access(struct l2_shadow *shadow, addr local);

#endif
