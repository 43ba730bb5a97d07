/* memsys/coalescer/mapping.h -- how the lanes of one instruction map to the words of a cache line (WarpPool,
 * section 3.6 and Figure 8).
 *
 * Until the data come, a request must remember which lane wants which word. Four patterns are frequent and
 * take at most 10 bits; any other takes an entry of the thread map table, which has 10 bits for each of the
 * 32 lanes.
 *
 * A word is here an element of the size of a lane's access, so that a load of 8 bytes in each lane can be
 * a range as well. The paper leaves these cases open, and we decide:
 * - `single` comes first: one lane is never a range.
 * - `broadcast` needs all 32 lanes, as the paper says ("every thread"): the number of the word takes 5 bits,
 *   and neither a mask of lanes nor their first and last fit into the other 5.
 * - `consecutive` means that lane i reads word i, so the 32 lanes begin at the start of the line.
 * - `range` is any sequence of two or more lanes without a gap that reads as many words in a row, in order.
 *   The paper does not say how first lane, first word and length (5 bits each) fit into 10 bits. They do if
 *   the range always ends where the warp or the line ends, as the two halves of an unaligned warp do. We
 *   follow the paper's sentence and do not ask where it ends. */
#ifndef MEMSYS_COALESCER_MAPPING_H
#define MEMSYS_COALESCER_MAPPING_H

#include "sim/base/types.h"

enum lane_mapping {
	MAPPING_CONSECUTIVE, /* lane i reads word i, for all 32 lanes */
	MAPPING_BROADCAST,   /* all 32 lanes read the same word */
	MAPPING_SINGLE,      /* one lane reads */
	MAPPING_RANGE,       /* lanes in a row read words in a row */
	MAPPING_TABLE,       /* anything else: an entry of the thread map table */
	MAPPING_COUNT
};
extern const char *const mapping_names[MAPPING_COUNT + 1]; /* the same order; NULL-terminated */

/* The pattern of one request. address[32]: of the lanes; only those in `lanes` (a mask, not 0) are looked at,
 * and they lie in one line of 128 bytes. bytes: size of a lane's access, at least 1. */
enum lane_mapping mapping_of(const addr address[32], uint32_t lanes, uint32_t bytes);

#endif
