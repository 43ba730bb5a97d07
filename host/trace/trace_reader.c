/* host/trace/trace_reader.c -- blocks from the file, records from blocks; every number is checked before use.
 */
#include "host/trace/trace.h"
#include "host/trace/trace_input.h"
#include "host/trace/trace_number.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* Zeros behind a block, in which a record that the block cuts off comes to an end: only then is that
 * checked. It has at most 40 more numbers, of one byte each. */
#define BEHIND (40 + TRACE_NUMBER_AHEAD)

struct trace_reader {
	struct trace_input *input;
	uint64_t offset;         /* in the file, of the block's first byte */
	const uint8_t *at, *end; /* in the block */
	struct trace_counts counts;
	uint64_t last;
	bool has_begun, has_ended, has_launch, is_broken;
	struct trace_launch launch;
	char error[160];
	uint8_t block[TRACE_BLOCK + BEHIND];
};

struct trace_reader *trace_reader_new(FILE *file)
{
	struct trace_reader *r = xcalloc(1, sizeof(*r));

	r->input = trace_input_new(file);
	r->at = r->end = r->block;
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
__attribute__((format(printf, 3, 4))) static bool fail_reading(
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

	return fail_reading(r, offset, "%s", error ? error : what);
}

static uint32_t read_word(const uint8_t *bytes)
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
		return fail_reading(
			r, 0, "this is no trace of Lockstep: it does not begin with %s", TRACE_MAGIC);
	if (magic[7] != TRACE_MAGIC[7])
		return fail_reading(r, 7, "another version of the format: this reader knows only version %c",
			TRACE_MAGIC[7]);
	r->offset = 8;
	return true;
}

/* Where a place of the block is in the file. */
static uint64_t offset_of(const struct trace_reader *r, const uint8_t *at)
{
	return r->offset + (uint64_t)(at - r->block);
}

static bool read_trace_block(struct trace_reader *r)
{
	uint64_t start = offset_of(r, r->end);
	uint8_t head[8];

	if (trace_input_get(r->input, head, 8) != 8)
		return fail_missing(
			r, start, "the file is cut off: a block or the record of the end is missing");
	r->offset = start + 8;
	r->at = r->end = r->block;
	if (!read_word(head) || read_word(head) > TRACE_BLOCK)
		return fail_reading(
			r, start, "a block of %u bytes: expected 1 to %d", read_word(head), TRACE_BLOCK);
	if (trace_input_get(r->input, r->block, read_word(head)) != read_word(head))
		return fail_missing(r, start, "the file is cut off in a block");
	r->end = r->block + read_word(head);
	memset(r->block + read_word(head), 0, BEHIND);
	if (trace_crc(r->block, read_word(head)) != read_word(head + 4))
		return fail_reading(
			r, start, "the checksum of the block does not match: the file is damaged");
	return true;
}

/* A number of any length, checked byte by byte. */
static __attribute__((noinline)) uint64_t get_long(struct trace_reader *r, const char *what)
{
	uint64_t value = 0, start = offset_of(r, r->at);

	for (unsigned shift = 0;; shift += 7) {
		uint8_t byte = *r->at++;

		if (shift > 63 || (shift == 63 && byte > 1))
			return fail_reading(r, start, "a number of more than 64 bits (%s)", what);
		value |= (uint64_t)(byte & 127) << shift;
		if (byte < 128)
			return value;
	}
}

static __attribute__((noinline)) uint64_t fail_large(
	struct trace_reader *r, const uint8_t *start, uint64_t value, uint64_t maximum, const char *what)
{
	return fail_reading(
		r, offset_of(r, start), "%s %" PRIu64 " is more than %" PRIu64, what, value, maximum);
}

/* The number at *at, which moves on, up to a maximum of at least 127; 0 and a message otherwise. (The place
 * is not r->at, so that the compiler can keep it in a register.) */
static inline uint64_t get_number(
	struct trace_reader *r, const uint8_t **at, uint64_t maximum, const char *what)
{
	const uint8_t *start = *at;
	uint64_t value = *start;
	unsigned length = 1;

	if (value > 127) {
		length = trace_number_short(start, &value);
		if (!length) {
			r->at = start;
			value = get_long(r, what);
			length = (unsigned)(r->at - start);
		}
		if (value > maximum)
			value = fail_large(r, start, value, maximum, what);
	}
	*at = start + length;
	return value;
}

static inline uint64_t get_signed(struct trace_reader *r, const uint8_t **at)
{
	return trace_number_to_signed(get_number(r, at, UINT64_MAX, "address"));
}

/* The record has been read up to here: false if it is broken, or the block has ended before. */
static bool end_record(struct trace_reader *r, const uint8_t *at)
{
	r->at = at;
	if (at > r->end)
		return fail_reading(r, offset_of(r, r->end), "the block ends in a record");
	return !r->is_broken;
}

static bool read_launch(struct trace_reader *r, const uint8_t *at)
{
	struct trace_launch *l = &r->launch;
	size_t length = (size_t)get_number(r, &at, TRACE_NAME_BYTES - 1, "length of a name");

	if (at > r->end || length > (size_t)(r->end - at))
		return fail_reading(r, offset_of(r, at), "the block ends in the name of a kernel");
	memset(l, 0, sizeof(*l));
	memcpy(l->name, at, length);
	at += length;
	for (int i = 0; i < 3; i++)
		l->grid[i] = (uint32_t)get_number(r, &at, UINT32_MAX, "grid");
	for (int i = 0; i < 3; i++)
		l->block[i] = (uint32_t)get_number(r, &at, UINT32_MAX, "block");
	l->shared_bytes = get_number(r, &at, UINT64_MAX, "shared memory");
	l->registers = (uint32_t)get_number(r, &at, UINT32_MAX, "registers");
	r->last = 0;
	r->has_launch = true;
	r->counts.launches++;
	return end_record(r, at);
}

static inline void read_place(struct trace_reader *r, const uint8_t **at, struct trace_access *a)
{
	if (!r->has_launch)
		fail_reading(r, offset_of(r, *at), "a record of a warp before the first launch");
	a->cta = get_number(r, at, UINT64_MAX, "CTA");
	a->warp = (uint32_t)get_number(r, at, UINT32_MAX, "warp");
	a->pc = (uint32_t)get_number(r, at, UINT32_MAX, "micro-operation");
	a->line = (uint32_t)get_number(r, at, UINT32_MAX, "line");
}

/* Fills in what is left after the lowest lane's address: all lanes are active. */
static const uint8_t *read_full(struct trace_reader *r, const uint8_t *at, uint64_t *to, bool is_even)
{
	uint64_t address = to[0], step;

	if (is_even) {
		step = get_signed(r, &at);
		for (unsigned lane = 1; lane < TRACE_LANES; lane++)
			to[lane] = address + lane * step;
	} else {
		for (unsigned lane = 1; lane < TRACE_LANES; lane++)
			to[lane] = address += get_signed(r, &at);
	}
	return at;
}

/* The same for the lanes of a mask, of which the lowest is missing; the others stay as they are. */
static const uint8_t *read_some(struct trace_reader *r, const uint8_t *at, uint64_t *to, uint32_t left,
	uint64_t address, bool is_even)
{
	uint64_t step = 0;

	for (bool is_first = true; left; left &= left - 1, is_first = false) {
		if (is_first || !is_even)
			step = get_signed(r, &at);
		to[__builtin_ctz(left)] = address += step;
	}
	return at;
}

static inline const uint8_t *read_addresses(
	struct trace_reader *r, const uint8_t *at, struct trace_access *a, bool is_even)
{
	uint64_t address = r->last += get_signed(r, &at);

	if (a->mask == ~0u) {
		a->address[0] = address;
		return read_full(r, at, a->address, is_even);
	}
	memset(a->address, 0, sizeof(a->address));
	a->address[__builtin_ctz(a->mask)] = address;
	return read_some(r, at, a->address, a->mask & (a->mask - 1), address, is_even);
}

static bool read_access(struct trace_reader *r, const uint8_t *at, struct trace_access *a)
{
	const uint8_t *start = at;
	unsigned shape;

	read_place(r, &at, a);
	shape = (unsigned)get_number(r, &at, 127, "shape");
	a->kind = shape & 3;
	a->space = shape >> 2 & 7;
	a->uncached = shape >> 6;
	a->bytes = (uint32_t)get_number(r, &at, UINT32_MAX, "bytes");
	a->mask = (uint32_t)get_number(r, &at, UINT32_MAX, "lane mask");
	if (r->is_broken || at > r->end)
		return end_record(r, at);
	if (a->kind >= TRACE_KINDS || a->space >= TRACE_SPACES)
		return fail_reading(r, offset_of(r, start), "an access of an unknown kind or space");
	if (a->uncached && (a->kind != TRACE_LOAD || a->space != TRACE_GLOBAL))
		return fail_reading(
			r, offset_of(r, start), "an uncached access that is no load from global memory");
	if (!a->mask || !a->bytes)
		return fail_reading(r, offset_of(r, start), "an access without lanes or bytes");
	r->counts.accesses++;
	return end_record(r, read_addresses(r, at, a, shape >> 5 & 1));
}

static bool read_instruction(struct trace_reader *r, const uint8_t *at, struct trace_access *a)
{
	read_place(r, &at, a);
	a->kind = a->space = 0;
	a->uncached = false;
	a->bytes = 0;
	a->mask = (uint32_t)get_number(r, &at, UINT32_MAX, "lane mask");
	r->counts.instructions++;
	return end_record(r, at);
}

/* Always false: nothing follows. */
static bool read_end(struct trace_reader *r, const uint8_t *at)
{
	const uint8_t *start = at;
	uint64_t launches = get_number(r, &at, UINT64_MAX, "launches"),
		 accesses = get_number(r, &at, UINT64_MAX, "accesses"),
		 instructions = get_number(r, &at, UINT64_MAX, "instructions");
	uint8_t more;

	r->has_ended = true;
	if (!end_record(r, at))
		return false;
	if (launches != r->counts.launches || accesses != r->counts.accesses ||
		instructions != r->counts.instructions)
		return fail_reading(
			r, offset_of(r, start), "the record of the end has other counts than the file");
	if (at != r->end || trace_input_get(r->input, &more, 1))
		return fail_reading(r, offset_of(r, at), "something follows the end of the trace");
	if (trace_input_error(r->input))
		return fail_missing(r, offset_of(r, at), NULL);
	return false;
}

bool trace_read(struct trace_reader *r, struct trace_record *record)
{
	const uint8_t *at;
	bool fine;

	if (r->is_broken || r->has_ended || (!r->has_begun && !read_magic(r)))
		return false;
	if (r->at == r->end && !read_trace_block(r))
		return false;
	at = r->at;
	record->type = (enum trace_type)get_number(r, &at, 127, "type");
	switch (record->type) {
	case TRACE_LAUNCH:
		fine = read_launch(r, at);
		record->launch = r->launch;
		break;
	case TRACE_ACCESS:
		fine = read_access(r, at, &record->access);
		break;
	case TRACE_INSTRUCTION:
		fine = read_instruction(r, at, &record->access);
		break;
	case TRACE_END:
		fine = read_end(r, at);
		break;
	default:
		fine = fail_reading(r, offset_of(r, r->at), "a record of unknown type %d", (int)record->type);
	}
	record->counts = r->counts;
	return fine;
}
