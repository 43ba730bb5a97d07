/* core/lsu/bulk_requests.c -- see bulk_requests.h. Where the port for requests is full, the unit and the
 * load/store unit take turns. Data pass the banks of shared memory, if these are modelled. */
#include "core/lsu/bulk_requests.h"
#include "core/kernel/cluster.h"
#include "core/lsu/cluster_access.h"
#include "core/lsu/lsu_in_flight.h"
#include "core/sm/sm.h"
#include "memsys/l1/cache_request.h"
#include "memsys/memory.h"

void bulk_requests_call(struct sm *sm, cycles when)
{
	struct bulk_engine *engine = sm->state.bulk;

	if (when == SIM_NEVER || (engine->call > sm->state.wheel.now && engine->call <= when))
		return;
	engine->call = when;
	timing_wheel_add(&sm->state.wheel, when, WHEEL_BULK, 0, 0);
}

/* The time until now counts with what was under way. */
static void count_under_way(struct sm *sm, cycles now)
{
	struct bulk_engine *engine = sm->state.bulk;

	sm->stats.bulk_byte_cycles += (uint64_t)engine->bytes * (now - engine->changed);
	sm->stats.bulk_under_way += engine->requests ? now - engine->changed : 0;
	engine->changed = now;
}

/* ---- requests ---- */

/* The oldest with which the unit has not done; NULL: there is none. */
static struct bulk_flight *unit_head(struct bulk_engine *engine)
{
	for (uint32_t i = 0; i < engine->count; i++)
		if (!engine->flights[i].is_sent)
			return &engine->flights[i];
	return NULL;
}

/* All requests have been answered, or there are none: the next step is due. */
static void copy_answered(struct sm *sm, struct bulk_flight *f, cycles now)
{
	const struct sm_config *p = sm->spec.config;

	f->due = now + 1;
	if (f->direction == BULK_TO_SHARED)
		f->due += (f->copy.form.flags & BULK_MULTICAST ? p->bulk_multicast_latency : 0) +
			(f->missed ? p->bulk_miss_latency : 0);
	bulk_requests_call(sm, f->due);
}

/* The unit has done with the copy in this cycle. */
static void copy_sent(struct sm *sm, struct bulk_flight *f, cycles now)
{
	struct bulk_engine *engine = sm->state.bulk;

	f->is_sent = true;
	engine->free = f->started + sm->spec.config->bulk_interval;
	engine->free = engine->free > now ? engine->free : now + 1;
	sm->stats.bulk_busy += now + 1 - f->started;
	if (f->direction == BULK_TO_GLOBAL)
		f->due = now;
	else if (f->direction == BULK_TO_L2)
		f->has_landed = engine->has_stepped = true;
	else if (!f->pending)
		copy_answered(sm, f, now);
	bulk_requests_call(sm, engine->free);
}

/* To the shared memory of the cluster: the network says when the last byte has left (bulk_engine_sent). */
static void send_to_cluster(struct sm *sm, struct bulk_flight *f)
{
	const struct cluster *cluster = f->copy.warp->cta->cluster;
	uint32_t rank = (uint32_t)(f->copy.to >> CLUSTER_RANK_SHIFT);

	f->is_sent = true;
	sm->state.bulk->free = SIM_NEVER;
	cluster_access_copy(
		sm, f->number, cluster && rank ? cluster->sms[rank - 1] : sm->spec.number, f->copy.bytes);
}

static void take_up_copy(struct sm *sm, struct bulk_flight *f, cycles now)
{
	f->started = now;
	if (f->direction == BULK_TO_CLUSTER) {
		send_to_cluster(sm, f);
		return;
	}
	bulk_lines_start(&f->lines, &f->copy);
	if (!bulk_lines_left(&f->lines))
		copy_sent(sm, f, now);
}

/* Whether the port has a place for it, and it is its turn: if the load/store unit waits for one, too, that
 * gets the next. */
static bool has_place(struct sm *sm)
{
	const struct lsu_refusal *other = &sm->state.lsu.memory.refusal;
	bool yields =
		sm->state.bulk->sent_last && other->is_refused && other->outcome == CACHE_MISS_QUEUE_FULL;

	if (!port_room(&sm->state.request))
		return false;
	sm->state.bulk->sent_last = !yields;
	return !yields;
}

static struct cache_request request_for(const struct bulk_flight *f, const struct line_request *line)
{
	static const uint8_t kinds[] = { [BULK_COPIES] = PACKET_WRITE, [BULK_REDUCES] = PACKET_ATOMIC };
	struct cache_request r = { .uncached = true, .by = f->by };

	r.kind = f->direction == BULK_TO_GLOBAL ? kinds[f->copy.form.kind] : PACKET_READ;
	r.is_float = r.kind == PACKET_ATOMIC && ptx_type_is_float((enum ptx_type)f->copy.type);
	cache_request_line(&r, line, f->number);
	r.line = line->line - DEVICE_BASE;
	r.token = f->number;
	return r;
}

static void send_bulk_line(struct sm *sm, struct bulk_flight *f, const struct line_request *line, cycles now)
{
	struct bulk_engine *engine = sm->state.bulk;
	struct cache_request r = request_for(f, line);
	struct packet *p = cache_pass(sm->spec.l1d, &r, UNIT_BULK, sm->state.local.now);

	p->no_data = f->direction == BULK_TO_L2;
	count_under_way(sm, now);
	engine->requests++;
	engine->bytes += r.bytes;
	f->pending++;
	sm->stats.bulk_requests[f->direction]++;
	if (f->direction == BULK_TO_GLOBAL)
		lsu_occupy_banks(sm, r.bytes, now);
}

/* A prefetch may name what is no memory. */
static bool names_memory(const struct sm *sm, const struct bulk_flight *f, addr line)
{
	struct memory_range range;

	if (f->direction != BULK_TO_L2)
		return true;
	range = memory_find(sm->spec.exec->memory, line);
	return range.start < range.end;
}

static void make_request(struct sm *sm, struct bulk_flight *f, cycles now)
{
	struct bulk_engine *engine = sm->state.bulk;
	struct line_request line;

	if (engine->requests >= sm->spec.config->bulk_in_flight)
		return; /* a reply calls */
	if (!has_place(sm)) {
		sm->stats.bulk_stalls++;
		bulk_requests_call(sm, now + 1);
		return;
	}
	line = bulk_lines_next(&f->lines, &f->copy);
	if (names_memory(sm, f, line.line))
		send_bulk_line(sm, f, &line, now);
	if (bulk_lines_left(&f->lines))
		bulk_requests_call(sm, now + 1);
	else
		copy_sent(sm, f, now);
}

void bulk_requests_make(struct sm *sm, cycles now)
{
	struct bulk_engine *engine = sm->state.bulk;
	struct bulk_flight *f = unit_head(engine);
	cycles from;

	if (!f)
		return;
	from = f->ready > engine->free ? f->ready : engine->free;
	if (f->started == SIM_NEVER && from > now) {
		bulk_requests_call(sm, from);
		return;
	}
	if (f->started == SIM_NEVER)
		take_up_copy(sm, f, now);
	if (!f->is_sent)
		make_request(sm, f, now);
}

/* ---- replies ---- */

void bulk_requests_reply(struct sm *sm, const struct packet *p, cycles now)
{
	struct bulk_engine *engine = sm->state.bulk;
	struct bulk_flight *f = engine->flights, *end = f + engine->count;

	count_under_way(sm, now);
	engine->requests--;
	engine->bytes -= p->bytes;
	if (p->kind == PACKET_READ && !p->no_data)
		lsu_occupy_banks(sm, p->bytes, now);
	if (engine->requests + 1 == sm->spec.config->bulk_in_flight)
		bulk_requests_call(sm, now + 1);
	while (f < end && f->number != p->token)
		f++;
	if (f == end) /* a prefetch, or a copy that was performed since its CTA went on without timing */
		return;
	f->missed |= p->at[AT_DRAM_DATA] != 0;
	if (!--f->pending && f->is_sent)
		copy_answered(sm, f, now);
}
