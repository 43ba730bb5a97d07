/* host/driver/stream/driver_timeline.c -- operations in the timeline of a run (core/observe/timeline.h):
 * copies and fills as slices, points in streams as instants, and arrows between streams.
 *
 * An operation without a slice, such as the wait for an event, hands on what it waited for to those that wait
 * for it. So an arrow goes from the kernel before an event's record to the kernel behind the wait for it. */
#include "host/driver/driver.h"
#include "core/observe/timeline.h"

/* A slice for which an operation waits, and its stream. */
struct operation_source {
	struct timeline_slice slice;
	unsigned stream;
};

static unsigned stream_number(const struct operation *o)
{
	return o->stream ? o->stream->id : 0;
}

static const char *copy_name(const struct operation *o)
{
	if (o->kind == OPERATION_SET)
		return "fill";
	return o->as.copy.to_host      ? "copy to host"
		: o->as.copy.from_host ? "copy to device"
				       : "copy on device";
}

/* Of a copy or a fill; one that a fault has cut off ends now. */
static void put_copy(struct timeline *t, struct operation *o)
{
	picoseconds begin = o->task.end - o->task.duration, now = gpu_now(driver.gpu);
	char members[64];

	snprintf(members, sizeof members, "\"bytes\":%llu", (unsigned long long)o->moved);
	o->slice = timeline_stream_slice(t, stream_number(o), "copy", copy_name(o), begin,
		o->task.end < now ? o->task.end : now, members);
}

static void put_point(struct timeline *t, const struct operation *o)
{
	static const char *const names[] = { [OPERATION_RECORD] = "event record",
		[OPERATION_WAIT] = "event wait",
		[OPERATION_CALL] = "host function",
		[OPERATION_AWAIT_VALUE] = "wait for a value",
		[OPERATION_PUT_VALUE] = "write of a value",
		[OPERATION_GRAPH_BEGIN] = "graph begins",
		[OPERATION_GRAPH_END] = "graph ends",
		[OPERATION_CONDITION] = "condition of a graph" };

	if ((size_t)o->kind < sizeof names / sizeof *names && names[o->kind])
		timeline_stream_instant(t, stream_number(o), "host", names[o->kind], gpu_now(driver.gpu));
}

/* -- arrows -- */

static void source_add(struct operation *o, const struct operation_source *source)
{
	unsigned n = o->source_count;

	for (unsigned i = 0; i < n; i++)
		if (o->sources[i].slice.track.thread == source->slice.track.thread &&
			o->sources[i].slice.end == source->slice.end)
			return;
	if (!(n & (n - 1))) /* room grows at each power of two */
		o->sources = xrealloc(o->sources, (n ? 2 * n : 1) * sizeof *o->sources);
	o->sources[o->source_count++] = *source;
}

static void hand_on(const struct operation *o, struct operation *follower)
{
	const struct operation_source own = { o->slice, stream_number(o) };

	if (follower->kind == OPERATION_MARK)
		return;
	if (o->slice.end)
		source_add(follower, &own);
	for (unsigned i = 0; !o->slice.end && i < o->source_count; i++)
		source_add(follower, &o->sources[i]);
}

static void draw_arrows(struct timeline *t, const struct operation *o)
{
	for (unsigned i = 0; i < o->source_count; i++)
		if (o->sources[i].stream != stream_number(o))
			timeline_dependency(t, &o->sources[i].slice, &o->slice);
}

void operation_in_timeline(struct operation *o)
{
	struct timeline *t = gpu_timeline(driver.gpu);

	if (!t)
		return;
	if (o->task.lane >= LANE_COPY)
		put_copy(t, o);
	else if (o->kind != OPERATION_LAUNCH)
		put_point(t, o);
	draw_arrows(t, o);
	for (unsigned i = 0; i < o->task.follower_count; i++)
		hand_on(o, (struct operation *)o->task.followers[i]);
}
