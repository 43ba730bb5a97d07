/* core/energy/energy_stats.c -- the table of group "energy". */
#include "core/energy/energy_stats.h"
#include <math.h>
#include <string.h>

#define DEFAULT_COMPONENT "other"

static double joules(const void *object)
{
	const struct energy_counts *c = object;

	/* In a window it may be negative: levels are means (activity.c), and what was too much goes. */
	return 1e-12 * (double)(int64_t)c->total;
}

static double seconds(const void *object)
{
	const struct energy_counts *c = object;

	return 1e-12 * (double)c->picoseconds;
}

static double watts(const void *object)
{
	return joules(object) / seconds(object);
}

static double interval(const void *object)
{
	const struct energy_counts *c = object;
	double sum = 0;

	for (size_t i = 0; i < ENERGY_COEFFICIENTS; i++)
		sum += (double)c->deviation[i] * (double)c->deviation[i];
	for (size_t i = 0; i < ENERGY_SCALES; i++)
		sum += (double)c->scale_deviation[i] * (double)c->scale_deviation[i];
	sum += (double)c->model_deviation * (double)c->model_deviation;
	return 1e-12 * ENERGY_CONFIDENCE * sqrt(sum);
}

static double watts_interval(const void *object)
{
	return interval(object) / seconds(object);
}

static double delay_product(const void *object)
{
	return joules(object) * seconds(object);
}

static double delay2_product(const void *object)
{
	return delay_product(object) * seconds(object);
}

static double ipc_per_joule(const void *object)
{
	const struct energy_counts *c = object;

	return (double)c->thread_instructions / (double)c->core_cycles / joules(object);
}

static double instructions_per_joule(const void *object)
{
	const struct energy_counts *c = object;

	return (double)c->thread_instructions / joules(object);
}

#define COUNT(field, unit, help) SIM_COUNT(struct energy_counts, field, unit, help)

/* Before those whose elements the model names. */
static const struct sim_stat fixed[] = {
	SIM_FORMULA("joules", joules, "J", "estimated energy while a kernel was under way"),
	SIM_FORMULA("interval", interval, "J",
		"half width of its 95 % confidence interval: standard errors of the coefficients, taken as "
		"independent, and the model's own error"),
	SIM_FORMULA("watts", watts, "W", "estimated mean power"),
	SIM_FORMULA("watts_interval", watts_interval, "W", "half width of its 95 % confidence interval"),
	SIM_FORMULA("delay_product", delay_product, "J s", "energy times time"),
	SIM_FORMULA("delay2_product", delay2_product, "J s2", "energy times the square of time"),
	SIM_FORMULA("ipc_per_joule", ipc_per_joule, "instructions/cycle/J",
		"thread instructions per core cycle and joule (the measure of MeDiC, PACT 2015)"),
	SIM_FORMULA("instructions_per_joule", instructions_per_joule, "instructions/J",
		"thread instructions per joule"),
	COUNT(picoseconds, "ps", "simulated time in which a kernel was under way"),
	COUNT(core_cycles, "cycles", "core cycles in which a kernel was under way"),
	COUNT(thread_instructions, "instructions", "thread instructions executed with timing"),
	COUNT(total, "pJ", "estimated energy"),
	SIM_VECTOR(struct energy_counts, place, energy_place_names, "pJ",
		"estimated energy by place: all SMs, L2 slices, DRAM channels (one by one: sm.energy, "
		"l2.energy, dram.energy); the network; what is counted for the chip or the board as a "
		"whole"),
	COUNT(model_deviation, "pJ",
		"its standard error by that of the model for kernels it was not fitted to"),
};

static struct sim_stat vector(
	const char *name, size_t offset, const char *const *names, const char *unit, const char *help)
{
	return (struct sim_stat){ SIM_STAT_VECTOR, name, offset, names, NULL, unit, help };
}

#define VECTOR(field, names, unit, help) \
	vector(#field, offsetof(struct energy_counts, field), names, unit, help)

static size_t component_number(struct energy_layout *l, const char *name)
{
	size_t i = 0;

	while (i < l->component_count && strcmp(l->components[i], name) != 0)
		i++;
	if (i == l->component_count && i < ENERGY_COMPONENTS)
		l->components[l->component_count++] = name;
	return i;
}

bool energy_layout_make(
	struct energy_layout *l, const struct coefficients *model, const char *path, struct diag_list *diags)
{
	const size_t count = sizeof(fixed) / sizeof(*fixed);

	_Static_assert(sizeof(fixed) / sizeof(*fixed) + 6 <= ENERGY_STATS, "room for the table");
	*l = (struct energy_layout){ .component_count = 0 };
	for (size_t i = 0; i < model->count; i++) {
		const char *name = model->items[i].component;
		size_t component = component_number(l, name ? name : DEFAULT_COMPONENT);

		if (component == ENERGY_COMPONENTS) {
			diag_error(diags, NULL, "%s has more than %d components", path, ENERGY_COMPONENTS);
			return false;
		}
		l->component_of[i] = (uint8_t)component;
		l->coefficients[i] = model->items[i].name;
	}
	for (size_t i = 0; i < model->scale_count; i++)
		l->scales[i] = model->scales[i].name;
	memcpy(l->stats, fixed, sizeof(fixed));
	l->stats[count] = VECTOR(component, l->components, "pJ", "estimated energy by component");
	l->stats[count + 1] = VECTOR(coefficient, l->coefficients, "pJ", "estimated energy by coefficient");
	l->stats[count + 2] = VECTOR(
		deviation, l->coefficients, "pJ", "by coefficient: its standard error times its activity");
	l->stats[count + 3] = VECTOR(activity, l->coefficients, "",
		"by coefficient: its events; core cycles of its level; of the constant, ps");
	if (model->scale_count)
		l->stats[count + 4] = VECTOR(scale_deviation, l->scales, "pJ",
			"by scale of the model: its standard error times what it multiplies");
	return true;
}
