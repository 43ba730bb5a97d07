/* host/session/session_folder.c -- the output folder of a run: made, and locked, so that runs at the same
 * time do not write into the same one. The lock is one of flock(2) on the folder itself, and ends with the
 * process however it ends. */
#include "host/session/session_internal.h"
#include "sim/files/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_SIBLINGS 999

/* Cut to the deepest folder on the way to it that is there. */
static void cut_to_folder(char *path)
{
	while (*path && access(path, F_OK) && errno == ENOENT) {
		char *slash = strrchr(path, '/');

		if (slash > path)
			*slash = '\0';
		else
			strcpy(path, slash ? "/" : ".");
	}
}

/* Tried in the deepest folder that is there, and taken away again: what may be written where is not always
 * told by the rights of a folder. */
bool session_folder_is_writable(const char *folder)
{
	char *path = xmalloc(strlen(folder) + sizeof "/.lockstep-XXXXXX" + 1);
	int error;

	strcpy(path, folder);
	cut_to_folder(path);
	strcat(path, "/.lockstep-XXXXXX");
	bool is_made = mkdtemp(path);
	error = errno;
	if (is_made)
		rmdir(path);
	free(path);
	errno = error;
	return is_made;
}

bool session_file_is_writable(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : xstrdup(".");
	struct stat there, target;
	bool is_there = lstat(path, &there) == 0, fine;

	bug_if(!folder, "out of memory");
	errno = stat(path, &target) == 0 && S_ISDIR(target.st_mode) ? EISDIR : 0;
	if (errno)
		fine = false;
	else if (is_there && !S_ISREG(there.st_mode)) /* a device, a pipe, a link: written as it is */
		fine = access(path, W_OK) == 0;
	else
		fine = access(folder, F_OK) == 0 && session_folder_is_writable(folder);
	free(folder);
	return fine;
}

/* Whether no other run has the folder. The descriptor that holds the lock; none where there are no locks, as
 * on some file systems of networks. */
static bool folder_lock(const char *folder, struct descriptor *lock)
{
	*lock = descriptor_keep(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	if (lock->number < 0 || flock(lock->number, LOCK_EX | LOCK_NB) == 0)
		return true;
	bool is_taken = errno == EWOULDBLOCK;
	descriptor_close(lock);
	return !is_taken;
}

/* The first number is the first that no process of this run has. */
static char *take_from(unsigned first, const char *folder, struct run_records *records,
	struct descriptor *lock, struct diag_list *diags)
{
	bool has_others = false;

	for (unsigned number = first; number < first + MOST_SIBLINGS; number++) {
		char *sibling = run_path(RUN_FOLDER, folder, number);

		if (!folder_make_all(sibling)) {
			diag_error(
				diags, NULL, "output folder %s cannot be made: %s", sibling, strerror(errno));
			free(sibling);
			return NULL;
		}
		if (!folder_lock(sibling, lock)) {
			has_others |= number >= run_records_next(records, folder);
		} else if (run_records_claim(records, RUN_FOLDER, folder, number)) {
			if (has_others)
				fprintf(stderr,
					"lockstep: another run is writing into %s; this one writes into %s\n",
					folder, sibling);
			return sibling;
		} else {
			descriptor_close(lock);
		}
		free(sibling);
	}
	diag_error(diags, NULL, "output folder %s and %u beside it are in use by other runs", folder,
		MOST_SIBLINGS - 1);
	return NULL;
}

char *folder_take(
	const char *folder, struct run_records *records, struct descriptor *lock, struct diag_list *diags)
{
	char *trimmed = xstrdup(folder), *taken;

	for (size_t length = strlen(trimmed); length > 1 && trimmed[length - 1] == '/'; length--)
		trimmed[length - 1] = '\0';
	taken = take_from(run_records_next(records, trimmed), trimmed, records, lock, diags);
	free(trimmed);
	return taken;
}

char *file_take(const char *path, struct run_records *records)
{
	unsigned number = run_records_next(records, path);

	while (!run_records_claim(records, RUN_FILE, path, number))
		number++;
	return run_path(RUN_FILE, path, number);
}
