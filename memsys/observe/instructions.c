/* memsys/observe/instructions.c -- requests per load, and L2 hit ratios over warps, by memory instruction;
 * L2 hit ratios of single executions.
 *
 * The hits of a warp are counted by instruction while it is resident. When its slot sends for another warp,
 * or its launch ends, its hit ratio of each instruction becomes one sample of that instruction. */
#include "memsys/observe/instructions.h"
#include "memsys/observe/executed.h"
#include "sim/text/c_locale.h"
#include "sim/text/csv.h"
#include "sim/base/xalloc.h"
#include "sim/event/packet.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define SIZES 6 /* of loads, in line requests: 1, 2, 3-4, 5-8, 9-16, more */

static const char *const size_names[] = { "1", "2", "3-4", "5-8", "9-16", "17-", NULL };

static const char *const ratio_names[] = HIT_RATIO_NAMES;

/* Loads of one SM. */
struct load_count {
	uint64_t loads, requests, sizes[SIZES];
};

/* Requests of one warp at the L2. */
struct l2_count {
	uint32_t requests, hits;
};

/* The warps of an instruction: their hit ratios, summed. */
struct warp_spread {
	uint64_t requests, hits, warps;
	double sum, squares, least, most;
};

/* A kernel. Instructions are numbered by micro-operation; several of one PTX line count as the first. */
struct observed_code {
	struct observed_code *next;
	char *name;
	uint32_t count;
	uint32_t *lines, *first;    /* by micro-operation: PTX line; the first micro-operation of that line */
	struct load_count *loads;   /* by SM, then instruction */
	struct warp_spread *spread; /* by instruction */
};

/* A warp slot. */
struct observed_slot {
	const struct observed_code *code; /* NULL: no request yet */
	uint32_t launch, cta, capacity;
	struct l2_count *counts; /* by instruction */
	struct executed_window executed;
};

struct instructions_stats {
	uint64_t loads, load_requests, sizes[SIZES], l2_requests, l2_hits, samples;
	struct executed_stats executed;
};

struct instruction_observer {
	uint32_t sms, slots;
	struct observed_code *codes, **of_launch; /* by number of the launch; NULL: not observed */
	uint32_t launches;
	struct observed_slot *warps; /* by SM, then slot */
	struct cache_listener *listeners;
	struct instructions_stats stats;
};

/* ---- statistics ---- */

static double instruction_ratio(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static double requests_per_load(const void *object)
{
	const struct instructions_stats *s = object;

	return instruction_ratio(s->load_requests, s->loads);
}

static double l2_hit_ratio(const void *object)
{
	const struct instructions_stats *s = object;

	return instruction_ratio(s->l2_hits, s->l2_requests);
}

#define COUNT(field, unit, help) SIM_COUNT(struct instructions_stats, field, unit, help)

static const struct sim_stat instructions_stats[] = { COUNT(loads, "instructions",
							      "warp loads of global and local memory"),
	COUNT(load_requests, "requests", "line requests that the coalescer made of them"),
	SIM_FORMULA("requests_per_load", requests_per_load, "requests", "line requests per warp load"),
	SIM_VECTOR(struct instructions_stats, sizes, size_names, "instructions",
		"warp loads by their line requests"),
	COUNT(l2_requests, "requests", "loads and atomics of warps that the L2 looked up"),
	COUNT(l2_hits, "requests", "loads and atomics of warps that hit in the L2"),
	SIM_FORMULA("l2_hit_ratio", l2_hit_ratio, "ratio", "hits per load or atomic of warps at the L2"),
	COUNT(samples, "samples",
		"hit ratios of one ended warp at one of its instructions, from which instructions.csv has "
		"mean and deviation"),
	COUNT(executed.single, "instructions",
		"executions of a load or an atomic by a warp that sent one request to the L2"),
	SIM_VECTOR(struct instructions_stats, executed.divergent, ratio_names, "instructions",
		"executions that sent several requests to the L2, by the share of their requests that hit, "
		"in percent: 0, ten ranges without their lower ends, 100 (MeDiC, Figure 2)"),
	SIM_STAT_END };

/* ---- kernels ---- */

/* For each micro-operation the first of its line. */
static void group_by_line(struct observed_code *c)
{
	uint32_t most = 0, *first_of;

	for (uint32_t i = 0; i < c->count; i++)
		most = c->lines[i] > most ? c->lines[i] : most;
	first_of = xcalloc((size_t)most + 1, sizeof(*first_of)); /* index + 1 */
	for (uint32_t i = 0; i < c->count; i++) {
		uint32_t *first = &first_of[c->lines[i]];

		if (!*first)
			*first = i + 1;
		c->first[i] = *first - 1;
	}
	free(first_of);
}

static struct observed_code *code_of(
	struct instruction_observer *o, const char *name, const uint32_t *lines, uint32_t count)
{
	struct observed_code **end = &o->codes, *c;

	for (; (c = *end); end = &c->next)
		if (c->count == count && !strcmp(c->name, name) &&
			!memcmp(c->lines, lines, count * sizeof(*lines)))
			return c;
	c = *end = xcalloc(1, sizeof(*c));
	c->name = xstrdup(name);
	c->count = count;
	c->lines = xcalloc(count, sizeof(*c->lines));
	c->first = xcalloc(count, sizeof(*c->first));
	c->loads = xcalloc((size_t)o->sms * count, sizeof(*c->loads));
	c->spread = xcalloc(count, sizeof(*c->spread));
	memcpy(c->lines, lines, count * sizeof(*lines));
	group_by_line(c);
	return c;
}

static struct observed_code *of_launch(const struct instruction_observer *o, uint32_t launch)
{
	return launch < o->launches ? o->of_launch[launch] : NULL;
}

void instruction_observer_begin(struct instruction_observer *o, uint32_t launch, const char *kernel,
	const uint32_t *lines, uint32_t count)
{
	if (launch >= o->launches) {
		uint32_t more = launch + launch / 2 + 16;

		o->of_launch = xrealloc(o->of_launch, more * sizeof(struct observed_code *));
		for (; o->launches < more; o->launches++)
			o->of_launch[o->launches] = NULL;
	}
	o->of_launch[launch] = code_of(o, kernel, lines, count);
}

/* ---- loads ---- */

/* 1, 2, 3-4, 5-8, 9-16, more */
static uint32_t size_of_load(uint32_t requests)
{
	uint32_t size = requests < 2 ? 0 : 32 - (uint32_t)__builtin_clz(requests - 1);

	return size < SIZES ? size : SIZES - 1;
}

void instruction_observer_load(struct instruction_observer *o, const struct requester *by, uint32_t requests)
{
	struct observed_code *c = of_launch(o, by->launch);
	struct load_count *l;

	if (!c || by->uop_index >= c->count || by->sm >= o->sms || !requests)
		return;
	l = &c->loads[(size_t)by->sm * c->count + c->first[by->uop_index]];
	l->loads++;
	l->requests += requests;
	l->sizes[size_of_load(requests)]++;
}

/* Those of the instruction in all SMs */
static struct load_count sum_of_loads(
	const struct instruction_observer *o, const struct observed_code *c, uint32_t instruction)
{
	struct load_count sum = { 0 };

	for (uint32_t sm = 0; sm < o->sms; sm++) {
		const struct load_count *l = &c->loads[(size_t)sm * c->count + instruction];

		sum.loads += l->loads;
		sum.requests += l->requests;
		for (uint32_t s = 0; s < SIZES; s++)
			sum.sizes[s] += l->sizes[s];
	}
	return sum;
}

static void add_to_statistics(struct instructions_stats *s, const struct load_count *l)
{
	s->loads += l->loads;
	s->load_requests += l->requests;
	for (uint32_t i = 0; i < SIZES; i++)
		s->sizes[i] += l->sizes[i];
}

void instruction_observer_account(struct instruction_observer *o)
{
	struct instructions_stats *s = &o->stats;

	s->loads = s->load_requests = 0;
	memset(s->sizes, 0, sizeof(s->sizes));
	for (const struct observed_code *c = o->codes; c; c = c->next)
		for (uint32_t i = 0; i < c->count; i++) {
			struct load_count sum = sum_of_loads(o, c, i);

			add_to_statistics(s, &sum);
		}
}

/* ---- hit ratios of warps at the L2 ---- */

/* The slot's warp has ended. */
static void end_warp(struct instruction_observer *o, struct observed_slot *w)
{
	for (uint32_t i = 0; w->code && i < w->code->count; i++) {
		struct l2_count *n = &w->counts[i];
		struct warp_spread *s = &w->code->spread[i];
		double hits;

		if (!n->requests)
			continue;
		hits = (double)n->hits / n->requests;
		s->least = s->warps && s->least < hits ? s->least : hits;
		s->most = s->warps && s->most > hits ? s->most : hits;
		s->requests += n->requests;
		s->hits += n->hits;
		s->warps++;
		s->sum += hits;
		s->squares += hits * hits;
		o->stats.samples++;
		*n = (struct l2_count){ 0 };
	}
	if (w->code)
		executed_end(&w->executed, &o->stats.executed);
	w->code = NULL;
}

void instruction_observer_end(struct instruction_observer *o, uint32_t launch)
{
	for (uint32_t i = 0; i < o->sms * o->slots; i++)
		if (o->warps[i].launch == launch)
			end_warp(o, &o->warps[i]);
}

static struct observed_slot *warp_of(
	struct instruction_observer *o, const struct requester *by, const struct observed_code *c)
{
	struct observed_slot *w = &o->warps[by->sm * o->slots + by->warp];

	if (w->code && w->launch == by->launch && w->cta == by->cta)
		return w;
	end_warp(o, w);
	if (w->capacity < c->count) {
		w->counts = xrealloc(w->counts, c->count * sizeof(*w->counts));
		memset(w->counts + w->capacity, 0, (c->count - w->capacity) * sizeof(*w->counts));
		w->capacity = c->count;
	}
	w->code = c;
	w->launch = by->launch;
	w->cta = by->cta;
	return w;
}

static void count_instruction_access(void *user, const struct access_event *e)
{
	struct instruction_observer *o = user;
	const struct observed_code *c = of_launch(o, e->by.launch);
	struct observed_slot *w;
	struct l2_count *n;

	if (e->outcome > ACCESS_MERGED || !e->by.lanes || !c || e->by.uop_index >= c->count ||
		e->by.sm >= o->sms || e->by.warp >= o->slots)
		return;
	w = warp_of(o, &e->by, c);
	executed_add(&w->executed, &o->stats.executed, &e->by, e->outcome == ACCESS_HIT);
	n = &w->counts[c->first[e->by.uop_index]];
	n->requests++;
	o->stats.l2_requests++;
	n->hits += e->outcome == ACCESS_HIT;
	o->stats.l2_hits += e->outcome == ACCESS_HIT;
}

struct cache_listener *instruction_observer_listener(struct instruction_observer *o, uint32_t slice)
{
	o->listeners[slice] = (struct cache_listener){ .user = o, .accessed = count_instruction_access };
	return &o->listeners[slice];
}

/* ---- construction, file ---- */

struct instruction_observer *instruction_observer_new(
	uint32_t sms, uint32_t slots, uint32_t slices, struct stat_tree *stats)
{
	struct instruction_observer *o = xcalloc(1, sizeof(*o));

	o->sms = sms;
	o->slots = slots;
	o->warps = xcalloc((size_t)sms * slots, sizeof(*o->warps));
	o->listeners = xcalloc(slices, sizeof(*o->listeners));
	stat_register(stats, "observe.instructions", -1, instructions_stats, &o->stats, sizeof(o->stats));
	return o;
}

void instruction_observer_free(struct instruction_observer *o)
{
	struct observed_code *next;

	if (!o)
		return;
	for (struct observed_code *c = o->codes; c; c = next) {
		next = c->next;
		free(c->name);
		free(c->lines);
		free(c->first);
		free(c->loads);
		free(c->spread);
		free(c);
	}
	for (uint32_t i = 0; i < o->sms * o->slots; i++)
		free(o->warps[i].counts);
	free(o->of_launch);
	free(o->warps);
	free(o->listeners);
	free(o);
}

static void write_row(FILE *file, const struct observed_code *c, uint32_t i, const struct load_count *l)
{
	const struct warp_spread *s = &c->spread[i];
	double n = s->warps ? (double)s->warps : 1, mean = s->sum / n,
	       variance = s->squares / n - mean * mean;

	csv_put(file, c->name);
	fprintf(file, ",%u,%" PRIu64 ",%" PRIu64 ",%.6f", c->lines[i], l->loads, l->requests,
		instruction_ratio(l->requests, l->loads));
	for (uint32_t size = 0; size < SIZES; size++)
		fprintf(file, ",%" PRIu64, l->sizes[size]);
	fprintf(file, ",%" PRIu64 ",%" PRIu64 ",%.6f,%" PRIu64 ",%.6f,%.6f,%.6f,%.6f\n", s->requests, s->hits,
		instruction_ratio(s->hits, s->requests), s->warps, mean, variance > 0 ? sqrt(variance) : 0,
		s->least, s->most);
}

void instruction_observer_write(const struct instruction_observer *o, FILE *file)
{
	locale_t before = c_locale_enter();

	fputs("kernel,line,loads,requests,requests_per_load", file);
	for (uint32_t i = 0; i < SIZES; i++)
		fprintf(file, ",loads_of_%s", size_names[i]);
	fputs(",l2_requests,l2_hits,l2_hit_ratio,warps,mean_of_warps,deviation_of_warps,least_of_warps,"
	      "most_of_warps\n",
		file);
	for (const struct observed_code *c = o->codes; c; c = c->next)
		for (uint32_t i = 0; i < c->count; i++) {
			struct load_count l = sum_of_loads(o, c, i);

			if (l.loads || c->spread[i].requests)
				write_row(file, c, i, &l);
		}
	c_locale_leave(before);
}
