/* host/recording/recording_reader.h -- entries from a recording. The file is checked as a whole before its
 * first entry is read; every number is checked before it is used. */
#ifndef HOST_RECORDING_RECORDING_READER_H
#define HOST_RECORDING_RECORDING_READER_H

#include "host/recording/recording.h"
#include "sim/base/diag.h"

struct recording_reader;

/* NULL, with a diagnostic, if it is no whole recording of this version. */
struct recording_reader *recording_reader_open(const char *path, struct diag_list *diags);
void recording_reader_free(struct recording_reader *reader);

/* The next entry; what was not taken of the last is skipped. 0: there is none, or the file is wrong. */
enum recording_kind recording_next(struct recording_reader *reader);
size_t recording_left(const struct recording_reader *reader); /* bytes of the entry that were not taken */
/* After the first error they give zeros, "" and nothing. Texts are malloc'ed. */
uint64_t recording_take_number(struct recording_reader *reader);
char *recording_take_text(struct recording_reader *reader);
void recording_take_bytes(struct recording_reader *reader, void *bytes, size_t count);

/* Notes an error of the content, at the present entry; the first one counts. Always false. */
bool recording_wrong(struct recording_reader *reader, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* "FILE: entry 12 (launch): ..."; NULL: no error. */
const char *recording_error(const struct recording_reader *reader);

#endif
