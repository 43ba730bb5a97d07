/* host/trace/trace_recorder.h -- writes a trace of what is executed without timing. */
#ifndef HOST_TRACE_TRACE_RECORDER_H
#define HOST_TRACE_TRACE_RECORDER_H

#include <stdbool.h>

struct diag_list;
struct execution_listener;
struct trace_recorder;
struct trace_sample;

/* Creates the file. with_instructions: instructions without accesses are recorded too. sample: of which CTAs.
 * NULL, with a message, if it cannot be created. */
struct trace_recorder *trace_recorder_open(
	const char *path, bool with_instructions, const struct trace_sample *sample, struct diag_list *diags);
/* For struct launch. Valid until the recorder is closed. */
const struct execution_listener *trace_recorder_listener(struct trace_recorder *recorder);
/* Ends the file. False, with a message on stderr, if it could not be written. */
bool trace_recorder_close(struct trace_recorder *recorder);

#endif
