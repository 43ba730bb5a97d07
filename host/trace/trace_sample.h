/* host/trace/trace_sample.h -- which CTAs of a kernel a trace has, if not all: for models of some of a chip's
 * cores, which get CTAs in turn. */
#ifndef HOST_TRACE_TRACE_SAMPLE_H
#define HOST_TRACE_TRACE_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

struct diag_list;

struct trace_sample {
	uint32_t cores;    /* CTA c is of core c modulo cores; 0: there is no sample, all CTAs are recorded */
	uint32_t modelled; /* CTAs of the cores below this one are recorded; cores or more: of all */
	uint32_t threads;  /* of a core's CTAs, the first ones with together at most so many threads, at least
			      one CTA (of all cores together: so many for each core); 0: all */
};

/* Reads "CORES:MODELLED:THREADS"; false, with a message, if the text is not one. */
bool trace_sample_parse(const char *text, struct trace_sample *sample, struct diag_list *diags);
/* Whether a CTA of so many threads is in the sample. */
bool trace_sample_has(const struct trace_sample *sample, uint64_t cta, uint32_t threads);

#endif
