/* experiment/linker_path.c -- the dynamic linker takes its lists apart at blanks, colons and semicolons,
 * replaces what a dollar sign begins, and has no way to quote them. */
#include "experiment/linker_path.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool can_be_listed(const char *path)
{
	return !strpbrk(path, " :;$");
}

/* Nobody else can write into it. NULL, with errno: there is none. */
static char *private_folder(void)
{
	const char *temporary = getenv("TMPDIR");
	struct stat about;
	char *path;

	if (!temporary || temporary[0] != '/' || !can_be_listed(temporary))
		temporary = "/tmp";
	if (asprintf(&path, "%s/lockstep-%u", temporary, (unsigned)geteuid()) < 0)
		bug("out of memory");
	if ((!mkdir(path, 0700) || errno == EEXIST) && !lstat(path, &about)) {
		if (S_ISDIR(about.st_mode) && about.st_uid == geteuid() && !(about.st_mode & 022))
			return path;
		errno = EPERM;
	}
	free(path);
	return NULL;
}

/* Replaces what had the name before, at once: other processes may be using it. */
static bool make_link(const char *to, const char *name)
{
	char *new;

	if (asprintf(&new, "%s.%ld", name, (long)getpid()) < 0)
		bug("out of memory");
	bool fine = !symlink(to, new) && !rename(new, name);
	free(new);
	return fine;
}

/* It is named by what the folder is, so that there is one for each, and stays: the program may load libraries
 * at any time. */
char *linker_path(const char *folder)
{
	char *private, *link;
	struct stat about;

	if (can_be_listed(folder))
		return xstrdup(folder);
	if (stat(folder, &about) || !(private = private_folder()))
		return NULL;
	if (asprintf(&link, "%s/%lx-%lx", private, (unsigned long)about.st_dev, (unsigned long)about.st_ino) <
		0)
		bug("out of memory");
	free(private);
	if (make_link(folder, link))
		return link;
	free(link);
	return NULL;
}
