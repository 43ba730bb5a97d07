/* core/observe/observers.c -- the observers of a machine's caches. */
#include "core/observe/observers.h"
#include "core/gpu/gpu_internal.h"
#include "core/sm/sm.h"
#include "memsys/l1/cache.h"
#include "sim/base/xalloc.h"

struct observers {
	struct gpu *gpu;
	struct cache_observer **l1, **l2; /* by SM, by slice */
};

struct observers *observers_new(struct gpu *gpu)
{
	const struct machine_config *m = &gpu->config;
	uint32_t sms = m->gpu.sms, slices = m->gpu.partitions;
	struct observers *o;

	if (!observe_any(&m->observe))
		return NULL;
	o = xcalloc(1, sizeof(*o));
	o->gpu = gpu;
	o->l1 = xcalloc(sms, sizeof(*o->l1));
	o->l2 = xcalloc(slices, sizeof(*o->l2));
	for (uint32_t i = 0; i < sms; i++) {
		o->l1[i] = cache_observer_new(
			&m->observe, m->l1d.sets * m->l1d.ways, "observe.l1", (int)i, gpu->stat_tree);
		cache_listen(gpu->sms[i]->l1d, cache_observer_listener(o->l1[i]));
	}
	for (uint32_t i = 0; i < slices; i++) {
		o->l2[i] = cache_observer_new(
			&m->observe, m->l2.sets * m->l2.ways, "observe.l2", (int)i, gpu->stat_tree);
		l2_listen(gpu->slices[i], cache_observer_listener(o->l2[i]));
	}
	return o;
}

void observers_free(struct observers *o)
{
	if (!o)
		return;
	for (uint32_t i = 0; i < o->gpu->config.gpu.sms; i++)
		cache_observer_free(o->l1[i]);
	for (uint32_t i = 0; i < o->gpu->config.gpu.partitions; i++)
		cache_observer_free(o->l2[i]);
	free(o->l1);
	free(o->l2);
	free(o);
}

void observers_account(struct observers *o)
{
	if (!o)
		return;
	for (uint32_t i = 0; i < o->gpu->config.gpu.sms; i++)
		cache_observer_account(o->l1[i], o->gpu->sms[i]->stats.thread_instructions);
}
