/* experiment/report/page/html.c -- the page: one file of HTML that is XML too, with its style and script in
 * it. */
#include "experiment/report/internal.h"
#include <math.h>
#include <string.h>

static const unsigned char style[] = {
#include "report_page_css.h" /* page.css, a byte and a comma each */
	0
};
static const unsigned char script[] = {
#include "report_page_js.h" /* page.js and the other scripts, in the order of the Makefile */
	0
};

static void html_element(FILE *to, const char *tag, const char *text)
{
	fprintf(to, "<%s>", tag);
	print_xml(to, text);
	fprintf(to, "</%.*s>\n", (int)strcspn(tag, " "), tag);
}

/* -- head -- */

static void state_notice(const struct report_data *d, struct keeper *k, FILE *to)
{
	if (d->open)
		html_element(to, "p class=\"notice\"",
			keep_print(k,
				"This sweep is not finished: %zu of %zu points have not run yet. Where they "
				"belong there is no value.",
				d->open, d->point_count));
	if (d->failed) {
		fputs("<p class=\"notice\">", to);
		print_xml(to,
			keep_print(k, "%zu of %zu points failed and have no value: ", d->failed,
				d->point_count));
		fputs("<a href=\"#failures\">which and why</a>.</p>\n", to);
	}
}

static const char *plural(struct keeper *k, size_t n, const char *word)
{
	return keep_print(k, "%zu %s%s", n, word, n == 1 ? "" : "s");
}

static void page_head(const struct report *r, FILE *to)
{
	const struct report_data *d = r->data;
	struct keeper *k = &r->data->keeper;

	fputs("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta "
	      "charset=\"utf-8\"/>\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n",
		to);
	html_element(to, "title", keep_print(k, "%s: a sweep of Lockstep", d->name));
	fprintf(to, "<style>\n%s</style>\n</head>\n<body>\n<header>\n", style);
	html_element(to, "h1", d->name);
	html_element(to, "p",
		keep_print(k, "%s of %s in %s%s; %zu done, %zu failed, %zu not run.%s",
			plural(k, d->point_count, "point"), plural(k, d->program_count, "workload"),
			plural(k, d->column_count, "configuration"),
			d->seeds > 1 ? keep_print(k, " with %zu seeds", d->seeds) : "", d->done, d->failed,
			d->open,
			d->baseline_label ? keep_print(k, " The baseline is %s.", d->baseline_label) : ""));
	state_notice(d, k, to);
	fputs("</header>\n", to);
}

static void contents(const struct report *r, FILE *to)
{
	fputs("<nav aria-label=\"Contents\"><ol>\n<li><a href=\"#summary\">Summary</a></li>\n", to);
	for (size_t i = 0; i < r->figure_count; i++) {
		fprintf(to, "<li><a href=\"#f%s\">", r->figures[i].spec->name);
		print_xml(to, r->figures[i].title);
		fputs("</a></li>\n", to);
	}
	if (r->failures)
		fputs("<li><a href=\"#failures\">Failures</a></li>\n", to);
	fputs("<li><a href=\"#points\">Where each number comes from</a></li>\n<li><a "
	      "href=\"#configurations\">Configurations</a></li>\n"
	      "<li><a href=\"#file\">The sweep file</a></li>\n</ol></nav>\n<main>\n",
		to);
}

/* -- summary -- */

static void files_line(const struct report_table *t, FILE *to)
{
	fprintf(to, "<p class=\"files\">Table: <a href=\"tables/%s.csv\">CSV</a>", t->name);
	if (!t->pages_only)
		fprintf(to, ", <a href=\"tables/%s.tex\">LaTeX</a>", t->name);
	fputs("</p>\n", to);
}

static void factors(const struct report_data *d, FILE *to)
{
	if (!d->factor_count)
		return;
	fputs("<div class=\"scroll\"><table><thead><tr><th scope=\"col\" class=\"t\">factor</th><th "
	      "scope=\"col\" class=\"t\">level</th>"
	      "<th scope=\"col\" class=\"t\">what it sets</th></tr></thead><tbody>\n",
		to);
	for (size_t f = 0; f < d->factor_count; f++)
		for (size_t l = 0; l < d->factors[f].count; l++) {
			fputs("<tr><th scope=\"row\" class=\"t\">", to);
			print_xml(to, l ? "" : d->factors[f].name);
			fputs("</th><td class=\"t\">", to);
			print_xml(to, d->factors[f].levels[l]);
			fputs("</td><td class=\"t\"><code>", to);
			print_xml(to, *d->factors[f].changes[l] ? d->factors[f].changes[l] : "–");
			fputs("</code></td></tr>\n", to);
		}
	fputs("</tbody></table></div>\n", to);
}

static void summary(const struct report *r, FILE *to)
{
	fputs("<section id=\"summary\"><h2>Summary</h2>\n", to);
	html_table(r->means, &r->data->keeper, "summary", to);
	html_element(to, "p",
		r->means_leave_out ? "Means are over the workloads that have a value in every "
				     "configuration that has any, so that they compare."
				   : "Means are over all workloads.");
	files_line(r->means, to);
	factors(r->data, to);
	fputs("</section>\n", to);
}

/* -- figures -- */

static void figure_files(const struct figure *f, FILE *to)
{
	static const char *const endings[] = { "svg", "png", "gp", "dat" };

	fputs("<p class=\"files\">", to);
	for (size_t p = 0; p < f->panel_count; p++) {
		fprintf(to, "%s", p ? "; " : "Files: ");
		print_xml(to, f->panels[p]->name);
		for (size_t e = 0; e < 4; e++)
			fprintf(to, " <a href=\"figures/%s.%s\">%s</a>", f->panels[p]->name, endings[e],
				endings[e]);
	}
	for (size_t t = 0; t < f->table_count; t++)
		fprintf(to, "%stable <a href=\"tables/%s.csv\">CSV</a> <a href=\"tables/%s.tex\">LaTeX</a>",
			f->panel_count ? "; " : "Files: ", f->tables[t]->name, f->tables[t]->name);
	fputs("</p>\n", to);
}

static void figure(const struct report *r, const struct figure *f, size_t *svg, FILE *to)
{
	struct keeper *k = &r->data->keeper;

	fprintf(to, "<figure id=\"f%s\">\n", f->spec->name);
	html_element(to, "h3", f->title);
	for (size_t p = 0; p < f->panel_count; p++) {
		fputs("<div class=\"scroll drawing\">", to);
		html_svg(r->svg[(*svg)++], f->panels[p], to);
		fputs("</div>\n", to);
	}
	html_element(to, "figcaption", f->caption);
	for (size_t t = 0; t < f->table_count; t++) {
		bool folded = f->panel_count > 0 || f->tables[t]->rows > 200;

		if (folded)
			fprintf(to, "<details><summary>The numbers (%zu lines)</summary>\n",
				f->tables[t]->rows);
		html_table(f->tables[t], k, "", to);
		if (folded)
			fputs("</details>\n", to);
	}
	figure_files(f, to);
	fputs("</figure>\n", to);
}

/* -- where numbers come from -- */

/* What is the same for all points is said once. */
static void said_once(const struct report *r, size_t column, const char *words, FILE *to)
{
	const struct report_table *t = r->points;

	if (!t->heads[column].off_page || !t->cells[column].text || !*t->cells[column].text)
		return;
	fputs(words, to);
	fputs("<code>", to);
	print_xml(to, t->cells[column].text);
	fputs("</code>. ", to);
}

static void builds(const struct report *r, FILE *to)
{
	fputs("<p>", to);
	said_once(r, 9, "All points were run by lockstep ", to);
	said_once(r, 8, "They ran on the host ", to);
	fputs("Host, seconds and attempts are of a point's last run; they differ from run to run, the "
	      "numbers above do not.</p>\n",
		to);
}

static void points(const struct report *r, FILE *to)
{
	if (r->failures) {
		fputs("<section id=\"failures\"><h2>Failures</h2>\n", to);
		html_table(r->failures, &r->data->keeper, "failures", to);
		files_line(r->failures, to);
		fputs("</section>\n", to);
	}
	fputs("<section id=\"points\"><h2>Where each number comes from</h2>\n", to);
	builds(r, to);
	fprintf(to, "<details><summary>All points (%zu lines)</summary>\n", r->points->rows);
	html_table(r->points, &r->data->keeper, "points", to);
	fputs("</details>\n", to);
	files_line(r->points, to);
	fputs("</section>\n", to);
}

static void configurations(const struct report *r, FILE *to)
{
	fputs("<section id=\"configurations\"><h2>Configurations</h2>\n<p>", to);
	print_xml(to,
		r->data->baseline_label
			? "What each sets otherwise than the baseline, with the baseline's value in brackets."
			: "What each sets otherwise than the first, with the first one's value in brackets.");
	fputs("</p>\n", to);
	for (size_t i = 0; i < r->config_count; i++) {
		const struct report_config *c = &r->configs[i];

		fprintf(to, "<details id=\"%s\"%s><summary>", c->anchor,
			c->count <= 12 ? " open=\"open\"" : "");
		print_xml(to,
			keep_print(&r->data->keeper, "%s: %s", c->columns,
				c->count ? plural(&r->data->keeper, c->count, "difference") : "none"));
		fputs("</summary><ul class=\"plain\">\n", to);
		for (size_t n = 0; n < c->count; n++) {
			fputs("<li><code>", to);
			print_xml(to, c->differences[n]);
			fputs("</code></li>\n", to);
		}
		fputs("<li>hash <code>", to);
		print_xml(to, c->hash);
		fputs("</code></li></ul></details>\n", to);
	}
	fputs("</section>\n", to);
}

char *report_page(struct report *r, struct diag_list *diags)
{
	struct text page;
	size_t svg = 0;
	bool fine;
	char *text;

	text_init(&page);
	page_head(r, page.stream);
	contents(r, page.stream);
	summary(r, page.stream);
	fputs("<section id=\"figures\"><h2>Figures</h2>\n", page.stream);
	for (size_t i = 0; i < r->figure_count; i++)
		figure(r, &r->figures[i], &svg, page.stream);
	fputs("</section>\n", page.stream);
	points(r, page.stream);
	configurations(r, page.stream);
	fputs("<section id=\"file\"><h2>The sweep file</h2>\n<details><summary>", page.stream);
	print_xml(page.stream, r->data->path);
	fputs("</summary><pre>", page.stream);
	print_xml(page.stream, r->data->text);
	fputs("</pre></details></section>\n</main>\n<footer><p class=\"files\">Made by lockstep "
	      "report " LOCKSTEP_VERSION " from the database of the sweep.</p></footer>\n",
		page.stream);
	fine = html_values(r, page.stream, diags);
	fprintf(page.stream,
		"<script>\n//<![CDATA[\n%slockstep.start();\n//]]>\n</script>\n</body>\n</html>\n", script);
	text = text_done(&page, &r->data->keeper);
	return fine ? text : NULL;
}
