/* frontend/optimise/optimise.c -- the passes in their order. */
#include "frontend/optimise/optimise.h"

void optimise(struct lower *l, const struct cfg *cfg)
{
	struct code *code = code_take(l, cfg);

	fold(code);
	remove_dead(code);
	code_finish(code);
}
