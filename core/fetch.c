/* core/fetch.c -- instruction fetch: one warp a cycle, round robin over those whose instruction buffer is empty. */
#include "core/sm.h"

void fetch_arrived(struct sm *sm, uint32_t slot, uint32_t count)
{
	struct sm_warp *t = &sm->timing[slot];

	t->fetching = false;
	t->buffered = (uint8_t)count;
	sm_renew(sm, slot);
}

void fetch_next(struct sm *sm, cycles now)
{
	warp_mask wanted = sm->fetch_wanted, after;
	const struct kernel_run *run;
	uint32_t slot, left, count = sm->config->fetch_width;

	if (!wanted)
		return;
	after = sm->fetch_last == MAX_WARPS - 1 ? 0 : wanted & (~UINT64_C(0) << (sm->fetch_last + 1));
	slot = (uint32_t)__builtin_ctzll(after ? after : wanted);
	run = sm->warps[slot].cta->run;
	left = run->kernel->uop_count - sm->warps[slot].pc;
	if (count > sm->config->instruction_buffer)
		count = sm->config->instruction_buffer;
	if (count > left)
		count = left;
	bug_if(!count, "SM %u: a warp runs past the end of its kernel", sm->number);
	sm->fetch_last = slot;
	sm->fetch_wanted &= ~(UINT64_C(1) << slot);
	sm->timing[slot].fetching = true;
	sm->stats.fetches++;
	sm_schedule(sm, now + sm->config->fetch_latency, WHEEL_FETCHED, slot, count);
}
