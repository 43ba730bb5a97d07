/* core/simt/resume.c -- CTAs that start in the middle (resume.h). */
#include "core/simt/resume.h"
#include "core/kernel/cluster.h"
#include "core/simt/cta_state.h"
#include "sim/base/xalloc.h"
#include <stdlib.h>
#include <string.h>

static bool fits_launch(const struct kernel_run *run, const struct launch_resume *from)
{
	uint64_t place, last = 0;

	if (from->next_cta > run->ctas || from->count > from->next_cta || from->next_cta % run->cluster_ctas)
		return false;
	for (size_t i = 0; i < from->count; i++, last = place) {
		if (!cta_state_check(&from->ctas[i], run))
			return false;
		place = cluster_cta_place(run, from->ctas[i].number);
		if (place >= from->next_cta || (i && place <= last))
			return false;
	}
	return from->count || from->next_cta < run->ctas;
}

static int by_place(const void *a, const void *b, void *run)
{
	uint64_t x = cluster_cta_place(run, ((const struct cta_state *)a)->number),
		 y = cluster_cta_place(run, ((const struct cta_state *)b)->number);

	return x < y ? -1 : x > y;
}

void resume_sort(const struct kernel_run *run, struct launch_resume *states)
{
	if (states->count)
		qsort_r(states->ctas, states->count, sizeof(*states->ctas), by_place, (void *)(uintptr_t)run);
}

bool resume_begin(struct kernel_run *run, struct launch_resume *from)
{
	uint64_t ended = from->next_cta - from->count;

	if (!fits_launch(run, from))
		return false;
	run->resume = *from;
	run->thread_instructions = from->known.thread_instructions;
	run->warp_instructions = from->known.warp_instructions;
	run->divergent_barriers = from->known.divergent_barriers;
	run->barriers_left = from->known.barriers_left;
	run->next_cta = run->ctas_done = run->untimed_ctas = ended;
	*from = (struct launch_resume){ 0 };
	return true;
}

/* The place of the first CTA with a state. */
static uint64_t first(const struct kernel_run *run)
{
	return run->resume.next_cta - run->resume.count;
}

const struct cta_state *resume_state(const struct kernel_run *run, uint64_t place)
{
	return place < run->resume.next_cta && place >= first(run) ? &run->resume.ctas[place - first(run)]
								   : NULL;
}

uint64_t resume_number(const struct kernel_run *run, uint64_t place)
{
	const struct cta_state *state = resume_state(run, place);

	return state ? state->number : cluster_cta_number(run, place);
}

struct launch_resume resume_copy(const struct launch_resume *from)
{
	struct launch_resume to = *from;

	to.ctas = xcalloc(from->count + 1, sizeof(*to.ctas));
	for (size_t i = 0; i < from->count; i++) {
		to.ctas[i] = from->ctas[i];
		to.ctas[i].bytes = xmalloc(from->ctas[i].size + 1);
		memcpy(to.ctas[i].bytes, from->ctas[i].bytes, from->ctas[i].size);
	}
	return to;
}

bool resume_fits(const struct launch *launch, const struct launch_resume *from)
{
	struct kernel_run run;
	bool fits_it;

	kernel_run_init(&run, launch, 0);
	fits_it = fits_launch(&run, from);
	kernel_run_fini(&run);
	return fits_it;
}
