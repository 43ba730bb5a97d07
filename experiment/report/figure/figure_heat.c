/* experiment/report/figure/figure_heat.c -- a heat map: workloads down, configurations across, values in the
 * cells. Ratios have a palette that goes apart from 1, by their logarithm; other values one from dark to
 * light. */
#include "experiment/report/figure/figure.h"
#include "sim/base/xalloc.h"
#include <math.h>

#define ROW       18.0
#define MOST_CELL 96.0
#define BAR       260.0 /* of the palette's key */

/* RdBu of ColorBrewer (Brewer et al.), red below 1; viridis (Smith, van der Walt): told apart by the
 * colour-blind. */
static const uint32_t diverging[] = { 0xb2182b, 0xef8a62, 0xfddbc7, 0xf7f7f7, 0xd1e5f0, 0x67a9cf, 0x2166ac };
static const uint32_t sequential[] = { 0x440154, 0x443983, 0x31688e, 0x21918c, 0x35b779, 0x90d743, 0xfde725 };
#define COLOURS 7

struct heat {
	struct figure *figure;
	const struct report_value *value;
	bool logarithmic;
	double low, high; /* of the palette, on its scale */
	bool is_cut;      /* values beyond it */
	double cell, left, top, right, bottom;
	struct canvas *canvas;
};

static double scaled_shade(const struct heat *h, double value)
{
	return h->logarithmic ? log2(value) : value;
}

static int ascending_levels(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* The scaled values, sorted; malloc'ed. */
static double *sorted_values(const struct heat *h, size_t *n)
{
	const struct figure_spec *s = h->figure->spec;
	double *values = xcalloc(s->row_count * s->column_count + 1, sizeof(*values));

	*n = 0;
	for (size_t i = 0; i < s->row_count; i++)
		for (size_t c = 0; c < s->column_count; c++) {
			double value = scaled_shade(h,
				h->value->cells[s->rows[i] * h->figure->data->column_count + s->columns[c]]);

			if (isfinite(value))
				values[(*n)++] = value;
		}
	qsort(values, *n, sizeof(*values), ascending_levels);
	return values;
}

/* From 1, by the logarithm: nine of ten sorted values are at most so far away. */
static double usual_distance(const double *sorted, size_t n)
{
	double *away = xcalloc(n, sizeof(*away)), usual;

	for (size_t i = 0; i < n; i++)
		away[i] = fabs(sorted[i]);
	qsort(away, n, sizeof(*away), ascending_levels);
	usual = n ? away[n * 9 / 10] : 0;
	free(away);
	return usual;
}

/* From the 2nd to the 98th percentile where the extremes are far beyond; as far on both sides of 1 for
 * ratios, and not far beyond what most values are. */
static void choose_range(struct heat *h)
{
	size_t n, cut;
	double *v;

	h->logarithmic = h->value->is_ratio;
	v = sorted_values(h, &n);
	if (!h->value->is_ratio && n && v[0] > 0 && v[n - 1] / v[0] > 100) {
		free(v);
		h->logarithmic = true;
		v = sorted_values(h, &n);
	}
	cut = n / 50;
	h->low = n ? v[0] : 0;
	h->high = n ? v[n - 1] : 1;
	if (n > 20 && v[n - 1] - v[0] > 1.6 * (v[n - 1 - cut] - v[cut]) && v[n - 1 - cut] > v[cut]) {
		h->low = v[cut];
		h->high = v[n - 1 - cut];
	}
	if (h->value->is_ratio) {
		h->high = fmin(n ? fmax(fabs(v[0]), fabs(v[n - 1])) : 0,
			fmax(1.5 * usual_distance(v, n), log2(1.1)));
		h->high = fmax(h->high, log2(1.02));
		h->low = -h->high;
	}
	h->high = h->high > h->low ? h->high : h->low + 1;
	h->is_cut = n && (v[0] < h->low - 1e-12 || v[n - 1] > h->high + 1e-12);
	free(v);
}

/* Black or white, whichever is read better on the value's colour. */
static const char *ink(const struct heat *h, double value)
{
	const uint32_t *colours = h->value->is_ratio ? diverging : sequential;
	double at = (fmin(fmax(scaled_shade(h, value), h->low), h->high) - h->low) / (h->high - h->low) *
		(COLOURS - 1),
	       light;
	size_t i = at >= COLOURS - 1 ? COLOURS - 2 : (size_t)at;
	double share = at - (double)i, part[3];

	for (int p = 0; p < 3; p++)
		part[p] = (1 - share) * (double)(colours[i] >> (16 - 8 * p) & 255) +
			share * (double)(colours[i + 1] >> (16 - 8 * p) & 255);
	light = 0.299 * part[0] + 0.587 * part[1] + 0.114 * part[2];
	return light > 128 ? "0x000000" : "0xffffff";
}

/* Column, row, scaled value, its text, the text's colour; a block for the cells without a value behind it. */
static void write_heat_data(const struct heat *h, double size)
{
	const struct figure_spec *s = h->figure->spec;
	FILE *to = h->canvas->data.stream;

	fputs("# column row scaled value ink\n", to);
	for (int missing = 0; missing < 2; missing++) {
		for (size_t i = 0; i < s->row_count; i++)
			for (size_t c = 0; c < s->column_count; c++) {
				double value = h->value->cells[s->rows[i] * h->figure->data->column_count +
					s->columns[c]];
				double at = scaled_shade(h, value);

				if (isnan(value) != missing)
					continue;
				at = isnan(at) || at < h->low ? h->low : at > h->high ? h->high : at;
				if (missing)
					fprintf(to, "%zu %zu\n", c, i);
				else
					fprintf(to, "%zu %zu %.6g %s %s\n", c, i, at,
						text_width("0.000", size) > h->cell - 4
							? "-"
							: number_short(&h->figure->data->keeper, value),
						ink(h, value));
			}
		fputs(missing ? "-1 -1\n" : "\n\n# missing\n", to);
	}
}

/* Round values along the palette's key. */
static void write_key_tics(const struct heat *h, FILE *to)
{
	const char *separator = "";

	fputs("set cbtics (", to);
	for (int i = 0; i <= 4; i++) {
		double at = h->low + (h->high - h->low) * i / 4;
		double value = h->logarithmic ? exp2(at) : at;

		fprintf(to, "%s'%s%.3g' %.6g", separator,
			!h->is_cut       ? ""
				: i == 0 ? "≤ "
				: i == 4 ? "≥ "
					 : "",
			value, at);
		separator = ", ";
	}
	fputs(") scale 0.4\n", to);
}

static void write_heat_plot(const struct heat *h, bool with_values)
{
	const struct figure_spec *s = h->figure->spec;
	const uint32_t *colours = h->value->is_ratio ? diverging : sequential;
	FILE *to = h->canvas->script.stream;

	fputs("set palette defined (", to);
	for (int i = 0; i < COLOURS; i++)
		fprintf(to, "%s%d '#%06x'", i ? ", " : "", i, colours[i]);
	fprintf(to,
		")\nset cbrange [%.6g:%.6g]\nset colorbox horizontal user origin screen %.5f,%.5f size "
		"screen %.5f,%.5f\n",
		h->low, h->high, h->left / h->canvas->width, 1 - 18 / h->canvas->height,
		BAR / h->canvas->width, 10 / h->canvas->height);
	write_key_tics(h, to);
	fprintf(to,
		"unset xtics\nunset ytics\nset xrange [-0.5:%zu.5]\nset yrange [%zu.5:-0.5]\nset style fill "
		"solid 1 noborder\n",
		s->column_count - 1, s->row_count - 1);
	fprintf(to,
		"data = '%s.dat'\nplot data index 0 using 1:2:($1 - 0.48):($1 + 0.48):($2 - 0.46):($2 + "
		"0.46):3 with boxxyerror fillcolor palette title '%s', \\\n",
		h->canvas->name, h->value->name);
	fputs("\tdata index 1 using 1:2:($1 - 0.48):($1 + 0.48):($2 - 0.46):($2 + 0.46) with boxxyerror "
	      "fillcolor '#e4e4e4' title 'no value', \\\n",
		to);
	fputs("\tdata index 1 using 1:2:('–') with labels font sprintf(',%.2f', 10 * px) "
	      "textcolor '#777777' notitle",
		to);
	if (with_values)
		fputs(", \\\n\tdata index 0 using 1:2:(stringcolumn(4)):5 with labels font sprintf(',%.2f', "
		      "10 * px) textcolor rgb variable notitle",
			to);
	fputc('\n', to);
}

static void label_cells(const struct heat *h, bool turned)
{
	const struct figure *f = h->figure;
	const struct figure_spec *s = f->spec;

	for (size_t c = 0; c < s->column_count; c++)
		canvas_label(h->canvas, h->left + ((double)c + 0.5) * h->cell - (turned ? 4 : 0), h->top - 10,
			turned ? ANCHOR_LEFT : ANCHOR_CENTRE, SMALL_SIZE, turned ? 45 : 0, NULL,
			f->data->columns[s->columns[c]].label);
	for (size_t i = 0; i < s->row_count; i++) {
		double y = h->top + ((double)i + 0.5) * ROW;

		canvas_label(h->canvas, h->left - 6, y, ANCHOR_RIGHT, SMALL_SIZE, 0, NULL,
			figure_row_name(f, s->rows[i]));
		if (i && strcmp(f->data->rows[s->rows[i]].suite, f->data->rows[s->rows[i - 1]].suite) != 0)
			canvas_line(h->canvas, h->left - 6, y - ROW / 2, h->right, y - ROW / 2, "#444444");
	}
}

static void add_heat_fields(const struct heat *h)
{
	const struct figure *f = h->figure;
	const struct figure_spec *s = f->spec;

	h->canvas->fields_a_line = s->column_count;
	for (size_t i = 0; i < s->row_count; i++)
		for (size_t c = 0; c < s->column_count; c++) {
			double x = h->left + h->cell * (double)c, y = h->top + ROW * (double)i;

			figure_point_field(f, h->canvas, (struct canvas_box){ x, y, x + h->cell, y + ROW },
				s->rows[i], s->columns[c],
				figure_exact(f, h->value,
					h->value->cells[s->rows[i] * f->data->column_count + s->columns[c]]));
		}
}

static void draw_map(struct heat *h)
{
	struct figure *f = h->figure;
	const struct figure_spec *s = f->spec;
	double widest_row = 0, widest_column = 0, key = 48;
	bool turned;

	for (size_t i = 0; i < s->row_count; i++)
		widest_row = fmax(widest_row, text_width(figure_row_name(f, s->rows[i]), SMALL_SIZE));
	for (size_t c = 0; c < s->column_count; c++)
		widest_column =
			fmax(widest_column, text_width(f->data->columns[s->columns[c]].label, SMALL_SIZE));
	h->left = widest_row + 14;
	h->cell = fmin(
		(CANVAS_WIDTH - h->left - 12) / (double)s->column_count, fmax(MOST_CELL, widest_column + 10));
	turned = widest_column > h->cell - 6;
	if (turned)
		h->cell = fmin(h->cell,
			(CANVAS_WIDTH - h->left - 12 - widest_column * 0.71) / (double)s->column_count);
	h->right = h->left + h->cell * (double)s->column_count;
	h->top = key + (turned ? 12 + widest_column * 0.71 : 22);
	h->bottom = h->top + ROW * (double)s->row_count;
	h->canvas = canvas_new(&f->data->keeper, s->name,
		fmax(h->right + 12 + (turned ? widest_column * 0.71 : 0), h->left + BAR + 340),
		h->bottom + 8);
	h->canvas->alt = keep_print(&f->data->keeper,
		"Heat map: %s, %zu %ss down, %zu configurations across; the table below has the "
		"numbers",
		figure_axis(f, h->value), s->row_count, figure_row_word(f), s->column_count);
	canvas_label(h->canvas, h->left + BAR + 24, 13, ANCHOR_LEFT, SMALL_SIZE, 0, NULL,
		text_fit(&f->data->keeper, figure_axis(f, h->value), SMALL_SIZE, 310));
	label_cells(h, turned);
	canvas_area(h->canvas, h->left, h->top, h->right, h->bottom);
	write_heat_data(h, 10);
	write_heat_plot(h, text_width("0.000", 10) <= h->cell - 4);
	add_heat_fields(h);
	figure_add_panel(f, h->canvas);
}

static bool heat_draw(struct figure *f, struct diag_list *diags)
{
	struct heat h = { .figure = f,
		.value = report_value_get(
			f->data, f->spec->values[0], f->spec->normalise, &f->spec->location, diags) };
	struct keeper *k = &f->data->keeper;

	if (!h.value)
		return false;
	if (figure_has_values(f, h.value->cells)) {
		choose_range(&h);
		draw_map(&h);
	}
	f->title = f->spec->title ? f->spec->title
				  : keep_print(k, "%s, point by point", figure_axis(f, h.value));
	f->caption = keep_print(k, "%s %s%s Grey cells have no value.%s", figure_value_text(f, h.value),
		h.value->is_ratio ? "Blue is above 1, red below; equal steps of colour are equal ratios."
			: h.logarithmic ? "Equal steps of colour are equal ratios."
					: "Equal steps of colour are equal differences.",
		h.is_cut
			? " Colours end at the values at the ends of the key; the cells say what goes beyond."
			: "",
		f->spec->selection);
	figure_add_table(f, figure_value_table(f, h.value));
	return true;
}

const struct figure_kind figure_heat = {
	.name = "heat",
	.help = "a map of workloads by configurations, coloured by value",
	.least_values = 1,
	.most_values = 1,
	.draw = heat_draw,
};
