/* memsys/index/index.c -- the table of set-index functions. */
#include "memsys/index/index.h"

#define INDEX(name) extern const struct index_class index_##name;
#include "memsys/index/index.def"
#undef INDEX

const struct index_class *const index_classes[] = {
#define INDEX(name) &index_##name,
#include "memsys/index/index.def"
#undef INDEX
	NULL
};

const char *const index_names[] = {
#define INDEX(name) #name,
#include "memsys/index/index.def"
#undef INDEX
	NULL
};
