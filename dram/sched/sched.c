/* dram/sched/sched.c -- the table of DRAM schedulers, from sched.def. */
#include "dram/sched/sched.h"
#include "sim/xalloc.h"

const char *const dram_sched_names[] = {
#define SCHED(name) #name,
#include "dram/sched/sched.def"
#undef SCHED
	NULL
};

const struct dram_sched_class *const dram_sched_classes[] = {
#define SCHED(name) &dram_sched_##name,
#include "dram/sched/sched.def"
#undef SCHED
	NULL
};

struct dram_sched *dram_sched_new(uint32_t scheduler, const struct dram_config *config)
{
	const struct dram_sched_class *class = dram_sched_classes[scheduler];
	struct dram_sched *sched = xcalloc(1, class->size);

	sched->class = class;
	sched->config = config;
	return sched;
}
