/* experiment/report/page/html_table.c -- a table of the page: headings that the script makes sortable, means
 * at its foot. */
#include "experiment/report/internal.h"
#include <math.h>
#include <string.h>

static const char *css_class_of(const struct report_column_head *h)
{
	return h->is_code ? " class=\"t code\"" : h->is_text ? " class=\"t\"" : "";
}

static void html_head(const struct report_table *t, FILE *to)
{
	fputs("<thead><tr>", to);
	for (size_t c = 0; c < t->columns; c++) {
		if (t->heads[c].off_page)
			continue;
		fprintf(to, "<th scope=\"col\"%s>", css_class_of(&t->heads[c]));
		print_xml(to, t->heads[c].text);
		if (t->heads[c].unit && *t->heads[c].unit) {
			fputs(" <small>(", to);
			print_xml(to, t->heads[c].unit);
			fputs(")</small>", to);
		}
		fputs("</th>", to);
	}
	fputs("</tr></thead>\n", to);
}

static void cell(const struct report_table *t, size_t row, size_t column, struct keeper *k, FILE *to)
{
	const struct report_cell *c = &t->cells[row * t->columns + column];
	const char *tag = column ? "td" : "th";

	if (t->heads[column].off_page)
		return;
	fprintf(to, "<%s%s%s", tag, column ? "" : " scope=\"row\"", css_class_of(&t->heads[column]));
	if (!c->text && strcmp(number_exact(k, c->number), number_short(k, c->number)) != 0)
		fprintf(to, " data-v=\"%s\"", number_exact(k, c->number));
	fputc('>', to);
	if (c->link)
		fprintf(to, "<a href=\"#%s\">", c->link);
	if (c->text || !isnan(c->number))
		print_xml(to, c->text ? c->text : number_short(k, c->number));
	else
		fputs("–", to);
	fprintf(to, "%s</%s>", c->link ? "</a>" : "", tag);
}

/* The rows of the table of points are what others link to. */
static void html_row(const struct report_table *t, size_t i, struct keeper *k, FILE *to)
{
	if (!strcmp(t->name, "points"))
		fprintf(to, "<tr id=\"p%s\">", number_exact(k, t->cells[i * t->columns].number));
	else
		fputs("<tr>", to);
	for (size_t c = 0; c < t->columns; c++)
		cell(t, i, c, k, to);
	fputs("</tr>\n", to);
}

void html_table(const struct report_table *t, struct keeper *k, const char *more_classes, FILE *to)
{
	size_t body = t->rows - t->feet;

	fprintf(to, "<div class=\"scroll\"><table class=\"sortable %s\">", more_classes);
	html_head(t, to);
	fputs("<tbody>\n", to);
	for (size_t i = 0; i < body; i++)
		html_row(t, i, k, to);
	fputs("</tbody>", to);
	if (t->feet) {
		fputs("<tfoot>\n", to);
		for (size_t i = body; i < t->rows; i++)
			html_row(t, i, k, to);
		fputs("</tfoot>", to);
	}
	fputs("</table></div>\n", to);
}
