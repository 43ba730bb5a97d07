/* core/sanitize/shared.c -- shared memory: races between warps of a cluster, and reads of what no
 * thread has written.
 *
 * Of each byte the shadow holds the last plain write, two strong ones since (atomic, volatile, or with a
 * defined order: those do not race with each other) and two reads since, by different warps that no barrier
 * orders. A write that comes after three such reads is ordered behind all of them, or races with one of the
 * two. Accesses of one warp do not race; but lanes that write different values to one place in one
 * instruction leave it open which of them stays. */
#include "core/sanitize/sanitize_internal.h"
#include "sim/base/xalloc.h"
#include <string.h>

static bool is_ordered(const uint32_t *clocks, struct byte_access before)
{
	return !before.is_valid || before.clock <= clocks[before.warp];
}

static bool races(const struct access *a, const uint32_t *clocks, struct byte_access before)
{
	return before.is_valid && before.warp != place_of_warp(a->warp->cta->shadow, a->warp) &&
		!(before.is_strong && a->is_strong) && !is_ordered(clocks, before);
}

/* Whether a bulk copy may not see what a thread has written. */
static bool is_hidden(const struct access *a, const uint32_t *clocks, struct byte_access before)
{
	return before.is_valid && !before.is_copy &&
		before.clock > clocks[a->warp->cta->shadow->total + before.warp];
}

static void report_race(const struct access *a, enum finding_kind kind, uint32_t lane,
	struct byte_access before, uint32_t byte)
{
	const struct kernel_run *run = a->warp->cta->run;
	struct finding_event e = access_event(a, kind, lane);
	uint32_t warps = a->warp->cta->shadow->warps;
	struct finding *f;

	if (!(a->sanitizer->checks & SANITIZE_RACE))
		return;
	e.other = &run->uops[before.uop];
	e.other_warp = before.warp % warps;
	e.other_lane = before.lane;
	f = finding_note(&a->sanitizer->findings, &e);
	if (!f)
		return;
	finding_access(f, "shared", a->address[lane] + byte, a->bytes);
	if (a->warp->cta->cluster)
		finding_detail(f,
			"in the cluster CTA %u does it, in the memory of CTA %u; CTA %u did the earlier "
			"access",
			a->warp->cta->seat.rank, a->target->seat.rank, before.warp / warps);
}

static void report_unwritten(const struct access *a, uint32_t lane, uint32_t byte)
{
	struct finding *f = access_note(a, FINDING_INIT_SHARED, lane);

	if (f)
		finding_access(f, "shared", a->address[lane] + byte, a->bytes);
}

/* The access takes the place of the warp's own among two, of one that is ordered before it, or of none. */
static void keep_access(struct byte_access of[2], const uint32_t *clocks, struct byte_access now)
{
	for (uint32_t i = 0; i < 2; i++)
		if (!of[i].is_valid || of[i].warp == now.warp || is_ordered(clocks, of[i])) {
			of[i] = now;
			return;
		}
}

static void access_byte(const struct access *a, struct byte_shadow *b, const uint32_t *clocks, uint32_t lane,
	uint32_t byte, struct byte_access now)
{
	enum finding_kind after_write = a->writes ? FINDING_RACE_WRITE : FINDING_RACE_READ;

	if (a->reads && !b->write.is_valid && !b->strong[0].is_valid)
		report_unwritten(a, lane, byte);
	if (races(a, clocks, b->write))
		report_race(a, after_write, lane, b->write, byte);
	else if (a->is_copy && a->reads && is_hidden(a, clocks, b->write))
		report_race(a, FINDING_RACE_PROXY, lane, b->write, byte);
	for (uint32_t i = 0; i < 2; i++) {
		if (races(a, clocks, b->strong[i]))
			report_race(a, after_write, lane, b->strong[i], byte);
		if (a->writes && races(a, clocks, b->read[i]))
			report_race(a, FINDING_RACE_WRITE_READ, lane, b->read[i], byte);
	}
	if (!a->writes)
		keep_access(b->read, clocks, now);
	else if (a->is_strong)
		keep_access(b->strong, clocks, now);
	else
		*b = (struct byte_shadow){ .write = now };
}

void shared_collision(const struct access *a, uint32_t lane, uint32_t other)
{
	struct finding *f = access_note(a, FINDING_RACE_LANES, other);

	if (!f)
		return;
	finding_access(f, "shared", a->address[lane], a->bytes);
	finding_detail(f, "lanes %u and %u of warp %u", lane, other, a->warp->index);
}

static bool is_order(const struct access *a)
{
	return a->is_strong && (a->uop->code == UOP_LD || a->uop->code == UOP_ST || a->uop->code == UOP_ATOM);
}

void shared_access(const struct access *a)
{
	struct cta_shadow *s = shadow_of(a->sanitizer, a->warp->cta),
			  *target = shadow_of(a->sanitizer, a->target);
	const uint32_t *clocks = clocks_of(s, a->warp->index);
	struct byte_access now = { .clock = clocks[place_of_warp(s, a->warp)] & 0xfffffff,
		.uop = (uint64_t)(a->uop - a->warp->cta->run->uops) & 0x3ffff,
		.warp = place_of_warp(s, a->warp) & 1023u,
		.is_strong = a->is_strong,
		.is_copy = a->is_copy,
		.is_valid = true };

	if (!target->shared)
		target->shared = xcalloc(a->exec->shared_bytes, sizeof(*target->shared));
	for (lane_mask m = a->mask; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m);

		now.lane = lane & 31u;
		for (uint32_t i = 0; i < a->bytes; i++)
			if (a->used >> i & 1)
				access_byte(a, &target->shared[a->address[lane] + i], clocks, lane, i, now);
	}
	if (is_order(a))
		atomics_passed(a);
}
