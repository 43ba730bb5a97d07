/* core/observe/trace_events.h -- a file in the Trace Event Format (JSON), which Perfetto, Chrome's tracing
 * and `lockstep report --timeline` read. Source: "Trace Event Format" (Google, 2016).
 *
 * One event is one line, so that the file can be read piece by piece. Times are simulated: the format counts
 * microseconds, and six decimals give each picosecond. */
#ifndef CORE_OBSERVE_TRACE_EVENTS_H
#define CORE_OBSERVE_TRACE_EVENTS_H

#include "sim/base/types.h"
#include <stdio.h>

#define TRACE_EVENTS_VERSION 1 /* of what Lockstep's files contain; docs/user/timeline.md says it */

struct trace_events {
	FILE *file;
	bool has_events;
};

/* A track of the viewer: a thread of a process, in the format's words. */
struct trace_track {
	uint32_t process, thread;
};

/* The file is the caller's. title: of what run; NULL: none. */
void trace_events_begin(struct trace_events *t, FILE *file, const char *title);
/* Behind the last event; then the caller may write further members of the outermost object, each behind a
 * comma, and ends it by trace_events_close. */
void trace_events_end(struct trace_events *t);
void trace_events_close(struct trace_events *t);

void trace_process(struct trace_events *t, uint32_t process, const char *name);
void trace_thread(struct trace_events *t, struct trace_track track, const char *name);

/* Each of these begins an event; the caller prints what is to be in the event's "args" as JSON members with
 * commas between them, and calls trace_event_end. */
FILE *trace_slice(struct trace_events *t, struct trace_track track, const char *category, const char *name,
	picoseconds begin, picoseconds end);
FILE *trace_instant(struct trace_events *t, struct trace_track track, const char *category, const char *name,
	picoseconds at);
FILE *trace_counter(struct trace_events *t, uint32_t process, const char *name, picoseconds at);
void trace_event_end(struct trace_events *t);

/* An arrow from a slice to another: from a time within the first to the beginning of the second. Each has a
 * number of its own. */
void trace_flow(struct trace_events *t, uint64_t number, const char *category, struct trace_track from,
	picoseconds begin, struct trace_track to, picoseconds end);

#endif
