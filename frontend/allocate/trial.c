/* frontend/allocate/trial.c -- registers per thread of code that is timed as PTX writes it: those that it
 * would take after the passes of frontend/optimise. They run on a copy of the function, of which nothing but
 * the numbers stays. tests/ptx/registers.sh compares with ptxas. */
#include "frontend/allocate/registers.h"
#include "frontend/optimise/optimise.h"

void count_on_trial(struct lower *l)
{
	struct unit_copy before = unit_copy_take(l);
	const struct cfg *cfg;

	optimise(l, find_flow(l), false);
	cfg = find_flow(l);
	count_registers(l, cfg, find_liveness(l, cfg));
	before.unit.registers = l->units[l->unit].registers;
	before.unit.kept = l->units[l->unit].kept;
	unit_copy_restore(l, &before);
}
