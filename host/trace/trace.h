/* host/trace/trace.h -- traces of memory accesses: what each warp instruction of a program read and wrote,
 * kernel by kernel, in the order of execution without timing; and the file that holds one.
 *
 * A file is the eight bytes "LSTRACE1" and then blocks. A block is the number of bytes of its content and
 * their CRC-32 (that of zlib), both of 32 bits, least significant byte first, and the content: records, of
 * which none crosses the end of a block. Numbers in records are of 7 bits a byte, low bits first, bit 7 set
 * in all bytes but the last; signed ones are doubled, negative ones then complemented (0 -1 1 -2: 0 1 2 3).
 *
 *   1, launch       length of the kernel's name, the name, grid x y z, block x y z,
 *                   bytes of shared memory of a CTA, registers of a thread
 *   2, access       CTA, warp in the CTA, micro-operation, PTX line,
 *                   shape (kind + 4 * space + 32 if the addresses have one stride + 64 if it is uncached),
 *                   bytes of a lane, lane mask,
 *                   the address of the lowest lane, as the signed difference from that of the launch's
 *                   access before (the first one: from 0),
 *                   the signed difference of each further lane from the lane before, or once if there is
 *                   one stride
 *   3, instruction  CTA, warp in the CTA, micro-operation, PTX line, lane mask
 *   4, end          launches, accesses, instructions: how many the file has. Nothing follows.
 *
 * A file may also be such a file as a zstd stream. */
#ifndef HOST_TRACE_TRACE_H
#define HOST_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TRACE_MAGIC      "LSTRACE1"
#define TRACE_LANES      32
#define TRACE_NAME_BYTES 4096  /* a kernel's name has fewer */
#define TRACE_BLOCK      65536 /* a block's content is no longer */

enum trace_type { TRACE_LAUNCH = 1, TRACE_ACCESS, TRACE_INSTRUCTION, TRACE_END };
enum trace_kind { TRACE_LOAD, TRACE_STORE, TRACE_ATOMIC, TRACE_KINDS };
enum trace_space { TRACE_GLOBAL, TRACE_LOCAL, TRACE_SPACES };

struct trace_launch {
	char name[TRACE_NAME_BYTES];
	uint32_t grid[3], block[3];
	uint64_t shared_bytes; /* of a CTA */
	uint32_t registers;    /* of a thread */
};

/* An access, or an instruction: then without kind, space, bytes and addresses. */
struct trace_access {
	uint64_t cta;  /* its number in the grid */
	uint32_t warp; /* in the CTA */
	uint32_t pc;   /* micro-operation of the kernel */
	uint32_t line; /* of the PTX text */
	uint8_t kind, space;
	bool uncached;                 /* a load that asks for the L2 and is not looked up in the L1, because
					  of the instruction alone: .cg, .cv, volatile, relaxed, acquire */
	uint32_t bytes;                /* of a lane */
	uint32_t mask;                 /* lanes; at least one for an access */
	uint64_t address[TRACE_LANES]; /* of those lanes: device addresses, or offsets in a thread's local
					  memory */
};

struct trace_counts {
	uint64_t launches, accesses, instructions;
};

/* ---- writing ---- */

struct trace_writer;

/* Begins a trace in a file, which stays the caller's and must be open for writing in binary. */
struct trace_writer *trace_writer_new(FILE *file);
/* The same, compressed. */
struct trace_writer *trace_writer_new_zstd(FILE *file);
/* Whether a file of this name is to be compressed: it ends in .zst. */
bool trace_name_is_zstd(const char *path);
void trace_write_launch(struct trace_writer *writer, const struct trace_launch *launch);
void trace_write_access(struct trace_writer *writer, const struct trace_access *access);
void trace_write_instruction(struct trace_writer *writer, const struct trace_access *instruction);
/* Writes the end and frees the writer. False if anything could not be written (errno says why). */
bool trace_writer_close(struct trace_writer *writer);

/* ---- reading ---- */

/* A record as trace_read leaves it: which part is valid, type says. */
struct trace_record {
	enum trace_type type;
	struct trace_launch launch; /* the last one, also for accesses and instructions */
	struct trace_access access;
	struct trace_counts counts; /* read so far */
};

struct trace_reader;

/* Begins to read a file, compressed or not, which stays the caller's and must be open for reading in binary.
 */
struct trace_reader *trace_reader_new(FILE *file);
/* The next record. False at the end, or if the file is damaged: then trace_reader_error says how. */
bool trace_read(struct trace_reader *reader, struct trace_record *record);
/* What is wrong with the file, with the offset of the byte (of the content, if it is compressed); NULL:
 * nothing. */
const char *trace_reader_error(const struct trace_reader *reader);
void trace_reader_free(struct trace_reader *reader);

/* ---- for both ---- */

/* The CRC-32 of zlib and PNG. */
uint32_t trace_crc(const uint8_t *bytes, size_t count);

#endif
