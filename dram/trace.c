/* dram/trace.c -- lines of the command trace. */
#include "dram/trace.h"
#include <inttypes.h>

void dram_trace_begin(FILE *stream, uint64_t khz, uint32_t channels)
{
	fprintf(stream,
		"# lockstep dram trace 1\n# kHz %" PRIu64
		" channels %u\n# cycle channel command bank row column\n",
		khz, channels);
}

void dram_trace_write(FILE *stream, const struct dram_traced *t)
{
	fprintf(stream, "%" PRIu64 " %u %s ", t->when, t->channel, dram_command_names[t->command]);
	switch (t->command) {
	case DRAM_ACT:
		fprintf(stream, "%u %" PRIu64 " -\n", t->bank, t->row);
		break;
	case DRAM_PRE:
		fprintf(stream, "%u - -\n", t->bank);
		break;
	case DRAM_REF:
		fputs("- - -\n", stream);
		break;
	default:
		fprintf(stream, "%u %" PRIu64 " %u\n", t->bank, t->row, t->column);
	}
}
