/* host/trace/trace_input.h -- the bytes of a trace from its file, which may be a zstd stream: its first four
 * bytes tell. */
#ifndef HOST_TRACE_TRACE_INPUT_H
#define HOST_TRACE_TRACE_INPUT_H

#include <stddef.h>
#include <stdio.h>

struct trace_input;

/* The file stays the caller's. */
struct trace_input *trace_input_new(FILE *file);
/* The next bytes. Fewer than count: the file ends or is damaged. */
size_t trace_input_get(struct trace_input *input, void *bytes, size_t count);
/* Why fewer came than were asked for; NULL: the file ends there. */
const char *trace_input_error(const struct trace_input *input);
void trace_input_free(struct trace_input *input);

#endif
