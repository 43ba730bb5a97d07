/* cli/correlate/print.c -- tables, distributions, drawings. */
#include "cli/correlate/print.h"
#include "experiment/report/text.h"
#include "sim/text/csv.h"
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define NAMED_FROM 0.25 /* marks that are further off than a quarter have a name */

void correlate_print_table(const struct pairs *p, enum metric m, FILE *to)
{
	fprintf(to, "%-40s %8s %16s %16s %9s\n", metric_names[m], p->are_sums ? "launches" : "launch", "card",
		"simulated", "error");
	for (size_t i = 0; i < p->count; i++)
		if (!isnan(pair_error(&p->list[i], m)))
			fprintf(to, "%-40s %8u %16.0f %16.0f %+7.1f %%\n", p->list[i].kernel,
				p->list[i].launch, p->list[i].card[m], p->list[i].ours[m],
				pair_error(&p->list[i], m));
}

void correlate_print_csv_head(FILE *to)
{
	fputs("kernel,launch,metric,unit,card,simulated,error_percent\n", to);
}

void correlate_print_csv(const struct pairs *p, enum metric m, FILE *to)
{
	for (size_t i = 0; i < p->count; i++) {
		if (isnan(pair_error(&p->list[i], m)))
			continue;
		csv_put(to, p->list[i].kernel);
		fprintf(to, ",%u,%s,%s,%.17g,%.17g,%.6g\n", p->list[i].launch, metric_names[m],
			metric_units[m], p->list[i].card[m], p->list[i].ours[m], pair_error(&p->list[i], m));
	}
}

void correlate_print_spread(const struct spread *s, bool are_sums, enum metric m, FILE *to)
{
	const char *what = are_sums ? "kernel" : "launch",
		   *plural = s->count == 1 ? ""
		: are_sums                 ? "s"
					   : "es";

	fprintf(to,
		"\n%s: %zu %s%s, mean error %.1f %%, median error %.1f %%, 90th percentile %.1f %%, worst "
		"%.1f "
		"%% "
		"(%s), mean with its sign %+.1f %%",
		metric_names[m], s->count, what, plural, s->mean, s->median, s->percentile_90, s->worst,
		s->worst_pair->kernel, s->bias);
	if (!isnan(s->correlation))
		fprintf(to, ", correlation of the logarithms %.3f", s->correlation);
	fputs("\nerrors in order, %:", to);
	for (size_t i = 0; i < s->count; i++)
		fprintf(to, " %.1f", s->sorted[i]);
	putc('\n', to);
}

/* ---- the drawing ---- */

static void put_point(const struct pair *pair, enum metric m, FILE *to)
{
	char name[41];

	snprintf(name, sizeof(name), "%s", pair->kernel);
	fprintf(to, "%.17g %.17g ", pair->card[m], pair->ours[m]);
	print_data(to, name);
	putc('\n', to);
}

static void put_points(const struct pairs *p, enum metric m, FILE *to)
{
	for (size_t i = 0; i < p->count; i++)
		if (!isnan(pair_error(&p->list[i], m)) && p->list[i].ours[m] > 0)
			put_point(&p->list[i], m, to);
}

static void put_script(const struct pairs *p, enum metric m, const char *path, FILE *to)
{
	fputs("$points << END_OF_POINTS\n", to);
	put_points(p, m, to);
	fputs("END_OF_POINTS\nset terminal svg size 760,720 font 'sans,12' noenhanced\nset output ", to);
	print_gnuplot(to, path);
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
		metric_names[m], metric_units[m], NAMED_FROM);
}

bool correlate_draw(const struct pairs *p, enum metric m, const char *path, struct diag_list *diags)
{
	FILE *to;
	int status = -1;

	signal(SIGPIPE, SIG_IGN); /* a gnuplot that ends early is told of below */
	to = popen("gnuplot", "w");
	if (to) {
		put_script(p, m, path, to);
		status = pclose(to);
	}
	if (status == 0)
		return true;
	diag_error(diags, NULL, "%s cannot be drawn: %s", path,
		!to ? strerror(errno) : "gnuplot (package gnuplot-nox) is not there, or failed");
	return false;
}
