/* experiment/report/report.c -- the order of work: read, lay out, write, draw, put together. */
#include "experiment/report/internal.h"
#include "experiment/files.h"
#include "experiment/paths.h"
#include "experiment/report/sampled.h"
#include "experiment/report/shares.h"
#include "experiment/stop.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <unistd.h>

/* A file of the folder, "figures/x.gp"; false, with a diagnostic, if it cannot be written whole. */
static bool report_write(const struct report *r, const char *name, const char *text, struct diag_list *diags)
{
	char *hidden = file_path(r->folder, name), *path;
	FILE *to = fopen(hidden, "w");
	bool fine = to && fputs(text, to) >= 0 && !ferror(to);
	int error = errno;

	if (to && fclose(to)) {
		fine = false;
		error = errno;
	}
	free(hidden);
	if (fine)
		return true;
	path = file_path(r->options->folder, name);
	diag_error(diags, NULL, "%s cannot be written: %s", path, strerror(error));
	free(path);
	return false;
}

static void add_table(struct report *r, struct report_table *t)
{
	struct report_table **tables = keep_alloc(&r->data->keeper, (r->table_count + 1) * sizeof(*tables));

	if (r->table_count)
		memcpy(tables, r->tables, r->table_count * sizeof(*tables));
	tables[r->table_count++] = t;
	r->tables = tables;
}

static bool draw_figures(struct report *r, struct diag_list *diags)
{
	struct figure_specs specs;

	if (!figure_specs_read(r->data, r->options->values, r->options->value_count, &specs, diags))
		return false;
	r->figures = keep_alloc(&r->data->keeper, (specs.count + 1) * sizeof(*r->figures));
	for (size_t i = 0; i < specs.count; i++) {
		struct figure *f = &r->figures[r->figure_count++];

		f->spec = &specs.items[i];
		f->data = r->data;
		if (!f->spec->kind->draw(f, diags))
			return false;
		f->note = report_shares_note(r->data, f->spec->rows, f->spec->row_count, f->spec->columns,
			f->spec->column_count, !f->spec->kind->has_rows); /* rows say it themselves */
		f->note = keep_print(&r->data->keeper, "%s%s", f->note,
			report_sampled_note(r->data, f->spec->rows, f->spec->row_count, f->spec->columns,
				f->spec->column_count));
		f->caption = keep_print(&r->data->keeper, "%s%s", f->caption, f->note);
		for (size_t t = 0; t < f->table_count; t++)
			add_table(r, f->tables[t]);
	}
	return true;
}

static bool write_figures(struct report *r, struct diag_list *diags)
{
	struct keeper *k = &r->data->keeper;

	for (size_t i = 0; i < r->figure_count; i++)
		for (size_t p = 0; p < r->figures[i].panel_count; p++) {
			const struct canvas *c = r->figures[i].panels[p];

			if (!report_write(
				    r, keep_print(k, "figures/%s.gp", c->name), c->script_text, diags) ||
				(*c->data_text &&
					!report_write(r, keep_print(k, "figures/%s.dat", c->name),
						c->data_text, diags)))
				return false;
		}
	return true;
}

static bool write_tables(struct report *r, struct diag_list *diags)
{
	struct keeper *k = &r->data->keeper;

	for (size_t i = 0; i < r->table_count; i++) {
		const struct report_table *t = r->tables[i];
		struct text csv, latex;

		text_init(&csv);
		table_csv(t, k, csv.stream);
		if (!report_write(r, keep_print(k, "tables/%s.csv", t->name), text_done(&csv, k), diags))
			return false;
		if (t->pages_only)
			continue;
		text_init(&latex);
		table_latex(t, k, latex.stream);
		if (!report_write(r, keep_print(k, "tables/%s.tex", t->name), text_done(&latex, k), diags))
			return false;
	}
	return true;
}

/* A line beside a table; mark: what Markdown has before it. */
static void print_words(const struct report *r, const char *mark, const char *words)
{
	if (r->options->markdown) {
		fputs(mark, stdout);
		print_markdown(stdout, words);
	} else {
		fputs(words, stdout);
	}
	fputc('\n', stdout);
}

/* false, with a diagnostic, where there are none. */
static bool print_tables(struct report *r, struct diag_list *diags)
{
	size_t printed = 0;

	for (size_t i = 0; i < r->figure_count; i++) {
		const struct figure *f = &r->figures[i];

		if (!f->spec->kind->is_table)
			continue;
		for (size_t t = 0; t < f->table_count; t++) {
			fputs(printed++ ? "\n" : "", stdout);
			print_words(r, "### ", f->title);
			fputc('\n', stdout);
			(r->options->markdown ? table_markdown : table_print)(
				f->tables[t], &r->data->keeper, stdout);
			if (*f->note) {
				fputc('\n', stdout);
				print_words(r, "", f->note + 1);
			}
		}
	}
	if (!printed)
		diag_error(diags, NULL, "the report has no figure of the kinds table and printed to print");
	return printed;
}

/* The figures come from another file: the one that the sweep was run from has grown since, perhaps. */
static bool read_figures(struct report_data *d, const char *path, struct diag_list *diags)
{
	size_t size;
	char *text = path ? file_read(path, &size) : NULL;

	if (!path)
		return true;
	if (!text) {
		diag_error(diags, NULL, "%s cannot be read: %s", path, strerror(errno));
		return false;
	}
	if (d->document)
		document_free(d->document);
	d->document = document_parse(path, keep(&d->keeper, text), size, diags);
	return d->document;
}

static void count_printed(const struct report *r, struct printed_counts *counts)
{
	for (size_t i = 0; i < r->figure_count; i++)
		printed_counts_add(counts, &r->figures[i].printed);
}

static void take_claims(const struct report *r)
{
	for (size_t i = 0; i < r->figure_count; i++)
		for (size_t k = 0; k < r->figures[i].claim_count; k++)
			report_claims_add(r->options->claims, &r->figures[i].claims[k]);
}

/* -- the folder -- */

static const char *const parts[] = { "figures", "tables", "" };
#define PARTS (sizeof(parts) / sizeof(*parts))

static bool make_folders(const char *folder, struct diag_list *diags)
{
	bool fine = true;

	for (size_t i = 0; i < PARTS && fine; i++) {
		char *path = file_path(folder, parts[i]);

		fine = folder_make(path, diags);
		free(path);
	}
	return fine;
}

static bool move_file(const char *from, const char *to, const char *name, struct diag_list *diags)
{
	char *before = file_path(from, name), *after = file_path(to, name);
	bool fine = rename(before, after) == 0;

	if (!fine)
		diag_error(diags, NULL, "%s cannot be written: %s", after, strerror(errno));
	free(before);
	free(after);
	return fine;
}

/* The page comes last, which all others belong to. */
static bool move_files(const struct report *r, struct diag_list *diags)
{
	bool fine = make_folders(r->options->folder, diags);

	for (size_t i = 0; fine && i + 1 < PARTS; i++) {
		char *from = file_path(r->folder, parts[i]), *to = file_path(r->options->folder, parts[i]);
		size_t count;
		char **names = paths_list(from, "", &count);

		for (size_t k = 0; k < count && fine; k++)
			fine = move_file(from, to, names[k], diags);
		paths_list_free(names, count);
		free(from);
		free(to);
	}
	return fine && move_file(r->folder, r->options->folder, "index.html", diags);
}

static bool write_report_files(struct report *r, struct diag_list *diags)
{
	const char *page;

	if (!make_folders(r->folder, diags) || !write_figures(r, diags) || !write_tables(r, diags) ||
		!report_draw(r, diags))
		return false;
	page = report_page(r, diags);
	return page && report_write(r, "index.html", page, diags) && !stop_signal();
}

static bool make_files(struct report *r, struct diag_list *diags)
{
	const char *folder = r->options->folder;
	bool was_there = access(folder, F_OK) == 0, fine;

	r->folder = keep_print(&r->data->keeper, "%s/.report%d", folder, (int)getpid());
	stop_begin();
	fine = folder_make(folder, diags) && write_report_files(r, diags) && move_files(r, diags);
	folder_remove(r->folder);
	if (!fine && !was_there)
		rmdir(folder);
	r->interrupted = fine ? 0 : stop_signal();
	stop_end();
	return fine;
}

static bool make_report(struct report *r, struct diag_list *diags)
{
	if (r->options->claims) {
		bool fine = draw_figures(r, diags);

		take_claims(r);
		return fine;
	}
	if (r->options->print)
		return draw_figures(r, diags) && print_tables(r, diags);
	if (!draw_figures(r, diags) || !report_about(r, diags))
		return false;
	if (r->means)
		add_table(r, r->means);
	if (r->failures)
		add_table(r, r->failures);
	add_table(r, r->points);
	return make_files(r, diags);
}

bool report_check(
	struct store *store, const char *sweep, const struct report_before *before, struct diag_list *diags)
{
	struct report_data *d = report_data_load(store, sweep, diags);
	struct figure_specs specs;
	bool fine;

	if (!d)
		return false;
	d->before = before;
	if (!d->document || !doc_get(d->document, document_root(d->document), "report")) {
		report_data_free(d);
		return true;
	}
	fine = report_shares_load(d, diags) && report_baseline(d, NULL, diags) &&
		figure_specs_read(d, NULL, 0, &specs, diags);
	for (size_t i = 0; fine && i < specs.count; i++) {
		struct figure f = { .spec = &specs.items[i], .data = d };

		if (f.spec->kind->has_rows) /* which are read when they are drawn */
			fine = f.spec->kind->draw(&f, diags);
	}
	report_data_free(d);
	return fine;
}

bool report_make(struct store *store, const struct report_options *options, struct report_summary *summary,
	struct diag_list *diags)
{
	struct report r = { .options = options };
	bool fine;

	if (!options->print && !options->claims && !*options->folder) {
		diag_error(diags, NULL, "the report needs a folder");
		return false;
	}
	r.data = report_data_load(store, options->sweep, diags);
	if (!r.data)
		return false;
	/* the baseline is that of the derived values in the database */
	fine = report_shares_load(r.data, diags) && report_sampled_load(r.data, diags) &&
		report_baseline(r.data, options->baseline, diags) &&
		read_figures(r.data, options->figures, diags) && make_report(&r, diags);
	*summary = (struct report_summary){ r.data->point_count, r.data->done, r.data->failed, r.data->open,
		r.figure_count, r.table_count, { 0 }, r.interrupted };
	count_printed(&r, &summary->printed);
	report_data_free(r.data);
	return fine;
}
