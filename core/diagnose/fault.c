/* core/diagnose/fault.c -- device faults in words: kernel, PTX line, CTA and thread, address and nearest
 * allocation.
 */
#include "core/diagnose/fault.h"
#include "core/diagnose/hang.h"
#include "core/kernel/kernel_run.h"
#include "core/simt/warp.h"
#include "frontend/module.h"
#include <inttypes.h>
#include <stdarg.h>
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
	[FAULT_NO_TEXTURE] = "the handle is of no texture, sampler or surface that the instruction takes",
	[FAULT_UNBOUND_TEXTURE] = "a texture or surface reference to which no memory is bound",
	[FAULT_FREED_TEXTURE] = "a texture or surface whose memory was freed",
	[FAULT_NO_CUBE] = "a cube is asked of a texture that is none",
	[FAULT_SURFACE_OUT_OF_BOUNDS] = "access outside the surface",
	[FAULT_SURFACE_MISALIGNED] = "misaligned access to a surface",
	[FAULT_INVALID_PC] = "invalid program counter",
	[FAULT_ADDRESS_SPACE] = "a generic address of a state space in which the instruction cannot work",
	[FAULT_CLUSTER_MEMORY] = "access to shared memory of a CTA of the cluster that is not there",
	[FAULT_TENSOR_MEMORY] = "misuse of tensor memory",
};

void fault_append(struct device_fault *f, const char *format, ...)
{
	size_t used = strlen(f->text);
	va_list ap;

	va_start(ap, format);
	vsnprintf(f->text + used, sizeof(f->text) - used, format, ap);
	va_end(ap);
}

static void quote_line(struct device_fault *f, const struct ptx_module *m, uint32_t number)
{
	const char *p = m->text;

	for (uint32_t line = 1; p && line < number; line++) {
		p = strchr(p, '\n');
		p = p ? p + 1 : NULL;
	}
	if (p)
		fault_append(f, "\n  %4u | %.*s", number, (int)strcspn(p, "\r\n"), p);
}

static void describe_access(struct device_fault *f)
{
	fault_append(
		f, ": %s of %u bytes at 0x%" PRIx64, f->is_store ? "store" : "load", f->bytes, f->address);
	if (f->kind != FAULT_OUT_OF_BOUNDS)
		return;
	if (f->nearest.start == PARAM_WINDOW) {
		fault_append(f,
			"; the kernel's parameters are the %" PRIu64 " bytes from 0x%" PRIx64
			" on, and can only be read",
			f->nearest.end - f->nearest.start, f->nearest.start);
		return;
	}
	if (f->nearest.start == f->nearest.end) {
		fault_append(f, "; nothing is allocated");
		return;
	}
	fault_append(f, "; the nearest allocation is 0x%" PRIx64 " of %" PRIu64 " bytes, which ",
		f->nearest.start, f->nearest.end - f->nearest.start);
	if (f->address == f->nearest.end)
		fault_append(f, "ends right before it");
	else if (f->address > f->nearest.end)
		fault_append(f, "ends %" PRIu64 " bytes before it", f->address - f->nearest.end);
	else if (f->address < f->nearest.start)
		fault_append(f, "begins %" PRIu64 " bytes after it", f->nearest.start - f->address);
	else
		fault_append(f, "ends inside the access");
	if (f->is_in_page)
		fault_append(f, "; GPUs do not notice it, nor does --set memory.bounds=page");
}

static bool is_access_fault(enum fault_kind kind)
{
	return kind == FAULT_OUT_OF_BOUNDS || kind == FAULT_MISALIGNED ||
		kind == FAULT_SHARED_OUT_OF_BOUNDS || kind == FAULT_LOCAL_OUT_OF_BOUNDS ||
		kind == FAULT_ADDRESS_SPACE || kind == FAULT_CLUSTER_MEMORY;
}

/* The function that contains an instruction; NULL: the entry itself. */
static const struct ptx_callee *function_containing(const struct ptx_kernel *k, const struct uop *u)
{
	uint32_t n = ptx_kernel_function(k, (uint32_t)(u - k->uops));

	return n ? &k->functions[n] : NULL;
}

void fault_quote(struct device_fault *f, const struct ptx_kernel *k, const struct uop *u)
{
	if (f->parent_kernel)
		fault_append(f, ", launched by kernel %s, launch %" PRIu64, f->parent_kernel, f->parent);
	quote_line(f, ptx_kernel_module(k, u), u->line);
}

static void describe_texture(struct device_fault *f)
{
	if (f->kind < FAULT_NO_TEXTURE || f->kind > FAULT_SURFACE_MISALIGNED)
		return;
	fault_append(f, ": handle 0x%" PRIx64, f->address);
	if (f->kind == FAULT_SURFACE_OUT_OF_BOUNDS || f->kind == FAULT_SURFACE_MISALIGNED)
		fault_append(f, ", %s of %u bytes at (%d, %d, %d)", f->is_store ? "store" : "load", f->bytes,
			f->coordinates[0], f->coordinates[1], f->coordinates[2]);
}

void fault_location(struct device_fault *f, const struct warp *w, const struct uop *u)
{
	const struct kernel_run *run = w->cta->run;
	const uint32_t *b = run->launch->block;
	uint32_t thread = (uint32_t)w->index * WARP_SIZE + f->lane;

	f->kernel = run->kernel->name;
	f->parent_kernel = run->launch->parent_kernel;
	f->parent = run->launch->parent;
	f->file = ptx_kernel_module(run->kernel, u)->file;
	f->line = u->line;
	f->code = u->code;
	memcpy(f->cta, w->cta->id, sizeof(f->cta));
	f->thread[0] = thread % b[0];
	f->thread[1] = thread / b[0] % b[1];
	f->thread[2] = thread / b[0] / b[1];
}

const char *fault_name(enum fault_kind kind)
{
	return fault_names[kind];
}

static void begin_fault(struct device_fault *f, const struct warp *w, const struct uop *u)
{
	fault_location(f, w, u);
	fault_append(f, "%s:%u: device fault: %s", f->file, f->line, fault_names[f->kind]);
}

static void end_fault(struct device_fault *f, const struct warp *w, const struct uop *u)
{
	const struct ptx_kernel *k = w->cta->run->kernel;
	const struct ptx_callee *function = function_containing(k, u);

	fault_append(f, " (kernel %s, ", f->kernel);
	if (function)
		fault_append(f, "function %s, ", function->name);
	fault_append(f, "CTA %u,%u,%u, thread %u,%u,%u)", f->cta[0], f->cta[1], f->cta[2], f->thread[0],
		f->thread[1], f->thread[2]);
	fault_quote(f, k, u);
}

void fault_explain(struct device_fault *f, const struct warp *w, const struct uop *u)
{
	begin_fault(f, w, u);
	if (f->detail[0])
		fault_append(f, ": %s", f->detail);
	if (is_access_fault(f->kind))
		describe_access(f);
	describe_texture(f);
	end_fault(f, w, u);
}

/* How many functions are running one within the other, the entry not counted. */
static uint32_t calls_under_way(const struct warp *w)
{
	uint32_t calls = 0;

	for (uint32_t i = 0; i < w->depth; i++)
		calls += w->stack[i].call != 0 &&
			(i + 1 == w->depth || w->stack[i + 1].frame != w->stack[i].frame ||
				!w->stack[i + 1].call);
	return calls;
}

static void describe_control(struct device_fault *f, const struct control_result *r, const struct warp *w)
{
	const struct kernel_run *run = w->cta->run;

	if (r->why)
		fault_append(f, ": %s", r->why);
	else if (r->what == CONTROL_BAD_INDEX)
		fault_append(f, ": index %" PRIu64 " is beyond the table of the branch", r->value);
	else if (r->what == CONTROL_BAD_CALL)
		fault_append(f, ": 0x%" PRIx64 " is no function that can be called so", r->value);
	else if (r->what == CONTROL_NO_ROOM)
		fault_append(f, ": what alloca asks for does not fit the %u bytes of the thread's stack",
			run->local_bytes);
	else if (r->what == CONTROL_STACK_OVERFLOW)
		fault_append(f,
			": the call of %s, %u calls deep, does not fit the %u bytes of the thread's stack",
			run->kernel->functions[r->value].name, calls_under_way(w) + 1, run->local_bytes);
}

bool fault_control(
	struct device_fault *f, const struct control_result *r, const struct warp *w, const struct uop *u)
{
	bool is_full = r->what == CONTROL_STACK_OVERFLOW || r->what == CONTROL_NO_ROOM;
	bool has_lane = is_full || r->what == CONTROL_BAD_INDEX || r->what == CONTROL_BAD_CALL;
	lane_mask lanes_of = warp_guarded(w, u); /* 0: the warp's last lanes have exited */

	if (r->what == CONTROL_DEADLOCK) {
		hang_explain_cta(f, w->cta);
		return true;
	}
	if (r->what != CONTROL_TRAP && r->what != CONTROL_BAD_BARRIER && r->what != CONTROL_TENSOR_MEMORY &&
		!has_lane)
		return false;
	f->kind = r->what == CONTROL_TRAP          ? FAULT_TRAP
		: r->what == CONTROL_TENSOR_MEMORY ? FAULT_TENSOR_MEMORY
		: r->what == CONTROL_BAD_CALL      ? FAULT_INVALID_PC
		: is_full                          ? FAULT_STACK_OVERFLOW
						   : FAULT_ILLEGAL_INSTRUCTION;
	f->lane = has_lane ? r->lane : lanes_of ? (uint32_t)__builtin_ctz(lanes_of) : 0;
	begin_fault(f, w, u);
	describe_control(f, r, w);
	end_fault(f, w, u);
	return true;
}

void fault_begin_limit(struct device_fault *f, const struct warp *w, const char *limit)
{
	const struct kernel_run *run = w->cta->run;
	const struct uop *u = &run->uops[w->pc < run->kernel->uop_count ? w->pc : 0];

	f->lane = w->active ? (uint32_t)__builtin_ctz(w->active) : 0;
	fault_location(f, w, u);
	fault_append(f,
		"%s:%u: device fault: %s: the kernel has not ended after %s (kernel %s, CTA %u,%u,%u, thread "
		"%u,%u,%u)",
		f->file, f->line, fault_names[f->kind], limit, f->kernel, f->cta[0], f->cta[1], f->cta[2],
		f->thread[0], f->thread[1], f->thread[2]);
	fault_quote(f, run->kernel, u);
}
