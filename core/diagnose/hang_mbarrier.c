/* core/diagnose/hang_mbarrier.c -- the mbarrier for which a warp waits in a loop, in words. */
#include "core/diagnose/hang_mbarrier.h"
#include "core/diagnose/livelock.h"
#include "core/kernel/kernel_run.h"
#include "core/simt/warp.h"
#include "frontend/lower/memory/mbarrier.h"
#include "memsys/memory.h"
#include <stdio.h>
#include <string.h>

/* The test of an mbarrier in the loop that the warp runs; NULL: there is none. */
static const struct uop *find_test(const struct warp *w)
{
	const struct kernel_run *run = w->cta->run;
	uint32_t first, last;

	if (!livelock_loop(w, &first, &last))
		return NULL;
	for (uint32_t pc = 0; pc < run->kernel->uop_count; pc++) {
		const struct uop *u = &run->uops[pc];

		if (u->code == UOP_MBARRIER_TEST && u->line >= first && u->line <= last)
			return u;
	}
	return NULL;
}

static const void *row_of(const struct warp *w, uint16_t operand)
{
	return operand & UOP_CONSTANT ? w->cta->run->constants[operand & ~UOP_CONSTANT]
				      : w->registers[operand];
}

/* The offset in the own CTA's shared memory that the lane names. */
static addr offset_of(const struct warp *w, const struct uop *u, uint32_t lane)
{
	addr address = (addr)u->imm;

	if (u->src[0] != UOP_NONE)
		address = u->mods & MOD_SAT
			? ((const uint32_t *)row_of(w, u->src[0]))[lane] + (uint32_t)u->imm
			: ((const uint64_t *)row_of(w, u->src[0]))[lane] + (uint64_t)u->imm;
	return (address - (u->space == SPACE_GENERIC ? SHARED_WINDOW : 0)) & CLUSTER_OFFSET;
}

void hang_mbarrier(const struct warp *w, char *text, size_t size)
{
	const struct uop *u = find_test(w);
	struct mbarrier b;
	uint64_t bits;
	addr offset;

	*text = 0;
	if (!u || !w->active)
		return;
	offset = offset_of(w, u, (uint32_t)__builtin_ctz(w->active));
	if (w->cta->run->shared_bytes < 8 || offset > w->cta->run->shared_bytes - 8)
		return;
	memcpy(&bits, w->cta->shared + offset, 8);
	b = mbarrier_unpack(bits);
	if (!b.is_initialised)
		return;
	snprintf(text, size,
		"; it waits for the mbarrier at 0x%llx of shared memory: in its phase of parity %d, %u of %u "
		"arrivals "
		"and %d bytes are missing",
		(unsigned long long)offset, b.parity, b.pending, b.expected, b.bytes);
}
