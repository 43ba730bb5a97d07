/* core/fault.c -- device faults in words: kernel, PTX line, CTA and thread, address and nearest allocation.
 */
#include "core/warp.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const fault_names[] = {
	[FAULT_NONE] = "no fault",
	[FAULT_OUT_OF_BOUNDS] = "access outside every live allocation",
	[FAULT_MISALIGNED] = "misaligned access",
	[FAULT_ILLEGAL_INSTRUCTION] = "illegal instruction",
	[FAULT_TRAP] = "trap",
	[FAULT_BARRIER_DEADLOCK] = "barrier deadlock",
	[FAULT_SHARED_OUT_OF_BOUNDS] = "access outside the CTA's shared memory",
	[FAULT_LOCAL_OUT_OF_BOUNDS] = "access outside the thread's local memory",
	[FAULT_STACK_OVERFLOW] = "stack overflow",
	[FAULT_HANG] = "hang",
	[FAULT_ASSERT] = "assertion",
};

/* Appends to the text; what does not fit is dropped. */
__attribute__((format(printf, 2, 3))) static void append(struct device_fault *f, const char *format, ...)
{
	size_t used = strlen(f->text);
	va_list ap;

	va_start(ap, format);
	vsnprintf(f->text + used, sizeof(f->text) - used, format, ap);
	va_end(ap);
}

static void quote_line(struct device_fault *f, const struct ptx_module *m)
{
	const char *p = m->text;

	for (uint32_t line = 1; p && line < f->line; line++) {
		p = strchr(p, '\n');
		p = p ? p + 1 : NULL;
	}
	if (p)
		append(f, "\n  %4u | %.*s", f->line, (int)strcspn(p, "\r\n"), p);
}

static void describe_access(struct device_fault *f)
{
	append(f, ": %s of %u bytes at 0x%" PRIx64, f->is_store ? "store" : "load", f->bytes, f->address);
	if (f->kind != FAULT_OUT_OF_BOUNDS)
		return;
	if (f->nearest.start == f->nearest.end) {
		append(f, "; nothing is allocated");
		return;
	}
	append(f, "; the nearest allocation is 0x%" PRIx64 " of %" PRIu64 " bytes, which ", f->nearest.start,
		f->nearest.end - f->nearest.start);
	if (f->address == f->nearest.end)
		append(f, "ends right before it");
	else if (f->address > f->nearest.end)
		append(f, "ends %" PRIu64 " bytes before it", f->address - f->nearest.end);
	else if (f->address < f->nearest.start)
		append(f, "begins %" PRIu64 " bytes after it", f->nearest.start - f->address);
	else
		append(f, "ends inside the access");
}

static bool is_access(enum fault_kind kind)
{
	return kind == FAULT_OUT_OF_BOUNDS || kind == FAULT_MISALIGNED ||
	       kind == FAULT_SHARED_OUT_OF_BOUNDS || kind == FAULT_LOCAL_OUT_OF_BOUNDS;
}

static void place(struct device_fault *f, const struct warp *w, const struct uop *u)
{
	const struct kernel_run *run = w->cta->run;
	const uint32_t *b = run->launch->block;
	uint32_t thread = (uint32_t)w->index * WARP_SIZE + f->lane;

	f->kernel = run->kernel->name;
	f->file = run->kernel->module->file;
	f->line = u->line;
	memcpy(f->cta, w->cta->id, sizeof(f->cta));
	f->thread[0] = thread % b[0];
	f->thread[1] = thread / b[0] % b[1];
	f->thread[2] = thread / b[0] / b[1];
}

void fault_explain(struct device_fault *f, const struct warp *w, const struct uop *u)
{
	place(f, w, u);
	append(f, "%s:%u: device fault: %s", f->file, f->line, fault_names[f->kind]);
	if (f->detail)
		append(f, ": %s", f->detail);
	if (is_access(f->kind))
		describe_access(f);
	append(f, " (kernel %s, CTA %u,%u,%u, thread %u,%u,%u)", f->kernel, f->cta[0], f->cta[1], f->cta[2],
		f->thread[0], f->thread[1], f->thread[2]);
	quote_line(f, w->cta->run->kernel->module);
}

void fault_add_waiting_warp(struct device_fault *f, const struct warp *w, const char *reason)
{
	const struct kernel_run *run = w->cta->run;
	uint32_t pc = w->state == WARP_AT_BARRIER && w->pc ? w->pc - 1 : w->pc;
	uint32_t line = pc < run->kernel->uop_count ? run->uops[pc].line : 0;

	if (!f->text[0]) {
		f->lane = 0;
		place(f, w, &run->uops[pc < run->kernel->uop_count ? pc : 0]);
		append(f, "%s:%u: device fault: %s: no warp can ever proceed (kernel %s)", f->file, f->line,
			fault_names[f->kind], f->kernel);
		quote_line(f, run->kernel->module);
	}
	append(f, "\n  CTA %u,%u,%u warp %u waits at line %u: ", w->cta->id[0], w->cta->id[1], w->cta->id[2],
		w->index, line);
	if (w->state == WARP_AT_BARRIER) {
		const struct barrier *b = &w->cta->barriers[w->barrier];
		uint32_t needed = b->needed ? b->needed
					    : (uint32_t)__builtin_popcountll(w->cta->live_warps) * WARP_SIZE;

		uint32_t exited = w->cta->warp_count - (uint32_t)__builtin_popcountll(w->cta->live_warps);

		append(f, "barrier %u, %u of %u threads have arrived", w->barrier, b->arrived, needed);
		if (exited)
			append(f, ", %u of the CTA's %u warps have exited", exited, w->cta->warp_count);
		if (w->active != w->live)
			append(f, " (this warp with %d of its %d lanes: divergent)",
				__builtin_popcount(w->active), __builtin_popcount(w->live));
	} else {
		append(f, "%s", reason);
	}
}
