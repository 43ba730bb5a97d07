/* host/recording/recording_reader.c -- blocks from the file, entries from blocks. */
#include "host/recording/recording_reader.h"
#include "sim/base/xalloc.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <zstd.h>

#define HEAD (sizeof RECORDING_MAGIC - 1 + sizeof(uint32_t)) /* of the file */

struct recording_reader {
	FILE *file;
	char *path;
	uint64_t offset; /* in the file */
	size_t at, filled, capacity;
	uint64_t left; /* bytes of the entry */
	uint64_t entries;
	enum recording_kind kind;
	struct recording_end end;
	char error[400];
	uint8_t *compressed; /* the sizes, and behind them what was read */
	uint8_t block[RECORDING_BLOCK];
};

static bool wrong_at(struct recording_reader *r, const char *what)
{
	if (!*r->error)
		snprintf(r->error, sizeof r->error, "%s: offset %" PRIu64 ": %s", r->path, r->offset, what);
	return false;
}

bool recording_wrong(struct recording_reader *r, const char *format, ...)
{
	char what[256];
	va_list ap;

	va_start(ap, format);
	vsnprintf(what, sizeof what, format, ap);
	va_end(ap);
	if (!*r->error)
		snprintf(r->error, sizeof r->error, "%s: entry %" PRIu64 " (%s): %s", r->path, r->entries,
			recording_kind_name(r->kind), what);
	return false;
}

const char *recording_error(const struct recording_reader *r)
{
	return *r->error ? r->error : NULL;
}

/* The sizes and the bytes of the next block, as they are in the file, whose checksum is right. */
static bool read_recording_block(struct recording_reader *r, struct recording_block *b)
{
	uint32_t sizes[2];

	if (fread(sizes, sizeof sizes, 1, r->file) != 1 || fread(&b->check, sizeof b->check, 1, r->file) != 1)
		return wrong_at(r, ferror(r->file) ? strerror(errno) : "the file is cut off");
	b->bytes = le32toh(sizes[0]);
	b->compressed = le32toh(sizes[1]);
	if (b->bytes > RECORDING_BLOCK || b->compressed > r->capacity)
		return wrong_at(r, "the sizes of a block are damaged");
	memcpy(r->compressed, sizes, sizeof sizes);
	if (fread(r->compressed + sizeof sizes, 1, b->compressed, r->file) != b->compressed)
		return wrong_at(r, ferror(r->file) ? strerror(errno) : "the file is cut off");
	if (recording_hash(r->compressed, sizeof sizes + b->compressed) != le64toh(b->check))
		return wrong_at(r, "a block is damaged: its checksum is another");
	return true;
}

static bool read_end(struct recording_reader *r, const struct recording_block *b)
{
	uint64_t counts[2];

	if (b->compressed != sizeof counts)
		return wrong_at(r, "the last block is damaged");
	memcpy(counts, r->compressed + 8, sizeof counts);
	r->end = (struct recording_end){ le64toh(counts[0]), le64toh(counts[1]) };
	if (fgetc(r->file) != EOF)
		return wrong_at(r, "something follows the end of the recording");
	return true;
}

/* All blocks, without decompressing them. */
static bool check_blocks(struct recording_reader *r)
{
	struct recording_block b;
	uint64_t bytes = 0;

	for (;;) {
		if (!read_recording_block(r, &b))
			return false;
		if (!b.bytes)
			break;
		bytes += b.bytes;
		r->offset += 16 + b.compressed;
	}
	return read_end(r, &b) && (r->end.bytes == bytes || wrong_at(r, "blocks are missing before the end"));
}

static bool check_head(struct recording_reader *r)
{
	char magic[sizeof RECORDING_MAGIC - 1];
	uint32_t version;

	if (fread(magic, sizeof magic, 1, r->file) != 1 || memcmp(magic, RECORDING_MAGIC, sizeof magic) != 0)
		return wrong_at(r, "this is no recording of lockstep record");
	r->offset = sizeof magic;
	if (fread(&version, sizeof version, 1, r->file) != 1)
		return wrong_at(r, "the file is cut off");
	version = le32toh(version);
	if (version != RECORDING_VERSION) {
		char what[128];

		snprintf(what, sizeof what, "the recording has version %" PRIu32 ", this Lockstep reads %d",
			version, RECORDING_VERSION);
		return wrong_at(r, what);
	}
	r->offset = HEAD;
	return true;
}

struct recording_reader *recording_reader_open(const char *path, struct diag_list *diags)
{
	FILE *file = fopen(path, "rbe");
	struct recording_reader *r;

	if (!file) {
		diag_error(diags, NULL, "%s: %s", path, strerror(errno));
		return NULL;
	}
	r = xcalloc(1, sizeof *r);
	r->file = file;
	r->path = xstrdup(path);
	r->capacity = ZSTD_compressBound(RECORDING_BLOCK);
	r->compressed = xmalloc(8 + r->capacity);
	if (check_head(r) && check_blocks(r) && fseek(file, (long)HEAD, SEEK_SET) == 0) {
		r->offset = HEAD;
		return r;
	}
	if (!*r->error)
		wrong_at(r, "the file cannot be read twice, as a recording is");
	diag_error(diags, NULL, "%s", r->error);
	recording_reader_free(r);
	return NULL;
}

void recording_reader_free(struct recording_reader *r)
{
	fclose(r->file);
	free(r->path);
	free(r->compressed);
	free(r);
}

/* -- the bytes of all blocks -- */

static bool next_block(struct recording_reader *r)
{
	struct recording_block b;
	size_t size;

	if (!read_recording_block(r, &b))
		return false;
	if (!b.bytes)
		return wrong_at(r, "the last entry is cut off");
	size = ZSTD_decompress(r->block, RECORDING_BLOCK, r->compressed + 8, b.compressed);
	if (ZSTD_isError(size) || size != b.bytes)
		return wrong_at(r, "a block cannot be decompressed");
	r->offset += 16 + b.compressed;
	r->at = 0;
	r->filled = size;
	return true;
}

/* bytes NULL: skips. */
static bool get_bytes(struct recording_reader *r, uint8_t *bytes, uint64_t count)
{
	while (count && !*r->error) {
		uint64_t part = r->filled - r->at;

		if (!part && !next_block(r))
			return false;
		part = r->filled - r->at < count ? r->filled - r->at : count;
		if (bytes)
			memcpy(bytes, r->block + r->at, part);
		bytes += bytes ? part : 0;
		r->at += part;
		count -= part;
	}
	return !count;
}

/* -- entries -- */

enum recording_kind recording_next(struct recording_reader *r)
{
	uint64_t head[2];

	if (!get_bytes(r, NULL, r->left) || r->entries == r->end.entries || *r->error)
		return 0;
	r->left = 0;
	r->entries++;
	r->kind = 0;
	if (!get_bytes(r, (uint8_t *)head, sizeof head))
		return 0;
	if (!le64toh(head[0]) || le64toh(head[0]) >= RECORDING_KINDS) {
		recording_wrong(r, "there is no such kind of entry: %" PRIu64, le64toh(head[0]));
		return 0;
	}
	r->kind = (enum recording_kind)le64toh(head[0]);
	r->left = le64toh(head[1]);
	if (r->left <= r->end.bytes)
		return r->kind;
	recording_wrong(r, "its size, %" PRIu64 ", is larger than that of the recording", r->left);
	r->left = 0;
	return 0;
}

size_t recording_left(const struct recording_reader *r)
{
	return r->left;
}

void recording_take_bytes(struct recording_reader *r, void *bytes, size_t count)
{
	if (count > r->left)
		recording_wrong(r, "%zu bytes more were expected, it has %" PRIu64, count, r->left);
	if (*r->error)
		memset(bytes, 0, count);
	else if (get_bytes(r, bytes, count))
		r->left -= count;
}

uint64_t recording_take_number(struct recording_reader *r)
{
	uint64_t number = 0;

	recording_take_bytes(r, &number, sizeof number);
	return le64toh(number);
}

char *recording_take_text(struct recording_reader *r)
{
	uint64_t size = recording_take_number(r);
	char *text;

	if (size > r->left) {
		recording_wrong(
			r, "a text of %" PRIu64 " bytes was expected, it has %" PRIu64, size, r->left);
		size = 0;
	}
	text = xcalloc(1, size + 1);
	recording_take_bytes(r, text, size);
	return text;
}
