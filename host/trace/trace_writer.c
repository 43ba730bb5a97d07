/* host/trace/trace_writer.c -- records into blocks, blocks into the file. */
#include "host/trace/trace.h"
#include "host/trace/trace_number.h"
#include "host/trace/trace_output.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <string.h>

/* A record takes at most this: a launch with the longest name. */
#define MOST_BYTES (TRACE_NAME_BYTES + 128)

struct trace_writer {
	struct trace_output *output;
	struct trace_counts counts;
	uint64_t last; /* address that the next access counts from */
	size_t size;
	uint8_t block[TRACE_BLOCK];
};

static void flush_block(struct trace_writer *w)
{
	uint32_t size = (uint32_t)w->size, crc = trace_crc(w->block, w->size);
	uint8_t head[8];

	if (!size)
		return;
	for (int i = 0; i < 4; i++) {
		head[i] = (uint8_t)(size >> 8 * i);
		head[4 + i] = (uint8_t)(crc >> 8 * i);
	}
	trace_output_put(w->output, head, sizeof(head));
	trace_output_put(w->output, w->block, w->size);
	w->size = 0;
}

/* Begins a record and returns where its numbers go; end_record() has to follow. */
static uint8_t *begin_record(struct trace_writer *w, enum trace_type type)
{
	if (w->size + MOST_BYTES > sizeof(w->block))
		flush_block(w);
	return trace_number_put(w->block + w->size, type);
}

static void end_record(struct trace_writer *w, const uint8_t *at)
{
	w->size = (size_t)(at - w->block);
}

static struct trace_writer *writer_new(FILE *file, bool is_compressed)
{
	struct trace_writer *w = xcalloc(1, sizeof(*w));

	w->output = trace_output_new(file, is_compressed);
	trace_output_put(w->output, TRACE_MAGIC, strlen(TRACE_MAGIC));
	return w;
}

struct trace_writer *trace_writer_new(FILE *file)
{
	return writer_new(file, false);
}

struct trace_writer *trace_writer_new_zstd(FILE *file)
{
	return writer_new(file, true);
}

bool trace_name_is_zstd(const char *path)
{
	size_t length = strlen(path);

	return length > 4 && strcmp(path + length - 4, ".zst") == 0;
}

void trace_write_launch(struct trace_writer *w, const struct trace_launch *launch)
{
	size_t length = strnlen(launch->name, TRACE_NAME_BYTES - 1);
	uint8_t *at = trace_number_put(begin_record(w, TRACE_LAUNCH), length);

	memcpy(at, launch->name, length);
	at += length;
	for (int i = 0; i < 3; i++)
		at = trace_number_put(at, launch->grid[i]);
	for (int i = 0; i < 3; i++)
		at = trace_number_put(at, launch->block[i]);
	at = trace_number_put(at, launch->shared_bytes);
	at = trace_number_put(at, launch->registers);
	end_record(w, at);
	w->last = 0;
	w->counts.launches++;
}

static uint8_t *put_place(uint8_t *at, const struct trace_access *a)
{
	at = trace_number_put(at, a->cta);
	at = trace_number_put(at, a->warp);
	at = trace_number_put(at, a->pc);
	return trace_number_put(at, a->line);
}

/* The addresses of the active lanes next to each other, and how many: in the access itself, or in `room`. */
static const uint64_t *active_addresses(const struct trace_access *a, uint64_t *room, unsigned *count)
{
	*count = TRACE_LANES;
	if (a->mask == ~0u)
		return a->address;
	*count = 0;
	for (uint32_t left = a->mask; left; left &= left - 1)
		room[(*count)++] = a->address[__builtin_ctz(left)];
	return room;
}

static bool has_one_stride(const uint64_t *address, unsigned count)
{
	uint64_t differ = 0;

	for (unsigned i = 2; i < count; i++)
		differ |= (address[i] - address[i - 1]) ^ (address[1] - address[0]);
	return !differ;
}

void trace_write_access(struct trace_writer *w, const struct trace_access *a)
{
	uint64_t room[TRACE_LANES];
	unsigned count;
	const uint64_t *address = active_addresses(a, room, &count);
	bool is_even = has_one_stride(address, count);
	uint8_t *at = put_place(begin_record(w, TRACE_ACCESS), a);

	at = trace_number_put(at, a->kind + 4u * a->space + (is_even ? 32u : 0) + (a->uncached ? 64u : 0));
	at = trace_number_put(at, a->bytes);
	at = trace_number_put(at, a->mask);
	at = trace_number_put(at, trace_number_from_signed(address[0] - w->last));
	w->last = address[0];
	if (is_even && count > 2)
		count = 2;
	for (unsigned i = 1; i < count; i++)
		at = trace_number_put(at, trace_number_from_signed(address[i] - address[i - 1]));
	end_record(w, at);
	w->counts.accesses++;
}

void trace_write_instruction(struct trace_writer *w, const struct trace_access *instruction)
{
	uint8_t *at = put_place(begin_record(w, TRACE_INSTRUCTION), instruction);

	end_record(w, trace_number_put(at, instruction->mask));
	w->counts.instructions++;
}

bool trace_writer_close(struct trace_writer *w)
{
	uint8_t *at = begin_record(w, TRACE_END);
	int error;

	at = trace_number_put(at, w->counts.launches);
	at = trace_number_put(at, w->counts.accesses);
	end_record(w, trace_number_put(at, w->counts.instructions));
	flush_block(w);
	error = trace_output_close(w->output);
	free(w);
	errno = error;
	return !error;
}
