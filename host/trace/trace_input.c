/* host/trace/trace_input.c -- bytes from a file as they are, or decompressed. */
#include "host/trace/trace_input.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <zstd.h>

static const unsigned char zstd_magic[4] = { 0x28, 0xb5, 0x2f, 0xfd };

struct trace_input {
	FILE *file;
	bool has_begun;
	unsigned char first[4]; /* of the file: read to find out whether it is compressed */
	size_t first_at, first_count;
	char error[160];

	ZSTD_DCtx *zstd;  /* NULL: not compressed */
	ZSTD_inBuffer in; /* compressed bytes */
	size_t capacity;  /* of that buffer */
	size_t wanted;    /* by the decompressor; 0: a stream has ended here */
	bool has_more;    /* output that found no room */
};

struct trace_input *trace_input_new(FILE *file)
{
	struct trace_input *i = xcalloc(1, sizeof(*i));

	i->file = file;
	return i;
}

void trace_input_free(struct trace_input *i)
{
	ZSTD_freeDCtx(i->zstd);
	free((void *)i->in.src);
	free(i);
}

const char *trace_input_error(const struct trace_input *i)
{
	return *i->error ? i->error : NULL;
}

static size_t read_input(struct trace_input *i, void *bytes, size_t count)
{
	size_t got = fread(bytes, 1, count, i->file);

	if (got < count && ferror(i->file) && !*i->error)
		snprintf(i->error, sizeof(i->error), "the file cannot be read: %s", strerror(errno));
	return got;
}

static void begin_input(struct trace_input *i)
{
	i->has_begun = true;
	i->first_count = read_input(i, i->first, sizeof(i->first));
	if (i->first_count < sizeof(i->first) || memcmp(i->first, zstd_magic, sizeof(zstd_magic)) != 0)
		return;
	i->zstd = ZSTD_createDCtx();
	bug_if(!i->zstd, "out of memory (a decompressor)");
	i->capacity = ZSTD_DStreamInSize();
	i->in.src = memcpy(xmalloc(i->capacity), i->first, sizeof(i->first));
	i->in.size = sizeof(i->first);
}

static size_t get_uncompressed(struct trace_input *i, char *bytes, size_t count)
{
	size_t had = i->first_count - i->first_at;

	if (had > count)
		had = count;
	memcpy(bytes, i->first + i->first_at, had);
	i->first_at += had;
	return had + read_input(i, bytes + had, count - had);
}

/* More compressed bytes; false at the end of the file. */
static bool refill(struct trace_input *i)
{
	i->in.size = read_input(i, (void *)i->in.src, i->capacity);
	i->in.pos = 0;
	if (!i->in.size && i->wanted && !*i->error)
		snprintf(i->error, sizeof(i->error), "the file is cut off: its zstd stream does not end");
	return i->in.size;
}

static size_t get_decompressed(struct trace_input *i, char *bytes, size_t count)
{
	ZSTD_outBuffer out = { bytes, count, 0 };

	while (out.pos < count && !*i->error) {
		if (i->in.pos == i->in.size && !i->has_more && !refill(i))
			break;
		i->wanted = ZSTD_decompressStream(i->zstd, &out, &i->in);
		i->has_more = i->wanted && out.pos == count;
		if (ZSTD_isError(i->wanted))
			snprintf(i->error, sizeof(i->error), "the zstd stream is damaged: %s",
				ZSTD_getErrorName(i->wanted));
	}
	return out.pos;
}

size_t trace_input_get(struct trace_input *i, void *bytes, size_t count)
{
	if (!i->has_begun)
		begin_input(i);
	if (*i->error)
		return 0;
	return i->zstd ? get_decompressed(i, bytes, count) : get_uncompressed(i, bytes, count);
}
