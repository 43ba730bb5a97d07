/* core/gpu/change.c -- policies of a machine at work are exchanged (change.h). */
#include "core/gpu/change.h"
#include "core/dispatch/dispatch.h"
#include "core/gpu/gpu_internal.h"
#include "core/kernel/kernel_run.h"
#include "core/issue/scoreboard.h"
#include "core/sched/sched.h"
#include "core/sm/sm.h"
#include <string.h>

static const char *const changeable[] = { "sm.scheduler.", "gpu.dispatch." };

bool gpu_may_change(const char *path)
{
	for (size_t i = 0; i < sizeof(changeable) / sizeof(*changeable); i++)
		if (!strncmp(path, changeable[i], strlen(changeable[i])))
			return true;
	return false;
}

/* Statistics of the same class are registered already, under the same name: the new object counts on in the
 * old one's place. */
static void start(const struct policy_interface *interface, void *policy, bool is_same_class,
	struct stat_tree *stats, const char *group, int index, void *old)
{
	policy_start(interface, policy, is_same_class ? NULL : stats, group, index);
	if (is_same_class)
		stat_take_over(stats, old, policy);
}

/* ---- warp schedulers ---- */

static void tell_of_warps(const struct sm *sm, struct sched *s)
{
	warp_mask left = sm->state.present & s->owned;

	while (left) {
		uint32_t slot = sched_oldest_of(s, left);

		left &= ~(UINT64_C(1) << slot);
		if (s->class->started)
			s->class->started(s, slot);
		if (s->class->stalled && sm->state.long_waits >> slot & 1)
			s->class->stalled(s, slot);
	}
}

static void tell_of_kernels(struct gpu *gpu, const struct sm *sm, struct sched *s, cycles now)
{
	for (uint32_t i = 0; i < gpu->chip.run_count; i++) {
		const struct kernel_run *run = gpu->chip.runs[i];

		if (run->on_sm && run->on_sm[sm->spec.number].stats.ctas)
			policy_kernel_started(s, run->kernel->name, run->id, now);
	}
}

static void change_scheduler(struct gpu *gpu, struct sm *sm, uint32_t i, const struct sched *prototype)
{
	struct sched *old = sm->spec.schedulers[i], *s = policy_new(prototype);
	int index = (int)(sm->spec.number * sm->spec.config->schedulers + i);

	s->owned = old->owned;
	memcpy(s->older, old->older, sizeof(s->older));
	start(&sched_interface, s, s->class == old->class, gpu->chip.stat_tree, "sm.scheduler", index, old);
	sm->spec.schedulers[i] = s;
	tell_of_kernels(gpu, sm, s, sim_next_cycle(gpu->chip.sim, CLOCK_CORE) - 1);
	tell_of_warps(sm, s);
	if (s->class == old->class)
		policy_free(old);
	else
		sm->spec.former_schedulers[i] = old; /* its statistics are still printed */
}

/* Who waits for something long is known only where a scheduler wants to hear of it. */
static void change_schedulers(struct gpu *gpu, struct sm *sm, const struct sched *prototype)
{
	bool was_notified = sm->spec.notifies_schedulers;

	sm->spec.notifies_schedulers = prototype->class->stalled != NULL;
	if (!was_notified)
		sm->state.long_waits = 0;
	for (uint32_t i = 0; i < sm->spec.config->schedulers; i++)
		change_scheduler(gpu, sm, i, prototype);
	for (warp_mask m = was_notified ? 0 : sm->state.present; m; m &= m - 1)
		sm_renew(sm, (uint32_t)__builtin_ctzll(m));
}

/* ---- the dispatcher ---- */

static void change_dispatch(struct gpu *gpu, const struct dispatch *prototype)
{
	struct dispatch *old = gpu->chip.dispatch, *d;
	struct dispatch_machine machine = gpu_dispatch_machine(gpu);

	d = dispatch_new(prototype, &machine);
	memcpy(d->waiting, old->waiting, sizeof(d->waiting));
	d->waiting_count = old->waiting_count;
	memcpy(d->left, old->left, sizeof(d->left));
	memcpy(d->capacity, old->capacity, sizeof(d->capacity));
	d->last_kernel = old->last_kernel;
	start(&dispatch_interface, d, d->class == old->class, gpu->chip.stat_tree, "gpu.dispatch", -1, old);
	for (uint32_t i = 0; i < gpu->chip.run_count; i++)
		if (!gpu->chip.runs[i]->is_functional)
			policy_kernel_started(d, gpu->chip.runs[i]->kernel->name, gpu->chip.runs[i]->id,
				sim_next_cycle(gpu->chip.sim, CLOCK_CORE) - 1);
	for (uint32_t i = 0; d->class->added && i < d->waiting_count; i++)
		d->class->added(d, d->waiting[i]);
	gpu->chip.dispatch = d;
	component_wake(&gpu->commit); /* another policy may start what this one held back */
	if (d->class == old->class)
		policy_free(old);
	else
		gpu->former_dispatch = old;
}

/* ---- both ---- */

static bool is_same(const struct policy_class *class, const void *a, const void *b)
{
	return *(const void *const *)a == *(const void *const *)b && !memcmp(a, b, class->size);
}

static bool listens(const struct sched *s, struct diag_list *diags)
{
	const struct cache_hooks *l1 = &s->class->l1;

	if (!l1->accessed && !l1->filled && !l1->evicted)
		return false;
	diag_error(diags, NULL, "warp scheduler %s listens to the L1, and so cannot come or go during a run",
		s->class->name);
	return true;
}

bool gpu_change(struct gpu *gpu, struct config *config, struct diag_list *diags)
{
	struct machine_config fresh, *m = &gpu->config;
	struct sched *scheduler = m->scheduler;
	struct dispatch *dispatch = m->dispatch;

	if (!machine_config_read(&fresh, config, diags) ||
		(!is_same(&scheduler->class->policy, scheduler, fresh.scheduler) &&
			listens(scheduler, diags) | listens(fresh.scheduler, diags))) {
		machine_config_fini(&fresh);
		return false;
	}
	if (!is_same(&scheduler->class->policy, scheduler, fresh.scheduler)) {
		for (uint32_t i = 0; i < m->gpu.sms; i++)
			change_schedulers(gpu, gpu->chip.sms[i], fresh.scheduler);
		m->scheduler = fresh.scheduler;
		fresh.scheduler = scheduler;
	}
	if (!is_same(&dispatch->class->policy, dispatch, fresh.dispatch)) {
		change_dispatch(gpu, fresh.dispatch);
		m->dispatch = fresh.dispatch;
		fresh.dispatch = dispatch;
	}
	machine_config_fini(&fresh);
	return true;
}
