/* host/output/compressed_file.h -- a stream that compresses what is written, if the file's name asks for it.
 */
#ifndef HOST_OUTPUT_COMPRESSED_FILE_H
#define HOST_OUTPUT_COMPRESSED_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* name ends in .gz: gzip; in .zst: zstd; else what is written goes to the file as it is. To be closed with
 * fclose, before the file, which stays the caller's: fclose fails if anything could not be written. */
FILE *compressed_file_open(FILE *file, const char *name);

#endif
