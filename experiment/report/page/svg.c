/* experiment/report/page/svg.c -- gnuplot's SVG into a page: without its head, with ids of its own, lighter.
 */
#include "experiment/report/internal.h"
#include "sim/base/xalloc.h"

/* What a page does not need, or has from its style sheet: left out. */
static const char *const superfluous[] = {
	" stroke-width=\"1.00\"",
	" stroke-linecap=\"butt\"",
	" stroke-linejoin=\"miter\"",
	" font-family=\"DejaVu Sans\"",
	" id=\"gnuplot_canvas\"",
	" shape-rendering='crispEdges'",
	"<title>Gnuplot</title>\n",
	"\t",
	NULL,
};
/* Ids are told apart by a prefix. */
static const char *const named[] = { "id='", "href='#", "id=\"gnuplot_plot_", NULL };

/* The length of <g ...></g> with nothing in it; 0 if there is something. */
static size_t empty_group(const char *at)
{
	const char *end;

	if (strncmp(at, "<g fill=\"none\"", 14) != 0)
		return 0;
	end = strchr(at, '>');
	return end && !strncmp(end, ">\n</g>\n", 7) ? (size_t)(end + 7 - at) : 0;
}

/* An element with what is in it that is left out: the maker's name, what a plot without a title is called. */
static size_t element_left_out(const char *at)
{
	const char *end = NULL;

	if (!strncmp(at, "<desc>", 6))
		end = strstr(at, "</desc>");
	else if (!strncmp(at, "<title>gnuplot_plot_", 20))
		return (end = strstr(at, "</title>")) ? (size_t)(end + 8 - at) : 0;
	return end ? (size_t)(end + 7 - at) : 0;
}

static size_t starts_with_one_of(const char *at, const char *const *words)
{
	for (; *words; words++)
		if (!strncmp(at, *words, strlen(*words)))
			return strlen(*words);
	return 0;
}

/* Over the drawing, without colour: what each part of it is. The script makes a tooltip of the text. */
static void fields(const struct canvas *c, FILE *to)
{
	if (!c->field_count)
		return;
	fprintf(to, "<g class=\"fields\" data-line=\"%zu\">", c->fields_a_line ? c->fields_a_line : 1);
	for (size_t i = 0; i < c->field_count; i++) {
		const struct canvas_field *f = &c->fields[i];

		fprintf(to, "\n<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"", f->box.left,
			f->box.top, f->box.right - f->box.left, f->box.bottom - f->box.top);
		if (f->point)
			fprintf(to, " data-p=\"%s\"", f->point);
		fputs("><title>", to);
		print_xml(to, f->text);
		fputs("</title></rect>", to);
	}
	fputs("</g>\n", to);
}

static void body(const char *at, const struct canvas *c, bool has_marks, FILE *to)
{
	static const char first_letters[] = "<\t\n ih"; /* of all that is looked for below */
	const char *prefix = c->name;
	size_t length;

	while (*at) {
		length = strcspn(at, first_letters);
		fwrite(at, 1, length, to);
		at += length;
		if (!strncmp(at, "</svg>", 6))
			fields(c, to);
		if (!has_marks && !strncmp(at, "<defs>", 6) && strstr(at, "</defs>")) {
			at = strstr(at, "</defs>") + 7;
		} else if ((length = empty_group(at)) || (length = element_left_out(at)) ||
			(length = starts_with_one_of(at, superfluous))) {
			at += length;
		} else if ((length = starts_with_one_of(at, named))) {
			fprintf(to, "%.*s%s-", (int)length, at, prefix);
			at += length;
		} else if (*at == '\n' && at[1] == '\n') {
			at++;
		} else if (*at) {
			fputc(*at++, to);
		}
	}
}

/* A number of the head, as in width="600". */
static int head_number(const char *svg, const char *name)
{
	const char *at = strstr(svg, name);

	return at ? atoi(at + strlen(name)) : 0;
}

void html_svg(const char *svg, const struct canvas *canvas, FILE *to)
{
	const char *head = strstr(svg, "<svg"), *rest = head ? strchr(head, '>') : NULL,
		   *defs = strstr(svg, "</defs>");

	if (!rest)
		return;
	fprintf(to,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
		"role=\"group\" width=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\" aria-label=\"",
		head_number(head, "width=\""), head_number(head, "height=\""), head_number(head, "width=\""),
		head_number(head, "height=\""));
	print_xml(to, canvas->alt);
	fputs("\">", to);
	body(rest + 1, canvas, defs && strstr(defs, "href='#"), to);
}
