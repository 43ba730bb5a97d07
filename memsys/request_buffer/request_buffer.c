/* memsys/request_buffer/request_buffer.c -- the policy interface of request buffers, and what all of them
 * share. */
#include "memsys/request_buffer/request_buffer.h"

#define POLICY_INTERFACE request_buffer
#define POLICY_LIST      "memsys/request_buffer/request_buffer.def"
#include "sim/policy/table.h"

static double mean_wait(const void *object)
{
	const struct request_buffer_stats *s = &((const struct request_buffer *)object)->stats;

	return s->left ? (double)s->request_cycles / (double)s->left : 0;
}

#define COUNT(field, unit, help) SIM_COUNT_AS(struct request_buffer, stats.field, #field, unit, help)

static const struct sim_stat base_stats[] = {
	COUNT(entered, "requests", "line requests that entered the buffer"),
	COUNT(passed, "requests", "line requests that passed directly to the L1"),
	COUNT(left, "requests", "line requests that left the buffer for the L1"),
	COUNT(full_cycles, "cycles", "cycles that the coalescer waited for the buffer"),
	COUNT(refused_cycles, "cycles", "cycles in which the L1 refused a request from the buffer"),
	COUNT(request_cycles, "cycles", "cycles that requests spent in the buffer, added up over requests"),
	SIM_FORMULA("mean_wait", mean_wait, "cycles", "mean time of a request in the buffer"),
	SIM_STAT_END,
};

static const struct sim_param choice_params[] = {
	POLICY_CHOICE(
		request_buffer, none, "request buffer in which line requests wait between coalescer and L1"),
	SIM_END,
};

const struct policy_interface request_buffer_interface = {
	.title = "request buffers between coalescer and L1",
	.keys = "sm.request_buffer.policy",
	POLICY_TABLES(request_buffer),
	.choice = choice_params,
	.stats = base_stats,
	.size = sizeof(struct request_buffer),
};

struct request_buffer *request_buffer_new(const struct request_buffer *prototype, uint32_t sm, uint32_t warps,
	uint32_t ctas, uint32_t cta_warps)
{
	struct request_buffer *b;

	if (!prototype->class->admit)
		return NULL;
	b = policy_new(prototype);
	b->sm = sm;
	b->warps = warps;
	b->ctas = ctas;
	b->cta_warps = cta_warps;
	return b;
}
