/* core/functional/side_by_side.c -- CTAs that go on together, each at its pace (functional_set_paces): in
 * turns, of which each CTA and each of its warps has a part. A turn stands for time: a warp that waits at a
 * barrier loses its part, and others do not become faster by it. */
#include "core/functional/functional_internal.h"
#include "core/functional/paces.h"
#include <math.h>
#include <string.h>

/* Warp instructions of a turn of each warp, on average. */
#define SLICE 64
/* Where the machine holds all CTAs: what is skipped ends when one warp in so many has exited. */
#define THIN 8
/* CTAs of an SM whose warps are no more instructions apart than this, on average, stay together. */
#define TOGETHER 1024
/* Where the machine holds all CTAs: those of all SMs that are no more instructions apart than this, on
 * average, keep their distances. */
#define IN_STEP 64

/* p: NULL: nothing is known of it */
static void take_up(struct resident *r, const struct position *p)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < r->cta.warp_count; i++) {
		r->done[i] = p ? p->done[i] : 0;
		r->pace[i] = p ? p->pace[i] : 1;
		r->like[i] = r->done[i];
		r->warp_credit[i] = 0;
		most = r->done[i] > most ? r->done[i] : most;
	}
	r->like_most = most;
	r->is_new = false;
}

void functional_set_paces(struct functional *f, const struct paces *paces)
{
	f->paces = paces;
	f->warps_at_first = f->warps_exited = 0;
	for (uint32_t i = 0; paces && i < f->made; i++)
		if (f->residents[i]->busy)
			f->warps_at_first += (uint32_t)__builtin_popcountll(f->residents[i]->cta.live_warps);
	for (uint32_t i = 0; paces && i < f->made; i++)
		if (f->residents[i]->busy)
			take_up(f->residents[i], paces_position(paces, f->residents[i]->cta.linear));
		else
			f->residents[i]->like_most = 0;
}

void functional_position(const struct functional *f, uint64_t cta, struct position *to)
{
	for (uint32_t i = 0; i < f->made; i++)
		if ((f->residents[i]->busy || f->residents[i]->is_kept) &&
			f->residents[i]->cta.linear == cta) {
			to->cta = cta;
			memcpy(to->done, f->residents[i]->done, sizeof(to->done));
		}
}

void side_has_fewer(struct functional *f, uint32_t warps)
{
	if (!f->paces || !f->paces->at_once)
		return;
	f->slices_are_old = true;
	f->warps_exited += warps;
	f->has_thinned |= THIN * f->warps_exited >= f->warps_at_first;
}

bool functional_has_thinned(const struct functional *f)
{
	return f->has_thinned;
}

static uint32_t emptiest_sm(const struct functional *f)
{
	uint32_t best = 0, least = UINT32_MAX;

	for (uint32_t g = 0; g < f->sm_count; g++) {
		uint32_t ctas = 0;

		for (uint32_t i = 0; i < f->made; i++)
			ctas += f->residents[i]->busy && f->residents[i]->group == g;
		if (ctas < least) {
			best = g;
			least = ctas;
		}
	}
	return best;
}

void side_begin(const struct functional *f, struct resident *r)
{
	r->group = emptiest_sm(f);
	memset(r->done, 0, sizeof(r->done));
	memset(r->warp_credit, 0, sizeof(r->warp_credit));
	r->is_new = true;
}

/* Instructions of a warp in a turn: all of a CTA go on together, as far from each other as they were, and
 * those of one that is new come as far from each other as those were that it follows. */
static double slice_of(const struct resident *r, uint32_t warp)
{
	double part;
	uint32_t most = 0;

	if (!r->is_new)
		return SLICE * r->pace[warp];
	if (!r->like_most || r->like[warp] >= r->like_most)
		return SLICE;
	for (uint32_t i = 0; i < r->cta.warp_count; i++)
		most = r->done[i] > most ? r->done[i] : most;
	part = (double)r->like[warp] / r->like_most;
	return most >= r->like_most ? SLICE : part * SLICE < 1 ? 1 : part * SLICE;
}

static double mean_done(const struct resident *r)
{
	double sum = 0;

	for (uint32_t i = 0; i < r->cta.warp_count; i++)
		sum += r->done[i];
	return sum / r->cta.warp_count;
}

/* What CTAs of this age execute in a cycle. */
static double pace_of_age(const struct functional *f, const struct resident *r)
{
	uint32_t ctas = 0, older = 0;
	double pace;

	for (uint32_t i = 0; i < f->made; i++) {
		const struct resident *o = f->residents[i];

		ctas += o->busy && o->group == r->group;
		older += o->busy && o->group == r->group && o->cta.linear < r->cta.linear;
	}
	pace = paces_of(f->paces, ctas, older);
	return pace > 0 ? pace : 1e-3;
}

/* What the CTA executes in a cycle by warp, where the machine holds all CTAs; by its age, if its own pace is
 * not known. */
static double own_pace(const struct functional *f, const struct resident *r)
{
	const struct position *p = paces_position(f->paces, r->cta.linear);

	if (p && p->own.cycles > 0)
		return p->own.instructions / p->own.cycles;
	return pace_of_age(f, r) / __builtin_popcountll(r->cta.live_warps);
}

/* What the CTA executes in a cycle: as much by warp as those on all SMs do with which it is in step, on
 * average. */
static double pace_in_step(const struct functional *f, const struct resident *r)
{
	double sum = 0, done = mean_done(r);
	uint32_t in_step = 0;

	for (uint32_t i = 0; i < f->made; i++) {
		const struct resident *o = f->residents[i];

		if (!o->busy || fabs(mean_done(o) - done) > IN_STEP)
			continue;
		sum += own_pace(f, o);
		in_step++;
	}
	return sum / in_step * __builtin_popcountll(r->cta.live_warps);
}

/* What the CTA executes in a cycle: the mean of those with which it is together. */
static double pace_of(const struct functional *f, const struct resident *r)
{
	double sum = 0, done = mean_done(r);
	uint32_t together = 0;

	if (f->paces->at_once)
		return pace_in_step(f, r);
	for (uint32_t i = 0; i < f->made; i++) {
		const struct resident *o = f->residents[i];

		if (!o->busy || o->group != r->group || fabs(mean_done(o) - done) > TOGETHER)
			continue;
		sum += pace_of_age(f, o);
		together++;
	}
	return sum / together;
}

static void renew_slices(struct functional *f)
{
	double sum = 0;

	for (uint32_t i = 0; i < f->made; i++) {
		f->residents[i]->slice = f->residents[i]->busy ? pace_of(f, f->residents[i]) : 0;
		sum += f->residents[i]->slice;
	}
	for (uint32_t i = 0; i < f->made; i++)
		f->residents[i]->slice *= (double)SLICE * f->run->warps * f->busy / sum;
	f->slices_are_old = false;
}

bool side_is_out_of_turn(struct functional *f, struct resident *r)
{
	if (f->slices_are_old)
		renew_slices(f);
	if (r->credit > 0)
		return false;
	r->credit += r->slice;
	f->current++;
	return true;
}

double side_cost(const struct resident *r)
{
	return (double)SLICE * __builtin_popcountll(r->cta.live_warps);
}

bool side_has_credit(struct functional *f, struct resident *r, uint32_t warp)
{
	r->warp_credit[warp] += slice_of(r, warp);
	if (r->warp_credit[warp] < 1)
		return false;
	f->quantum = (uint64_t)r->warp_credit[warp];
	r->warp_credit[warp] -= (double)f->quantum;
	return true;
}
