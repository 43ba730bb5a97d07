/* core/sample/progress.c -- see progress.h. */
#include "core/sample/progress.h"
#include "core/functional/functional.h"
#include "core/functional/paces.h"
#include "core/chip/chip.h"
#include "core/kernel/kernel_run.h"
#include "core/simt/cta_state.h"
#include "core/sm/sm.h"
#include "sim/base/xalloc.h"
#include <math.h>
#include <stdlib.h>

/* Instructions of a warp, on average of its CTA, over which its pace is taken: what is timed between two
 * jumps has some such stretches. */
#define STRETCH 512

/* What has been seen of leads counts by this part at the next look, so that the last ten looks make most of
 * them. */
#define FADES 0.9

/* The same of the pace of a CTA's warps, which changes as some of them end. */
#define OWN_FADES 0.7

/* Warps fewer instructions than this from the mean of their CTA keep their distances. */
#define NEAR 64

/* Paces of CTAs that are to be alike. */
struct range {
	double least, most;
};

/* What is known of a CTA on an SM. */
struct here {
	uint64_t cta; /* UINT64_MAX: none */
	/* what its warps had at the last look together, and at the beginning of this stretch each; when that
	 * look was */
	uint64_t sum;
	cycles when;
	struct pace own;              /* of late */
	uint32_t began[64], last[64]; /* and at the last look, as long as it was there */
	/* how far each had come at the end of the last stretch and the one before, by the mean of the CTA; 0:
	 * not known */
	float far[2][64];
};

struct progress {
	struct here *here;       /* by SM and CTA slot */
	struct paces paces;      /* and positions of those that have come back, as they were then */
	double product, square;  /* of how far warps had come and their paces two stretches later, less 1 */
	struct range *ranges;    /* of whole CTAs' own paces, by how many CTAs their SM has */
	uint32_t most_ctas;      /* of an SM */
	uint32_t whole, in_step; /* whole CTAs, and those of them whose warps are in step */
	double last_single;      /* where the last one of a single warp was */
};

struct progress *progress_new(const struct chip *chip)
{
	size_t count = (size_t)chip->config->sms * chip->sm->max_ctas;
	struct progress *p = xcalloc(1, sizeof(*p));

	p->here = xcalloc(count, sizeof(*p->here));
	for (size_t i = 0; i < count; i++)
		p->here[i].cta = UINT64_MAX;
	p->most_ctas = chip->sm->max_ctas;
	p->ranges = xcalloc(p->most_ctas + 1, sizeof(*p->ranges));
	return p;
}

void progress_free(struct progress *p)
{
	if (p) {
		free(p->here);
		free(p->ranges);
		free(p->paces.positions);
	}
	free(p);
}

static bool is_here(const struct sm *sm, uint32_t i, const struct kernel_run *run)
{
	return sm->state.ctas[i].used && sm->state.ctas[i].cta.run == run && sm->state.ctas[i].cta.live_warps;
}

/* What the warps have executed: before they last came to the SM, and here. */
static struct position position_of(
	const struct progress *p, const struct here *h, const struct sm *sm, const struct cta *cta)
{
	const struct position *before = paces_position(&p->paces, cta->linear);
	struct position now = { .cta = cta->linear };

	if (before)
		now = *before;
	for (uint32_t i = 0; i < cta->warp_count; i++)
		if (cta->live_warps >> i & 1)
			now.done[i] += (uint32_t)sm->state.timing_rest[cta->warps[i]->slot].instructions;
		else if (h->cta == cta->linear)
			now.done[i] = h->last[i]; /* about */
	return now;
}

static uint64_t sum_of(const struct position *now, uint64_t live)
{
	uint64_t sum = 0;

	for (; live; live &= live - 1)
		sum += now->done[__builtin_ctzll(live)];
	return sum;
}

static uint64_t mask_of_warps(const struct cta *cta)
{
	return ~UINT64_C(0) >> (64 - cta->warp_count);
}

static void begin_following(struct here *h, const struct position *now)
{
	*h = (struct here){ .cta = now->cta, .own = now->own };
	memcpy(h->began, now->done, sizeof(h->began));
	memcpy(h->last, now->done, sizeof(h->last));
}

/* A stretch has ended: what the one before the last has foretold of it. */
static void close_stretch(
	struct progress *p, struct here *h, const struct position *now, uint64_t live, double mean)
{
	double all = (double)sum_of(now, live) / __builtin_popcountll(live);

	for (uint64_t m = live; m; m &= m - 1) {
		uint32_t i = (uint32_t)__builtin_ctzll(m);
		float pace = (float)((now->done[i] - h->began[i]) / mean);

		if (h->far[1][i] > 0) {
			p->product += (h->far[1][i] - 1) * (pace - 1);
			p->square += (h->far[1][i] - 1) * (h->far[1][i] - 1);
		}
		h->far[1][i] = h->far[0][i];
		h->far[0][i] = (float)(now->done[i] / all);
		h->began[i] = now->done[i];
	}
}

/* Of one CTA. A warp that has exited since the last look is left out. */
static void observe_warp(
	struct progress *p, struct here *h, const struct position *now, uint64_t live, cycles when)
{
	uint64_t sum = sum_of(now, live), warps = (uint64_t)__builtin_popcountll(live), began = 0;

	if (h->cta != now->cta)
		begin_following(h, now);
	else if (sum > h->sum) {
		h->own.instructions =
			OWN_FADES * h->own.instructions + (double)(sum - h->sum) / (double)warps;
		h->own.cycles = OWN_FADES * h->own.cycles + (double)(when - h->when);
	}
	h->sum = sum;
	h->when = when;
	memcpy(h->last, now->done, sizeof(h->last));
	for (uint64_t m = live; m; m &= m - 1)
		began += h->began[__builtin_ctzll(m)];
	if (sum - began >= STRETCH * warps)
		close_stretch(p, h, now, live, (double)(sum - began) / (double)warps);
}

static void widen_range(struct range *range, const struct pace *own)
{
	double pace = own->cycles > 0 ? own->instructions / own->cycles : 0;

	if (pace <= 0)
		return;
	if (range->least <= 0 || pace < range->least)
		range->least = pace;
	if (pace > range->most)
		range->most = pace;
}

/* A CTA none of whose warps has ended. */
static void look_at_whole(struct progress *p, const struct position *now, uint32_t warps)
{
	uint32_t least = UINT32_MAX, most = 0;

	for (uint32_t i = 0; i < warps; i++) {
		least = now->done[i] < least ? now->done[i] : least;
		most = now->done[i] > most ? now->done[i] : most;
	}
	p->whole++;
	if (warps > 1)
		p->in_step += most - least < NEAR;
	else
		p->in_step += fabs(most - p->last_single) < NEAR;
	if (warps == 1)
		p->last_single = most;
}

static void look_at_sm(struct progress *p, const struct sm *sm, const struct kernel_run *run)
{
	cycles when = sim_next_cycle(sm->component.sim, CLOCK_CORE);
	uint32_t ctas = 0, most = sm->spec.config->max_ctas;

	for (uint32_t i = 0; i < most; i++)
		ctas += is_here(sm, i, run);
	for (uint32_t i = 0; i < most; i++) {
		const struct cta *cta = &sm->state.ctas[i].cta;
		struct here *h = &p->here[sm->spec.number * most + i];
		struct position now;

		if (!is_here(sm, i, run))
			continue;
		now = position_of(p, h, sm, cta);
		observe_warp(p, h, &now, cta->live_warps, when);
		if (cta->live_warps == mask_of_warps(cta)) {
			widen_range(&p->ranges[ctas], &h->own);
			look_at_whole(p, &now, cta->warp_count);
		}
	}
}

void progress_look(struct progress *p, const struct chip *chip, const struct kernel_run *run)
{
	p->whole = p->in_step = 0;
	p->last_single = -2.0 * NEAR;
	memset(p->ranges, 0, (p->most_ctas + 1) * sizeof(*p->ranges));
	p->product *= FADES;
	p->square *= FADES;
	for (uint32_t s = 0; s < chip->config->sms; s++)
		look_at_sm(p, chip->sms[s], run);
}

double progress_unevenness(const struct progress *p)
{
	double most = 1;

	for (uint32_t i = 1; i <= p->most_ctas; i++)
		if (p->ranges[i].least > 0)
			most = fmax(most, p->ranges[i].most / p->ranges[i].least);
	return most;
}

double progress_in_step(const struct progress *p)
{
	return p->whole ? (double)p->in_step / p->whole : 0;
}

/* Those in step with their CTA stay so. */
static bool is_near_mean(uint32_t done, double mean)
{
	return fabs(done - mean) < NEAR;
}

/* Those that have come further go on faster, as far as such have. */
static void set_paces(const struct progress *p, struct position *to, uint64_t live)
{
	double kept = p->square > 0 ? p->product / p->square : 0;
	double all = (double)sum_of(to, live) / __builtin_popcountll(live);

	kept = kept < 0 ? 0 : kept > 1 ? 1 : kept;
	for (uint32_t i = 0; i < 64; i++)
		to->pace[i] = live >> i & 1 && all > 0 && !is_near_mean(to->done[i], all)
			? (float)(1 + kept * (to->done[i] / all - 1))
			: 1;
}

const struct paces *progress_leave(struct progress *p, const struct chip *chip, const struct kernel_run *run)
{
	uint32_t most = chip->sm->max_ctas;
	struct position *all = xcalloc((size_t)chip->config->sms * most, sizeof(*all));
	size_t count = 0;

	progress_look(p, chip, run);
	for (uint32_t s = 0; s < chip->config->sms; s++)
		for (uint32_t i = 0; i < most; i++)
			if (is_here(chip->sms[s], i, run)) {
				const struct cta *cta = &chip->sms[s]->state.ctas[i].cta;

				all[count] = position_of(p, &p->here[s * most + i], chip->sms[s], cta);
				all[count].own = p->here[s * most + i].own;
				set_paces(p, &all[count++], cta->live_warps);
			}
	free(p->paces.positions);
	p->paces.positions = all;
	p->paces.count = count;
	return &p->paces;
}

/* One that has stayed on its SM: what its warps have executed since they came there is added later. */
static void stay(const struct chip *chip, const struct sm *sm, const struct cta *cta, struct position *to)
{
	functional_position(chip->functional, cta->linear, to);
	for (uint64_t m = cta->live_warps; m; m &= m - 1) {
		uint32_t i = (uint32_t)__builtin_ctzll(m);

		to->done[i] -= (uint32_t)sm->state.timing_rest[cta->warps[i]->slot].instructions;
	}
}

/* Those that were there before are as fast as they were. */
static void keep_speeds(const struct progress *p, struct position *all, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct position *was = paces_position(&p->paces, all[i].cta);

		if (was)
			all[i].own = was->own;
	}
}

/* One that has stayed is looked at from here on, with what is known of it. */
static void follow_cta(struct progress *p, const struct chip *chip, size_t i)
{
	uint32_t most = chip->sm->max_ctas;
	const struct sm *sm = chip->sms[i / most];
	const struct cta *cta = &sm->state.ctas[i % most].cta;
	struct here *h = &p->here[i];
	struct position now = position_of(p, h, sm, cta);

	memcpy(h->began, now.done, sizeof(h->began));
	memcpy(h->last, now.done, sizeof(h->last));
	h->sum = sum_of(&now, cta->live_warps);
}

void progress_come_back(struct progress *p, const struct chip *chip, const struct kernel_run *run)
{
	uint32_t most = chip->sm->max_ctas;
	size_t slots = (size_t)chip->config->sms * most, count = 0;
	struct position *all = xcalloc(run->resume.count + slots, sizeof(*all));

	for (size_t i = 0; i < run->resume.count; i++)
		functional_position(chip->functional, run->resume.ctas[i].number, &all[count++]);
	for (size_t i = 0; i < slots; i++)
		if (is_here(chip->sms[i / most], (uint32_t)(i % most), run))
			stay(chip, chip->sms[i / most], &chip->sms[i / most]->state.ctas[i % most].cta,
				&all[count++]);
		else
			p->here[i].cta = UINT64_MAX;
	keep_speeds(p, all, count);
	free(p->paces.positions);
	p->paces.positions = all;
	p->paces.count = count;
	for (size_t i = 0; i < slots; i++)
		if (p->here[i].cta != UINT64_MAX)
			follow_cta(p, chip, i);
}
