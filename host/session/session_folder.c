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

/* The first number is the first that no process of this run has. */
static char *take_from(unsigned first, const char *folder, struct run_records *records,
	struct descriptor *lock, struct diag_list *diags)
{
	bool has_others = false;

	for (unsigned number = first; number < first + MOST_SIBLINGS; number++) {
		char *sibling = run_path(RUN_FOLDER, folder, number);

		if (!session_folder_make(sibling)) {
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
	char *plain = xstrdup(folder), *taken;

	for (size_t length = strlen(plain); length > 1 && plain[length - 1] == '/'; length--)
		plain[length - 1] = '\0';
	taken = take_from(run_records_next(records, plain), plain, records, lock, diags);
	free(plain);
	return taken;
}

char *file_take(const char *path, struct run_records *records)
{
	unsigned number = run_records_next(records, path);

	while (!run_records_claim(records, RUN_FILE, path, number))
		number++;
	return run_path(RUN_FILE, path, number);
}
