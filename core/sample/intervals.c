/* core/sample/intervals.c -- which intervals of a kernel are timed, and what follows for the others
 * (intervals.h). */
#include "core/dispatch/dispatch.h"
#include "core/functional/functional.h"
#include "core/chip/chip.h"
#include "core/kernel/kernel_run.h"
#include "core/sample/intervals_internal.h"
#include "core/sample/progress.h"
#include "core/sample/sampling_internal.h"
#include "core/sample/warming.h"
#include "core/simt/cta_state.h"
#include "core/sm/sm.h"
#include "memsys/l2/l2.h"
#include "sim/base/xalloc.h"
#include <math.h>

/* How often the lines in the L2 are renewed, or else looked up, by what is executed with warming. */
#define RENEWALS 2
#define LOOK_UPS 8
/* Of the time from the first jump on: as much is another run of the same kernel off, whose warps have come
 * apart in another way, even if all of it is timed (gemm 256 256 2048 with slightly other latencies: 1.7 %).
 */
#define CHAOS 0.01
/* Kernels that are sampled have no CTA as many times as fast as another, and no larger part of CTAs whose
 * warps are in step. Where some CTAs are faster, chance decides which, and for how
 * long (syr2k, syrk, gemm 128 128 8192: 2 to 100 times; corr and covar: 1.0 to 1.3). Warps in step share what
 * each of them requests; a jump may put them out of step, for good (syr2k 32 8192), or CTAs of other SMs that
 * were (gemm 40 72 20000). In corr and covar they are hundreds to thousands of instructions apart.
 */
#define UNEVEN       1.5
#define MOST_IN_STEP 0.25

static void start_phase(struct chip *chip, struct kernel_run *run, enum phase phase, cycles length)
{
	struct intervals *v = run->intervals;

	v->phase = phase;
	v->began = intervals_passed(chip);
	v->warps_began = sampling_issued(chip, run);
	v->due = v->began + length;
}

/* Requests that the L2 has served so far. */
static uint64_t look_ups(const struct chip *chip)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < chip->config->partitions; i++)
		sum += l2_accesses(chip->slices[i]);
	return sum;
}

static uint32_t live_warps(const struct chip *chip, const struct kernel_run *run)
{
	uint32_t warps = 0;

	for (uint32_t s = 0; s < chip->config->sms; s++)
		for (uint32_t i = 0; i < chip->sm->max_ctas; i++) {
			const struct sm_cta *c = &chip->sms[s]->state.ctas[i];

			if (c->used && c->cta.run == run)
				warps += (uint32_t)__builtin_popcountll(c->cta.live_warps);
		}
	return warps;
}

/* Whether it may be sampled once it has turned out to be long: the machine holds all its CTAs, and the error
 * that is allowed is at least half of what is added to the interval of such kernels. */
static bool may_be_long(const struct chip *chip, const struct kernel_run *run)
{
	const struct sample_config *c = &chip->sampling->config;

	return c->long_kernel && 2 * c->error >= c->interval_allowance && run->ctas <= run->resident_ctas &&
		!run->launch->is_cooperative;
}

void intervals_begin(struct chip *chip, struct kernel_run *run)
{
	if (!may_be_long(chip, run))
		return;
	run->intervals = xcalloc(1, sizeof(*run->intervals));
	run->intervals->progress = progress_new(chip);
	run->intervals->evictions = sampling_evictions(chip);
	run->intervals->accesses = look_ups(chip);
	for (uint32_t i = 0; i < chip->config->sms; i++)
		chip->sms[i]->spec.counts_of_warps = true;
	start_phase(chip, run, BEGINS, (chip->sampling->config.long_kernel + 1) / 2);
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

static struct kernel_run *only(const struct chip *chip)
{
	struct kernel_run *run = chip->run_count == 1 ? chip->runs[0] : NULL;

	return run && run->intervals && run->launch_phase == LAUNCH_WORKS ? run : NULL;
}

picoseconds intervals_next(const struct chip *chip)
{
	const struct kernel_run *run = only(chip);

	return run ? sim_edge(chip->sim, CLOCK_CORE, run->intervals->due + 1) : SIM_NEVER;
}

struct kernel_run *intervals_due(const struct chip *chip)
{
	struct kernel_run *run = only(chip);

	return run && intervals_passed(chip) >= run->intervals->due ? run : NULL;
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

/* Whether some of its CTAs are not on their SMs: they have not begun yet, or have left and not come back. */
static bool is_waiting(const struct kernel_run *run)
{
	return run->next_cta < run->ctas;
}

static void close_interval_unit(struct intervals *v)
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
static uint64_t warming(const struct chip *chip, const struct kernel_run *run, uint64_t skipped)
{
	const struct intervals *v = run->intervals;
	double lines = sampling_l2_lines(chip), timed = (double)sampling_issued(chip, run);
	double evicted = (double)(sampling_evictions(chip) - v->evictions),
	       looked_up = (double)(look_ups(chip) - v->accesses), needed;

	if (!warming_is_possible(chip->warming))
		return 0;
	needed = fmin(RENEWALS * lines / (evicted + lines), LOOK_UPS * lines / (looked_up + 1)) * timed;
	return needed > (double)skipped ? skipped : (uint64_t)needed;
}

const struct paces *intervals_leave(const struct chip *chip, const struct kernel_run *run)
{
	return progress_leave(run->intervals->progress, chip, run);
}

uint64_t intervals_look(struct chip *chip, struct kernel_run *run, uint64_t *warm)
{
	struct intervals *v = run->intervals;
	cycles length = intervals_passed(chip) - v->began;
	uint64_t warps = sampling_issued(chip, run) - v->warps_began, skip;

	progress_look(v->progress, chip, run);
	v->is_fragile |=
		progress_unevenness(v->progress) > UNEVEN || progress_in_step(v->progress) > MOST_IN_STEP;
	if (run->first_cycle)
		look_before(v, (double)(intervals_passed(chip) + 1 - run->first_cycle),
			(double)sampling_issued(chip, run));
	if (v->phase != WARMS)
		v->warps_here = live_warps(chip, run);
	v->most_warps = v->warps_here > v->most_warps ? v->warps_here : v->most_warps;
	switch (v->phase) {
	case WARMS:
		counters_cut(v->counters, chip, STRETCH_WARMING, warps);
		v->unmeasured_cycles += length;
		v->behind += (double)warps;
		v->unit = (struct sample_unit){ 0 };
		start_phase(chip, run, FIRST_HALF, intervals_cycles(chip, run, HALF));
		return 0;
	case BEGINS:
		counters_free(v->counters); /* and anew */
		v->counters = counters_new(chip, &chip->sampling->counters.parts);
		start_phase(chip, run, intervals_distance(chip, run) ? FIRST_HALF : BEGINS,
			intervals_cycles(chip, run, HALF));
		return 0;
	case FIRST_HALF:
		counters_cut(v->counters, chip, STRETCH_MEASURED, warps);
		v->unit.half[0] = (struct sample_part){ (double)length, (double)warps };
		start_phase(chip, run, SECOND_HALF, intervals_cycles(chip, run, HALF));
		return 0;
	case SECOND_HALF:
		counters_cut(v->counters, chip, STRETCH_MEASURED, warps);
		v->unit.half[1] = (struct sample_part){ (double)length, (double)warps };
		close_interval_unit(v);
		counters_unit_ends(v->counters, 0, v->count ? v->units[v->count - 1].weight : 1);
		break;
	}
	skip = v->count && !is_waiting(run) ? intervals_distance(chip, run) : 0;
	*warm = warming(chip, run, skip);
	if (!skip)
		v->unit = (struct sample_unit){ 0 };
	start_phase(chip, run, skip ? WARMS : FIRST_HALF, intervals_cycles(chip, run, skip ? WARM : HALF));
	return skip;
}

void intervals_find_homes(const struct chip *chip, struct kernel_run *run)
{
	struct intervals *v = run->intervals;

	v->homes = xrealloc(v->homes, (run->resume.count + 1) * sizeof(*v->homes));
	for (size_t i = 0; i < run->resume.count; i++)
		v->homes[i] = functional_sm_of(chip->functional, run->resume.ctas[i].number);
	progress_come_back(v->progress, chip, run);
}

bool intervals_hold(struct chip *chip, const struct kernel_run *run, struct dispatch_choice *choice)
{
	if (!run->intervals->homes)
		return false;
	choice->sm = run->intervals->homes[run->next_cta + run->resume.count - run->resume.next_cta];
	return !dispatch_has_room(chip->dispatch, choice->kernel, choice->sm, 1);
}

/* The units on either side of the jump stand for half of it each. Where it has ended because fewer CTAs are
 * left it was like the unit before it. */
void intervals_skipped(struct chip *chip, struct kernel_run *run, struct skipped skipped)
{
	double before = skipped.has_thinned ? 1 : 0.5, warps = (double)skipped.warps;
	struct intervals *v = run->intervals;
	struct sample_unit *last = &v->units[v->count - 1];

	v->skipped_warps += skipped.warps;
	v->skipped_ctas += skipped.ctas;
	last->weight += before * warps / (last->half[0].warps + last->half[1].warps);
	counters_skip(v->counters, chip, last->weight);
	v->behind += (1 - before) * warps;
	v->continues = before < 1;
	start_phase(chip, run, WARMS, intervals_cycles(chip, run, WARM));
}

struct counters *intervals_counters(const struct kernel_run *run)
{
	return run->intervals ? run->intervals->counters : NULL;
}

void intervals_estimate(const struct chip *chip, const struct kernel_run *run, struct sample_estimate *e)
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
	systematic = chip->sampling->config.interval_allowance * l.cycles +
		intervals_change(v) * ((double)e->cycles - v->since.cycles - v->before.cycles);
	chaos = CHAOS * ((double)e->cycles - v->since.cycles - v->before.cycles);
	half = sqrt(l.half * l.half + systematic * systematic + chaos * chaos);
	half = half > (double)e->cycles ? (double)e->cycles : half; /* nothing takes less than no time */
	e->squares = (uint64_t)(half * half + 0.5);
}
