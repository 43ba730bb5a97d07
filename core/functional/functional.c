/* core/functional/functional.c -- values without time: one CTA at a time, each warp until it exits or waits,
 * stores at once. A warp that spins on what another must write gives way, and a CTA in which one does so to
 * the next CTA, so that CTAs may wait for each other as far as the machine could hold them together. That it
 * spins is taken for granted after a while; in kernels that may wait for other CTAs it is then found as soon
 * as it has come round its loop with nothing changed (core/simt/forward_progress.c), so that what waits costs
 * a few instructions in each turn.
 *
 * The same micro-operations, execution functions and control flow as the timing core; only the interleaving
 * of warps differs, which a program without data races cannot see. */
#include "core/functional/functional_internal.h"
#include "core/functional/execution_listener.h"
#include "core/diagnose/fault.h"
#include "core/kernel/cluster.h"
#include "core/simt/resume.h"
#include "core/kernel/waits.h"
#include "core/runtime/services.h"
#include "core/simt/cta_state.h"
#include "sim/base/random.h"
#include "sim/base/xalloc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the machine as reports of hangs and the livelock detector see it ---- */

static void each_cta(void *machine, cta_visitor visit, void *user)
{
	const struct functional *f = machine;

	for (uint32_t i = 0; i < f->made; i++)
		if (f->residents[i]->busy)
			visit(user, &f->residents[i]->cta);
}

static uint32_t order_size(const struct functional *f)
{
	return f->run->resident_ctas > f->resumed ? f->run->resident_ctas : f->resumed;
}

/* Whether the next CTA, and with it the others of its cluster, can start. */
static bool can_start(void *machine)
{
	const struct functional *f = machine;

	return f->run->next_cta < f->run->untimed_end && f->busy + f->run->cluster_ctas <= order_size(f);
}

static void hook_execution(void *machine, const exec_function *table, control_function control)
{
	struct functional *f = machine;

	f->table = table ? table : exec_table();
	f->control = control ? control : control_in_use();
	f->is_unobserved = !table && !exec_is_watched();
}

void functional_set_hang_check(struct functional *f, uint64_t instructions)
{
	livelock_init(&f->livelock, &f->view, instructions);
}

void functional_set_memory_listener(struct functional *f, const struct execution_listener *listener)
{
	f->memory_listener = listener;
}

/* ---- building ---- */

/* clusterlaunchcontrol.try_cancel */
static void cancel_next(void *machine, const struct warp *w, uint32_t answer[4])
{
	struct functional *f = machine;

	cluster_cancel(w->cta->run, f->run->untimed_end, answer);
}

struct functional *functional_new(
	struct device_memory *memory, struct services *services, uint32_t sm_count, uint32_t max_warps)
{
	struct functional *f = aligned_alloc(64, (sizeof(*f) + 63) / 64 * 64);

	bug_if(!f, "out of memory");
	memset(f, 0, sizeof(*f));
	f->memory = memory;
	f->sm_count = sm_count;
	f->max_warps = max_warps;
	f->exec.memory = memory;
	f->exec.services = services;
	f->exec.serve = services_apply;
	f->exec.seat_of = warp_seat;
	f->exec.place_of = warp_place;
	f->exec.explain = fault_explain;
	f->exec.gives_way = true;
	f->exec.range_cache = f->range_cache;
	f->exec.bulk = &f->bulk;
	f->bulk.control = (struct launch_control){ cancel_next, f };
	f->view = (struct machine_view){ f, each_cta, can_start, hook_execution, NULL };
	hook_execution(f, NULL, NULL);
	functional_set_hang_check(f, 0);
	return f;
}

void functional_free(struct functional *f)
{
	if (!f)
		return;
	livelock_fini(&f->livelock);
	sim_random_free(f->turns_drawn);
	bulk_queue_fini(&f->bulk);
	for (uint32_t i = 0; i < f->made; i++) {
		struct resident *r = f->residents[i];

		warps_fini(r->warps, MAX_CTA_WARPS);
		free(r->registers);
		free(r->predicates);
		free(r->local);
		free(r->shared);
		free(r);
	}
	free(f->residents);
	free(f);
}

static void *reserve_buffer(void **buffer, uint64_t *size, uint64_t needed)
{
	if (*size < needed) {
		free(*buffer);
		*size = (needed + 63) / 64 * 64;
		*buffer = aligned_alloc(64, *size);
		bug_if(!*buffer, "out of memory");
	}
	return *buffer;
}

struct resident *functional_resident(struct functional *f, uint32_t i)
{
	if (i == f->capacity) {
		f->capacity = f->capacity ? 2 * f->capacity : 16;
		f->residents = xrealloc(f->residents, f->capacity * sizeof(struct resident *));
	}
	if (i == f->made)
		f->residents[f->made++] = xcalloc(1, sizeof(struct resident));
	return f->residents[i];
}

uint8_t *functional_make_room(struct resident *r, const struct kernel_run *run)
{
	const struct ptx_kernel *k = run->kernel;
	uint64_t local = (uint64_t)run->local_bytes * WARP_SIZE, predicates = k->predicates + 1;
	uint8_t *registers =
		reserve_buffer(&r->registers, &r->registers_size, (uint64_t)(k->rows + 1) * 128 * run->warps);
	uint32_t *predicate =
		reserve_buffer(&r->predicates, &r->predicates_size, predicates * 4 * run->warps);
	uint8_t *locals = reserve_buffer(&r->local, &r->local_size, local * run->warps + 64);

	for (uint32_t i = 0; i < run->warps; i++) {
		struct warp *w = &r->warps[i];

		w->registers = (uint32_t(*)[32])(void *)(registers + (uint64_t)k->rows * 128 * i);
		w->predicates = predicate + predicates * i;
		w->local = locals + local * i;
		w->slot = (uint8_t)i;
	}
	return reserve_buffer(&r->shared, &r->shared_size, run->cta_bytes + 64);
}

static void begin_cta(struct functional *f, struct resident *r, struct kernel_run *run)
{
	uint8_t *shared = functional_make_room(r, run);
	const struct cta_state *state = resume_state(run, run->next_cta);

	cta_start(&r->cta, run, resume_number(run, run->next_cta++), shared);
	for (uint32_t i = 0; i < run->warps; i++)
		warp_start(&r->warps[i], &r->cta, i, (uint32_t)(r->cta.linear % f->sm_count), f->sm_count,
			f->max_warps);
	for (uint32_t i = 0; state && i < run->warps; i++)
		if (!(state->live >> i & 1))
			r->warps[i].state = WARP_EXITED;
	if (state)
		cta_state_put(state, &r->cta);
	r->busy = true;
	f->busy++;
}

void functional_enter_cta(struct functional *f, const struct resident *r)
{
	const struct kernel_run *run = r->cta.run;

	f->exec.constants = (const uint32_t(*)[32])run->constants;
	f->exec.extra = run->kernel->extra;
	f->exec.params = run->params;
	f->exec.param_bytes = run->kernel->param_bytes;
	f->exec.shared = r->cta.shared;
	f->exec.shared_bytes = run->shared_bytes;
	f->exec.local_bytes = run->local_bytes;
}

/* A warp gives way after this many instructions. */
#define QUANTUM 65536
/* A CTA gives way after this many: its warps may spin with barriers in their loops, so that none has a whole
 * quantum. */
#define TURN (16 * QUANTUM)

static uint64_t quantum_of(const struct functional *f, const struct kernel_run *run)
{
	uint64_t left = run->stop_at - run->warp_instructions, most = f->paces ? f->quantum : QUANTUM;

	return run->stop_at && left < most ? left : most;
}

/* Whether the run has come to where it is to stop. */
static bool is_at_stop(const struct kernel_run *run)
{
	return run->stop_at && run->warp_instructions >= run->stop_at;
}

/* A warp has had a whole quantum: if it may do so in vain, warps that spin are found from now on. */
static void seek_spins(struct functional *f, const struct kernel_run *run)
{
	f->seeks_spins = f->seeks_spins || kernel_may_wait(run->kernel);
}

/* Until the warp exits, waits, has had its quantum, or faults (true: fault). listener: NULL: nobody. spins:
 * it had a whole quantum, or is found to spin */
static bool run_warp(struct functional *f, struct warp *w, const struct execution_listener *listener,
	struct device_fault *fault, bool *spins)
{
	const struct kernel_run *run = w->cta->run;
	uint64_t quantum = quantum_of(f, run), before = run->warp_instructions;
	bool failed;

	w->spin.is_sought = f->seeks_spins && !f->paces;
	w->spin.is_found = false;
	failed = listener || (run->profile && run->is_functional)
		? functional_run_warp_watched(f, w, listener, fault, quantum)
		: f->memory_listener ? functional_run_warp_warming(f, w, fault, quantum)
				     : functional_run_warp(f, w, fault, quantum);

	if (run->warp_instructions - before == QUANTUM)
		seek_spins(f, run);
	*spins |= run->warp_instructions - before == QUANTUM || w->spin.is_found;
	return failed;
}

/* Who hears of the CTA's instructions; NULL: nobody. */
static const struct execution_listener *listener_of(const struct cta *cta)
{
	const struct execution_listener *listener = cta->run->listener;

	return listener && (!listener->wants || listener->wants(listener->user, cta)) ? listener : NULL;
}

void functional_explain_limit(struct functional *f, struct device_fault *fault, const char *limit)
{
	hang_explain_limit(&f->view, f->run, fault, limit);
}

/* Whether CTAs take turns at accesses in this run. */
static bool is_interleaved(const struct functional *f, const struct kernel_run *run)
{
	return f->turns_drawn && run->is_functional && !f->paces;
}

/* One warp up to its next access. */
static bool run_turn(struct functional *f, struct resident *r, struct device_fault *fault)
{
	struct warp *w = interleaved_warp(f, r);

	w->spin.is_sought = w->spin.is_found = false;
	return functional_run_warp_in_turns(f, w, listener_of(&r->cta), fault, quantum_of(f, r->cta.run));
}

/* One round over the warps of a CTA; true on a fault. spins: a warp had its quantum. */
static bool run_round(struct functional *f, struct resident *r, struct device_fault *fault, bool *spins)
{
	const struct kernel_run *run = r->cta.run;
	const struct execution_listener *listener = run->is_functional ? listener_of(&r->cta) : NULL;
	bool progressed = false;
	uint64_t before;

	for (uint32_t i = 0; i < r->cta.warp_count; i++) {
		if (r->warps[i].state != WARP_RUNNING)
			continue;
		progressed = true;
		if (f->paces && !side_has_credit(f, r, i))
			continue;
		before = run->warp_instructions;
		if (run_warp(f, &r->warps[i], listener, fault, spins))
			return true;
		r->done[i] += (uint32_t)(run->warp_instructions - before);
		if (is_at_stop(run))
			break;
	}
	bug_if(!progressed, "no warp runs in a CTA that is not deadlocked");
	return false;
}

/* All CTAs of the next cluster, in residents that are free. */
static void begin_cluster(struct functional *f, struct kernel_run *run)
{
	uint32_t left = cluster_members(run, run->next_cta);

	for (uint32_t i = 0; left; i++) {
		struct resident *r = functional_resident(f, i);

		if (r->busy)
			continue;
		begin_cta(f, r, run);
		left--;
	}
}

/* The next resident in turn that has a CTA or can get one. At most run->resident_ctas have one. */
static struct resident *next_resident(struct functional *f, struct kernel_run *run)
{
	for (;;) {
		struct resident *r;

		if (f->current >= order_size(f) ||
			(f->current >= f->made && run->next_cta >= run->untimed_end))
			f->current = 0;
		r = functional_resident(f, f->current);
		if (!r->busy && run->cluster_ctas > 1 && can_start(f))
			begin_cluster(f, run);
		else if (!r->busy && run->cluster_ctas == 1 && run->next_cta < run->untimed_end)
			begin_cta(f, r, run);
		if (r->busy)
			return r;
		f->current++;
	}
}

/* All CTAs for which there is room have begun; one of them. */
static struct resident *next_in_turn(struct functional *f, struct kernel_run *run)
{
	for (uint32_t i = 0; i < order_size(f) && can_start(f); i++)
		if (!functional_resident(f, i)->busy && run->cluster_ctas > 1)
			begin_cluster(f, run);
		else if (!f->residents[i]->busy)
			begin_cta(f, f->residents[i], run);
	return interleaved_resident(f);
}

void functional_end_cta(struct functional *f, struct resident *r, struct kernel_run *run)
{
	if (r->cta.cluster)
		cluster_leave(r->cta.cluster, r->cta.seat.rank);
	r->busy = false;
	f->busy--;
	run->ctas_done++;
	run->untimed_ctas++;
	f->turn = run->warp_instructions;
	f->turns = f->admitted = 0;
	f->slices_are_old = true;
	f->has_thinned |= f->paces != NULL;
}

/* CTAs of a warm-up that wait for one that is not of it: it joins them, then two more, four ... */
static bool admit_more(struct functional *f, struct kernel_run *run)
{
	uint64_t left = run->ctas - run->untimed_end;

	f->turns = 0;
	f->admitted = f->admitted ? 2 * f->admitted : run->cluster_ctas;
	run->untimed_end += f->admitted < left ? f->admitted : left;
	return left;
}

/* So many turns in vain of each CTA are taken for such waiting, where it cannot be proven. */
#define PATIENCE 16

/* The CTA in turn gives way; true on a hang. */
static bool give_way(struct functional *f, struct kernel_run *run, struct device_fault *fault)
{
	f->current++;
	f->turn = run->warp_instructions;
	f->turns += !f->has_yielded; /* who waits for an mbarrier will go on soon */
	f->has_yielded = false;
	if (f->turns > (uint64_t)PATIENCE * f->busy && run->untimed_end < run->ctas)
		admit_more(f, run);
	if (!livelock_step(&f->livelock, run->warp_instructions))
		return false;
	if (admit_more(f, run)) {
		livelock_start(&f->livelock, run->warp_instructions);
		return false;
	}
	hang_explain_spin(&f->view, run, fault);
	return true;
}

static void begin_functional(struct functional *f, struct kernel_run *run)
{
	f->run = run;
	f->waiting = 0;
	f->turn = run->warp_instructions;
	f->turns = f->admitted = 0;
	f->seeks_spins = false;
	livelock_start(&f->livelock, run->warp_instructions);
}

static bool is_done(const struct functional *f, const struct kernel_run *run)
{
	return !f->busy && run->next_cta >= run->untimed_end;
}

bool functional_run(
	struct functional *f, struct kernel_run *run, uint64_t instructions, struct device_fault *fault)
{
	uint64_t until = run->warp_instructions + instructions;

	if (f->generation != memory_generation(f->memory)) {
		memset(f->range_cache, 0, sizeof(f->range_cache));
		f->generation = memory_generation(f->memory);
	}
	f->exec.faulted = f->exec.unmet = false;
	f->exec.write_count = 0;
	run->livelock = &f->livelock;
	f->has_thinned = false;
	if (f->run != run)
		begin_functional(f, run);
	while (run->warp_instructions < until && !is_done(f, run) && !f->has_thinned) {
		bool in_turns = is_interleaved(f, run);
		struct resident *r = in_turns ? next_in_turn(f, run) : next_resident(f, run);
		bool spins = false, failed;
		uint64_t live;

		if (f->paces && side_is_out_of_turn(f, r))
			continue;
		if (waits_for_cluster(r)) {
			f->current++;
			if (++f->waiting <= f->busy)
				continue;
			hang_explain_stop(&f->view, run, fault);
			functional_abandon(f);
			return true;
		}
		f->waiting = 0;
		functional_enter_cta(f, r);
		live = r->cta.live_warps;
		failed = in_turns ? run_turn(f, r, fault) : run_round(f, r, fault, &spins);
		if (r->cta.live_warps != live)
			side_has_fewer(f, (uint32_t)__builtin_popcountll(live & ~r->cta.live_warps));
		if (!failed && !r->cta.live_warps)
			functional_end_cta(f, r, run);
		else if (!failed && (in_turns || spins || run->warp_instructions - f->turn >= TURN))
			failed = give_way(f, run, fault);
		r->credit -= f->paces ? side_cost(r) : 0;
		if (failed) {
			functional_abandon(f);
			return true;
		}
		if (is_at_stop(run))
			break;
	}
	if (!is_done(f, run))
		return false;
	functional_abandon(f);
	return true;
}

void functional_abandon(struct functional *f)
{
	for (uint32_t i = 0; i < f->made; i++)
		f->residents[i]->busy = f->residents[i]->is_kept = false;
	f->busy = f->resumed = f->current = 0;
	f->run = NULL;
}

struct launch_resume functional_take(const struct functional *f, const struct kernel_run *run)
{
	struct launch_resume r = { .known = { run->thread_instructions, run->warp_instructions,
					   run->divergent_barriers, run->barriers_left },
		.next_cta = run->next_cta };

	r.ctas = xcalloc(f->busy + 1, sizeof(*r.ctas));
	for (uint32_t i = 0; i < f->made; i++)
		if (f->residents[i]->busy)
			r.ctas[r.count++] = cta_state_take(&f->residents[i]->cta);
	resume_sort(run, &r);
	return r;
}
