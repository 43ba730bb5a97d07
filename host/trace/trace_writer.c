/* host/trace/trace_writer.c -- records into blocks, blocks into the file. */
#include "host/trace/trace.h"
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

uint32_t trace_crc(const uint8_t *bytes, size_t count)
{
	uint32_t table[16], crc = ~0u;

	for (uint32_t i = 0; i < 16; i++) {
		table[i] = i;
		for (int bit = 0; bit < 4; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
	}
	for (size_t i = 0; i < count; i++) {
		crc ^= bytes[i];
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return ~crc;
}

static void flush(struct trace_writer *w)
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

static void put(struct trace_writer *w, uint64_t value)
{
	for (; value > 127; value >>= 7)
		w->block[w->size++] = (uint8_t)(value | 128);
	w->block[w->size++] = (uint8_t)value;
}

static void put_signed(struct trace_writer *w, uint64_t difference)
{
	put(w, difference << 1 ^ (difference >> 63 ? ~UINT64_C(0) : 0));
}

static void begin(struct trace_writer *w, enum trace_type type)
{
	if (w->size + MOST_BYTES > sizeof(w->block))
		flush(w);
	put(w, type);
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

	begin(w, TRACE_LAUNCH);
	put(w, length);
	memcpy(w->block + w->size, launch->name, length);
	w->size += length;
	for (int i = 0; i < 3; i++)
		put(w, launch->grid[i]);
	for (int i = 0; i < 3; i++)
		put(w, launch->block[i]);
	put(w, launch->shared_bytes);
	put(w, launch->registers);
	w->last = 0;
	w->counts.launches++;
}

static void put_place(struct trace_writer *w, const struct trace_access *a)
{
	put(w, a->cta);
	put(w, a->warp);
	put(w, a->pc);
	put(w, a->line);
}

/* The differences from lane to lane, and whether they are all the same. */
static unsigned find_steps(const struct trace_access *a, uint64_t *steps, bool *is_even)
{
	uint64_t last = 0;
	unsigned count = 0;

	*is_even = true;
	for (uint32_t left = a->mask; left; left &= left - 1) {
		uint64_t address = a->address[__builtin_ctz(left)];

		steps[count++] = address - last;
		last = address;
		if (count > 2)
			*is_even &= steps[count - 1] == steps[1];
	}
	return count;
}

void trace_write_access(struct trace_writer *w, const struct trace_access *a)
{
	uint64_t steps[TRACE_LANES];
	bool is_even;
	unsigned count = find_steps(a, steps, &is_even);

	begin(w, TRACE_ACCESS);
	put_place(w, a);
	put(w, (uint64_t)(a->kind + 4u * a->space + (is_even ? 32u : 0) + (a->uncached ? 64u : 0)));
	put(w, a->bytes);
	put(w, a->mask);
	put_signed(w, steps[0] - w->last);
	w->last = steps[0];
	for (unsigned i = 1; i < (is_even && count > 2 ? 2 : count); i++)
		put_signed(w, steps[i]);
	w->counts.accesses++;
}

void trace_write_instruction(struct trace_writer *w, const struct trace_access *instruction)
{
	begin(w, TRACE_INSTRUCTION);
	put_place(w, instruction);
	put(w, instruction->mask);
	w->counts.instructions++;
}

bool trace_writer_close(struct trace_writer *w)
{
	int error;

	begin(w, TRACE_END);
	put(w, w->counts.launches);
	put(w, w->counts.accesses);
	put(w, w->counts.instructions);
	flush(w);
	error = trace_output_close(w->output);
	free(w);
	errno = error;
	return !error;
}
