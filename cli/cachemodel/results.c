/* cli/cachemodel/results.c -- a trace through the model; launches of one kernel are added up. */
#include "cli/cachemodel/cachemodel.h"
#include "sim/base/host_clock.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>
#include <math.h>

static void add_counts(struct model_counts *to, const struct model_counts *more)
{
	for (int i = 0; i < MODEL_OUTCOMES; i++)
		to->of[i] += more->of[i];
}

static struct kernel_result *kernel_of(struct results *r, const char *name)
{
	for (size_t i = 0; i < r->count; i++)
		if (strcmp(r->kernels[i].name, name) == 0)
			return &r->kernels[i];
	r->kernels = xrealloc(r->kernels, (r->count + 1) * sizeof(*r->kernels));
	r->kernels[r->count] = (struct kernel_result){ .name = xstrdup(name),
		.variants = xcalloc(r->variant_count, sizeof(*r->kernels->variants)),
		.simulated = NAN };
	return &r->kernels[r->count++];
}

static void add_line(struct kernel_result *k, uint32_t line, const struct model_counts *counts)
{
	size_t i = 0;

	if (!model_accesses(counts))
		return;
	while (i < k->line_count && k->lines[i].line != line)
		i++;
	if (i == k->line_count) {
		k->lines = xrealloc(k->lines, (k->line_count + 1) * sizeof(*k->lines));
		k->lines[k->line_count++] = (struct ptx_line_counts){ .line = line };
	}
	add_counts(&k->lines[i].counts, counts);
}

static void add_distances(struct model_result *to, const struct model_result *r)
{
	if (r->distance_count > to->distance_count) {
		uint64_t **both[] = { &to->distances, &to->distances_in_flight };

		for (int i = 0; i < 2; i++) {
			*both[i] = xrealloc(*both[i], r->distance_count * sizeof(**both[i]));
			memset(*both[i] + to->distance_count, 0,
				(r->distance_count - to->distance_count) * sizeof(**both[i]));
		}
		to->distance_count = r->distance_count;
	}
	for (uint32_t d = 0; d < r->distance_count; d++) {
		to->distances[d] += r->distances[d];
		to->distances_in_flight[d] += r->distances_in_flight[d];
	}
	to->infinite += r->infinite;
	to->infinite_in_flight += r->infinite_in_flight;
	add_counts(&to->total, &r->total);
}

static void model_launch(struct results *r, const struct stream *s, size_t variant)
{
	struct kernel_result *k = kernel_of(r, s->launch.name);
	struct model_result result;
	double begin = host_seconds();

	model_run(s, &r->variants[variant].model, NULL, &result);
	add_counts(&k->variants[variant], &result.total);
	if (variant == 0) {
		r->model_s += host_seconds() - begin;
		r->ctas += s->cta_count;
		r->skipped_ctas += s->skipped_ctas;
		k->launches++;
		k->instructions += s->instructions;
		k->cancelled += result.cancelled;
		for (uint32_t p = 0; p < s->pc_count; p++)
			add_line(k, s->ptx_lines[p], &result.pcs[p]);
		add_distances(&k->distances, &result);
	}
	model_result_free(&result);
}

/* One reading of the trace, for all variants with this size of lines. */
static bool one_pass(struct results *r, FILE *trace, const char *name, const struct cachemodel_machine *m,
	uint32_t line_bytes)
{
	struct stream_options options = { .line_bytes = line_bytes,
		.parts = m->machine.sm.coalesce_parts,
		.cores = m->model.cores,
		.modelled = m->model.modelled_cores,
		.threads = m->model.threads };
	bool is_first = line_bytes == m->model.line_bytes;
	struct trace_reader *reader;
	struct stream_source *source;
	struct stream *s;
	const char *error;
	double begin = host_seconds();

	rewind(trace);
	reader = trace_reader_new(trace);
	source = stream_source_new(reader, &options);
	while ((s = stream_next(source))) {
		r->read_s += is_first ? host_seconds() - begin : 0;
		for (size_t v = 0; v < r->variant_count; v++)
			if (r->variants[v].is_possible && r->variants[v].model.line_bytes == line_bytes)
				model_launch(r, s, v);
		stream_free(s);
		begin = host_seconds();
	}
	error = stream_source_error(source);
	if (error)
		fprintf(stderr, "lockstep cachemodel: %s: %s\n", name, error);
	stream_source_free(source);
	trace_reader_free(reader);
	return !error;
}

static bool was_seen(const struct results *r, size_t variant)
{
	for (size_t v = 0; v < variant; v++)
		if (r->variants[v].is_possible &&
			r->variants[v].model.line_bytes == r->variants[variant].model.line_bytes)
			return true;
	return false;
}

bool cachemodel_results(struct results *r, FILE *trace, const char *name,
	const struct cachemodel_machine *machine, const struct variant *variants, size_t count)
{
	*r = (struct results){ .variants = variants, .variant_count = count };
	for (size_t v = 0; v < count; v++)
		if (variants[v].is_possible && !was_seen(r, v) &&
			!one_pass(r, trace, name, machine, variants[v].model.line_bytes))
			return false;
	if (!r->count)
		fprintf(stderr, "lockstep cachemodel: %s: no kernel was launched\n", name);
	return r->count;
}

void cachemodel_results_fini(struct results *r)
{
	for (size_t i = 0; i < r->count; i++) {
		free(r->kernels[i].name);
		free(r->kernels[i].variants);
		free(r->kernels[i].lines);
		free(r->kernels[i].distances.distances);
		free(r->kernels[i].distances.distances_in_flight);
	}
	free(r->kernels);
}

struct model_counts cachemodel_total(const struct results *r, size_t variant)
{
	struct model_counts sum = { 0 };

	for (size_t i = 0; i < r->count; i++)
		add_counts(&sum, &r->kernels[i].variants[variant]);
	return sum;
}
