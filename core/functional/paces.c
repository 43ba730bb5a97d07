/* core/functional/paces.c -- see paces.h. */
#include "core/functional/paces.h"

const struct position *paces_position(const struct paces *p, uint64_t cta)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->positions[i].cta == cta)
			return &p->positions[i];
	return NULL;
}
