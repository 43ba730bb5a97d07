/* dram/trace.c -- lines of the command trace. */
#include "dram/trace.h"
#include <inttypes.h>
#include <string.h>

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

bool dram_trace_read(const char *line, struct dram_traced *t)
{
	char name[8];
	int rest = 0;

	*t = (struct dram_traced){ .command = DRAM_COMMANDS };
	if (sscanf(line, "%" SCNu64 " %u %7s %n", &t->when, &t->channel, name, &rest) != 3 || !rest)
		return false;
	for (uint32_t c = 0; c < DRAM_COMMANDS; c++)
		if (!strcmp(name, dram_command_names[c]))
			t->command = (enum dram_command)c;
	line += rest;
	switch (t->command) {
	case DRAM_ACT:
		return sscanf(line, "%u %" SCNu64 " -", &t->bank, &t->row) == 2;
	case DRAM_PRE:
		return sscanf(line, "%u - -", &t->bank) == 1;
	case DRAM_RD:
	case DRAM_WR:
		return sscanf(line, "%u %" SCNu64 " %u", &t->bank, &t->row, &t->column) == 3;
	case DRAM_REF:
		return !strncmp(line, "- - -", 5);
	default:
		return false;
	}
}
