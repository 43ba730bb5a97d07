/* core/runtime/device_output.h -- what kernels print, from printf to the next flush: a ring of records, as on
 * the device. */
#ifndef CORE_RUNTIME_DEVICE_OUTPUT_H
#define CORE_RUNTIME_DEVICE_OUTPUT_H

#include "sim/base/types.h"
#include <stdio.h>

/* A text that grows. Zeroed: empty. */
struct text {
	char *data; /* not terminated; freed by the owner */
	size_t size, capacity;
};
void text_append(struct text *text, const char *data, size_t size);

enum device_stream { DEVICE_STDOUT, DEVICE_STDERR };

struct device_output;
struct device_output *device_output_new(uint64_t bytes);
void device_output_free(struct device_output *output); /* NULL is allowed */

/* Adds one record, taking over text->data. Where the buffer's bytes do not suffice, the oldest records are
 * lost. */
void device_output_add(struct device_output *output, enum device_stream stream, struct text *text);
/* Writes what there is, in order, and empties it. Returns how many records were lost since the last time. */
uint64_t device_output_flush(struct device_output *output, FILE *out, FILE *error);

#endif
