/* host/session/session_folder.c -- the output folder of a run: made, and locked, so that runs at the same
 * time do not write into the same one. The lock is one of flock(2) on the folder itself, and ends with the
 * process however it ends. */
#include "host/session/session_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_SIBLINGS 999

bool session_folder_make(const char *folder)
{
	char *path = xstrdup(folder);

	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0777);
		*slash = '/';
	}
	bool is_made = mkdir(path, 0777) == 0 || errno == EEXIST;
	free(path);
	return is_made;
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

char *folder_take(const char *folder, struct descriptor *lock, struct diag_list *diags)
{
	size_t length = strlen(folder);
	char *sibling;

	while (length > 1 && folder[length - 1] == '/')
		length--;
	for (unsigned number = 1; number <= MOST_SIBLINGS; number++) {
		if (number == 1)
			sibling = xstrdup(folder);
		else if (asprintf(&sibling, "%.*s.%u", (int)length, folder, number) < 0)
			bug("out of memory");
		if (!session_folder_make(sibling)) {
			diag_error(
				diags, NULL, "output folder %s cannot be made: %s", sibling, strerror(errno));
			free(sibling);
			return NULL;
		}
		if (folder_lock(sibling, lock)) {
			if (number > 1)
				fprintf(stderr,
					"lockstep: another run is writing into %s; this one writes into %s\n",
					folder, sibling);
			return sibling;
		}
		free(sibling);
	}
	diag_error(diags, NULL, "output folder %s and %u beside it are in use by other runs", folder,
		MOST_SIBLINGS - 1);
	return NULL;
}
