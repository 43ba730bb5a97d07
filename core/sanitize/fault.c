/* core/sanitize/fault.c -- device faults, which end the program with or without a sanitizer, among its
 * findings. */
#include "core/exec/device_fault.h"
#include "core/sanitize/sanitize_internal.h"
#include "sim/base/xalloc.h"
#include <string.h>

/* Barriers, warp-level operations, mbarriers. */
static bool is_synchronisation(uint16_t code)
{
	return (code >= UOP_VOTE_ALL && code <= UOP_WARP_SYNC) ||
		(code >= UOP_BAR_SYNC && code <= UOP_CLUSTER_WAIT) || code == UOP_MBARRIER ||
		code == UOP_MBARRIER_TEST;
}

static enum finding_kind kind_of(const struct device_fault *fault)
{
	switch (fault->kind) {
	case FAULT_BARRIER_DEADLOCK:
		return FINDING_SYNC_FAULT;
	case FAULT_ILLEGAL_INSTRUCTION:
		if (is_synchronisation(fault->code))
			return FINDING_SYNC_FAULT;
		return fault->code == UOP_SYSCALL ? FINDING_BAD_FREE : FINDING_KINDS;
	case FAULT_OUT_OF_BOUNDS:
	case FAULT_MISALIGNED:
	case FAULT_SHARED_OUT_OF_BOUNDS:
	case FAULT_LOCAL_OUT_OF_BOUNDS:
	case FAULT_STACK_OVERFLOW:
	case FAULT_FREED_TEXTURE:
	case FAULT_SURFACE_OUT_OF_BOUNDS:
	case FAULT_SURFACE_MISALIGNED:
	case FAULT_ADDRESS_SPACE:
	case FAULT_CLUSTER_MEMORY:
	case FAULT_TENSOR_MEMORY:
		return FINDING_FAULT;
	default:
		return FINDING_KINDS;
	}
}

/* What is wrong, from "FILE:LINE: device fault: WHAT (kernel ...)" and the quoted line behind it. */
static void take_text(struct finding *f, const struct device_fault *fault, const char *more)
{
	const char *mark = strstr(fault->text, "device fault: "), *what = mark ? mark + 14 : fault->text;
	const char *end = strstr(what, " (kernel "), *bar = strstr(what, " | ");
	size_t line = strcspn(what, "\n");

	finding_detail(f, "%.*s%s", end && end < what + line ? (int)(end - what) : (int)line, what, more);
	if (bar)
		f->here.quote = strndup(
			bar + 3 + strspn(bar + 3, " \t"), strcspn(bar + 3 + strspn(bar + 3, " \t"), "\n"));
}

void sanitizer_fault(struct sanitizer *s, const struct device_fault *fault, uint64_t launch)
{
	enum finding_kind kind = kind_of(fault);
	char more[128] = "";
	struct finding *f;

	if (fault->kind == FAULT_OUT_OF_BOUNDS && device_was_freed(s, fault->address, more, sizeof(more)))
		kind = FINDING_FREED;
	if (kind == FINDING_KINDS || !(s->checks & finding_check(kind)))
		return;
	f = finding_note_host(&s->findings, kind, 0);
	if (!f)
		return;
	f->launch = launch;
	f->kernel = fault->kernel ? xstrdup(fault->kernel) : NULL;
	f->parent = fault->parent_kernel ? xstrdup(fault->parent_kernel) : NULL;
	f->here.file = fault->file ? xstrdup(fault->file) : NULL;
	f->here.line = fault->line;
	memcpy(f->cta, fault->cta, sizeof(f->cta));
	memcpy(f->here.thread, fault->thread, sizeof(f->here.thread));
	take_text(f, fault, more);
}
