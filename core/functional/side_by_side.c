/* core/functional/side_by_side.c -- CTAs that go on together, each at its pace (functional_set_paces): in
 * turns, of which each CTA and each of its warps has a part. A turn stands for time: a warp that waits at a
 * barrier loses its part, and others do not become faster by it. */
#include "core/functional/functional_internal.h"
#include "core/functional/paces.h"
#include <math.h>
#include <string.h>

/* Warp instructions of a turn of each warp, on average. */
#define SLICE 64
/* What is skipped ends when one warp in so many has exited. */
#define THIN 8
/* CTAs of all SMs that are no more instructions apart than this, on average, keep their distances. */
#define IN_STEP 64
/* Instructions in a cycle of a CTA that has executed none of late. */
#define SLOWEST 1e-3

/* p: NULL: nothing is known of it */
static void take_up(struct resident *r, const struct position *p)
{
	for (uint32_t i = 0; i < r->cta.warp_count; i++) {
		r->done[i] = p ? p->done[i] : 0;
		r->pace[i] = p ? p->pace[i] : 1;
		r->warp_credit[i] = 0;
	}
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
	if (!f->paces)
		return;
	f->slices_are_old = true;
	f->warps_exited += warps;
	f->has_thinned |= THIN * f->warps_exited >= f->warps_at_first;
}

bool functional_has_thinned(const struct functional *f)
{
	return f->has_thinned;
}

static double mean_done(const struct resident *r)
{
	double sum = 0;

	for (uint32_t i = 0; i < r->cta.warp_count; i++)
		sum += r->done[i];
	return sum / r->cta.warp_count;
}

/* What the CTA executes in a cycle by warp. */
static double own_pace(const struct functional *f, const struct resident *r)
{
	const struct position *p = paces_position(f->paces, r->cta.linear);

	return p && p->own.cycles > 0 ? p->own.instructions / p->own.cycles : SLOWEST;
}

/* What the CTA executes in a cycle: as much by warp as those on all SMs do with which it is in step, on
 * average. */
static double pace_of(const struct functional *f, const struct resident *r)
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
	r->warp_credit[warp] += SLICE * r->pace[warp];
	if (r->warp_credit[warp] < 1)
		return false;
	f->quantum = (uint64_t)r->warp_credit[warp];
	r->warp_credit[warp] -= (double)f->quantum;
	return true;
}
