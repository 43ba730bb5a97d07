/* experiment/paths.c -- the installation and the user's files. */
#include "experiment/paths.h"
#include "sim/files/file_read.h"
#include "sim/base/xalloc.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

/* What stands beside the program: "../lib" relative to the folder of build/bin/lockstep, and so on; made
 * canonical. malloc'ed; NULL if it is not there. */
static char *paths_beside_program(const char *relative)
{
	char path[2 * PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);

	if (length < 0)
		return NULL;
	while (length > 0 && path[length - 1] != '/')
		length--;
	snprintf(path + length, sizeof(path) - (size_t)length, "%s", relative);
	return realpath(path, NULL);
}

/* Where `make install` puts it, or else where it is in a build tree. */
static char *installed_or_built(const char *installed, const char *built)
{
	char *path = paths_beside_program(installed);

	return path ? path : paths_beside_program(built);
}

char *paths_configs(void)
{
	return installed_or_built("../share/lockstep/configs", "../../configs");
}

char *paths_benchmarks(void)
{
	return installed_or_built("../lib/lockstep/bench", "../bench");
}

char *paths_library(const char *name)
{
	char installed[64], built[64];

	snprintf(installed, sizeof installed, "../lib/lockstep/%s", name);
	snprintf(built, sizeof built, "../lib/%s", name);
	return installed_or_built(installed, built);
}

static bool has_suffix(const char *name, const char *suffix)
{
	size_t length = strlen(name), end = strlen(suffix);

	return name[0] != '.' && length > end && strcmp(name + length - end, suffix) == 0;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **paths_list(const char *folder, const char *suffix, size_t *count)
{
	DIR *directory = folder ? opendir(folder) : NULL;
	const struct dirent *entry;
	char **names = NULL;

	*count = 0;
	if (!directory)
		return NULL;
	while ((entry = readdir(directory))) {
		if (!has_suffix(entry->d_name, suffix))
			continue;
		names = xrealloc(names, (*count + 1) * sizeof(*names));
		names[*count] = xstrdup(entry->d_name);
		names[*count][strlen(entry->d_name) - strlen(suffix)] = 0;
		++*count;
	}
	closedir(directory);
	if (names)
		qsort(names, *count, sizeof(*names), by_path);
	return names;
}

void paths_list_free(char **names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(names);
}

char *paths_read(const char *path, size_t *size, struct diag_list *diags)
{
	char *text = file_read(path, size);

	if (!text)
		diag_error(diags, NULL, "cannot read %s: %s", path, strerror(errno));
	return text;
}

char *paths_nearest_config(const char *name)
{
	size_t count;
	char *folder = paths_configs(), **names = paths_list(folder, ".yaml", &count), *copy;
	const char *nearest = diag_nearest(name, (const char *const *)names, count);

	copy = nearest ? xstrdup(nearest) : NULL;
	paths_list_free(names, count);
	free(folder);
	return copy;
}
