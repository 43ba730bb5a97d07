/* core/sample/sampling.c -- which CTAs of a kernel are timed, and what follows for the others (sampling.h).
 */
#include "core/sample/sampling.h"
#include "core/chip/chip.h"
#include "core/kernel/kernel_run.h"
#include "core/kernel/waits.h"
#include "core/sample/intervals.h"
#include "core/sample/plan.h"
#include "core/sample/repeats.h"
#include "core/sample/sampling_internal.h"
#include "core/sm/sm.h"
#include "memsys/l2/l2.h"
#include "core/sample/warming.h"
#include "sim/base/xalloc.h"
#include "sim/stats/stat.h"
#include <math.h>

#define GENERATIONS 24 /* a kernel with fewer times R CTAs is timed whole */
#define TURNOVERS   2  /* what is in the L2 is new when it has evicted so many times its lines */
#define WORTH       3  /* no jump that leaves a larger part than one in so many to be timed */
/* CTAs from one unit to the next grow by this factor, from those of the beginning on, until they are as many
 * as the error that is allowed needs, and shrink in the same way towards the end: both ends of a grid are
 * often unlike the rest of it, and so units there are to stand for little. */
#define RAMP           4
#define WARMING_CHUNKS 16 /* chunks behind a jump, at most, where caches are not warmed */

enum phase { BEGINNING, DETAILED_WARMING, MEASURES };

/* A chunk has ended in this time step: what it was, and how many warp instructions it had. */
struct cut {
	bool is_due, ends_unit;
	enum phase phase;
	uint64_t warps;
};

/* What is measured of a kernel. */
struct kernel_sample {
	uint64_t chunk;    /* CTAs */
	uint64_t boundary; /* the CTA before which a chunk ends; UINT64_MAX: nothing is skipped any more */
	uint64_t to_skip;  /* CTAs, before any other starts */
	enum phase phase;
	bool warms;         /* the last CTAs skipped warm the caches: */
	uint64_t warm_ctas; /* so many, as renew what is in the L2 */
	cycles began; /* the present chunk, with so many warp instructions issued; 0: before the first */
	uint64_t warps_began;
	uint64_t skipped_ctas, skipped_warps;
	uint64_t most_skipped;      /* CTAs at a time, so that units lie everywhere in the grid, ... */
	uint64_t ramp;              /* ... and so that the beginning does not stand for much */
	uint32_t warmed, evictions; /* chunks since the jump; lines that the L2 had evicted then */
	uint64_t unmeasured_cycles, unmeasured_warps; /* of detailed warming: its time is estimated, too
						       */
	struct sample_chunk *chunks;                  /* at the beginning */
	uint32_t count;
	struct sample_unit *units;
	uint32_t unit_count, capacity;
	struct plan_spread spread; /* of units, as far as chunks of the beginning can tell */
	uint32_t settles;          /* chunks behind a jump that are not measured */
	uint32_t length, done;     /* chunks that a unit has; of the present one */
	uint64_t pending;          /* warp instructions that were skipped before it */
	struct sample_unit unit;
	struct counters *counters; /* all statistics */
	struct cut cut;
};

struct sampling *sampling_new(const struct sample_config *config, struct stat_tree *stats)
{
	struct sampling *s;

	if (config->error <= 0)
		return NULL;
	s = xcalloc(1, sizeof(*s));
	s->config = *config;
	s->repeats = repeats_new(config->error, config->allowance * config->error, &s->counters);
	stat_register(stats, "sample", -1, sample_stats, s, sizeof(*s));
	return s;
}

void sampling_free(struct sampling *s)
{
	if (!s)
		return;
	repeats_free(s->repeats);
	counters_run_free(&s->counters);
	snapshot_fini(&s->before);
	free(s);
}

bool sampling_skips(const struct chip *chip, const struct kernel_run *run)
{
	if (!chip->sampling)
		return false;
	if (repeats_skips(chip->sampling->repeats, chip, run))
		return true;
	counters_launch_begins(&chip->sampling->counters, chip);
	return false;
}

struct snapshot *sampling_snapshot(const struct chip *chip, const struct kernel_run *run)
{
	struct sampling *s = chip->sampling;

	return repeats_tries(s->repeats, chip, run) ? &s->before : NULL;
}

const struct execution_listener *sampling_counter(const struct chip *chip, const struct kernel_run *run)
{
	return repeats_counts_lines(chip->sampling->repeats, run) ? warming_counts(chip->warming) : NULL;
}

bool sampling_accepts(const struct chip *chip, const struct kernel_run *run)
{
	struct sampling *s = chip->sampling;
	bool accepts = repeats_accepts(s->repeats, run, (double)warming_lines(chip->warming));

	if (!accepts) {
		s->undone_kernels++;
		counters_launch_begins(&s->counters, chip);
	}
	return accepts;
}

/* ---- a kernel ---- */

uint64_t sampling_issued(const struct chip *chip, const struct kernel_run *run)
{
	return chip_kernel_stats(chip, run).warp_instructions;
}

uint32_t sampling_evictions(const struct chip *chip)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < chip->config->partitions; i++)
		sum += l2_evictions(chip->slices[i]);
	return (uint32_t)sum;
}

bool sampling_needs_steps(const struct chip *chip, const struct kernel_run *run)
{
	return chip->sampling && run->ctas >= GENERATIONS * (uint64_t)run->resident_ctas;
}

void sampling_kernel_starts(struct chip *chip, struct kernel_run *run)
{
	uint64_t resident = run->resident_ctas;
	struct kernel_sample *k;

	if (!chip->sampling || chip->run_count != 1 || run->cluster_ctas > 1 ||
		kernel_may_wait(run->kernel) || repeats_wants_whole(chip->sampling->repeats, run))
		return;
	if (!sampling_needs_steps(chip, run)) {
		intervals_begin(chip, run);
		return;
	}
	k = run->sample = xcalloc(1, sizeof(*k));
	k->chunk = resident;
	k->boundary = 2 * resident;
	k->evictions = sampling_evictions(chip);
	k->warms = warming_is_possible(chip->warming);
}

/* A unit stands for so many warp instructions more. */
static void stand_for(struct sample_unit *unit, double warps)
{
	unit->weight += warps / (unit->half[0].warps + unit->half[1].warps);
}

/* Half of what was skipped before a unit is its part, the other half is that of the one before. */
static void close_sample_unit(struct kernel_sample *k)
{
	if (k->unit_count == k->capacity) {
		k->capacity = k->capacity ? 2 * k->capacity : 32;
		k->units = xrealloc(k->units, k->capacity * sizeof(*k->units));
	}
	k->unit.weight = 1;
	stand_for(&k->unit, (double)k->pending / 2);
	k->pending = 0;
	k->units[k->unit_count++] = k->unit;
	k->unit = (struct sample_unit){ 0 };
	k->done = 0;
}

/* A chunk of the present unit; of the first and the second half. */
static void add_chunk(struct kernel_sample *k, double length, double warps)
{
	struct sample_part *half = &k->unit.half[k->done >= k->length / 2];

	half->cycles += length;
	half->warps += warps;
	k->done++;
}

uint32_t sampling_l2_lines(const struct chip *chip)
{
	return chip->config->partitions * chip->l2->sets * chip->l2->ways;
}

/* As many as evict the L2's lines often enough, if so many chunks bring so many lines (those that filled the
 * L2 at first evicted none). */
static uint64_t chunks_to_renew(const struct chip *chip, uint32_t chunks, uint64_t lines)
{
	uint64_t needed = ((uint64_t)TURNOVERS * sampling_l2_lines(chip) * chunks + lines - 1) / lines;

	return needed < 2 ? 2 : needed;
}

/* Units that the kernel needs, as far as can be told: by how those behind the beginning differ, which itself
 * stands for little. */
static uint32_t units_needed(const struct sampling *s, const struct kernel_sample *k)
{
	struct sample_ratio r = sample_ratio_of_units(k->units + 1, k->unit_count - 1);

	return plan_units(&s->config, k->spread, (struct plan_spread){ r.spread, r.degrees });
}

/* The beginning is over: its last chunks are the first unit. */
static void end_beginning(const struct chip *chip, struct kernel_sample *k, const struct kernel_run *run)
{
	double error = chip->sampling->config.error;
	uint64_t evicted = sampling_evictions(chip) - k->evictions, renewed;
	uint32_t window = plan_window(error, k->count);
	double spread = sample_ratio_of(&k->chunks[k->count - window], window).spread;

	k->length = window;
	for (uint32_t i = k->count - window; i < k->count; i++)
		add_chunk(k, k->chunks[i].cycles, k->chunks[i].warps);
	close_sample_unit(k);
	k->phase = MEASURES;
	renewed = evicted ? chunks_to_renew(chip, k->count, evicted + sampling_l2_lines(chip))
			  : UINT64_MAX / k->chunk;
	k->warm_ctas = k->warms ? renewed * k->chunk : 0;
	k->length = plan_unit_length(error, spread);
	k->spread = (struct plan_spread){ spread / sqrt(k->length), window - 1 };
	k->settles = k->warms              ? plan_settles(error, k->length)
		: renewed < WARMING_CHUNKS ? (uint32_t)renewed
					   : WARMING_CHUNKS;
	k->most_skipped = (run->ctas - run->next_cta) / (units_needed(chip->sampling, k) - 1);
	k->ramp = RAMP * k->count * k->chunk;
}

static uint64_t smaller_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* CTAs to skip before the next unit, so that the units that are still needed are spread over what is left but
 * the last CTAs, which are timed to the end. A unit and what comes before it, until it can be measured, must
 * be worth it. */
static uint64_t distance_to_unit(const struct sampling *s, const struct kernel_run *run)
{
	const struct kernel_sample *k = run->sample;
	uint64_t needed = units_needed(s, k), left, each, most,
		 timed = (k->settles + k->length + 1) * k->chunk;

	if (run->next_cta + run->resident_ctas + timed >= run->ctas)
		return 0;
	left = run->ctas - run->resident_ctas - run->next_cta;
	needed = needed > k->unit_count + 1 ? needed - k->unit_count : 1;
	each = left / needed;
	each = each > k->most_skipped ? k->most_skipped : each;
	most = smaller_of(k->ramp, left - left / RAMP);
	if (each > most)
		each = most > (WORTH + 1) * timed ? most : smaller_of(each, (WORTH + 1) * timed);
	return each > WORTH * timed ? each - timed : 0;
}

/* The next chunk ends before that CTA, unless it is one of the last R. */
static void set_boundary(struct kernel_sample *k, const struct kernel_run *run, uint64_t cta)
{
	k->boundary = cta + run->resident_ctas > run->ctas ? UINT64_MAX : cta;
}

/* Whether what the jump has disturbed is over: after some chunks (plan.h); where caches are not warmed, when
 * the L2 holds what CTAs here have brought, or after more chunks. */
static bool is_warm(const struct chip *chip, const struct kernel_sample *k)
{
	if (k->warms)
		return k->warmed >= k->settles;
	return k->warmed >= WARMING_CHUNKS ||
		sampling_evictions(chip) - k->evictions >= TURNOVERS * sampling_l2_lines(chip);
}

/* A chunk behind a jump. */
static void warm(struct chip *chip, struct kernel_sample *k, uint64_t length, uint64_t warps)
{
	k->unmeasured_cycles += length;
	k->unmeasured_warps += warps;
	k->warmed++;
	if (is_warm(chip, k))
		k->phase = MEASURES;
}

/* A chunk has ended. Whether CTAs may be skipped now. */
static bool chunk_ended(struct chip *chip, struct kernel_run *run, uint64_t length, uint64_t warps)
{
	struct kernel_sample *k = run->sample;

	if (k->phase == DETAILED_WARMING) {
		warm(chip, k, length, warps);
		return false;
	}
	if (k->phase == BEGINNING) {
		k->chunks = xrealloc(k->chunks, (k->count + 1) * sizeof(*k->chunks));
		k->chunks[k->count++] = (struct sample_chunk){ (double)length, (double)warps, 1 };
		if (!plan_is_steady(chip->sampling->config.error, k->chunks, k->count))
			return false;
		end_beginning(chip, k, run);
		return true;
	}
	add_chunk(k, (double)length, (double)warps);
	if (k->done < k->length)
		return false;
	close_sample_unit(k);
	return true;
}

/* Before the CTA at the boundary starts. Returns how many are to be skipped instead. */
static uint64_t step_at_boundary(struct chip *chip, struct kernel_run *run, cycles now)
{
	struct kernel_sample *k = run->sample;
	uint64_t warps = sampling_issued(chip, run), skip = 0;
	enum phase phase = k->phase;
	uint32_t units = k->unit_count;

	if (k->began && chunk_ended(chip, run, now - k->began, warps - k->warps_began) &&
		chip->run_count == 1)
		skip = distance_to_unit(chip->sampling, run);
	k->cut = (struct cut){ true, k->unit_count > units, phase, warps - k->warps_began };
	k->began = now;
	k->warps_began = warps;
	set_boundary(k, run, run->next_cta + skip + k->chunk);
	return skip;
}

bool sampling_holds(struct chip *chip, struct kernel_run *run, cycles now)
{
	struct kernel_sample *k = run->sample;

	if (!k || run->next_cta != k->boundary)
		return false;
	k->to_skip = step_at_boundary(chip, run, now);
	chip->stop = true; /* for the cut */
	return k->to_skip;
}

/* All statistics of a unit that has ended. */
static void unit_ends(struct kernel_sample *k)
{
	bool is_first = k->cut.phase == BEGINNING;

	counters_unit_ends(
		k->counters, is_first ? k->spread.degrees + 1 : 0, k->units[k->unit_count - 1].weight);
}

void sampling_cut(struct chip *chip)
{
	static const enum counters_stretch stretches[] = { [BEGINNING] = STRETCH_BEGINNING,
		[DETAILED_WARMING] = STRETCH_WARMING,
		[MEASURES] = STRETCH_MEASURED };

	for (uint32_t i = 0; chip->sampling && i < chip->run_count; i++) {
		struct kernel_sample *k = chip->runs[i]->sample;

		if (!k || !k->cut.is_due)
			continue;
		if (!k->counters)
			k->counters = counters_new(chip, &chip->sampling->counters.parts);
		else
			counters_cut(k->counters, chip, stretches[k->cut.phase], k->cut.warps);
		if (k->cut.ends_unit)
			unit_ends(k);
		k->cut.is_due = false;
	}
}

struct kernel_run *sampling_due(const struct chip *chip)
{
	for (uint32_t i = 0; chip->sampling && i < chip->run_count; i++)
		if (chip->runs[i]->sample && chip->runs[i]->sample->to_skip)
			return chip->runs[i];
	return NULL;
}

uint64_t sampling_to_skip(const struct kernel_run *run)
{
	return run->sample->to_skip;
}

uint64_t sampling_to_warm(const struct chip *chip, const struct kernel_run *run)
{
	const struct kernel_sample *k = run->sample;

	if (run->is_repeated)
		return repeats_to_warm(chip->sampling->repeats, chip, run);
	return !k->warms ? 0 : k->warm_ctas < k->to_skip ? k->warm_ctas : k->to_skip;
}

/* Half of these are like the last unit, the others like the next. */
void sampling_skipped(struct chip *chip, struct kernel_run *run, uint64_t ctas, uint64_t warps)
{
	struct kernel_sample *k = run->sample;
	struct sample_unit *last = &k->units[k->unit_count - 1];

	k->to_skip = 0;
	k->ramp *= RAMP;
	k->skipped_ctas += ctas;
	k->skipped_warps += warps;
	stand_for(last, (double)warps / 2);
	k->pending = warps;
	counters_skip(k->counters, chip, last->weight);
	k->phase = DETAILED_WARMING;
	k->warmed = 0;
	k->evictions = sampling_evictions(chip);
	set_boundary(k, run, run->next_cta + k->chunk); /* perhaps more than were asked for */
}

void sampling_extrapolate(
	struct sample_estimate *e, const struct sample_measured *m, const struct sample_config *config)
{
	struct sample_ratio found = sample_ratio_of_units(m->units, m->count),
			    r = sample_ratio_pooled(&found);
	double warps = (double)m->warps;
	double half = sample_student(r.degrees) * sample_deviation(&r, warps);
	double drift = sample_drift(m->units, m->count) * warps;
	double systematic = config->allowance * config->error * r.cycles_per_warp * warps;

	e->cycles += (uint64_t)(r.cycles_per_warp * warps + 0.5) - m->cycles;
	e->squares = (uint64_t)(half * half + drift * drift + systematic * systematic + 0.5);
}

/* The CTAs skipped, and those that were timed before the caches were right. */
static void extrapolate(
	struct sample_estimate *e, struct kernel_sample *k, const struct sample_config *config)
{
	struct sample_measured m = { k->units, k->unit_count, k->skipped_warps + k->unmeasured_warps,
		k->unmeasured_cycles };

	if (k->pending) { /* no unit came behind the last jump */
		stand_for(&k->units[k->unit_count - 1], (double)k->pending / 2);
		counters_weigh(k->counters, k->units[k->unit_count - 1].weight);
	}
	e->sampled_kernels = 1;
	e->units = k->unit_count;
	e->skipped_ctas = k->skipped_ctas;
	e->skipped_warps = k->skipped_warps;
	sampling_extrapolate(e, &m, config);
}

/* All statistics of a launch with timing; of those that were skipped, what is known. */
static void count_launch(struct chip *chip, const struct kernel_run *run, const struct sample_estimate *e)
{
	struct counters_run *c = &chip->sampling->counters;

	if (run->is_repeated) {
		c->skipped_ctas += run->ctas;
		return;
	}
	counters_launch_ended(c, chip, run->sample ? run->sample->counters : intervals_counters(run),
		e->skipped_warps, e->timed_warps + e->skipped_warps);
	c->timed_cycles += run->end_cycle - run->start_cycle;
	c->timed_threads += chip_kernel_stats(chip, run).thread_instructions;
	c->skipped_ctas += e->skipped_ctas;
}

struct sample_estimate sampling_kernel_ended(struct chip *chip, struct kernel_run *run)
{
	struct kernel_sample *k = run->sample;
	struct sample_estimate e = { .kernels = 1 }, more;

	if (!chip->sampling || (run->is_functional && !run->is_repeated))
		return (struct sample_estimate){ 0 };
	e.timed_warps = run->is_repeated ? 0 : sampling_issued(chip, run);
	e.skipped_warps = run->is_repeated ? run->warp_instructions : 0;
	e.threads = chip_kernel_stats(chip, run).thread_instructions + run->thread_instructions;
	e.cycles = run->end_cycle - run->start_cycle;
	if (k && k->skipped_ctas)
		extrapolate(&e, k, &chip->sampling->config);
	if (run->intervals)
		intervals_estimate(chip, run, &e);
	count_launch(chip, run, &e);
	repeats_ended(chip->sampling->repeats, chip, run, &e);
	more = repeats_correction(chip->sampling->repeats, e.cycles);
	sample_estimate_add(&chip->sampling->total, &e);
	sample_estimate_add(&chip->sampling->total, &more);
	return e;
}

void sampling_kernel_free(struct kernel_run *run)
{
	intervals_free(run);
	if (run->sample) {
		counters_free(run->sample->counters);
		free(run->sample->chunks);
		free(run->sample->units);
	}
	free(run->sample);
	run->sample = NULL;
}
