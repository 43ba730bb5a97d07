/* experiment/report/table.c -- tables, for programs and for papers. */
#include "experiment/report/table.h"
#include "sim/text/csv.h"
#include <math.h>

#define ROWS_OF_A_PAGE 45

struct report_table *table_new(struct keeper *k, const char *name, size_t columns, size_t rows)
{
	struct report_table *t = keep_alloc(k, sizeof(*t));

	t->name = name;
	t->columns = columns;
	t->rows = rows;
	t->heads = keep_alloc(k, columns * sizeof(*t->heads));
	t->cells = keep_alloc(k, columns * rows * sizeof(*t->cells));
	for (size_t i = 0; i < columns * rows; i++)
		t->cells[i].number = NAN;
	return t;
}

void table_head(struct report_table *t, size_t column, const char *text, const char *unit, bool is_text)
{
	t->heads[column] = (struct report_column_head){ .text = text, .unit = unit, .is_text = is_text };
}

void table_text(struct report_table *t, size_t row, size_t column, const char *text, const char *link)
{
	t->cells[row * t->columns + column] = (struct report_cell){ text, NAN, link };
}

void table_number(struct report_table *t, size_t row, size_t column, double number, const char *link)
{
	t->cells[row * t->columns + column] = (struct report_cell){ NULL, number, link };
}

/* -- CSV -- */

void table_csv(const struct report_table *t, struct keeper *k, FILE *to)
{
	for (size_t c = 0; c < t->columns; c++) {
		const struct report_column_head *h = &t->heads[c];

		fputs(c ? "," : "", to);
		csv_put(to, h->unit && *h->unit ? keep_print(k, "%s (%s)", h->text, h->unit) : h->text);
	}
	fputc('\n', to);
	for (size_t i = 0; i < t->rows * t->columns; i++) {
		const struct report_cell *cell = &t->cells[i];

		fputs(i % t->columns ? "," : "", to);
		csv_put(to, cell->text ? cell->text : number_exact(k, cell->number));
		if (i % t->columns == t->columns - 1)
			fputc('\n', to);
	}
}

/* -- LaTeX -- */

static void latex_heads(const struct report_table *t, FILE *to)
{
	for (size_t c = 0; c < t->columns; c++) {
		fputs(c ? " & " : "", to);
		print_latex(to, t->heads[c].text);
		if (t->heads[c].unit && *t->heads[c].unit) {
			fputs(" (", to);
			print_latex(to, t->heads[c].unit);
			fputc(')', to);
		}
	}
	fputs(" \\\\\n", to);
}

void table_latex(const struct report_table *t, struct keeper *k, FILE *to)
{
	const char *kind = t->rows > ROWS_OF_A_PAGE ? "longtable" : "tabular";

	fprintf(to, "%% needs \\usepackage{booktabs%s}\n%% ", t->rows > ROWS_OF_A_PAGE ? ",longtable" : "");
	print_latex(to, t->caption ? t->caption : t->name);
	fprintf(to, "\n\\begin{%s}{", kind);
	for (size_t c = 0; c < t->columns; c++)
		fputc(t->heads[c].is_text ? 'l' : 'r', to);
	fputs("}\n\\toprule\n", to);
	latex_heads(t, to);
	fprintf(to, "\\midrule\n%s", t->rows > ROWS_OF_A_PAGE ? "\\endhead\n" : "");
	for (size_t i = 0; i < t->rows * t->columns; i++) {
		const struct report_cell *cell = &t->cells[i];

		if (t->feet && i == (t->rows - t->feet) * t->columns)
			fputs("\\midrule\n", to);
		fputs(i % t->columns ? " & " : "", to);
		if (cell->text || !isnan(cell->number))
			print_latex(to, cell->text ? cell->text : number_short(k, cell->number));
		else
			fputs(t->heads[i % t->columns].is_text ? "" : "--", to);
		if (i % t->columns == t->columns - 1)
			fputs(" \\\\\n", to);
	}
	fprintf(to, "\\bottomrule\n\\end{%s}\n", kind);
}

/* -- a terminal -- */

static const char *text_cell(const struct report_table *t, struct keeper *k, size_t i)
{
	const struct report_cell *c = &t->cells[i];

	if (c->text || !isnan(c->number))
		return c->text ? c->text : number_short(k, c->number);
	return t->heads[i % t->columns].is_text ? "" : "-";
}

static const char *text_head(const struct report_table *t, struct keeper *k, size_t c)
{
	const struct report_column_head *h = &t->heads[c];

	return h->unit && *h->unit ? keep_print(k, "%s (%s)", h->text, h->unit) : h->text;
}

/* Characters of UTF-8. */
static size_t letters(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += (*text & 0xc0) != 0x80;
	return n;
}

static void print_padded(
	const struct report_table *t, size_t column, const char *text, size_t width, FILE *to)
{
	size_t blanks = width - letters(text);
	bool is_text = t->heads[column].is_text, is_last = column == t->columns - 1;

	fprintf(to, "%s%*s%s%*s", column ? "  " : "", is_text ? 0 : (int)blanks, "", text,
		is_text && !is_last ? (int)blanks : 0, "");
	if (is_last)
		fputc('\n', to);
}

void table_print(const struct report_table *t, struct keeper *k, FILE *to)
{
	size_t *widths = keep_alloc(k, (t->columns + 1) * sizeof(*widths));

	for (size_t c = 0; c < t->columns; c++)
		widths[c] = letters(text_head(t, k, c));
	for (size_t i = 0; i < t->rows * t->columns; i++) {
		size_t width = letters(text_cell(t, k, i));

		widths[i % t->columns] = width > widths[i % t->columns] ? width : widths[i % t->columns];
	}
	for (size_t c = 0; c < t->columns; c++)
		print_padded(t, c, text_head(t, k, c), widths[c], to);
	for (size_t i = 0; i < t->rows * t->columns; i++)
		print_padded(t, i % t->columns, text_cell(t, k, i), widths[i % t->columns], to);
}

/* -- Markdown -- */

void table_markdown(const struct report_table *t, struct keeper *k, FILE *to)
{
	for (size_t c = 0; c < t->columns; c++) {
		fputs(c ? " | " : "| ", to);
		print_markdown(to, text_head(t, k, c));
	}
	fputs(" |\n", to);
	for (size_t c = 0; c < t->columns; c++)
		fputs(t->heads[c].is_text ? "|---" : "|---:", to);
	fputs("|\n", to);
	for (size_t i = 0; i < t->rows * t->columns; i++) {
		fputs(i % t->columns ? " | " : "| ", to);
		print_markdown(to, text_cell(t, k, i));
		if (i % t->columns == t->columns - 1)
			fputs(" |\n", to);
	}
}
