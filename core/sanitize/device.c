/* core/sanitize/device.c -- device memory: what the host allocates, frees, fills and copies, and what kernels
 * read and write of it. */
#include "core/sanitize/sanitize_internal.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>

/* ---- allocations ---- */

void sanitizer_allocated(struct sanitizer *s, addr start, uint64_t bytes, bool is_device)
{
	if (s->allocation_count == s->allocation_capacity) {
		s->allocation_capacity = s->allocation_capacity ? 2 * s->allocation_capacity : 64;
		s->allocations = xrealloc(s->allocations, s->allocation_capacity * sizeof(*s->allocations));
	}
	s->allocations[s->allocation_count++] =
		(struct host_allocation){ start, bytes, .is_device = is_device, .is_live = true };
	if (is_device && s->checks & SANITIZE_INIT)
		unwritten_mark(&s->unwritten, start, bytes, true);
}

/* The youngest allocation that holds or (only_start) begins at an address; NULL: none ever has. */
static struct host_allocation *find_allocation(const struct sanitizer *s, addr address, bool only_start)
{
	for (size_t i = s->allocation_count; i-- > 0;) {
		struct host_allocation *a = &s->allocations[i];

		if (only_start ? address == a->start : address - a->start < a->bytes)
			return a;
	}
	return NULL;
}

static uint64_t allocation_number(const struct sanitizer *s, const struct host_allocation *a)
{
	return (uint64_t)(a - s->allocations) + 1;
}

void sanitizer_freed(struct sanitizer *s, addr start)
{
	struct host_allocation *a = find_allocation(s, start, true);

	if (!a)
		return;
	a->is_live = false;
	unwritten_mark(&s->unwritten, start, a->bytes, false);
}

void sanitizer_refused_free(struct sanitizer *s, addr start, const char *call)
{
	struct host_allocation *a = find_allocation(s, start, true),
			       *inside = find_allocation(s, start, false);
	struct finding *f;

	if (!(s->checks & SANITIZE_MEMORY))
		return;
	f = finding_note_host(&s->findings, a && !a->is_live ? FINDING_DOUBLE_FREE : FINDING_BAD_FREE, start);
	if (!f)
		return;
	if (a && !a->is_live)
		finding_detail(f,
			"%s of 0x%" PRIx64 ", allocation %" PRIu64 " of %" PRIu64
			" bytes, which has been freed already",
			call, start, allocation_number(s, a), a->bytes);
	else if (a)
		finding_detail(f, "%s of 0x%" PRIx64 ", allocation %" PRIu64 ", which another call frees",
			call, start, allocation_number(s, a));
	else if (inside)
		finding_detail(f, "%s of 0x%" PRIx64 ", which is byte %" PRIu64 " of allocation %" PRIu64,
			call, start, start - inside->start, allocation_number(s, inside));
	else
		finding_detail(f, "%s of 0x%" PRIx64 ", which was never allocated", call, start);
}

void sanitizer_host_access(struct sanitizer *s, addr address, bool is_write)
{
	const struct host_allocation *a = find_allocation(s, address, false);
	struct finding *f = finding_note_host(&s->findings, FINDING_HOST_ACCESS, address);
	const char *what = is_write ? "a write to" : "a read of";

	if (!f)
		return;
	if (a)
		finding_detail(f,
			"%s 0x%" PRIx64 ", byte %" PRIu64 " of allocation %" PRIu64 " (0x%" PRIx64
			", %" PRIu64 " bytes)%s",
			what, address, address - a->start, allocation_number(s, a), a->start, a->bytes,
			a->is_live ? "" : ", which has been freed");
	else
		finding_detail(f, "%s 0x%" PRIx64 ", which is in no allocation", what, address);
}

bool device_was_freed(const struct sanitizer *s, addr address, char *text, size_t size)
{
	const struct host_allocation *a = find_allocation(s, address, false);

	if (!a || a->is_live)
		return false;
	snprintf(text, size,
		"; it lies in allocation %" PRIu64 " (0x%" PRIx64 ", %" PRIu64
		" bytes), which has been freed",
		allocation_number(s, a), a->start, a->bytes);
	return true;
}

/* Those of one size are one finding. */
static void note_leak(struct sanitizer *s, const struct host_allocation *a)
{
	struct finding *f = finding_note_host(&s->findings, FINDING_LEAK_HOST, a->bytes);

	if (!f)
		return;
	finding_access(f, "device", a->start, (uint32_t)(a->bytes < UINT32_MAX ? a->bytes : UINT32_MAX));
	finding_detail(
		f, "allocation %" PRIu64 " of the run, %" PRIu64 " bytes", allocation_number(s, a), a->bytes);
}

void sanitizer_look_for_leaks(struct sanitizer *s)
{
	if (!(s->checks & SANITIZE_LEAK))
		return;
	for (size_t i = 0; i < s->allocation_count; i++)
		if (s->allocations[i].is_live)
			note_leak(s, &s->allocations[i]);
	heap_look_for_leaks(s);
}

/* ---- copies ---- */

void sanitizer_written(struct sanitizer *s, addr start, uint64_t bytes)
{
	unwritten_mark(&s->unwritten, start, bytes, false);
}

static void note_copy(struct sanitizer *s, addr from, uint64_t first, uint64_t bytes)
{
	struct host_allocation *a = find_allocation(s, from + first, false);
	struct finding *f =
		finding_note_host(&s->findings, FINDING_INIT_COPY, a ? allocation_number(s, a) : 0);

	if (!f)
		return;
	finding_access(f, "device", from + first, 1);
	finding_detail(f,
		"a copy of %" PRIu64 " bytes from 0x%" PRIx64 ", of which byte %" PRIu64
		" is the first; allocation %" PRIu64,
		bytes, from, first, a ? allocation_number(s, a) : 0);
}

/* What was not written before is not written afterwards, unless it goes to where the host can read it. */
void sanitizer_copied(struct sanitizer *s, addr to, addr from, uint64_t bytes)
{
	uint64_t first = unwritten_first(&s->unwritten, from, bytes);
	const struct host_allocation *target;

	sanitizer_written(s, to, bytes);
	if (first == bytes)
		return;
	target = find_allocation(s, to, false);
	if (!target || !target->is_device) {
		note_copy(s, from, first, bytes);
		return;
	}
	for (uint64_t i = first; i < bytes; i++)
		if (unwritten_is(&s->unwritten, from + i))
			unwritten_mark(&s->unwritten, to + i, 1, true);
}

/* ---- kernels ---- */

static void note_unwritten(const struct access *a, uint32_t lane, uint32_t byte)
{
	struct sanitizer *s = a->sanitizer;
	addr address = a->address[lane] + byte;
	struct finding *f = access_note(a, FINDING_INIT_DEVICE, lane);
	struct host_allocation *in;

	if (!f)
		return;
	finding_access(f, "device", address, a->bytes);
	in = find_allocation(s, address, false);
	if (in)
		finding_detail(f,
			"byte %" PRIu64 " of allocation %" PRIu64 " (0x%" PRIx64 ", %" PRIu64 " bytes)",
			address - in->start, allocation_number(s, in), in->start, in->bytes);
}

void device_access(const struct access *a)
{
	struct sanitizer *s = a->sanitizer;

	if (heap_access(a))
		return;
	if (s->checks & SANITIZE_RACE)
		grid_access(a);
	for (lane_mask m = a->mask; m && a->reads && s->checks & SANITIZE_INIT; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m), i = 0;

		while (i < a->bytes &&
			!(a->used >> i & 1 && unwritten_is(&s->unwritten, a->address[lane] + i)))
			i++;
		if (i < a->bytes)
			note_unwritten(a, lane, i);
	}
	for (lane_mask m = a->mask; m && a->writes; m &= m - 1)
		for (uint32_t i = 0; i < a->bytes; i++)
			if (a->used >> i & 1)
				unwritten_mark(&s->unwritten, a->address[__builtin_ctz(m)] + i, 1, false);
}
