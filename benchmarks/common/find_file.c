/* benchmarks/common/find_file.c -- where the benchmarks' files are: in an installation, found from the
 * program's own path, or else in the tree in which the program was built. */
#include "bench.h"
#include "project_folder.h"
#include <limits.h>
#include <unistd.h>

/* The data folder of a program installed as <prefix>/lib/lockstep/bench/...; false for one that is not. */
static bool find_installed(char *folder)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
	char *found;

	path[length > 0 ? length : 0] = '\0';
	found = strstr(path, "/lib/lockstep/bench/");
	if (found)
		snprintf(folder, PATH_MAX, "%.*s/share/lockstep/benchmarks", (int)(found - path), path);
	return found;
}

const char *bench_find_file(const char *name)
{
	static char path[2 * PATH_MAX];
	char installed[PATH_MAX];
	const char *const folder[] = { installed, PROJECT_FOLDER "/benchmarks", PROJECT_FOLDER "/build/ptx" };

	for (size_t i = find_installed(installed) ? 0 : 1; i < sizeof folder / sizeof *folder; i++) {
		snprintf(path, sizeof path, "%s/%s", folder[i], name);
		if (access(path, R_OK) == 0)
			break;
	}
	return path;
}
