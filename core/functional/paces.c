/* core/functional/paces.c -- see paces.h. */
#include "core/functional/paces.h"

void paces_add(struct paces *p, uint32_t ctas, uint32_t older, uint64_t instructions, cycles time)
{
	if (ctas > PACES || older >= PACES)
		return;
	p->of[ctas][older].instructions += (double)instructions;
	p->of[ctas][older].cycles += (double)time;
}

void paces_fade(struct paces *p, double part)
{
	for (uint32_t n = 0; n <= PACES; n++)
		for (uint32_t older = 0; older < PACES; older++) {
			p->of[n][older].instructions *= part;
			p->of[n][older].cycles *= part;
		}
}

double paces_of(const struct paces *p, uint32_t ctas, uint32_t older)
{
	for (uint32_t n = ctas; n <= PACES && older < PACES; n++)
		if (p->of[n][older].cycles > 0) /* fewer share what more have shared */
			return p->of[n][older].instructions / p->of[n][older].cycles * n / ctas;
	return older && older < PACES ? paces_of(p, ctas, older - 1) : 0;
}

const struct position *paces_position(const struct paces *p, uint64_t cta)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->positions[i].cta == cta)
			return &p->positions[i];
	return NULL;
}
