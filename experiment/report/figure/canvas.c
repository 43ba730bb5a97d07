/* experiment/report/figure/canvas.c -- texts, boxes and legends at pixels, as commands for gnuplot. */
#include "experiment/report/figure/canvas.h"
#include "sim/base/xalloc.h"
#include <math.h>

static void canvas_head(const struct canvas *c, FILE *to)
{
	fprintf(to,
		"# A figure of 'lockstep report'. To draw it again: gnuplot -e \"format='svg'\" %s.gp (or "
		"png, pdf)\n"
		"if (!exists('format')) format = 'svg'\n"
		"if (format eq 'svg') set terminal svg size %.0f,%.0f font 'DejaVu Sans,%.0f' noenhanced "
		"background '#ffffff'\n"
		"if (format eq 'png') set terminal pngcairo size %.0f,%.0f font 'DejaVu Sans,%.1f' fontscale "
		"2 linewidth 2 pointscale 2 noenhanced "
		"background '#ffffff'\n"
		"if (format eq 'pdf') set terminal pdfcairo size %.3fin,%.3fin font 'DejaVu Sans,%.1f' "
		"noenhanced\n"
		"px = format eq 'svg' ? 1 : 0.75 # of a point: sizes of letters are given in pixels\n"
		"set output '%s.' . format\n"
		"set encoding utf8\n"
		"set datafile missing 'NaN'\n"
		"unset key\n"
		"set border linecolor '#444444'\n"
		"set tics nomirror scale 0.5\n",
		c->name, c->width, c->height, SMALL_SIZE, 2 * c->width, 2 * c->height, SMALL_SIZE * 0.75,
		c->width / 96, c->height / 96, SMALL_SIZE * 0.75, c->name);
}

struct canvas *canvas_new(struct keeper *k, const char *name, double width, double height)
{
	struct canvas *c = keep_alloc(k, sizeof(*c));

	c->name = name;
	c->width = ceil(width);
	c->height = ceil(height);
	text_init(&c->script);
	text_init(&c->data);
	canvas_head(c, c->script.stream);
	return c;
}

void canvas_finish(struct canvas *c, struct keeper *k)
{
	fputs("unset output\n", c->script.stream);
	c->script_text = text_done(&c->script, k);
	c->data_text = text_done(&c->data, k);
}

/* A pixel's place on gnuplot's screen. */
static double sx(const struct canvas *c, double x)
{
	return x / c->width;
}

static double sy(const struct canvas *c, double y)
{
	return 1 - y / c->height;
}

void canvas_label(struct canvas *c, double x, double y, enum anchor anchor, double size, int turn,
	const char *colour, const char *text)
{
	static const char *const anchors[] = { "left", "center", "right" };

	if (!*text)
		return;
	fputs("set label ", c->script.stream);
	print_gnuplot(c->script.stream, text);
	fprintf(c->script.stream, " at screen %.5f,%.5f %s", sx(c, x), sy(c, y), anchors[anchor]);
	if (turn)
		fprintf(c->script.stream, " rotate by %d", turn);
	if (size != SMALL_SIZE)
		fprintf(c->script.stream, " font sprintf(',%%.2f', %.0f * px)", size);
	if (colour)
		fprintf(c->script.stream, " textcolor '%s'", colour);
	fputc('\n', c->script.stream);
}

void canvas_box(struct canvas *c, double left, double top, double right, double bottom, const char *fill)
{
	fprintf(c->script.stream,
		"set object rectangle from screen %.5f,%.5f to screen %.5f,%.5f behind fillcolor '%s' "
		"fillstyle solid noborder\n",
		sx(c, left), sy(c, bottom), sx(c, right), sy(c, top), fill);
}

void canvas_line(struct canvas *c, double x1, double y1, double x2, double y2, const char *colour)
{
	fprintf(c->script.stream,
		"set arrow from screen %.5f,%.5f to screen %.5f,%.5f nohead front linecolor '%s' linewidth "
		"1\n",
		sx(c, x1), sy(c, y1), sx(c, x2), sy(c, y2), colour);
}

void canvas_field(
	struct canvas *c, struct keeper *k, struct canvas_box box, const char *point, const char *text)
{
	if (!(c->field_count & (c->field_count + 1))) { /* 1, 3, 7 ...: twice the room */
		struct canvas_field *more = keep_alloc(k, 2 * (c->field_count + 1) * sizeof(*more));

		if (c->field_count)
			memcpy(more, c->fields, c->field_count * sizeof(*more));
		c->fields = more;
	}
	c->fields[c->field_count++] = (struct canvas_field){ box, point, text };
}

void canvas_area(struct canvas *c, double left, double top, double right, double bottom)
{
	fprintf(c->script.stream,
		"set lmargin at screen %.5f\nset rmargin at screen %.5f\nset tmargin at screen %.5f\nset "
		"bmargin at screen %.5f\n",
		sx(c, left), sx(c, right), sy(c, top), sy(c, bottom));
}

#define SWATCH 12.0

static void swatch_of(struct canvas *c, double x, double y, const struct legend_entry *entry)
{
	if (!entry->mark)
		canvas_box(c, x, y - 5, x + SWATCH, y + 5, entry->colour);
	else
		fprintf(c->script.stream,
			"set label '' at screen %.5f,%.5f point pointtype %u pointsize 0.9 linecolor '%s'\n",
			sx(c, x + SWATCH / 2), sy(c, y), entry->mark, entry->colour);
}

double canvas_legend(struct canvas *c, double left, double top, double width,
	const struct legend_entry *entries, size_t count)
{
	const double swatch = SWATCH, line = 18;
	double x = left, y = top + line / 2;

	for (size_t i = 0; i < count; i++) {
		double wide = swatch + 5 + text_width(entries[i].label, SMALL_SIZE);

		if (x > left && x + wide > left + width) {
			x = left;
			y += line;
		}
		if (c) {
			swatch_of(c, x, y, &entries[i]);
			canvas_label(
				c, x + swatch + 5, y, ANCHOR_LEFT, SMALL_SIZE, 0, NULL, entries[i].label);
		}
		x += wide + 16;
	}
	return count ? y + line / 2 - top : 0;
}

/* -- colours -- */

static const uint32_t hues[8] = { 0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0xd55e00, 0x56b4e9, 0x444444,
	0xf0e442 };

/* Towards white (to 255) or black (to 0) by the share. */
static uint32_t mixed(uint32_t colour, uint32_t to, double share)
{
	uint32_t result = 0;

	for (int shift = 0; shift < 24; shift += 8) {
		double part = (double)(colour >> shift & 255);

		result |= (uint32_t)lround(part + (to - part) * share) << shift;
	}
	return result;
}

const char *canvas_colour(struct keeper *k, size_t i, size_t tints)
{
	size_t hue = tints > 1 ? i / tints % 8 : i % 8, tint = tints > 1 ? i % tints : i / 8 % 4;
	static const double shares[4] = { 0, 0.55, 0.4, 0.75 };
	uint32_t colour = mixed(hues[hue], tint == 2 ? 0 : 255, shares[tint % 4]);

	return keep_print(k, "#%06x", colour);
}

double nice_step(double range, unsigned steps)
{
	double least = range / steps, power = pow(10, floor(log10(least)));
	static const double factors[] = { 1, 2, 2.5, 5, 10 };

	for (size_t i = 0; i < 5; i++)
		if (factors[i] * power >= least * 0.999999)
			return factors[i] * power;
	return 10 * power;
}
