/* core/sanitize/clocks.h -- vector clocks that are shared until one of their owners changes them. */
#ifndef CORE_SANITIZE_CLOCKS_H
#define CORE_SANITIZE_CLOCKS_H

#include "sim/base/types.h"

/* at[i]: what number i did up to this count is known. NULL is a clock that knows nothing. */
struct clocks {
	uint32_t refs, count;
	uint32_t at[];
};

/* How much memory all vectors together take; raised and lowered by the functions below. */
struct clocks_budget {
	uint64_t bytes;
};

struct clocks *clocks_share(struct clocks *clocks);
void clocks_drop(struct clocks **clocks, struct clocks_budget *budget);
/* Whatever is known to `from` is known to *to from now on. */
void clocks_learn(struct clocks **to, struct clocks *from, struct clocks_budget *budget);
/* So is what number i did up to that count. */
void clocks_raise(struct clocks **to, uint32_t i, uint32_t count, struct clocks_budget *budget);
static inline bool clocks_know(const struct clocks *clocks, uint32_t i, uint32_t count)
{
	return clocks && i < clocks->count && clocks->at[i] >= count;
}

#endif
