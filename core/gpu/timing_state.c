/* core/gpu/timing_state.c -- the timing state of an idle machine, part by part (timing_state.h). */
#include "core/gpu/timing_state.h"
#include "core/gpu/gpu_internal.h"
#include "core/gpu/timing_parts.h"
#include "sim/base/state.h"
#include "sim/base/xalloc.h"

static char *geometry_of(const struct gpu *gpu, const struct timing_part_kind *kind)
{
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	bug_if(!to, "out of memory");
	kind->describe(gpu, to);
	fclose(to);
	return text;
}

const char *gpu_timing_take(struct gpu *gpu, struct timing_state *to)
{
	const char *wrong = timing_parts_why_not(gpu);
	size_t count = 0;

	if (wrong)
		return wrong;
	gpu_account(gpu);
	while (timing_parts[count].name)
		count++;
	*to = (struct timing_state){ .parts = xcalloc(count, sizeof(*to->parts)), .count = count };
	for (size_t i = 0; i < count; i++) {
		const struct timing_part_kind *kind = &timing_parts[i];
		struct state s = { .now = sim_next_cycle(gpu->chip.sim, kind->clock) };

		to->parts[i] = (struct timing_part){ .name = xstrdup(kind->name),
			.geometry = geometry_of(gpu, kind),
			.is_kept = kind->can_keep(gpu) };
		if (to->parts[i].is_kept)
			kind->state(gpu, &s);
		to->parts[i].bytes = s.bytes;
		to->parts[i].size = s.size;
	}
	return NULL;
}

void timing_state_free(struct timing_state *t)
{
	for (size_t i = 0; i < t->count; i++) {
		free(t->parts[i].name);
		free(t->parts[i].geometry);
		free(t->parts[i].bytes);
	}
	free(t->parts);
	*t = (struct timing_state){ 0 };
}

static const struct timing_part *find_part(const struct timing_state *t, const char *name)
{
	for (size_t i = 0; i < t->count; i++)
		if (!strcmp(t->parts[i].name, name))
			return &t->parts[i];
	return NULL;
}

/* Whether such parts of this machine have no state at all: policies that learn nothing. */
static bool has_none(struct gpu *gpu, const struct timing_part_kind *kind)
{
	struct state s = { .now = sim_next_cycle(gpu->chip.sim, kind->clock) };

	if (!kind->can_keep(gpu))
		return false;
	kind->state(gpu, &s);
	free(s.bytes);
	return !s.size;
}

/* The part takes up its state, or says why not. false: its bytes are wrong. */
static bool restore_part(
	struct gpu *gpu, const struct timing_part_kind *kind, const struct timing_part *from, FILE *cold)
{
	char *geometry;
	bool is_kept = from && from->is_kept && kind->can_keep(gpu), is_same, fine = true;

	if (has_none(gpu, kind))
		return true;
	geometry = geometry_of(gpu, kind);
	is_same = from && !strcmp(from->geometry, geometry);
	if (from && !is_same) {
		fprintf(cold, "; %s (here: %s; in the checkpoint: %s)", kind->name, geometry, from->geometry);
	} else if (!is_kept) {
		fprintf(cold, "; %s (%s: nothing keeps its state)", kind->name, geometry);
	} else {
		struct state s = { .restores = true,
			.now = sim_next_cycle(gpu->chip.sim, kind->clock),
			.bytes = from->bytes,
			.size = from->size };

		kind->state(gpu, &s);
		fine = state_require(&s, s.at == s.size);
	}
	free(geometry);
	return fine;
}

bool gpu_timing_put(struct gpu *gpu, const struct timing_state *from, char **cold)
{
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	const struct timing_part_kind *kind = timing_parts;
	bool fine = true;

	bug_if(!to, "out of memory");
	for (; kind->name && fine; kind++)
		fine = restore_part(gpu, kind, find_part(from, kind->name), to);
	fclose(to);
	*cold = !fine ? xstrdup(kind[-1].name) : size ? xstrdup(text + 2) : NULL;
	free(text);
	return fine;
}
