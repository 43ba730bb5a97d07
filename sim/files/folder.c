/* sim/files/folder.c -- folders, made with their parents. */
#include "sim/files/folder.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <sys/stat.h>

static bool make_one(const char *path)
{
	struct stat there;
	int error;

	if (mkdir(path, 0777) == 0)
		return true;
	error = errno;
	if (stat(path, &there) == 0 && S_ISDIR(there.st_mode))
		return true;
	errno = error == EEXIST ? ENOTDIR : error;
	return false;
}

bool folder_make_all(const char *folder)
{
	char *path = xstrdup(folder);
	bool fine = *path;

	errno = ENOENT; /* of a path without a letter */
	for (char *slash = strchr(path + fine, '/'); fine && slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		fine = make_one(path);
		*slash = '/';
	}
	fine = fine && make_one(path);
	free(path);
	return fine;
}
