/* experiment/report/figure/canvas.h -- a drawing for gnuplot, laid out in pixels: where texts, legends and
 * axes stand is decided here, from measured texts, so that nothing overlaps; gnuplot draws. x goes right and
 * y down from the upper left corner. */
#ifndef EXPERIMENT_REPORT_FIGURE_CANVAS_H
#define EXPERIMENT_REPORT_FIGURE_CANVAS_H

#include "experiment/report/text.h"

#define CANVAS_WIDTH 1180.0 /* of a whole figure: a laptop's page */
#define TEXT_SIZE    12.0   /* pixels */
#define SMALL_SIZE   11.0

/* Pixels of a drawing. */
struct canvas_box {
	double left, top, right, bottom;
};

/* A part of a drawing of which the page says what it is. */
struct canvas_field {
	struct canvas_box box;
	const char *point; /* the anchor of its point; NULL: it is no point's */
	const char *text;  /* what it shows, with the exact value */
};

struct canvas {
	const char *name; /* of its files, without their endings */
	const char *alt;  /* what a reader who does not see it should know */
	double width, height;
	struct text script, data;
	const char *script_text, *data_text; /* once it is finished */
	struct canvas_field *fields;         /* in lines, as they are read */
	size_t field_count;
	size_t fields_a_line;
};

enum anchor { ANCHOR_LEFT, ANCHOR_CENTRE, ANCHOR_RIGHT };

struct canvas *canvas_new(struct keeper *keeper, const char *name, double width, double height);
void canvas_finish(struct canvas *canvas, struct keeper *keeper);

/* y: the middle of the letters; turn: degrees against the clock around the anchor. */
void canvas_label(struct canvas *canvas, double x, double y, enum anchor anchor, double size, int turn,
	const char *colour, const char *text);
void canvas_box(struct canvas *canvas, double left, double top, double right, double bottom,
	const char *fill); /* behind all */
void canvas_line(
	struct canvas *canvas, double x1, double y1, double x2, double y2, const char *colour); /* in
												   front
												 */
/* A field on the page, behind the others of its line; gnuplot does not see it. */
void canvas_field(struct canvas *canvas, struct keeper *keeper, struct canvas_box box, const char *point,
	const char *text);
/* The plot's frame for the commands that follow. */
void canvas_area(struct canvas *canvas, double left, double top, double right, double bottom);

struct legend_entry {
	const char *label, *colour;
	unsigned mark; /* gnuplot's type of points; 0: a box of the colour */
};
/* Lines of entries over the width, as many as they need; the height in pixels. With canvas NULL only
 * measured. */
double canvas_legend(struct canvas *canvas, double left, double top, double width,
	const struct legend_entry *entries, size_t count);

/* A colour for each of count configurations or classes, told apart by the colour-blind and in print (Okabe
 * and Ito 2008): eight hues, then lighter and darker ones. tints: so many neighbours share a hue (1: none
 * do). */
const char *canvas_colour(struct keeper *keeper, size_t i, size_t tints);

/* Ranges for axes. */
double nice_step(double range, unsigned steps); /* 1, 2 or 5 times a power of ten: at most so many of them */

#endif
