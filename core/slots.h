/* core/slots.h -- where the issue slots of the schedulers went: the causes, core/slots.def. */
#ifndef CORE_SLOTS_H
#define CORE_SLOTS_H

enum slot_cause {
#define SLOT(name, help) SLOT_##name,
#include "core/slots.def"
#undef SLOT
	SLOT_COUNT
};
extern const char *const slot_names[]; /* NULL-terminated, as a statistic's elements want them */
extern const char *const slot_help[];

#endif
