/* core/simt/warp.c -- starting CTAs and warps; the values that registers hold when a warp begins. */
#include "core/simt/warp.h"
#include "core/kernel/cluster.h"
#include "core/kernel/kernel_run.h"
#include "core/simt/stack.h"
#include "frontend/tables/opcode.h"
#include "sim/base/xalloc.h"
#include <string.h>

void cta_start(struct cta *cta, struct kernel_run *run, uint64_t number, uint8_t *shared)
{
	const uint32_t *grid = run->launch->grid;

	memset(cta, 0, sizeof(*cta));
	cta->linear = number;
	cta->id[0] = (uint32_t)(number % grid[0]);
	cta->id[1] = (uint32_t)(number / grid[0] % grid[1]);
	cta->id[2] = (uint32_t)(number / grid[0] / grid[1]);
	cta->run = run;
	cta->warnings = run->warnings;
	cta->warp_count = run->warps;
	cta->shared = shared;
	if (run->cta_bytes)
		memset(shared, 0, run->cta_bytes);
	if (run->cluster_ctas == 1)
		return;
	cta->cluster = cluster_join(run, cta, cta->id, shared);
	cta->seat = (struct cluster_seat){ &cta->cluster->memory, cluster_rank(run, cta->id) };
}

const struct cluster_seat *warp_seat(const struct warp *w)
{
	return &w->cta->seat;
}

void warp_place(const struct warp *w, uint32_t *index, uint32_t *count)
{
	*index = w->index;
	*count = w->cta->warp_count;
}

/* The value of one of the special registers about clusters. */
static uint32_t cluster_register(const struct cta *cta, unsigned sreg)
{
	const struct kernel_run *run = cta->run;
	uint32_t cluster[3], inside[3];

	cluster_coordinates(run, cta->id, cluster, inside);
	if (sreg <= PTX_SREG_CLUSTERID_Z)
		return cluster[sreg - PTX_SREG_CLUSTERID_X];
	if (sreg <= PTX_SREG_NCLUSTERID_Z)
		return run->launch->grid[sreg - PTX_SREG_NCLUSTERID_X] /
			run->cluster[sreg - PTX_SREG_NCLUSTERID_X];
	if (sreg <= PTX_SREG_CLUSTER_CTAID_Z)
		return inside[sreg - PTX_SREG_CLUSTER_CTAID_X];
	if (sreg <= PTX_SREG_CLUSTER_NCTAID_Z)
		return run->cluster[sreg - PTX_SREG_CLUSTER_NCTAID_X];
	return sreg == PTX_SREG_CLUSTER_CTARANK     ? cluster_rank(run, cta->id)
		: sreg == PTX_SREG_CLUSTER_NCTARANK ? run->cluster_ctas
						    : run->is_explicit_cluster;
}

/* The value of a fixed special register in one lane. */
static uint64_t sreg_value(const struct warp *w, unsigned sreg, uint32_t lane, uint32_t smid,
	uint32_t sm_count, uint32_t max_warps)
{
	const struct cta *cta = w->cta;
	const struct launch *l = cta->run->launch;
	uint32_t thread = (uint32_t)w->index * WARP_SIZE + lane;

	if (sreg >= PTX_SREG_CLUSTERID_X && sreg <= PTX_SREG_IS_EXPLICIT_CLUSTER)
		return cluster_register(cta, sreg);
	switch (sreg) {
	case PTX_SREG_TID_X:
		return thread % l->block[0];
	case PTX_SREG_TID_Y:
		return thread / l->block[0] % l->block[1];
	case PTX_SREG_TID_Z:
		return thread / l->block[0] / l->block[1];
	case PTX_SREG_NTID_X:
		return l->block[0];
	case PTX_SREG_NTID_Y:
		return l->block[1];
	case PTX_SREG_NTID_Z:
		return l->block[2];
	case PTX_SREG_CTAID_X:
		return cta->id[0];
	case PTX_SREG_CTAID_Y:
		return cta->id[1];
	case PTX_SREG_CTAID_Z:
		return cta->id[2];
	case PTX_SREG_NCTAID_X:
		return l->grid[0];
	case PTX_SREG_NCTAID_Y:
		return l->grid[1];
	case PTX_SREG_NCTAID_Z:
		return l->grid[2];
	case PTX_SREG_LANEID:
		return lane;
	case PTX_SREG_LANEMASK_EQ:
		return UINT32_C(1) << lane;
	case PTX_SREG_LANEMASK_LT:
		return (UINT32_C(1) << lane) - 1;
	case PTX_SREG_LANEMASK_LE:
		return (UINT64_C(2) << lane) - 1;
	case PTX_SREG_LANEMASK_GE:
		return (uint32_t) ~((UINT32_C(1) << lane) - 1);
	case PTX_SREG_LANEMASK_GT:
		return (uint32_t) ~((UINT64_C(2) << lane) - 1);
	case PTX_SREG_WARPID:
		return w->slot;
	case PTX_SREG_NWARPID:
		return max_warps;
	case PTX_SREG_SMID:
		return smid;
	case PTX_SREG_NSMID:
		return sm_count;
	case PTX_SREG_GRIDID:
		return cta->run->id;
	case PTX_SREG_TOTAL_SMEM_SIZE:
		return cta->run->shared_taken;
	case PTX_SREG_DYNAMIC_SMEM_SIZE:
		return l->dynamic_shared;
	case PTX_SREG_GRID_WORKSPACE_HIGH:
		return l->grid_workspace >> 32;
	case PTX_SREG_GRID_WORKSPACE_LOW:
		return (uint32_t)l->grid_workspace;
	case PTX_SREG_CURRENT_GRAPH_EXEC:
		return l->graph;
	default:
		bug("special register %u is not a fixed one", sreg);
	}
}

/* A component of %tid. The quotient of numbers below 2^11 is rounded to a float so finely that its integer
 * part is right if half is added to the numerator first; so the lanes are computed side by side. */
static void fill_thread_ids(const struct warp *w, const struct ptx_preload *p)
{
	const uint32_t *block = w->cta->run->launch->block;
	int32_t first = (int32_t)w->index * WARP_SIZE;
	uint32_t *row = w->registers[p->row];
	float width = (float)block[0], height = (float)block[1];

	for (int32_t lane = 0; lane < WARP_SIZE; lane++) {
		int32_t thread = first + lane, line = (int32_t)(((float)thread + 0.5F) / width);
		int32_t plane = (int32_t)(((float)line + 0.5F) / height);

		row[lane] = (uint32_t)(p->sreg == PTX_SREG_TID_X ? thread - line * (int32_t)block[0]
				: p->sreg == PTX_SREG_TID_Y      ? line - plane * (int32_t)block[1]
								 : plane);
	}
}

static bool differs_by_lane(unsigned sreg)
{
	return sreg == PTX_SREG_LANEID || (sreg >= PTX_SREG_LANEMASK_EQ && sreg <= PTX_SREG_LANEMASK_GT);
}

static void fill_sreg(const struct warp *w, const struct ptx_preload *p, uint32_t smid, uint32_t sm_count,
	uint32_t max_warps)
{
	uint64_t v = sreg_value(w, p->sreg, 0, smid, sm_count, max_warps);
	uint32_t *row = w->registers[p->row];

	if (p->sreg == PTX_SREG_GRIDID || p->sreg == PTX_SREG_CURRENT_GRAPH_EXEC)
		for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
			((uint64_t *)(void *)row)[lane] = v;
	else if (differs_by_lane(p->sreg))
		for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
			row[lane] = (uint32_t)sreg_value(w, p->sreg, lane, smid, sm_count, max_warps);
	else
		for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
			row[lane] = (uint32_t)v;
}

void warp_start(
	struct warp *w, struct cta *cta, uint32_t index, uint32_t smid, uint32_t sm_count, uint32_t max_warps)
{
	const struct kernel_run *run = cta->run;
	const struct ptx_kernel *k = run->kernel;
	uint32_t threads = run->threads - index * WARP_SIZE;

	w->cta = cta;
	w->index = (uint8_t)index;
	w->live = threads >= WARP_SIZE ? ~UINT32_C(0) : (UINT32_C(1) << threads) - 1;
	w->active = w->live;
	w->pc = 0;
	w->reconverge = NO_RECONVERGENCE;
	w->state = WARP_RUNNING;
	w->frame = 0;
	w->top = k->function_count ? k->functions[0].frame : 0;
	w->depth = 1;
	w->spin.passes = w->spin.since = w->spin.depth = w->spin.turns = 0;
	w->spin.from_below = false;
	if (!w->stack) {
		w->capacity = SIMT_DEPTH;
		w->stack = xcalloc(SIMT_DEPTH, sizeof(*w->stack));
	}
	w->stack[0] = (struct simt_entry){ 0, NO_RECONVERGENCE, w->live, 0, w->top, 0, 0, 0 };
	cta->warps[index] = w;
	cta->live_warps |= UINT64_C(1) << index;
	memset(w->registers, 0, k->rows * sizeof(*w->registers));
	memset(w->predicates, 0, (k->predicates + 1) * sizeof(*w->predicates));
	w->cleared = 0;
	warp_clear_stack(w, k->local_bytes);
	for (uint32_t i = 0; i < k->preload_count; i++) {
		const struct ptx_preload *p = &k->preloads[i];

		if (p->sreg == PTX_SREG_TID_X || p->sreg == PTX_SREG_TID_Y || p->sreg == PTX_SREG_TID_Z)
			fill_thread_ids(w, p);
		else
			fill_sreg(w, p, smid, sm_count, max_warps);
	}
}

void warps_fini(struct warp *warps, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		free(warps[i].stack);
		free(warps[i].spin.state);
	}
}
