/* core/diagnose/fault.h -- the pieces of which the texts of device faults are made (fault.c). */
#ifndef CORE_DIAGNOSE_FAULT_H
#define CORE_DIAGNOSE_FAULT_H

#include "core/simt/warp.h"

/* "barrier deadlock", ... */
const char *fault_name(enum fault_kind kind);
/* Appends to the text; what does not fit is dropped. */
void fault_append(struct device_fault *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Fills in kernel, file, line, CTA and thread: u, in lane f->lane of w. */
void fault_location(struct device_fault *f, const struct warp *w, const struct uop *u);
/* Appends u's line of PTX with its number, on a line of its own. */
void fault_quote(struct device_fault *f, const struct ptx_kernel *k, const struct uop *u);

#endif
