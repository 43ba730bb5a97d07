/* cli/tune/curves.c -- rings of pointers through a cache.
 *
 * The points are named "L1 ring LINKS x STEP". Rings in steps of 128 bytes tell the size: up to it a link
 * costs as much as in the smallest ring. Under LRU a set that gets a line too many misses all of its lines in
 * each round, so that one line too many costs ways + 1 misses. Where the set changes with every line, k lines
 * too many cost k (ways + 1); where neighbouring lines share a set, ways + k. Which of the two it is, the
 * points say. Rings whose step is an odd number of sectors come to all sets: three fifths of the lines that
 * there would be fit if a line is so long or longer. Rings of twice the size in steps of one sector to one
 * line tell how many bytes a miss brings. */
#include "cli/tune/tune.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 128, MOST_POINTS = 128 };

struct point {
	double links, step, cycles;
};

static int compare_points(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	return x->step != y->step ? (x->step > y->step) - (x->step < y->step)
				  : (x->links > y->links) - (x->links < y->links);
}

static size_t collect_points(const struct tune_rows *rows, const char *cache, struct point *points)
{
	size_t count = 0;

	for (size_t i = 0; i < rows->count && count < MOST_POINTS; i++) {
		struct point p = { .cycles = rows->items[i].value };
		size_t length = strlen(cache);

		if (!strncmp(rows->items[i].name, cache, length) &&
			sscanf(rows->items[i].name + length, " ring %lf x %lf", &p.links, &p.step) == 2)
			points[count++] = p;
	}
	qsort(points, count, sizeof(*points), compare_points);
	return count;
}

/* Cycles with `links` at that step; NAN: there is no such point. */
static double cycles_at(const struct point *points, size_t count, double links, double step)
{
	for (size_t i = 0; i < count; i++)
		if (points[i].links == links && points[i].step == step)
			return points[i].cycles;
	return NAN;
}

/* The last ring that stays, the first that does not, and the cycles of both kinds. */
static void find_capacity(struct ring_curve *c, const struct point *points, size_t count)
{
	c->hit = INFINITY;
	for (size_t i = 0; i < count; i++)
		if (points[i].step == LINE) {
			c->hit = fmin(c->hit, points[i].cycles);
			c->miss = fmax(c->miss, points[i].cycles);
		}
	for (size_t i = 0; i < count && !c->first_miss; i++) {
		if (points[i].step != LINE)
			continue;
		if (points[i].cycles < c->hit + 0.02 * (c->miss - c->hit))
			c->lines = points[i].links;
		else
			c->first_miss = points[i].links;
	}
	if (!c->first_miss || c->miss < 1.1 * c->hit)
		c->lines = c->first_miss = 0;
}

/* Lines lost in a round of a ring. */
static double losses(const struct ring_curve *c, const struct point *p)
{
	return (p->cycles - c->hit) / (c->miss - c->hit) * p->links;
}

/* The spread of what the points say of the ways, over their mean. */
static double spread_of_ways(const double *ways, size_t count, double *mean)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < count; i++)
		sum += ways[i];
	*mean = sum / (double)count;
	for (size_t i = 0; i < count; i++)
		squares += (ways[i] - *mean) * (ways[i] - *mean);
	return count > 1 && *mean > 0 ? sqrt(squares / (double)(count - 1)) / *mean : 1;
}

/* By both hypotheses; the one by which the points agree counts. Only points where some lines stay. */
static void find_ways(struct ring_curve *c, const struct point *points, size_t count, unsigned shares)
{
	double turns[MOST_POINTS], blocks[MOST_POINTS], in_turn, in_blocks, spread_turns, spread_blocks;
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		double more = points[i].links - c->lines, lost = losses(c, &points[i]);

		if (points[i].step != LINE || more <= 0 || more > c->lines / 8 ||
			lost > 0.9 * points[i].links)
			continue;
		turns[used] = shares * lost / more - shares;
		blocks[used++] = lost - more;
	}
	if (used < 2)
		return;
	spread_turns = spread_of_ways(turns, used, &in_turn);
	spread_blocks = spread_of_ways(blocks, used, &in_blocks);
	c->points = used;
	c->ways = round(spread_turns < spread_blocks ? in_turn : in_blocks);
	c->ways_doubt = fmin(spread_turns, spread_blocks);
	c->evictions = spread_turns < spread_blocks ? in_turn / shares + 1 : in_blocks + 1;
}

/* Whether three fifths of the lines that there would be stay, at one of the steps: at most a quarter is lost.
 */
static bool fits_if(const struct ring_curve *c, const struct point *points, size_t count, double line)
{
	double links = floor(floor(c->lines * LINE / line) * 3 / 5), least = INFINITY;

	for (double step = 288; step <= 544; step += 128) {
		double here = cycles_at(points, count, links, step);

		if (!isnan(here))
			least = fmin(least, here);
	}
	return least < c->hit + 0.25 * (c->miss - c->hit);
}

static void find_line_size(struct ring_curve *c, const struct point *points, size_t count)
{
	double first, whole;

	for (double line = 32; line <= 256 && !c->line; line *= 2)
		if (fits_if(c, points, count, line))
			c->line = line;
	first = cycles_at(points, count, 2 * c->lines * 4, 32);
	whole = cycles_at(points, count, 2 * c->lines, LINE);
	if (!isnan(first) && !isnan(whole) && first > c->hit)
		c->sector = exp2(round(log2(32 * (whole - c->hit) / (first - c->hit))));
}

struct ring_curve ring_curve(const struct tune_rows *rows, const char *cache, unsigned shares)
{
	struct point points[MOST_POINTS];
	size_t count = collect_points(rows, cache, points);
	struct ring_curve c = { 0 };

	find_capacity(&c, points, count);
	if (!c.lines)
		return c;
	find_ways(&c, points, count, shares);
	find_line_size(&c, points, count);
	return c;
}
