/* host/session/session_kernels.c -- statistics by kernel and by stream: groups "kernel" and "stream" beside
 * the machine's. */
#include "host/session/session_internal.h"

/* What a kernel shared its time with. */
struct kernel_location {
	uint64_t stream, overlapped;
};

static const struct sim_stat place_stats[] = {
	SIM_COUNT(struct kernel_location, stream, "",
		"number of the stream in which the kernel was launched; 0: the default stream"),
	SIM_COUNT(struct kernel_location, overlapped, "kernels", "other kernels that ran during the kernel"),
	SIM_STAT_END
};

static const struct sim_stat stream_stats[] = {
	SIM_COUNT(struct session_stream, kernels, "kernels",
		"kernel launches of the stream that ended or were stopped"),
	SIM_COUNT(struct session_stream, ctas, "CTAs", "CTAs of the stream that ended"),
	SIM_COUNT(
		struct session_stream, warp_instructions, "instructions", "warp instructions of the stream"),
	SIM_COUNT(struct session_stream, thread_instructions, "instructions",
		"thread instructions of the stream"),
	SIM_COUNT(struct session_stream, busy, "ps", "simulated time in which a kernel of the stream ran"),
	SIM_STAT_END
};

/* -- one kernel -- */

/* location: NULL if the counters are of several launches. */
static struct stat_tree *kernel_tree(
	const struct session *s, struct kernel_stats *stats, struct kernel_location *location)
{
	struct stat_tree *tree = stat_tree_new();

	if (location)
		stat_register(tree, "kernel", -1, place_stats, location, sizeof *location);
	stat_register(tree, "kernel", -1, kernel_stat_table, stats, sizeof *stats);
	stat_show_zeros(tree, !s->is_functional);
	return tree;
}

static void print(const struct session *s, struct kernel_stats stats, struct kernel_location *location,
	bool as_json, FILE *f)
{
	struct stat_tree *tree = kernel_tree(s, &stats, location);

	if (as_json)
		stat_print_json(tree, NULL, f, 6);
	else
		stat_print_text(tree, NULL, f);
	stat_tree_free(tree);
}

void kernel_text(
	const struct session *s, const struct launch *launch, const struct launch_result *result, FILE *f)
{
	print(s, result->stats, &(struct kernel_location){ launch->stream, result->overlapped }, false, f);
}

void kernel_json(
	const struct session *s, const struct launch *launch, const struct launch_result *result, FILE *f)
{
	print(s, result->stats, &(struct kernel_location){ launch->stream, result->overlapped }, true, f);
}

void own_text(const struct session *s, const struct kernel_stats *stats, FILE *f)
{
	print(s, *stats, NULL, false, f);
}

void own_json(const struct session *s, const struct kernel_stats *stats, FILE *f)
{
	print(s, *stats, NULL, true, f);
}

/* -- streams -- */

static struct session_stream *stream_of(struct session *s, uint32_t number)
{
	struct session_stream **at = &s->streams, *fresh;

	while (*at && (*at)->number < number)
		at = &(*at)->next;
	if (*at && (*at)->number == number)
		return *at;
	fresh = xcalloc(1, sizeof *fresh);
	fresh->number = number;
	fresh->next = *at;
	return *at = fresh;
}

/* Kernels of a stream follow one another; should two overlap, as none do, that time counts once: by what lies
 * after the end of those before. */
void streams_add(struct session *s, const struct launch *launch, const struct launch_result *r)
{
	struct session_stream *stream = stream_of(s, launch->stream);
	picoseconds from = r->start > stream->until ? r->start : stream->until;

	stream->kernels++;
	stream->ctas += r->ctas;
	stream->warp_instructions += r->warp_instructions;
	stream->thread_instructions += r->thread_instructions;
	if (r->end > from) {
		stream->busy += r->end - from;
		stream->until = r->end;
	}
}

static struct stat_tree *streams_tree(const struct session *s)
{
	struct stat_tree *tree = stat_tree_new();

	for (struct session_stream *i = s->streams; i; i = i->next)
		stat_register(tree, "stream", (int)i->number, stream_stats, i, sizeof *i);
	stat_show_zeros(tree, !s->is_functional);
	return tree;
}

void streams_text(const struct session *s, FILE *f)
{
	struct stat_tree *tree = streams_tree(s);

	stat_print_text(tree, NULL, f);
	stat_tree_free(tree);
}

void streams_json(const struct session *s, FILE *f)
{
	struct stat_tree *tree = streams_tree(s);

	stat_print_json(tree, NULL, f, 2);
	stat_tree_free(tree);
}

void streams_free(struct session *s)
{
	for (struct session_stream *i = s->streams, *next; i; i = next) {
		next = i->next;
		free(i);
	}
	s->streams = NULL;
}

void session_print_stat_doc(FILE *stream)
{
	struct kernel_location location = { 0 };
	struct kernel_stats stats = { 0 };
	struct session_stream one = { 0 };
	struct stat_tree *tree = stat_tree_new();

	stat_register(tree, "kernel", -1, place_stats, &location, sizeof location);
	stat_register(tree, "kernel", -1, kernel_stat_table, &stats, sizeof stats);
	stat_register(tree, "stream", 0, stream_stats, &one, sizeof one);
	stat_print_doc(tree, stream);
	stat_tree_free(tree);
}
