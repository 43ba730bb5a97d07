/* core/sanitize/local.c -- local memory: of each byte of a thread's the lanes of the warp that have written
 * it. Calls copy arguments and results between frames, and with them what is known of each byte; a function's
 * frame begins unwritten. */
#include "core/sanitize/sanitize_internal.h"
#include "core/simt/call.h"
#include "sim/base/xalloc.h"

static uint32_t *written_of(const struct access *a)
{
	struct cta_shadow *s = shadow_of(a->sanitizer, a->warp->cta);
	uint32_t **written = &s->local[a->warp->index];

	if (!*written)
		*written = xcalloc(a->warp->cta->run->local_bytes, sizeof(**written));
	return *written;
}

static void read_bytes(const struct access *a, const uint32_t *written, uint32_t lane)
{
	for (uint32_t i = 0; i < a->bytes; i++) {
		struct finding *f;

		if (!(a->used >> i & 1) || written[a->address[lane] + i] >> lane & 1)
			continue;
		f = access_note(a, FINDING_INIT_LOCAL, lane);
		if (f)
			finding_access(f, "local", a->address[lane] + i, a->bytes);
		return;
	}
}

void local_access(const struct access *a)
{
	uint32_t *written = written_of(a);

	for (lane_mask m = a->mask; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m);

		if (a->reads)
			read_bytes(a, written, lane);
		for (uint32_t i = 0; i < a->bytes && a->writes; i++)
			if (a->used >> i & 1)
				written[a->address[lane] + i] |= UINT32_C(1) << lane;
	}
}

/* Lanes' bytes [from, to) begin unwritten. */
static void clear_written(uint32_t *written, uint32_t from, uint32_t to, lane_mask mask)
{
	for (; from < to; from++)
		written[from] &= ~mask;
}

static void copy_slots(uint32_t *written, lane_mask mask, uint32_t count, const struct ptx_slot *to,
	uint32_t to_frame, const struct ptx_slot *from, uint32_t from_frame)
{
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < to[i].bytes; k++) {
			uint32_t *target = &written[to_frame + to[i].offset + k];

			*target = (*target & ~mask) | (written[from_frame + from[i].offset + k] & mask);
		}
}

static const struct ptx_callee *callee_at(const struct ptx_kernel *k, uint32_t entry)
{
	uint32_t i = 0;

	while (i + 1 < k->function_count && k->functions[i].entry != entry)
		i++;
	return &k->functions[i];
}

/* The entries that a call has pushed. */
static void called(const struct warp *w, uint32_t *written, const struct ptx_call *call, uint32_t depth)
{
	const struct ptx_kernel *k = w->cta->run->kernel;

	for (uint32_t i = depth; i < w->depth; i++) {
		const struct simt_entry *e = &w->stack[i];
		const struct ptx_callee *callee = callee_at(k, e->pc);

		clear_written(written, e->frame, e->top, e->mask);
		copy_slots(written, e->mask, call->argument_count, callee->params, e->frame, call->arguments,
			e->caller);
	}
}

struct control_result local_control(
	struct sanitizer *sanitizer, struct warp *w, const struct uop *u, lane_mask mask)
{
	const struct ptx_kernel *k = w->cta->run->kernel;
	uint32_t *written = written_of(&(struct access){ .sanitizer = sanitizer, .warp = w });
	const struct simt_entry *entry = &w->stack[warp_call_entry(w)];
	uint32_t depth = w->depth, top = w->top;
	struct control_result r;

	if (u->code == UOP_RET && entry->call) {
		const struct ptx_call *call = &k->calls[entry->call - 1];

		copy_slots(written, mask, call->result_count, call->results, entry->caller,
			k->functions[u->target].returns, w->frame);
	}
	r = control_execute(w, u, mask);
	if (u->code == UOP_CALL && (r.what == CONTROL_NEXT || r.what == CONTROL_DIVERGED))
		called(w, written, &k->calls[u->imm], depth);
	if (u->code == UOP_ALLOCA && w->top > top)
		clear_written(written, top, w->top, mask);
	return r;
}
