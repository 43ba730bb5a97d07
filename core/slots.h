/* core/slots.h -- where the issue slots of the schedulers went: the causes, core/slots.def. */
#ifndef CORE_SLOTS_H
#define CORE_SLOTS_H

enum slot_cause {
#define SLOT(name, help) SLOT_##name,
#include "core/slots.def"
#undef SLOT
	SLOT_COUNT
};
#define SLOT_ISSUED SLOT_issued

extern const char *const slot_names[SLOT_COUNT], *const slot_help[SLOT_COUNT];

#endif
