/* core/kernel/slot_cause.h -- the causes to which issue slots are attributed (slot_causes.def), as numbers
 * and names. */
#ifndef CORE_KERNEL_SLOT_CAUSE_H
#define CORE_KERNEL_SLOT_CAUSE_H

enum slot_cause {
#define SLOT(name, help) SLOT_##name,
#include "core/kernel/slot_causes.def"
#undef SLOT
	SLOT_COUNT
};
/* NULL-terminated, as the elements of a statistic must be. */
extern const char *const slot_names[SLOT_COUNT + 1];
extern const char *const slot_help[];

#endif
