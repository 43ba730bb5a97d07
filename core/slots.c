/* core/slots.c -- names of the causes of core/slots.def. */
#include "core/slots.h"

#define SLOT(name, help) #name,
const char *const slot_names[SLOT_COUNT] = {
#include "core/slots.def"
};
#undef SLOT

#define SLOT(name, help) help,
const char *const slot_help[SLOT_COUNT] = {
#include "core/slots.def"
};
#undef SLOT
