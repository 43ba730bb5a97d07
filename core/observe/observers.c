/* core/observe/observers.c -- the observers of a machine's caches. */
#include "core/observe/observers.h"
#include "core/chip/chip.h"
#include "core/kernel/kernel_run.h"
#include "core/sm/sm.h"
#include "memsys/l1/cache.h"
#include "memsys/l2/l2.h"
#include "memsys/observe/observer_policy.h"
#include "sim/base/xalloc.h"

struct observers {
	struct chip *chip;
	struct cache_observer **l1, **l2;           /* by SM, by slice; NULL: as configured there are none */
	struct observer **further_l1, **further_l2; /* the same of a plug-in */
};

static void observe_caches(struct observers *o, const struct observe_config *config)
{
	struct chip *chip = o->chip;
	uint32_t l1_lines = chip->l1d->sets * chip->l1d->ways, l2_lines = chip->l2->sets * chip->l2->ways;

	o->l1 = xcalloc(chip->config->sms, sizeof(*o->l1));
	o->l2 = xcalloc(chip->config->partitions, sizeof(*o->l2));
	for (uint32_t i = 0; i < chip->config->sms; i++) {
		o->l1[i] = cache_observer_new(config, l1_lines, "observe.l1", (int)i, chip->stat_tree);
		cache_listen(chip->sms[i]->spec.l1d, cache_observer_listener(o->l1[i]));
	}
	for (uint32_t i = 0; i < chip->config->partitions; i++) {
		o->l2[i] = cache_observer_new(config, l2_lines, "observe.l2", (int)i, chip->stat_tree);
		l2_listen(chip->slices[i], cache_observer_listener(o->l2[i]));
	}
}

static void observe_further(struct observers *o, const struct observer *prototype)
{
	struct chip *chip = o->chip;
	struct observer at = { .sets = chip->l1d->sets,
		.lines = chip->l1d->sets * chip->l1d->ways,
		.line_bytes = chip->l1d->line };

	o->further_l1 = xcalloc(chip->config->sms, sizeof(struct observer *));
	o->further_l2 = xcalloc(chip->config->partitions, sizeof(struct observer *));
	for (at.number = 0; at.number < chip->config->sms; at.number++) {
		struct observer *made = observer_new(prototype, &at, chip->stat_tree);

		o->further_l1[at.number] = made;
		if (made)
			cache_listen(chip->sms[at.number]->spec.l1d, &made->listener);
	}
	at = (struct observer){ .is_l2 = true,
		.sets = chip->l2->sets,
		.lines = chip->l2->sets * chip->l2->ways,
		.line_bytes = chip->l2->line };
	for (at.number = 0; at.number < chip->config->partitions; at.number++) {
		struct observer *made = observer_new(prototype, &at, chip->stat_tree);

		o->further_l2[at.number] = made;
		if (made)
			l2_listen(chip->slices[at.number], &made->listener);
	}
}

struct observers *observers_new(
	struct chip *chip, const struct observe_config *config, const struct observer *further)
{
	bool has_further = further->class != &observer_none;
	struct observers *o;

	if (!observe_any(config) && !has_further)
		return NULL;
	o = xcalloc(1, sizeof(*o));
	o->chip = chip;
	if (observe_any(config))
		observe_caches(o, config);
	if (has_further)
		observe_further(o, further);
	return o;
}

void observers_kernel_started(struct observers *o, const struct kernel_run *run)
{
	cycles core = o ? sim_cycle(o->chip->sim, CLOCK_CORE) : 0,
	       l2 = o ? sim_cycle(o->chip->sim, CLOCK_L2) : 0;

	if (!o || !o->further_l1)
		return;
	for (uint32_t i = 0; i < o->chip->config->sms; i++)
		policy_kernel_started(o->further_l1[i], run->kernel->name, run->id, core);
	for (uint32_t i = 0; i < o->chip->config->partitions; i++)
		policy_kernel_started(o->further_l2[i], run->kernel->name, run->id, l2);
}

void observers_free(struct observers *o)
{
	if (!o)
		return;
	for (uint32_t i = 0; i < o->chip->config->sms; i++) {
		cache_observer_free(o->l1 ? o->l1[i] : NULL);
		policy_free(o->further_l1 ? o->further_l1[i] : NULL);
	}
	for (uint32_t i = 0; i < o->chip->config->partitions; i++) {
		cache_observer_free(o->l2 ? o->l2[i] : NULL);
		policy_free(o->further_l2 ? o->further_l2[i] : NULL);
	}
	free(o->l1);
	free(o->l2);
	free(o->further_l1);
	free(o->further_l2);
	free(o);
}

void observers_account(struct observers *o)
{
	if (!o || !o->l1)
		return;
	for (uint32_t i = 0; i < o->chip->config->sms; i++)
		cache_observer_account(o->l1[i], o->chip->sms[i]->stats.thread_instructions);
}
