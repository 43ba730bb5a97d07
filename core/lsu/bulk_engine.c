/* core/lsu/bulk_engine.c -- see bulk_engine.h. */
#include "core/lsu/bulk_engine.h"
#include "core/diagnose/fault.h"
#include "core/issue/phase_waits.h"
#include "core/issue/scoreboard.h"
#include "core/kernel/kernel_run.h"
#include "core/lsu/bulk_requests.h"
#include "core/sm/sm.h"
#include "sim/base/xalloc.h"
#include <stdio.h>

void bulk_engine_control(struct sm *sm, struct launch_control control)
{
	sm->state.bulk->asked.control = control;
}

void bulk_engine_init(struct sm *sm)
{
	struct bulk_engine *engine = xcalloc(1, sizeof(*engine));

	engine->asked.is_timed = true;
	engine->ran = SIM_NEVER;
	sm->state.bulk = engine;
	sm->spec.exec->bulk = &engine->asked;
}

void bulk_engine_fini(struct sm *sm)
{
	struct bulk_engine *engine = sm->state.bulk;

	for (uint32_t i = 0; i < engine->count; i++)
		free(engine->flights[i].bytes);
	bulk_queue_fini(&engine->asked);
	free(engine->flights);
	free(engine->groups);
	free(engine->waits);
	free(engine);
}

static enum bulk_direction direction_of(const struct bulk_form *f)
{
	return f->kind == BULK_PREFETCHES ? BULK_TO_L2
		: f->from == BULK_GLOBAL  ? BULK_TO_SHARED
		: f->to == BULK_GLOBAL    ? BULK_TO_GLOBAL
					  : BULK_TO_CLUSTER;
}

/* ---- copies come ---- */

static void make_groups(struct sm *sm, struct bulk_engine *engine)
{
	if (engine->groups)
		return;
	engine->groups = xcalloc(sm->spec.config->max_warps, sizeof(*engine->groups));
	engine->waits = xcalloc(sm->spec.config->max_warps, sizeof(*engine->waits));
}

static struct requester bulk_requester(const struct sm *sm, const struct bulk_copy *c, uint32_t slot)
{
	const struct cta *cta = sm->state.warps[slot].cta;

	return (struct requester){ .sm = sm->spec.number,
		.warp = (uint16_t)slot,
		.cta = (uint32_t)cta->linear,
		.launch = (uint32_t)cta->run->id,
		.uop_index = (uint32_t)(c->uop - cta->run->uops),
		.issued = timestamp_of(sm->state.local.now) };
}

static struct bulk_flight *new_flight(struct bulk_engine *engine)
{
	if (engine->count == engine->capacity) {
		engine->capacity = engine->capacity ? 2 * engine->capacity : 16;
		engine->flights = xrealloc(engine->flights, engine->capacity * sizeof(*engine->flights));
	}
	return &engine->flights[engine->count++];
}

/* What tensor cores do is no copy: it has one step. */
static void take_tensor(struct sm *sm, const struct bulk_copy *copy, uint32_t slot, cycles now)
{
	struct bulk_engine *engine = sm->state.bulk;
	cycles due = tensor_pipe_take(&engine->tensor, sm->spec.config, copy, now);

	if (due == SIM_NEVER)
		return;
	*new_flight(engine) = (struct bulk_flight){ .copy = *copy,
		.slot = (uint16_t)slot,
		.direction = BULK_TO_SHARED,
		.number = engine->number++ & BULK_NUMBERS,
		.started = now,
		.due = due,
		.is_sent = true };
	sm->state.timing[slot].in_flight++;
	bulk_requests_call(sm, due);
}

static void take_copy(struct sm *sm, const struct bulk_copy *copy, uint32_t slot, cycles now)
{
	struct bulk_engine *engine = sm->state.bulk;
	enum bulk_direction direction = direction_of(&copy->form);
	bool cancels = copy->form.kind == BULK_CANCELS;
	struct bulk_flight *f;

	sm->stats.bulk_copies[direction] += !cancels;
	sm->stats.bulk_bytes[direction] += cancels ? 0 : copy->bytes;
	f = new_flight(engine);
	*f = (struct bulk_flight){ .copy = *copy,
		.by = bulk_requester(sm, copy, slot),
		.slot = (uint16_t)slot,
		.direction = (uint8_t)direction,
		.number = engine->number++ & BULK_NUMBERS,
		.started = SIM_NEVER,
		.due = SIM_NEVER };
	f->ready = now + (direction == BULK_TO_CLUSTER ? 1 : sm->spec.config->bulk_latency);
	f->group = copy->form.flags & BULK_BY_GROUP ? engine->groups[slot][copy->lane] + 1 : 0;
	if (cancels) { /* a question to the dispatcher: no request, nothing of the unit */
		f->is_sent = true;
		f->started = now;
		f->due = f->ready = now + sm->spec.config->cancel_latency;
	}
	sm->state.timing[slot].in_flight++; /* the warp's slot and CTA stay until it has landed */
	bulk_requests_call(sm, f->ready);
}

void bulk_engine_take(struct sm *sm, uint32_t slot, cycles now)
{
	struct bulk_engine *engine = sm->state.bulk;

	make_groups(sm, engine);
	for (uint32_t i = 0; i < engine->asked.count; i++)
		if (engine->asked.copies[i].form.kind >= BULK_TENSOR)
			take_tensor(sm, &engine->asked.copies[i], slot, now);
		else
			take_copy(sm, &engine->asked.copies[i], slot, now);
	engine->asked.count = 0;
}

/* ---- groups ---- */

void bulk_engine_commit_groups(struct sm *sm, uint32_t slot, lane_mask mask)
{
	struct bulk_engine *engine = sm->state.bulk;

	for (; mask && engine->groups; mask &= mask - 1)
		engine->groups[slot][__builtin_ctz(mask)]++;
}

static bool awaits(const struct bulk_engine *engine, uint32_t slot)
{
	const struct bulk_wait *w = &engine->waits[slot];

	for (uint32_t i = 0; i < engine->count; i++) {
		const struct bulk_flight *f = &engine->flights[i];

		if (f->group && f->slot == slot && w->lanes >> f->copy.lane & 1 &&
			f->group <= w->until[f->copy.lane] && !f->has_landed && !(w->reads && f->is_read))
			return true;
	}
	return false;
}

void bulk_engine_await(struct sm *sm, uint32_t slot, const struct uop *u, lane_mask mask)
{
	struct bulk_engine *engine = sm->state.bulk;
	struct bulk_wait *w;

	if (!engine->groups)
		return;
	w = &engine->waits[slot];
	*w = (struct bulk_wait){ .lanes = mask, .reads = u->mods & MOD_HI };
	for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
		uint32_t groups = engine->groups[slot][lane];

		w->until[lane] = groups > (uint64_t)u->imm ? groups - (uint32_t)u->imm : 0;
	}
	if (awaits(engine, slot))
		sm->state.warps[slot].state = WARP_AT_BULK_COPIES;
}

/* ---- steps ---- */

/* Forgets those that have landed. */
static void forget_landed(struct sm *sm)
{
	struct bulk_engine *engine = sm->state.bulk;
	uint32_t left = 0;

	for (uint32_t i = 0; i < engine->count; i++) {
		struct bulk_flight *f = &engine->flights[i];

		if (!f->has_landed) {
			engine->flights[left++] = *f;
			continue;
		}
		free(f->bytes);
		sm->state.timing[f->slot].in_flight--;
	}
	engine->count = left;
}

static void let_warps_go(struct sm *sm)
{
	for (warp_mask m = sm->state.present; m; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m);
		struct warp *w = &sm->state.warps[slot];

		if (w->state == WARP_AT_BULK_COPIES && !awaits(sm->state.bulk, slot)) {
			w->state = WARP_RUNNING;
			sm_renew(sm, slot);
		}
		sm_retire_if_done(sm, slot);
	}
}

void bulk_engine_run(struct sm *sm, cycles now)
{
	struct bulk_engine *engine = sm->state.bulk;
	cycles next = SIM_NEVER;

	if (engine->is_due || engine->ran == now)
		return;
	engine->ran = now;
	if (engine->has_stepped) {
		engine->has_stepped = false;
		forget_landed(sm);
		let_warps_go(sm);
	}
	bulk_requests_make(sm, now);
	for (uint32_t i = 0; i < engine->count; i++) {
		cycles due = engine->flights[i].due;

		engine->is_due |= due <= now;
		next = due > now && due < next ? due : next;
	}
	bulk_requests_call(sm, next);
	if (engine->is_due)
		sm_ask_commit(sm);
}

/* The next step of a copy. What is wrong, or NULL. */
static const char *do_step(struct sm *sm, struct bulk_flight *f, cycles now)
{
	const struct bulk_copy *c = &f->copy;
	const char *wrong;
	uint8_t *bytes;

	if (c->form.from != BULK_GLOBAL && !f->is_read) {
		f->bytes = xmalloc(c->bytes + 1);
		f->is_read = true;
		f->due = f->pending ? SIM_NEVER : now + 1;
		bulk_requests_call(sm, f->due);
		return bulk_read(c, f->bytes);
	}
	f->has_landed = true;
	phase_waits_call_cluster(sm, c->warp->cta->cluster, now);
	if (f->is_read)
		return bulk_write(c, f->bytes);
	bytes = bulk_queue_room(&sm->state.bulk->asked, c->bytes + 1);
	wrong = bulk_read(c, bytes);
	return wrong ? wrong : bulk_write(c, bytes);
}

static void explain_fault(const struct bulk_copy *c, const char *wrong, struct device_fault *fault)
{
	fault->kind = FAULT_ILLEGAL_INSTRUCTION;
	fault->lane = c->lane;
	snprintf(fault->detail, sizeof(fault->detail), "%s", wrong);
	fault_explain(fault, (struct warp *)c->warp, c->uop);
}

bool bulk_engine_step(struct sm *sm, cycles now, struct device_fault *fault)
{
	struct bulk_engine *engine = sm->state.bulk;

	engine->is_due = false;
	for (uint32_t i = 0; i < engine->count; i++) {
		struct bulk_flight *f = &engine->flights[i];
		const char *wrong = f->due <= now && !f->has_landed ? do_step(sm, f, now) : NULL;

		if (wrong) {
			explain_fault(&f->copy, wrong, fault);
			return true;
		}
	}
	engine->has_stepped = true;
	bulk_requests_call(sm, now + 1);
	sm->host.called = true;
	component_wake(&sm->component);
	return false;
}

/* ---- copies within a cluster ---- */

/* NULL: it was performed since its CTA went on without timing. */
static struct bulk_flight *find_flight(struct bulk_engine *engine, uint32_t number)
{
	for (uint32_t i = 0; i < engine->count; i++)
		if (engine->flights[i].number == number)
			return &engine->flights[i];
	return NULL;
}

static void end_step(struct sm *sm, const struct bulk_flight *f, const char *wrong, cycles now)
{
	if (wrong)
		explain_fault(&f->copy, wrong, &sm->state.fault);
	sm->state.bulk->has_stepped = true;
	bulk_requests_call(sm, now + 1);
}

void bulk_engine_sent(struct sm *sm, uint32_t number, cycles now)
{
	struct bulk_engine *engine = sm->state.bulk;
	struct bulk_flight *f = find_flight(engine, number);
	cycles next;

	engine->free = now + 1;
	if (!f)
		return;
	next = f->started + sm->spec.config->bulk_cluster_interval;
	engine->free = next > now + 1 ? next : now + 1;
	sm->stats.bulk_busy += engine->free - f->started;
	f->bytes = xmalloc(f->copy.bytes + 1);
	f->is_read = true;
	end_step(sm, f, bulk_read(&f->copy, f->bytes), now);
}

void bulk_engine_arrived(struct sm *sm, uint32_t number, cycles now)
{
	struct bulk_flight *f = find_flight(sm->state.bulk, number);

	if (!f)
		return;
	f->has_landed = true;
	end_step(sm, f, bulk_write(&f->copy, f->bytes), now);
	phase_waits_call_cluster(sm, f->copy.warp->cta->cluster, now);
}

void bulk_engine_flush(struct sm *sm)
{
	struct bulk_engine *engine = sm->state.bulk;
	uint8_t *bytes;

	for (uint32_t i = 0; i < engine->count; i++) {
		struct bulk_flight *f = &engine->flights[i];

		if (f->has_landed)
			continue;
		f->has_landed = true;
		if (f->direction == BULK_TO_L2)
			continue;
		bytes = f->is_read ? f->bytes : bulk_queue_room(&engine->asked, f->copy.bytes + 1);
		if (!f->is_read)
			bulk_read(&f->copy, bytes);
		bulk_write(&f->copy, bytes);
	}
	forget_landed(sm);
	engine->is_due = false;
	engine->free = engine->free == SIM_NEVER ? sm->state.local.cycle + 1 : engine->free;
}
