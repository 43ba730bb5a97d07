/* core/sample/sampling.c -- which CTAs of a kernel are timed, and what follows for the others (sampling.h).
 */
#include "core/sample/sampling.h"
#include "core/gpu/gpu_internal.h"
#include "core/launch/kernel_run.h"
#include "core/sm/sm.h"
#include "sim/base/xalloc.h"
#include "sim/stats/stat.h"
#include <math.h>
#include <string.h>

#define GENERATIONS 24 /* a kernel with fewer times R CTAs is timed whole */
#define WINDOW      8  /* chunks: as many again must have the same speed before any CTA is skipped */
#define FIRST_GUESS 40 /* chunks that a kernel needs, until some have been measured */

/* What is measured of a kernel. */
struct kernel_sample {
	uint64_t chunk;    /* CTAs */
	uint64_t boundary; /* the CTA before which a chunk ends; UINT64_MAX: nothing is skipped any more */
	bool is_due, is_measuring, is_steady;
	cycles began; /* the present chunk, with so many warp instructions issued */
	uint64_t warps_began;
	uint64_t skipped_ctas, skipped_warps;
	struct sample_chunk *chunks;
	uint32_t count, capacity;
};

struct sampling {
	struct sample_config config;
	struct sample_estimate total;
};

const struct sim_param sample_params[] = {
	SIM_F64(struct sample_config, error, 0, 0, 0.5, "",
		"of kernels with many CTAs a sample is timed, large enough for a 95 % interval of their time "
		"within "
		"this part of it (0.03: 3 %), and the others are executed without timing (sample.* has the "
		"estimates); 0: all CTAs are timed (--sample)"),
	SIM_U32(struct sample_config, least_chunks, 16, 4, 100000, "chunks",
		"parts of such a kernel that are timed at least, spread over its grid"),
	SIM_END,
};

/* ---- statistics ---- */

static const struct sample_estimate *total(const void *object)
{
	return &((const struct sampling *)object)->total;
}
static double low(const void *object)
{
	return (double)total(object)->cycles - sample_half_width(total(object));
}
static double high(const void *object)
{
	return (double)total(object)->cycles + sample_half_width(total(object));
}
static double ipc(const void *object)
{
	return (double)total(object)->threads / (double)total(object)->cycles;
}
static double ipc_low(const void *object)
{
	return (double)total(object)->threads / high(object);
}
static double ipc_high(const void *object)
{
	return (double)total(object)->threads / low(object);
}
static double timed_share(const void *object)
{
	const struct sample_estimate *e = total(object);

	return (double)e->timed_warps / (double)(e->timed_warps + e->skipped_warps);
}

#define COUNT(field, unit, help) SIM_COUNT_AS(struct sampling, total.field, #field, unit, help)

static const struct sim_stat stat_table[] = {
	COUNT(cycles, "cycles",
		"core cycles of all kernels, one after the other, as they would be without sampling: "
		"estimated"),
	SIM_FORMULA("cycles_low", low, "cycles", "lower end of the 95 % interval of sample.cycles"),
	SIM_FORMULA("cycles_high", high, "cycles", "upper end of the 95 % interval of sample.cycles"),
	SIM_FORMULA("ipc", ipc, "instructions/cycle",
		"thread instructions of all kernels, timed or not, by sample.cycles"),
	SIM_FORMULA("ipc_low", ipc_low, "instructions/cycle", "lower end of the 95 % interval of sample.ipc"),
	SIM_FORMULA(
		"ipc_high", ipc_high, "instructions/cycle", "upper end of the 95 % interval of sample.ipc"),
	SIM_FORMULA("timed_share", timed_share, "ratio", "warp instructions executed with timing, of all"),
	COUNT(squares, "cycles^2",
		"squares of half the lengths of the kernels' 95 % intervals, added up: the kernels' errors "
		"are "
		"independent"),
	COUNT(threads, "instructions", "thread instructions of these kernels, timed or not"),
	COUNT(timed_warps, "instructions", "warp instructions of these kernels executed with timing"),
	COUNT(skipped_warps, "instructions", "warp instructions of these kernels executed without timing"),
	COUNT(kernels, "kernels", "kernel launches with timing that have ended"),
	COUNT(sampled_kernels, "kernels", "those of them of which only a sample of the CTAs was timed"),
	COUNT(chunks, "chunks", "parts of these that were timed and measured"),
	COUNT(skipped_ctas, "CTAs", "CTAs that were executed without timing between them"),
	SIM_STAT_END,
};

struct sampling *sampling_new(const struct sample_config *config, struct stat_tree *stats)
{
	struct sampling *s;

	if (config->error <= 0)
		return NULL;
	s = xcalloc(1, sizeof(*s));
	s->config = *config;
	stat_register(stats, "sample", -1, stat_table, s, sizeof(*s));
	return s;
}

void sampling_free(struct sampling *s)
{
	free(s);
}

/* ---- a kernel ---- */

/* Warp instructions of the kernel so far, with timing. */
static uint64_t issued(const struct gpu *gpu, const struct kernel_run *run)
{
	return gpu_kernel_stats(gpu, run).warp_instructions;
}

void sampling_kernel_starts(struct gpu *gpu, struct kernel_run *run)
{
	uint64_t resident = run->resident_ctas;
	struct kernel_sample *k;

	if (!gpu->sampling || gpu->run_count != 1 || !run->is_plain || run->ctas < GENERATIONS * resident)
		return;
	k = run->sample = xcalloc(1, sizeof(*k));
	k->chunk = resident;
	k->boundary = 2 * resident;
}

bool sampling_holds(struct gpu *gpu, struct kernel_run *run)
{
	struct kernel_sample *k = run->sample;

	if (!k || run->next_cta != k->boundary)
		return false;
	k->is_due = true;
	gpu->stop = true;
	return true;
}

struct kernel_run *sampling_due(const struct gpu *gpu)
{
	for (uint32_t i = 0; gpu->sampling && i < gpu->run_count; i++)
		if (gpu->runs[i]->sample && gpu->runs[i]->sample->is_due)
			return gpu->runs[i];
	return NULL;
}

static void add_chunk(struct kernel_sample *k, uint64_t length, uint64_t warps)
{
	if (k->count == k->capacity) {
		k->capacity = k->capacity ? 2 * k->capacity : 64;
		k->chunks = xrealloc(k->chunks, k->capacity * sizeof(*k->chunks));
	}
	k->chunks[k->count++] = (struct sample_chunk){ (double)length, (double)warps, 1 };
}

/* Whether the last chunks are as fast as those before. The speed of a kernel may need many generations of
 * CTAs to settle, until those of an SM no longer do the same at the same time. Then those before are
 * forgotten. */
static bool is_steady(const struct sampling *s, struct kernel_sample *k)
{
	double before, last;

	if (k->is_steady || k->count < 2 * WINDOW)
		return k->is_steady;
	before = sample_ratio_of(&k->chunks[k->count - 2 * WINDOW], WINDOW).cycles_per_warp;
	last = sample_ratio_of(&k->chunks[k->count - WINDOW], WINDOW).cycles_per_warp;
	k->is_steady = fabs(last - before) <= s->config.error * last;
	if (k->is_steady) {
		memmove(k->chunks, &k->chunks[k->count - WINDOW], WINDOW * sizeof(*k->chunks));
		k->count = WINDOW;
	}
	return k->is_steady;
}

/* Chunks that the kernel needs in all, as far as those so far can tell. */
static uint64_t chunks_needed(const struct sampling *s, const struct kernel_sample *k)
{
	uint64_t least = s->config.least_chunks;
	double needed;

	if (k->count < least)
		return least > FIRST_GUESS ? least : FIRST_GUESS;
	needed = pow(
		sample_student(k->count - 1) * sample_ratio_of(k->chunks, k->count).spread / s->config.error,
		2);
	return needed < (double)least ? least : needed < 1e15 ? (uint64_t)ceil(needed) : (uint64_t)1e15;
}

/* CTAs to skip before the next chunk, so that the chunks that are still needed are spread over what is left
 * but the last CTAs, which are timed to the end. */
static uint64_t distance(const struct sampling *s, const struct kernel_run *run)
{
	const struct kernel_sample *k = run->sample;
	uint64_t needed = chunks_needed(s, k), left, each;

	if (run->next_cta + run->resident_ctas + k->chunk >= run->ctas)
		return 0;
	left = run->ctas - run->resident_ctas - run->next_cta;
	needed = needed > k->count + 1 ? needed - k->count : 1;
	each = left / needed;
	return each > k->chunk ? each - k->chunk : 0;
}

/* The next chunk ends before that CTA, unless it is one of the last R. */
static void set_boundary(struct kernel_sample *k, const struct kernel_run *run, uint64_t cta)
{
	k->boundary = cta + run->resident_ctas > run->ctas ? UINT64_MAX : cta;
}

uint64_t sampling_step(struct gpu *gpu, struct kernel_run *run)
{
	struct kernel_sample *k = run->sample;
	cycles now = sim_next_cycle(gpu->sim, CLOCK_CORE);
	uint64_t warps = issued(gpu, run), skip;

	k->is_due = false;
	if (k->is_measuring)
		add_chunk(k, now - k->began, warps - k->warps_began);
	k->is_measuring = true;
	k->began = now;
	k->warps_began = warps;
	skip = is_steady(gpu->sampling, k) && gpu->run_count == 1 ? distance(gpu->sampling, run) : 0;
	set_boundary(k, run, run->next_cta + skip + k->chunk);
	return skip;
}

void sampling_skipped(struct gpu *gpu, struct kernel_run *run, uint64_t ctas, uint64_t warps)
{
	struct kernel_sample *k = run->sample;

	k->skipped_ctas += ctas;
	k->skipped_warps += warps;
	k->chunks[k->count - 1].weight += (double)ctas / (double)k->chunk;
	set_boundary(k, run, run->next_cta + k->chunk); /* perhaps more than were asked for */
}

/* The CTAs skipped take the time of as many instructions in the chunks. */
static void extrapolate(struct sample_estimate *e, const struct kernel_sample *k)
{
	struct sample_ratio r = sample_ratio_of(k->chunks, k->count);
	double half = sample_student(k->count - 1) * r.deviation * (double)k->skipped_warps;

	e->sampled_kernels = 1;
	e->chunks = k->count;
	e->skipped_ctas = k->skipped_ctas;
	e->skipped_warps = k->skipped_warps;
	e->cycles += (uint64_t)(r.cycles_per_warp * (double)k->skipped_warps + 0.5);
	e->squares = (uint64_t)(half * half + 0.5);
}

struct sample_estimate sampling_kernel_ended(struct gpu *gpu, struct kernel_run *run)
{
	const struct kernel_sample *k = run->sample;
	struct sample_estimate e = { .kernels = 1 };

	if (!gpu->sampling || run->is_functional)
		return (struct sample_estimate){ 0 };
	e.timed_warps = issued(gpu, run);
	e.threads = gpu_kernel_stats(gpu, run).thread_instructions + run->thread_instructions;
	e.cycles = run->end_cycle - run->start_cycle;
	if (k && k->skipped_ctas)
		extrapolate(&e, k);
	sample_estimate_add(&gpu->sampling->total, &e);
	return e;
}

void sampling_kernel_free(struct kernel_run *run)
{
	if (run->sample)
		free(run->sample->chunks);
	free(run->sample);
	run->sample = NULL;
}
