/* core/diagnose/hang_explain.c -- reports about the whole machine: nothing can happen, everything repeats, a
 * limit is reached. */
#include "core/diagnose/hang.h"
#include "core/diagnose/fault.h"
#include "core/diagnose/livelock.h"
#include "core/kernel/kernel_run.h"
#include <stdio.h>

struct census {
	uint32_t warps, at_barriers, spinning, reading;
	const struct warp *running, *any; /* a warp that runs; the first */
};

static void count_cta(void *user, const struct cta *cta)
{
	struct census *c = user;
	uint32_t first, last;

	for (uint64_t m = cta->live_warps; m; m &= m - 1) {
		const struct warp *w = cta->warps[__builtin_ctzll(m)];

		c->warps++;
		c->at_barriers += w->state == WARP_AT_BARRIER;
		if (livelock_loop(w, &first, &last)) {
			c->spinning++;
			c->reading += livelock_read(w) != NULL;
		}
		if (!c->running && w->state == WARP_RUNNING)
			c->running = w;
		if (!c->any)
			c->any = w;
	}
}

static struct census take_census(const struct machine_view *view)
{
	struct census c = { 0 };

	view->each_cta(view->machine, count_cta, &c);
	return c;
}

static void add_cta(void *user, const struct cta *cta)
{
	hang_add_cta(user, cta);
}

static void describe_hang(
	const struct machine_view *view, const struct kernel_run *run, struct device_fault *fault)
{
	struct hang_report r;

	hang_begin(&r, fault, view->reason, view->machine);
	view->each_cta(view->machine, add_cta, &r);
	hang_end(&r);
	hang_add_unstarted(&r, run);
}

static void begin_without_warps(struct device_fault *fault, const struct kernel_run *run, const char *what)
{
	snprintf(fault->text, sizeof(fault->text), "device fault: hang: %s (kernel %s)", what,
		run->kernel->name);
}

void hang_explain_stop(
	const struct machine_view *view, const struct kernel_run *run, struct device_fault *fault)
{
	struct census c = take_census(view);

	fault->kind = c.warps && c.at_barriers == c.warps ? FAULT_BARRIER_DEADLOCK : FAULT_HANG;
	if (c.any)
		hang_headline(fault, c.any, "no warp can ever proceed");
	else
		begin_without_warps(fault, run, "nothing can ever happen");
	describe_hang(view, run, fault);
}

void hang_explain_spin(
	const struct machine_view *view, const struct kernel_run *run, struct device_fault *fault)
{
	struct census c = take_census(view);
	char what[192];
	int used;

	fault->kind = FAULT_HANG;
	used = snprintf(what, sizeof(what), "no warp can ever proceed: %u spin%s%s", c.spinning,
		c.spinning == 1 ? "s" : "", c.reading ? " on memory that nobody can change any more" : "");
	if (c.warps > c.spinning)
		snprintf(what + used, sizeof(what) - (size_t)used, ", %u wait%s at barriers",
			c.warps - c.spinning, c.warps - c.spinning == 1 ? "s" : "");
	hang_headline(fault, c.running ? c.running : c.any, what);
	describe_hang(view, run, fault);
}

void hang_explain_limit(const struct machine_view *view, const struct kernel_run *run,
	struct device_fault *fault, const char *limit)
{
	struct census c = take_census(view);
	char what[160];

	fault->kind = FAULT_HANG;
	if (c.any) {
		fault_begin_limit(fault, c.running ? c.running : c.any, limit);
	} else {
		snprintf(what, sizeof(what), "the kernel has not ended after %s", limit);
		begin_without_warps(fault, run, what);
	}
	describe_hang(view, run, fault);
}
