/* core/functional.c -- values without time: one CTA at a time, each warp until it exits or waits, stores at
 * once.
 *
 * The same micro-operations, execution functions and control flow as the timing core; only the interleaving
 * of warps differs, which a program without data races cannot see. */
#include "core/functional.h"
#include "sim/xalloc.h"
#include <stdio.h>
#include <string.h>

struct functional {
	struct exec exec;
	struct memory_range range_cache[2];
	uint64_t generation;
	struct device_memory *memory;
	uint32_t sm_count, max_warps;
	struct cta cta;
	bool busy; /* the CTA is in the middle */
	struct warp warps[MAX_CTA_WARPS];
	void *registers, *predicates, *local, *shared;
	uint64_t registers_size, predicates_size, local_size, shared_size;
	uint64_t clock;
};

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
	f->exec.range_cache = f->range_cache;
	return f;
}

void functional_free(struct functional *f)
{
	if (!f)
		return;
	warps_fini(f->warps, MAX_CTA_WARPS);
	free(f->registers);
	free(f->predicates);
	free(f->local);
	free(f->shared);
	free(f);
}

static void *reserve(void **buffer, uint64_t *size, uint64_t needed)
{
	if (*size < needed) {
		free(*buffer);
		*size = (needed + 63) / 64 * 64;
		*buffer = aligned_alloc(64, *size);
		bug_if(!*buffer, "out of memory");
	}
	return *buffer;
}

static void begin_cta(struct functional *f, struct kernel_run *run)
{
	const struct ptx_kernel *k = run->kernel;
	uint64_t local = (uint64_t)run->local_bytes * WARP_SIZE, predicates = k->predicates + 1;
	uint8_t *registers =
		reserve(&f->registers, &f->registers_size, (uint64_t)(k->rows + 1) * 128 * run->warps);
	uint32_t *predicate = reserve(&f->predicates, &f->predicates_size, predicates * 4 * run->warps);
	uint8_t *locals = reserve(&f->local, &f->local_size, local * run->warps + 64);

	cta_start(
		&f->cta, run, run->next_cta++, reserve(&f->shared, &f->shared_size, run->shared_bytes + 64));
	for (uint32_t i = 0; i < run->warps; i++) {
		struct warp *w = &f->warps[i];

		w->registers = (uint32_t(*)[32])(void *)(registers + (uint64_t)k->rows * 128 * i);
		w->predicates = predicate + predicates * i;
		w->local = locals + local * i;
		w->slot = (uint8_t)i;
		warp_start(w, &f->cta, i, (uint32_t)(f->cta.linear % f->sm_count), f->sm_count, f->max_warps);
	}
	f->exec.constants = (const uint32_t(*)[32])k->constants;
	f->exec.extra = k->extra;
	f->exec.params = run->params;
	f->exec.param_bytes = k->param_bytes;
	f->exec.shared = f->cta.shared;
	f->exec.shared_bytes = run->shared_bytes;
	f->exec.local_bytes = run->local_bytes;
	f->busy = true;
}

/* A warp that spins on what another must write gives way after this many instructions. */
#define QUANTUM 65536

/* Until the warp exits, waits, has had its quantum, or faults (true: fault). */
static bool run_warp(struct functional *f, struct warp *w, struct device_fault *fault)
{
	const exec_function *table = exec_table();
	struct kernel_run *run = w->cta->run;
	const struct uop *uops = run->uops;
	struct exec *x = &f->exec;
	uint64_t threads = 0, count = 0;
	bool failed = false;

	x->registers = w->registers;
	x->predicates = w->predicates;
	x->local = w->local;
	x->fault = fault;
	x->live = w->live;
	x->frame = w->frame;
	x->warp = w;
	while (w->state == WARP_RUNNING && !failed && count < QUANTUM) {
		const struct uop *u = &uops[w->pc];
		lane_mask mask = warp_guarded(w, u);

		count++;
		threads += (uint64_t)__builtin_popcount(mask);
		if (u->unit == UNIT_CONTROL) {
			struct control_result r = control_execute(w, u, mask);

			failed = fault_control(fault, &r, w, u);
			x->live = w->live;
			x->frame = w->frame;
			continue;
		}
		if (mask) {
			x->now = f->clock + count;
			x->time = x->now * 1000;
			table[u->code](x, u, mask);
			if (x->unmet && path_await_members(w, x, u, mask, table[u->code]) == MEMBERS_AWAITED) {
				x->frame = w->frame;
				continue;
			}
			if (x->faulted)
				fault_explain(fault, w, u);
			if (x->write_count)
				exec_commit(x);
			failed = x->faulted;
		}
		warp_next(w);
	}
	f->clock += count;
	run->warp_instructions += count;
	run->thread_instructions += threads;
	return failed;
}

/* Nobody can go on: who waits on what. */
static void explain_deadlock(struct functional *f, struct device_fault *fault)
{
	fault->kind = FAULT_BARRIER_DEADLOCK;
	for (uint64_t m = f->cta.live_warps; m; m &= m - 1)
		fault_add_waiting_warp(fault, f->cta.warps[__builtin_ctzll(m)], "nothing");
}

/* A warp of the CTA that runs, else any. */
static const struct warp *running_warp(const struct functional *f)
{
	const struct warp *any = NULL;

	for (uint64_t m = f->cta.live_warps; m; m &= m - 1) {
		const struct warp *w = f->cta.warps[__builtin_ctzll(m)];

		if (w->state == WARP_RUNNING)
			return w;
		any = w;
	}
	return any;
}

void functional_explain_limit(struct functional *f, struct device_fault *fault, const char *limit)
{
	const struct warp *w = f->busy ? running_warp(f) : NULL;

	fault->kind = FAULT_HANG;
	if (!w) {
		snprintf(fault->text, sizeof(fault->text), "device fault: hang: the kernel has not ended after %s", limit);
		return;
	}
	fault_begin_limit(fault, w, limit);
	for (uint64_t m = f->cta.live_warps; m; m &= m - 1)
		fault_add_waiting_warp(fault, f->cta.warps[__builtin_ctzll(m)], "");
}

/* One round over the warps of the CTA; true on a fault. */
static bool run_round(struct functional *f, struct device_fault *fault)
{
	bool progressed = false;

	for (uint32_t i = 0; i < f->cta.warp_count; i++) {
		if (f->warps[i].state != WARP_RUNNING)
			continue;
		progressed = true;
		if (run_warp(f, &f->warps[i], fault))
			return true;
	}
	if (!progressed)
		explain_deadlock(f, fault);
	return !progressed;
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
	while (run->warp_instructions < until) {
		if (!f->busy) {
			if (run->next_cta == run->ctas)
				return true;
			begin_cta(f, run);
		}
		if (run_round(f, fault)) {
			f->busy = false;
			return true;
		}
		if (!f->cta.live_warps) {
			f->busy = false;
			run->ctas_done++;
		}
	}
	return run->ctas_done == run->ctas;
}

void functional_abandon(struct functional *f)
{
	f->busy = false;
}
