/* cli/interactions/heat.c -- the script that gnuplot draws. */
#include "cli/interactions/heat.h"
#include "experiment/capture.h"
#include "experiment/report/text.h"
#include "sim/base/xalloc.h"
#include <math.h>
#include <unistd.h>

#define CELL    46 /* pixels */
#define MARGIN  170
#define SURE    0.05
#define SECONDS 60

struct axis { /* a row, and a column, for each level that is no baseline */
	size_t factor, level;
};

static size_t make_axis(const struct study *s, struct axis *axis)
{
	size_t n = 0;

	for (size_t f = 0; f < s->factors; f++)
		for (size_t l = 0; l < s->levels[f]; l++)
			if (l != s->baseline[f])
				axis[n++] = (struct axis){ f, l };
	return n;
}

static size_t axis_position(const struct axis *axis, size_t count, size_t factor, size_t level)
{
	size_t i = 0;

	while (i < count && (axis[i].factor != factor || axis[i].level != level))
		i++;
	return i;
}

static void print_name(FILE *to, const struct study_table *t, struct axis a)
{
	const struct report_factor *f = &t->data->factors[a.factor];

	print_gnuplot(to, keep_print(&t->data->keeper, "%s: %s", f->name, f->levels[a.level]));
}

static void print_axis(FILE *to, const struct study_table *t, const struct axis *axis, size_t n)
{
	for (int which = 0; which < 2; which++) {
		fprintf(to, "set %stics (", which ? "y" : "x");
		for (size_t i = 0; i < n; i++) {
			fputs(i ? ", " : "", to);
			print_name(to, t, axis[i]);
			fprintf(to, " %zu", i);
		}
		fprintf(to, ")%s font ',10' scale 0\n", which ? "" : " rotate by 60 right");
	}
}

/* Better is green, whichever way better is. */
static double shade(const struct study_table *t, const struct effect *x)
{
	return t->response->is_least ? -x->value : x->value;
}

/* From white to green (better) or red (worse). */
static unsigned colour(double shade)
{
	static const unsigned better[3] = { 0x1b, 0x78, 0x37 }, worse[3] = { 0xb2, 0x18, 0x2b };
	const unsigned *to = shade > 0 ? better : worse;
	double part = fmin(fabs(shade), 1);
	unsigned rgb = 0;

	for (int i = 0; i < 3; i++)
		rgb = rgb << 8 | (unsigned)(255 + part * ((double)to[i] - 255) + 0.5);
	return rgb;
}

static void print_heat_cell(FILE *to, size_t column, size_t line, double shade, bool is_sure)
{
	double x = (double)column, y = (double)line, half = is_sure ? 0.46 : 0.5;

	fprintf(to,
		"set object rectangle from %g,%g to %g,%g behind fillcolor rgb '#%06x' fillstyle solid %s\n",
		x - half, y - half, x + half, y + half, colour(shade),
		is_sure ? "border rgb 'black' linewidth 2" : "noborder");
}

static void print_cells(FILE *to, const struct study_table *t, const struct effects *e,
	const struct axis *axis, size_t n, double most)
{
	fputs("$cells << EOD\n", to);
	for (size_t i = 0; i < e->count; i++) {
		const struct effect *x = &e->items[i];
		size_t a = axis_position(axis, n, x->factor[0], x->level[0]);
		size_t b = x->is_pair ? axis_position(axis, n, x->factor[1], x->level[1]) : a;

		fprintf(to, "%zu %zu %.1f\n", a, b, study_change(t, x->value));
		if (a != b)
			fprintf(to, "%zu %zu %.1f\n", b, a, study_change(t, x->value));
	}
	fputs("EOD\n", to);
	for (size_t i = 0; i < e->count; i++) {
		const struct effect *x = &e->items[i];
		size_t a = axis_position(axis, n, x->factor[0], x->level[0]);
		size_t b = x->is_pair ? axis_position(axis, n, x->factor[1], x->level[1]) : a;

		print_heat_cell(to, a, b, shade(t, x) / most, x->adjusted < SURE);
		if (a != b)
			print_heat_cell(to, b, a, shade(t, x) / most, x->adjusted < SURE);
	}
}

static double largest_effect(const struct effects *e)
{
	double most = 1e-9;

	for (size_t i = 0; i < e->count; i++)
		most = fmax(most, e->items[i].is_pair ? fabs(e->items[i].value) : 0);
	return most;
}

static char *make_script(const struct study_table *t, const struct effects *e, const char *path)
{
	struct axis *axis = xcalloc(e->count + 1, sizeof(*axis));
	size_t n = make_axis(&t->study, axis), size;
	char *script = NULL;
	FILE *to = open_memstream(&script, &size);
	double most = largest_effect(e);

	bug_if(!to, "out of memory");
	fprintf(to,
		"set terminal svg size %zu,%zu font 'DejaVu Sans,11' noenhanced background '#ffffff'\nset "
		"output ",
		MARGIN + 90 + CELL * n, MARGIN + 60 + CELL * n);
	print_gnuplot(to, path);
	fputs("\nset title ", to);
	print_gnuplot(to,
		keep_print(&t->data->keeper, "%s: what two levels do together beyond what each does%s",
			t->response->name, t->response->is_linear ? "" : ", in %"));
	fputc('\n', to);
	print_axis(to, t, axis, n);
	print_cells(to, t, e, axis, n, most);
	fprintf(to,
		"set xrange [-0.5:%g]\nset yrange [%g:-0.5]\nunset key\n"
		"set lmargin at screen %g\nset bmargin at screen %g\n"
		"plot $cells using 1:2:3 with labels font ',9'\n",
		(double)n - 0.5, (double)n - 0.5, (double)MARGIN / (double)(MARGIN + 90 + CELL * n),
		(double)(MARGIN - 20) / (double)(MARGIN + 60 + CELL * n));
	fclose(to);
	free(axis);
	return script;
}

/* Data in a script need a file: gnuplot's -e takes none. malloc'ed; NULL: it cannot be written. */
static char *write_script(const char *script)
{
	char *path = xstrdup("/tmp/lockstep-heat-XXXXXX");
	int file = mkstemp(path);
	size_t size = strlen(script);

	if (file >= 0 && write(file, script, size) == (ssize_t)size) {
		close(file);
		return path;
	}
	if (file >= 0)
		close(file);
	free(path);
	return NULL;
}

bool draw_heat(
	const struct study_table *t, const struct effects *e, const char *path, struct diag_list *diags)
{
	char *script = make_script(t, e, path), *file = write_script(script);
	const char *const arguments[] = { "gnuplot", "-d", file, NULL };
	struct capture done = { 0 };

	if (file)
		done = capture_run(arguments, SECONDS);
	if (!file)
		diag_error(diags, NULL, "a script for gnuplot cannot be written to /tmp");
	else if (done.status == 127)
		diag_error(diags, NULL, "gnuplot, which draws the heat map, is not installed");
	else if (done.status)
		diag_error(diags, NULL, "gnuplot could not draw %s: %s", path, done.err);
	if (file)
		unlink(file);
	capture_free(&done);
	free(file);
	free(script);
	return !diags->errors;
}
