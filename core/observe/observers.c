/* core/observe/observers.c -- the observers of a machine's caches. */
#include "core/observe/observers.h"
#include "core/chip/chip.h"
#include "core/sm/sm.h"
#include "memsys/l1/cache.h"
#include "memsys/l2/l2.h"
#include "sim/base/xalloc.h"

struct observers {
	struct chip *chip;
	struct cache_observer **l1, **l2; /* by SM, by slice */
};

struct observers *observers_new(struct chip *chip, const struct observe_config *config)
{
	uint32_t sms = chip->config->sms, slices = chip->config->partitions;
	uint32_t l1_lines = chip->l1d->sets * chip->l1d->ways, l2_lines = chip->l2->sets * chip->l2->ways;
	struct observers *o;

	if (!observe_any(config))
		return NULL;
	o = xcalloc(1, sizeof(*o));
	o->chip = chip;
	o->l1 = xcalloc(sms, sizeof(*o->l1));
	o->l2 = xcalloc(slices, sizeof(*o->l2));
	for (uint32_t i = 0; i < sms; i++) {
		o->l1[i] = cache_observer_new(config, l1_lines, "observe.l1", (int)i, chip->stat_tree);
		cache_listen(chip->sms[i]->spec.l1d, cache_observer_listener(o->l1[i]));
	}
	for (uint32_t i = 0; i < slices; i++) {
		o->l2[i] = cache_observer_new(config, l2_lines, "observe.l2", (int)i, chip->stat_tree);
		l2_listen(chip->slices[i], cache_observer_listener(o->l2[i]));
	}
	return o;
}

void observers_free(struct observers *o)
{
	if (!o)
		return;
	for (uint32_t i = 0; i < o->chip->config->sms; i++)
		cache_observer_free(o->l1[i]);
	for (uint32_t i = 0; i < o->chip->config->partitions; i++)
		cache_observer_free(o->l2[i]);
	free(o->l1);
	free(o->l2);
	free(o);
}

void observers_account(struct observers *o)
{
	if (!o)
		return;
	for (uint32_t i = 0; i < o->chip->config->sms; i++)
		cache_observer_account(o->l1[i], o->chip->sms[i]->stats.thread_instructions);
}
