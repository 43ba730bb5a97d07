/* core/diagnose/fault.h -- the pieces of which the texts of device faults are made (fault.c). */
#ifndef CORE_DIAGNOSE_FAULT_H
#define CORE_DIAGNOSE_FAULT_H

#include "core/exec/device_fault.h"
#include "core/simt/control.h"

struct ptx_kernel;

/* "barrier deadlock", ... */
const char *fault_name(enum fault_kind kind);
/* Appends to the text; what does not fit is dropped. */
void fault_append(struct device_fault *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Fills in kernel, file, line, CTA and thread: u, in lane f->lane of w. */
void fault_location(struct device_fault *f, const struct warp *w, const struct uop *u);
/* Appends u's line of PTX with its number, on a line of its own. */
void fault_quote(struct device_fault *f, const struct ptx_kernel *k, const struct uop *u);

/* Whether a control instruction failed; if so, fills in the fault. */
bool fault_control(struct device_fault *fault, const struct control_result *r, const struct warp *w,
	const struct uop *u);
/* Fills in location and text of a fault that executing u for w has found. */
void fault_explain(struct device_fault *fault, const struct warp *w, const struct uop *u);
/* Begins the text of a kernel that was stopped at a limit, at the location of a warp that still runs; hang.h
 * adds the rest. limit: "5000 cycles (gpu.hang_cycles)". */
void fault_begin_limit(struct device_fault *fault, const struct warp *w, const char *limit);

#endif
