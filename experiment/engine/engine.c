/* experiment/engine/engine.c -- the list of back ends. */
#include "experiment/engine/engine.h"
#include <string.h>

#define ENGINE(name) extern const struct engine_class engine_##name;
#include "experiment/engine/engine.def"
#undef ENGINE

const struct engine_class *const engine_classes[] = {
#define ENGINE(name) &engine_##name,
#include "experiment/engine/engine.def"
#undef ENGINE
	NULL
};

const struct engine_class *engine_find(const char *name)
{
	for (size_t i = 0; engine_classes[i]; i++)
		if (!strcmp(engine_classes[i]->name, name))
			return engine_classes[i];
	return NULL;
}
