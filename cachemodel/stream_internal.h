/* cachemodel/stream_internal.h -- how streams are built: for stream.c and stream_source.c. */
#ifndef CACHEMODEL_STREAM_INTERNAL_H
#define CACHEMODEL_STREAM_INTERNAL_H

#include "cachemodel/stream.h"

/* Where line numbers are in stream.lines. */
struct stream_lines {
	uint32_t *places; /* + 1; 0: free */
	uint32_t buckets, shift;
	size_t capacity; /* of stream.lines */
};

uint32_t stream_place(struct stream *stream, struct stream_lines *table, uint64_t number);
/* The same at its place by number. */
struct stream_cta *stream_add_cta_in_order(struct stream *stream, uint64_t number);
void stream_push(struct stream *stream, struct stream_warp *warp, struct stream_request request);
void stream_saw_pc(struct stream *stream, uint32_t pc, uint32_t ptx_line);

#endif
