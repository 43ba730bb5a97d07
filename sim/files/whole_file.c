/* sim/files/whole_file.c -- files that are whole or absent. The process may be another's, which closes
 * descriptors that it does not own: before each write the file is looked at, and opened again if it is not
 * there. */
#include "sim/files/whole_file.h"
#include "sim/files/descriptor.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio_ext.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER 65536 /* bytes that are written at once */

struct whole_file {
	FILE *file;
	char *buffer;      /* of `file`: the C library would take no notice of its size without one */
	const char *path;  /* in messages */
	char *name, *part; /* absolute; part: NULL if name itself is written */
	struct descriptor to;
	off_t place; /* of the next byte; not for what has no places, as a pipe */
	bool has_places;
	int error; /* of the first write that failed; 0: none, or not known */
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

/* -- bytes -- */

static const char *error_reason(int error)
{
	return error == ESTALE ? "what was written was removed or replaced meanwhile"
		: error        ? strerror(error)
			       : "a part of it was refused";
}

static bool is_same_descriptor(const char *path, const struct descriptor *d)
{
	struct stat s;

	return !lstat(path, &s) && s.st_dev == d->device && s.st_ino == d->inode;
}

/* The program has closed our descriptor: the file is opened again, if it is still the same. */
static bool open_again(struct whole_file *w)
{
	struct descriptor fresh = { .number = -1 };

	if (w->part)
		fresh = descriptor_keep(open(w->part, O_RDWR | O_NOFOLLOW | O_CLOEXEC));
	if (fresh.number < 0 || fresh.device != w->to.device || fresh.inode != w->to.inode) {
		descriptor_close(&fresh);
		errno = ESTALE;
		return false;
	}
	flock(fresh.number, LOCK_EX | LOCK_NB);
	w->to = fresh;
	return true;
}

static bool is_there(struct whole_file *w)
{
	return descriptor_is_ours(&w->to) || open_again(w);
}

/* The limit on the size of files (RLIMIT_FSIZE) is an error of this write, and no signal to the program. */
static ssize_t write_some(const struct whole_file *w, const char *bytes, size_t size)
{
	static const struct timespec at_once;
	sigset_t limit, before;
	ssize_t count;
	int error;

	sigemptyset(&limit);
	sigaddset(&limit, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &limit, &before);
	count = w->has_places ? pwrite(w->to.number, bytes, size, w->place)
			      : write(w->to.number, bytes, size);
	error = errno;
	if (count < 0 && error == EFBIG && !sigismember(&before, SIGXFSZ))
		sigtimedwait(&limit, NULL, &at_once);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return count;
}

static ssize_t cookie_write(void *cookie, const char *bytes, size_t size)
{
	struct whole_file *w = cookie;
	size_t done = 0;

	while (done < size && !w->error) {
		ssize_t count = is_there(w) ? write_some(w, bytes + done, size - done) : -1;

		if (count < 0 && errno != EINTR)
			w->error = errno;
		if (count > 0) {
			done += (size_t)count;
			w->place += count;
		}
	}
	return (ssize_t)done;
}

static ssize_t cookie_read(void *cookie, char *bytes, size_t size)
{
	struct whole_file *w = cookie;
	ssize_t count = is_there(w) ? pread(w->to.number, bytes, size, w->place) : -1;

	if (count > 0)
		w->place += count;
	return count;
}

static int seek(void *cookie, off64_t *place, int from)
{
	struct whole_file *w = cookie;
	struct stat s = { 0 };

	if (!w->has_places || (from == SEEK_END && (!is_there(w) || fstat(w->to.number, &s)))) {
		errno = ESPIPE;
		return -1;
	}
	*place += from == SEEK_SET ? 0 : from == SEEK_CUR ? w->place : s.st_size;
	w->place = *place;
	return 0;
}

static int cookie_close(void *cookie)
{
	return descriptor_close(&((struct whole_file *)cookie)->to) ? 0 : -1;
}

/* -- opening -- */

static char *absolute_path(const char *path)
{
	char folder[PATH_MAX], *whole;

	if (path[0] == '/' || !getcwd(folder, sizeof(folder)))
		return xstrdup(path);
	if (asprintf(&whole, "%s/%s", folder, path) < 0)
		bug("out of memory");
	return whole;
}

/* Whether a path is written as it is: a pipe or a device, also behind a link that the user has named; and
 * what the system keeps as links to open files, such as /dev/stdout. */
static bool is_written_directly(const char *path, bool is_named)
{
	struct stat s;

	if (lstat(path, &s))
		return false;
	if (S_ISLNK(s.st_mode) && is_named && (!strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6)))
		return true;
	if (S_ISLNK(s.st_mode) && (!is_named || stat(path, &s)))
		return false;
	return !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode);
}

/* Whether a part that is there is of a process that goes on. */
static bool is_in_use(const char *part)
{
	int there = open(part, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool is_locked = there >= 0 && flock(there, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;

	if (there >= 0)
		close(there);
	return is_locked;
}

/* A new file, never one that somebody has put there. */
static int create_part(const char *part)
{
	static const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int made = open(part, flags, 0666);

	if (made < 0 && errno == EEXIST) {
		if (is_in_use(part)) {
			errno = ETXTBSY;
			return -1;
		}
		unlink(part); /* of a run that was killed */
		made = open(part, flags, 0666);
	}
	if (made >= 0)
		flock(made, LOCK_EX | LOCK_NB); /* as far as there are locks */
	return made;
}

static bool open_descriptor(struct whole_file *w, bool is_named)
{
	struct stat s;
	int to;

	if (!lstat(w->name, &s) && S_ISDIR(s.st_mode)) {
		errno = EISDIR;
		return false;
	}
	if (is_written_directly(w->name, is_named)) {
		to = open(w->name, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
	} else {
		if (asprintf(&w->part, "%s.part", w->name) < 0)
			bug("out of memory");
		to = create_part(w->part);
	}
	w->to = descriptor_keep(to);
	w->has_places = to >= 0 && !fstat(w->to.number, &s) && S_ISREG(s.st_mode);
	return to >= 0;
}

static void whole_file_free(struct whole_file *w)
{
	free((char *)w->path);
	free(w->name);
	free(w->part);
	free(w->buffer);
	free(w);
}

static FILE *open_file(const char *path, const char *mode, bool is_named, struct diag_list *diags)
{
	static const cookie_io_functions_t functions = {
		.read = cookie_read, .write = cookie_write, .seek = seek, .close = cookie_close
	};
	struct whole_file *w = xcalloc(1, sizeof(*w));

	w->path = xstrdup(path);
	w->name = absolute_path(path);
	if (!open_descriptor(w, is_named)) {
		diag_error(diags, NULL, "%s cannot be written: %s", path,
			errno == ETXTBSY ? "another process is writing it" : strerror(errno));
		whole_file_free(w);
		return NULL;
	}
	w->file = fopencookie(w, mode, functions);
	bug_if(!w->file, "out of memory");
	w->buffer = xmalloc(BUFFER);
	setvbuf(w->file, w->buffer, _IOFBF, BUFFER);
	pthread_once(&once, watch_forks);
	pthread_mutex_lock(&lock);
	w->next = open_files;
	open_files = w;
	pthread_mutex_unlock(&lock);
	return w->file;
}

FILE *whole_file_open(const char *path, const char *mode, struct diag_list *diags)
{
	return open_file(path, mode, true, diags);
}

FILE *whole_file_open_in(const char *folder, const char *name, const char *mode, struct diag_list *diags)
{
	char *path;
	FILE *file;

	if (asprintf(&path, "%s/%s", folder, name) < 0)
		bug("out of memory");
	file = open_file(path, mode, false, diags);
	free(path);
	return file;
}

/* -- open files -- */

static struct whole_file **find_whole_file(const FILE *file)
{
	struct whole_file **at = &open_files;

	while (*at && (*at)->file != file)
		at = &(*at)->next;
	bug_if(!*at, "a file is written or closed that is not open");
	return at;
}

static struct whole_file *of(const FILE *file)
{
	pthread_mutex_lock(&lock);
	struct whole_file *w = *find_whole_file(file);
	pthread_mutex_unlock(&lock);
	return w;
}

static struct whole_file *take_whole_file(const FILE *file)
{
	pthread_mutex_lock(&lock);
	struct whole_file **at = find_whole_file(file), *w = *at;
	*at = w->next;
	pthread_mutex_unlock(&lock);
	return w;
}

static bool copy_contents(FILE *from, FILE *to)
{
	struct whole_file *w = of(from);
	char bytes[BUFFER];
	off_t left = w->place;

	for (off_t at = 0; left > 0;) {
		size_t most = (size_t)left < sizeof(bytes) ? (size_t)left : sizeof(bytes);
		ssize_t got = pread(w->to.number, bytes, most, at);

		if (got <= 0 || fwrite(bytes, 1, (size_t)got, to) != (size_t)got)
			return false;
		at += got;
		left -= got;
	}
	return true;
}

FILE *whole_file_branch(FILE *file, const char *folder, const char *name, struct diag_list *diags)
{
	FILE *branch = whole_file_open_in(folder, name, "w+", diags);

	if (!branch || copy_contents(file, branch))
		return branch;
	diag_error(diags, NULL, "%s/%s cannot be written: %s", folder, name, strerror(errno));
	whole_file_discard(branch);
	return NULL;
}

void whole_file_flush(FILE *file)
{
	fflush(file);
}

void whole_file_truncate(FILE *file)
{
	struct whole_file *w = of(file);

	if (!fflush(file) && w->has_places && is_there(w) && ftruncate(w->to.number, w->place))
		w->error = errno;
}

/* The part takes its name, if it is the one that was written. */
static bool take_name(struct whole_file *w)
{
	if (!descriptor_close(&w->to))
		w->error = errno;
	else if (!w->part)
		return true;
	else if (!is_same_descriptor(w->part, &w->to))
		w->error = ESTALE;
	else if (rename(w->part, w->name))
		w->error = errno;
	return !w->error;
}

bool whole_file_close(FILE *file)
{
	if (!file)
		return true;
	struct whole_file *w = take_whole_file(file);
	bool is_whole = !fflush(file) && !ferror(file) && !w->error && take_name(w);

	if (!is_whole) {
		fprintf(stderr, "lockstep: %s cannot be written: %s\n", w->path, error_reason(w->error));
		if (w->part) {
			if (is_same_descriptor(w->part, &w->to))
				unlink(w->part);
			unlink(w->name); /* it would be of another run than the files beside it */
		}
	}
	fclose(file);
	whole_file_free(w);
	return is_whole;
}

void whole_file_discard(FILE *file)
{
	if (!file)
		return;
	struct whole_file *w = take_whole_file(file);
	__fpurge(file);
	if (w->part && is_same_descriptor(w->part, &w->to))
		unlink(w->part);
	fclose(file);
	whole_file_free(w);
}
