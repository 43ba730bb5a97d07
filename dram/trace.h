/* dram/trace.h -- the command trace: a text file with a line per command.
 *
 *   # lockstep dram trace 1
 *   # kHz 924000 channels 6
 *   # cycle channel command bank row column
 *   118 0 ACT 3 17 -
 *   130 0 RD 3 17 256
 *   146 0 PRE 3 - -
 *   3604 0 REF - - -
 *
 * Times are command-clock cycles: cycle k is at k * 10^9 / kHz ps. column: first byte of the burst in its
 * row. Lines of one channel are in order; those of several are not always, since refreshes of an idle channel
 * are written when it wakes. */
#ifndef DRAM_TRACE_H
#define DRAM_TRACE_H

#include "dram/timing.h"
#include <stdio.h>

struct dram_traced {
	enum dram_command command;
	uint32_t channel, bank, column; /* bank: 0 for REF */
	uint64_t row;
	cycles when;
};

void dram_trace_begin(FILE *stream, uint64_t khz, uint32_t channels);
void dram_trace_write(FILE *stream, const struct dram_traced *command);

#endif
