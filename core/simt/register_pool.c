/* core/simt/register_pool.c -- registers that warps give back and take: see register_pool.h. */
#include "core/simt/register_pool.h"
#include "core/kernel/kernel_run.h"
#include "core/kernel/resource_request.h"
#include "core/simt/barrier.h"

/* Whether the warp has as many from now on. */
static bool take_registers(struct register_pool *p, uint32_t index, uint32_t wanted)
{
	uint32_t more = wanted > p->of[index] ? wanted - p->of[index] : 0;

	if (more > p->free)
		return false;
	p->free -= more;
	p->of[index] = (uint16_t)wanted;
	return true;
}

/* Those that wait longest by number take what there is. */
static uint64_t serve_waiting(struct cta *cta)
{
	uint64_t served = 0;

	for (uint64_t m = cta->barriers[REGISTER_BARRIER].waiting; m; m &= m - 1) {
		uint32_t index = (uint32_t)__builtin_ctzll(m);

		if (take_registers(&cta->registers, index, cta->registers.awaited[index]))
			served |= m & -m;
	}
	return barrier_let_go(cta, REGISTER_BARRIER, served);
}

struct control_result register_pool_change(struct warp *w, const struct uop *u)
{
	struct control_result r = { .what = CONTROL_NEXT };
	struct register_pool *p = &w->cta->registers;
	uint32_t at_start = kernel_entry_registers(w->cta->run->kernel), wanted = (uint32_t)u->imm;
	uint16_t *have = &p->of[w->index];

	*have = *have ? *have : (uint16_t)at_start;
	p->awaited[w->index] = (uint16_t)wanted;
	if (at_start && u->combine && !take_registers(p, w->index, wanted))
		return barrier_hold(w, REGISTER_BARRIER);
	warp_next(w);
	if (at_start && !u->combine && wanted < *have) {
		p->free += *have - wanted;
		*have = (uint16_t)wanted;
		r.released = serve_waiting(w->cta);
	}
	return r;
}
