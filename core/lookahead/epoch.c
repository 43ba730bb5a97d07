/* core/lookahead/epoch.c -- epochs of the SMs: see epoch.h. */
#include "core/lookahead/epoch.h"
#include "core/diagnose/livelock.h"
#include "core/lookahead/window.h"
#include "core/sm/sm.h"
#include "sim/base/xalloc.h"

void epochs_init(struct epochs *e, struct sm **sms, uint32_t count, struct component *commit,
	struct livelock_detector *livelock)
{
	*e = (struct epochs){ .sms = sms,
		.count = count,
		.commit = commit,
		.livelock = livelock,
		.length = 1,
		.window = 1,
		.storing = xcalloc(count, sizeof(*e->storing)) };
}

void epochs_fini(struct epochs *e)
{
	free(e->storing);
}

/* Faults that would be found at the end of the former epoch are found now. */
static void hand_over_faults(struct epochs *e)
{
	for (uint32_t i = 0; i < e->count; i++) {
		if (e->sms[i]->state.fault.kind == FAULT_NONE)
			continue;
		*e->sms[i]->host.needs_commit = 1;
		component_wake(e->commit);
	}
}

void epochs_set(struct epochs *e, uint32_t length, uint32_t window)
{
	if (length != e->length) {
		epochs_flush(e);
		hand_over_faults(e);
	}
	e->length = length;
	e->window = window;
	for (uint32_t i = 0; i < e->count; i++) {
		e->sms[i]->host.window->epoch = length;
		e->sms[i]->host.window->length = window;
	}
}

/* The SMs with stores that have not taken effect, in order, into `storing`; how many. */
static uint32_t sms_that_store(struct epochs *e)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < e->count; i++)
		if (pending_next(&e->sms[i]->host.window->pending) != SIM_NEVER)
			e->storing[count++] = e->sms[i];
	return count;
}

/* The first cycle with stores of these SMs that have not taken effect; SIM_NEVER: there are none. */
static cycles first_store(const struct epochs *e, uint32_t count)
{
	cycles first = SIM_NEVER;

	for (uint32_t i = 0; i < count; i++) {
		cycles next = pending_next(&e->storing[i]->host.window->pending);

		first = next < first ? next : first;
	}
	return first;
}

/* The stores of a cycle. */
static void flush_cycle(struct epochs *e, uint32_t count, cycles cycle)
{
	for (uint32_t i = 0; i < count; i++) {
		struct sm *sm = e->storing[i];
		const struct exec_write *write;

		while ((write = pending_take_next(&sm->host.window->pending, cycle)))
			livelock_apply(e->livelock, sm->spec.exec, write);
	}
}

void epochs_flush(struct epochs *e)
{
	uint32_t count = sms_that_store(e);

	for (cycles cycle = first_store(e, count); cycle != SIM_NEVER; cycle = first_store(e, count))
		flush_cycle(e, count, cycle);
	for (uint32_t i = 0; i < e->count; i++) {
		if (!e->sms[i]->spec.exec->pending)
			continue;
		pending_clear(e->sms[i]->spec.exec->pending);
		e->sms[i]->spec.exec->pending = NULL;
	}
}

void epochs_foresee(struct epochs *e)
{
	for (uint32_t i = 0; i < e->count; i++) {
		const struct pending_stores *p = &e->sms[i]->host.window->pending;

		for (uint32_t k = p->applied; k < p->count; k++)
			livelock_foresee(e->livelock, e->sms[i]->spec.exec, &p->writes[k].write);
	}
}

/* The SM whose fault comes first; NULL: there is none. */
static const struct sm *first_fault(const struct epochs *e)
{
	const struct sm *first = NULL;

	for (uint32_t i = 0; i < e->count; i++) {
		const struct sm *sm = e->sms[i];

		if (sm->state.fault.kind != FAULT_NONE &&
			(!first || sm->host.window->fault_cycle < first->host.window->fault_cycle))
			first = sm;
	}
	return first;
}

const struct sm *epochs_commit(struct epochs *e, cycles now)
{
	if (e->length < 2 || (now + 1) % e->length)
		return NULL;
	epochs_flush(e);
	return first_fault(e);
}
