/* core/sample/counters.c -- see counters.h. */
#include "core/sample/counters.h"
#include "core/chip/chip.h"
#include "sim/base/xalloc.h"

struct counters {
	uint32_t *number; /* of the next part */
	struct stat_vector last, now;
	struct stat_part beginning[COUNTERS_BEGINNING]; /* its last stretches, in turn */
	uint32_t stretches;
	struct stat_part unit;  /* since the last one ended */
	struct stat_part ended; /* the unit that ended last, which stands for `weight` units */
	double weight;          /* 0: none has ended */
	struct stat_part warming;
	struct stat_parts parts;
};

/* ---- a kernel ---- */

static void take_counters(struct chip *chip, struct stat_vector *v)
{
	chip->account(chip);
	stat_vector_take(v, chip->stat_tree);
}

struct counters *counters_new(struct chip *chip, uint32_t *number)
{
	struct counters *c = xcalloc(1, sizeof(*c));

	c->number = number;
	take_counters(chip, &c->last);
	return c;
}

void counters_free(struct counters *c)
{
	if (!c)
		return;
	for (int i = 0; i < COUNTERS_BEGINNING; i++)
		stat_part_free(&c->beginning[i]);
	stat_vector_free(&c->last);
	stat_vector_free(&c->now);
	stat_part_free(&c->unit);
	stat_part_free(&c->ended);
	stat_part_free(&c->warming);
	stat_parts_free(&c->parts);
	free(c);
}

void counters_cut(struct counters *c, struct chip *chip, enum counters_stretch stretch, uint64_t warps)
{
	struct stat_part *to = stretch == STRETCH_WARMING ? &c->warming
		: stretch == STRETCH_MEASURED             ? &c->unit
							  : &c->beginning[c->stretches % COUNTERS_BEGINNING];
	struct stat_vector old = c->last;

	if (stretch == STRETCH_BEGINNING) {
		stat_part_clear(to);
		c->stretches++;
	}
	take_counters(chip, &c->now);
	stat_part_add(to, &c->last, &c->now, (double)warps);
	c->last = c->now;
	c->now = old;
}

/* The unit that ended last stands for no more than it does now. */
static void weigh_unit(struct counters *c)
{
	if (c->weight > 0)
		stat_parts_add(&c->parts, &c->ended, c->weight, (*c->number)++);
	c->weight = 0;
}

void counters_unit_ends(struct counters *c, uint32_t beginning, double weight)
{
	struct stat_part old = c->ended;

	weigh_unit(c);
	if (beginning > c->stretches)
		beginning = c->stretches;
	for (uint32_t i = 1; i <= beginning && i <= COUNTERS_BEGINNING; i++)
		stat_part_join(&c->unit, &c->beginning[(c->stretches - i) % COUNTERS_BEGINNING]);
	c->ended = c->unit;
	c->weight = weight;
	c->unit = old;
	stat_part_clear(&c->unit);
}

void counters_skip(struct counters *c, struct chip *chip, double weight)
{
	c->weight = weight;
	take_counters(chip, &c->last);
}

void counters_weigh(struct counters *c, double weight)
{
	if (c->weight > 0)
		c->weight = weight;
}

void counters_estimate(struct counters *c, uint64_t skipped, struct stat_estimate *to)
{
	weigh_unit(c);
	if (!skipped)
		return;
	stat_estimate_add(to, &c->parts, (double)skipped + c->warming.size);
	stat_estimate_take_off(to, &c->warming);
}

/* ---- launches ---- */

void counters_run_free(struct counters_run *c)
{
	stat_vector_free(&c->began);
	stat_vector_free(&c->now);
	stat_part_free(&c->launch);
	stat_estimate_free(&c->estimate);
}

void counters_launch_begins(struct counters_run *c, const struct chip *chip)
{
	stat_vector_take(&c->began, chip->stat_tree);
}

void counters_launch_ended(struct counters_run *c, struct chip *chip, struct counters *of_kernel,
	uint64_t skipped, uint64_t warps)
{
	struct stat_estimate own = { 0 };

	stat_vector_take(&c->now, chip->stat_tree);
	stat_part_clear(&c->launch);
	stat_part_add(&c->launch, &c->began, &c->now, (double)warps);
	if (of_kernel)
		counters_estimate(of_kernel, skipped, &own);
	own.all.size = 0; /* warps has it */
	stat_part_join(&c->launch, &own.all);
	stat_estimate_join(&c->estimate, &own);
	stat_estimate_free(&own);
}

bool counters_are_estimated(const struct counters_run *c)
{
	return c->estimate.used;
}
