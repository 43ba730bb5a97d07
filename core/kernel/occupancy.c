/* core/kernel/occupancy.c -- CTAs per SM from threads, warps, CTA slots, registers, shared memory and
 * barriers.
 */
#include "core/kernel/occupancy.h"

static uint32_t round_up_to_granularity(uint32_t value, uint32_t granularity)
{
	uint64_t rounded =
		granularity ? ((uint64_t)value + granularity - 1) / granularity * granularity : value;

	return rounded < UINT32_MAX ? (uint32_t)rounded : UINT32_MAX;
}

const char *occupancy_limit_name(enum occupancy_limit limit)
{
	static const char *const names[] = { "threads", "warps", "CTA slots", "registers", "shared memory",
		"does not fit", "barriers" };

	return names[limit];
}

/* Compute capability 2.x gives 21, 22, 29, 30, 37, 38, 45 and 46 registers as it gives 24, 32, 40 and 48
 * (cuda_occupancy.h of CUDA 7.0: a unit of 128 for these). */
static uint32_t register_unit(const struct sm_limits *limits, uint32_t registers)
{
	bool is_double = limits->has_double_units && registers > 20 && registers < 48 &&
		(registers % 8 == 5 || registers % 8 == 6);

	return is_double ? 2 * limits->register_granularity : limits->register_granularity;
}

static uint32_t partitions(const struct sm_limits *limits)
{
	if (limits->register_allocation == REGISTERS_BY_CTA || !limits->warp_granularity)
		return 1;
	return limits->warp_granularity < MAX_PARTITIONS ? limits->warp_granularity : MAX_PARTITIONS;
}

/* Of a warp in one register file, or of a CTA. */
static uint32_t taken_registers(
	const struct sm_limits *limits, const struct cta_resource_request *demand, uint32_t warps)
{
	uint32_t registers = demand->registers < limits->max_registers_per_thread
		? demand->registers
		: limits->max_registers_per_thread;

	if (limits->register_allocation == REGISTERS_BY_WARP)
		warps = 1;
	return round_up_to_granularity(registers * 32 * warps, register_unit(limits, registers));
}

uint32_t occupancy_cta_shared(const struct sm_limits *limits, uint32_t bytes)
{
	return round_up_to_granularity(bytes, limits->shared_granularity);
}

/* Keeps the smaller of two bounds and who set it. */
static void bound(struct occupancy *o, uint32_t ctas, enum occupancy_limit limit)
{
	if (ctas < o->ctas) {
		o->ctas = ctas;
		o->limit = limit;
	}
}

struct cta_allocation occupancy_allocate(
	const struct sm_limits *limits, const struct cta_resource_request *demand)
{
	struct cta_allocation s = { .warps = (demand->threads + 31) / 32, .barriers = demand->barriers };

	if (limits->register_allocation == REGISTERS_BY_CTA)
		s.warps = round_up_to_granularity(s.warps, limits->warp_granularity);
	s.registers = taken_registers(limits, demand, s.warps);
	s.shared = round_up_to_granularity(demand->shared < UINT32_MAX - limits->shared_reserved
			? demand->shared + limits->shared_reserved
			: UINT32_MAX,
		limits->shared_granularity);
	return s;
}

/* CTAs for which the registers suffice. The hardware checks a CTA as if each partition held as many of its
 * warps as the fullest one (cuda_occupancy.h). */
static uint32_t ctas_by_registers(const struct sm_limits *limits, const struct cta_allocation *s)
{
	uint32_t n = partitions(limits);

	if (!s->registers)
		return UINT32_MAX;
	if (limits->register_allocation == REGISTERS_BY_CTA)
		return s->registers > limits->max_registers_per_cta ? 0 : limits->registers / s->registers;
	if ((uint64_t)s->registers * round_up_to_granularity(s->warps, n) > limits->max_registers_per_cta)
		return 0;
	return limits->registers / n / s->registers * n / s->warps;
}

struct occupancy occupancy_of(const struct sm_limits *limits, const struct cta_resource_request *demand)
{
	struct occupancy o = { .ctas = limits->ctas, .limit = LIMIT_CTAS };
	uint32_t warps = (demand->threads + 31) / 32;
	struct cta_allocation s;

	if (!demand->threads || demand->threads > limits->max_threads_per_cta ||
		demand->shared > limits->max_shared_per_cta || demand->barriers > limits->max_barriers) {
		o.ctas = 0;
		o.limit = LIMIT_TOO_BIG;
		return o;
	}
	s = occupancy_allocate(limits, demand);
	bound(&o, limits->threads / (s.warps * 32), LIMIT_THREADS);
	bound(&o, limits->warps / s.warps, LIMIT_WARPS);
	bound(&o, ctas_by_registers(limits, &s), LIMIT_REGISTERS);
	if (s.shared)
		bound(&o, limits->shared_bytes / s.shared, LIMIT_SHARED);
	if (s.barriers)
		bound(&o, limits->barriers / s.barriers, LIMIT_BARRIERS);
	o.warps = o.ctas * warps;
	o.ratio = limits->warps ? (double)o.warps / limits->warps : 0;
	return o;
}

/* ---- the same, CTA by CTA ---- */

static bool has_registers(
	const struct sm_limits *limits, const struct sm_use *use, const struct cta_allocation *s)
{
	uint32_t n = partitions(limits), size = limits->registers / n, warps = 0;

	if (!s->registers)
		return true;
	if (limits->register_allocation == REGISTERS_BY_CTA)
		return use->registers[0] + s->registers <= size;
	for (uint32_t p = 0; p < n; p++)
		warps += (size - use->registers[p]) / s->registers;
	return warps >= s->warps;
}

bool occupancy_has_room(
	const struct sm_limits *limits, const struct sm_use *use, const struct cta_allocation *s)
{
	uint32_t shared = limits->has_carve_outs ? use->carve_out : limits->shared_bytes;

	return use->ctas < limits->ctas && use->warps + s->warps <= limits->warps &&
		(use->warps + s->warps) * 32 <= limits->threads && use->shared + s->shared <= shared &&
		use->barriers + s->barriers <= limits->barriers && has_registers(limits, use, s);
}

/* Each warp goes to the partition with most registers left. */
static void place_warps(const struct sm_limits *limits, struct sm_use *use, struct cta_allocation *s)
{
	uint32_t n = partitions(limits);

	for (uint32_t w = 0; w < s->warps; w++) {
		uint32_t best = 0;

		for (uint32_t p = 1; p < n; p++)
			if (use->registers[p] < use->registers[best])
				best = p;
		use->registers[best] += s->registers;
		s->placed[best]++;
	}
}

void occupancy_take(const struct sm_limits *limits, struct sm_use *use, struct cta_allocation *s)
{
	use->ctas++;
	use->warps += s->warps;
	use->shared += s->shared;
	use->barriers += s->barriers;
	if (limits->register_allocation == REGISTERS_BY_CTA) {
		use->registers[0] += s->registers;
		s->placed[0] = 1;
	} else {
		place_warps(limits, use, s);
	}
}

void occupancy_release(struct sm_use *use, const struct cta_allocation *s)
{
	use->ctas--;
	use->warps -= s->warps;
	use->shared -= s->shared;
	use->barriers -= s->barriers;
	for (uint32_t p = 0; p < MAX_PARTITIONS; p++)
		use->registers[p] -= s->placed[p] * s->registers;
}
