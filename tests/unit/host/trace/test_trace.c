/* tests/unit/host/trace/test_trace.c -- traces: what was written is read back, and no damage to a file
 * passes for a trace or breaks the reader. */
#include "host/trace/trace.h"
#include "tests/unit/part.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define RECORDS 3000 /* more than a block */

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 16;
}

/* Record i of a trace that has all types, with strides and without, in one lane or more. */
static struct trace_access make_access(unsigned i)
{
	uint64_t state = i + 1, base = next_random(&state), step = 1u << i % 8;
	struct trace_access a = { .cta = i / 7, .warp = i % 7, .pc = i % 100, .line = 5 + i % 100 };

	a.kind = (uint8_t)(i % TRACE_KINDS);
	a.space = (uint8_t)(i % TRACE_SPACES);
	a.uncached = a.kind == TRACE_LOAD && a.space == TRACE_GLOBAL && i / 6 % 2;
	a.bytes = 1u << i % 5;
	a.mask = i % 4 == 0 ? ~0u : i % 4 == 1 ? 1u << i % 32 : (uint32_t)next_random(&state) | 1;
	for (unsigned lane = 0; lane < TRACE_LANES; lane++)
		if (a.mask >> lane & 1)
			a.address[lane] = i % 3 ? base + lane * step : next_random(&state) << (i % 16);
	if (i == 8)
		a.address[0] = UINT64_MAX;
	return a;
}

static struct trace_access make_instruction(unsigned i)
{
	return (struct trace_access){ .cta = i, .warp = 1, .pc = i, .line = 7, .mask = i };
}

static struct trace_launch make_launch(unsigned i)
{
	struct trace_launch l = { .grid = { i + 1, 2, 65535 }, .block = { 32, 4, 1 } };

	snprintf(l.name, sizeof(l.name), "kernel%u", i);
	l.shared_bytes = 48u << 10;
	l.registers = 63;
	return l;
}

/* The bytes of a trace of so many accesses, a launch before every thousandth. */
static char *make_file_with(struct trace_writer *(*writer_new)(FILE *file), unsigned records, size_t *size)
{
	char *bytes = NULL;
	FILE *f = open_memstream(&bytes, size);
	struct trace_writer *w = writer_new(f);

	for (unsigned i = 0; i < records; i++) {
		struct trace_access a = make_access(i), n = make_instruction(i);
		struct trace_launch l = make_launch(i);

		if (i % 1000 == 0)
			trace_write_launch(w, &l);
		trace_write_instruction(w, &n);
		trace_write_access(w, &a);
	}
	cr_assert(trace_writer_close(w));
	fclose(f);
	return bytes;
}

static char *make_file(unsigned records, size_t *size)
{
	return make_file_with(trace_writer_new, records, size);
}

/* Reads all; the message for damage, which the caller frees, or NULL. */
static char *read_all(char *bytes, size_t size, struct trace_counts *counts)
{
	static struct trace_record record;
	FILE *f = fmemopen(bytes, size, "rb");
	struct trace_reader *r = trace_reader_new(f);
	const char *error;
	char *copy;

	memset(&record, 0, sizeof(record));
	while (trace_read(r, &record))
		;
	*counts = record.counts;
	error = trace_reader_error(r);
	copy = error ? strdup(error) : NULL;
	trace_reader_free(r);
	fclose(f);
	return copy;
}

Test(trace, crc_has_the_published_check_value)
{
	cr_assert_eq(trace_crc((const uint8_t *)"123456789", 9), 0xcbf43926u, "the published check value");
}

/* Every record that make_file has written comes back. */
static void expect_records(char *bytes, size_t size)
{
	FILE *f = fmemopen(bytes, size, "rb");
	struct trace_reader *r = trace_reader_new(f);
	static struct trace_record record;

	for (unsigned i = 0; i < RECORDS; i++) {
		struct trace_access a = make_access(i), n = make_instruction(i);
		struct trace_launch l = make_launch(i);

		if (i % 1000 == 0) {
			cr_assert(trace_read(r, &record), "%s", trace_reader_error(r));
			cr_assert_eq(record.type, TRACE_LAUNCH);
			cr_assert_str_eq(record.launch.name, l.name);
			cr_assert_arr_eq(record.launch.grid, l.grid, sizeof(l.grid));
			cr_assert_arr_eq(record.launch.block, l.block, sizeof(l.block));
			cr_assert_eq(record.launch.shared_bytes, l.shared_bytes);
			cr_assert_eq(record.launch.registers, l.registers);
		}
		cr_assert(trace_read(r, &record), "%s", trace_reader_error(r));
		cr_assert_eq(record.type, TRACE_INSTRUCTION);
		cr_assert(record.access.cta == n.cta && record.access.mask == n.mask &&
			record.access.pc == n.pc);
		cr_assert(trace_read(r, &record), "%s", trace_reader_error(r));
		cr_assert_eq(record.type, TRACE_ACCESS);
		cr_assert(record.access.cta == a.cta && record.access.warp == a.warp &&
			record.access.pc == a.pc && record.access.line == a.line &&
			record.access.kind == a.kind && record.access.space == a.space &&
			record.access.uncached == a.uncached && record.access.bytes == a.bytes &&
			record.access.mask == a.mask);
		cr_assert_arr_eq(record.access.address, a.address, sizeof(a.address), "record %u", i);
	}
	cr_assert_not(trace_read(r, &record));
	cr_assert_null(trace_reader_error(r));
	cr_assert_eq(record.counts.accesses, RECORDS);
	cr_assert_eq(record.counts.launches, 3);
	trace_reader_free(r);
	fclose(f);
}

Test(trace, what_is_written_is_read_back)
{
	size_t size;
	char *bytes = make_file(RECORDS, &size);

	cr_assert_gt(size, 2 * TRACE_BLOCK);
	expect_records(bytes, size);
	free(bytes);
}

Test(trace, strides_are_compact)
{
	struct trace_access a = { .mask = ~0u, .bytes = 4 };
	struct trace_launch l = make_launch(0);
	char *bytes = NULL;
	size_t size;
	FILE *f = open_memstream(&bytes, &size);
	struct trace_writer *w = trace_writer_new(f);

	trace_write_launch(w, &l);
	for (unsigned i = 0; i < 1000; i++) {
		for (unsigned lane = 0; lane < TRACE_LANES; lane++)
			a.address[lane] = UINT64_C(0x700000000) + 128 * i + 4 * lane;
		trace_write_access(w, &a);
	}
	cr_assert(trace_writer_close(w));
	fclose(f);
	cr_assert_lt(size, 16 * 1000 + 200, "%zu bytes for 1000 accesses in sequence", size);
	free(bytes);
}

Test(trace, a_file_cut_anywhere_is_refused)
{
	struct trace_counts counts;
	size_t size;
	char *bytes = make_file(40, &size);

	for (size_t cut = 1; cut < size; cut++) {
		char *error = read_all(bytes, cut, &counts);

		cr_assert_not_null(error, "cut off at %zu of %zu", cut, size);
		cr_assert_eq(strncmp(error, "offset ", 7), 0);
		free(error);
	}
	free(bytes);
}

Test(trace, every_flipped_bit_is_noticed)
{
	struct trace_counts counts;
	size_t size;
	char *bytes = make_file(40, &size);

	for (size_t bit = 0; bit < 8 * size; bit++) {
		char *error;

		bytes[bit / 8] ^= (char)(1 << bit % 8);
		error = read_all(bytes, size, &counts);
		cr_assert_not_null(error, "bit %zu", bit);
		free(error);
		bytes[bit / 8] ^= (char)(1 << bit % 8);
	}
	cr_assert_null(read_all(bytes, size, &counts));
	free(bytes);
}

static void put_word(char *to, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		to[i] = (char)(value >> 8 * i);
}

/* Damage under a checksum that is right: any outcome but a crash, and never more records than bytes. */
Test(trace, damaged_files_never_crash_the_reader)
{
	struct trace_counts counts;
	size_t size, refused = 0;
	char *bytes = make_file(40, &size), *copy = malloc(size);
	uint64_t state = 1;

	for (unsigned i = 0; i < 20000; i++) {
		char *error;

		memcpy(copy, bytes, size);
		for (unsigned k = 0; k <= i % 3; k++)
			copy[16 + next_random(&state) % (size - 16)] = (char)next_random(&state);
		put_word(copy + 12, trace_crc((const uint8_t *)copy + 16, size - 16));
		error = read_all(copy, size, &counts);
		refused += error != NULL;
		cr_assert_lt(counts.accesses + counts.instructions, size);
		free(error);
	}
	cr_assert_gt(refused, 100);
	free(copy);
	free(bytes);
}

static void expect(const char *bytes, size_t size, const char *message)
{
	struct trace_counts counts;
	char *copy = malloc(size), *error;

	memcpy(copy, bytes, size);
	error = read_all(copy, size, &counts);
	cr_assert_not_null(error);
	cr_assert_str_eq(error, message);
	free(error);
	free(copy);
}

Test(trace, an_error_names_its_offset)
{
	char early[8 + 8 + 6] = TRACE_MAGIC;
	static const char record[6] = { TRACE_INSTRUCTION, 0, 0, 0, 0, 1 };

	expect("#!/bin/sh\n", 10, "offset 0: this is no trace of Lockstep: it does not begin with LSTRACE1");
	expect("LSTRACE2", 8, "offset 7: another version of the format: this reader knows only version 1");
	expect("LSTRACE1", 8, "offset 8: the file is cut off: a block or the record of the end is missing");
	put_word(early + 8, 6);
	memcpy(early + 16, record, 6);
	put_word(early + 12, trace_crc((const uint8_t *)record, 6));
	expect(early, sizeof(early), "offset 17: a record of a warp before the first launch");
}

static void expect_write_error(struct trace_writer *(*writer_new)(FILE *file))
{
	FILE *full = fopen("/dev/full", "wb");

	cr_assert_not_null(full);
	cr_assert_not(trace_writer_close(writer_new(full)), "a full disk must be reported");
	fclose(full);
}

Test(trace, a_full_disk_is_told)
{
	expect_write_error(trace_writer_new);
	expect_write_error(trace_writer_new_zstd);
}

/* ---- compressed ---- */

Test(trace, compressed_round_trip)
{
	size_t size, again, plain;
	char *bytes = make_file_with(trace_writer_new_zstd, RECORDS, &size),
	     *second = make_file_with(trace_writer_new_zstd, RECORDS, &again);

	expect_records(bytes, size);
	cr_assert(size == again && memcmp(bytes, second, size) == 0, "the same trace is the same file");
	free(make_file(RECORDS, &plain));
	cr_assert_lt(size, plain);
	free(bytes);
	free(second);
}

Test(trace, compressed_truncation)
{
	struct trace_counts counts;
	size_t size;
	char *bytes = make_file_with(trace_writer_new_zstd, 40, &size);

	for (size_t cut = 1; cut < size; cut++) {
		char *error = read_all(bytes, cut, &counts);

		cr_assert_not_null(error, "cut off at %zu of %zu", cut, size);
		cr_assert(cut < 4 || strstr(error, "the file is cut off: its zstd stream does not end"), "%s",
			error);
		free(error);
	}
	free(bytes);
}

/* A few bits of a zstd stream say nothing about its content: whatever passes is the same trace.
 */
Test(trace, compressed_bit_flips)
{
	struct trace_counts counts;
	size_t size, passed = 0;
	char *bytes = make_file_with(trace_writer_new_zstd, 40, &size);

	for (size_t bit = first_of(one_in(11)); bit < 8 * size; bit += one_in(11)) {
		char *error;

		bytes[bit / 8] ^= (char)(1 << bit % 8);
		error = read_all(bytes, size, &counts);
		cr_assert(error || counts.accesses == 40, "bit %zu", bit);
		passed += !error;
		free(error);
		bytes[bit / 8] ^= (char)(1 << bit % 8);
	}
	cr_assert_lt(passed, 16);
	cr_assert_null(read_all(bytes, size, &counts));
	free(bytes);
}

Test(trace, compressed_then_something)
{
	struct trace_counts counts;
	size_t size;
	char *bytes = make_file_with(trace_writer_new_zstd, 40, &size), *longer = calloc(1, size + 4), *error;

	memcpy(longer, bytes, size);
	error = read_all(longer, size + 4, &counts);
	cr_assert(error && strstr(error, "the zstd stream is damaged"), "%s", error ? error : "accepted");
	free(error);
	free(longer);
	free(bytes);
}

Test(trace, a_file_is_zstd_by_the_end_of_its_name)
{
	cr_assert(trace_name_is_zstd("a.trace.zst"));
	cr_assert_not(trace_name_is_zstd("zst"));
	cr_assert_not(trace_name_is_zstd(".zst/a"));
	cr_assert_not(trace_name_is_zstd("a.zst.trace"));
}
