/* tests/unit/host/recording/test_recording.c -- recordings: what was written is read back, no damage to a
 * file passes for a recording, and writes to watched memory are found. */
#include "host/recording/memory_watch.h"
#include "host/recording/recording_reader.h"
#include "host/recording/recording_writer.h"
#include "sim/base/xalloc.h"

#include <criterion/criterion.h>
#include <unistd.h>

#define LARGE (5 * RECORDING_BLOCK / 2)

static char path[64];

/* Three entries, of which one spans blocks. */
static void write_file(size_t large)
{
	struct diag_list diags;
	struct recording_writer *w;
	uint8_t *bytes = xcalloc(1, large);
	const uint64_t numbers[] = { 7, UINT64_MAX };

	for (size_t i = 0; i < large; i++)
		bytes[i] = (uint8_t)(i * i >> 3);
	snprintf(path, sizeof path, "/tmp/test-recording-%d", getpid());
	diag_init(&diags);
	w = recording_writer_open(path, &diags);
	cr_assert(w);
	recording_put(w, RECORDING_PROGRAM, 8 + 5);
	recording_put_text(w, "hello");
	recording_put(w, RECORDING_WRITE, large);
	recording_put_bytes(w, bytes, large);
	recording_put_numbers(w, RECORDING_BEHIND, numbers, 2);
	cr_assert(recording_writer_close(w));
	diag_fini(&diags);
	free(bytes);
}

static struct recording_reader *open_file(struct diag_list *diags)
{
	diag_init(diags);
	return recording_reader_open(path, diags);
}

static char *file_bytes(size_t *size)
{
	FILE *f = fopen(path, "rb");
	char *bytes = xmalloc(4 * LARGE);

	*size = fread(bytes, 1, 4 * LARGE, f);
	fclose(f);
	return bytes;
}

static void put_file(const char *bytes, size_t size)
{
	FILE *f = fopen(path, "wb");

	fwrite(bytes, 1, size, f);
	fclose(f);
}

/* The first error of a file that is refused; "" if it is not. */
static char *refusal(void)
{
	struct diag_list diags;
	struct recording_reader *r = open_file(&diags);
	char *text = diag_render(&diags, DIAG_ERROR);

	if (r)
		recording_reader_free(r);
	diag_fini(&diags);
	return text;
}

static void clean_up(void)
{
	unlink(path);
}

TestSuite(recording, .fini = clean_up);

Test(recording, what_was_written_is_read_back)
{
	struct diag_list diags;
	struct recording_reader *r;
	uint8_t *bytes = xmalloc(LARGE);
	char *text;

	write_file(LARGE);
	r = open_file(&diags);
	cr_assert(r);
	cr_assert_eq(recording_next(r), RECORDING_PROGRAM);
	text = recording_take_text(r);
	cr_assert_str_eq(text, "hello");
	cr_assert_eq(recording_next(r), RECORDING_WRITE);
	cr_assert_eq(recording_left(r), LARGE);
	recording_take_bytes(r, bytes, LARGE);
	for (size_t i = 0; i < LARGE; i++)
		cr_assert_eq(bytes[i], (uint8_t)(i * i >> 3));
	cr_assert_eq(recording_next(r), RECORDING_BEHIND);
	cr_assert_eq(recording_take_number(r), 7);
	cr_assert_eq(recording_take_number(r), UINT64_MAX);
	cr_assert_eq(recording_next(r), 0);
	cr_assert_null(recording_error(r));
	recording_reader_free(r);
	diag_fini(&diags);
	free(bytes);
	free(text);
}

Test(recording, what_is_not_taken_is_skipped)
{
	struct diag_list diags;
	struct recording_reader *r;

	write_file(LARGE);
	r = open_file(&diags);
	cr_assert_eq(recording_next(r), RECORDING_PROGRAM);
	cr_assert_eq(recording_next(r), RECORDING_WRITE);
	cr_assert_eq(recording_next(r), RECORDING_BEHIND);
	cr_assert_eq(recording_take_number(r), 7);
	recording_reader_free(r);
	diag_fini(&diags);
}

Test(recording, more_than_an_entry_has_is_an_error_with_its_number)
{
	struct diag_list diags;
	struct recording_reader *r;

	write_file(10);
	r = open_file(&diags);
	recording_next(r);
	recording_next(r);
	recording_next(r);
	recording_take_number(r);
	recording_take_number(r);
	cr_assert_null(recording_error(r));
	cr_assert_eq(recording_take_number(r), 0);
	cr_assert(strstr(recording_error(r), "entry 3 (dependency): 8 bytes more were expected"));
	cr_assert_eq(recording_next(r), 0);
	recording_reader_free(r);
	diag_fini(&diags);
}

Test(recording, a_change_of_any_byte_is_refused_with_its_place)
{
	size_t size;
	char *bytes, *text;

	write_file(300);
	bytes = file_bytes(&size);
	for (size_t i = 0; i < size; i++)
		for (unsigned bit = 0; bit < 8; bit += 7) {
			bytes[i] ^= (char)(1u << bit);
			put_file(bytes, size);
			text = refusal();
			cr_assert(strstr(text, "offset "), "byte %zu: %s", i, text);
			free(text);
			bytes[i] ^= (char)(1u << bit);
		}
	free(bytes);
}

Test(recording, every_truncation_and_any_addition_is_refused)
{
	size_t size;
	char *bytes, *text;

	write_file(300);
	bytes = file_bytes(&size);
	for (size_t i = 0; i < size; i++) {
		put_file(bytes, i);
		text = refusal();
		cr_assert(strstr(text, "offset "), "%zu bytes: %s", i, text);
		free(text);
	}
	put_file(bytes, size + 1);
	text = refusal();
	cr_assert(strstr(text, "something follows the end"));
	free(text);
	free(bytes);
}

Test(recording, another_version_and_another_file_are_named)
{
	size_t size;
	char *bytes, *text;

	write_file(10);
	bytes = file_bytes(&size);
	bytes[sizeof RECORDING_MAGIC - 1]++;
	put_file(bytes, size);
	text = refusal();
	cr_assert(strstr(text, "offset 19: the recording has version 2, this Lockstep reads 1"), "%s", text);
	free(text);
	put_file("#!/bin/sh\necho this is another file altogether\n", 48);
	text = refusal();
	cr_assert(strstr(text, "offset 0: this is no recording"), "%s", text);
	free(text);
	free(bytes);
}

/* -- memory -- */

static struct memory_range told[8];
static size_t told_count;

static void tell(void *user, struct memory_range changed)
{
	(void)user;
	told[told_count++ % 8] = changed;
}

Test(recording, writes_to_watched_memory_are_told_once)
{
	static uint8_t bytes[1000];
	struct memory_watch *w = memory_watch_new();
	addr start = (uintptr_t)bytes;

	memory_watch_add(w, (struct memory_range){ start, start + sizeof bytes }, false);
	memory_watch_look(w, tell, NULL);
	cr_assert_eq(told_count, 0);
	bytes[255] = bytes[256] = bytes[999] = 1; /* two blocks, and the last, which is short */
	memory_watch_look(w, tell, NULL);
	cr_assert_eq(told_count, 2);
	cr_assert(told[0].start == start && told[0].end == start + 512);
	cr_assert(told[1].start == start + 768 && told[1].end == start + 1000);
	memory_watch_look(w, tell, NULL);
	cr_assert_eq(told_count, 2);
	bytes[0] = 1;
	memory_watch_look(w, NULL, NULL); /* the device's own */
	memory_watch_look(w, tell, NULL);
	cr_assert_eq(told_count, 2);
	memory_watch_remove(w, start);
	bytes[0] = 2;
	memory_watch_look(w, tell, NULL);
	cr_assert_eq(told_count, 2);
	memory_watch_free(w);
}

Test(recording, all_of_changed_memory_is_told_at_first)
{
	static uint8_t bytes[700];
	struct memory_watch *w = memory_watch_new();
	addr start = (uintptr_t)bytes;

	told_count = 0;
	memory_watch_add(w, (struct memory_range){ start, start + sizeof bytes }, true);
	memory_watch_look(w, tell, NULL);
	cr_assert_eq(told_count, 1);
	cr_assert(told[0].start == start && told[0].end == start + 700);
	memory_watch_free(w);
}
