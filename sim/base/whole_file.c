/* sim/base/whole_file.c -- files that are whole or absent. */
#include "sim/base/whole_file.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <pthread.h>
#include <stdio_ext.h>
#include <sys/stat.h>
#include <unistd.h>

struct whole_file {
	FILE *file;
	char *path, *part; /* part: NULL if path itself is written */
	int error;         /* of the first write that failed; 0: none, or not known */
	struct whole_file *next;
};

static struct whole_file *open_files;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* What the parent has not written yet is the parent's to write, not the child's at its end. */
static void forget_buffers(void)
{
	for (struct whole_file *w = open_files; w; w = w->next)
		__fpurge(w->file);
}

static void watch_forks(void)
{
	pthread_atfork(NULL, NULL, forget_buffers);
}

static bool is_plain(const char *path)
{
	struct stat there;

	return lstat(path, &there) || S_ISREG(there.st_mode);
}

FILE *whole_file_open(const char *path, const char *mode, struct diag_list *diags)
{
	struct whole_file *w = xcalloc(1, sizeof(*w));
	char flags[8];

	snprintf(flags, sizeof(flags), "%se", mode);
	w->path = xstrdup(path);
	if (is_plain(path) && asprintf(&w->part, "%s.part", path) < 0)
		bug("out of memory");
	w->file = fopen(w->part ? w->part : path, flags);
	if (!w->file) {
		diag_error(diags, NULL, "%s cannot be written: %s", path, strerror(errno));
		free(w->path);
		free(w->part);
		free(w);
		return NULL;
	}
	pthread_once(&once, watch_forks);
	pthread_mutex_lock(&lock);
	w->next = open_files;
	open_files = w;
	pthread_mutex_unlock(&lock);
	return w->file;
}

FILE *whole_file_open_in(const char *folder, const char *name, const char *mode, struct diag_list *diags)
{
	char *path;
	FILE *file;

	if (asprintf(&path, "%s/%s", folder, name) < 0)
		bug("out of memory");
	file = whole_file_open(path, mode, diags);
	free(path);
	return file;
}

static bool copy(FILE *from, FILE *to)
{
	char path[64], bytes[65536];
	long left = ftell(from);
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fileno(from)); /* which may be open for writing only
									 */
	f = fopen(path, "rbe");
	while (f && left > 0) {
		size_t part = (size_t)left < sizeof(bytes) ? (size_t)left : sizeof(bytes);

		if (fread(bytes, 1, part, f) != part || fwrite(bytes, 1, part, to) != part)
			break;
		left -= (long)part;
	}
	if (f)
		fclose(f);
	return !left;
}

FILE *whole_file_branch(FILE *file, const char *folder, const char *name, struct diag_list *diags)
{
	FILE *branch = whole_file_open_in(folder, name, "w+", diags);

	if (!branch || copy(file, branch))
		return branch;
	diag_error(diags, NULL, "%s/%s cannot be written: %s", folder, name, strerror(errno));
	whole_file_discard(branch);
	return NULL;
}

static struct whole_file **find(const FILE *file)
{
	struct whole_file **at = &open_files;

	while (*at && (*at)->file != file)
		at = &(*at)->next;
	bug_if(!*at, "a file is written or closed that is not open");
	return at;
}

static struct whole_file *take(const FILE *file)
{
	pthread_mutex_lock(&lock);
	struct whole_file **at = find(file), *w = *at;
	*at = w->next;
	pthread_mutex_unlock(&lock);
	return w;
}

static void flush(struct whole_file *w)
{
	if (fflush(w->file) && !w->error)
		w->error = errno;
}

void whole_file_flush(FILE *file)
{
	pthread_mutex_lock(&lock);
	struct whole_file *w = *find(file);
	pthread_mutex_unlock(&lock);
	flush(w);
}

static void whole_file_free(struct whole_file *w)
{
	free(w->path);
	free(w->part);
	free(w);
}

bool whole_file_close(FILE *file)
{
	if (!file)
		return true;
	struct whole_file *w = take(file);
	flush(w);
	bool is_whole = !ferror(file);
	int error = w->error;
	if (fclose(file) && is_whole) {
		is_whole = false;
		error = errno;
	}
	if (is_whole && w->part && rename(w->part, w->path)) {
		is_whole = false;
		error = errno;
	}
	if (!is_whole) {
		fprintf(stderr, "lockstep: %s cannot be written: %s\n", w->path,
			error ? strerror(error) : "a part of it was refused");
		if (w->part) {
			unlink(w->part);
			unlink(w->path); /* it would be of another run than the files beside it */
		}
	}
	whole_file_free(w);
	return is_whole;
}

void whole_file_discard(FILE *file)
{
	if (!file)
		return;
	struct whole_file *w = take(file);
	fclose(file);
	if (w->part)
		unlink(w->part);
	whole_file_free(w);
}
