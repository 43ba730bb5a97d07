/* core/simt/cta_state.c -- a CTA's state to bytes and back. Numbers are of 64 bits:
 *
 *   number of the CTA, warps that live, warps at barriers; of each barrier its numbers; of the cluster's
 * barrier phase and whether it is used; of each warp its lanes there, where it exited and its groups of
 * products; of each warp that lives its numbers, and those of each entry of its stack
 *
 * then, of each warp that lives, registers, predicates and local memory as they are, and the shared memory.
 */
#include "core/simt/cta_state.h"
#include "core/kernel/kernel_run.h"
#include "core/simt/warp.h"
#include "sim/base/xalloc.h"
#include <string.h>

/* -- bytes -- */

struct writer {
	uint8_t *bytes;
	size_t size, capacity;
};

static void put_bytes(struct writer *w, const void *bytes, size_t count)
{
	if (w->size + count > w->capacity) {
		w->capacity = 2 * (w->size + count);
		w->bytes = xrealloc(w->bytes, w->capacity);
	}
	if (count)
		memcpy(w->bytes + w->size, bytes, count);
	w->size += count;
}

static void put_number(struct writer *w, uint64_t number)
{
	put_bytes(w, &number, sizeof(number));
}

struct reader {
	const uint8_t *at;
	size_t left;
	bool is_wrong;
};

static void get_bytes(struct reader *r, void *to, size_t count)
{
	r->is_wrong |= count > r->left;
	if (r->is_wrong) {
		if (to)
			memset(to, 0, count);
		return;
	}
	if (to && count)
		memcpy(to, r->at, count);
	r->at += count;
	r->left -= count;
}

/* A number up to `most`; others are wrong. */
static uint64_t get_number(struct reader *r, uint64_t most)
{
	uint64_t number;

	get_bytes(r, &number, sizeof(number));
	r->is_wrong |= number > most;
	return r->is_wrong ? 0 : number;
}

/* -- what a CTA has in numbers -- */

static void put_barriers(struct writer *w, const struct cta *cta)
{
	for (int i = 0; i < ALL_BARRIERS; i++) {
		const struct barrier *b = &cta->barriers[i];

		put_number(w, b->waiting);
		put_number(w, b->came);
		put_number(w, b->arrived);
		put_number(w, b->needed);
		put_number(w, b->popc);
		put_number(w, (uint64_t)b->reduces | (uint64_t)b->all << 1 | (uint64_t)b->any << 2);
	}
	put_number(w, cta->registers.free);
	put_number(w, cta->cluster_barrier.phase);
	put_number(w, cta->cluster_barrier.is_used);
	for (uint32_t i = 0; i < cta->warp_count; i++) {
		put_number(w, cta->cluster_barrier.arrived[i]);
		put_number(w, cta->cluster_barrier.waiting[i]);
		put_number(w, cta->cluster_barrier.open[i]);
		put_number(w, cta->exited_at[i]);
		put_number(w, cta->products[i].committed);
		put_number(w, cta->products[i].awaited);
		put_number(w, cta->registers.of[i]);
		put_number(w, cta->registers.awaited[i]);
	}
}

static void get_barriers(struct reader *r, struct cta *cta)
{
	const uint64_t threads = (uint64_t)cta->warp_count * WARP_SIZE;
	uint64_t at_barriers = 0;

	for (int i = 0; i < ALL_BARRIERS; i++) {
		struct barrier *b = &cta->barriers[i];
		uint64_t flags;

		b->waiting = get_number(r, UINT64_MAX);
		b->came = get_number(r, UINT64_MAX);
		b->arrived = (uint32_t)get_number(r, threads);
		b->needed = (uint32_t)get_number(r, threads);
		b->popc = (uint32_t)get_number(r, threads);
		flags = get_number(r, 7);
		b->reduces = flags & 1;
		b->all = flags >> 1 & 1;
		b->any = flags >> 2 & 1;
		r->is_wrong |= (b->waiting & at_barriers) != 0;
		at_barriers |= b->waiting;
	}
	r->is_wrong |= at_barriers != cta->at_barriers; /* a warp waits at one barrier or at none */
	cta->registers.free = (uint32_t)get_number(r, UINT32_MAX);
	cta->cluster_barrier.phase = (uint32_t)get_number(r, UINT32_MAX);
	cta->cluster_barrier.is_used = get_number(r, 1);
	for (uint32_t i = 0; i < cta->warp_count; i++) {
		cta->cluster_barrier.arrived[i] = (lane_mask)get_number(r, UINT32_MAX);
		cta->cluster_barrier.waiting[i] = (lane_mask)get_number(r, UINT32_MAX);
		cta->cluster_barrier.open[i] = (lane_mask)get_number(r, UINT32_MAX);
		cta->exited_at[i] = (uint32_t)get_number(r, cta->run->kernel->uop_count - 1);
		cta->products[i].committed = (uint32_t)get_number(r, UINT32_MAX);
		cta->products[i].awaited = (uint32_t)get_number(r, UINT32_MAX);
		cta->registers.of[i] = (uint16_t)get_number(r, 256);
		cta->registers.awaited[i] = (uint16_t)get_number(r, 256);
	}
}

static void put_entry(struct writer *w, const struct simt_entry *e)
{
	const uint32_t numbers[] = { e->pc, e->reconverge, e->mask, e->frame, e->top, e->call, e->caller,
		e->parked };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		put_number(w, numbers[i]);
}

/* Bytes of local memory that the function at pc uses of its frame. */
static uint64_t frame_at(const struct ptx_kernel *k, uint32_t pc)
{
	uint32_t nearest = 0, frame = 0;

	for (uint32_t i = 0; i < k->function_count; i++)
		if (k->functions[i].entry <= pc && k->functions[i].entry >= nearest) {
			nearest = k->functions[i].entry;
			frame = k->functions[i].frame;
		}
	return frame;
}

static uint64_t largest_frame(const struct ptx_kernel *k)
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < k->function_count; i++)
		most = k->functions[i].frame > most ? k->functions[i].frame : most;
	return most;
}

static struct simt_entry get_entry(struct reader *r, const struct kernel_run *run, lane_mask live)
{
	const struct ptx_kernel *k = run->kernel;
	struct simt_entry e;

	e.pc = (uint32_t)get_number(r, k->uop_count - 1);
	e.reconverge = (uint32_t)get_number(r, UINT32_MAX);
	e.mask = (lane_mask)get_number(r, UINT32_MAX);
	e.frame = (uint32_t)get_number(r, run->local_bytes);
	e.top = (uint32_t)get_number(r, run->local_bytes);
	e.call = (uint32_t)get_number(r, k->call_count);
	e.caller = (uint32_t)get_number(r, run->local_bytes);
	e.parked = (uint8_t)get_number(r, PARKED_AT_MEMBERS);
	r->is_wrong |= (e.mask & ~live) ||
		(e.reconverge > k->uop_count && e.reconverge != NO_RECONVERGENCE) || e.top < e.frame ||
		e.frame + frame_at(k, e.pc) > run->local_bytes ||
		(e.parked > CLUSTER_BARRIER + 1 && e.parked != PARKED_AT_MEMBERS) ||
		(e.parked && e.parked != PARKED_AT_MEMBERS && !uop_is_barrier(&run->uops[e.pc])) ||
		(e.call && e.caller + largest_frame(k) > run->local_bytes);
	return e;
}

static void put_warp(struct writer *w, const struct warp *warp)
{
	bool waits = warp->state == WARP_AT_BARRIER;
	struct simt_entry top = warp->stack[warp->depth - 1];

	top.pc = warp->pc; /* the warp's copies are newer */
	top.reconverge = warp->reconverge;
	top.mask = warp->active;
	put_number(w, warp->live);
	put_number(w, waits);
	put_number(w, waits ? warp->barrier : 0);
	put_number(w, warp->frame);
	put_number(w, warp->top);
	put_number(w, warp->cleared);
	put_number(w, warp->depth);
	for (uint32_t i = 0; i + 1 < warp->depth; i++)
		put_entry(w, &warp->stack[i]);
	put_entry(w, &top);
}

static bool waits_at(const struct uop *u)
{
	return uop_is_barrier(u) || u->code == UOP_WGMMA_WAIT || u->code == UOP_SETMAXNREG ||
		u->code == UOP_TCGEN05_ALLOC;
}

/* A warp's numbers. Stack entries go to `to`, if it is not NULL. */
static void get_warp(
	struct reader *r, const struct cta *cta, uint32_t index, bool at_barrier, struct warp *to)
{
	const struct kernel_run *run = cta->run;
	uint32_t threads = run->threads - index * WARP_SIZE;
	lane_mask all = threads >= WARP_SIZE ? ~UINT32_C(0) : (UINT32_C(1) << threads) - 1;
	lane_mask live = (lane_mask)get_number(r, UINT32_MAX);
	bool waits = get_number(r, 1);
	uint32_t barrier = (uint32_t)get_number(r, ALL_BARRIERS - 1),
		 frame = (uint32_t)get_number(r, run->local_bytes),
		 top = (uint32_t)get_number(r, run->local_bytes),
		 cleared = (uint32_t)get_number(r, run->local_bytes);
	uint64_t depth = get_number(r, r->left / (8 * sizeof(uint64_t)));
	struct simt_entry e = { 0 };

	r->is_wrong |= !depth || !live || (live & ~all) || waits != at_barrier ||
		(waits && !(cta->barriers[barrier].waiting >> index & 1)) || top < frame;
	if (to && to->capacity < depth) {
		to->capacity = (uint32_t)depth;
		to->stack = xrealloc(to->stack, to->capacity * sizeof(*to->stack));
	}
	for (uint64_t i = 0; i < depth && !r->is_wrong; i++) {
		e = get_entry(r, run, live);
		r->is_wrong |= i == 0 && e.call;
		if (to)
			to->stack[i] = e;
	}
	r->is_wrong |= !e.mask || (waits ? !e.pc || !waits_at(&run->uops[e.pc - 1]) : e.pc == e.reconverge) ||
		frame + frame_at(run->kernel, e.pc) > run->local_bytes;
	if (!to || r->is_wrong)
		return;
	to->live = live;
	to->state = waits ? WARP_AT_BARRIER : WARP_RUNNING;
	to->barrier = (uint8_t)barrier;
	to->depth = (uint32_t)depth;
	to->pc = e.pc;
	to->reconverge = e.reconverge;
	to->active = e.mask;
	to->frame = frame;
	to->top = top;
	to->cleared = cleared;
}

/* -- whole -- */

static size_t local_bytes(const struct kernel_run *run)
{
	return (size_t)run->local_bytes * WARP_SIZE;
}

struct cta_state cta_state_take(const struct cta *cta)
{
	const struct kernel_run *run = cta->run;
	struct writer w = { 0 };

	put_number(&w, cta->linear);
	put_number(&w, cta->live_warps);
	put_number(&w, cta->at_barriers);
	put_barriers(&w, cta);
	for (uint64_t m = cta->live_warps; m; m &= m - 1)
		put_warp(&w, cta->warps[__builtin_ctzll(m)]);
	for (uint64_t m = cta->live_warps; m; m &= m - 1) {
		const struct warp *warp = cta->warps[__builtin_ctzll(m)];

		put_bytes(&w, warp->registers, kernel_register_bytes(run->kernel));
		put_bytes(&w, warp->predicates, kernel_predicate_bytes(run->kernel));
		put_bytes(&w, warp->local, local_bytes(run));
	}
	put_bytes(&w, cta->shared, run->cta_bytes);
	return (struct cta_state){
		.number = cta->linear, .live = cta->live_warps, .bytes = w.bytes, .size = w.size
	};
}

/* to NULL: only looks. */
static void get_all(struct reader *r, struct cta *cta, bool looks)
{
	const struct kernel_run *run = cta->run;
	uint64_t all = run->warps < 64 ? (UINT64_C(1) << run->warps) - 1 : UINT64_MAX, live;

	cta->linear = get_number(r, run->ctas - 1);
	live = cta->live_warps = get_number(r, all);
	cta->at_barriers = get_number(r, all);
	r->is_wrong |= !live || (cta->at_barriers & ~live);
	get_barriers(r, cta);
	for (uint64_t m = live; m && !r->is_wrong; m &= m - 1) {
		uint32_t i = (uint32_t)__builtin_ctzll(m);

		get_warp(r, cta, i, cta->at_barriers >> i & 1, looks ? NULL : cta->warps[i]);
	}
	for (uint64_t m = live; m && !r->is_wrong; m &= m - 1) {
		const struct warp *w = looks ? NULL : cta->warps[__builtin_ctzll(m)];

		get_bytes(r, w ? w->registers : NULL, kernel_register_bytes(run->kernel));
		get_bytes(r, w ? w->predicates : NULL, kernel_predicate_bytes(run->kernel));
		get_bytes(r, w ? w->local : NULL, local_bytes(run));
	}
	get_bytes(r, looks ? NULL : cta->shared, run->cta_bytes);
	r->is_wrong |= r->left != 0;
}

bool cta_state_check(struct cta_state *state, const struct kernel_run *run)
{
	struct reader r = { state->bytes, state->size, false };
	struct cta *cta = xcalloc(1, sizeof(*cta));

	cta->run = (struct kernel_run *)run;
	cta->warp_count = run->warps;
	get_all(&r, cta, true);
	state->number = cta->linear;
	state->live = cta->live_warps;
	free(cta);
	return !r.is_wrong;
}

void cta_state_put(const struct cta_state *state, struct cta *cta)
{
	struct reader r = { state->bytes, state->size, false };

	get_all(&r, cta, false);
	bug_if(r.is_wrong, "the state of CTA %llu is wrong", (unsigned long long)state->number);
}
