/* core/sample/repeats_trial.c -- launches that are executed without timing on trial: which are, and whether
 * they turn out to be like those that are known (repeats.h). */
#include "core/chip/chip.h"
#include "core/kernel/kernel_run.h"
#include "core/kernel/plain.h"
#include "core/sample/repeats_group.h"
#include "memsys/snapshot.h"

#define BYTES_EXECUTED 64   /* copied in less time than a warp instruction takes without timing, ... */
#define BYTES_TIMED    2000 /* ... or with */
#define MOST_BYTES     (UINT64_C(2) << 30)

/* To copy bytes takes less time than to execute the launch, or where launches differ, to time it. */
bool repeats_tries(struct repeats *r, const struct chip *chip, const struct kernel_run *run)
{
	const struct group *g = repeats_group(r, run);
	double each = group_is_constant(g) ? BYTES_EXECUTED : BYTES_TIMED;
	uint64_t bytes = snapshot_bytes(chip->memory);

	return r->warms && !run->listener && !run->sanitizer && !kernel_has_services(run->kernel) &&
		bytes <= MOST_BYTES && (double)bytes <= each * g->least_warps;
}

bool repeats_counts_lines(struct repeats *r, const struct kernel_run *run)
{
	return !run->local_bytes && !group_is_constant(repeats_group(r, run));
}

/* Whether its accesses are to about as many lines as those of launches measured let expect: where they are
 * not, its time will not be either. */
static bool touches_similarly(const struct repeats *r, const struct group *g, double warps, double lines)
{
	struct sample_chunk chunks[LAST];
	struct sample_line l;

	for (uint32_t i = 0; i < group_count(g); i++)
		chunks[i] = (struct sample_chunk){ g->lines[i] * g->last[i].warps, g->last[i].warps, 1 };
	l = sample_line_pooled(chunks, group_count(g));
	return !group_is_off(r, &l, warps, lines, SINGLE);
}

/* A single launch may be as uncertain as this, if the group is not. */
static bool is_acceptable(const struct repeats *r, const struct group *g, double warps)
{
	struct sample_line l = group_line(g);

	return group_is_similar(g, warps) &&
		group_half_at(&l, warps) <= SINGLE * r->error * sample_line_at(&l, warps);
}

bool repeats_accepts(struct repeats *r, const struct kernel_run *run, double lines)
{
	struct group *g = repeats_group(r, run);
	double warps = (double)run->warp_instructions;

	if (is_acceptable(r, g, warps) &&
		(!repeats_counts_lines(r, run) || touches_similarly(r, g, warps, lines)))
		return true;
	g->phase = MEASURED;
	return false;
}
