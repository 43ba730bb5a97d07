/* cli/correlate/print.c -- tables, distributions, drawings. */
#include "cli/correlate/print.h"
#include "sim/base/csv.h"
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define NAMED_FROM 0.25 /* marks that are further off than a quarter have a name */

void correlate_print_table(const struct pairs *p, enum figure f, FILE *to)
{
	fprintf(to, "%-40s %8s %16s %16s %9s\n", figure_names[f], p->are_sums ? "launches" : "launch", "card",
		"simulated", "error");
	for (size_t i = 0; i < p->count; i++)
		if (!isnan(pair_error(&p->list[i], f)))
			fprintf(to, "%-40s %8u %16.0f %16.0f %+7.1f %%\n", p->list[i].kernel,
				p->list[i].launch, p->list[i].card[f], p->list[i].ours[f],
				pair_error(&p->list[i], f));
}

void correlate_print_csv_head(FILE *to)
{
	fputs("kernel,launch,figure,unit,card,simulated,error_percent\n", to);
}

void correlate_print_csv(const struct pairs *p, enum figure f, FILE *to)
{
	for (size_t i = 0; i < p->count; i++) {
		if (isnan(pair_error(&p->list[i], f)))
			continue;
		csv_put(to, p->list[i].kernel);
		fprintf(to, ",%u,%s,%s,%.17g,%.17g,%.6g\n", p->list[i].launch, figure_names[f],
			figure_units[f], p->list[i].card[f], p->list[i].ours[f], pair_error(&p->list[i], f));
	}
}

void correlate_print_spread(const struct spread *s, enum figure f, FILE *to)
{
	fprintf(to,
		"\n%s: %zu %s, mean error %.1f %%, median error %.1f %%, 90th percentile %.1f %%, worst %.1f "
		"%% "
		"(%s), mean with its sign %+.1f %%",
		figure_names[f], s->count, s->count == 1 ? "figure" : "figures", s->mean, s->median,
		s->ninth_decile, s->worst, s->worst_pair->kernel, s->bias);
	if (!isnan(s->correlation))
		fprintf(to, ", correlation of the logarithms %.3f", s->correlation);
	fputs("\nerrors in order, %:", to);
	for (size_t i = 0; i < s->count; i++)
		fprintf(to, " %.1f", s->sorted[i]);
	putc('\n', to);
}

/* ---- the drawing ---- */

/* In single quotes, as gnuplot reads it. */
static void put_quoted(const char *text, FILE *to)
{
	putc('\'', to);
	for (; *text; text++)
		fputs(*text == '\'' ? "''" : (char[2]){ *text, '\0' }, to);
	putc('\'', to);
}

static void put_points(const struct pairs *p, enum figure f, FILE *to)
{
	for (size_t i = 0; i < p->count; i++)
		if (!isnan(pair_error(&p->list[i], f)) && p->list[i].ours[f] > 0)
			fprintf(to, "%.17g %.17g \"%.40s\"\n", p->list[i].card[f], p->list[i].ours[f],
				p->list[i].kernel);
}

static void put_script(const struct pairs *p, enum figure f, const char *path, FILE *to)
{
	fputs("$points << END_OF_POINTS\n", to);
	put_points(p, f, to);
	fputs("END_OF_POINTS\nset terminal svg size 760,720 font 'sans,12' noenhanced\nset output ", to);
	put_quoted(path, to);
	fprintf(to,
		"\nset logscale xy\nset format xy '%%g'\nset xlabel 'card: %s, %s'\nset ylabel 'simulated'\n"
		"set key top left\nset grid lc rgb '#dddddd'\nstats $points using 1 nooutput\n"
		"set xrange [STATS_min / 2 : STATS_max * 2]\nset yrange [STATS_min / 2 : STATS_max * 2]\n"
		"plot x w l lc rgb '#000000' t 'equal', \\\n"
		"1.1 * x w l lc rgb '#4477aa' t '10 %%', x / 1.1 w l lc rgb '#4477aa' notitle, \\\n"
		"1.25 * x w l dt 2 lc rgb '#cc6677' t '25 %%', x / 1.25 w l dt 2 lc rgb '#cc6677' notitle, "
		"\\\n"
		"$points using 1:2 w p pt 7 ps 0.7 lc rgb '#117733' notitle, \\\n"
		"$points using 1:2:(abs($2 / $1 - 1) > %g ? strcol(3) : '') w labels offset 1,0 left font "
		"',9' notitle\n",
		figure_names[f], figure_units[f], NAMED_FROM);
}

bool correlate_draw(const struct pairs *p, enum figure f, const char *path, struct diag_list *diags)
{
	FILE *to;
	int status = -1;

	signal(SIGPIPE, SIG_IGN); /* a gnuplot that ends early is told of below */
	to = popen("gnuplot", "w");
	if (to) {
		put_script(p, f, path, to);
		status = pclose(to);
	}
	if (status == 0)
		return true;
	diag_error(diags, NULL, "%s cannot be drawn: %s", path,
		!to ? strerror(errno) : "gnuplot is not there, or failed");
	return false;
}
