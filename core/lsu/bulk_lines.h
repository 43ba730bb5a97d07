/* core/lsu/bulk_lines.h -- the global side of a bulk copy as line requests, one after the other: 128-byte
 * lines with the bytes that are wanted. Rows of a box that follow one another in a line make one request;
 * what the tensor does not hold makes none. */
#ifndef CORE_LSU_BULK_LINES_H
#define CORE_LSU_BULK_LINES_H

#include "core/exec/bulk/tensor_walk.h"
#include "memsys/coalesce.h"

struct bulk_lines {
	struct tensor_walk walk; /* of a tensor: at the row behind the run */
	addr at, end;            /* what is left of the run of bytes that is being cut */
};

/* copy: it may lie elsewhere each time. */
void bulk_lines_start(struct bulk_lines *lines, const struct bulk_copy *copy);
static inline bool bulk_lines_left(const struct bulk_lines *lines)
{
	return lines->at < lines->end;
}
/* The next request; there is one left. Its address is the device's. */
struct line_request bulk_lines_next(struct bulk_lines *lines, const struct bulk_copy *copy);

#endif
