/* core/gpu/combinations.c -- mechanisms that cannot work together: a table of what is refused, and why,
 * when the configuration is read.
 *
 * A mechanism is refused if it could not act in any program, or if it would not be what its name says. It
 * is not refused if it is merely useless with some programs or on some machines: a request buffer without
 * an L1 still orders requests to the L2, and an L1 that default loads do not use (sm.global_loads: cg) is
 * used by loads that ask for it. What a rule must know of a policy is declared by
 * the policy's class. What a single policy requires (numbers of sets, sizes) is checked by the policy
 * itself. */
#include "core/gpu/machine_config.h"
#include "core/limiter/limiter.h"
#include "dram/sched/sched.h"
#include "memsys/bypass/bypass.h"
#include "memsys/coalescer/coalescer.h"
#include "memsys/index/index.h"
#include "memsys/insertion/insertion.h"
#include "memsys/l2_bypass/l2_bypass.h"
#include "memsys/request_buffer/request_buffer.h"
#include "memsys/warp_type/classifier.h"
#include <stdio.h>
#include <string.h>

struct refusal {
	const char *section, *key;                           /* of the mechanism in the configuration */
	const char *(*name)(const struct machine_config *m); /* the value there */
	const char *(*why)(const struct machine_config *m); /* the end of a sentence; NULL: it may stand there
							     */
};

/* ---- what was chosen ---- */

static const char *buffer_name(const struct machine_config *m)
{
	return m->request_buffer->class->name;
}

static const char *coalescer_name(const struct machine_config *m)
{
	return m->coalescer->class->name;
}

static const char *limiter_name(const struct machine_config *m)
{
	return m->limiter->class->name;
}

static const char *bypass_name(const struct machine_config *m)
{
	return m->bypass->class->name;
}

static const char *stall_bypass_name(const struct machine_config *m)
{
	return m->stall_bypass->class->name;
}

static const char *index_name(const struct machine_config *m)
{
	return index_class(m->l1d.index)->name;
}

static const char *l2_bypass_name(const struct machine_config *m)
{
	return m->l2.bypass->class->name;
}

static const char *l2_insertion_name(const struct machine_config *m)
{
	return m->l2.insertion->class->name;
}

static const char *dram_scheduler_name(const struct machine_config *m)
{
	return m->dram_scheduler->class->name;
}

/* ---- why it cannot be ---- */

static bool has_policy(const struct bypass *b)
{
	return b->class->before || b->class->refused;
}

static const char *buffer(const struct machine_config *m)
{
	if (m->request_buffer->class->admit && m->sm.lsu_replay)
		return "nothing passes its first request, which the L1 may refuse, but sm.lsu_replay = true "
		       "lets others pass; set that false";
	return NULL;
}

static const char *coalescer(const struct machine_config *m)
{
	const struct coalescer_class *class = m->coalescer->class;

	if (class->accept && m->sm.lsu_replay)
		return "it decides what becomes of requests that the L1 refuses, but sm.lsu_replay = true "
		       "has the "
		       "load/store unit do that; set that false";
	if (class->needs_l1 && !m->l1d.enabled)
		return "no load looks up the L1: sm.l1d.enabled = false";
	if (class->is_parallel && m->request_buffer->class->admit)
		return "it offers several requests in a cycle, of which a request buffer takes one: set "
		       "sm.request_buffer.policy none";
	return class->why_not ? class->why_not(m->coalescer, &m->l1d) : NULL;
}

static const char *limiter(const struct machine_config *m)
{
	return m->limiter->class->needs_l1 && !m->l1d.enabled
		? "it decides by what the L1 hits and misses, but sm.l1d.enabled = false"
		: NULL;
}

/* Every cache has an index, also one that is off: refused is the one that is put in for what it does. */
static const char *index_of_l1(const struct machine_config *m)
{
	return !m->l1d.enabled && index_class(m->l1d.index)->is_optional
		? "there is no L1 whose sets it could choose: sm.l1d.enabled = false"
		: NULL;
}

static const char *bypass(const struct machine_config *m)
{
	if (has_policy(m->bypass) && !m->l1d.enabled)
		return "there is no L1 to go past: sm.l1d.enabled = false";
	return m->bypass->class->why_ineffective ? m->bypass->class->why_ineffective(m->bypass, &m->l1d)
						 : NULL;
}

static const char *stall_bypass(const struct machine_config *m)
{
	const struct bypass *b = m->stall_bypass;

	if (!has_policy(b))
		return NULL;
	if (!b->class->refused)
		return "this policy decides before the look-up and would never be asked: here a policy is "
		       "asked only about reads that the L1 has refused";
	if (!m->l1d.enabled)
		return "there is no L1 that could refuse a read: sm.l1d.enabled = false";
	if (b->class == m->bypass->class && !memcmp(b + 1, m->bypass + 1, b->class->size - sizeof(*b)))
		return "sm.bypass.policy is the same, with the same parameters, and has said no when this "
		       "one is asked";
	return b->class->why_ineffective ? b->class->why_ineffective(b, &m->l1d) : NULL;
}

static const char *without_types(const struct machine_config *m, bool needs_types)
{
	return needs_types && !m->l2.classifier->class->classify
		? "it decides by warp types, but l2.warp_type.policy = none"
		: NULL;
}

static const char *l2_bypass(const struct machine_config *m)
{
	return without_types(m, m->l2.bypass->class->needs_types);
}

static const char *l2_insertion(const struct machine_config *m)
{
	return without_types(m, m->l2.insertion->class->needs_types);
}

static const char *dram_scheduler(const struct machine_config *m)
{
	return without_types(m, m->dram_scheduler->class->needs_types);
}

static const char *sample_name(const struct machine_config *m)
{
	static char text[32];

	snprintf(text, sizeof(text), "%g", m->sample.error);
	return text;
}

static const char *sample(const struct machine_config *m)
{
	const struct timing_limit_config *l = &m->timing_limit;

	if (m->sample.error <= 0)
		return NULL;
	if (l->instructions || l->cycles || l->ctas || l->run_instructions)
		return "a sample is taken of all of a kernel, but gpu.timing_limit ends its timing";
	if (m->warmup.instructions)
		return "a sample is taken of all of a kernel, but gpu.warmup.instructions are not timed";
	return m->warmup.ctas ? "a sample is taken of all of a kernel, but gpu.warmup.ctas are not timed"
			      : NULL;
}

static const struct refusal refusals[] = {
	{ "sm.request_buffer", "policy", buffer_name, buffer },
	{ "sm.coalescer", "policy", coalescer_name, coalescer },
	{ "sm.limiter", "policy", limiter_name, limiter },
	{ "sm.bypass", "policy", bypass_name, bypass },
	{ "sm.stall_bypass", "policy", stall_bypass_name, stall_bypass },
	{ "sm.l1d", "index", index_name, index_of_l1 },
	{ "l2.bypass", "policy", l2_bypass_name, l2_bypass },
	{ "l2.insertion", "policy", l2_insertion_name, l2_insertion },
	{ "dram.scheduler", "policy", dram_scheduler_name, dram_scheduler },
	{ "sample", "error", sample_name, sample },
};

void combinations_check(const struct machine_config *m, const struct config *config, struct diag_list *diags)
{
	for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
		const struct refusal *r = &refusals[i];
		const char *why = r->why(m);
		struct diag_location location = config_location(config, r->section, r->key);

		if (why)
			diag_error(diags, &location, "%s.%s = %s: %s", r->section, r->key, r->name(m), why);
	}
}
