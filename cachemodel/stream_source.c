/* cachemodel/stream_source.c -- from the records of a trace to streams: which CTAs are modelled, and the
 * coalescer's rules. */
#include "cachemodel/stream_internal.h"
#include "memsys/coalesce.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>
#include <stdio.h>

#define COALESCED 128 /* bytes: the largest granularity that memsys/coalesce.h knows */
/* Local memory is interleaved by thread: a word of all lanes of a warp is one row of 128 bytes. Each warp's
 * rows are at a place of their own, above all of device memory, and begin five lines further in the order of
 * the sets than those of the warp before. */
#define LOCAL_BASE   (UINT64_C(1) << 50)
#define LOCAL_STRIDE ((UINT64_C(1) << 26) + 5 * COALESCED)

struct stream_source {
	struct trace_reader *reader;
	struct stream_options options;
	struct trace_record *record;
	bool has_record; /* of the next launch */
	char error[192];
	/* of the launch under way */
	uint64_t *threads; /* by core */
	uint64_t cta;      /* that the last access was of; is_modelled: where */
	bool has_cta;
	struct stream_cta *modelled; /* NULL: it is not */
};

struct stream_source *stream_source_new(struct trace_reader *reader, const struct stream_options *options)
{
	struct stream_source *source = xcalloc(1, sizeof(*source));

	source->reader = reader;
	source->options = *options;
	source->record = xcalloc(1, sizeof(*source->record));
	source->threads = xcalloc(options->cores ? options->cores : 1, sizeof(*source->threads));
	return source;
}

void stream_source_free(struct stream_source *source)
{
	free(source->record);
	free(source->threads);
	free(source);
}

/* -- which CTAs -- */

static uint32_t warps_of(const struct trace_launch *l)
{
	uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];

	return (uint32_t)((threads + TRACE_LANES - 1) / TRACE_LANES);
}

static bool is_cta_wanted(struct stream_source *source, const struct stream *s, uint64_t cta)
{
	const struct stream_options *o = &source->options;
	bool all = !o->modelled || o->modelled >= o->cores;
	uint32_t core = all ? 0 : (uint32_t)(cta % o->cores);
	uint64_t limit = all ? o->threads * o->cores : o->threads;

	if (!all && core >= o->modelled)
		return false;
	if (limit && source->threads[core] && source->threads[core] + s->cta_threads > limit)
		return false;
	source->threads[core] += s->cta_threads;
	return true;
}

static struct stream_cta *find_cta(const struct stream *s, uint64_t number)
{
	size_t low = 0, high = s->cta_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->ctas[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->cta_count && s->ctas[low].number == number ? &s->ctas[low] : NULL;
}

/* CTAs come in the order of their numbers where a trace is ours; in others one may come again. */
static struct stream_cta *cta_of(struct stream_source *source, struct stream *s, uint64_t number)
{
	if (source->has_cta && source->cta == number)
		return source->modelled;
	source->cta = number;
	source->has_cta = true;
	source->modelled = find_cta(s, number);
	if (!source->modelled && is_cta_wanted(source, s, number))
		source->modelled = stream_add_cta_in_order(s, number);
	return source->modelled;
}

/* -- coalescing -- */

static void local_rows(const struct stream *s, const struct trace_access *a, uint32_t word, addr *out)
{
	addr base = LOCAL_BASE + (a->cta * s->cta_warps + a->warp) * LOCAL_STRIDE + (addr)word * COALESCED;

	for (uint32_t lane = 0; lane < TRACE_LANES; lane++)
		out[lane] = base + a->address[lane] / 4 * COALESCED + lane * 4 + a->address[lane] % 4;
}

static bool is_line_listed(const uint64_t *numbers, uint32_t count, uint64_t number)
{
	for (uint32_t i = 0; i < count; i++)
		if (numbers[i] == number)
			return true;
	return false;
}

/* Lines of the modelled size, each once for an instruction unless the coalescer asks for it twice; of local
 * memory, for the word of each lane `word` words on. */
static uint32_t lines_of_access(const struct stream_source *source, const struct stream *s,
	const struct trace_access *a, uint32_t word, uint64_t *numbers)
{
	struct line_request found[MAX_LINE_REQUESTS];
	addr local[TRACE_LANES];
	bool is_local = a->space == TRACE_LOCAL;
	const addr *address = is_local ? local : a->address;
	uint32_t bytes = is_local && a->bytes > 4 ? 4 : a->bytes, count, kept = 0;
	uint32_t granularity = s->line_bytes < COALESCED ? s->line_bytes : COALESCED;

	if (is_local)
		local_rows(s, a, word, local);
	count = (bytes > 4 && source->options.parts ? coalesce_parts : coalesce)(
		address, a->mask, bytes, granularity, false, found);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t number = found[i].line / s->line_bytes;

		if (s->line_bytes <= COALESCED || !is_line_listed(numbers, kept, number))
			numbers[kept++] = number;
	}
	return kept;
}

static void add_access(struct stream_source *source, struct stream *s, const struct trace_access *a)
{
	bool is_local_store = a->kind == TRACE_STORE && a->space == TRACE_LOCAL;
	uint32_t words = a->space == TRACE_LOCAL ? (a->bytes + 3) / 4 : 1;
	struct stream_cta *cta;

	if (a->uncached || (a->kind != TRACE_LOAD && !is_local_store))
		return;
	cta = cta_of(source, s, a->cta);
	if (!cta)
		return;
	stream_saw_pc(s, a->pc, a->line);
	for (uint32_t word = 0; word < words; word++) {
		uint64_t numbers[MAX_LINE_REQUESTS];
		uint32_t count = lines_of_access(source, s, a, word, numbers);

		for (uint32_t i = 0; i < count; i++)
			stream_push(s, &cta->warps[a->warp],
				(struct stream_request){ .line = stream_place(s, s->table, numbers[i]),
					.pc = a->pc & 0x1fffffff,
					.is_last = word + 1 == words && i + 1 == count,
					.is_store = is_local_store });
	}
}

/* -- launches -- */

static struct stream *begin_stream(struct stream_source *source)
{
	const struct trace_launch *l = &source->record->launch;
	struct stream *s = stream_new(source->options.line_bytes, 0, warps_of(l));

	s->launch = *l;
	s->cta_threads = l->block[0] * l->block[1] * l->block[2];
	memset(source->threads, 0, (source->options.cores ? source->options.cores : 1) * sizeof(uint64_t));
	source->has_cta = false;
	return s;
}

#define MAX_CTA_THREADS 1024       /* of all compute capabilities so far */
#define MAX_PC          (1u << 22) /* micro-operations of a kernel */
#define MAX_BYTES       32         /* of a lane: a vector of four 64-bit elements */

static bool is_source_possible(struct stream_source *source)
{
	const struct trace_launch *l = &source->record->launch;
	double threads = (double)l->block[0] * l->block[1] * l->block[2];
	double ctas = (double)l->grid[0] * l->grid[1] * l->grid[2];

	if (threads >= 1 && threads <= MAX_CTA_THREADS && ctas >= 1)
		return true;
	snprintf(source->error, sizeof(source->error),
		"launch %" PRIu64 " has CTAs of %.0f threads and a grid of %.0f CTAs",
		source->record->counts.launches, threads, ctas);
	return false;
}

static bool is_in_launch(struct stream_source *source, const struct stream *s, const struct trace_access *a)
{
	const uint32_t *grid = s->launch.grid;

	if ((double)a->cta < (double)grid[0] * grid[1] * grid[2] && a->warp < s->cta_warps &&
		a->pc < MAX_PC && a->bytes <= MAX_BYTES)
		return true;
	snprintf(source->error, sizeof(source->error),
		"access %" PRIu64 " is of CTA %" PRIu64
		", warp %u, micro-operation %u and %u bytes, which launch %" PRIu64 " cannot have",
		source->record->counts.accesses, a->cta, a->warp, a->pc, a->bytes,
		source->record->counts.launches);
	return false;
}

const char *stream_source_error(const struct stream_source *source)
{
	return *source->error ? source->error : trace_reader_error(source->reader);
}

struct stream *stream_next(struct stream_source *source)
{
	struct trace_record *r = source->record;
	struct stream *s;

	if (!source->has_record)
		source->has_record = trace_read(source->reader, r);
	if (!source->has_record || r->type != TRACE_LAUNCH || !is_source_possible(source))
		return NULL;
	s = begin_stream(source);
	while ((source->has_record = trace_read(source->reader, r)) && r->type != TRACE_LAUNCH)
		if (r->type == TRACE_ACCESS) {
			if (!is_in_launch(source, s, &r->access)) {
				stream_free(s);
				return NULL;
			}
			add_access(source, s, &r->access);
		}
	s->skipped_ctas = (uint64_t)s->launch.grid[0] * s->launch.grid[1] * s->launch.grid[2] - s->cta_count;
	return s;
}
