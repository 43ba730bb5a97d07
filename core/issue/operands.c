/* core/issue/operands.c -- constants that are operands: see operands.h. A warp looks its constant up when it
 * could issue but for that, and waits if the line is missing; who waits looks again when any line comes. On
 * the chip a scheduler first waits for some cycles and then turns to another warp; here it turns at once. */
#include "core/issue/operands.h"
#include "core/issue/issue_table.h"
#include "core/issue/scoreboard.h"
#include "memsys/l1/cache.h"

#define NO_TOKEN UINT32_MAX /* who waits is in operand_waits */

static struct fetcher *fetcher_of(struct sm *sm, uint32_t slot)
{
	struct fetcher *f = sm->state.fetch;

	while (!(f->warps >> slot & 1))
		f++;
	return f;
}

static void ask_for(struct sm *sm, struct cache *cache, uint32_t slot, uint32_t pc, addr line)
{
	struct cache_request r = { .kind = PACKET_READ,
		.by = { .sm = sm->spec.number,
			.warp = (uint16_t)slot,
			.cta = (uint32_t)sm->state.warps[slot].cta->linear,
			.uop_index = pc },
		.token = NO_TOKEN,
		.bytes = (uint16_t)cache_line_bytes(cache),
		.line = line };

	cache_access(cache, &r, sm->state.local.now);
}

bool operand_is_here(struct sm *sm, uint32_t slot, uint32_t pc)
{
	struct cache *cache = fetcher_of(sm, slot)->operands;
	addr at = sm->state.timing[slot].run->issue->constants[pc];
	addr line = at & ~((addr)cache_line_bytes(cache) - 1);

	if (cache_hits(cache, line))
		return true;
	if (cache_can_prefetch(cache, line))
		ask_for(sm, cache, slot, pc, line);
	sm->state.operand_waits |= UINT64_C(1) << slot;
	return false;
}

void operands_filled(struct sm *sm, const struct packet *reply)
{
	struct fetcher *f = fetcher_of(sm, reply->by.warp);
	warp_mask waits = sm->state.operand_waits & f->warps & sm->state.present;

	cache_fill(f->operands, reply, sm->host.fill_tokens);
	sm->state.operand_waits &= ~f->warps;
	for (; waits; waits &= waits - 1)
		sm_renew(sm, (uint32_t)__builtin_ctzll(waits));
}
