/* tests/unit/cachemodel/test_stream.c -- from the records of a trace to the requests that the model sees. */
#include "cachemodel/stream.h"
#include <criterion/criterion.h>
#include <stdlib.h>

static struct trace_access load(uint64_t cta, uint32_t lanes, uint64_t address, uint64_t step, uint32_t bytes)
{
	struct trace_access a = { .cta = cta, .pc = 3, .line = 12, .bytes = bytes, .kind = TRACE_LOAD };

	a.mask = lanes == 32 ? UINT32_MAX : (1u << lanes) - 1;
	for (uint32_t i = 0; i < lanes; i++)
		a.address[i] = address + i * step;
	return a;
}

static struct stream *read_back(
	const struct trace_access *accesses, size_t count, const struct stream_options *options)
{
	static struct trace_launch launch = { .name = "k", .grid = { 100, 1, 1 }, .block = { 32, 1, 1 } };
	FILE *file = tmpfile();
	struct trace_writer *writer = trace_writer_new(file);
	struct trace_reader *reader;
	struct stream_source *source;
	struct stream *s;

	trace_write_launch(writer, &launch);
	for (size_t i = 0; i < count; i++)
		trace_write_access(writer, &accesses[i]);
	cr_assert(trace_writer_close(writer));
	rewind(file);
	reader = trace_reader_new(file);
	source = stream_source_new(reader, options);
	s = stream_next(source);
	cr_assert_not_null(s);
	cr_assert_null(stream_next(source));
	cr_assert_null(stream_source_error(source));
	stream_source_free(source);
	trace_reader_free(reader);
	fclose(file);
	return s;
}

static const struct stream_options one_core = { .line_bytes = 128, .parts = true, .cores = 1 };

Test(cachemodel_stream, an_access_is_a_request_for_each_line)
{
	struct trace_access a[] = { load(0, 32, 0x1000, 4, 4), load(0, 32, 0x1000, 128, 4),
		load(0, 32, 0x1000, 8, 8) };
	struct stream *s = read_back(a, 3, &one_core);
	const struct stream_warp *w = &s->ctas[0].warps[0];

	/* a line; 32 lines; two halves of a warp with a line each */
	cr_assert_eq(s->requests, 1 + 32 + 2);
	cr_assert_eq(s->instructions, 3);
	cr_assert_eq(w->requests[0].is_last, 1);
	cr_assert_eq(w->requests[1].is_last, 0);
	cr_assert_eq(w->requests[32].is_last, 1);
	cr_assert_eq(s->line_count, 32);
	cr_assert_eq(s->lines[w->requests[0].line], 0x1000 / 128);
	cr_assert_eq(s->ptx_lines[3], 12);
	stream_free(s);
}

/* Lanes go to and fro between two lines of 256 bytes, each of which has two of the coalescer's. */
Test(cachemodel_stream, a_larger_line_is_asked_for_once)
{
	struct trace_access a = load(0, 4, 0, 0, 4);
	struct stream_options options = one_core;
	struct stream *s;

	a.address[1] = 256;
	a.address[2] = 128;
	a.address[3] = 384;
	options.line_bytes = 256;
	s = read_back(&a, 1, &options);
	cr_assert_eq(s->requests, 2, "%lu", s->requests);
	stream_free(s);
	options.line_bytes = 32;
	s = read_back(&a, 1, &options);
	cr_assert_eq(s->requests, 4);
	stream_free(s);
}

/* The same word of all lanes lies in one line: a load of 16 bytes of local memory asks for four. */
Test(cachemodel_stream, local_memory_is_interleaved_by_thread)
{
	struct trace_access a[] = { load(0, 32, 8, 0, 4), load(0, 32, 16, 0, 16), load(1, 32, 8, 0, 4) };
	struct stream *s;

	for (int i = 0; i < 3; i++)
		a[i].space = TRACE_LOCAL;
	s = read_back(a, 3, &one_core);
	cr_assert_eq(s->requests, 1 + 4 + 1);
	cr_assert_eq(s->instructions, 3);
	/* warps share no line of local memory */
	cr_assert_eq(s->line_count, 6);
	stream_free(s);
}

Test(cachemodel_stream, what_the_l1_does_not_look_up_is_left_out)
{
	struct trace_access a[] = { load(0, 32, 0, 4, 4), load(0, 32, 0, 4, 4), load(0, 32, 0, 4, 4),
		load(0, 32, 0, 4, 4) };
	struct stream *s;

	a[0].uncached = true;
	a[1].kind = TRACE_STORE;
	a[2].kind = TRACE_ATOMIC;
	s = read_back(a, 4, &one_core);
	cr_assert_eq(s->requests, 1);
	stream_free(s);
}

Test(cachemodel_stream, ctas_of_the_modelled_cores_up_to_their_threads)
{
	struct stream_options options = { .line_bytes = 128, .cores = 4, .modelled = 2, .threads = 96 };
	struct trace_access a[40];
	struct stream *s;

	for (uint64_t i = 0; i < 40; i++)
		a[i] = load(i, 1, i * 128, 0, 4);
	s = read_back(a, 40, &options);
	/* three CTAs of 32 threads for each of the cores 0 and 1 */
	cr_assert_eq(s->cta_count, 6);
	for (size_t i = 0; i < 6; i++)
		cr_assert_eq(s->ctas[i].number, i / 2 * 4 + i % 2);
	cr_assert_eq(s->skipped_ctas, 94);
	stream_free(s);
}
