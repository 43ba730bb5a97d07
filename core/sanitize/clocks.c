/* core/sanitize/clocks.c -- see clocks.h. */
#include "core/sanitize/clocks.h"
#include "sim/base/xalloc.h"
#include <string.h>

static uint64_t clocks_size(uint32_t count)
{
	return sizeof(struct clocks) + (uint64_t)count * sizeof(uint32_t);
}

struct clocks *clocks_share(struct clocks *clocks)
{
	if (clocks)
		clocks->refs++;
	return clocks;
}

void clocks_drop(struct clocks **clocks, struct clocks_budget *budget)
{
	struct clocks *c = *clocks;

	*clocks = NULL;
	if (!c || --c->refs)
		return;
	budget->bytes -= clocks_size(c->count);
	free(c);
}

/* *clocks becomes its owner's alone, with room for so many numbers. */
static void make_own(struct clocks **clocks, uint32_t count, struct clocks_budget *budget)
{
	struct clocks *old = *clocks, *own;

	if (old && old->refs == 1 && old->count >= count)
		return;
	if (old && old->count > count)
		count = old->count;
	count = (count + 15) & ~15u;
	own = xcalloc(1, clocks_size(count));
	budget->bytes += clocks_size(count);
	own->refs = 1;
	own->count = count;
	if (old)
		memcpy(own->at, old->at, old->count * sizeof(*own->at));
	clocks_drop(clocks, budget);
	*clocks = own;
}

static bool knows_all(const struct clocks *to, const struct clocks *from)
{
	for (uint32_t i = 0; i < from->count; i++)
		if (from->at[i] > (i < to->count ? to->at[i] : 0))
			return false;
	return true;
}

void clocks_learn(struct clocks **to, struct clocks *from, struct clocks_budget *budget)
{
	if (!from || *to == from)
		return;
	if (!*to) {
		*to = clocks_share(from);
		return;
	}
	if (knows_all(*to, from))
		return;
	make_own(to, from->count, budget);
	for (uint32_t i = 0; i < from->count; i++)
		(*to)->at[i] = from->at[i] > (*to)->at[i] ? from->at[i] : (*to)->at[i];
}

void clocks_raise(struct clocks **to, uint32_t i, uint32_t count, struct clocks_budget *budget)
{
	if (clocks_know(*to, i, count))
		return;
	make_own(to, i + 1, budget);
	(*to)->at[i] = count;
}
