/* core/kernel/load_stage.h -- the list of load_stages.def as numbers and names. */
#ifndef CORE_KERNEL_LOAD_STAGE_H
#define CORE_KERNEL_LOAD_STAGE_H

enum load_stage {
#define LOAD_STAGE(name, help) LOAD_##name,
#include "core/kernel/load_stages.def"
#undef LOAD_STAGE
	LOAD_STAGES
};

extern const char *const load_stage_names[LOAD_STAGES + 1], *const load_stage_help[]; /* NULL-terminated */

#endif
