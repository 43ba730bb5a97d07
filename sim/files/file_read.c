/* sim/files/file_read.c -- a file, read whole. */
#include "sim/files/file_read.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#define MOST_OF_STREAM ((size_t)64 << 20) /* bytes of what may have no end, as /dev/zero */

/* How many bytes may be read; 0, with errno: it is a folder. */
static size_t limit_of(FILE *f)
{
	struct stat s;

	if (fstat(fileno(f), &s) || S_ISREG(s.st_mode))
		return SIZE_MAX;
	errno = EISDIR;
	return S_ISDIR(s.st_mode) ? 0 : MOST_OF_STREAM;
}

char *file_read(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rbe");
	size_t used = 0, room = 4096, most = f ? limit_of(f) : 0, got;
	char *text;

	if (!most) {
		int error = errno;

		if (f)
			fclose(f);
		errno = error;
		return NULL;
	}
	text = xmalloc(room);
	while (used <= most && (got = fread(text + used, 1, room - used - 1, f)) > 0) {
		used += got;
		if (room - used < 1024)
			text = xrealloc(text, room *= 2);
	}
	text[used] = 0;
	if (ferror(f) || used > most) {
		free(text);
		text = NULL;
	}
	fclose(f);
	if (used > most)
		errno = EFBIG;
	if (size)
		*size = used;
	return text;
}
