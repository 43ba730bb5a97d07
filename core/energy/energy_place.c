/* core/energy/energy_place.c -- energy by place. */
#include "core/energy/energy_place.h"
#include "sim/base/xalloc.h"
#include <string.h>

const char *const energy_place_names[PLACE_KINDS + 1] = { "sm", "l2", "dram", "network", "chip", "board",
	NULL };

static double place_watts(const void *object)
{
	const struct energy_place *p = object;

	return (double)(int64_t)p->total / (double)p->picoseconds;
}

static const struct sim_stat place_stats[] = {
	SIM_FORMULA("watts", place_watts, "W",
		"estimated mean power of this place while a kernel was under way; of the sum: the mean "
		"of its places"),
	SIM_COUNT(struct energy_place, total, "pJ", "estimated energy that was spent here"),
	SIM_COUNT(struct energy_place, picoseconds, "ps",
		"simulated time in which a kernel was under way; of the sum: of all its places"),
	SIM_STAT_END,
};

/* ---- building ---- */

/* A counter of each object, by which they are counted. */
static const char *const counted_by[] = {
	[PLACE_SM] = "sm.warp_instructions", [PLACE_L2] = "l2.accesses", [PLACE_DRAM] = "dram.bytes"
};
static const char *const groups[] = {
	[PLACE_SM] = "sm.energy", [PLACE_L2] = "l2.energy", [PLACE_DRAM] = "dram.energy"
};
#define KINDS_OF_MANY (sizeof(groups) / sizeof(*groups))

static size_t places_of(const struct stat_tree *tree, size_t kind)
{
	struct stat_members *m = kind < KINDS_OF_MANY ? stat_members_find(tree, counted_by[kind]) : NULL;
	size_t count = m ? stat_members_count(m) : 1;

	stat_members_free(m);
	return count;
}

void energy_places_new(struct energy_places *p, struct stat_tree *tree)
{
	size_t all = 0;

	for (size_t kind = 0; kind < PLACE_KINDS; kind++) {
		p->count[kind] = places_of(tree, kind);
		p->of[kind] = xcalloc(p->count[kind], sizeof(struct energy_place));
		all += p->count[kind];
	}
	for (size_t kind = 0; kind < KINDS_OF_MANY; kind++)
		for (size_t i = 0; i < p->count[kind]; i++)
			stat_register(tree, groups[kind], (int)i, place_stats, &p->of[kind][i],
				sizeof(struct energy_place));
	p->pj = xcalloc(all, sizeof(*p->pj));
}

void energy_places_free(struct energy_places *p)
{
	for (size_t kind = 0; kind < PLACE_KINDS; kind++)
		free(p->of[kind]);
	free(p->pj);
}

/* ---- counting ---- */

uint64_t whole_picojoules(double pj)
{
	return pj > 9e18 ? UINT64_C(9000000000000000000) : pj > 0 ? (uint64_t)(pj + 0.5) : 0;
}

static bool is_of(const char *group, const char *first)
{
	size_t length = strlen(first);

	return strncmp(group, first, length) == 0 && (!group[length] || group[length] == '.');
}

static enum energy_place_kind kind_of(const char *group)
{
	if (is_of(group, "sm") || is_of(group, "activity"))
		return PLACE_SM;
	if (is_of(group, "l2"))
		return PLACE_L2;
	if (is_of(group, "dram"))
		return PLACE_DRAM;
	return is_of(group, "xbar") || is_of(group, "cluster") ? PLACE_NETWORK : PLACE_CHIP;
}

/* Where the place's energy is added up. */
static double *pj_of(const struct energy_places *p, enum energy_place_kind kind, size_t i)
{
	for (size_t before = 0; before < kind; before++)
		i += p->count[before];
	return &p->pj[i];
}

static void add_to_places(const struct energy_places *p, enum energy_place_kind kind, double pj)
{
	for (size_t i = 0; i < p->count[kind]; i++)
		*pj_of(p, kind, i) += pj / (double)p->count[kind];
}

/* Object by object where the objects are places; a table or policy that the chip has once is of the chip. */
static void add_members(const struct energy_places *p, const struct stat_members *m, double factor)
{
	enum energy_place_kind kind = kind_of(stat_members_group(m));

	for (size_t i = 0; i < stat_members_count(m); i++) {
		int index = stat_members_index(m, i);
		double pj = factor * (double)stat_members_value(m, i);

		if (index >= 0 && (size_t)index < p->count[kind])
			*pj_of(p, kind, (size_t)index) += pj;
		else
			*pj_of(p, kind == PLACE_NETWORK ? kind : PLACE_CHIP, 0) += pj;
	}
}

static void add_energy_event(const struct energy_places *p, const struct energy_event *e, double factor)
{
	for (size_t t = 0; t < e->count; t++)
		if (e->terms[t].members)
			add_members(p, e->terms[t].members, e->terms[t].is_negative ? -factor : factor);
	*pj_of(p, PLACE_CHIP, 0) += factor * e->chosen;
}

static uint64_t count_places(struct energy_places *p, enum energy_place_kind kind, picoseconds time)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p->count[kind]; i++) {
		struct energy_place *place = &p->of[kind][i];

		*place = (struct energy_place){ time, whole_picojoules(*pj_of(p, kind, i)) };
		sum += place->total;
	}
	return sum;
}

uint64_t energy_places_account(struct energy_places *p, const struct coefficients *model,
	const struct energy_events *events, const double *factor, picoseconds time,
	uint64_t sums[PLACE_KINDS])
{
	uint64_t total = 0;

	memset(p->pj, 0, (size_t)(pj_of(p, PLACE_KINDS, 0) - p->pj) * sizeof(*p->pj));
	for (size_t i = 0; i < model->count; i++) {
		const struct coefficient *c = &model->items[i];
		double pj = factor[i] * c->value;

		if (!c->event)
			*pj_of(p, PLACE_BOARD, 0) += pj * (double)time;
		else if (c->place)
			add_to_places(p, c->place - 1, pj * events->of[i].sum);
		else
			add_energy_event(p, &events->of[i], pj);
	}
	for (int kind = 0; kind < PLACE_KINDS; kind++) {
		sums[kind] = count_places(p, (enum energy_place_kind)kind, time);
		total += sums[kind];
	}
	return total;
}
