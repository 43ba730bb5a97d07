/* core/diagnose/hang.c -- reports of kernels that cannot go on. Warps of a CTA of which the same is to be
 * said share a line. */
#include "core/diagnose/hang.h"
#include "core/diagnose/fault.h"
#include "core/diagnose/hang_mbarrier.h"
#include "core/diagnose/wait_for_graph.h"
#include "core/diagnose/livelock.h"
#include "core/kernel/cluster.h"
#include "core/kernel/kernel_run.h"
#include "core/simt/tensor_columns.h"
#include "core/simt/warpgroup.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define GROUPS_MOST 12 /* lines about warps */
#define CHAINS_MOST 3
#define PATHS_MOST  3 /* of a diverged warp */

struct words {
	char text[768];
};

__attribute__((format(printf, 2, 3))) static void say_formatted(struct words *w, const char *format, ...)
{
	size_t used = strlen(w->text);
	va_list ap;

	va_start(ap, format);
	vsnprintf(w->text + used, sizeof(w->text) - used, format, ap);
	va_end(ap);
}

/* "0-2, 5" */
static void say_numbers(struct words *words, uint64_t mask)
{
	const char *comma = "";

	while (mask) {
		uint32_t first = (uint32_t)__builtin_ctzll(mask), last = first;

		while (last < 63 && mask >> (last + 1) & 1)
			last++;
		say_formatted(words, last > first ? "%s%u-%u" : "%s%u", comma, first, last);
		comma = ", ";
		mask &= last == 63 ? 0 : ~UINT64_C(0) << (last + 1);
	}
}

/* The missing warps, those at the same instruction together. */
static void say_missing(struct words *words, const struct cta *cta, uint64_t missing, uint32_t threads)
{
	uint32_t warps = threads / WARP_SIZE;
	const char *before = "";

	if (!missing)
		return;
	say_formatted(words, "; missing: ");
	if (warps < (uint32_t)__builtin_popcountll(missing)) /* a count that some of them can make up */
		say_formatted(words, "any %u of: ", warps);

	while (missing) {
		char place[96], other[96];
		uint64_t same = missing & -missing;

		wait_location(cta, (uint32_t)__builtin_ctzll(missing), place, sizeof(place));
		for (uint64_t m = missing & (missing - 1); m; m &= m - 1) {
			wait_location(cta, (uint32_t)__builtin_ctzll(m), other, sizeof(other));
			same |= strcmp(place, other) ? 0 : m & -m;
		}
		say_formatted(words, "%swarp%s ", before, same & (same - 1) ? "s" : "");
		say_numbers(words, same);
		say_formatted(words, " (%s)", place);
		before = ", ";
		missing &= ~same;
	}
}

static void say_which(struct words *words, uint32_t barrier)
{
	if (barrier == CLUSTER_BARRIER)
		say_formatted(words, "the cluster's barrier");
	else
		say_formatted(words, "barrier %u", barrier);
}

static void say_counted_barrier(struct words *words, const struct warp *w)
{
	const struct cta *cta = w->cta;
	const struct barrier *b = &cta->barriers[w->barrier];
	uint32_t needed = wait_needed(cta, b), more = wait_still_to_come(cta, b);

	say_formatted(words, "waits at line %u: ", wait_uop(cta, w->index)->line);
	say_which(words, w->barrier);
	say_formatted(words, ", %u of %u threads have arrived", b->arrived, needed);
	if (b->arrived + more < needed && more)
		say_formatted(words, ", only %u more can still arrive", more);
	else if (b->arrived + more < needed)
		say_formatted(words, ", no more can arrive");
	if (w->active != w->live)
		say_formatted(words, " (this warp with %d of its %d lanes: divergent)",
			__builtin_popcount(w->active), __builtin_popcount(w->live));
	say_missing(words, cta, wait_missing(cta, w->index), needed - b->arrived);
}

/* Threads of the cluster that have arrived at its barrier, and all that have not exited. */
static void say_cluster_barrier(struct words *words, const struct warp *w)
{
	const struct cluster *c = w->cta->cluster;
	uint32_t arrived = 0, live = 0;

	for (uint32_t rank = 0; rank < c->memory.ctas; rank++) {
		const struct cta *cta = c->ctas[rank];

		for (uint64_t m = cta ? cta->live_warps : 0; m; m &= m - 1) {
			const struct warp *other = cta->warps[__builtin_ctzll(m)];

			live += (uint32_t)__builtin_popcount(other->live);
			arrived += (uint32_t)__builtin_popcount(
				cta->cluster_barrier.arrived[other->index] & other->live);
		}
	}
	say_formatted(words, "waits at line %u: ", wait_uop(w->cta, w->index)->line);
	say_which(words, w->barrier);
	say_formatted(words, " in its phase %u, %u of %u threads of the cluster have arrived",
		w->cta->cluster_barrier.phase, arrived, live);
}

static void say_barrier(struct words *words, const struct warp *w)
{
	const struct cta *cta = w->cta;

	if (w->barrier == WARPGROUP_BARRIER) {
		say_formatted(words, "waits at line %u for its warpgroup to issue wgmma",
			wait_uop(cta, w->index)->line);
		say_missing(words, cta, warpgroup_missing(cta, w->index), 4 * WARP_SIZE);
		return;
	}
	if (w->barrier == TENSOR_BARRIER)
		say_formatted(words, "waits at line %u for columns of tensor memory, of which the CTA has %u",
			wait_uop(cta, w->index)->line, tensor_columns_left(cta));
	else if (w->barrier == REGISTER_BARRIER)
		say_formatted(words, "waits at line %u for %u registers, of which warps have given back %u",
			wait_uop(cta, w->index)->line,
			cta->registers.awaited[w->index] - cta->registers.of[w->index], cta->registers.free);
	else
		say_counted_barrier(words, w);
}

/* Other paths of a diverged warp. */
static void say_paths(struct words *words, const struct warp *w)
{
	const struct kernel_run *run = w->cta->run;
	lane_mask above = w->active;
	uint32_t said = 0;

	for (uint32_t i = w->depth - 1; i-- > 0 && said < PATHS_MOST;) {
		const struct simt_entry *e = &w->stack[i];
		lane_mask here = e->mask & ~above;

		above |= e->mask;
		if (!here || e->pc >= run->kernel->uop_count)
			continue;
		said++;
		say_formatted(words, "; lanes 0x%08x are at line %u", here, run->uops[e->pc].line);
		if (e->parked && e->parked != PARKED_AT_MEMBERS)
			say_formatted(words, ", "), say_which(words, e->parked - 1u);
		else if (e->parked)
			say_formatted(words, ", and wait there for other lanes of the warp");
	}
}

static void say_other(struct words *words, const struct hang_report *r, const struct warp *w)
{
	uint32_t first, last;
	bool spins = livelock_loop(w, &first, &last);
	char place[96], reason[160] = "", object[192];

	wait_location(w->cta, w->index, place, sizeof(place));
	say_formatted(words, "%s", place);
	if (w->state == WARP_RUNNING || spins)
		say_formatted(words, " with %d of its %d lanes", __builtin_popcount(w->active),
			__builtin_popcount(w->live));
	if (r->reason && !spins)
		r->reason(r->machine, w, reason, sizeof(reason));
	if (spins)
		say_formatted(words, "%s",
			livelock_read(w) ? ": the values that it reads there cannot change"
					 : ": nothing that it does there can end the loop");
	else if (reason[0])
		say_formatted(words, ": %s", reason);
	hang_mbarrier(w, object, sizeof(object));
	say_formatted(words, "%s", object);
	if (w->active != w->live)
		say_paths(words, w);
}

static void describe_waiting_warp(struct words *words, const struct hang_report *r, const struct warp *w)
{
	words->text[0] = 0;
	if (w->state == WARP_AT_BARRIER && w->barrier == CLUSTER_BARRIER && w->cta->cluster)
		say_cluster_barrier(words, w);
	else if (w->state == WARP_AT_BARRIER)
		say_barrier(words, w);
	else
		say_other(words, r, w);
}

static void quote_once(struct hang_report *r, const struct warp *w)
{
	const struct uop *u = wait_uop(w->cta, w->index);

	for (uint32_t i = 0; i < r->quoted_count; i++)
		if (r->quoted[i] == u->line)
			return;
	if (r->quoted_count == HANG_LINES)
		return;
	r->quoted[r->quoted_count++] = u->line;
	fault_quote(r->fault, w->cta->run->kernel, u);
}

static void add_group(struct hang_report *r, const struct cta *cta, uint64_t warps, const char *description)
{
	struct words numbers = { "" };
	const struct warp *w = cta->warps[__builtin_ctzll(warps)];

	say_numbers(&numbers, warps);
	fault_append(r->fault, "\n  CTA %u,%u,%u %s %s %s", cta->id[0], cta->id[1], cta->id[2],
		warps & (warps - 1) ? "each of warps" : "warp", numbers.text, description);
	quote_once(r, w);
	r->groups++;
}

/* The next warps of `left` of which the same is to be said, those at barriers first. */
static uint64_t next_group(
	const struct hang_report *r, const struct cta *cta, uint64_t left, struct words *words)
{
	uint64_t candidates = left & cta->at_barriers ? left & cta->at_barriers : left,
		 same = candidates & -candidates;
	struct words other;

	describe_waiting_warp(words, r, cta->warps[__builtin_ctzll(candidates)]);
	for (uint64_t m = candidates & (candidates - 1); m; m &= m - 1) {
		describe_waiting_warp(&other, r, cta->warps[__builtin_ctzll(m)]);
		same |= strcmp(words->text, other.text) ? 0 : m & -m;
	}
	return same;
}

/* FNV-1a over what is to be said about a CTA. */
static uint64_t picture_of(const struct hang_report *r, const struct cta *cta)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325), same;
	struct words words;

	for (uint64_t left = cta->live_warps; left; left &= ~same) {
		same = next_group(r, cta, left, &words);
		hash = (hash ^ same) * UINT64_C(0x100000001b3);
		for (const char *c = words.text; *c; c++)
			hash = (hash ^ (uint8_t)*c) * UINT64_C(0x100000001b3);
	}
	return hash;
}

/* Whether the same has been said about another CTA. */
static bool was_said(struct hang_report *r, const struct cta *cta)
{
	uint64_t picture = picture_of(r, cta);

	for (uint32_t i = 0; i < r->picture_count; i++)
		if (r->pictures[i] == picture)
			return true;
	if (r->picture_count < HANG_CTAS)
		r->pictures[r->picture_count++] = picture;
	return false;
}

static void add_chain(struct hang_report *r, const struct cta *cta)
{
	char chain[768];

	if (r->chains >= CHAINS_MOST || !wait_chain(cta, chain, sizeof(chain)))
		return;
	r->chains++;
	fault_append(r->fault, "\n  CTA %u,%u,%u: %s", cta->id[0], cta->id[1], cta->id[2], chain);
}

void hang_add_cta(struct hang_report *r, const struct cta *cta)
{
	uint64_t left = cta->live_warps, same;
	struct words words;

	if (!left)
		return;
	if (r->groups >= GROUPS_MOST || was_said(r, cta)) {
		r->more_ctas++;
		r->more_warps += (uint64_t)__builtin_popcountll(left);
		r->differ |= r->groups >= GROUPS_MOST;
		return;
	}
	for (; left && r->groups < GROUPS_MOST; left &= ~same) {
		same = next_group(r, cta, left, &words);
		add_group(r, cta, same, words.text);
	}
	if (left)
		fault_append(r->fault, "\n  and %d more warps of this CTA", __builtin_popcountll(left));
	add_chain(r, cta);
}

void hang_add_unstarted(struct hang_report *r, const struct kernel_run *run)
{
	uint64_t left = run->ctas - run->next_cta;

	if (left)
		fault_append(r->fault,
			"\n  %llu CTA%s of kernel %s wait%s to start, for which there is no room",
			(unsigned long long)left, left > 1 ? "s" : "", run->kernel->name,
			left > 1 ? "" : "s");
}

void hang_begin(struct hang_report *r, struct device_fault *fault, hang_reason reason, void *machine)
{
	*r = (struct hang_report){ .fault = fault, .reason = reason, .machine = machine };
	if (fault->text[0]) /* it quotes that line already */
		r->quoted[r->quoted_count++] = fault->line;
}

void hang_end(struct hang_report *r)
{
	if (r->more_ctas)
		fault_append(r->fault, "\n  %s %llu more CTA%s (%llu warp%s)",
			r->differ ? "and" : "the same in", (unsigned long long)r->more_ctas,
			r->more_ctas > 1 ? "s" : "", (unsigned long long)r->more_warps,
			r->more_warps > 1 ? "s" : "");
}

void hang_headline(struct device_fault *fault, const struct warp *w, const char *what)
{
	const struct uop *u = wait_uop(w->cta, w->index);

	fault->lane = w->active ? (uint32_t)__builtin_ctz(w->active) : 0;
	fault_location(fault, w, u);
	fault_append(fault, "%s:%u: device fault: %s: %s (kernel %s)", fault->file, fault->line,
		fault_name(fault->kind), what, fault->kernel);
	fault_quote(fault, w->cta->run->kernel, u);
}

void hang_explain_cta(struct device_fault *fault, const struct cta *cta)
{
	struct hang_report r;
	char what[96];

	fault->kind = FAULT_BARRIER_DEADLOCK;
	snprintf(what, sizeof(what), "no warp of CTA %u,%u,%u can ever proceed", cta->id[0], cta->id[1],
		cta->id[2]);
	hang_headline(fault, cta->warps[__builtin_ctzll(cta->live_warps)], what);
	hang_begin(&r, fault, NULL, NULL);
	hang_add_cta(&r, cta);
	hang_end(&r);
}
