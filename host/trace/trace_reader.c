/* host/trace/trace_reader.c -- blocks from the file, records from blocks; every number is checked before use.
 */
#include "host/trace/trace.h"
#include "host/trace/trace_input.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

struct trace_reader {
	struct trace_input *input;
	uint64_t offset; /* in the file, of the block's first byte */
	size_t size, at;
	struct trace_counts counts;
	uint64_t last;
	bool has_begun, has_ended, has_launch, is_broken;
	struct trace_launch launch;
	char error[160];
	uint8_t block[TRACE_BLOCK];
};

struct trace_reader *trace_reader_new(FILE *file)
{
	struct trace_reader *r = xcalloc(1, sizeof(*r));

	r->input = trace_input_new(file);
	return r;
}

void trace_reader_free(struct trace_reader *r)
{
	trace_input_free(r->input);
	free(r);
}

const char *trace_reader_error(const struct trace_reader *r)
{
	return r->is_broken ? r->error : NULL;
}

/* Keeps the first error; always false. */
__attribute__((format(printf, 3, 4))) static bool fail(
	struct trace_reader *r, uint64_t offset, const char *format, ...)
{
	va_list ap;
	int length;

	if (r->is_broken)
		return false;
	r->is_broken = true;
	length = snprintf(r->error, sizeof(r->error), "offset %" PRIu64 ": ", offset);
	va_start(ap, format);
	vsnprintf(r->error + length, sizeof(r->error) - (size_t)length, format, ap);
	va_end(ap);
	return false;
}

/* The bytes are missing: says so, or what is wrong with the file; always false. */
static bool fail_missing(struct trace_reader *r, uint64_t offset, const char *what)
{
	const char *error = trace_input_error(r->input);

	return fail(r, offset, "%s", error ? error : what);
}

static uint32_t word(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static bool read_magic(struct trace_reader *r)
{
	char magic[8];

	r->has_begun = true;
	if (trace_input_get(r->input, magic, 8) != 8)
		return fail_missing(
			r, 0, "this is no trace of Lockstep: it does not begin with " TRACE_MAGIC);
	if (memcmp(magic, TRACE_MAGIC, 7) != 0)
		return fail(r, 0, "this is no trace of Lockstep: it does not begin with %s", TRACE_MAGIC);
	if (magic[7] != TRACE_MAGIC[7])
		return fail(r, 7, "another version of the format: this reader knows only version %c",
			TRACE_MAGIC[7]);
	r->offset = 8;
	return true;
}

static bool read_block(struct trace_reader *r)
{
	uint64_t start = r->offset + r->size;
	uint8_t head[8];

	if (trace_input_get(r->input, head, 8) != 8)
		return fail_missing(
			r, start, "the file is cut off: a block or the record of the end is missing");
	r->offset = start + 8;
	r->size = r->at = 0;
	if (!word(head) || word(head) > TRACE_BLOCK)
		return fail(r, start, "a block of %u bytes: expected 1 to %d", word(head), TRACE_BLOCK);
	if (trace_input_get(r->input, r->block, word(head)) != word(head))
		return fail_missing(r, start, "the file is cut off in a block");
	r->size = word(head);
	if (trace_crc(r->block, r->size) != word(head + 4))
		return fail(r, start, "the checksum of the block does not match: the file is damaged");
	return true;
}

/* A number up to a maximum; 0 and a message otherwise. */
static uint64_t get(struct trace_reader *r, uint64_t maximum, const char *what)
{
	uint64_t value = 0, start = r->offset + r->at;

	for (unsigned shift = 0;; shift += 7) {
		uint8_t byte;

		if (r->at == r->size)
			return fail(r, start, "the block ends in a record (%s)", what);
		byte = r->block[r->at++];
		if (shift > 63 || (shift == 63 && byte > 1))
			return fail(r, start, "a number of more than 64 bits (%s)", what);
		value |= (uint64_t)(byte & 127) << shift;
		if (byte < 128)
			break;
	}
	if (value > maximum)
		return fail(r, start, "%s %" PRIu64 " is more than %" PRIu64, what, value, maximum);
	return value;
}

static uint64_t get_signed(struct trace_reader *r)
{
	uint64_t value = get(r, UINT64_MAX, "address");

	return value >> 1 ^ (value & 1 ? ~UINT64_C(0) : 0);
}

static bool read_launch(struct trace_reader *r)
{
	struct trace_launch *l = &r->launch;
	size_t length = (size_t)get(r, TRACE_NAME_BYTES - 1, "length of a name");

	if (length > r->size - r->at)
		return fail(r, r->offset + r->at, "the block ends in the name of a kernel");
	memset(l, 0, sizeof(*l));
	memcpy(l->name, r->block + r->at, length);
	r->at += length;
	for (int i = 0; i < 3; i++)
		l->grid[i] = (uint32_t)get(r, UINT32_MAX, "grid");
	for (int i = 0; i < 3; i++)
		l->block[i] = (uint32_t)get(r, UINT32_MAX, "block");
	l->shared_bytes = get(r, UINT64_MAX, "shared memory");
	l->registers = (uint32_t)get(r, UINT32_MAX, "registers");
	r->last = 0;
	r->has_launch = true;
	r->counts.launches++;
	return !r->is_broken;
}

static bool read_place(struct trace_reader *r, struct trace_access *a)
{
	if (!r->has_launch)
		return fail(r, r->offset + r->at, "a record of a warp before the first launch");
	a->cta = get(r, UINT64_MAX, "CTA");
	a->warp = (uint32_t)get(r, UINT32_MAX, "warp");
	a->pc = (uint32_t)get(r, UINT32_MAX, "micro-operation");
	a->line = (uint32_t)get(r, UINT32_MAX, "line");
	return !r->is_broken;
}

static void read_addresses(struct trace_reader *r, struct trace_access *a, bool is_even)
{
	uint64_t step = 0, address = r->last += get_signed(r);
	unsigned count = 0;

	for (uint32_t left = a->mask; left; left &= left - 1, count++) {
		if (count == 1 || (count && !is_even))
			step = get_signed(r);
		address += count ? step : 0;
		a->address[__builtin_ctz(left)] = address;
	}
}

static bool read_access(struct trace_reader *r, struct trace_access *a)
{
	uint64_t start = r->offset + r->at, shape;

	memset(a, 0, sizeof(*a));
	if (!read_place(r, a))
		return false;
	shape = get(r, 127, "shape");
	a->kind = shape & 3;
	a->space = shape >> 2 & 7;
	a->uncached = shape >> 6;
	a->bytes = (uint32_t)get(r, UINT32_MAX, "bytes");
	a->mask = (uint32_t)get(r, UINT32_MAX, "lane mask");
	if (r->is_broken)
		return false;
	if (a->kind >= TRACE_KINDS || a->space >= TRACE_SPACES)
		return fail(r, start, "an access of an unknown kind or space");
	if (a->uncached && (a->kind != TRACE_LOAD || a->space != TRACE_GLOBAL))
		return fail(r, start, "an uncached access that is no load from global memory");
	if (!a->mask || !a->bytes)
		return fail(r, start, "an access without lanes or bytes");
	read_addresses(r, a, shape >> 5 & 1);
	r->counts.accesses++;
	return !r->is_broken;
}

static bool read_instruction(struct trace_reader *r, struct trace_access *a)
{
	memset(a, 0, sizeof(*a));
	if (!read_place(r, a))
		return false;
	a->mask = (uint32_t)get(r, UINT32_MAX, "lane mask");
	r->counts.instructions++;
	return !r->is_broken;
}

/* Always false: nothing follows. */
static bool read_end(struct trace_reader *r)
{
	uint64_t start = r->offset + r->at, launches = get(r, UINT64_MAX, "launches"),
		 accesses = get(r, UINT64_MAX, "accesses"), instructions = get(r, UINT64_MAX, "instructions");
	uint8_t more;

	r->has_ended = true;
	if (launches != r->counts.launches || accesses != r->counts.accesses ||
		instructions != r->counts.instructions)
		return fail(r, start, "the record of the end has other counts than the file");
	if (r->at != r->size || trace_input_get(r->input, &more, 1))
		return fail(r, r->offset + r->at, "something follows the end of the trace");
	if (trace_input_error(r->input))
		return fail_missing(r, r->offset + r->at, NULL);
	return false;
}

bool trace_read(struct trace_reader *r, struct trace_record *record)
{
	uint64_t start;
	bool fine;

	if (r->is_broken || r->has_ended || (!r->has_begun && !read_magic(r)))
		return false;
	if (r->at == r->size && !read_block(r))
		return false;
	start = r->offset + r->at;
	record->type = (enum trace_type)get(r, 127, "type");
	switch (record->type) {
	case TRACE_LAUNCH:
		fine = read_launch(r);
		record->launch = r->launch;
		break;
	case TRACE_ACCESS:
		fine = read_access(r, &record->access);
		break;
	case TRACE_INSTRUCTION:
		fine = read_instruction(r, &record->access);
		break;
	case TRACE_END:
		fine = read_end(r);
		break;
	default:
		fine = fail(r, start, "a record of unknown type %d", (int)record->type);
	}
	record->counts = r->counts;
	return fine;
}
