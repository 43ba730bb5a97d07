/* cachemodel/stream.h -- what the cache model works on: for each warp of a kernel, its requests to the L1 in
 * program order, coalesced, without any order between warps (Nugteren et al., HPCA 2014, sections 4.1 and
 * 4.6). */
#ifndef CACHEMODEL_STREAM_H
#define CACHEMODEL_STREAM_H

#include "host/trace/trace.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A request for one line. */
struct stream_request {
	uint32_t line; /* the line's place in lines[] */
	uint32_t pc : 29;
	uint32_t is_last : 1;  /* of its instruction */
	uint32_t is_store : 1; /* of a local store: it leaves its line in the cache, and is not counted */
};

struct stream_warp {
	struct stream_request *requests;
	size_t count, capacity;
};

struct stream_cta {
	uint64_t number;           /* in the grid */
	struct stream_warp *warps; /* stream.cta_warps of them */
};

/* What one kernel launch asks of the modelled cores. */
struct stream {
	struct trace_launch launch;
	uint32_t line_bytes;
	uint32_t cta_warps, cta_threads;
	struct stream_cta *ctas; /* by number */
	size_t cta_count;
	struct stream_lines *table; /* finds places in lines[] (stream_internal.h) */
	uint64_t *lines;            /* line numbers: addresses divided by line_bytes */
	uint32_t line_count;
	uint32_t *ptx_lines; /* by pc: the line of the PTX text; 0: no request */
	uint32_t pc_count;
	uint64_t requests;     /* of loads */
	uint64_t instructions; /* loads */
	uint64_t skipped_ctas; /* beyond the thread limit or on cores that are not modelled */
};

/* Which part of a kernel is modelled, and how its accesses are coalesced. */
struct stream_options {
	uint32_t line_bytes; /* a power of two, 32 to 1024 */
	bool parts;          /* coalesce_parts (memsys/coalesce.h) rather than coalesce */
	uint32_t cores;      /* of the chip */
	uint32_t modelled;   /* of those, at most cores: the CTAs whose number modulo cores is less; all if
				all are modelled */
	uint64_t threads;    /* of each modelled core, at most, in whole CTAs, at least one; 0: all */
};

/* Reads the accesses of a trace launch by launch: the next launch; NULL at the end, or if the trace is
 * damaged (trace_reader_error). A launch without requests is returned like any other. */
struct stream_source;
struct stream_source *stream_source_new(struct trace_reader *reader, const struct stream_options *options);
struct stream *stream_next(struct stream_source *source);
/* Why stream_next ended before the end of the trace: what the reader found, or what no launch can have;
 * NULL: it did not. */
const char *stream_source_error(const struct stream_source *source);
void stream_source_free(struct stream_source *source);
void stream_free(struct stream *stream);

/* For streams made by hand (tests, traces of another kind): an empty one, with CTAs of so many warps; and the
 * request for one line at the end of one warp's. */
struct stream *stream_new(uint32_t line_bytes, size_t ctas, uint32_t cta_warps);
void stream_add(struct stream *stream, size_t cta, uint32_t warp, uint32_t pc, uint64_t line, bool is_last);

#endif
