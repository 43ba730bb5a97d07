/* sim/config/config_find.c -- configurations of the installation. */
#include "sim/config/config_find.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From <prefix>/lib/lockstep or <project>/build/lib, wherever this library was loaded from. */
char *config_find(const char *name)
{
	static const char *const places[] = { "../../share/lockstep/configs", "../../configs" };
	char path[2 * PATH_MAX];
	Dl_info info;

	if (!dladdr((void *)(uintptr_t)config_find, &info) || !info.dli_fname)
		return NULL;
	char *library = realpath(info.dli_fname, NULL);
	if (!library)
		return NULL;
	*strrchr(library, '/') = '\0';
	char *found = NULL;
	for (size_t i = 0; i < sizeof places / sizeof *places && !found; i++) {
		snprintf(path, sizeof path, "%s/%s/%s.yaml", library, places[i], name);
		found = realpath(path, NULL);
	}
	free(library);
	return found;
}

bool config_is_model_path(const char *text)
{
	size_t length = strlen(text);

	return strchr(text, '/') || (length > 5 && strcmp(text + length - 5, ".yaml") == 0);
}
