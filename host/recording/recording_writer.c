/* host/recording/recording_writer.c -- entries into blocks, blocks into the file as soon as they are full. */
#include "host/recording/recording_writer.h"
#include "sim/files/whole_file.h"
#include "sim/base/xalloc.h"

#include <endian.h>
#include <zstd.h>

#define LEVEL 3

struct recording_writer {
	FILE *file;
	ZSTD_CCtx *zstd;
	size_t filled;    /* of the block */
	uint64_t missing; /* bytes of the entry */
	struct recording_end counts;
	uint8_t *compressed; /* ZSTD_compressBound(RECORDING_BLOCK) behind the sizes */
	uint8_t block[RECORDING_BLOCK];
};

static void write_block(struct recording_writer *w, uint32_t bytes, uint32_t compressed)
{
	uint32_t sizes[2] = { htole32(bytes), htole32(compressed) };
	uint64_t check;

	memcpy(w->compressed, sizes, sizeof sizes);
	check = htole64(recording_hash(w->compressed, sizeof sizes + compressed));
	fwrite(sizes, sizeof sizes, 1, w->file); /* what goes wrong is told by whole_file_close */
	fwrite(&check, sizeof check, 1, w->file);
	fwrite(w->compressed + sizeof sizes, 1, compressed, w->file);
}

static void flush_block(struct recording_writer *w)
{
	size_t size;

	if (!w->filled)
		return;
	size = ZSTD_compressCCtx(
		w->zstd, w->compressed + 8, ZSTD_compressBound(RECORDING_BLOCK), w->block, w->filled, LEVEL);
	bug_if(ZSTD_isError(size), "a recording cannot be compressed: %s", ZSTD_getErrorName(size));
	write_block(w, (uint32_t)w->filled, (uint32_t)size);
	w->counts.bytes += w->filled;
	w->filled = 0;
}

struct recording_writer *recording_writer_open(const char *path, struct diag_list *diags)
{
	FILE *file = whole_file_open(path, "wb", diags);
	struct recording_writer *w;
	uint32_t version = htole32(RECORDING_VERSION);

	if (!file)
		return NULL;
	w = xcalloc(1, sizeof *w);
	w->file = file;
	w->zstd = ZSTD_createCCtx();
	bug_if(!w->zstd, "out of memory (a compressor)");
	w->compressed = xmalloc(8 + ZSTD_compressBound(RECORDING_BLOCK));
	fwrite(RECORDING_MAGIC, sizeof RECORDING_MAGIC - 1, 1, file);
	fwrite(&version, sizeof version, 1, file);
	return w;
}

static void append_bytes(struct recording_writer *w, const uint8_t *bytes, size_t count)
{
	while (count) {
		size_t part = RECORDING_BLOCK - w->filled < count ? RECORDING_BLOCK - w->filled : count;

		memcpy(w->block + w->filled, bytes, part);
		w->filled += part;
		bytes += part;
		count -= part;
		if (w->filled == RECORDING_BLOCK)
			flush_block(w);
	}
}

void recording_put(struct recording_writer *w, enum recording_kind kind, size_t bytes)
{
	uint64_t head[2] = { htole64(kind), htole64(bytes) };

	bug_if(w->missing, "an entry of a recording was begun before the last was whole");
	append_bytes(w, (const uint8_t *)head, sizeof head);
	w->missing = bytes;
	w->counts.entries++;
}

void recording_put_bytes(struct recording_writer *w, const void *bytes, size_t count)
{
	bug_if(count > w->missing, "an entry of a recording is larger than was said");
	w->missing -= count;
	append_bytes(w, bytes, count);
}

void recording_put_number(struct recording_writer *w, uint64_t number)
{
	number = htole64(number);
	recording_put_bytes(w, &number, sizeof number);
}

void recording_put_text(struct recording_writer *w, const char *text)
{
	recording_put_number(w, strlen(text));
	recording_put_bytes(w, text, strlen(text));
}

void recording_put_numbers(
	struct recording_writer *w, enum recording_kind kind, const uint64_t *numbers, size_t count)
{
	recording_put(w, kind, count * sizeof *numbers);
	for (size_t i = 0; i < count; i++)
		recording_put_number(w, numbers[i]);
}

static void writer_free(struct recording_writer *w)
{
	ZSTD_freeCCtx(w->zstd);
	free(w->compressed);
	free(w);
}

bool recording_writer_close(struct recording_writer *w)
{
	uint64_t counts[2];
	bool is_written;

	flush_block(w);
	counts[0] = htole64(w->counts.entries);
	counts[1] = htole64(w->counts.bytes);
	memcpy(w->compressed + 8, counts, sizeof counts);
	write_block(w, 0, sizeof counts);
	is_written = whole_file_close(w->file);
	writer_free(w);
	return is_written;
}

void recording_writer_discard(struct recording_writer *w)
{
	whole_file_discard(w->file);
	writer_free(w);
}
