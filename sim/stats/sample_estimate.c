/* sim/stats/sample_estimate.c -- the statistics of sampling. (The library under a program does without GSL,
 * so that its programs may use their own.) */
#include "sim/stats/sample_estimate.h"
#include "sim/base/student.h"
#include "sim/base/xalloc.h"
#include <math.h>

double sample_student(uint32_t degrees)
{
	return student_95(degrees);
}

double sample_half_width(const struct sample_estimate *e)
{
	return sqrt((double)e->squares);
}

void sample_estimate_add(struct sample_estimate *to, const struct sample_estimate *more)
{
	double half = sample_half_width(to) + sample_half_width(more);

	to->kernels += more->kernels;
	to->sampled_kernels += more->sampled_kernels;
	to->repeated_kernels += more->repeated_kernels;
	to->units += more->units;
	to->skipped_ctas += more->skipped_ctas;
	to->timed_warps += more->timed_warps;
	to->skipped_warps += more->skipped_warps;
	to->threads += more->threads;
	to->cycles += more->cycles;
	to->squares = (uint64_t)(half * half + 0.5);
}

struct sample_ratio sample_ratio_of(const struct sample_chunk *chunk, uint32_t count)
{
	double time = 0, warps = 0, squares = 0, own = 0, parts = 0;
	struct sample_ratio r = { 0 };

	for (uint32_t i = 0; i < count; i++) {
		time += chunk[i].weight * chunk[i].cycles;
		warps += chunk[i].weight * chunk[i].warps;
		own += chunk[i].warps;
		parts += chunk[i].weight * chunk[i].warps * chunk[i].weight * chunk[i].warps;
	}
	if (warps <= 0)
		return r;
	r.effective = warps * warps / parts;
	r.cycles_per_warp = time / warps;
	for (uint32_t i = 0; i < count; i++) {
		double rest = chunk[i].weight * (chunk[i].cycles - r.cycles_per_warp * chunk[i].warps);

		squares += rest * rest;
	}
	if (count < 2)
		return r;
	squares *= (double)count / (count - 1);
	r.degrees = count - 1;
	r.deviation = sqrt(squares) / warps;
	r.warps = own / count;
	r.spread = time > 0 ? sqrt(squares * count) / time : 0;
	return r;
}

double sample_pooled(double variance, uint32_t degrees, double mean)
{
	double prior = SAMPLE_PRIOR * mean;

	return (SAMPLE_PRIOR_DEGREES * prior * prior + degrees * variance) / (SAMPLE_PRIOR_DEGREES + degrees);
}

struct sample_ratio sample_ratio_pooled(const struct sample_ratio *ratio)
{
	struct sample_ratio r = *ratio;

	r.spread = sqrt(sample_pooled(r.spread * r.spread, r.degrees, 1));
	r.deviation = sqrt(
		sample_pooled(r.deviation * r.deviation, r.degrees, r.cycles_per_warp / sqrt(r.effective)));
	r.degrees += SAMPLE_PRIOR_DEGREES;
	return r;
}

double sample_deviation(const struct sample_ratio *r, double warps)
{
	double mean = r->deviation * warps, own = r->spread * r->cycles_per_warp;

	return sqrt(mean * mean + warps * r->warps * own * own);
}

struct sample_ratio sample_ratio_of_units(const struct sample_unit *unit, uint32_t count)
{
	struct sample_chunk *whole = xcalloc(count ? count : 1, sizeof(*whole));
	struct sample_ratio r;

	for (uint32_t i = 0; i < count; i++)
		whole[i] = (struct sample_chunk){ unit[i].half[0].cycles + unit[i].half[1].cycles,
			unit[i].half[0].warps + unit[i].half[1].warps, unit[i].weight };
	r = sample_ratio_of(whole, count);
	free(whole);
	return r;
}

double sample_drift(const struct sample_unit *unit, uint32_t count)
{
	double sum = 0, squares = 0, mean, own;

	if (count < 2)
		return 0;
	for (uint32_t i = 0; i < count; i++) {
		double by = unit[i].half[1].cycles / unit[i].half[1].warps -
			unit[i].half[0].cycles / unit[i].half[0].warps;

		sum += by;
		squares += by * by;
	}
	mean = sum / count;
	own = (squares / count - mean * mean) / (count - 1);
	return mean * mean > own ? sqrt(mean * mean - own) : 0;
}

/* A slope that is as likely to be off proportional by a half as launches to be off the line by SAMPLE_PRIOR.
 */
#define SLOPE_PRIOR (2 * SAMPLE_PRIOR)

static double slope_prior(const struct sample_line *l)
{
	return SLOPE_PRIOR * l->warps * SLOPE_PRIOR * l->warps;
}

struct sample_line sample_line_of(const struct sample_chunk *chunk, uint32_t count)
{
	struct sample_line l = { .count = count };
	double product = 0, squares = 0, prior;

	for (uint32_t i = 0; i < count; i++) {
		l.warps += chunk[i].warps / count;
		l.cycles += chunk[i].cycles / count;
	}
	for (uint32_t i = 0; i < count; i++) {
		double dx = chunk[i].warps - l.warps;

		l.extent += dx * dx;
		product += dx * (chunk[i].cycles - l.cycles);
	}
	prior = slope_prior(&l);
	l.degrees = count < 2 ? 0 : count - (l.extent > prior && count > 2 ? 2 : 1);
	if (l.warps > 0)
		l.slope = (product + prior * l.cycles / l.warps) / (l.extent + prior);
	l.extent += prior;
	for (uint32_t i = 0; i < count; i++) {
		double rest = chunk[i].cycles - sample_line_at(&l, chunk[i].warps);

		squares += rest * rest;
	}
	l.scatter = l.degrees ? sqrt(squares / l.degrees) : 0;
	return l;
}

void sample_line_weights(const struct sample_chunk *chunk, uint32_t count, double warps, double *weights)
{
	struct sample_line l = sample_line_of(chunk, count);
	double dx = warps - l.warps, own = l.warps > 0 ? slope_prior(&l) / (l.warps * count) : 0;

	for (uint32_t i = 0; i < count; i++)
		weights[i] =
			1.0 / count + (l.extent > 0 ? dx * (chunk[i].warps - l.warps + own) / l.extent : 0);
}

struct sample_line sample_line_pooled(const struct sample_chunk *chunk, uint32_t count)
{
	struct sample_line l = sample_line_of(chunk, count);

	l.scatter = sqrt(sample_pooled(l.scatter * l.scatter, l.degrees, l.cycles));
	l.degrees += SAMPLE_PRIOR_DEGREES;
	return l;
}

double sample_line_at(const struct sample_line *l, double warps)
{
	return l->cycles + l->slope * (warps - l->warps);
}

double sample_line_deviation(const struct sample_line *l, double warps)
{
	double dx = warps - l->warps;

	return l->scatter * sqrt(1.0 / l->count + (l->extent > 0 ? dx * dx / l->extent : 0));
}

static double quotient(const struct sample_unit *u)
{
	return (u->half[0].cycles + u->half[1].cycles) / (u->half[0].warps + u->half[1].warps);
}

/* Relative difference. */
static double differ(double a, double b)
{
	return 2 * (b - a) / (a + b);
}

/* By which second halves are longer than first ones on average, relative, beyond chance. */
static double local_drift(const struct sample_unit *unit, uint32_t count)
{
	double sum = 0, squares = 0, mean, own;
	uint32_t n = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct sample_part *h = unit[i].half;
		double by;

		if (!unit[i].continues || h[0].warps <= 0 || h[1].warps <= 0)
			continue;
		by = differ(h[0].cycles / h[0].warps, h[1].cycles / h[1].warps);
		sum += by;
		squares += by * by;
		n++;
	}
	if (n < 2)
		return 0;
	mean = sum / n;
	own = (squares / n - mean * mean) / (n - 1);
	return mean * mean > own ? sqrt(mean * mean - own) : 0;
}

struct sample_local sample_local_of(const struct sample_unit *unit, uint32_t count)
{
	struct sample_local l = { 0 };
	double squares = 0, chance = 0, drift = local_drift(unit, count);

	for (uint32_t i = 1; i < count; i++) {
		double d = unit[i].continues ? differ(quotient(&unit[i - 1]), quotient(&unit[i])) : 0;

		squares += d * d / 2;
		l.pairs += unit[i].continues;
	}
	l.deviation = l.pairs ? sqrt(squares / l.pairs) : 0;
	for (uint32_t i = 0; i < count; i++) {
		double own = unit[i].half[0].cycles + unit[i].half[1].cycles, more = unit[i].weight - 1;

		l.cycles += more * own;
		chance += (more * more + more) * own * own;
	}
	l.half = sample_student(l.pairs) * l.deviation * sqrt(chance);
	l.half = sqrt(l.half * l.half + drift * drift * l.cycles * l.cycles);
	return l;
}
