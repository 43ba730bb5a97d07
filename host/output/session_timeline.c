/* host/output/session_timeline.c -- the file of --timeline, and the launches in it. */
#include "core/observe/timeline.h"
#include "host/output/compressed_file.h"
#include "host/session/session_internal.h"
#include "sim/files/whole_file.h"
#include "sim/text/c_locale.h"
#include "sim/text/demangle.h"
#include "sim/text/json.h"
#include <inttypes.h>

bool session_timeline_open(struct session *s, const char *path, struct diag_list *diags)
{
	struct session_timeline *t = &s->timeline;
	char *taken = file_take(path, &s->records);

	t->file = whole_file_open(taken, "w", diags);
	if (t->file) {
		t->stream = compressed_file_open(t->file, taken);
		if (gpu_open_timeline(s->gpu, t->stream, s->provenance.command, s->config, diags)) {
			free(taken);
			return true;
		}
		session_timeline_discard(s);
	}
	free(taken);
	return false;
}

void session_timeline_discard(struct session *s)
{
	struct session_timeline *t = &s->timeline;

	gpu_close_timeline(s->gpu); /* its last events go into the stream that is thrown away */
	if (t->stream)
		fclose(t->stream);
	whole_file_discard(t->file);
	*t = (struct session_timeline){ 0 };
}

bool session_timeline_close(struct session *s)
{
	struct session_timeline *t = &s->timeline;
	bool is_written;

	if (!t->file)
		return true;
	gpu_close_timeline(s->gpu);
	is_written = !ferror(t->stream);
	is_written &= !fclose(t->stream);
	is_written &= whole_file_close(t->file);
	*t = (struct session_timeline){ 0 };
	return is_written;
}

static void put_launch(const struct launch *l, const struct launch_result *r, FILE *f)
{
	locale_t before = c_locale_enter();
	char *demangled = demangle(l->kernel->name);

	fprintf(f, "\"launch\":%" PRIu64 ",\"grid\":\"%ux%ux%u\",\"block\":\"%ux%ux%u\"", r->id, l->grid[0],
		l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2]);
	fprintf(f, ",\"cycles\":%" PRIu64 ",\"CTAs\":%" PRIu64 ",\"warp instructions\":%" PRIu64,
		r->core_cycles, r->ctas, r->warp_instructions);
	fprintf(f, ",\"outcome\":\"%s\"", launch_outcomes[r->outcome]);
	if (l->parent)
		fprintf(f, ",\"launched by\":%" PRIu64, l->parent);
	if (demangled) {
		fputs(",\"function\":", f);
		json_string(demangled, f);
	}
	free(demangled);
	c_locale_leave(before);
}

struct timeline_slice session_timeline_kernel(
	struct session *s, const struct launch *l, const struct launch_result *r)
{
	struct timeline *t = gpu_timeline(s->gpu);
	struct timeline_slice slice = { 0 };
	char *members = NULL, name[64];
	size_t size;
	FILE *f;

	if (!t)
		return slice;
	demangle_short(l->kernel->name, name, sizeof name);
	if (r->end <= r->start) {
		timeline_stream_instant(t, l->stream, "kernel without timing", name, r->start);
		return slice;
	}
	f = open_memstream(&members, &size);
	bug_if(!f, "out of memory");
	put_launch(l, r, f);
	fclose(f);
	slice = timeline_stream_slice(t, l->stream, "kernel", name, r->start, r->end, members);
	free(members);
	return slice;
}
