/* core/issue/slot_cause.h -- the causes to which issue slots are attributed (issue_slots.def), as numbers and
 * names. */
#ifndef CORE_ISSUE_SLOT_CAUSE_H
#define CORE_ISSUE_SLOT_CAUSE_H

enum slot_cause {
#define SLOT(name, help) SLOT_##name,
#include "core/issue/issue_slots.def"
#undef SLOT
	SLOT_COUNT
};
/* NULL-terminated, as the elements of a statistic must be. */
extern const char *const slot_names[SLOT_COUNT + 1];
extern const char *const slot_help[];

#endif
