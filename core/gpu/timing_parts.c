/* core/gpu/timing_parts.c -- the parts of the machine that keep a state between kernels: how each says its
 * geometry and goes through its instances. */
#include "core/gpu/timing_parts.h"
#include "core/dispatch/dispatch.h"
#include "core/gpu/gpu_internal.h"
#include "core/limiter/limiter.h"
#include "core/lookahead/window.h"
#include "core/lsu/tlb.h"
#include "core/sched/sched.h"
#include "core/pipeline/l15.h"
#include "core/sm/sm.h"
#include "core/pipeline/throttle.h"
#include "dram/channel.h"
#include "dram/sched/sched.h"
#include "interconnect/network.h"
#include "memsys/bypass/bypass.h"
#include "memsys/coalescer/coalescer.h"
#include "memsys/insertion/insertion.h"
#include "memsys/l1/cache.h"
#include "memsys/l2/l2.h"
#include "memsys/l2_bypass/l2_bypass.h"
#include "memsys/request_buffer/request_buffer.h"
#include "memsys/warp_type/classifier.h"

/* ---- whether the machine is idle ---- */

static bool fetch_is_idle(const struct sm *sm)
{
	bool is_idle = true;

	for (uint32_t i = 0; i < sm->spec.fetchers; i++)
		is_idle &= cache_is_idle(sm->state.fetch[i].cache) &&
			(!sm->state.fetch[i].operands || cache_is_idle(sm->state.fetch[i].operands));
	return is_idle;
}

static bool sm_is_idle(const struct sm *sm)
{
	const struct lsu *l = &sm->state.lsu;

	return !sm->state.present && !sm->state.use.ctas && !l->memory.count && !l->texture.count &&
		!(l->buffer && l->buffer->count) && cache_is_idle(sm->spec.l1d) &&
		cache_is_idle(sm->spec.own_texture) && cache_is_idle(sm->spec.constants) &&
		fetch_is_idle(sm) && (!sm->spec.l15 || l15_is_idle(sm->spec.l15)) &&
		(!l->tlb || tlb_is_idle(l->tlb)) && !sm->state.request.count && !sm->state.response.count &&
		window_is_idle(sm->host.window) && !sm->state.left_stores;
}

const char *timing_parts_why_not(const struct gpu *gpu)
{
	bool is_idle =
		network_is_idle(gpu->requests) && network_is_idle(gpu->replies) && !gpu->turnaround.count;

	if (gpu->chip.run_count)
		return "kernels are under way";
	if (gpu->chip.sampling)
		return "sampling, whose estimates go over several launches, is not in a checkpoint";
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		is_idle &= sm_is_idle(gpu->chip.sms[i]);
	for (uint32_t i = 0; i < gpu->config.gpu.partitions; i++)
		is_idle &= l2_is_idle(gpu->chip.slices[i]) && dram_is_idle(gpu->channels[i]);
	return is_idle ? NULL
		       : "the memory system still works on what kernels have left there (with a longer "
			 "gpu.launch.drain it has ended when they do)";
}

/* ---- the SMs ---- */

static void describe_sm(const struct gpu *gpu, FILE *to)
{
	fprintf(to, "%u SMs with %u schedulers", gpu->config.gpu.sms, gpu->config.sm.schedulers);
}

static bool can_always_keep(const struct gpu *gpu)
{
	return true;
}

static void state_sm(struct gpu *gpu, struct state *s)
{
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++) {
		state_below(s, &gpu->chip.sms[i]->state.first_scheduler, gpu->config.sm.schedulers);
		for (uint32_t f = 0; f < gpu->chip.sms[i]->spec.fetchers; f++)
			state_below(s, &gpu->chip.sms[i]->state.fetch[f].last, MAX_WARPS);
	}
}

/* The functions of a part of which each SM has one: what is its `part`, NAME_describe and so on. */
#define CACHE_OF_SM(name, part) \
	static void describe_##name(const struct gpu *gpu, FILE *to) \
	{ \
		fprintf(to, "%u SMs, ", gpu->config.gpu.sms); \
		cache_describe(gpu->chip.sms[0]->part, to); \
	} \
	static bool can_keep_##name(const struct gpu *gpu) \
	{ \
		return cache_can_keep(gpu->chip.sms[0]->part); \
	} \
	static void state_##name(struct gpu *gpu, struct state *s) \
	{ \
		for (uint32_t i = 0; i < gpu->config.gpu.sms && !s->is_wrong; i++) \
			cache_state(gpu->chip.sms[i]->part, s); \
	}
CACHE_OF_SM(texture, spec.own_texture)
CACHE_OF_SM(constant, spec.constants)
CACHE_OF_SM(l1_lines, spec.l1d)

static void describe_instruction(const struct gpu *gpu, FILE *to)
{
	fprintf(to, "%u SMs, ", gpu->config.gpu.sms);
	if (gpu->chip.sms[0]->spec.fetchers > 1)
		fprintf(to, "%u in each, ", gpu->chip.sms[0]->spec.fetchers);
	cache_describe(gpu->chip.sms[0]->state.fetch[0].cache, to);
}

static bool can_keep_instruction(const struct gpu *gpu)
{
	return cache_can_keep(gpu->chip.sms[0]->state.fetch[0].cache);
}

static void state_instruction(struct gpu *gpu, struct state *s)
{
	for (uint32_t i = 0; i < gpu->config.gpu.sms && !s->is_wrong; i++)
		for (uint32_t f = 0; f < gpu->chip.sms[i]->spec.fetchers; f++)
			cache_state(gpu->chip.sms[i]->state.fetch[f].cache, s);
}

/* Constants that are operands, if they have caches. */
static void describe_operand(const struct gpu *gpu, FILE *to)
{
	fprintf(to, "%u SMs, ", gpu->config.gpu.sms);
	if (!gpu->chip.sms[0]->state.fetch[0].operands) {
		fprintf(to, "none");
		return;
	}
	fprintf(to, "%u in each, ", gpu->chip.sms[0]->spec.fetchers);
	cache_describe(gpu->chip.sms[0]->state.fetch[0].operands, to);
}

static bool can_keep_operand(const struct gpu *gpu)
{
	return !gpu->chip.sms[0]->state.fetch[0].operands ||
		cache_can_keep(gpu->chip.sms[0]->state.fetch[0].operands);
}

static void state_operand(struct gpu *gpu, struct state *s)
{
	for (uint32_t i = 0; i < gpu->config.gpu.sms && !s->is_wrong; i++)
		for (uint32_t f = 0;
			f < gpu->chip.sms[i]->spec.fetchers && gpu->chip.sms[i]->state.fetch[f].operands; f++)
			cache_state(gpu->chip.sms[i]->state.fetch[f].operands, s);
}

/* The second level of constants and instructions, if there is one. */
static void describe_l15(const struct gpu *gpu, FILE *to)
{
	fprintf(to, "%u SMs, ", gpu->config.gpu.sms);
	if (gpu->chip.sms[0]->spec.l15)
		cache_describe(l15_cache(gpu->chip.sms[0]->spec.l15), to);
	else
		fprintf(to, "none");
}

static bool can_keep_l15(const struct gpu *gpu)
{
	return !gpu->chip.sms[0]->spec.l15 || cache_can_keep(l15_cache(gpu->chip.sms[0]->spec.l15));
}

static void state_l15(struct gpu *gpu, struct state *s)
{
	for (uint32_t i = 0; i < gpu->config.gpu.sms && gpu->chip.sms[i]->spec.l15 && !s->is_wrong; i++)
		cache_state(l15_cache(gpu->chip.sms[i]->spec.l15), s);
}

/* Translations of addresses, if they take time. */
static void describe_tlb(const struct gpu *gpu, FILE *to)
{
	fprintf(to, "%u SMs, ", gpu->config.gpu.sms);
	if (gpu->chip.sms[0]->state.lsu.tlb)
		tlb_describe(gpu->chip.sms[0]->state.lsu.tlb, to);
	else
		fprintf(to, "none");
}

static void state_tlb(struct gpu *gpu, struct state *s)
{
	for (uint32_t i = 0; i < gpu->config.gpu.sms && gpu->chip.sms[i]->state.lsu.tlb && !s->is_wrong; i++)
		tlb_state(gpu->chip.sms[i]->state.lsu.tlb, s);
}

/* The L1, and how much of its array is shared memory. */
static void state_l1(struct gpu *gpu, struct state *s)
{
	state_l1_lines(gpu, s);
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		state_field(s, &gpu->chip.sms[i]->state.use.carve_out);
}

/* ---- policies ---- */

/* The geometry of what a policy decides for is part of its own. */
#define POLICY_OF(name, interface, of, count, first, each, each_state) \
	static void describe_##name(const struct gpu *gpu, FILE *to) \
	{ \
		policy_describe(&interface, first, to); \
		fprintf(to, ", of "); \
		describe_##of(gpu, to); \
	} \
	static bool can_keep_##name(const struct gpu *gpu) \
	{ \
		return policy_can_keep(first); \
	} \
	static void state_##name(struct gpu *gpu, struct state *s) \
	{ \
		for (uint32_t i = 0; i < (count) && !s->is_wrong; i++) \
			each_state(each, s); \
	}
#define POLICY_OF_SM(name, interface, of, field) \
	POLICY_OF(name, interface, of, gpu->config.gpu.sms, gpu->chip.sms[0]->field, \
		gpu->chip.sms[i]->field, policy_state)
#define POLICY_OF_SLICE(name, interface, field, each_state) \
	POLICY_OF(name, interface, l2, gpu->config.gpu.partitions, l2_policies(gpu->chip.slices[0]).field, \
		l2_policies(gpu->chip.slices[i]).field, each_state)

#define SCHEDULERS (gpu->config.sm.schedulers)
POLICY_OF(scheduler, sched_interface, sm, gpu->config.gpu.sms *SCHEDULERS,
	gpu->chip.sms[0]->spec.schedulers[0], gpu->chip.sms[i / SCHEDULERS]->spec.schedulers[i % SCHEDULERS],
	policy_state)
POLICY_OF(limiter, limiter_interface, sm, gpu->config.gpu.sms, gpu->chip.sms[0]->spec.limiter,
	gpu->chip.sms[i], throttle_state)
POLICY_OF_SM(bypass, bypass_interface, sm, state.lsu.bypass)
POLICY_OF_SM(stall_bypass, bypass_interface, sm, state.lsu.stall_bypass)
POLICY_OF_SM(coalescer, coalescer_interface, sm, state.lsu.coalescer)
POLICY_OF_SM(buffer, request_buffer_interface, sm, state.lsu.buffer)

static void state_dispatch_order(struct gpu *gpu, struct state *s)
{
	state_field(s, &gpu->chip.dispatch->last_kernel);
	policy_state(gpu->chip.dispatch, s);
}

static void describe_dispatch(const struct gpu *gpu, FILE *to)
{
	policy_describe(&dispatch_interface, gpu->chip.dispatch, to);
	fprintf(to, ", of %u SMs", gpu->config.gpu.sms);
}

static bool can_keep_dispatch(const struct gpu *gpu)
{
	return policy_can_keep(gpu->chip.dispatch);
}

/* ---- networks ---- */

static void describe_xbar(const struct gpu *gpu, FILE *to)
{
	policy_describe(&network_interface, gpu->requests, to);
	fprintf(to, ", %u SMs, %u slices", gpu->config.gpu.sms, gpu->config.gpu.partitions);
}

static bool can_keep_xbar(const struct gpu *gpu)
{
	return policy_can_keep(gpu->requests) && policy_can_keep(gpu->replies);
}

static void state_xbar(struct gpu *gpu, struct state *s)
{
	policy_state(gpu->requests, s);
	policy_state(gpu->replies, s);
}

/* ---- slices and channels ---- */

/* Which addresses a partition owns. */
static void describe_map(const struct gpu *gpu, FILE *to)
{
	const struct partition_map *m = &gpu->chip.map;

	fprintf(to, "%u partitions of %u bytes", m->partitions, m->interleave);
	if (!bit_hash_is_none(&m->hash) || m->parts)
		fprintf(to, " mapped by %s", gpu->config.dram.mapping);
	fprintf(to, ", ");
}

static void describe_l2(const struct gpu *gpu, FILE *to)
{
	describe_map(gpu, to);
	l2_describe(gpu->chip.slices[0], to);
}

static bool can_keep_l2(const struct gpu *gpu)
{
	return l2_can_keep(gpu->chip.slices[0]);
}

static void state_l2(struct gpu *gpu, struct state *s)
{
	for (uint32_t i = 0; i < gpu->config.gpu.partitions && !s->is_wrong; i++)
		l2_state(gpu->chip.slices[i], s);
}

POLICY_OF_SLICE(warp_type, classifier_interface, classifier, classifier_state)
POLICY_OF_SLICE(l2_bypass, l2_bypass_interface, bypass, l2_bypass_state)
POLICY_OF_SLICE(insertion, insertion_interface, insertion, insertion_state)

static void describe_dram(const struct gpu *gpu, FILE *to)
{
	describe_map(gpu, to);
	dram_describe(gpu->channels[0], to);
}

static bool can_keep_dram(const struct gpu *gpu)
{
	return dram_can_keep(gpu->channels[0]);
}

static void state_dram(struct gpu *gpu, struct state *s)
{
	for (uint32_t i = 0; i < gpu->config.gpu.partitions && !s->is_wrong; i++)
		dram_state(gpu->channels[i], s);
}

POLICY_OF(dram_scheduler, dram_sched_interface, dram, gpu->config.gpu.partitions,
	dram_sched_of(gpu->channels[0]), dram_sched_of(gpu->channels[i]), policy_state)

const struct timing_part_kind timing_parts[] = {
	{ "sm", CLOCK_CORE, describe_sm, can_always_keep, state_sm },
	{ "sm.l1d", CLOCK_CORE, describe_l1_lines, can_keep_l1_lines, state_l1 },
	{ "sm.texture", CLOCK_CORE, describe_texture, can_keep_texture, state_texture },
	{ "sm.constant", CLOCK_CORE, describe_constant, can_keep_constant, state_constant },
	{ "sm.instruction", CLOCK_CORE, describe_instruction, can_keep_instruction, state_instruction },
	{ "sm.operand", CLOCK_CORE, describe_operand, can_keep_operand, state_operand },
	{ "sm.l15", CLOCK_CORE, describe_l15, can_keep_l15, state_l15 },
	{ "sm.tlb", CLOCK_CORE, describe_tlb, can_always_keep, state_tlb },
	{ "sm.scheduler", CLOCK_CORE, describe_scheduler, can_keep_scheduler, state_scheduler },
	{ "sm.limiter", CLOCK_CORE, describe_limiter, can_keep_limiter, state_limiter },
	{ "sm.bypass", CLOCK_CORE, describe_bypass, can_keep_bypass, state_bypass },
	{ "sm.stall_bypass", CLOCK_CORE, describe_stall_bypass, can_keep_stall_bypass, state_stall_bypass },
	{ "sm.coalescer", CLOCK_CORE, describe_coalescer, can_keep_coalescer, state_coalescer },
	{ "sm.request_buffer", CLOCK_CORE, describe_buffer, can_keep_buffer, state_buffer },
	{ "gpu.dispatch", CLOCK_CORE, describe_dispatch, can_keep_dispatch, state_dispatch_order },
	{ "xbar", CLOCK_XBAR, describe_xbar, can_keep_xbar, state_xbar },
	{ "l2", CLOCK_L2, describe_l2, can_keep_l2, state_l2 },
	{ "l2.warp_type", CLOCK_L2, describe_warp_type, can_keep_warp_type, state_warp_type },
	{ "l2.bypass", CLOCK_L2, describe_l2_bypass, can_keep_l2_bypass, state_l2_bypass },
	{ "l2.insertion", CLOCK_L2, describe_insertion, can_keep_insertion, state_insertion },
	{ "dram", CLOCK_DRAM, describe_dram, can_keep_dram, state_dram },
	{ "dram.scheduler", CLOCK_DRAM, describe_dram_scheduler, can_keep_dram_scheduler,
		state_dram_scheduler },
	{ NULL, 0, NULL, NULL, NULL },
};
