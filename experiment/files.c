/* experiment/files.c -- files written by rename, folders made and removed. */
#include "experiment/files.h"
#include "sim/files/folder.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

char *file_path(const char *folder, const char *name)
{
	char *path = NULL;

	if (asprintf(&path, "%s/%s", folder, name) < 0)
		bug("out of memory");
	return path;
}

static bool write_all(int to, const char *text, size_t size)
{
	while (size) {
		ssize_t put = write(to, text, size);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return false;
		text += put;
		size -= (size_t)put;
	}
	return fsync(to) == 0;
}

bool file_replace(const char *path, const char *text, size_t size, struct diag_list *diags)
{
	char *fresh = NULL;
	bool fine;
	int to;

	if (asprintf(&fresh, "%s.new%d", path, (int)getpid()) < 0)
		bug("out of memory");
	unlink(fresh);
	to = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	fine = to >= 0 && write_all(to, text, size);
	fine &= to < 0 || close(to) == 0;
	fine = fine && rename(fresh, path) == 0;
	if (!fine) {
		diag_error(diags, NULL, "%s cannot be written: %s", path, strerror(errno));
		unlink(fresh);
	}
	free(fresh);
	return fine;
}

void file_remove(const char *folder, const char *name)
{
	char *path = file_path(folder, name);

	unlink(path);
	free(path);
}

bool folder_make(const char *folder, struct diag_list *diags)
{
	bool fine = folder_make_all(folder);

	if (!fine)
		diag_error(diags, NULL, "folder %s cannot be made: %s", folder, strerror(errno));
	return fine;
}

static int remove_one(const char *path, const struct stat *s, int type, struct FTW *where)
{
	remove(path);
	return 0;
}

void folder_remove(const char *folder)
{
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
