/* core/sanitize/warp_sync.c -- doubtful barriers and warp-level operations: what is no fault of the machine,
 * but left open by the PTX ISA. */
#include "core/sanitize/sanitize_internal.h"
#include "core/simt/paths.h"

/* ---- warp-level operations ---- */

static const uint32_t *row_of(const struct exec *x, uint16_t operand)
{
	return operand & UOP_CONSTANT ? x->constants[operand & ~UOP_CONSTANT] : x->registers[operand];
}

/* The masks that lanes name; NULL: the operation has none. */
static const uint32_t *masks_of(const struct exec *x, const struct uop *u)
{
	if (u->combine != MEMBERS_MASK)
		return NULL;
	return row_of(x,
		u->src[u->code == UOP_SHFL                                         ? 3
				: u->code == UOP_ELECT || u->code == UOP_WARP_SYNC ? 0
										   : 1]);
}

/* A lane names another, which names others: of those that have not exited. */
static bool masks_differ(
	const struct exec *x, const uint32_t *masks, lane_mask active, struct warp_doubt *doubt)
{
	for (lane_mask m = active; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m);

		for (lane_mask rest = masks[lane] & active; rest; rest &= rest - 1) {
			uint32_t other = (uint32_t)__builtin_ctz(rest);

			if (!((masks[lane] ^ masks[other]) & x->live))
				continue;
			*doubt = (struct warp_doubt){ FINDING_SYNC_MASKS, lane, other,
				"the first names the second, whose mask is another" };
			return true;
		}
	}
	return false;
}

/* The lane whose value a shuffle gives to a lane (core/exec/exec_warp.c). */
static uint32_t shuffle_source(const struct exec *x, const struct uop *u, uint32_t lane)
{
	uint32_t b = row_of(x, u->src[1])[lane] & 31, c = row_of(x, u->src[2])[lane];
	uint32_t segment = c >> 8 & 31, low = lane & segment, high = low | (c & 31 & ~segment);
	int32_t from[] = { (int32_t)lane - (int32_t)b, (int32_t)(lane + b), (int32_t)(lane ^ b),
		(int32_t)(low | (b & ~segment)) };
	int32_t j = from[u->imm & 3];
	bool is_inside = u->imm == 0 ? j >= (int32_t)high : j <= (int32_t)high;

	return is_inside ? (uint32_t)j & 31 : lane;
}

static const char *why_absent(const struct exec *x, lane_mask named, uint32_t lane)
{
	if (!(x->live >> lane & 1))
		return "the second has exited, or does not exist";
	return named >> lane & 1 ? "the second does not execute it"
				 : "the mask of the first does not name the second";
}

static bool reads_absent(const struct exec *x, const struct uop *u, const uint32_t *masks, lane_mask active,
	struct warp_doubt *doubt)
{
	for (lane_mask m = active; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m), from = shuffle_source(x, u, lane);
		lane_mask named = masks ? masks[lane] : UINT32_MAX;

		if (from == lane || (named & active) >> from & 1)
			continue;
		*doubt = (struct warp_doubt){ FINDING_SYNC_SOURCE, lane, from, why_absent(x, named, from) };
		return true;
	}
	return false;
}

struct warp_doubt warp_sync_doubt(const struct exec *x, const struct uop *u, lane_mask active)
{
	struct warp_doubt doubt = { .kind = FINDING_KINDS };
	const uint32_t *masks = masks_of(x, u);

	if (masks && masks_differ(x, masks, active, &doubt))
		return doubt;
	if (u->code == UOP_SHFL)
		reads_absent(x, u, masks, active, &doubt);
	return doubt;
}

void warp_sync_note(const struct access *a, const struct warp_doubt *doubt)
{
	struct finding *f = access_note(a, doubt->kind, doubt->lane);

	if (f)
		finding_detail(f, "lanes %u and %u of warp %u: %s", doubt->lane, doubt->other, a->warp->index,
			doubt->why);
}

/* ---- barriers ---- */

static struct finding *note_warp_finding(
	struct sanitizer *s, enum finding_kind kind, const struct warp *w, const struct uop *u, uint32_t lane)
{
	struct finding_event e = { .kind = kind, .serial = s->serial, .warp = w, .uop = u, .lane = lane };

	return finding_note(&s->findings, &e);
}

/* The lanes of paths that wait at barriers for this one. */
static lane_mask parked_lanes(const struct warp *w)
{
	lane_mask parked = 0;

	for (uint32_t i = 0; i + 1 < w->depth; i++)
		if (w->stack[i].parked && w->stack[i].parked != PARKED_AT_MEMBERS)
			parked |= w->stack[i].mask;
	return parked;
}

static void check_lanes(
	struct sanitizer *s, const struct warp *w, const struct uop *u, lane_mask mask, uint32_t id)
{
	lane_mask parked = parked_lanes(w), absent = w->live & ~(mask | parked | path_leaving(w));
	struct finding *f;

	if (id == MAX_BARRIERS) /* barrier.cluster, at which each thread arrives for itself */
		parked = 0, absent = w->live & ~mask;
	else if (u->combine == BARRIER_BY_PATH && path_pending(w) != NO_PATH)
		return; /* it does not arrive yet */
	if (!parked && !absent)
		return;
	f = note_warp_finding(s, FINDING_SYNC_DIVERGENT, w, u, (uint32_t)__builtin_ctz(mask));
	if (f)
		finding_detail(f,
			"of the lanes 0x%08x of warp %u, 0x%08x come now, 0x%08x have come before, 0x%08x "
			"are "
			"elsewhere",
			w->live, w->index, mask, parked, absent);
}

static void check_counts(
	struct sanitizer *s, const struct warp *w, const struct uop *u, lane_mask mask, uint32_t id)
{
	const struct barrier *b = &w->cta->barriers[id];
	uint32_t lane = (uint32_t)__builtin_ctz(mask), threads = 0;
	struct finding *f;

	if (u->src[1] != UOP_NONE)
		threads =
			(u->src[1] & UOP_CONSTANT ? w->cta->run->kernel->constants[u->src[1] & ~UOP_CONSTANT]
						  : w->registers[u->src[1]])[lane];
	if (!b->came || b->needed == threads)
		return;
	f = note_warp_finding(s, FINDING_SYNC_COUNTS, w, u, lane);
	if (f)
		finding_detail(f, "barrier %u: %u threads, and %u of those that have come before (0: all)",
			id, threads, b->needed);
}

void barrier_check(struct sanitizer *s, struct warp *w, const struct uop *u, lane_mask mask, uint32_t id)
{
	if (u->type)
		check_lanes(s, w, u, mask, id);
	if (id < MAX_BARRIERS)
		check_counts(s, w, u, mask, id);
}

void barrier_check_end(struct sanitizer *s, const struct warp *w, const struct uop *u)
{
	for (uint32_t i = 0; i < MAX_BARRIERS; i++) {
		const struct barrier *b = &w->cta->barriers[i];
		struct finding *f = b->arrived ? note_warp_finding(s, FINDING_SYNC_LEFT, w, u, 0) : NULL;

		if (f)
			finding_detail(f, "barrier %u: %u of %u threads have arrived when the CTA ends", i,
				b->arrived, b->needed);
	}
}
