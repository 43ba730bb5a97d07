/* sim/base/environment.c -- the environment of the process when it started: Linux keeps it in
 * /proc/self/environ, whatever the program does by setenv, unsetenv and clearenv. It is read when the library
 * is loaded. */
#include "sim/base/environment.h"
#include "sim/base/xalloc.h"

#include <stdio.h>
#include <string.h>

#define PREFIX "LOCKSTEP_"

static char **given;
static size_t count;

__attribute__((constructor)) static void keep_environment(void)
{
	FILE *f = fopen("/proc/self/environ", "re");
	char *line = NULL;
	size_t room = 0;

	while (f && getdelim(&line, &room, '\0', f) > 0) {
		if (strncmp(line, PREFIX, strlen(PREFIX)) != 0)
			continue;
		given = xrealloc(given, (count + 1) * sizeof *given);
		given[count++] = xstrdup(line);
	}
	free(line);
	if (f)
		fclose(f);
}

const char *environment_get(const char *name)
{
	const char *value = getenv(name);
	size_t length = strlen(name);

	for (size_t i = 0; !value && i < count; i++)
		if (strncmp(given[i], name, length) == 0 && given[i][length] == '=')
			value = given[i] + length + 1;
	return value;
}
