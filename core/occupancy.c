/* core/occupancy.c -- CTAs per SM from threads, warps, CTA slots, registers and shared memory. */
#include "core/occupancy.h"

static uint32_t round_up(uint32_t value, uint32_t granularity)
{
	return granularity ? (value + granularity - 1) / granularity * granularity : value;
}

uint32_t occupancy_warp_registers(const struct sm_limits *limits, uint32_t registers)
{
	if (registers > limits->max_registers_per_thread)
		registers = limits->max_registers_per_thread;
	return round_up(registers * 32, limits->register_granularity);
}

uint32_t occupancy_cta_shared(const struct sm_limits *limits, uint32_t bytes)
{
	return round_up(bytes, limits->shared_granularity);
}

const char *occupancy_limit_name(enum occupancy_limit limit)
{
	static const char *const names[] = { "threads", "warps", "CTA slots", "registers", "shared memory",
		"does not fit" };

	return names[limit];
}

/* Keeps the smaller of two bounds and who set it. */
static void bound(struct occupancy *o, uint32_t ctas, enum occupancy_limit limit)
{
	if (ctas < o->ctas) {
		o->ctas = ctas;
		o->limit = limit;
	}
}

struct occupancy occupancy_of(
	const struct sm_limits *limits, uint32_t threads, uint32_t registers, uint32_t shared)
{
	struct occupancy o = { .ctas = limits->ctas, .limit = LIMIT_CTAS };
	uint32_t warps = (threads + 31) / 32;
	uint32_t warp_registers = occupancy_warp_registers(limits, registers);
	uint32_t cta_shared = occupancy_cta_shared(limits, shared);

	if (!threads || threads > limits->max_threads_per_cta || shared > limits->max_shared_per_cta) {
		o.ctas = 0;
		o.limit = LIMIT_TOO_BIG;
		return o;
	}
	bound(&o, limits->threads / (warps * 32), LIMIT_THREADS);
	bound(&o, limits->warps / warps, LIMIT_WARPS);
	if (warp_registers)
		bound(&o, limits->registers / (warp_registers * warps), LIMIT_REGISTERS);
	if (cta_shared)
		bound(&o, limits->shared_bytes / cta_shared, LIMIT_SHARED);
	o.warps = o.ctas * warps;
	o.ratio = limits->warps ? (double)o.warps / limits->warps : 0;
	return o;
}
