/* memsys/tags_persist.c -- lines of a tag array that persist: others do not replace them. Replacement
 * policies do not know of them; lines that are not to be chosen have one pin more while a policy chooses. */
#include "memsys/tags.h"

void tags_set_persists(struct tags *t, uint32_t line, bool persists)
{
	t->persisting += persists;
	t->persisting -= t->persists[line];
	t->persists[line] = persists;
}

uint32_t tags_persisting_in(const struct tags *t, addr key)
{
	uint32_t first = tags_first(t, key), count = 0;

	for (uint32_t i = first; t->persisting && i < first + t->ways; i++)
		count += t->persists[i];
	return count;
}

static void change_pins(struct tags *t, addr key, bool persisting, uint32_t change)
{
	uint32_t first = tags_first(t, key);

	for (uint32_t i = first; i < first + t->ways; i++)
		t->pins[i] += t->persists[i] == persisting ? change : 0;
}

void tags_hide(struct tags *t, addr key, bool persisting)
{
	change_pins(t, key, persisting, 1);
}

void tags_show(struct tags *t, addr key, bool persisting)
{
	change_pins(t, key, persisting, -1u);
}
