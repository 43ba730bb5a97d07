/* host/trace/trace_output.h -- the bytes of a trace on their way into a file, as they are or as a zstd
 * stream. */
#ifndef HOST_TRACE_TRACE_OUTPUT_H
#define HOST_TRACE_TRACE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct trace_output;

/* The file stays the caller's. */
struct trace_output *trace_output_new(FILE *file, bool is_compressed);
/* After the first failure nothing more is written. */
void trace_output_put(struct trace_output *output, const void *bytes, size_t count);
/* Writes what is left and frees the output. Returns the errno of the first failure; 0: none. */
int trace_output_close(struct trace_output *output);

#endif
