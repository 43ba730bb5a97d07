/* host/recording/recording.h -- a file of what a program asked of the device: modules, memory, copies,
 * launches, and where it waited for them. `lockstep record` writes it, `lockstep replay` does the same again
 * without the program. docs/user/recordings.md describes the file for readers.
 *
 * The file is RECORDING_MAGIC, the version (a 32-bit number), then blocks: sizes and a checksum (struct
 * recording_block), behind them bytes compressed with zstd. The last block is empty, and its checksum is
 * followed by the number of entries and of bytes of all blocks. The bytes are entries, one behind the other,
 * also across blocks: a kind, the size of its content, the content. Numbers are little-endian. */
#ifndef HOST_RECORDING_RECORDING_H
#define HOST_RECORDING_RECORDING_H

#include "sim/base/diag.h"
#include "sim/base/types.h"

#define RECORDING_MAGIC   "Lockstep recording\n" /* without its zero byte */
#define RECORDING_VERSION 1
#define RECORDING_BLOCK   (1u << 20) /* the most bytes of a block */

struct recording_block {
	uint32_t bytes, compressed; /* sizes; bytes 0: the last */
	uint64_t check;             /* XXH3 of the two sizes and of what follows */
};
struct recording_end { /* behind the last block's sizes, which are 0 and the size of this */
	uint64_t entries, bytes;
};

/* Operations are named by their numbers, from 1 on in the order in which they were added; modules, streams
 * and contexts likewise. Stream 0: none. u: a number of 64 bits; text: its size and its bytes; bytes: the
 * rest. */
enum recording_kind {
	RECORDING_PROGRAM = 1, /* text command line */
	RECORDING_MODULE, /* u context, and above its 32 bits CU_JIT_MAX_REGISTERS; u hash of the addresses of
			     its variables, text name, bytes PTX */
	RECORDING_UNLOAD, /* u module */
	RECORDING_ALLOCATE,    /* u context, u address, u bytes, u alignment, u is device memory */
	RECORDING_RELEASE,     /* u address */
	RECORDING_WRITE,       /* u address, bytes: the program wrote to memory that the device sees, too */
	RECORDING_TEXTURE,     /* u handle, and a descriptor (recorder_texture.c) */
	RECORDING_TEXTURE_END, /* u handle */
	RECORDING_HEAP,        /* u bytes: of device malloc */
	RECORDING_OUTPUT,      /* u bytes: of printf */
	RECORDING_STREAM,      /* u context, u number that reports show, u enum stream_rule */
	RECORDING_LAUNCH,      /* an operation: u context, u stream; then recorder_operation.c */
	RECORDING_COPY,
	RECORDING_SET,
	RECORDING_FREE,
	RECORDING_POINT,     /* an operation that does nothing: an event, the wait for one */
	RECORDING_BEHIND,    /* u operation, u the earlier one for which it waits */
	RECORDING_SUBMIT,    /* u operation: it may start */
	RECORDING_AWAIT,     /* u operation */
	RECORDING_AWAIT_ALL, /* u context, u stream (0: all) */
	RECORDING_FINISH,    /* the program has ended; what is queued runs to its end */
	RECORDING_MEMORY, /* u address, u bytes, u hash: an allocation at the end, or what a launch wrote */
	RECORDING_CHECKPOINT, /* of a checkpoint (host/checkpoint), as the two behind it */
	RECORDING_COUNTED,
	RECORDING_CONTENT,
	RECORDING_UNDER_WAY, /* of a checkpoint within a launch */
	RECORDING_CTA,
	RECORDING_TIMING,           /* of a checkpoint between launches with timing */
	RECORDING_SET_ASIDE,        /* u bytes: of the L2, for lines that persist */
	RECORDING_RESET_PERSISTING, /* u 0: no line persists any more */
	RECORDING_WINDOW, /* u address, u bytes, u share, u properties: of the next launch (access_window.h)
			   */
	RECORDING_KINDS
};

/* Whether a file begins as recordings do. */
bool recording_is_one(const char *path);
/* Its name in messages. */
const char *recording_kind_name(enum recording_kind kind);
/* A hash of a file; false, with a diagnostic, if it cannot be read. */
bool recording_file_hash(const char *path, uint64_t *hash, struct diag_list *diags);
/* A hash of bytes, for comparisons. */
uint64_t recording_hash(const void *bytes, size_t count);

#endif
