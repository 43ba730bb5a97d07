/* cachemodel/stream.c -- streams of requests, and the places of their lines. */
#include "cachemodel/stream_internal.h"
#include "sim/base/xalloc.h"

/* -- the place of a line number: a hash table with open addressing, whose size is a power of two -- */

static uint32_t stream_bucket(const struct stream_lines *t, uint64_t number)
{
	return (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> t->shift);
}

static void table_grow(struct stream_lines *t, const struct stream *s)
{
	uint32_t buckets = t->buckets ? 2 * t->buckets : 1024;

	free(t->places);
	t->buckets = buckets;
	t->shift = 64 - (uint32_t)__builtin_ctz(buckets);
	t->places = xcalloc(buckets, sizeof(*t->places));
	for (uint32_t i = 0; i < s->line_count; i++) {
		uint32_t b = stream_bucket(t, s->lines[i]);

		while (t->places[b])
			b = (b + 1) & (buckets - 1);
		t->places[b] = i + 1;
	}
}

uint32_t stream_place(struct stream *s, struct stream_lines *t, uint64_t number)
{
	uint32_t b;

	if (2 * s->line_count >= t->buckets)
		table_grow(t, s);
	for (b = stream_bucket(t, number); t->places[b]; b = (b + 1) & (t->buckets - 1))
		if (s->lines[t->places[b] - 1] == number)
			return t->places[b] - 1;
	if (s->line_count == t->capacity) {
		t->capacity = t->capacity ? 2 * t->capacity : 1024;
		s->lines = xrealloc(s->lines, t->capacity * sizeof(*s->lines));
	}
	s->lines[s->line_count] = number;
	t->places[b] = s->line_count + 1;
	return s->line_count++;
}

/* -- streams -- */

struct stream *stream_new(uint32_t line_bytes, size_t ctas, uint32_t cta_warps)
{
	struct stream *s = xcalloc(1, sizeof(*s));

	s->line_bytes = line_bytes;
	s->cta_warps = cta_warps;
	s->cta_threads = cta_warps * TRACE_LANES;
	s->table = xcalloc(1, sizeof(*s->table));
	for (size_t i = 0; i < ctas; i++)
		stream_add_cta(s, i);
	return s;
}

struct stream_cta *stream_add_cta(struct stream *s, uint64_t number)
{
	if (!(s->cta_count & (s->cta_count - 1)))
		s->ctas = xrealloc(s->ctas, (s->cta_count ? 2 * s->cta_count : 1) * sizeof(*s->ctas));
	s->ctas[s->cta_count] = (struct stream_cta){ .number = number,
		.warps = xcalloc(s->cta_warps, sizeof(*s->ctas->warps)) };
	return &s->ctas[s->cta_count++];
}

struct stream_cta *stream_add_cta_in_order(struct stream *s, uint64_t number)
{
	struct stream_cta *at = stream_add_cta(s, number), added = *at;

	for (; at > s->ctas && at[-1].number > number; at--)
		*at = at[-1];
	*at = added;
	return at;
}

void stream_push(struct stream *s, struct stream_warp *w, struct stream_request request)
{
	if (w->count == w->capacity) {
		w->capacity = w->capacity ? w->capacity + w->capacity / 2 : 16;
		w->requests = xrealloc(w->requests, w->capacity * sizeof(*w->requests));
	}
	w->requests[w->count++] = request;
	s->requests += !request.is_store;
	s->instructions += request.is_last && !request.is_store;
}

void stream_saw_pc(struct stream *s, uint32_t pc, uint32_t ptx_line)
{
	if (pc >= s->pc_count) {
		uint32_t count = 2 * pc + 16;

		s->ptx_lines = xrealloc(s->ptx_lines, count * sizeof(*s->ptx_lines));
		memset(s->ptx_lines + s->pc_count, 0, (count - s->pc_count) * sizeof(*s->ptx_lines));
		s->pc_count = count;
	}
	s->ptx_lines[pc] = ptx_line;
}

void stream_add(struct stream *s, size_t cta, uint32_t warp, uint32_t pc, uint64_t line, bool is_last)
{
	struct stream_request r = {
		.line = stream_place(s, s->table, line), .pc = pc & 0x1fffffff, .is_last = is_last
	};

	stream_saw_pc(s, pc, pc);
	stream_push(s, &s->ctas[cta].warps[warp], r);
}

void stream_free(struct stream *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->cta_count; i++) {
		for (uint32_t w = 0; w < s->cta_warps; w++)
			free(s->ctas[i].warps[w].requests);
		free(s->ctas[i].warps);
	}
	free(s->table->places);
	free(s->table);
	free(s->ctas);
	free(s->lines);
	free(s->ptx_lines);
	free(s);
}
