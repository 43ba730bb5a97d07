/* core/observe/trace_events.c -- a file in the Trace Event Format: see trace_events.h. */
#include "core/observe/trace_events.h"
#include "sim/text/json.h"
#include <inttypes.h>

void trace_events_begin(struct trace_events *t, FILE *file, const char *title)
{
	*t = (struct trace_events){ .file = file };
	fprintf(file, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"format\":\"lockstep timeline %d\"",
		TRACE_EVENTS_VERSION);
	fputs(",\"version\":\"" LOCKSTEP_VERSION "\"", file);
	if (title) {
		fputs(",\"title\":", file);
		json_string(title, file);
	}
	fputs("},\"traceEvents\":[", file);
}

void trace_events_end(struct trace_events *t)
{
	fputs("\n]", t->file);
}

void trace_events_close(struct trace_events *t)
{
	fputs("}\n", t->file);
}

static FILE *event_begin(struct trace_events *t, char phase, uint32_t process)
{
	fprintf(t->file, "%s\n{\"ph\":\"%c\",\"pid\":%" PRIu32, t->has_events ? "," : "", phase, process);
	t->has_events = true;
	return t->file;
}

void trace_event_end(struct trace_events *t)
{
	fputs("}}", t->file);
}

static void put_time(FILE *f, const char *key, picoseconds time)
{
	fprintf(f, ",\"%s\":%" PRIu64 ".%06" PRIu64, key, time / 1000000, time % 1000000);
}

static void put_text(FILE *f, const char *key, const char *text)
{
	fprintf(f, ",\"%s\":", key);
	json_string(text, f);
}

static void name_it(
	struct trace_events *t, const char *what, const char *name, uint32_t process, int64_t thread)
{
	FILE *f = event_begin(t, 'M', process);

	if (thread >= 0)
		fprintf(f, ",\"tid\":%" PRId64, thread);
	put_text(f, "name", what);
	fputs(",\"args\":{\"name\":", f);
	json_string(name, f);
	trace_event_end(t);
}

/* Viewers order by the number. */
static void order_it(
	struct trace_events *t, const char *what, uint32_t process, int64_t thread, uint32_t order)
{
	FILE *f = event_begin(t, 'M', process);

	if (thread >= 0)
		fprintf(f, ",\"tid\":%" PRId64, thread);
	put_text(f, "name", what);
	fprintf(f, ",\"args\":{\"sort_index\":%" PRIu32, order);
	trace_event_end(t);
}

void trace_process(struct trace_events *t, uint32_t process, const char *name)
{
	name_it(t, "process_name", name, process, -1);
	order_it(t, "process_sort_index", process, -1, process);
}

void trace_thread(struct trace_events *t, struct trace_track track, const char *name)
{
	name_it(t, "thread_name", name, track.process, track.thread);
	order_it(t, "thread_sort_index", track.process, track.thread, track.thread);
}

FILE *trace_slice(struct trace_events *t, struct trace_track track, const char *category, const char *name,
	picoseconds begin, picoseconds end)
{
	FILE *f = event_begin(t, 'X', track.process);

	fprintf(f, ",\"tid\":%" PRIu32, track.thread);
	put_time(f, "ts", begin);
	put_time(f, "dur", end - begin);
	put_text(f, "cat", category);
	put_text(f, "name", name);
	fputs(",\"args\":{", f);
	return f;
}

FILE *trace_instant(struct trace_events *t, struct trace_track track, const char *category, const char *name,
	picoseconds at)
{
	FILE *f = event_begin(t, 'i', track.process);

	fprintf(f, ",\"tid\":%" PRIu32 ",\"s\":\"t\"", track.thread);
	put_time(f, "ts", at);
	put_text(f, "cat", category);
	put_text(f, "name", name);
	fputs(",\"args\":{", f);
	return f;
}

FILE *trace_counter(struct trace_events *t, uint32_t process, const char *name, picoseconds at)
{
	FILE *f = event_begin(t, 'C', process);

	put_time(f, "ts", at);
	put_text(f, "name", name);
	fputs(",\"args\":{", f);
	return f;
}

static void flow_end(struct trace_events *t, char phase, uint64_t number, const char *category,
	struct trace_track track, picoseconds at)
{
	FILE *f = event_begin(t, phase, track.process);

	fprintf(f, ",\"tid\":%" PRIu32 ",\"id\":%" PRIu64, track.thread, number);
	put_time(f, "ts", at);
	put_text(f, "cat", category);
	put_text(f, "name", category);
	fputs(phase == 'f' ? ",\"bp\":\"e\"}" : "}", f);
}

void trace_flow(struct trace_events *t, uint64_t number, const char *category, struct trace_track from,
	picoseconds begin, struct trace_track to, picoseconds end)
{
	flow_end(t, 's', number, category, from, begin);
	flow_end(t, 'f', number, category, to, end);
}
