/* sim/base/file_read.c -- a file, read whole. */
#include "sim/base/file_read.h"
#include "sim/base/xalloc.h"
#include <stdio.h>

char *file_read(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	size_t used = 0, room = 4096, got;
	char *text;

	if (!f)
		return NULL;
	text = xmalloc(room);
	while ((got = fread(text + used, 1, room - used - 1, f)) > 0) {
		used += got;
		if (room - used < 1024)
			text = xrealloc(text, room *= 2);
	}
	text[used] = 0;
	if (ferror(f)) {
		free(text);
		text = NULL;
	}
	fclose(f);
	if (size)
		*size = used;
	return text;
}
