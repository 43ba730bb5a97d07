/* core/functional/side_by_side.c -- CTAs that go on together, each at its pace (functional_set_paces): in
 * turns, of which each CTA and each of its warps has a part. */
#include "core/functional/functional_internal.h"
#include "core/functional/paces.h"

/* Warp instructions of a turn of each warp, on average. */
#define SLICE 64

void functional_set_paces(struct functional *f, const struct paces *paces)
{
	f->paces = paces;
}

bool functional_has_thinned(const struct functional *f)
{
	return f->has_thinned;
}

uint32_t side_emptiest_sm(const struct functional *f)
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

/* Of its warps, those that have issued more of the CTA's instructions have more. */
static void renew_warp_slices(const struct functional *f, struct resident *r, uint32_t older)
{
	double sum = 0;

	for (uint32_t i = 0; i < r->cta.warp_count; i++)
		sum += paces_of_warp(f->paces, older, i) / r->cta.warp_count;
	for (uint32_t i = 0; i < r->cta.warp_count; i++)
		r->warp_slice[i] = SLICE * paces_of_warp(f->paces, older, i) / sum;
}

/* What the CTA executes in a cycle. */
static double pace_of(const struct functional *f, struct resident *r)
{
	uint32_t ctas = 0, older = 0;
	double pace;

	for (uint32_t i = 0; i < f->made; i++) {
		const struct resident *o = f->residents[i];

		ctas += o->busy && o->group == r->group;
		older += o->busy && o->group == r->group && o->cta.linear < r->cta.linear;
	}
	renew_warp_slices(f, r, older);
	pace = paces_of(f->paces, ctas, older);
	return pace > 0 ? pace : 1e-3;
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

bool side_has_credit(struct functional *f, struct resident *r, uint32_t warp)
{
	r->warp_credit[warp] += r->warp_slice[warp];
	if (r->warp_credit[warp] < 1)
		return false;
	f->quantum = (uint64_t)r->warp_credit[warp];
	r->warp_credit[warp] -= (double)f->quantum;
	return true;
}
