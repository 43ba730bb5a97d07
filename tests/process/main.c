/* tests/process/main.c -- the program of process.sh: `main END [PLUGIN]`. It works, by the work() that is
 * linked to it or that of a plug-in (compiled with PLUGIN), and ends as END says. */
#include "work.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef PLUGIN
static void *plugin;
static int (*find_work(const char *path))(void)
{
	plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!plugin)
		puts(dlerror());
	return plugin ? (int (*)(void))dlsym(plugin, "work") : NULL;
}

static int unload(void)
{
	return dlclose(plugin);
}
#else
static int (*find_work(const char *path))(void)
{
	(void)path;
	return work;
}

static int unload(void)
{
	return 0;
}
#endif

/* Also where the kernel of the host has it. */
static void overwrite_environment(void)
{
	for (char **variable = environ; *variable; variable++)
		memset(*variable, 0, strlen(*variable));
	clearenv();
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "return", *path = argc > 2 ? argv[2] : NULL;
	int rounds = strcmp(how, "dlclose") ? 1 : 3, r = 0;
	char *again[] = { argv[0], "return", argc > 2 ? argv[2] : NULL, NULL };
	int (*job)(void) = NULL;

	if (!strcmp(how, "cleared"))
		clearenv();
	if (!strcmp(how, "overwritten"))
		overwrite_environment();
	for (int i = 0; i < rounds; i++) {
		job = find_work(path);
		r = job ? job() : -3;
		printf("work: %s %d\n", r ? "BAD" : "OK", r);
		fflush(stdout);
		if (rounds > 1 && unload())
			puts("unload: BAD");
	}
	end(how, job, again);
	return r != 0;
}
