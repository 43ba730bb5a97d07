/* host/trace/trace_output.c -- one zstd stream with a checksum of its content, compressed by one thread: the
 * same trace is the same file in every run (with the same version of the library). */
#include "host/trace/trace_output.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <zstd.h>

#define LEVEL 1 /* the writer must keep up with execution; higher levels save little */

struct trace_output {
	FILE *file;
	int error;
	ZSTD_CCtx *zstd; /* NULL: not compressed */
	size_t capacity;
	char *compressed;
};

struct trace_output *trace_output_new(FILE *file, bool is_compressed)
{
	struct trace_output *o = xcalloc(1, sizeof(*o));

	o->file = file;
	if (!is_compressed)
		return o;
	o->zstd = ZSTD_createCCtx();
	bug_if(!o->zstd, "out of memory (a compressor)");
	ZSTD_CCtx_setParameter(o->zstd, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(o->zstd, ZSTD_c_checksumFlag, 1);
	o->capacity = ZSTD_CStreamOutSize();
	o->compressed = xmalloc(o->capacity);
	return o;
}

static void write_out(struct trace_output *o, const void *bytes, size_t count)
{
	if (!o->error && fwrite(bytes, 1, count, o->file) != count)
		o->error = errno ? errno : EIO;
}

/* Compresses; at the end also what the compressor has kept. */
static void compress(struct trace_output *o, const void *bytes, size_t count, ZSTD_EndDirective directive)
{
	ZSTD_inBuffer in = { bytes, count, 0 };
	size_t left;

	do {
		ZSTD_outBuffer out = { o->compressed, o->capacity, 0 };

		left = ZSTD_compressStream2(o->zstd, &out, &in, directive);
		bug_if(ZSTD_isError(left), "a trace cannot be compressed: %s", ZSTD_getErrorName(left));
		write_out(o, o->compressed, out.pos);
	} while (in.pos < count || (directive == ZSTD_e_end && left));
}

void trace_output_put(struct trace_output *o, const void *bytes, size_t count)
{
	if (o->error)
		return;
	if (o->zstd)
		compress(o, bytes, count, ZSTD_e_continue);
	else
		write_out(o, bytes, count);
}

int trace_output_close(struct trace_output *o)
{
	int error;

	if (o->zstd && !o->error)
		compress(o, NULL, 0, ZSTD_e_end);
	if (!o->error && fflush(o->file))
		o->error = errno;
	error = o->error;
	ZSTD_freeCCtx(o->zstd);
	free(o->compressed);
	free(o);
	return error;
}
