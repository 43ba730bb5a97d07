/* core/sample/intervals.c -- which intervals of a kernel are timed, and what follows for the others
 * (intervals.h). */
#include "core/sample/intervals.h"
#include "core/dispatch/dispatch.h"
#include "core/functional/functional.h"
#include "core/gpu/gpu_internal.h"
#include "core/launch/kernel_run.h"
#include "core/launch/launch_cost.h"
#include "core/sample/progress.h"
#include "core/sample/sampling_internal.h"
#include "core/sample/warming.h"
#include "core/simt/cta_state.h"
#include "core/sm/sm.h"
#include "memsys/l2/l2.h"
#include "sim/base/xalloc.h"
#include <math.h>

/* Instructions of each warp, on average: half a unit, which is some passes through its loops, and what is not
 * measured behind a jump. */
#define HALF 256
#define WARM 512
/* Core cycles of half a unit, at least. */
#define SHORTEST 2048
/* No jump over fewer instructions than so many times those timed for it. */
#define WORTH 2
/* None at all where what is left is less than one part in so many. */
#define LITTLE 2
/* How often the lines in the L2 are renewed, or else looked up, by what is executed with warming. */
#define RENEWALS 2
#define LOOK_UPS 8
/* Jumps in the time in which what has been executed grows by a factor of e, and such times until a kernel
 * ends, about. */
#define LEAST 12
#define MOST  64
#define FOLDS 3
/* Nothing more is skipped where so many units behind jumps differ from what was timed before by so many times
 * the error that is allowed. */
#define ENOUGH   3
#define DOUBTFUL 4
/* Of the time from the first jump on: as much is another run of the same kernel off, whose warps have come
 * apart in another way, even if all of it is timed (gemm 256 256 2048 with slightly other latencies: 1.7 %).
 */
#define CHAOS 0.01
/* Units behind jumps that are measured before anything is skipped when fewer CTAs are left. */
#define PAIRS 4

/* In kernels that are sampled only since they are long, no CTA is as many times as fast as another: in those
 * where some are, it depends on chance which are fast and for how long (syr2k, syrk, gemm 128 128 8192: 2 to
 * 100 times; corr and covar: 1.0 to 1.3).
 */
#define UNEVEN 1.5

enum phase { BEGINS, FIRST_HALF, SECOND_HALF, WARMS };

struct intervals {
	enum phase phase;
	cycles first;      /* that are timed in any case (sample.long_kernel); 0: sample.intervals is set */
	bool is_uneven;    /* and then nothing is skipped any more */
	cycles due, began; /* of the next look; of the present part */
	uint64_t warps_began; /* warp instructions with timing then */
	uint64_t skipped_warps, skipped_ctas;
	uint64_t unmeasured_cycles;   /* behind jumps */
	uint32_t most_warps;          /* that have been on the machine */
	uint32_t warps_here;          /* that were on the machine before the last jump */
	uint64_t evictions, accesses; /* of the L2 before the kernel */
	/* from when its speed before the first jump is taken, and will be; what that is; units behind jumps,
	 * as long as hardly fewer warps are there than were */
	struct sample_part since, next, before;
	double after, squares_after; /* cycles by warp instructions */
	uint32_t units_after;
	double behind;  /* of the last jump: instructions for which the next unit stands */
	bool continues; /* the next unit: the one before the jump */
	struct sample_unit unit, *units;
	uint32_t count, capacity;
	struct progress *progress;
	struct counters *counters; /* all statistics, from the first unit on */
	uint32_t *homes;           /* SMs of the CTAs in the middle, as in run->resume */
};

/* Core cycles that have passed. */
static cycles passed(const struct gpu *gpu)
{
	cycles next = sim_next_cycle(gpu->sim, CLOCK_CORE);

	return next ? next - 1 : 0;
}

static void start(struct gpu *gpu, struct kernel_run *run, enum phase phase, cycles length)
{
	struct intervals *v = run->intervals;

	v->phase = phase;
	v->began = passed(gpu);
	v->warps_began = sampling_issued(gpu, run);
	v->due = v->began + length;
}

/* Requests that the L2 has served so far. */
static uint64_t look_ups(const struct gpu *gpu)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < gpu->config.gpu.partitions; i++)
		sum += l2_accesses(gpu->slices[i]);
	return sum;
}

static uint32_t live_warps(const struct gpu *gpu, const struct kernel_run *run)
{
	uint32_t warps = 0;

	for (uint32_t s = 0; s < gpu->config.gpu.sms; s++)
		for (uint32_t i = 0; i < gpu->config.sm.max_ctas; i++) {
			const struct sm_cta *c = &gpu->sms[s]->ctas[i];

			if (c->used && c->cta.run == run)
				warps += (uint32_t)__builtin_popcountll(c->cta.live_warps);
		}
	return warps;
}

/* Cycles in which each warp issues so many instructions, on average, if it is as fast as it has been with all
 * that the machine holds: one that is left alone is hardly faster. */
static cycles cycles_of(const struct gpu *gpu, const struct kernel_run *run, uint32_t instructions)
{
	uint64_t warps = run->intervals->most_warps, timed = sampling_issued(gpu, run);
	double passed_so_far = (double)(passed(gpu) + 1 - run->first_cycle);
	double length = timed ? instructions * (double)warps * passed_so_far / (double)timed : 0;

	return length < SHORTEST ? SHORTEST : (cycles)length;
}

bool intervals_are_allowed(const struct gpu *gpu, const struct kernel_run *run)
{
	return gpu->sampling->config.intervals && !run->launch->is_cooperative;
}

void intervals_prepare(struct gpu *gpu)
{
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		gpu->sms[i]->counts_of_warps = true;
}

/* Whether it may be sampled once it has turned out to be long: the machine holds all its CTAs, and the error
 * that is allowed is at least half of what is added to the interval of such kernels. */
static bool may_be_long(const struct gpu *gpu, const struct kernel_run *run)
{
	const struct sample_config *c = &gpu->sampling->config;

	return c->long_kernel && 2 * c->error >= c->interval_allowance && run->ctas <= run->resident_ctas &&
		!run->launch->is_cooperative;
}

void intervals_begin(struct gpu *gpu, struct kernel_run *run)
{
	bool is_asked_for = intervals_are_allowed(gpu, run);
	cycles first = is_asked_for ? 0 : gpu->sampling->config.long_kernel;

	if (!is_asked_for && !may_be_long(gpu, run))
		return;
	run->intervals = xcalloc(1, sizeof(*run->intervals));
	run->intervals->progress = progress_new(gpu);
	run->intervals->evictions = sampling_evictions(gpu);
	run->intervals->accesses = look_ups(gpu);
	intervals_prepare(gpu);
	run->intervals->first = first;
	start(gpu, run, BEGINS, first ? (first + 1) / 2 : SHORTEST);
}

void intervals_free(struct kernel_run *run)
{
	if (run->intervals) {
		counters_free(run->intervals->counters);
		free(run->intervals->units);
		free(run->intervals->homes);
		progress_free(run->intervals->progress);
	}
	free(run->intervals);
	run->intervals = NULL;
}

static struct kernel_run *only(const struct gpu *gpu)
{
	struct kernel_run *run = gpu->run_count == 1 ? gpu->runs[0] : NULL;

	return run && run->intervals && run->launch_phase == LAUNCH_WORKS ? run : NULL;
}

picoseconds intervals_next(const struct gpu *gpu)
{
	const struct kernel_run *run = only(gpu);

	return run ? sim_edge(gpu->sim, CLOCK_CORE, run->intervals->due + 1) : SIM_NEVER;
}

struct kernel_run *intervals_due(const struct gpu *gpu)
{
	struct kernel_run *run = only(gpu);

	return run && passed(gpu) >= run->intervals->due ? run : NULL;
}

/* Jumps while what has been executed grows by a factor of e, so that about enough units are measured: as many
 * as the error that is allowed needs, as far as those so far can tell. */
static double density(const struct gpu *gpu, const struct intervals *v)
{
	double needed = LEAST;
	struct sample_local l = sample_local_of(v->units, v->count);

	if (l.pairs >= 3)
		needed = pow(sample_student(l.pairs) * l.deviation / gpu->sampling->config.error, 2) / FOLDS;
	return needed < LEAST ? LEAST : needed > MOST ? MOST : needed;
}

/* Whether fewer CTAs are left than there were, before enough is known about units that follow each other. */
static bool is_thin(const struct intervals *v)
{
	return 4 * v->warps_here < 3 * v->most_warps && sample_local_of(v->units, v->count).pairs < PAIRS;
}

/* Whether so little is left that nothing is skipped at all. */
static bool is_nearly_over(const struct intervals *v, const struct kernel_run *run, double executed)
{
	double all = progress_size(v->progress, run, (uint64_t)executed);

	return all > 0 && !v->skipped_warps && all - executed < all / LITTLE;
}

/* Part of the time by which units behind jumps differ from what was timed before the first, more than twice
 * as much as they differ from each other: the kernel does something else by then, or jumps have put its warps
 * where they would not be. */
static double change(const struct intervals *v)
{
	double mean, spread, by;

	if (v->units_after < 2 || v->before.cycles <= 0)
		return 0;
	mean = v->after / v->units_after;
	spread = v->squares_after / v->units_after - mean * mean;
	spread = spread > 0 ? sqrt(spread) / mean : 0;
	by = fabs(mean / (v->before.cycles / v->before.warps) - 1);
	return by > 2 * spread ? by - 2 * spread : 0;
}

/* Before the first jump: what has been timed but its first part, a quarter to a half of it. */
static void look_before(struct intervals *v, double time, double warps)
{
	if (v->skipped_warps)
		return;
	if (warps >= 2 * v->next.warps) {
		v->since = v->next;
		v->next = (struct sample_part){ time, warps };
	}
	v->before = (struct sample_part){ time - v->since.cycles, warps - v->since.warps };
}

/* Cycles by warp instruction of the last unit, or of all before the first one. */
static double latest_speed(const struct intervals *v, double time, double timed)
{
	const struct sample_part *h = v->count ? v->units[v->count - 1].half : NULL;

	return h ? (h[0].cycles + h[1].cycles) / (h[0].warps + h[1].warps) : time / timed;
}

/* Warp instructions to be skipped now; 0: not worth it. */
static uint64_t distance(const struct gpu *gpu, const struct kernel_run *run)
{
	const struct intervals *v = run->intervals;
	double timed = (double)sampling_issued(gpu, run), executed = timed + (double)v->skipped_warps;
	double time = (double)(passed(gpu) + 1 - run->first_cycle), most;
	double each = (double)(cycles_of(gpu, run, WARM) + 2 * cycles_of(gpu, run, HALF));

	if (v->is_uneven || time < (double)v->first)
		return 0;
	if (v->units_after >= ENOUGH && change(v) > DOUBTFUL * gpu->sampling->config.error)
		return 0;
	if (!run->first_cycle || is_thin(v) || is_nearly_over(v, run, executed))
		return 0;
	most = (time + sample_local_of(v->units, v->count).cycles) / density(gpu, v);
	return most >= WORTH * each ? (uint64_t)(most / latest_speed(v, time, timed)) : 0;
}

/* Whether some of its CTAs have not begun since they left the SMs. */
static bool is_waiting(const struct kernel_run *run)
{
	return run->resume.count && run->next_cta < run->resume.next_cta;
}

static void close_unit(struct intervals *v)
{
	double own = v->unit.half[0].warps + v->unit.half[1].warps;

	if (own <= 0)
		return; /* nothing was executed, and no quotient is there */
	v->unit.weight = 1 + v->behind / own;
	if (v->skipped_warps && 4 * v->warps_here >= 3 * v->most_warps) {
		double each = (v->unit.half[0].cycles + v->unit.half[1].cycles) / own;

		v->after += each;
		v->squares_after += each * each;
		v->units_after++;
	}
	v->unit.continues = v->continues;
	v->behind = 0;
	v->continues = false;
	if (v->count == v->capacity) {
		v->capacity = v->capacity ? 2 * v->capacity : 32;
		v->units = xrealloc(v->units, v->capacity * sizeof(*v->units));
	}
	v->units[v->count++] = v->unit;
}

/* The last instructions that are skipped, so many that what is in the L2 is new: as far as can be told from
 * what the kernel has evicted, or looked up, with timing. */
static uint64_t warming(const struct gpu *gpu, const struct kernel_run *run, uint64_t skipped)
{
	const struct intervals *v = run->intervals;
	double lines = sampling_l2_lines(gpu), timed = (double)sampling_issued(gpu, run);
	double evicted = (double)(sampling_evictions(gpu) - v->evictions),
	       looked_up = (double)(look_ups(gpu) - v->accesses), needed;

	if (!warming_is_possible(gpu->warming))
		return 0;
	needed = fmin(RENEWALS * lines / (evicted + lines), LOOK_UPS * lines / (looked_up + 1)) * timed;
	return needed > (double)skipped ? skipped : (uint64_t)needed;
}

const struct paces *intervals_leave(const struct gpu *gpu, const struct kernel_run *run)
{
	return progress_leave(run->intervals->progress, gpu, run);
}

uint64_t intervals_look(struct gpu *gpu, struct kernel_run *run, uint64_t *warm)
{
	struct intervals *v = run->intervals;
	cycles length = passed(gpu) - v->began;
	uint64_t warps = sampling_issued(gpu, run) - v->warps_began, skip;

	progress_look(v->progress, gpu, run);
	v->is_uneven |= v->first && progress_unevenness(v->progress) > UNEVEN;
	if (run->first_cycle)
		look_before(
			v, (double)(passed(gpu) + 1 - run->first_cycle), (double)sampling_issued(gpu, run));
	if (v->phase != WARMS)
		v->warps_here = live_warps(gpu, run);
	v->most_warps = v->warps_here > v->most_warps ? v->warps_here : v->most_warps;
	switch (v->phase) {
	case WARMS:
		counters_cut(v->counters, gpu, STRETCH_WARMING, warps);
		v->unmeasured_cycles += length;
		v->behind += (double)warps;
		v->unit = (struct sample_unit){ 0 };
		start(gpu, run, FIRST_HALF, cycles_of(gpu, run, HALF));
		return 0;
	case BEGINS:
		counters_free(v->counters); /* and anew */
		v->counters = counters_new(gpu, &gpu->sampling->counters.parts);
		start(gpu, run, distance(gpu, run) ? FIRST_HALF : BEGINS, cycles_of(gpu, run, HALF));
		return 0;
	case FIRST_HALF:
		counters_cut(v->counters, gpu, STRETCH_MEASURED, warps);
		v->unit.half[0] = (struct sample_part){ (double)length, (double)warps };
		start(gpu, run, SECOND_HALF, cycles_of(gpu, run, HALF));
		return 0;
	case SECOND_HALF:
		counters_cut(v->counters, gpu, STRETCH_MEASURED, warps);
		v->unit.half[1] = (struct sample_part){ (double)length, (double)warps };
		close_unit(v);
		counters_unit_ends(v->counters, 0, v->count ? v->units[v->count - 1].weight : 1);
		break;
	}
	skip = v->count && !is_waiting(run) ? distance(gpu, run) : 0;
	*warm = warming(gpu, run, skip);
	if (!skip)
		v->unit = (struct sample_unit){ 0 };
	start(gpu, run, skip ? WARMS : FIRST_HALF, cycles_of(gpu, run, skip ? WARM : HALF));
	return skip;
}

void intervals_find_homes(const struct gpu *gpu, struct kernel_run *run)
{
	struct intervals *v = run->intervals;

	v->homes = xrealloc(v->homes, (run->resume.count + 1) * sizeof(*v->homes));
	for (size_t i = 0; i < run->resume.count; i++)
		v->homes[i] = functional_sm_of(gpu->functional, run->resume.ctas[i].number);
	progress_come_back(v->progress, gpu, run);
}

bool intervals_hold(struct gpu *gpu, const struct kernel_run *run, struct dispatch_choice *choice)
{
	if (!run->intervals->homes || !is_waiting(run))
		return false;
	choice->sm = run->intervals->homes[run->next_cta + run->resume.count - run->resume.next_cta];
	return !dispatch_has_room(gpu->dispatch, choice->kernel, choice->sm, 1);
}

/* The units on either side of the jump stand for half of it each. Where it has ended because fewer CTAs are
 * left it was like the unit before it. */
void intervals_skipped(struct gpu *gpu, struct kernel_run *run, struct skipped skipped)
{
	double before = skipped.has_thinned ? 1 : 0.5, warps = (double)skipped.warps;
	struct intervals *v = run->intervals;
	struct sample_unit *last = &v->units[v->count - 1];

	v->skipped_warps += skipped.warps;
	v->skipped_ctas += skipped.ctas;
	last->weight += before * warps / (last->half[0].warps + last->half[1].warps);
	counters_skip(v->counters, gpu, last->weight);
	v->behind += (1 - before) * warps;
	v->continues = before < 1;
	start(gpu, run, WARMS, cycles_of(gpu, run, WARM));
}

struct counters *intervals_counters(const struct kernel_run *run)
{
	return run->intervals ? run->intervals->counters : NULL;
}

/* Of a kernel that takes `all` cycles and of which `skipped` were: those of its last CTAs, where they begin
 * at different times. When they end decides how long the kernel is, and is no more certain than what is
 * skipped. */
static double cycles_of_last(const struct kernel_run *run, double all, double skipped)
{
	double last = all * (double)run->resident_ctas / (double)run->ctas;

	return run->ctas <= run->resident_ctas ? 0 : last < skipped ? last : skipped;
}

void intervals_estimate(const struct gpu *gpu, const struct kernel_run *run, struct sample_estimate *e)
{
	const struct intervals *v = run->intervals;
	struct sample_local l = sample_local_of(v->units, v->count);
	double systematic, chaos, half;

	if (!v->skipped_warps)
		return;
	e->sampled_kernels = 1;
	e->units = v->count;
	e->skipped_ctas = v->skipped_ctas;
	e->skipped_warps = v->skipped_warps;
	e->cycles += (uint64_t)(l.cycles + 0.5) - v->unmeasured_cycles;
	systematic = gpu->sampling->config.interval_allowance *
			(l.cycles + cycles_of_last(run, (double)e->cycles, l.cycles)) +
		change(v) * ((double)e->cycles - v->since.cycles - v->before.cycles);
	chaos = CHAOS * ((double)e->cycles - v->since.cycles - v->before.cycles);
	half = sqrt(l.half * l.half + systematic * systematic + chaos * chaos);
	half = half > (double)e->cycles ? (double)e->cycles : half; /* nothing takes less than no time */
	e->squares = (uint64_t)(half * half + 0.5);
}
