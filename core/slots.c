/* core/slots.c -- names of the causes of core/slots.def. */
#include "core/slots.h"
#include <stddef.h>

const char *const slot_names[] = {
#define SLOT(name, help) #name,
#include "core/slots.def"
#undef SLOT
	NULL
};

const char *const slot_help[] = {
#define SLOT(name, help) help,
#include "core/slots.def"
#undef SLOT
	NULL
};
