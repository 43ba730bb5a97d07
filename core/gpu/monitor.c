/* core/gpu/monitor.c -- what the machine is at, for who watches a run: see gpu_print_monitor. */
#include "core/gpu/gpu_internal.h"
#include "core/kernel/kernel_run.h"
#include "core/kernel/slot_cause.h"
#include "core/sm/sm.h"
#include "dram/channel.h"
#include "memsys/l1/cache.h"
#include "memsys/l2/l2.h"
#include "sim/event/queue_view.h"
#include "sim/text/json.h"
#include <inttypes.h>
#include <stdlib.h>

#define MOST_QUEUES 24
#define MOST_WAITS  40   /* groups of warps that are listed */
#define MOST_GROUPS 4096 /* that are told apart */

/* ---- queues of a kind, added up ---- */

struct queue_sum {
	const char *name;
	uint32_t count, full, size; /* how many there are; are full; the size of one */
	uint64_t used, room;        /* of all */
	uint32_t most, most_of;     /* the fullest, and whose it is */
};

struct queue_sums {
	struct queue_sum sums[MOST_QUEUES];
	uint32_t count, owner;
};

static void add_queue(void *user, const char *name, uint32_t used, uint32_t size)
{
	struct queue_sums *q = user;
	uint32_t i = 0;

	while (i < q->count && strcmp(q->sums[i].name, name) != 0)
		i++;
	if (i == MOST_QUEUES || !size || size == UINT32_MAX)
		return;
	if (i == q->count)
		q->sums[q->count++] = (struct queue_sum){ .name = name, .size = size };
	q->sums[i].count++;
	q->sums[i].used += used;
	q->sums[i].room += size;
	q->sums[i].full += used >= size;
	if (used > q->sums[i].most) {
		q->sums[i].most = used;
		q->sums[i].most_of = q->owner;
	}
}

static void view_sm_queues(const struct sm *sm, const struct queue_visitor *v)
{
	const struct lsu *l = &sm->state.lsu;

	queue_visit(v, "SM: instructions in front of the L1", l->memory.count, l->memory.capacity);
	queue_visit(v, "SM: memory instructions under way", sm->spec.config->lsu_in_flight - l->ops_free,
		sm->spec.config->lsu_in_flight);
	cache_view_queues(sm->spec.l1d, v);
	queue_visit(v, "SM: requests to the network", sm->state.request.count, sm->state.request.limit);
	queue_visit(v, "SM: replies from the network", sm->state.response.count, sm->state.response.limit);
}

static void put_queues(const struct gpu *gpu, FILE *f)
{
	struct queue_sums q = { 0 };
	const struct queue_visitor v = { add_queue, &q };

	for (q.owner = 0; q.owner < gpu->config.gpu.sms; q.owner++)
		view_sm_queues(gpu->chip.sms[q.owner], &v);
	for (q.owner = 0; q.owner < gpu->config.gpu.partitions; q.owner++) {
		l2_view_queues(gpu->chip.slices[q.owner], &v);
		dram_view_queues(gpu->channels[q.owner], &v);
	}
	fputs(",\"queues\":[", f);
	for (uint32_t i = 0; i < q.count; i++) {
		const struct queue_sum *s = &q.sums[i];

		fprintf(f,
			"%s{\"name\":\"%s\",\"count\":%" PRIu32 ",\"size\":%" PRIu32 ",\"used\":%" PRIu64
			",\"room\":%" PRIu64 ",\"full\":%" PRIu32 ",\"most\":%" PRIu32 ",\"most_of\":%" PRIu32
			"}",
			i ? "," : "", s->name, s->count, s->size, s->used, s->room, s->full, s->most,
			s->most_of);
	}
	fputc(']', f);
}

/* ---- what warps wait for ---- */

/* Warps of a kernel that are in front of the same instruction for the same cause. */
struct wait_group {
	const struct kernel_run *run;
	uint32_t line, cause, warps;
	uint32_t sm; /* of the first, whose CTA and warp these are */
	uint64_t cta;
	uint32_t warp;
};

struct wait_groups {
	struct wait_group groups[MOST_GROUPS];
	uint32_t count;
	uint64_t warps, more; /* more: in no group */
};

static void add_warp(struct wait_groups *g, const struct sm *sm, uint32_t slot)
{
	const struct warp *w = &sm->state.warps[slot];
	const struct kernel_run *run = sm->state.timing[slot].run;
	uint32_t line = w->pc < run->kernel->uop_count ? run->uops[w->pc].line : 0, i = 0;
	uint32_t cause = sm->state.timing[slot].cause;

	cause = cause == SLOT_issued ? SLOT_not_selected : cause;
	g->warps++;
	while (i < g->count &&
		(g->groups[i].run != run || g->groups[i].line != line || g->groups[i].cause != cause))
		i++;
	if (i == MOST_GROUPS) {
		g->more++;
		return;
	}
	if (i == g->count) {
		g->groups[g->count++] = (struct wait_group){
			.run = run, .line = line, .cause = cause, .sm = sm->spec.number, .cta = w->cta->linear
		};
		warp_place(w, &g->groups[i].warp, &(uint32_t){ 0 });
	}
	g->groups[i].warps++;
}

static int larger_group_first(const void *a, const void *b)
{
	const struct wait_group *x = a, *y = b;

	if (x->warps != y->warps)
		return x->warps > y->warps ? -1 : 1;
	return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
				  : (x->cause > y->cause) - (x->cause < y->cause);
}

static void put_waits(const struct gpu *gpu, FILE *f)
{
	struct wait_groups *g = calloc(1, sizeof(*g));
	bool any = false;

	bug_if(!g, "out of memory");
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		for (warp_mask m = gpu->chip.sms[i]->state.present; m; m &= m - 1)
			add_warp(g, gpu->chip.sms[i], (uint32_t)__builtin_ctzll(m));
	qsort(g->groups, g->count, sizeof(*g->groups), larger_group_first);
	fprintf(f, ",\"resident\":%" PRIu64 ",\"waits\":[", g->warps);
	for (uint32_t i = 0; i < g->count && i < MOST_WAITS; i++) {
		const struct wait_group *w = &g->groups[i];

		fprintf(f, "%s{\"kernel\":", any ? "," : "");
		json_string(w->run->kernel->name, f);
		fprintf(f,
			",\"launch\":%" PRIu64 ",\"line\":%" PRIu32 ",\"cause\":\"%s\",\"warps\":%" PRIu32
			",\"sm\":%" PRIu32 ",\"cta\":%" PRIu64 ",\"warp\":%" PRIu32 "}",
			w->run->id, w->line, slot_names[w->cause], w->warps, w->sm, w->cta, w->warp);
		any = true;
	}
	fputc(']', f);
	free(g);
}

/* ---- kernels, counters ---- */

static void put_kernels(const struct gpu *gpu, uint64_t *instructions, FILE *f)
{
	fputs(",\"kernels\":[", f);
	for (uint32_t i = 0; i < gpu->chip.run_count; i++) {
		const struct kernel_run *run = gpu->chip.runs[i];
		struct kernel_stats stats = chip_kernel_stats(&gpu->chip, run);

		*instructions += stats.thread_instructions;
		fprintf(f, "%s{\"launch\":%" PRIu64 ",\"name\":", i ? "," : "", run->id);
		json_string(run->kernel->name, f);
		fprintf(f, ",\"ctas\":%" PRIu64 ",\"done\":%" PRIu64 ",\"on_sms\":%" PRIu64 "}", run->ctas,
			run->ctas_done, (uint64_t)run->on_sms);
	}
	fputc(']', f);
}

static void put_slots(const struct gpu *gpu, FILE *f)
{
	bool any = false;

	fputs(",\"slots\":{", f);
	for (uint32_t cause = 0; cause < SLOT_COUNT; cause++) {
		uint64_t sum = 0;

		for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
			sum += gpu->chip.sms[i]->stats.issue_slots[cause];
		if (sum)
			fprintf(f, "%s\"%s\":%" PRIu64, any ? "," : "", slot_names[cause], sum);
		any |= sum != 0;
	}
	fputc('}', f);
}

void gpu_print_monitor(struct gpu *gpu, FILE *f)
{
	uint64_t instructions = gpu->chip.stats.thread_instructions;

	gpu_account(gpu);
	fprintf(f, "{\"cycle\":%" PRIu64 ",\"ps\":%" PRIu64 ",\"sms\":%" PRIu32 ",\"launches\":%" PRIu64,
		sim_cycle(gpu->chip.sim, CLOCK_CORE), sim_now(gpu->chip.sim), gpu->config.gpu.sms,
		gpu->launches);
	put_kernels(gpu, &instructions, f);
	fprintf(f, ",\"thread_instructions\":%" PRIu64, instructions);
	put_slots(gpu, f);
	put_queues(gpu, f);
	put_waits(gpu, f);
	fputc('}', f);
}
