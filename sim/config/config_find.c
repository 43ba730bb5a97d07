/* sim/config/config_find.c -- configurations of the installation. */
#include "sim/config/config_find.h"
#include "sim/base/xalloc.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static bool is_bare_name(const char *text)
{
	size_t length = strlen(text);

	return !strchr(text, '/') && !(length >= 5 && strcmp(text + length - 5, ".yaml") == 0);
}

/* The folder of this library, or of the program that it is part of; "" if it is not known. */
static char here[PATH_MAX];

/* Its path is looked up before the program can leave the folder from which a relative path leads to it. A
 * program's own path is only what it was started by. */
__attribute__((constructor)) static void find_here(void)
{
	Dl_info info;

	if ((dladdr((void *)(uintptr_t)config_find, &info) && info.dli_fname &&
		    realpath(info.dli_fname, here)) ||
		realpath("/proc/self/exe", here))
		*strrchr(here, '/') = '\0';
	else
		*here = '\0';
}

/* From <prefix>/lib/lockstep or <project>/build/lib. */
char *config_find(const char *folder, const char *text)
{
	static const char *const places[] = { "../../share/lockstep/configs", "../../configs" };
	char path[2 * PATH_MAX], *found = NULL;

	if (!*here || !is_bare_name(text))
		return NULL;
	for (size_t i = 0; i < sizeof places / sizeof *places && !found; i++) {
		snprintf(path, sizeof path, "%s/%s/%s/%s.yaml", here, places[i], folder ? folder : ".", text);
		found = realpath(path, NULL);
	}
	return found;
}

char *config_path(const char *folder, const char *text)
{
	char *found = config_find(folder, text);

	return found ? found : xstrdup(text);
}
