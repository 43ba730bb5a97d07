/* host/recording/recording_writer.h -- entries into a recording, which is whole or absent. */
#ifndef HOST_RECORDING_RECORDING_WRITER_H
#define HOST_RECORDING_RECORDING_WRITER_H

#include "host/recording/recording.h"
#include "sim/base/diag.h"

struct recording_writer;

/* NULL, with a diagnostic, if the file cannot be made. */
struct recording_writer *recording_writer_open(const char *path, struct diag_list *diags);
/* Begins an entry whose content has so many bytes; exactly these are put. */
void recording_put(struct recording_writer *writer, enum recording_kind kind, size_t bytes);
void recording_put_number(struct recording_writer *writer, uint64_t number); /* 8 bytes */
void recording_put_text(struct recording_writer *writer, const char *text);  /* 8 + strlen(text) bytes */
void recording_put_bytes(struct recording_writer *writer, const void *bytes, size_t count);
/* An entry of numbers alone. */
void recording_put_numbers(
	struct recording_writer *writer, enum recording_kind kind, const uint64_t *numbers, size_t count);
/* Ends the file; false, with a line on stderr, if it could not be written. Frees the writer. */
bool recording_writer_close(struct recording_writer *writer);
/* Removes it; what had its name before stays. */
void recording_writer_discard(struct recording_writer *writer);

#endif
