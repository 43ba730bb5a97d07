/* core/sanitize/tensor.c -- tensor memory (tcgen05): columns that are read though nothing has written them
 * since they were allocated.
 *
 * Columns are looked at as a whole: one is written when something has been written in any lane of it. So what
 * is reported is certain. Products of a pair of CTAs, which are worked out later, are looked at without
 * timing alone, and of each instruction the tensor memory of the CTA that issues it. */
#include "core/sanitize/sanitize_internal.h"
#include "core/exec/tensor/tensor_memory.h"

void tensor_allocated(struct warp *w, const struct uop *u, uint32_t first)
{
	struct cta_shadow *s = shadow_of(sanitizer_of(w), w->cta);
	const struct tensor_memory *t = tensor_memory_of(w->cta->shared, w->cta->run->shared_bytes);

	for (uint32_t i = 0; i < t->units[first / TENSOR_UNIT]; i++) {
		s->allocations[first / TENSOR_UNIT + i] = u;
		s->allocating[first / TENSOR_UNIT + i] = (uint8_t)w->index;
	}
}

static void report_unwritten(struct warp *w, const struct uop *u, uint32_t column)
{
	struct sanitizer *sanitizer = sanitizer_of(w);
	const struct cta_shadow *s = shadow_of(sanitizer, w->cta);
	struct finding_event event = { .kind = FINDING_INIT_TENSOR,
		.serial = ++sanitizer->serial,
		.warp = w,
		.uop = u,
		.other = s->allocations[column / TENSOR_UNIT],
		.other_warp = s->allocating[column / TENSOR_UNIT] };
	struct finding *f = finding_note(&sanitizer->findings, &event);

	if (f)
		finding_detail(f, "column %u, which has been allocated, but not written", column);
}

void tensor_look(struct exec *x, const struct uop *u, lane_mask active, tensor_operation_run *execute)
{
	struct warp *w = x->warp->cta->warps[x->warp->index];
	struct tensor_memory *t = tensor_memory_of(x->shared, x->shared_bytes);
	struct sanitizer *s = sanitizer_of(w);

	t->unwritten = 0;
	execute(x, u, active);
	if (t->unwritten && !x->faulted && s && s->checks & SANITIZE_INIT)
		report_unwritten(w, u, t->unwritten - 1u);
}
