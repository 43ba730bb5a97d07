/* cachemodel/core.c -- a step of a core: effects that have come, then one instruction of one warp.
 *
 * A turn of a warp is one instruction, with all its lines (section 4.5: a single request of each thread).
 * What a look-up sees (Tables 3 to 5 of the paper): all effects before its own time, and that of its own line
 * at its own time; MSHRs whose data come at its time are free. */
#include "cachemodel/core.h"
#include <gsl/gsl_randist.h>
#include <math.h>

void core_init(struct core *c, const struct stream *stream, const struct model_config *config,
	uint32_t number, uint32_t slots)
{
	uint32_t sets = config->associativity ? config->sets : 1;

	c->config = config;
	c->stream = stream;
	c->number = number;
	c->slots = slots;
	c->ways = config->associativity ? config->ways : config->sets * config->ways;
	c->landings = 1;
	c->random = gsl_rng_alloc(gsl_rng_mt19937);
	gsl_rng_set(c->random, config->seed + number);
	c->lines = xcalloc(stream->line_count, sizeof(*c->lines));
	for (uint32_t i = 0; i < stream->line_count; i++) {
		c->lines[i].last = c->lines[i].last_of_all = STACK_NEVER;
		c->lines[i].set = config->associativity ? model_set(config, stream->lines[i]) : 0;
	}
	stack_init(&c->all);
	c->sets = xcalloc(sets, sizeof(*c->sets));
	for (uint32_t i = 0; i < sets; i++)
		stack_init(&c->sets[i]);
	c->warps = xcalloc((size_t)slots * stream->cta_warps, sizeof(*c->warps));
	c->queue_size = slots * stream->cta_warps;
	c->queue = xcalloc(c->queue_size, sizeof(*c->queue));
	c->warps_left = xcalloc(slots, sizeof(*c->warps_left));
}

void core_fini(struct core *c)
{
	uint32_t sets = c->config->associativity ? c->config->sets : 1;

	for (uint32_t i = 0; i < sets; i++)
		stack_fini(&c->sets[i]);
	stack_fini(&c->all);
	free(c->sets);
	free(c->lines);
	free(c->effects.items);
	free(c->away.items);
	free(c->warps);
	free(c->queue);
	free(c->due);
	free(c->warps_left);
	gsl_rng_free(c->random);
}

/* -- the queue of warps -- */

static void push_back(struct core *c, uint32_t warp)
{
	uint32_t at = c->queue_first + c->queue_count++;

	c->queue[at < c->queue_size ? at : at - c->queue_size] = warp;
}

static uint32_t pop_front(struct core *c)
{
	uint32_t warp = c->queue[c->queue_first];

	c->queue_first = c->queue_first + 1 < c->queue_size ? c->queue_first + 1 : 0;
	c->queue_count--;
	return warp;
}

bool core_fill(struct core *c, uint32_t slot)
{
	uint32_t warps = c->stream->cta_warps;
	size_t cta;

	while (!c->warps_left[slot] && (cta = c->next_cta(c->user, c->number)) != SIZE_MAX)
		for (uint32_t w = 0; w < warps; w++) {
			const struct stream_warp *stream = &c->stream->ctas[cta].warps[w];

			if (!stream->count)
				continue;
			c->warps[slot * warps + w] =
				(struct core_warp){ .stream = stream, .number = (uint32_t)cta * warps + w };
			push_back(c, slot * warps + w);
			c->warps_left[slot]++;
		}
	return c->warps_left[slot];
}

/* A warp with requests left waits for its turn; one without ends, and with it perhaps its CTA. */
static void come_back(struct core *c, uint32_t warp)
{
	uint32_t slot = warp / c->stream->cta_warps;

	if (c->warps[warp].at < c->warps[warp].stream->count) {
		push_back(c, warp);
		return;
	}
	if (!--c->warps_left[slot])
		core_fill(c, slot);
}

/* -- effects on the cache -- */

static void core_touch_line(struct core *c, uint32_t line, uint64_t time)
{
	struct core_line *l = &c->lines[line];
	const uint32_t stride = sizeof(*l) / sizeof(uint32_t);

	stack_touch(&c->all, line, &c->lines[0].last_of_all, stride);
	if (c->config->associativity)
		stack_touch(&c->sets[l->set], line, &c->lines[0].last, stride);
	else
		l->last = l->last_of_all;
	if (c->watcher)
		c->watcher->took_effect(c->watcher->user, time, line);
}

static void become_due(struct core *c, uint32_t line)
{
	if (c->due_count == c->due_capacity) {
		c->due_capacity = c->due_capacity ? 2 * c->due_capacity : 64;
		c->due = xrealloc(c->due, c->due_capacity * sizeof(*c->due));
	}
	c->due[c->due_count++] = line;
}

/* Effects before this step's time are done; those of its time are due, with their MSHRs free. */
static void come_due(struct core *c)
{
	while (c->effects.count && c->effects.items[0].time <= c->time) {
		struct heap_item effect = heap_take(&c->effects);

		c->landings++;
		if (effect.holder != HEAP_NOBODY) {
			c->held[effect.holder]--;
			c->mshrs_used--;
			c->lines[effect.subject].is_in_flight = false;
		}
		if (effect.time < c->time)
			core_touch_line(c, effect.subject, effect.time);
		else
			become_due(c, effect.subject);
	}
}

static void finish_due(struct core *c)
{
	for (uint32_t i = 0; i < c->due_count; i++)
		core_touch_line(c, c->due[i], c->time);
	c->due_count = 0;
}

/* A look-up of this line sees what is due of it. */
static void take_own_due(struct core *c, uint32_t line)
{
	for (uint32_t i = 0; i < c->due_count; i++)
		if (c->due[i] == line) {
			memmove(&c->due[i], &c->due[i + 1], (c->due_count - i - 1) * sizeof(*c->due));
			c->due_count--;
			core_touch_line(c, line, c->time);
			return;
		}
}

/* -- look-ups -- */

static uint64_t miss_latency(struct core *c)
{
	const struct model_config *p = c->config;

	if (!p->latencies)
		return 0;
	return (uint64_t)llround(
		p->miss_latency + (p->sigma > 0 ? fabs(gsl_ran_gaussian_ziggurat(c->random, p->sigma)) : 0));
}

static void more_distances(struct model_result *r, uint32_t count)
{
	uint64_t **both[] = { &r->distances, &r->distances_in_flight };

	for (int i = 0; i < 2; i++) {
		*both[i] = xrealloc(*both[i], count * sizeof(**both[i]));
		memset(*both[i] + r->distance_count, 0, (count - r->distance_count) * sizeof(**both[i]));
	}
	r->distance_count = count;
}

static void count_distance(struct model_result *r, uint32_t distance, bool is_in_flight)
{
	if (distance == DISTANCE_INFINITE) {
		r->infinite++;
		r->infinite_in_flight += is_in_flight;
		return;
	}
	if (distance >= r->distance_count)
		more_distances(r, distance < 64 ? 128 : 2 * distance);
	r->distances[distance]++;
	r->distances_in_flight[distance] += is_in_flight;
}

static uint32_t distance_of(const struct core *c, const struct core_line *l)
{
	return c->config->associativity ? stack_distance(&c->sets[l->set], l->last)
					: stack_distance(&c->all, l->last_of_all);
}

static bool is_hit(const struct core *c, uint32_t distance)
{
	return distance != DISTANCE_INFINITE && distance < c->ways;
}

/* of_all: its distance over all sets. */
static enum model_outcome outcome_of(
	const struct core *c, const struct core_line *l, uint32_t distance, uint32_t of_all)
{
	if (is_hit(c, distance))
		return MODEL_HIT;
	if (l->is_in_flight)
		return MODEL_LATENCY;
	if (!l->was_requested)
		return MODEL_COMPULSORY;
	return of_all >= c->config->sets * c->config->ways ? MODEL_CAPACITY : MODEL_ASSOCIATIVITY;
}

static void tell(struct core *c, const struct core_warp *w, const struct model_event *event, uint32_t before)
{
	struct model_event e = *event;

	e.core = c->number;
	e.time = c->time;
	e.cta = w->number / c->stream->cta_warps;
	e.warp = w->number % c->stream->cta_warps;
	e.line = w->stream->requests[w->at].line;
	e.mshrs_before = before;
	e.mshrs_after = c->mshrs_used;
	c->watcher->looked_up(c->watcher->user, &e);
}

/* When the request takes effect; the effect itself, unless it is of this step. */
static uint64_t core_send(struct core *c, struct core_warp *w, uint32_t line, enum model_outcome outcome)
{
	struct core_line *l = &c->lines[line];
	uint64_t at;

	if (outcome == MODEL_HIT)
		at = c->time + (c->config->latencies ? (uint64_t)llround(c->config->hit_latency) : 0);
	else if (outcome == MODEL_LATENCY && c->config->clipping)
		at = l->lands;
	else
		at = c->time + miss_latency(c);
	l->was_requested = true;
	if (at > c->time && outcome != MODEL_HIT && outcome != MODEL_LATENCY) {
		l->is_in_flight = true;
		l->lands = at;
		c->mshrs_used++;
		c->held[w->number]++;
		heap_add(&c->effects, at, line, w->number);
	} else if (at > c->time) {
		heap_add(&c->effects, at, line, HEAP_NOBODY);
	}
	return at;
}

/* -- MSHRs: an instruction that needs one waits while all are taken, or its warp has as many as it may. One
 *    that goes takes MSHRs for all its lines, so that in the end a few more may be in use. -- */

static bool needs_mshr(struct core *c, const struct core_warp *w)
{
	for (size_t i = w->at;; i++) {
		const struct stream_request *r = &w->stream->requests[i];
		const struct core_line *l = &c->lines[r->line];

		take_own_due(c, r->line);
		if (!r->is_store && !l->is_in_flight && !is_hit(c, distance_of(c, l)))
			return true;
		if (r->is_last)
			return false;
	}
}

static bool warp_must_wait(struct core *c, struct core_warp *w)
{
	const struct model_config *p = c->config;
	bool is_full = p->mshrs && c->mshrs_used >= p->mshrs;
	bool has_all = p->mshrs_per_warp && c->held[w->number] >= p->mshrs_per_warp;

	if (!p->mshr_limit || !(is_full || has_all))
		return false;
	/* while all are taken, and nothing has come, its lines cannot have come either */
	if (is_full && w->full_since == c->landings)
		return true;
	if (!needs_mshr(c, w))
		return false;
	w->full_since = is_full ? c->landings : 0;
	return true;
}

/* -- turns -- */

static void core_store_line(struct core *c, uint32_t line)
{
	c->lines[line].was_requested = true;
	become_due(c, line);
}

static void core_load(struct core *c, struct core_warp *w, const struct stream_request *r)
{
	struct core_line *l = &c->lines[r->line];
	struct model_event e = { 0 };
	uint32_t before = c->mshrs_used, of_all;
	uint64_t back;

	take_own_due(c, r->line);
	of_all = stack_distance(&c->all, l->last_of_all);
	e.distance = c->config->associativity ? stack_distance(&c->sets[l->set], l->last) : of_all;
	e.outcome = outcome_of(c, l, e.distance, of_all);
	count_distance(c->result, of_all, e.outcome == MODEL_LATENCY);
	c->result->total.of[e.outcome]++;
	c->result->pcs[r->pc].of[e.outcome]++;
	e.effect_at = core_send(c, w, r->line, e.outcome);
	e.latency = e.effect_at - c->time;
	if (c->watcher)
		tell(c, w, &e, before);
	if (e.effect_at == c->time)
		become_due(c, r->line);
	back = c->time + (uint64_t)llround((double)e.latency * c->config->delay);
	w->back = w->back > back ? w->back : back;
}

static bool access(struct core *c, struct core_warp *w)
{
	const struct stream_request *r = &w->stream->requests[w->at];

	if (r->is_store)
		core_store_line(c, r->line);
	else
		core_load(c, w, r);
	w->at++;
	return !r->is_last;
}

/* The first warp of the queue tries its next instruction. */
static void take_turn(struct core *c)
{
	uint32_t warp = pop_front(c);
	struct core_warp *w = &c->warps[warp];

	if (warp_must_wait(c, w)) {
		struct model_event e = { .is_cancelled = true };

		if (c->watcher)
			tell(c, w, &e, c->mshrs_used);
		c->result->cancelled++;
		push_back(c, warp);
		return;
	}
	while (access(c, w))
		;
	if (c->config->divergence && w->back > c->time)
		heap_add(&c->away, w->back, warp, HEAP_NOBODY);
	else
		come_back(c, warp);
}

/* What is still in flight. */
static void core_finish_fetches(struct core *c)
{
	uint64_t ended = c->time;

	finish_due(c);
	c->time = UINT64_MAX;
	come_due(c);
	c->time = ended;
}

bool core_step(struct core *c)
{
	come_due(c);
	while (c->away.count && c->away.items[0].time <= c->time)
		come_back(c, heap_take(&c->away).subject);
	if (c->queue_count) {
		take_turn(c);
	} else if (!c->away.count) {
		core_finish_fetches(c);
		return false;
	}
	finish_due(c);
	c->time++;
	if (!c->queue_count && c->away.count && c->away.items[0].time > c->time)
		c->time = c->away.items[0].time;
	return true;
}
