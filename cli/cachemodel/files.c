/* cli/cachemodel/files.c -- the results as CSV files, and plots of them by gnuplot. */
#include "cachemodel/stack_distance.h"
#include "cli/cachemodel/cachemodel.h"
#include "experiment/files.h"
#include "experiment/process.h"
#include "experiment/report/text.h"
#include "sim/text/csv.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>
#include <math.h>
#include <unistd.h>

/* -- a file in memory, which is then written whole -- */

struct sheet {
	const char *folder, *name;
	FILE *stream;
	char *text;
	size_t size;
};

static FILE *begin_sheet(struct sheet *s, const char *folder, const char *name)
{
	*s = (struct sheet){ .folder = folder, .name = name };
	s->stream = open_memstream(&s->text, &s->size);
	bug_if(!s->stream, "out of memory");
	return s->stream;
}

static bool end_sheet(struct sheet *s, struct diag_list *diags)
{
	char *path = file_path(s->folder, s->name);
	bool fine;

	fclose(s->stream);
	fine = file_replace(path, s->text, s->size, diags);
	free(s->text);
	free(path);
	return fine;
}

/* -- CSV -- */

static void put_outcome_names(FILE *f)
{
	fputs("accesses", f);
	for (int i = 0; i < MODEL_OUTCOMES; i++)
		fprintf(f, ",%s", model_outcome_name((enum model_outcome)i));
	fputs(",miss_rate", f);
}

static void put_counts(FILE *f, const struct model_counts *c)
{
	fprintf(f, ",%" PRIu64, model_accesses(c));
	for (int i = 0; i < MODEL_OUTCOMES; i++)
		fprintf(f, ",%" PRIu64, c->of[i]);
	fprintf(f, ",%.6f", model_miss_rate(c));
}

static bool write_kernels(const struct results *r, const char *folder, struct diag_list *diags)
{
	struct sheet s;
	FILE *f = begin_sheet(&s, folder, "kernels.csv");

	fputs("kernel,launches,", f);
	put_outcome_names(f);
	fputs(",cancelled,simulated_miss_rate\n", f);
	for (size_t i = 0; i < r->count; i++) {
		const struct kernel_result *k = &r->kernels[i];

		csv_put(f, k->name);
		fprintf(f, ",%" PRIu64, k->launches);
		put_counts(f, &k->variants[0]);
		fprintf(f, ",%" PRIu64 ",", k->cancelled);
		if (!isnan(k->simulated))
			fprintf(f, "%.6f", k->simulated / 100);
		fputc('\n', f);
	}
	return end_sheet(&s, diags);
}

static bool write_lines(const struct results *r, const char *folder, struct diag_list *diags)
{
	struct sheet s;
	FILE *f = begin_sheet(&s, folder, "lines.csv");

	fputs("kernel,ptx_line,", f);
	put_outcome_names(f);
	fputc('\n', f);
	for (size_t i = 0; i < r->count; i++)
		for (size_t l = 0; l < r->kernels[i].line_count; l++) {
			csv_put(f, r->kernels[i].name);
			fprintf(f, ",%u", r->kernels[i].lines[l].line);
			put_counts(f, &r->kernels[i].lines[l].counts);
			fputc('\n', f);
		}
	return end_sheet(&s, diags);
}

static bool write_distances(const struct results *r, const char *folder, struct diag_list *diags)
{
	struct sheet s;
	FILE *f = begin_sheet(&s, folder, "distances.csv");

	fputs("kernel,distance,accesses,in_flight\n", f);
	for (size_t i = 0; i < r->count; i++) {
		const struct model_result *d = &r->kernels[i].distances;

		for (uint32_t n = 0; n < d->distance_count; n++)
			if (d->distances[n]) {
				csv_put(f, r->kernels[i].name);
				fprintf(f, ",%u,%" PRIu64 ",%" PRIu64 "\n", n, d->distances[n],
					d->distances_in_flight[n]);
			}
		if (d->infinite) {
			csv_put(f, r->kernels[i].name);
			fprintf(f, ",infinite,%" PRIu64 ",%" PRIu64 "\n", d->infinite, d->infinite_in_flight);
		}
	}
	return end_sheet(&s, diags);
}

/* Sizes from one line to the longest distance. */
static uint64_t largest_distance(const struct results *r)
{
	uint64_t lines = 1;

	for (size_t i = 0; i < r->count; i++)
		while (lines < r->kernels[i].distances.distance_count)
			lines *= 2;
	return lines;
}

static bool write_curve(
	const struct results *r, uint32_t line_bytes, const char *folder, struct diag_list *diags)
{
	struct sheet s;
	FILE *f = begin_sheet(&s, folder, "curve.csv");

	fputs("kernel,lines,bytes,miss_ratio\n", f);
	for (size_t i = 0; i < r->count; i++)
		for (uint64_t lines = 1; lines <= largest_distance(r); lines *= 2) {
			csv_put(f, r->kernels[i].name);
			fprintf(f, ",%" PRIu64 ",%" PRIu64 ",%.6f\n", lines, lines * line_bytes,
				model_miss_ratio_at(&r->kernels[i].distances, lines));
		}
	return end_sheet(&s, diags);
}

static bool write_sweep(const struct results *r, const char *folder, struct diag_list *diags)
{
	struct sheet s;
	FILE *f = begin_sheet(&s, folder, "sweep.csv");

	fputs("kernel,parameter,factor,sets,ways,line_bytes,mshrs,", f);
	put_outcome_names(f);
	fputc('\n', f);
	for (size_t i = 0; i < r->count; i++)
		for (size_t v = 0; v < r->variant_count; v++) {
			const struct variant *x = &r->variants[v];

			if (!x->is_possible)
				continue;
			csv_put(f, r->kernels[i].name);
			fprintf(f, ",%s,%g,%u,%u,%u,%u", x->parameter ? x->parameter : "configured",
				x->factor, x->model.sets, x->model.ways, x->model.line_bytes,
				x->model.mshr_limit ? x->model.mshrs : 0);
			put_counts(f, &r->kernels[i].variants[v]);
			fputc('\n', f);
		}
	return end_sheet(&s, diags);
}

/* -- plots: scripts beside the data, so that a user can draw them otherwise -- */

static void put_sheet_head(FILE *f, const char *title, const char *output)
{
	fprintf(f,
		"reset\nset terminal svg size 900,%d noenhanced font 'DejaVu Sans,12' background 'white'\n"
		"set output '%s'\nset title '%s'\nset datafile missing '?'\nset key outside right top\n",
		460, output, title);
}

static void put_curves(FILE *f, const struct results *r, uint32_t line_bytes)
{
	put_sheet_head(f, "miss ratio of a fully associative cache, in the modelled order", "curve.svg");
	fputs("set logscale x 2\nset xlabel 'size (KB)'\nset ylabel 'misses per access'\nset yrange "
	      "[0:1]\nplot ",
		f);
	for (size_t i = 0; i < r->count; i++) {
		fprintf(f, "%s'-' using 1:2 with linespoints pointtype 7 pointsize 0.4 title ",
			i ? ", " : "");
		print_gnuplot(f, r->kernels[i].name);
	}
	fputc('\n', f);
	for (size_t i = 0; i < r->count; i++) {
		for (uint64_t lines = 1; lines <= largest_distance(r); lines *= 2)
			fprintf(f, "%g %.6f\n", (double)(lines * line_bytes) / 1024,
				model_miss_ratio_at(&r->kernels[i].distances, lines));
		fputs("e\n", f);
	}
}

/* Accesses with distances of less than 2^n, from 2^(n-1) on. */
static double bucket(const struct model_result *d, unsigned n)
{
	uint64_t sum = 0, all = model_accesses(&d->total);
	uint32_t from = n ? 1u << (n - 1) : 0, to = 1u << n;

	for (uint32_t i = from; i < to && i < d->distance_count; i++)
		sum += d->distances[i];
	return all ? 100 * (double)sum / (double)all : 0;
}

static void put_histogram(FILE *f, const struct results *r)
{
	unsigned last = 0;

	while (UINT64_C(1) << last < largest_distance(r))
		last++;
	put_sheet_head(f, "reuse distances, in lines", "distances.svg");
	fputs("set style data histogram\nset style fill solid 0.8\nset boxwidth 0.9\nset ylabel '% of "
	      "accesses'\n"
	      "set xlabel 'distance: less than'\nset yrange [0:*]\nplot ",
		f);
	for (size_t i = 0; i < r->count; i++) {
		fprintf(f, "%s'-' using 2:xtic(1) title ", i ? ", " : "");
		print_gnuplot(f, r->kernels[i].name);
	}
	fputc('\n', f);
	for (size_t i = 0; i < r->count; i++) {
		const struct model_result *d = &r->kernels[i].distances;
		uint64_t all = model_accesses(&d->total);

		for (unsigned n = 0; n <= last; n++)
			fprintf(f, "%u %.4f\n", 1u << n, bucket(d, n));
		fprintf(f, "never %.4f\ne\n", all ? 100 * (double)d->infinite / (double)all : 0);
	}
}

static void put_causes(FILE *f, const struct results *r)
{
	put_sheet_head(f, "misses by cause", "causes.svg");
	fputs("set style data histogram\nset style histogram rowstacked\nset style fill solid 0.8\n"
	      "set boxwidth 0.7\nset ylabel '% of accesses'\nset yrange [0:100]\nset xtics rotate by "
	      "-30\nplot ",
		f);
	for (int o = MODEL_COMPULSORY; o < MODEL_OUTCOMES; o++)
		fprintf(f, "%s'-' using 2:xtic(1) title '%s'", o > MODEL_COMPULSORY ? ", " : "",
			model_outcome_name((enum model_outcome)o));
	fputc('\n', f);
	for (int o = MODEL_COMPULSORY; o < MODEL_OUTCOMES; o++) {
		for (size_t i = 0; i < r->count; i++) {
			const struct model_counts *c = &r->kernels[i].variants[0];
			uint64_t all = model_accesses(c);

			print_data(f, r->kernels[i].name);
			fprintf(f, " %.4f\n", all ? 100 * (double)c->of[o] / (double)all : 0);
		}
		fputs("e\n", f);
	}
}

static bool plot_sheets(const char *folder, const char *script, struct diag_list *diags)
{
	char *command = NULL, *output;

	if (asprintf(&command, "cd \"$0\" && exec gnuplot %s 2>&1", script) < 0)
		bug("out of memory");
	output = process_output((char *[]){ (char *)"/bin/sh", (char *)"-c", command, (char *)folder, NULL });
	free(command);
	if (!output)
		diag_error(diags, NULL, "gnuplot could not draw %s/%s", folder, script);
	free(output);
	return output;
}

bool write_files(const struct results *r, const struct cachemodel_machine *m, const char *folder,
	struct diag_list *diags)
{
	uint32_t line_bytes = m->model.line_bytes;
	struct sheet s;
	FILE *f;

	if (!folder_make(folder, diags) || !write_kernels(r, folder, diags) ||
		!write_lines(r, folder, diags) || !write_distances(r, folder, diags) ||
		!write_curve(r, line_bytes, folder, diags) || !write_sweep(r, folder, diags))
		return false;
	f = begin_sheet(&s, folder, "plots.gp");
	put_curves(f, r, line_bytes);
	put_histogram(f, r);
	put_causes(f, r);
	return end_sheet(&s, diags) && plot_sheets(folder, "plots.gp", diags);
}
