/* host/output/compressed_file.c -- streams with zlib or zstd below them. */
#include "host/output/compressed_file.h"
#include "host/trace/trace_output.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <string.h>
#include <zlib.h>

#define GZIP_WINDOW (MAX_WBITS + 16) /* zlib: with gzip's head and end */
#define BLOCK       65536

/* ---- as it is ---- */

static ssize_t plain_write(void *file, const char *bytes, size_t count)
{
	return (ssize_t)fwrite(bytes, 1, count, file);
}

static int plain_close(void *file)
{
	return fflush(file);
}

/* ---- gzip ---- */

struct gzip_file {
	FILE *file;
	z_stream z;
	unsigned char block[BLOCK];
};

/* false: it cannot be written. */
static bool gzip_put(struct gzip_file *g, const char *bytes, size_t count, int flush)
{
	size_t made;

	g->z.next_in = (unsigned char *)(uintptr_t)bytes;
	g->z.avail_in = (uInt)count;
	do {
		g->z.next_out = g->block;
		g->z.avail_out = BLOCK;
		bug_if(deflate(&g->z, flush) == Z_STREAM_ERROR, "zlib: %s", g->z.msg ? g->z.msg : "error");
		made = BLOCK - g->z.avail_out;
		if (made && fwrite(g->block, 1, made, g->file) != made)
			return false;
	} while (!g->z.avail_out);
	return true;
}

static ssize_t gzip_write(void *object, const char *bytes, size_t count)
{
	for (size_t at = 0, part; at < count; at += part) {
		part = count - at < BLOCK ? count - at : BLOCK;
		if (!gzip_put(object, bytes + at, part, Z_NO_FLUSH))
			return (ssize_t)at;
	}
	return (ssize_t)count;
}

static int gzip_close(void *object)
{
	struct gzip_file *g = object;
	bool is_written = gzip_put(g, NULL, 0, Z_FINISH) && !fflush(g->file);

	deflateEnd(&g->z);
	free(g);
	return is_written ? 0 : EOF;
}

/* ---- zstd ---- */

static ssize_t zstd_write(void *object, const char *bytes, size_t count)
{
	trace_output_put(object, bytes, count);
	return (ssize_t)count; /* what goes wrong is told when it is closed */
}

static int zstd_close(void *object)
{
	int error = trace_output_close(object);

	errno = error;
	return error ? EOF : 0;
}

/* ---- the stream ---- */

static FILE *stream_of(void *object, cookie_write_function_t *write, cookie_close_function_t *end)
{
	FILE *stream = fopencookie(object, "w", (cookie_io_functions_t){ .write = write, .close = end });

	bug_if(!stream, "out of memory");
	setvbuf(stream, NULL, _IOFBF, BLOCK);
	return stream;
}

static bool ends_in(const char *name, const char *ending)
{
	size_t length = strlen(name), tail = strlen(ending);

	return length > tail && !strcmp(name + length - tail, ending);
}

FILE *compressed_file_open(FILE *file, const char *name)
{
	struct gzip_file *g;

	if (ends_in(name, ".zst"))
		return stream_of(trace_output_new(file, true), zstd_write, zstd_close);
	if (!ends_in(name, ".gz"))
		return stream_of(file, plain_write, plain_close);
	g = xcalloc(1, sizeof(*g));
	g->file = file;
	bug_if(deflateInit2(&g->z, 6, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK,
		"zlib: no memory");
	return stream_of(g, gzip_write, gzip_close);
}
